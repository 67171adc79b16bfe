//! Files to read, and what came out of them.

use std::{collections::BTreeMap, path::Path};

pub use inklings_formats::testing::{
    conversations::{chatgpt, claude},
    zip,
};
use inklings_ports::conversation::import_store::{
    ConversationSource, RefusedConversation, SourceError, SourceItem, ThirdPartyConversation,
};
use serde_json::Value;

/// What a file held.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    pub format: &'static str,
    pub conversations: Vec<ThirdPartyConversation>,
    pub skipped: BTreeMap<&'static str, usize>,
    pub refused: Vec<RefusedConversation>,
}

impl Found {
    /// What was said in the first conversation.
    pub fn texts(&self) -> Vec<&str> {
        self.conversations[0].messages.iter().map(|message| message.text.as_str()).collect()
    }
}

/// Reads an export to its end, as an import does.
pub fn read(path: &Path) -> Result<Found, SourceError> {
    drained(inklings_formats::open(path)?)
}

/// Reads what can be read of the bytes of an export.
pub fn read_partly(bytes: &[u8]) -> Result<Found, SourceError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("export");
    std::fs::write(&path, bytes).expect("a file");
    drained(inklings_formats::open_partly(&path)?)
}

fn drained(mut source: Box<dyn ConversationSource>) -> Result<Found, SourceError> {
    let mut found = Found { format: source.format(), ..Found::default() };
    while let Some(item) = source.next() {
        match item {
            Ok(SourceItem::Conversation(conversation)) => found.conversations.push(conversation),
            Ok(SourceItem::Skipped(reason)) => *found.skipped.entry(reason).or_default() += 1,
            Ok(SourceItem::Refused(refused)) => found.refused.push(refused),
            Err(error) => {
                assert!(source.next().is_none(), "nothing comes after an error");
                return Err(error);
            }
        }
        let (read, total) = source.progress();
        assert!(read <= total);
    }
    let (read, total) = source.progress();
    assert_eq!(read, total, "all of it was read");
    Ok(found)
}

/// Reads bytes as a file.
pub fn read_bytes(bytes: &[u8]) -> Result<Found, SourceError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("export");
    std::fs::write(&path, bytes).expect("a file");
    read(&path)
}

/// Reads a value as a file.
pub fn read_json(value: &Value) -> Result<Found, SourceError> {
    read_bytes(value.to_string().as_bytes())
}
