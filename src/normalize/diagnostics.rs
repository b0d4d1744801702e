//! Remarks about the input, bounded: per code the first ones are kept, the others counted.

use crate::framing::Diagnostic;

/// How many diagnostics of one code are kept.
const KEPT_PER_CODE: u64 = 50;

/// All remarks of a stream.
#[derive(Clone, Debug, Default)]
pub struct DiagnosticLog {
    kept: Vec<Diagnostic>,
    counts: Vec<(&'static str, u64)>,
}

impl DiagnosticLog {
    /// Adds one; beyond 50 of a code it is only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match self.counts.iter_mut().find(|(code, _)| *code == diagnostic.code) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((diagnostic.code, 1));
                1
            }
        };
        if count <= KEPT_PER_CODE {
            self.kept.push(diagnostic);
        }
    }

    /// The kept ones, in order of arrival.
    pub fn kept(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Per code, how many came in all.
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }
}
