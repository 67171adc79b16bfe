//! Files of releases that embedded only the beginning of a long text, and no words one by one.

use inklings_domain::{ids::MessageId, search::passage};
use inklings_ports::{
    conversation::transcript_store::TranscriptStore,
    memory::vector_store::{EmbeddingCounts, NewVectors, PassageVector, TextVectors, VectorStore},
};

use super::{
    meaning::{pairs, search},
    *,
};
use crate::{migrate::Schema, search::rows::blob, store::SqliteStore};

/// Migrations of a workspace before there were passages.
const BEFORE: usize = 3;

fn long_text(n: i64) -> String {
    format!("{n} {}", "The keeper counted every ship that passed the northern reef. ".repeat(40))
}

fn message(n: i64) -> MessageId {
    MessageId::from_uuid(Uuid::from_u128(0xe000 + n as u128))
}

/// Runs a statement on the file as that release would.
async fn raw(world: &World, statement: &str, blobs: &[Vec<u8>]) {
    let mut tx = world.db.begin_immediate().await.expect("begins");
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()));
    for blob in blobs {
        query = query.bind(blob.clone());
    }
    query.execute(&mut *tx).await.expect("a write");
    tx.commit().await.expect("commits");
}

/// Two long entries and a short one, and as many messages, with one vector each. The long entries have one of another
/// model as well, stored earlier.
async fn before() -> World {
    let world =
        World::of(&Schema { migrations: &migrate::WORKSPACE.migrations[..BEFORE], ..migrate::WORKSPACE }, 0)
            .await;
    for n in 0..3 {
        let text = if n < 2 { long_text(n) } else { "The gate is of iron.".to_owned() };
        world.add(n, Place::Workspace, &text).await;
        for model in ["zeta", "test-model"].iter().skip(usize::from(n == 2)) {
            let vector = format!(
                "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) \
                 VALUES ('{}', '{}', '{model}', 3, 1, ?)",
                workspace(),
                id(n)
            );
            raw(&world, &vector, &[blob(&axis(n))]).await;
        }
        let statement = format!(
            "INSERT INTO messages (workspace_id, id, conversation_id, position, role, delivery, importance, at, \
             updated_at, change_seq, content) VALUES ('{}', '{}', '{}', {}, 'user', 'complete', 0.5, 0, 0, 0, '{text}')",
            workspace(),
            message(n),
            conversation(1),
            n + 1
        );
        raw(&world, &statement, &[]).await;
        let vector = format!(
            "INSERT INTO message_vectors (workspace_id, message_id, model, dimension, vector) \
             VALUES ('{}', '{}', 'test-model', 3, ?)",
            workspace(),
            message(n)
        );
        raw(&world, &vector, &[blob(&axis(n))]).await;
    }
    world
}

fn axis(n: i64) -> Vec<f32> {
    (0..3).map(|i| if i == n { 1.0 } else { 0.0 }).collect()
}

fn vectors_of(text: &str) -> TextVectors {
    let passages = passage::passages(None, text).into_iter();
    TextVectors::Passages(
        passages.map(|passage| PassageVector { range: passage.range, vector: vec![0.6, 0.0, 0.8] }).collect(),
    )
}

const fn counted(embedded: u64, pending: u64) -> EmbeddingCounts {
    EmbeddingCounts { embedded, pending }
}

#[tokio::test]
async fn texts_of_an_earlier_file_wait_for_passages_or_codes_and_are_found_by_their_vectors_meanwhile() {
    let World { folder, db, index } = before().await;
    drop(index);
    db.close().await;
    let db = open(folder.path()).await;
    let world = World { index: SearchIndex::with_whole_bytes(Arc::clone(&db), usize::MAX), folder, db };
    let newest: Vec<String> = sqlx::query_scalar("SELECT DISTINCT embedded_by FROM memories")
        .fetch_all(&world.db.reader())
        .await
        .expect("models");
    assert_eq!(newest, ["test-model"], "to wait is no new vector");

    let waiting = async |index: &SearchIndex, limit: usize| -> Vec<MemoryId> {
        index.pending(&model(3), limit).await.expect("the queue").into_iter().map(|text| text.id).collect()
    };
    assert_eq!(waiting(&world.index, 9).await, [id(2), id(1), id(0)]);
    assert_eq!(world.index.counts(&model(3)).await.expect("an answer"), counted(0, 3));
    // Until then they are found by the vectors that they have.
    world.index.load(&model(3).id).await.expect("loads");
    let short = search(&world, &axis(2), &everything(), 1).await;
    assert_eq!(pairs(&short), [(id(2), 1.0)]);
    let new = NewVectors { id: id(2), version: 1, vectors: axis(2).into() };
    assert_eq!(world.index.put(&model(3), &[new]).await.expect("an answer"), 1);
    assert_eq!(waiting(&world.index, 9).await, [id(1), id(0)]);
    assert_eq!(world.index.counts(&model(3)).await.expect("an answer"), counted(1, 2));
    let hits = search(&world, &axis(1), &everything(), 1).await;
    assert_eq!((pairs(&hits), &hits[0].passage), (vec![(id(1), 1.0)], &None));
    let new = NewVectors { id: id(1), version: 1, vectors: vectors_of(&long_text(1)) };
    assert_eq!(world.index.put(&model(3), &[new]).await.expect("an answer"), 1);
    assert_eq!(waiting(&world.index, 9).await, [id(0)]);
    assert_eq!(world.index.counts(&model(3)).await.expect("an answer"), counted(2, 1));
    let by_passage = search(&world, &[0.6, 0.0, 0.8], &everything(), 1).await;
    assert_eq!(by_passage[0].id, id(1));
    assert!(by_passage[0].passage.is_some());
    // Another process, or the next start, goes on with the others.
    let next = SearchIndex::new(open(world.folder.path()).await);
    assert_eq!(waiting(&next, 9).await, [id(0)]);
    world.index.mark_failed(&model(3), id(0), 1, "too odd").await.expect("it is remembered");
    assert_eq!(world.index.counts(&model(3)).await.expect("an answer"), counted(2, 0));
    assert_eq!(waiting(&next, 9).await, []);
    world.change(0, "content = ?", &["A short text now."]).await;
    assert_eq!(waiting(&world.index, 9).await, [id(0)]);

    let store = SqliteStore::new(Arc::clone(&world.db));
    let found = async || -> Vec<MessageId> {
        let waiting = store.pending_vectors(&model(3), 9).await.expect("the queue");
        waiting.into_iter().map(|message| message.id).collect()
    };
    assert_eq!(found().await, [message(2), message(1), message(0)]);
    assert_eq!(store.vector_counts(&model(3)).await.expect("an answer"), counted(0, 3));
    let short = [(message(2), axis(2).into())];
    assert_eq!(store.put_vectors(&model(3), &short).await.expect("an answer"), 1);
    assert_eq!(found().await, [message(1), message(0)]);
    assert_eq!(store.vector_counts(&model(3)).await.expect("an answer"), counted(1, 2));
    let new = [(message(0), vectors_of(&long_text(0))), (message(1), vectors_of("another text"))];
    assert_eq!(store.put_vectors(&model(3), &new[..1]).await.expect("an answer"), 1);
    assert!(store.put_vectors(&model(3), &new[1..]).await.is_err(), "a text of one passage has no passages");
    assert_eq!(found().await, [message(1)]);
    assert_eq!(store.vector_counts(&model(3)).await.expect("an answer"), counted(2, 1));
}
