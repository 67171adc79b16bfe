//! The database's own guard: no write in an agent's name touches what is the author's. These checks hand the store
//! what the domain would never let through.

use inklings_domain::{
    ids::ClientId,
    memory::{Forgotten, MemoryEntry, MemoryKind, text_source::TextSource},
    provenance::{Actor, ActorKind, Curator, Interface},
    scope::Place,
};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{agent, author, draft, import, new_tags, new_text, noted, task},
};

use super::{CheckedStage, Stage, refused, together};

type Wreck = fn(&mut MemoryEntry);

/// Ways to change an entry, the last ones to get around the guard.
const WRECKS: &[(&str, Wreck)] = &[
    ("rewrites it", |e| e.content = "Rewritten.".into()),
    ("tags it", |e| e.tags = vec!["mine".into()]),
    ("touches nothing", |_| {}),
    ("forgets it", |e| {
        e.forgotten = Some(Forgotten { at: e.updated_at, reason: noted("old"), run: None });
    }),
    ("takes it over", |e| e.curator = Curator::Agent),
    ("takes its name away", |e| e.name = None),
    ("takes it over and renames it", |e| (e.curator, e.name) = (Curator::Agent, None)),
    ("unpins it", |e| e.pinned = false),
    ("takes it over, renames and unpins it", |e| {
        (e.curator, e.name, e.pinned) = (Curator::Agent, None, false);
    }),
];

async fn holds_against_agents(stage: &Stage, entry: &MemoryEntry) {
    for intruder in [agent(), task()] {
        for (how, wreck) in WRECKS {
            let (change, _) = stage.scribe.forced(intruder, entry, wreck);
            let result = stage.store().commit(&change).await;
            let actor_kind = intruder.kind();
            assert!(
                matches!(result, Err(StoreError::Locked(_))),
                "{actor_kind} {how}: should be locked, got {result:?}"
            );
            assert_eq!(stage.read(entry.id).await.entry, *entry, "{actor_kind} {how}");
            let history = stage.store().history(entry.id).await.expect("history is read");
            assert_eq!(history.len() as u64, entry.version, "{actor_kind} {how}");
        }
    }
}

/// In every place, active or forgotten.
#[tokio::test]
async fn no_agent_changes_what_the_author_wrote() {
    let stage = CheckedStage::new().await;
    for place in stage.places() {
        let entry = stage.write_one(author(), draft(place, "The author's.")).await;
        holds_against_agents(&stage, &entry).await;
    }
    let entry = stage.write_one(author(), draft(Place::Workspace, "The author's.")).await;
    let entry = stage.apply(stage.scribe.forget(author(), &entry)).await;
    holds_against_agents(&stage, &entry).await;
}

/// Imports are as protected as the author's own.
#[tokio::test]
async fn no_agent_changes_what_was_imported() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(import(), draft(Place::Channel(stage.side.id), "Brought in.")).await;
    holds_against_agents(&stage, &entry).await;
}

/// A name protects an entry whoever curates it.
#[tokio::test]
async fn no_agent_changes_a_named_entry() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let named = stage.scribe.forced(author(), &entry, |e| e.name = Some("VOICE".into()));
    let named = stage.apply(named).await;
    assert_eq!(named.curator, Curator::Agent);
    holds_against_agents(&stage, &named).await;
}

/// A pin protects an entry whoever curates it; taken off by its author, it protects no more.
#[tokio::test]
async fn no_agent_changes_what_is_pinned() {
    let stage = CheckedStage::new().await;
    for place in stage.places() {
        let entry = stage.write_one(agent(), draft(place, "The agent's.")).await;
        let pinned = stage.apply(stage.scribe.forced(author(), &entry, |e| e.pinned = true)).await;
        assert_eq!(pinned.curator, Curator::Agent);
        holds_against_agents(&stage, &pinned).await;
        let free = stage.apply(stage.scribe.forced(author(), &pinned, |e| e.pinned = false)).await;
        stage.apply(stage.scribe.edit(agent(), &free, new_text("Better said."))).await;
    }
}

/// Neither when it writes an entry nor later, and no archive either.
#[tokio::test]
async fn no_agent_pins() {
    let stage = CheckedStage::new().await;
    let own = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    for actor_kind in [agent(), task()] {
        let (change, _) = stage.scribe.forced(actor_kind, &own, |e| e.pinned = true);
        refused!(stage.store().commit(&change).await, StoreError::Locked(_));
        let entry = stage.scribe.entry(draft(Place::Workspace, "New."), stage.scribe.stamp(actor_kind));
        let note = MemoryEntry { pinned: true, ..entry.clone() };
        let archive =
            MemoryEntry { kind: MemoryKind::Archive, name: Some("Old talk".into()), ..note.clone() };
        for entry in [note, archive] {
            let (change, _) = stage.scribe.insert_raw(actor_kind, [entry]);
            refused!(stage.store().commit(&change).await, StoreError::Locked(_));
        }
    }
    assert_eq!(stage.read(own.id).await.entry, own);
}

/// An agent's change of many entries fails as a whole if one of them is locked.
#[tokio::test]
async fn one_locked_entry_refuses_the_whole_change() {
    let stage = CheckedStage::new().await;
    let own = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let mine = stage.write_one(author(), draft(Place::Workspace, "The author's.")).await;
    let (fine, _) = stage.scribe.edit(agent(), &own, new_tags(&["fine"]));
    let (theft, _) = stage.scribe.forced(agent(), &mine, |e| e.content = "Rewritten.".into());
    refused!(stage.store().commit(&together(fine, &theft)).await, StoreError::Locked(_));
    assert_eq!(stage.read(own.id).await.entry, own);
    assert_eq!(stage.read(mine.id).await.entry, mine);
}

/// An agent cannot write an entry that claims to be the author's or an import, nor give one a name.
#[tokio::test]
async fn no_agent_writes_in_the_authors_name() {
    let stage = CheckedStage::new().await;
    for (actor_kind, claim) in
        [(agent(), Curator::Author), (task(), Curator::Author), (agent(), Curator::Import)]
    {
        let stamp = stage.scribe.stamp(actor_kind);
        let entry = stage.scribe.entry(draft(Place::Workspace, "Forged."), stamp);
        let (change, entries) =
            stage.scribe.insert_raw(actor_kind, [MemoryEntry { curator: claim, ..entry }]);
        refused!(stage.store().commit(&change).await, StoreError::Locked(_) | StoreError::Refused(_));
        assert!(stage.find(entries[0].id).await.is_none());
    }
    let own = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let claims: [Wreck; 2] = [|e| e.curator = Curator::Author, |e| e.name = Some("VOICE".into())];
    for claim in claims {
        let (change, _) = stage.scribe.forced(agent(), &own, claim);
        refused!(stage.store().commit(&change).await, StoreError::Locked(_) | StoreError::Refused(_));
    }
    assert_eq!(stage.read(own.id).await.entry, own);
}

/// The guard lets agents and tasks at their own entries.
#[tokio::test]
async fn agents_and_tasks_may_change_their_own_entries() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let entry = stage.apply(stage.scribe.edit(task(), &entry, new_text("Better said."))).await;
    let entry = stage.apply(stage.scribe.forget(agent(), &entry)).await;
    let entry = stage.apply(stage.scribe.restore(task(), &entry)).await;
    assert_eq!(stage.read(entry.id).await.entry, entry);
    assert_eq!(entry.written_by, ActorKind::System);
}

/// Nothing is locked against the worldbuilder.
#[tokio::test]
async fn the_author_changes_everything() {
    let stage = CheckedStage::new().await;
    for owner in [author(), import(), agent(), task()] {
        for actor_kind in [author(), import()] {
            let entry = stage.write_one(owner, draft(Place::Workspace, "Somebody's.")).await;
            let named = stage.scribe.forced(actor_kind, &entry, |e| e.name = Some(format!("NAME {}", e.id)));
            let named = stage.apply(named).await;
            let edited = stage.apply(stage.scribe.edit(actor_kind, &named, new_text("Now otherwise."))).await;
            let gone = stage.apply(stage.scribe.forget(actor_kind, &edited)).await;
            assert_eq!(stage.read(entry.id).await.entry, gone);
        }
    }
}

fn client() -> (ClientId, Actor) {
    let id = ClientId::from_uuid(uuid::Uuid::from_u128(5));
    (id, Actor::new(ActorKind::Agent, Interface::Mcp, Some(id.run())).expect("a client"))
}

/// Whether it writes or rewrites; and nobody takes the client's name off its text but with the text.
#[tokio::test]
async fn a_clients_text_names_the_client() {
    let stage = CheckedStage::new().await;
    let (id, actor) = client();
    let unnamed: Wreck = |e| e.derived_from = Vec::new();
    for place in stage.places() {
        let (change, _) = stage.scribe.create(actor, [draft(place, "A client's.")]);
        let mut nameless = change.clone();
        for write in &mut nameless.writes {
            if let inklings_domain::memory::change_set::MemoryWrite::Insert(entry) = write {
                unnamed(entry);
            }
        }
        refused!(stage.store().commit(&nameless).await, StoreError::Locked(_));
        let entry = stage.write_one(actor, draft(place, "A client's.")).await;
        assert_eq!(entry.derived_from, [TextSource::Client(id)]);
        for actor_kind in [agent(), task(), author(), actor] {
            let (change, _) = stage.scribe.forced(actor_kind, &entry, unnamed);
            refused!(stage.store().commit(&change).await, StoreError::Locked(_));
        }
        let (change, _) = stage.scribe.forced(author(), &entry, |e| e.curator = Curator::Author);
        refused!(stage.store().commit(&change).await, StoreError::Locked(_));
        let other = stage.write_one(agent(), draft(place, "The agent's.")).await;
        let (change, _) = stage.scribe.forced(actor, &other, |e| e.content = "The client's now.".into());
        refused!(stage.store().commit(&change).await, StoreError::Locked(_));
    }
}

/// The worldbuilder writes another text, and takes that back again.
#[tokio::test]
async fn the_author_may_rewrite_a_clients_text_and_undo_that() {
    let stage = CheckedStage::new().await;
    let (_, actor) = client();
    let first = stage.write_one(actor, draft(Place::Workspace, "A client's.")).await;
    let own = stage.apply(stage.scribe.edit(author(), &first, new_text("The author's."))).await;
    assert_eq!((own.curator, own.derived_from.len()), (Curator::Author, 0));
    let back = stage.apply(stage.scribe.forced(author(), &own, |e| {
        (e.content, e.curator) = ("A client's.".into(), Curator::Agent);
        e.derived_from = vec![TextSource::Client(client().0)];
    }));
    let back = back.await;
    let again = stage.scribe.forced(author(), &back, |e| {
        (e.content, e.curator) = ("The author's.".into(), Curator::Author);
        e.derived_from = Vec::new();
    });
    stage.apply(again).await;
}

/// In the change that makes the text.
#[tokio::test]
async fn a_merged_text_keeps_the_sources_of_its_originals() {
    let stage = CheckedStage::new().await;
    let (id, actor) = client();
    let original = stage.write_one(actor, draft(Place::Workspace, "A client's.")).await;
    for keeps in [false, true] {
        let (mut change, made) = stage.scribe.create(task(), [draft(Place::Workspace, "Both in one.")]);
        if let Some(inklings_domain::memory::change_set::MemoryWrite::Insert(entry)) =
            change.writes.first_mut()
            && keeps
        {
            entry.derived_from = vec![TextSource::Client(id)];
        }
        let retired = original.retired_into(made[0].id, noted("told"), change.stamp).expect("an agent's");
        change.writes.push(inklings_domain::memory::change_set::MemoryWrite::Update(retired));
        let done = stage.store().commit(&change).await;
        assert_eq!(done.is_ok(), keeps, "{done:?}");
    }
}
