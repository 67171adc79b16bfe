//! Views of what entries were made of.

use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// Kind of a source.
    SourceKind = domain::derivation::SourceKind {
        Message, Memory, Fact, File, Page,
    }
);

mirror!(
    /// What has become of a source since.
    SourceState = domain::derivation::axes::SourceState {
        Current, Changed, Contested, Gone, Elsewhere,
    }
);

mirror!(
    /// Where a text comes from.
    OriginAxis = domain::derivation::axes::OriginAxis {
        Authored, Imported, AgentProduced, Observed,
    }
);

mirror!(
    /// Where an entry is in its life.
    LifecycleAxis = domain::derivation::axes::LifecycleAxis {
        Active, Superseded, Forgotten,
    }
);

mirror!(
    /// How far an entry can be relied on, by what it was made of.
    StandingAxis = domain::derivation::axes::StandingAxis {
        Current, Changed, Gone, Contested,
    }
);

/// A source of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
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
