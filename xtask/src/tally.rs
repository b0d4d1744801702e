//! Counts of passed and failed tests, read from what cargo and Node print.

use std::ops::AddAssign;

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Tally {
    /// Reads one line of `cargo test`; only the closing line of each binary counts.
    pub fn read_cargo(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("test result: ") else { return };
        for part in rest.split(['.', ';']) {
            let mut words = part.split_whitespace();
            match (words.next().map(str::parse::<u64>), words.next()) {
                (Some(Ok(number)), Some("passed")) => self.passed += number,
                (Some(Ok(number)), Some("failed")) => self.failed += number,
                _ => {}
            }
        }
    }

    /// Reads one line of Node's `spec` report; only the closing summary counts. A cancelled test did not pass.
    pub fn read_node(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("ℹ ") else { return };
        let mut words = rest.split_whitespace();
        let (Some(word), Some(Ok(number)), None) =
            (words.next(), words.next().map(str::parse::<u64>), words.next())
        else {
            return;
        };
        match word {
            "pass" => self.passed += number,
            "fail" | "cancelled" => self.failed += number,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn cargo_closing_lines_add_up() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test framing::tests::a ... ok",
            "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test result: FAILED. 40 passed; 3 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1.25s",
        ] {
            tally.read_cargo(line);
        }
        assert_eq!(tally, Tally { passed: 42, failed: 3 });
    }

    #[test]
    fn node_summary_counts_cancelled_as_failed() {
        let mut tally = Tally::default();
        for line in [
            "✔ a test that says pass 9 (1.2ms)",
            "ℹ tests 8",
            "ℹ suites 0",
            "ℹ pass 5",
            "ℹ fail 1",
            "ℹ cancelled 1",
            "ℹ skipped 1",
            "ℹ duration_ms 12.5",
            "ℹ pass 9 but this is a diagnostic",
        ] {
            tally.read_node(line);
        }
        assert_eq!(tally, Tally { passed: 5, failed: 2 });
    }
}
