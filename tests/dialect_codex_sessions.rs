//! Codex's saved sessions and its app-server: what the dialect states, and that the surfaces of one run agree.

mod recorder;

use agent_ui_events::event::{Role, ToolKind, ToolStatus, Update};
use agent_ui_events::transcript::{Body, Transcript};
use agent_ui_events::{Normalizer, Options, Report};
use recorder::recordings;

/// Folds a stream, and collects the types of what nobody understood.
fn folded(bytes: &[u8]) -> (Transcript, Report, Vec<String>) {
    let mut normalizer = Normalizer::new(Options::default()).expect("default options");
    let mut transcript = Transcript::new();
    let mut unread = Vec::new();
    for last in [false, true] {
        let batch = if last { normalizer.end() } else { normalizer.push(bytes) }.expect("an open stream");
        for event in batch.iter() {
            match &event.update {
                Update::Unknown(unknown) => unread.push(format!("unknown {:?}", unknown.type_)),
                Update::HarnessEvent(word) => unread.push(word.type_.to_owned()),
                _ => {}
            }
        }
        transcript.apply(batch);
    }
    (transcript, normalizer.report(), unread)
}

#[test]
fn survey() {
    for folder in ["codex-rollout", "codex-app-server", "codex-exec"] {
        for (path, text) in recordings(folder, ".jsonl") {
            let (_, report, unread) = folded(text.as_bytes());
            println!("{} {:?} {:?} {:?}", path.display(), report.dialect, report.why, unread);
            for remark in &report.diagnostics {
                println!("   {} {}", remark.code, remark.message);
            }
        }
    }
}
