//! Commits change sets. The guards in the migrations make the final decision; the checks here only produce
//! more specific errors.

use std::{borrow::Cow, sync::LazyLock};

use futures::future;
use inklings_domain::{
    ids::ChangeId,
    memory::{
        MemoryEntry,
        change_set::{ChangeSet, MemoryWrite},
        switch::MemorySwitch,
    },
    named_entry::key,
};
use inklings_ports::store_error::StoreError;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, query_builder::Separated};

use crate::error::DbResult;
use crate::{
    checksum,
    rows::{
        entry_row::{COLUMNS, EntryRow, Value, folded_aliases, position},
        insert::{ROWS_PER_INSERT, kept_if_usual, may_have, push_value},
        micros,
    },
    store::SqliteStore,
};

// Beside the columns: the workspace, the two forms in which names are compared, and the checksum.
const _: () = assert!(may_have(COLUMNS.len() + 4));

/// A change set with this many writes or more counts as bulk, such as an import.
const MANY: usize = 1_000;
/// Bytes of words that the full-text index collects before it writes them out: FTS5's own default, and a
/// value for bulk writes. The fewer segments it writes, the fewer it has to merge later.
const WORDS_KEPT: i64 = 1 << 20;
const WORDS_KEPT_OF_MANY: i64 = 32 << 20;

/// The columns that the entries of an import usually share. They are bound once for many rows: binding a text takes
/// two allocations, which another thread frees.
const SHARED: &[usize] = &[
    position("scope"),
    position("channel_id"),
    position("conversation_id"),
    position("lifetime"),
    position("curator"),
    position("source"),
    position("kind"),
    position("written_by"),
    position("change_id"),
    position("derived_from"),
];

/// A new entry has no vector yet.
const EMBEDDED_BY: usize = position("embedded_by");

/// The columns of an INSERT that are not [`SHARED`].
fn own_columns() -> impl Iterator<Item = usize> {
    (0..COLUMNS.len()).filter(|at| !SHARED.contains(at) && *at != EMBEDDED_BY)
}

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let names = |columns: &mut dyn Iterator<Item = usize>| {
        columns.map(|at| COLUMNS[at]).collect::<Vec<_>>().join(", ")
    };
    format!(
        "INSERT INTO memories (workspace_id, {}, {}, name_folded, aliases_folded, checksum, change_seq) \
         SELECT shared.*, own.*, (SELECT tick FROM change_clock) FROM (",
        names(&mut SHARED.iter().copied()),
        names(&mut own_columns()),
    )
});

/// The columns that an UPDATE sets. The channel and the conversation are only among those of a move: another process may
/// have moved the conversation since the entry was read. It names tier and creation time too: the guards refuse an update
/// that changes them, and the checksum covers them.
fn updated_columns(is_move: bool) -> impl Iterator<Item = usize> {
    const STAY: &[usize] =
        &[EMBEDDED_BY, position("id"), position("channel_id"), position("conversation_id")];
    let stays = if is_move { &STAY[..2] } else { STAY };
    (0..COLUMNS.len()).filter(|at| !stays.contains(at))
}

static UPDATE: LazyLock<String> = LazyLock::new(|| update_of(false));
static MOVE: LazyLock<String> = LazyLock::new(|| update_of(true));

fn update_of(is_move: bool) -> String {
    let set: String = updated_columns(is_move)
        .map(|at| match COLUMNS[at] {
            // Another process may have counted a use since the entry was read.
            used @ ("access_count" | "accessed_at") => format!("{used} = max({used}, ?), "),
            column => format!("{column} = ?, "),
        })
        .collect();
    format!(
        "UPDATE memories SET {set}name_folded = ?, aliases_folded = ?, checksum = ?, \
         change_seq = (SELECT tick FROM change_clock) WHERE workspace_id = ? AND id = ? AND version = ?"
    )
}

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
            set_index_memory(conn, WORDS_KEPT_OF_MANY).await?;
        }
        for run in change.writes.chunk_by(|a, b| is_insert(a) && is_insert(b)) {
            match run {
                [MemoryWrite::Update(entry)] => self.update(conn, entry).await?,
                [MemoryWrite::Move(entry)] => self.rewrite(conn, entry, true).await?,
                inserts => self.insert(conn, inserts).await?,
            }
        }
        if many {
            set_index_memory(conn, WORDS_KEPT).await?;
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
        let mut chunks = alike
            .flat_map(|alike| alike.chunks(ROWS_PER_INSERT))
            .map(|chunk| (self.insertion(chunk), chunk.len()));
        let mut next = chunks.next();
        while let Some((mut sql, rows)) = next {
            // The next statement is built while this one runs.
            let running = kept_if_usual(sql.build(), rows).execute(&mut *conn);
            let (done, following) = future::join(running, async { chunks.next() }).await;
            done?;
            next = following;
        }
        Ok(())
    }

    /// Builds the INSERT of entries with equal [`shared`] values.
    fn insertion(&self, writes: &[MemoryWrite]) -> QueryBuilder<Sqlite> {
        let workspace = self.workspace();
        let mut sql = QueryBuilder::<Sqlite>::new(INSERT.as_str());
        sql.push_values(writes.first(), |mut row, write| bind_shared(&mut row, &workspace, write.entry()));
        sql.push(") AS shared CROSS JOIN (");
        sql.push_values(writes, |mut row, write| bind_own(&mut row, write.entry()));
        sql.push(") AS own");
        sql
    }

    /// Updates an entry to its new state, within a transaction whose change was declared.
    pub(crate) async fn update(&self, conn: &mut SqliteConnection, entry: &MemoryEntry) -> DbResult<()> {
        self.rewrite(conn, entry, false).await
    }

    async fn rewrite(&self, conn: &mut SqliteConnection, entry: &MemoryEntry, is_move: bool) -> DbResult<()> {
        let mut values = EntryRow::of(entry).values();
        let checksum = checksum::of_values(&values);
        let mut query = sqlx::query(if is_move { MOVE.as_str() } else { UPDATE.as_str() });
        for at in updated_columns(is_move) {
            query = match take(&mut values[at]) {
                Value::Text(text) => query.bind(text.map(Cow::into_owned)),
                Value::Whole(number) => query.bind(number),
                Value::Real(number) => query.bind(number),
            };
        }
        let updated = query
            .bind(entry.name.as_deref().map(key))
            .bind(folded_aliases(entry).into_owned())
            .bind(checksum)
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
async fn set_index_memory(conn: &mut SqliteConnection, bytes: i64) -> DbResult<()> {
    let set = sqlx::query("INSERT INTO memories_fts (memories_fts, rank) VALUES ('hashsize', ?)");
    set.bind(bytes).execute(conn).await?;
    Ok(())
}

const fn is_insert(write: &MemoryWrite) -> bool {
    matches!(write, MemoryWrite::Insert(_))
}

/// The values that entries of one change set usually share.
fn shared(entry: &MemoryEntry) -> impl PartialEq + '_ {
    let MemoryEntry { place, lifetime, curator, source, kind, written_by, change, derived_from, .. } = entry;
    (place, lifetime, curator, source, kind, written_by, change, derived_from)
}

fn take<'v>(value: &mut Value<'v>) -> Value<'v> {
    std::mem::replace(value, Value::Whole(None))
}

fn bind_shared(row: &mut Separated<'_, Sqlite, &str>, workspace: &str, entry: &MemoryEntry) {
    row.push_bind(workspace.to_owned());
    let mut values = EntryRow::of(entry).values();
    for at in SHARED {
        push_value(row, take(&mut values[*at]));
    }
}

fn bind_own(row: &mut Separated<'_, Sqlite, &str>, entry: &MemoryEntry) {
    let mut values = EntryRow::of(entry).values();
    let checksum = checksum::of_values(&values);
    for at in own_columns() {
        push_value(row, take(&mut values[at]));
    }
    row.push_bind(entry.name.as_deref().map(key))
        .push_bind(folded_aliases(entry).into_owned())
        .push_bind(checksum);
}
