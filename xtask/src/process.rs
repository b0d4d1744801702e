//! Running other programs: shown, checked, or shown and captured at once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command that runs in the root of the repository.
pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::project::root());
    command
}

/// Cargo, in the root of the repository.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = command(&crate::project::cargo());
    command.args(arguments);
    command
}

/// Says what happens now. Every wait of more than a second or two is preceded by one such line.
pub fn say(line: &str) {
    println!("-- {line}");
}

/// A duration as people say it.
pub fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// Runs to the end with the output on the terminal; an error if it does not start or does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let name = name_of(command);
    let status = command.status().with_context(|| format!("{name} does not start"))?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    Ok(())
}

/// Runs to the end and gives back what it printed, without the closing newline.
pub fn read(command: &mut Command) -> Result<String> {
    let name = name_of(command);
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("{name} does not start"))?;
    if !output.status.success() {
        bail!("{name} failed ({})", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Runs to the end with every line of standard output both shown and handed to `line`. Gives success or not.
pub fn tee(command: &mut Command, mut line: impl FnMut(&str)) -> Result<bool> {
    let name = name_of(command);
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("{name} does not start"))?;
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut bytes = Vec::new();
        // Bytes, not `lines()`: a test may print anything, and one bad byte must not end the run.
        while reader.read_until(b'\n', &mut bytes)? > 0 {
            let text = String::from_utf8_lossy(&bytes);
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
            line(text.trim_end());
            bytes.clear();
        }
    }
    Ok(child.wait().with_context(|| format!("{name} cannot be waited for"))?.success())
}

/// Announces a step, runs it, and says how it ended and how long it took.
pub fn timed<T>(name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n== {name}");
    let start = Instant::now();
    let result = step();
    let took = seconds(start.elapsed());
    match &result {
        Ok(_) => println!("== {name}: done in {took}"),
        Err(error) => println!("== {name}: FAILED after {took}: {error:#}"),
    }
    result
}

fn name_of(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let short = program.rsplit(['/', '\\']).next().unwrap_or(&program).to_owned();
    let first = command.get_args().find(|argument| !argument.to_string_lossy().starts_with('-'));
    match first {
        Some(argument) => {
            let argument = argument.to_string_lossy();
            format!("{short} {}", argument.rsplit(['/', '\\']).next().unwrap_or(&argument))
        }
        None => short,
    }
}
