//! Searches for many words at once in bytes and texts of any length, with bounded memory.

use std::{
    collections::BTreeSet,
    io::{self, Read},
};

use aho_corasick::AhoCorasick;
use inklings_ports::store_error::StoreError;

use crate::error::DbResult;

/// Bytes that are read at once.
pub(crate) const BLOCK: usize = 1 << 20;
/// Words of one automaton: a few megabytes.
const BATCH: usize = 20_000;

/// Words to search for, regardless of case.
pub(crate) struct Words {
    list: Vec<String>,
    automaton: AhoCorasick,
    longest: usize,
}

impl Words {
    /// Splits the words into as many automata as needed.
    pub(crate) fn batches(words: &BTreeSet<String>) -> DbResult<Vec<Self>> {
        let all: Vec<String> = words.iter().filter(|word| !word.is_empty()).cloned().collect();
        all.chunks(BATCH).map(|some| Self::new(some.to_vec())).collect()
    }

    fn new(list: Vec<String>) -> DbResult<Self> {
        let built = AhoCorasick::builder().ascii_case_insensitive(true).build(&list);
        let automaton = built.map_err(|error| StoreError::Internal(Box::new(error)))?;
        let longest = list.iter().map(String::len).max().unwrap_or(0);
        Ok(Self { list, automaton, longest })
    }

    /// Adds the indexes of the words that occur in some bytes.
    fn mark(&self, bytes: &[u8], found: &mut BTreeSet<usize>) {
        if found.len() < self.list.len() {
            found.extend(self.automaton.find_overlapping_iter(bytes).map(|hit| hit.pattern().as_usize()));
        }
    }

    /// The words that occur in a text.
    pub(crate) fn in_text(&self, text: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        self.mark(text.as_bytes(), &mut found);
        found.into_iter().map(|n| self.list[n].as_str()).collect()
    }

    /// The words that occur in a stream.
    pub(crate) fn in_stream(&self, stream: &mut impl Read) -> io::Result<BTreeSet<&str>> {
        let (mut found, mut bytes) = (BTreeSet::new(), Vec::new());
        loop {
            // The end may be the beginning of a word, so it is searched again together with the next block.
            let keep = bytes.len().min(self.longest);
            bytes.drain(..bytes.len() - keep);
            let read = stream.by_ref().take(BLOCK as u64).read_to_end(&mut bytes)?;
            self.mark(&bytes, &mut found);
            if read == 0 {
                return Ok(found.into_iter().map(|n| self.list[n].as_str()).collect());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<const N: usize>(words: [&str; N]) -> BTreeSet<String> {
        words.map(str::to_owned).into()
    }

    #[test]
    fn a_word_is_found_also_across_blocks_and_in_another_case() {
        let mut bytes = vec![b'.'; BLOCK - 4];
        bytes.extend_from_slice(b"BaSiLisk and more");
        let all = Words::batches(&words(["basilisk", "chimera", "silis"])).expect("built");
        let found = all[0].in_stream(&mut bytes.as_slice()).expect("reads");
        assert_eq!(found, ["basilisk", "silis"].into());
    }

    #[test]
    fn however_many_words_each_is_looked_for() {
        let many: BTreeSet<String> = (0..BATCH * 2 + 5).map(|n| format!("word{n:06}x")).collect();
        let text = many.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let all = Words::batches(&many).expect("built");
        assert_eq!(all.len(), 3);
        let in_text: usize = all.iter().map(|some| some.in_text(&text).len()).sum();
        let in_stream: usize =
            all.iter().map(|some| some.in_stream(&mut text.as_bytes()).expect("reads").len()).sum();
        assert_eq!((in_text, in_stream), (many.len(), many.len()));
    }
}
