//! How native tools are shown: kind, title, input content and file places, from name and arguments.
//!
//! One table per harness family, each once; the titles follow the Evolve stream so that a raw trace and the Evolve
//! stream of the same run look the same.

pub mod amp;
pub mod autohand;
pub mod claude;
pub mod cline;
pub mod codex;
mod codex_patch;
pub mod copilot;
pub mod cursor;
pub mod droid;
pub mod gemini;
pub mod goose;
pub mod kimi;
pub mod opencode;
pub mod pi;
pub(super) mod rows;

use std::borrow::Cow;

use super::content::{Block, Place, contents_of, locations};
use super::{CallRef, ToolSeen};
use crate::event::{Json, ToolKind, ToolStatus};

/// How a call is shown.
#[derive(Clone, Debug)]
pub struct Presentation<'a> {
    /// Chooses the icon.
    pub kind: ToolKind,
    /// Display text.
    pub title: Cow<'a, str>,
    /// Input side: diffs, prompts.
    pub content: Vec<Block<'a>>,
    /// Files it touches.
    pub places: Vec<Place<'a>>,
}

impl<'a> Presentation<'a> {
    /// A kind and a title, nothing more.
    pub fn of(kind: ToolKind, title: impl Into<Cow<'a, str>>) -> Self {
        Presentation { kind, title: title.into(), content: Vec::new(), places: Vec::new() }
    }

    /// The call as it is shown. `input` is JSON text.
    pub fn seen<'s>(
        &'s self,
        call: CallRef<'s>,
        name: Option<&'s str>,
        input: Option<&'s str>,
        status: Option<ToolStatus>,
    ) -> ToolSeen<'s> {
        ToolSeen {
            name,
            title: Some(&self.title),
            kind: Some(self.kind),
            status,
            input: input.map(Json),
            content: contents_of(&self.content),
            locations: (!self.places.is_empty()).then(|| locations(&self.places)),
            ..ToolSeen::about(call)
        }
    }
}

/// Splits `mcp__server__tool` into server and tool. Server names may hold single underscores.
pub fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__")
}
