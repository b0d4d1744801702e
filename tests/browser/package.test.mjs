// The built package in a page with a strict policy, with no bundler between.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serveFolder } from "./browser.mjs";

const STRICT = "default-src 'none'; img-src data:; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const NO_WASM = "default-src 'none'; img-src data:; script-src 'self'";
const dist = join(root, "pkg/dist");
const page = (script) => `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;
const report = (body) => `
  const put = (text) => { document.documentElement.dataset.result = text; };
  try { put(await (async () => { ${body} })()); } catch (error) { put("error: " + error); }`;

const pages = {
  "/root.html": page("/root-page.mjs"),
  "/root-page.mjs": report(`const { version } = await import("/index.js"); return version();`),
  "/slim.html": page("/slim-page.mjs"),
  "/slim-page.mjs": report(`const { init, version } = await import("/slim.js"); await init(); return version();`),
};

let browser;
let crate;

before(async () => {
  browser = await launch();
  crate = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8")).version;
});
after(() => browser?.close());

/** Opens one of `pages` under `policy` and gives what its script reported, with the paths that were fetched. */
async function run(path, policy) {
  const server = await serveFolder(dist, { pages, headers: { "content-security-policy": policy } });
  try {
    const { page, problems } = await open(browser, new URL(path, server.url).href);
    const html = page.locator("html[data-result]");
    await html.waitFor({ state: "attached" });
    const result = await html.getAttribute("data-result");
    await page.close();
    return { result, problems, requests: server.requests };
  } finally {
    await server.close();
  }
}

test("the root entry runs under a strict policy and fetches no wasm", async () => {
  const { result, problems, requests } = await run("root.html", STRICT);
  assert.equal(result, crate);
  assert.deepEqual(problems, []);
  assert.deepEqual(requests.filter((path) => path.endsWith(".wasm")), []);
});

test("the slim entry fetches the module from beside itself, once", async () => {
  const { result, requests } = await run("slim.html", STRICT);
  assert.equal(result, crate);
  assert.deepEqual(requests.filter((path) => path.endsWith(".wasm")), ["/core.wasm"]);
});

test("without 'wasm-unsafe-eval' the root entry says so instead of half working", async () => {
  const { result } = await run("root.html", NO_WASM);
  assert.match(result, /^error: .*(wasm-unsafe-eval|Content Security Policy)/);
});
