//! Converts search results to views.

use crate::{
    conversation::convert as conversation,
    reference::ConversationsById,
    search::{
        parts::{Contribution, SearchMode, Span},
        view::{
            DocumentHit, DocumentSearch, Explanation, MessageHit, MessageSearch, PageHit, SearchHit,
            SearchResponse,
        },
    },
    view::{
        memory::MemoryRow,
        preview::{LEAD_CHARS, PREVIEW_CHARS, PlaceNames},
    },
    wire::count,
};
use inklings_application::search::{
    self as application, Found, Hit, Mode, TextOnly, messages::FoundMessage, pages::FoundPage,
};
use inklings_domain::search::{query::TextReason, ranking};
use std::ops::Range;

/// Converts a search result to its response.
pub fn found(found: &Found, places: &PlaceNames, took_ms: f64) -> SearchResponse {
    let (mode, mode_reason) = mode(found.mode);
    SearchResponse {
        hits: found.hits.iter().map(|found| hit(found, places)).collect(),
        more: found.more,
        mode,
        mode_reason,
        strategy: found.strategy.to_owned(),
        took_ms,
    }
}

/// Converts a search over documents of every kind.
pub(crate) fn documents(
    found: &Found<application::DocumentHit>,
    places: &PlaceNames,
    known: &ConversationsById,
    took_ms: f64,
) -> DocumentSearch {
    let (mode, mode_reason) = mode(found.mode);
    let document = |found: &application::DocumentHit| match found {
        application::DocumentHit::Memory(found) => Some(DocumentHit::Memory(hit(found, places))),
        application::DocumentHit::Message(found) => message_hit(found, known).map(DocumentHit::Message),
        application::DocumentHit::Page(found) => Some(DocumentHit::Page(page_hit(found))),
    };
    let hits = found.hits.iter().filter_map(document).collect();
    DocumentSearch { hits, mode, mode_reason, strategy: found.strategy.to_owned(), took_ms }
}

/// Converts the result of a message search.
pub(crate) fn messages(
    found: &Found<FoundMessage>,
    known: &ConversationsById,
    took_ms: f64,
) -> MessageSearch {
    let (mode, mode_reason) = mode(found.mode);
    let hits = found.hits.iter().filter_map(|found| message_hit(found, known)).collect();
    MessageSearch { hits, mode, mode_reason, took_ms }
}

/// Converts a message hit; `None` if its conversation was deleted after the search.
fn message_hit(hit: &FoundMessage, known: &ConversationsById) -> Option<MessageHit> {
    let Shown { snippet, spans, passage, shows_passage } =
        shown(&hit.message.body.content, &hit.spans, hit.passage.as_ref());
    Some(MessageHit {
        conversation: conversation::link(known.get(&hit.message.conversation)?),
        message: conversation::message(&hit.message),
        snippet,
        spans,
        passage,
        shows_passage,
        score: hit.score,
        parts: hit.contributions.iter().map(contribution).collect(),
    })
}

/// Converts a page hit.
fn page_hit(hit: &FoundPage) -> PageHit {
    let Shown { snippet, spans, passage, shows_passage } =
        shown(&hit.page.content, &hit.spans, hit.passage.as_ref());
    PageHit {
        page: crate::vault::convert::row(&hit.page.row),
        heading: hit.heading(),
        snippet,
        spans,
        passage,
        shows_passage,
        score: hit.score,
        parts: hit.contributions.iter().map(contribution).collect(),
    }
}

/// The search methods that were used, and why vectors were not, for users.
fn mode(mode: Mode) -> (SearchMode, Option<String>) {
    match mode {
        Mode::Hybrid => (SearchMode::Hybrid, None),
        Mode::Text(reason) => (SearchMode::Text, Some(text_only(reason).to_owned())),
    }
}

/// The reason why vectors were not used, for users.
pub const fn text_only(reason: TextOnly) -> &'static str {
    match reason {
        TextOnly::Routed(TextReason::Exact) => "Quotes or operators: the words themselves are meant.",
        TextOnly::Routed(TextReason::Short) => "Fewer than three words, and words found enough.",
        TextOnly::Routed(TextReason::Brief) => "Too short to compare by meaning: searched by words.",
        TextOnly::Routed(TextReason::Symbols) => "Searched for these characters as they stand.",
        TextOnly::NoModel => "No embedding model is in use: searched by words.",
        TextOnly::VectorsLoading => "The index of meaning is being read: searched mostly by words.",
        TextOnly::ModelFailed => "The embedding model failed: searched by words.",
    }
}

pub(crate) fn hit(hit: &Hit, places: &PlaceNames) -> SearchHit {
    let content = &hit.stored.entry.content;
    let Shown { snippet, spans, passage, shows_passage } = shown(content, &hit.spans, hit.passage.as_ref());
    let mut matched_terms: Vec<String> = Vec::new();
    for span in &hit.spans {
        let term = content.get(span.clone()).unwrap_or_default().to_lowercase();
        if !term.is_empty() && !matched_terms.contains(&term) {
            matched_terms.push(term);
        }
    }
    SearchHit {
        row: MemoryRow::of(&hit.stored, hit.decay.relevance(), places),
        score: hit.score,
        snippet,
        spans,
        passage,
        shows_passage,
        explanation: explanation(hit, matched_terms),
        folded: hit.folded.iter().map(ToString::to_string).collect(),
    }
}

/// Converts the contribution of a ranked list.
pub(crate) fn contribution(part: &ranking::Contribution) -> Contribution {
    Contribution {
        list: part.list.into(),
        rank: count(part.rank),
        raw: part.raw,
        weight: part.weight,
        score: part.score,
    }
}

fn explanation(hit: &Hit, matched_terms: Vec<String>) -> Explanation {
    let decay = hit.decay;
    let origin = hit.stored.entry.origin.as_ref();
    Explanation {
        contributions: hit.contributions.iter().map(contribution).collect(),
        in_conversation: origin.is_some_and(|origin| origin.session.is_some()),
        matched_terms,
        relevance: decay.relevance(),
        hours_idle: decay.hours,
        retention: decay.retention,
        frequency_boost: decay.frequency_boost,
    }
}

/// What a hit shows of its text.
struct Shown {
    /// The part to show.
    snippet: String,
    /// Ranges of the query's words in the snippet.
    spans: Vec<Span>,
    /// The passage nearest in meaning, in the text.
    passage: Option<Span>,
    /// True if the snippet is the beginning of that passage.
    shows_passage: bool,
}

/// The part of a text to show: around the first of the query's words, or else the passage nearest in meaning.
fn shown(content: &str, spans: &[Range<usize>], passage: Option<&Range<usize>>) -> Shown {
    // The text may have been changed between the search and the read of its row.
    let passage = passage.filter(|passage| content.get((*passage).clone()).is_some());
    let shows_passage = spans.is_empty() && passage.is_some();
    let start = passage.map_or(0, |passage| passage.start);
    let (snippet, spans) =
        if shows_passage { (cut(content, start).0, Vec::new()) } else { snippet(content, spans) };
    let units = |at: usize| count(content[..at].encode_utf16().count());
    let passage = passage.map(|passage| Span { start: units(passage.start), end: units(passage.end) });
    Shown { snippet, spans, passage, shows_passage }
}

/// The part of a content around its first match, at most [`PREVIEW_CHARS`] long, with its matches as UTF-16
/// ranges. Cuts between words and marks cuts with an ellipsis.
fn snippet(content: &str, spans: &[Range<usize>]) -> (String, Vec<Span>) {
    let first = spans.first().map_or(0, |span| span.start);
    let start = if content[..first].chars().count() <= LEAD_CHARS {
        0
    } else {
        let lead = content[..first].char_indices().rev().nth(LEAD_CHARS - 1).map_or(0, |(at, _)| at);
        content[lead..first].find(char::is_whitespace).map_or(lead, |space| lead + space + 1)
    };
    let (text, end) = cut(content, start);
    let shift = usize::from(start > 0);
    let units = |at: usize| count(shift + content[start..at].encode_utf16().count());
    let spans = spans
        .iter()
        .filter(|span| span.start >= start && span.end <= end)
        .map(|span| Span { start: units(span.start), end: units(span.end) })
        .collect();
    (text, spans)
}

/// At most [`PREVIEW_CHARS`] of a content from `start` on, and where they end. An ellipsis, which is one UTF-16 unit,
/// stands for what is left out.
fn cut(content: &str, start: usize) -> (String, usize) {
    let end = content[start..].char_indices().nth(PREVIEW_CHARS).map_or(content.len(), |(at, _)| start + at);
    let (before, behind) = (if start > 0 { "…" } else { "" }, if end < content.len() { "…" } else { "" });
    (format!("{before}{}{behind}", &content[start..end]), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_by_meaning_alone_shows_the_nearest_passage() {
        let content = format!("{}🐉 The ferry leaves at noon.", "word ".repeat(400));
        let end = content.find("🐉").expect("it is there")..content.len();
        let by_meaning = shown(&content, &[], Some(&end));
        assert_eq!(by_meaning.snippet, "…🐉 The ferry leaves at noon.");
        assert!(by_meaning.shows_passage && by_meaning.spans.is_empty());
        assert_eq!(by_meaning.passage, Some(Span { start: 2_000, end: 2_028 }));
        let ferry = content.find("ferry").expect("it is there");
        let word = ferry..ferry + 5;
        let by_words = shown(&content, std::slice::from_ref(&word), Some(&end));
        assert!(!by_words.shows_passage && by_words.spans.len() == 1);
        assert_eq!(by_words.passage, by_meaning.passage);
        let changed = shown("Short.", &[], Some(&end));
        assert!(changed.passage.is_none() && !changed.shows_passage && changed.snippet == "Short.");
    }

    #[test]
    fn a_snippet_marks_its_matches_in_utf16_units() {
        let content = format!("{}the 🐉 gate is iron.", "word ".repeat(40));
        let at = content.find("gate").expect("it is there");
        let gate = at..at + 4;
        let (text, spans) = snippet(&content, std::slice::from_ref(&gate));
        let units: Vec<u16> = text.encode_utf16().collect();
        let marked = &units[spans[0].start as usize..spans[0].end as usize];
        assert_eq!(String::from_utf16_lossy(marked), "gate");
        assert!(text.starts_with('…'));
    }
}
