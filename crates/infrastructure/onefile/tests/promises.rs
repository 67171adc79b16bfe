//! What a memory in one file promises.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use chrono::{DateTime, TimeZone, Utc};
use inklings_onefile::{B, Entry, K1, Kind, OneFileError, OneFileMemory, Operation, Refusal, WAIT, tokens};
use proptest::prelude::*;

fn at(second: i64) -> DateTime<Utc> {
    Utc.timestamp_opt(1_700_000_000 + second, 0).single().expect("a valid time")
}

fn add(name: &str, content: &str) -> Operation {
    Operation::Add { name: name.into(), content: content.into(), kind: Kind::Note }
}

fn alias(entry: &str, alias: &str) -> Operation {
    Operation::Alias { entry: entry.into(), alias: alias.into() }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("world.memory");
    (folder, path)
}

fn open(path: &Path) -> OneFileMemory {
    OneFileMemory::open(path, WAIT).expect("opens")
}

fn refused(outcome: Result<Vec<inklings_onefile::Applied>, OneFileError>) -> (usize, Refusal) {
    match outcome {
        Err(OneFileError::Refused { index, refusal }) => (index, refusal),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_file_is_created_only_by_the_first_write() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    assert!(memory.is_empty() && !path.exists());
    refused(memory.apply(&[add("", "x")], at(0)));
    assert!(!path.exists(), "a write that was refused makes no file");
    memory.apply(&[add("Mara", "A smith.")], at(0)).expect("applies");
    assert!(path.exists());
}

#[test]
fn one_refused_operation_refuses_the_whole_batch() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    memory.apply(&[add("Mara", "A smith.")], at(0)).expect("applies");
    let before = fs::read(&path).expect("a file");
    let outcome = memory.apply(&[add("Oren", "A fisher."), add("MARA", "Another.")], at(1));
    assert_eq!(refused(outcome), (1, Refusal::Taken));
    assert_eq!(memory.len(), 1);
    assert_eq!(fs::read(&path).expect("a file"), before);
    assert_eq!(memory.apply(&[add("Oren", "")], at(2)).expect("applies")[0].id.0, 2);
}

#[test]
fn ids_are_never_reused_even_after_reopening() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    memory.apply(&[add("a", ""), add("b", "")], at(0)).expect("applies");
    memory.apply(&[Operation::Remove { entry: "b".into() }], at(1)).expect("applies");
    drop(memory);
    let mut memory = open(&path);
    assert_eq!(memory.apply(&[add("b", "")], at(2)).expect("applies")[0].id.0, 3);
}

#[test]
fn a_renamed_entry_is_found_by_its_old_name_and_an_alias_can_be_reassigned() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    memory.apply(&[add("Mara", ""), add("Oren", ""), alias("mara", "The Smith")], at(0)).expect("applies");
    memory
        .apply(&[Operation::Rename { entry: "MARA".into(), name: "Mara Voss".into() }], at(1))
        .expect("applies");
    assert_eq!(memory.resolve("mara").map(|entry| entry.name.as_str()), Some("Mara Voss"));
    let rebound = memory.apply(&[alias("Oren", "the smith")], at(2)).expect("applies");
    assert_eq!(rebound[0].taken_from.map(|id| id.0), Some(1));
    assert_eq!(memory.resolve("The Smith").map(|entry| entry.name.as_str()), Some("Oren"));
    assert_eq!(refused(memory.apply(&[alias("Oren", "Mara Voss")], at(3))), (0, Refusal::Taken));
    let rename = Operation::Rename { entry: "Mara Voss".into(), name: "the smith".into() };
    assert_eq!(refused(memory.apply(&[rename], at(4))), (0, Refusal::Taken));
}

#[test]
fn an_alias_leads_to_an_entry_but_is_not_searched_and_a_name_is() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    memory
        .apply(&[add("Mara Voss", "Works iron."), alias("Mara Voss", "Hammerhand")], at(0))
        .expect("applies");
    assert!(memory.search("hammerhand").is_empty());
    assert!(memory.resolve("HAMMERHAND").is_some());
    assert_eq!(memory.search("voss").len(), 1);
}

#[test]
fn a_search_returns_every_match_of_both_kinds() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    let many: Vec<Operation> = (0..300).map(|n| add(&format!("n{n}"), "the same iron")).collect();
    memory.apply(&many, at(0)).expect("applies");
    let archive = Operation::Add { name: "a".into(), content: "old iron".into(), kind: Kind::Archive };
    memory.apply(&[archive], at(1)).expect("applies");
    let hits = memory.search("iron");
    assert_eq!(hits.len(), 301);
    assert!(hits.iter().any(|hit| hit.entry.kind == Kind::Archive));
}

#[test]
fn a_second_process_gets_a_busy_error_and_can_open_the_file_read_only() {
    let (_folder, path) = folder();
    let mut memory = open(&path);
    memory.apply(&[add("Mara", "")], at(0)).expect("applies");
    let refused = OneFileMemory::open(&path, Duration::from_millis(30));
    assert!(matches!(refused, Err(OneFileError::Busy)));
    let mut reader = OneFileMemory::open_to_read(&path).expect("reads");
    assert_eq!(reader.len(), 1);
    assert!(matches!(reader.apply(&[add("x", "")], at(1)), Err(OneFileError::ReadOnly)));
    drop(memory);
    open(&path);
}

#[cfg(unix)]
#[test]
fn writing_through_a_link_keeps_the_link() {
    let (folder, path) = folder();
    open(&path).apply(&[add("Mara", "")], at(0)).expect("applies");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    open(&link).apply(&[add("Oren", "")], at(1)).expect("applies");
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(open(&path).len(), 2);
}

#[test]
fn leftover_files_of_a_killed_process_do_not_block_the_next_one() {
    let (folder, path) = folder();
    open(&path).apply(&[add("Mara", "")], at(0)).expect("applies");
    fs::write(folder.path().join(".world.memory.new"), b"half a snap").expect("writes");
    let mut memory = open(&path);
    assert_eq!(memory.len(), 1);
    memory.apply(&[add("Oren", "")], at(1)).expect("applies");
    drop(memory);
    assert_eq!(open(&path).len(), 2);
}

/// The file with its body replaced, checksum and length as they must be.
fn forged(body: &str) -> Vec<u8> {
    use std::fmt::Write as _;

    use sha2::{Digest, Sha256};
    let mut hex = String::new();
    for byte in Sha256::digest(body.as_bytes()) {
        write!(hex, "{byte:02x}").expect("a text takes anything");
    }
    format!("inklings-memory 1 sha256 {hex} {}\n{body}", body.len()).into_bytes()
}

/// Whether an error is the one that must come.
type Expected = fn(&OneFileError) -> bool;

const EMPTY_INDEX: &str = r#""index":{"lengths":{},"postings":{}}"#;

#[test]
fn a_file_that_is_no_memory_is_refused_by_kind_and_left_as_it_is() {
    let (_folder, path) = folder();
    open(&path).apply(&[add("Mara", "Secretword works iron.")], at(0)).expect("applies");
    let good = fs::read(&path).expect("a file");
    let text = String::from_utf8(good.clone()).expect("UTF-8");
    let entry = |id: u32, name: &str, content: &str| {
        format!(
            r#"{{"id":{id},"name":"{name}","aliases":[],"content":"{content}","kind":"note","created_at":"2024-01-01T00:00:00Z"}}"#
        )
    };
    let memory = |next: u32, entries: &[String], index: &str| {
        forged(&format!(r#"{{"next_id":{next},"entries":[{}],{index}}}"#, entries.join(",")))
    };
    let index = |lengths: &str| format!(r#""index":{{"lengths":{{{lengths}}},"postings":{{}}}}"#);
    let mut flipped = good.clone();
    let middle = flipped.len() - 10;
    flipped[middle] ^= 1;
    let cases: Vec<(&str, Vec<u8>, Expected)> = vec![
        ("empty", Vec::new(), |e| matches!(e, OneFileError::NotAMemory)),
        ("another file", b"SQLite format 3\0".to_vec(), |e| matches!(e, OneFileError::NotAMemory)),
        ("no line end", vec![b'x'; 5_000], |e| matches!(e, OneFileError::NotAMemory)),
        ("not UTF-8", b"\xff\xfe\n{}".to_vec(), |e| matches!(e, OneFileError::NotAMemory)),
        ("head without a length", b"inklings-memory 1 sha256 00\n{}".to_vec(), |e| {
            matches!(e, OneFileError::NotAMemory)
        }),
        ("newer", text.replacen(" 1 ", " 9 ", 1).into_bytes(), |e| {
            matches!(e, OneFileError::Newer { found: 9, .. })
        }),
        ("cut off", good[..good.len() - 3].to_vec(), |e| matches!(e, OneFileError::CutOff { .. })),
        ("longer", [good.as_slice(), b"x"].concat(), |e| matches!(e, OneFileError::Checksum)),
        ("a flipped bit", flipped, |e| matches!(e, OneFileError::Checksum)),
        ("no JSON", forged("Secretword"), |e| matches!(e, OneFileError::Malformed { line: 2, .. })),
        ("deep", forged(&"[".repeat(100_000)), |e| matches!(e, OneFileError::Malformed { .. })),
        ("a number too many", memory(1, &[entry(1, "Mara", "")], &index("\"1\":0")), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        ("number 0", memory(2, &[entry(0, "Mara", "")], &index("\"0\":0")), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        ("twice one number", memory(9, &[entry(1, "a", ""), entry(1, "b", "")], EMPTY_INDEX), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        (
            "twice one name",
            memory(9, &[entry(1, "a", ""), entry(2, "A", "")], &index("\"1\":0,\"2\":0")),
            |e| matches!(e, OneFileError::Malformed { .. }),
        ),
        ("no name", memory(9, &[entry(1, "", "")], &index("\"1\":0")), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        ("NUL", memory(9, &[entry(1, "a", "\\u0000")], &index("\"1\":0")), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        ("a lone surrogate", memory(9, &[entry(1, "a", "\\ud800")], &index("\"1\":0")), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        ("another index", memory(9, &[entry(1, "a", "Secretword")], EMPTY_INDEX), |e| {
            matches!(e, OneFileError::Malformed { .. })
        }),
        (
            "an unknown field",
            forged(&format!(r#"{{"next_id":1,"entries":[],{EMPTY_INDEX},"more":1}}"#)),
            |e| matches!(e, OneFileError::Malformed { .. }),
        ),
        (
            "a field twice",
            forged(&format!(r#"{{"next_id":1,"next_id":2,"entries":[],{EMPTY_INDEX}}}"#)),
            |e| matches!(e, OneFileError::Malformed { .. }),
        ),
    ];
    for (case, bytes, expected) in cases {
        fs::write(&path, &bytes).expect("writes");
        let error = OneFileMemory::open(&path, WAIT).expect_err(case);
        assert!(expected(&error), "{case}: {error:?}");
        assert!(!error.to_string().to_lowercase().contains("secretword"), "{case}: {error}");
        assert_eq!(fs::read(&path).expect("a file"), bytes, "{case}: the file was touched");
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let name = || "[a-dA-D]{1,2}";
    prop_oneof![
        (name(), "[a-f ]{0,12}", any::<bool>()).prop_map(|(name, content, note)| Operation::Add {
            name,
            content,
            kind: if note { Kind::Note } else { Kind::Archive },
        }),
        (name(), name()).prop_map(|(entry, name)| Operation::Rename { entry, name }),
        (name(), name()).prop_map(|(entry, alias)| Operation::Alias { entry, alias }),
        (name(), "[a-f ]{0,12}").prop_map(|(entry, content)| Operation::Write { entry, content }),
        name().prop_map(|entry| Operation::Remove { entry }),
    ]
}

/// BM25 as the textbook has it, over the texts themselves.
fn reference(entries: &[Entry], query: &str) -> Vec<(u64, f64)> {
    let documents: Vec<(u64, Vec<String>)> = entries
        .iter()
        .map(|entry| (entry.id.0, [tokens(&entry.content), tokens(&entry.name)].concat()))
        .collect();
    let average =
        documents.iter().map(|(_, words)| words.len()).sum::<usize>() as f64 / documents.len() as f64;
    let count = documents.len() as f64;
    let wanted: BTreeSet<String> = tokens(query).into_iter().collect();
    let mut scored: Vec<(u64, f64)> = Vec::new();
    for (id, words) in &documents {
        let mut score = 0.0;
        for term in &wanted {
            let times = words.iter().filter(|word| *word == term).count() as f64;
            let holding = documents.iter().filter(|(_, words)| words.contains(term)).count() as f64;
            let rarity = (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln();
            let norm = 1.0 - B + B * words.len() as f64 / average;
            score += rarity * times * (K1 + 1.0) / (times + K1 * norm);
        }
        if words.iter().any(|word| wanted.contains(word)) {
            scored.push((*id, score));
        }
    }
    scored
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Whatever is done: what is open is what is in the file, no name leads to two entries, every name leads to its
    /// own, numbers rise, and a refusal changes nothing.
    #[test]
    fn any_sequence_of_operations_keeps_the_invariants(batches in prop::collection::vec(prop::collection::vec(operation(), 1..4), 1..12)) {
        let (_folder, path) = folder();
        let mut memory = open(&path);
        let mut highest = 0;
        for batch in batches {
            let before: Vec<Entry> = memory.entries().cloned().collect();
            match memory.apply(&batch, at(1)) {
                Ok(done) => {
                    for (operation, applied) in batch.iter().zip(done) {
                        if matches!(operation, Operation::Add { .. }) {
                            prop_assert!(applied.id.0 > highest);
                            highest = applied.id.0;
                        }
                    }
                }
                Err(OneFileError::Refused { .. }) => {
                    prop_assert_eq!(&memory.entries().cloned().collect::<Vec<_>>(), &before);
                }
                Err(error) => panic!("{error}"),
            }
            let mut owners: BTreeMap<String, u64> = BTreeMap::new();
            for entry in memory.entries() {
                for name in std::iter::once(&entry.name).chain(&entry.aliases) {
                    prop_assert!(owners.insert(name.to_lowercase(), entry.id.0).is_none(), "a name twice");
                    prop_assert_eq!(memory.resolve(name).map(|found| found.id), Some(entry.id));
                }
            }
            let again = OneFileMemory::open_to_read(&path).expect("reads");
            prop_assert_eq!(
                again.entries().collect::<Vec<_>>(),
                memory.entries().collect::<Vec<_>>()
            );
            for query in ["a", "b c", "dd ab f"] {
                prop_assert_eq!(again.search(query), memory.search(query));
            }
        }
    }

    #[test]
    fn the_ranking_agrees_with_a_reference_implementation(
        entries in prop::collection::vec(("[a-f]{1,3}", "[a-f ]{0,30}"), 1..12),
        query in "[a-f ]{0,8}",
    ) {
        let (_folder, path) = folder();
        let mut memory = open(&path);
        for (n, (name, content)) in entries.iter().enumerate() {
            memory.apply(&[add(&format!("{name} {n}"), content)], at(0)).expect("applies");
        }
        let all: Vec<Entry> = memory.entries().cloned().collect();
        let expected: BTreeMap<u64, f64> = reference(&all, &query).into_iter().collect();
        let hits = memory.search(&query);
        prop_assert_eq!(hits.len(), expected.len());
        for pair in hits.windows(2) {
            let order = pair[1].score.total_cmp(&pair[0].score).then(pair[0].entry.id.cmp(&pair[1].entry.id));
            prop_assert!(order.is_lt());
        }
        for hit in hits {
            prop_assert!((hit.score - expected[&hit.entry.id.0]).abs() < 1e-9);
        }
    }
}

#[test]
fn eight_writers_at_once_wait_for_each_other_and_lose_nothing() {
    let (_folder, path) = folder();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let path = &path;
            scope.spawn(move || {
                for n in 0..10 {
                    let name = format!("writer {writer}, note {n}");
                    open(path).apply(&[add(&name, "")], at(0)).expect("applies");
                }
            });
        }
    });
    assert_eq!(open(&path).len(), 80);
}
