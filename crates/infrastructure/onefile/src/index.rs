//! The inverted index with BM25 ranking.

use std::collections::{BTreeMap, BTreeSet};

use inklings_domain::text::fold;
use serde::{Deserialize, Serialize};

use crate::entry_id::EntryId;

/// BM25 term frequency saturation.
pub const K1: f64 = 1.2;
/// BM25 length normalisation.
pub const B: f64 = 0.75;

/// The case-folded words of a text: runs of letters and digits.
pub fn tokens(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The search index. It is stored in the file, so that opening does not have to tokenise every text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// Number of words of each entry.
    lengths: BTreeMap<EntryId, u32>,
    /// Frequency of each word by entry.
    postings: BTreeMap<String, BTreeMap<EntryId, u32>>,
}

impl Index {
    /// Adds an entry that is not in the index yet.
    pub fn add(&mut self, id: EntryId, name: &str, content: &str) {
        let words = words_of(name, content);
        self.lengths.insert(id, words.len() as u32);
        for word in words {
            *self.postings.entry(word).or_default().entry(id).or_default() += 1;
        }
    }

    /// Removes an entry that was added with these texts.
    pub fn remove(&mut self, id: EntryId, name: &str, content: &str) {
        self.lengths.remove(&id);
        for word in words_of(name, content) {
            if let Some(entries) = self.postings.get_mut(&word) {
                entries.remove(&id);
                if entries.is_empty() {
                    self.postings.remove(&word);
                }
            }
        }
    }

    /// Every entry that contains a word of the query, best first.
    pub fn search(&self, query: &str) -> Vec<(EntryId, f64)> {
        let total = self.lengths.len() as f64;
        let words: u64 = self.lengths.values().map(|length| u64::from(*length)).sum();
        let average = words as f64 / total.max(1.0);
        let mut scores: BTreeMap<EntryId, f64> = BTreeMap::new();
        for word in tokens(query).into_iter().collect::<BTreeSet<_>>() {
            let Some(entries) = self.postings.get(&word) else { continue };
            let found = entries.len() as f64;
            let rarity = ((total - found + 0.5) / (found + 0.5)).ln_1p();
            for (id, times) in entries {
                let length = f64::from(self.lengths.get(id).copied().unwrap_or_default());
                let times = f64::from(*times);
                let bound = K1 * (1.0 - B + B * length / average.max(f64::MIN_POSITIVE));
                *scores.entry(*id).or_default() += rarity * times * (K1 + 1.0) / (times + bound);
            }
        }
        let mut ranked: Vec<(EntryId, f64)> = scores.into_iter().collect();
        ranked.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
        ranked
    }

    /// True if it can be the index of these entries: it covers exactly these entries, and the word counts of each
    /// entry add up to its length.
    pub fn fits(&self, ids: impl Iterator<Item = EntryId>) -> bool {
        let mut counted: BTreeMap<EntryId, u64> = ids.map(|id| (id, 0)).collect();
        for entries in self.postings.values() {
            for (id, times) in entries {
                let Some(sum) = counted.get_mut(id) else { return false };
                *sum += u64::from(*times);
                if *times == 0 {
                    return false;
                }
            }
        }
        counted.len() == self.lengths.len()
            && counted
                .iter()
                .all(|(id, sum)| self.lengths.get(id).is_some_and(|length| u64::from(*length) == *sum))
    }
}

fn words_of(name: &str, content: &str) -> Vec<String> {
    let mut words = tokens(content);
    words.extend(tokens(name));
    words
}
