//! The project's own tasks. `cargo xtask` alone lists them.
fn main() {}
