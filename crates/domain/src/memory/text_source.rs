//! The sources of an entry's text other than its curator. Merging, carrying over, accepting a proposal and importing
//! keep the sources. A text is as trusted as the least trusted of its sources.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::{
    derivation::Derivation,
    ids::ClientId,
    memory::{InvalidMemory, MemoryEntry, MemoryPatch, Stamp},
    provenance::{Actor, ActorKind, Curator},
};

/// A writer other than the worldbuilder, ordered from most to least trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextSource {
    /// The World Agent or a background task.
    Agent,
    /// An MCP client.
    Client(ClientId),
}

/// Prefix of the stored form of a client.
const CLIENT: &str = "client:";

/// The text is not a valid source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no source of a text")]
pub struct UnknownTextSource;

impl fmt::Display for TextSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent => f.write_str("agent"),
            Self::Client(id) => write!(f, "{CLIENT}{id}"),
        }
    }
}

impl FromStr for TextSource {
    type Err = UnknownTextSource;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix(CLIENT) {
            Some(id) => id.parse().map(Self::Client).map_err(|_| UnknownTextSource),
            None if text == "agent" => Ok(Self::Agent),
            None => Err(UnknownTextSource),
        }
    }
}

impl TextSource {
    /// The source for text of an actor; `None` for the worldbuilder.
    pub fn of(actor: Actor) -> Option<Self> {
        match (actor.client(), actor.kind()) {
            (Some(client), _) => Some(Self::Client(client)),
            (None, ActorKind::Agent | ActorKind::System) => Some(Self::Agent),
            (None, ActorKind::Author | ActorKind::Import) => None,
        }
    }

    /// True for an MCP client.
    pub const fn is_client(self) -> bool {
        matches!(self, Self::Client(_))
    }
}

/// Whose words a text holds besides those of who writes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OthersWords {
    /// Their writers; empty if all words are those of who writes it.
    pub sources: BTreeSet<TextSource>,
    /// True if the whole text is theirs, so that it becomes nobody else's by being written.
    pub is_whole: bool,
}

impl MemoryEntry {
    /// Every source of the text, including the source implied by the curator. Empty for the worldbuilder's own words.
    pub fn text_sources(&self) -> BTreeSet<TextSource> {
        let mut sources: BTreeSet<TextSource> = self.derived_from.iter().copied().collect();
        // A client's own note has the curator `Agent`, but all its words are the client's.
        if self.curator == Curator::Agent && sources.is_empty() {
            sources.insert(TextSource::Agent);
        }
        sources
    }

    /// True if the text holds words of this client.
    pub fn holds_words_of(&self, client: ClientId) -> bool {
        self.derived_from.contains(&TextSource::Client(client))
    }

    /// True if the text holds words of any client.
    pub fn holds_client_words(&self) -> bool {
        self.derived_from.iter().any(|source| source.is_client())
    }

    /// Returns the entry with additional sources.
    #[must_use]
    pub fn with_text_sources(mut self, more: impl IntoIterator<Item = TextSource>) -> Self {
        let mut sources: BTreeSet<TextSource> = self.derived_from.iter().copied().collect();
        sources.extend(more);
        // The curator implies this source.
        if self.curator == Curator::Agent {
            sources.remove(&TextSource::Agent);
        }
        self.derived_from = sources.into_iter().collect();
        self
    }

    /// Returns a new entry with the writers of its text. If the whole text is theirs, it is not the worldbuilder's own.
    #[must_use]
    pub fn with_others_words(mut self, words: OthersWords) -> Self {
        if words.is_whole && !words.sources.is_empty() {
            self.curator = Curator::Agent;
        }
        self.with_text_sources(words.sources)
    }

    /// Returns the entry with a text that somebody else proposed and the worldbuilder accepted. The curator stays,
    /// unless the worldbuilder rewrote the text. The sources are kept. `derivations`: what the proposed text was made of; without
    /// any, it was made of what the text before was made of.
    pub fn accepted(
        &self,
        content: String,
        (source, derivations): (Option<TextSource>, &[Derivation]),
        rewritten: bool,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let made_of = if derivations.is_empty() { &self.derivations } else { derivations };
        let patch = MemoryPatch {
            content: Some(content),
            derivations: Some(made_of.to_vec()),
            others_words: OthersWords { sources: source.into_iter().collect(), is_whole: !rewritten },
            ..MemoryPatch::default()
        };
        self.edited(patch, stamp)
    }
}

/// The entries that determine importance and lifetime of a merged text: those of the least trusted sources.
pub fn least_trusted(entries: &[MemoryEntry]) -> Vec<&MemoryEntry> {
    let rank = |entry: &&MemoryEntry| match entry.text_sources().last() {
        None => 0,
        Some(TextSource::Agent) => 1,
        Some(TextSource::Client(_)) => 2,
    };
    let least = entries.iter().map(|entry| rank(&entry)).max();
    entries.iter().filter(|entry| Some(rank(entry)) == least).collect()
}

/// The curator of a merged text. If only agents wrote the texts, the curator is the agent, whoever merges them. A
/// text with words of the worldbuilder stays protected.
pub fn merged_curator(entries: &[MemoryEntry]) -> Curator {
    let protected = entries.iter().map(|entry| entry.curator).filter(|curator| curator.is_protected());
    // `Import` is the less trusted of the two.
    protected.max().unwrap_or(Curator::Agent)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_source_is_read_as_it_was_written() {
        let client = TextSource::Client(ClientId::from_uuid(Uuid::from_u128(7)));
        for source in [TextSource::Agent, client] {
            assert_eq!(source.to_string().parse(), Ok(source));
        }
        for bad in ["", "author", "client:", "client:7", "Agent"] {
            assert_eq!(bad.parse::<TextSource>(), Err(UnknownTextSource), "{bad}");
        }
        assert!(TextSource::Agent < client, "the least trusted last");
    }
}
