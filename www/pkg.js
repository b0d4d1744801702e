// The one place that says where the package is. The demo server has it under /pkg/.
export * from "./pkg/index.js";
