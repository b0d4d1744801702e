// The polite status line: boundaries only, at most one message in two seconds, the last one wins.

const PAUSE_MS = 2000;
const line = document.getElementById("status");
let last = -Infinity;
let waiting;

export function announceNow(text) {
  clearTimeout(waiting);
  waiting = undefined;
  last = performance.now();
  line.textContent = text;
}

export function announce(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => announceNow(text), Math.max(0, last + PAUSE_MS - performance.now()));
}
