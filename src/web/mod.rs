//! The only room that speaks wasm-bindgen: what the npm package and Rust front ends touch in a browser.
//!
//! Knows the public types of the core and how they cross to JavaScript. Must not know a dialect, keep state of
//! its own between calls, or be needed by anything in the core.

#[cfg(feature = "bindings")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the crate this module was built from.
#[cfg(feature = "bindings")]
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
