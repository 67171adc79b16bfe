//! Files changed at random: never a panic, never a hang, and what is still read can be written.

use inklings_formats::entries::{Collection, Format, read_entries, write_entries};
use proptest::prelude::*;

use inklings_formats::testing::conversations::{chatgpt, claude};
use serde_json::json;

use crate::samples::{self, all};

#[derive(Debug, Clone)]
enum Mutation {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Copy(prop::sample::Index, prop::sample::Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let token = prop::sample::select(vec![
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "1e999",
        "-0",
        "\\ud83d",
        "\\u0000",
        "---\n",
        "\n",
        "\0",
        "PK\u{1}\u{2}",
    ]);
    prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        1 => at().prop_map(Mutation::Cut),
        2 => (at(), 0..40_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        1 => (at(), prop::collection::vec(any::<u8>(), 0..8)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        2 => (at(), token).prop_map(|(at, token)| Mutation::Insert(at, token.as_bytes().to_vec())),
        2 => (at(), at(), 0..60_usize).prop_map(|(from, to, length)| Mutation::Copy(from, to, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, mutation: Mutation) {
    let place = |at: prop::sample::Index, length: usize| at.index(length + 1);
    match mutation {
        Mutation::Flip(at, bits) if !bytes.is_empty() => {
            let at = at.index(bytes.len());
            bytes[at] ^= bits;
        }
        Mutation::Flip(..) => {}
        Mutation::Cut(at) => bytes.truncate(place(at, bytes.len())),
        Mutation::Remove(at, length) => {
            let at = place(at, bytes.len());
            bytes.drain(at..bytes.len().min(at + length));
        }
        Mutation::Insert(at, new) => {
            let at = place(at, bytes.len());
            bytes.splice(at..at, new);
        }
        Mutation::Copy(from, to, length) => {
            let from = place(from, bytes.len());
            let piece = bytes[from..bytes.len().min(from + length)].to_vec();
            let to = place(to, bytes.len());
            bytes.splice(to..to, piece);
        }
    }
}

/// Writes what was read in every format that it can be written in, and reads that.
fn again(found: &Collection) {
    for format in Format::ALL.into_iter().filter(|format| format.is_written() && *format != Format::Markdown)
    {
        let mut written = Vec::new();
        write_entries(found, format, &mut written).expect("memory takes everything");
        if !format.is_read() {
            continue;
        }
        read_entries(&written, Some(format)).expect("what is written is read");
        if found.format == format && matches!(format, Format::SillyTavern | Format::McpJsonl) {
            let read = read_entries(&written, Some(format)).expect("what is written is read");
            assert_eq!((&read.entries, &read.extra), (&found.entries, &found.extra), "{}", format.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn files_changed_at_random_do_no_harm(changes in prop::collection::vec(mutation(), 1..6)) {
        for (_, format, mut bytes) in all() {
            changes.iter().cloned().for_each(|change| apply(&mut bytes, change));
            for named_format in [Some(format), None] {
                if let Ok(found) = read_entries(&bytes, named_format) {
                    again(&found);
                }
            }
        }
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL.into_iter().map(Some).chain([None]) {
            let _ = read_entries(&bytes, format);
            let _ = read_entries(&[b"\x89PNG\r\n\x1a\n", &bytes[..]].concat(), format);
            let _ = read_entries(&[b"PK\x03\x04", &bytes[..]].concat(), format);
        }
    }
}

/// Not a test: gives each fuzz target a good file to begin with.
#[test]
#[ignore = "writes into the working tree: seeds for `cargo fuzz`"]
fn seeds_for_the_fuzzer() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, format, bytes) in all() {
        let target = if name == "card as PNG" { "card_png" } else { format.name() };
        std::fs::create_dir_all(corpus.join(target)).expect("made");
        std::fs::write(corpus.join(target).join(name), bytes).expect("written");
    }
    // Subjects, links and who knows of them.
    let knowers = json!({"isExclude": false, "names": ["Ama", "Sel"], "tags": []});
    let kept = json!({"isExclude": true, "names": ["Ama"], "tags": ["guard"]});
    let list = "[\"[[Mira]] since The Trial\", Toma]";
    let note =
        format!("---\ntype: spy\naliases: [M]\nabout: [\"[[Sel]]\"]\nknown_by: {list}\n---\n\n[[Ama|she]]\n");
    let relation = "---\nrelation: sister of\nfrom: \"[[Mira]]\"\nto: Toma\n---\n\nThey are.\n";
    let mut world = samples::world();
    world["entries"]["0"]["characterFilter"] = knowers.clone();
    world["entries"]["1"]["characterFilter"] = kept.clone();
    let line = json!({"type": "entity", "name": "Ama", "entityType": "spy", "observations": [],
        "inklings": {"about": ["Sel"], "known_by": ["Mira", {"name": "Toma", "since": "May, 812"}]}});
    for (target, name, seed) in [
        ("knowers", "names", knowers.to_string()),
        ("knowers", "exclusion", kept.to_string()),
        ("knowers", "list", list.to_owned()),
        ("markdown", "subject", note),
        ("markdown", "relation", relation.to_owned()),
        ("sillytavern", "filters", world.to_string()),
        ("mcp_jsonl", "knowers", line.to_string()),
    ] {
        std::fs::create_dir_all(corpus.join(target)).expect("made");
        std::fs::write(corpus.join(target).join(name), seed).expect("written");
    }
    let conversations = corpus.join("conversations");
    std::fs::create_dir_all(&conversations).expect("made");
    for (name, conversation) in
        [("ChatGPT", chatgpt("a", &["Hello", "Ama"])), ("Claude", claude("a", &["Hello"]))]
    {
        std::fs::write(conversations.join(name), format!("[{conversation}]")).expect("written");
    }
}
