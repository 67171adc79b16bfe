//! Files changed at random: never a panic, never a hang.

use proptest::prelude::*;
use serde_json::json;

use crate::support::{chatgpt, claude, read_bytes};

fn good(kind: bool) -> Vec<u8> {
    let texts = ["Who rules the north?", "The queen \"Ama\" \u{1F451}.", "And the south?\n"];
    let conversation = |id: &str| if kind { chatgpt(id, &texts) } else { claude(id, &texts) };
    json!([conversation("a"), conversation("b")]).to_string().into_bytes()
}

#[derive(Debug, Clone)]
enum Mutation {
    Set(prop::sample::Index, u8),
    Cut(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Copy(prop::sample::Index, prop::sample::Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let token = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        ":",
        "null",
        "true",
        "-1",
        "1e308",
        "\\ud800",
        "\\",
        "n0",
        "n1",
        "n2",
        "root",
        "\"parent\":",
        "\"mapping\":",
        "\"chat_messages\":",
        "\"parts\":",
        "\"content\":",
        "\0",
    ]);
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (at(), 1_usize..200).prop_map(|(at, length)| Mutation::Cut(at, length)),
        (at(), token).prop_map(|(at, token)| Mutation::Insert(at, token.as_bytes().to_vec())),
        (at(), at(), 1_usize..400).prop_map(|(from, to, length)| Mutation::Copy(from, to, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    if bytes.is_empty() {
        return;
    }
    let end = |at: usize, length: usize, bytes: &[u8]| (at + length).min(bytes.len());
    match mutation {
        Mutation::Set(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Mutation::Cut(at, length) => {
            let at = at.index(bytes.len());
            bytes.drain(at..end(at, *length, bytes));
        }
        Mutation::Insert(at, token) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, token.iter().copied());
        }
        Mutation::Copy(from, to, length) => {
            let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
            let piece = bytes[from..end(from, *length, bytes)].to_vec();
            bytes.splice(to..to, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_changed_file_is_read_or_refused(kind: bool, changes in prop::collection::vec(mutation(), 1..6)) {
        let mut bytes = good(kind);
        for change in &changes {
            apply(&mut bytes, change);
        }
        if let Ok(found) = read_bytes(&bytes) {
            for conversation in &found.conversations {
                let mut ids: Vec<_> = conversation.messages.iter().map(|m| &m.external_id).collect();
                ids.sort();
                ids.dedup();
                prop_assert_eq!(ids.len(), conversation.messages.len());
                prop_assert!(!conversation.messages.is_empty());
                prop_assert!(inklings_domain::conversation::Conversation::title(&conversation.title).is_ok());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), array: bool, archive: bool) {
        let start: &[u8] = if archive { b"PK\x03\x04" } else if array { b"[{" } else { b"" };
        let _ = read_bytes(&[start, &bytes].concat());
    }
}
