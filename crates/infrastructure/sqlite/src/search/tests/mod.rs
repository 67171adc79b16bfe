//! Search against real files, with rows written as the store writes them.

mod beginnings;
mod complete;
mod meaning;
mod passages;
mod row_cache;
mod saved_matrix;
mod text_vectors;
mod unknown_words;
mod vectors;
mod words;

use std::sync::Arc;

use inklings_domain::{
    ids::{ChannelId, ConversationId, MemoryId, WorkspaceId},
    memory::{
        embedding::{EmbeddingModel, ModelId},
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
    },
    scope::Place,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::SearchIndex;
use crate::{
    connection::{Database, OpenSpec},
    migrate,
};

/// A workspace's database in a temporary folder.
struct World {
    folder: TempDir,
    db: Arc<Database>,
    index: Arc<SearchIndex>,
}

fn workspace() -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(0xaaaa))
}

fn id(n: i64) -> MemoryId {
    MemoryId::from_uuid(Uuid::from_u128(0x1000 + n as u128))
}

fn channel(n: u128) -> ChannelId {
    ChannelId::from_uuid(Uuid::from_u128(0xc000 + n))
}

fn conversation(n: u128) -> ConversationId {
    ConversationId::from_uuid(Uuid::from_u128(0xf000 + n))
}

fn model(dimension: usize) -> EmbeddingModel {
    EmbeddingModel { id: ModelId::new("test-model"), dimension }
}

fn everything() -> MemoryFilter {
    MemoryFilter::active(ScopeFilter::EVERYTHING)
}

fn with(facet: Facet, value: &str) -> MemoryFilter {
    MemoryFilter {
        scope_filter: ScopeFilter::EVERYTHING,
        terms: vec![FacetTerm { facet, value: value.into(), negated: false }],
    }
}

async fn open(folder: &std::path::Path) -> Arc<Database> {
    open_as(folder, &migrate::WORKSPACE).await
}

async fn open_as(folder: &std::path::Path, schema: &migrate::Schema) -> Arc<Database> {
    let spec = OpenSpec {
        path: folder.join("agents.db"),
        schema,
        workspace: workspace(),
        writable: true,
        create: true,
    };
    Arc::new(Database::open(spec).await.expect("opens"))
}

impl World {
    async fn new() -> Self {
        Self::with_whole_vectors(usize::MAX).await
    }

    /// Retains up to this many bytes of unrounded vectors.
    async fn with_whole_vectors(bytes: usize) -> Self {
        Self::of(&migrate::WORKSPACE, bytes).await
    }

    /// A file of this schema.
    async fn of(schema: &migrate::Schema, bytes: usize) -> Self {
        let folder = TempDir::new().expect("a folder");
        let db = open_as(folder.path(), schema).await;
        let w = workspace();
        let mut tx = db.begin_immediate().await.expect("begins");
        sqlx::query("INSERT INTO meta (one, workspace_id, name, created_at) VALUES (1, ?, 'w', 0)")
            .bind(w.to_string())
            .execute(&mut *tx)
            .await
            .expect("meta");
        for n in 1..=3 {
            sqlx::query(
                "INSERT INTO channels (workspace_id, id, name, name_folded, created_at) VALUES (?,?,?,?,0)",
            )
            .bind(w.to_string())
            .bind(channel(n).to_string())
            .bind(format!("c{n}"))
            .bind(format!("c{n}"))
            .execute(&mut *tx)
            .await
            .expect("a channel");
            sqlx::query(
                "INSERT INTO conversations (workspace_id, id, channel_id, ref_code, status, started_at, active_at) \
                 VALUES (?,?,?,?,'active',0,0)",
            )
            .bind(w.to_string())
            .bind(conversation(n).to_string())
            .bind(channel(n).to_string())
            .bind(format!("{n:011}"))
            .execute(&mut *tx)
            .await
            .expect("a conversation");
        }
        tx.commit().await.expect("commits");
        let index = SearchIndex::with_whole_bytes(Arc::clone(&db), bytes);
        Self { folder, db, index }
    }

    /// One journalled write as the author, in the least SQL that the guards accept.
    async fn write(&self, statement: &str, binds: &[&str]) {
        let mut tx = self.db.begin_immediate().await.expect("begins");
        let sequence: i64 = sqlx::query_scalar("SELECT coalesce(max(sequence), 0) + 1 FROM journal")
            .fetch_one(&mut *tx)
            .await
            .expect("a number");
        // No two files give the same one, as in real ones.
        let mut change = [0; 16];
        getrandom::fill(&mut change).expect("random bytes");
        let change = Uuid::from_bytes(change).to_string();
        sqlx::query(
            "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
             VALUES (?, ?, 'test', 'author', 'cli', ?, 1)",
        )
        .bind(workspace().to_string())
        .bind(&change)
        .bind(sequence)
        .execute(&mut *tx)
        .await
        .expect("a journal row");
        let statement =
            statement.replace("$change", &format!("'{change}'")).replace("$at", &sequence.to_string());
        let mut query = sqlx::query(sqlx::AssertSqlSafe(statement));
        for bind in binds {
            query = query.bind((*bind).to_owned());
        }
        query.execute(&mut *tx).await.expect("a write");
        tx.commit().await.expect("commits");
    }

    async fn add(&self, n: i64, place: Place, content: &str) {
        self.add_named(n, place, content, None, "[]").await;
    }

    async fn add_named(&self, n: i64, place: Place, content: &str, name: Option<&str>, tags: &str) {
        let quoted = |text: Option<String>| text.map_or("NULL".into(), |text| format!("'{text}'"));
        let name = quoted(name.map(str::to_owned));
        let sql = format!(
            "INSERT INTO memories (workspace_id, id, scope, channel_id, conversation_id, lifetime, curator, kind, \
             importance, source, change_seq, version, written_by, change_id, created_at, accessed_at, updated_at, \
             tags, name, name_folded, content) \
             VALUES ('{}', '{}', '{}', {}, {}, 'long_term', 'author', 'note', 0.5, 'user', \
             (SELECT tick FROM change_clock), 1, 'author', $change, $at, $at, $at, '{tags}', {name}, lower({name}), ?)",
            workspace(),
            id(n),
            place.scope(),
            quoted(place.channel().map(|id| id.to_string())),
            quoted(place.conversation().map(|id| id.to_string())),
        );
        self.write(&sql, &[content]).await;
    }

    /// Changes columns of an entry as a new version.
    async fn change(&self, n: i64, set: &str, binds: &[&str]) {
        let sql = format!(
            "UPDATE memories SET {set}, version = version + 1, change_id = $change, updated_at = $at, \
             written_by = 'author', change_seq = (SELECT tick FROM change_clock) WHERE id = '{}'",
            id(n)
        );
        self.write(&sql, binds).await;
    }

    /// Gives an entry a title and keys.
    async fn call(&self, n: i64, title: Option<&str>, keys: &[&str]) {
        let keys = serde_json::Value::from(keys).to_string();
        self.change(n, "title = nullif(?, ''), keys = ?", &[title.unwrap_or_default(), &keys]).await;
    }

    async fn forget(&self, n: i64) {
        self.change(n, "forgotten_at = $at, forgotten_reason = 'test'", &[]).await;
    }

    async fn destroy(&self, n: i64) {
        let permit = "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) VALUES (?, ?, 'm', 0)";
        let (w, m) = (workspace().to_string(), id(n).to_string());
        self.write(permit, &[&w, &m]).await;
        self.write("DELETE FROM memories WHERE workspace_id = ? AND id = ?", &[&w, &m]).await;
    }
}
