//! Clients in an [`InMemoryDatabase`], and a mint whose tokens can be foretold.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::{Client, Grants},
    ids::ClientId,
    text::fold,
};

use super::memory_store::InMemoryDatabase;
use crate::ports::{
    client_store::{ClientStore, Minted, TokenMint},
    error::StoreError,
    settings::Topic,
};

impl InMemoryDatabase {
    fn change_client(&self, id: ClientId, change: impl FnOnce(&mut Client)) -> Result<(), StoreError> {
        let mut tables = self.tables();
        change(tables.clients.get_mut(&id).ok_or(StoreError::NotFound("client"))?);
        tables.announce(Topic::Clients);
        Ok(())
    }

    fn find_client(&self, wanted: impl Fn(&Client) -> bool) -> Option<Client> {
        self.tables().clients.values().find(|client| wanted(client)).cloned()
    }
}

#[async_trait::async_trait]
impl ClientStore for InMemoryDatabase {
    async fn add(&self, client: &Client) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let twin = |other: &Client| other.id == client.id || fold(&other.name) == fold(&client.name);
        if tables.clients.values().any(twin) {
            return Err(StoreError::AlreadyExists("client"));
        }
        tables.clients.insert(client.id, client.clone());
        tables.announce(Topic::Clients);
        Ok(())
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        Ok(self.find_client(|client| client.id == id))
    }

    async fn client_named(&self, name: &str) -> Result<Option<Client>, StoreError> {
        Ok(self.find_client(|client| fold(&client.name) == fold(name)))
    }

    async fn client_of_token(&self, hash: &str) -> Result<Option<Client>, StoreError> {
        Ok(self.find_client(|client| client.token_hash.as_deref() == Some(hash)))
    }

    async fn clients(&self) -> Result<Vec<Client>, StoreError> {
        let mut all: Vec<Client> = self.tables().clients.values().cloned().collect();
        all.sort_by_key(|client| fold(&client.name));
        Ok(all)
    }

    async fn set_grants(&self, id: ClientId, grants: &Grants) -> Result<(), StoreError> {
        self.change_client(id, |client| client.grants = grants.clone())
    }

    async fn set_token(&self, id: ClientId, hash: &str) -> Result<(), StoreError> {
        self.change_client(id, |client| {
            client.token_hash = Some(hash.to_owned());
            client.revoked_at = None;
        })
    }

    async fn revoke(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.change_client(id, |client| client.revoked_at = client.revoked_at.or(Some(at)))
    }

    async fn seen(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.change_client(id, |client| client.seen_at = client.seen_at.max(Some(at)))
    }
}

/// Mints tokens that count up. Their hash is the token with its digits turned round.
#[derive(Debug, Default)]
pub struct CountingMint(AtomicU64);

impl TokenMint for CountingMint {
    fn mint(&self) -> Result<Minted, StoreError> {
        let token = format!("{:064x}", self.0.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(Minted { hash: self.hash(&token), token })
    }

    fn hash(&self, token: &str) -> String {
        token.chars().rev().collect()
    }
}
