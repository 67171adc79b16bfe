//! Linked vaults: folders of Markdown files that the worldbuilder writes with another program. Nothing in them is ever
//! written.

pub mod addition;
pub mod plan;

use std::{fmt::Write as _, ops::Range};

use chrono::{DateTime, Utc};

use crate::{ids::VaultId, scope::words, text::fold};

/// The most bytes of a page's file: 1 MiB.
pub const MAX_PAGE_BYTES: u64 = 1024 * 1024;

/// A linked folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vault {
    pub id: VaultId,
    /// The name of the folder.
    pub name: String,
    /// The absolute path of the folder on this machine. It is data of the person: it is in no log and no export.
    pub path: String,
    /// When it was linked.
    pub linked_at: DateTime<Utc>,
    /// When it was last scanned completely; `None` before the first scan.
    pub scanned_at: Option<DateTime<Utc>>,
}

/// Size and time of a file, which tell whether it has to be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileStat {
    /// In bytes.
    pub size: u64,
    /// Time of the last change in microseconds since 1970.
    pub modified_at: i64,
}

/// A kind of block of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    Heading,
    Paragraph,
    /// An item of a list, without the items below it.
    ListItem,
    /// A quote or callout.
    Quote,
    Table,
    /// Code between fences.
    Code,
}

words!(BlockKind, "block kind", {
    Heading => "heading",
    Paragraph => "paragraph",
    ListItem => "list_item",
    Quote => "quote",
    Table => "table",
    Code => "code",
});

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageBlock {
    pub kind: BlockKind,
    /// The headings above it, outermost first, joined by ` > `; empty before the first heading. A heading has its own text as
    /// the last one.
    pub heading: String,
    /// Its bytes in the content of the page.
    pub range: Range<usize>,
    /// Digest of its text: a block that is moved within a page, or from one page to another, keeps it.
    pub hash: String,
}

impl PageBlock {
    /// The block in a text with so many bytes more before it.
    #[must_use]
    pub fn moved(self, by: usize) -> Self {
        Self { range: self.range.start + by..self.range.end + by, ..self }
    }
}

/// A wiki link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// The page or attachment that it names.
    pub target: String,
    /// The heading or block within the target, without `#`.
    pub heading: Option<String>,
    /// True if the target is shown in place (`![[Map.png]]`).
    pub embeds: bool,
}

/// What a page says, read from its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// From the front matter, or else the name of the file.
    pub title: String,
    /// The key `type` of the front matter.
    pub kind: Option<String>,
    /// The key `status` of the front matter.
    pub lifecycle: Option<String>,
    /// Other names, from the front matter.
    pub aliases: Vec<String>,
    /// Tags of the front matter and of the text, without `#`.
    pub tags: Vec<String>,
    /// The byte-order mark, if the file has one. With the content behind it, this is the file.
    pub head: String,
    /// The text with its front matter: what a page says stands in its properties too.
    pub content: String,
    /// Where the text behind the front matter begins in the content.
    pub body: usize,
    /// The parts of the content, in order. A property of the front matter is an item of a list.
    pub blocks: Vec<PageBlock>,
    /// The links of the content, in order.
    pub links: Vec<PageLink>,
}

/// Why a file is not indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// A copy that a synchronising program made of a file that was changed in two places.
    Conflict,
    /// A placeholder of a file that is not on this machine.
    NotDownloaded,
    /// It has no content, or only zero bytes: it may not be written completely yet.
    Empty,
    /// It was changed while it was read.
    Changing,
    /// It is larger than [`MAX_PAGE_BYTES`].
    TooLarge,
    /// It is not text in UTF-8.
    NotText,
    /// A link that leads out of the vault.
    OutsideLink,
    /// A link to another file or folder of the vault, which is indexed at its own place.
    InsideLink,
    /// A folder or file whose name begins with a dot: settings, deleted pages, version control.
    Hidden,
    /// Its path is not text in UTF-8, or is too long or too deep.
    BadPath,
    /// It is neither a file nor a folder.
    NotFile,
    /// The system refuses to read it.
    Unreadable,
}

words!(SkipReason, "reason", {
    Conflict => "conflict",
    NotDownloaded => "not_downloaded",
    Empty => "empty",
    Changing => "changing",
    TooLarge => "too_large",
    NotText => "not_text",
    OutsideLink => "outside_link",
    InsideLink => "inside_link",
    Hidden => "hidden",
    BadPath => "bad_path",
    NotFile => "not_file",
    Unreadable => "unreadable",
});

impl SkipReason {
    /// True if an indexed page of the path, and of every path below it, stays as it is: its text is still that of the author,
    /// and can only not be read now.
    pub const fn keeps_page(self) -> bool {
        matches!(self, Self::NotDownloaded | Self::Empty | Self::Changing | Self::Unreadable)
    }

    /// The reason for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Conflict => "a conflicted copy",
            Self::NotDownloaded => "not downloaded to this machine",
            Self::Empty => "empty, or not written completely yet",
            Self::Changing => "it was changed while it was read",
            Self::TooLarge => "larger than 1 MiB",
            Self::NotText => "not text in UTF-8",
            Self::OutsideLink => "a link that leads out of the vault",
            Self::InsideLink => "a link to another place in the vault",
            Self::Hidden => "its name begins with a dot",
            Self::BadPath => "its path cannot be stored",
            Self::NotFile => "neither a file nor a folder",
            Self::Unreadable => "it cannot be read",
        }
    }
}

/// A file or folder that is not indexed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Its path in the vault, with `/`. For a placeholder, the path of the file that it stands for.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// True if the name of a file is that of a page.
pub fn is_page(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("markdown"))
}

/// End of the name of a drawing of the plugin Excalidraw: Markdown around compressed data.
const DRAWING: &str = ".excalidraw.md";

/// True if the name of a file is that of a drawing, which is no page.
pub fn is_drawing(name: &str) -> bool {
    name.len() > DRAWING.len() && name.to_ascii_lowercase().ends_with(DRAWING)
}

/// The name of a page's file, without folders and ending.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// How links and names of pages are compared: folded, and without the ending of a page.
pub fn link_name(target: &str) -> String {
    let folded = fold(target);
    let folded = folded.trim_start_matches('/');
    folded.strip_suffix(".md").or_else(|| folded.strip_suffix(".markdown")).unwrap_or(folded).to_owned()
}

/// Digits for the length of a number in a [`sort_key`].
const MOST_DIGITS: usize = 999;

/// By what a list orders titles: without regard to case, and numbers by their value, so that "Page 2" stands before "Page 10".
pub fn sort_key(title: &str) -> String {
    let folded = fold(title);
    let (mut key, mut rest) = (String::with_capacity(folded.len()), folded.as_str());
    while let Some(at) = rest.find(|char: char| char.is_ascii_digit()) {
        let (text, digits) = rest.split_at(at);
        let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits[..end].trim_start_matches('0');
        // Of two numbers, the one with more digits is the larger.
        let _ = write!(key, "{text}{:03}{number}", number.len().min(MOST_DIGITS));
        rest = &digits[end..];
    }
    key.push_str(rest);
    key
}

/// What a link may call a page, each name once: its path, the name of its file, its title, its aliases.
pub fn link_names(path: &str, text: &PageText) -> Vec<(String, LinkRank)> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let own = [(path, LinkRank::Path), (file, LinkRank::File), (text.title.as_str(), LinkRank::Title)];
    let aliases = text.aliases.iter().map(|alias| (alias.as_str(), LinkRank::Alias));
    let mut names: Vec<(String, LinkRank)> = Vec::new();
    for (name, rank) in own.into_iter().chain(aliases) {
        let name = link_name(name);
        if !name.is_empty() && names.iter().all(|(known, _)| *known != name) {
            names.push((name, rank));
        }
    }
    names
}

/// Which of a page's names a link has. A link leads to the page with the first of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkRank {
    /// The path in the vault.
    Path = 1,
    /// The name of the file.
    File,
    Title,
    Alias,
}

/// True for the names that synchronising programs give to copies of a file that was changed in two places: of Dropbox
/// `(conflicted copy ...)` and `(... conflicted copy ...)`, of Syncthing `.sync-conflict-...`.
pub fn is_conflicted(name: &str) -> bool {
    let name = name.to_lowercase();
    let in_brackets = || {
        let parts = name.split('(').skip(1);
        parts.filter_map(|rest| rest.split_once(')')).any(|(inner, _)| inner.contains("conflicted copy"))
    };
    name.contains(".sync-conflict-") || in_brackets()
}

/// The name of the file that a placeholder of iCloud stands for: `.Name.md.icloud` for `Name.md`.
pub fn placeholder_of(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".icloud").filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn titles_with_numbers_are_ordered_by_their_values(a: u32, b: u32, zeros in 0..3usize) {
            let title = |number: u32| format!("Page {}{number} of it", "0".repeat(zeros));
            proptest::prop_assert_eq!(sort_key(&title(a)).cmp(&sort_key(&title(b))), a.cmp(&b));
            proptest::prop_assert_eq!(sort_key(&format!("PAGE {a}")), sort_key(&format!("Page 0{a}")));
        }
    }

    #[test]
    fn names_of_synchronising_programs_are_known() {
        for name in [
            "Saltmere (conflicted copy 2026-01-02).md",
            "Saltmere (Mira's conflicted copy 2026-01-02).md",
            "Saltmere.sync-conflict-20260102-030405-ABCDEFG.md",
        ] {
            assert!(is_conflicted(name), "{name}");
        }
        for name in ["Saltmere.md", "A conflicted copy of the crown.md", "The (copy) conflicted.md"] {
            assert!(!is_conflicted(name), "{name}");
        }
        assert_eq!(placeholder_of(".Saltmere.md.icloud"), Some("Saltmere.md"));
        assert_eq!((placeholder_of("Saltmere.md.icloud"), placeholder_of("..icloud")), (None, None));
        assert_eq!((stem("places/Salt.mere.md"), stem("README")), ("Salt.mere", "README"));
        assert!(is_page("a.MD") && is_page("b.markdown") && !is_page("md") && !is_page("map.png"));
    }
}
