//! Gives candidates what the list that found them does not tell: their text score, their cosine, and what was said around
//! them.

use std::collections::HashMap;

use chrono::DateTime;
use inklings_application::{
    search::store::{Asked, Completed},
    search::transcript_store::TranscriptFilter,
};
use inklings_domain::{
    ids::{MemoryId, MessageId},
    memory::{Importance, decay::DecayInputs, filter::MemoryFilter},
};
use sqlx::Row as _;

use super::{
    matches::Matches,
    row_cache::RowCache,
    text::by_seq,
    transcript::{COMPLETE, push_conversations},
    utterances::{NearestPassage, READ_AROUND, UtteranceRow, completed},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, push_filter},
    memory::rows::{json_list, parsed},
};

/// The beginning of a query that [`read`] reads. Behind it come the role, the group, the order, the time and the inputs to
/// decay.
const UTTERANCE_COLUMNS: &str = "SELECT json_group_array(json_array(m.seq, m.id, octet_length(m.content), \
    substr(rtrim(m.content, char(9, 10, 13, 32)), -1) IN ('?', '？', '؟'), m.speaker, m.said_at, t.wanted, ";

/// The inputs to decay of an entry: tier, importance, uses, last use, and whether it is exempt.
type DecayRow = (String, f64, u64, i64, i64);
/// Row number, id, bytes, whether it ends with a question mark, speaker, date, whether it is wanted, role, group, order, time, inputs to decay.
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

/// Completes entries.
pub async fn entries(
    db: &Database,
    known: &RowCache,
    asked: Asked<'_>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
    matches: &Matches,
    nearest: impl Fn(&[i64]) -> HashMap<i64, NearestPassage>,
) -> DbResult<Vec<Completed<MemoryId>>> {
    let by_seq = by_seq(db, ids).await?;
    let seqs: Vec<i64> = by_seq.keys().copied().collect();
    let rows = known.get(db, db.db_version().await?, &seqs).await?;
    let (mut utterances, mut alone) = (Vec::new(), Vec::new());
    for (seq, row) in seqs.iter().zip(rows) {
        match row {
            Some(row) if row.is_utterance => utterances.push(*seq),
            Some(row) => alone.push((*seq, row)),
            None => {}
        }
    }
    let cosines = nearest(&alone.iter().map(|(seq, _)| *seq).collect::<Vec<_>>());
    let mut all: Vec<Completed<MemoryId>> = alone
        .into_iter()
        .map(|(seq, row)| Completed {
            id: row.hit.id,
            text: matches.score(seq),
            meaning: cosines.get(&seq).map(|own| own.cosine),
            decay: Some(row.hit.decay),
            utterance: None,
        })
        .collect();
    if !utterances.is_empty() {
        let utterances = utterances_of_entries(db, filter, &utterances).await?;
        let nearest = nearest(&utterances.iter().map(|utterance| utterance.seq).collect::<Vec<_>>());
        all.extend(completed(&utterances, asked, matches, &nearest));
    }
    Ok(all)
}

/// Entries that are parts of a conversation, with those around them that the filter lets through. Their order is that in which they
/// were written.
async fn utterances_of_entries(
    db: &Database,
    filter: &MemoryFilter,
    seqs: &[i64],
) -> DbResult<Vec<UtteranceRow<MemoryId>>> {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("NULL, m.session || ' ' || m.scope || ' ' || coalesce(m.conversation_id, m.channel_id, ''), m.seq, NULL, ");
    sql.push(
        "json_array(m.scope, m.importance, m.access_count, m.accessed_at, m.pinned OR m.name IS NOT NULL)",
    );
    sql.push(")) AS utterances FROM (SELECT m.seq, max(w.seq = m.seq) AS wanted FROM json_each(");
    sql.push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN memories AS w ON w.seq = j.value CROSS JOIN memories AS m ON m.seq BETWEEN w.seq - ");
    sql.push(READ_AROUND).push(" AND w.seq + ").push(READ_AROUND);
    sql.push(" AND m.session = w.session AND m.scope = w.scope AND m.channel_id IS w.channel_id");
    sql.push(" AND m.conversation_id IS w.conversation_id WHERE ");
    push_filter(&mut sql, filter, db.workspace_id());
    sql.push(" GROUP BY m.seq) AS t CROSS JOIN memories AS m ON m.seq = t.seq");
    read(db, sql).await
}

/// Completes messages. All of them are parts of a conversation.
pub async fn messages(
    db: &Database,
    asked: Asked<'_>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
    matches: &Matches,
    nearest: impl Fn(&[i64]) -> HashMap<i64, NearestPassage>,
) -> DbResult<Vec<Completed<MessageId>>> {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push(
        "m.role, m.conversation_id || ' ' || coalesce(m.session, ''), m.position, m.at, NULL)) AS utterances ",
    );
    sql.push("FROM (SELECT m.seq, max(w.seq = m.seq) AS wanted FROM json_each(").push_bind(json_list(ids));
    sql.push(") AS j CROSS JOIN messages AS w ON w.workspace_id = ");
    sql.push_bind(db.workspace_id().to_string())
        .push(" AND w.id = j.value CROSS JOIN conversations AS c ON ");
    sql.push("c.workspace_id = w.workspace_id AND c.id = w.conversation_id AND ");
    push_conversations(&mut sql, filter);
    sql.push(" CROSS JOIN messages AS m ON m.workspace_id = w.workspace_id AND ");
    sql.push("m.conversation_id = w.conversation_id AND m.position BETWEEN w.position - ").push(READ_AROUND);
    sql.push(" AND w.position + ")
        .push(READ_AROUND)
        .push(" AND m.session IS w.session WHERE ")
        .push(COMPLETE);
    sql.push(" GROUP BY m.seq) AS t CROSS JOIN messages AS m ON m.seq = t.seq");
    let utterances: Vec<UtteranceRow<MessageId>> = read(db, sql).await?;
    let nearest = nearest(&utterances.iter().map(|utterance| utterance.seq).collect::<Vec<_>>());
    Ok(completed(&utterances, asked, matches, &nearest))
}

/// Reads all rows as one text, because sqlx copies each value of a row by itself (ADR 37).
async fn read<I: std::str::FromStr>(db: &Database, mut sql: Sql) -> DbResult<Vec<UtteranceRow<I>>> {
    let row = sql.build().fetch_one(&db.reader()).await?;
    let rows: Vec<UtteranceJson> = serde_json::from_str(row.try_get("utterances")?)
        .map_err(|_| DbError::Row { column: "utterances" })?;
    rows.into_iter().map(utterance_row).collect()
}

fn utterance_row<I: std::str::FromStr>(row: UtteranceJson) -> DbResult<UtteranceRow<I>> {
    let (seq, id, bytes, asks, speaker, date, wanted, role, group, order, at, decay) = row;
    Ok(UtteranceRow {
        seq,
        id: parsed(&id, "id")?,
        group,
        order,
        bytes,
        asks: asks != 0,
        role,
        speaker,
        date,
        at,
        decay: decay.map(decay_inputs).transpose()?,
        wanted: wanted != 0,
    })
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
