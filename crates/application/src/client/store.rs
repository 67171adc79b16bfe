//! Storage of clients, and what makes their tokens. All of the account.

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::{Client, Grants},
    ids::ClientId,
};

use crate::store_error::StoreError;

/// Keeps clients. They are never deleted: what they wrote names them.
#[async_trait::async_trait]
pub trait ClientStore: Send + Sync {
    /// Adds a client.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, regardless of case, also by one that was revoked.
    async fn add(&self, client: &Client) -> Result<(), StoreError>;

    /// One client.
    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError>;

    /// A client by its name, regardless of case.
    async fn client_named(&self, name: &str) -> Result<Option<Client>, StoreError>;

    /// The client whose token has this hash.
    async fn client_of_token(&self, hash: &str) -> Result<Option<Client>, StoreError>;

    /// Every client by name, revoked ones too.
    async fn clients(&self) -> Result<Vec<Client>, StoreError>;

    /// Replaces what a client may do.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_grants(&self, id: ClientId, grants: &Grants) -> Result<(), StoreError>;

    /// Replaces the hash of its token. One that was revoked is admitted again: nobody has the old token any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_token(&self, id: ClientId, hash: &str) -> Result<(), StoreError>;

    /// Shuts a client out. One that is shut out already stays so since then.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn revoke(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Notes when it was last heard of; never an earlier time than the one noted.
    async fn seen(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError>;
}

/// A token with its hash.
#[derive(Clone)]
pub struct GeneratedToken {
    /// The token: 64 lower-case hex digits. Shown once and kept nowhere.
    pub token: String,
    /// Its SHA-256, as lower-case hex.
    pub hash: String,
}

/// Makes tokens.
pub trait TokenGenerator: Send + Sync {
    /// A fresh token of 32 random bytes.
    ///
    /// # Errors
    /// [`StoreError::Internal`] if the system has no random numbers: a token that can be guessed is never made.
    fn token_generator(&self) -> Result<GeneratedToken, StoreError>;

    /// The hash under which a token is known.
    fn hash(&self, token: &str) -> String;
}
