//! Synthetic entries, queries and vectors, identical in every run. Word frequencies follow Zipf's law as in
//! prose; vectors are clustered like those of real texts.

use std::fmt::Write;

use inklings_domain::memory::{embedding::Embedding, word_codes::WordCodes};

use super::random::Random;

/// Size of the vocabulary.
const WORDS: usize = 20_000;
/// Number of clusters of vectors.
const CLUSTERS: usize = 64;
/// Minimum words per entry.
const FEWEST: usize = 12;
/// Maximum words per entry.
const MOST: usize = 60;
const SYLLABLES: [&str; 32] = [
    "ka", "lo", "mer", "tin", "sa", "ven", "dor", "ul", "bri", "quo", "fen", "gar", "hil", "is", "jor",
    "kel", "lan", "mo", "nar", "os", "per", "rim", "sto", "tal", "ur", "vak", "wen", "yd", "zor", "eth",
    "cra", "pli",
];

/// Generator of synthetic data.
pub struct Synthetic {
    random: Random,
    dimension: usize,
    words: Vec<String>,
    centres: Vec<Vec<f32>>,
}

impl Synthetic {
    /// Creates a generator of vectors with `dimension` components.
    pub fn new(dimension: usize) -> Self {
        let mut made =
            Self { random: Random::new(0x5EED), dimension, words: Vec::new(), centres: Vec::new() };
        made.words = (0..WORDS).map(word).collect();
        made.centres = (0..CLUSTERS).map(|_| made.noise()).collect();
        made
    }

    fn next(&mut self) -> u64 {
        self.random.next()
    }

    /// A number in [0, 1).
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws a word by Zipf's law: its rank is the exponential of a uniform draw.
    fn common_word(&mut self) -> &str {
        let rank = (WORDS as f64).powf(self.share()) as usize;
        &self.words[rank.min(WORDS) - 1]
    }

    /// Independent components around 0.
    fn noise(&mut self) -> Vec<f32> {
        (0..self.dimension).map(|_| (0..4).map(|_| self.share()).sum::<f64>() as f32 - 2.0).collect()
    }

    /// Generates `count` JSON lines, numbered from `first`.
    pub fn lines(&mut self, first: usize, count: usize) -> String {
        let mut lines = String::new();
        for n in first..first + count {
            let words = FEWEST + (self.next() as usize) % (MOST - FEWEST);
            let session = n / 40;
            let _ = write!(lines, "{{\"id\":\"e{n}\",\"session\":{session},\"text\":\"entry {n}:");
            for _ in 0..words {
                lines.push(' ');
                lines.push_str(self.common_word());
            }
            lines.push_str("\"}\n");
        }
        lines
    }

    /// Generates a query of `words` words, which are rarer on average than those of texts.
    pub fn query(&mut self, words: usize) -> String {
        let mut pick = || {
            let rank = 50.0 * (WORDS as f64 / 50.0).powf(self.share());
            self.words[(rank as usize).min(WORDS - 1)].clone()
        };
        (0..words).map(|_| pick()).collect::<Vec<_>>().join(" ")
    }

    /// Generates the embedding of a text of `words` words: a vector as by [`Self::vector`], and independent codes.
    pub fn embedding(&mut self, words: usize) -> Embedding {
        let vector = self.vector();
        let width = self.dimension.div_ceil(64);
        let bytes: Vec<u8> = (0..words * width).flat_map(|_| self.next().to_le_bytes()).collect();
        let words = WordCodes::read(&bytes, self.dimension).unwrap_or_default();
        Embedding { vector, words }
    }

    /// Generates the embedding of an entry of [`Self::lines`].
    pub fn embedding_of_entry(&mut self) -> Embedding {
        let words = FEWEST + (self.next() as usize) % (MOST - FEWEST);
        self.embedding(words)
    }

    /// Generates a unit vector near one of the clusters.
    pub fn vector(&mut self) -> Vec<f32> {
        let centre = (self.next() as usize) % CLUSTERS;
        let mut vector = self.noise();
        for (x, c) in vector.iter_mut().zip(&self.centres[centre]) {
            *x += c;
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        for x in &mut vector {
            *x /= length;
        }
        vector
    }
}

/// The `n`th word.
fn word(n: usize) -> String {
    let mut word = String::new();
    let mut rest = n + SYLLABLES.len();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_generators_of_one_seed_give_equal_data() {
        let (mut a, mut b) = (Synthetic::new(8), Synthetic::new(8));
        assert_eq!(a.lines(0, 20), b.lines(0, 20));
        assert_eq!((a.query(4), a.vector()), (b.query(4), b.vector()));
    }

    #[test]
    fn vectors_have_length_one_and_words_are_distinct() {
        let mut made = Synthetic::new(16);
        let vector = made.vector();
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4);
        let distinct: std::collections::HashSet<&String> = made.words.iter().collect();
        assert_eq!(distinct.len(), WORDS);
    }
}
