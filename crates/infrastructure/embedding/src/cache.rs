//! Caches the embeddings of recent queries, because search as you type repeats the same texts.

use std::collections::HashMap;

use inklings_domain::memory::embedding::Embedding;

/// An LRU cache of at most `capacity` embeddings.
pub(crate) struct QueryCache {
    entries: HashMap<String, Entry>,
    capacity: usize,
    uses: u64,
}

struct Entry {
    made: Embedding,
    used: u64,
}

impl QueryCache {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { entries: HashMap::with_capacity(capacity), capacity, uses: 0 }
    }

    /// The cached embedding of `text`.
    pub(crate) fn get(&mut self, text: &str) -> Option<Embedding> {
        self.uses += 1;
        let entry = self.entries.get_mut(text)?;
        entry.used = self.uses;
        Some(entry.made.clone())
    }

    /// Caches an embedding; a full cache drops its least recently used one.
    pub(crate) fn put(&mut self, text: String, made: Embedding) {
        self.uses += 1;
        if self.entries.len() >= self.capacity && !self.entries.contains_key(&text) {
            // A scan of a few hundred entries is cheap compared with the embedding before it.
            let oldest =
                self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(text, _)| text.clone());
            oldest.and_then(|text| self.entries.remove(&text));
        }
        self.entries.insert(text, Entry { made, used: self.uses });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_vector_is_evicted_first() {
        let mut cache = QueryCache::new(2);
        cache.put("a".into(), vec![1.0].into());
        cache.put("b".into(), vec![2.0].into());
        assert_eq!(cache.get("a"), Some(vec![1.0].into()));
        cache.put("c".into(), vec![3.0].into());
        assert_eq!(cache.get("b"), None);
        assert_eq!(cache.get("a"), Some(vec![1.0].into()));
        assert_eq!(cache.get("c"), Some(vec![3.0].into()));
    }

    #[test]
    fn the_same_text_is_cached_once() {
        let mut cache = QueryCache::new(2);
        for _ in 0..5 {
            cache.put("a".into(), vec![1.0].into());
        }
        cache.put("b".into(), vec![2.0].into());
        assert!(cache.get("a").is_some() && cache.get("b").is_some());
    }
}
