// The entry without the module: the caller brings it or lets it be fetched. A placeholder that proves the build chain.

import { createGlue } from "./wasm/glue.js";

/** What `init` takes: where the module is, its bytes, or the module itself. */
export type WasmSource = URL | string | Request | Response | BufferSource | WebAssembly.Module;

const glue = /* @__PURE__ */ createGlue();

/** Loads the module. Without a source it is fetched from beside this file. */
export async function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  await glue.default({ module_or_path: source ?? new URL("./core.wasm", import.meta.url) });
}

/** The version of the Rust crate inside. `init` must have been awaited. */
export function version(): string {
  return glue.version();
}
