//! Commits change sets. The guards in the migrations make the final decision; the checks here only produce
//! more specific errors.

use futures::future;
use inklings_application::store_error::StoreError;
use inklings_domain::{
    ids::ChangeId,
    memory::{
        MemoryEntry, Origin,
        change_set::{ChangeSet, MemoryWrite},
        switch::MemorySwitch,
    },
    named_entry::key,
};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, query_builder::Separated};

use crate::error::DbResult;
use crate::{
    memory::{
        checksum,
        rows::{json_list, micros},
    },
    store::SqliteStore,
};

/// Rows of one INSERT. With more rows the statement gets longer but not faster.
const ROWS_PER_INSERT: usize = 64;

/// A change set with this many writes or more counts as bulk, such as an import.
const MANY: usize = 1_000;
/// Bytes of words that the full-text index collects before it writes them out: FTS5's own default, and a
/// value for bulk writes. The fewer segments it writes, the fewer it has to merge later.
const WORDS_KEPT: i64 = 1 << 20;
const WORDS_KEPT_OF_MANY: i64 = 32 << 20;

/// The values that the entries of an import share come first and are bound once for many rows: binding a text
/// takes two allocations, which another thread frees.
const INSERT: &str = "INSERT INTO memories (workspace_id, scope, channel_id, conversation_id, lifetime, curator, source, \
    kind, written_by, change_id, derived_from, \
    id, name, name_folded, aliases, aliases_folded, content, importance, tags, pinned, external_id, session, speaker, \
    said_at, source_conversation_id, version, forgotten_at, forgotten_reason, forgotten_code, forgotten_run, consolidated_into, \
    access_count, created_at, accessed_at, updated_at, checksum, change_seq) SELECT shared.*, own.*, (SELECT tick FROM change_clock) FROM (";

/// Also names tier and creation time: the guard refuses an update that changes them, and the checksum covers
/// them.
const UPDATE: &str = "UPDATE memories SET scope = ?, created_at = ?, lifetime = ?, curator = ?, source = ?, kind = ?, name = ?, \
    name_folded = ?, aliases = ?, aliases_folded = ?, content = ?, importance = ?, tags = ?, pinned = ?, external_id = ?, session = ?, \
    speaker = ?, said_at = ?, source_conversation_id = ?, version = ?, written_by = ?, change_id = ?, \
    forgotten_at = ?, forgotten_reason = ?, forgotten_code = ?, forgotten_run = ?, consolidated_into = ?, derived_from = ?, \
    access_count = max(access_count, ?), accessed_at = max(accessed_at, ?), updated_at = ?, checksum = ?, \
    change_seq = (SELECT tick FROM change_clock) \
    WHERE workspace_id = ? AND id = ? AND version = ?";

impl SqliteStore {
    pub(crate) async fn write(&self, change: &ChangeSet) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.write_within(&mut tx, change).await?;
        tx.commit().await?;
        if change.writes.len() >= MANY {
            self.db.shrink_writer().await;
        }
        Ok(())
    }

    /// Writes a change within a transaction of the caller.
    pub(crate) async fn write_within(&self, conn: &mut SqliteConnection, change: &ChangeSet) -> DbResult<()> {
        self.write_journal(conn, change).await?;
        if let Some(undone) = change.undoes {
            self.mark_undone(conn, undone, change.stamp.change).await?;
        }
        let many = change.writes.len() >= MANY;
        if many {
            keep_words(conn, WORDS_KEPT_OF_MANY).await?;
        }
        for run in change.writes.chunk_by(|a, b| is_insert(a) && is_insert(b)) {
            match run {
                [MemoryWrite::Update(entry)] => self.update(conn, entry).await?,
                inserts => self.insert(conn, inserts).await?,
            }
        }
        if many {
            keep_words(conn, WORDS_KEPT).await?;
        }
        Ok(())
    }

    /// Declares the state of the memory switch of the change's origin to the guards of the account's file.
    /// The guards of a workspace read its own setting.
    pub(crate) async fn declare_switch(
        &self,
        conn: &mut SqliteConnection,
        switch: MemorySwitch,
    ) -> DbResult<()> {
        if self.is_account() {
            sqlx::query("UPDATE memory_switch SET enabled = ?")
                .bind(switch == MemorySwitch::On)
                .execute(conn)
                .await?;
        }
        Ok(())
    }

    /// Writes the journal row, which advances the change clock.
    async fn write_journal(&self, conn: &mut SqliteConnection, change: &ChangeSet) -> DbResult<()> {
        let stamp = &change.stamp;
        if !change.switch.admits_change(stamp.actor.kind(), change.action) {
            return Err(StoreError::MemoryOff.into());
        }
        self.declare_switch(conn, change.switch).await?;
        let taken: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM journal WHERE workspace_id = ? AND id = ?)")
                .bind(self.workspace())
                .bind(stamp.change.to_string())
                .fetch_one(&mut *conn)
                .await?;
        if taken {
            return Err(StoreError::AlreadyExists("change").into());
        }
        self.follow_peers(conn).await?;
        sqlx::query(
            "INSERT INTO journal (workspace_id, id, action, hand, door, run_id, at, entries, undoes) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(stamp.change.to_string())
        .bind(change.action.as_str())
        .bind(stamp.actor.kind().as_str())
        .bind(stamp.actor.interface().as_str())
        .bind(stamp.actor.run().map(|run| run.to_string()))
        .bind(micros(stamp.at))
        .bind(change.writes.len() as i64)
        .bind(change.undoes.map(|id| id.to_string()))
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn mark_undone(&self, conn: &mut SqliteConnection, undone: ChangeId, by: ChangeId) -> DbResult<()> {
        let marked = sqlx::query(
            "UPDATE journal SET undone_by = ? WHERE workspace_id = ? AND id = ? AND undone_by IS NULL",
        )
        .bind(by.to_string())
        .bind(self.workspace())
        .bind(undone.to_string())
        .execute(conn)
        .await?;
        if marked.rows_affected() == 0 {
            return Err(
                StoreError::Refused("the change to undo is unknown or was undone already".into()).into()
            );
        }
        Ok(())
    }

    async fn insert(&self, conn: &mut SqliteConnection, writes: &[MemoryWrite]) -> DbResult<()> {
        let alike = writes.chunk_by(|a, b| shared(a.entry()) == shared(b.entry()));
        let mut chunks =
            alike.flat_map(|alike| alike.chunks(ROWS_PER_INSERT)).map(|chunk| self.insertion(chunk));
        let mut next = chunks.next();
        while let Some(mut sql) = next {
            // The next statement is built while this one runs.
            let running = sql.build().execute(&mut *conn);
            let (done, following) = future::join(running, async { chunks.next() }).await;
            done?;
            next = following;
        }
        Ok(())
    }

    /// Builds the INSERT of entries with equal [`shared`] values.
    fn insertion(&self, writes: &[MemoryWrite]) -> QueryBuilder<Sqlite> {
        let workspace = self.workspace();
        let mut sql = QueryBuilder::<Sqlite>::new(INSERT);
        sql.push_values(writes.first(), |mut row, write| bind_shared(&mut row, &workspace, write.entry()));
        sql.push(") AS shared CROSS JOIN (");
        sql.push_values(writes, |mut row, write| bind_own(&mut row, write.entry()));
        sql.push(") AS own");
        sql
    }

    /// Updates an entry to its new state, within a transaction whose change was declared.
    pub(crate) async fn update(&self, conn: &mut SqliteConnection, entry: &MemoryEntry) -> DbResult<()> {
        let origin = entry.origin.as_ref();
        let forgotten = entry.forgotten.as_ref();
        let updated = sqlx::query(UPDATE)
            .bind(entry.scope().as_str())
            .bind(micros(entry.created_at))
            .bind(entry.lifetime.as_str())
            .bind(entry.curator.as_str())
            .bind(&*entry.source)
            .bind(entry.kind.as_str())
            .bind(entry.name.as_deref())
            .bind(entry.name.as_deref().map(key))
            .bind(list_json(&entry.aliases))
            .bind(list_json(&folded_aliases(entry)))
            .bind(&*entry.content)
            .bind(entry.importance.get())
            .bind(list_json(&entry.tags))
            .bind(entry.pinned)
            .bind(origin.and_then(|o| o.external_id.as_deref()))
            .bind(origin.and_then(|o| o.session.as_deref()))
            .bind(origin.and_then(|o| o.speaker.as_deref()))
            .bind(origin.and_then(|o| o.said_at.as_deref()))
            .bind(origin.and_then(|o| o.conversation).map(|id| id.to_string()))
            .bind(entry.version as i64)
            .bind(entry.written_by.as_str())
            .bind(entry.change.to_string())
            .bind(forgotten.map(|f| micros(f.at)))
            .bind(forgotten.map(|f| f.reason.note().unwrap_or_default()))
            .bind(forgotten.map(|f| f.reason.code()))
            .bind(forgotten.and_then(|f| f.run).map(|run| run.to_string()))
            .bind(entry.consolidated_into.map(|id| id.to_string()))
            .bind(sources_json(entry))
            .bind(entry.access_count as i64)
            .bind(micros(entry.accessed_at))
            .bind(micros(entry.updated_at))
            .bind(checksum::of_entry(entry))
            .bind(self.workspace())
            .bind(entry.id.to_string())
            .bind(entry.version as i64 - 1)
            .execute(&mut *conn)
            .await?;
        if updated.rows_affected() == 1 { Ok(()) } else { self.why_not_updated(conn, entry).await }
    }

    async fn why_not_updated(&self, conn: &mut SqliteConnection, entry: &MemoryEntry) -> DbResult<()> {
        let known: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM memories WHERE workspace_id = ? AND id = ?)")
                .bind(self.workspace())
                .bind(entry.id.to_string())
                .fetch_one(conn)
                .await?;
        Err(if known { StoreError::Stale { id: entry.id } } else { StoreError::NotFound("memory") }.into())
    }
}

/// Sets how many bytes of words the full-text index keeps in memory. Part of the transaction, like all state
/// of the index.
async fn keep_words(conn: &mut SqliteConnection, bytes: i64) -> DbResult<()> {
    let set = sqlx::query("INSERT INTO memories_fts (memories_fts, rank) VALUES ('hashsize', ?)");
    set.bind(bytes).execute(conn).await?;
    Ok(())
}

const fn is_insert(write: &MemoryWrite) -> bool {
    matches!(write, MemoryWrite::Insert(_))
}

pub(crate) fn list_json(values: &[String]) -> String {
    if values.is_empty() {
        // A shortcut: most entries have none, and an import writes a hundred thousand of them.
        return "[]".to_owned();
    }
    serde_json::Value::from(values).to_string()
}

pub(crate) fn sources_json(entry: &MemoryEntry) -> String {
    if entry.derived_from.is_empty() { "[]".to_owned() } else { json_list(&entry.derived_from) }
}

fn folded_aliases(entry: &MemoryEntry) -> Vec<String> {
    entry.aliases.iter().map(|alias| key(alias)).collect()
}

/// The values that entries of one change set usually share.
fn shared(entry: &MemoryEntry) -> impl PartialEq + '_ {
    let MemoryEntry { place, lifetime, curator, source, kind, written_by, change, derived_from, .. } = entry;
    (place, lifetime, curator, source, kind, written_by, change, derived_from)
}

fn bind_shared(row: &mut Separated<'_, Sqlite, &str>, workspace: &str, entry: &MemoryEntry) {
    row.push_bind(workspace.to_owned())
        .push_bind(entry.scope().as_str())
        .push_bind(entry.place.channel().map(|id| id.to_string()))
        .push_bind(entry.place.conversation().map(|id| id.to_string()))
        .push_bind(entry.lifetime.as_str())
        .push_bind(entry.curator.as_str())
        .push_bind(entry.source.clone())
        .push_bind(entry.kind.as_str())
        .push_bind(entry.written_by.as_str())
        .push_bind(entry.change.to_string())
        .push_bind(sources_json(entry));
}

fn bind_own(row: &mut Separated<'_, Sqlite, &str>, entry: &MemoryEntry) {
    let origin = entry.origin.as_ref();
    let of_origin = |part: fn(&Origin) -> Option<&String>| origin.and_then(part).cloned();
    let forgotten = entry.forgotten.as_ref();
    row.push_bind(entry.id.to_string())
        .push_bind(entry.name.clone())
        .push_bind(entry.name.as_deref().map(key))
        .push_bind(list_json(&entry.aliases))
        .push_bind(list_json(&folded_aliases(entry)))
        .push_bind(entry.content.clone())
        .push_bind(entry.importance.get())
        .push_bind(list_json(&entry.tags))
        .push_bind(entry.pinned)
        .push_bind(of_origin(|o| o.external_id.as_ref()))
        .push_bind(of_origin(|o| o.session.as_ref()))
        .push_bind(of_origin(|o| o.speaker.as_ref()))
        .push_bind(of_origin(|o| o.said_at.as_ref()))
        .push_bind(origin.and_then(|o| o.conversation).map(|id| id.to_string()))
        .push_bind(entry.version as i64)
        .push_bind(forgotten.map(|f| micros(f.at)))
        .push_bind(forgotten.map(|f| f.reason.note().unwrap_or_default().to_owned()))
        .push_bind(forgotten.map(|f| f.reason.code()))
        .push_bind(forgotten.and_then(|f| f.run).map(|run| run.to_string()))
        .push_bind(entry.consolidated_into.map(|id| id.to_string()))
        .push_bind(entry.access_count as i64)
        .push_bind(micros(entry.created_at))
        .push_bind(micros(entry.accessed_at))
        .push_bind(micros(entry.updated_at))
        .push_bind(checksum::of_entry(entry));
}
