use inklings_application::{
    error::AppError,
    memory::import::{ImportItem, Lines},
};
use inklings_domain::{
    memory::{Importance, Origin, filter::Sort},
    provenance::Curator,
    scope::Place,
};
use inklings_ports::testing::builders::{author, import};

use super::{World, everything};

const LINES: Lines<'static> = Lines { source: "jsonl", file: None, pick_all: false };
const PICKED: Lines<'static> = Lines { source: "jsonl", file: None, pick_all: true };

fn item(line: usize, id: &str, content: &str) -> ImportItem {
    ImportItem {
        line,
        title: None,
        keys: Vec::new(),
        content: content.into(),
        origin: Origin { external_id: Some(id.into()), ..Origin::default() },
        tags: Vec::new(),
        importance: None,
    }
}

#[tokio::test]
async fn one_invalid_line_refuses_the_whole_import() {
    let world = World::new().await;
    for bad in
        [item(2, "b", "  "), item(2, "a", "again"), ImportItem { importance: Some(7.0), ..item(2, "b", "x") }]
    {
        let refused = world
            .session
            .memory_imports()
            .import(Place::Workspace, LINES, vec![item(1, "a", "fine"), bad], import())
            .await;
        assert!(matches!(refused, Err(AppError::ImportLine { line: 2, .. })));
    }
    let counts = world.session.memories().count(&everything()).await.expect("counts");
    assert_eq!(counts.workspace, 0);
}

#[tokio::test]
async fn importing_again_updates_and_does_not_double() {
    let world = World::new().await;
    let first = vec![item(1, "D1:1", "one"), item(2, "D1:2", "two")];
    world.session.memory_imports().import(Place::Workspace, LINES, first, import()).await.expect("import");
    let second = vec![item(1, "D1:1", "one"), item(2, "D1:2", "two, revised"), item(3, "D1:3", "three")];
    let outcome = world
        .session
        .memory_imports()
        .import(Place::Workspace, LINES, second, import())
        .await
        .expect("import");
    assert_eq!((outcome.added, outcome.updated, outcome.unchanged), (1, 1, 1));
    let counts = world.session.memories().count(&everything()).await.expect("counts");
    assert_eq!(counts.workspace, 3);
}

#[tokio::test]
async fn a_moved_memory_does_not_come_in_again_and_a_book_in_two_channels_does() {
    let world = World::new().await;
    let session = &world.session;
    let (first, _) = session.channels().named_or_new("First", "").await.expect("a channel");
    let (second, _) = session.channels().named_or_new("Second", "").await.expect("a channel");
    let bring = async |channel| {
        let items = vec![item(1, "a", "one")];
        session
            .memory_imports()
            .import(Place::Channel(channel), LINES, items, import())
            .await
            .expect("import")
    };
    assert_eq!(bring(first.id).await.added, 1);
    let page = session.memories().list(&everything(), Sort::default(), None, 1).await.expect("a page");
    let id = page.entries[0].entry.id;
    session.memories().move_to(&[id], Place::Workspace, author()).await.expect("moved");
    let again = bring(first.id).await;
    assert_eq!((again.added, again.unchanged), (0, 1));
    assert_eq!(world.entry(id).await.place, Place::Workspace);
    assert_eq!(bring(second.id).await.added, 1);
}

#[tokio::test]
async fn an_import_is_one_change_and_is_undone_as_a_whole() {
    let world = World::new().await;
    let items = (0..40).map(|n| item(n, &format!("id {n}"), &format!("text {n}"))).collect();
    let outcome =
        world.session.memory_imports().import(Place::Account, PICKED, items, import()).await.expect("import");
    let page = world.session.memories().list(&everything(), Sort::default(), None, 1).await.expect("a page");
    assert_eq!(page.entries[0].entry.curator, Curator::Import);
    world
        .session
        .memories()
        .undo_change(outcome.change.expect("something was written"), author())
        .await
        .expect("undo");
    assert_eq!(world.session.memories().count(&everything()).await.expect("counts").account, 0);

    // Importing the file again brings them back, each once.
    let items = (0..40).map(|n| item(n, &format!("id {n}"), &format!("text {n}"))).collect();
    let again =
        world.session.memory_imports().import(Place::Account, PICKED, items, import()).await.expect("import");
    assert_eq!((again.added, again.updated), (0, 40));
    assert_eq!(world.session.memories().count(&everything()).await.expect("counts").account, 40);
}

#[tokio::test]
async fn an_import_does_not_restore_entries_forgotten_on_purpose() {
    let world = World::new().await;
    let session = &world.session;
    session
        .memory_imports()
        .import(Place::Workspace, LINES, vec![item(1, "a", "one")], import())
        .await
        .expect("import");
    let page = session.memories().list(&everything(), Sort::default(), None, 1).await.expect("a page");
    session.memories().forget(&[page.entries[0].entry.id], "not mine", author()).await.expect("forget");
    let again =
        session.memory_imports().import(Place::Workspace, LINES, vec![item(1, "a", "one")], import()).await;
    assert_eq!(again.expect("import").unchanged, 1);
}

#[tokio::test]
async fn lines_change_no_edited_entry_and_no_account_entry_unless_they_are_picked() {
    let world = World::new().await;
    let session = &world.session;
    let bring = async |place, lines, text: &str| {
        let item = ImportItem { importance: Some(1.0), ..item(1, "a", text) };
        session.memory_imports().import(place, lines, vec![item], import()).await.expect("import")
    };
    let text = async || {
        let page = session.memories().list(&everything(), Sort::default(), None, 1).await.expect("a page");
        page.entries[0].entry.clone()
    };
    assert_eq!(bring(Place::Workspace, LINES, "one").await.added, 1);
    assert_eq!(text().await.importance, Importance::DEFAULT, "a file does not raise its own lines");
    assert_eq!(bring(Place::Workspace, LINES, "two").await.updated, 1, "nobody changed it here");
    let entry = text().await;
    let mine = inklings_ports::testing::builders::new_text("mine");
    session.memories().edit(entry.id, entry.version, mine, author()).await.expect("edited");
    let left = bring(Place::Workspace, LINES, "three").await;
    assert_eq!((left.updated, left.left_out, left.change), (0, 1, None));
    assert_eq!(text().await.content, "mine");
    assert_eq!(bring(Place::Workspace, PICKED, "three").await.updated, 1);
    assert_eq!(text().await.content, "three");

    let left = bring(Place::Account, LINES, "four").await;
    assert_eq!((left.added, left.left_out), (0, 1));
    assert_eq!(session.memories().count(&everything()).await.expect("counts").account, 0);
    assert_eq!(bring(Place::Account, PICKED, "four").await.added, 1);
}
