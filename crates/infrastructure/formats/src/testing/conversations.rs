//! Test data: conversations in third-party export formats.

use serde_json::{Value, json};

/// A ChatGPT conversation with these messages.
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

/// A Claude conversation with these messages.
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
