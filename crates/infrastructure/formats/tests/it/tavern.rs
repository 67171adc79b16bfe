//! What chats of SillyTavern hold.

use inklings_domain::conversation::message::Role;
use serde_json::{Value, json};

use crate::support::{read, read_bytes};

fn lines(values: &[Value]) -> Vec<u8> {
    values.iter().flat_map(|value| format!("{value}\n").into_bytes()).collect()
}

fn header() -> Value {
    json!({"user_name": "You", "character_name": "Ama", "create_date": "2023-11-14@22h13m20s", "chat_metadata": {}})
}

fn message(name: &str, is_user: bool, text: &str, date: &Value) -> Value {
    json!({"name": name, "is_user": is_user, "is_system": false, "send_date": date, "mes": text, "extra": {}})
}

#[test]
fn a_chat_is_read_with_speakers_times_and_order() {
    let mut answer = message("Ama", false, "Far away.", &json!("November 14, 2023 10:14pm"));
    answer["swipes"] = json!(["Far away.", "Near.", "Here."]);
    answer["extra"] = json!({"reasoning": "Hm.", "image": "user/map.png"});
    let mut note = message("System", false, "Chat renamed.", &json!("2023-11-14T22:15:20.000Z"));
    note["is_system"] = json!(true);
    let mut hidden = message("Ama", false, "Go now.", &json!("2023-11-14 @22h 16m 20s 123ms"));
    hidden["is_system"] = json!(true);
    let file = lines(&[
        header(),
        message("Maren", true, "Where is the salt?", &json!(1_700_000_000_123_u64)),
        answer,
        note,
        hidden,
    ]);
    let found = read_bytes(&file).expect("reads");
    assert_eq!(found.format, "sillytavern");
    let chat = &found.conversations[0];
    assert_eq!(chat.title, "Ama");
    assert_eq!(chat.started_at.map(|at| at.timestamp()), Some(1_700_000_000));
    let added: Vec<_> = chat
        .messages
        .iter()
        .map(|m| {
            (
                m.role,
                m.speaker.as_deref().unwrap_or("-"),
                m.text.as_str(),
                m.at.map_or(0, |at| at.timestamp()),
            )
        })
        .collect();
    assert_eq!(
        added,
        [
            (Role::User, "Maren", "Where is the salt?", 1_700_000_000),
            (Role::Assistant, "Ama", "Far away.", 1_700_000_040),
            (Role::System, "System", "Chat renamed.", 1_700_000_120),
            (Role::Assistant, "Ama", "Go now.", 1_700_000_180),
        ]
    );
    let skipped: Vec<_> = found.skipped.iter().map(|(reason, count)| (*reason, *count)).collect();
    assert_eq!(skipped, [("another version of a message", 2), ("picture", 1), ("reasoning", 1)]);
}

#[test]
fn a_longer_chat_is_the_same_chat_and_a_broken_line_is_counted() {
    let all = [
        header(),
        message("You", true, "One?", &json!(null)),
        message("Ama", false, "Two.", &json!("some day")),
        message("You", true, "Three?", &json!(null)),
    ];
    let first = read_bytes(&lines(&all[..3])).expect("reads");
    let longer = read_bytes(&[lines(&all).as_slice(), b"{\"mes\": \"Xan"].concat()).expect("reads");
    assert_eq!(first.conversations[0].external_id, longer.conversations[0].external_id);
    assert_eq!(first.conversations[0].messages[..], longer.conversations[0].messages[..2]);
    assert_eq!(longer.skipped.get("a broken line"), Some(&1));
    let mut named = header();
    named["chat_metadata"] = json!({"integrity": "5d5a-1"});
    named["character_name"] = json!("unused");
    let named = read_bytes(&lines(&[named, all[2].clone()])).expect("reads");
    let chat = &named.conversations[0];
    assert_eq!((chat.external_id.as_str(), chat.title.as_str()), ("5d5a-1", "Ama"));
}

#[test]
fn a_folder_of_chats_is_read_and_a_folder_of_other_lines_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["b", "a"] {
        let chat = lines(&[header(), message("You", true, name, &json!(null))]);
        std::fs::write(folder.path().join(format!("Ama - {name}.jsonl")), chat).expect("written");
    }
    let found = read(folder.path()).expect("reads");
    let added: Vec<&str> = found.conversations.iter().map(|chat| chat.messages[0].text.as_str()).collect();
    assert_eq!(added, ["a", "b"]);
    assert_ne!(found.conversations[0].external_id, found.conversations[1].external_id);
    std::fs::write(folder.path().join("note.md"), "A note.").expect("written");
    assert!(read(folder.path()).is_err(), "notes beside them are no chats");
    let graph = b"{\"type\":\"entity\",\"name\":\"Ama\",\"observations\":[]}\n{\"type\":\"entity\",\"name\":\"Sel\"}\n";
    assert!(read_bytes(graph).is_err());
}
