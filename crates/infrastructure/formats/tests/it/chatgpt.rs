//! What ChatGPT's exports hold.

use chrono::{DateTime, TimeZone, Utc};
use inklings_domain::conversation::message::Role;
use serde_json::{Value, json};

use crate::support::{chatgpt, read_json};

fn at(seconds: i64, millis: u32) -> Option<DateTime<Utc>> {
    Utc.timestamp_opt(seconds, millis * 1_000_000).single()
}

/// A conversation along one path of messages, each as the file has it.
fn path(messages: &[Value]) -> Value {
    let mut conversation = chatgpt("c", &vec!["x"; messages.len()]);
    for (i, message) in messages.iter().enumerate() {
        conversation["mapping"][format!("n{i}")]["message"] = message.clone();
    }
    json!([conversation])
}

fn message(role: &str, content: &Value) -> Value {
    json!({"id": "id", "author": {"role": role}, "content": content})
}

#[test]
fn a_conversation_is_read_with_title_times_ids_and_order() {
    let found =
        read_json(&json!([chatgpt("one", &["Ask.", "Answer."]), chatgpt("two", &["Hi."])])).expect("reads");
    assert_eq!(found.format, "chatgpt");
    assert_eq!(found.conversations.len(), 2);
    let first = &found.conversations[0];
    assert_eq!((first.external_id.as_str(), first.title.as_str()), ("one", "Talk one"));
    assert_eq!(first.started_at, at(1_700_000_000, 0));
    let messages: Vec<_> =
        first.messages.iter().map(|m| (m.external_id.as_str(), m.role, m.text.as_str(), m.at)).collect();
    assert_eq!(
        messages,
        [
            ("m0", Role::User, "Ask.", at(1_700_000_000, 250)),
            ("m1", Role::Assistant, "Answer.", at(1_700_000_001, 250)),
        ]
    );
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
}

#[test]
fn the_present_branch_is_the_conversation_and_others_are_counted() {
    let mut conversation = chatgpt("c", &["Ask.", "First answer.", "Go on."]);
    conversation["mapping"]["again"] = json!({"id": "again", "parent": "n0", "children": [], "message": {
        "id": "m9", "author": {"role": "assistant"}, "create_time": 1_700_000_050.0,
        "content": {"content_type": "text", "parts": ["Second answer."]}}});
    conversation["current_node"] = json!("again");
    let found = read_json(&json!([conversation])).expect("reads");
    assert_eq!(found.texts(), ["Ask.", "Second answer."]);
    assert_eq!(found.skipped["another version of a message"], 2);

    // Without a present node the newest end counts.
    conversation["current_node"] = Value::Null;
    assert_eq!(read_json(&json!([conversation])).expect("reads").texts(), ["Ask.", "Second answer."]);
    conversation["mapping"]["again"]["message"]["create_time"] = json!(1.0);
    conversation["current_node"] = json!("gone");
    assert_eq!(
        read_json(&json!([conversation])).expect("reads").texts(),
        ["Ask.", "First answer.", "Go on."]
    );
}

#[test]
fn content_other_than_speech_is_skipped_with_its_reason() {
    let hidden = json!({"id": "h", "author": {"role": "user"}, "metadata": {"is_visually_hidden_from_conversation": true},
        "content": {"content_type": "user_editable_context", "user_profile": "…", "user_instructions": "…"}});
    let search = json!({"id": "s", "author": {"role": "assistant"}, "recipient": "web",
        "content": {"content_type": "code", "language": "unknown", "text": "search(\"x\")"}});
    let found = read_json(&path(&[
        message("system", &json!({"content_type": "text", "parts": [""]})),
        hidden,
        message("user", &json!({"content_type": "text", "parts": ["Kept."]})),
        message("assistant", &json!({"content_type": "thoughts", "thoughts": [{"summary": "…"}]})),
        message("assistant", &json!({"content_type": "reasoning_recap", "content": "Thought for 3 s"})),
        search,
        message("tool", &json!({"content_type": "tether_browsing_display", "result": "…"})),
        message("tool", &json!({"content_type": "text", "parts": ["Model set context updated."]})),
        message("assistant", &json!({"content_type": "text", "parts": ["  "]})),
        message("assistant", &json!({"content_type": "text", "parts": ["x".repeat(1024 * 1024 + 1)]})),
        message("narrator", &json!({"content_type": "text", "parts": ["?"]})),
    ]))
    .expect("reads");
    assert_eq!(found.texts(), ["Kept."]);
    let skipped: Vec<_> = found.skipped.into_iter().collect();
    assert_eq!(
        skipped,
        [
            ("empty message", 1),
            ("hidden message", 2),
            ("message of an unknown speaker", 1),
            ("message too long", 1),
            ("reasoning", 2),
            ("tool call", 1),
            ("tool output", 2),
        ]
    );
}

#[test]
fn code_output_and_text_between_pictures_are_read() {
    let mut output = message("tool", &json!({"content_type": "execution_output", "text": "42"}));
    output["author"]["name"] = json!("python");
    let found = read_json(&path(&[
        message(
            "user",
            &json!({"content_type": "multimodal_text", "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "width": 10},
            "What is this?", ""]}),
        ),
        message(
            "user",
            &json!({"content_type": "multimodal_text", "parts": [
            {"content_type": "audio_transcription", "text": "Spoken words.", "direction": "in"},
            {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {}}]}),
        ),
        message(
            "user",
            &json!({"content_type": "multimodal_text", "parts": [
            {"content_type": "image_asset_pointer"}]}),
        ),
        message("assistant", &json!({"content_type": "code", "language": "python", "text": "print(6 * 7)"})),
        output,
        message("system", &json!({"content_type": "text", "parts": ["You are a bard."]})),
    ]))
    .expect("reads");
    assert_eq!(found.texts(), ["What is this?", "Spoken words.", "print(6 * 7)", "42", "You are a bard."]);
    let messages = &found.conversations[0].messages;
    assert_eq!((messages[3].role, messages[3].speaker.as_deref()), (Role::Tool, Some("python")));
    assert_eq!(messages[0].at, None, "no time is no time");
    let skipped: Vec<_> = found.skipped.into_iter().collect();
    assert_eq!(skipped, [("picture", 2), ("recording", 1)]);
    // The same id over and over is told apart by place.
    let ids: Vec<_> = messages.iter().map(|m| m.external_id.as_str()).collect();
    assert_eq!(ids, ["id", "id#2", "id#3", "id#4", "id#5"]);
}

#[test]
fn a_conversation_without_messages_is_skipped() {
    let found = read_json(&json!([chatgpt("empty", &[]), chatgpt("blank", &[" "])])).expect("reads");
    assert!(found.conversations.is_empty());
    assert_eq!(found.skipped["empty conversation"], 2);
}

#[test]
fn one_without_an_id_has_the_same_id_each_time() {
    let mut conversation = chatgpt("x", &["Hi."]);
    for field in ["id", "conversation_id"] {
        conversation[field] = Value::Null;
    }
    let once = read_json(&json!([conversation])).expect("reads");
    // Not the id of its first message: programs number those within the conversation.
    assert!(once.conversations[0].external_id.starts_with("begins:"));
    assert_eq!(once, read_json(&json!([conversation])).expect("reads"));
}

#[test]
fn a_chain_of_fifty_thousand_messages_is_read_in_its_order() {
    let mut mapping = serde_json::Map::new();
    for i in 0..50_000 {
        mapping.insert(
            format!("{i}"),
            json!({"parent": format!("{}", i - 1), "message":
            {"author": {"role": "user"}, "content": {"parts": [format!("{i}")]}}}),
        );
    }
    let found = read_json(&json!([{"title": "Long", "mapping": mapping}])).expect("reads");
    let texts = found.texts();
    assert_eq!((texts.len(), texts[0], texts[49_999]), (50_000, "0", "49999"));
}
