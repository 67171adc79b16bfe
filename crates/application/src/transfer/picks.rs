//! What an import does only where a person picked that very line, and how such a line is shown.

use std::collections::BTreeSet;

use inklings_domain::{ids::MemoryId, memory::MemoryEntry};

/// The line for what a file claims of its own rows: pinned, importance, the worldbuilder's own words.
pub const CLAIMS: &str = "claims";
/// The most characters of a text that a line shows, unless the whole is asked for.
const EXCERPT: usize = 600;
/// How many of them stand before the first difference.
const LEAD: usize = 120;

/// The lines of a plan that a person picked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picks {
    /// Every line there is.
    pub all: bool,
    /// These, by their ids.
    pub lines: BTreeSet<String>,
}

impl Picks {
    /// Every line.
    pub const ALL: Self = Self { all: true, lines: BTreeSet::new() };

    /// None.
    pub const NONE: Self = Self { all: false, lines: BTreeSet::new() };

    /// True if a line is picked.
    pub fn has(&self, id: &str) -> bool {
        self.all || self.lines.contains(id)
    }
}

/// Why a line needs to be picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It would write what every workspace shares.
    Account,
    /// It would speak as one of the entries that every workspace or account begins with.
    Voice,
    /// It would change what stands here.
    Replaces,
    /// It would join a conversation that is here.
    Joins,
    /// It would give rows a standing because the file says so.
    Claims,
}

impl Need {
    /// Its stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Voice => "voice",
            Self::Replaces => "replaces",
            Self::Joins => "joins",
            Self::Claims => "claims",
        }
    }

    /// What it would do, for people.
    pub const fn would(self) -> &'static str {
        match self {
            Self::Account => "it would be remembered in every workspace",
            Self::Voice => "it would tell the World Agent how to speak",
            Self::Replaces => "it would change what stands here",
            Self::Joins => "it would join a conversation that is here",
            Self::Claims => "it would count for more because the file says so",
        }
    }
}

/// A text of a line, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineText {
    /// The text; cut where an ellipsis stands.
    pub text: String,
    /// False if it was cut.
    pub whole: bool,
}

/// A thing in the file that is left out unless a person picks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is picked by: the section and the number of the row there, or [`CLAIMS`].
    pub id: String,
    /// What it is: "memory", "named entry".
    pub what: &'static str,
    /// The tier, of an entry.
    pub tier: Option<String>,
    /// How people know it.
    pub label: String,
    /// The entry that stands here, if one does.
    pub entry: Option<MemoryId>,
    /// Why it needs to be picked.
    pub need: Need,
    /// The same for people, with what would change.
    pub reason: String,
    /// True if it was.
    pub picked: bool,
    /// What stands here, if anything does.
    pub here: Option<LineText>,
    /// What the file brings.
    pub file: LineText,
}

/// The texts of a line: from a little before the first difference on, and no more than a reader takes in at once. `whole`
/// shows all of both.
pub fn texts(here: Option<&str>, file: &str, whole: bool) -> (Option<LineText>, LineText) {
    let same = here.map_or(0, |here| here.chars().zip(file.chars()).take_while(|(a, b)| a == b).count());
    let part = |text: &str| {
        let length = text.chars().count();
        if whole || length <= EXCERPT {
            return LineText { text: text.to_owned(), whole: true };
        }
        // A text that ends before the difference shows its end.
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

/// What of an entry would be another, in words.
pub fn differences(current: &MemoryEntry, after: &MemoryEntry) -> Vec<&'static str> {
    let told = [
        (current.content != after.content, "text"),
        (current.name != after.name, "name"),
        (current.aliases != after.aliases, "other names"),
        (current.tags != after.tags, "tags"),
        (current.importance != after.importance, "importance"),
        (current.pinned != after.pinned, "pinned"),
        (current.lifetime != after.lifetime, "lifetime"),
        (current.kind != after.kind, "kind"),
        (
            current.curator != after.curator || current.derived_from != after.derived_from,
            "whose words it holds",
        ),
        (current.consolidated_into != after.consolidated_into, "what it went into"),
        (current.is_active() && !after.is_active(), "out of use"),
        (!current.is_active() && after.is_active(), "in use again"),
    ];
    told.into_iter().filter_map(|(differs, what)| differs.then_some(what)).collect()
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
