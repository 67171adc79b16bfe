//! A data folder with a workspace, and files beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use inklings_api::{
    App, Config, Interface, NoopEvents, error::CommandError, memory::filter::ListRequest, transfer::view::*,
    view::memory::MemoryDetail, vocabulary::Scope,
};
use tempfile::TempDir;

/// A workspace of its own.
pub struct World {
    pub app: App,
    folder: TempDir,
}

impl World {
    /// Without a model: what most of these tests promise holds without one.
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let none = folder.path().join("none");
        Self::with(folder, Some(none)).await
    }

    /// With the model that ships with the program.
    pub async fn with_model() -> Self {
        let world = Self::with(tempfile::tempdir().expect("a temporary folder"), None).await;
        world.app.model().load_model().await;
        assert!(world.app.model().has_model(), "the model is not here: run scripts/setup-model.sh");
        world
    }

    async fn with(folder: TempDir, resources: Option<PathBuf>) -> Self {
        let data_dir = folder.path().join("data");
        let config = Config { data_dir, resources, interface: Interface::Window };
        let app = App::open(config).await.expect("the folder opens");
        let workspace = app.workspace().create_workspace("Aldmoor").await.expect("a workspace");
        app.workspace().switch_workspace(&workspace.id).await.expect("it opens");
        Self { app, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file beside the data folder, with the folders it is in.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        path
    }

    pub fn request(path: &Path, conflicts: ConflictChoice) -> ImportRequest {
        ImportRequest {
            path: path.to_str().expect("a plain path").to_owned(),
            format: None,
            scope: Scope::Workspace,
            channel_id: None,
            conflicts,
            picks: Vec::new(),
            pick_all: false,
            whole: Vec::new(),
            same_book: None,
            new_book: false,
            partial: false,
            only_when_named: false,
        }
    }

    pub async fn preview(&self, path: &Path) -> Result<ImportPlan, CommandError> {
        self.app
            .transfer()
            .preview_import(Self::request(path, ConflictChoice::Newer), Arc::new(NoopEvents))
            .await
    }

    /// Looks at a file and brings it in.
    pub async fn import(&self, path: &Path, conflicts: ConflictChoice) -> Result<ImportDone, CommandError> {
        self.import_as(Self::request(path, conflicts)).await
    }

    /// As [`Self::import`], with every line picked.
    pub async fn import_picked(
        &self,
        path: &Path,
        conflicts: ConflictChoice,
    ) -> Result<ImportDone, CommandError> {
        self.import_as(ImportRequest { pick_all: true, ..Self::request(path, conflicts) }).await
    }

    pub async fn import_as(&self, request: ImportRequest) -> Result<ImportDone, CommandError> {
        let plan = self.app.transfer().preview_import(request.clone(), Arc::new(NoopEvents)).await?;
        let done =
            self.app.transfer().import_memory(request, plan.hash.clone(), Arc::new(NoopEvents)).await?;
        assert_eq!(done.plan, plan, "what was shown is what was done");
        Ok(done)
    }

    /// Everything in use but the entries that every workspace and account begins with, in the order it was made.
    pub async fn all(&self) -> Vec<MemoryDetail> {
        let request: ListRequest = serde_json::from_value(serde_json::json!({
            "filter": {"scope": null, "channelId": null, "conversationId": null, "terms": []},
            "sort": "updated_desc", "after": null, "limit": 500,
        }))
        .expect("a request");
        let mut all = Vec::new();
        for row in self.app.memory().list_memories(request).await.expect("a list").rows {
            let mut entry = self.app.memory().get_memory(&row.id).await.expect("it is there");
            // It falls from one moment to the next.
            entry.row.relevance = entry.row.importance;
            let begun_with =
                matches!(row.name.as_deref(), Some("VOICE" | "SOUL")) && entry.content.is_empty();
            if !begun_with {
                all.push(entry);
            }
        }
        all.sort_by(|a, b| a.row.id.cmp(&b.row.id));
        all
    }

    /// The entry whose text begins so.
    pub async fn one(&self, begins: &str) -> MemoryDetail {
        let found = self.all().await.into_iter().find(|entry| entry.content.starts_with(begins));
        found.unwrap_or_else(|| panic!("nothing begins with {begins}"))
    }

    /// Every path beside and in the data folder.
    pub fn tree(&self) -> Vec<PathBuf> {
        let mut open = vec![self.folder.path().to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path.clone());
                }
                found.push(path);
            }
        }
        found.sort();
        found
    }

    /// An export of the workspace.
    pub fn export_request(&self, name: &str, format: TransferFormat) -> ExportRequest {
        ExportRequest {
            path: self.path(name).to_str().expect("a plain path").to_owned(),
            format,
            scope: ExportScope { account: false, workspace: true, channel_id: None, conversation_id: None },
            embeddings: false,
            journal: false,
            picture: None,
            replace: true,
            dry_run: false,
        }
    }

    pub async fn export(&self, name: &str, format: TransferFormat) -> PathBuf {
        let path = self.path(name);
        let request = self.export_request(name, format);
        self.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
        path
    }
}

/// How many things a plan does this to.
pub fn total(plan: &ImportPlan, kind: ImportOutcomeKind) -> u32 {
    plan.counts.iter().filter(|count| count.kind == kind).map(|count| count.rows).sum()
}
