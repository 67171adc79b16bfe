//! Convert.

use crate::error::CommandError;
use crate::{
    memory::view::MemoryRow,
    named_entry::view::NamedEntryView,
    orientation::view::{
        LayerBudget, LeftOutRule, OrientationItem, OrientationKind, OrientationSettings, OrientationShares,
        OrientationSummary, OrientationView,
    },
    proposal::view::{Decision, Mark, ProposedEntry},
    schedule::view::{ConsolidationSettings, RunCounts, RunView, TaskView},
    search::view::Contribution,
    wire::{count, time},
};
use chrono::{DateTime, Duration, Utc};
use inklings_application::{consolidation, orientation, schedule::ScheduledTask};
use inklings_domain::{
    consolidation::run as runs,
    conversation::message::estimated_tokens,
    forget_reason::ForgetReason,
    memory::{MemoryEntry, coverage::Coverage},
    named_entry, orientation as domain,
    orientation::{Layer, LeftOut, PerLayer},
    proposal as proposals,
    schedule::TaskState,
    search::ranking,
};

/// A named entry.
pub fn named(entry: &MemoryEntry) -> NamedEntryView {
    let placeholder = named_entry::placeholder(entry);
    NamedEntryView {
        id: entry.id.to_string(),
        name: entry.name.clone().unwrap_or_default(),
        aliases: entry.aliases.clone(),
        scope: entry.scope().into(),
        content: entry.content.clone(),
        placeholder: placeholder.to_owned(),
        standing: !placeholder.is_empty(),
        curator: entry.curator.into(),
        version: count(entry.version),
        tokens: if entry.content.is_empty() { 0 } else { count(estimated_tokens(&entry.content)) },
        created_at: time(entry.created_at),
        edited_at: (entry.version > 1 || !entry.content.is_empty()).then(|| time(entry.updated_at)),
    }
}
