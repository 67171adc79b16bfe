//! Words of a query that no text holds, and the words of the index that may be meant by them.
//!
//! All words of the index are read, over a connection of its own that is closed afterwards: a pooled one may not make the
//! temporary table that lists them. That takes tens of milliseconds at 100,000 entries, so it is done for unknown words alone,
//! and the words are cached until the database changes.

use std::{collections::HashMap, sync::Arc};

use inklings_domain::search::{
    query::{Clause, TextQuery},
    spelling::UnknownWord,
};
use sqlx::Connection as _;

use super::{expression, stats::Source};
use crate::{
    connection::{Database, read_only::connect_to_read},
    error::DbResult,
    functions::scoring,
};

/// Words that occur nowhere, each with the words that may be meant.
pub type Meant = HashMap<String, Vec<String>>;

/// The words of a query that occur nowhere and may mean others. `counts` are those of the phrases, in order. Quoted words and
/// those with operators are meant literally.
pub fn of(query: &TextQuery, counts: &[i64]) -> Vec<String> {
    let TextQuery::Any(clauses) = query else { return Vec::new() };
    let counted = clauses.iter().filter(|clause| expression::phrase(clause).is_some()).zip(counts);
    counted
        .filter(|(_, count)| **count == 0)
        .filter_map(|(clause, _)| single(clause))
        .filter(|word| UnknownWord::new(word).is_some())
        .map(str::to_owned)
        .collect()
}

fn single(clause: &Clause) -> Option<&str> {
    match &*clause.words {
        [word] => Some(word),
        _ => None,
    }
}

/// A query with what is meant in place of these unknown words. A word for which nothing was found stays.
pub fn replaced(query: &TextQuery, unknown: &[String], meant: &Meant) -> TextQuery {
    let TextQuery::Any(clauses) = query else { return query.clone() };
    if unknown.is_empty() {
        return query.clone();
    }
    let meant_by = |word: &str| {
        let terms = unknown.iter().any(|unknown| unknown == word).then(|| meant.get(word)).flatten();
        terms.filter(|terms| !terms.is_empty())
    };
    let mut chosen: Vec<Clause> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        match single(clause).and_then(meant_by) {
            Some(terms) => {
                let terms = terms.iter().map(|term| Clause { words: vec![term.clone()], prefix: false });
                chosen.extend(terms);
            }
            None => chosen.push(clause.clone()),
        }
    }
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|clause| seen.insert((clause.words.clone(), clause.prefix)));
    TextQuery::Any(chosen)
}

/// All words of the index that may be meant by others, one per line.
pub async fn terms(db: &Database, source: Source) -> DbResult<Arc<str>> {
    let mut conn = connect_to_read(db.path()).await?;
    let read = async {
        scoring::register(&mut conn).await?;
        sqlx::query(source.terms).execute(&mut conn).await?;
        // One row (ADR 37). Words of the scope filter hold digits and are long.
        let query = "SELECT group_concat(term, char(10)) FROM temp.terms WHERE length(term) BETWEEN 4 AND 40";
        sqlx::query_scalar::<_, Option<String>>(query).fetch_one(&mut conn).await
    };
    let terms = read.await;
    conn.close().await?;
    Ok(terms?.unwrap_or_default().into())
}

/// What these words may mean.
pub fn meant(words: Vec<String>, terms: &str) -> Meant {
    let found = words.into_iter().map(|word| {
        let meant = UnknownWord::new(&word).map_or_else(Vec::new, |unknown| unknown.meant(terms.lines()));
        let meant = meant.into_iter().map(str::to_owned).collect();
        (word, meant)
    });
    found.collect()
}
