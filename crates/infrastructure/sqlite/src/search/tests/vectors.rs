use inklings_ports::{
    memory::vector_store::{EmbeddingCounts, NewVectors, PendingText, VectorStore},
    search::store::MemorySearch,
};

use super::*;
use crate::schema_tests::plan;

async fn world() -> World {
    let world = World::new().await;
    for n in 1..=5 {
        world.add(n, Place::Workspace, &format!("text {n}")).await;
    }
    world
}

fn vector(n: i64, version: u64) -> NewVectors {
    NewVectors { id: id(n), version, vectors: vec![0.6, 0.8].into() }
}

async fn pending(world: &World, limit: usize) -> Vec<i64> {
    let texts = world.index.pending(&model(2), limit).await.expect("an answer");
    texts.iter().map(|text| text.id.as_uuid().as_u128() as i64 - 0x1000).collect()
}

async fn counts(world: &World) -> (u64, u64) {
    let EmbeddingCounts { embedded, pending } = world.index.counts(&model(2)).await.expect("an answer");
    (embedded, pending)
}

#[tokio::test]
async fn the_newest_come_first_and_stay_until_their_vector_is_there() {
    let world = world().await;
    assert_eq!(pending(&world, 2).await, [5, 4]);
    assert_eq!(pending(&world, 2).await, [5, 4]);
    let texts = world.index.pending(&model(2), 1).await.expect("an answer");
    assert_eq!(texts, [PendingText { id: id(5), version: 1, title: None, content: "text 5".into() }]);
    assert_eq!(world.index.put(&model(2), &[vector(5, 1), vector(3, 1)]).await.expect("stored"), 2);
    assert_eq!(pending(&world, 9).await, [4, 2, 1]);
    world.add(6, Place::Workspace, "newer").await;
    assert_eq!(pending(&world, 2).await, [6, 4]);
    assert_eq!(counts(&world).await, (2, 4));
    let vectors = world.index.vectors(&[id(5), id(4)], &model(2).id).await.expect("an answer");
    assert_eq!(vectors, [(id(5), vec![0.6, 0.8])]);
}

#[tokio::test]
async fn forgotten_and_failed_entries_are_not_tried() {
    let world = world().await;
    world.forget(5).await;
    world.index.mark_failed(&model(2), id(4), 1, "no").await.expect("marked");
    assert_eq!(pending(&world, 9).await, [3, 2, 1]);
    assert_eq!(counts(&world).await, (0, 3));
    // A new text is tried again, and so is a restored entry.
    world.change(4, "content = ?", &["other text"]).await;
    world.change(5, "forgotten_at = NULL, forgotten_reason = NULL", &[]).await;
    assert_eq!(pending(&world, 9).await, [5, 4, 3, 2, 1]);
    // A failure on an earlier text does not apply to the new one.
    world.index.mark_failed(&model(2), id(4), 1, "late").await.expect("marked");
    assert_eq!(pending(&world, 9).await, [5, 4, 3, 2, 1]);
}

#[tokio::test]
async fn a_vector_of_a_text_that_changed_meanwhile_is_dropped() {
    let world = world().await;
    world.change(1, "content = ?", &["other text"]).await;
    world.change(2, "tags = '[\"x\"]'", &[]).await;
    let stored = world.index.put(&model(2), &[vector(1, 1), vector(2, 1), vector(99, 1)]).await;
    assert_eq!(stored.expect("stored"), 1, "the tags are no part of the text");
    assert_eq!(pending(&world, 9).await, [5, 4, 3, 1]);
    assert_eq!(world.index.put(&model(2), &[vector(1, 2)]).await.expect("stored"), 1);
    // The original text is not the current one, although it once was.
    world.change(1, "importance = 0.9", &[]).await;
    assert_eq!(world.index.put(&model(2), &[vector(1, 1)]).await.expect("stored"), 0);
}

#[tokio::test]
async fn vectors_of_the_wrong_shape_are_refused_whole() {
    let world = world().await;
    for bad in [vec![1.0], vec![f32::NAN, 0.0], vec![1.0, 0.0, 0.0]] {
        let vectors = [vector(1, 1), NewVectors { id: id(2), version: 1, vectors: bad.into() }];
        assert!(world.index.put(&model(2), &vectors).await.is_err());
    }
    assert_eq!(counts(&world).await, (0, 5));
    assert_eq!(world.index.put(&model(2), &[]).await.expect("nothing to do"), 0);
}

#[tokio::test]
async fn vectors_of_forgotten_entries_do_not_count() {
    let world = world().await;
    world.index.put(&model(2), &[vector(1, 1), vector(2, 1)]).await.expect("stored");
    world.forget(1).await;
    assert_eq!(counts(&world).await, (1, 3));
}

#[tokio::test]
async fn counting_reads_no_vector() {
    let world = world().await;
    let count = "SELECT count(*) FROM memory_vectors WHERE workspace_id = 'w' AND model = 'm'";
    let steps = plan(&world.db, count).await;
    assert!(steps.iter().all(|step| step.contains("COVERING INDEX")), "{steps:?}");
}
