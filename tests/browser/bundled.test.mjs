// A user's page: the packed tarball installed, built by Vite, served with a strict policy, and really run.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { consumer } from "../packaging/consumer.mjs";
import { launch, open, root, serveFolder, tool } from "./browser.mjs";

const HTML = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>`;
const MAIN = `import { version } from "agent-ui-events";\ndocument.documentElement.dataset.result = version();\n`;
const STRICT = "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'";

let browser;
let project;

before(async () => {
  [browser, project] = await Promise.all([launch(), consumer()]);
});
after(() => Promise.all([browser?.close(), project?.close()]));

test("a page built by Vite runs under a strict policy and fetches no wasm", async () => {
  await project.write("index.html", HTML);
  await project.write("main.js", MAIN);
  const { build } = await import(pathToFileURL(join(root, "pkg/node_modules/vite/dist/node/index.js")).href);
  await build({ root: project.folder, configFile: false, logLevel: "error", build: { outDir: "site" } });
  const server = await serveFolder(join(project.folder, "site"), { headers: { "content-security-policy": STRICT } });
  try {
    const { page, problems } = await open(browser, new URL("index.html", server.url).href);
    const html = page.locator("html[data-result]");
    await html.waitFor({ state: "attached" });
    assert.equal(await html.getAttribute("data-result"), tool("./package.json").version);
    assert.deepEqual(problems, []);
    assert.deepEqual(server.requests.filter((path) => path.endsWith(".wasm")), []);
  } finally {
    await server.close();
  }
});
