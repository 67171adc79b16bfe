use std::sync::atomic::{AtomicU64, Ordering};

use inklings_domain::scope::Place;
use inklings_ports::{
    model::embedding::Embedder,
    progress::Progress,
    testing::builders::{author, new_text},
};

use super::{World, searching::search};

#[derive(Default)]
pub(super) struct CountedTexts(AtomicU64);

impl Progress for CountedTexts {
    fn report(&self, done: u64, _total: u64) {
        self.0.store(done, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn writing_never_waits_for_the_model_and_vectors_follow() {
    let world = World::new().await;
    world.embedder.set_down(true);
    let id = world.write(Place::Workspace, "written while the model was down").await;
    world.write(Place::Account, "a habit").await;
    world.embedder.set_down(false);
    let received = CountedTexts::default();
    assert_eq!(world.session.embeddings().pending(&received).await.expect("a backfill"), 2);
    assert_eq!(received.0.load(Ordering::Relaxed), 2);

    world.session.memories().edit(id, 1, new_text("rewritten"), author()).await.expect("edit");
    let counts = world.session.embeddings().counts(&world.embedder.model()).await.expect("counts");
    assert_eq!((counts.embedded, counts.pending), (1, 1));
    assert_eq!(world.session.embeddings().pending(&received).await.expect("a backfill"), 1);
}

#[tokio::test]
async fn without_a_model_the_backfill_embeds_nothing_and_gives_no_error() {
    let world = World::new().await;
    world.write(Place::Workspace, "waits").await;
    world.session.embedder.set(None);
    assert_eq!(world.session.embeddings().pending(&CountedTexts::default()).await.expect("no error"), 0);
}

/// A broken model finds a fault in no text; a text that breaks it is left out and blocks no other.
#[tokio::test]
async fn a_text_is_marked_as_failed_only_if_the_model_embeds_others() {
    let world = World::new().await;
    for text in ["The gate is iron.", "an odd text", "Bells ring at noon."] {
        world.write(Place::Workspace, text).await;
    }
    let counts = async || {
        let counts = world.session.embeddings().counts(&world.embedder.model()).await.expect("counts");
        (counts.embedded, counts.pending)
    };
    world.embedder.fail_on(Some(""));
    assert!(world.session.embeddings().pending(&CountedTexts::default()).await.is_err());
    assert_eq!(counts().await, (0, 3));
    world.embedder.fail_on(Some("odd"));
    assert_eq!(world.session.embeddings().pending(&CountedTexts::default()).await.expect("a backfill"), 2);
    assert_eq!(counts().await, (2, 0));
}

/// A text of several passages whose last words stand in no other.
fn long_text(end: &str) -> String {
    format!("{} {end}", ["The keeper counted every ship that passed the reef."; 60].join(" "))
}

#[tokio::test]
async fn a_long_text_is_one_text_of_the_backfill_and_found_by_each_of_its_passages() {
    let world = World::new().await;
    let long = world.write(Place::Workspace, &long_text(&["The ferry leaves at noon."; 30].join(" "))).await;
    world.write(Place::Workspace, "An entry about ships and a reef.").await;
    assert_eq!(world.session.embeddings().pending(&CountedTexts::default()).await.expect("a backfill"), 2);
    assert!(world.embedder.embedded() > 4, "each passage is embedded");
    world.embed().await;
    let hits = world.session.search().memories(search("ferry leaves noon")).await.expect("found").hits;
    assert_eq!(hits[0].stored.entry.id, long);
    let passage = hits[0].passage.clone().expect("the best passage");
    assert!(hits[0].stored.entry.content[passage].ends_with("The ferry leaves at noon."));
    assert!(hits[1].passage.is_none(), "a short text is its own passage");
}

/// Two long texts whose beginnings, and so most of their passages, are the same.
#[tokio::test]
async fn long_texts_that_share_a_passage_are_not_folded_and_equal_ones_are() {
    let world = World::new().await;
    for end in ["The ferry leaves at noon.", "The bridge fell in spring.", "The bridge  fell in spring"] {
        world.write(Place::Workspace, &long_text(end)).await;
    }
    world.embed().await;
    let found = world.session.search().memories(search("the keeper counted ships")).await.expect("found");
    let folded: Vec<usize> = found.hits.iter().map(|hit| hit.folded.len()).collect();
    assert_eq!((found.hits.len(), folded.iter().sum::<usize>()), (2, 1), "{folded:?}");
}

struct Stops(AtomicU64);

impl Progress for Stops {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 1
    }
}

#[tokio::test]
async fn a_backfill_can_be_stopped_between_the_passages_of_one_text() {
    let world = World::new().await;
    world.write(Place::Workspace, &"The keeper counted every ship. ".repeat(1_500)).await;
    assert_eq!(world.session.embeddings().pending(&Stops(AtomicU64::new(0))).await.expect("stopped"), 0);
    let stopped_at = world.embedder.embedded();
    assert!((1..=50).contains(&stopped_at), "{stopped_at}");
    let counts = world.session.embeddings().counts(&world.embedder.model()).await.expect("counts");
    assert_eq!((counts.embedded, counts.pending), (0, 1), "no text is half embedded");
    assert_eq!(world.session.embeddings().pending(&CountedTexts::default()).await.expect("a backfill"), 1);
}
