//! The project's own tasks.
mod schema;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("schema") => schema::run(arguments.any(|argument| argument == "--check")),
        _ => Err("usage: cargo xtask schema [--check]".into()),
    };
    if let Err(message) = outcome {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
