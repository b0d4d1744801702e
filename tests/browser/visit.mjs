// A visitor of the demo page: opens it, minds everything that must not happen there, and does what visitors do.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { launch, root, serve } from "./browser.mjs";

/** The demo server and a browser. `visit(hash, options)` gives `{page, problems, close}`. */
export async function openDemo() {
  const server = await serve();
  const browser = await launch();
  return {
    url: server.url,
    visit: (hash = "", options = {}) => visit({ server, browser }, hash, options),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** The bytes of a sample's file. */
export const sampleFile = (file) => readFile(join(root, "www/samples", file));

/** A fresh visitor. `problems` fills with console errors, uncaught errors, policy violations, dialogs, outside requests. */
async function visit({ server, browser }, hash, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith("data:") && !url.startsWith("blob:"))
      problems.push(`went out: ${url}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(server.url + hash);
  await idle(page);
  return { page, problems, close: () => context.close() };
}

export const idle = (page) => page.waitForFunction(() => document.documentElement.dataset.state === "idle");

/** Clicks a sample and waits until it is read. */
export async function choose(page, name) {
  await page.locator(`.sample[data-sample="${name}"]`).click();
  await page.waitForFunction(
    (wanted) => document.querySelector('.sample[aria-current="true"]')?.dataset.sample === wanted,
    name,
  );
  await idle(page);
}

/** Waits until the stream that is shown has this name. */
export const titled = (page, title) =>
  page.waitForFunction((wanted) => document.getElementById("stream-title").textContent === wanted, title);
