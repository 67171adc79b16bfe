//! What Claude's exports hold.

use inklings_domain::conversation::message::Role;
use serde_json::{Value, json};

use crate::support::{claude, read_json};

#[test]
fn a_conversation_is_read_with_title_times_ids_and_order() {
    let found =
        read_json(&json!([claude("one", &["Ask.", "Answer."]), claude("two", &["Hi."])])).expect("reads");
    assert_eq!(found.format, "claude");
    let first = &found.conversations[0];
    assert_eq!((first.external_id.as_str(), first.title.as_str()), ("one", "Talk one"));
    assert_eq!(first.started_at.map(|at| at.to_rfc3339()).as_deref(), Some("2024-05-01T10:00:00+00:00"));
    let messages: Vec<_> =
        first.messages.iter().map(|m| (m.external_id.as_str(), m.role, m.text.as_str())).collect();
    assert_eq!(messages, [("m0", Role::User, "Ask."), ("m1", Role::Assistant, "Answer.")]);
    assert_eq!(first.messages[1].at.map(|at| at.timestamp_subsec_micros()), Some(123_456));
    assert!(found.skipped.is_empty());
}

#[test]
fn text_blocks_are_read_and_other_blocks_are_counted() {
    let mut conversation = claude("c", &["a", "b", "c", "d", "e"]);
    let messages = conversation["chat_messages"].as_array_mut().expect("messages");
    messages[0]["content"] = json!([]);
    messages[0]["text"] = json!("Older files have no blocks.");
    messages[1]["content"] = json!([
        {"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "name": "artifacts", "input": {"content": "…"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "OK"}]}, {"type": "text", "text": "Done."}]);
    messages[2]["content"] = json!([{"type": "tool_use", "input": {}}]);
    messages[2]["text"] = json!("```\nThis block is not supported on your current device yet.\n```");
    messages[3]["content"] = json!([]);
    messages[3]["text"] = json!("");
    messages[3]["attachments"] = json!([
        {"file_name": "", "file_type": "txt", "extracted_content": "A pasted chapter."},
        {"file_name": "map.pdf", "extracted_content": "…"}]);
    messages[3]["files"] = json!([{"file_name": "map.png"}]);
    messages[4]["sender"] = json!("ghost");
    let found = read_json(&json!([conversation])).expect("reads");
    assert_eq!(found.texts(), ["Older files have no blocks.", "Let me see.\n\nDone.", "A pasted chapter."]);
    let skipped: Vec<_> = found.skipped.into_iter().collect();
    assert_eq!(
        skipped,
        [
            ("attached file", 2),
            ("message of an unknown speaker", 1),
            ("reasoning", 1),
            ("tool call", 2),
            ("tool output", 1),
        ]
    );
}

fn parented(parents: &[Option<&str>]) -> Value {
    let texts: Vec<String> = (0..parents.len()).map(|i| format!("t{i}")).collect();
    let mut conversation = claude("c", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    for (i, parent) in parents.iter().enumerate() {
        conversation["chat_messages"][i]["parent_message_uuid"] = json!(parent);
    }
    conversation
}

#[test]
fn the_current_branch_is_read_as_the_conversation() {
    let root = Some("00000000-0000-4000-8000-000000000000");
    let line = parented(&[root, Some("m0"), Some("m1")]);
    assert_eq!(read_json(&json!([line])).expect("reads").texts(), ["t0", "t1", "t2"]);

    let mut tree = parented(&[root, Some("m0"), Some("m1"), Some("m0")]);
    let found = read_json(&json!([tree])).expect("reads");
    assert_eq!(found.texts(), ["t0", "t3"], "the newest end");
    assert_eq!(found.skipped["another version of a message"], 2);
    tree["current_leaf_message_uuid"] = json!("m2");
    assert_eq!(read_json(&json!([tree])).expect("reads").texts(), ["t0", "t1", "t2"]);

    let torn = parented(&[root, Some("m0"), Some("not in the file"), Some("m2")]);
    assert_eq!(read_json(&json!([torn])).expect("reads").texts(), ["t0", "t1", "t2", "t3"]);
    let ring = parented(&[Some("m1"), Some("m0"), Some("m0")]);
    assert!(!read_json(&json!([ring])).expect("reads").texts().is_empty());
}

#[test]
fn an_export_in_utf_16_is_read() {
    let file = json!([claude("one", &["Wo ist das Salz? 🧂", "Weit weg."])]).to_string();
    let plain = crate::support::read_bytes(file.as_bytes()).expect("reads");
    for order in [inklings_formats::utf16::Order::Little, inklings_formats::utf16::Order::Big] {
        assert_eq!(crate::support::read_bytes(&order.encoded(&file)).expect("reads"), plain, "{order:?}");
    }
}
