//! Former ids, names, uses and open days.

use chrono::{NaiveDate, TimeDelta};
use inklings_domain::{
    memory::{
        MemoryEntry,
        change_set::{Action, MemoryWrite},
    },
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    memory::store::Access,
    store_error::StoreError,
    testing::builders::{author, change, draft, import, imported, new_tags},
};

use super::{CheckedStage, Stage, refused};

async fn by_external_ids(stage: &Stage, place: Place, ids: &[&str]) -> Vec<MemoryEntry> {
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let mut found = stage.store().by_external_ids(place, &ids).await.expect("entries are found");
    found.sort_by_key(|e| e.id);
    found
}

/// Active or forgotten; ids that name nothing are left out.
#[tokio::test]
async fn imported_entries_are_found_by_their_former_ids() {
    let stage = CheckedStage::new().await;
    let place = Place::Channel(stage.side.id);
    let made = stage
        .write(
            import(),
            [imported(place, "D1:1", "One."), imported(place, "D1:2", "Two."), draft(place, "Own.")],
        )
        .await;
    let gone = stage.apply(stage.scribe.forget(author(), &made[1])).await;
    assert_eq!(by_external_ids(&stage, place, &["D1:1", "D1:2", "D9:9"]).await, [made[0].clone(), gone]);
    assert_eq!(by_external_ids(&stage, place, &["d1:1", "D1", ""]).await, []);
    assert_eq!(by_external_ids(&stage, place, &[]).await, []);
}

/// The same id may name different things in different channels and conversations.
#[tokio::test]
async fn former_ids_are_scoped_to_one_place() {
    let stage = CheckedStage::new().await;
    let drafts = stage.places().map(|place| imported(place, "D1:1", "The same id."));
    let made = stage.write(import(), drafts).await;
    for entry in made {
        assert_eq!(by_external_ids(&stage, entry.place, &["D1:1"]).await, [entry]);
    }
}

/// The same file is not brought in beside what was moved, and the place it was moved to has an id of its own.
#[tokio::test]
async fn a_moved_entry_is_found_by_the_place_that_it_was_imported_into() {
    let stage = CheckedStage::new().await;
    let (first, second) = (Place::Channel(stage.side.id), Place::Workspace);
    let entry = stage.write_one(import(), imported(first, "D1:1", "One.")).await;
    let stamp = stage.scribe.stamp(author());
    let moved = entry.moved(second, stamp).expect("it may be moved");
    let change = change(stamp, Action::Move, [MemoryWrite::Move(moved.clone())]);
    stage.store().commit(&change).await.expect("moved");
    assert_eq!(by_external_ids(&stage, first, &["D1:1"]).await, std::slice::from_ref(&moved));
    assert_eq!(by_external_ids(&stage, second, &["D1:1"]).await, [moved]);
    let twin = stage.write_one(import(), imported(first, "D1:1", "One, again.")).await;
    assert_eq!(by_external_ids(&stage, first, &["D1:1"]).await, [twin], "the one that is there comes first");
}

/// What is imported twice is updated, never doubled.
#[tokio::test]
async fn a_former_id_is_unique_in_a_place() {
    let stage = CheckedStage::new().await;
    let place = Place::Channel(stage.side.id);
    let entry = stage.write_one(import(), imported(place, "D1:1", "One.")).await;
    stage.apply(stage.scribe.forget(author(), &entry)).await;
    let (twin, made) = stage.scribe.create(import(), [imported(place, "D1:1", "One, again.")]);
    refused!(stage.store().commit(&twin).await, StoreError::AlreadyExists(_));
    assert!(stage.find(made[0].id).await.is_none());
}

/// Regardless of case; another tier may use it, and so may an entry that comes after a forgotten one.
#[tokio::test]
async fn a_name_is_used_once_in_a_tier() {
    let stage = CheckedStage::new().await;
    let places = [Place::Workspace, Place::Workspace, Place::Channel(stage.side.id)];
    let made = stage.write(author(), places.map(|place| draft(place, "Text."))).await;
    let name = |entry: &MemoryEntry, name: &str| {
        stage.scribe.forced(author(), entry, |e| e.name = Some(name.to_owned()))
    };
    let first = stage.apply(name(&made[0], "Voice")).await;
    let (twin, _) = name(&made[1], "VOICE");
    refused!(stage.store().commit(&twin).await, StoreError::AlreadyExists(_));
    assert_eq!(stage.read(made[1].id).await.entry, made[1]);
    stage.apply(name(&made[2], "voice")).await;
    let gone = stage.apply(stage.scribe.forget(author(), &first)).await;
    stage.apply(name(&made[1], "VOICE")).await;
    let (back, _) = stage.scribe.restore(author(), &gone);
    refused!(stage.store().commit(&back).await, StoreError::AlreadyExists(_));
    assert_eq!(stage.read(gone.id).await.entry, gone);
}

/// Of active entries; a forgotten one's name is not in use.
#[tokio::test]
async fn names_in_use_are_listed() {
    let stage = CheckedStage::new().await;
    let in_use = || async { stage.store().names().await.expect("names are read") };
    assert_eq!(in_use().await, []);
    let made =
        stage.write(author(), ["Plain.", "Voice.", "Rules."].map(|c| draft(Place::Workspace, c))).await;
    let mut expected = Vec::new();
    let mut named = Vec::new();
    for (entry, name) in made[1..].iter().zip(["VOICE", "Hausregeln ß"]) {
        let after = stage.apply(stage.scribe.forced(author(), entry, |e| e.name = Some(name.into()))).await;
        expected.push((name.to_owned(), entry.id));
        named.push(after);
    }
    let mut found = in_use().await;
    found.sort_by_key(|(_, id)| *id);
    assert_eq!(found, expected);
    stage.apply(stage.scribe.forget(author(), &named[0])).await;
    assert_eq!(in_use().await, expected[1..]);
}

async fn record(stage: &Stage, uses: &[Access]) {
    stage.store().record_access(uses).await.expect("uses are recorded");
}

/// Count and time move, version, journal and everything else stay. Unknown ids are no error.
#[tokio::test]
async fn uses_add_up_without_a_new_version() {
    let stage = CheckedStage::new().await;
    let made = stage.write(author(), ["One.", "Two."].map(|c| draft(Place::Workspace, c))).await;
    let standing = stage.store().last_undoable().await.expect("the journal is read");
    let later = stage.scribe.clock.now() + TimeDelta::milliseconds(90_001);
    let unknown = Access { id: stage.scribe.ids.memory_id(), times: 1, at: later, by: None };
    record(
        &stage,
        &[Access { id: made[0].id, times: 3, at: later - TimeDelta::seconds(9), by: None }, unknown],
    )
    .await;
    record(&stage, &[Access { id: made[0].id, times: 2, at: later, by: None }]).await;
    let expected = MemoryEntry { access_count: 5, accessed_at: later, ..made[0].clone() };
    assert_eq!(stage.read(made[0].id).await.entry, expected);
    assert_eq!(stage.read(made[1].id).await.entry, made[1]);
    assert_eq!(stage.store().history(made[0].id).await.expect("history is read").len(), 1);
    assert_eq!(stage.store().last_undoable().await.expect("the journal is read"), standing);
}

/// Batches may arrive out of order.
#[tokio::test]
async fn an_older_use_does_not_decrease_the_time_of_last_use() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let at = entry.accessed_at - TimeDelta::days(1);
    record(&stage, &[Access { id: entry.id, times: 1, at, by: None }]).await;
    assert_eq!(stage.read(entry.id).await.entry, MemoryEntry { access_count: 1, ..entry });
}

/// Using an entry is not changing it: the guard against agents lets it pass.
#[tokio::test]
async fn uses_of_locked_entries_are_counted() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(import(), draft(Place::Workspace, "Brought in.")).await;
    let at = stage.scribe.clock.tick();
    record(&stage, &[Access { id: entry.id, times: 1, at, by: None }]).await;
    assert_eq!(stage.read(entry.id).await.entry, MemoryEntry { access_count: 1, accessed_at: at, ..entry });
}

/// A writer who read the entry before the use was counted does not wipe it out: a use makes no version, so the
/// writer could not know.
#[tokio::test]
async fn a_write_does_not_lose_uses_counted_meanwhile() {
    let stage = CheckedStage::new().await;
    let seen = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let at = stage.scribe.clock.now() + TimeDelta::hours(1);
    record(&stage, &[Access { id: seen.id, times: 4, at, by: None }]).await;
    stage.apply(stage.scribe.edit(author(), &seen, new_tags(&["late"]))).await;
    let stored = stage.read(seen.id).await.entry;
    assert_eq!((stored.version, stored.access_count, stored.accessed_at), (2, 4, at));
}

/// Each day once, in order, also in the account's database.
#[tokio::test]
async fn days_of_use_are_stored_once_and_in_order() {
    let stage = CheckedStage::new().await;
    let day = |d| NaiveDate::from_ymd_opt(2026, 3, d).expect("a valid day");
    for store in [stage.store(), stage.account.memory.store.as_ref()] {
        assert_eq!(store.open_days().await.expect("days are read"), []);
        for d in [9, 2, 9, 30, 2] {
            store.mark_open(day(d)).await.expect("a day is marked");
        }
        assert_eq!(store.open_days().await.expect("days are read"), [day(2), day(9), day(30)]);
    }
}

/// A client's reading of its own words makes nothing matter more; anybody else's does.
#[tokio::test]
async fn a_clients_uses_of_its_own_entries_do_not_count() {
    let stage = CheckedStage::new().await;
    let client = inklings_domain::ids::ClientId::from_uuid(uuid::Uuid::from_u128(5));
    let actor = Actor::new(ActorKind::Agent, Interface::Mcp, Some(client.run())).expect("a client");
    let own = stage.write_one(actor, draft(Place::Workspace, "A client's words.")).await;
    let other = stage.write_one(author(), draft(Place::Workspace, "The author's words.")).await;
    let at = stage.scribe.clock.tick();
    let uses = |by| [own.id, other.id].map(|id| Access { id, times: 1, at, by });
    record(&stage, &uses(Some(client))).await;
    assert_eq!(stage.read(own.id).await.entry, own);
    assert_eq!(stage.read(other.id).await.entry.access_count, 1);
    record(&stage, &uses(None)).await;
    assert_eq!(stage.read(own.id).await.entry.access_count, 1);
}
