//! Full-text search over entries, and match positions.

use std::sync::Arc;

use futures::TryStreamExt as _;
use inklings_domain::{
    ids::MemoryId,
    memory::filter::MemoryFilter,
    search::query::{Clause, TextQuery},
    text::fold,
    words::words,
};
use inklings_ports::search::store::{Highlight, ListHit};
use rustc_hash::FxHashMap;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, push_filter, push_narrowing},
    rows::json_list,
};
use crate::{
    functions::{
        highlight,
        matches::{Matches, RecentMatches},
        ticket::{Scored, TicketGuard},
    },
    search::{
        expression::{self, Within},
        row_cache::RowCache,
        rows::{self, HIT, PACKED},
        stats::Frequencies,
    },
};

/// The most entries that a search for symbols reads, newest first.
const MOST_READ: i64 = 50_000;

/// The best `limit` entries for a query, best first.
pub async fn search(
    db: &Database,
    cached: Cached<'_>,
    query: &TextQuery,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    let Cached { frequencies, rows, recent } = cached;
    if limit == 0 {
        return Ok(Vec::new());
    }
    match query {
        TextQuery::Nothing => Ok(Vec::new()),
        TextQuery::Literal(text) => literal(db, text, filter, limit).await,
        TextQuery::Any(_) | TextQuery::All { .. } => {
            let within = expression::within(&filter.scope_filter, db.workspace_id());
            if within == Within::Nothing {
                return Ok(Vec::new());
            }
            if expression::text(query).is_none() {
                return Ok(Vec::new());
            }
            let unconditional = !filter.is_conditional();
            // Usually nothing has changed since the last search, so the search runs during the check for
            // changes.
            if unconditional
                && let Some(plan) = frequencies.remembered(query)
                && let Some(expression) = expression::full(&plan.query, &within, filter.activity())
            {
                let best = best(db, &expression, &plan.ticket, limit);
                let (at, best) = futures::future::try_join(db.db_version(), best).await?;
                if at.tick == plan.tick {
                    recent.put(expression, plan.tick, plan.ticket.matches());
                    return with_rows(db, rows, at, best).await;
                }
            }
            let (at, plan) = futures::future::try_join(db.db_version(), frequencies.plan(db, query)).await?;
            let Some(plan) = plan else { return Ok(Vec::new()) };
            let Some(expression) = expression::full(&plan.query, &within, filter.activity()) else {
                return Ok(Vec::new());
            };
            if unconditional {
                let best = best(db, &expression, &plan.ticket, limit).await?;
                recent.put(expression, plan.tick, plan.ticket.matches());
                with_rows(db, rows, at, best).await
            } else {
                best_that_meet(db, expression, &plan.ticket, filter, limit).await
            }
        }
    }
}

/// What the searches of one index share.
#[derive(Debug, Clone, Copy)]
pub struct Cached<'c> {
    pub frequencies: &'c Frequencies,
    pub rows: &'c RowCache,
    pub recent: &'c RecentMatches,
}

/// Everything that a query matches within the tiers, channels and conversations of a filter, whatever its facets say.
pub async fn matches(
    db: &Database,
    cached: Cached<'_>,
    query: &TextQuery,
    filter: &MemoryFilter,
) -> DbResult<Arc<Matches>> {
    let within = expression::within(&filter.scope_filter, db.workspace_id());
    let Some(plan) = cached.frequencies.plan(db, query).await? else { return Ok(Arc::default()) };
    let Some(expression) = expression::full(&plan.query, &within, filter.activity()) else {
        return Ok(Arc::default());
    };
    if let Some(matches) = cached.recent.get(&expression, plan.tick) {
        return Ok(matches);
    }
    best(db, &expression, &plan.ticket, 0).await?;
    Ok(cached.recent.put(expression, plan.tick, plan.ticket.matches()))
}

/// The best of all matches.
async fn best(db: &Database, expression: &str, ticket: &TicketGuard, limit: usize) -> DbResult<Vec<Scored>> {
    ticket.keep_best(limit);
    let query = sqlx::query(
        "SELECT 1 FROM memories_fts WHERE memories_fts MATCH ?1 AND inklings_keep(memories_fts, ?2)",
    );
    // Returns no row: `inklings_keep` is always 0 and collects the best in the ticket.
    query.bind(expression.to_owned()).bind(ticket.number()).fetch_optional(&db.reader()).await?;
    Ok(ticket.best())
}

/// Reads only the rows of the best matches, after the cut.
async fn with_rows(
    db: &Database,
    known: &RowCache,
    at: DbVersion,
    best: Vec<Scored>,
) -> DbResult<Vec<ListHit>> {
    let seqs: Vec<i64> = best.iter().map(|scored| scored.seq).collect();
    let rows = known.get(db, at, &seqs).await?;
    let hits = best.into_iter().zip(rows);
    Ok(hits.filter_map(|(scored, row)| Some(ListHit { score: scored.score, ..row?.hit })).collect())
}

/// The best of the matches whose rows meet the conditions of a filter. The conditions apply before the cut,
/// so the row of every match is read.
async fn best_that_meet(
    db: &Database,
    expression: String,
    ticket: &TicketGuard,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut sql = Sql::new("SELECT ");
    sql.push(PACKED);
    sql.push("m.score), ' ' ORDER BY m.score, m.seq DESC) AS hits ");
    sql.push("FROM (SELECT m.*, inklings_bm25(memories_fts, ").push_bind(ticket.number());
    sql.push(
        ") AS score FROM memories_fts CROSS JOIN memories AS m ON m.seq = memories_fts.rowid \
         WHERE memories_fts MATCH ",
    );
    sql.push_bind(expression);
    push_narrowing(&mut sql, filter, db.workspace_id());
    sql.push(" ORDER BY score, m.seq DESC LIMIT ").push_bind(limit).push(") AS m");
    let row = sql.build().fetch_one(&db.reader()).await?;
    let hits = rows::hits(row.try_get("hits")?)?.into_iter();
    // FTS5 scores are negative: lower is better.
    Ok(hits.map(|(_, row)| ListHit { score: -row.hit.score, ..row.hit }).collect())
}

/// Entries that contain a folded text, newest first; all have the same score.
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
    sql.push(" ORDER BY m.updated_at DESC, m.id DESC LIMIT ").push_bind(MOST_READ);
    let mut hits = Vec::new();
    let query = sql.build();
    let mut rows = query.fetch(&db.reader());
    while let Some(row) = rows.try_next().await? {
        let content: &str = row.try_get("content")?;
        let called: [Option<&str>; 2] = [row.try_get("name")?, row.try_get("title")?];
        let keys = keys_of(&row)?;
        let mut called = called.into_iter().flatten().chain(keys.iter().map(String::as_str));
        if holds(content, folded) || called.any(|name| holds(name, folded)) {
            hits.push(rows::hit(&row, 1.0)?);
            if hits.len() >= limit {
                break;
            }
        }
    }
    Ok(hits)
}

fn keys_of(row: &SqliteRow) -> DbResult<Vec<String>> {
    let keys: Option<&str> = row.try_get("keys")?;
    keys.map_or(Ok(Vec::new()), |keys| {
        serde_json::from_str(keys).map_err(|_| DbError::Row { column: "keys" })
    })
}

/// True if a text contains a folded text, regardless of case.
pub fn holds(text: &str, folded: &str) -> bool {
    text.contains(folded) || fold(text).contains(folded)
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

/// The match positions of a query in the content of these entries. Entries without a match are left out.
pub async fn highlights(
    db: &Database,
    frequencies: &Frequencies,
    query: &TextQuery,
    ids: &[MemoryId],
) -> DbResult<Vec<Highlight>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    if let TextQuery::Literal(folded) = query {
        return literal_highlights(db, folded, ids).await;
    }
    let query = &frequencies.spelled(db, query).await?;
    let Some(phrases) = expression::marks(query) else { return Ok(Vec::new()) };
    // Tokenizes each text again with the tokenizer of the index; any one row of the index gives access to it.
    // Iterating over all matches of the words to reach these few would take longer. The limit of -1 limits
    // nothing; it keeps the function out of the aggregate, where FTS5 cannot call it.
    let by_seq = by_seq(db, ids).await?;
    let numbers: Vec<i64> = by_seq.keys().copied().collect();
    let query = sqlx::query(
        "SELECT group_concat(seq || ' ' || marks, ';') AS marked \
         FROM (SELECT m.seq, inklings_marks(memories_fts, ?1, m.content) AS marks \
               FROM memories_fts CROSS JOIN json_each(?2) AS j CROSS JOIN memories AS m ON m.seq = j.value \
               WHERE memories_fts.rowid = (SELECT max(seq) FROM memories) LIMIT -1)",
    );
    let query = query.bind(phrases).bind(serde_json::Value::from(numbers).to_string());
    let row = query.fetch_one(&db.reader()).await?;
    let marked: Option<&str> = row.try_get("marked")?;
    marked.map_or(Ok(Vec::new()), |marked| marked.split(';').map(|text| marks(text, &by_seq)).collect())
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

/// Parses a row number followed by its ranges.
fn marks(text: &str, by_seq: &FxHashMap<i64, MemoryId>) -> DbResult<Highlight> {
    let (seq, spans) = text.split_once(' ').ok_or(DbError::Row { column: "seq" })?;
    let id = seq.parse().ok().and_then(|seq: i64| by_seq.get(&seq).copied());
    let spans = highlight::spans(spans).ok_or(DbError::Row { column: "content" })?;
    Ok(Highlight { id: id.ok_or(DbError::Row { column: "seq" })?, spans })
}

async fn literal_highlights(db: &Database, folded: &str, ids: &[MemoryId]) -> DbResult<Vec<Highlight>> {
    let rows = sqlx::query(
        "SELECT m.id, m.content FROM json_each(?1) AS j \
         CROSS JOIN memories AS m ON m.workspace_id = ?2 AND m.id = j.value",
    )
    .bind(json_list(ids))
    .bind(db.workspace_id().to_string())
    .fetch_all(&db.reader())
    .await?;
    let mut highlights = Vec::new();
    for row in &rows {
        let spans = highlight::literal(row.try_get("content")?, folded);
        if !spans.is_empty() {
            highlights.push(Highlight { id: rows::id(row)?, spans });
        }
    }
    Ok(highlights)
}
