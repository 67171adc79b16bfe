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

/// A NovelAI scenario with the lorebook.
pub fn scenario() -> Value {
    json!({
        "scenarioVersion": 3, "title": "Aldmoor", "author": "somebody", "description": "A world of salt.",
        "prompt": "The gate was shut.", "tags": ["salt"],
        "context": [
            {"text": "Ama rules.", "contextConfig": {"prefix": "", "suffix": "\n", "tokenBudget": 2048}},
            {"text": "Write tersely.", "contextConfig": {"prefix": "", "suffix": "\n", "tokenBudget": 2048}},
        ],
        "ephemeralContext": [], "placeholders": [], "settings": {"parameters": {"temperature": 0.63}},
        "lorebook": novelai(), "storyContextConfig": {},
    })
}

/// A NovelAI story with the lorebook.
pub fn story() -> Value {
    json!({
        "storyContainerVersion": 1,
        "metadata": {"storyMetadataVersion": 1, "id": "s-1", "title": "Aldmoor", "createdAt": 1_700_000_000_123_u64},
        "content": {
            "storyContentVersion": 6, "settings": {}, "document": "oZGVgq", "context": scenario()["context"],
            "lorebook": novelai(), "ephemeralContext": [], "didGenerate": true,
        },
    })
}

/// Story cards of AI Dungeon, the last one in the older form.
pub fn story_cards() -> Value {
    json!([
        {"keys": "Ama, the queen", "value": "Ama rules the north.", "type": "character", "title": "Ama",
         "description": "Stern.", "useForCharacterCreation": false},
        {"keys": "salt", "value": "Salt is dear.", "type": "lore", "title": "", "description": "", "useForCharacterCreation": true},
        {"id": "w-1", "keys": "Ambry", "entry": "A town of salt.", "isNotHidden": true},
    ])
}

/// A lorebook of `JanitorAI`; the first entry is always shown, the second one is off.
pub fn janitor() -> Value {
    let entry = |id: &str, name: &str, keys: &[&str], constant: bool, enabled: bool| {
        json!({
            "id": id, "name": name, "comment": "", "content": "A town of salt.", "key": keys, "keysRaw": keys.join(", "),
            "keysecondary": ["court"], "keysecondaryRaw": "court", "category": "places", "constant": constant,
            "enabled": enabled, "priority": 10, "insertion_order": 100, "probability": 100, "minMessages": 0,
            "selectiveLogic": 0, "case_sensitive": false, "matchWholeWords": false, "extensions": {}, "tags": ["town"],
            "activationMode": "standard", "activationScript": "", "groupWeight": 100, "inclusionGroupRaw": "",
        })
    };
    json!([
        entry("0001-ambry", "Ambry", &["Ambry", "the town"], true, true),
        entry("0002-tarn", "", &["Tarn"], false, false)
    ])
}

/// A lorebook of `RisuAI` with a folder; the first entry is always shown.
pub fn risu() -> Value {
    let entry = |name: &str, key: &str, active: bool, regex: bool| {
        json!({
            "key": key, "secondkey": "court", "insertorder": 100, "comment": name, "content": "A town of salt.",
            "mode": "normal", "alwaysActive": active, "selective": false, "useRegex": regex, "bookVersion": 2,
            "extentions": {"risu_case_sensitive": false},
        })
    };
    json!({
        "type": "risu", "ver": 1,
        "data": [
            {"key": "f-1", "comment": "Places", "content": "", "mode": "folder", "insertorder": 100, "alwaysActive": false},
            entry("Ambry", "Ambry, the town", true, false),
            entry("Tarn", "/tarn (reef|town), (old|new)/i", false, true),
        ],
    })
}

/// A story of `KoboldAI` Lite with world info; the second entry is off.
pub fn kobold() -> Value {
    let entry = |name: &str, key: &str, off: bool| {
        json!({
            "key": key, "keysecondary": "", "keyanti": "", "content": "A town of salt.", "comment": name, "folder": null,
            "selective": false, "constant": false, "probability": "100", "wigroup": "", "widisabled": off,
        })
    };
    json!({
        "gamestarted": true, "prompt": "The gate was shut.", "memory": "Ama rules.", "authorsnote": "[Style: terse]",
        "anotetemplate": "[<|>]", "actions": ["It snowed.", " And snowed."], "actions_metadata": {},
        "worldinfo": [entry("Ambry", "Ambry,the town", false), entry("", "Tarn", true)],
        "wifolders_d": {}, "wifolders_l": [], "extrastopseq": "", "anotestr": 320,
    })
}

/// World info as the second interface of `KoboldAI` exports it.
pub fn kobold_world() -> Value {
    json!({
        "folders": {"root": [0]},
        "entries": {"0": {
            "uid": 0, "title": "Ambry", "key": ["Ambry", "the town"], "keysecondary": [], "folder": "root", "constant": true,
            "manual_text": "", "content": "A town of salt.", "comment": "", "selective": false, "wpp": {}, "use_wpp": false,
        }},
    })
}

/// A memory book of Agnai; the second entry is off.
pub fn agnai() -> Value {
    json!({
        "kind": "memory", "name": "Aldmoor", "description": "", "_id": "b-1", "userId": "u",
        "entries": [
            {"name": "Ambry", "entry": "A town of salt.", "keywords": ["Ambry", "the town"], "priority": 0, "weight": 1, "enabled": true},
            {"name": "Tarn", "entry": "A reef.", "keywords": ["Tarn"], "priority": 5, "weight": 0, "enabled": false},
        ],
    })
}

/// A character of Agnai with the memory book.
pub fn agnai_character() -> Value {
    json!({
        "kind": "character", "name": "Ama", "description": "", "persona": {"kind": "boostyle", "attributes": {"text": ["Rules the north."], "mood": ["stern", "calm"]}},
        "greeting": "Speak.", "scenario": "The hall of Ambry.", "sampleChat": "", "tags": ["queen"], "characterBook": agnai(),
        "avatar": null, "culture": "en-us",
    })
}

/// An agent file of Letta with two agents, which share a block.
pub fn letta() -> Value {
    let block = |id: &str, label: &str, value: &str| json!({"id": id, "label": label, "value": value, "limit": 5000, "description": "", "read_only": false, "metadata": {}});
    let agent = |id: &str, name: &str, blocks: &[&str]| {
        json!({
            "id": id, "name": name, "agent_type": "letta_v1_agent", "system": "You remember.", "block_ids": blocks,
            "in_context_message_ids": ["message-0"], "tags": [], "memory_blocks": [],
            "messages": [{"id": "message-0", "role": "user", "content": [{"type": "text", "text": "Where is the salt?"}]}],
        })
    };
    json!({
        "agents": [agent("agent-0", "Ama", &["block-0", "block-1"]), agent("agent-1", "Sel", &["block-0", "block-2"])],
        "blocks": [
            block("block-0", "world", "Salt is dear."), block("block-1", "persona", "Stern."),
            block("block-2", "persona", "Merry."),
        ],
        "tools": [{"id": "tool-0", "name": "search"}], "files": [], "sources": [], "groups": [], "mcp_servers": [],
        "metadata": {}, "created_at": "2025-11-01T10:00:00Z",
    })
}

/// An agent file of Letta in the older form.
pub fn letta_agent() -> Value {
    json!({
        "agent_type": "memgpt_agent", "name": "Ama", "system": "You remember.", "tags": [], "messages": [], "tools": [],
        "core_memory": [{
            "created_at": "2025-04-01T10:00:00.000000+00:00", "updated_at": "2025-04-02T10:00:00.000000+00:00",
            "description": null, "is_template": false, "label": "human", "limit": 5000, "metadata_": {},
            "template_name": null, "value": "Writes about salt.",
        }],
        "message_indices": [], "llm_config": {"model": "x"}, "version": "0.6.47",
    })
}

/// A memory graph of a server that calls the kind `_type`.
pub const OTHER_GRAPH: &str = r#"{"_type":"entity","name":"Ama","entity_type":"person","observations":[{"content":"Rules the north.","timestamp":"2025-01-01T00:00:00Z"},"Hates salt."]}
{"_type":"entity","name":"Ambry","entityType":"town","observations":["A town of salt."]}
{"_type":"relation","from":"Ama","to":"Ambry","relation_type":"lives_in"}
"#;

/// A whole memory graph in one object.
pub fn whole_graph() -> Value {
    json!({
        "entities": [
            {"name": "Ama", "entityType": "person", "observations": ["Rules the north."]},
            {"type": "entity", "name": "Ambry", "entityType": "town", "observations": []},
        ],
        "relations": [{"from": "Ama", "to": "Ambry", "relationType": "lives_in"}],
        "version": 2,
    })
}

/// A card as `RisuAI` writes it: an archive behind a JPEG picture.
pub fn picture_archive() -> Vec<u8> {
    let archive = zip(&[("card.json", card().to_string().as_bytes()), ("assets/icon/main.png", b"x")]);
    [&b"\xFF\xD8\xFF\xE0\0\x10JFIF\0 a picture \xFF\xD9"[..], &archive].concat()
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
        ("card behind a picture", Format::CharacterCard, picture_archive()),
        ("NovelAI scenario", Format::NovelAi, json(scenario())),
        ("NovelAI story", Format::NovelAi, json(story())),
        ("codex", Format::Novelcrafter, codex()),
        ("AI Dungeon", Format::AiDungeon, json(story_cards())),
        (
            "AI Dungeon scenario",
            Format::AiDungeon,
            json(
                json!({"title": "Aldmoor", "prompt": "It snowed.", "memory": "Ama rules.", "storyCards": story_cards()}),
            ),
        ),
        ("JanitorAI", Format::JanitorAi, json(janitor())),
        ("Risu", Format::Risu, json(risu())),
        ("KoboldAI", Format::KoboldAi, json(kobold())),
        ("KoboldAI world info", Format::KoboldAi, json(kobold_world())),
        ("Agnai", Format::Agnai, json(agnai())),
        ("Agnai character", Format::Agnai, json(agnai_character())),
        ("Letta", Format::Letta, json(letta())),
        ("Letta agent", Format::Letta, json(letta_agent())),
        ("Claude", Format::ClaudeMemories, json(memories())),
        ("Mem0", Format::Mem0, json(mem0())),
        ("MCP", Format::McpJsonl, GRAPH.as_bytes().to_vec()),
        ("MCP with another kind", Format::McpJsonl, OTHER_GRAPH.as_bytes().to_vec()),
        ("MCP whole", Format::McpJsonl, json(whole_graph())),
        ("Markdown", Format::Markdown, NOTE.as_bytes().to_vec()),
    ]
}
