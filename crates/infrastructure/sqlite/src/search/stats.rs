//! Which words are too common to look for.
//!
//! A word that stands in more than a fifth of the entries tells them apart badly, and scoring every one of them
//! costs most of the time of a search. It is left out while rarer words remain. Counting stops at the fifth, is
//! kept until entries are added, and does not depend on what was searched before: the same query on the same
//! data gives the same answer in every process.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use inklings_domain::query::{Clause, TextQuery};
use sqlx::Row;

use super::expression;
use crate::{connection::Database, error::DbResult};

/// Below this many entries every word is looked for: there is no time to be won.
const MIN_ENTRIES: i64 = 2_000;
/// The share of the entries above which a word is common, as a divisor.
const COMMON: i64 = 5;
/// Words remembered before the memory is cleared.
const MOST_WORDS: usize = 20_000;

/// What is known about how common words are.
#[derive(Debug, Default)]
pub struct Frequencies(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    newest: i64,
    common: HashMap<String, bool>,
}

impl Frequencies {
    /// The query without its common words, if rarer ones remain.
    pub async fn without_common(&self, db: &Database, query: &TextQuery) -> DbResult<TextQuery> {
        let TextQuery::Any(clauses) = query else { return Ok(query.clone()) };
        if clauses.len() < 2 {
            return Ok(query.clone());
        }
        let newest: i64 =
            sqlx::query_scalar("SELECT coalesce(max(seq), 0) FROM memories").fetch_one(db.reader()).await?;
        if newest < MIN_ENTRIES {
            return Ok(query.clone());
        }
        let unknown = self.unknown(newest, clauses);
        if !unknown.is_empty() {
            let counted = count(db, &unknown, newest / COMMON).await?;
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.newest == newest {
                known.common.extend(counted);
            } else {
                // Entries came in meanwhile: what was counted is good for this query, not for the next.
                return Ok(keep_rare(clauses, &counted));
            }
        }
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(keep_rare(clauses, &known.common))
    }

    fn unknown(&self, newest: i64, clauses: &[Clause]) -> Vec<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.newest != newest || known.common.len() > MOST_WORDS {
            *known = Known { newest, common: HashMap::new() };
        }
        let words = clauses.iter().filter_map(single_word);
        words.filter(|word| !known.common.contains_key(*word)).map(str::to_owned).collect()
    }
}

/// Phrases and words that may go on are taken as rare.
fn single_word(clause: &Clause) -> Option<&str> {
    match clause.words.as_slice() {
        [word] if !clause.prefix => Some(word),
        _ => None,
    }
}

fn keep_rare(clauses: &[Clause], common: &HashMap<String, bool>) -> TextQuery {
    let is_common =
        |clause: &&Clause| single_word(clause).is_some_and(|word| common.get(word).copied().unwrap_or(false));
    let rare: Vec<Clause> = clauses.iter().filter(|clause| !is_common(clause)).cloned().collect();
    TextQuery::Any(if rare.is_empty() { clauses.to_vec() } else { rare })
}

/// Which of the words stand in more than `limit` entries.
async fn count(db: &Database, words: &[String], limit: i64) -> DbResult<HashMap<String, bool>> {
    const ONE: &str = "SELECT count(*) FROM \
                       (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ? LIMIT ?)";
    let mut conn = db.reader().acquire().await?;
    let mut counts = HashMap::with_capacity(words.len());
    for word in words {
        let query = TextQuery::Any(vec![Clause { words: vec![word.clone()], prefix: false }]);
        let count: i64 = match expression::text(&query) {
            None => 0,
            Some(expression) => {
                sqlx::query(ONE).bind(expression).bind(limit + 1).fetch_one(&mut *conn).await?.try_get(0)?
            }
        };
        counts.insert(word.clone(), count > limit);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(words: &[&str]) -> Vec<Clause> {
        words.iter().map(|w| Clause { words: vec![(*w).to_owned()], prefix: false }).collect()
    }

    #[test]
    fn common_words_go_while_rarer_ones_remain() {
        let common = HashMap::from([("gate".to_owned(), true), ("mira".to_owned(), false)]);
        assert_eq!(keep_rare(&any(&["gate", "mira"]), &common), TextQuery::Any(any(&["mira"])));
        assert_eq!(keep_rare(&any(&["gate"]), &common), TextQuery::Any(any(&["gate"])));
        assert_eq!(keep_rare(&any(&["gate", "new"]), &common), TextQuery::Any(any(&["new"])));
    }
}
