//! Known texts of agents and clients. An imported entry with the same text is attributed to the same sources,
//! so that exporting and importing a text does not make it the worldbuilder's own.

use std::collections::{BTreeSet, HashMap, HashSet};

use inklings_domain::{
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
        text_source::TextSource,
    },
    provenance::Curator,
    text::mark,
};

use crate::{error::AppError, services::Memories};

/// Sources by hash of the text.
#[derive(Debug, Default)]
pub struct AgentTexts(HashMap<u64, BTreeSet<TextSource>>);

fn key(text: &str) -> u64 {
    mark(text.trim().bytes())
}

impl AgentTexts {
    /// The sources of a text; `None` if no agent wrote the same text, or if the worldbuilder also wrote it.
    pub fn sources(&self, text: &str) -> Option<&BTreeSet<TextSource>> {
        self.0.get(&key(text))
    }

    /// Attributes an imported entry to the agent if its text is an agent's.
    pub(crate) fn with_sources(&self, entry: MemoryEntry) -> MemoryEntry {
        match self.sources(&entry.content) {
            None => entry,
            Some(sources) => {
                let entry = MemoryEntry { curator: Curator::Agent, ..entry };
                entry.with_text_sources(sources.iter().copied())
            }
        }
    }
}

impl Memories<'_> {
    /// The texts of agents and clients, including forgotten entries.
    pub(crate) async fn texts_of_agents(&self) -> Result<AgentTexts, AppError> {
        let filter = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
        let (mut texts, mut own) = (AgentTexts::default(), HashSet::new());
        for entry in self.every(&filter, Sort::CreatedAsc).await? {
            let sources = entry.text_sources();
            if sources.is_empty() {
                own.insert(key(&entry.content));
            } else {
                texts.0.entry(key(&entry.content)).or_default().extend(sources);
            }
        }
        texts.0.retain(|text, _| !own.contains(text));
        Ok(texts)
    }
}
