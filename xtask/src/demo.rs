//! The demo page, from nothing to a URL: sets up, builds what is stale, then becomes the page's own server.

use anyhow::{Result, bail};

use crate::process::{command, say};
use crate::{build, project, tools};

const PORT: &str = "4173";

/// `cargo xtask demo [--port N]`.
pub fn run(arguments: &[String]) -> Result<()> {
    let port = match arguments {
        [] => PORT,
        [flag, port] if flag == "--port" => port,
        _ => bail!("demo takes --port N or nothing"),
    };
    tools::npm_packages()?;
    // wasm-opt makes the module smaller, hardly faster: nobody should wait for it to see a page.
    build::ensure(build::Flavour::Fast)?;
    if !project::root().join("www/server.mjs").is_file() {
        bail!("www/server.mjs is not there, so there is no demo page to serve");
    }
    say(&format!("starting the demo: http://localhost:{port}/ (Ctrl-C ends it)"));
    let mut server = command("node");
    server.args(["www/server.mjs", "--port", port]);
    replace(server)
}

/// On Unix the server takes this process over, so that a signal meant for the task reaches it.
#[cfg(unix)]
fn replace(mut server: std::process::Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(anyhow::Error::new(server.exec()).context("the demo server does not start"))
}

#[cfg(not(unix))]
fn replace(mut server: std::process::Command) -> Result<()> {
    crate::process::run(&mut server)
}
