//! Converts proposals to views.

use crate::{
    proposal::view::{Decision, Mark, ProposedEntry},
    view::memory::MemoryRow,
};
use inklings_domain::{memory::coverage::Coverage, proposal as proposals};

/// The names, numbers and negations that a new text lost and gained.
pub fn marks(coverage: Coverage) -> (Vec<Mark>, Vec<Mark>) {
    let mark =
        |mark: inklings_domain::memory::coverage::Mark| Mark { kind: mark.kind.into(), text: mark.text };
    (coverage.lost.into_iter().map(mark).collect(), coverage.added.into_iter().map(mark).collect())
}

/// The entry that a proposal creates; `row` is its current state after acceptance.
pub fn proposed_entry(makes: &proposals::NewEntry, row: Option<MemoryRow>) -> ProposedEntry {
    ProposedEntry {
        scope: makes.place.scope().into(),
        title: makes.title.clone(),
        keys: makes.keys.clone(),
        source: makes.source.clone(),
        importance: makes.importance.get(),
        tags: makes.tags.clone(),
        row,
    }
}

/// Converts a decision from its view.
pub fn decision(view: Decision) -> proposals::Decision {
    match view {
        Decision::Accept => proposals::Decision::Accept,
        Decision::AcceptEdited { content } => proposals::Decision::AcceptEdited(content),
        Decision::Reject => proposals::Decision::Reject,
        Decision::NewerWins => proposals::Decision::NewerWins,
        Decision::OlderWins => proposals::Decision::OlderWins,
    }
}
