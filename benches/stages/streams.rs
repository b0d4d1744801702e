//! Streams made from a seed, in the shapes that `workloads.mjs` makes for the JavaScript bench: same wire formats, same
//! mix, not the same bytes. Also what `tests/allocations.rs` counts over.

use agent_ui_events::Options;
use agent_ui_events::framing::Container;

/// One stream by name.
pub struct Stream {
    pub name: &'static str,
    pub dialect: &'static str,
    pub container: Container,
    /// Frames, each with its closing newline or blank line, of about this many bytes together.
    pub frames: fn(bytes: usize) -> Vec<String>,
}

impl Stream {
    pub fn options(&self) -> Options {
        Options {
            dialect: Some(self.dialect.to_owned()),
            container: Some(self.container),
            ..Options::default()
        }
    }
}

pub const STREAMS: &[Stream] = &[
    Stream { name: "vent tokens", dialect: "vent", container: Container::Sse, frames: vent_tokens },
    Stream {
        name: "claude deltas",
        dialect: "claude",
        container: Container::JsonLines,
        frames: claude_deltas,
    },
    Stream { name: "agent trace", dialect: "claude", container: Container::JsonLines, frames: agent_trace },
    Stream {
        name: "evolve updates",
        dialect: "evolve",
        container: Container::JsonLines,
        frames: evolve_updates,
    },
];

/// Numbers from a seed (mulberry32, as in `workloads.mjs`).
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 15)).wrapping_mul(bits | 1);
        bits ^= bits.wrapping_add((bits ^ (bits >> 7)).wrapping_mul(bits | 61));
        bits ^ (bits >> 14)
    }

    /// From 0 up to, not including, 1.
    fn share(&mut self) -> f64 {
        f64::from(self.next()) / 4_294_967_296.0
    }

    /// A whole number from `low` up to, not including, `high`.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.next() as usize % (high - low)
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.between(0, WORDS.len())]
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn uuid(&mut self) -> String {
        let [a, b, c, d] = [self.next(), self.next(), self.next(), self.next()];
        format!("{a:08x}-{:04x}-4{:03x}-a{:03x}-{:04x}{d:08x}", b >> 16, b & 0xfff, c >> 20, c & 0xffff)
    }
}

const WORDS: &[&str] = &[
    "the", "stream", "opens", "a", "valve", "and", "reads", "every", "pipe", "before", "it", "turns", "pump",
    "so", "that", "no", "pressure", "builds", "up", "where", "nobody", "looks", "which", "is", "why", "this",
    "log", "tells", "first", "what", "came", "in", "then", "was", "done", "about",
];

const SEED: u32 = 20_261_129;

/// Frames until there are enough bytes of them.
#[derive(Default)]
struct Frames {
    frames: Vec<String>,
    bytes: usize,
}

impl Frames {
    fn add(&mut self, frame: String) {
        self.bytes += frame.len();
        self.frames.push(frame);
    }
}

/// A token as models print them: a blank and a few letters, now and then the start of a line; already escaped.
fn token(random: &mut Random) -> String {
    let roll = random.between(0, 100);
    match roll {
        0..2 => r"\n\n".to_owned(),
        2 => r#" \"quoted\""#.to_owned(),
        3..30 => random.word().chars().take(1 + roll / 10).collect(),
        _ => format!(" {}", random.word()),
    }
}

/// Runs of tokens with a tool call between them.
fn vent_tokens(bytes: usize) -> Vec<String> {
    let (mut random, mut frames) = (Random(SEED), Frames::default());
    let base = format!(r#""session_id": "{}", "trace_id": "{}""#, random.uuid(), random.uuid());
    let frame = |kind: &str, rest: &str| format!("data: {{\"type\": \"{kind}\", {base}, {rest}}}\n\n");
    frames.add(frame("agent_start", r#""agent": "designer", "cn_agent": "air volume""#));
    for turn in 0.. {
        for _ in 0..random.between(20, 60) {
            frames.add(frame("thinking_token", &format!(r#""content": "{}""#, token(&mut random))));
        }
        let tool = r#""tool": "air_volume", "cn_tool": "air volume""#;
        let call = format!(r#"{tool}, "args": {{"room": "A{turn}"}}, "tool_call_id": "call_{turn}""#);
        frames.add(frame("tool_call", &call));
        let content = random.words(12);
        let result =
            format!(r#"{tool}, "content": "{content}", "error": false, "tool_call_id": "call_{turn}""#);
        frames.add(frame("tool_result", &result));
        for _ in 0..random.between(300, 600) {
            frames.add(frame("token", &format!(r#""content": "{}""#, token(&mut random))));
        }
        if frames.bytes >= bytes {
            break;
        }
    }
    frames.frames
}

/// What Claude Code prints around everything.
struct Claude {
    random: Random,
    frames: Frames,
    session: String,
}

impl Claude {
    fn new() -> Claude {
        let mut random = Random(SEED);
        let session = random.uuid();
        let mut claude = Claude { random, frames: Frames::default(), session };
        claude.line(
            r#""type":"system","subtype":"init","cwd":"/garden","tools":["Bash","Read"],"model":"claude-x""#,
        );
        claude
    }

    fn line(&mut self, members: &str) {
        let uuid = self.random.uuid();
        let session = &self.session;
        let tail = format!(r#""session_id":"{session}","parent_tool_use_id":null,"uuid":"{uuid}""#);
        self.frames.add(format!("{{{members},{tail}}}\n"));
    }

    fn event(&mut self, event: &str) {
        self.line(&format!(r#""type":"stream_event","event":{event}"#));
    }

    fn assistant(&mut self, message: usize, block: &str) {
        let usage = r#"{"input_tokens":9,"cache_read_input_tokens":20000,"output_tokens":80}"#;
        self.line(&format!(
            r#""type":"assistant","message":{{"id":"msg_{message:08}","type":"message","role":"assistant","model":"claude-x","content":[{block}],"stop_reason":null,"usage":{usage}}}"#
        ));
    }

    /// A block in deltas, then whole.
    fn block(&mut self, message: usize, index: usize, kind: &str, count: usize) {
        self.event(&format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"{kind}","{kind}":""}}}}"#
        ));
        let mut whole = String::new();
        for _ in 0..count {
            let piece = token(&mut self.random);
            self.event(&format!(
                r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}_delta","{kind}":"{piece}"}}}}"#
            ));
            whole += &piece;
        }
        self.assistant(message, &format!(r#"{{"type":"{kind}","{kind}":"{whole}"}}"#));
        self.event(&format!(r#"{{"type":"content_block_stop","index":{index}}}"#));
    }
}

/// Streamed messages: a thought, then a text, all in deltas, then their whole lines.
fn claude_deltas(bytes: usize) -> Vec<String> {
    let mut claude = Claude::new();
    for message in 0.. {
        claude.event(&format!(
            r#"{{"type":"message_start","message":{{"id":"msg_{message:08}","role":"assistant","content":[]}}}}"#
        ));
        let thoughts = claude.random.between(20, 60);
        claude.block(message, 0, "thinking", thoughts);
        let texts = claude.random.between(200, 500);
        claude.block(message, 1, "text", texts);
        claude.event(
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":80}}"#,
        );
        claude.event(r#"{"type":"message_stop"}"#);
        if claude.frames.bytes >= bytes {
            break;
        }
    }
    claude.frames.frames
}

/// Tool output of about `length` characters, escaped: a numbered listing of code, dense with what JSON must escape.
fn listing(random: &mut Random, length: usize) -> String {
    let mut text = String::new();
    for row in 1.. {
        let tabs = r"\t".repeat(random.between(1, 5));
        let word = random.word();
        match random.between(0, 2) {
            0 => text += &format!(r#"{row:6}{tabs}const path = \"C:\\\\{word}\\\\{row:04x}\";\n"#),
            _ => text += &format!(r"{row:6}{tabs}{}\n", random.words(6)),
        }
        if text.len() >= length {
            break;
        }
    }
    text
}

/// Whole messages: a text, a call, its result of 0.2 to 30 KB (most are small).
fn agent_trace(bytes: usize) -> Vec<String> {
    let mut claude = Claude::new();
    for turn in 0.. {
        let count = claude.random.between(8, 60);
        let text = claude.random.words(count);
        claude.assistant(turn, &format!(r#"{{"type":"text","text":"{text}."}}"#));
        let (name, input) = tool_input(&mut claude.random, turn);
        claude.assistant(
            turn,
            &format!(r#"{{"type":"tool_use","id":"toolu_{turn:08}","name":"{name}","input":{input}}}"#),
        );
        let length = 200.0 * 150f64.powf(claude.random.share().powf(1.5));
        let content = listing(&mut claude.random, length as usize);
        let output = match name {
            "Bash" => format!(r#"{{"stdout":"{content}","stderr":"","interrupted":false,"isImage":false}}"#),
            _ => r#"{"type":"text","file":{"filePath":"/garden/src/x.ts","numLines":40}}"#.to_owned(),
        };
        let block = format!(
            r#"{{"type":"tool_result","tool_use_id":"toolu_{turn:08}","content":"{content}","is_error":{}}}"#,
            turn % 17 == 3
        );
        claude.line(&format!(
            r#""type":"user","message":{{"role":"user","content":[{block}]}},"tool_use_result":{output}"#
        ));
        if claude.frames.bytes >= bytes {
            break;
        }
    }
    claude.frames.frames
}

fn tool_input(random: &mut Random, turn: usize) -> (&'static str, String) {
    let word = random.word();
    match turn % 3 {
        0 => ("Bash", format!(r#"{{"command":"grep -rn \"{word}\" src | head -40"}}"#)),
        1 => ("Read", format!(r#"{{"file_path":"/garden/src/{word}.ts","offset":10,"limit":400}}"#)),
        _ => {
            let [old, new] = [listing(random, 120), listing(random, 160)];
            let path = format!("/garden/src/{word}.ts");
            ("Edit", format!(r#"{{"file_path":"{path}","old_string":"{old}","new_string":"{new}"}}"#))
        }
    }
}

/// ACP-shaped updates with texts of 20 bytes.
fn evolve_updates(bytes: usize) -> Vec<String> {
    let (mut random, mut frames) = (Random(SEED), Frames::default());
    let session = random.uuid();
    let frame = |update: &str| format!("{{\"sessionId\":\"{session}\",\"update\":{{{update}}}}}\n");
    let chunk = |kind: &str, random: &mut Random| {
        let text: String = random.words(8).chars().take(20).collect();
        frame(&format!(r#""sessionUpdate":"{kind}","content":{{"type":"text","text":"{text}"}}"#))
    };
    for turn in 0.. {
        for _ in 0..random.between(10, 40) {
            frames.add(chunk("agent_thought_chunk", &mut random));
        }
        let id = format!("toolu_{turn}");
        frames.add(frame(&format!(
            r#""sessionUpdate":"tool_call","toolCallId":"{id}","title":"`ls -la src`","toolName":"Bash","kind":"execute","status":"pending","rawInput":{{"command":"ls -la src","timeout":120000}}"#
        )));
        let update = format!(r#""sessionUpdate":"tool_call_update","toolCallId":"{id}""#);
        frames.add(frame(&format!(r#"{update},"status":"in_progress""#)));
        let length = random.between(100, 800);
        let content = listing(&mut random, length);
        frames.add(frame(&format!(
            r#"{update},"status":"completed","content":[{{"type":"content","content":{{"type":"text","text":"{content}"}}}}]"#
        )));
        for _ in 0..random.between(80, 200) {
            frames.add(chunk("agent_message_chunk", &mut random));
        }
        if frames.bytes >= bytes {
            break;
        }
    }
    frames.frames
}
