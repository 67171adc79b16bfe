//! Vector search over messages, with unrounded vectors in memory and in the file alone.

use inklings_domain::ids::MessageId;
use inklings_ports::search::transcript_store::{MessageHit, TranscriptFilter, TranscriptSearch as _};

use super::{meaning::Random, *};
use crate::{
    search::{TranscriptIndex, blob},
    vector::quantise::exact,
};

const DIMENSION: usize = 24;

const EVERYWHERE: TranscriptFilter =
    TranscriptFilter { conversation: None, channel: None, only: None, archived: true, lens: None };

/// Vectors of the passages of messages, by the number of the message.
type Stored = Vec<(i64, Vec<Vec<f32>>)>;

fn message(n: i64) -> MessageId {
    MessageId::from_uuid(Uuid::from_u128(0x2000 + n as u128))
}

/// Even messages are said in one conversation, odd ones in another.
fn place(n: i64) -> ConversationId {
    conversation(1 + n as u128 % 2)
}

fn range(at: usize) -> std::ops::Range<usize> {
    at * 90..at * 90 + 100
}

async fn say(world: &World, n: i64) {
    let statement = format!(
        "INSERT INTO messages (workspace_id, id, conversation_id, position, role, delivery, importance, at, \
         updated_at, change_seq, content) VALUES ('{}', '{}', '{}', {}, 'user', 'complete', 0.5, 0, 0, 0, 'text')",
        workspace(),
        message(n),
        place(n),
        n + 1
    );
    world.write(&statement, &[]).await;
}

async fn embed(world: &World, n: i64, vectors: &[Vec<f32>]) {
    let mut tx = world.db.begin_immediate().await.expect("begins");
    let run = async |tx: &mut sqlx::SqliteConnection, sql: String, vector: Option<&[f32]>| {
        let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(vector.map(blob));
        query.execute(tx).await.expect("a write");
    };
    let key = format!("'{}', '{}', 'test-model'", workspace(), message(n));
    let old = format!("DELETE FROM message_vectors WHERE message_id = '{}' AND ?1 IS NULL", message(n));
    run(&mut tx, old, None).await;
    let end = if vectors.len() > 1 { range(0).end.to_string() } else { "NULL".to_owned() };
    for (at, vector) in vectors.iter().enumerate() {
        let sql = if at == 0 {
            format!(
                "INSERT INTO message_vectors (workspace_id, message_id, model, dimension, first_end, vector) \
                 VALUES ({key}, {DIMENSION}, {end}, ?)"
            )
        } else {
            format!(
                "INSERT INTO message_passages (workspace_id, message_id, model, ordinal, starts, ends, dimension, \
                 vector) VALUES ({key}, {}, {}, {}, {DIMENSION}, ?)",
                at + 1,
                range(at).start,
                range(at).end
            )
        };
        run(&mut tx, sql, Some(vector)).await;
    }
    tx.commit().await.expect("commits");
}

/// The nearest of these messages, computed plainly.
fn brute(stored: &Stored, query: &[f32], limit: usize, conversation: Option<ConversationId>) -> Vec<Found> {
    let within = stored.iter().filter(|(n, _)| conversation.is_none_or(|only| only == place(*n)));
    let best = within.map(|(n, vectors)| {
        let cosines = vectors.iter().map(|vector| exact(vector, query)).enumerate();
        let (at, cosine) = cosines.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a vector");
        (message(*n), cosine, (vectors.len() > 1).then(|| range(at)))
    });
    let mut best: Vec<Found> = best.collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best.truncate(limit);
    best
}

type Found = (MessageId, f64, Option<std::ops::Range<usize>>);

fn found(hits: Vec<MessageHit>) -> Vec<Found> {
    hits.into_iter().map(|hit| (hit.id, hit.score, hit.passage)).collect()
}

async fn agree(index: &TranscriptIndex, random: &mut Random, stored: &Stored) {
    for limit in [1, 7, 40, 200] {
        let query = random.unit(DIMENSION, None);
        for conversation in [None, Some(place(1))] {
            let filter = TranscriptFilter { conversation, ..EVERYWHERE };
            let hits = index.search_meaning(&query, &model(0).id, &filter, limit).await.expect("an answer");
            assert_eq!(found(hits), brute(stored, &query, limit, conversation));
        }
    }
}

#[tokio::test]
async fn the_nearest_messages_are_the_same_with_vectors_in_memory_and_in_the_file() {
    for whole in [usize::MAX, 0] {
        let (world, mut random) = (World::new().await, Random(13));
        let index = TranscriptIndex::with_whole_bytes(Arc::clone(&world.db), whole);
        let mut stored: Stored = Vec::new();
        for n in 0..60 {
            say(&world, n).await;
            let several = if n % 3 == 0 { 1 + n as usize % 7 } else { 1 };
            stored.push((n, (0..several).map(|_| random.unit(DIMENSION, None)).collect()));
        }
        for (n, vectors) in &stored[..40] {
            embed(&world, *n, vectors).await;
        }
        agree(&index, &mut random, &stored[..40].to_vec()).await;
        for (n, vectors) in &stored[40..] {
            embed(&world, *n, vectors).await;
        }
        agree(&index, &mut random, &stored).await;
        // Some lose their vectors, others get new ones.
        let gone = stored.split_off(50);
        for (n, _) in &gone {
            let sql = format!("DELETE FROM message_vectors WHERE message_id = '{}'", message(*n));
            world.write(&sql, &[]).await;
        }
        for (n, vectors) in &mut stored[..20] {
            *vectors = (0..=*n as usize % 2).map(|_| random.unit(DIMENSION, None)).collect();
            embed(&world, *n, vectors).await;
        }
        agree(&index, &mut random, &stored).await;
    }
}
