//! Gives candidates what the list that found them does not tell: their text score, their cosine, and what was said around
//! them.

use std::collections::HashSet;

use chrono::DateTime;
use inklings_application::{
    search::store::{Asked, Completed},
    search::transcript_store::TranscriptFilter,
};
use inklings_domain::{
    ids::{MemoryId, MessageId},
    memory::{
        Importance,
        decay::DecayInputs,
        filter::{MemoryFilter, ScopeFilter},
    },
};
use sqlx::Row as _;

use super::{
    matches::Matches,
    row_cache::RowCache,
    text::by_seq,
    transcript::{COMPLETE, narrows, push_conversations},
    utterance_cache::UtteranceCache,
    utterances::{Comparison, Neighbours, READ_AROUND, Said, UtteranceRow, completed},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, push_filter},
    memory::rows::{json_list, parsed},
};

/// The beginning of a query that [`read`] reads. Behind it come whether it is active, the role, the group, the order, the time and
/// the inputs to decay.
const UTTERANCE_COLUMNS: &str = "SELECT json_group_array(json_array(m.seq, m.id, octet_length(m.content), \
    substr(rtrim(m.content, char(9, 10, 13, 32)), -1) IN ('?', '？', '؟'), m.speaker, m.said_at, ";

/// The inputs to decay of an entry: tier, importance, uses, last use, and whether it is exempt.
type DecayRow = (String, f64, u64, i64, i64);
/// Row number, id, bytes, whether it ends with a question mark, speaker, date, whether it is active, role, group, order, time, inputs to decay.
type UtteranceJson = (
    i64,
    String,
    usize,
    i64,
    Option<String>,
    Option<String>,
    i64,
    Option<String>,
    String,
    i64,
    Option<i64>,
    Option<DecayRow>,
);

/// What was said around entries, as of a version of the database.
pub type EntryUtterances = UtteranceCache<MemoryId, DbVersion>;
/// What was said around messages, as of a tick of their clock.
pub type MessageUtterances = UtteranceCache<MessageId, i64>;

/// Completes entries.
pub async fn entries(
    db: &Database,
    (rows, utterances): (&RowCache, &EntryUtterances),
    asked: Asked<'_>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
    matches: &Matches,
    compare: impl Fn(&[Neighbours]) -> Vec<Option<Comparison>>,
) -> DbResult<Vec<Completed<MemoryId>>> {
    let by_seq = by_seq(db, ids).await?;
    let seqs: Vec<i64> = by_seq.keys().copied().collect();
    let version = db.db_version().await?;
    let rows = rows.get(db, version, &seqs).await?;
    let (mut parts, mut alone) = (Vec::new(), Vec::new());
    for (seq, row) in seqs.iter().zip(rows) {
        match row {
            Some(row) if row.is_utterance => parts.push(row.hit.id),
            Some(row) => alone.push((Neighbours { own: *seq, beside: [None, None] }, row)),
            None => {}
        }
    }
    let compared = compare(&alone.iter().map(|(text, _)| *text).collect::<Vec<_>>());
    let mut all: Vec<Completed<MemoryId>> = alone
        .into_iter()
        .zip(compared.into_iter().chain(std::iter::repeat(None)))
        .map(|((text, row), compared)| Completed {
            id: row.hit.id,
            text: matches.find(text.own).map(|found| matches.score(found)),
            meaning: compared.map(|own| own.nearest),
            decay: Some(row.hit.decay),
            utterance: None,
        })
        .collect();
    if !parts.is_empty() {
        let cached = utterances.at(version);
        let missing = cached.missing(&parts);
        if !missing.is_empty() {
            cached.keep(&missing, read(db, around_entries(db, &missing)).await?);
        }
        let said = let_through(db, filter, cached.around(&parts)).await?;
        all.extend(completed(&said, asked, matches, compare));
    }
    Ok(all)
}

/// Entries that are parts of a conversation, with those around them. Their order is that in which they were written.
pub(super) fn around_entries(db: &Database, ids: &[MemoryId]) -> Sql {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("m.forgotten_at IS NULL AND m.content <> '', NULL, ");
    sql.push(
        "m.session || ' ' || m.scope || ' ' || coalesce(m.conversation_id, m.channel_id, ''), m.seq, NULL, ",
    );
    sql.push(
        "json_array(m.scope, m.importance, m.access_count, m.accessed_at, m.pinned OR m.name IS NOT NULL)",
    );
    sql.push(")) AS utterances FROM (SELECT DISTINCT m.seq FROM json_each(").push_bind(json_list(ids));
    sql.push(") AS j CROSS JOIN memories AS w ON w.workspace_id = ");
    sql.push_bind(db.workspace_id().to_string());
    // Each neighbour is looked up by its number. For a range of numbers SQLite would choose an index over the other conditions,
    // and read all that they hold for with every candidate.
    sql.push(" AND w.id = j.value CROSS JOIN json_each(");
    let distances: serde_json::Value = (-(READ_AROUND as i64)..=READ_AROUND as i64).collect();
    sql.push_bind(distances.to_string());
    sql.push(") AS d CROSS JOIN memories AS m ON m.seq = w.seq + d.value");
    sql.push(" AND m.session = w.session AND m.scope = w.scope AND m.channel_id IS w.channel_id");
    sql.push(" AND m.conversation_id IS w.conversation_id) AS t CROSS JOIN memories AS m ON m.seq = t.seq");
    sql
}

/// Those of these entries that a filter lets through.
async fn let_through(
    db: &Database,
    filter: &MemoryFilter,
    mut said: Vec<Said<MemoryId>>,
) -> DbResult<Vec<Said<MemoryId>>> {
    if *filter == MemoryFilter::active(ScopeFilter::EVERYTHING) {
        said.retain(|text| text.row.is_active);
        return Ok(said);
    }
    let mut sql = Sql::new("SELECT json_group_array(m.seq) FROM json_each(");
    sql.push_bind(seqs_of(&said)).push(") AS j CROSS JOIN memories AS m ON m.seq = j.value WHERE ");
    push_filter(&mut sql, filter, db.workspace_id());
    retain(db, sql, said).await
}

/// Completes messages. All of them are parts of a conversation.
pub async fn messages(
    db: &Database,
    utterances: &MessageUtterances,
    asked: Asked<'_>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
    matches: &Matches,
    compare: impl Fn(&[Neighbours]) -> Vec<Option<Comparison>>,
) -> DbResult<Vec<Completed<MessageId>>> {
    let tick = sqlx::query_scalar("SELECT tick FROM message_clock").fetch_one(&db.reader()).await?;
    let cached = utterances.at(tick);
    let missing = cached.missing(ids);
    if !missing.is_empty() {
        cached.keep(&missing, read(db, around_messages(db, &missing)).await?);
    }
    let mut said = cached.around(ids);
    if narrows(db, filter).await? {
        let mut sql = Sql::new("SELECT json_group_array(m.seq) FROM json_each(");
        sql.push_bind(seqs_of(&said)).push(") AS j CROSS JOIN messages AS m ON m.seq = j.value ");
        sql.push("CROSS JOIN conversations AS c ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id WHERE ");
        push_conversations(&mut sql, filter);
        said = retain(db, sql, said).await?;
    }
    Ok(completed(&said, asked, matches, compare))
}

/// Messages with those around them in their session.
pub(super) fn around_messages(db: &Database, ids: &[MessageId]) -> Sql {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("TRUE, m.role, m.conversation_id || ' ' || coalesce(m.session, ''), m.position, m.at, NULL)) AS utterances ");
    sql.push("FROM (SELECT DISTINCT m.seq FROM json_each(").push_bind(json_list(ids));
    sql.push(") AS j CROSS JOIN messages AS w ON w.workspace_id = ").push_bind(db.workspace_id().to_string());
    sql.push(" AND w.id = j.value CROSS JOIN messages AS m ON m.workspace_id = w.workspace_id AND ");
    sql.push("m.conversation_id = w.conversation_id AND m.position BETWEEN w.position - ").push(READ_AROUND);
    sql.push(" AND w.position + ")
        .push(READ_AROUND)
        .push(" AND m.session IS w.session WHERE ")
        .push(COMPLETE);
    sql.push(") AS t CROSS JOIN messages AS m ON m.seq = t.seq");
    sql
}

fn seqs_of<I>(said: &[Said<I>]) -> String {
    said.iter().map(|text| text.row.seq).collect::<serde_json::Value>().to_string()
}

/// Keeps the texts whose row numbers a query returns as one list.
async fn retain<I>(db: &Database, mut sql: Sql, mut said: Vec<Said<I>>) -> DbResult<Vec<Said<I>>> {
    let seqs: String = sql.build_query_scalar().fetch_one(&db.reader()).await?;
    let seqs: HashSet<i64> = serde_json::from_str(&seqs).map_err(|_| DbError::Row { column: "seq" })?;
    said.retain(|text| seqs.contains(&text.row.seq));
    Ok(said)
}

/// Reads all rows as one text, because sqlx copies each value of a row by itself (ADR 37).
async fn read<I: std::str::FromStr>(db: &Database, mut sql: Sql) -> DbResult<Vec<(String, UtteranceRow<I>)>> {
    let row = sql.build().fetch_one(&db.reader()).await?;
    let rows: Vec<UtteranceJson> = serde_json::from_str(row.try_get("utterances")?)
        .map_err(|_| DbError::Row { column: "utterances" })?;
    rows.into_iter().map(utterance_row).collect()
}

/// A text with the name of its group.
fn utterance_row<I: std::str::FromStr>(row: UtteranceJson) -> DbResult<(String, UtteranceRow<I>)> {
    let (seq, id, bytes, asks, speaker, date, active, role, group, order, at, decay) = row;
    let row = UtteranceRow {
        seq,
        id: parsed(&id, "id")?,
        is_active: active != 0,
        order,
        bytes,
        asks: asks != 0,
        role,
        speaker,
        date,
        at,
        decay: decay.map(decay_inputs).transpose()?,
    };
    Ok((group, row))
}

fn decay_inputs((scope, importance, access_count, accessed_at, exempt): DecayRow) -> DbResult<DecayInputs> {
    Ok(DecayInputs {
        scope: parsed(&scope, "scope")?,
        importance: Importance::new(importance).map_err(|_| DbError::Row { column: "importance" })?,
        access_count,
        accessed_at: DateTime::from_timestamp_micros(accessed_at)
            .ok_or(DbError::Row { column: "accessed_at" })?,
        exempt: exempt != 0,
    })
}
