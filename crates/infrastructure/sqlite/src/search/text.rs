//! Search by words, and where they stand.

use futures::TryStreamExt as _;
use inklings_application::ports::memory_search::{Highlight, ListHit};
use inklings_domain::{filter::MemoryFilter, ids::MemoryId, query::TextQuery, text::fold};
use sqlx::Row;

use super::{
    expression::{self, Within},
    highlight,
    rows::{self, HIT},
    scoring::TicketGuard,
    stats::Frequencies,
};
use crate::{
    connection::Database,
    error::DbResult,
    filter_sql::{Sql, push_conditions, push_filter},
};

/// The most entries that a search for symbols reads, newest first.
const MOST_READ: i64 = 50_000;

/// The best `limit` entries for a query, best first.
pub async fn search(
    db: &Database,
    frequencies: &Frequencies,
    query: &TextQuery,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    match query {
        TextQuery::Nothing => Ok(Vec::new()),
        TextQuery::Literal(text) => literal(db, text, filter, limit).await,
        TextQuery::Any(_) | TextQuery::All { .. } => {
            let within = expression::within(&filter.reach, db.workspace_id());
            if within == Within::Nothing {
                return Ok(Vec::new());
            }
            if expression::text(query).is_none() {
                return Ok(Vec::new());
            }
            let plan = frequencies.plan(db, query).await?;
            match expression::full(&plan.query, &within, filter.activity()) {
                Some(expression) => ranked(db, expression, &plan.ticket, filter, limit).await,
                None => Ok(Vec::new()),
            }
        }
    }
}

async fn ranked(
    db: &Database,
    expression: String,
    ticket: &TicketGuard,
    filter: &MemoryFilter,
    limit: usize,
) -> DbResult<Vec<ListHit>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut sql = Sql::new("SELECT ");
    sql.push(HIT);
    if filter.conditions().next().is_none() {
        // The rows of the best alone are read, after the cut.
        sql.push(", t.score FROM (SELECT rowid AS seq, inklings_bm25(memories_fts, ");
        sql.push_bind(ticket.number());
        sql.push(") AS score FROM memories_fts WHERE memories_fts MATCH ");
        sql.push_bind(expression).push(" ORDER BY score, seq DESC LIMIT ").push_bind(limit);
        sql.push(") AS t CROSS JOIN memories AS m ON m.seq = t.seq ORDER BY t.score, t.seq DESC");
    } else {
        // Conditions on the rows come before the cut, so the row of every match is read.
        sql.push(", inklings_bm25(memories_fts, ").push_bind(ticket.number());
        sql.push(
            ") AS score FROM memories_fts CROSS JOIN memories AS m ON m.seq = memories_fts.rowid \
             WHERE memories_fts MATCH ",
        );
        sql.push_bind(expression);
        push_conditions(&mut sql, &filter.terms, None);
        sql.push(" ORDER BY score, m.seq DESC LIMIT ").push_bind(limit);
    }
    let rows = sql.build().fetch_all(db.reader()).await?;
    // FTS5 gives the better the lower.
    rows.iter().map(|row| rows::hit(row, -row.try_get::<f64, _>("score")?, None)).collect()
}

/// Entries that hold a folded text, newest first; all are equally good.
async fn literal(db: &Database, folded: &str, filter: &MemoryFilter, limit: usize) -> DbResult<Vec<ListHit>> {
    if folded.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new("SELECT ");
    sql.push(HIT).push(", m.content, m.name FROM memories AS m WHERE ");
    push_filter(&mut sql, filter, db.workspace_id());
    if !folded.is_ascii() {
        // Folding never makes another character out of ASCII, so a text of ASCII alone cannot hold it.
        sql.push(" AND (length(m.content) <> octet_length(m.content) OR m.name IS NOT NULL)");
    }
    sql.push(" ORDER BY m.updated_at DESC, m.id DESC LIMIT ").push_bind(MOST_READ);
    let mut hits = Vec::new();
    let query = sql.build();
    let mut rows = query.fetch(db.reader());
    while let Some(row) = rows.try_next().await? {
        let content: &str = row.try_get("content")?;
        let name: Option<&str> = row.try_get("name")?;
        if holds(content, folded) || name.is_some_and(|name| holds(name, folded)) {
            hits.push(rows::hit(&row, 1.0, None)?);
            if hits.len() >= limit {
                break;
            }
        }
    }
    Ok(hits)
}

/// True if a text holds a folded one, whatever its case.
pub fn holds(text: &str, folded: &str) -> bool {
    text.contains(folded) || fold(text).contains(folded)
}

/// Where the words of a query stand in the content of these entries; entries without any are left out.
pub async fn highlights(db: &Database, query: &TextQuery, ids: &[MemoryId]) -> DbResult<Vec<Highlight>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    if let TextQuery::Literal(folded) = query {
        return literal_highlights(db, folded, ids).await;
    }
    let Some(expression) = expression::marks(query) else { return Ok(Vec::new()) };
    // The unary plus keeps the list away from the index: looking up every row of a list inside a match costs more
    // than running through the match once.
    let rows = sqlx::query(
        "SELECT m.id, highlight(memories_fts, 0, char(2), char(3)) AS marked, \
                octet_length(m.content) AS bytes \
         FROM memories_fts CROSS JOIN memories AS m ON m.seq = memories_fts.rowid \
         WHERE memories_fts MATCH ?1 AND +memories_fts.rowid IN \
               (SELECT e.seq FROM json_each(?2) AS j \
                CROSS JOIN memories AS e ON e.workspace_id = ?3 AND e.id = j.value)",
    )
    .bind(expression)
    .bind(rows::json_ids(ids))
    .bind(db.workspace_id().to_string())
    .fetch_all(db.reader())
    .await?;
    let mut highlights = Vec::with_capacity(rows.len());
    for row in &rows {
        let bytes = usize::try_from(row.try_get::<i64, _>("bytes")?).unwrap_or(0);
        if let Some(spans) = highlight::ranges(row.try_get("marked")?, bytes).filter(|s| !s.is_empty()) {
            highlights.push(Highlight { id: rows::id(row)?, spans });
        }
    }
    Ok(highlights)
}

async fn literal_highlights(db: &Database, folded: &str, ids: &[MemoryId]) -> DbResult<Vec<Highlight>> {
    let rows = sqlx::query(
        "SELECT m.id, m.content FROM json_each(?1) AS j \
         CROSS JOIN memories AS m ON m.workspace_id = ?2 AND m.id = j.value",
    )
    .bind(rows::json_ids(ids))
    .bind(db.workspace_id().to_string())
    .fetch_all(db.reader())
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
