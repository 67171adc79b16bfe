//! What an agent is told of the sources of an entry, in the frame that stands before its text.

use super::{SourceKind, axes::SourceState};

/// The most sources that are named one by one.
const NAMED: usize = 2;

/// A source for a frame.
#[derive(Debug, Clone, Copy)]
pub struct FramedSource<'a> {
    /// The kind of the source.
    pub kind: SourceKind,
    /// What it is called; `None` if nothing is left of it.
    pub label: Option<&'a str>,
    /// Its own word for where it is in its life, such as "draft"; pages have one.
    pub lifecycle: Option<&'a str>,
    /// What has become of it.
    pub state: SourceState,
}

/// The sources in a few words, such as "from the page 'Saltmere > History', changed since"; `None` without any. Those that have
/// changed come first, because they say how far the entry can be relied on.
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
            let lifecycle = source.lifecycle.map(|word| format!(" ({})", plain(word))).unwrap_or_default();
            format!("{kind} '{}'{lifecycle}{since}", plain(label))
        }
        None => match source.kind {
            SourceKind::Message => "a message that is gone".to_owned(),
            kind => format!("a {kind} that is gone"),
        },
    }
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
        let source = |kind, label, state| FramedSource { kind, label, lifecycle: None, state };
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
            lifecycle: Some("draft]"),
            ..source(SourceKind::Page, Some("Salt"), SourceState::Current)
        };
        assert_eq!(framed(&[draft]).as_deref(), Some("from the page 'Salt' (draft))"));
    }
}
