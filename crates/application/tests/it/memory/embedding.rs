use std::sync::atomic::{AtomicU64, Ordering};

use inklings_application::{
    memory::embed::BackfillProgress,
    model::embedding::Embedder,
    testing::builders::{author, new_text},
};
use inklings_domain::scope::Place;

use super::World;

#[derive(Default)]
pub(super) struct Heard(AtomicU64);

impl BackfillProgress for Heard {
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
    let heard = Heard::default();
    assert_eq!(world.session.embeddings().pending(&heard).await.expect("a backfill"), 2);
    assert_eq!(heard.0.load(Ordering::Relaxed), 2);

    world.session.memories().edit(id, 1, new_text("rewritten"), author()).await.expect("edit");
    let counts = world.session.embeddings().counts(&world.embedder.model()).await.expect("counts");
    assert_eq!((counts.embedded, counts.pending), (1, 1));
    assert_eq!(world.session.embeddings().pending(&heard).await.expect("a backfill"), 1);
}

#[tokio::test]
async fn without_a_model_the_backfill_is_quiet() {
    let world = World::new().await;
    world.write(Place::Workspace, "waits").await;
    world.session.embedder.set(None);
    assert_eq!(world.session.embeddings().pending(&Heard::default()).await.expect("no error"), 0);
}
