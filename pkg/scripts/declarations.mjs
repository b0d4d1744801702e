// Checks the wrapper's types and writes the public declarations into pkg/dist.
//
// tsc emits one declaration per source file. Only those that an entry reaches are published, and none of them may
// mention the generated glue: its signatures drift with wasm-bindgen. For CommonJS every file gets a .d.cts twin,
// because a .d.ts of a `"type": "module"` package describes an ES module, whoever requires it.

import { spawnSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { entries } from "./entries.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const emitted = join(root, "dist/.declarations");
const dist = join(root, "dist");
const specifiers = /(\bfrom\s+|\bimport\(\s*|\bimport\s+)(["'])(\.[^"']*)\2/g;

function compile() {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [compiler, "--project", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  if (run.status !== 0) throw new Error("the wrapper's types do not check");
}

/** Adds `file` and all it imports to `reached`, a map from path to text. */
async function reach(file, reached) {
  if (reached.has(file)) return;
  const text = await readFile(file, "utf8");
  reached.set(file, text);
  for (const [, , , specifier] of text.matchAll(specifiers)) {
    if (specifier.includes("/wasm/")) {
      throw new Error(`${relative(emitted, file)}: a public declaration mentions the glue (${specifier})`);
    }
    await reach(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")), reached);
  }
}

async function write(file, text) {
  const path = join(dist, relative(emitted, file));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

compile();
for (const { name, formats } of entries) {
  const reached = new Map();
  await reach(join(emitted, `${name}.d.ts`), reached);
  for (const [file, text] of reached) {
    await write(file, text);
    if (formats.includes("cjs")) {
      const twin = text.replace(specifiers, (_, before, quote, path) => `${before}${quote}${path.replace(/\.js$/, ".cjs")}${quote}`);
      await write(file.replace(/\.d\.ts$/, ".d.cts"), twin);
    }
  }
}
await rm(emitted, { recursive: true, force: true });
