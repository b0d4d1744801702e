//! Content blocks as the wires write them (ACP, MCP, Anthropic), decoded once for all dialects.
//!
//! Facts borrow their texts, but an escaped JSON string has to live somewhere: [`Block`] owns it and lends it out.

use std::borrow::Cow;

use crate::event::{ContentBlock, Json, List, Location, ToolContent};
use crate::json::Value;

/// A decoded content block or diff.
#[allow(missing_docs, reason = "the fields are those of the event of the same name")]
#[derive(Clone, Debug, PartialEq)]
pub enum Block<'a> {
    /// Plain text.
    Text(Cow<'a, str>),
    /// Base64 data, or only a `uri`.
    Image { data: Cow<'a, str>, mime_type: Cow<'a, str>, uri: Option<Cow<'a, str>> },
    /// Base64 data.
    Audio { data: Cow<'a, str>, mime_type: Cow<'a, str> },
    /// An embedded resource, raw JSON.
    Resource(&'a str),
    /// A link to a resource.
    ResourceLink {
        uri: Cow<'a, str>,
        name: Option<Cow<'a, str>>,
        title: Option<Cow<'a, str>>,
        mime_type: Option<Cow<'a, str>>,
    },
    /// A change of one file.
    Diff { path: Cow<'a, str>, old: Option<Cow<'a, str>>, new: Cow<'a, str> },
    /// A terminal shown live.
    Terminal(Cow<'a, str>),
}

impl<'a> Block<'a> {
    /// One block of a message or tool result. A block of no known shape is shown as its JSON text.
    pub fn from_wire(value: Value<'a>) -> Block<'a> {
        if let Some(text) = value.str() {
            return Block::Text(text);
        }
        let [kind, text, data, mime, uri, source, resource, name, title] = value.present_fields([
            "type", "text", "data", "mimeType", "uri", "source", "resource", "name", "title",
        ]);
        let string = |field: Option<Value<'a>>| field.and_then(Value::str);
        let kind = string(kind).unwrap_or_default();
        match &*kind {
            "text" | "input_text" | "output_text" => match string(text) {
                Some(text) => Block::Text(text),
                None => Block::Text(Cow::Borrowed(value.raw())),
            },
            "image" => match source {
                Some(source) => Block::anthropic_image(source),
                None => Block::Image {
                    data: string(data).unwrap_or_default(),
                    mime_type: string(mime).unwrap_or_default(),
                    uri: string(uri),
                },
            },
            "audio" => Block::Audio {
                data: string(data).unwrap_or_default(),
                mime_type: string(mime).unwrap_or_default(),
            },
            "resource" => Block::Resource(resource.unwrap_or(value).raw()),
            "resource_link" => Block::ResourceLink {
                uri: string(uri).unwrap_or_default(),
                name: string(name),
                title: string(title),
                mime_type: string(mime),
            },
            _ => Block::Text(Cow::Borrowed(value.raw())),
        }
    }

    /// Anthropic's `source` of an image: `{type: base64, media_type, data}` or `{type: url, url}`.
    fn anthropic_image(source: Value<'a>) -> Block<'a> {
        let [data, mime, url] =
            source.fields(["data", "media_type", "url"]).map(|field| field.and_then(Value::str));
        Block::Image { data: data.unwrap_or_default(), mime_type: mime.unwrap_or_default(), uri: url }
    }

    /// A tool's `content`: a string, an array of blocks, or one block. Null gives no block.
    pub fn list_from_wire(value: Value<'a>) -> Vec<Block<'a>> {
        if value.is_null() {
            return Vec::new();
        }
        match value.array() {
            Some(items) => items.map(Block::from_wire).collect(),
            None => vec![Block::from_wire(value)],
        }
    }

    /// Lends the block as tool content.
    pub fn tool_content(&self) -> ToolContent<'_> {
        match self {
            Block::Diff { path, old, new } => {
                ToolContent::Diff { path, old_text: old.as_deref(), new_text: new }
            }
            Block::Terminal(id) => ToolContent::Terminal { terminal_id: id },
            _ => ToolContent::Content { content: self.content_block() },
        }
    }

    /// Lends the block as message content. A diff or terminal has no such form and becomes its text.
    pub fn content_block(&self) -> ContentBlock<'_> {
        match self {
            Block::Text(text) | Block::Diff { new: text, .. } | Block::Terminal(text) => {
                ContentBlock::Text { text }
            }
            Block::Image { data, mime_type, uri } => {
                ContentBlock::Image { data, mime_type, uri: uri.as_deref() }
            }
            Block::Audio { data, mime_type } => ContentBlock::Audio { data, mime_type },
            Block::Resource(raw) => ContentBlock::Resource { resource: Json(raw) },
            Block::ResourceLink { uri, name, title, mime_type } => ContentBlock::ResourceLink {
                uri,
                name: name.as_deref(),
                title: title.as_deref(),
                mime_type: mime_type.as_deref(),
                size: None,
            },
        }
    }
}

/// Lends a list of blocks as tool content.
pub fn tool_contents<'a>(blocks: &'a [Block<'_>]) -> List<'a, ToolContent<'a>> {
    List::Owned(blocks.iter().map(Block::tool_content).collect())
}

/// [`tool_contents`], or that there are none.
pub fn contents_of<'a>(blocks: &'a [Block<'_>]) -> Option<List<'a, ToolContent<'a>>> {
    (!blocks.is_empty()).then(|| tool_contents(blocks))
}

/// A decoded file place.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<'a> {
    /// The path as the wire has it.
    pub path: Cow<'a, str>,
    /// The line as the wire counts it.
    pub line: Option<f64>,
}

/// Lends a list of places as locations.
pub fn locations<'a>(places: &'a [Place<'_>]) -> List<'a, Location<'a>> {
    List::Owned(places.iter().map(|place| Location { path: &place.path, line: place.line }).collect())
}
