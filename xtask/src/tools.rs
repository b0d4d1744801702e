//! The tools other tasks need, found or installed: the wasm target, Node, the npm packages, a browser.
//!
//! Everything that touches the network or the machine is here and says so before it starts.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::process::{command, read, run, say};
use crate::{fingerprint, project};

/// The one wasm target.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

const OLDEST_NODE: u32 = 20;

/// Makes sure rustc can compile for wasm.
pub fn wasm_target() -> Result<()> {
    let library = read(command("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]))
        .unwrap_or_default();
    if PathBuf::from(library).is_dir() {
        return Ok(());
    }
    say("adding the wasm target to the Rust toolchain");
    run(command("rustup").args(["target", "add", WASM_TARGET]))
        .context("install rustup, or a Rust toolchain that has the target wasm32-unknown-unknown")
}

/// Makes sure Node is there and new enough.
pub fn node() -> Result<()> {
    let version =
        read(command("node").arg("--version")).context("Node 20 or newer is needed: https://nodejs.org")?;
    let major: u32 = version.trim_start_matches('v').split('.').next().unwrap_or("").parse().unwrap_or(0);
    if major < OLDEST_NODE {
        bail!("Node {OLDEST_NODE} or newer is needed, this is {version}");
    }
    Ok(())
}

/// Makes sure pkg/node_modules holds exactly what the lock file says.
pub fn npm_packages() -> Result<()> {
    node()?;
    let package = project::package();
    let wanted = fingerprint::of_paths(&package, &["package-lock.json"])?;
    let stamp = package.join("node_modules/.installed-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    say("installing the npm packages of pkg/package-lock.json");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // No install scripts: none of our tools needs one, and a lock file of hashes is worth more without them.
    run(command(npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&package))?;
    std::fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}

/// A program of an installed npm package, as a path for `node`.
pub fn npm_program(path: &str) -> Result<String> {
    let file = project::package().join("node_modules").join(path);
    if !file.is_file() {
        bail!("{} is missing; delete pkg/node_modules and try again", project::display(&file));
    }
    Ok(file.to_string_lossy().into_owned())
}

/// A Chromium to test with. Installs one where that is a matter of `apt-get` and we are root.
pub fn chromium() -> Result<PathBuf> {
    node()?;
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    if let Some(named) = std::env::var_os("CHROMIUM") {
        bail!("CHROMIUM names {}, which is not an executable file", named.display());
    }
    if !may_apt_get() {
        bail!("no Chromium found: install chromium or Google Chrome, or set CHROMIUM to its executable");
    }
    say("no Chromium found, installing Debian's (about 125 MB)");
    run(command("apt-get").args(["update", "-q"]))?;
    run(command("apt-get")
        .args(["install", "-y", "-q", "--no-install-recommends", "chromium"])
        .env("DEBIAN_FRONTEND", "noninteractive"))?;
    find_chromium().context("apt-get installed chromium, but there is no executable; set CHROMIUM")
}

/// The search itself is the tests' own (tests/browser/chromium.mjs), so that `node --test` alone finds the same.
fn find_chromium() -> Option<PathBuf> {
    let found = read(command("node").arg("tests/browser/chromium.mjs")).ok()?;
    (!found.is_empty()).then(|| PathBuf::from(found))
}

fn may_apt_get() -> bool {
    let root = read(command("id").arg("-u")).is_ok_and(|user| user == "0");
    root && read(command("apt-get").arg("--version")).is_ok()
}
