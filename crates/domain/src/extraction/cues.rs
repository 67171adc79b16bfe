//! Detects statements of the worldbuilder by cue words.

use super::{
    ExtractedKind,
    phrases::{
        ADDRESSED, APPROVAL, ASKS, AUTHORING, CORRECTIONS, DECISIONS, DOUBTS, IDLE, LEADS, NO_NAMES,
        NO_QUESTIONS, POINTING, PREFERENCES, SPEAKING, UNDECIDED,
    },
};

/// Classifies a sentence, or returns `None`. `said` is the original, `plain` is folded with quotations masked.
pub(crate) fn kind(sentence: &str, plain: &str) -> Option<ExtractedKind> {
    let mut text = without_leads(plain);
    let starts = |text: &str, cues: &[&str]| cues.iter().any(|cue| text.starts_with(cue));
    if is_speech(text) || starts(text, IDLE) {
        return None;
    }
    let undecided =
        starts(text, UNDECIDED) || words(text).any(|word| word == "tbd") || text.contains("to be decided");
    if plain.contains(['?', '？', '؟']) {
        let open = undecided && !words(text).any(|word| matches!(word, "you" | "your"));
        return (open || is_about_the_world(text)).then_some(ExtractedKind::Question);
    }
    if undecided {
        return Some(ExtractedKind::Question);
    }
    if DOUBTS.iter().any(|doubt| holds(text, doubt)) {
        return None;
    }
    // "Actually, I prefer …" is a preference; "actually, that's fine" is not a statement.
    if let Some(rest) = text.strip_prefix("actually").map(|rest| rest.trim_start_matches([',', ' '])) {
        let first = words(rest).next().unwrap_or("i");
        if ["i", "i'd", "i've", "i'll", "we", "we've", "we'll", "let's", "please", "call"].contains(&first) {
            text = rest;
        } else if ["can", "could", "what", "who", "how", "yes", "yeah", "never", "nevermind", "maybe"]
            .contains(&first)
        {
            return None;
        }
    }
    let empty = words(text).all(|word| APPROVAL.contains(&word));
    let many = words(text).count() > 2;
    if !empty && ((starts(text, CORRECTIONS) && (many || announces(text))) || puts_right(sentence, text)) {
        return Some(ExtractedKind::Correction);
    }
    let says = |cues: &[&str]| {
        cues.iter()
            .filter_map(|cue| text.strip_prefix(cue))
            .any(|rest| !words(rest).all(|word| POINTING.contains(&word)))
    };
    if is_now(text) || (many && says(DECISIONS) && !is_of_a_story(text)) {
        return Some(ExtractedKind::Decision);
    }
    let choice = words(text).any(|word| matches!(word, "one" | "latter" | "former" | "option"));
    ((says(PREFERENCES) && !choice) || is_form_of_address(text)).then_some(ExtractedKind::Preference)
}

/// Detects unquoted speech: "I don't like him, Mira said."
fn is_speech(text: &str) -> bool {
    let all: Vec<&str> = words(text).collect();
    all.iter().rev().take(3).any(|word| SPEAKING.contains(word)) && text.contains(',')
}

/// Detects narration that is not a decision: "We decided to leave the harbour".
fn is_of_a_story(text: &str) -> bool {
    ["we decided to ", "i decided to ", "we agreed to "]
        .iter()
        .filter_map(|cue| text.strip_prefix(cue))
        .any(|rest| words(rest).next().is_none_or(|verb| !AUTHORING.contains(&verb)))
}

/// True for a sentence that only announces the next one ("Scratch that.").
pub(crate) fn announces(plain: &str) -> bool {
    let text = without_leads(plain);
    [
        "scratch that",
        "strike that",
        "that's wrong",
        "that is wrong",
        "that's not",
        "that is not",
        "that's incorrect",
        "you got that wrong",
        "it's settled",
        "final decision",
        "open question",
    ]
    .iter()
    .any(|cue| text.starts_with(cue))
}

/// True for a sentence that begins with a pronoun that refers to an earlier sentence.
pub(crate) fn leans(plain: &str) -> bool {
    let first = words(without_leads(plain)).next().unwrap_or("");
    ["he", "she", "it", "they", "his", "her", "its", "their", "that", "this", "these", "those"]
        .contains(&first)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty())
}

/// True if the text contains the words of `phrase` in sequence.
fn holds(text: &str, phrase: &str) -> bool {
    let (all, wanted): (Vec<&str>, Vec<&str>) = (words(text).collect(), words(phrase).collect());
    all.windows(wanted.len()).any(|run| run == wanted)
}

fn without_leads(plain: &str) -> &str {
    let mut text = plain.trim();
    while let Some(rest) = LEADS.iter().find_map(|lead| {
        let rest = text.strip_prefix(lead)?;
        let next = rest.chars().next()?;
        (!next.is_alphanumeric() && next != '\'')
            .then(|| rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
    }) {
        if rest.is_empty() {
            break;
        }
        text = rest;
    }
    text
}

/// Accepts "Call me Sam", but not "call me when you are done".
fn is_form_of_address(text: &str) -> bool {
    let rest = text.strip_prefix("please ").unwrap_or(text).strip_prefix("call me ");
    rest.is_some_and(|rest| {
        words(rest).next().is_some_and(|first| !NO_NAMES.contains(&first)) && words(rest).count() <= 4
    })
}

/// Detects a change of state with its own subject: "The capital is now Soln".
fn is_now(text: &str) -> bool {
    let Some((subject, value)) = [" is now ", " are now ", " is no longer ", " are no longer "]
        .iter()
        .find_map(|cue| text.split_once(cue))
    else {
        return false;
    };
    let first = words(subject).next().unwrap_or("");
    let number = words(subject).count();
    let pointing = ["there", "that", "this", "what", "which", "who", "where", "i", "we", "you", "how"];
    let weather = [
        "raining", "saved", "better", "fine", "done", "working", "fixed", "finished", "snowing", "time",
        "late", "early", "or", "dark", "clear", "possible",
    ];
    (1..=6).contains(&number)
        && !pointing.contains(&first)
        && !words(value).next().is_none_or(|word| weather.contains(&word))
}

/// Detects corrections: "Her name is not Mara but Mira", "it's Mira, not Mara", "Mira is 43, not 34".
fn puts_right(sentence: &str, text: &str) -> bool {
    let padded = format!(" {text}");
    if let Some((head, rest)) = padded.split_once(" not ")
        && let Some((wrong, right)) = rest.split_once(" but ")
    {
        let states = head.trim().is_empty() || [" is", " are", "'s"].iter().any(|verb| head.ends_with(verb));
        let first = words(right).next().unwrap_or("also");
        let clause = [
            "also", "he", "she", "it", "they", "is", "was", "i", "we", "still", "only", "not", "has",
            "there", "when", "because", "with",
        ];
        let (few, short) = (words(wrong).count(), words(right).count());
        return states
            && (1..=3).contains(&few)
            && (1..=7).contains(&short)
            && !clause.contains(&first)
            && words(wrong).next() != Some("only")
            && !wrong.contains([',', ';', ':']);
    }
    let Some((head, wrong)) = text.split_once(", not ") else { return false };
    let (_, denied) = sentence.split_once(", not ").unwrap_or(("", ""));
    let named = denied.chars().any(|c| c.is_uppercase() || c.is_numeric());
    let opening = ["it's ", "it is ", "that's ", "the name is ", "her name is ", "his name is "];
    let states = holds(head, "is") || holds(head, "are") || holds(head, "was");
    (1..=4).contains(&words(wrong).count())
        && words(head).count() <= 12
        && ((named && states) || opening.iter().any(|cue| text.starts_with(cue)))
}

fn is_about_the_world(text: &str) -> bool {
    let first = words(text).next().unwrap_or("");
    let count = words(text).count();
    // Only a sentence that is one question as a whole is accepted; partial questions are hard to tell from small
    // talk.
    ASKS.contains(&first)
        && text.ends_with(['?', '？'])
        && text.matches('?').count() == 1
        && (4..=30).contains(&count)
        && !text.contains('\u{1}')
        && !NO_QUESTIONS.iter().any(|start| text.starts_with(start))
        && !words(text).any(|word| ADDRESSED.contains(&word))
}
