//! Permissions of clients.

use std::{fs, path::Path};

use inklings_api::{
    App, Config, Interface,
    client::view::{ClientCapability, ClientView},
    view::lens::LensSpec,
};

use crate::support::World;

/// The folder in `parent` whose name begins with an id.
fn folder_of(parent: &Path, id: &str) -> std::path::PathBuf {
    let found = fs::read_dir(parent).expect("a folder").filter_map(Result::ok);
    let mut of_id = found.filter(|entry| entry.file_name().to_string_lossy().starts_with(id));
    of_id.next().expect("the workspace").path()
}

#[tokio::test]
async fn a_client_keeps_its_lens_if_permissions_change_while_its_workspace_is_away() {
    let world = World::new().await;
    let (app, data) = (&world.app, world.path("data"));
    let here = app.session().expect("open").workspace.workspace.id.to_string();
    let two = app.workspace().create_workspace("Two").await.expect("created").id;
    app.workspace().switch_workspace(&two).await.expect("opens");
    let mira = app.subject().add_subject("Mira", "character", "").await.expect("added").detail.row.id;
    let made: ClientView = app.client().add_client("Scribe", &two).await.expect("added").client;
    let mut grants = made.grants.clone();
    grants.capabilities.push(ClientCapability::Propose);
    let lens = LensSpec { knower: Some(mira), at: None };
    grants.lens = Some(lens.clone());
    let bound = app.client().set_grants(&made.id, &grants).await.expect("granted");
    assert_eq!(bound.grants.lens.as_ref(), Some(&lens));
    // A caller that does not name the lens keeps it.
    grants.lens = None;
    let other = app.client().set_grants(&made.id, &grants).await.expect("granted");
    assert_eq!(other.grants.lens.as_ref(), Some(&lens));

    app.workspace().switch_workspace(&here).await.expect("opens");
    app.workspace().delete_workspace(&two, false).await.expect("moved to the trash");
    let away = app.client().client(&made.id).await.expect("listed");
    assert_eq!((away.workspace_name.as_str(), &away.grants.lens), ("", &None), "nothing can name the lens");
    let mut fewer = away.grants;
    fewer.capabilities.clear();
    app.client().set_grants(&made.id, &fewer).await.expect("granted");
    fs::rename(folder_of(&data.join("trash"), &two), data.join("workspaces").join(&two)).expect("put back");

    // A start takes up the folder.
    let config = Config { data_dir: data, resources: Some(world.path("none")), interface: Interface::Window };
    let app = App::open(config).await.expect("the folder opens");
    app.client().renew_token(&made.id).await.expect("admitted again");
    let back = app.client().client(&made.id).await.expect("listed");
    assert_eq!(back.workspace_name, "Two");
    assert_eq!((back.grants.capabilities.len(), back.grants.lens.as_ref()), (0, Some(&lens)));
    // Only a choice of no lens removes it.
    let free = inklings_api::client::view::ClientGrants { lens: Some(LensSpec::default()), ..back.grants };
    let free = app.client().set_grants(&made.id, &free).await.expect("granted");
    assert_eq!(free.grants.lens, None);
}
