//! Clients: the worldbuilder's programs that reach memory through the MCP server.
//!
//! The worldbuilder adds them, grants, takes away, and takes back what they wrote. A [`ClientSession`] is one client at work: it
//! asks for its grants anew before everything it does, and then calls the same use cases as every other interface.

mod session;
pub mod store;
mod undo;
pub mod write_store;
mod writes;

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    client::{Capability, Client, Grants, TOKEN_CHARS, Verb, same_hash},
    ids::{ClientId, WorkspaceId},
    scope::MemoryScope,
};

pub use self::{
    session::{ClientSession, NewNote, Noted, ScrubAt, Where},
    undo::Undone,
    writes::{ClientChange, NotUndone, WritesUndone},
};
use crate::{
    client::store::{ClientStore, GeneratedToken, TokenGenerator},
    clock::{Clock, IdGenerator},
    error::AppError,
    store_error::StoreError,
};

/// Times of being heard of are kept this coarse: reading is not to write every time.
const SEEN_EVERY: Duration = Duration::minutes(1);

/// Why a client may not do what it asked. Says what is missing, and nothing of what there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The tier was not granted.
    #[error(
        "this client was not granted '{verb}' on the {tier} tier; the worldbuilder can grant '{tier}:{verb}' to it"
    )]
    Tier {
        /// Which tier.
        tier: MemoryScope,
        /// What it wanted to do there.
        verb: Verb,
    },
    /// There is no such room, or it does not take part there: which of the two is not said.
    #[error(
        "there is no such channel or conversation in which this client takes part; the worldbuilder decides where it does"
    )]
    Place,
    /// The capability was not granted.
    #[error("this client was not granted '{0}'; the worldbuilder can grant it")]
    Capability(Capability),
    /// Shut out, or never there.
    #[error("this client has no access any more; the worldbuilder can give it a new token")]
    Revoked,
}

impl Denied {
    /// A refusal on a tier. Names what is missing: the grant, or a place where it would hold.
    pub const fn of(grants: &Grants, verb: Verb, tier: MemoryScope) -> Self {
        if grants.tiers.get(tier).allows(verb) {
            Self::Place
        } else {
            Self::Tier { tier, verb: grants.missing(verb, tier) }
        }
    }
}

/// Use cases on clients.
#[derive(Clone)]
pub struct Clients {
    /// Where they are kept.
    pub store: Arc<dyn ClientStore>,
    /// Makes tokens.
    pub token_generator: Arc<dyn TokenGenerator>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn IdGenerator>,
}

impl Clients {
    /// Adds a client with the default grants and a token. The token is given here and never again.
    ///
    /// # Errors
    /// [`AppError::Text`] for a bad name; [`AppError::Store`] with `AlreadyExists` if it is taken.
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

    /// The client of a name that comes over standard input: made without a token if there is none. Whoever starts the
    /// process can read the files anyway; the grants keep a well-meaning program within its bounds.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked; [`AppError::Input`] if it is bound to another workspace.
    pub async fn stdio_client(&self, name: &str, workspace: WorkspaceId) -> Result<Client, AppError> {
        let name = Client::name(name)?;
        let known = match self.store.client_named(&name).await? {
            Some(known) => known,
            None => self.made_by_stdio(&name, workspace).await?,
        };
        if !known.is_admitted() {
            return Err(Denied::Revoked.into());
        }
        if known.workspace != workspace {
            let message = "the client of this name is bound to another workspace; choose another name";
            return Err(AppError::Input { field: "client", message: message.to_owned() });
        }
        Ok(known)
    }

    async fn made_by_stdio(&self, name: &str, workspace: WorkspaceId) -> Result<Client, AppError> {
        let client = self.made(name, workspace, None)?;
        match self.store.add(&client).await {
            Ok(()) => Ok(client),
            // Another process that was started at the same moment made it.
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

    /// Every client by name, revoked ones too.
    ///
    /// # Errors
    /// [`AppError::Store`] if the account's database cannot be read.
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

    /// Replaces what a client may do. Holds from its next call on.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn grant(&self, id: ClientId, grants: &Grants) -> Result<Client, AppError> {
        self.store.set_grants(id, grants).await?;
        self.named(&id.to_string()).await
    }

    /// Gives a client another token; the old one is worth nothing from now on. One that was revoked is admitted again.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn renew_token(&self, id: ClientId) -> Result<(Client, GeneratedToken), AppError> {
        let generated = self.token_generator.token_generator()?;
        self.store.set_token(id, &generated.hash).await?;
        Ok((self.named(&id.to_string()).await?, generated))
    }

    /// Shuts a client out. Holds from its next call on.
    ///
    /// # Errors
    /// [`AppError::Store`] with `NotFound` if there is none.
    pub async fn revoke(&self, id: ClientId) -> Result<Client, AppError> {
        self.store.revoke(id, self.clock.now()).await?;
        self.named(&id.to_string()).await
    }

    /// The client that shows a token; `None` for one that is not known or was revoked.
    ///
    /// # Errors
    /// [`AppError::Store`] if the account's database cannot be read.
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

    /// A client as it stands, if it may come in; notes that it was heard of.
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
            // A folder that cannot be written can be read all the same.
            tracing::debug!(%error, "when a client was heard of was not noted");
        }
        Ok(client)
    }
}
