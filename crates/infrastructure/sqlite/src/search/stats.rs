//! How common the words of a query are, and how long the entries: what ranking needs to know of a database, kept
//! in memory and forgotten with every change, so that the same query on the same data gives the same answer in
//! every process, whatever was searched before.
//!
//! A word that stands in more than a fifth of the entries tells them apart badly, and scoring every one of them
//! costs most of the time of a search. It is left out while rarer words remain.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU16, atomic::Ordering},
};

use inklings_domain::search::query::{Clause, TextQuery};
use sqlx::Row;

use super::{
    expression,
    scoring::{Lengths, TicketGuard},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
};

/// Below this many entries every word is looked for: there is no time to be won.
const MIN_ENTRIES: i64 = 2_000;
/// The share of the entries above which a word is common, as a divisor.
const COMMON: i64 = 5;
/// Words remembered before the memory is cleared.
const MOST_WORDS: usize = 20_000;
/// Changed entries whose length is asked for anew; beyond this many all are.
const MOST_CHANGES: usize = 20_000;

/// Which full-text index is meant, and how its rows change.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// True if the database's pulse tells about it.
    db_version: bool,
    /// Gives the tick of the rows' clock and the newest row's number.
    clock: &'static str,
    /// As `clock`, with what `counts` gives.
    clock_and_counts: &'static str,
    /// Gives the numbers of rows changed after tick `?1` and up to `?2`, at most `?3`, as one list: row by row, the
    /// reader would be woken for each.
    changed: &'static str,
    /// Gives in how many rows each phrase of `?1` stands, counted up to `?2`.
    counts: &'static str,
}

macro_rules! source {
    ($table:literal, $fts:literal, $clock:literal, $db_version:literal) => {
        Source {
            db_version: $db_version,
            clock: concat!(
                "SELECT tick, (SELECT coalesce(max(seq), 0) FROM ",
                $table,
                ") AS newest, NULL AS counts FROM ",
                $clock
            ),
            clock_and_counts: concat!(
                "SELECT tick, (SELECT coalesce(max(seq), 0) FROM ",
                $table,
                ") AS newest, (SELECT inklings_counts(",
                $fts,
                ", ?2) FROM ",
                $fts,
                " WHERE ",
                $fts,
                " MATCH ?1 LIMIT 1) AS counts FROM ",
                $clock
            ),
            changed: concat!(
                "SELECT json_group_array(seq) AS changed FROM (SELECT seq FROM ",
                $table,
                " WHERE change_seq > ?1 AND change_seq <= ?2 LIMIT ?3)"
            ),
            counts: concat!(
                "SELECT inklings_counts(",
                $fts,
                ", ?2) FROM ",
                $fts,
                " WHERE ",
                $fts,
                " MATCH ?1 LIMIT 1"
            ),
        }
    };
}

/// Entries of memory.
pub const ENTRIES: Source = source!("memories", "memories_fts", "change_clock", true);

/// Messages.
pub const MESSAGES: Source = source!("messages", "messages_fts", "message_clock", false);

/// What is known of an index as it was at one tick of its clock.
#[derive(Debug)]
pub struct Frequencies {
    source: Source,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tick: i64,
    /// The newest entry's number.
    newest: i64,
    counts: HashMap<String, Count>,
    lengths: Lengths,
}

/// In how many entries a phrase stands; at least, if counting stopped early.
#[derive(Debug, Clone, Copy)]
struct Count {
    count: i64,
    exact: bool,
}

impl Count {
    /// True if it says what counting up to `most` would.
    const fn answers(self, most: i64) -> bool {
        self.exact || self.count >= most
    }
}

impl Known {
    /// The counts of these phrases up to `most`, if all of them are known.
    fn counts_of(&self, phrases: &[String], most: i64) -> Option<Vec<i64>> {
        let count =
            |phrase| self.counts.get(phrase).filter(|count| count.answers(most)).map(|count| count.count);
        phrases.iter().map(count).collect()
    }

    /// Keeps counts up to `most`.
    fn remember(&mut self, counts: impl Iterator<Item = (String, i64)>, most: i64) {
        if self.counts.len() > MOST_WORDS {
            self.counts.clear();
        }
        self.counts.extend(counts.map(|(phrase, count)| (phrase, Count { count, exact: count < most })));
    }
}

/// The phrases whose counts up to `most` are not known, each once.
fn unknown(known: &Known, phrases: &[String], most: i64) -> Vec<String> {
    let answered = |phrase: &&String| known.counts.get(*phrase).is_some_and(|count| count.answers(most));
    let mut unknown: Vec<String> = phrases.iter().filter(|phrase| !answered(phrase)).cloned().collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}

/// A query ready to be run.
#[derive(Debug)]
pub struct Plan {
    /// The query without its common words.
    pub query: TextQuery,
    /// Lengths and counts for the score.
    pub ticket: TicketGuard,
}

impl Frequencies {
    /// Nothing is known of this index yet.
    pub fn of(source: Source) -> Self {
        Self { source, known: Mutex::default() }
    }

    /// Leaves out common words, and brings what the score needs. `None` if there is no entry at all.
    pub async fn plan(&self, db: &Database, query: &TextQuery) -> DbResult<Option<Plan>> {
        let words = droppable(query);
        let (newest, lengths) = self.catch_up(db, &words).await?;
        if newest == 0 {
            return Ok(None);
        }
        if words.is_empty() || newest < MIN_ENTRIES {
            return self.priced(db, query.clone(), lengths).await.map(Some);
        }
        let counts = self.counts(db, &words, newest / COMMON + 1).await?;
        let rest = without_common(query, newest, &words.into_iter().zip(counts).collect());
        self.priced(db, rest, lengths).await.map(Some)
    }

    /// The plan as of the last look at the database, with the tick of that, where all that it takes is known. Nothing is
    /// asked, so the query can be run while somebody looks whether anything has changed since.
    pub fn remembered(&self, query: &TextQuery) -> Option<(i64, Plan)> {
        let known = self.lock();
        if known.newest == 0 {
            return None;
        }
        let words = droppable(query);
        let query = if words.is_empty() || known.newest < MIN_ENTRIES {
            query.clone()
        } else {
            let counts = known.counts_of(&words, known.newest / COMMON + 1)?;
            without_common(query, known.newest, &words.into_iter().zip(counts).collect())
        };
        let counts = known.counts_of(&expression::phrases(&query), i64::MAX)?;
        let ticket = TicketGuard::new(Arc::clone(&known.lengths), counts);
        Some((known.tick, Plan { query, ticket }))
    }

    async fn priced(&self, db: &Database, query: TextQuery, lengths: Lengths) -> DbResult<Plan> {
        let counts = self.counts(db, &expression::phrases(&query), i64::MAX).await?;
        Ok(Plan { query, ticket: TicketGuard::new(lengths, counts) })
    }

    /// Forgets what changed since the last time. Gives the newest entry's number and the lengths. How common the
    /// words are that are not known yet is asked in the same breath.
    async fn catch_up(&self, db: &Database, words: &[String]) -> DbResult<(i64, Lengths)> {
        // An empty database of entries is known from a look that others have taken already.
        if self.source.db_version && self.lock().newest == 0 && db.db_version().await?.newest == 0 {
            return Ok((0, Lengths::default()));
        }
        let (unknown, most) = {
            let known = self.lock();
            // What is common follows from the newest entry as of the last time; should there be so many new ones
            // that it is not the same any more, the words are counted again.
            let most = known.newest.max(MIN_ENTRIES) / COMMON + 1;
            (unknown(&known, words, most), most)
        };
        let state = if self.source.db_version && unknown.is_empty() {
            let DbVersion { tick, newest, .. } = db.db_version().await?;
            State { tick, newest, counts: Vec::new() }
        } else {
            state(db, self.source, &unknown, most).await?
        };
        let since = self.lock().tick;
        if since != state.tick {
            self.forget_changed(db, since, &state).await?;
        }
        let mut known = self.lock();
        if known.tick == state.tick {
            known.newest = state.newest;
            known.remember(unknown.into_iter().zip(state.counts), most);
        }
        Ok((state.newest, Arc::clone(&known.lengths)))
    }

    async fn forget_changed(&self, db: &Database, since: i64, state: &State) -> DbResult<()> {
        // One row for all of them: row by row, the reader would be woken for each.
        let query = sqlx::query(self.source.changed);
        let query = query.bind(since).bind(state.tick).bind(MOST_CHANGES as i64);
        let row = db.short().one(query).await?;
        let changed: Vec<i64> =
            serde_json::from_str(row.try_get("changed")?).map_err(|_| DbError::Row { column: "seq" })?;
        let mut known = self.lock();
        if known.tick == since {
            known.tick = state.tick;
            known.counts.clear();
            known.lengths = lengths_after(&known.lengths, &changed, state.newest);
        }
        Ok(())
    }

    /// In how many entries each phrase stands, counted up to `most`.
    async fn counts(&self, db: &Database, phrases: &[String], most: i64) -> DbResult<Vec<i64>> {
        let (tick, mut counts, unknown) = {
            let known = self.lock();
            let counts: HashMap<String, i64> = phrases
                .iter()
                .filter_map(|p| known.counts.get(p).map(|count| (p, count)))
                .filter(|(_, count)| count.answers(most))
                .map(|(p, count)| (p.clone(), count.count))
                .collect();
            (known.tick, counts, unknown(&known, phrases, most))
        };
        if !unknown.is_empty() {
            let counted = count(db, self.source, &unknown, most).await?;
            counts.extend(unknown.iter().cloned().zip(counted.iter().copied()));
            let mut known = self.lock();
            if known.tick == tick {
                known.remember(unknown.into_iter().zip(counted), most);
            }
        }
        Ok(phrases.iter().map(|phrase| counts.get(phrase).copied().unwrap_or(0)).collect())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The words of a query that may be left out if they are common: there must be others.
fn droppable(query: &TextQuery) -> Vec<String> {
    match query {
        TextQuery::Any(clauses) if clauses.len() > 1 => {
            clauses.iter().filter(|c| may_go(c)).filter_map(expression::phrase).collect()
        }
        _ => Vec::new(),
    }
}

/// A query without its common words; as it is if there are no others.
fn without_common(query: &TextQuery, newest: i64, counts: &HashMap<String, i64>) -> TextQuery {
    let TextQuery::Any(clauses) = query else { return query.clone() };
    let is_rare = |clause: &&Clause| {
        let word = expression::phrase(clause);
        word.is_none_or(|word| counts.get(&word).is_none_or(|count| *count <= newest / COMMON))
    };
    let rare: Vec<Clause> = clauses.iter().filter(is_rare).cloned().collect();
    if rare.is_empty() { query.clone() } else { TextQuery::Any(rare) }
}

/// Phrases and words that may go on are taken as rare.
fn may_go(clause: &Clause) -> bool {
    clause.words.len() == 1 && !clause.prefix
}

/// The lengths without those of changed entries, with room for the newest. Searches that run meanwhile keep theirs.
fn lengths_after(before: &[AtomicU16], changed: &[i64], newest: i64) -> Lengths {
    let room = usize::try_from(newest).unwrap_or(0) + 1;
    if changed.len() >= MOST_CHANGES {
        return (0..room).map(|_| AtomicU16::new(0)).collect();
    }
    let kept = |at: usize| before.get(at).map_or(0, |length| length.load(Ordering::Relaxed));
    let lengths: Lengths = (0..room).map(|at| AtomicU16::new(kept(at))).collect();
    for seq in changed {
        if let Some(length) = usize::try_from(*seq).ok().and_then(|seq| lengths.get(seq)) {
            length.store(0, Ordering::Relaxed);
        }
    }
    lengths
}

/// A database at one moment.
#[derive(Debug)]
struct State {
    tick: i64,
    /// The newest entry's number; 0 if there is none.
    newest: i64,
    counts: Vec<i64>,
}

/// The state of a database, with the counts of phrases up to `most`.
async fn state(db: &Database, source: Source, phrases: &[String], most: i64) -> DbResult<State> {
    let query = if phrases.is_empty() {
        sqlx::query(source.clock)
    } else {
        sqlx::query(source.clock_and_counts).bind(expression::alternatives(phrases)).bind(most)
    };
    let row = db.short().one(query).await?;
    let counts = numbers_of(row.try_get("counts")?, phrases.len());
    Ok(State { tick: row.try_get("tick")?, newest: row.try_get("newest")?, counts })
}

async fn count(db: &Database, source: Source, phrases: &[String], most: i64) -> DbResult<Vec<i64>> {
    let query = sqlx::query(source.counts);
    let row = db.short().first(query.bind(expression::alternatives(phrases)).bind(most)).await?;
    let counts = row.as_ref().map(|row| row.try_get::<Option<&str>, _>(0)).transpose()?;
    Ok(numbers_of(counts.flatten(), phrases.len()))
}

/// The answer of `inklings_counts`; without one, because no phrase stands anywhere, as many zeros.
fn numbers_of(counts: Option<&str>, phrases: usize) -> Vec<i64> {
    let mut counts = counts.unwrap_or_default().split(',').map(|count| count.parse().unwrap_or(0));
    (0..phrases).map(|_| counts.next().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(lengths: &Lengths) -> Vec<u16> {
        lengths.iter().map(|length| length.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn lengths_of_changed_entries_are_asked_for_again() {
        let before: Lengths = [0, 5, 6, 7].map(AtomicU16::new).into();
        assert_eq!(numbers(&lengths_after(&before, &[2], 5)), [0, 5, 0, 7, 0, 0]);
        assert_eq!(numbers(&lengths_after(&before, &vec![1; MOST_CHANGES], 3)), [0; 4]);
        assert_eq!(numbers(&lengths_after(&before, &[-1, 99], 0)), [0]);
    }
}
