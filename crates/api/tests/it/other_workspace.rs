//! What the window does beyond the workspace that is open.

use inklings_api::{error::ErrorCode, settings::view::DataFolder, vocabulary::Scope};

use crate::{memory_off::new, support::World};

#[tokio::test]
async fn an_entry_can_be_created_in_a_workspace_that_is_not_open() {
    let world = World::new().await;
    let here = world.app.session().expect("open").workspace.workspace.id.to_string();
    let fells = world.app.workspace().create_workspace("The High Fells").await.expect("created");
    let memory = world.app.memory();
    let snow = new(Scope::Channel, "Snow in June.");
    let written = memory.create_memory_in(snow, Some(&fells.id)).await.expect("written");
    assert_eq!(written.detail.row.channel_name.as_deref(), Some("general"));
    let id = written.detail.row.id;
    assert_eq!(memory.get_memory(&id).await.expect_err("it is elsewhere").code, ErrorCode::NotFound);
    assert_eq!(world.app.session().expect("open").workspace.workspace.id.to_string(), here);

    world.app.workspace().switch_workspace(&fells.id).await.expect("it opens");
    assert_eq!(memory.get_memory(&id).await.expect("it is here").content, "Snow in June.");

    let nowhere = "0190a5c6-8f2e-7c3d-9b1a-5e4f3a2b1c0d";
    let lost = memory.create_memory_in(new(Scope::Workspace, "Lost."), Some(nowhere)).await;
    assert_eq!(lost.expect_err("there is none").code, ErrorCode::NotFound);
}

#[tokio::test]
async fn a_deletion_that_fails_leaves_the_workspace_in_use_open() {
    let world = World::new().await;
    let current = || world.app.session().expect("open").workspace.workspace.id.to_string();
    let here = current();
    let trash = world.file("data/trash", "no folder");
    for purge in [false, true] {
        world.app.workspace().delete_workspace(&here, purge).await.expect_err("it cannot be moved");
        assert_eq!(current(), here);
        let written = world.app.memory().create_memory(new(Scope::Workspace, "Still here.")).await;
        written.expect("it is open");
    }
    std::fs::remove_file(trash).expect("removed");
    world.app.workspace().delete_workspace(&here, false).await.expect("deleted");
    assert_ne!(current(), here, "another one is open");
}

#[tokio::test]
async fn a_folder_that_is_not_there_yet_is_not_opened() {
    let world = World::new().await;
    let refused = world.app.settings().open_folder(DataFolder::Backups).await.expect_err("no backup yet");
    assert_eq!(refused.code, ErrorCode::NotFound);
}
