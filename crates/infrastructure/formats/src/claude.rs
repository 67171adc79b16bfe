//! Reads Claude's `conversations.json`: each conversation is a list of messages. Newer files name each
//! message's parent, because asking again creates a branch.

use std::collections::HashMap;

use inklings_domain::conversation::message::Role;
use inklings_ports::conversation::import_store::{SourceError, ThirdPartyConversation};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, SeqAccess, Visitor},
};

use crate::{
    export::Format,
    text::{MAX_MESSAGES, Messages, Moment, ReadMessage, Tally, Text, id, label},
};

/// Claude's export format.
pub struct Claude;

/// Placeholder in `text` for content that the export omits.
const PLACEHOLDER: &str = "```\nThis block is not supported on your current device yet.\n```";

/// Prefix of the parent id of the first message.
const NO_PARENT: &str = "00000000-0000-";

/// A conversation as stored in the file.
#[derive(Debug, Deserialize)]
pub struct Raw {
    uuid: Option<Text>,
    name: Option<Text>,
    created_at: Option<Moment>,
    current_leaf_message_uuid: Option<Text>,
    chat_messages: List,
}

#[derive(Debug, Default)]
struct List {
    messages: Vec<Message>,
    overflow: bool,
}

#[derive(Debug, Deserialize)]
struct Message {
    uuid: Option<Text>,
    parent_message_uuid: Option<Text>,
    sender: Option<Text>,
    text: Option<Text>,
    content: Option<Blocks>,
    created_at: Option<Moment>,
    attachments: Option<Attachments>,
    files: Option<Files>,
}

#[derive(Debug, Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: Option<Text>,
    text: Option<Text>,
}

#[derive(Debug, Deserialize)]
struct Attachment {
    file_name: Option<Text>,
    extracted_content: Option<Text>,
}

/// Text of all blocks, and the number of other blocks.
#[derive(Debug, Default)]
struct Blocks {
    text: String,
    calls: u64,
    outputs: u64,
    reasoning: u64,
}

/// Text of pastes (long pastes are attachments without a name), and the number of attached files.
#[derive(Debug, Default)]
struct Attachments {
    pasted: String,
    files: u64,
}

#[derive(Debug, Default)]
struct Files(u64);

fn push(whole: &mut String, text: &str) {
    if !text.trim().is_empty() {
        if !whole.is_empty() {
            whole.push_str("\n\n");
        }
        whole.push_str(text);
    }
}

impl Message {
    fn role(&self) -> Option<Role> {
        match self.sender.as_ref().map(|Text(sender)| sender.as_str()) {
            Some("human" | "user") => Some(Role::User),
            Some("assistant") => Some(Role::Assistant),
            _ => None,
        }
    }

    fn into_message(self, role: Role, left_out: &mut Tally) -> Option<ReadMessage> {
        let blocks = self.content.unwrap_or_default();
        let attachments = self.attachments.unwrap_or_default();
        let files = attachments.files + self.files.unwrap_or_default().0;
        left_out.add("tool call", blocks.calls);
        left_out.add("tool output", blocks.outputs);
        left_out.add("reasoning", blocks.reasoning);
        left_out.add("attached file", files);
        let mut text = blocks.text;
        if text.is_empty() {
            let Text(plain) = self.text.unwrap_or_default();
            plain.replace(PLACEHOLDER, "").trim().clone_into(&mut text);
        }
        push(&mut text, &attachments.pasted);
        if text.is_empty() && blocks.calls + blocks.outputs + blocks.reasoning + files > 0 {
            return None;
        }
        let at = self.created_at.and_then(|moment| moment.0);
        Some(ReadMessage { id: id(self.uuid), role, text, at, speaker: None })
    }
}

impl List {
    /// The messages of the conversation: all in order, or the path to the current leaf if it branches.
    fn path(&self, current: Option<&Text>) -> Vec<usize> {
        let places: HashMap<&str, usize> = self
            .messages
            .iter()
            .enumerate()
            .filter_map(|(place, m)| Some((m.uuid.as_ref()?.0.as_str(), place)))
            .collect();
        let place = |id: Option<&Text>| id.and_then(|Text(id)| places.get(id.as_str()).copied());
        let parent = |(at, message): (usize, &Message)| {
            let id = message.parent_message_uuid.as_ref()?;
            let before = || at.checked_sub(1).filter(|_| !id.0.starts_with(NO_PARENT));
            // A parent that is missing in the file must not split the conversation.
            place(Some(id)).or_else(before)
        };
        let parents: Vec<Option<usize>> = self.messages.iter().enumerate().map(parent).collect();
        let mut children = vec![0_u32; parents.len()];
        parents.iter().flatten().for_each(|parent| children[*parent] += 1);
        let everything = (0..parents.len()).collect();
        let roots = parents.iter().filter(|parent| parent.is_none()).count();
        // Without parents (older files) every message is a root, and there are no other versions.
        let branches = children.iter().any(|count| *count > 1) || (1 < roots && roots < parents.len());
        if !branches {
            return everything;
        }
        let leaves = (0..parents.len()).filter(|place| children[*place] == 0);
        let time = |place: usize| self.messages[place].created_at.and_then(|moment| moment.0);
        let mut next = place(current).or_else(|| leaves.max_by_key(|place| (time(*place), *place)));
        let mut seen = vec![false; parents.len()];
        let mut path = Vec::new();
        while let Some(place) = next.filter(|place| !std::mem::replace(&mut seen[*place], true)) {
            path.push(place);
            next = parents[place];
        }
        path.reverse();
        if path.is_empty() { everything } else { path }
    }
}

impl Format for Claude {
    const NAME: &'static str = "claude";
    type Raw = Raw;

    fn conversation(raw: Raw, left_out: &mut Tally) -> Result<Option<ThirdPartyConversation>, SourceError> {
        let Raw { uuid, name, created_at, current_leaf_message_uuid, chat_messages: list } = raw;
        if list.overflow {
            let message = format!("a conversation in this file has more than {MAX_MESSAGES} messages");
            return Err(SourceError::TooLarge(message));
        }
        let path = list.path(current_leaf_message_uuid.as_ref());
        left_out.add("another version of a message", (list.messages.len() - path.len()) as u64);
        let mut all: Vec<Option<Message>> = list.messages.into_iter().map(Some).collect();
        let mut messages = Messages::default();
        for message in path.into_iter().filter_map(|place| all[place].take()) {
            match message.role() {
                Some(role) => {
                    if let Some(read) = message.into_message(role, left_out) {
                        messages.add(read, left_out);
                    }
                }
                None => left_out.add("message of an unknown speaker", 1),
            }
        }
        let messages = messages.finish();
        if messages.is_empty() {
            left_out.add("empty conversation", 1);
            return Ok(None);
        }
        Ok(Some(ThirdPartyConversation {
            external_id: id(uuid).unwrap_or_default(),
            title: name.map_or_else(String::new, |Text(name)| label(&name)),
            started_at: created_at.and_then(|moment| moment.0),
            messages,
        }))
    }
}

/// Folds a list element by element, so that a million empty elements take no memory.
macro_rules! summed {
    ($sum:ty, $element:ty, |$whole:ident, $one:ident| $add:block) => {
        impl<'de> Deserialize<'de> for $sum {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Summed;
                impl<'de> Visitor<'de> for Summed {
                    type Value = $sum;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a list")
                    }

                    fn visit_unit<E: Error>(self) -> Result<$sum, E> {
                        Ok(<$sum>::default())
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<$sum, A::Error> {
                        let mut $whole = <$sum>::default();
                        while let Some($one) = list.next_element::<$element>()? $add
                        Ok($whole)
                    }
                }
                deserializer.deserialize_any(Summed)
            }
        }
    };
}

summed!(Blocks, Block, |whole, block| {
    match block.kind.as_ref().map_or("text", |Text(kind)| kind) {
        "text" | "voice_note" => push(&mut whole.text, block.text.as_ref().map_or("", |Text(text)| text)),
        "tool_use" => whole.calls += 1,
        "tool_result" => whole.outputs += 1,
        "thinking" | "redacted_thinking" => whole.reasoning += 1,
        _ => {}
    }
});

summed!(Attachments, Attachment, |whole, one| {
    let name = one.file_name.map_or_else(String::new, |Text(name)| name);
    match one.extracted_content {
        Some(Text(text)) if name.is_empty() || name == "paste.txt" => push(&mut whole.pasted, &text),
        _ => whole.files += 1,
    }
});

summed!(Files, IgnoredAny, |whole, _one| {
    whole.0 += 1;
});

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor)
    }
}

struct ListVisitor;

impl<'de> Visitor<'de> for ListVisitor {
    type Value = List;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_unit<E: Error>(self) -> Result<List, E> {
        Ok(List::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<List, A::Error> {
        let mut list = List::default();
        while list.messages.len() < MAX_MESSAGES {
            match messages.next_element()? {
                Some(message) => list.messages.push(message),
                None => return Ok(list),
            }
        }
        while messages.next_element::<IgnoredAny>()?.is_some() {
            list.overflow = true;
        }
        Ok(list)
    }
}
