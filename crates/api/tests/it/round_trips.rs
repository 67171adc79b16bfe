//! What came in from a program goes out to it again as it was, through the store and not past it.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use inklings_api::{
    NoopEvents,
    transfer::view::{ConflictChoice, ImportOutcomeKind, ImportRequest, TransferFormat},
    view::memory::MemoryPatch,
};
use inklings_formats::testing::entries as samples;
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::{Map, Value, json};

use crate::support::{World, total};

fn value(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON")
}

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

pub fn files(folder: &Path, inside: &str, found: &mut BTreeMap<String, String>) {
    for file in fs::read_dir(folder.join(inside)).expect("there") {
        let file = file.expect("there");
        let path = format!("{inside}{}", file.file_name().to_str().expect("a text"));
        if file.path().is_dir() {
            files(folder, &format!("{path}/"), found);
        } else {
            found.insert(path, fs::read_to_string(file.path()).expect("read"));
        }
    }
}

async fn world_with(name: &str, bytes: &str) -> World {
    let world = World::new().await;
    let path = world.file(name, bytes);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sillytavern_book_is_exported_with_every_imported_field() {
    let mut book = samples::world();
    book["entries"]["0"]["content"] = json!("\n  Ama rules the north.\r\nAlways. \n");
    book["entries"]["1"]["characterFilter"] = json!({"names": ["Ama"], "isExclude": false});
    let world = world_with("aldmoor.json", &book.to_string()).await;
    let back = world.export("back.json", TransferFormat::Sillytavern).await;
    assert_eq!(value(&back), book);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_changed_in_the_other_program_come_in_with_the_next_import_and_go_out_again() {
    let mut book = samples::world();
    let world = world_with("aldmoor.json", &book.to_string()).await;
    book["entries"]["1"]["order"] = json!(7);
    book["entries"]["10"]["keysecondary"] = json!(["salt"]);
    let path = world.file("aldmoor.json", book.to_string());
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in").plan;
    assert_eq!((total(&done, ImportOutcomeKind::Change), total(&done, ImportOutcomeKind::Skip)), (2, 1));
    let of_book = done.book.expect("a book");
    assert_eq!((of_book.alike, of_book.changed, of_book.added), (1, 2, 0));
    assert_eq!(value(&world.export("back.json", TransferFormat::Sillytavern).await), book);

    let again = world.import(&path, ConflictChoice::Newer).await.expect("comes in").plan;
    assert_eq!(total(&again, ImportOutcomeKind::Skip), 3, "{:?}", again.items);
    // An entry that was changed here keeps what came with it.
    let ambry = world.one("A town of salt.").await;
    let tagged = MemoryPatch { tags: Some(vec!["town".into()]), ..MemoryPatch::default() };
    world.app.memory().update_memory(&ambry.row.id, ambry.row.version, tagged).await.expect("edited");
    book["entries"]["10"]["order"] = json!(9);
    let path = world.file("aldmoor.json", book.to_string());
    let left = world.import(&path, ConflictChoice::Mine).await.expect("looked at").plan;
    assert_eq!(total(&left, ImportOutcomeKind::Change), 0, "{:?}", left.items);
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_lorebooks_and_stories_are_exported_with_every_imported_field() {
    for (name, file, format) in [
        ("card.json", samples::card(), TransferFormat::CharacterCard),
        ("lorebook.json", samples::lorebook(), TransferFormat::LorebookV3),
        ("aldmoor.lorebook", samples::novelai(), TransferFormat::Novelai),
        ("aldmoor.story", samples::story(), TransferFormat::Novelai),
    ] {
        let world = world_with(name, &file.to_string()).await;
        assert_eq!(value(&world.export("back", format).await), file, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_exported_into_the_picture_it_was_imported_from() {
    let world = World::new().await;
    let path = world.file("ama.png", samples::picture_card());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let mut request = world.export_request("back.png", TransferFormat::CharacterCard);
    request.picture = path.to_str().map(str::to_owned);
    world.app.transfer().export_memory(request.clone(), Arc::new(NoopEvents)).await.expect("exported");
    let found = |path: &Path| inklings_formats::entries::open_entries(path, None).expect("reads");
    assert_eq!(found(&world.path("back.png")).entries, found(&path).entries);
    request.format = TransferFormat::Markdown;
    let refused = world
        .app
        .transfer()
        .export_memory(request, Arc::new(NoopEvents))
        .await
        .expect_err("no picture there");
    assert!(refused.message.contains("picture"), "{}", refused.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_memory_graph_is_exported_line_by_line_including_unknown_lines() {
    let lines = format!("{}{{\"type\":\"note\",\"text\":\"kept\"}}\n", samples::GRAPH);
    let world = world_with("memory.jsonl", &lines).await;
    let back = world.export("back.jsonl", TransferFormat::McpJsonl).await;
    let back = fs::read_to_string(back).expect("there");
    // An entity without observations is nothing that can be remembered without a name.
    assert_eq!(values(&back), values(&lines));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_markdown_folder_is_exported_byte_for_byte() {
    let world = World::new().await;
    let given = [
        ("Ama.md", samples::NOTE.to_owned()),
        ("places/Old Ambry.md", "  No head.\n\n---\n".to_owned()),
        (
            "returns.md",
            samples::NOTE
                .replace('\n', "\r\n")
                .replace("name: Ama", "name: Sel")
                .replace("the queen", "x")
                .replace("Ama of the north", "y"),
        ),
    ];
    for (path, text) in &given {
        world.file(&format!("notes/{path}"), text);
    }
    world.import(&world.path("notes"), ConflictChoice::Newer).await.expect("comes in");
    let mut back = BTreeMap::new();
    files(&world.export("out", TransferFormat::Markdown).await, "", &mut back);
    let given: BTreeMap<String, String> =
        given.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
    assert_eq!(back, given);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_importance_that_was_not_picked_is_exported_as_imported() {
    let note = "---\ntags: [\"gate\"]\nimportance: 0.9\n---\nThe gate is shut.\n";
    for (picked, expected) in [(false, 0.5), (true, 0.9)] {
        let world = World::new().await;
        world.file("notes/gate.md", note);
        let path = world.path("notes");
        let done = if picked {
            world.import_picked(&path, ConflictChoice::Newer).await
        } else {
            world.import(&path, ConflictChoice::Newer).await
        };
        done.expect("comes in");
        let entry = world.one("The gate").await;
        assert!((entry.row.importance - expected).abs() < 1e-9, "{}", entry.row.importance);
        let out = world.export("out", TransferFormat::Markdown).await;
        assert_eq!(fs::read_to_string(out.join("gate.md")).expect("there"), note);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_contains_local_changes_and_leaves_the_other_fields_as_imported() {
    let mut book = samples::world();
    let world = world_with("aldmoor.json", &book.to_string()).await;
    let entry = world.one("A town").await;
    let patch = MemoryPatch {
        content: Some("A town of salt and tin.".into()),
        tags: Some(vec!["ambry".into(), "trade".into()]),
        ..MemoryPatch::default()
    };
    world.app.memory().update_memory(&entry.row.id, entry.row.version, patch).await.expect("edited");
    let ama = world.one("Ama rules").await;
    world
        .app
        .named_entry()
        .alias_named_entry(&ama.row.id, ama.row.version, "The Stern", false)
        .await
        .expect("another name");
    let back = value(&world.export("back.json", TransferFormat::Sillytavern).await);
    let mut ours = back["entries"]["10"]["inklings"].clone();
    assert!(ours.as_object_mut().expect("what has no field there").remove("updated").is_some());
    assert_eq!(ours, json!({"tags": ["trade"]}));
    assert_eq!(back["entries"]["10"]["content"], "A town of salt and tin.");
    assert_eq!(back["entries"]["0"]["key"], json!(["Ama", "the queen", "The Stern", "/queen.*north/i"]));
    assert_eq!(back["entries"]["1"], book["entries"]["1"], "what nobody touched is as it was");
    let top = book.as_object_mut().expect("an object");
    top.remove("entries");
    for (key, value) in top {
        assert_eq!(&back[key], value, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_constant_entry_without_a_name_stays_constant() {
    let constant = |uid: u64, text: &str| samples::world_entry(uid, "", &[], text, true);
    let text = "The north is ruled by one queen, and nobody who lives there remembers another one.";
    let book = json!({"entries": {
        "0": constant(0, text), "1": constant(1, text), "2": constant(2, "## Salt\nis dear."),
        "3": samples::world_entry(3, "Salt is dear.", &[], "x", true),
    }});
    let world = world_with("book.json", &book.to_string()).await;
    let mut names: Vec<_> = world.all().await.into_iter().filter_map(|entry| entry.row.name).collect();
    names.sort();
    let start = "The north is ruled by one queen, and nobody who lives there";
    let expected = [
        "Salt is dear.".to_owned(),
        "Salt is dear. (2)".to_owned(),
        start.to_owned(),
        format!("{start} (2)"),
    ];
    assert_eq!(names, expected, "each is named, so each is always shown");
    assert_eq!(value(&world.export("back.json", TransferFormat::Sillytavern).await), book);
    let again = world.import(&world.path("book.json"), ConflictChoice::Newer).await.expect("known again");
    assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_books_are_exported_as_one_with_the_fields_of_both() {
    let world = world_with(
        "a.json",
        &json!({"entries": {"0": samples::world_entry(0, "A", &[], "a", false)}, "name": "A", "x": 1})
            .to_string(),
    )
    .await;
    let path = world.file(
        "b.json",
        json!({"entries": {"0": samples::world_entry(0, "B", &[], "b", false)}, "name": "B", "y": 2})
            .to_string(),
    );
    let run = world.import(&path, ConflictChoice::Newer).await.expect("comes in").run_id;
    let back = value(&world.export("both.json", TransferFormat::Sillytavern).await);
    assert_eq!((&back["name"], &back["x"], &back["y"]), (&json!("A"), &json!(1), &json!(2)));
    assert_eq!(back["entries"].as_object().expect("entries").len(), 2);
    world.app.consolidation().revert_run(&run).await.expect("taken back");
    let back = value(&world.export("one.json", TransferFormat::Sillytavern).await);
    assert_eq!(
        (&back["y"], back["entries"].as_object().expect("entries").len()),
        (&Value::Null, 1),
        "and nothing of what was taken back"
    );
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,12}( [a-z]{1,8}){0,3}",
        "\\PC{1,20}",
        "[ \n\r\tä]{0,3}[a-zA-Z0-9#:/*-]{1,12}[ \n]{0,2}",
        Just("/a.*b/i".to_owned())
    ]
}

fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        words().prop_map(Value::from),
        prop::collection::vec(words(), 0..3).prop_map(Value::from)
    ]
}

prop_compose! {
    fn world_entry()(
        comment in prop_oneof![Just(String::new()), words()],
        keys in prop::collection::vec(words(), 0..4),
        content in words(),
        (constant, disable) in (any::<bool>(), any::<bool>()),
        other in prop::collection::btree_map("[a-z]{3,9}_", odd(), 0..3),
    ) -> Value {
        let mut entry = json!({"comment": comment, "key": keys, "content": content, "constant": constant, "disable": disable});
        entry.as_object_mut().expect("an object").extend(other);
        entry
    }
}

fn runner() -> TestRunner {
    TestRunner::new(ProptestConfig::with_cases(1))
}

/// Some values of a strategy, the same in every run.
pub fn some<S: Strategy>(count: usize, strategy: &S) -> Vec<S::Value> {
    use proptest::{strategy::ValueTree, test_runner::RngAlgorithm, test_runner::TestRng};
    let mut runner =
        TestRunner::new_with_rng(runner().config().clone(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("a value").current()).collect()
}

/// Those that came in, by the plan's word: names that another entry has, and texts that break our rules, are refused.
pub fn is_refused(plan: &inklings_api::transfer::view::ImportPlan) -> u32 {
    total(plan, ImportOutcomeKind::Refuse)
}

#[tokio::test(flavor = "multi_thread")]
async fn any_imported_sillytavern_book_is_exported_unchanged() {
    let world = World::new().await;
    let mut whole = 0;
    for (n, entry) in some(40, &world_entry()).into_iter().enumerate() {
        let mut entry = entry;
        entry["uid"] = json!(n);
        let file = json!({"entries": {n.to_string(): entry}, "extensions": {"n": n}});
        let path = world.file("book.json", file.to_string());
        let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
        if is_refused(&done.plan) == 0 {
            let back = value(&world.export("back.json", TransferFormat::Sillytavern).await);
            assert_eq!(back, file);
            whole += 1;
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    }
    assert!(whole > 25, "{whole} of 40 came in");
}

fn graph_line() -> impl Strategy<Value = Map<String, Value>> {
    let entity = (words(), words(), prop::collection::vec(words(), 1..4)).prop_map(|(name, kind, said)| {
        json!({"type": "entity", "name": name, "entityType": kind, "observations": said})
    });
    let relation = (words(), words(), words()).prop_map(
        |(from, to, kind)| json!({"type": "relation", "from": from, "to": to, "relationType": kind}),
    );
    let other = prop::collection::btree_map("[a-z]{3,9}_", odd(), 0..3);
    (prop_oneof![entity, relation], other).prop_map(|(line, other)| {
        let mut line = line.as_object().cloned().unwrap_or_default();
        line.extend(other);
        line
    })
}

/// Every file is a book of its own, also where chance gives two the same titles.
fn another_book(path: &Path) -> ImportRequest {
    ImportRequest { new_book: true, ..World::request(path, ConflictChoice::Newer) }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_imported_memory_graph_is_exported_unchanged() {
    let world = World::new().await;
    let mut whole = 0;
    for lines in some(25, &prop::collection::vec(graph_line(), 1..5)) {
        let lines: Vec<Value> = lines.into_iter().map(Value::Object).collect();
        let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let path = world.file("memory.jsonl", &text);
        let done = world.import_as(another_book(&path)).await.expect("comes in");
        if is_refused(&done.plan) == 0 && done.plan.remarks.is_empty() {
            let back = world.export("back.jsonl", TransferFormat::McpJsonl).await;
            assert_eq!(values(&fs::read_to_string(back).expect("there")), lines);
            whole += 1;
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    }
    assert!(whole > 12, "{whole} of 25 came in");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_imported_markdown_is_exported_byte_for_byte() {
    let head = (words(), prop::collection::vec(words(), 0..3), any::<bool>(), "[a-z]{3,8}: [a-z]{1,8}\n")
        .prop_map(|(name, tags, standing, other)| {
            format!("---\nname: {}\ntags: {}\nstanding: {standing}\n{other}---\n", json!(name), json!(tags))
        });
    let note = (prop_oneof![Just(String::new()), head], words(), "[\n ]{0,3}")
        .prop_map(|(head, text, around)| format!("{head}{around}{text}{around}"));
    let world = World::new().await;
    let mut whole = 0;
    for (n, note) in some(30, &note).into_iter().enumerate() {
        world.file(&format!("notes{n}/one.md"), &note);
        let done = world.import_as(another_book(&world.path(&format!("notes{n}")))).await.expect("comes in");
        if is_refused(&done.plan) == 0 {
            let out = world.export(&format!("out{n}"), TransferFormat::Markdown).await;
            assert_eq!(fs::read_to_string(out.join("one.md")).expect("there"), note);
            whole += 1;
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    }
    assert!(whole > 18, "{whole} of 30 came in");
}
