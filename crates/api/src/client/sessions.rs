//! Sessions for clients: each is bound to its own workspace, whichever one the window shows.

use std::{collections::HashMap, sync::Arc};

use chrono::NaiveDate;
use inklings_application::{
    client::{ClientSession, Clients},
    error::AppError,
    session::Session,
};
use inklings_domain::{client::Client, ids::WorkspaceId};

use crate::{App, error::CommandError};

/// Sessions on workspaces that are not in use, with the day on which their decay was read.
pub(crate) type ClientSessions = HashMap<WorkspaceId, (NaiveDate, Arc<Session>)>;

impl App {
    /// A session on any workspace, without putting it in use.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if there is none, or its databases cannot be opened.
    pub async fn session_on(&self, id: WorkspaceId) -> Result<Arc<Session>, CommandError> {
        if let Some(session) = self.session_if_open().filter(|session| session.workspace.workspace.id == id) {
            return Ok(session);
        }
        let today = self.clock.now().date_naive();
        let mut beside = self.beside.lock().await;
        if let Some((_, session)) = beside.get(&id).filter(|(day, _)| *day == today) {
            return Ok(Arc::clone(session));
        }
        let session = self.new_session(id).await?;
        let decay = self.get_settings().await?.decay;
        session.reload_decay(crate::settings::config(&decay)?, decay.pause_while_away).await?;
        let session = Arc::new(session);
        beside.insert(id, (today, Arc::clone(&session)));
        Ok(session)
    }

    /// Sessions that clients have on workspaces other than the one in use. Nobody else asks their change feeds.
    pub async fn sessions_beside(&self) -> Vec<Arc<Session>> {
        let current = self.session_if_open().map(|session| session.workspace.workspace.id);
        let beside = self.beside.lock().await;
        let others = beside.iter().filter(|(id, _)| Some(**id) != current);
        others.map(|(_, (_, session))| Arc::clone(session)).collect()
    }

    /// Lets go of a session beside the one in use: its workspace was renamed, or goes away.
    pub(crate) async fn leave_beside(&self, id: WorkspaceId) {
        self.beside.lock().await.remove(&id);
    }

    /// The use cases on clients.
    pub const fn clients(&self) -> &Clients {
        &self.clients
    }

    /// The client that shows a token, if it may come in.
    ///
    /// # Errors
    /// [`AppError::Store`] if the account's database cannot be read.
    pub async fn client_of_token(&self, token: &str) -> Result<Option<Client>, AppError> {
        self.clients.of_token(token).await
    }

    /// A client at work on the workspace it is bound to.
    ///
    /// # Errors
    /// [`CommandError`] if its workspace is gone or cannot be opened.
    pub async fn client_session(&self, client: &Client) -> Result<ClientSession, CommandError> {
        let session = self.session_on(client.workspace).await?;
        Ok(ClientSession::new(session, self.clients.clone(), client.id))
    }

    /// The client of a name that comes over standard input, at work; made if there is none.
    ///
    /// # Errors
    /// [`CommandError`] of code `locked` if it was revoked, `invalid` if it is bound to another workspace.
    pub async fn stdio_client(&self, name: &str) -> Result<ClientSession, CommandError> {
        let session = self.session()?;
        let client = self.clients.stdio_client(name, session.workspace.workspace.id).await?;
        self.client_session(&client).await
    }
}
