//! Prints orientations and the ledger as text.

use crate::output::texts::line;
use crate::output::texts::word;
use inklings_api::orientation::view::{LeftOutRule, OrientationItem, OrientationView, ReadPage, ReadView};
use std::fmt::Write as _;

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

/// Recorded reads of tools and clients, with the first words of each item's current text.
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

pub(crate) fn explained(item: &OrientationItem) -> String {
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
