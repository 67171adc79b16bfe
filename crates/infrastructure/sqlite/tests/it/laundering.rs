//! A client's texts take every path on real files: the guards of the database agree with the rules.

use std::sync::Arc;

use crate::support::TempFolder;
use inklings_application::{
    session::{EmbedderSlot, Session},
    testing::laundering::{Attack, Figures, Path},
    workspace::Workspaces,
};
use inklings_ports::testing::{
    clock::{ManualClock, SequentialIds},
    embedder::FixedEmbedder,
};

async fn attack(paths: impl IntoIterator<Item = Path>) -> Figures {
    let folder = TempFolder::new();
    let catalogue: Arc<dyn inklings_ports::workspace::catalogue::Catalogue> = Arc::new(folder.open());
    let (clock, ids) = (Arc::new(ManualClock::default()), Arc::new(SequentialIds::default()));
    let workspaces = Workspaces { catalogue: catalogue.clone(), clock: clock.clone(), ids: ids.clone() };
    let made = workspaces.create("Aldmoor").await.expect("a workspace");
    let account = catalogue.account().await.expect("opens");
    let ports = catalogue.open(made.id).await.expect("opens");
    let slot = EmbedderSlot::default();
    slot.set(Some(Arc::new(FixedEmbedder::default())));
    let session = Session::new(account, ports, clock.clone(), ids, slot);
    let mut attack = Attack::begin(Arc::new(session), clock).await;
    for path in paths {
        attack.take(path).await;
    }
    attack.end().await
}

#[tokio::test]
async fn a_clients_text_keeps_its_source_on_every_path() {
    let mut figures = attack(Path::ALL).await;
    figures.add(attack(Path::ALL.into_iter().rev()).await);
    println!(
        "{} paths, {} poisoned texts looked at: {} laundered, {} left after the client was undone",
        figures.paths,
        figures.texts,
        figures.laundered.len(),
        figures.left
    );
    assert_eq!(figures.paths, Path::ALL.len() * 2);
    assert_eq!((figures.laundered, figures.left), (Vec::new(), 0));
}
