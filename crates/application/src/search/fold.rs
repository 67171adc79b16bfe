//! Folds hits with the same content into one, with the newest on top; the others stay accessible.
//!
//! Vectors decide only between texts of one passage each. No vector stands for a longer text, and two that share a passage
//! may differ in all others, so a longer text is folded only with one that says the same in the same words.

use std::{borrow::Cow, cell::OnceCell};

use inklings_domain::{
    memory::{
        MemoryEntry,
        embedding::dot,
        similarity::{self, FOLD_COSINE, Identity},
    },
    text, words,
};
use inklings_ports::memory::store::StoredEntry;

use super::{Hit, gather::Gathered};

/// Comparison data of a hit.
pub(super) struct Side<'v> {
    /// Folded content.
    text: String,
    /// Words of the content without articles; equal for the same statement.
    words: Vec<String>,
    vector: Option<Cow<'v, [f32]>>,
    /// Computed from the content on first use.
    identity: OnceCell<Identity>,
}

impl<'v> Side<'v> {
    pub(super) fn new(content: &str, vector: Option<Cow<'v, [f32]>>) -> Self {
        let mut words = words::words(content);
        words.retain(|word| !matches!(word.as_str(), "a" | "an" | "the"));
        Self { text: text::fold(content), words, vector, identity: OnceCell::new() }
    }

    /// True if two entries are shown as one.
    pub(super) fn folds(&self, own: &MemoryEntry, other: &Side<'_>, other_entry: &MemoryEntry) -> bool {
        let (a, b) = (&own.content, &other_entry.content);
        may_repeat(own, other_entry) && (self.says_the_same(a, other, b) || self.may_fold(a, other, b))
    }

    /// True for the same statement, ignoring case, punctuation and articles. Needs no vector.
    fn says_the_same(&self, content: &str, other: &Side<'_>, other_content: &str) -> bool {
        self.text == other.text
            || self.words == other.words && similarity::near_identical(content, other_content)
    }

    /// As [`similarity::may_fold`], without parsing both texts again for each pair.
    fn may_fold(&self, content: &str, other: &Side<'_>, other_content: &str) -> bool {
        let cosine = self.vector.as_ref().zip(other.vector.as_ref()).map(|(a, b)| dot(a, b));
        cosine.is_some_and(|cosine| cosine > FOLD_COSINE)
            && self.identity(content) == other.identity(other_content)
            && !similarity::swaps_a_word(content, other_content)
    }

    fn identity(&self, content: &str) -> &Identity {
        self.identity.get_or_init(|| Identity::of(content))
    }
}

/// Only entries of the same place, subjects and time in the story are folded: the same words in two channels or conversations
/// are two facts, and so are the same words under two titles, of two subjects or of two times.
fn may_repeat(a: &MemoryEntry, b: &MemoryEntry) -> bool {
    a.place == b.place
        && a.is_active() == b.is_active()
        && !a.is_titled_otherwise(b)
        && a.has_links_and_span_of(b)
}

/// Puts the newer of two similar entries on top; true if that is `other`. Rank and score of the better hit
/// stay.
pub(super) fn fold_into(hit: &mut Hit, other: StoredEntry, gathered: &Gathered) -> bool {
    let newer = other.entry.updated_at > hit.stored.entry.updated_at;
    let older = if newer {
        hit.decay = gathered.decay[&other.entry.id];
        std::mem::replace(&mut hit.stored, other)
    } else {
        other
    };
    hit.folded.push(older.entry.id);
    newer
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn hits_are_folded_as_their_texts_alone_would_be(
            words in proptest::collection::vec((0..8usize, 0..10usize), 1..6),
            cosine in 0.85f32..1.0,
        ) {
            const WORDS: [&str; 8] = ["Mira", "gate", "not", "7", "open", "opened", "Toma", "grey"];
            let text = |swap: usize| {
                let pick = |(word, change): &(usize, usize)| WORDS[(word + usize::from(*change < swap)) % WORDS.len()];
                words.iter().map(pick).collect::<Vec<_>>().join(" ")
            };
            let (a, b) = (text(0), text(1));
            let vectors = [vec![1.0, 0.0], vec![cosine, (1.0 - cosine * cosine).sqrt()]];
            let of = |n: usize| Some(Cow::Borrowed(vectors[n].as_slice()));
            let (one, two) = (Side::new(&a, of(0)), Side::new(&b, of(1)));
            let plain = similarity::may_fold(&a, &b, Some(dot(&vectors[0], &vectors[1])));
            proptest::prop_assert_eq!(one.may_fold(&a, &two, &b), plain);
            proptest::prop_assert_eq!(two.may_fold(&b, &one, &a), plain);
            proptest::prop_assert!(!one.may_fold(&a, &Side::new(&b, None), &b));
        }
    }
}
