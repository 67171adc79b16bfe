//! What waits for a vector, and what a stored vector is worth.

use inklings_domain::{
    ids::MemoryId,
    memory::{MemoryEntry, embedding::EmbeddingModel},
    scope::Place,
    search::passage::{Passage, passages},
};
use inklings_ports::{
    clock::IdGenerator,
    memory::vector_store::{EmbeddingCounts, NewVectors, PassageVector, PendingText, TextVectors},
    testing::builders::{author, draft, new_tags, new_text},
};

use super::{CheckedStage, Stage, model};

fn small() -> EmbeddingModel {
    model("contract", 4)
}

async fn pending(stage: &Stage, model: &EmbeddingModel, limit: usize) -> Vec<PendingText> {
    stage.memory().vectors.pending(model, limit).await.expect("the queue is read")
}

async fn waiting(stage: &Stage) -> Vec<MemoryId> {
    pending(stage, &small(), 100).await.into_iter().map(|p| p.id).collect()
}

async fn counts(stage: &Stage, model: &EmbeddingModel) -> (u64, u64) {
    let counts = stage.memory().vectors.counts(model).await.expect("vectors are counted");
    let EmbeddingCounts { embedded, pending } = counts;
    (embedded, pending)
}

/// A text of several passages.
fn long_text() -> String {
    ["The keeper counted every ship that passed the northern reef."; 60].join(" ")
}

/// A vector for each passage of a text.
fn vectors_of(title: Option<&str>, content: &str) -> TextVectors {
    let passage = |passage: Passage| PassageVector { range: passage.range, vector: vec![0.0, 0.0, 1.0, 0.0] };
    TextVectors::Passages(passages(title, content).into_iter().map(passage).collect())
}

async fn put(stage: &Stage, model: &EmbeddingModel, id: MemoryId, version: u64) -> usize {
    let vector = NewVectors { id, version, vectors: vec![0.0, 1.0, 0.0, 0.0].into() };
    stage.memory().vectors.put(model, &[vector]).await.expect("vectors are stored")
}

async fn notes(stage: &Stage, count: usize) -> Vec<MemoryEntry> {
    let mut made = Vec::new();
    for n in 0..count {
        made.push(stage.write_one(author(), draft(Place::Workspace, &format!("Note {n}."))).await);
    }
    made
}

/// With version and text, at most as many as asked for.
#[tokio::test]
async fn new_entries_wait_for_a_vector_newest_first() {
    let stage = CheckedStage::new().await;
    assert_eq!(pending(&stage, &small(), 10).await, []);
    let made = notes(&stage, 3).await;
    let text = |e: &MemoryEntry| PendingText {
        id: e.id,
        version: e.version,
        title: None,
        content: e.content.clone(),
    };
    let expected: Vec<PendingText> = made.iter().rev().map(text).collect();
    assert_eq!(pending(&stage, &small(), 10).await, expected);
    assert_eq!(pending(&stage, &small(), 2).await, expected[..2]);
}

/// And shows in the entry.
#[tokio::test]
async fn an_entry_with_a_stored_vector_is_not_pending() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 2).await;
    assert_eq!(stage.read(made[0].id).await.embedded_by, None);
    assert_eq!(put(&stage, &small(), made[0].id, 1).await, 1);
    assert_eq!(waiting(&stage).await, [made[1].id]);
    let stored = stage.read(made[0].id).await;
    assert_eq!(stored.embedded_by.as_deref(), Some("contract"));
    assert_eq!(stored.entry, made[0], "a vector makes no version");
}

/// A vector of one model is none of another.
#[tokio::test]
async fn each_model_has_its_own_queue() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    put(&stage, &model("other", 4), made[0].id, 1).await;
    assert_eq!(waiting(&stage).await, [made[0].id]);
    assert_eq!(counts(&stage, &small()).await, (0, 1));
    assert_eq!(counts(&stage, &model("other", 4)).await, (1, 0));
}

/// The text moved on while the model worked: the vector is not stored, the entry stays in the queue.
#[tokio::test]
async fn a_vector_of_an_old_text_is_dropped() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 2).await;
    let rewritten = stage.apply(stage.scribe.edit(author(), &made[0], new_text("Rewritten."))).await;
    let vector =
        |e: &MemoryEntry| NewVectors { id: e.id, version: 1, vectors: vec![1.0, 0.0, 0.0, 0.0].into() };
    let both = [vector(&made[0]), vector(&made[1])];
    let stored = stage.memory().vectors.put(&small(), &both).await.expect("vectors are stored");
    assert_eq!(stored, 1);
    assert_eq!(waiting(&stage).await, [rewritten.id]);
    assert_eq!(pending(&stage, &small(), 9).await[0].version, 2);
    assert_eq!(stage.read(rewritten.id).await.embedded_by, None);
}

/// No entry, no vector, no error.
#[tokio::test]
async fn a_vector_of_an_unknown_entry_is_dropped() {
    let stage = CheckedStage::new().await;
    assert_eq!(put(&stage, &small(), stage.scribe.ids.memory_id(), 1).await, 0);
    assert_eq!(counts(&stage, &small()).await, (0, 0));
}

/// With every model.
#[tokio::test]
async fn a_rewritten_text_waits_again() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    for model in [small(), model("other", 4)] {
        put(&stage, &model, made[0].id, 1).await;
    }
    let rewritten = stage.apply(stage.scribe.edit(author(), &made[0], new_text("Rewritten."))).await;
    for model in [small(), model("other", 4)] {
        let text = PendingText { id: rewritten.id, version: 2, title: None, content: "Rewritten.".into() };
        assert_eq!(pending(&stage, &model, 9).await, [text]);
        assert_eq!(counts(&stage, &model).await, (0, 1));
    }
    assert_eq!(stage.read(rewritten.id).await.embedded_by, None);
    assert_eq!(put(&stage, &small(), rewritten.id, 2).await, 1);
    assert_eq!(waiting(&stage).await, []);
}

/// Everything but the text may change without a new vector.
#[tokio::test]
async fn a_change_of_other_fields_than_the_text_keeps_the_vector() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    put(&stage, &small(), made[0].id, 1).await;
    let tagged = stage.apply(stage.scribe.edit(author(), &made[0], new_tags(&["tag"]))).await;
    assert_eq!(waiting(&stage).await, []);
    assert_eq!(counts(&stage, &small()).await, (1, 0));
    assert_eq!(stage.read(tagged.id).await.embedded_by.as_deref(), Some("contract"));
}

/// Not by the model that failed; others still have their go.
#[tokio::test]
async fn a_text_that_failed_is_not_tried_again() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 2).await;
    stage.memory().vectors.mark_failed(&small(), made[1].id, 1, "too odd").await.expect("it is remembered");
    assert_eq!(waiting(&stage).await, [made[0].id]);
    let other = pending(&stage, &model("other", 4), 9).await;
    assert_eq!(other.len(), 2);
    assert_eq!(counts(&stage, &small()).await, (0, 1), "nobody waits for it");
    stage.memory().vectors.mark_failed(&small(), made[1].id, 1, "again").await.expect("it is remembered");
    let unknown = stage.scribe.ids.memory_id();
    let result = stage.memory().vectors.mark_failed(&small(), unknown, 1, "gone").await;
    assert!(result.is_ok(), "an entry that is gone is no error: {result:?}");
}

/// A new text is a new chance.
#[tokio::test]
async fn a_rewritten_text_is_tried_again_after_a_failure() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    stage.memory().vectors.mark_failed(&small(), made[0].id, 1, "too odd").await.expect("it is remembered");
    let rewritten = stage.apply(stage.scribe.edit(author(), &made[0], new_text("Rewritten."))).await;
    assert_eq!(waiting(&stage).await, [rewritten.id]);
}

/// Nor are they counted.
#[tokio::test]
async fn forgotten_entries_do_not_wait() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 3).await;
    put(&stage, &small(), made[0].id, 1).await;
    for entry in &made[..2] {
        stage.apply(stage.scribe.forget(author(), entry)).await;
    }
    assert_eq!(waiting(&stage).await, [made[2].id]);
    assert_eq!(counts(&stage, &small()).await, (0, 1));
}

/// A store may keep the vector of a forgotten entry or make it wait again, but it must do one of them.
#[tokio::test]
async fn a_restored_entry_is_embedded_or_waits() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    put(&stage, &small(), made[0].id, 1).await;
    let gone = stage.apply(stage.scribe.forget(author(), &made[0])).await;
    let back = stage.apply(stage.scribe.restore(author(), &gone)).await;
    let embedded = stage.read(back.id).await.embedded_by.is_some();
    assert_eq!(waiting(&stage).await.is_empty(), embedded);
    assert_eq!(counts(&stage, &small()).await, if embedded { (1, 0) } else { (0, 1) });
}

/// New, embedded, rewritten, restored. Every active entry is counted once.
#[tokio::test]
async fn counts_of_vectors_follow_all_changes() {
    let stage = CheckedStage::new().await;
    assert_eq!(counts(&stage, &small()).await, (0, 0));
    let made = notes(&stage, 5).await;
    assert_eq!(counts(&stage, &small()).await, (0, 5));
    for entry in &made[..3] {
        put(&stage, &small(), entry.id, 1).await;
    }
    assert_eq!(counts(&stage, &small()).await, (3, 2));
    put(&stage, &small(), made[0].id, 1).await;
    assert_eq!(counts(&stage, &small()).await, (3, 2));
    stage.apply(stage.scribe.edit(author(), &made[0], new_text("Rewritten."))).await;
    assert_eq!(counts(&stage, &small()).await, (2, 3));
}

/// Of two models that both embedded it, the later one.
#[tokio::test]
async fn an_entry_names_the_newest_model_that_embedded_it() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, 1).await;
    for name in ["zeta", "alpha", "zeta", "mid"] {
        put(&stage, &model(name, 4), made[0].id, 1).await;
        assert_eq!(stage.read(made[0].id).await.embedded_by.as_deref(), Some(name));
    }
}

/// With its title apart, which stands in front of every passage; one entry, however many passages.
#[tokio::test]
async fn a_long_text_waits_as_one_entry_until_all_its_passages_have_vectors() {
    let stage = CheckedStage::new().await;
    let content = long_text();
    let mut titled = draft(Place::Workspace, &content);
    titled.title = Some("The Northern Reef".into());
    let entry = stage.write_one(author(), titled).await;
    let waits = pending(&stage, &small(), 9).await.remove(0);
    assert_eq!((waits.title.as_deref(), &waits.content), (Some("The Northern Reef"), &content));
    assert_eq!(counts(&stage, &small()).await, (0, 1));
    let vectors = vectors_of(waits.title.as_deref(), &content);
    let new = NewVectors { id: entry.id, version: 1, vectors };
    for _ in 0..2 {
        assert_eq!(
            stage.memory().vectors.put(&small(), std::slice::from_ref(&new)).await.expect("an answer"),
            1
        );
        assert_eq!(waiting(&stage).await, []);
        assert_eq!(counts(&stage, &small()).await, (1, 0));
    }
    let rewritten = stage.apply(stage.scribe.edit(author(), &entry, new_text("Rewritten."))).await;
    assert_eq!(stage.memory().vectors.put(&small(), &[new]).await.expect("an answer"), 0, "of an old text");
    assert_eq!(waiting(&stage).await, [rewritten.id]);
    assert_eq!(put(&stage, &small(), rewritten.id, 2).await, 1);
    assert_eq!(counts(&stage, &small()).await, (1, 0));
}
