// The entry without the module: the caller brings it, or it is fetched from beside this file.

import { warmUp } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";

export * from "./api.js";

/** What `init` takes: where the module is, its bytes, or the module itself. */
export type WasmSource = URL | string | Request | Response | BufferSource | WebAssembly.Module;

/** Loads the module; everything else must wait for it. Without a source it is fetched from beside this file. */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return warmUp(async () => compile((await source) ?? new URL("./core.wasm", import.meta.url)));
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) {
    throw new AgentUiEventsError("init.failed", `${response.url} answered ${response.status}`, { status: response.status });
  }
  // Servers that do not know the type are many; bytes do not care.
  return WebAssembly.compile(await response.arrayBuffer());
}
