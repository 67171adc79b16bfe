//! No path and no two paths after one another make a client's text somebody else's.

use std::sync::Arc;

use inklings_application::testing::laundering::{Attack, Figures, Path};

use crate::support::World;

async fn attack(paths: impl IntoIterator<Item = Path>) -> Figures {
    let (world, _folder) = World::new().await.into_parts();
    let mut attack = Attack::begin(Arc::new(world.session), world.clock).await;
    for path in paths {
        attack.take(path).await;
    }
    attack.end().await
}

#[tokio::test]
async fn a_clients_text_keeps_its_source_on_every_combination_of_two_paths() {
    let mut figures = Figures::default();
    for first in Path::ALL {
        // A world each, side by side: they mostly wait for their databases. Boxed: together they are larger than a stack.
        let attacks = Path::ALL.map(|second| Box::pin(attack([first, second])));
        futures::future::join_all(attacks).await.into_iter().for_each(|came| figures.add(came));
    }
    println!(
        "{} paths, {} poisoned texts looked at: {} laundered, {} left after the client was undone",
        figures.paths,
        figures.texts,
        figures.laundered.len(),
        figures.left
    );
    assert_eq!(figures.paths, Path::ALL.len() * Path::ALL.len() * 2);
    assert!(figures.texts > figures.paths, "{}", figures.texts);
    assert_eq!((figures.laundered, figures.left), (Vec::new(), 0));
}
