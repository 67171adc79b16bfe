//! Reads entries by id, by page, and by external ids and names; counts them.

use std::{collections::HashSet, sync::PoisonError};

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    named_entry::{is_mentioned, key, padded_words},
    scope::{PerTier, Place},
};
use inklings_ports::memory::store::{Cursor, SortKey, StoredEntry};
use sqlx::Row;

use crate::{
    error::DbResult,
    memory::filter_sql::{Sql, blank_entries, push_activity, push_filter, push_narrowing, push_scope_filter},
};
use crate::{
    rows::{
        self,
        entry_row::{self, entry_columns},
        json_list, micros,
    },
    store::{Names, SqliteStore},
};

/// Condition of an entry `m` that was imported into the place `?3` to `?5` with one of the ids `?2` of another program. One that
/// was moved elsewhere since is meant too, unless its id is at the place again.
macro_rules! imported_into {
    () => {
        "m.external_id IN (SELECT value FROM json_each(?2)) AND m.external_id IS NOT NULL AND \
         ((m.scope = ?3 AND coalesce(m.channel_id, '') = ?4 AND coalesce(m.conversation_id, '') = ?5) OR ( \
         EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.workspace_id = m.workspace_id AND v.memory_id = m.id \
         AND v.version = 1 AND v.scope = ?3 AND coalesce(v.channel_id, '') = ?4 \
         AND coalesce(v.conversation_id, '') = ?5) AND NOT EXISTS (SELECT 1 FROM memories AS o \
         WHERE o.workspace_id = m.workspace_id AND o.external_id = m.external_id AND o.scope = ?3 \
         AND coalesce(o.channel_id, '') = ?4 AND coalesce(o.conversation_id, '') = ?5)))"
    };
}
pub(crate) use imported_into;

/// Entries packed into one text.
const AT_ONCE: usize = 200;

const SELECT: &str = concat!("SELECT ", entry_columns!(m), " FROM memories AS m WHERE ");

impl SqliteStore {
    pub(crate) async fn read_entries(&self, ids: &[MemoryId]) -> DbResult<Vec<StoredEntry>> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(AT_ONCE) {
            let mut wanted: HashSet<MemoryId> = ids.iter().copied().collect();
            let mut seqs: Vec<i64> = self.db.rowid_cache().of(ids).into_iter().flatten().collect();
            seqs.sort_unstable();
            seqs.dedup();
            if !seqs.is_empty() {
                let seqs = serde_json::Value::from(seqs).to_string();
                let entries = self.read_json_rows(entry_row::BY_ROW_NUMBER, seqs).await?;
                found.extend(entries.into_iter().filter(|stored| wanted.remove(&stored.entry.id)));
            }
            if !wanted.is_empty() {
                found.extend(self.read_json_rows(entry_row::BY_ID, json_list(&wanted)).await?);
            }
        }
        Ok(found)
    }

    /// A query of active entries within a filter, also of blank ones, up to its own conditions.
    pub(crate) fn active_entries(&self, filter: &ScopeFilter) -> Sql {
        self.active_entries_from("memories AS m", filter)
    }

    /// As [`Self::active_entries`], from the table `m` with the index that it has to be read by.
    pub(crate) fn active_entries_from(&self, table: &'static str, filter: &ScopeFilter) -> Sql {
        let mut sql = Sql::new(concat!("SELECT ", entry_columns!(m), " FROM "));
        sql.push(table).push(" WHERE m.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND m.forgotten_at IS NULL AND ");
        push_scope_filter(&mut sql, filter, self.db.workspace_id());
        sql
    }

    /// The entries of a query that [`Self::active_entries`] began.
    pub(crate) async fn fetch_entries(&self, mut sql: Sql) -> DbResult<Vec<StoredEntry>> {
        let found = sql.build().fetch_all(&self.db.reader()).await?;
        found.iter().map(|row| entry_row::stored(row, 0)).collect()
    }

    async fn read_json_rows(&self, select: &'static str, which: String) -> DbResult<Vec<StoredEntry>> {
        let query = sqlx::query(select).bind(self.workspace()).bind(which);
        entry_row::of_json(query.fetch_one(&self.db.reader()).await?.try_get(0)?)
    }

    pub(crate) async fn read_page(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> DbResult<Vec<StoredEntry>> {
        let (column, direction, beyond) = match sort {
            Sort::UpdatedDesc => ("m.updated_at", "DESC", "<"),
            Sort::CreatedDesc => ("m.created_at", "DESC", "<"),
            Sort::CreatedAsc => ("m.created_at", "ASC", ">"),
            Sort::ImportanceDesc => ("m.importance", "DESC", "<"),
        };
        let mut sql = Sql::new(SELECT);
        push_filter(&mut sql, filter, self.db.workspace_id());
        if let Some(cursor) = after {
            sql.push(" AND (").push(column).push(", m.id) ").push(beyond).push(" (");
            match cursor.key {
                SortKey::Time(at) => sql.push_bind(micros(at)),
                SortKey::Number(number) => sql.push_bind(number),
            };
            sql.push(", ").push_bind(cursor.id.to_string()).push(")");
        }
        // A few conversations hold few entries: it is faster to find them by channel or conversation and sort
        // them than to scan all entries in order.
        let in_order_of_all = if filter.scope_filter.few_conversations() { "+" } else { "" };
        sql.push(" ORDER BY ").push(in_order_of_all).push(column).push(" ").push(direction);
        sql.push(", m.id ").push(direction).push(" LIMIT ").push_bind(limit as i64);
        let found = sql.build().fetch_all(&self.db.reader()).await?;
        found.iter().map(|row| entry_row::stored(row, 0)).collect()
    }

    pub(crate) async fn count_tiers(&self, filter: &MemoryFilter) -> DbResult<PerTier<u64>> {
        let mut sql = Sql::new("SELECT m.scope, count(*) FROM memories AS m WHERE TRUE");
        for all in [true, false] {
            if !all {
                sql.push(concat!(" UNION ALL SELECT m.scope, -count(*) FROM ", blank_entries!()));
            }
            sql.push(" AND ");
            push_activity(&mut sql, filter.activity());
            push_narrowing(&mut sql, filter, self.db.workspace_id());
            sql.push(" GROUP BY m.scope");
        }
        let counted: Vec<(String, i64)> = sql.build_query_as().fetch_all(&self.db.reader()).await?;
        let of = |scope: &str| {
            let parts = counted.iter().filter(|(s, _)| s == scope);
            parts.map(|(_, n)| n).sum::<i64>().unsigned_abs()
        };
        Ok(PerTier::from_fn(|scope| of(scope.as_str())))
    }

    pub(crate) async fn read_imported(&self, place: Place, ids: &[String]) -> DbResult<Vec<MemoryEntry>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(m),
            " FROM memories AS m WHERE m.workspace_id = ?1 AND ",
            imported_into!()
        ))
        .bind(self.workspace())
        .bind(json_list(ids))
        .bind(place.scope().as_str())
        .bind(place.channel().map_or_else(String::new, |id| id.to_string()))
        .bind(place.conversation().map_or_else(String::new, |id| id.to_string()))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(|row| entry_row::entry(row, 0)).collect()
    }

    pub(crate) async fn read_named(&self) -> DbResult<Vec<MemoryEntry>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(m),
            " FROM memories AS m \
             WHERE m.name_folded IS NOT NULL AND m.kind = 'note' AND m.forgotten_at IS NULL"
        ))
        .fetch_all(&self.db.reader())
        .await?;
        let mut named: Vec<MemoryEntry> =
            found.iter().map(|row| entry_row::entry(row, 0)).collect::<DbResult<_>>()?;
        named.sort_by_cached_key(|entry| (entry.scope(), entry.name.as_deref().map(key)));
        Ok(named)
    }

    /// The names are cached; the database then decides which of their entries match the filter.
    pub(crate) async fn read_mentioned(
        &self,
        text: &str,
        filter: &MemoryFilter,
    ) -> DbResult<Vec<StoredEntry>> {
        let words = padded_words(text);
        let names = self.read_names().await?.into_iter();
        let mentioned: HashSet<MemoryId> =
            names.filter(|(name, _)| is_mentioned(name, &words)).map(|(_, id)| id).collect();
        if mentioned.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new(SELECT);
        sql.push("m.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND m.id IN (SELECT value FROM json_each(").push_bind(json_list(&mentioned));
        sql.push(")) AND m.forgotten_at IS NULL AND ");
        push_filter(&mut sql, filter, self.db.workspace_id());
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(|row| entry_row::stored(row, 0)).collect()
    }

    /// Cached until the database changes, because every search needs them.
    pub(crate) async fn read_names(&self) -> DbResult<Vec<(String, MemoryId)>> {
        let at = self.db.db_version().await?;
        let current_list =
            |names: &Option<Names>| names.as_ref().filter(|n| n.at == at).map(|n| n.list.clone());
        if let Some(list) = current_list(&self.names.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(list);
        }
        let query = sqlx::query(
            "SELECT m.id, m.name, m.aliases FROM memories AS m WHERE m.workspace_id = ?1 \
             AND m.id IN (SELECT n.memory_id FROM names AS n WHERE n.workspace_id = ?1)",
        )
        .bind(self.workspace());
        let mut list: Vec<(String, MemoryId)> = Vec::new();
        for row in &query.fetch_all(&self.db.reader()).await? {
            let id = rows::parsed(row.try_get(0)?, "id")?;
            list.push((row.try_get(1)?, id));
            list.extend(rows::texts(row, 2, "aliases")?.into_iter().map(|alias| (alias, id)));
        }
        // Read after `at`, so the list may be newer than its version and is then read again; it is never
        // older.
        let names = Names { at, list: list.clone() };
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = Some(names);
        Ok(list)
    }
}
