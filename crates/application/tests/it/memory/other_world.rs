//! Moves to another world: nothing is lost wherever they are cut off, and the same move made again completes them.

use std::sync::Arc;

use super::{World, everything};
use inklings_application::{
    error::{AppError, GuardRefusal},
    memory::write::Written,
    scrub::{Operator, ScrubRequest},
    session::{EmbedderSlot, Session},
};
use inklings_domain::{
    forget_reason::ForgetReason,
    ids::{MemoryId, WorkspaceId},
    memory::{InvalidMemory, MemoryEntry, filter::Sort},
    provenance::ActorKind,
    scope::Place,
    scrub::{ScrubFile, ScrubMode, ScrubTarget},
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::testing::builders::{author, draft, every_actor, new_text};

const OTHER: &str = "Westmark";

async fn other_world(world: &World) -> Session {
    let name = WorkspaceName::new(OTHER).expect("a safe name");
    let id: WorkspaceId = world.session.ids.workspace_id();
    let workspace = Workspace { id, name, created_at: world.session.clock.now() };
    world.catalogue.create(&workspace).await.expect("made");
    let ports = world.catalogue.open(id).await.expect("opened");
    let (clock, ids) = (Arc::clone(&world.session.clock), Arc::clone(&world.session.ids));
    Session::new(world.session.account.clone(), ports, clock, ids, EmbedderSlot::default())
}

/// The texts in use in the databases of a session, without those that every world begins with.
async fn texts(session: &Session) -> Vec<String> {
    let all = session.workspace.memory.store.list(&everything(), Sort::CreatedAsc, None, 99).await;
    all.expect("a list").into_iter().map(|stored| stored.entry.content).collect()
}

async fn there(target: &Session, from: &MemoryEntry) -> MemoryEntry {
    target.entry(from.id_in(target.workspace.workspace.id)).await.expect("it is there").entry
}

#[tokio::test]
async fn a_memory_moves_to_another_world_and_its_own_tells_where() {
    let world = World::new().await;
    let target = other_world(&world).await;
    let channel = Place::Channel(target.channels().create("maps", "").await.expect("a channel").id);
    let memories = world.session.memories();
    for (from, to) in [
        (Place::Workspace, channel),
        (Place::Workspace, Place::Workspace),
        (Place::Account, Place::Workspace),
    ] {
        let id = world.write(from, "Odile guards the iron gate").await;
        let before = world.entry(id).await;
        let done = memories.move_to_world(&[id], &target, to, author()).await.expect("it moves");
        let (left, arrived) = (world.entry(id).await, there(&target, &before).await);
        assert!(left.is_forgotten_for(&ForgetReason::Moved(Some(OTHER.to_owned()))));
        assert_eq!(left.consolidated_into, Some(arrived.id));
        assert_eq!(
            (arrived.place, &arrived.content, arrived.created_at),
            (to, &before.content, before.created_at)
        );
        // Each world undoes its own part.
        memories.undo_change(done.change, author()).await.expect("the undo");
        assert!(world.entry(id).await.same_body(&before));
        assert!(there(&target, &before).await.is_active());
        memories.undo_last(author()).await.expect("its creation");
    }
}

#[tokio::test]
async fn a_move_that_was_cut_off_is_completed_by_the_same_move_and_makes_no_second_memory() {
    let world = World::new().await;
    let target = other_world(&world).await;
    let memories = world.session.memories();
    let ids = [world.write(Place::Workspace, "One.").await, world.write(Place::Account, "Two.").await];
    let first = memories.move_to_world(&ids, &target, Place::Workspace, author()).await.expect("it moves");
    // The worlds are now as after a process that ended between the two commits.
    memories.undo_change(first.change, author()).await.expect("the undo");
    assert_eq!(texts(&target).await, ["One.", "Two."]);
    memories.move_to_world(&ids, &target, Place::Workspace, author()).await.expect("it is completed");
    assert_eq!(texts(&target).await, ["One.", "Two."]);
    assert!(texts(&world.session).await.is_empty());
    for id in ids {
        assert!(!world.entry(id).await.is_active());
    }
    let again = memories.move_to_world(&ids, &target, Place::Workspace, author()).await;
    assert!(matches!(again, Err(AppError::Memory(InvalidMemory::NoChange))), "{again:?}");
    // It comes back with what it says by now, also where it was forgotten, and to another place there.
    memories.restore(&ids[..1], author()).await.expect("restored");
    let version = world.entry(ids[0]).await.version;
    memories.edit(ids[0], version, new_text("One more."), author()).await.expect("edited");
    let differs = memories.move_to_world(&ids[..1], &target, Place::Workspace, author()).await;
    assert!(matches!(differs, Err(AppError::Memory(InvalidMemory::DiffersThere))), "{differs:?}");
    assert!(world.entry(ids[0]).await.is_active());
    let arrived = there(&target, &world.entry(ids[0]).await).await;
    target.memories().forget(&[arrived.id], "old", author()).await.expect("forgotten");
    let channel = Place::Channel(target.channels().create("maps", "").await.expect("a channel").id);
    memories.move_to_world(&ids[..1], &target, channel, author()).await.expect("it moves");
    let arrived = there(&target, &world.entry(ids[0]).await).await;
    assert_eq!((arrived.content.as_str(), arrived.place, arrived.is_active()), ("One more.", channel, true));
}

async fn scrub(session: &Session, id: MemoryId) {
    let target = ScrubTarget::Entry(id, ScrubFile::Workspace);
    let hash = session.scrubs().preview(&target, ScrubMode::Full).await.expect("a manifest").hash;
    let phrase = target.phrase().to_owned();
    let request = ScrubRequest { target, mode: ScrubMode::Full, hash, phrase };
    session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
}

#[tokio::test]
async fn nothing_is_written_in_either_world_when_one_memory_cannot_arrive() {
    let world = World::new().await;
    let target = other_world(&world).await;
    let memories = world.session.memories();
    let plain = world.write(Place::Workspace, "The gate is iron.").await;
    let odile =
        world.session.subjects().add("Odile", "character", "", author()).await.expect("a subject").id();
    let secret = world.write(Place::Workspace, "The key is under the stone.").await;
    let version = world.entry(secret).await.version;
    world.session.lenses().set_known_by(secret, version, &[(odile, None)], author()).await.expect("a secret");
    let scrubbed = world.write(Place::Workspace, "Tobin is the son of Odile.").await;
    let same = draft(Place::Workspace, "Tobin is the son of Odile.");
    let gone = target.memories().create(same, author()).await.expect("made").id();
    scrub(&target, gone).await;
    let before = texts(&world.session).await;
    let refused = |done: Result<_, AppError>| done.map(|_: Written| ()).expect_err("refused");

    let bound = refused(memories.move_to_world(&[plain, secret], &target, Place::Workspace, author()).await);
    assert!(matches!(bound, AppError::Memory(InvalidMemory::BoundToWorkspace)), "{bound:?}");
    let named = refused(memories.move_to_world(&[plain, odile], &target, Place::Workspace, author()).await);
    assert!(matches!(named, AppError::Memory(InvalidMemory::StaysInTier)), "{named:?}");
    let known =
        refused(memories.move_to_world(&[plain, scrubbed], &target, Place::Workspace, author()).await);
    assert!(matches!(known, AppError::Guard(GuardRefusal::Scrubbed)), "{known:?}");
    let account = refused(memories.move_to_world(&[plain], &target, Place::Account, author()).await);
    assert!(matches!(account, AppError::Input { field: "scope", .. }), "{account:?}");
    let archived = target.channels().create("old", "").await.expect("a channel").id;
    target.channels().archive(archived).await.expect("archived");
    let closed = refused(memories.move_to_world(&[plain], &target, Place::Channel(archived), author()).await);
    assert!(matches!(closed, AppError::Input { field: "channel", .. }), "{closed:?}");
    for actor in every_actor().into_iter().filter(|actor| actor.kind() != ActorKind::Author) {
        let locked = refused(memories.move_to_world(&[plain], &target, Place::Workspace, actor).await);
        assert!(matches!(locked, AppError::Memory(InvalidMemory::Locked)), "{locked:?}");
    }
    target.switch().set_enabled(false).await.expect("off");
    let off = refused(memories.move_to_world(&[plain], &target, Place::Workspace, author()).await);
    assert!(matches!(off, AppError::MemoryOff), "{off:?}");

    assert_eq!(texts(&world.session).await, before);
    assert!(texts(&target).await.is_empty());
}
