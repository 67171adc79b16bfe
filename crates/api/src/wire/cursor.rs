//! Cursor.

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

/// Where a page ended, as it crosses the boundary.
pub fn cursor_text(at: DateTime<Utc>, id: impl std::fmt::Display) -> String {
    format!("{}.{id}", at.timestamp_micros())
}

/// Reads what [`cursor_text`] gave.
///
/// # Errors
/// [`CommandError`] of code `invalid`.
pub fn cursor<T: std::str::FromStr>(text: &str) -> Result<(DateTime<Utc>, T), CommandError> {
    let read = || {
        let (micros, id) = text.split_once('.')?;
        Some((DateTime::from_timestamp_micros(micros.parse().ok()?)?, id.parse().ok()?))
    };
    read().ok_or_else(|| CommandError::invalid("after", "This is not where a page ended."))
}
