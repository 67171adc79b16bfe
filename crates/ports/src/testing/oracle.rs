//! Simple reference implementations of filters and text queries. The contract tests compare the store with
//! them.

use std::ops::Range;

use inklings_domain::{
    memory::{
        MemoryEntry,
        filter::{Activity, Facet, FacetTerm, HIGH_IMPORTANCE, MEDIUM_IMPORTANCE, MemoryFilter},
    },
    search::query::{Clause, TextQuery},
    text::fold,
};

use crate::memory::store::{FacetCount, StoredEntry};

/// The values of an entry in a facet.
pub fn facet_values(stored: &StoredEntry, facet: Facet) -> Vec<String> {
    let entry = &stored.entry;
    match facet {
        Facet::Source => vec![entry.source.clone()],
        Facet::Curator => vec![entry.curator.to_string()],
        Facet::Lifetime => vec![entry.lifetime.to_string()],
        Facet::Tag => entry.tags.clone(),
        Facet::Importance => vec![importance_bucket(entry.importance.get()).to_owned()],
        Facet::Embedding => vec![if stored.embedded_by.is_some() { "yes" } else { "no" }.to_owned()],
        Facet::Forgotten => vec![if entry.is_active() { "no" } else { "yes" }.to_owned()],
        Facet::Speaker => entry.origin.iter().filter_map(|o| o.speaker.clone()).collect(),
    }
}

/// The facet value for an importance.
pub fn importance_bucket(importance: f64) -> &'static str {
    if importance < MEDIUM_IMPORTANCE {
        "low"
    } else if importance < HIGH_IMPORTANCE {
        "medium"
    } else {
        "high"
    }
}

fn in_view(filter: &MemoryFilter, entry: &MemoryEntry) -> bool {
    match filter.activity() {
        Activity::Active => entry.is_active(),
        Activity::Forgotten => !entry.is_active(),
        Activity::Any => true,
    }
}

/// True if an entry matches the filter's conditions, ignoring its scope filter and the conditions of facet
/// `but`. An entry without text matches no filter.
pub fn meets_conditions(filter: &MemoryFilter, stored: &StoredEntry, but: Option<Facet>) -> bool {
    if stored.entry.content.is_empty() {
        return false;
    }
    if but != Some(Facet::Forgotten) && !in_view(filter, &stored.entry) {
        return false;
    }
    let terms: Vec<&FacetTerm> = filter.conditions().filter(|t| Some(t.facet) != but).collect();
    terms.iter().all(|term| {
        let values = facet_values(stored, term.facet);
        if term.negated {
            return !values.contains(&term.value);
        }
        // Conditions on the same facet are alternatives.
        terms.iter().any(|t| t.facet == term.facet && !t.negated && values.contains(&t.value))
    })
}

/// True if the filter matches an entry.
pub fn lets_through(filter: &MemoryFilter, stored: &StoredEntry) -> bool {
    filter.scope_filter.holds(stored.entry.place) && meets_conditions(filter, stored, None)
}

/// Counts the values of every facet, each with the conditions of the other facets. For `forgotten`, only
/// "yes" is counted.
pub fn count_facets(entries: &[StoredEntry], filter: &MemoryFilter) -> Vec<FacetCount> {
    let count = |facet: Facet| {
        let mut counts = std::collections::BTreeMap::<String, u64>::new();
        entries
            .iter()
            .filter(|e| filter.scope_filter.holds(e.entry.place) && meets_conditions(filter, e, Some(facet)))
            .flat_map(|e| facet_values(e, facet))
            .filter(|value| facet != Facet::Forgotten || value == "yes")
            .for_each(|value| *counts.entry(value).or_default() += 1);
        let mut values: Vec<(String, u64)> = counts.into_iter().collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        values.truncate(200);
        FacetCount { facet, values }
    };
    Facet::ALL.iter().map(|facet| count(*facet)).collect()
}

/// The lower-case words of a text with their byte ranges, split as by `query::words`.
fn word_spans(text: &str) -> Vec<(Range<usize>, String)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '\u{0300}'..='\u{036F}');
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_word(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = &text[from..at];
                if word.chars().any(char::is_alphanumeric) {
                    spans.push((from..at, word.to_lowercase()));
                }
                start = None;
            }
            _ => {}
        }
    }
    spans
}

/// Byte ranges of a clause in a text, each from its first to its last word.
fn clause_spans(text: &str, clause: &Clause) -> Vec<Range<usize>> {
    let words = word_spans(text);
    let length = clause.words.len();
    if length == 0 {
        return Vec::new();
    }
    let fits = |window: &[(Range<usize>, String)]| {
        window.iter().zip(&clause.words).enumerate().all(|(i, ((_, have), want))| {
            let open_end = clause.prefix && i + 1 == length;
            if open_end { have.starts_with(want.as_str()) } else { have == want }
        })
    };
    words
        .windows(length)
        .filter(|window| fits(window))
        .map(|window| window[0].0.start..window[length - 1].0.end)
        .collect()
}

/// True if an entry matches a text query by its content or its name.
pub fn answers(entry: &MemoryEntry, query: &TextQuery) -> bool {
    any_answers(&texts(entry), query)
}

fn any_answers(texts: &[&str], query: &TextQuery) -> bool {
    let has = |clause: &Clause| texts.iter().any(|text| !clause_spans(text, clause).is_empty());
    match query {
        TextQuery::Nothing => false,
        TextQuery::Any(clauses) => clauses.iter().any(has),
        TextQuery::All { groups, without } => {
            !groups.is_empty() && groups.iter().all(|g| g.iter().any(has)) && !without.iter().any(has)
        }
        TextQuery::Literal(literal) => {
            !literal.is_empty() && texts.iter().any(|text| fold(text).contains(literal.as_str()))
        }
    }
}

fn texts(entry: &MemoryEntry) -> Vec<&str> {
    [Some(&entry.content), entry.name.as_ref()].into_iter().flatten().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(words: &[&str], prefix: bool) -> Clause {
        Clause { words: words.iter().map(|w| (*w).to_owned()).collect(), prefix }
    }

    #[test]
    fn words_of_texts_and_queries_are_split_alike() {
        for text in ["The Salt-Gate, née 7th; e\u{301}", "", " - ", "a"] {
            let words: Vec<String> = word_spans(text).into_iter().map(|(_, w)| w).collect();
            assert_eq!(words, inklings_domain::words::words(text));
        }
    }

    #[test]
    fn spans_of_phrases_and_of_word_prefixes_are_found() {
        let text = "Iron Gate; gate of iron, iron gates";
        assert_eq!(clause_spans(text, &clause(&["iron", "gate"], false)), vec![0..9]);
        assert_eq!(clause_spans(text, &clause(&["iron", "gat"], true)), [0..9, 25..35]);
    }

    #[test]
    fn literals_are_found_regardless_of_case() {
        let query = TextQuery::Literal("🐉é".into());
        assert!(any_answers(&["x🐉É y"], &query));
    }
}
