//! Test data: a valid file of each entry format.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::zip;
use crate::entries::Format;

/// A SillyTavern entry.
pub fn world_entry(uid: u64, comment: &str, keys: &[&str], content: &str, constant: bool) -> Value {
    json!({
        "uid": uid, "key": keys, "keysecondary": ["court"], "comment": comment, "content": content,
        "constant": constant, "vectorized": false, "selective": true, "selectiveLogic": 0, "addMemo": true,
        "order": 100, "position": 0, "disable": false, "excludeRecursion": false, "preventRecursion": false,
        "delayUntilRecursion": false, "probability": 100, "useProbability": true, "depth": 4, "group": "",
        "groupOverride": false, "groupWeight": 100, "scanDepth": null, "caseSensitive": null,
        "matchWholeWords": null, "useGroupScoring": null, "automationId": "", "role": null, "sticky": 0,
        "cooldown": 0, "delay": 0, "displayIndex": uid,
    })
}

/// SillyTavern World Info with three entries; the first is always shown.
pub fn world() -> Value {
    json!({
        "entries": {
            "0": world_entry(0, "Ama", &["Ama", "the queen", "/queen.*north/i"], "Ama rules the north.", true),
            "1": world_entry(1, "", &["Sel"], "The river Sel runs past Ambry.\nNobody crosses it in winter.", false),
            "10": world_entry(10, "Ambry", &[], "A town of salt.", false),
        },
        "name": "Aldmoor", "extensions": {"theme": {"ink": 3}}, "originalData": null,
    })
}

/// An entry of lorebooks and cards; the one with id 1 is always shown.
pub fn book_entry(id: u64, name: &str, keys: &[&str], content: &str) -> Value {
    json!({
        "id": id, "keys": keys, "secondary_keys": [], "name": name, "comment": "", "content": content,
        "enabled": true, "insertion_order": 10, "case_sensitive": false, "priority": 5, "constant": id == 1,
        "position": "before_char", "use_regex": false, "extensions": {"weight": 0.25},
    })
}

/// A book with two entries.
pub fn book() -> Value {
    json!({
        "name": "Lore of Aldmoor", "description": "", "scan_depth": 4, "token_budget": 512,
        "recursive_scanning": false, "extensions": {},
        "entries": [
            book_entry(1, "The gate", &["gate", "northern gate"], "The gate is shut at night."),
            book_entry(2, "", &["salt"], "Salt is worth more than silver."),
        ],
    })
}

/// A standalone lorebook.
pub fn lorebook() -> Value {
    json!({"spec": "lorebook_v3", "data": book()})
}

/// A character card of version 3 with a book.
pub fn card() -> Value {
    json!({
        "spec": "chara_card_v3", "spec_version": "3.0",
        "data": {
            "name": "Ama", "nickname": "The Queen", "description": "{{char}} rules the north.", "personality": "Stern.",
            "scenario": "The hall of Ambry.", "first_mes": "Speak.", "mes_example": "<START>\n{{user}}: Why?",
            "creator_notes": "", "system_prompt": "", "post_history_instructions": "",
            "alternate_greetings": ["You again.", ""], "group_only_greetings": [], "tags": ["queen", "north"],
            "creator": "somebody", "character_version": "2", "extensions": {"depth_prompt": {"depth": 4}},
            "creation_date": 1_700_000_000, "modification_date": 1_700_000_100, "assets": [], "character_book": book(),
        },
    })
}

/// A NovelAI lorebook with two entries; the first is always shown.
pub fn novelai() -> Value {
    let entry = |id: &str, name: &str, active: bool| {
        json!({
            "id": id, "displayName": name, "text": "A town of salt.", "keys": ["Ambry", "/salt/"], "enabled": true,
            "forceActivation": active, "keyRelative": false, "nonStoryActivatable": false, "category": "",
            "loreBiasGroups": [], "searchRange": 1000, "lastUpdatedAt": 1_700_000_000_123_u64,
            "contextConfig": {"prefix": "", "suffix": "\n", "tokenBudget": 2048, "budgetPriority": 400},
        })
    };
    json!({
        "lorebookVersion": 5, "entries": [entry("a-1", "Ambry", true), entry("a-2", "", false)],
        "settings": {"orderByKeyLocations": false}, "categories": [], "order": [],
    })
}

/// The memories in Claude's export.
pub fn memories() -> Value {
    json!([{
        "conversations_memory": "**Work context**\n\nWrites novels set in Aldmoor.\n\n**Style:**\n\nLikes short chapters.\n- And lists\n",
        "project_memories": {"11111111-2222": "# Plot\nThe gate falls.\n", "33333333-4444": "No headings here."},
        "account_uuid": "55555555-6666",
    }])
}

/// A response of Mem0's `get_all` with two memories.
pub fn mem0() -> Value {
    json!({
        "results": [
            {"id": "m-1", "memory": "Ama rules the north.", "hash": "abc", "metadata": {"chapter": 3}, "categories": ["people"],
             "created_at": "2024-05-01T10:00:00.123456-07:00", "updated_at": null, "user_id": "u"},
            {"id": "m-2", "memory": "Salt is dear.", "hash": "abd", "metadata": null,
             "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-02T10:00:00Z", "user_id": "u"},
        ],
        "relations": [],
    })
}

/// Two entities and a relation.
pub const GRAPH: &str = r#"{"type":"entity","name":"Ama","entityType":"person","observations":["Rules the north.","Hates salt."]}
{"type":"entity","name":"Ambry","entityType":"town","observations":[]}
{"type":"relation","from":"Ama","to":"Ambry","relationType":"lives_in"}
"#;

/// A Markdown file with front matter.
pub const NOTE: &str = "---\nname: Ama\naliases: [the queen, \"Ama of the north\"]\ntags:\n  - people\n  - north\nimportance: 0.75\nstanding: true\ncreated: 2024-05-01T10:00:00Z\nmood: {stern: 1}\n# mine\n---\n\nAma rules the north.\n\n---\n\nA line above.\n";

/// Metadata of a Novelcrafter entry.
pub fn metadata() -> Value {
    json!({
        "id": "2aBcDeFgHiJkLmNoPqRsTuVwXyZ",
        "attributes": {"type": "character", "name": "Ama", "color": "blue", "aliases": ["the queen"], "tags": ["north"],
            "alwaysIncludeInContext": true, "doNotTrack": false, "noAutoInclude": false},
        "relationships": {"nestedEntries": []}, "links": {},
    })
}

/// A Novelcrafter codex with two entries.
pub fn codex() -> Vec<u8> {
    let metadata = metadata().to_string();
    zip(&[
        ("characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/metadata.json", metadata.as_bytes()),
        (
            "characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/entry.md",
            b"---\ntype: character\nname: Ama\n---\n\nAma rules the north.\n",
        ),
        ("characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/notes.md", b"Named after a river?"),
        ("locations/old_ambry-2bBcDeFgHiJkLmNoPqRsTuVwXyZ/entry.md", b"A town of salt."),
        ("codex.html", b"<html></html>"),
    ])
}

/// A PNG chunk with length and checksum.
pub fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(&kind);
    sum.update(data);
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend_from_slice(&kind);
    chunk.extend_from_slice(data);
    chunk.extend_from_slice(&sum.sum().to_be_bytes());
    chunk
}

/// PNG signature.
pub const PNG: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// The header of an image of one pixel.
pub fn header() -> Vec<u8> {
    chunk(*b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0])
}

/// A text chunk.
pub fn text_chunk(keyword: &str, text: &[u8]) -> Vec<u8> {
    chunk(*b"tEXt", &[keyword.as_bytes(), b"\0", text].concat())
}

/// An image with these chunks.
pub fn picture(chunks: &[Vec<u8>]) -> Vec<u8> {
    [&PNG[..], &header(), &chunks.concat(), &chunk(*b"IDAT", &[0; 16]), &chunk(*b"IEND", b"")].concat()
}

/// A card as base64.
pub fn json_rows(card: &Value) -> Vec<u8> {
    BASE64_STANDARD.encode(card.to_string()).into_bytes()
}

/// An image that contains a card.
pub fn picture_card() -> Vec<u8> {
    picture(&[text_chunk("chara", &json_rows(&card()))])
}

/// A valid file of every variant.
pub fn all() -> Vec<(&'static str, Format, Vec<u8>)> {
    let json = |value: Value| value.to_string().into_bytes();
    vec![
        ("SillyTavern", Format::SillyTavern, json(world())),
        ("card as JSON", Format::CharacterCard, json(card())),
        ("card as PNG", Format::CharacterCard, picture_card()),
        (
            "card as CHARX",
            Format::CharacterCard,
            zip(&[("card.json", &json(card())), ("assets/icon.png", b"x")]),
        ),
        ("lorebook", Format::LorebookV3, json(lorebook())),
        ("NovelAI", Format::NovelAi, json(novelai())),
        ("codex", Format::Novelcrafter, codex()),
        ("Claude", Format::ClaudeMemories, json(memories())),
        ("Mem0", Format::Mem0, json(mem0())),
        ("MCP", Format::McpJsonl, GRAPH.as_bytes().to_vec()),
        ("Markdown", Format::Markdown, NOTE.as_bytes().to_vec()),
    ]
}
