//! Test double of the embedding model.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use inklings_domain::{
    memory::{
        embedding::{Embedding, EmbeddingModel, ModelId, unit},
        word_codes::WordCodes,
    },
    words::words,
};

use super::random::Dice;
use crate::model::embedding::{EmbedError, Embedder};

/// Bag of hashed words as a unit vector: texts that share words are near, and the same text always has the
/// same vector. Knows no synonyms ("gate" and "door" are unrelated); recall is measured with the real model.
#[derive(Debug)]
pub struct FixedEmbedder {
    model: EmbeddingModel,
    down: AtomicBool,
    fails_on: Mutex<Option<String>>,
    embedded: AtomicUsize,
}

impl Default for FixedEmbedder {
    fn default() -> Self {
        Self::named("test-double-bag-of-words", 64)
    }
}

impl FixedEmbedder {
    /// A double with this model name and dimension.
    pub fn named(name: &str, dimension: usize) -> Self {
        Self {
            model: EmbeddingModel { id: ModelId::new(name), dimension },
            down: AtomicBool::new(false),
            fails_on: Mutex::default(),
            embedded: AtomicUsize::new(0),
        }
    }

    /// Makes every call fail (`true`) or work again (`false`).
    pub fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// Makes the model fail on texts that contain this; "": on every text.
    pub fn fail_on(&self, part: Option<&str>) {
        *self.fails_on.lock().unwrap_or_else(PoisonError::into_inner) = part.map(str::to_owned);
    }

    /// Number of texts embedded so far.
    pub fn embedded(&self) -> usize {
        self.embedded.load(Ordering::SeqCst)
    }

    /// The vector of a text.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        self.embedding(text).vector
    }

    /// The vector and the codes of a text. Each word is one word piece.
    pub fn embedding(&self, text: &str) -> Embedding {
        let (directions, dimension) = (self.directions(text), self.model.dimension);
        let mut sum = vec![0.0f32; dimension];
        for direction in &directions {
            sum.iter_mut().zip(direction).for_each(|(s, d)| *s += d);
        }
        // A text without words gets a fixed direction.
        let vector = unit(sum, dimension).unwrap_or_else(|_| Dice::new(0).direction(dimension));
        Embedding { vector, words: WordCodes::of(directions.iter().map(Vec::as_slice), dimension) }
    }

    /// The direction of each word.
    fn directions(&self, text: &str) -> Vec<Vec<f32>> {
        // FNV-1a, because it is stable across releases, unlike the standard library's hasher.
        let seed = |word: &str| {
            word.bytes()
                .fold(0xCBF2_9CE4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3))
        };
        words(text).iter().map(|word| Dice::new(seed(word)).direction(self.model.dimension)).collect()
    }

    fn answer(&self, text: &str) -> Result<Embedding, EmbedError> {
        if self.down.load(Ordering::SeqCst) {
            return Err(EmbedError::Unavailable("switched off by the test".into()));
        }
        let fails_on = self.fails_on.lock().unwrap_or_else(PoisonError::into_inner);
        if fails_on.as_ref().is_some_and(|part| text.contains(part)) {
            return Err(EmbedError::Inference("the test asked for it".into()));
        }
        self.embedded.fetch_add(1, Ordering::SeqCst);
        Ok(self.embedding(text))
    }
}

#[async_trait::async_trait]
impl Embedder for FixedEmbedder {
    fn model(&self) -> EmbeddingModel {
        self.model.clone()
    }

    async fn embed_query(&self, text: &str) -> Result<Embedding, EmbedError> {
        self.answer(text)
    }

    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Embedding>, EmbedError> {
        texts.iter().map(|text| self.answer(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::memory::embedding::dot;

    use super::*;

    #[test]
    fn shared_words_increase_the_similarity_of_texts() {
        let model = FixedEmbedder::default();
        let near = |a: &str, b: &str| dot(&model.vector(a), &model.vector(b));
        assert!((near("The iron gate", "gate, the IRON") - 1.0).abs() < 1e-5);
        assert!(near("the iron gate", "an iron gate") > near("the iron gate", "mira swims south"));
    }
}
