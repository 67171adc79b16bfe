//! Refusals of the guards for memories of agents.

use std::fmt;

use inklings_domain::{ids::MemoryId, memory::guard::says_the_same, orientation::one_line};

/// Maximum characters of a passage.
const PASSAGE_CHARS: usize = 300;

/// What says a text already. It is shown to whoever wrote the text; it is in no log and no error message.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Passage {
    /// What it stands in: a page, a fact.
    pub place: String,
    /// The words.
    pub text: String,
}

impl fmt::Debug for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passage({} characters)", self.text.chars().count())
    }
}

impl Passage {
    /// The part of a known text that says a new one already; the beginning if it is the whole that does.
    pub fn of(place: impl Into<String>, known: &str, new: &str) -> Self {
        let sentence = known.split_inclusive(['.', '!', '?', '\n']).find(|part| says_the_same(new, part));
        let text = one_line(sentence.unwrap_or(known).trim(), PASSAGE_CHARS).0;
        Self { place: place.into(), text }
    }

    /// The passage for people and models.
    pub fn shown(&self) -> String {
        if self.place.is_empty() {
            format!("\"{}\"", self.text)
        } else {
            format!("{}: \"{}\"", self.place, self.text)
        }
    }
}

/// Why a guard refused an agent's text. Worded for the agent; never contains memory text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GuardRefusal {
    /// A memory already contains it.
    #[error("this is noted already, in the memory {0}; update that one if it should say more")]
    Noted(MemoryId, Passage),
    /// A fact already contains it.
    #[error("this is on record as a fact already")]
    Fact(Passage),
    /// A message of the conversation contains it verbatim.
    #[error("this stands in the conversation, word for word; remember what follows from it, or nothing")]
    Said,
    /// The world's own content contains it.
    #[error("this can be read in the world's own content at any time")]
    Content(Passage),
    /// It was recalled into this turn.
    #[error("this was recalled into this very turn; it needs no second note")]
    Echo(Passage),
    /// It was said to be made of a source that does not hold its words.
    #[error("this source does not say that; name the source that does, or none")]
    NotInSource,
    /// It names something of a world, but the account tier holds only preferences and ways of working.
    #[error(
        "this names something of this world; the account tier holds only preferences and ways of working"
    )]
    World,
    /// It describes a world without using a known name, but is meant for the account tier.
    #[error("this tells of a world; the account tier holds only preferences and ways of working")]
    OfWorld,
    /// It is unclear whether it describes a world or the worldbuilder.
    #[error(
        "this may be about a world; the account tier holds only what the worldbuilder prefers and how they work: say \
         that plainly, about the worldbuilder, or note it in the workspace"
    )]
    Unclear,
    /// The worldbuilder scrubbed it.
    #[error("the worldbuilder removed this from memory for good; it is not to be remembered again")]
    Scrubbed,
}

impl GuardRefusal {
    /// What says the text already, for whoever wrote it.
    pub const fn passage(&self) -> Option<&Passage> {
        match self {
            Self::Noted(_, passage) | Self::Fact(passage) | Self::Content(passage) | Self::Echo(passage) => {
                Some(passage)
            }
            _ => None,
        }
    }
}
