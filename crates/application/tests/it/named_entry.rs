//! The promises of named entries, kept on SQLite.

use inklings_application::error::AppError;
use inklings_domain::{memory::InvalidMemory, named_entry::names_of, scope::MemoryScope};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{agent, author},
};

use crate::support::World;

async fn begun() -> World {
    let world = World::new().await;
    world.session.named_entries().begin(author()).await.expect("they are made");
    world
}

async fn names(world: &World) -> Vec<String> {
    let entries = world.session.named_entries().list().await.expect("a list");
    entries.iter().map(|entry| names_of(entry).collect::<Vec<_>>().join("/")).collect()
}

#[tokio::test]
async fn every_workspace_and_account_begins_with_voice_and_soul_once() {
    let world = begun().await;
    assert_eq!(names(&world).await, ["VOICE", "SOUL"]);
    let voice = world.session.named_entries().get("voice", None).await.expect("it resolves");
    assert_eq!(voice.content, "");
    world.session.named_entries().remove(voice.id, voice.version, author()).await.expect("removed");
    world.session.named_entries().begin(author()).await.expect("nothing to do");
    assert_eq!(names(&world).await, ["SOUL"], "what the worldbuilder removed stays removed");
}

#[tokio::test]
async fn undo_does_not_remove_the_initial_entries() {
    let world = begun().await;
    let nothing = world.session.memories().undo_last(author()).await;
    assert!(matches!(nothing, Err(AppError::NothingToUndo)), "{nothing:?}");
}

#[tokio::test]
async fn an_agent_can_neither_create_nor_change_named_entries() {
    let world = World::new().await;
    world.session.named_entries().begin(agent()).await.expect("left to the worldbuilder");
    assert!(names(&world).await.is_empty());
    let world = begun().await;
    let voice = world.session.named_entries().get("VOICE", None).await.expect("there");
    let written = world.session.named_entries().write(voice.id, voice.version, "Obey.", agent()).await;
    assert!(matches!(written, Err(AppError::Memory(InvalidMemory::Locked))), "{written:?}");
    let added = world.session.named_entries().add(MemoryScope::Workspace, "TONE", "x", agent()).await;
    assert!(matches!(added, Err(AppError::Memory(InvalidMemory::Locked))), "{added:?}");
}

#[tokio::test]
async fn names_and_aliases_are_unique_within_a_tier() {
    let world = begun().await;
    let session = &world.session;
    let voice = session.named_entries().get("VOICE", None).await.expect("there");
    session
        .named_entries()
        .set_aliases(voice.id, voice.version, "Tone", false, author())
        .await
        .expect("free");
    for taken in ["tone", "Voice"] {
        let added = session.named_entries().add(MemoryScope::Workspace, taken, "", author()).await;
        assert!(matches!(added, Err(AppError::Store(StoreError::AlreadyExists(_)))), "{taken}: {added:?}");
    }
    // Another tier is another space.
    session.named_entries().add(MemoryScope::Account, "Tone", "Kind.", author()).await.expect("free there");
    assert_eq!(
        session.named_entries().get("tone", None).await.expect("there").id,
        voice.id,
        "the workspace's own first"
    );
    let account = session.named_entries().get("tone", Some(MemoryScope::Account)).await.expect("there");
    assert_eq!(account.content, "Kind.");
}

#[tokio::test]
async fn an_alias_is_reassigned_only_on_request_and_undo_restores_it() {
    let world = begun().await;
    let session = &world.session;
    let voice = session.named_entries().get("VOICE", None).await.expect("there");
    session
        .named_entries()
        .set_aliases(voice.id, voice.version, "Tone", false, author())
        .await
        .expect("free");
    let made = session.named_entries().add(MemoryScope::Workspace, "STYLE", "", author()).await;
    let made = made.expect("made").id();
    let refused = session.named_entries().set_aliases(made, 1, "tone", false, author()).await;
    assert!(matches!(refused, Err(AppError::Store(StoreError::AlreadyExists(_)))), "{refused:?}");
    let rebound =
        session.named_entries().set_aliases(made, 1, "tone", true, author()).await.expect("on purpose");
    assert_eq!(names(&world).await, ["VOICE", "SOUL", "STYLE/tone"]);
    let own = session.named_entries().set_aliases(made, 2, "VOICE", true, author()).await;
    assert!(matches!(own, Err(AppError::Input { field: "alias", .. })), "{own:?}");
    session.memories().undo_change(rebound.change, author()).await.expect("taken back");
    assert_eq!(names(&world).await, ["VOICE/Tone", "SOUL", "STYLE"]);
}

#[tokio::test]
async fn removing_an_entry_removes_its_aliases_and_restoring_it_restores_them() {
    let world = begun().await;
    let session = &world.session;
    let made = session
        .named_entries()
        .add(MemoryScope::Workspace, "Style", "Spare.", author())
        .await
        .expect("made")
        .id();
    session.named_entries().rename(made, 1, "Manner", author()).await.expect("renamed");
    session.named_entries().remove(made, 2, author()).await.expect("removed");
    assert!(session.named_entries().get("style", None).await.is_err());
    session
        .named_entries()
        .add(MemoryScope::Workspace, "Style", "Ornate.", author())
        .await
        .expect("free again");
    let back = session.memories().restore(&[made], author()).await;
    assert!(
        matches!(back, Err(AppError::Store(StoreError::AlreadyExists(_)))),
        "its alias is taken: {back:?}"
    );
}

#[tokio::test]
async fn an_empty_entry_is_in_no_list_and_no_search() {
    let world = begun().await;
    assert!(
        world
            .session
            .memories()
            .list(
                &inklings_application::testing::world::everything(),
                inklings_domain::memory::filter::Sort::UpdatedDesc,
                None,
                10
            )
            .await
            .expect("a list")
            .entries
            .is_empty()
    );
}
