//! The reason an entry was forgotten.

use std::fmt;

use crate::{
    text::{self, TextError},
    workspace::WorkspaceName,
};

/// Lists the program's own reasons: the variant, the stored code, and the sentence for people and files.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident => $code:literal, $sentence:literal;)+) => {
        /// The reason an entry was forgotten. Each action of the program has its own variant; sentences are never
        /// compared.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum ForgetReason {
            /// A person, an agent or a client asked for it, perhaps with a note.
            Asked(Option<String>),
            /// The worldbuilder moved it into another database, where a new entry replaces it; with the name of the world
            /// that it is in, if it left its own.
            Moved(Option<String>),
            $($(#[$doc])+ $variant,)+
        }

        impl ForgetReason {
            /// Every code, in the order of the variants.
            pub const CODES: &'static [&'static str] = &[ASKED, MOVED, $($code),+];

            /// The stable lower-case code of the variant (storage and wire).
            pub const fn code(&self) -> &'static str {
                match self {
                    Self::Asked(_) => ASKED,
                    Self::Moved(_) => MOVED,
                    $(Self::$variant => $code,)+
                }
            }

            /// The text of [`fmt::Display`] without a note.
            const fn sentence(&self) -> &'static str {
                match self {
                    Self::Asked(_) => "forgotten by the worldbuilder",
                    Self::Moved(_) => "it was moved to another place",
                    $(Self::$variant => $sentence,)+
                }
            }

            /// The reason for a stored code and note; `None` for an unknown code.
            pub fn of_code(code: &str, note: Option<String>) -> Option<Self> {
                let note = note.filter(|note| !note.is_empty());
                match code {
                    ASKED => Some(Self::Asked(note)),
                    MOVED => Some(Self::Moved(note.filter(|note| note != Self::Moved(None).sentence()))),
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Every reason, without notes.
            fn all() -> impl Iterator<Item = Self> {
                [Self::Asked(None), Self::Moved(None), $(Self::$variant),+].into_iter()
            }
        }
    };
}

const ASKED: &str = "asked";
const MOVED: &str = "moved";

reasons! {
    /// Its relevance fell too low.
    Faded => "faded", "it had faded";
    /// Its tier was full, and the other entries ranked higher.
    Capped => "capped", "its tier was full";
    /// Another entry says the same.
    Merged => "merged", "another entry says the same";
    /// A consolidated text replaces it and others.
    Consolidated => "consolidated", "a consolidated entry stands for it";
    /// Its conversation ended.
    ConversationEnded => "conversation_ended", "its conversation ended";
    /// Its conversation ended, and an entry of the channel replaces it.
    CarriedOver => "carried_over", "its conversation ended; the channel remembers it";
    /// Its conversation was deleted.
    ConversationDeleted => "conversation_deleted", "its conversation was deleted";
    /// The worldbuilder accepted a proposal that forgets it.
    ProposalAccepted => "proposal_accepted", "a proposal that the worldbuilder accepted";
    /// It was the rejected entry in a contradiction.
    Contradicted => "contradicted", "it contradicted another entry";
    /// An import brought an entry with the same name.
    MadeWay => "made_way", "an import brought one of this name";
    /// The change that made it was undone.
    CreationUndone => "creation_undone", "its creation was undone";
    /// It was switched off in the program it was imported from.
    SwitchedOff => "switched_off", "it was switched off where it came from";
    /// The worldbuilder removed a named entry.
    Removed => "removed", "removed by the worldbuilder";
}

impl ForgetReason {
    /// A request with a note.
    ///
    /// # Errors
    /// [`TextError`] if the note is empty, too long, or holds control characters.
    pub fn noted(note: &str) -> Result<Self, TextError> {
        Ok(Self::Asked(Some(text::label("reason", note)?)))
    }

    /// A move to another world.
    pub fn moved_to(world: &WorkspaceName) -> Self {
        Self::Moved(Some(world.as_str().to_owned()))
    }

    /// The note of the request, or the world that a move led to, if any.
    pub fn note(&self) -> Option<&str> {
        match self {
            Self::Asked(note) | Self::Moved(note) => note.as_deref(),
            _ => None,
        }
    }

    /// The reason for a text without a code, from a file of an earlier release or from an export. Sentences are
    /// parsed only here.
    pub fn of_text(text: &str) -> Self {
        let known = Self::all().find(|reason| reason.sentence() == text);
        known.unwrap_or_else(|| Self::Asked(Some(text.to_owned())))
    }

    /// True if [`Self::of_text`] returns this reason for its text. False for a note that equals a sentence of the
    /// program, and for the name of a world.
    pub fn is_derivable_from_text(&self) -> bool {
        Self::of_text(&self.to_string()) == *self
    }
}

impl fmt::Display for ForgetReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.note().unwrap_or(self.sentence()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_reason_of_the_program_has_a_code_and_a_sentence_of_its_own() {
        let all: Vec<ForgetReason> = ForgetReason::all().collect();
        let codes: Vec<&str> = all.iter().map(ForgetReason::code).collect();
        assert_eq!(codes, ForgetReason::CODES);
        for count in [
            codes.iter().collect::<BTreeSet<_>>().len(),
            all.iter().map(ForgetReason::sentence).collect::<BTreeSet<_>>().len(),
        ] {
            assert_eq!(count, all.len());
        }
        for reason in all {
            assert_eq!(ForgetReason::of_code(reason.code(), None).as_ref(), Some(&reason));
            assert_eq!(ForgetReason::of_text(&reason.to_string()), reason);
            assert!(reason.is_derivable_from_text());
        }
        assert_eq!(ForgetReason::of_code("else", None), None);
    }

    #[test]
    fn a_note_that_reads_like_a_reason_of_the_program_stays_a_note() {
        for reason in ForgetReason::all() {
            let noted = ForgetReason::noted(&reason.to_string()).expect("a note");
            assert_ne!(noted, reason);
            assert_eq!(noted.code(), ASKED);
            assert!(!noted.is_derivable_from_text());
            let stored = ForgetReason::of_code(noted.code(), noted.note().map(str::to_owned));
            assert_eq!(stored, Some(noted));
        }
    }

    #[test]
    fn a_move_to_another_world_keeps_its_name() {
        for name in ["Westmark", "it had faded"] {
            let moved = ForgetReason::moved_to(&WorkspaceName::new(name).expect("a name"));
            assert_eq!((moved.code(), moved.note()), (MOVED, Some(name)));
            assert!(!moved.is_derivable_from_text());
            for stored in [moved.note().map(str::to_owned), Some(moved.to_string())] {
                assert_eq!(ForgetReason::of_code(MOVED, stored), Some(moved.clone()));
            }
        }
        // Files and rows of earlier releases have the sentence, or nothing.
        for stored in [None, Some(String::new()), Some(ForgetReason::Moved(None).to_string())] {
            assert_eq!(ForgetReason::of_code(MOVED, stored), Some(ForgetReason::Moved(None)));
        }
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_after_it_was_read_as_a_reason(text in "\\PC{0,80}") {
            let reason = ForgetReason::of_text(&text);
            prop_assert_eq!(reason.to_string(), text);
            prop_assert!(reason.is_derivable_from_text());
        }
    }
}
