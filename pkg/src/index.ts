// The root entry: the wasm module is inlined and compiled on first use. A placeholder that proves the build chain.

import { createGlue, type Glue } from "./wasm/glue.js";
import { bytes } from "./wasm/inline.js";

let shared: Glue | undefined;

function ensure(): Glue {
  if (!shared) {
    const glue = createGlue();
    glue.initSync({ module: bytes() });
    shared = glue;
  }
  return shared;
}

/** Compiles the module ahead of first use, for places that refuse to do so synchronously. */
export async function init(): Promise<void> {
  if (shared) return;
  const glue = createGlue();
  await glue.default({ module_or_path: await WebAssembly.compile(bytes()) });
  shared ??= glue;
}

/** The version of the Rust crate inside. */
export function version(): string {
  return ensure().version();
}
