//! Whether a source that a caller names can be one: texts are compared as entries are.

use std::str::FromStr;

use super::{guard::says_the_same, similarity::Identity};
use crate::{
    derivation::share_held,
    ids::{FactId, MemoryId, MessageId, PageId},
};

/// A source that a caller names, as `memory:ID`, `message:ID`, `fact:ID` or `page:ID`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// An entry.
    Memory(MemoryId),
    Message(MessageId),
    Fact(FactId),
    /// A page; its block with the words is looked for.
    Page(PageId),
}

/// The text names no source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this names no source")]
pub struct UnknownClaim;

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, id) = text.trim().split_once(':').ok_or(UnknownClaim)?;
        match kind {
            "memory" => id.parse().map(Self::Memory).map_err(|_| UnknownClaim),
            "message" => id.parse().map(Self::Message).map_err(|_| UnknownClaim),
            "fact" => id.parse().map(Self::Fact).map_err(|_| UnknownClaim),
            "page" => id.parse().map(Self::Page).map_err(|_| UnknownClaim),
            _ => Err(UnknownClaim),
        }
    }
}

/// Least share of a text's words that a claimed source has to hold.
const LEAST_SHARE: f64 = 0.6;

/// True if a text can have been made of a source: one says what the other says, or the source has most of its words and every
/// number and name. A claim that fails is refused, because it would lend the text a standing that it has not.
pub fn holds_words_of(source: &str, text: &str) -> bool {
    if says_the_same(text, source) || says_the_same(source, text) {
        return true;
    }
    let (own, held) = (Identity::of(text), Identity::of(source));
    share_held(text, source) >= LEAST_SHARE && own.numbers().is_subset(held.numbers())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_claimed_source_holds_the_words() {
        let page =
            "Saltmere was founded by Mira Vance in 412, after the drought had emptied the upper valley.";
        for text in [
            "Mira Vance founded Saltmere in 412.",
            "Saltmere was founded after the drought.",
            "Saltmere was founded by Mira Vance in 412, after the drought had emptied the upper valley.",
        ] {
            assert!(holds_words_of(page, text), "{text}");
        }
        for text in [
            "Mira Vance founded Saltmere in 413.",
            "The king of Arden fears the sea and his brother.",
            "",
            "Saltmere is ruled by a council of nine glassblowers.",
        ] {
            assert!(!holds_words_of(page, text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_held_by_itself(text in "[A-Za-z]{4,9}( [A-Za-z]{4,9}){0,8}") {
            prop_assert!(holds_words_of(&text, &text));
        }
    }
}
