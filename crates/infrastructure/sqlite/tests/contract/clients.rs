//! Clients: who may reach memory through the MCP server.

use chrono::TimeDelta;
use inklings_domain::{
    client::{Capability, Client, Grants, TierGrant, Verb},
    ids::{ChannelId, ClientId, WorkspaceId},
    scope::Place,
};
use inklings_ports::{
    client::store::ClientStore, store_error::StoreError, testing::clock::start_of_tests,
    workspace::settings::Topic,
};
use uuid::Uuid;

use super::{CheckedFolder, TempFolder, refused};

async fn store(folder: &TempFolder) -> std::sync::Arc<dyn ClientStore> {
    folder.catalogue().account().await.expect("the account's database opens").clients
}

fn client(n: u128, name: &str) -> Client {
    Client {
        id: ClientId::from_uuid(Uuid::from_u128(n)),
        name: name.to_owned(),
        workspace: WorkspaceId::from_uuid(Uuid::from_u128(77)),
        grants: Grants::default(),
        token_hash: None,
        created_at: start_of_tests(),
        seen_at: None,
        revoked_at: None,
    }
}

fn hash(digit: char) -> String {
    digit.to_string().repeat(64)
}

async fn added(store: &dyn ClientStore, client: &Client) {
    store.add(client).await.expect("a client is added");
}

async fn read(store: &dyn ClientStore, id: ClientId) -> Client {
    store.client(id).await.expect("clients are read").expect("it is there")
}

/// Grants, channels and conversations, capabilities and times.
#[tokio::test]
async fn every_field_of_a_client_is_read_back() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let mut full = client(1, "Lektor \u{9580} & Co.");
    full.grants.tiers.channel = TierGrant { read: true, write: true };
    full.grants.channels = [3, 4].map(|n| ChannelId::from_uuid(Uuid::from_u128(n))).into();
    full.grants.capabilities = [Capability::Propose, Capability::MemorySwitch].into();
    full.token_hash = Some(hash('a'));
    full.seen_at = Some(full.created_at + TimeDelta::seconds(5));
    full.revoked_at = Some(full.created_at + TimeDelta::seconds(9));
    let empty = Client { grants: Grants::NOTHING, ..client(2, "empty") };
    for client in [&full, &empty] {
        added(store.as_ref(), client).await;
        assert_eq!(read(store.as_ref(), client.id).await, *client);
    }
    assert_eq!(store.clients().await.expect("listed"), [empty, full]);
}

/// Also where only the case differs, and where the other was revoked.
#[tokio::test]
async fn a_client_name_is_unique() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let first = client(1, "Editor");
    added(store.as_ref(), &first).await;
    store.revoke(first.id, first.created_at).await.expect("revoked");
    refused!(store.add(&client(2, "EDITOR")).await, StoreError::AlreadyExists("client"));
    let found = store.client_named("eDITOR").await.expect("read");
    assert_eq!(found.map(|client| client.id), Some(first.id));
}

/// By its present token alone.
#[tokio::test]
async fn a_client_is_found_only_by_its_current_token() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let mut first = client(1, "one");
    first.token_hash = Some(hash('1'));
    added(store.as_ref(), &first).await;
    added(store.as_ref(), &client(2, "two")).await;
    store.set_token(first.id, &hash('2')).await.expect("another token");
    assert_eq!(store.client_of_token(&hash('1')).await.expect("read"), None);
    let found = store.client_of_token(&hash('2')).await.expect("read");
    assert_eq!(found.map(|client| client.id), Some(first.id));
}

/// It stays so since the first time; a new token lets it in again.
#[tokio::test]
async fn a_revoked_client_is_admitted_again_only_by_a_new_token() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let one = client(1, "one");
    added(store.as_ref(), &one).await;
    let at = one.created_at + TimeDelta::minutes(1);
    store.revoke(one.id, at).await.expect("revoked");
    store.revoke(one.id, at + TimeDelta::minutes(1)).await.expect("revoked already");
    assert_eq!(read(store.as_ref(), one.id).await.revoked_at, Some(at));
    store.set_grants(one.id, &Grants::NOTHING).await.expect("other grants");
    assert_eq!(read(store.as_ref(), one.id).await.revoked_at, Some(at));
    store.set_token(one.id, &hash('f')).await.expect("a new token");
    assert!(read(store.as_ref(), one.id).await.is_admitted());
}

/// What was granted before is gone.
#[tokio::test]
async fn grants_are_replaced_whole() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let one = client(1, "one");
    added(store.as_ref(), &one).await;
    let mut other = Grants::NOTHING;
    other.tiers.account.read = true;
    store.set_grants(one.id, &other).await.expect("other grants");
    let read = read(store.as_ref(), one.id).await.grants;
    assert!(read.may(Verb::Read, Place::Account) && !read.may(Verb::Read, Place::Workspace));
}

/// Whichever process tells of it last.
#[tokio::test]
async fn the_last_seen_time_of_a_client_never_decreases() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let one = client(1, "one");
    added(store.as_ref(), &one).await;
    let later = one.created_at + TimeDelta::hours(1);
    store.seen(one.id, later).await.expect("noted");
    store.seen(one.id, one.created_at).await.expect("passed over");
    assert_eq!(read(store.as_ref(), one.id).await.seen_at, Some(later));
}

/// Nothing is made by the way.
#[tokio::test]
async fn an_unknown_client_is_not_found() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let nobody = ClientId::from_uuid(Uuid::from_u128(5));
    refused!(store.set_grants(nobody, &Grants::NOTHING).await, StoreError::NotFound("client"));
    refused!(store.set_token(nobody, &hash('a')).await, StoreError::NotFound("client"));
    refused!(store.revoke(nobody, start_of_tests()).await, StoreError::NotFound("client"));
    assert_eq!(store.client(nobody).await.expect("read"), None);
    assert_eq!(store.clients().await.expect("listed"), []);
}

/// Other processes see them, and hear of them.
#[tokio::test]
async fn clients_are_durable_and_their_changes_notify_subscribers() {
    let folder = CheckedFolder::new();
    let elsewhere = folder.catalogue().account().await.expect("opens");
    let one = client(1, "one");
    added(store(&folder).await.as_ref(), &one).await;
    assert!(elsewhere.memory.feed.poll().await.expect("news").topics.contains(&Topic::Clients));
    assert_eq!(read(elsewhere.clients.as_ref(), one.id).await, one);
}
