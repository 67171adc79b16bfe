//! Clients of the account.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use inklings_domain::{
    calendar::{moment::Moment, story_point::StoryPoint},
    client::{Client, Grants, Sight, TierGrant, Verb},
    ids::ClientId,
    lens::Lens,
    scope::{MemoryScope, PerTier},
    text::fold,
};
use inklings_ports::{client::store::ClientStore, store_error::StoreError};
use serde::{Deserialize, Serialize};
use sqlx::{Row, Sqlite, query::Query, sqlite::SqliteArguments, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::{
    lens::columns,
    rows::{micros, moment, parsed},
    store::SqliteStore,
};

const COLUMNS: &str = "id, name, bound_to, token_hash, grants, created_at, seen_at, revoked_at";

/// Grants as they are stored: as words, which stay readable when a later release adds more.
#[derive(Serialize, Deserialize)]
struct StoredGrants {
    tiers: Vec<String>,
    channels: Vec<String>,
    /// Missing in files of earlier releases, where a channel included all of its conversations. Those grants
    /// must be given again.
    #[serde(default)]
    conversations: Vec<String>,
    capabilities: Vec<String>,
    /// Missing without a lens. The subject whose knowledge is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    knower: Option<String>,
    /// The moment up to which the story has happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    as_of: Option<i64>,
    /// The chapter up to which the story has happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    as_of_chapter: Option<String>,
}

fn written(grants: &Grants) -> DbResult<String> {
    let mut tiers = Vec::new();
    for scope in MemoryScope::ALL {
        let granted = grants.tiers.get(*scope);
        let verbs = [(Verb::Read, granted.read), (Verb::Write, granted.write)];
        tiers.extend(verbs.iter().filter(|(_, on)| *on).map(|(verb, _)| format!("{scope}:{verb}")));
    }
    let (knower, as_of, as_of_chapter) = columns(grants.sight.lens());
    let stored = StoredGrants {
        tiers,
        channels: grants.channels.iter().map(ToString::to_string).collect(),
        conversations: grants.conversations.iter().map(ToString::to_string).collect(),
        capabilities: grants.capabilities.iter().map(ToString::to_string).collect(),
        knower,
        as_of,
        as_of_chapter,
    };
    serde_json::to_string(&stored).map_err(|_| DbError::Row { column: "grants" })
}

/// Unknown words of a later release grant nothing and are skipped; damaged JSON is an error.
fn read_grants(text: &str) -> DbResult<Grants> {
    let stored: StoredGrants = serde_json::from_str(text).map_err(|_| DbError::Row { column: "grants" })?;
    let has = |scope: MemoryScope, verb: Verb| stored.tiers.contains(&format!("{scope}:{verb}"));
    let channels: Result<BTreeSet<_>, _> = stored.channels.iter().map(|id| id.parse()).collect();
    let conversations: Result<BTreeSet<_>, _> = stored.conversations.iter().map(|id| id.parse()).collect();
    // A lens that cannot be read must not become none.
    let broken = || DbError::Row { column: "grants" };
    let id = |id: &Option<String>| id.as_deref().map(str::parse).transpose().map_err(|_| broken());
    let moment = stored.as_of.map(Moment::from_value).transpose().map_err(|_| broken())?;
    let chapter = id(&stored.as_of_chapter)?.map(StoryPoint::Chapter);
    let lens = Lens { knower: id(&stored.knower)?, at: moment.map(StoryPoint::Moment).or(chapter) };
    Ok(Grants {
        tiers: PerTier::from_fn(|scope| TierGrant {
            read: has(scope, Verb::Read),
            write: has(scope, Verb::Write),
        }),
        channels: channels.map_err(|_| DbError::Row { column: "grants" })?,
        conversations: conversations.map_err(|_| DbError::Row { column: "grants" })?,
        capabilities: stored.capabilities.iter().filter_map(|word| word.parse().ok()).collect(),
        sight: Sight::of(lens),
    })
}

fn client(row: &SqliteRow) -> DbResult<Client> {
    let time = |at: Option<i64>, column| at.map(|at| moment(at, column)).transpose();
    Ok(Client {
        id: parsed(row.try_get(0)?, "id")?,
        name: row.try_get(1)?,
        workspace: parsed(row.try_get(2)?, "bound_to")?,
        token_hash: row.try_get(3)?,
        grants: read_grants(row.try_get(4)?)?,
        created_at: moment(row.try_get(5)?, "created_at")?,
        seen_at: time(row.try_get(6)?, "seen_at")?,
        revoked_at: time(row.try_get(7)?, "revoked_at")?,
    })
}

type Change<'q> = Query<'q, Sqlite, SqliteArguments>;

impl SqliteStore {
    async fn insert_client(&self, client: &Client) -> DbResult<()> {
        let insert = sqlx::query(
            "INSERT INTO clients (id, name, name_folded, bound_to, token_hash, grants, created_at, seen_at, revoked_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(client.id.to_string())
        .bind(client.name.clone())
        .bind(fold(&client.name))
        .bind(client.workspace.to_string())
        .bind(client.token_hash.clone())
        .bind(written(&client.grants)?)
        .bind(micros(client.created_at))
        .bind(client.seen_at.map(micros))
        .bind(client.revoked_at.map(micros));
        self.change_client(insert).await
    }

    async fn find_client(&self, condition: &'static str, value: String) -> DbResult<Option<Client>> {
        let query = format!("SELECT {COLUMNS} FROM clients WHERE {condition}");
        let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(value);
        row.fetch_optional(&self.db.reader()).await?.as_ref().map(client).transpose()
    }

    async fn list_clients(&self) -> DbResult<Vec<Client>> {
        let query = format!("SELECT {COLUMNS} FROM clients ORDER BY name_folded, id");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&self.db.reader()).await?;
        rows.iter().map(client).collect()
    }

    async fn change_client(&self, change: Change<'_>) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let changed = change.execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        if changed == 0 { Err(StoreError::NotFound("client").into()) } else { Ok(()) }
    }
}

#[async_trait::async_trait]
impl ClientStore for SqliteStore {
    async fn add(&self, client: &Client) -> Result<(), StoreError> {
        self.public(self.insert_client(client).await)
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.public(self.find_client("id = ?", id.to_string()).await)
    }

    async fn client_named(&self, name: &str) -> Result<Option<Client>, StoreError> {
        self.public(self.find_client("name_folded = ?", fold(name)).await)
    }

    async fn client_of_token(&self, hash: &str) -> Result<Option<Client>, StoreError> {
        self.public(self.find_client("token_hash = ?", hash.to_owned()).await)
    }

    async fn clients(&self) -> Result<Vec<Client>, StoreError> {
        self.public(self.list_clients().await)
    }

    async fn set_grants(&self, id: ClientId, grants: &Grants) -> Result<(), StoreError> {
        let grants = self.public(written(grants))?;
        let change =
            sqlx::query("UPDATE clients SET grants = ? WHERE id = ?").bind(grants).bind(id.to_string());
        self.public(self.change_client(change).await)
    }

    async fn set_token(&self, id: ClientId, hash: &str) -> Result<(), StoreError> {
        let change = sqlx::query("UPDATE clients SET token_hash = ?, revoked_at = NULL WHERE id = ?")
            .bind(hash.to_owned())
            .bind(id.to_string());
        self.public(self.change_client(change).await)
    }

    async fn revoke(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let change = sqlx::query("UPDATE clients SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?")
            .bind(micros(at))
            .bind(id.to_string());
        self.public(self.change_client(change).await)
    }

    async fn seen(&self, id: ClientId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let change = sqlx::query("UPDATE clients SET seen_at = max(coalesce(seen_at, 0), ?) WHERE id = ?")
            .bind(micros(at))
            .bind(id.to_string());
        self.public(self.change_client(change).await)
    }
}
