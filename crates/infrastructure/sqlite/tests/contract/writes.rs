//! What a commit keeps, and what it refuses.

use chrono::TimeDelta;
use inklings_domain::{
    ids::{ChannelId, ConversationId},
    memory::{
        Forgotten, Importance, MemoryEntry, MemoryKind, Origin, PLAIN_TEXTS,
        change_set::{Action, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    provenance::ActorKind,
    scope::{MemoryLifetime, Place},
    text::MAX_CONTENT_BYTES,
};
use inklings_ports::{
    clock::IdGenerator,
    memory::store::StoredEntry,
    store_error::StoreError,
    testing::builders::{agent, author, change, draft, import, new_tags, new_text, noted},
};

use super::{CheckedStage, Stage, refused, together};

/// An entry in which every field differs from its default.
fn unusual(stage: &Stage) -> MemoryEntry {
    let stamp = stage.scribe.stamp(author());
    let entry = stage.scribe.entry(draft(Place::Workspace, "Ünusual: 門 🐉\n\tsecond line"), stamp);
    let at = |ms| stamp.at + TimeDelta::milliseconds(ms);
    let mut unusual = MemoryEntry {
        lifetime: MemoryLifetime::ShortTerm,
        source: "orchestrator".into(),
        kind: MemoryKind::Archive,
        name: Some("VOICE".into()),
        aliases: vec!["Tön, \"leise\"".into(), "air".into()],
        importance: Importance::new(0.123_456_789_012_345_6).expect("within bounds"),
        tags: vec!["lore".into(), "old gods".into(), "ünïcôde".into()],
        pinned: true,
        origin: Some(Origin {
            external_id: Some("D1:7".into()),
            session: Some("session_1".into()),
            speaker: Some("Mira".into()),
            said_at: Some("about noon, 3rd of Frost".into()),
            conversation: Some(stage.side_conversation.id),
        }),
        forgotten: Some(Forgotten {
            at: at(5),
            reason: noted("no longer true"),
            run: Some(stage.scribe.ids.run_id()),
        }),
        access_count: 7,
        created_at: at(1),
        updated_at: at(123),
        accessed_at: at(4_567),
        ..entry
    };
    for plain in PLAIN_TEXTS {
        *(plain.of)(&mut unusual) = Some(format!("The {} of it", plain.name));
    }
    unusual
}

/// Insert and get are a round trip of every field, in every place.
#[tokio::test]
async fn every_field_of_a_new_entry_is_read_back() {
    let stage = CheckedStage::new().await;
    let other = stage.write_one(author(), draft(Place::Workspace, "The one it went into.")).await;
    for (n, place) in stage.places().into_iter().enumerate() {
        let entry = MemoryEntry {
            id: stage.scribe.ids.memory_id(),
            place,
            name: Some(format!("VOICE {n}")),
            aliases: vec![format!("Zunge {n}"), format!("Air {n}")],
            consolidated_into: Some(other.id),
            ..unusual(&stage)
        };
        let (change, entries) = stage.scribe.insert_raw(author(), [entry]);
        stage.commit(&change).await;
        let stored = stage.read(entries[0].id).await;
        assert_eq!(stored, StoredEntry { entry: entries[0].clone(), embedded_by: None });
    }
}

/// An update is a round trip of every field that a writer can change, set and cleared.
#[tokio::test]
async fn every_field_of_a_change_is_read_back() {
    let stage = CheckedStage::new().await;
    let plain = stage.write_one(author(), draft(Place::Workspace, "Plain.")).await;
    let dressed = unusual(&stage);
    let forced = stage.scribe.forced(author(), &plain, |e| {
        let (id, version, change) = (e.id, e.version, e.change);
        // Fixed when written, or counted by use alone.
        let (created_at, origin, access_count) = (e.created_at, e.origin.clone(), e.access_count);
        *e = MemoryEntry { id, version, change, created_at, origin, access_count, ..dressed };
    });
    let dressed = stage.apply(forced).await;
    assert_eq!(stage.read(plain.id).await.entry, dressed);
    let forced = stage.scribe.forced(author(), &dressed, |e| {
        (e.name, e.aliases, e.tags) = (None, Vec::new(), Vec::new());
        (e.pinned, e.forgotten) = (false, None);
    });
    let bare = stage.apply(forced).await;
    assert_eq!(stage.read(plain.id).await.entry, bare);
}

/// 64 KiB, quotes, SQL, right-to-left and combining text come back byte for byte.
#[tokio::test]
async fn long_and_unusual_texts_are_read_back_unchanged() {
    let stage = CheckedStage::new().await;
    let texts = [
        "x".repeat(MAX_CONTENT_BYTES),
        "'; DROP TABLE memories; -- \"quoted\" `ticks` \\ % _ ? :a @b $c".to_owned(),
        "שלום \u{200F}עולם e\u{301} é \u{FEFF} \u{1F469}\u{200D}\u{1F680} ﷽".to_owned(),
        "null true 1e999 NaN {\"json\": []}".to_owned(),
    ];
    for text in texts {
        let entry = stage.write_one(author(), draft(Place::Workspace, &text)).await;
        assert!(stage.read(entry.id).await.entry.content == entry.content, "a text changed on its way");
    }
}

/// What one process wrote, the next one reads.
#[tokio::test]
async fn entries_are_durable() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Kept.")).await;
    let again = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let stored = again.memory.store.get(&[entry.id]).await.expect("entries are read");
    assert_eq!(stored, [StoredEntry { entry, embedded_by: None }]);
}

/// Ids that name nothing are no error.
#[tokio::test]
async fn unknown_ids_are_skipped() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Known.")).await;
    let wanted = [stage.scribe.ids.memory_id(), entry.id, stage.scribe.ids.memory_id()];
    let found = stage.store().get(&wanted).await.expect("entries are read");
    assert_eq!(super::ids(found.iter().map(|s| &s.entry)), [entry.id]);
    assert!(stage.store().get(&[]).await.expect("nothing is read").is_empty());
}

/// Thousands of ids are read in one call.
#[tokio::test]
async fn many_ids_are_read_at_once() {
    let stage = CheckedStage::new().await;
    let drafts = (0..1_500).map(|n| draft(Place::Workspace, &format!("Note {n}")));
    let entries = stage.write(author(), drafts).await;
    let mut wanted = super::ids(&entries);
    wanted.extend((0..1_500).map(|_| stage.scribe.ids.memory_id()));
    let found = stage.store().get(&wanted).await.expect("entries are read");
    assert_eq!(super::ids(found.iter().map(|s| &s.entry)), super::ids(&entries));
}

/// The same id twice is refused, and the first one stays.
#[tokio::test]
async fn an_id_is_inserted_only_once() {
    let stage = CheckedStage::new().await;
    let first = stage.write_one(author(), draft(Place::Workspace, "First.")).await;
    let (change, _) =
        stage.scribe.insert_raw(author(), [MemoryEntry { content: "Second.".into(), ..first.clone() }]);
    refused!(stage.store().commit(&change).await, StoreError::AlreadyExists(_) | StoreError::Refused(_));
    assert_eq!(stage.read(first.id).await.entry, first);
}

/// An update on top of a version that is no longer current names the entry and changes nothing.
#[tokio::test]
async fn a_stale_update_is_refused() {
    let stage = CheckedStage::new().await;
    let seen = stage.write_one(author(), draft(Place::Workspace, "Version one.")).await;
    let current = stage.apply(stage.scribe.edit(author(), &seen, new_text("Version two."))).await;
    let (late, _) = stage.scribe.edit(author(), &seen, new_text("Also version two."));
    let result = stage.store().commit(&late).await;
    assert!(matches!(result, Err(StoreError::Stale { id }) if id == seen.id), "got {result:?}");
    assert_eq!(stage.read(seen.id).await.entry, current);
    assert_eq!(stage.store().history(seen.id).await.expect("history is read").len(), 2);
    assert!(stage.store().change(late.stamp.change).await.expect("changes are read").is_none());
}

/// Versions count without gaps.
#[tokio::test]
async fn an_update_that_skips_a_version_is_refused() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Version one.")).await;
    let (leap, _) = stage.scribe.forced(author(), &entry, |e| e.version = 3);
    refused!(stage.store().commit(&leap).await, StoreError::Stale { .. });
    assert_eq!(stage.read(entry.id).await.entry, entry);
}

/// Only a move changes where an entry is, and nothing changes when it was created.
#[tokio::test]
async fn an_edit_changes_neither_place_nor_creation_time() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Channel(stage.general.id), "Here.")).await;
    let wrecks: [&dyn Fn(&mut MemoryEntry); 3] =
        [&|e| e.place = Place::Workspace, &|e| e.place = Place::Channel(stage.side.id), &|e| {
            e.created_at -= TimeDelta::days(1);
        }];
    for wreck in wrecks {
        let (change, _) = stage.scribe.forced(author(), &entry, wreck);
        // A store may refuse such a write or leave the fixed fields as they are.
        let result = stage.store().commit(&change).await;
        assert!(
            matches!(result, Ok(()) | Err(StoreError::Refused(_) | StoreError::Locked(_))),
            "got {result:?}"
        );
        let stored = stage.read(entry.id).await.entry;
        assert_eq!((stored.place, stored.created_at), (entry.place, entry.created_at));
        if result.is_ok() {
            return;
        }
        assert_eq!(stored, entry);
    }
}

/// A write that names another hand or another change than its change set is refused: the guard against agents rests
/// on that declaration.
#[tokio::test]
async fn a_write_that_contradicts_its_change_set_is_refused() {
    let stage = CheckedStage::new().await;
    let theirs = stage.write_one(author(), draft(Place::Workspace, "The author's.")).await;
    let own = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let lies: [&dyn Fn(&mut MemoryEntry); 3] =
        [&|e| e.written_by = ActorKind::Author, &|e| e.written_by = ActorKind::Import, &|e| {
            e.change = theirs.change;
        }];
    for (n, lie) in lies.iter().enumerate() {
        for victim in [&theirs, &own] {
            let (change, _) = stage.scribe.forced(agent(), victim, lie);
            let result = stage.store().commit(&change).await;
            assert!(
                matches!(result, Err(StoreError::Refused(_) | StoreError::Locked(_))),
                "lie {n}: should be refused, got {result:?}"
            );
            assert_eq!(stage.read(victim.id).await.entry, *victim);
        }
        let stamp = stage.scribe.stamp(agent());
        let mut forged = stage.scribe.entry(draft(Place::Workspace, "Forged."), stamp);
        lie(&mut forged);
        let set = change(stamp, Action::Create, [MemoryWrite::Insert(forged.clone())]);
        refused!(stage.store().commit(&set).await, StoreError::Refused(_) | StoreError::Locked(_));
        assert!(stage.find(forged.id).await.is_none());
    }
}

/// A change is committed once; sent again it is refused and changes nothing.
#[tokio::test]
async fn a_change_is_committed_only_once() {
    let stage = CheckedStage::new().await;
    let (create, made) = stage.scribe.create(author(), [draft(Place::Workspace, "One.")]);
    stage.commit(&create).await;
    let edited = made[0].edited(new_text("Two."), create.stamp).expect("a valid patch");
    let again = change(create.stamp, Action::Edit, [MemoryWrite::Update(edited)]);
    for set in [create, again] {
        refused!(stage.store().commit(&set).await, StoreError::AlreadyExists(_) | StoreError::Refused(_));
        assert_eq!(stage.read(made[0].id).await.entry, made[0]);
    }
}

/// Thousands of entries in one change, all or none.
#[tokio::test]
async fn a_large_change_is_written_whole() {
    let stage = CheckedStage::new().await;
    let drafts = || (0..3_000).map(|n| draft(Place::Workspace, &format!("Line {n} of an import.")));
    let (mut spoilt, mut entries) = stage.scribe.create(import(), drafts());
    // The fault lies in the very last entry.
    spoilt.writes.push(MemoryWrite::Insert(entries[0].clone()));
    refused!(stage.store().commit(&spoilt).await, StoreError::AlreadyExists(_) | StoreError::Refused(_));
    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    assert_eq!(stage.store().count(&everything).await.expect("entries are counted").workspace, 0);
    entries = stage.write(import(), drafts()).await;
    assert_eq!(stage.store().count(&everything).await.expect("entries are counted").workspace, 3_000);
    assert_eq!(stage.read(entries[2_999].id).await.entry, entries[2_999]);
    let row = stage.store().last_undoable().await.expect("the journal is read");
    assert_eq!(row.map(|r| r.entries), Some(3_000));
}

/// Writers of two processes at once wait for one another; none is turned away.
#[tokio::test]
async fn concurrent_writers_of_two_processes_all_succeed() {
    let stage = CheckedStage::new().await;
    let rival = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let change = |n: usize| stage.scribe.create(author(), [draft(Place::Workspace, &format!("Note {n}."))]).0;
    let changes: Vec<_> = (0..60).map(change).collect();
    let stores = [stage.store(), rival.memory.store.as_ref()];
    let commits = changes.iter().enumerate().map(|(n, change)| stores[n % 2].commit(change));
    let failed: Vec<_> =
        futures::future::join_all(commits).await.into_iter().filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{} of 60 were turned away: {failed:?}", failed.len());
    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    assert_eq!(stage.store().count(&everything).await.expect("entries are counted").workspace, 60);
}

/// An update of an entry that is not there is refused.
#[tokio::test]
async fn an_update_of_a_missing_entry_is_refused() {
    let stage = CheckedStage::new().await;
    let (_, never_written) = stage.scribe.create(author(), [draft(Place::Workspace, "Never written.")]);
    let (change, _) = stage.scribe.edit(author(), &never_written[0], new_text("Still not."));
    refused!(stage.store().commit(&change).await, StoreError::Stale { .. } | StoreError::NotFound(_));
    assert!(stage.find(never_written[0].id).await.is_none());
}

/// A change set is written whole or not at all, wherever in it the fault lies.
#[tokio::test]
async fn a_refused_change_leaves_nothing_behind() {
    let stage = CheckedStage::new().await;
    let seen = stage.write_one(author(), draft(Place::Workspace, "Version one.")).await;
    let other = stage.write_one(author(), draft(Place::Workspace, "Another.")).await;
    let current = stage.apply(stage.scribe.edit(author(), &seen, new_text("Version two."))).await;
    let before = stage.store().last_undoable().await.expect("the journal is read");
    let (insert, new) = stage.scribe.create(author(), [draft(Place::Workspace, "New.")]);
    let (edit, _) = stage.scribe.edit(author(), &other, new_tags(&["changed"]));
    let (late, _) = stage.scribe.edit(author(), &seen, new_text("Late."));
    let fault_last = together(together(insert.clone(), &edit), &late);
    let fault_first = together(late, &together(edit, &insert));
    for change in [fault_last, fault_first] {
        refused!(stage.store().commit(&change).await, StoreError::Stale { .. });
        assert!(stage.find(new[0].id).await.is_none(), "the new entry must not be there");
        assert_eq!(stage.read(other.id).await.entry, other);
        assert_eq!(stage.read(seen.id).await.entry, current);
        assert_eq!(stage.store().history(other.id).await.expect("history is read").len(), 1);
        assert!(stage.store().change(change.stamp.change).await.expect("changes are read").is_none());
        assert_eq!(stage.store().last_undoable().await.expect("the journal is read"), before);
    }
}

/// Of two writers who saw the same version, through two processes, exactly one gets through.
#[tokio::test]
async fn only_one_of_two_racing_writers_wins() {
    let stage = CheckedStage::new().await;
    let rival = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let mut entry = stage.write_one(author(), draft(Place::Workspace, "Round 0.")).await;
    for round in 1..=20 {
        let (mine, a) = stage.scribe.edit(author(), &entry, new_text(&format!("Mine, round {round}.")));
        let (yours, b) = stage.scribe.edit(author(), &entry, new_text(&format!("Yours, round {round}.")));
        let (first, second) =
            futures::future::join(stage.store().commit(&mine), rival.memory.store.commit(&yours)).await;
        entry = match (first, second) {
            (Ok(()), Err(StoreError::Stale { .. })) => a,
            (Err(StoreError::Stale { .. }), Ok(())) => b,
            other => panic!("exactly one must win, got {other:?}"),
        };
        assert_eq!(stage.read(entry.id).await.entry, entry);
    }
}

/// The database of the account refuses entries of every other tier.
#[tokio::test]
async fn world_memory_never_enters_the_accounts_database() {
    let stage = CheckedStage::new().await;
    let store = &stage.account.memory.store;
    for place in stage.places() {
        let (change, entries) = stage.scribe.create(author(), [draft(place, "World content.")]);
        refused!(store.commit(&change).await, StoreError::Refused(_));
        assert!(store.get(&[entries[0].id]).await.expect("entries are read").is_empty());
    }
    let (change, entries) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    store.commit(&change).await.expect("its own tier is welcome");
    assert_eq!(store.get(&[entries[0].id]).await.expect("entries are read")[0].entry, entries[0]);
}

/// The database of a workspace refuses entries of the account tier.
#[tokio::test]
async fn account_memory_never_enters_a_workspaces_database() {
    let stage = CheckedStage::new().await;
    let (change, entries) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    refused!(stage.store().commit(&change).await, StoreError::Refused(_));
    assert!(stage.find(entries[0].id).await.is_none());
    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let listed =
        stage.store().list(&everything, Sort::UpdatedDesc, None, 10).await.expect("entries are listed");
    assert!(listed.is_empty());
}

/// A channel or conversation that does not exist holds no entries.
#[tokio::test]
async fn an_entry_needs_an_existing_channel_or_conversation() {
    let stage = CheckedStage::new().await;
    let nowhere = ChannelId::from_uuid(stage.scribe.ids.uuid());
    let nobody = ConversationId::from_uuid(stage.scribe.ids.uuid());
    for place in [Place::Channel(nowhere), Place::Conversation(stage.general.id, nobody)] {
        let (change, entries) = stage.scribe.create(author(), [draft(place, "Lost.")]);
        refused!(stage.store().commit(&change).await, StoreError::Refused(_) | StoreError::NotFound(_));
        assert!(stage.find(entries[0].id).await.is_none());
    }
}
