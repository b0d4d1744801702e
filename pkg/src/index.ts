// The root entry: the wasm module is inlined and compiled on first use.

import { carryModule, warmUp } from "./engine.js";
import { bytes } from "./wasm/inline.js";

export * from "./api.js";

carryModule(bytes);

/** Compiles the module ahead of first use; only places that refuse to do so synchronously need it. */
export function init(): Promise<void> {
  return warmUp(() => WebAssembly.compile(bytes()));
}
