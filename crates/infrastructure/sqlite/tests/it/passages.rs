//! Vectors of long texts in files: exported and imported, destroyed by a scrub, made again after a kill.

use std::{sync::Arc, time::Duration};

use crate::{
    scrubs::{assert_gone, scrub},
    support::{
        self, TempFolder,
        carried::{EVERYTHING, World, parsed},
        killed, raw,
        stage::model,
    },
};
use inklings_application::{
    session::{EmbedderSlot, Session},
    testing::world,
    transfer::{Conflicts, ExportOptions},
};
use inklings_domain::{
    ids::WorkspaceId,
    scope::Place,
    scrub::{ScrubMode, ScrubTarget},
    search::passage::passages,
};
use inklings_ports::{
    memory::vector_store::{EmbeddingCounts, NewVectors, PassageVector, TextVectors},
    model::embedding::Embedder as _,
    progress::Progress,
    search::transcript_store::TranscriptFilter,
    testing::{
        builders::{author, draft, everywhere},
        clock::{ManualClock, SequentialIds},
        embedder::FixedEmbedder,
    },
    workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;
use serde_json::Value;

/// A text of several passages whose last words stand in no other.
fn long_text(end: &str) -> String {
    format!("{} {end}", ["The keeper counted every ship that passed the reef."; 60].join(" "))
}

async fn count(folder: &TempFolder, id: WorkspaceId, table: &str) -> i64 {
    let mut conn = raw(&folder.workspace_file(id)).await;
    let count = format!("SELECT count(*) FROM {table}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(count)).fetch_one(&mut conn).await.expect("a count")
}

/// Embeds everything with the double.
async fn embed(session: &Session) -> EmbeddingCounts {
    session.embedder.set(Some(Arc::new(FixedEmbedder::default())));
    world::embed(session).await;
    let model = session.embedder.get().expect("the double").model();
    session.embeddings().counts(&model).await.expect("counts")
}

async fn world_of_long_texts(seed: u64) -> World {
    let world = World::begun(seed).await;
    let session = &world.session;
    let note = draft(Place::Workspace, &long_text("The ferry leaves at noon."));
    session.memories().create(note, author()).await.expect("made");
    let room = session.conversations().begin(None, "The ferry").await.expect("a conversation");
    let added = world.scribe.message(&long_text("The bridge fell in spring."));
    session.workspace.transcript.append(room.id, &[added]).await.expect("said");
    world
}

/// The content of the best hit by meaning, and its passage, among entries and among messages.
async fn found(session: &Session, query: &str) -> [(String, String); 2] {
    let embedder = FixedEmbedder::default();
    let (vector, model) = (embedder.vector(query), embedder.model().id);
    let ports = &session.workspace;
    world::settle(&ports.memory, &embedder.model()).await;
    let near = ports.memory.search.search_meaning(&vector, &model, &everywhere(Vec::new()), 1).await;
    let hit = near.expect("an answer").remove(0);
    let entry = ports.memory.store.get(&[hit.id]).await.expect("reads").remove(0).entry;
    let near = ports.transcript_search.search_meaning(&vector, &model, &TranscriptFilter::default(), 1).await;
    let near_message = near.expect("an answer").remove(0);
    let message = ports.transcript.messages(&[near_message.id]).await.expect("reads").remove(0);
    let part = |text: &str, range: Option<std::ops::Range<usize>>| text[range.expect("a passage")].to_owned();
    [
        (part(&entry.content, hit.passage), entry.content),
        (part(&message.body.content, near_message.passage), message.body.content),
    ]
}

#[tokio::test]
async fn passages_are_exported_and_imported_with_their_texts() {
    let world = world_of_long_texts(1).await;
    let EmbeddingCounts { pending, .. } = embed(&world.session).await;
    assert_eq!(pending, 0);
    let out = world.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    fresh.import(&parsed(&out), Conflicts::Newer).await;
    fresh.healthy().await;
    fresh.session.embedder.set(Some(Arc::new(FixedEmbedder::default())));
    let embedder = fresh.session.embedder.get().expect("the double");
    let counts = fresh.session.embeddings().counts(&embedder.model()).await.expect("counts");
    assert_eq!(counts.pending, 0, "nothing is embedded again");
    for session in [&world.session, &fresh.session] {
        let [(passage, content), _] = found(session, "The ferry leaves at noon").await;
        assert!(passage.ends_with("The ferry leaves at noon.") && content.ends_with(&passage));
        let [_, (passage, _)] = found(session, "The bridge fell in spring").await;
        assert!(passage.ends_with("The bridge fell in spring."));
    }
    let again: Value = serde_json::from_str(&fresh.export(EVERYTHING).await).expect("JSON");
    let first: Value = serde_json::from_str(&out).expect("JSON");
    for section in ["memories", "messages"] {
        assert_eq!(again[section][0]["passages"], first[section][0]["passages"]);
        assert_eq!(again[section][0]["embeddings"], first[section][0]["embeddings"]);
        assert!(first[section][0]["passages"].as_array().is_some_and(|list| list.len() > 1));
    }
}

#[tokio::test]
async fn without_embeddings_no_passage_vectors_are_exported() {
    let world = world_of_long_texts(1).await;
    embed(&world.session).await;
    let out = world.export(ExportOptions { embeddings: false, ..EVERYTHING }).await;
    assert!(!out.contains("\"passages\"") && !out.contains("\"embeddings\""));
    let fresh = World::begun(2).await;
    fresh.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(embed(&fresh.session).await.pending, 0);
    assert!(found(&fresh.session, "The ferry leaves at noon").await[0].0.ends_with("at noon."));
}

#[tokio::test]
async fn long_texts_of_an_earlier_export_are_pending_and_found_by_their_beginning() {
    let world = world_of_long_texts(1).await;
    embed(&world.session).await;
    let mut file: Value = serde_json::from_str(&world.export(EVERYTHING).await).expect("JSON");
    for section in ["memories", "messages"] {
        let row = file[section][0].as_object_mut().expect("a row");
        row.remove("passages");
        row["embeddings"][0].as_object_mut().expect("a vector").remove("first_end");
    }
    let fresh = World::begun(2).await;
    fresh.import(&parsed(&file.to_string()), Conflicts::Newer).await;
    fresh.healthy().await;
    fresh.session.embedder.set(Some(Arc::new(FixedEmbedder::default())));
    let model = fresh.session.embedder.get().expect("the double").model();
    let counts = fresh.session.embeddings().counts(&model).await.expect("counts");
    assert_eq!(counts.pending, 2, "{counts:?}");
    assert_eq!(embed(&fresh.session).await.pending, 0);
    assert!(found(&fresh.session, "The ferry leaves at noon").await[0].0.ends_with("at noon."));
}

#[tokio::test]
async fn a_scrub_destroys_the_vectors_of_all_passages() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    // Numbers whose bytes can be told in the files.
    let vector = || vec![f32::from_le_bytes(*b"qzxw"); 8];
    let vectors = |text: &str| {
        let parts = passages(None, text).into_iter();
        TextVectors::Passages(
            parts.map(|part| PassageVector { range: part.range, vector: vector() }).collect(),
        )
    };
    let text = long_text("The ferry leaves at noon.");
    let entry = stage.write_one(author(), draft(Place::Workspace, &text)).await;
    let new = NewVectors { id: entry.id, version: 1, vectors: vectors(&text) };
    let model = model("scrubbed", 8);
    stage.memory().vectors.put(&model, &[new]).await.expect("stored");
    let message = stage.add_texts(&stage.conversation, &[&text]).await.remove(0);
    stage.workspace.transcript.put_vectors(&model, &[(message.id(), vectors(&text))]).await.expect("stored");
    assert!(count(&folder, id, "memory_passages").await > 1);
    assert_eq!(count(&folder, id, "memory_passages").await, count(&folder, id, "message_passages").await);
    for (target, table) in [
        (ScrubTarget::Workspace, "memory_passages"),
        (ScrubTarget::Purge(stage.conversation.id), "message_passages"),
    ] {
        scrub(&stage, stage.memory(), target, ScrubMode::Full).await;
        assert_eq!(count(&folder, id, table).await, 0);
    }
    assert_gone(&folder, &["qzxwqzxw", "leaves at noon"]);
}

struct Marked<'m>(&'m std::path::Path);

impl Progress for Marked<'_> {
    fn report(&self, _done: u64, _total: u64) {
        killed::mark(self.0);
        // Leaves time for the kill.
        std::thread::sleep(Duration::from_millis(5));
    }

    fn cancelled(&self) -> bool {
        false
    }
}

async fn session_of(catalogue: Arc<dyn Catalogue>, id: WorkspaceId) -> Session {
    let account = catalogue.account().await.expect("opens");
    let ports = catalogue.open(id).await.expect("opens");
    let slot = EmbedderSlot::default();
    slot.set(Some(Arc::new(FixedEmbedder::default())));
    Session::new(account, ports, Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(77)), slot)
}

/// What the child of the next test does: embeds what waits. Not a test by itself.
#[tokio::test]
#[ignore = "started by another test as a process to be killed"]
async fn embed_until_killed() {
    let Some((path, id, marks)) = killed::of_parent() else { return };
    let session = session_of(Arc::new(SqliteCatalogue::new(path)), id).await;
    session.embeddings().pending(&Marked(&marks)).await.expect("embedded");
    std::thread::sleep(Duration::from_mins(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_embedding_resumes_with_complete_texts() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let texts: Vec<String> = (0..150).map(|n| long_text(&format!("The {n}th ferry."))).collect();
    stage.write(author(), texts.iter().map(|text| draft(Place::Workspace, text))).await;
    let lines: Vec<&str> = texts.iter().map(String::as_str).collect();
    stage.add_texts(&stage.conversation, &lines).await;
    stage.close().await;
    let mut embedded = 0;
    for round in 0..3_u64 {
        let test = ["passages::embed_until_killed", "--exact", "--ignored"];
        killed::kill_after(1 + round, Duration::from_millis(round * 3), &test, folder.path(), id).await;
        let catalogue = folder.open();
        let trouble: Vec<_> =
            catalogue.check().await.expect("a check").into_iter().filter(|found| !found.ok).collect();
        assert!(trouble.is_empty(), "round {round}: {trouble:?}");
        let session = session_of(Arc::new(catalogue), id).await;
        let model = session.embedder.get().expect("the double").model();
        let counts = session.embeddings().counts(&model).await.expect("counts");
        assert_eq!(counts.embedded + counts.pending, 300, "round {round}: {counts:?}");
        assert!(counts.embedded > embedded && counts.pending > 0, "round {round}: {counts:?}");
        embedded = counts.embedded;
    }
    let session = session_of(Arc::new(folder.open()), id).await;
    assert_eq!(embed(&session).await, EmbeddingCounts { embedded: 300, pending: 0 });
    let of_one = passages(None, &texts[0]).len() as i64 - 1;
    assert_eq!(count(&folder, id, "memory_passages").await, 150 * of_one);
    assert_eq!(count(&folder, id, "message_passages").await, 150 * of_one);
}
