// The entries of the package: one row per file that package.json `exports` names.
//
// formats   which builds are written: "esm" -> <name>.js, "cjs" -> <name>.cjs with its .d.cts twins
// location  whether the entry may look for the wasm beside itself; a second such entry makes bundlers ship it twice

export const entries = [
  { name: "index", formats: ["esm", "cjs"], location: false },
  { name: "slim", formats: ["esm"], location: true },
];
