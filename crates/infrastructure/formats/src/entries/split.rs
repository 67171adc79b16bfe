//! Splits notes that are larger than one memory may be at their headings, and joins them again.

use inklings_domain::text::MAX_CONTENT_BYTES;
use serde_json::{Map, Value};

use super::ThirdPartyEntry;

/// Key of the number of a part in its other fields, counted from 2; the first part has the note's own fields.
const PART: &str = "part";
/// Key of the white space between the part before and this one.
const GAP: &str = "gap";
const PATH: &str = "path";
/// Maximum characters of a heading in a name.
const HEADING_CHARS: usize = 80;

/// A place where a note can be cut.
struct Cut {
    at: usize,
    /// Level of the heading that begins there, 1 to 6; 7 for a paragraph.
    level: usize,
}

/// The places where a note can be cut, in order: before headings and paragraphs outside of code.
fn cuts(text: &str) -> Vec<Cut> {
    let (mut cuts, mut at, mut fence, mut after_blank) = (Vec::new(), 0, None, true);
    for line in text.split_inclusive('\n') {
        let plain = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| plain.starts_with(mark));
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
        if fence.is_none() && is_heading {
            cuts.push(Cut { at, level });
        } else if fence.is_none() && after_blank && !plain.is_empty() {
            cuts.push(Cut { at, level: 7 });
        }
        fence = match (fence, mark) {
            (None, mark) => mark,
            (Some(open), Some(mark)) if open == mark => None,
            (open, _) => open,
        };
        after_blank = plain.is_empty();
        at += line.len();
    }
    cuts
}

/// Where the part that begins at `start` ends: at the highest heading in the second half of its room, or else at any
/// heading, paragraph, line or character.
fn end(text: &str, start: usize, cuts: &[Cut]) -> usize {
    let limit = text.floor_char_boundary(start + MAX_CONTENT_BYTES);
    if limit == text.len() {
        return limit;
    }
    let within = |from: usize| cuts.iter().filter(move |cut| cut.at > from && cut.at <= limit);
    let late = within(start + MAX_CONTENT_BYTES / 2).filter(|cut| cut.level < 7);
    let highest = late.min_by_key(|cut| (cut.level, std::cmp::Reverse(cut.at)));
    let last = || within(start).rfind(|cut| cut.level < 7);
    let line = || text[start..limit].rfind('\n').map(|at| start + at + 1);
    let found = highest.or_else(last).or_else(|| within(start).next_back()).map(|cut| cut.at);
    found.or_else(line).filter(|at| *at > start).unwrap_or(limit)
}

/// The heading at the beginning of a text.
fn heading(text: &str) -> Option<String> {
    let line = text.lines().next().filter(|line| line.starts_with('#'))?;
    let heading: String = line.trim_start_matches('#').trim().chars().take(HEADING_CHARS).collect();
    (!heading.is_empty()).then_some(heading)
}

/// A note as entries that are not larger than a memory. A note that is small enough stays as it is.
pub fn parts(note: ThirdPartyEntry) -> Vec<ThirdPartyEntry> {
    if note.content.len() <= MAX_CONTENT_BYTES {
        return vec![note];
    }
    let text = note.content.clone();
    let (cuts, mut parts) = (cuts(&text), vec![note]);
    let (mut start, mut end_of_last) = (0, 0);
    while start < text.len() {
        let end = end(&text, start, &cuts);
        let content = text[start..end].trim();
        if start == 0 {
            content.clone_into(&mut parts[0].content);
            end_of_last = content.len();
        } else if !content.is_empty() {
            let from = end - text[start..end].trim_start().len();
            parts.push(part(&parts[0], parts.len() + 1, content, &text[end_of_last..from]));
            end_of_last = from + content.len();
        }
        start = end;
    }
    parts
}

fn part(note: &ThirdPartyEntry, number: usize, content: &str, gap: &str) -> ThirdPartyEntry {
    let called = |name: &String| match heading(content) {
        Some(heading) => format!("{name}: {heading}"),
        None => format!("{name} ({number})"),
    };
    let mut extra = Map::new();
    extra.extend(note.extra.get(PATH).map(|path| (PATH.to_owned(), path.clone())));
    extra.insert(PART.into(), number.into());
    extra.insert(GAP.into(), gap.into());
    ThirdPartyEntry {
        external_id: note.external_id.as_ref().map(|id| format!("{id}#{number}")),
        name: note.name.as_ref().map(called),
        aliases: Vec::new(),
        // A part of a note describes no subject of its own.
        subject: None,
        relation: None,
        about: Vec::new(),
        content: content.to_owned(),
        extra: extra.into(),
        ..note.clone()
    }
}

/// Entries with the parts of a note joined to one again.
pub fn joined(entries: &[ThirdPartyEntry]) -> Vec<ThirdPartyEntry> {
    let mut all: Vec<ThirdPartyEntry> = Vec::with_capacity(entries.len());
    // The number of the part that came last.
    let mut last = 1;
    for entry in entries {
        let number = entry.extra.get(PART).and_then(Value::as_u64);
        let path = |entry: &ThirdPartyEntry| entry.extra.get(PATH).cloned();
        let note = all.last_mut().filter(|note| note.extra.get(PART).is_none() && path(note) == path(entry));
        match (number, note) {
            (Some(number), Some(note)) if number > last && entry.extra.get(PATH).is_some() => {
                let gap = entry.extra.get(GAP).and_then(Value::as_str);
                // Only white space separates parts, so that it cannot become text.
                note.content.push_str(gap.filter(|gap| gap.trim().is_empty()).unwrap_or("\n\n"));
                note.content.push_str(&entry.content);
                last = number;
            }
            _ => {
                all.push(entry.clone());
                last = 1;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> ThirdPartyEntry {
        ThirdPartyEntry {
            external_id: Some("Ama.md".to_owned()),
            name: Some("Ama".to_owned()),
            aliases: vec!["the queen".to_owned()],
            content: text.trim().to_owned(),
            extra: serde_json::json!({"path": "Ama.md"}),
            ..ThirdPartyEntry::default()
        }
    }

    #[test]
    fn a_long_note_is_cut_at_its_highest_headings() {
        let chapter = |n: usize| {
            format!("# Chapter {n}\n\n{}\n## Part\n\n{}\n\n", "Salt. ".repeat(3_000), "Ice. ".repeat(3_000))
        };
        let text: String = (0..5).map(chapter).collect();
        let parts = parts(note(&text));
        let names: Vec<_> = parts.iter().filter_map(|part| part.name.as_deref()).collect();
        assert_eq!(names, ["Ama", "Ama: Chapter 1", "Ama: Chapter 2", "Ama: Chapter 3", "Ama: Chapter 4"]);
        assert!(parts.iter().all(|part| part.content.len() <= MAX_CONTENT_BYTES));
        assert_eq!(parts[1].external_id.as_deref(), Some("Ama.md#2"));
        assert_eq!(joined(&parts), [note(&text)]);
    }

    #[test]
    fn a_heading_in_code_is_none_and_a_short_note_stays_whole() {
        let code = format!("```\n# no heading\n{}```\n", "x\n".repeat(40_000));
        assert!(cuts(&code).iter().all(|cut| cut.level == 7));
        assert_eq!(parts(note("# A\n\nText")), [note("# A\n\nText")]);
    }

    #[test]
    fn parts_without_the_first_part_are_not_joined() {
        let all = parts(note(&"Word and word.\n\n".repeat(9_000)));
        assert!(all.len() > 2);
        assert_eq!(joined(&all[1..]).len(), all.len() - 1);
        let other = ThirdPartyEntry { extra: serde_json::json!({"path": "b.md"}), ..note("B") };
        assert_eq!(joined(&[other, all[1].clone()]).len(), 2);
    }

    proptest::proptest! {
        #[test]
        fn parts_of_any_note_fit_the_limit_and_join_to_the_same_note(
            pieces in proptest::collection::vec("(# |## |\n\n|\n|```|é|[a-z ]{1,9}){1,20}", 1..6), times in 1usize..600,
        ) {
            let text = pieces.concat().repeat(times);
            let whole = note(&text);
            let parts = parts(whole.clone());
            proptest::prop_assert!(parts.iter().all(|part| part.content.len() <= MAX_CONTENT_BYTES));
            proptest::prop_assert!(parts.iter().all(|part| whole.content.is_empty() || !part.content.is_empty()));
            proptest::prop_assert_eq!(joined(&parts), [whole]);
        }
    }
}
