//! Views of what entries were made of.

use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// Kind of a source.
    SourceKind = domain::derivation::SourceKind {
        /// A message of a conversation.
        Message,
        /// Another entry.
        Memory,
        /// A fact.
        Fact,
        /// A file that was imported.
        File,
        /// A block of a page of a linked vault.
        Page,
    }
);

mirror!(
    /// What has become of a source since.
    SourceState = domain::derivation::axes::SourceState {
        /// As it was.
        Current,
        /// It says something else now.
        Changed,
        /// An open contradiction is about it.
        Contested,
        /// It is forgotten, removed or destroyed.
        Gone,
        /// It cannot be looked up from here.
        Elsewhere,
    }
);

mirror!(
    /// Where a text comes from.
    OriginAxis = domain::derivation::axes::OriginAxis {
        /// The worldbuilder wrote it.
        Authored,
        /// It stood in a file that was imported.
        Imported,
        /// An agent, a client or a task worded it.
        AgentProduced,
        /// A task took it from what the worldbuilder wrote in a conversation.
        Observed,
    }
);

mirror!(
    /// Where an entry is in its life.
    LifecycleAxis = domain::derivation::axes::LifecycleAxis {
        /// In use.
        Active,
        /// Replaced by another entry.
        Superseded,
        /// Forgotten.
        Forgotten,
    }
);

mirror!(
    /// How far an entry can be relied on, by what it was made of.
    StandingAxis = domain::derivation::axes::StandingAxis {
        /// Nothing that it was made of has changed.
        Current,
        /// A source says something else now.
        Changed,
        /// Every source is gone.
        Gone,
        /// An open contradiction is about it or a source.
        Contested,
    }
);

/// A source of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    /// Kind of the source.
    pub kind: SourceKind,
    /// Id of the message, entry, fact or page; none for a file.
    pub id: Option<String>,
    /// What it is called; none if nothing is left of it.
    pub label: Option<String>,
    /// Where its own text comes from, of a memory, a fact or a page that is there.
    pub origin: Option<OriginAxis>,
    /// Its own word for where it is in its life: the `status` of a page.
    pub lifecycle: Option<String>,
    /// How many entries lead to it, or pages that are linked to a page.
    pub pointed_at: u32,
    /// The version then, of an entry or a fact.
    pub version: Option<u32>,
    /// The digest then, of a file or a block of a page.
    pub hash: Option<String>,
    /// What has become of it.
    pub state: SourceState,
}

/// The axes of an entry, computed when it is read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AxesView {
    /// Where its text comes from.
    pub origin: OriginAxis,
    /// Where it is in its life.
    pub lifecycle: LifecycleAxis,
    /// How much points at it now.
    #[specta(type = specta_typescript::Number)]
    pub weight: f64,
    /// What has become of what it was made of.
    pub standing: StandingAxis,
    /// Entries that were made of it.
    pub built_on: u32,
}
