//! Files to read, and what came out of them.

use std::{
    collections::BTreeMap,
    io::{Cursor, Write},
    path::Path,
};

use inklings_application::ports::conversation_import::{ForeignConversation, SourceError, SourceItem};
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// What a file held.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    pub format: &'static str,
    pub conversations: Vec<ForeignConversation>,
    pub skipped: BTreeMap<&'static str, usize>,
}

impl Found {
    /// What was said in the first conversation.
    pub fn texts(&self) -> Vec<&str> {
        self.conversations[0].messages.iter().map(|message| message.text.as_str()).collect()
    }
}

/// Reads an export to its end, as an import does.
pub fn read(path: &Path) -> Result<Found, SourceError> {
    let mut source = inklings_formats::open(path)?;
    let mut found = Found { format: source.format(), ..Found::default() };
    while let Some(item) = source.next() {
        match item {
            Ok(SourceItem::Conversation(conversation)) => found.conversations.push(conversation),
            Ok(SourceItem::Skipped(reason)) => *found.skipped.entry(reason).or_default() += 1,
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

/// A ChatGPT conversation in which these are said in turn.
pub fn chatgpt(id: &str, texts: &[&str]) -> Value {
    let mut mapping = serde_json::Map::new();
    mapping.insert("root".into(), json!({"id": "root", "message": null, "parent": null, "children": ["n0"]}));
    for (i, text) in texts.iter().enumerate() {
        let parent = if i == 0 { "root".to_owned() } else { format!("n{}", i - 1) };
        let role = if i % 2 == 0 { "user" } else { "assistant" };
        mapping.insert(format!("n{i}"), json!({
            "id": format!("n{i}"), "parent": parent, "children": [format!("n{}", i + 1)],
            "message": {
                "id": format!("m{i}"), "author": {"role": role, "name": null, "metadata": {}},
                "create_time": 1_700_000_000.25 + i as f64, "update_time": null, "status": "finished_successfully",
                "content": {"content_type": "text", "parts": [text]}, "end_turn": true, "weight": 1.0,
                "metadata": {"model_slug": "gpt-4"}, "recipient": "all", "channel": null,
            }
        }));
    }
    json!({
        "title": format!("Talk {id}"), "create_time": 1_700_000_000.0, "update_time": 1_700_000_100.0,
        "mapping": mapping, "moderation_results": [], "current_node": format!("n{}", texts.len().max(1) - 1),
        "plugin_ids": null, "conversation_id": id, "id": id, "gizmo_id": null, "is_archived": false,
        "safe_urls": [], "default_model_slug": "gpt-4",
    })
}

/// A Claude conversation in which these are said in turn.
pub fn claude(id: &str, texts: &[&str]) -> Value {
    let message = |(i, text): (usize, &&str)| {
        json!({
            "uuid": format!("m{i}"), "text": text, "sender": if i % 2 == 0 { "human" } else { "assistant" },
            "content": [{"type": "text", "text": text, "start_timestamp": null, "citations": []}],
            "created_at": format!("2024-05-01T10:00:{i:02}.123456Z"),
            "updated_at": "2024-05-01T10:00:00.123456Z", "attachments": [], "files": [],
        })
    };
    json!({
        "uuid": id, "name": format!("Talk {id}"), "summary": "", "account": {"uuid": "a"},
        "created_at": "2024-05-01T10:00:00.000000Z", "updated_at": "2024-05-01T11:00:00.000000Z",
        "chat_messages": texts.iter().enumerate().map(message).collect::<Vec<_>>(),
    })
}

/// An archive of these files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        archive.start_file(*name, options).expect("an entry begins");
        archive.write_all(bytes).expect("an entry is written");
    }
    archive.finish().expect("the archive is closed").into_inner()
}
