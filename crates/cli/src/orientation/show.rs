//! Prints orientations and the ledger as text.

use crate::output::texts::line;
use crate::output::texts::word;
use inklings_api::{
    orientation::view::{
        LeftOutRule, OrientationItem, OrientationView, ReadPage, ReadView, WhyRule, WhyView,
    },
    search::parts::Contribution,
};
use std::fmt::Write as _;

pub fn orientation(view: &OrientationView, explain: bool) -> String {
    let mut text = view.markdown.clone().unwrap_or_default().trim().to_owned();
    if explain {
        if !view.query.is_empty() {
            let _ = write!(text, "\n\nsearched for: {}", line(&view.query));
        }
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
        Some(LeftOutRule::Unknown) => "withheld: the knower does not know it".to_owned(),
        Some(LeftOutRule::NotThen) => "withheld: it is later in the story".to_owned(),
        Some(LeftOutRule::Repeats) => {
            format!("left out: says the same as {}", item.repeats.as_deref().unwrap_or("another"))
        }
    };
    let score = item.score.map(|score| format!("  score {score:.3}")).unwrap_or_default();
    format!(
        "  [{}] {} {}  {} tokens  {what}{score}  {}  {}",
        word(&item.layer),
        word(&item.kind),
        item.id,
        item.tokens,
        parts(&item.parts),
        line(&item.label)
    )
}

fn parts(parts: &[Contribution]) -> String {
    let part = |part: &Contribution| format!("{} #{} {:.3}", word(&part.list), part.rank, part.score);
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The answer about one memory or page: the rule, its rank, and the parts of its score.
pub fn why(view: &WhyView) -> String {
    let other = || {
        let label = view.other_label.as_deref().filter(|label| !label.is_empty()).map(line);
        format!("{} {}", view.other_id.as_deref().unwrap_or("another"), label.unwrap_or_default())
    };
    let layer = word(&view.layer);
    let rule = match view.rule {
        WhyRule::Taken if view.shortened => "taken, shortened to fit".to_owned(),
        WhyRule::Repeats | WhyRule::Folded => format!("{} {}", rule(view.rule), other()),
        _ => rule(view.rule).to_owned(),
    };
    let row = view.row.as_ref().map(|row| line(&row.preview));
    let page = view.page.as_ref().map(|page| line(&page.title));
    let mut lines = vec![format!("[{layer}] {rule}")];
    lines.extend(row.or(page));
    if view.named_without_room {
        lines.push("As a named entry it found no room, so it competed as a memory of its tier.".to_owned());
    }
    if let Some(rank) = view.rank {
        let of = view.of.map(|of| format!(" of {of}")).unwrap_or_default();
        lines.push(format!("rank {rank}{of}"));
    }
    if let Some(score) = view.score {
        lines.push(format!("score {score:.3}  {}", parts(&view.parts)));
    }
    if let Some(tokens) = view.tokens {
        let (used, budget) = (view.layer_used, view.layer_budget);
        lines.push(format!("{tokens} tokens; the layer used {used} of {budget}"));
    }
    if view.recorded {
        lines.push("As the ledger recorded it.".to_owned());
    }
    lines.join("\n")
}

/// A rule in words. What it names comes behind it.
pub(crate) const fn rule(rule: WhyRule) -> &'static str {
    match rule {
        WhyRule::Taken => "taken",
        WhyRule::Budget => "left out: no room left",
        WhyRule::Limit => "left out: beyond what its layer considers",
        WhyRule::Refined => "left out: the second look dropped it",
        WhyRule::Unknown => "withheld: the knower does not know it",
        WhyRule::NotThen => "withheld: it is later in the story",
        WhyRule::Repeats => "left out: says the same as",
        WhyRule::Forgotten => "left out: it is forgotten",
        WhyRule::OutOfReach => "left out: it belongs to a channel or conversation that is not in scope",
        WhyRule::Blank => "left out: it has no text",
        WhyRule::LayerFailed => "left out: its layer could not be read",
        WhyRule::NoMatch => "left out: neither its words nor its meaning match the query",
        WhyRule::Folded => "left out: folded into",
        WhyRule::BehindTheCut => "left out: it ranks behind those that its layer reads",
        WhyRule::BeyondTheLists => {
            "left out: it matches, but too many others match better for the search to compare it"
        }
        WhyRule::Gone => "it is not there any more",
        WhyRule::LensGone => "the knower or the chapter is not there any more",
        WhyRule::ChannelGone => "the channel is not there any more",
    }
}
