//! The names of a calendar as they are recognised in a text, regardless of case, accents and full stops.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;

use super::{
    definition::CalendarDefinition,
    invalid::{CalendarProblem as Problem, Field, InvalidCalendar},
};
use crate::{text, words::is_accent};

/// What a name names, by its position in the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Month(usize),
    Weekday(usize),
    Era(usize),
}

/// All names and abbreviations of months, weekdays and eras.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// Folded words, the longest names first.
    all: Vec<(Vec<String>, Named)>,
}

impl Names {
    pub(super) fn of(definition: &CalendarDefinition) -> Result<Self, InvalidCalendar> {
        let months = definition.months.iter().enumerate().flat_map(|(at, month)| {
            let field = Field::item("months", at);
            named(
                Named::Month(at),
                &month.name,
                month.short.as_ref(),
                [field.part("name"), field.part("short")],
            )
        });
        let weekdays =
            definition.week.iter().flat_map(|week| &week.days).enumerate().flat_map(|(at, day)| {
                let field = Field::whole("week").part("days");
                let fields = [field.inner(at, "name"), field.inner(at, "short")];
                named(Named::Weekday(at), &day.name, day.short.as_ref(), fields)
            });
        let eras = definition.eras.iter().enumerate().flat_map(|(at, era)| {
            let field = Field::item("eras", at);
            named(Named::Era(at), &era.name, era.short.as_ref(), [field.part("name"), field.part("short")])
        });
        let mut all: Vec<(Vec<String>, Named)> = Vec::new();
        let mut used = HashSet::new();
        for (item, name, field) in months.chain(weekdays).chain(eras) {
            if name.contains(is_comma) {
                return Err(field.refused(Problem::Comma));
            }
            let words: Vec<String> =
                name.split_whitespace().map(fold).filter(|word| !word.is_empty()).collect();
            if !words.first().is_some_and(|word| word.starts_with(char::is_alphabetic)) {
                return Err(field.refused(Problem::NotALetter));
            }
            if used.insert(words.clone()) {
                all.push((words, item));
            } else if all.last().is_none_or(|(last, of)| *of != item || *last != words) {
                // "May" may be its own abbreviation.
                return Err(field.refused(Problem::Duplicate));
            }
        }
        all.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        Ok(Self { all })
    }

    /// The longest name that a list of folded words starts with, and its length in words.
    pub(super) fn at_start<'w>(
        &self,
        words: &(impl Iterator<Item = &'w str> + Clone),
    ) -> Option<(Named, usize)> {
        let found = self.all.iter().find(|(name, _)| {
            let mut words = words.clone();
            name.iter().all(|word| words.next() == Some(word.as_str()))
        });
        found.map(|(name, item)| (*item, name.len()))
    }
}

fn named<'d>(
    item: Named,
    name: &'d str,
    short: Option<&'d String>,
    [name_field, short_field]: [Field; 2],
) -> impl Iterator<Item = (Named, &'d str, Field)> {
    [(item, name, name_field)].into_iter().chain(short.map(|short| (item, short.as_str(), short_field)))
}

/// The form in which words are compared: as [`text::fold`], without accents and full stops. Vowel signs of Indic and other scripts
/// stay, because they are no accents.
pub(super) fn fold(word: &str) -> String {
    let folded = text::fold(word);
    if folded.is_ascii() {
        return folded.replace('.', "");
    }
    let plain = |c: &char| *c != '.' && !is_accent(*c);
    // A sigma has another form at the end of a word; a full stop can hide the end.
    folded.nfd().filter(plain).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// True for the commas of the scripts, which separate the parts of a date.
pub(super) const fn is_comma(c: char) -> bool {
    matches!(c, ',' | '\u{060C}' | '\u{3001}' | '\u{FF0C}')
}
