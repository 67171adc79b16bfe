//! What is here already, and what the file says about it.

use std::{
    fs::File,
    path::Path,
    time::{Duration, SystemTime},
};

use inklings_api::{
    named_entry::view::NewNamedEntry,
    transfer::view::{ConflictChoice, ImportOutcomeKind},
    view::memory::MemoryPatch,
    vocabulary::Scope,
};
use inklings_formats::testing::entries as samples;
use serde_json::json;

use crate::support::{World, total};

fn book(content: &str) -> String {
    json!({"entries": {"0": samples::world_entry(0, "Sel", &[], content, false)}}).to_string()
}

/// Lets a file have been saved so many seconds ago, or in so many. Systems note the time of a write too coarsely to tell
/// it from that of one just before.
#[allow(clippy::disallowed_methods, reason = "the file's clock is the machine's")]
fn saved(path: &Path, ago: i64) {
    let now = SystemTime::now();
    let by = Duration::from_secs(ago.unsigned_abs());
    let at = if ago >= 0 { now - by } else { now + by };
    File::options().write(true).open(path).and_then(|file| file.set_modified(at)).expect("a time is set");
}

async fn edited_here(world: &World) {
    let entry = world.one("The river").await;
    let patch = MemoryPatch { content: Some("The river, as I see it.".into()), ..MemoryPatch::default() };
    world.app.memory().update_memory(&entry.row.id, entry.row.version, patch).await.expect("edited");
}

async fn texts(world: &World) -> Vec<String> {
    world.all().await.into_iter().map(|entry| entry.content).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_the_file_decides_conflicts_of_entries_without_a_date() {
    let world = World::new().await;
    let path = world.file("book.json", book("The river runs north."));
    saved(&path, 7_200);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    edited_here(&world).await;
    let kept = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(kept.plan.items[0].reason, "yours is newer", "an old file does not take back an edit");
    assert_eq!(texts(&world).await, ["The river, as I see it."]);

    world.file("book.json", book("The river runs south."));
    saved(&path, 0);
    let left = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(total(&left.plan, ImportOutcomeKind::Unpicked), 1, "what was edited here needs a pick");
    assert_eq!(texts(&world).await, ["The river, as I see it."]);
    let newer = world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(total(&newer.plan, ImportOutcomeKind::Change), 1);
    assert_eq!(texts(&world).await, ["The river runs south."]);
    world.app.consolidation().revert_run(&newer.run_id).await.expect("taken back");
    assert_eq!(texts(&world).await, ["The river, as I see it."], "taking it back brings the edit back");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_file_of_another_program_changes_what_nobody_edited_here() {
    let world = World::new().await;
    let path = world.file("book.json", book("The river runs north."));
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    world.file("book.json", book("The river runs south."));
    saved(&path, 7_200);
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(total(&done.plan, ImportOutcomeKind::Change), 1, "{:?}", done.plan.items);
    assert_eq!(texts(&world).await, ["The river runs south."]);
    edited_here(&world).await;
    world.import_picked(&path, ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(texts(&world).await, ["The river, as I see it."], "an old file does not take back an edit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_from_the_future_is_no_newer_than_now() {
    let world = World::new().await;
    let path = world.file("book.json", book("The river runs north."));
    saved(&path, -86_400);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let entry = world.one("The river").await;
    edited_here(&world).await;
    let edited = world.one("The river").await;
    assert!(edited.row.updated_at > entry.row.updated_at, "an edit of now is newer than the import");
}

#[tokio::test(flavor = "multi_thread")]
async fn conflict_choice_mine_keeps_the_stored_text_and_both_adds_the_imported_one() {
    for (choice, expected) in [
        (ConflictChoice::Mine, vec!["The river, as I see it."]),
        (ConflictChoice::Both, vec!["The river, as I see it.", "The river runs north."]),
    ] {
        let world = World::new().await;
        let path = world.file("book.json", book("The river runs north."));
        world.import(&path, ConflictChoice::Newer).await.expect("comes in");
        edited_here(&world).await;
        saved(&path, -86_400);
        let done = world.import(&path, choice).await.expect("comes in");
        assert_eq!(texts(&world).await, expected);
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
        assert_eq!(texts(&world).await, ["The river, as I see it."]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_copies_of_a_file_come_in_once() {
    for constant in [false, true] {
        let world = World::new().await;
        let book = |content: &str| {
            json!({"entries": {"0": samples::world_entry(0, "Sel", &["ford"], content, constant)}})
                .to_string()
        };
        let path = world.file("book.json", book("The river runs north."));
        world.import(&path, ConflictChoice::Newer).await.expect("comes in");
        edited_here(&world).await;
        for _ in 0..3 {
            world.import_picked(&path, ConflictChoice::Both).await.expect("comes in");
            let mut found = texts(&world).await;
            found.sort_unstable();
            assert_eq!(found, ["The river runs north.", "The river, as I see it."]);
        }
        let path = world.file("book.json", book("The river runs south."));
        world.import_picked(&path, ConflictChoice::Both).await.expect("comes in");
        assert_eq!(texts(&world).await.len(), 3, "another text is another copy");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_a_file_whose_names_are_in_use_are_added_once() {
    let world = World::new().await;
    let new = NewNamedEntry { scope: Scope::Workspace, name: "Sel".into(), content: "Mine.".into() };
    world.app.named_entry().add_named_entry(new).await.expect("added");
    let book = json!({"entries": {"0": samples::world_entry(0, "Sel", &[], "Theirs.", true)}});
    let path = world.file("book.json", book.to_string());
    for _ in 0..3 {
        world.import_picked(&path, ConflictChoice::Both).await.expect("comes in");
        assert_eq!(texts(&world).await, ["Mine.", "Theirs."]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_name_that_is_in_use_follows_the_conflict_choice() {
    let named = |content: &str| {
        json!({"entries": {"0": samples::world_entry(0, "Ama", &["the queen"], content, true)}}).to_string()
    };
    for (choice, names, content) in [
        (ConflictChoice::Mine, vec!["Ama"], "Mine."),
        (ConflictChoice::Newer, vec!["Ama"], "Theirs."),
        (ConflictChoice::Both, vec!["Ama", "Ama (2)"], "Mine."),
    ] {
        let world = World::new().await;
        let new = NewNamedEntry { scope: Scope::Workspace, name: "Ama".into(), content: "Mine.".into() };
        world.app.named_entry().add_named_entry(new).await.expect("added");
        let path = world.file("book.json", named("Theirs."));
        saved(&path, 0);
        if choice == ConflictChoice::Newer {
            let left = world.import(&path, choice).await.expect("looked at");
            assert_eq!(total(&left.plan, ImportOutcomeKind::Unpicked), 1);
            assert_eq!(world.one("Mine.").await.row.name.as_deref(), Some("Ama"), "without a pick");
        }
        world.import_picked(&path, choice).await.expect("comes in");
        let all = world.all().await;
        let called: Vec<&str> = all.iter().filter_map(|entry| entry.row.name.as_deref()).collect();
        assert_eq!(called, names, "{choice:?}");
        assert_eq!(all[0].content, content, "{choice:?}");
    }
}
