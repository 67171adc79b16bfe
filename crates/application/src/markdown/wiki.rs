//! Wiki links: `[[Name]]` and `[[Name|shown]]` in a Markdown text and in its front matter.

use std::collections::HashSet;

use inklings_domain::vault::PageLink;

use super::{MAX_NAME_BYTES, MAX_NAMES, fence::Fences};

const OPEN: &str = "[[";
const CLOSE: &str = "]]";

/// The names that the wiki links of a text lead to, each once, without headings and blocks. Links in code are text.
pub fn wiki_links(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut fences = Fences::default();
    let lines = text.lines().filter(|line| !fences.is_code(line));
    let found = lines.flat_map(outside_code).flat_map(wiki_links_of);
    let mut names: Vec<String> = found.map(|(_, link)| link.target).collect();
    names.retain(|name| name.len() <= MAX_NAME_BYTES);
    names.retain(|name| seen.insert(name.clone()));
    names.truncate(MAX_NAMES);
    names
}

/// The wiki links of a text without code, with their places.
pub(super) fn wiki_links_of(text: &str) -> Vec<(usize, PageLink)> {
    let link = |(at, _): (usize, &str)| {
        let rest = &text[at + OPEN.len()..];
        let inner = rest.split(OPEN).next().unwrap_or_default();
        let (inner, _) = inner.split_once(CLOSE)?;
        let target = target(inner)?.to_owned();
        Some((at, PageLink { target, heading: place_in(inner), embeds: text[..at].ends_with('!') }))
    };
    text.match_indices(OPEN).filter_map(link).collect()
}

/// The heading or block that a link leads to within its target.
fn place_in(inner: &str) -> Option<String> {
    let (_, place) = inner.split('|').next()?.split_once('#')?;
    place_within(place.trim_end_matches('\\'))
}

/// A heading or block as a link names it, if it is not empty.
pub(super) fn place_within(place: &str) -> Option<String> {
    let place = place.trim().trim_start_matches('^');
    (!place.is_empty() && place.len() <= MAX_NAME_BYTES).then(|| place.to_owned())
}

/// The parts of a line that are not code. A run of backticks opens code if a run of the same length closes it.
pub fn outside_code(line: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while let Some(at) = rest.find('`') {
        let run = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let after = at + run;
        parts.push(&rest[..at]);
        rest = end_of_code(&rest[after..], run).map_or(&rest[after..], |end| &rest[after + end..]);
    }
    parts.push(rest);
    parts
}

/// Where code ends that a run of so many backticks opened.
fn end_of_code(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let length = text[start..].len() - text[start..].trim_start_matches('`').len();
        if length == run {
            return Some(start + length);
        }
        at = start + length;
    }
    None
}

/// The name in the brackets of a link. In a table the bar is written as `\|`.
fn target(inner: &str) -> Option<&str> {
    let name = inner.split(['|', '#', '^']).next().unwrap_or_default();
    let name = name.strip_suffix('\\').filter(|_| inner.contains("\\|")).unwrap_or(name).trim();
    (!name.is_empty()).then_some(name)
}

/// A name as a value of the front matter: a wiki link, or the plain name if a link cannot hold it.
pub fn as_link(name: &str) -> String {
    let is_plain =
        target(name) == Some(name) && !name.contains(['[', ']', '\\']) && !name.contains(char::is_control);
    // A name that looks like a link is wrapped, so that it is read back as it is.
    if is_plain || is_wrapped(name) { format!("{OPEN}{name}{CLOSE}") } else { name.to_owned() }
}

/// The name in a value of the front matter that [`as_link`] or a person wrote.
pub fn from_link(value: &str) -> String {
    let inner = Some(value)
        .filter(|value| is_wrapped(value))
        .map(|value| &value[OPEN.len()..value.len() - CLOSE.len()]);
    match inner {
        Some(inner) if is_wrapped(inner) => inner.to_owned(),
        Some(inner) => target(inner).unwrap_or(value).to_owned(),
        None => value.to_owned(),
    }
}

fn is_wrapped(value: &str) -> bool {
    value.len() >= OPEN.len() + CLOSE.len() && value.starts_with(OPEN) && value.ends_with(CLOSE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wiki_links_are_found_with_their_names_outside_of_code() {
        let text = "[[Mira]] and [[The Gate|the gate]], ![[map]] [[people/Toma#Youth|he]]\n\
            | [[Sel\\|S.]] | [[Mira]] |\n`[[no]]` ``[[no]] ` `` [[Ama]] ` [[Ro]]\n```\n[[code]]\n```\n[[ ]] [[#head]] [[open\n]]";
        assert_eq!(wiki_links(text), ["Mira", "The Gate", "map", "people/Toma", "Sel", "Ama", "Ro"]);
    }

    #[test]
    fn a_link_has_its_heading_and_tells_whether_it_shows_its_target() {
        let link = |target: &str, heading: Option<&str>, embeds| PageLink {
            target: target.to_owned(),
            heading: heading.map(str::to_owned),
            embeds,
        };
        assert_eq!(
            super::super::links::links(
                "![[map.png]] [[Toma#Youth|he]] | [[Sel#^a1\\|S]] | [[Ama]] ![[Toma]]",
                ""
            ),
            [
                link("map.png", None, true),
                link("Toma", Some("Youth"), false),
                link("Sel", Some("a1"), false),
                link("Ama", None, false),
                link("Toma", None, true),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_name_is_read_back_from_a_value_of_the_front_matter(
            name in prop_oneof!["\\PC{0,12}", "[\\[\\]|#^a\\\\ ]{0,9}"]
        ) {
            prop_assert_eq!(from_link(&as_link(&name)), name);
        }

        #[test]
        fn any_text_has_links_of_bounded_size(text in "(\\[\\[|\\]\\]|`|``|~~~\n|```\n|[|#]|\\PC){0,40}") {
            prop_assert!(wiki_links(&text).iter().all(|name| !name.trim().is_empty()));
        }
    }
}
