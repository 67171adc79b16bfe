//! A workspace may search with a model of its own. The second model here is a folder with the files of the shipped one.

use std::{path::PathBuf, sync::Arc, time::Duration};

use inklings_api::{
    App, Config, Interface, NoopEvents,
    background::Background,
    error::ErrorCode,
    memory::filter::MemoryFilter,
    search::{parts::SearchMode, view::SearchRequest},
    view::model::{ModelState, ModelStatus},
    vocabulary::Scope,
};
use inklings_embedding::{BUNDLED, resources_dir};
use inklings_ports::progress::NoProgress;

use crate::{memory_off::new, support::World};

/// Links to the files of the shipped model.
fn folder(world: &World) -> PathBuf {
    let folder = world.path("foreign");
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in std::fs::read_dir(resources_dir().join("models").join(BUNDLED)).expect("the shipped model") {
        let path = file.expect("a file").path();
        let target = folder.join(path.file_name().expect("a name"));
        std::fs::hard_link(&path, &target)
            .or_else(|_| std::fs::copy(&path, &target).map(drop))
            .expect("there");
    }
    folder
}

/// Opens the workspace, creating it if it is new, and tells the model that it uses.
async fn open(app: &App, name: &str) -> ModelStatus {
    if app.workspace().open_workspace(name).await.is_err() {
        app.workspace().create_workspace(name).await.expect("a workspace");
        app.workspace().open_workspace(name).await.expect("it opens");
    }
    status(app).await
}

async fn status(app: &App) -> ModelStatus {
    app.model().load_model().await;
    app.model().model_status().await.expect("a status")
}

/// What model it is, and whether it is the workspace's own.
fn model(status: &ModelStatus) -> (bool, bool) {
    assert_eq!(status.state, ModelState::Ready, "{status:?}");
    let id = status.active_id.as_deref().expect("an id");
    assert!(id == BUNDLED || id.starts_with("folder:foreign@"), "{id}");
    (id != BUNDLED, status.own)
}

const SHARED: (bool, bool) = (false, false);
const OWN: (bool, bool) = (true, true);

/// Opens the data folder anew, as another process would.
async fn again(world: &World) -> App {
    let config = Config { data_dir: world.path("data"), resources: None, interface: Interface::Window };
    App::open(config).await.expect("the folder opens")
}

async fn embedded(app: &App) -> u32 {
    let status = app.model().model_status().await.expect("a status");
    assert_eq!(status.pending, 0);
    status.embedded
}

#[tokio::test]
async fn a_workspace_keeps_the_model_of_its_own_and_no_other_follows() {
    let world = World::with_model().await;
    let (app, folder) = (&world.app, folder(&world));
    let note = |text| async move {
        app.memory().create_memory(new(Scope::Account, text)).await.expect("created");
    };
    note("The worldbuilder likes stories about the sea.").await;
    app.model().set_own_model(true).await.expect("own");
    assert_eq!(model(&status(app).await), (false, true), "it begins with the model that was in use");
    app.model().use_model_folder(&folder).await.expect("it loads");
    assert_eq!(model(&status(app).await), OWN);
    app.model().embed_pending(&NoProgress).await.expect("embedded");
    let here = embedded(app).await;

    assert_eq!(model(&open(app, "Ember Court").await), SHARED);
    app.model().embed_pending(&NoProgress).await.expect("embedded");
    // The texts of the account have a vector of each model.
    assert_eq!(embedded(app).await, here);
    let request = SearchRequest {
        query: "tales of the ocean".to_owned(),
        filter: MemoryFilter::default(),
        limit: 5,
        first: None,
        strategy: None,
    };
    app.memory().wait_for_vectors().await.expect("loaded");
    let found = app.memory().search_memories(request).await.expect("an answer");
    assert_eq!((found.mode, found.hits.len()), (SearchMode::Hybrid, 1));

    assert_eq!(model(&open(app, "Aldmoor").await), OWN);
    assert_eq!(embedded(app).await, here, "the vectors of its model are still there");
    let later = again(&world).await;
    assert_eq!(model(&open(&later, "Aldmoor").await), OWN);
    assert_eq!(model(&open(&later, "Ember Court").await), SHARED);

    // A process that has loaded no model chooses for the workspace, too.
    later.workspace().open_workspace("Aldmoor").await.expect("it opens");
    later.model().use_model(BUNDLED).await.expect("it loads");
    assert_eq!(model(&status(&later).await), (false, true));
    assert_eq!(model(&open(&later, "Ember Court").await), SHARED);

    open(app, "Aldmoor").await;
    app.model().set_own_model(false).await.expect("shared");
    assert_eq!(model(&status(app).await), SHARED);
    assert_eq!(model(&open(&again(&world).await, "Aldmoor").await), SHARED);
}

#[tokio::test]
async fn the_model_of_the_account_is_that_of_every_workspace_without_its_own() {
    let world = World::with_model().await;
    let (app, folder) = (&world.app, folder(&world));
    app.model().set_own_model(true).await.expect("own");
    let follower = {
        open(app, "Ember Court").await;
        app.session().expect("open")
    };
    open(app, "The Drowned Coast").await;
    app.model().use_model_folder(&folder).await.expect("it loads");
    let id = |embedder: Option<Arc<dyn inklings_ports::model::embedding::Embedder>>| {
        embedder.expect("a model").model().id.to_string()
    };
    assert_ne!(id(follower.embedder.get()), BUNDLED, "it follows while it is open");
    assert_eq!(model(&open(app, "Ember Court").await), (true, false));
    assert_eq!(model(&open(app, "Ash").await), (true, false), "so does one that is made later");
    assert_eq!(model(&open(app, "Aldmoor").await), (false, true));
}

#[tokio::test]
async fn a_model_that_does_not_load_takes_the_place_of_none() {
    let world = World::with_model().await;
    let (app, folder) = (&world.app, folder(&world));
    app.model().set_own_model(true).await.expect("own");
    open(app, "Ember Court").await;
    app.model().use_model_folder(&folder).await.expect("it loads");
    std::fs::remove_dir_all(&folder).expect("removed");

    let later = again(&world).await;
    open(&later, "Aldmoor").await;
    let refused = later.model().set_own_model(false).await.expect_err("the account's model is gone");
    assert_eq!(refused.code, ErrorCode::ModelUnavailable);
    assert_eq!(model(&status(&later).await), (false, true));
    let gone = open(&later, "Ember Court").await;
    assert_eq!((gone.state, gone.own), (ModelState::Missing, false));
    assert!(!later.model().has_model(), "the model of another workspace is no substitute");
}

#[tokio::test]
async fn a_client_searches_with_the_model_of_its_workspace() {
    let world = World::with_model().await;
    world.app.model().set_own_model(true).await.expect("own");
    world.app.model().use_model_folder(&folder(&world)).await.expect("it loads");
    let aldmoor = world.app.session().expect("open").workspace.workspace.id;

    let later = Arc::new(again(&world).await);
    open(&later, "Ember Court").await;
    let _background = Background::start(Arc::clone(&later), Arc::new(NoopEvents));
    let session = later.client().session_on(aldmoor).await.expect("a session");
    for _ in 0..2_000 {
        if let Some(embedder) = session.embedder.get() {
            assert_ne!(embedder.model().id.as_str(), BUNDLED);
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("its model was not loaded");
}
