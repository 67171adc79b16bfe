//! Prints runs of consolidation as text.

use crate::output::texts::line;
use crate::output::texts::word;
use inklings_api::{
    schedule::view::RunItem,
    view::run::{RunCounts, RunView},
};

pub fn counts(counts: &RunCounts) -> String {
    format!(
        "{} looked at, {} promoted, {} faded, {} merged, {} over the limit, {} told in {} texts, {} proposals",
        counts.scanned,
        counts.promoted,
        counts.faded,
        counts.merged,
        counts.capped,
        counts.rewritten,
        counts.created,
        counts.proposed
    )
}

/// The effects of a run. A persist run creates entries; a consolidation merges several entries into one.
pub(crate) fn came_to(run: &RunView) -> String {
    let RunCounts { scanned, promoted, created, faded, .. } = run.counts;
    if run.task == "persist" {
        format!("{scanned} looked at, {promoted} carried over, {created} noted, {faded} forgotten")
    } else {
        counts(&run.counts)
    }
}

pub fn runs(runs: &[RunView]) -> String {
    let row = |run: &RunView| {
        format!(
            "{}  {}  {}  {}  {}",
            run.id,
            run.task,
            word(&run.state),
            run.started_at,
            run.error.clone().unwrap_or_else(|| came_to(run))
        )
    };
    runs.iter().map(row).collect::<Vec<_>>().join("\n")
}

pub fn items(items: &[RunItem]) -> String {
    let row = |item: &RunItem| {
        let into = item.into.as_deref().map(|into| format!(" -> {into}")).unwrap_or_default();
        format!("{}  {}{into}  {}  ({})", word(&item.act), item.row.id, line(&item.row.preview), item.reason)
    };
    items.iter().map(row).collect::<Vec<_>>().join("\n")
}
