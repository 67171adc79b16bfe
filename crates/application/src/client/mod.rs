//! MCP clients: programs of the worldbuilder that access memory through the MCP server.
//!
//! The worldbuilder adds them, sets their grants, revokes them and reverts what they wrote. A
//! [`ClientSession`] is one connected client: it reads its grants before every operation, and then calls the
//! same use cases as every other interface.

mod session;
mod undo;
mod writes;

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    client::{Client, Grants, Sight, TOKEN_CHARS, same_hash},
    ids::{ClientId, WorkspaceId},
};
use inklings_ports::{
    client::store::{ClientStore, GeneratedToken, TokenGenerator},
    clock::{Clock, IdGenerator},
    store_error::StoreError,
};

pub use self::{
    session::{ClientSession, FoundNote, NewNote, Noted, NotedFact, NotedFacts, ScrubAt, Where, Within},
    undo::Undone,
    writes::{ClientChange, NotUndone, WritesUndone},
};
use crate::error::{AppError, Denied};

/// Precision of a client's last-seen time, so that not every read causes a write.
const SEEN_EVERY: Duration = Duration::minutes(1);

/// Use cases on clients.
#[derive(Clone)]
pub struct Clients {
    /// Storage of clients.
    pub store: Arc<dyn ClientStore>,
    /// Generates access tokens.
    pub token_generator: Arc<dyn TokenGenerator>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Source of ids.
    pub ids: Arc<dyn IdGenerator>,
}

impl Clients {
    /// Adds a client with the default grants and a token. The token is returned only here.
    ///
    /// # Errors
    /// [`AppError::Text`] for an invalid name; [`AppError::Store`] with `AlreadyExists` if it is taken.
    pub async fn add(
        &self,
        name: &str,
        workspace: WorkspaceId,
    ) -> Result<(Client, GeneratedToken), AppError> {
        let generated = self.token_generator.token_generator()?;
        let client = self.made(name, workspace, Some(generated.hash.clone()))?;
        self.store.add(&client).await?;
        Ok((client, generated))
    }

    /// The client of this name on standard input; created without a token if there is none. The user who
    /// starts the process can read the files anyway; the grants only limit well-behaved programs.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked; [`AppError::Input`] if it is bound to another workspace.
    pub async fn stdio_client(&self, name: &str, workspace: WorkspaceId) -> Result<Client, AppError> {
        if let Some(known) = self.admissible(name, workspace).await? {
            return Ok(known);
        }
        let client = self.made_by_stdio(&Client::name(name)?, workspace).await?;
        // Another process may have created it for another workspace at the same time.
        bound_to(client, workspace)
    }

    /// The client that may connect under this name to a workspace; `None` if the name is not in use yet.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked; [`AppError::Input`] if it is bound to another workspace;
    /// [`AppError::Text`] for an invalid name.
    pub async fn admissible(&self, name: &str, workspace: WorkspaceId) -> Result<Option<Client>, AppError> {
        let known = self.store.client_named(&Client::name(name)?).await?;
        known.map(|known| bound_to(known, workspace)).transpose()
    }

    async fn made_by_stdio(&self, name: &str, workspace: WorkspaceId) -> Result<Client, AppError> {
        let client = self.made(name, workspace, None)?;
        match self.store.add(&client).await {
            Ok(()) => Ok(client),
            // Another process that started at the same time created it.
            Err(StoreError::AlreadyExists(_)) => self.named(name).await,
            Err(error) => Err(error.into()),
        }
    }

    fn made(
        &self,
        name: &str,
        workspace: WorkspaceId,
        token_hash: Option<String>,
    ) -> Result<Client, AppError> {
        Ok(Client {
            id: ClientId::from_uuid(self.ids.uuid()),
            name: Client::name(name)?,
            workspace,
            grants: Grants::default(),
            token_hash,
            created_at: self.clock.now(),
            seen_at: None,
            revoked_at: None,
        })
    }

    /// All clients by name, including revoked ones.
    pub async fn list(&self) -> Result<Vec<Client>, AppError> {
        Ok(self.store.clients().await?)
    }

    /// A client by its id or name.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn named(&self, name_or_id: &str) -> Result<Client, AppError> {
        if let Ok(id) = name_or_id.parse::<ClientId>()
            && let Some(client) = self.store.client(id).await?
        {
            return Ok(client);
        }
        let missing = || AppError::NotFound { what: "client", name: name_or_id.chars().take(64).collect() };
        self.store.client_named(name_or_id).await?.ok_or_else(missing)
    }

    /// Replaces a client's grants. Takes effect from its next call on. A lens replaces the one that the client has; without
    /// one, the client keeps its own: a caller that cannot read the lens must not remove it.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn grant(&self, id: ClientId, grants: &Grants) -> Result<Client, AppError> {
        let stored = self.store.client(id).await?.map(|client| client.grants.sight);
        let sight = match (&grants.sight, stored) {
            (Sight::Whole, Some(own)) => own,
            (given, _) => given.clone(),
        };
        self.set_grants(id, &Grants { sight, ..grants.clone() }).await
    }

    /// As [`Self::grant`], and the client reads through no lens.
    pub async fn grant_without_lens(&self, id: ClientId, grants: &Grants) -> Result<Client, AppError> {
        self.set_grants(id, &Grants { sight: Sight::Whole, ..grants.clone() }).await
    }

    async fn set_grants(&self, id: ClientId, grants: &Grants) -> Result<Client, AppError> {
        self.store.set_grants(id, grants).await?;
        self.named(&id.to_string()).await
    }

    /// Gives a client a new token and invalidates the old one. Admits a revoked client again.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn renew_token(&self, id: ClientId) -> Result<(Client, GeneratedToken), AppError> {
        let generated = self.token_generator.token_generator()?;
        self.store.set_token(id, &generated.hash).await?;
        Ok((self.named(&id.to_string()).await?, generated))
    }

    /// Revokes a client. Takes effect from its next call on.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn revoke(&self, id: ClientId) -> Result<Client, AppError> {
        self.store.revoke(id, self.clock.now()).await?;
        self.named(&id.to_string()).await
    }

    /// The client that a token belongs to; `None` if the token is unknown or was revoked.
    pub async fn of_token(&self, token: &str) -> Result<Option<Client>, AppError> {
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if token.len() != TOKEN_CHARS || !token.bytes().all(hex) {
            return Ok(None);
        }
        let hash = self.token_generator.hash(token);
        let found = self.store.client_of_token(&hash).await?;
        Ok(found.filter(|client| {
            client.is_admitted() && client.token_hash.as_deref().is_some_and(|known| same_hash(known, &hash))
        }))
    }

    /// The current record of a client that is not revoked. Updates its last-seen time.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked.
    pub async fn admitted(&self, id: ClientId) -> Result<Client, AppError> {
        let found = self.store.client(id).await?.filter(Client::is_admitted);
        let client = found.ok_or(Denied::Revoked)?;
        let now = self.clock.now();
        if client.seen_at.is_none_or(|seen| now - seen >= SEEN_EVERY)
            && let Err(error) = self.store.seen(id, now).await
        {
            // A read-only folder must not prevent reads.
            tracing::debug!(%error, "when a client was heard of was not noted");
        }
        Ok(client)
    }
}

/// The client, if it was not revoked and is bound to this workspace.
fn bound_to(client: Client, workspace: WorkspaceId) -> Result<Client, AppError> {
    if !client.is_admitted() {
        return Err(Denied::Revoked.into());
    }
    if client.workspace != workspace {
        let message = "the client of this name is bound to another workspace; choose another name";
        return Err(AppError::Input { field: "client", message: message.to_owned() });
    }
    Ok(client)
}
