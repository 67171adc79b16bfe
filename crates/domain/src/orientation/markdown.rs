//! Renders the document as Markdown for the model. Memory texts cannot imitate its structure, because each stands on
//! one line and named entries are quoted.

use std::fmt::Write as _;

use super::{Assembled, Candidate, Layer};

/// The text on one line, and whether it was cut to `chars` characters.
pub fn one_line(text: &str, chars: usize) -> (String, bool) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(chars) {
        Some((at, _)) => (format!("{} …", flat[..at].trim_end()), true),
        None => (flat, false),
    }
}

/// Renders the document.
pub fn written(assembled: &Assembled) -> String {
    let mut text = String::new();
    for section in &assembled.sections {
        let _ = writeln!(text, "\n## {}", section.layer.title());
        for (candidate, shown) in &section.items {
            text.push_str(&item(candidate, shown));
        }
    }
    text
}

/// Renders one item with its line end.
pub(super) fn item(candidate: &Candidate, shown: &str) -> String {
    match candidate.layer {
        Layer::Named => named(candidate, shown),
        _ => framed(candidate, shown),
    }
}

fn named(candidate: &Candidate, shown: &str) -> String {
    let mut text = format!("### {}\n", candidate.title.as_deref().unwrap_or_default());
    for line in shown.lines() {
        let _ = writeln!(text, "> {line}");
    }
    text
}

/// A part of a page, with the title of the page and the headings above the part.
fn of_page(candidate: &Candidate, shown: &str) -> String {
    let on_one_line = |text: &str| one_line(text, usize::MAX).0;
    let title = on_one_line(candidate.title.as_deref().unwrap_or_default());
    let headings = candidate.framing.note.as_deref().filter(|headings| !headings.is_empty());
    let headings = headings.map(|headings| format!(" > {}", on_one_line(headings))).unwrap_or_default();
    format!("- From the worldbuilder's page \"{title}\"{headings} [page {}]: {shown}\n", candidate.id.id())
}

/// An age in days, as an agent reads it.
pub fn age_text(days: u64) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}

fn framed(candidate: &Candidate, shown: &str) -> String {
    let framing = &candidate.framing;
    if candidate.layer == Layer::Episodes {
        return format!("- ({}) {shown}\n", framing.note.as_deref().unwrap_or("earlier"));
    }
    if candidate.layer == Layer::Pages {
        return of_page(candidate, shown);
    }
    let mut notes: Vec<String> = Vec::new();
    let memory =
        matches!(candidate.layer, Layer::Conversation | Layer::Channel | Layer::Workspace | Layer::Account);
    let is_entry = memory || candidate.layer == Layer::Subjects;
    if is_entry {
        notes.push(format!("id {}", candidate.id.id()));
    }
    if memory {
        notes.push(format!("{} tier", candidate.layer.as_str()));
    }
    notes.extend(framing.curator.map(|curator| format!("by {curator}")));
    notes.extend(framing.importance.map(|importance| format!("importance {importance:.2}")));
    notes.extend(framing.relevance.map(|relevance| format!("relevance {relevance:.2}")));
    notes.extend(framing.age_days.map(age_text));
    notes.extend(framing.note.clone());
    let lead = if is_entry { "noted before " } else { "" };
    let title = candidate.title.as_ref().map(|title| format!("\"{title}\": ")).unwrap_or_default();
    let frame = if notes.is_empty() { String::new() } else { format!("{lead}[{}]: ", notes.join(", ")) };
    format!("- {frame}{title}{shown}\n")
}
