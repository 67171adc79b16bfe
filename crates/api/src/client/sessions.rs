//! Sessions of clients: each client is bound to its own workspace, independent of the workspace in the
//! window.

use std::sync::Arc;

use inklings_application::{
    client::{ClientSession, Clients},
    error::AppError,
    session::Session,
};
use inklings_domain::{client::Client, ids::WorkspaceId};

use crate::{commands::ClientCommands, error::CommandError};

impl ClientCommands<'_> {
    /// A session on any workspace, without making it the workspace in use.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if it does not exist, or if its databases cannot be opened.
    pub async fn session_on(&self, id: WorkspaceId) -> Result<Arc<Session>, CommandError> {
        if let Some(session) =
            self.app.session_if_open().filter(|session| session.workspace.workspace.id == id)
        {
            return Ok(session);
        }
        let today = self.app.clock.now().date_naive();
        let mut sessions = self.app.client_sessions.lock().await;
        if let Some((_, session)) = sessions.get(&id).filter(|(day, _)| *day == today) {
            return Ok(Arc::clone(session));
        }
        let session = self.app.workspace().new_session(id).await?;
        let decay = self.app.settings().get_settings().await?.decay;
        session.reload_decay(crate::settings::config(&decay)?, decay.pause_while_away).await?;
        let session = Arc::new(session);
        sessions.insert(id, (today, Arc::clone(&session)));
        Ok(session)
    }

    /// Sessions of clients on workspaces other than the one in use. No background
    /// task polls their change feeds; the caller must.
    pub async fn sessions_of_other_workspaces(&self) -> Vec<Arc<Session>> {
        let current = self.app.session_if_open().map(|session| session.workspace.workspace.id);
        let sessions = self.app.client_sessions.lock().await;
        let others = sessions.iter().filter(|(id, _)| Some(**id) != current);
        others.map(|(_, (_, session))| Arc::clone(session)).collect()
    }

    /// All sessions of this process: on the workspace in use, and those of clients on others.
    pub(crate) async fn sessions(&self) -> Vec<Arc<Session>> {
        let others = self.sessions_of_other_workspaces().await;
        self.app.session_if_open().into_iter().chain(others).collect()
    }

    /// Writes the telemetry that waits in the sessions of this process, before it ends.
    pub async fn flush_telemetry(&self) {
        for session in self.sessions().await {
            session.agent_telemetry().flush().await;
        }
    }

    /// Drops a client session because its workspace was renamed or is being removed.
    pub(crate) async fn drop_session_of(&self, id: WorkspaceId) {
        self.app.client_sessions.lock().await.remove(&id);
    }

    /// The use cases of clients.
    pub const fn clients(&self) -> &Clients {
        &self.app.clients
    }

    /// The client of a token, if the token is valid and not revoked.
    pub async fn client_of_token(&self, token: &str) -> Result<Option<Client>, AppError> {
        self.app.clients.of_token(token).await
    }

    /// A client session on the workspace that the client is bound to.
    ///
    /// # Errors
    /// [`CommandError`] if its workspace does not exist or cannot be opened.
    pub async fn client_session(&self, client: &Client) -> Result<ClientSession, CommandError> {
        let session = self.session_on(client.workspace).await?;
        Ok(ClientSession::new(session, self.app.clients.clone(), client.id))
    }

    /// The session of a named client on standard input; creates the client if it does not exist.
    ///
    /// # Errors
    /// [`CommandError`] of code `locked` if it was revoked, `invalid` if it is bound to another workspace.
    pub async fn stdio_client(&self, name: &str) -> Result<ClientSession, CommandError> {
        let session = self.app.session()?;
        let client = self.app.clients.stdio_client(name, session.workspace.workspace.id).await?;
        self.client_session(&client).await
    }
}
