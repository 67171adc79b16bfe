//! Finds the proper names, numbers and negations that a rewrite lost from its original texts.

use std::{collections::BTreeSet, ops::Range};

use crate::{
    language::{
        Kind, Pause, Token, is_english, is_function_word, is_shouted, negates, numerals, stem, tokens,
    },
    scope::words,
};

/// The kind of a mark that distinguishes two statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// A proper name.
    Name,
    /// A number, in digits or in words.
    Number,
    /// A negated statement.
    Negation,
}

words!(MarkKind, "kind of mark", { Name => "name", Number => "number", Negation => "negation" });

/// A name, number or negation of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mark {
    pub kind: MarkKind,
    /// As written; for a negation, up to the first negated word ("never sleeps").
    pub text: String,
}

/// The difference in marks between original texts and their rewrite.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Marks of an original that are missing in the rewrite: names and numbers by original, then negations.
    pub lost: Vec<Mark>,
    /// Marks of the rewrite that are in no original.
    pub added: Vec<Mark>,
}

impl Coverage {
    /// True if nothing was lost.
    pub const fn is_complete(&self) -> bool {
        self.lost.is_empty()
    }
}

/// Compares the marks of the originals with those of the rewrite.
///
/// Names are compared folded and without a possessive ending; numbers by value where the value is certain. A negated
/// statement is covered if the rewrite negates the same word of the same subject. Each distinct negated statement
/// needs a negation of its own.
pub fn coverage(originals: &[&str], rewritten: &str) -> Coverage {
    let english = |text: &str| is_english(&tokens(text));
    let before: Vec<Marks> = originals.iter().map(|text| Marks::of(text, english(text))).collect();
    let after = Marks::of(rewritten, english(rewritten));
    let mut held = after.clone();
    if !originals.iter().all(|text| english(text)) {
        // A text read by the rules of another language must be compared with the rewrite read by the same rules.
        let other = Marks::of(rewritten, false);
        held.numbers.extend(other.numbers);
        held.denials = other.denials;
    }
    Coverage { lost: lost(&before, &held), added: lost(&[after], &Marks::sum(before)) }
}

/// The marks of a text.
#[derive(Debug, Clone, Default)]
struct Marks {
    /// Folded name and written form.
    names: Vec<(String, String)>,
    /// Every capitalised word and every first word of a sentence, as candidates for names.
    held: BTreeSet<String>,
    /// Key and written form.
    numbers: Vec<(String, String)>,
    denials: Vec<Denial>,
}

/// A negated statement.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Denial {
    text: String,
    /// Stems of the negated words, nearest first.
    denied: Vec<String>,
    /// Stems of the words before the negation in its clause, including the subject.
    subject: Vec<String>,
    /// Stems of all words of its clause.
    clause: BTreeSet<String>,
    /// Stems of the words before its clause in the sentence, if the clause has no subject of its own.
    opening: BTreeSet<String>,
}

impl Marks {
    fn of(text: &str, english: bool) -> Self {
        let list = tokens(text);
        let shouted = is_shouted(text);
        let mut marks = Self::default();
        for token in &list {
            if token.is_name(shouted) {
                marks.names.push((token.bare().to_owned(), token.raw_bare().to_owned()));
            }
            if token.opens || token.is_capital() || shouted || token.is_name(shouted) {
                marks.held.insert(token.bare().to_owned());
            }
        }
        for numeral in numerals(&list, english) {
            let (first, end) = (&list[numeral.first], list[numeral.last].end());
            marks.numbers.push((numeral.key, text[first.at..end].to_owned()));
        }
        let carries = |token: &Token<'_>| {
            token.kind != Kind::Symbol && !is_function_word(&token.folded) && !negates(token, english)
        };
        let roots: Vec<Option<String>> =
            list.iter().map(|token| carries(token).then(|| stem(&token.folded))).collect();
        marks.denials = (0..list.len())
            .filter(|n| negates(&list[*n], english))
            .map(|n| denial(text, &list, &roots, n))
            .collect();
        marks
    }

    fn sum(all: Vec<Self>) -> Self {
        let mut sum = Self::default();
        for marks in all {
            sum.names.extend(marks.names);
            sum.held.extend(marks.held);
            sum.numbers.extend(marks.numbers);
            sum.denials.extend(marks.denials);
        }
        sum
    }
}

/// Words that begin another statement.
const BREAKS: &[&str] =
    &["but", "while", "although", "because", "though", "whereas", "yet", "aber", "pero", "mais"];
/// Words that begin a subject.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "his", "her", "their", "its", "my", "our", "your", "this", "that", "these", "those",
    "all", "some",
];
/// Maximum length of a clause on either side of a negation, in words.
const MAX_CLAUSE: usize = 30;
/// Maximum number of negated words to compare.
const MAX_DENIED: usize = 3;

/// The statement that the word at `at` negates. `roots` are the stems of the content words.
fn denial(text: &str, list: &[Token<'_>], roots: &[Option<String>], at: usize) -> Denial {
    let breaks = |n: usize| BREAKS.contains(&list[n].folded.as_str());
    let (begin, end) = (at.saturating_sub(MAX_CLAUSE), list.len().min(at + MAX_CLAUSE));
    let from =
        (begin..at).rev().find(|n| list[*n].pause > Pause::None || breaks(*n)).map_or(begin, |n| n + 1);
    let to = (at..end)
        .find(|n| list[*n].pause > Pause::None || list.get(n + 1).is_some_and(|_| breaks(n + 1)))
        .map_or(end, |n| n + 1);
    let stems = |range: Range<usize>| roots[range].iter().flatten().cloned();
    let mut denied = Vec::new();
    let mut head = at;
    for n in at + 1..to {
        if negates(&list[n], true)
            || denied.len() == MAX_DENIED
            || (!denied.is_empty() && matches!(list[n].folded.as_str(), "and" | "or"))
        {
            break;
        }
        if let Some(root) = &roots[n] {
            if denied.is_empty() {
                head = n;
            }
            denied.push(root.clone());
        }
    }
    let subject: Vec<String> = stems(from..at).collect();
    // "Jonas, a miner, is no sailor": the clause continues the preceding words, unless it begins with a subject.
    let own = list[from].is_capital() || DETERMINERS.contains(&list[from].folded.as_str());
    let opens = (begin..from).find(|n| list[*n].sentence == list[at].sentence).filter(|_| !own);
    if denied.is_empty() {
        // "She said no.": only the preceding words remain.
        denied.extend(subject.last().cloned());
    }
    Denial {
        text: text[list[at].at..list[head].end()].to_owned(),
        denied,
        subject,
        clause: stems(from..to).collect(),
        opening: opens.map_or_else(BTreeSet::new, |n| stems(n..from).collect()),
    }
}

impl Denial {
    fn has_same_subject_and_negation(&self, other: &Self) -> bool {
        self.denied.first() == other.denied.first() && self.subject == other.subject
    }

    /// True if the other negates the same word of the same subject.
    fn held_by(&self, other: &Self) -> bool {
        let (Some(own), Some(theirs)) = (self.denied.first(), other.denied.first()) else {
            return self.denied.is_empty() || other.denied.is_empty();
        };
        let same_word = other.denied.contains(own) || self.denied.contains(theirs);
        let same_subject = self.subject.is_empty()
            || other.subject.is_empty()
            || self.subject.iter().any(|word| other.clause.contains(word))
            || self.subject.last().is_some_and(|head| other.opening.contains(head))
            || other.subject.last().is_some_and(|head| self.opening.contains(head));
        same_word && same_subject
    }

    /// True if the other names the same subject, and so may stand for several statements.
    fn named_by(&self, other: &Self) -> bool {
        self.subject.last().is_some_and(|head| other.subject.contains(head))
    }
}

fn lost(before: &[Marks], after: &Marks) -> Vec<Mark> {
    let mut lost: Vec<Mark> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut miss = |kind: MarkKind, key: &str, text: &str| {
        if seen.insert((kind, key.to_owned())) {
            lost.push(Mark { kind, text: text.to_owned() });
        }
    };
    let numbers: BTreeSet<&str> = after.numbers.iter().map(|(key, _)| key.as_str()).collect();
    for marks in before {
        for (name, text) in &marks.names {
            if !after.held.contains(name) {
                miss(MarkKind::Name, name, text);
            }
        }
        for (key, text) in &marks.numbers {
            if !numbers.contains(key.as_str()) {
                miss(MarkKind::Number, key, text);
            }
        }
    }
    let mut distinct: Vec<&Denial> = Vec::new();
    for denial in before.iter().flat_map(|marks| &marks.denials) {
        if !distinct.iter().any(|other| other.has_same_subject_and_negation(denial)) {
            distinct.push(denial);
        }
    }
    let unheld = unheld(&distinct, &after.denials);
    lost.extend(unheld.into_iter().map(|d| Mark { kind: MarkKind::Negation, text: d.text.clone() }));
    lost
}

/// The statements that no negation of the rewrite covers. One negation covers one statement, or all statements whose
/// subjects it names ("Mira and Jonas are not dead").
fn unheld<'d>(distinct: &[&'d Denial], after: &[Denial]) -> Vec<&'d Denial> {
    let mut used = vec![None::<&str>; after.len()];
    let mut missing = Vec::new();
    for denial in distinct {
        let word = denial.denied.first().map_or("", String::as_str);
        let shared = (0..after.len()).find(|n| {
            denial.held_by(&after[*n])
                && denial.named_by(&after[*n])
                && used[*n].is_none_or(|other| other == word)
        });
        let free = || (0..after.len()).filter(|n| used[*n].is_none() && denial.held_by(&after[*n]));
        // Prefer a negation of the same word, so that each statement keeps its own negation.
        let own = || free().find(|n| after[*n].denied.first() == denial.denied.first());
        match shared.or_else(own).or_else(|| free().next()) {
            Some(n) => used[n] = Some(word),
            None => missing.push(*denial),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(originals: &[&str], rewritten: &str) -> Vec<String> {
        coverage(originals, rewritten)
            .lost
            .into_iter()
            .map(|mark| format!("{}: {}", mark.kind, mark.text))
            .collect()
    }

    #[test]
    fn lost_names_numbers_and_negations_are_reported_as_written() {
        let originals = ["Mira is 34.", "The gate of Veyra is not open.", "Jonas Hale never sleeps."];
        assert_eq!(
            lost(&originals, "She is young, the gate is open, and Jonas sleeps."),
            [
                "name: Mira",
                "number: 34",
                "name: Veyra",
                "name: Hale",
                "negation: not open",
                "negation: never sleeps"
            ]
        );
        assert!(
            coverage(&originals, "Mira (34) and Jonas Hale: he never sleeps. The gate of Veyra is not open.")
                .is_complete()
        );
    }

    #[test]
    fn texts_of_two_languages_lose_nothing_when_they_are_joined() {
        assert_eq!(
            lost(&["Mira vive sin luz.", "The gate is old."], "Mira vive sin luz. The gate is old."),
            [""; 0]
        );
        assert_eq!(
            lost(&["Mira vive sin luz.", "The gate is old."], "Mira vive. The gate is old."),
            ["negation: sin luz"]
        );
    }

    #[test]
    fn a_rewrite_must_retain_each_distinct_negation() {
        let two = ["He is not dead.", "She never sleeps."];
        assert_eq!(lost(&two, "He is not dead. She never sleeps."), [""; 0]);
        assert_eq!(lost(&two, "He isn't dead, and she does not sleep."), [""; 0]);
        assert_eq!(lost(&two, "He is not dead, and she sleeps."), ["negation: never sleeps"]);
        assert_eq!(lost(&two, "He is dead, and she never sleeps."), ["negation: not dead"]);
        assert_eq!(
            lost(&two, "He is alive and she is awake."),
            ["negation: not dead", "negation: never sleeps"]
        );
    }

    #[test]
    fn a_negation_that_moved_to_another_word_is_lost() {
        assert_eq!(
            lost(&["The gate is not open."], "The gate is not old and stands open."),
            ["negation: not open"]
        );
        assert_eq!(lost(&["Mira is not dead."], "Jonas is not dead. Mira is dead."), ["negation: not dead"]);
        assert_eq!(
            lost(&["Mira is not dead.", "Jonas is not dead."], "Mira and Jonas are not dead."),
            [""; 0]
        );
        assert_eq!(
            lost(&["Mira is not dead.", "Jonas is not dead."], "Mira is not dead. Jonas is."),
            ["negation: not dead"]
        );
        assert_eq!(
            lost(&["The gate is not locked at night."], "The gate is locked; guards do not sleep at night."),
            ["negation: not locked"]
        );
    }

    #[test]
    fn the_same_negation_in_another_form_counts_as_retained() {
        for (original, rewritten) in [
            ("The gate is not open.", "The gate isn't open."),
            ("No guard sleeps.", "The guards never sleep."),
            ("Jonas has no sword.", "Jonas lacks a sword."),
            ("They cannot swim.", "They can't swim."),
            ("She travels without her brother.", "She travels, never with her brother."),
            ("Das Tor ist nicht offen.", "Das Tor ist alt und nicht offen."),
            ("She said no.", "She said no to them."),
            ("Nothing grows there without rain.", "Without rain nothing grows there."),
            ("Jonas isn't a sailor.", "Jonas, Mira's brother (born 1409), hates the sea and is no sailor."),
            ("The guild does not trade in salt.", "The guild, founded by Oskar, doesn't trade in salt."),
        ] {
            assert_eq!(lost(&[original], rewritten), [""; 0], "{original} / {rewritten}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value_where_it_is_certain() {
        for (original, rewritten) in [
            ("Three ships came.", "The 3 ships came."),
            ("The 3rd ship sank.", "The third ship sank."),
            ("There were 1,250 men.", "There were 1250 men."),
            ("There were 10 000 men.", "There were ten thousand men."),
            ("Two hundred and five men.", "205 men."),
            ("It cost 2.5 million crowns.", "It cost 2,500,000 crowns."),
            ("Es kostet 2,5 Kronen.", "Die 2.5 Kronen zahlt er."),
            ("On 3 May 1432.", "On May 3rd, 1432."),
            ("Twenty-three men.", "23 men."),
            ("A dozen guards.", "12 guards."),
            ("Nobody knows the one who came.", "Nobody knows who came."),
            ("٣ ships", "3 ships"),
            ("It lasted 1432–1450.", "It lasted from 1432 to 1450."),
        ] {
            assert_eq!(lost(&[original], rewritten), [""; 0], "{original} / {rewritten}");
        }
        for (original, rewritten, number) in [
            ("It is 1,250 km.", "Es sind 1.250 km.", "1,250"),
            ("Section 1.10.", "Section 1.1.", "1.10"),
            ("It is -5 degrees.", "It is 5 degrees.", "5"),
            ("The third king.", "The 3 kings.", "third"),
            ("There were 34.", "There were 43.", "34"),
            ("In the 1920s it fell.", "In the twenties it fell.", "1920"),
            ("Agent R2D2 came.", "Agent came.", "R2D2"),
        ] {
            let found = lost(&[original], rewritten);
            assert!(found.contains(&format!("number: {number}")), "{original} / {rewritten}: {found:?}");
        }
    }

    #[test]
    fn names_are_capitalised_words_and_uncommon_words_at_the_start_of_a_sentence() {
        let names = |text: &str| -> Vec<String> {
            coverage(&[text], "")
                .lost
                .into_iter()
                .filter(|m| m.kind == MarkKind::Name)
                .map(|m| m.text)
                .collect()
        };
        assert_eq!(names("Mira's gate is old. The gate burned."), ["Mira"]);
        assert_eq!(
            names("Veyra fell. Élodie saw it, said O'Brien of Al-Rashid."),
            ["Veyra", "Élodie", "O'Brien", "Al", "Rashid"]
        );
        assert_eq!(names("Her brother is in the Night Watch."), ["Night", "Watch"]);
        assert_eq!(names("Мира живёт в Велире."), ["Мира", "Велире"]);
        assert_eq!(names("I'm sure. It's late. Don't go."), [""; 0]);
        assert_eq!(lost(&["They met in March."], "They march."), ["name: March"]);
        assert_eq!(lost(&["Mira’s eyes"], "the eyes of Mira"), [""; 0]);
    }

    #[test]
    fn names_numbers_and_negations_added_by_a_rewrite_are_reported() {
        let found = coverage(&["The gate is old."], "The gate of Veyra is 300 years old and not open.");
        assert!(found.is_complete());
        let added: Vec<&str> = found.added.iter().map(|mark| mark.text.as_str()).collect();
        assert_eq!(added, ["Veyra", "300", "not open"]);
    }

    proptest::proptest! {
        #[test]
        fn a_text_covers_itself_and_what_is_joined_covers_its_parts(a in "\\PC{0,80}", b in "[A-Za-z0-9 .,'-]{0,80}") {
            proptest::prop_assert!(coverage(&[&a], &a).is_complete());
            proptest::prop_assert!(coverage(&[&b], &b).is_complete());
            proptest::prop_assert_eq!(&coverage(&[&b], &b).added, &vec![]);
            let joined = format!("{a}\n\n{b}");
            proptest::prop_assert!(coverage(&[&a, &b], &joined).is_complete());
        }

        #[test]
        fn every_lost_number_is_reported(numbers in proptest::collection::vec(0u32..100_000, 1..6), count in 0usize..6) {
            let original: Vec<String> = numbers.iter().map(|n| format!("Gate {n} is old.")).collect();
            let rewritten: Vec<String> = original.iter().take(count).cloned().collect();
            let texts: Vec<&str> = original.iter().map(String::as_str).collect();
            let complete = coverage(&texts, &rewritten.join(" ")).is_complete();
            let held = numbers.iter().all(|n| numbers.iter().take(count).any(|other| other == n));
            proptest::prop_assert_eq!(complete, held);
        }
    }
}
