#![allow(missing_docs)]
use agent_ui_events::{Normalizer, Options};
#[test]
fn dump() {
    let Ok(files) = std::env::var("DUMP") else { return };
    let mut normalizer = Normalizer::new(Options::default()).expect("ok");
    let mut out = String::new();
    for file in files.split(' ') {
        let bytes = std::fs::read(file).expect("file");
        for event in normalizer.push(&bytes).expect("ok").iter() {
            event.write_json(&mut out);
            out.push('\n');
        }
    }
    for event in normalizer.end().expect("ok").iter() {
        event.write_json(&mut out);
        out.push('\n');
    }
    println!("{out}");
    println!("{:?}", normalizer.report().usage);
    println!("{:?}", normalizer.report().result);
}
