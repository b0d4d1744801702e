// What every browser test needs: a Chromium, the demo page's server, and a small static server with a policy.
// Everything is awaited by its own sign of life; nothing sleeps.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { execPath } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.mjs";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

// The package's own node_modules: the tests need no second installation.
const require = createRequire(new URL("../../pkg/package.json", import.meta.url));

/** Requires a development dependency of pkg/package.json. */
export const tool = (name) => require(name);

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a headless Chromium with a fresh profile. The caller closes it. */
export async function launch(options = {}) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium: run `cargo xtask test`, which installs one, or set CHROMIUM");
  const { args = [], ...rest } = options;
  return tool("playwright-core").chromium.launch({
    executablePath,
    headless: true,
    ...rest,
    args: [...ARGUMENTS, ...args],
  });
}

/**
 * Starts www/server.mjs on a free port and resolves once it prints a line with its URL.
 *
 * The server's side of the contract: `--port 0` takes a free port, and one line of standard output, printed when
 * requests are answered, contains `http://<host>:<the real port>`.
 *
 * @returns {Promise<{ url: string, close(): Promise<void> }>} `url` ends with a slash.
 */
export async function serve(args = []) {
  const server = spawn(execPath, ["www/server.mjs", "--port", "0", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => server.once("exit", resolve));
  const close = async () => {
    server.kill();
    await exited;
  };
  const lines = createInterface({ input: server.stdout });
  const ready = new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const url = /https?:\/\/[^\s/]+:\d+/.exec(line)?.[0];
      if (url) resolve(`${url}/`);
    });
    server.once("error", reject);
    exited.then((code) => reject(new Error(`www/server.mjs ended with ${code} before it was ready`)));
  });
  return { url: await ready, close };
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder on a free port, without the demo's server. `pages` adds texts by path ("/page.html"), `headers`
 * go on every answer.
 *
 * @returns {Promise<{ url: string, requests: string[], close(): Promise<void> }>} `requests` are the paths so far.
 */
export async function serveFolder(folder, { pages = {}, headers = {} } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    requests.push(path);
    try {
      const body = pages[path] ?? (await readFile(join(folder, path)));
      response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404, headers);
      response.end();
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, close };
}

/** Opens `url` and gives the page with what went wrong on it so far: uncaught errors, console errors, failed requests. */
export async function open(browser, url) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  await page.goto(url);
  return { page, problems };
}
