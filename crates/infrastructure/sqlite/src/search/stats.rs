//! Caches the ranking statistics of a database: word frequencies and entry lengths. Every change of the
//! database invalidates them. So the same query on the same data gives the same result in every process,
//! whatever was searched before.
//!
//! A word that occurs in more than a fifth of the entries separates them poorly, and scoring every such entry
//! takes most of the time of a search. It is left out while rarer words remain that occur, and searched all the same if
//! those match nothing within the filter.
//!
//! A word that occurs nowhere is replaced by those of the index that may be meant ([`unknown_words`]).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU16, atomic::Ordering},
};

use inklings_domain::search::query::{Clause, TextQuery};
use sqlx::Row;

use super::{
    expression,
    unknown_words::{self, Meant},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
    functions::ticket::{Lengths, TicketGuard},
};

/// Below this many entries no word is left out, because that would save no time.
const MIN_ENTRIES: i64 = 2_000;
/// A word is common if it occurs in more than one in this many entries.
const COMMON: i64 = 5;
/// Number of cached words at which the cache is cleared.
const MOST_WORDS: usize = 20_000;
/// The most changed entries whose lengths are invalidated one by one; beyond this many, all lengths are.
const MOST_CHANGES: usize = 20_000;

/// Describes a full-text index and how to detect changes of its rows.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// The full-text index.
    pub(super) fts: &'static str,
    /// The table of its texts. Its row numbers are in the column `seq`.
    pub(super) rows: &'static str,
    /// True if [`Database::db_version`] covers these rows.
    db_version: bool,
    /// Returns the tick of the rows' clock and the newest row number.
    clock: &'static str,
    /// Like `clock`, with the result of `counts` in addition.
    clock_and_counts: &'static str,
    /// Returns the numbers of rows changed after tick `?1` and up to `?2`, at most `?3`, as one list
    /// (ADR 37).
    changed: &'static str,
    /// Returns the number of rows that contain each phrase of `?1`, counted up to `?2`.
    counts: &'static str,
    /// Makes `temp.terms`, the words of the index.
    pub(super) terms: &'static str,
}

macro_rules! source {
    ($table:literal, $fts:literal, $clock:literal, $db_version:literal) => {
        Source {
            fts: $fts,
            rows: $table,
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
            terms: concat!("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, ", $fts, ", row)"),
        }
    };
}

/// The index of memory entries.
pub const ENTRIES: Source = source!("memories", "memories_fts", "change_clock", true);

/// The index of messages.
pub const MESSAGES: Source = source!("messages", "messages_fts", "message_clock", false);

/// The index of pages.
pub const PAGES: Source = source!("pages", "pages_fts", "page_clock", false);

/// The cached statistics of an index as of one tick of its clock.
#[derive(Debug)]
pub struct Frequencies {
    source: Source,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tick: i64,
    /// The newest row number.
    newest: i64,
    counts: HashMap<String, Count>,
    /// What words may mean that occur nowhere.
    meant: Meant,
    /// The words of the index, if an unknown word was compared with them.
    terms: Option<Arc<str>>,
    lengths: Lengths,
}

/// The number of entries that contain a phrase; a lower bound if counting stopped early.
#[derive(Debug, Clone, Copy)]
struct Count {
    count: i64,
    exact: bool,
}

impl Count {
    /// True if this count gives the same result as counting up to `most`.
    const fn answers(self, most: i64) -> bool {
        self.exact || self.count >= most
    }
}

impl Known {
    /// The counts of these phrases up to `most`, if all of them are cached.
    fn counts_of(&self, phrases: &[String], most: i64) -> Option<Vec<i64>> {
        let count =
            |phrase| self.counts.get(phrase).filter(|count| count.answers(most)).map(|count| count.count);
        phrases.iter().map(count).collect()
    }

    /// Caches counts that were made up to `most`.
    fn remember(&mut self, counts: impl Iterator<Item = (String, i64)>, most: i64) {
        if self.counts.len() > MOST_WORDS {
            self.counts.clear();
        }
        self.counts.extend(counts.map(|(phrase, count)| (phrase, Count { count, exact: count < most })));
    }
}

/// The distinct phrases whose counts up to `most` are not cached.
fn unknown(known: &Known, phrases: &[String], most: i64) -> Vec<String> {
    let answered = |phrase: &&String| known.counts.get(*phrase).is_some_and(|count| count.answers(most));
    let mut unknown: Vec<String> = phrases.iter().filter(|phrase| !answered(phrase)).cloned().collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}

/// A query that is ready to run.
#[derive(Debug)]
pub struct Plan {
    /// The query without its common words, and with what is meant by its unknown ones.
    pub query: TextQuery,
    /// Lengths and counts for the score.
    pub ticket: TicketGuard,
    /// The tick of the index's clock that the counts are of.
    pub tick: i64,
    /// True if the query has common words that are left out.
    pub leaves_out: bool,
}

impl Frequencies {
    /// An empty cache for this index.
    pub fn of(source: Source) -> Self {
        Self { source, known: Mutex::default() }
    }

    /// Leaves out common words, unless it `keeps` them, and loads what the score needs. `None` if there are no entries.
    pub async fn plan(&self, db: &Database, query: &TextQuery, keeps: bool) -> DbResult<Option<Plan>> {
        let words = if keeps { Vec::new() } else { droppable(query) };
        let (newest, lengths) = self.catch_up(db, &words).await?;
        if newest == 0 {
            return Ok(None);
        }
        if words.is_empty() || newest < MIN_ENTRIES {
            return self.priced(db, (query.clone(), false), lengths).await.map(Some);
        }
        let counts = self.counts(db, &words, newest / COMMON + 1).await?;
        let rest = without_common(query, newest, &words.into_iter().zip(counts).collect());
        self.priced(db, rest, lengths).await.map(Some)
    }

    /// Returns the plan as of the last known state of the database, if everything it needs is cached. It makes no database read, so the caller can run the query while it checks for changes.
    pub fn remembered(&self, query: &TextQuery) -> Option<Plan> {
        let known = self.lock();
        if known.newest == 0 {
            return None;
        }
        let words = droppable(query);
        let (mut query, leaves_out) = if words.is_empty() || known.newest < MIN_ENTRIES {
            (query.clone(), false)
        } else {
            let counts = known.counts_of(&words, known.newest / COMMON + 1)?;
            without_common(query, known.newest, &words.into_iter().zip(counts).collect())
        };
        let mut counts = known.counts_of(&expression::phrases(&query), i64::MAX)?;
        let unknown = unknown_words::of(&query, &counts);
        if unknown.iter().any(|word| !known.meant.contains_key(word)) {
            return None;
        }
        if !unknown.is_empty() {
            query = unknown_words::replaced(&query, &unknown, &known.meant);
            counts = known.counts_of(&expression::phrases(&query), i64::MAX)?;
        }
        let ticket = TicketGuard::new(Arc::clone(&known.lengths), counts);
        Some(Plan { query, ticket, tick: known.tick, leaves_out })
    }

    /// The tick of the index's clock now.
    pub async fn tick(&self, db: &Database) -> DbResult<i64> {
        if self.source.db_version {
            return Ok(db.db_version().await?.tick);
        }
        Ok(state(db, self.source, &[], 0).await?.tick)
    }

    /// The query as it is searched, with its common words: what a hit may be found by, and so what is marked in it.
    pub async fn spelled(&self, db: &Database, query: &TextQuery) -> DbResult<TextQuery> {
        // The search before it has usually counted them, so that a word that is known needs no read.
        let counts = self.lock().counts_of(&expression::phrases(query), 1);
        if counts.is_some_and(|counts| unknown_words::of(query, &counts).is_empty()) {
            return Ok(query.clone());
        }
        self.catch_up(db, &[]).await?;
        self.with_meant(db, query.clone(), 1).await
    }

    /// Replaces the words that occur nowhere. Counts are made up to `most`.
    async fn with_meant(&self, db: &Database, query: TextQuery, most: i64) -> DbResult<TextQuery> {
        let counts = self.counts(db, &expression::phrases(&query), most).await?;
        let unknown = unknown_words::of(&query, &counts);
        if unknown.is_empty() {
            return Ok(query);
        }
        let (tick, new, mut terms) = {
            let known = self.lock();
            let is_new = |word: &String| !known.meant.contains_key(word);
            let new: Vec<String> = unknown.iter().filter(|word| is_new(word)).cloned().collect();
            (known.tick, new, known.terms.clone())
        };
        let mut found = Meant::new();
        if !new.is_empty() {
            let read = match terms.take() {
                Some(terms) => terms,
                None => unknown_words::terms(db, self.source).await?,
            };
            found = unknown_words::meant(new, &read);
            terms = Some(read);
        }
        let mut known = self.lock();
        if known.tick != tick {
            // The index has changed meanwhile. What was known before is of its earlier state.
            return Ok(unknown_words::replaced(&query, &unknown, &found));
        }
        if known.meant.len() > MOST_WORDS {
            known.meant.clear();
        }
        known.meant.extend(found);
        known.terms = terms.or_else(|| known.terms.take());
        Ok(unknown_words::replaced(&query, &unknown, &known.meant))
    }

    async fn priced(
        &self,
        db: &Database,
        (query, leaves_out): (TextQuery, bool),
        lengths: Lengths,
    ) -> DbResult<Plan> {
        let query = self.with_meant(db, query, i64::MAX).await?;
        let counts = self.counts(db, &expression::phrases(&query), i64::MAX).await?;
        let ticket = TicketGuard::new(lengths, counts);
        Ok(Plan { query, ticket, tick: self.lock().tick, leaves_out })
    }

    /// Invalidates what changed since the last call. Returns the newest row number and the lengths. The same
    /// read fetches the counts of uncached words.
    async fn catch_up(&self, db: &Database, words: &[String]) -> DbResult<(i64, Lengths)> {
        // The shared version shows whether a database of entries is empty, without another read.
        if self.source.db_version && self.lock().newest == 0 && db.db_version().await?.newest == 0 {
            return Ok((0, Lengths::default()));
        }
        let (unknown, most) = {
            let known = self.lock();
            // The threshold uses the newest row number of the last call. If so many entries were added that
            // it no longer holds, the words are counted again.
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
        // All of them in one row (ADR 37).
        let query = sqlx::query(self.source.changed);
        let query = query.bind(since).bind(state.tick).bind(MOST_CHANGES as i64);
        let row = query.fetch_one(&db.reader()).await?;
        let changed: Vec<i64> =
            serde_json::from_str(row.try_get("changed")?).map_err(|_| DbError::Row { column: "seq" })?;
        let mut known = self.lock();
        if known.tick == since {
            known.tick = state.tick;
            known.counts.clear();
            known.meant.clear();
            known.terms = None;
            known.lengths = lengths_after(&known.lengths, &changed, state.newest);
        }
        Ok(())
    }

    /// The number of entries that contain each phrase, counted up to `most`.
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

/// The words of a query that may be left out if they are common. Empty unless other words remain.
fn droppable(query: &TextQuery) -> Vec<String> {
    match query {
        TextQuery::Any(clauses) if clauses.len() > 1 => {
            clauses.iter().filter(|c| may_go(c)).filter_map(expression::phrase).collect()
        }
        _ => Vec::new(),
    }
}

/// A query without its common words, and true if it has any; unchanged if no other word of it occurs.
fn without_common(query: &TextQuery, newest: i64, counts: &HashMap<String, i64>) -> (TextQuery, bool) {
    let TextQuery::Any(clauses) = query else { return (query.clone(), false) };
    let count = |clause: &Clause| expression::phrase(clause).and_then(|word| counts.get(&word).copied());
    let is_common = |clause: &&Clause| count(clause).is_some_and(|count| count > newest / COMMON);
    let rare: Vec<Clause> = clauses.iter().filter(|clause| !is_common(clause)).cloned().collect();
    if rare.len() < clauses.len() && rare.iter().any(|clause| count(clause) != Some(0)) {
        (TextQuery::Any(rare), true)
    } else {
        (query.clone(), false)
    }
}

/// True for single whole words. Phrases and prefixes count as rare and are never left out.
fn may_go(clause: &Clause) -> bool {
    clause.words.len() == 1 && !clause.prefix
}

/// Returns the lengths without those of changed entries, with room for the newest. Running searches keep the
/// old copy.
fn lengths_after(before: &[AtomicU16], changed: &[i64], newest: i64) -> Lengths {
    let capacity = usize::try_from(newest).unwrap_or(0) + 1;
    if changed.len() >= MOST_CHANGES {
        return (0..capacity).map(|_| AtomicU16::new(0)).collect();
    }
    let length_before = |at: usize| before.get(at).map_or(0, |length| length.load(Ordering::Relaxed));
    let lengths: Lengths = (0..capacity).map(|at| AtomicU16::new(length_before(at))).collect();
    for seq in changed {
        if let Some(length) = usize::try_from(*seq).ok().and_then(|seq| lengths.get(seq)) {
            length.store(0, Ordering::Relaxed);
        }
    }
    lengths
}

/// The state of a database at one moment.
#[derive(Debug)]
struct State {
    tick: i64,
    /// The newest row number; 0 if there is none.
    newest: i64,
    counts: Vec<i64>,
}

/// Reads the state of a database, with the counts of phrases up to `most`.
async fn state(db: &Database, source: Source, phrases: &[String], most: i64) -> DbResult<State> {
    let query = if phrases.is_empty() {
        sqlx::query(source.clock)
    } else {
        sqlx::query(source.clock_and_counts).bind(expression::alternatives(phrases)).bind(most)
    };
    let row = query.fetch_one(&db.reader()).await?;
    let counts = numbers_of(row.try_get("counts")?, phrases.len());
    Ok(State { tick: row.try_get("tick")?, newest: row.try_get("newest")?, counts })
}

async fn count(db: &Database, source: Source, phrases: &[String], most: i64) -> DbResult<Vec<i64>> {
    let query = sqlx::query(source.counts);
    let row = query.bind(expression::alternatives(phrases)).bind(most).fetch_optional(&db.reader()).await?;
    let counts = row.as_ref().map(|row| row.try_get::<Option<&str>, _>(0)).transpose()?;
    Ok(numbers_of(counts.flatten(), phrases.len()))
}

/// Parses the result of `inklings_counts`. It has no result if no phrase occurs anywhere; then all counts are
/// 0.
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
