//! Full-text search, the same for entries, messages and pages: a plan of the query, one pass over the index that scores the
//! matches and keeps the best of them, and the marks of the words in their texts.

use std::{fmt::Display, ops::Range, str::FromStr, sync::Arc};

use futures::{TryStreamExt as _, future::try_join};
use inklings_domain::{search::query::TextQuery, text::fold};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{
    expression,
    stats::{Frequencies, Plan, Source},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    functions::{
        highlight,
        matches::{Matches, RecentMatches},
        ticket::{Scored, TicketGuard},
    },
    memory::filter_sql::Sql,
    rows::{json_list, parsed},
};

/// The most rows that a search for symbols reads, newest first.
const MOST_READ: i64 = 50_000;

/// One full-text index with what its searches share.
#[derive(Debug)]
pub struct TextIndex {
    source: Source,
    pub(super) frequencies: Frequencies,
    recent: RecentMatches,
}

/// A condition on the row `m` of a match that the index itself cannot check.
#[derive(Clone, Copy)]
pub struct Condition<'c> {
    /// Joins of other tables with `m`.
    pub joins: &'static str,
    /// Appends the condition.
    pub push: &'c (dyn Fn(&mut Sql) + Sync),
}

impl TextIndex {
    /// The index of a kind of texts.
    pub fn of(source: Source) -> Self {
        Self { source, frequencies: Frequencies::of(source), recent: RecentMatches::default() }
    }

    /// The best `limit` matches, best first, ties newest first. `over` makes the expression of a query, `None` if
    /// nothing is in scope.
    pub async fn best(
        &self,
        db: &Database,
        query: &TextQuery,
        over: impl Fn(&TextQuery) -> Option<String>,
        limit: usize,
    ) -> DbResult<Vec<Scored>> {
        // Usually nothing has changed since the last search, so the search runs during the check for changes.
        if let Some(plan) = self.frequencies.remembered(query)
            && let Some(expression) = over(&plan.query)
        {
            let best = self.run(db, &expression, &plan.ticket, None, limit);
            let (tick, best) = try_join(self.frequencies.tick(db), best).await?;
            if tick == plan.tick && !(plan.leaves_out && best.is_empty()) {
                self.recent.put(expression, plan.tick, plan.ticket.matches());
                return Ok(best);
            }
        }
        let Some((plan, expression, best)) = self.planned_and_run(db, query, over, None, limit).await? else {
            return Ok(Vec::new());
        };
        self.recent.put(expression, plan.tick, plan.ticket.matches());
        Ok(best)
    }

    /// As [`Self::best`], of those matches whose rows meet a condition. It applies before the cut, so the row of
    /// every match is read.
    pub async fn best_that_meet(
        &self,
        db: &Database,
        query: &TextQuery,
        over: impl Fn(&TextQuery) -> Option<String>,
        condition: Condition<'_>,
        limit: usize,
    ) -> DbResult<Vec<Scored>> {
        let best = self.planned_and_run(db, query, over, Some(condition), limit).await?;
        Ok(best.map(|(_, _, best)| best).unwrap_or_default())
    }

    /// Everything that a query matches.
    pub async fn matches(
        &self,
        db: &Database,
        query: &TextQuery,
        over: impl Fn(&TextQuery) -> Option<String>,
    ) -> DbResult<Arc<Matches>> {
        let mut found = Arc::default();
        for keeps in [false, true] {
            let Some((plan, expression)) = self.planned(db, query, &over, keeps).await? else { break };
            found = if let Some(matches) = self.recent.get(&expression, plan.tick) {
                matches
            } else {
                self.run(db, &expression, &plan.ticket, None, 0).await?;
                self.recent.put(expression, plan.tick, plan.ticket.matches())
            };
            if !plan.leaves_out || !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// The best matches of a query without its common words, or with them if the others match nothing.
    async fn planned_and_run(
        &self,
        db: &Database,
        query: &TextQuery,
        over: impl Fn(&TextQuery) -> Option<String>,
        condition: Option<Condition<'_>>,
        limit: usize,
    ) -> DbResult<Option<(Plan, String, Vec<Scored>)>> {
        let mut found = None;
        for keeps in [false, true] {
            let Some((plan, expression)) = self.planned(db, query, &over, keeps).await? else { break };
            let best = self.run(db, &expression, &plan.ticket, condition, limit).await?;
            let is_done = !plan.leaves_out || !best.is_empty();
            found = Some((plan, expression, best));
            if is_done {
                break;
            }
        }
        Ok(found)
    }

    /// Plans a query, with its common words if it `keeps` them; `None` if nothing is in scope.
    async fn planned(
        &self,
        db: &Database,
        query: &TextQuery,
        over: impl Fn(&TextQuery) -> Option<String>,
        keeps: bool,
    ) -> DbResult<Option<(Plan, String)>> {
        if over(query).is_none() {
            return Ok(None);
        }
        let Some(plan) = self.frequencies.plan(db, query, keeps).await? else { return Ok(None) };
        Ok(over(&plan.query).map(|expression| (plan, expression)))
    }

    /// Scores the matches of an expression in one pass. The ticket has all of them afterwards.
    async fn run(
        &self,
        db: &Database,
        expression: &str,
        ticket: &TicketGuard,
        condition: Option<Condition<'_>>,
        limit: usize,
    ) -> DbResult<Vec<Scored>> {
        ticket.keep_best(limit);
        let Source { fts, rows, .. } = self.source;
        let mut sql = Sql::new("SELECT 1 FROM ");
        sql.push(fts);
        if let Some(Condition { joins, .. }) = &condition {
            sql.push(" CROSS JOIN ")
                .push(rows)
                .push(" AS m ON m.seq = ")
                .push(fts)
                .push(".rowid ")
                .push(joins);
        }
        sql.push(" WHERE ").push(fts).push(" MATCH ").push_bind(expression.to_owned()).push(" AND ");
        // The condition stands in a CASE: SQLite may check the terms of an AND in any order, and what does not meet it must
        // not be kept.
        if let Some(Condition { push, .. }) = &condition {
            sql.push("CASE WHEN ");
            push(&mut sql);
            sql.push(" THEN ");
        }
        sql.push("inklings_keep(").push(fts).push(", ").push_bind(ticket.number()).push(")");
        if condition.is_some() {
            sql.push(" END");
        }
        // Returns no row: `inklings_keep` is always 0 and collects the best in the ticket.
        sql.build().fetch_optional(&db.reader()).await?;
        Ok(ticket.best())
    }

    /// The match positions of a query in the texts of these rows. Rows without a match are left out.
    pub async fn marks<I: Display + FromStr>(
        &self,
        db: &Database,
        query: &TextQuery,
        ids: &[I],
    ) -> DbResult<Vec<(I, Vec<Range<usize>>)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        if let TextQuery::Literal(folded) = query {
            return self.literal_marks(db, folded, ids).await;
        }
        let query = &self.frequencies.spelled(db, query).await?;
        let Some(phrases) = expression::marks(query) else { return Ok(Vec::new()) };
        let Source { fts, rows, .. } = self.source;
        // Tokenizes each text again with the tokenizer of the index; any one row of the index gives access to it. Iterating over
        // all matches of the words to reach these few would take longer. The limit of -1 limits nothing; it keeps the function
        // out of the aggregate, where FTS5 cannot call it.
        let mut sql = Sql::new(
            "SELECT group_concat(id || ' ' || marks, ';') AS marked FROM (SELECT m.id, inklings_marks(",
        );
        sql.push(fts).push(", ").push_bind(phrases).push(", m.content) AS marks FROM ").push(fts);
        sql.push(" CROSS JOIN json_each(").push_bind(json_list(ids)).push(") AS j CROSS JOIN ").push(rows);
        sql.push(" AS m ON m.workspace_id = ").push_bind(db.workspace_id().to_string());
        sql.push(" AND m.id = j.value WHERE ").push(fts).push(".rowid = (SELECT max(seq) FROM ").push(rows);
        sql.push(") LIMIT -1)");
        let row = sql.build().fetch_one(&db.reader()).await?;
        let marked: Option<&str> = row.try_get("marked")?;
        marked.map_or(Ok(Vec::new()), |marked| marked.split(';').map(marks_of).collect())
    }

    async fn literal_marks<I: Display + FromStr>(
        &self,
        db: &Database,
        folded: &str,
        ids: &[I],
    ) -> DbResult<Vec<(I, Vec<Range<usize>>)>> {
        let mut sql = Sql::new("SELECT m.id, m.content FROM json_each(");
        sql.push_bind(json_list(ids)).push(") AS j CROSS JOIN ").push(self.source.rows);
        sql.push(" AS m ON m.workspace_id = ").push_bind(db.workspace_id().to_string());
        sql.push(" AND m.id = j.value");
        let mut marks = Vec::new();
        for row in &sql.build().fetch_all(&db.reader()).await? {
            let spans = highlight::literal(row.try_get("content")?, folded);
            if !spans.is_empty() {
                marks.push((parsed(row.try_get("id")?, "id")?, spans));
            }
        }
        Ok(marks)
    }
}

/// Parses an id followed by its ranges.
fn marks_of<I: FromStr>(text: &str) -> DbResult<(I, Vec<Range<usize>>)> {
    let (id, spans) = text.split_once(' ').ok_or(DbError::Row { column: "id" })?;
    let spans = highlight::spans(spans).ok_or(DbError::Row { column: "content" })?;
    Ok((parsed(id, "id")?, spans))
}

/// Reads rows in the order of a statement until `limit` of them hold a folded text. `hit` reads a row, `None` if it does not
/// hold it. All hits have the same score.
pub async fn holding<H>(
    db: &Database,
    mut sql: Sql,
    limit: usize,
    hit: impl Fn(&SqliteRow) -> DbResult<Option<H>>,
) -> DbResult<Vec<H>> {
    sql.push(" LIMIT ").push_bind(MOST_READ);
    let mut hits = Vec::new();
    let query = sql.build();
    let mut rows = query.fetch(&db.reader());
    while let Some(row) = rows.try_next().await? {
        hits.extend(hit(&row)?);
        if hits.len() >= limit {
            break;
        }
    }
    Ok(hits)
}

/// True if a text contains a folded text, regardless of case.
pub fn holds(text: &str, folded: &str) -> bool {
    text.contains(folded) || fold(text).contains(folded)
}
