//! The single checks that `test` and `ready` are made of.
//!
//! A step prints its own output and gives a tally. What is not a test (a linter, a build) counts nothing while it
//! succeeds, so the closing sum stays a number of tests.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, run, say, tee};
use crate::tally::Tally;
use crate::{project, tools};

pub fn format() -> Result<Tally> {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    Ok(Tally::default())
}

/// Clippy twice: the workspace as it is, and the browser room, which only exists for wasm.
pub fn clippy() -> Result<Tally> {
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    tools::wasm_target()?;
    let package = ["clippy", "--package", "agent-ui-events", "--lib", "--features", "bindings"];
    run(cargo(&package).args(["--target", tools::WASM_TARGET, "--", "-D", "warnings"]))?;
    Ok(Tally::default())
}

pub fn documentation() -> Result<Tally> {
    run(cargo(&["doc", "--no-deps", "--package", "agent-ui-events"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Tally::default())
}

/// All of the workspace. xtask apart, with the features `cargo xtask` itself was built with: together with the rest
/// cargo would unify them, and compile wasm-bindgen's half of the tree a second time.
pub fn workspace_tests() -> Result<Tally> {
    let mut tally = cargo_test(&["--workspace", "--exclude", "xtask"])?;
    tally += cargo_test(&["--package", "xtask"])?;
    Ok(tally)
}

/// `cargo test` over `selection`, all of it even after a failure.
pub fn cargo_test(selection: &[&str]) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut tests = cargo(&["test", "--no-fail-fast"]);
    tests.args(selection);
    let succeeded = tee(&mut tests, |line| tally.read_cargo(line))?;
    finish(tally, succeeded, "cargo test")
}

/// The generated files are what the table of events gives.
pub fn schema() -> Result<Tally> {
    crate::schema::run(true).map_err(anyhow::Error::msg)?;
    Ok(Tally::default())
}

pub fn build() -> Result<Tally> {
    crate::build::ensure(crate::build::Flavour::Full)?;
    Ok(Tally::default())
}

/// For steps named on their own, in the edit loop: any flavour will do. After `build` there is nothing left to do.
fn built() -> Result<()> {
    crate::build::ensure(crate::build::Flavour::Fast)
}

/// The wrapper's own tests in Node, on the built package.
pub fn package() -> Result<Tally> {
    built()?;
    node_test("pkg/tests")
}

/// The tests that feed the cases, once more on the package around a module without SIMD.
pub fn without_simd() -> Result<Tally> {
    let package = crate::build::without_simd()?;
    say("the cases through the module without SIMD; `package` has fed them to the one that ships");
    let files = ["cases", "transcript", "consumers"]
        .map(|name| project::package().join(format!("tests/{name}.test.mjs")));
    node_files(&files, Some(&package))
}

/// The declarations, read by the newest TypeScript and by the one before the rewrite.
pub fn types() -> Result<Tally> {
    built()?;
    let mut tally = Tally::default();
    for compiler in ["typescript", "typescript5"] {
        for project in ["tsconfig.node16.json", "tsconfig.bundler.json"] {
            let settings = format!("pkg/tests/types/{project}");
            say(&format!("{compiler} on {settings}"));
            let program = tools::npm_program(&format!("{compiler}/bin/tsc"))?;
            let checked = run(command("node").arg(program).args(["--noEmit", "--project", &settings]));
            tally += Tally { passed: checked.is_ok().into(), failed: checked.is_err().into() };
        }
    }
    Ok(tally)
}

/// The packed tarball, installed and loaded the ways people load it.
pub fn packaging() -> Result<Tally> {
    built()?;
    node_test("tests/packaging")
}

/// The package and the page in a real browser.
pub fn browser() -> Result<Tally> {
    built()?;
    let chromium = tools::chromium()?;
    say(&format!("browser: {}", chromium.display()));
    node_test("tests/browser")
}

/// `node --test` on every `*.test.mjs` directly in `folder`.
fn node_test(folder: &str) -> Result<Tally> {
    tools::npm_packages()?;
    let files = test_files(&project::root().join(folder))?;
    if files.is_empty() {
        say(&format!("no tests in {folder} yet"));
        return Ok(Tally::default());
    }
    node_files(&files, None)
}

/// `node --test` on these files. `package` stands in for pkg/dist in those that import tests/package.mjs.
fn node_files(files: &[PathBuf], package: Option<&Path>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut node = command("node");
    if let Some(package) = package {
        node.env("TESTED_PACKAGE", package);
    }
    // `spec` by name: the default differs between Node versions and between a terminal and a pipe.
    node.args(["--test", "--test-reporter=spec", "--test-timeout=180000"]).args(files).env("NO_COLOR", "1");
    let succeeded = tee(&mut node, |line| tally.read_node(line))?;
    finish(tally, succeeded, "node --test")
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.to_string_lossy().ends_with(".test.mjs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A run that failed without a failed test (it did not compile, it crashed) is a failure of its own.
fn finish(tally: Tally, succeeded: bool, name: &str) -> Result<Tally> {
    if !succeeded && tally.failed == 0 {
        bail!("{name} failed before it could say which test");
    }
    Ok(tally)
}
