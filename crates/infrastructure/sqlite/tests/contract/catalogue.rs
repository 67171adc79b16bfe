//! The data folder and its workspaces.

use chrono::TimeDelta;
use inklings_domain::{
    ids::WorkspaceId,
    scope::Place,
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::{
    clock::IdGenerator,
    store_error::StoreError,
    testing::builders::{Scribe, author, draft, everywhere},
    workspace::catalogue::Catalogue,
};

use super::{CheckedFolder, CheckedStage, refused};

async fn workspaces(catalogue: &dyn Catalogue) -> Vec<Workspace> {
    catalogue.workspaces().await.expect("workspaces are listed")
}

async fn create(catalogue: &dyn Catalogue, scribe: &Scribe, name: &str) -> Workspace {
    let workspace = scribe.workspace(name);
    catalogue.create(&workspace).await.expect("a workspace is made");
    workspace
}

fn name(text: &str) -> WorkspaceName {
    WorkspaceName::new(text).expect("a valid name")
}

/// The account's database is there from the start.
#[tokio::test]
async fn an_empty_folder_has_an_account_and_no_workspace() {
    let folder = CheckedFolder::new();
    let catalogue = folder.catalogue();
    assert_eq!(workspaces(catalogue.as_ref()).await, []);
    let account = catalogue.account().await.expect("the account's database opens");
    let counts = account.memory.store.count(&everywhere(Vec::new())).await.expect("entries are counted");
    assert_eq!(counts.account, 0);
    assert!(!catalogue.is_read_only());
    assert!(!catalogue.sqlite_version().is_empty());
}

/// With everything that was written before.
#[tokio::test]
async fn a_closed_catalogue_opens_again() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Kept.")).await;
    stage.catalogue.close().await;
    stage.catalogue.close().await;
    let again = stage.catalogue.open(stage.workspace.workspace.id).await.expect("it opens again");
    assert_eq!(again.memory.store.get(&[entry.id]).await.expect("entries are read").len(), 1);
    assert_eq!(workspaces(stage.catalogue.as_ref()).await.len(), 1);
}

/// Regardless of case, not by age.
#[tokio::test]
async fn workspaces_are_listed_by_name() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    for name in ["Cedar", "alder", "Birch", "世界"] {
        create(catalogue.as_ref(), &scribe, name).await;
    }
    let listed = workspaces(catalogue.as_ref()).await;
    let names: Vec<&str> = listed.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["alder", "Birch", "Cedar", "世界"]);
}

/// In the list, and when it is opened.
#[tokio::test]
async fn every_field_of_a_workspace_is_read_back() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    let workspace = scribe.workspace("O'Neill & sons, 100% ünïcôde");
    let workspace =
        Workspace { created_at: workspace.created_at + TimeDelta::milliseconds(123), ..workspace };
    catalogue.create(&workspace).await.expect("a workspace is made");
    assert_eq!(workspaces(catalogue.as_ref()).await, std::slice::from_ref(&workspace));
    let opened = catalogue.open(workspace.id).await.expect("the workspace opens");
    assert_eq!(opened.workspace, workspace);
}

/// Names that differ in case alone are one.
#[tokio::test]
async fn workspace_names_are_unique_ignoring_case() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    let first = create(catalogue.as_ref(), &scribe, "The Vale").await;
    for twin in ["The Vale", "the vale", "THE VALE"] {
        refused!(catalogue.create(&scribe.workspace(twin)).await, StoreError::AlreadyExists(_));
    }
    let same_id = Workspace { name: name("Another name"), ..first.clone() };
    refused!(catalogue.create(&same_id).await, StoreError::AlreadyExists(_));
    assert_eq!(workspaces(catalogue.as_ref()).await, [first]);
}

/// Also for those who have it open.
#[tokio::test]
async fn a_workspace_is_renamed_and_keeps_its_memory() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "Kept.")).await;
    let id = stage.workspace.workspace.id;
    stage.catalogue.rename(id, &name("New name")).await.expect("a workspace is renamed");
    let listed = workspaces(stage.catalogue.as_ref()).await;
    assert_eq!(listed.iter().map(|w| (w.id, w.name.as_str())).collect::<Vec<_>>(), [(id, "New name")]);
    assert_eq!(stage.read(entry.id).await.entry, entry);
    let again = stage.folder.catalogue().open(id).await.expect("it opens again");
    assert_eq!(again.workspace.name.as_str(), "New name");
    assert_eq!(again.memory.store.get(&[entry.id]).await.expect("entries are read").len(), 1);
}

/// And changes nothing.
#[tokio::test]
async fn a_rename_to_a_name_in_use_is_refused() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    let alder = create(catalogue.as_ref(), &scribe, "Alder").await;
    let birch = create(catalogue.as_ref(), &scribe, "Birch").await;
    refused!(catalogue.rename(birch.id, &name("ALDER")).await, StoreError::AlreadyExists(_));
    assert_eq!(workspaces(catalogue.as_ref()).await, [alder, birch]);
}

/// A workspace is not its own twin.
#[tokio::test]
async fn a_name_may_change_its_case() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    let vale = create(catalogue.as_ref(), &scribe, "the vale").await;
    catalogue.rename(vale.id, &name("The Vale")).await.expect("a workspace is renamed");
    assert_eq!(workspaces(catalogue.as_ref()).await[0].name.as_str(), "The Vale");
}

/// Not listed, not opened, its neighbours untouched.
#[tokio::test]
async fn a_deleted_workspace_is_not_listed() {
    let stage = CheckedStage::new().await;
    stage.write_one(author(), draft(Place::Workspace, "Gone with it.")).await;
    let neighbour = create(stage.catalogue.as_ref(), &stage.scribe, "Neighbour").await;
    let id = stage.workspace.workspace.id;
    stage.catalogue.delete(id, false).await.expect("a workspace is deleted");
    for catalogue in [stage.catalogue.clone(), stage.folder.catalogue()] {
        assert_eq!(workspaces(catalogue.as_ref()).await, std::slice::from_ref(&neighbour));
        assert!(matches!(catalogue.open(id).await, Err(StoreError::NotFound(_))), "it must not open again");
        assert!(catalogue.open(neighbour.id).await.is_ok());
    }
}

/// Whoever still holds its ports cannot write into the void.
#[tokio::test]
async fn a_deleted_workspace_refuses_writes() {
    let stage = CheckedStage::new().await;
    let other = create(stage.catalogue.as_ref(), &stage.scribe, "Other").await;
    let other = stage.catalogue.open(other.id).await.expect("the workspace opens");
    for (ports, purge) in [(&stage.workspace, false), (&other, true)] {
        let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Too late.")]);
        stage.catalogue.delete(ports.workspace.id, purge).await.expect("a workspace is deleted");
        let result = ports.memory.store.commit(&change).await;
        assert!(result.is_err(), "a write into a deleted workspace must not seem to succeed");
    }
    assert_eq!(stage.folder.traces(other.workspace.id), [""; 0]);
}

/// Nowhere in the folder: no file, no trash, no row.
#[tokio::test]
async fn a_purged_workspace_leaves_no_trace() {
    let stage = CheckedStage::new().await;
    stage.write_one(author(), draft(Place::Workspace, "Gone with it.")).await;
    let id: WorkspaceId = stage.workspace.workspace.id;
    stage.catalogue.delete(id, true).await.expect("a workspace is purged");
    assert_eq!(workspaces(stage.catalogue.as_ref()).await, []);
    assert_eq!(stage.folder.traces(id), [""; 0]);
    let findings = stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().all(|f| f.ok && !f.file.contains(&id.to_string())), "{findings:?}");
}

/// And what is made under it starts empty.
#[tokio::test]
async fn a_name_is_free_again_after_deletion() {
    let stage = CheckedStage::new().await;
    stage.write_one(author(), draft(Place::Workspace, "The old world's.")).await;
    let old = stage.workspace.workspace.clone();
    for purge in [false, true] {
        let last = workspaces(stage.catalogue.as_ref()).await.remove(0);
        stage.catalogue.delete(last.id, purge).await.expect("a workspace is deleted");
        let new = create(stage.catalogue.as_ref(), &stage.scribe, old.name.as_str()).await;
        let ports = stage.catalogue.open(new.id).await.expect("the workspace opens");
        let counts = ports.memory.store.count(&everywhere(Vec::new())).await.expect("entries are counted");
        assert_eq!(counts.workspace, 0);
    }
}

/// Typed, for every verb.
#[tokio::test]
async fn unknown_workspaces_are_not_found() {
    let folder = CheckedFolder::new();
    let (catalogue, scribe) = (folder.catalogue(), Scribe::default());
    let unknown = scribe.ids.workspace_id();
    assert!(matches!(catalogue.open(unknown).await, Err(StoreError::NotFound(_))));
    refused!(catalogue.rename(unknown, &name("New name")).await, StoreError::NotFound(_));
    refused!(catalogue.delete(unknown, false).await, StoreError::NotFound(_));
    refused!(catalogue.delete(unknown, true).await, StoreError::NotFound(_));
}

/// Isolation is by file.
#[tokio::test]
async fn workspaces_do_not_see_one_another() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "The first world's gate.")).await;
    let other = create(stage.catalogue.as_ref(), &stage.scribe, "Other").await;
    let other = stage.catalogue.open(other.id).await.expect("the workspace opens");
    assert!(other.memory.store.get(&[entry.id]).await.expect("entries are read").is_empty());
    let query = inklings_domain::search::query::parse("gate").query;
    let hits = other.memory.search.search_text(&query, &everywhere(Vec::new()), 9).await;
    assert_eq!(hits.expect("search answers"), []);
    assert_eq!(other.memory.store.last_undoable().await.expect("the journal is read"), None);
    assert_eq!(other.conversations.channels().await.expect("channels are read").len(), 1);
}

/// What one process made, the next one lists.
#[tokio::test]
async fn workspaces_are_durable() {
    let folder = CheckedFolder::new();
    let scribe = Scribe::default();
    let made = create(folder.catalogue().as_ref(), &scribe, "Kept").await;
    assert_eq!(workspaces(folder.catalogue().as_ref()).await, [made]);
}

/// On every database, after ordinary use.
#[tokio::test]
async fn the_self_check_finds_nothing_wrong() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    stage.apply(stage.scribe.forget(author(), &entry)).await;
    let findings = stage.catalogue.check().await.expect("the folder is checked");
    let wrong: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let id = stage.workspace.workspace.id.to_string();
    assert!(findings.iter().any(|f| f.file.contains(&id)), "the workspace was not checked");
    assert!(findings.iter().any(|f| !f.file.contains(&id)), "the account was not checked");
    assert!(findings.iter().all(|f| !f.file.starts_with('/')), "paths are relative to the folder");
}
