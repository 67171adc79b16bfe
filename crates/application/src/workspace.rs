//! Use cases that create, find, rename and delete workspaces.

use std::sync::Arc;

use inklings_domain::{
    ids::WorkspaceId,
    text,
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::{
    backup::BackupSet,
    clock::{Clock, IdGenerator},
    workspace::catalogue::{Catalogue, DamagedWorkspace},
};

use crate::error::AppError;

/// Use cases on workspaces.
#[derive(Clone)]
pub struct Workspaces {
    /// Data folder with the databases.
    pub catalogue: Arc<dyn Catalogue>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Source of ids.
    pub ids: Arc<dyn IdGenerator>,
}

impl Workspaces {
    /// Creates a workspace.
    ///
    /// # Errors
    /// [`AppError::WorkspaceName`] for a name that is unsafe on some system; [`AppError::Store`] if it is
    /// taken.
    pub async fn create(&self, name: &str) -> Result<Workspace, AppError> {
        let name = WorkspaceName::new(name)?;
        let workspace = Workspace { id: self.ids.workspace_id(), name, created_at: self.clock.now() };
        self.catalogue.create(&workspace).await?;
        Ok(workspace)
    }

    /// All workspaces by name.
    pub async fn list(&self) -> Result<Vec<Workspace>, AppError> {
        Ok(self.catalogue.workspaces().await?)
    }

    /// A workspace by name (ignoring case) or id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn find(&self, name_or_id: &str) -> Result<Workspace, AppError> {
        let (folded, id) = (text::fold(name_or_id), name_or_id.parse::<WorkspaceId>().ok());
        self.list()
            .await?
            .into_iter()
            .find(|workspace| Some(workspace.id) == id || workspace.name.folded() == folded)
            .ok_or_else(|| AppError::NotFound {
                what: "workspace",
                name: name_or_id.chars().filter(|c| !c.is_control()).take(80).collect(),
            })
    }

    /// The id of a workspace by name (ignoring case) or id, also if it cannot be opened.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn id_of(&self, name_or_id: &str) -> Result<WorkspaceId, AppError> {
        let unknown = match self.find(name_or_id).await {
            Ok(workspace) => return Ok(workspace.id),
            Err(error) => error,
        };
        let (folded, id) = (text::fold(name_or_id), name_or_id.parse::<WorkspaceId>().ok());
        let damaged = self.catalogue.damaged_workspaces().await?;
        let named = |it: &&DamagedWorkspace| !it.name.is_empty() && text::fold(&it.name) == folded;
        let by_id = damaged.iter().find(|it| Some(it.id) == id);
        by_id.or_else(|| damaged.iter().find(named)).map(|it| it.id).ok_or(unknown)
    }

    /// Workspaces that cannot be opened, each with the newest backup that contains its damaged databases and is not
    /// known to be damaged.
    pub async fn damaged(&self) -> Result<Vec<(DamagedWorkspace, Option<BackupSet>)>, AppError> {
        let damaged = self.catalogue.damaged_workspaces().await?;
        if damaged.is_empty() {
            return Ok(Vec::new());
        }
        let sets = self.catalogue.backups().await?;
        let helps = |set: &BackupSet, it: &DamagedWorkspace| {
            set.holds(it.id) && set.holds_all(&it.files) && set.ok != Some(false)
        };
        let newest = |it: &DamagedWorkspace| sets.iter().find(|set| helps(set, it)).cloned();
        Ok(damaged.into_iter().map(|it| (it.clone(), newest(&it))).collect())
    }

    /// Renames a workspace.
    pub async fn rename(&self, id: WorkspaceId, name: &str) -> Result<(), AppError> {
        Ok(self.catalogue.rename(id, &WorkspaceName::new(name)?).await?)
    }

    /// Moves a workspace to the trash folder; with `purge`, deletes it permanently.
    ///
    /// # Errors
    /// [`AppError::Store`] if it does not exist or its folder cannot be moved.
    pub async fn delete(&self, id: WorkspaceId, purge: bool) -> Result<(), AppError> {
        Ok(self.catalogue.delete(id, purge).await?)
    }
}
