// The packed tarball, installed and loaded the ways people load it.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root, tool } from "../browser/browser.mjs";
import { consumer } from "./consumer.mjs";

const ESM = `import { version } from "agent-ui-events";\nconsole.log(version());\n`;
const SLIM = `import { init, version } from "agent-ui-events/slim";\nawait init();\nconsole.log(version());\n`;

let project;
let manifest;

before(async () => {
  manifest = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
  project = await consumer();
});
after(() => project?.close());

/** Every file path that the exports map can lead to. */
function targets(node) {
  return typeof node === "string" ? [node] : Object.values(node).flatMap(targets);
}

test("every file that package.json names is in the tarball", () => {
  const named = [...targets(manifest.exports), manifest.main, manifest.module, manifest.types];
  const missing = named.filter((path) => !project.packed.includes(path.replace("./", "")));
  assert.deepEqual(missing, []);
});

test("the tarball holds one wasm, no source and no generated glue of its own", () => {
  assert.deepEqual(project.packed.filter((path) => path.endsWith(".wasm")), ["dist/core.wasm"]);
  assert.deepEqual(project.packed.filter((path) => /^(src|scripts|tests)\//.test(path)), []);
});

test("nothing is installed along with it, and it has no install scripts", async () => {
  const installed = (await readdir(join(project.folder, "node_modules"))).filter((name) => !name.startsWith("."));
  assert.deepEqual(installed, ["agent-ui-events"]);
  assert.deepEqual(Object.keys(manifest).filter((key) => /^(dependencies|peerDependencies|bin|scripts)$/.test(key)), []);
});

test("the package has the version of the crate", async () => {
  const crate = /^version = "(.*)"/m.exec(await readFile(join(root, "Cargo.toml"), "utf8"))[1];
  assert.equal(manifest.version, crate);
});

test("Node imports the root entry", async () => {
  await project.write("esm.mjs", ESM);
  assert.equal(await project.node("esm.mjs"), manifest.version);
});

test("Node requires the root entry", async () => {
  await project.write("cjs.cjs", `console.log(require("agent-ui-events").version());\n`);
  assert.equal(await project.node("cjs.cjs"), manifest.version);
});

test("Node reaches the module by name and gives it to the slim entry", async () => {
  await project.write(
    "slim.mjs",
    `import { readFile } from "node:fs/promises";
     import { createRequire } from "node:module";
     import { init, version } from "agent-ui-events/slim";
     await init(await readFile(createRequire(import.meta.url).resolve("agent-ui-events/core.wasm")));
     console.log(version());`,
  );
  assert.equal(await project.node("slim.mjs"), manifest.version);
});

test("importing the root entry compiles nothing, using it twice compiles once", async () => {
  await project.write(
    "lazy.mjs",
    `let compiled = 0;
     WebAssembly.Module = class extends WebAssembly.Module { constructor(...bytes) { super(...bytes); compiled += 1; } };
     const { version } = await import("agent-ui-events");
     const imported = compiled;
     version();
     version();
     console.log(imported, compiled);`,
  );
  assert.equal(await project.node("lazy.mjs"), "0 1");
});

test("esbuild bundles the root entry into one file that runs", async () => {
  await project.write("esbuild.mjs", ESM);
  const { build } = tool("esbuild");
  const { metafile, warnings } = await build({
    absWorkingDir: project.folder,
    entryPoints: ["esbuild.mjs"],
    outdir: "esbuild",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    metafile: true,
    logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  assert.deepEqual(Object.keys(metafile.outputs), ["esbuild/esbuild.mjs"]);
  assert.equal(await project.node("esbuild/esbuild.mjs"), manifest.version);
});

test("esbuild leaves nothing of a package whose exports are not used", async () => {
  await project.write("unused.mjs", `import "agent-ui-events";\nimport * as all from "agent-ui-events";\n`);
  const { build } = tool("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: project.folder,
    entryPoints: ["unused.mjs"],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  assert.ok(outputFiles[0].text.length < 200, `${outputFiles[0].text.length} characters are left`);
});

/** Builds `script` with Vite as a library that Node can run, and gives the names of what it wrote. */
async function vite(name, script) {
  await project.write(`${name}.mjs`, script);
  const { build } = await import(pathToFileURL(join(root, "pkg/node_modules/vite/dist/node/index.js")).href);
  const { output } = await build({
    root: project.folder,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: name,
      target: "es2022",
      assetsInlineLimit: 0,
      rollupOptions: { input: join(project.folder, `${name}.mjs`), output: { entryFileNames: "main.mjs" } },
    },
  });
  return output.map((file) => file.fileName);
}

test("Vite builds the root entry with no asset, and the result runs", async () => {
  assert.deepEqual(await vite("vite-root", ESM), ["main.mjs"]);
  assert.equal(await project.node("vite-root/main.mjs"), manifest.version);
});

test("Vite builds the slim entry with exactly one asset", async () => {
  const files = await vite("vite-slim", SLIM);
  assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 1, files.join(", "));
});
