//! What is open in each session: its agents, innermost last, and its response.
//!
//! Start and end frames carry a name only, so an end closes the innermost open agent of that name. The outermost agent
//! is the main agent; a deeper one runs under a card of its own. That a deeper one is a child is a conclusion: two agents
//! that run side by side look the same.

/// Sessions whose open agents are remembered; the one heard least recently goes first.
const SESSIONS: usize = 32;
/// Open agents of one session; further ones are not tracked.
const OPEN: usize = 256;

const PREFIX: &str = "vent~agent~";

/// An open agent.
#[derive(Clone, Debug)]
pub struct OpenAgent {
    name: String,
    display: String,
    /// Its key and the id of its card; `None` is the main agent.
    pub card: Option<String>,
    /// The card it was started under.
    pub parent: Option<String>,
    /// From an earlier response of the session: a start of the same name carries on with it.
    earlier: bool,
}

impl OpenAgent {
    /// Its display name.
    pub fn display(&self) -> &str {
        &self.display
    }
}

/// What a start frame opened.
pub enum Started {
    /// The outermost agent.
    Main,
    /// A deeper one, with a card to announce.
    Deeper(OpenAgent),
    /// A deeper one of an earlier response goes on.
    Again(OpenAgent),
}

/// Where a session's newest response stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Response {
    #[default]
    Running,
    /// It asked the user and may end without a word.
    Waits,
    /// `done` or `error` came.
    Over,
}

#[derive(Default)]
struct Session {
    id: String,
    trace: String,
    open: Vec<OpenAgent>,
    response: Response,
    /// `done` came, and nothing after it yet.
    done: bool,
}

/// Everything open, by session.
#[derive(Default)]
pub struct Sessions {
    /// The current session is the last one.
    sessions: Vec<Session>,
    minted: u32,
    /// Agents get no cards.
    flat: bool,
}

impl Sessions {
    /// `flat`: no agent gets a card, since that one runs inside another is a guess where agents run in parallel.
    pub fn new(flat: bool) -> Sessions {
        Sessions { flat, ..Sessions::default() }
    }

    /// A frame of this session and trace arrives. Another trace is another response. Returns whether anything changed.
    pub fn enter(&mut self, session: &str, trace: &str) -> bool {
        let mut changed = false;
        if self.sessions.last().is_none_or(|current| current.id != session) {
            changed = true;
            match self.sessions.iter().position(|known| known.id == session) {
                Some(at) => {
                    let known = self.sessions.remove(at);
                    self.sessions.push(known);
                }
                None => {
                    if self.sessions.len() >= SESSIONS {
                        self.sessions.remove(0);
                    }
                    self.sessions.push(Session { id: session.to_owned(), ..Session::default() });
                }
            }
        }
        let Some(current) = self.sessions.last_mut() else { return changed };
        if !trace.is_empty() && current.trace != trace {
            changed = true;
            if !current.trace.is_empty() {
                current.next_response();
            }
            current.trace = trace.to_owned();
        }
        changed
    }

    /// The response asks the user: what opens next belongs to the next one.
    pub fn asks(&mut self) {
        self.leave(Response::Waits);
    }

    /// The response ends with an error.
    pub fn fails(&mut self) {
        self.leave(Response::Over);
    }

    fn leave(&mut self, response: Response) {
        if let Some(current) = self.sessions.last_mut() {
            current.next_response();
            current.response = response;
        }
    }

    /// Sessions whose response neither ended nor asked.
    pub fn unfinished(&self) -> impl Iterator<Item = &str> {
        let running = self.sessions.iter().filter(|session| session.response == Response::Running);
        running.map(|session| session.id.as_str())
    }

    /// The run is over; gives the open agents, innermost first.
    pub fn run_over(&mut self) -> Vec<OpenAgent> {
        let Some(current) = self.sessions.last_mut() else { return Vec::new() };
        current.done = true;
        current.response = Response::Over;
        let mut open = std::mem::take(&mut current.open);
        open.reverse();
        open
    }

    /// Whether the run of this session was over; says so once.
    pub fn take_done(&mut self) -> bool {
        self.sessions.last_mut().is_some_and(|current| std::mem::take(&mut current.done))
    }

    /// Key of the agent that frames without a name of their own belong to.
    pub fn innermost(&self) -> Option<&str> {
        self.open().last()?.card.as_deref()
    }

    /// Key of the innermost open agent with this display name, or of the innermost one.
    pub fn displayed(&self, display: Option<&str>) -> Option<&str> {
        let named = self.open().iter().rev().find(|agent| display == Some(agent.display.as_str()));
        match named {
            Some(agent) => agent.card.as_deref(),
            None => self.innermost(),
        }
    }

    /// An agent starts. `None`: too many are open.
    pub fn start(&mut self, name: &str, display: &str) -> Option<Started> {
        let card = format!("{PREFIX}{}", self.minted.saturating_add(1));
        let current = self.sessions.last_mut()?;
        current.response = Response::Running;
        if let Some(again) = current.open.iter_mut().rev().find(|agent| agent.earlier && agent.name == name) {
            again.earlier = false;
            return Some(if again.card.is_some() { Started::Again(again.clone()) } else { Started::Main });
        }
        if current.open.iter().all(|agent| agent.earlier) {
            current.open.clear();
        }
        if current.open.len() >= OPEN {
            return None;
        }
        let parent = current.open.last().and_then(|agent| agent.card.clone());
        let card = (!current.open.is_empty() && !self.flat).then_some(card);
        let agent =
            OpenAgent { name: name.to_owned(), display: display.to_owned(), card, parent, earlier: false };
        current.open.push(agent.clone());
        if agent.card.is_none() {
            return Some(Started::Main);
        }
        self.minted = self.minted.saturating_add(1);
        Some(Started::Deeper(agent))
    }

    /// An agent ends: the innermost open one of this name. `None`: there is none.
    pub fn end(&mut self, name: &str) -> Option<OpenAgent> {
        let open = &mut self.sessions.last_mut()?.open;
        let at = open.iter().rposition(|agent| agent.name == name)?;
        Some(open.remove(at))
    }

    /// A call of the wire has this id: no agent may be given it later.
    pub fn reserve(&mut self, wire_id: &str) {
        if let Some(number) = wire_id.strip_prefix(PREFIX).and_then(|number| number.parse().ok()) {
            self.minted = self.minted.max(number);
        }
    }

    fn open(&self) -> &[OpenAgent] {
        self.sessions.last().map_or(&[], |current| &current.open)
    }
}

impl Session {
    fn next_response(&mut self) {
        self.done = false;
        self.response = Response::Running;
        for agent in &mut self.open {
            agent.earlier = true;
        }
    }
}
