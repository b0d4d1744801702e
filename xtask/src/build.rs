//! Builds the npm package: Rust -> wasm -> glue -> TypeScript wrapper -> pkg/dist.
//!
//! The seam for whoever writes the wrapper in pkg/src:
//!
//! ```text
//! import { createGlue, type Glue } from "./wasm/glue.js";  // one more instance per call, nothing shared
//! import type { Batch } from "./wasm/core.js";             // the types of what #[wasm_bindgen] exports
//! import { bytes } from "./wasm/inline.js";                // () => Uint8Array: the module, decoded at each call
//! ```
//!
//! - pkg/src/wasm is generated and not in git: run `cargo xtask build` once, then `--fast` after each change.
//! - A `Glue` is all of core.js (exports, `initSync`, and `default`, the async init) in variables of its own. Import
//!   no values from core.js: its one instance would be one more copy of the glue. Pass one object:
//!   `glue.initSync({ module: bytes() })`, `glue.default({ module_or_path })`; a compiled module serves many instances.
//! - inline.ts may be imported by what index.ts reaches, never by what slim.ts reaches.
//! - slim.ts finds the module by `new URL("./core.wasm", import.meta.url)`, which is right once bundled into dist.
//!   No other entry may say `import.meta`; pkg/scripts/bundle.mjs refuses it, as it refuses `node:` imports,
//!   runtime dependencies and top-level await.
//! - Entries are rows of pkg/scripts/entries.mjs; a new one also needs its line in package.json `exports`.
//! - Public declarations must not mention ./wasm/: pkg/scripts/declarations.mjs keeps only the declarations that
//!   index.ts, slim.ts and their kind reach, refuses that mention, and writes the .d.cts twins.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::{cargo, command, run as shown, say, seconds};
use crate::{fingerprint, project, tools};

/// What the files in pkg/dist depend on, relative to the root.
const INPUTS: &[&str] = &[
    "src",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "xtask/src/build.rs",
    "pkg/src",
    "pkg/scripts",
    "pkg/package.json",
    "pkg/package-lock.json",
    "pkg/tsconfig.json",
    "pkg/tsconfig.build.json",
];

/// Features every browser and Node of our floor has, and that rustc turns on for this target. Named, so that
/// wasm-opt neither guesses nor uses a newer one.
const WASM_OPT: &[&str] = &[
    "-O3",
    // Else functions with one caller go into it, whatever their size: hot ones grew to 35 KB, and V8 takes long to compile
    // such a one before it runs fast.
    "--one-caller-inline-max-function-size=500",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// How much work goes into the module.
#[derive(Clone, Copy, PartialEq)]
pub enum Flavour {
    /// As shipped: wasm-opt has run.
    Full,
    /// Without wasm-opt, for the edit loop.
    Fast,
}

/// `cargo xtask build [--fast]`.
pub fn run(arguments: &[String]) -> Result<()> {
    let flavour = match arguments {
        [] => Flavour::Full,
        [flag] if flag == "--fast" => Flavour::Fast,
        _ => bail!("build takes --fast or nothing"),
    };
    build(flavour)?;
    say("pkg/dist is built");
    Ok(())
}

/// Builds pkg/dist unless it was built in this flavour (or better) from exactly these sources.
pub fn ensure(wanted: Flavour) -> Result<()> {
    let inputs = fingerprint::of_paths(&project::root(), INPUTS)?;
    let built = std::fs::read_to_string(stamp()?).unwrap_or_default();
    let complete = ["index.js", "index.cjs", "index.d.ts", "slim.js", "core.wasm"]
        .iter()
        .all(|file| project::dist().join(file).is_file());
    let fresh = built == mark(&inputs, Flavour::Full)
        || (wanted == Flavour::Fast && built == mark(&inputs, Flavour::Fast));
    if complete && fresh {
        say("pkg/dist is up to date");
        return Ok(());
    }
    build(wanted)
}

fn build(flavour: Flavour) -> Result<()> {
    let start = Instant::now();
    let inputs = fingerprint::of_paths(&project::root(), INPUTS)?;
    let stamp = stamp()?;
    let _ = std::fs::remove_file(&stamp);
    tools::wasm_target()?;
    tools::npm_packages()?;
    let module = compile()?;
    if !uses_simd(&module)? {
        bail!("the module was compiled without SIMD: something replaces the flags of .cargo/config.toml");
    }
    let glue = project::cache()?.join("glue");
    bindgen(&module, &glue, flavour)?;
    let wasm = match flavour {
        Flavour::Full => optimise(&glue.join("core_bg.wasm"))?,
        Flavour::Fast => glue.join("core_bg.wasm"),
    };
    bundle(&glue, &wasm, None, flavour)?;
    let package = project::package();
    shown(command("node").arg("scripts/declarations.mjs").current_dir(package))?;
    std::fs::write(&stamp, mark(&inputs, flavour))?;
    say(&format!("build took {}", seconds(start.elapsed())));
    Ok(())
}

fn stamp() -> Result<PathBuf> {
    Ok(project::cache()?.join("dist.stamp"))
}

fn mark(inputs: &str, flavour: Flavour) -> String {
    let flavour = if flavour == Flavour::Full { "full" } else { "fast" };
    format!("{flavour} {inputs}")
}

/// Compiles the module with the names of its functions; cargo knows whether there is anything to do.
pub fn compile() -> Result<PathBuf> {
    say("compiling the crate to wasm");
    // Either variable would replace the flags of .cargo/config.toml, and the module would lose SIMD unnoticed.
    compile_with("wasm", |cargo| cargo.env_remove("RUSTFLAGS"))
}

fn compile_with(profile: &str, flags: impl FnOnce(&mut Command) -> &mut Command) -> Result<PathBuf> {
    // `rustc --crate-type`, not a crate-type in Cargo.toml: beside an rlib cargo silently leaves LTO out.
    let arguments = [
        "rustc",
        "--package",
        "agent-ui-events",
        "--lib",
        "--crate-type",
        "cdylib",
        "--profile",
        profile,
        "--target",
        tools::WASM_TARGET,
        "--features",
        "bindings",
    ];
    shown(flags(cargo(&arguments).env_remove("CARGO_ENCODED_RUSTFLAGS")))?;
    let module = project::target()?.join(tools::WASM_TARGET).join(profile).join("agent_ui_events.wasm");
    if !module.is_file() {
        bail!("cargo built no {}", module.display());
    }
    Ok(module)
}

fn bindgen(module: &Path, glue: &Path, flavour: Flavour) -> Result<()> {
    say("generating the JavaScript glue");
    if glue.exists() {
        std::fs::remove_dir_all(glue)?;
    }
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("core")
        .web(true)?
        .typescript(true)
        // A default path would put `new URL(..., import.meta.url)` into every entry, and bundlers would ship a second module.
        .omit_default_module_path(true)
        // Profilers show names in the edit loop.
        .remove_name_section(flavour == Flavour::Full)
        .remove_producers_section(true);
    bindgen.generate(glue).context("wasm-bindgen failed")
}

/// Runs wasm-opt once per module: the result is kept under the hash of what went in.
fn optimise(module: &Path) -> Result<PathBuf> {
    let program = tools::npm_program("binaryen/bin/wasm-opt")?;
    let version = std::fs::read(project::package().join("node_modules/binaryen/package.json"))?;
    let before = std::fs::read(module)?;
    let key = fingerprint::of_bytes(&[&before, &version, WASM_OPT.join(" ").as_bytes()]);
    let kept = project::cache()?.join("wasm-opt");
    let optimised = kept.join(format!("{key}.wasm"));
    if optimised.is_file() {
        say("wasm-opt: this module was optimised before");
        return Ok(optimised);
    }
    say("wasm-opt (up to half a minute; kept for the next build)");
    // Only the newest is kept; the folder would grow with every edit.
    if kept.exists() {
        std::fs::remove_dir_all(&kept)?;
    }
    std::fs::create_dir_all(&kept)?;
    let partial = kept.join("partial.wasm");
    shown(command("node").arg(program).args(WASM_OPT).arg(module).arg("-o").arg(&partial))?;
    std::fs::rename(&partial, &optimised)?;
    let after = std::fs::metadata(&optimised)?.len();
    say(&format!("wasm-opt: {} -> {after} bytes", before.len()));
    Ok(optimised)
}

/// Whether the module's list of the features it was compiled for has SIMD.
fn uses_simd(module: &Path) -> Result<bool> {
    let bytes = std::fs::read(module)?;
    Ok(bytes.windows(9).any(|window| window == b"+\x07simd128"))
}

/// Into pkg/dist, or into a folder elsewhere.
fn bundle(glue: &Path, wasm: &Path, elsewhere: Option<&Path>, flavour: Flavour) -> Result<()> {
    say("bundling the wrapper");
    let mut node = command("node");
    node.arg("scripts/bundle.mjs").args((flavour == Flavour::Fast).then_some("--readable"));
    node.arg(glue).arg(wasm).args(elsewhere).current_dir(project::package());
    shown(&mut node)
}

/// The package around a module without SIMD, for tests alone: a folder with `index.js`, built unless it is fresh.
///
/// Optimised little: it is only asked for its answers.
pub fn without_simd() -> Result<PathBuf> {
    let place = project::cache()?.join("without-simd");
    let (package, stamp) = (place.join("dist"), place.join("stamp"));
    let inputs = fingerprint::of_paths(&project::root(), INPUTS)?;
    if std::fs::read_to_string(&stamp).is_ok_and(|built| built == inputs) {
        say("the package without SIMD is up to date");
        return Ok(package);
    }
    std::fs::create_dir_all(&place)?;
    let _ = std::fs::remove_file(&stamp);
    tools::wasm_target()?;
    tools::npm_packages()?;
    say("compiling the crate to wasm without SIMD");
    let module = compile_with("wasm-plain", |cargo| cargo.env("RUSTFLAGS", "-C target-feature=-simd128"))?;
    if uses_simd(&module)? {
        bail!("the module that should be without SIMD says it uses it");
    }
    let glue = place.join("glue");
    bindgen(&module, &glue, Flavour::Fast)?;
    bundle(&glue, &glue.join("core_bg.wasm"), Some(&package), Flavour::Fast)?;
    std::fs::write(package.join("package.json"), "{\"type\": \"module\"}\n")?;
    std::fs::write(&stamp, inputs)?;
    Ok(package)
}
