//! What the text of an entry was made of. A derivation is a part of the entry, so it is versioned, undone, locked, exported and
//! scrubbed with it. It holds no text of its source.
//!
//! The writers of a text are another matter (`memory::text_source`): a sentence that a client worded from a page has the client as
//! its writer and the page as its source.

pub mod axes;
pub mod framing;

use std::cmp::Ordering;

use crate::{
    hidden,
    ids::{FactId, MemoryId, MessageId, PageId},
    provenance::ActorKind,
    scope::words,
    text::{self, MAX_LABEL_CHARS, TextError},
};

/// Maximum number of derivations of one entry. An archive may cover more messages; then the newest are named.
pub const MAX_DERIVATIONS: usize = 256;

/// The kind of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// A message of a conversation.
    Message,
    /// Another entry.
    Memory,
    Fact,
    /// A file that was imported.
    File,
    /// A block of a page of a linked vault.
    Page,
}

words!(SourceKind, "kind of source", {
    Message => "message", Memory => "memory", Fact => "fact", File => "file", Page => "page",
});

/// One source of a text, as it was when the text was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Derivation {
    /// A message. What was said is not rewritten, so it has no version.
    Message(MessageId),
    /// An entry, which may be of the other file of memory.
    Memory {
        /// The entry.
        id: MemoryId,
        /// Its version then.
        version: u64,
    },
    Fact {
        id: FactId,
        /// The number of its value then.
        version: u64,
    },
    /// A file that was imported.
    File {
        /// The name without folders.
        name: String,
        /// SHA-256 of its bytes in hex.
        hash: String,
    },
    /// A block of a page.
    Page {
        id: PageId,
        /// Digest of the block's text then (`vault::PageBlock`).
        hash: String,
    },
}

impl Derivation {
    /// The kind of its source.
    pub const fn kind(&self) -> SourceKind {
        match self {
            Self::Message(_) => SourceKind::Message,
            Self::Memory { .. } => SourceKind::Memory,
            Self::Fact { .. } => SourceKind::Fact,
            Self::File { .. } => SourceKind::File,
            Self::Page { .. } => SourceKind::Page,
        }
    }

    /// A file. Folders before its name are left out; `None` if no name is left that can be shown.
    pub fn file(path: &str, hash: String) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: String = name.chars().take(MAX_LABEL_CHARS).collect();
        let name = text::label("file", &name).ok()?;
        // An agent reads the name with the entry.
        hidden::refuse_of(ActorKind::Agent, "file", &name).ok()?;
        is_hex(&hash, 64).then_some(Self::File { name, hash })
    }

    /// True if it is of the form in which it is stored: digests in hex, versions from 1.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Message(_) => true,
            Self::Memory { version, .. } | Self::Fact { version, .. } => {
                *version >= 1 && i64::try_from(*version).is_ok()
            }
            Self::File { name, hash } => Self::file(name, hash.clone()).as_ref() == Some(self),
            Self::Page { hash, .. } => is_hex(hash, 32),
        }
    }
}

fn is_hex(hash: &str, digits: usize) -> bool {
    hash.len() == digits && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The stored form: sorted, each once.
///
/// # Errors
/// [`TextError::TooLong`] with field `derivations` for more than [`MAX_DERIVATIONS`].
pub fn sorted(mut derivations: Vec<Derivation>) -> Result<Vec<Derivation>, TextError> {
    derivations.sort_unstable();
    derivations.dedup();
    if derivations.len() > MAX_DERIVATIONS {
        return Err(TextError::TooLong {
            field: "derivations",
            actual: derivations.len(),
            limit: MAX_DERIVATIONS,
            unit: "derivations",
        });
    }
    Ok(derivations)
}

/// The stored form of as many as fit: of too many the last ones, in the order given, which callers begin with the oldest.
pub fn newest(derivations: Vec<Derivation>) -> Vec<Derivation> {
    let mut kept: Vec<Derivation> = Vec::new();
    for derivation in derivations.into_iter().rev() {
        if kept.len() < MAX_DERIVATIONS && !kept.contains(&derivation) {
            kept.push(derivation);
        }
    }
    kept.sort_unstable();
    kept
}

/// How much of a text another text holds: the share of its words of content, from 0 to 1.
pub fn share_held(text: &str, by: &str) -> f64 {
    let content = |text: &str| -> Vec<String> {
        let mut words = crate::words::words(text);
        words.retain(|word| !crate::words::is_stop_word(word));
        words.sort_unstable();
        words.dedup();
        words
    };
    let (wanted, held) = (content(text), content(by));
    if wanted.is_empty() {
        return 0.0;
    }
    let found = wanted.iter().filter(|word| held.binary_search(word).is_ok()).count();
    found as f64 / wanted.len() as f64
}

/// The item whose text holds most of the words of a text; of equal ones the last. `None` if none holds any.
pub fn nearest<'t, T>(text: &str, items: impl IntoIterator<Item = (T, &'t str)>) -> Option<T> {
    let held = items.into_iter().map(|(item, by)| (share_held(text, by), item));
    let best = held.filter(|(share, _)| *share > 0.0);
    best.max_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(Ordering::Equal)).map(|(_, item)| item)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn message(n: u128) -> Derivation {
        Derivation::Message(MessageId::from_uuid(Uuid::from_u128(n)))
    }

    #[test]
    fn a_file_is_named_without_its_folders() {
        let hash = "0123456789abcdef".repeat(4);
        let of = |path: &str| match Derivation::file(path, hash.clone()) {
            Some(Derivation::File { name, .. }) => Some(name),
            _ => None,
        };
        assert_eq!(of("/home/mira/World bible.md").as_deref(), Some("World bible.md"));
        assert_eq!(of(r"C:\Users\Mira\lore.json").as_deref(), Some("lore.json"));
        assert_eq!(of("lore.json").as_deref(), Some("lore.json"));
        assert_eq!((of(""), of("folder/")), (None, None));
        assert_eq!(Derivation::file("lore.json", "ABC".into()), None);
    }

    #[test]
    fn of_too_many_the_newest_are_kept() {
        let all: Vec<_> = (0..300).map(message).collect();
        let kept = newest(all.clone());
        assert_eq!(kept.len(), MAX_DERIVATIONS);
        assert_eq!(kept, all[300 - MAX_DERIVATIONS..]);
        assert!(sorted(all).is_err());
    }

    proptest! {
        #[test]
        fn the_stored_form_is_sorted_and_has_each_once(numbers in prop::collection::vec(0_u128..40, 0..80)) {
            let given: Vec<_> = numbers.iter().map(|n| message(*n)).collect();
            let stored = sorted(given.clone()).expect("few enough");
            prop_assert!(stored.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(given.iter().all(|one| stored.contains(one)));
            prop_assert_eq!(newest(given), stored);
        }
    }
}
