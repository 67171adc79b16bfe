//! Reads ChatGPT's `conversations.json`: each conversation is a tree of messages, one path of which is
//! imported.

use std::collections::HashMap;

use inklings_domain::conversation::message::Role;
use inklings_ports::conversation::import_store::{SourceError, ThirdPartyConversation};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    export::Format,
    text::{MAX_MESSAGES, Messages, Moment, ReadMessage, Tally, Text, id, label},
};

/// ChatGPT's export format.
pub struct ChatGpt;

/// A conversation as stored in the file.
#[derive(Debug, Deserialize)]
pub struct Raw {
    title: Option<Text>,
    create_time: Option<Moment>,
    conversation_id: Option<Text>,
    id: Option<Text>,
    mapping: Mapping,
    current_node: Option<Text>,
}

/// The tree, in the order of the file.
#[derive(Debug, Default)]
struct Mapping {
    nodes: Vec<(String, Node)>,
    overflow: bool,
}

#[derive(Debug, Deserialize)]
struct Node {
    parent: Option<Text>,
    message: Option<Message>,
}

#[derive(Debug, Deserialize)]
struct Message {
    id: Option<Text>,
    author: Option<Author>,
    create_time: Option<Moment>,
    content: Option<Content>,
    metadata: Option<Metadata>,
    recipient: Option<Text>,
}

#[derive(Debug, Deserialize)]
struct Author {
    role: Option<Text>,
    name: Option<Text>,
}

#[derive(Debug, Deserialize)]
struct Content {
    #[serde(rename = "content_type")]
    kind: Option<Text>,
    parts: Option<Parts>,
    text: Option<Text>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    is_visually_hidden_from_conversation: Option<bool>,
}

/// Text of all parts, and the number of other parts. Not stored as a list, so that a million empty parts take
/// no memory.
#[derive(Debug, Default)]
struct Parts {
    text: String,
    pictures: u64,
    recordings: u64,
}

#[derive(Debug, Deserialize)]
struct PartObject {
    #[serde(rename = "content_type")]
    kind: Option<Text>,
    text: Option<Text>,
}

impl Message {
    /// Role of the author, or the reason for skipping the message.
    fn judged(&self) -> Result<Role, &'static str> {
        if self.metadata.as_ref().is_some_and(|data| data.is_visually_hidden_from_conversation == Some(true))
        {
            return Err("hidden message");
        }
        let word = |text: &Option<Text>| text.as_ref().map_or_else(String::new, |Text(word)| word.clone());
        let kind = word(&self.content.as_ref().and_then(|content| content.kind.clone()));
        match kind.as_str() {
            "thoughts" | "reasoning_recap" => return Err("reasoning"),
            "user_editable_context" | "model_editable_context" => return Err("settings"),
            "tether_browsing_display" | "tether_browsing_code" | "tether_quote" | "system_error" => {
                return Err("tool output");
            }
            _ => {}
        }
        match word(&self.author.as_ref().and_then(|author| author.role.clone())).as_str() {
            "user" => Ok(Role::User),
            "system" => Ok(Role::System),
            // Output of a program that the agent ran is part of the conversation; search results are not.
            "tool" if kind == "execution_output" => Ok(Role::Tool),
            "tool" => Err("tool output"),
            "assistant" => {
                let to = word(&self.recipient);
                // Code and documents are written for the reader too; search queries and image prompts are
                // not.
                let for_people = matches!(to.as_str(), "" | "all" | "user" | "assistant")
                    || to.starts_with("python")
                    || to.starts_with("canmore");
                if for_people { Ok(Role::Assistant) } else { Err("tool call") }
            }
            _ => Err("message of an unknown speaker"),
        }
    }

    /// True if it contains any text.
    fn has_text(&self) -> bool {
        let Some(content) = &self.content else { return false };
        let parts = content.parts.as_ref().map_or("", |parts| &parts.text);
        let text = content.text.as_ref().map_or("", |Text(text)| text);
        !parts.trim().is_empty() || !text.trim().is_empty()
    }

    fn into_message(self, role: Role, node: &str, left_out: &mut Tally) -> Option<ReadMessage> {
        let at = self.create_time.and_then(|moment| moment.0);
        let speaker = self.author.and_then(|author| author.name).map(|Text(name)| name);
        let content = self.content?;
        let parts = content.parts.unwrap_or_default();
        left_out.add("picture", parts.pictures);
        left_out.add("recording", parts.recordings);
        let text = match content.text {
            Some(Text(text)) if parts.text.trim().is_empty() => text,
            _ => parts.text,
        };
        if text.trim().is_empty() && parts.pictures + parts.recordings > 0 {
            return None;
        }
        let id = id(self.id).or_else(|| id(Some(Text(node.to_owned()))));
        Some(ReadMessage { id, role, text, at, speaker })
    }
}

impl Mapping {
    /// The nodes from the root to the current one, without repetition even in a cyclic file.
    fn path(&self, current: Option<&Text>) -> Vec<usize> {
        let places: HashMap<&str, usize> =
            self.nodes.iter().enumerate().map(|(place, (id, _))| (id.as_str(), place)).collect();
        let parents: Vec<Option<usize>> = self
            .nodes
            .iter()
            .map(|(_, node)| node.parent.as_ref().and_then(|Text(id)| places.get(id.as_str()).copied()))
            .collect();
        let named = current.and_then(|Text(id)| places.get(id.as_str()).copied());
        let mut next = named.or_else(|| self.newest_leaf(&parents));
        let mut seen = vec![false; self.nodes.len()];
        let mut path = Vec::new();
        while let Some(place) = next.filter(|place| !std::mem::replace(&mut seen[*place], true)) {
            path.push(place);
            next = parents[place];
        }
        path.reverse();
        path
    }

    /// The most recent leaf: the one with the newest message, or the deepest one if there are no times.
    fn newest_leaf(&self, parents: &[Option<usize>]) -> Option<usize> {
        let mut leaf = vec![true; parents.len()];
        for parent in parents.iter().flatten() {
            leaf[*parent] = false;
        }
        let depths = depths(parents);
        let message = |place: usize| self.nodes[place].1.message.as_ref();
        let time = |place: usize| message(place)?.create_time?.0;
        let speaking = || (0..parents.len()).filter(|place| message(*place).is_some());
        // A cycle has no leaf, so any node is accepted.
        let any = !speaking().any(|place| leaf[place]);
        speaking().filter(|place| any || leaf[*place]).max_by_key(|p| (time(*p), depths[*p], *p))
    }
}

/// Distance of each node from its root, or from the start of a cycle.
fn depths(parents: &[Option<usize>]) -> Vec<u32> {
    let mut depths = vec![0_u32; parents.len()];
    let mut on_path = vec![false; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        while let Some(place) = next.filter(|place| depths[*place] == 0 && !on_path[*place]) {
            on_path[place] = true;
            path.push(place);
            next = parents[place];
        }
        let mut depth = next.map_or(0, |place| depths[place]);
        while let Some(place) = path.pop() {
            depth += 1;
            depths[place] = depth;
        }
    }
    depths
}

impl Format for ChatGpt {
    const NAME: &'static str = "chatgpt";
    type Raw = Raw;

    fn conversation(raw: Raw, left_out: &mut Tally) -> Result<Option<ThirdPartyConversation>, SourceError> {
        let Raw { title, create_time, conversation_id, id: old_id, mut mapping, current_node } = raw;
        if mapping.overflow {
            let message = format!("a conversation in this file has more than {MAX_MESSAGES} messages");
            return Err(SourceError::TooLarge(message));
        }
        let mut messages = Messages::default();
        for place in mapping.path(current_node.as_ref()) {
            let (node, Node { message, .. }) = &mut mapping.nodes[place];
            let Some(message) = message.take() else { continue };
            match message.judged() {
                // Every export has empty system messages; they are not reported.
                Ok(Role::System) if !message.has_text() => left_out.add("hidden message", 1),
                Ok(role) => {
                    if let Some(read) = message.into_message(role, node, left_out) {
                        messages.add(read, left_out);
                    }
                }
                Err(reason) => left_out.add(reason, 1),
            }
        }
        // The remaining nodes are outside the path: other versions of questions or answers.
        let others = mapping.nodes.iter().filter_map(|(_, node)| node.message.as_ref());
        let versions =
            others.filter(|m| matches!(m.judged(), Ok(role) if role != Role::System) && m.has_text());
        left_out.add("another version of a message", versions.count() as u64);

        let messages = messages.finish();
        if messages.is_empty() {
            left_out.add("empty conversation", 1);
            return Ok(None);
        }
        Ok(Some(ThirdPartyConversation {
            external_id: id(conversation_id).or_else(|| id(old_id)).unwrap_or_default(),
            title: title.map_or_else(String::new, |Text(title)| label(&title)),
            started_at: create_time.and_then(|moment| moment.0),
            messages,
        }))
    }
}

impl<'de> Deserialize<'de> for Mapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MappingVisitor)
    }
}

struct MappingVisitor;

impl<'de> Visitor<'de> for MappingVisitor {
    type Value = Mapping;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a tree of messages")
    }

    fn visit_unit<E: Error>(self) -> Result<Mapping, E> {
        Ok(Mapping::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Mapping, A::Error> {
        let mut mapping = Mapping::default();
        while let Some(Text(id)) = map.next_key()? {
            // Millions of empty nodes are small on disk but large in memory.
            if mapping.nodes.len() == MAX_MESSAGES {
                mapping.overflow = true;
                map.next_value::<IgnoredAny>()?;
            } else {
                mapping.nodes.push((id, map.next_value()?));
            }
        }
        Ok(mapping)
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PartsVisitor)
    }
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the parts of a message")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Parts, A::Error> {
        let mut whole = Parts::default();
        while let Some(raw) = parts.next_element::<Box<RawValue>>()? {
            let bad = |_| A::Error::custom("a part of a message");
            let json = raw.get();
            if json.starts_with('"') {
                let Text(text) = serde_json::from_str(json).map_err(bad)?;
                whole.push(&text);
            } else if json.starts_with('{') {
                whole.take_in(serde_json::from_str(json).map_err(bad)?);
            } else if json != "null" {
                return Err(A::Error::custom("a part of a message"));
            }
        }
        Ok(whole)
    }
}

impl Parts {
    fn push(&mut self, text: &str) {
        if !text.trim().is_empty() {
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            self.text.push_str(text);
        }
    }

    fn take_in(&mut self, part: PartObject) {
        let kind = part.kind.map_or_else(String::new, |Text(kind)| kind);
        match part.text {
            // Transcripts of speech are among them.
            Some(Text(text)) if !text.trim().is_empty() => self.push(&text),
            _ if kind.contains("image") => self.pictures += 1,
            _ => self.recordings += u64::from(kind.contains("audio") || kind.contains("video")),
        }
    }
}
