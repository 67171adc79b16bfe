//! Several processes on one folder, and processes that are killed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::support::{self, TempFolder, killed};
use inklings_domain::{channel::ChannelName, conversation::message::Delivery, scope::Place};
use inklings_ports::{
    clock::IdGenerator,
    conversation::{store::ConversationFilter, transcript_store::ALL_POSITIONS},
    store_error::StoreError,
    testing::{
        builders::{Scribe, author, draft, everywhere, import, new_text},
        clock::{ManualClock, SequentialIds},
    },
    workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;

const BATCH: usize = 500;
const LINES: usize = 40;

/// A scribe whose ids no other process makes.
fn scribe(seed: u64) -> Scribe {
    Scribe::new(Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(seed)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_processes_can_open_a_new_folder_at_once() {
    for _ in 0..5 {
        let folder = TempFolder::new();
        let open = |n: u64| {
            let path = folder.path().to_owned();
            tokio::spawn(async move {
                let catalogue = SqliteCatalogue::new(path);
                catalogue.account().await?;
                catalogue.create(&scribe(n).workspace(&format!("World {n}"))).await
            })
        };
        let tasks = [open(1), open(2), open(3)];
        for task in tasks {
            task.await.expect("no panic").expect("opens and makes a workspace");
        }
        assert_eq!(folder.open().workspaces().await.expect("a list").len(), 3);
        let findings = folder.open().check().await.expect("a check");
        assert!(findings.iter().all(|f| f.ok), "{findings:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_in_one_conversation_lose_nothing() {
    let (folder, stage) = support::stage().await;
    let (id, conversation) = (stage.workspace.workspace.id, stage.conversation.id);
    let writer = |n: u64| {
        let path = folder.path().to_owned();
        tokio::spawn(async move {
            let transcript = SqliteCatalogue::new(path).open(id).await.expect("opens").transcript;
            let scribe = scribe(n);
            for round in 0..50 {
                let arriving = scribe.arriving();
                let added = [scribe.message(&format!("Writer {n}, round {round}.")), arriving.clone()];
                transcript.append(conversation, &added).await.expect("appends");
                let at = scribe.clock.tick();
                let whole = transcript.deliver(arriving.id, "An answer.", None, Delivery::Complete, at).await;
                assert!(whole.expect("delivers"));
            }
        })
    };
    for task in [writer(21), writer(22), writer(23), writer(24)] {
        task.await.expect("no panic");
    }
    let all = stage.transcript(&stage.conversation).await;
    let positions: Vec<u64> = all.iter().map(|m| m.position).collect();
    assert_eq!(positions, (1..=400).collect::<Vec<u64>>());
    let findings = folder.open().check().await.expect("a check");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_writers_of_one_entry_never_get_a_busy_error() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Round 0.")).await;
    let writer = |n: u64| {
        let path = folder.path().to_owned();
        let entry = entry.id;
        tokio::spawn(async move {
            let store = SqliteCatalogue::new(path).open(id).await.expect("opens").memory.store;
            let scribe = scribe(n);
            let (mut won, mut slowest) = (0_u64, Duration::ZERO);
            for round in 0..60 {
                let current = store.get(&[entry]).await.expect("reads").remove(0).entry;
                let text = new_text(&format!("Writer {n}, round {round}."));
                let begun = Instant::now();
                match store.commit(&scribe.edit(author(), &current, text).0).await {
                    Ok(()) => won += 1,
                    Err(StoreError::Stale { .. }) => {}
                    Err(other) => panic!("{other:?}"),
                }
                slowest = slowest.max(begun.elapsed());
            }
            (won, slowest)
        })
    };
    let tasks = [writer(11), writer(12), writer(13), writer(14), writer(15)];
    let mut won = 0;
    for task in tasks {
        let (wins, slowest) = task.await.expect("no panic");
        won += wins;
        println!("slowest write: {slowest:?}");
    }
    let stored = stage.read(entry.id).await.entry;
    assert_eq!(stored.version, won + 1);
    let history = stage.store().history(entry.id).await.expect("a history");
    assert_eq!(history.len() as u64, won + 1);
}

/// What the child of the next test does: imports without end. Not a test by itself.
#[tokio::test]
#[ignore = "started by another test as a process to be killed"]
async fn import_until_killed() {
    let Some((path, id, marks)) = killed::of_parent() else { return };
    let seed = std::process::id().into();
    let catalogue = SqliteCatalogue::new(path);
    let ports = catalogue.open(id).await.expect("opens");
    let scribe = scribe(seed);
    let general =
        ports.conversations.channel_named(&ChannelName::general()).await.expect("reads").expect("#general");
    loop {
        let conversation = scribe.conversation(general.id);
        ports.conversations.add_conversation(&conversation).await.expect("adds");
        let lines: Vec<_> = (0..LINES).map(|n| scribe.message(&format!("A spoken line {n}."))).collect();
        ports.transcript.append(conversation.id, &lines).await.expect("appends");
        let (archive, marker) =
            scribe.archive(&conversation, &format!("ARCHIVE {}", conversation.id), LINES as u64);
        ports.transcript.compact(conversation.id, &archive, &marker, None).await.expect("compacts");
        let text = |n| format!("Imported line {n} {}", scribe.ids.uuid());
        let drafts = (0..BATCH).map(|n| draft(Place::Workspace, &text(n)));
        let (change, entries) = scribe.create(import(), drafts);
        ports.memory.store.commit(&change).await.expect("commits");
        let (edit, _) = scribe.edit(import(), &entries[0], new_text("Rewritten."));
        ports.memory.store.commit(&edit).await.expect("commits");
        let new = scribe.workspace(&format!("World {}", scribe.ids.uuid()));
        catalogue.create(&new).await.expect("makes a workspace");
        killed::mark(&marks);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_import_leaves_only_complete_batches_and_an_intact_folder() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.close().await;
    for round in 0..12_u64 {
        let delay = Duration::from_millis(round * 37 % 400);
        killed::kill_after(
            round % 3,
            delay,
            &["processes::import_until_killed", "--exact", "--ignored"],
            folder.path(),
            id,
        )
        .await;
        let catalogue = folder.open();
        let ports = catalogue.open(id).await.expect("opens after a kill");
        let count = ports.memory.store.count(&everywhere(Vec::new())).await.expect("counts").workspace;
        assert_eq!(count % BATCH as u64, 0, "round {round}: half a batch is there");
        let places =
            ports.conversations.list_conversations(&ConversationFilter::default(), None, 1_000).await;
        for room in places.expect("lists") {
            let marker = ports
                .transcript
                .latest_marker(room.conversation.id, ALL_POSITIONS)
                .await
                .expect("reads")
                .is_some();
            let whole = room.messages == LINES as u64 || (room.messages == 0 && !marker);
            assert!(whole, "round {round}: half a conversation is there");
            assert_eq!(room.memories, u64::from(marker), "round {round}: an archive without its marker");
        }
        let findings = catalogue.check().await.expect("a check");
        let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
        assert!(trouble.is_empty(), "round {round}: {trouble:?}");
    }
    let ports = folder.open().open(id).await.expect("opens");
    let count = ports.memory.store.count(&everywhere(Vec::new())).await.expect("counts").workspace;
    assert!(count > 0, "no child got as far as a commit; the test proves nothing");
}
