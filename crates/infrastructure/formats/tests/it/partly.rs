//! Conversations without ids stay apart, and one that cannot be read does not block the others.

use std::collections::HashSet;

use inklings_ports::conversation::import_store::SourceError;
use serde_json::{Value, json};

use crate::support::{Found, chatgpt, claude, read_bytes, read_json, read_partly};

/// Makes a conversation of a program: its id, and what is said in it.
type Program = fn(&str, &[&str]) -> Value;

/// Five conversations of each program, two of which are alike, without any id.
fn without_ids(program: Program) -> Vec<Value> {
    let messages = [
        ["Hello.", "Yes?"],
        ["Salt?", "Dear."],
        ["Hello.", "No."],
        ["Who rules?", "Ama."],
        ["Hello.", "Yes?"],
    ];
    let bare = |messages: &[&str; 2]| {
        let mut one = program("x", messages);
        for field in ["id", "conversation_id", "uuid", "title", "name"] {
            one.as_object_mut().expect("an object").remove(field);
        }
        for message in one.get_mut("chat_messages").and_then(Value::as_array_mut).into_iter().flatten() {
            message.as_object_mut().expect("an object").remove("uuid");
        }
        for (_, node) in one.get_mut("mapping").and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(message) = node["message"].as_object_mut() {
                message.remove("id");
            }
        }
        one
    };
    messages.iter().map(bare).collect()
}

fn ids(found: &Found) -> Vec<String> {
    found.conversations.iter().map(|conversation| conversation.external_id.clone()).collect()
}

#[test]
fn conversations_without_ids_get_distinct_and_stable_ids() {
    for program in [chatgpt, claude] {
        let all = without_ids(program);
        let found = read_json(&json!(all)).expect("reads");
        assert_eq!(found.conversations.len(), 5);
        assert!(found.conversations.iter().all(|one| one.messages.len() == 2));
        let first = ids(&found);
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 5, "{first:?}");
        assert_eq!(ids(&read_json(&json!(all)).expect("reads")), first, "the same file gives the same ids");
        let mut longer = vec![program("new", &["Good morning."])];
        longer.extend(all);
        let again = ids(&read_json(&json!(longer)).expect("reads"));
        assert_eq!(again[0], "new");
        assert_eq!(again[1..], first, "a newer conversation before them changes nothing");
        let other = read_json(&json!([without_ids(program)[3]])).expect("reads");
        assert_eq!(ids(&other)[0], first[3], "another file with the same conversation");
        let other_file = program("x", &["Something else.", "Indeed."]);
        let mut other_file = other_file;
        for field in ["id", "conversation_id", "uuid"] {
            other_file.as_object_mut().expect("an object").remove(field);
        }
        let other_file = ids(&read_json(&json!([other_file])).expect("reads"));
        assert!(!first.contains(&other_file[0]), "the first of one file is not the first of another");
    }
}

#[test]
fn a_broken_conversation_is_refused_with_its_position_and_the_others_are_read() {
    let programs: [(Program, &str); 2] = [(chatgpt, "mapping"), (claude, "chat_messages")];
    for (program, list) in programs {
        let (first, last) = (program("a", &["Xanadu?"]), program("z", &["Far away."]));
        for bad in [
            "7".to_owned(),
            "null".to_owned(),
            "\"Xanadu ], [\"".to_owned(),
            "[1, {\"a\": \"]\"}]".to_owned(),
            "{}".to_owned(),
            "{\"title\": \"Xanadu \\\" }\"}".to_owned(),
            "{\"title\": Xanadu, \"b\": {\"c\": \"}\"}}".to_owned(),
            format!("{{\"{list}\": 7, \"x\": [{{}}, {{}}]}}"),
            format!("{{\"{list}\": null, \"{list}\": null}}"),
        ] {
            let file = format!("[{first},\n{bad}, {last}]");
            let found = read_partly(file.as_bytes()).unwrap_or_else(|error| panic!("{bad}: {error}"));
            assert_eq!(ids(&found), ["a", "z"], "{bad}");
            let numbers: Vec<u64> = found.refused.iter().map(|refused| refused.number).collect();
            assert_eq!(numbers, [2], "{bad}");
            let reason = &found.refused[0].reason;
            assert!(reason.contains("at byte") && !reason.contains("Xanadu"), "{bad}: {reason}");
            assert!(read_bytes(file.as_bytes()).is_err(), "{bad}: asked for the whole, the whole is refused");
        }
    }
}

#[test]
fn the_first_conversation_may_be_the_broken_one() {
    let file = format!("[{{\"title\": Xanadu}}, {}]", claude("z", &["Far away."]));
    let found = read_partly(file.as_bytes()).expect("reads");
    assert_eq!((ids(&found), found.refused.len()), (vec!["z".to_owned()], 1));
}

#[test]
fn a_truncated_file_is_read_up_to_its_end_and_the_rest_is_reported() {
    let whole = json!([claude("a", &["One."]), claude("b", &["Two."]), claude("c", &["Three."])]).to_string();
    let last = whole.rfind("Three").expect("there");
    let found = read_partly(&whole.as_bytes()[..last]).expect("reads");
    assert_eq!(ids(&found), ["a", "b"]);
    assert_eq!(found.refused.len(), 1);
    assert!(found.refused[0].reason.ends_with("nothing behind it can be read"), "{:?}", found.refused);
    let nothing = read_partly(&whole.as_bytes()[..8]);
    assert!(matches!(nothing, Err(SourceError::Broken { .. })), "{nothing:?}");
}
