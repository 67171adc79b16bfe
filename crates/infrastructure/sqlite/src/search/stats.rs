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

use inklings_domain::query::{Clause, TextQuery};
use sqlx::Row;

use super::{
    expression,
    scoring::{Lengths, TicketGuard},
};
use crate::{connection::Database, error::DbResult};

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
    /// Gives the tick of the rows' clock and the newest row's number.
    clock: &'static str,
    /// Gives the numbers of rows changed after tick `?1` and up to `?2`, at most `?3`.
    changed: &'static str,
    /// Gives in how many rows each phrase of `?1` stands, counted up to `?2`.
    counts: &'static str,
}

/// Entries of memory.
pub const ENTRIES: Source = Source {
    clock: "SELECT tick, (SELECT coalesce(max(seq), 0) FROM memories) AS newest FROM change_clock",
    changed: "SELECT seq FROM memories WHERE change_seq > ?1 AND change_seq <= ?2 LIMIT ?3",
    counts: "SELECT inklings_counts(memories_fts, ?2) FROM memories_fts WHERE memories_fts MATCH ?1 LIMIT 1",
};

/// Messages.
pub const MESSAGES: Source = Source {
    clock: "SELECT tick, (SELECT coalesce(max(seq), 0) FROM messages) AS newest FROM message_clock",
    changed: "SELECT seq FROM messages WHERE change_seq > ?1 AND change_seq <= ?2 LIMIT ?3",
    counts: "SELECT inklings_counts(messages_fts, ?2) FROM messages_fts WHERE messages_fts MATCH ?1 LIMIT 1",
};

/// What is known of an index as it was at one tick of its clock.
#[derive(Debug)]
pub struct Frequencies {
    source: Source,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tick: i64,
    counts: HashMap<String, Count>,
    lengths: Lengths,
}

/// In how many entries a phrase stands; at least, if counting stopped early.
#[derive(Debug, Clone, Copy)]
struct Count {
    count: i64,
    exact: bool,
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

    /// Leaves out common words, and brings what the score needs.
    pub async fn plan(&self, db: &Database, query: &TextQuery) -> DbResult<Plan> {
        let (newest, lengths) = self.catch_up(db).await?;
        let common = newest / COMMON;
        if let TextQuery::Any(clauses) = query
            && clauses.len() > 1
            && newest >= MIN_ENTRIES
        {
            let words: Vec<String> =
                clauses.iter().filter(|c| may_go(c)).filter_map(expression::phrase).collect();
            let counts: HashMap<String, i64> =
                words.iter().cloned().zip(self.counts(db, &words, common + 1).await?).collect();
            let is_rare = |clause: &&Clause| {
                let word = expression::phrase(clause);
                word.is_none_or(|word| counts.get(&word).is_none_or(|count| *count <= common))
            };
            let rare: Vec<Clause> = clauses.iter().filter(is_rare).cloned().collect();
            if !rare.is_empty() {
                return self.priced(db, TextQuery::Any(rare), lengths).await;
            }
        }
        self.priced(db, query.clone(), lengths).await
    }

    async fn priced(&self, db: &Database, query: TextQuery, lengths: Lengths) -> DbResult<Plan> {
        let counts = self.counts(db, &expression::phrases(&query), i64::MAX).await?;
        Ok(Plan { query, ticket: TicketGuard::new(lengths, counts) })
    }

    /// Forgets what changed since the last time. Gives the newest entry's number and the lengths.
    async fn catch_up(&self, db: &Database) -> DbResult<(i64, Lengths)> {
        let row = sqlx::query(self.source.clock).fetch_one(db.reader()).await?;
        let (tick, newest): (i64, i64) = (row.try_get("tick")?, row.try_get("newest")?);
        let since = {
            let known = self.lock();
            if known.tick == tick {
                return Ok((newest, Arc::clone(&known.lengths)));
            }
            known.tick
        };
        let changed: Vec<i64> = sqlx::query_scalar(self.source.changed)
            .bind(since)
            .bind(tick)
            .bind(MOST_CHANGES as i64)
            .fetch_all(db.reader())
            .await?;
        let mut known = self.lock();
        if known.tick == since {
            known.tick = tick;
            known.counts.clear();
            known.lengths = lengths_after(&known.lengths, &changed, newest);
        }
        Ok((newest, Arc::clone(&known.lengths)))
    }

    /// In how many entries each phrase stands, counted up to `most`.
    async fn counts(&self, db: &Database, phrases: &[String], most: i64) -> DbResult<Vec<i64>> {
        let (tick, mut counts, unknown) = {
            let known = self.lock();
            let counts: HashMap<String, i64> = phrases
                .iter()
                .filter_map(|p| known.counts.get(p).map(|count| (p, count)))
                .filter(|(_, count)| count.exact || count.count >= most)
                .map(|(p, count)| (p.clone(), count.count))
                .collect();
            let mut unknown: Vec<&String> = phrases.iter().filter(|p| !counts.contains_key(*p)).collect();
            unknown.sort_unstable();
            unknown.dedup();
            (known.tick, counts, unknown)
        };
        if !unknown.is_empty() {
            let counted = count(db, self.source, &unknown, most).await?;
            let mut known = self.lock();
            if known.counts.len() > MOST_WORDS {
                known.counts.clear();
            }
            for (phrase, count) in unknown.into_iter().zip(counted) {
                counts.insert(phrase.clone(), count);
                if known.tick == tick {
                    known.counts.insert(phrase.clone(), Count { count, exact: count < most });
                }
            }
        }
        Ok(phrases.iter().map(|phrase| counts.get(phrase).copied().unwrap_or(0)).collect())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

async fn count(db: &Database, source: Source, phrases: &[&String], most: i64) -> DbResult<Vec<i64>> {
    let expression = expression::alternatives(phrases);
    let counts: Option<String> =
        sqlx::query_scalar(source.counts).bind(expression).bind(most).fetch_optional(db.reader()).await?;
    // No row: none of them stands anywhere.
    let counts = counts.unwrap_or_default();
    let mut counts = counts.split(',').map(|count| count.parse().unwrap_or(0));
    Ok(phrases.iter().map(|_| counts.next().unwrap_or(0)).collect())
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
