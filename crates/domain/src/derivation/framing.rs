//! What an agent is told of the sources of an entry, in the frame that stands before its text.

use super::{
    SourceKind,
    axes::{OriginAxis, SourceState},
};

/// The most sources that are named one by one.
const NAMED: usize = 2;

/// A source for a frame.
#[derive(Debug, Clone, Copy)]
pub struct FramedSource<'a> {
    pub kind: SourceKind,
    /// What it is called; `None` if nothing is left of it.
    pub label: Option<&'a str>,
    /// Where its own text comes from, if that is known.
    pub origin: Option<OriginAxis>,
    /// Its own word for where it is in its life, such as "draft"; pages have one.
    pub lifecycle: Option<&'a str>,
    /// How many entries or pages lead to it.
    pub pointed_at: u64,
    /// What has become of it.
    pub state: SourceState,
}

/// The sources in a few words, such as "from the page 'Saltmere > History' (authored, draft, 3 links), changed since"; `None`
/// without any. Those that have changed come first, because they say how far the entry can be relied on.
pub fn framed(sources: &[FramedSource<'_>]) -> Option<String> {
    let mut sorted: Vec<&FramedSource<'_>> = sources.iter().collect();
    sorted.sort_by_key(|source| {
        (std::cmp::Reverse(source.state == SourceState::Changed), source.state == SourceState::Gone)
    });
    let mut named: Vec<String> = sorted.iter().take(NAMED).map(|source| one(source)).collect();
    if sorted.len() > NAMED {
        named.push(format!("{} more", sorted.len() - NAMED));
    }
    (!named.is_empty()).then(|| format!("from {}", named.join(" and ")))
}

fn one(source: &FramedSource<'_>) -> String {
    let kind = match source.kind {
        SourceKind::Message => "what was said in",
        SourceKind::Memory => "the memory",
        SourceKind::Fact => "the fact",
        SourceKind::File => "the file",
        SourceKind::Page => "the page",
    };
    let since = match source.state {
        SourceState::Changed => ", changed since",
        SourceState::Contested => ", contested",
        SourceState::Gone => ", gone since",
        SourceState::Current | SourceState::Elsewhere => "",
    };
    match source.label {
        Some(label) => {
            format!("{kind} '{}'{}{since}", plain(label), axes(source))
        }
        None => match source.kind {
            SourceKind::Message => "a message that is gone".to_owned(),
            kind => format!("a {kind} that is gone"),
        },
    }
}

/// Origin, lifecycle and weight of a source, in brackets.
fn axes(source: &FramedSource<'_>) -> String {
    let weight = match source.pointed_at {
        0 => None,
        1 => Some("1 link".to_owned()),
        links => Some(format!("{links} links")),
    };
    let words: Vec<String> =
        [source.origin.map(|origin| origin.as_str().replace('_', " ")), source.lifecycle.map(plain), weight]
            .into_iter()
            .flatten()
            .collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// A name without the marks by which a frame ends.
fn plain(label: &str) -> String {
    label
        .chars()
        .map(|c| match c {
            '[' => '(',
            ']' => ')',
            '\'' => '’',
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_names_what_changed_first_and_cannot_be_left_by_a_name() {
        let source = |kind, label, state| FramedSource {
            kind,
            label,
            origin: None,
            lifecycle: None,
            pointed_at: 0,
            state,
        };
        assert_eq!(framed(&[]), None);
        let all = [
            source(SourceKind::File, Some("lore.json"), SourceState::Elsewhere),
            source(SourceKind::Fact, None, SourceState::Gone),
            source(SourceKind::Page, Some("Saltmere]: 'x'\n- [History"), SourceState::Changed),
        ];
        let text = framed(&all).expect("sources");
        assert_eq!(
            text,
            "from the page 'Saltmere): ’x’ - (History', changed since and the file 'lore.json' and 1 more"
        );
        let draft = FramedSource {
            origin: Some(OriginAxis::Authored),
            lifecycle: Some("draft]"),
            pointed_at: 3,
            ..source(SourceKind::Page, Some("Salt"), SourceState::Current)
        };
        assert_eq!(framed(&[draft]).as_deref(), Some("from the page 'Salt' (authored, draft), 3 links)"));
    }
}
