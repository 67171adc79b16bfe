//! Ports for storing clients and generating their tokens. Clients belong to the account.

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::{Client, Grants},
    ids::ClientId,
};

use crate::store_error::StoreError;

/// Stores clients. They are never deleted, because their writes refer to them.
#[async_trait::async_trait]
pub trait ClientStore: Send + Sync {
    /// Adds a client.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, ignoring case, also by a revoked client.
    async fn add(&self, client: &Client) -> Result<(), StoreError>;

    /// A client by id.
    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError>;

    /// A client by name, ignoring case.
    async fn client_named(&self, name: &str) -> Result<Option<Client>, StoreError>;

    /// The client whose token has this hash.
    async fn client_of_token(&self, hash: &str) -> Result<Option<Client>, StoreError>;

    /// All clients by name, including revoked ones.
    async fn clients(&self) -> Result<Vec<Client>, StoreError>;

    /// Replaces a client's grants.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_grants(&self, id: ClientId, grants: &Grants) -> Result<(), StoreError>;

    /// Replaces the token hash. Admits a revoked client again; this is safe, because the old token is no
    /// longer valid.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_token(&self, id: ClientId, hash: &str) -> Result<(), StoreError>;

    /// Revokes a client. If it is already revoked, the earlier time stays.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn revoke(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Updates the last-seen time; it never moves backwards.
    async fn seen(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError>;
}

/// A token with its hash.
#[derive(Clone)]
pub struct GeneratedToken {
    /// The token: 64 lower-case hex digits. Shown once and never stored.
    pub token: String,
    /// SHA-256 of the token, as lower-case hex.
    pub hash: String,
}

/// Generates and hashes tokens.
pub trait TokenGenerator: Send + Sync {
    /// Generates a token of 32 random bytes.
    ///
    /// # Errors
    /// [`StoreError::Internal`] if the system's random source fails; there is no weaker fallback.
    fn token_generator(&self) -> Result<GeneratedToken, StoreError>;

    /// The hash that is stored for a token.
    fn hash(&self, token: &str) -> String;
}
