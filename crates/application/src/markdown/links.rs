//! The links of a page: wiki links, and Markdown links `[text](other.md)` to files of the same vault.

use inklings_domain::vault::PageLink;

use super::{
    MAX_NAME_BYTES,
    fence::Fences,
    wiki::{outside_code, place_within, wiki_links_of},
};

/// The links of a text, in order. Links in code are text. A Markdown link leads to a file below `folder`, that of the page; one
/// without folders may also be the name of a file anywhere in the vault, as in a wiki link.
pub fn links(text: &str, folder: &str) -> Vec<PageLink> {
    let mut fences = Fences::default();
    let lines = text.lines().filter(|line| !fences.is_code(line));
    let parts = lines.flat_map(outside_code);
    let of_part = |part: &str| {
        let mut found = wiki_links_of(part);
        found.extend(markdown_links_of(part, folder));
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, link)| link).collect::<Vec<_>>()
    };
    parts.flat_map(of_part).filter(|link| link.target.len() <= MAX_NAME_BYTES).collect()
}

/// The Markdown links of a part of a line, with their places.
fn markdown_links_of(part: &str, folder: &str) -> Vec<(usize, PageLink)> {
    let found = part.match_indices("](");
    let link = |(at, _): (usize, &str)| {
        let open = opening(&part[..at])?;
        let (path, place) = local(destination(&part[at + 2..])?)?;
        let embeds = part[..open].ends_with('!');
        Some((open, PageLink { target: within(folder, &path)?, heading: place, embeds }))
    };
    found.filter_map(link).collect()
}

/// Where the text of a link begins that ends here: its bracket, with as many closed as opened between.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices().rev() {
        match char {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(at),
            '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The destination of a link, behind its opening parenthesis. A title behind it is left out.
fn destination(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('<') {
        return inner.split_once('>').map(|(destination, _)| destination);
    }
    let mut depth = 0_usize;
    for (at, char) in rest.char_indices() {
        match char {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(&rest[..at]),
            ')' => depth -= 1,
            _ if char.is_whitespace() => return rest[at..].contains(')').then(|| &rest[..at]),
            _ => {}
        }
    }
    None
}

/// Path and heading of a destination that is a file with an ending, and no address of another place.
fn local(destination: &str) -> Option<(String, Option<String>)> {
    let (path, place) = destination.split_once('#').unwrap_or((destination, ""));
    let path = percent_decoded(path)?;
    let is_address = path.contains(':') || path.starts_with('/') || path.starts_with('\\');
    let name = path.rsplit('/').next()?;
    let has_ending =
        name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty());
    (!is_address && has_ending)
        .then(|| (path.clone(), percent_decoded(place).and_then(|place| place_within(&place))))
}

/// A path below a folder, without `.` and `..`. One without folders stays a name; `None` for one that leaves the vault.
fn within(folder: &str, path: &str) -> Option<String> {
    if !path.contains('/') {
        return Some(path.to_owned());
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// A text with its percent-escapes decoded; `None` if one is broken, or they are no UTF-8.
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(byte) = rest.next() {
        if *byte == b'%' {
            let (high, low) = (rest.next()?, rest.next()?);
            let digit = |b: &u8| char::from(*b).to_digit(16);
            bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wiki_links_and_markdown_links_to_files_are_links_in_their_order() {
        let text = "[a](Mira.md) [[Toma]] ![map](img/map.png) [b](<../Salt mere.md#The Tax> \"title\")\n\
            [c](other%20page.md) [no](https://x.org/a.md) [no](mailto:a@b.c) [no](#here) `[no](code.md)`\n\
            [no](/etc/passwd.md) [no](../../out.md) [d](x(1).md) [no](folder) [[e]](f.md)";
        let found = links(text, "places");
        let targets: Vec<&str> = found.iter().map(|link| link.target.as_str()).collect();
        let expected = [
            "Mira.md",
            "Toma",
            "places/img/map.png",
            "Salt mere.md",
            "other page.md",
            "x(1).md",
            "e",
            "f.md",
        ];
        assert_eq!(targets, expected);
        assert_eq!(found[3].heading.as_deref(), Some("The Tax"));
        assert_eq!(found.iter().filter(|link| link.embeds).count(), 1);
    }

    proptest! {
        #[test]
        fn markdown_links_of_any_text_stay_in_the_vault(
            text in "(\\]\\(|\\[|\\]|\\)|\\(|<|>|\\.\\./|\\.md|%2e|%|a|/|#|é| ){0,40}", folder in "(a|b/c)?",
        ) {
            for (_, link) in markdown_links_of(&text, &folder) {
                prop_assert!(!link.target.is_empty());
                prop_assert!(link.target.split('/').count() == 1 || !link.target.split('/').any(|part| part == ".."));
            }
        }
    }
}
