//! Gives candidates what the list that found them does not tell: their text score, their cosine, and what was said around
//! them.

use std::collections::{HashMap, HashSet};

use inklings_application::{
    search::store::{Asked, Completed},
    search::transcript_store::TranscriptFilter,
};
use inklings_domain::{
    ids::{MemoryId, MessageId},
    memory::{
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
    utterances::{Comparison, Neighbours, READ_AROUND, Said, UtteranceRow, candidates, completed},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, push_filter},
    memory::rows::{json_list, parsed},
};

/// The beginning of a query that [`read`] reads. Behind it come whether it is active, the role, the group, the order and the
/// time.
const UTTERANCE_COLUMNS: &str = "SELECT json_group_array(json_array(m.seq, m.id, octet_length(m.content), \
    substr(rtrim(m.content, char(9, 10, 13, 32)), -1) IN ('?', '？', '؟'), m.speaker, m.said_at, ";

/// Row number, id, bytes, whether it ends with a question mark, speaker, date, whether it is active, role, group, order, time.
type UtteranceJson =
    (i64, String, usize, i64, Option<String>, Option<String>, i64, Option<String>, String, i64, Option<i64>);

/// What was said around entries, as of a tick and an epoch of the database. A recorded use changes neither.
pub type EntryUtterances = UtteranceCache<MemoryId, (i64, i64)>;
/// What was said around messages, as of a tick of their clock.
pub type MessageUtterances = UtteranceCache<MessageId, i64>;

/// Completes entries.
pub async fn entries(
    db: &Database,
    (row_cache, utterances): (&RowCache, &EntryUtterances),
    asked: Asked<'_>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
    matches: &Matches,
    compare: impl Fn(&[Neighbours]) -> Vec<Option<Comparison>>,
) -> DbResult<Vec<Completed<MemoryId>>> {
    let by_seq = by_seq(db, ids).await?;
    let seqs: Vec<i64> = by_seq.keys().copied().collect();
    let version = db.db_version().await?;
    let rows = row_cache.get(db, version, &seqs).await?;
    let (mut parts, mut alone) = (Vec::new(), Vec::new());
    for (seq, row) in seqs.iter().zip(rows) {
        match row {
            Some(row) if row.is_utterance => parts.push((row.hit.id, *seq)),
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
        let cached = utterances.at((version.tick, version.epoch));
        let ids: Vec<MemoryId> = parts.iter().map(|(id, _)| *id).collect();
        let missing = cached.missing(&ids);
        if !missing.is_empty() {
            let unread: HashSet<&MemoryId> = missing.iter().collect();
            let seqs: Vec<i64> =
                parts.iter().filter(|(id, _)| unread.contains(id)).map(|(_, seq)| *seq).collect();
            cached.keep(&missing, read(db, around_entries(&seqs)).await?);
        }
        let said = let_through(db, filter, cached.around(&ids)).await?;
        let candidates = candidates(&said);
        let seqs: Vec<i64> = candidates.iter().map(|at| said[*at].row.seq).collect();
        let rows = row_cache.get(db, version, &seqs).await?.into_iter();
        let decay: HashMap<i64, DecayInputs> =
            seqs.iter().zip(rows).filter_map(|(seq, row)| Some((*seq, row?.hit.decay))).collect();
        let decay = |seq: i64| decay.get(&seq).copied();
        all.extend(completed(&said, &candidates, asked, matches, compare, decay));
    }
    Ok(all)
}

/// The entries with these row numbers and those around them, as far as they are parts of conversations. Their order is that in
/// which they were written.
pub(super) fn around_entries(seqs: &[i64]) -> Sql {
    let near = READ_AROUND as i64;
    let mut around: Vec<i64> = seqs.iter().flat_map(|seq| seq - near..=seq + near).collect();
    around.sort_unstable();
    around.dedup();
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("m.forgotten_at IS NULL AND m.content <> '', NULL, ");
    sql.push(
        "m.session || ' ' || m.scope || ' ' || coalesce(m.conversation_id, m.channel_id, ''), m.seq, NULL",
    );
    sql.push(")) AS utterances FROM json_each(").push_bind(serde_json::Value::from(around).to_string());
    sql.push(") AS j CROSS JOIN memories AS m ON m.seq = j.value AND m.session IS NOT NULL");
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
    Ok(completed(&said, &candidates(&said), asked, matches, compare, |_| None))
}

/// Messages with those around them in their session.
pub(super) fn around_messages(db: &Database, ids: &[MessageId]) -> Sql {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("TRUE, m.role, m.conversation_id || ' ' || coalesce(m.session, ''), m.position, m.at)) AS utterances ");
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
    let (seq, id, bytes, asks, speaker, date, active, role, group, order, at) = row;
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
    };
    Ok((group, row))
}
