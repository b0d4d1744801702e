//! The only room that speaks wasm-bindgen: what the npm package and Rust front ends touch in a browser.
//!
//! Knows the public types of the core and how they cross to JavaScript. Must not know a dialect or be needed by
//! anything in the core. `source` serves any wasm front end (feature `web`); `bindings` is the npm package's side of
//! the boundary and no public API (feature `bindings`).

#[cfg(feature = "bindings")]
mod bindings;
#[cfg(target_arch = "wasm32")]
pub mod source;
