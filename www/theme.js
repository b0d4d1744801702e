// Light, dark, or as the system says. The choice lives as long as the page: nothing is stored.

const CHOICES = ["auto", "light", "dark"];

export function theme(button) {
  let at = 0;
  button.addEventListener("click", () => {
    at = (at + 1) % CHOICES.length;
    if (CHOICES[at] === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = CHOICES[at];
    button.textContent = `Theme: ${CHOICES[at]}`;
  });
}
