use inklings_application::error::AppError;
use inklings_domain::{
    memory::{InvalidMemory, MemoryPatch},
    provenance::Curator,
    scope::Place,
};
use inklings_ports::testing::builders::{agent, author, draft, new_text};

use super::World;

#[tokio::test]
async fn a_stale_edit_is_refused_and_returns_both_versions() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    world
        .session
        .memories()
        .edit(id, 1, new_text("The gate is oak."), author())
        .await
        .expect("the first edit");
    let late = world.session.memories().edit(id, 1, new_text("The gate is bronze."), author()).await;
    let Err(AppError::Stale { current, given, yours }) = late else {
        panic!("expected a stale edit: {late:?}")
    };
    assert_eq!((current.content.as_str(), given), ("The gate is oak.", 1));
    assert_eq!(yours.as_deref(), Some("The gate is bronze."));
    assert_eq!(world.entry(id).await.content, "The gate is oak.");
}

#[tokio::test]
async fn an_agent_cannot_touch_what_the_author_wrote_and_nothing_of_a_bulk_change_happens() {
    let world = World::new().await;
    let own = world.session.memories().create(draft(Place::Workspace, "An observation."), agent()).await;
    let own = own.expect("an agent may remember").id();
    let authors = world.write(Place::Workspace, "The author's own.").await;
    let refused = world.session.memories().forget(&[own, authors], "tidying", agent()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    assert!(world.entry(own).await.is_active() && world.entry(authors).await.is_active());
    assert_eq!(world.entry(own).await.curator, Curator::Agent);
}

#[tokio::test]
async fn every_kind_of_change_can_be_undone() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let before = world.entry(id).await;

    let edit =
        world.session.memories().edit(id, 1, new_text("The gate is oak."), author()).await.expect("edit");
    world.session.memories().undo_change(edit.change, author()).await.expect("undo");
    assert!(world.entry(id).await.same_body(&before));

    world.session.memories().tag(&[id], &["gate".into()], &[], author()).await.expect("tag");
    world.session.memories().undo_last(author()).await.expect("undo");
    assert!(world.entry(id).await.same_body(&before));

    world.session.memories().forget(&[id], "a mistake", author()).await.expect("forget");
    world.session.memories().undo_last(author()).await.expect("undo");
    assert!(world.entry(id).await.same_body(&before));

    world.session.memories().undo_last(author()).await.expect("the creation is next");
    assert!(!world.entry(id).await.is_active());
    assert!(matches!(world.session.memories().undo_last(author()).await, Err(AppError::NothingToUndo)));
}

#[tokio::test]
async fn a_change_followed_by_a_later_edit_cannot_be_undone() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "one").await;
    let first = world.session.memories().edit(id, 1, new_text("two"), author()).await.expect("edit");
    world.session.memories().edit(id, 2, new_text("three"), author()).await.expect("edit");
    let refused = world.session.memories().undo_change(first.change, author()).await;
    assert!(matches!(refused, Err(AppError::Stale { .. })));
    assert_eq!(world.entry(id).await.content, "three");
}

#[tokio::test]
async fn a_change_of_both_databases_is_undone_as_a_whole() {
    let world = World::new().await;
    let here = world.write(Place::Workspace, "of this world").await;
    let mine = world.write(Place::Account, "of the person").await;
    let done =
        world.session.memories().forget(&[here, mine], "spring cleaning", author()).await.expect("forget");
    assert_eq!(done.ids, [here, mine]);
    world.session.memories().undo_change(done.change, author()).await.expect("undo");
    assert!(world.entry(here).await.is_active() && world.entry(mine).await.is_active());
    assert!(matches!(
        world.session.memories().undo_change(done.change, author()).await,
        Err(AppError::AlreadyUndone)
    ));
}

#[tokio::test]
async fn reverting_to_an_earlier_version_adds_a_version_and_keeps_the_history() {
    let world = World::new().await;
    let id = world.write(Place::Account, "first words").await;
    world.session.memories().edit(id, 1, new_text("second words"), author()).await.expect("edit");
    world.session.memories().restore_version(id, 1, 2, author()).await.expect("restore");
    let history = world.session.memories().history(id).await.expect("history");
    let texts: Vec<&str> = history.iter().map(|item| item.entry.content.as_str()).collect();
    assert_eq!(texts, ["first words", "second words", "first words"]);
    assert!(matches!(
        world.session.memories().restore_version(id, 9, 3, author()).await,
        Err(AppError::NotFound { what: "version", .. })
    ));
}

#[tokio::test]
async fn bad_input_names_the_field_and_writes_nothing() {
    let world = World::new().await;
    let mut bad = draft(Place::Workspace, "fine");
    bad.importance = f64::NAN;
    let refused = world.session.memories().create(bad, author()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Importance))));
    let id = world.write(Place::Workspace, "kept").await;
    let patch = MemoryPatch { content: Some("nul\0".into()), ..MemoryPatch::default() };
    assert!(world.session.memories().edit(id, 1, patch, author()).await.is_err());
    assert_eq!(world.entry(id).await.version, 1);
}
