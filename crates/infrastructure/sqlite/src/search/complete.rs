//! Gives candidates what the list that found them does not tell: their text score, their cosine, how their words compare, and
//! what was said around them.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    str::FromStr,
};

use inklings_domain::{
    ids::{MemoryId, MessageId},
    memory::filter::MemoryFilter,
    scope::{MemoryScope, Place},
    search::ranking::{CandidateValues, WordComparison},
};
use inklings_ports::search::{
    store::{Asked, Completed},
    transcript_store::TranscriptFilter,
};
use serde::Deserialize;
use sqlx::Row as _;

use super::{
    row_cache::{CachedRow, RowCache},
    text::by_seq,
    transcript::{COMPLETE, narrows, push_conversations},
    utterance_cache::{Around, Changed, State, UtteranceCache},
    utterances::{Comparison, Neighbours, PlacedUtterance, READ_AROUND, UtteranceRow, candidates, completed},
    word_codes::{self, AskedWords},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
    functions::matches::Matches,
    memory::filter_sql::{Sql, push_filter},
    rows::{json_list, parsed},
};

/// The beginning of a query that [`read`] reads. Behind it come whether it is active, the role, the group, the order, the
/// time, and the tier, channel and conversation of an entry.
const UTTERANCE_COLUMNS: &str = "SELECT json_group_array(json_array(m.seq, m.id, octet_length(m.content), \
    substr(rtrim(m.content, char(9, 10, 13, 32)), -1) IN ('?', '？', '؟'), m.speaker, m.said_at, ";

/// A row of a query that begins with [`UTTERANCE_COLUMNS`], read from an array of its columns.
#[derive(Deserialize)]
struct UtteranceJson<'r> {
    seq: i64,
    id: &'r str,
    bytes: usize,
    asks: u8,
    speaker: Option<String>,
    date: Option<String>,
    is_active: u8,
    role: Option<String>,
    group: String,
    order: i64,
    at: Option<i64>,
    scope: Option<&'r str>,
    channel: Option<&'r str>,
    conversation: Option<&'r str>,
}

/// An SQL expression over the alias `m` that names the conversation and session of an entry; NULL if it is no part of one.
const GROUP: &str = "m.session || ' ' || m.scope || ' ' || coalesce(m.conversation_id, m.channel_id, '')";
/// The most changed entries that are dropped from the cache one by one; beyond this many, all are.
const MOST_CHANGES: usize = 1_000;
/// How often a search reads anew because of changes meanwhile.
const ATTEMPTS: usize = 3;

/// Completes entries.
pub async fn entries(
    db: &Database,
    (row_cache, utterances): (&RowCache, &UtteranceCache<MemoryId>),
    asked: Asked<'_>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
    matches: &Matches,
    compare: impl Fn(&[Neighbours]) -> Vec<Option<Comparison>>,
) -> DbResult<Vec<Completed<MemoryId>>> {
    let version = db.db_version().await?;
    let Split { parts, alone } = split(db, row_cache, version, ids).await?;
    let texts: Vec<Neighbours> =
        alone.iter().map(|(seq, _)| Neighbours { own: *seq, adjacent: [None, None] }).collect();
    let compared = compare(&texts);
    let dates = if asked.named.names_time() { dates_of(db, &texts).await? } else { HashMap::new() };
    let mut all: Vec<Completed<MemoryId>> = alone
        .into_iter()
        .zip(compared.into_iter().chain(std::iter::repeat(None)))
        .map(|((seq, row), compared)| Completed {
            id: row.hit.id,
            decay: Some(row.hit.decay),
            values: CandidateValues {
                text: matches.find(seq).map(|found| matches.score(found)),
                meaning: compared.map(|own| own.nearest),
                date: dates.get(&seq).and_then(|date| asked.named.share_of_date(date)),
                days: match dates.get(&seq) {
                    Some(date) => asked.named.fit_of_date(date),
                    None => asked.named.fit_of_time(row.created_at),
                },
                ..CandidateValues::default()
            },
        })
        .collect();
    if !parts.is_empty() {
        let utterances = shown_around(db, utterances, version, filter, &parts).await?;
        let candidates = candidates(&utterances);
        let seqs: Vec<i64> = candidates.iter().map(|at| utterances[*at].row.seq).collect();
        let rows = row_cache.get(db, version, &seqs).await?.into_iter();
        let decay = rows.map(|row| Some(row?.hit.decay));
        all.extend(completed(&utterances, &candidates, asked, matches, compare, decay));
    }
    Ok(all)
}

/// The dates of those of these entries that came with one, in the form of their source.
async fn dates_of(db: &Database, texts: &[Neighbours]) -> DbResult<HashMap<i64, String>> {
    let seqs = texts.iter().map(|text| text.own).collect::<serde_json::Value>().to_string();
    let mut sql = Sql::new("SELECT m.seq, m.said_at FROM json_each(");
    sql.push_bind(seqs).push(") AS j CROSS JOIN memories AS m ON m.seq = j.value AND m.said_at IS NOT NULL");
    let rows = sql.build().fetch_all(&db.reader()).await?;
    rows.iter().map(|row| Ok((row.try_get("seq")?, row.try_get("said_at")?))).collect()
}

/// Compares the words of entries with those of a query.
pub async fn words_of_entries(
    db: &Database,
    (row_cache, utterances): (&RowCache, &UtteranceCache<MemoryId>),
    asked: AskedWords<'_>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
) -> DbResult<Vec<(MemoryId, WordComparison)>> {
    let version = db.db_version().await?;
    let Split { parts, alone } = split(db, row_cache, version, ids).await?;
    let by_seq: HashMap<i64, MemoryId> = alone.iter().map(|(seq, row)| (*seq, row.hit.id)).collect();
    let seqs: Vec<i64> = by_seq.keys().copied().collect();
    let compared = word_codes::alone(db, word_codes::MEMORIES, asked, &seqs).await?;
    let mut all: Vec<(MemoryId, WordComparison)> =
        compared.into_iter().filter_map(|(seq, compared)| Some((*by_seq.get(&seq)?, compared))).collect();
    if !parts.is_empty() {
        let utterances = shown_around(db, utterances, version, filter, &parts).await?;
        all.extend(word_codes::utterances(db, word_codes::MEMORIES, asked, &utterances).await?);
    }
    Ok(all)
}

/// Entries by whether they are a part of a conversation.
struct Split {
    /// Row numbers of those that are.
    parts: HashMap<MemoryId, i64>,
    /// Those that stand by themselves, with their row numbers.
    alone: Vec<(i64, CachedRow)>,
}

async fn split(db: &Database, row_cache: &RowCache, version: DbVersion, ids: &[MemoryId]) -> DbResult<Split> {
    let seqs: Vec<i64> = by_seq(db, ids).await?.keys().copied().collect();
    let rows = row_cache.get(db, version, &seqs).await?;
    let (mut parts, mut alone) = (HashMap::new(), Vec::new());
    for (seq, row) in seqs.iter().zip(rows) {
        match row {
            Some(row) if row.is_utterance => drop(parts.insert(row.hit.id, *seq)),
            Some(row) => alone.push((*seq, row)),
            None => {}
        }
    }
    Ok(Split { parts, alone })
}

/// Entries and those around them that the filter lets through.
async fn shown_around(
    db: &Database,
    cache: &UtteranceCache<MemoryId>,
    version: DbVersion,
    filter: &MemoryFilter,
    parts: &HashMap<MemoryId, i64>,
) -> DbResult<Vec<PlacedUtterance<MemoryId>>> {
    let state = State { tick: version.tick, epoch: version.epoch };
    let utterances = entries_around(db, cache, state, parts).await?;
    let_through(db, filter, utterances).await
}

/// Entries and those around them, from the cache where it has them. `parts` has ids and row numbers.
async fn entries_around(
    db: &Database,
    cache: &UtteranceCache<MemoryId>,
    state: State,
    parts: &HashMap<MemoryId, i64>,
) -> DbResult<Vec<PlacedUtterance<MemoryId>>> {
    let from = cache.state();
    let state = newer(from, state);
    if from != Some(state) {
        let changed = match from {
            Some(from) => changed_entries(db, from.tick).await?,
            None => None,
        };
        cache.catch_up(from, state, changed);
    }
    let ids: Vec<MemoryId> = parts.keys().copied().collect();
    around(db, cache, state, &ids, |missing| {
        let seqs: Vec<i64> = missing.iter().filter_map(|id| parts.get(id).copied()).collect();
        around_entries(&seqs)
    })
    .await
}

/// Texts and those around them, from the cache or else from the rows that a query returns for the missing ones.
async fn around<I: Copy + Eq + Hash + FromStr>(
    db: &Database,
    cache: &UtteranceCache<I>,
    state: State,
    ids: &[I],
    query: impl Fn(&[I]) -> Sql,
) -> DbResult<Vec<PlacedUtterance<I>>> {
    for _ in 0..ATTEMPTS {
        let state = newer(cache.state(), state);
        match cache.around(ids) {
            Around::All(utterances) => return Ok(utterances),
            Around::Missing(missing) => {
                let sql = query(&missing);
                cache.keep(state, &missing, read(db, sql).await?);
            }
        }
    }
    Ok(cache.known_around(ids))
}

/// The newer of two states. Another search may have seen a newer one than this.
fn newer(cached: Option<State>, own: State) -> State {
    cached.filter(|cached| (cached.epoch, cached.tick) > (own.epoch, own.tick)).unwrap_or(own)
}

/// The entries that changed after a tick; `None` for too many. A row tells its latest change alone, so those behind the tick that a
/// search knows count too: one that changed twice would be missing otherwise.
async fn changed_entries(db: &Database, after: i64) -> DbResult<Option<Vec<Changed<MemoryId>>>> {
    let mut sql = Sql::new("SELECT json_group_array(json_array(id, place, seq)) FROM (SELECT m.id, ");
    sql.push(GROUP).push(" AS place, m.seq FROM memories AS m WHERE m.change_seq > ").push_bind(after);
    sql.push(" LIMIT ").push(MOST_CHANGES + 1).push(")");
    let rows: String = sql.build_query_scalar().fetch_one(&db.reader()).await?;
    let rows: Vec<(String, Option<String>, i64)> =
        serde_json::from_str(&rows).map_err(|_| DbError::Row { column: "changed" })?;
    if rows.len() > MOST_CHANGES {
        return Ok(None);
    }
    let changed = |(id, group, order): (String, Option<String>, i64)| {
        Ok(Changed { id: parsed(&id, "id")?, group, order })
    };
    rows.into_iter().map(changed).collect::<DbResult<Vec<_>>>().map(Some)
}

/// The entries with these row numbers and those around them, as far as they are parts of conversations. Their order is that in
/// which they were written.
pub(super) fn around_entries(seqs: &[i64]) -> Sql {
    let near = READ_AROUND as i64;
    let mut around: Vec<i64> = seqs.iter().flat_map(|seq| seq - near..=seq + near).collect();
    around.sort_unstable();
    around.dedup();
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("m.forgotten_at IS NULL, NULL, ").push(GROUP);
    sql.push(", m.seq, NULL, m.scope, m.channel_id, m.conversation_id)) AS utterances FROM json_each(")
        .push_bind(serde_json::Value::from(around).to_string());
    sql.push(") AS j CROSS JOIN memories AS m ON m.seq = j.value AND m.session IS NOT NULL");
    sql
}

/// Those of these entries that a filter lets through. Its conditions on facets and its lens are looked up.
async fn let_through(
    db: &Database,
    filter: &MemoryFilter,
    mut utterances: Vec<PlacedUtterance<MemoryId>>,
) -> DbResult<Vec<PlacedUtterance<MemoryId>>> {
    let activity = filter.activity();
    utterances.retain(|text| {
        let row = &text.row;
        row.bytes > 0
            && activity.lets_through(row.is_active)
            && row.place.is_some_and(|place| filter.scope_filter.holds(place))
    });
    if utterances.is_empty() || !filter.is_conditional() {
        return Ok(utterances);
    }
    let mut sql = Sql::new("SELECT json_group_array(m.seq) FROM json_each(");
    sql.push_bind(seqs_of(&utterances)).push(") AS j CROSS JOIN memories AS m ON m.seq = j.value WHERE ");
    push_filter(&mut sql, filter, db.workspace_id());
    retain(db, sql, utterances).await
}

/// Completes messages. All of them are parts of a conversation.
pub async fn messages(
    db: &Database,
    utterances: &UtteranceCache<MessageId>,
    asked: Asked<'_>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
    matches: &Matches,
    compare: impl Fn(&[Neighbours]) -> Vec<Option<Comparison>>,
) -> DbResult<Vec<Completed<MessageId>>> {
    let utterances = messages_shown_around(db, utterances, filter, ids).await?;
    Ok(completed(&utterances, &candidates(&utterances), asked, matches, compare, std::iter::repeat(None)))
}

/// Compares the words of messages with those of a query.
pub async fn words_of_messages(
    db: &Database,
    utterances: &UtteranceCache<MessageId>,
    asked: AskedWords<'_>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
) -> DbResult<Vec<(MessageId, WordComparison)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let utterances = messages_shown_around(db, utterances, filter, ids).await?;
    word_codes::utterances(db, word_codes::MESSAGES, asked, &utterances).await
}

/// Messages and those around them that the filter lets through.
async fn messages_shown_around(
    db: &Database,
    cache: &UtteranceCache<MessageId>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
) -> DbResult<Vec<PlacedUtterance<MessageId>>> {
    let mut utterances = messages_around(db, cache, ids).await?;
    if narrows(db, filter).await? {
        let mut sql = Sql::new("SELECT json_group_array(m.seq) FROM json_each(");
        sql.push_bind(seqs_of(&utterances)).push(") AS j CROSS JOIN messages AS m ON m.seq = j.value ");
        sql.push("CROSS JOIN conversations AS c ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id WHERE ");
        push_conversations(&mut sql, filter);
        utterances = retain(db, sql, utterances).await?;
    }
    Ok(utterances)
}

/// Messages and those around them, from the cache where it has them. A message that is deleted leaves no trace but the tick of the
/// clock, so that every change empties the cache.
async fn messages_around(
    db: &Database,
    cache: &UtteranceCache<MessageId>,
    ids: &[MessageId],
) -> DbResult<Vec<PlacedUtterance<MessageId>>> {
    let tick = sqlx::query_scalar("SELECT tick FROM message_clock").fetch_one(&db.reader()).await?;
    let from = cache.state();
    let state = newer(from, State { tick, epoch: 0 });
    if from != Some(state) {
        cache.catch_up(from, state, None);
    }
    around(db, cache, state, ids, |missing| around_messages(db, missing)).await
}

/// Messages with those around them in their session.
pub(super) fn around_messages(db: &Database, ids: &[MessageId]) -> Sql {
    let mut sql = Sql::new(UTTERANCE_COLUMNS);
    sql.push("TRUE, m.role, m.conversation_id || ' ' || coalesce(m.session, ''), m.position, m.at, NULL, NULL, NULL)) AS utterances ");
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

fn seqs_of<I>(utterances: &[PlacedUtterance<I>]) -> String {
    utterances.iter().map(|text| text.row.seq).collect::<serde_json::Value>().to_string()
}

/// Keeps the texts whose row numbers a query returns as one list.
async fn retain<I>(
    db: &Database,
    mut sql: Sql,
    mut utterances: Vec<PlacedUtterance<I>>,
) -> DbResult<Vec<PlacedUtterance<I>>> {
    let seqs: String = sql.build_query_scalar().fetch_one(&db.reader()).await?;
    let seqs: HashSet<i64> = serde_json::from_str(&seqs).map_err(|_| DbError::Row { column: "seq" })?;
    utterances.retain(|text| seqs.contains(&text.row.seq));
    Ok(utterances)
}

/// Reads all rows as one text, because sqlx copies each value of a row by itself (ADR 37).
async fn read<I: FromStr>(db: &Database, mut sql: Sql) -> DbResult<Vec<(String, UtteranceRow<I>)>> {
    let row = sql.build().fetch_one(&db.reader()).await?;
    let rows: Vec<UtteranceJson<'_>> = serde_json::from_str(row.try_get("utterances")?)
        .map_err(|_| DbError::Row { column: "utterances" })?;
    rows.into_iter().map(utterance_row).collect()
}

/// A text with the name of its group.
fn utterance_row<I: FromStr>(row: UtteranceJson<'_>) -> DbResult<(String, UtteranceRow<I>)> {
    let place = row.place()?;
    let text = UtteranceRow {
        seq: row.seq,
        id: parsed(row.id, "id")?,
        place,
        is_active: row.is_active != 0,
        order: row.order,
        bytes: row.bytes,
        asks: row.asks != 0,
        role: row.role,
        speaker: row.speaker,
        date: row.date,
        at: row.at,
    };
    Ok((row.group, text))
}

impl UtteranceJson<'_> {
    fn place(&self) -> DbResult<Option<Place>> {
        let channel = || parsed(self.channel.unwrap_or_default(), "channel_id");
        Ok(match self.scope.map(|scope| parsed(scope, "scope")).transpose()? {
            None => None,
            Some(MemoryScope::Account) => Some(Place::Account),
            Some(MemoryScope::Workspace) => Some(Place::Workspace),
            Some(MemoryScope::Channel) => Some(Place::Channel(channel()?)),
            Some(MemoryScope::Conversation) => {
                let conversation = parsed(self.conversation.unwrap_or_default(), "conversation_id")?;
                Some(Place::Conversation(channel()?, conversation))
            }
        })
    }
}
