//! Workspace use cases of [`App`], and the choice of the workspace in use.

pub mod convert;
pub(crate) mod overview;
pub mod overview_view;
pub(crate) mod sample;
pub mod view;

use std::sync::Arc;

use inklings_application::session::Session;
use inklings_domain::{ids::WorkspaceId, workspace::Workspace};

use crate::{
    channel::view::ChannelView,
    commands::WorkspaceCommands,
    error::{CommandError, ErrorCode},
    wire::time,
    workspace::view::WorkspaceView,
};

const CURRENT: &str = "current_workspace";
/// Name of the workspace that the first start creates.
const FIRST: &str = "My World";

impl WorkspaceCommands<'_> {
    /// All workspaces ordered by name, including those that cannot be opened.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn list_workspaces(&self) -> Result<Vec<WorkspaceView>, CommandError> {
        let current = self.current_id().await?;
        let all = self.app.workspaces.list().await?;
        let mut views: Vec<WorkspaceView> =
            all.iter().map(|w| convert::workspace(w, Some(w.id) == current)).collect();
        for (found, newest) in self.app.workspaces.damaged().await? {
            let damage = convert::damage(found.fault, newest.as_ref());
            let id = found.id.to_string();
            if let Some(view) = views.iter_mut().find(|view| view.id == id) {
                view.damaged = Some(damage);
                continue;
            }
            views.push(WorkspaceView {
                name: if found.name.is_empty() { id.clone() } else { found.name },
                created_at: found.created_at.map(time).unwrap_or_default(),
                current: Some(found.id) == current,
                damaged: Some(damage),
                id,
            });
        }
        Ok(views)
    }

    /// True if a workspace exists, even one that cannot be opened.
    pub async fn has_workspace(&self) -> Result<bool, CommandError> {
        Ok(!self.app.workspaces.list().await?.is_empty()
            || !self.app.catalogue.damaged_workspaces().await?.is_empty())
    }

    /// Creates a workspace. Does not switch to it.
    ///
    /// # Errors
    /// [`CommandError`] for a name that is unsafe or in use.
    pub async fn create_workspace(&self, name: &str) -> Result<WorkspaceView, CommandError> {
        Ok(convert::workspace(&self.app.workspaces.create(name).await?, false))
    }

    /// Opens a workspace and stores it as the one in use.
    ///
    /// # Errors
    /// [`CommandError`] if it does not exist or its databases cannot be opened.
    pub async fn switch_workspace(&self, id: &str) -> Result<WorkspaceView, CommandError> {
        let id: WorkspaceId = crate::wire::id("id", id)?;
        let session = self.open_session(id).await?;
        match self.app.settings().write_setting(CURRENT, &id.to_string()).await {
            Err(error) if !matches!(error.code, ErrorCode::ReadOnly | ErrorCode::DiskFull) => {
                return Err(error);
            }
            _ => {}
        }
        Ok(convert::workspace(&session.workspace.workspace, true))
    }

    /// Renames a workspace.
    ///
    /// # Errors
    /// [`CommandError`] for a name that is unsafe or in use.
    pub async fn rename_workspace(&self, id: &str, name: &str) -> Result<WorkspaceView, CommandError> {
        let id: WorkspaceId = crate::wire::id("id", id)?;
        self.app.workspaces.rename(id, name).await?;
        self.app.client().drop_session_of(id).await;
        if self.app.session_if_open().is_some_and(|session| session.workspace.workspace.id == id) {
            self.open_session(id).await?;
        }
        let renamed = self.app.workspaces.find(&id.to_string()).await?;
        Ok(convert::workspace(&renamed, self.current_id().await? == Some(id)))
    }

    /// Moves a workspace to the trash folder, or removes it permanently with `purge`. If it was in use,
    /// another workspace is opened.
    ///
    /// # Errors
    /// [`CommandError`] if it does not exist or its folder cannot be moved.
    pub async fn delete_workspace(&self, id: &str, purge: bool) -> Result<(), CommandError> {
        let id: WorkspaceId = crate::wire::id("id", id)?;
        let open = self.app.session_if_open().is_some_and(|session| session.workspace.workspace.id == id);
        self.app.client().drop_session_of(id).await;
        let deleted = self.delete_with_clients(id, purge).await;
        // Its databases were closed, also if the deletion failed.
        let reopened = if open { self.app.backup().open_anew().await } else { Ok(()) };
        deleted.and(reopened)
    }

    async fn delete_with_clients(&self, id: WorkspaceId, purge: bool) -> Result<(), CommandError> {
        self.app.workspaces.delete(id, purge).await?;
        // Permissions end with the workspace; a folder that a user puts back grants no access by itself.
        for client in self.app.clients.list().await?.iter().filter(|client| client.workspace == id) {
            self.app.clients.revoke(client.id).await?;
        }
        Ok(())
    }

    /// Looks up the id of a workspace by name or id.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn workspace_id(&self, name_or_id: &str) -> Result<String, CommandError> {
        Ok(self.app.workspaces.id_of(name_or_id).await?.to_string())
    }

    /// Opens a workspace by name or id for this process only, without storing it as the one in use.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn open_workspace(&self, name_or_id: &str) -> Result<(), CommandError> {
        let id = self.app.workspaces.id_of(name_or_id).await?;
        self.open_session(id).await.map(|_| ())
    }

    /// Opens the workspace that was in use last, else the first that can be opened, else a new one. If the
    /// last one is damaged, no other replaces it, because the next write is meant for it.
    ///
    /// # Errors
    /// [`CommandError`] if the last one, or all of them, cannot be opened.
    pub async fn open_some_workspace(&self) -> Result<WorkspaceView, CommandError> {
        let all = self.app.workspaces.list().await?;
        let current = self.current_id().await?;
        if let Some(last) = all.iter().find(|w| Some(w.id) == current) {
            return self.switch_workspace(&last.id.to_string()).await;
        }
        let damaged = self.app.catalogue.damaged_workspaces().await?;
        let last = damaged.iter().map(|it| it.id).find(|id| Some(*id) == current);
        let whole = all.iter().map(|w| w.id).find(|id| damaged.iter().all(|it| it.id != *id));
        let id = match last.or(whole).or(damaged.first().map(|it| it.id)) {
            Some(id) => id,
            None => self.app.workspaces.create(FIRST).await?.id,
        };
        self.switch_workspace(&id.to_string()).await
    }

    /// As [`Self::open_some_workspace`], for a shell that shows which workspace is open: another one
    /// temporarily replaces a damaged one.
    ///
    /// # Errors
    /// [`CommandError`] if none can be opened.
    pub async fn open_any_workspace(&self) -> Result<(), CommandError> {
        let Err(error) = self.open_some_workspace().await else { return Ok(()) };
        if !matches!(error.code, ErrorCode::Corrupt | ErrorCode::NewerSchema | ErrorCode::OlderSchema) {
            return Err(error);
        }
        for workspace in self.app.workspaces.list().await? {
            if self.open_session(workspace.id).await.is_ok() {
                return Ok(());
            }
        }
        self.app.set_session(None);
        Err(error)
    }

    async fn current_id(&self) -> Result<Option<WorkspaceId>, CommandError> {
        if let Some(session) = self.app.session_if_open() {
            return Ok(Some(session.workspace.workspace.id));
        }
        let id: Option<String> = self.app.settings().read_setting(CURRENT).await?;
        Ok(id.and_then(|id| id.parse().ok()))
    }

    /// Creates a session on a workspace without one. Its decay clock is stopped at first.
    pub(crate) async fn new_session(&self, id: WorkspaceId) -> Result<Session, CommandError> {
        let workspace = self.app.catalogue.open(id).await?;
        let embedder = self.app.models.slot(id, &*workspace.settings).await;
        let session = Session::new(
            self.app.account.clone(),
            workspace,
            Arc::clone(&self.app.clock),
            Arc::clone(&self.app.ids),
            embedder,
        );
        // Ends with the session.
        tokio::spawn(session.agent_telemetry().writer().run());
        if !self.app.catalogue.is_read_only()
            && let Err(error) = session.memories().settle_changes().await
        {
            // It is retried at the next opening and does not prevent this one.
            tracing::warn!(%error, "changes that were cut off could not be settled yet");
        }
        Ok(session)
    }

    pub(crate) async fn open_session(&self, id: WorkspaceId) -> Result<Arc<Session>, CommandError> {
        let session = Arc::new(self.new_session(id).await?);
        self.app.set_session(Some(Arc::clone(&session)));
        self.app.settings().apply_decay().await?;
        session.named_entries().begin(self.app.actor).await?;
        Ok(session)
    }

    /// The open workspace.
    pub fn current_workspace(&self) -> Option<Workspace> {
        self.app.session_if_open().map(|session| session.workspace.workspace.clone())
    }

    /// Every channel of a workspace; of the one in use without an id.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open, or its database cannot be opened or read.
    pub async fn list_channels(&self, workspace: Option<&str>) -> Result<Vec<ChannelView>, CommandError> {
        let session = match workspace {
            Some(id) => self.app.client().session_on(crate::wire::id("workspace", id)?).await?,
            None => self.app.session()?,
        };
        Ok(session.channels().list().await?.iter().map(crate::channel::convert::channel).collect())
    }
}
