//! Prints memories as text.

use inklings_api::{
    derivation::view::{SourceState, SourceView},
    memory::filter::MemoryPage,
    search::{
        parts::{Contribution, Span},
        view::{SearchHit, SearchResponse, SearchSettings},
    },
    view::memory::{HistoryItem, MemoryDetail, MemoryRow},
};

use crate::{
    output::{Output, minute, one_line, table, word},
    shared_args::knower_text,
};

/// Maximum characters of content in a list.
const PREVIEW: usize = 100;

/// A page of a list; the last line shows how to continue.
pub fn page(page: &MemoryPage) -> String {
    if page.rows.is_empty() {
        return "No memories.".to_owned();
    }
    let row = |row: &MemoryRow| {
        vec![
            row.id.clone(),
            place(row),
            minute(&row.updated_at),
            word(row.curator),
            format!("{:.2}", row.importance),
            one_line(&titled(row, &row.preview), PREVIEW),
        ]
    };
    let head = ["id", "tier", "updated", "curator", "importance", "text"];
    let list = table(&head, &page.rows.iter().map(row).collect::<Vec<_>>());
    match &page.next {
        Some(next) => format!("{list}\nnext: {next}"),
        None => list,
    }
}

/// A text with the name or title of its entry before it.
fn titled(row: &MemoryRow, text: &str) -> String {
    match row.name.as_ref().or(row.title.as_ref()) {
        Some(title) => format!("{title}: {text}"),
        None => text.to_owned(),
    }
}

fn place(row: &MemoryRow) -> String {
    let mut place = word(row.scope);
    if let Some(channel) = &row.channel_name {
        place.push_str(" #");
        place.push_str(channel);
    }
    place
}

/// The chosen strategy and the others.
pub fn strategy(settings: &SearchSettings) -> String {
    format!("{}\nto choose from: {}", settings.strategy, settings.strategies.join(", "))
}

/// An entry with its full content.
pub fn detail(detail: &MemoryDetail) -> String {
    let row = &detail.row;
    let mut fields = vec![
        ("id", row.id.clone()),
        ("tier", place(row)),
        ("lifetime", word(row.lifetime)),
        ("curator", word(row.curator)),
        ("source", row.source.clone()),
        ("importance", format!("{:.2}", row.importance)),
        ("relevance", format!("{:.3}", row.relevance)),
        ("version", format!("{}, last written by {}", row.version, word(detail.written_by))),
        ("created", minute(&row.created_at)),
        ("updated", minute(&row.updated_at)),
    ];
    if !row.tags.is_empty() {
        fields.push(("tags", row.tags.join(", ")));
    }
    fields.extend(row.name.iter().map(|name| ("name", name.clone())));
    fields.extend(row.title.iter().map(|title| ("title", title.clone())));
    if !detail.keys.is_empty() {
        fields.push(("also called", detail.keys.join(", ")));
    }
    fields.extend(detail.subject.iter().map(|kind| ("subject", kind.clone())));
    fields.extend(detail.relation.iter().map(|relation| ("relation", relation.clone())));
    if !detail.links.is_empty() {
        fields.push(("links", detail.links.join(", ")));
    }
    fields.extend(detail.story_time.iter().map(|time| ("holds", time.text.clone())));
    if !detail.known_by.is_empty() {
        let knowers: Vec<String> = detail.known_by.iter().map(knower_text).collect();
        fields.push(("known by", knowers.join(", ")));
    }
    fields.extend(row.conversation_ref.iter().map(|code| ("conversation", code.clone())));
    if let Some(origin) = &detail.origin {
        let parts = [
            ("external id", &origin.external_id),
            ("session", &origin.session),
            ("speaker", &origin.speaker),
            ("said", &origin.said_at),
        ];
        fields.extend(parts.into_iter().filter_map(|(name, part)| Some((name, part.clone()?))));
    }
    fields.push(("vector", detail.embedding_model.clone().unwrap_or_else(|| "none yet".to_owned())));
    if !detail.derived_from.is_empty() {
        fields.push(("words of", detail.derived_from.join(", ")));
    }
    fields.extend(detail.derivations.iter().map(|source| ("made of", source_text(source))));
    let axes = &detail.axes;
    fields.push((
        "axes",
        format!(
            "{}, {}, weight {:.2}, {}{}",
            word(axes.origin),
            word(axes.lifecycle),
            axes.weight,
            word(axes.standing),
            if axes.built_on > 0 { format!(", {} made of it", axes.built_on) } else { String::new() }
        ),
    ));
    if let Some(forgotten) = &detail.forgotten {
        fields.push(("forgotten", format!("{}: {}", minute(&forgotten.at), forgotten.words())));
    }
    let mut lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name:<13}{value}")).collect();
    lines.push(String::new());
    lines.push(detail.content.clone());
    lines.join("\n")
}

/// A source: its kind, what it is called, its id, and what has become of it.
fn source_text(source: &SourceView) -> String {
    let called = source.label.as_deref().map(|label| format!(" '{label}'")).unwrap_or_default();
    let id = source.id.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
    let version = source.version.map(|version| format!(" version {version}")).unwrap_or_default();
    let state = match source.state {
        SourceState::Elsewhere => String::new(),
        state => format!(", {}", word(state)),
    };
    let origin = source.origin.map(|origin| format!(", {}", word(origin))).unwrap_or_default();
    let lifecycle = source.lifecycle.as_deref().map(|own| format!(", {own}")).unwrap_or_default();
    let weight = match source.pointed_at {
        0 => String::new(),
        weight => format!(", weight {weight}"),
    };
    format!("{}{called}{id}{version}{origin}{lifecycle}{weight}{state}", word(source.kind))
}

/// All versions, newest first.
pub fn history(history: &[HistoryItem]) -> String {
    let version = |item: &HistoryItem| {
        let mut head = format!(
            "version {}  {}  {} by {} through {}",
            item.version,
            minute(&item.at),
            word(item.action),
            word(item.actor_kind),
            word(item.interface)
        );
        if item.forgotten {
            head.push_str("  forgotten");
        }
        if item.current {
            head.push_str("  current");
        }
        let title = item.title.as_ref().map(|title| indented(title) + "\n").unwrap_or_default();
        format!("{head}\n{title}{}", indented(&item.content))
    };
    history.iter().map(version).collect::<Vec<_>>().join("\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The hits of a search.
pub fn found(found: &SearchResponse, explain: bool, out: &Output) -> String {
    if found.hits.is_empty() {
        return "Nothing found.".to_owned();
    }
    found.hits.iter().map(|found| hit(found, explain, out)).collect::<Vec<_>>().join("\n")
}

pub fn hit(hit: &SearchHit, explain: bool, out: &Output) -> String {
    let mut text = format!("{}  {:.4}  {}\n", hit.row.id, hit.score, place(&hit.row));
    if let Some(title) = hit.row.name.as_ref().or(hit.row.title.as_ref()) {
        text.push_str(&indented(title));
        text.push('\n');
    }
    let snippet = marked(&hit.snippet, &hit.spans, |found| out.marked(found));
    let snippet = snippet.split_whitespace().collect::<Vec<_>>().join(" ");
    text.push_str(&indented(&if hit.shows_passage {
        format!("nearest passage: {snippet}")
    } else {
        snippet
    }));
    if !hit.folded.is_empty() {
        text.push_str("\n    says the same: ");
        text.push_str(&hit.folded.join(", "));
    }
    if explain {
        text.push_str(&contributions(&hit.explanation.contributions));
        let why = &hit.explanation;
        let (relevance, retention, idle) = (why.relevance, why.retention, why.hours_idle);
        let line = format!(
            "\n    relevance {relevance:.3}, {:.0} % kept after {idle:.1} idle hours",
            retention * 100.0
        );
        text.push_str(&line);
    }
    text
}

/// The contributions of the lists, each on a line of its own.
pub fn contributions(parts: &[Contribution]) -> String {
    let line = |part: &Contribution| {
        let (rank, raw, weight, score) = (part.rank, part.raw, part.weight, part.score);
        format!("\n    {score:>8.4}  {:<9}  rank {rank}, raw {raw:.4}, weight {weight}", word(part.list))
    };
    parts.iter().map(line).collect()
}

/// Highlights the spans of a snippet, which count UTF-16 units.
fn marked(snippet: &str, spans: &[Span], mark: impl Fn(&str) -> String) -> String {
    let units: Vec<u16> = snippet.encode_utf16().collect();
    let part = |from: usize, to: usize| {
        let to = to.min(units.len());
        String::from_utf16_lossy(units.get(from.min(to)..to).unwrap_or_default())
    };
    let (mut text, mut done) = (String::new(), 0);
    for span in spans {
        let (start, end) = (span.start as usize, span.end as usize);
        text.push_str(&part(done, start));
        text.push_str(&mark(&part(start, end)));
        done = end;
    }
    text.push_str(&part(done, units.len()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_found_behind_characters_of_two_units() {
        let spans = [Span { start: 3, end: 7 }];
        assert_eq!(marked("🐉 gate!", &spans, |found| format!("[{found}]")), "🐉 [gate]!");
    }

    #[test]
    fn spans_beyond_the_snippet_do_no_harm() {
        let spans = [Span { start: 90, end: 95 }];
        assert_eq!(marked("gate", &spans, str::to_owned), "gate");
    }
}
