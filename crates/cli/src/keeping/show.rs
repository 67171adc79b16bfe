//! Named entries, orientations, proposals, runs and tasks as text for people.

use std::fmt::Write as _;

use inklings_api::views::{
    keeping::{
        LeftOutRule, NamedEntryView, OrientationItem, OrientationView, ProposalView, ReadPage, ReadView,
    },
    runs::{RunCounts, RunItem, RunView, TaskView},
};

/// Characters of a text that a list shows.
const SHOWN: usize = 100;

fn line(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{} …", &flat[..at]),
        None => flat,
    }
}

/// A stable word of the wire ("open") for people.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

pub fn named(entries: &[NamedEntryView]) -> String {
    let row = |entry: &NamedEntryView| {
        let aliases = if entry.aliases.is_empty() {
            String::new()
        } else {
            format!("  (also {})", entry.aliases.join(", "))
        };
        let text = if entry.content.is_empty() { "empty".to_owned() } else { line(&entry.content) };
        format!("{}{aliases}  {}  {} tokens  {text}", entry.name, word(&entry.scope), entry.tokens)
    };
    entries.iter().map(row).collect::<Vec<_>>().join("\n")
}

pub fn named_whole(entry: &NamedEntryView) -> String {
    if entry.content.is_empty() { format!("(empty) {}", entry.placeholder) } else { entry.content.clone() }
}

pub fn orientation(view: &OrientationView, explain: bool) -> String {
    let mut text = view.markdown.clone().unwrap_or_default().trim().to_owned();
    if explain {
        let _ = write!(text, "\n\n{} of {} tokens", view.tokens, view.budget);
        for layer in &view.layers {
            let failed = if layer.failed { ", could not be read" } else { "" };
            let _ = write!(
                text,
                "\n  {:<12} {:>5} of {:>5} tokens, {} taken, {} left out{failed}",
                word(&layer.layer),
                layer.used,
                layer.budget,
                layer.taken,
                layer.left_out
            );
        }
        for item in &view.items {
            let _ = write!(text, "\n{}", explained(item));
        }
    }
    text
}

/// What tools and clients were shown, with the first words of each thing as it is now.
pub fn reads(page: &ReadPage) -> String {
    let row = |read: &ReadView| {
        let who = read.client.as_deref().unwrap_or("World Agent");
        let at = crate::output::minute(&read.at);
        let mut text = format!("{at}  {who}  {}  {} shown", word(&read.through), read.count);
        for item in &read.items {
            let label = if item.label.is_empty() { "(gone)".to_owned() } else { line(&item.label) };
            let _ = write!(text, "\n  {} {}  {label}", word(&item.kind), item.id);
        }
        text
    };
    let mut lines: Vec<String> = page.rows.iter().map(row).collect();
    lines.extend(page.next.as_ref().map(|next| format!("More: --after {next}")));
    lines.join("\n")
}

fn explained(item: &OrientationItem) -> String {
    let what = match item.rule {
        None if item.shortened => "taken, shortened".to_owned(),
        None => "taken".to_owned(),
        Some(LeftOutRule::Budget) => "left out: no room left".to_owned(),
        Some(LeftOutRule::Limit) => "left out: beyond what its layer looks at".to_owned(),
        Some(LeftOutRule::Refined) => "left out: the second look dropped it".to_owned(),
        Some(LeftOutRule::Repeats) => {
            format!("left out: says the same as {}", item.repeats.as_deref().unwrap_or("another"))
        }
    };
    let parts: Vec<String> = item
        .parts
        .iter()
        .map(|part| format!("{} #{} {:.3}", word(&part.list), part.rank, part.score))
        .collect();
    let score = item.score.map(|score| format!("  score {score:.3}")).unwrap_or_default();
    format!(
        "  [{}] {} {}  {} tokens  {what}{score}  {}  {}",
        word(&item.layer),
        word(&item.kind),
        item.id,
        item.tokens,
        parts.join(", "),
        line(&item.label)
    )
}

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

/// What a run came to; a run of persist writes entries of its own, one of consolidation tells several in one.
fn came_to(run: &RunView) -> String {
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

pub fn proposals(proposals: &[ProposalView]) -> String {
    let row = |proposal: &ProposalView| {
        let mut text = format!(
            "{}  {}  {}  by {}: {}",
            proposal.id,
            word(&proposal.kind),
            word(&proposal.state),
            word(&proposal.filed_by),
            proposal.reason
        );
        for subject in &proposal.subjects {
            let since = if subject.changed_since { "  (changed since)" } else { "" };
            let _ = write!(text, "\n    {}  {}{since}", subject.id, line(&subject.content));
        }
        if let Some(makes) = &proposal.makes {
            let _ = write!(text, "\n    a new memory in the {}, by {}", word(&makes.scope), makes.source);
        }
        if let Some(content) = &proposal.content {
            let _ = write!(text, "\n  + {}", line(content));
        }
        for mark in &proposal.lost {
            let _ = write!(text, "\n  - loses the {} \"{}\"", word(&mark.kind), mark.text);
        }
        text
    };
    proposals.iter().map(row).collect::<Vec<_>>().join("\n")
}

pub fn tasks(tasks: &[TaskView]) -> String {
    let row = |task: &TaskView| {
        let every =
            task.every_minutes.map_or_else(|| "on events".to_owned(), |every| format!("every {every} min"));
        let last = match (&task.last_started_at, task.running) {
            (_, true) => "running".to_owned(),
            (None, _) => "never ran".to_owned(),
            (Some(at), _) => {
                let outcome = task.outcome.as_ref().map_or_else(|| "cut off".to_owned(), word);
                format!("{at} {outcome}: {}", task.message.as_deref().unwrap_or_default())
            }
        };
        format!("{:<12} {:<14} {last}", task.name, every)
    };
    tasks.iter().map(row).collect::<Vec<_>>().join("\n")
}
