//! The project's own tasks. `cargo xtask` alone lists them.
//!
//! Dispatch only: one row per task, each task in its own file. A task does its own set-up, says what it does,
//! and ends with an error or without one; nothing here is needed by people who use the crate or the package.

mod bench;
mod build;
mod conform;
mod demo;
mod fingerprint;
mod parts;
mod process;
mod project;
mod ready;
mod schema;
mod size;
mod steps;
mod tally;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

/// One row of the list that `cargo xtask` prints.
struct Task {
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "build",
        arguments: "[--fast]",
        summary: "the npm package in pkg/dist (--fast: without wasm-opt)",
        run: build::run,
    },
    Task {
        name: "demo",
        arguments: "[--port N]",
        summary: "build what is stale and serve the demo page",
        run: demo::run,
    },
    Task {
        name: "test",
        arguments: "[step...]",
        summary: "everything CI runs; ends with `N passed, N failed`",
        run: test::run,
    },
    Task {
        name: "ready",
        arguments: "",
        summary: "the quick checks before a commit is handed over",
        run: ready::run,
    },
    Task {
        name: "size",
        arguments: "[--check|--parts]",
        summary: "sizes of what ships, into pkg/size.snap (--check: compares; --parts: whose code it is)",
        run: size::run,
    },
    Task {
        name: "bench",
        arguments: "[--short] ..",
        summary: "speed against JavaScript (--node, --chromium, --own-process, --write)",
        run: bench::run,
    },
    Task {
        name: "conform",
        arguments: "<folder>...",
        summary: "compare the product with recordings and their truth files",
        run: conform::run,
    },
    Task {
        name: "schema",
        arguments: "[--check]",
        summary: "write what is generated from the event table (--check: compare)",
        run: schema_task,
    },
    Task {
        name: "tidy",
        arguments: "",
        summary: "file lengths, module docs, no machine paths",
        run: tidy::run,
    },
];

fn schema_task(arguments: &[String]) -> anyhow::Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => anyhow::bail!("schema takes --check or nothing"),
    };
    schema::run(check).map_err(anyhow::Error::msg)
}

fn list() {
    println!("cargo xtask <task>\n");
    for task in TASKS {
        println!("  {:<22} {}", format!("{} {}", task.name, task.arguments), task.summary);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        list();
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        list();
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("error: no task is called `{name}`\n");
        list();
        return ExitCode::FAILURE;
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
