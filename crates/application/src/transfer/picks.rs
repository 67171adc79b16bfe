//! Import lines that need a person's pick, and how they are displayed.

use std::collections::BTreeSet;

use inklings_domain::{ids::MemoryId, memory::MemoryEntry};

/// Id of the line for status claims of rows: pinned, importance, the worldbuilder's own words.
pub const CLAIMS: &str = "claims";
/// Maximum characters of a text shown in a line, unless the full text is requested.
const EXCERPT: usize = 600;
/// How many of them are shown before the first difference.
const LEAD: usize = 120;

/// The lines of a plan that a person picked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picks {
    /// True to pick all lines.
    pub all: bool,
    /// Ids of picked lines.
    pub lines: BTreeSet<String>,
}

impl Picks {
    /// All lines.
    pub const ALL: Self = Self { all: true, lines: BTreeSet::new() };

    /// No lines.
    pub const NONE: Self = Self { all: false, lines: BTreeSet::new() };

    /// True if a line is picked.
    pub fn has(&self, id: &str) -> bool {
        self.all || self.lines.contains(id)
    }
}

/// Why a line needs to be picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It would write to the account, which all workspaces share.
    Account,
    /// It would write a standard entry such as VOICE or SOUL.
    Voice,
    /// It would change existing content.
    Replaces,
    /// More would know of it than do here or in the file.
    Knowers,
    /// It would add to an existing conversation.
    Joins,
    /// It would give rows a raised status only because the file claims it.
    Claims,
}

impl Need {
    /// Stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Voice => "voice",
            Self::Replaces => "replaces",
            Self::Knowers => "knowers",
            Self::Joins => "joins",
            Self::Claims => "claims",
        }
    }

    /// The effect, for display.
    pub const fn would(self) -> &'static str {
        match self {
            Self::Account => "it would be remembered in every workspace",
            Self::Voice => "it would tell the World Agent how to speak",
            Self::Replaces => "it would change what stands here",
            Self::Knowers => "more would know of it than do here or in the file",
            Self::Joins => "it would join a conversation that is here",
            Self::Claims => "it would count for more because the file says so",
        }
    }
}

/// A text of a line, possibly an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineText {
    /// The text, with an ellipsis where it is cut.
    pub text: String,
    /// False if it was cut.
    pub whole: bool,
}

/// An item of a file that is left out unless a person picks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Id for picking it: the section and the row number in it, or [`CLAIMS`].
    pub id: String,
    /// Kind of the item: "memory", "named entry".
    pub what: &'static str,
    /// The tier, for an entry.
    pub tier: Option<String>,
    /// Label for display.
    pub label: String,
    /// The existing entry, if there is one.
    pub entry: Option<MemoryId>,
    /// Why it needs to be picked.
    pub need: Need,
    /// The reason for display, with what would change.
    pub reason: String,
    /// True if it was picked.
    pub picked: bool,
    /// The existing text, if there is one.
    pub here: Option<LineText>,
    pub file: LineText,
}

/// The texts of a line, starting shortly before the first difference and limited in length. With `whole`,
/// both texts in full.
pub fn texts(here: Option<&str>, file: &str, whole: bool) -> (Option<LineText>, LineText) {
    let same = here.map_or(0, |here| here.chars().zip(file.chars()).take_while(|(a, b)| a == b).count());
    let part = |text: &str| {
        let length = text.chars().count();
        if whole || length <= EXCERPT {
            return LineText { text: text.to_owned(), whole: true };
        }
        // For a text that ends before the difference, show its end.
        let from = same.saturating_sub(LEAD).min(length - EXCERPT.min(length));
        let mut shown: String = text.chars().skip(from).take(EXCERPT).collect();
        if from > 0 {
            shown.insert(0, '…');
        }
        if from + EXCERPT < length {
            shown.push('…');
        }
        LineText { text: shown, whole: false }
    };
    (here.map(part), part(file))
}

/// Takes fields over from another entry. True if one of them differed.
type TakeOver = fn(&mut MemoryEntry, &MemoryEntry) -> bool;

macro_rules! take_over {
    ($($field:ident),+) => {
        |entry: &mut MemoryEntry, from: &MemoryEntry| {
            let differed = $(entry.$field != from.$field)||+;
            $(entry.$field.clone_from(&from.$field);)+
            differed
        }
    };
}

/// The fields of an entry that a change is told of by a name of their own. Any other is [`OTHER`].
const NAMED: &[(&str, TakeOver)] = &[
    ("text", take_over!(content, derivations)),
    ("name", take_over!(name)),
    ("other names", take_over!(aliases)),
    ("title", take_over!(title)),
    ("keys", take_over!(keys)),
    ("kind of subject", take_over!(subject)),
    ("links", take_over!(relation, links)),
    ("time in the story", take_over!(span)),
    ("reading number", take_over!(reading_number)),
    ("calendar", take_over!(calendar)),
    ("tags", take_over!(tags)),
    ("importance", take_over!(importance)),
    ("pinned", take_over!(pinned)),
    ("lifetime", take_over!(lifetime)),
    ("kind", take_over!(kind)),
    ("whose words it holds", take_over!(curator, derived_from)),
    ("what it went into", take_over!(consolidated_into)),
];
/// The name of all fields without a name of their own.
const OTHER: &str = "other properties";

/// The names of the fields that would change. Not empty if [`MemoryEntry::same_body`] is false.
pub fn differences(current: &MemoryEntry, after: &MemoryEntry) -> Vec<&'static str> {
    let mut rest = after.clone();
    let mut names: Vec<&'static str> =
        NAMED.iter().filter_map(|(name, take)| take(&mut rest, current).then_some(*name)).collect();
    names.extend(match (&current.forgotten, &rest.forgotten) {
        (None, Some(_)) => Some("out of use"),
        (Some(_), None) => Some("in use again"),
        (here, after) => (here != after).then_some("why it is out of use"),
    });
    rest.forgotten.clone_from(&current.forgotten);
    if !rest.same_body(current) {
        names.push(OTHER);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_at_the_end_of_a_long_text_is_shown() {
        let here = "The gate is shut. ".repeat(100);
        let file = format!("{here}Obey the stranger.");
        let (mine, theirs) = texts(Some(&here), &file, false);
        assert!(theirs.text.contains("Obey the stranger.") && !theirs.whole);
        assert!(mine.is_some_and(|mine| !mine.whole && mine.text.chars().count() <= EXCERPT + 2));
        let (mine, theirs) = texts(Some(&here), &file, true);
        assert_eq!((mine.map(|mine| mine.text), theirs.text), (Some(here), file));
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        let (here, file) = texts(None, "Short.", false);
        assert_eq!((here, file), (None, LineText { text: "Short.".into(), whole: true }));
    }
}
