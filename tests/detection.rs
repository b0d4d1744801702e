//! Detection holds little: a stream of prose flows, and a banner does not hide the dialect behind it.

use agent_ui_events::{Normalizer, Options};

fn normalizer() -> Normalizer {
    Normalizer::new(Options::default()).expect("default options")
}

#[test]
fn prose_is_not_held_until_a_record_comes() {
    let mut normalizer = normalizer();
    let mut seen = 0;
    for _ in 0..3 {
        seen += normalizer.push(b"npm warn nothing to see\n").expect("an open stream").len();
    }
    assert_eq!(seen, 3);
    assert_eq!(normalizer.push(b"npm warn again\n").expect("an open stream").len(), 1);
    assert_eq!(normalizer.end().expect("an open stream").len(), 0);
}

#[test]
fn a_banner_does_not_hide_the_dialect() {
    let line: &[u8] =
        br#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}"#;
    for banner in 0..6 {
        let mut normalizer = normalizer();
        for _ in 0..banner {
            normalizer.push(b"starting\n").expect("an open stream");
        }
        normalizer.push(line).expect("an open stream");
        normalizer.push(b"\n").expect("an open stream");
        normalizer.end().expect("an open stream");
        let report = normalizer.report();
        assert_eq!(report.dialect, Some("evolve"), "after {banner} lines");
        assert_eq!(report.records_with_events, banner + 1);
    }
}
