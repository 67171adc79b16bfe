//! Linked vaults while a shell runs.

use std::{fs, path::Path, sync::Arc, time::Duration};

use inklings_api::{
    App, Config, Interface, NoopEvents, background::Background, vault::view::PageListRequest,
};

use crate::support::World;

/// Waits until a page with this title is indexed.
async fn indexed(app: &App, title: &str) {
    for _ in 0..1_500 {
        let request = PageListRequest { vault_id: None, after: None, limit: 100 };
        let pages = app.vault().list_pages(&request).await.expect("a list").rows;
        if pages.iter().any(|page| page.title == title) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{title} was not indexed");
}

async fn link(app: &App, folder: &Path) {
    app.vault().link_vault(folder.to_str().expect("a plain path")).await.expect("links");
}

#[tokio::test]
async fn what_changed_while_another_workspace_was_open_is_indexed_when_the_workspace_is_opened_again() {
    let world = World::new().await;
    let config = Config {
        data_dir: world.path("data"),
        resources: Some(world.path("none")),
        interface: Interface::Window,
    };
    let app = Arc::new(App::open(config).await.expect("the folder opens"));
    app.workspace().open_workspace("Aldmoor").await.expect("it opens");
    let salt = world.file("salt/Saltmere.md", "A town.");
    let weir = world.file("weir/Weir.md", "A weir.");
    let _background = Background::start(Arc::clone(&app), Arc::new(NoopEvents));
    link(&app, salt.parent().expect("a folder")).await;
    indexed(&app, "Saltmere").await;

    app.workspace().create_workspace("Ember Court").await.expect("a workspace");
    app.workspace().open_workspace("Ember Court").await.expect("it opens");
    link(&app, weir.parent().expect("a folder")).await;
    indexed(&app, "Weir").await;
    fs::write(salt.with_file_name("Mira.md"), "Keeper of the town.").expect("writes");

    app.workspace().open_workspace("Aldmoor").await.expect("it opens");
    indexed(&app, "Mira").await;
}
