//! Full-text search over entries.

use std::{ops::Range, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::filter::MemoryFilter,
    search::query::{Clause, TextQuery},
    words::words,
};
use inklings_ports::search::store::ListHit;
use rustc_hash::FxHashMap;
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    expression,
    row_cache::RowCache,
    rows::{self, HIT},
    text_index::{Condition, TextIndex, holding, holds},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    functions::matches::Matches,
    memory::filter_sql::{Sql, push_filter, push_narrowing},
    rows::json_list,
    rows::micros,
};

/// The best `limit` entries for a query, best first.
pub async fn search(
    db: &Database,
    index: &TextIndex,
    rows: &RowCache,
    query: &TextQuery,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    if let TextQuery::Literal(text) = query {
        return literal(db, text, filter, limit).await;
    }
    let over = over(db, filter);
    let best = async {
        if !filter.is_conditional() {
            return index.best(db, query, over, limit).await;
        }
        let push = |sql: &mut Sql| {
            sql.push("TRUE");
            push_narrowing(sql, filter, db.workspace_id());
        };
        index.best_that_meet(db, query, over, Condition { joins: "", push: &push }, limit).await
    };
    let (at, best) = futures::future::try_join(db.db_version(), best).await?;
    let seqs: Vec<i64> = best.iter().map(|scored| scored.seq).collect();
    let hits = best.into_iter().zip(rows.get(db, at, &seqs).await?);
    Ok(hits.filter_map(|(scored, row)| Some(ListHit { score: scored.score, ..row?.hit })).collect())
}

/// Everything that a query matches within the tiers, channels and conversations of a filter, whatever its facets say.
pub async fn matches(
    db: &Database,
    index: &TextIndex,
    query: &TextQuery,
    filter: &MemoryFilter,
) -> DbResult<Arc<Matches>> {
    index.matches(db, query, over(db, filter)).await
}

/// Makes the expression of a query within the tiers, channels and conversations of a filter.
fn over(db: &Database, filter: &MemoryFilter) -> impl Fn(&TextQuery) -> Option<String> {
    let (within, activity) = (expression::within(&filter.scope_filter, db.workspace_id()), filter.activity());
    move |query| expression::full(query, &within, activity)
}

/// Entries that contain a folded text, newest first.
async fn literal(db: &Database, folded: &str, filter: &MemoryFilter, limit: usize) -> DbResult<Vec<ListHit>> {
    if folded.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new("SELECT ");
    sql.push(HIT).push(", m.content, m.name, m.title, m.keys FROM memories AS m WHERE ");
    push_filter(&mut sql, filter, db.workspace_id());
    if !folded.is_ascii() {
        // Folding never turns ASCII into other characters, so an ASCII text cannot contain it.
        sql.push(" AND (length(m.content) <> octet_length(m.content) OR m.name IS NOT NULL");
        sql.push(" OR m.title IS NOT NULL OR m.keys IS NOT NULL)");
    }
    sql.push(" ORDER BY m.updated_at DESC, m.id DESC");
    let hit = |row: &SqliteRow| {
        let content: &str = row.try_get("content")?;
        let called: [Option<&str>; 2] = [row.try_get("name")?, row.try_get("title")?];
        let keys = keys_of(row)?;
        let mut called = called.into_iter().flatten().chain(keys.iter().map(String::as_str));
        let is_hit = holds(content, folded) || called.any(|name| holds(name, folded));
        is_hit.then(|| rows::hit(row, 1.0)).transpose()
    };
    holding(db, sql, limit, hit).await
}

fn keys_of(row: &SqliteRow) -> DbResult<Vec<String>> {
    let keys: Option<&str> = row.try_get("keys")?;
    keys.map_or(Ok(Vec::new()), |keys| {
        serde_json::from_str(keys).map_err(|_| DbError::Row { column: "keys" })
    })
}

/// The newest entries within the filter that were written in a time, and came with no date of their own.
pub async fn in_time(
    db: &Database,
    within: Range<DateTime<Utc>>,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    let mut sql = Sql::new("SELECT ");
    sql.push(HIT).push(" FROM memories AS m INDEXED BY memories_by_creation WHERE m.created_at >= ");
    sql.push_bind(micros(within.start)).push(" AND m.created_at < ").push_bind(micros(within.end));
    sql.push(" AND m.session IS NULL AND m.said_at IS NULL AND m.content <> '' AND ");
    push_filter(&mut sql, filter, db.workspace_id());
    sql.push(" ORDER BY m.created_at DESC, m.id DESC LIMIT ")
        .push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
    sql.build().fetch_all(&db.reader()).await?.iter().map(|row| rows::hit(row, 1.0)).collect()
}

/// The most entries whose titles and keys are compared with a query.
const MOST_CALLED: i64 = 10_000;
/// The most words of a query that can be a title or a key.
const MOST_CALLED_WORDS: usize = 40;

/// Entries within the filter whose title or one of whose keys has the words of a query and no others.
pub async fn called(db: &Database, text: &str, filter: &MemoryFilter) -> DbResult<Vec<ListHit>> {
    let wanted = words(text);
    if wanted.len() > MOST_CALLED_WORDS {
        return Ok(Vec::new());
    }
    let clause = Clause { words: wanted.clone(), prefix: false };
    let Some(phrase) = expression::phrase(&clause) else { return Ok(Vec::new()) };
    let mut sql = Sql::new("SELECT ");
    sql.push(HIT)
        .push(", m.title, m.keys FROM memories_fts CROSS JOIN memories AS m ON m.seq = memories_fts.rowid ");
    sql.push("WHERE memories_fts MATCH ").push_bind(format!("{{title keys}} : {phrase}")).push(" AND ");
    push_filter(&mut sql, filter, db.workspace_id());
    sql.push(" LIMIT ").push_bind(MOST_CALLED);
    let mut hits = Vec::new();
    for row in &sql.build().fetch_all(&db.reader()).await? {
        let title: Option<&str> = row.try_get("title")?;
        let is_wanted = |called: &str| words(called) == wanted;
        if title.is_some_and(is_wanted) || keys_of(row)?.iter().any(|key| is_wanted(key)) {
            hits.push(rows::hit(row, 1.0)?);
        }
    }
    Ok(hits)
}

/// Maps row numbers to entries. Looks up the row numbers that are not cached.
pub async fn by_seq(db: &Database, ids: &[MemoryId]) -> DbResult<FxHashMap<i64, MemoryId>> {
    let seqs = db.rowid_cache().of(ids);
    let known = || seqs.iter().zip(ids);
    let mut by_seq: FxHashMap<i64, MemoryId> = known().filter_map(|(seq, id)| Some(((*seq)?, *id))).collect();
    if by_seq.len() < ids.len() {
        let missing = known().filter(|(seq, _)| seq.is_none()).map(|(_, id)| id);
        let query = sqlx::query(
            "SELECT m.seq, m.id FROM json_each(?1) AS j \
             CROSS JOIN memories AS m ON m.workspace_id = ?2 AND m.id = j.value",
        );
        let query = query.bind(json_list(missing)).bind(db.workspace_id().to_string());
        for row in &query.fetch_all(&db.reader()).await? {
            by_seq.insert(row.try_get("seq")?, rows::id(row)?);
        }
    }
    Ok(by_seq)
}
