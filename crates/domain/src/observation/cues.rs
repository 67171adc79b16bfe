//! The words by which a statement of the worldbuilder is known.

use super::ObservationKind;

/// What may stand before a cue without changing what it says.
const LEADS: &[&str] = &[
    "ok",
    "okay",
    "yes",
    "yeah",
    "yep",
    "alright",
    "right",
    "good",
    "great",
    "fine",
    "hm",
    "hmm",
    "well",
    "so",
    "and",
    "but",
    "also",
    "oh",
    "ah",
    "sure",
    "perfect",
    "then",
    "sorry",
    "wait",
    "please note",
    "note",
    "generally",
    "in general",
    "for now",
    "by the way",
    "btw",
    "one more thing",
    "personally",
    "honestly",
];

const PREFERENCES: &[&str] = &[
    "i prefer ",
    "i'd prefer ",
    "i would prefer ",
    "i'd rather ",
    "i would rather ",
    "i don't like ",
    "i do not like ",
    "i dislike ",
    "i really don't like ",
    "i hate it when ",
    "i like it when ",
    "i love it when ",
    "i don't want you to ",
    "i do not want you to ",
    "i want you to always ",
    "i want you to never ",
    "i always want ",
    "i never want ",
    "please always ",
    "please never ",
    "please don't ever ",
    "please do not ever ",
    "please use ",
    "please keep ",
    "please avoid ",
    "please don't use ",
    "please stop ",
    "always use ",
    "always write ",
    "always keep ",
    "always ask ",
    "always call ",
    "always spell ",
    "always tell me ",
    "always show ",
    "never use ",
    "never write ",
    "never call ",
    "never invent ",
    "never change ",
    "never add ",
    "never make up ",
    "never spell ",
    "never kill ",
    "never delete ",
    "never mention ",
    "don't ever ",
    "my preference is ",
    "my pronouns are ",
    "you can call me ",
    "you may call me ",
    "ich bevorzuge ",
    "prefiero ",
];

const DECISIONS: &[&str] = &[
    "let's go with ",
    "lets go with ",
    "let us go with ",
    "let's call ",
    "lets call ",
    "let's use ",
    "let's keep ",
    "let's make ",
    "let's drop ",
    "let's scrap ",
    "let's rename ",
    "let's stick with ",
    "let's settle on ",
    "we decided ",
    "we've decided ",
    "we have decided ",
    "i decided ",
    "i've decided ",
    "i have decided ",
    "we agreed ",
    "we've agreed ",
    "we settled on ",
    "i settled on ",
    "i've settled on ",
    "decision: ",
    "decided: ",
    "from now on",
    "going forward",
    "we'll go with ",
    "i'll go with ",
    "we will go with ",
    "i will go with ",
    "i'm going with ",
    "we're going with ",
    "it's settled",
    "final decision",
    "we'll call ",
    "i'll call ",
];

const CORRECTIONS: &[&str] = &[
    "actually, ",
    "actually ",
    "correction: ",
    "correction, ",
    "i meant ",
    "what i meant ",
    "scratch that",
    "strike that",
    "no, it's ",
    "no, it is ",
    "no, it was ",
    "no, i meant ",
    "no, that's ",
    "no, he's ",
    "no, she's ",
    "no, they're ",
    "no, he is ",
    "no, she is ",
    "no, they are ",
    "no, the ",
    "no, her ",
    "no, his ",
    "no, their ",
    "that's wrong",
    "that is wrong",
    "that's not right",
    "that is not right",
    "that's not correct",
    "that's incorrect",
    "you got that wrong",
    "you mixed up ",
    "you confused ",
    "nein, ",
];

const UNDECIDED: &[&str] = &[
    "need to decide ",
    "we need to decide",
    "i need to decide",
    "we still need to decide",
    "i still need to decide",
    "still need to decide",
    "we have to decide",
    "i have to decide",
    "we still have to decide",
    "we must decide",
    "to decide: ",
    "open question",
    "still undecided",
    "undecided: ",
    "not sure yet ",
    "i'm not sure yet ",
    "i am not sure yet ",
    "i'm still not sure ",
    "not yet sure ",
    "i'm not yet sure ",
    "i don't know yet ",
    "i do not know yet ",
    "i haven't decided ",
    "i have not decided ",
    "we haven't decided ",
    "we have not decided ",
    "haven't decided ",
    "i'm undecided ",
    "not decided yet",
    "i still don't know ",
    "i'm not sure whether ",
    "i wonder whether ",
    "i wonder if ",
    "i wonder who ",
    "i wonder how ",
    "i wonder why ",
];

/// Words after which a statement is none.
const DOUBTS: &[&str] = &[
    "maybe",
    "perhaps",
    "what if",
    "might",
    "not sure",
    "for example",
    "e.g.",
    "suppose",
    "imagine",
    "i guess",
    "if",
];

/// What is asked of the agent, or of the tool, and not of the world.
const ADDRESSED: &[&str] = &[
    "you",
    "your",
    "you're",
    "we",
    "i",
    "me",
    "my",
    "us",
    "our",
    "thoughts",
    "ideas",
    "file",
    "export",
    "app",
    "button",
    "conversation",
    "note",
    "notes",
    "chat",
    "token",
    "prompt",
    "summary",
    "memory",
    "memories",
    "sense",
    "clear",
    "okay",
    "ok",
    "right",
    "next",
    "else",
    "font",
    "better",
    "good",
    "best",
    "way",
    "think",
    "possible",
    "mean",
    "anything",
    "one",
    "time",
];
/// With what a question about the world begins.
const ASKS: &[&str] = &[
    "who", "whose", "whom", "what", "which", "where", "when", "why", "how", "is", "are", "was", "were",
    "does", "do", "did", "has", "have", "had", "should", "would", "could", "can", "will", "must",
];
/// With what one begins that is none.
const NO_QUESTIONS: &[&str] = &[
    "what about",
    "how about",
    "why not",
    "what if",
    "is that",
    "is this",
    "is it",
    "does that",
    "does this",
    "are these",
];

/// Words of a question that are no part of what it is about.
pub(super) const ASKED: &[&str] = &[
    "decide",
    "decided",
    "need",
    "needs",
    "sure",
    "yet",
    "whether",
    "tbd",
    "still",
    "not",
    "open",
    "question",
    "must",
    "know",
    "haven't",
    "don't",
    "i'm",
    "undecided",
    "may",
    "might",
    "shall",
    "exactly",
];

/// What follows a cue and makes a phrase of talk of it: "let's call it a day", "no, it's fine".
const IDLE: &[&str] = &[
    "let's call it a ",
    "let's call it quits",
    "let's keep going",
    "let's keep talking",
    "let's keep writing",
    "let's keep moving",
    "let's keep working",
    "let's keep at ",
    "let's make a ",
    "let's make an ",
    "let's make some ",
    "let's make sure",
    "let's make more ",
    "let's make progress",
    "please keep going",
    "please keep writing",
    "please use that",
    "please use this",
    "i'd rather not say",
    "i'd rather not talk",
    "i'd rather not answer",
    "i meant to ",
    "i meant what ",
    "i meant it",
    "i meant no ",
    "i meant every ",
    "i meant well",
    "no, the other",
    "i'm not sure whether to ",
    "i decided to sleep",
    "no, that's all",
    "no, that's it",
    "no, it's not ",
    "no, that's not ",
    "what i meant to ",
];
/// Words of approval: a statement of nothing else corrects nothing.
const APPROVAL: &[&str] = &[
    "fine",
    "great",
    "good",
    "ok",
    "okay",
    "perfect",
    "thanks",
    "thank",
    "right",
    "alright",
    "enough",
    "nice",
    "better",
    "it",
    "it's",
    "that's",
    "that",
    "is",
    "this",
    "very",
    "really",
    "quite",
    "no",
    "actually",
    "you",
    "all",
    "cool",
    "love",
    "well",
    "done",
    "works",
    "a",
    "an",
    "idea",
    "interesting",
    "true",
    "not",
    "bad",
    "much",
    "pretty",
    "so",
    "yes",
];
/// Words that point at something said elsewhere: a statement about nothing else cannot be kept.
const POINTING: &[&str] = &[
    "it", "that", "this", "him", "her", "them", "these", "those", "one", "so", "either", "both", "on", "the",
    "going",
];
/// Verbs behind a speech that stands without quotation marks.
const SPEAKING: &[&str] = &[
    "said",
    "says",
    "whispered",
    "whispers",
    "asked",
    "replied",
    "answered",
    "shouted",
    "muttered",
    "cried",
    "thought",
    "sagte",
    "dijo",
];
/// What an author decides to do to a world; people in stories decide to do other things.
const AUTHORING: &[&str] = &[
    "make",
    "call",
    "name",
    "rename",
    "keep",
    "use",
    "drop",
    "remove",
    "change",
    "kill",
    "set",
    "add",
    "cut",
    "give",
    "let",
    "go",
    "merge",
    "split",
    "move",
    "replace",
    "write",
    "introduce",
    "skip",
];

/// What kind of statement a sentence is, if any: as it was said, and folded with quotations masked.
pub(super) fn kind(said: &str, plain: &str) -> Option<ObservationKind> {
    let mut text = without_leads(plain);
    let starts = |text: &str, cues: &[&str]| cues.iter().any(|cue| text.starts_with(cue));
    if is_speech(text) || starts(text, IDLE) {
        return None;
    }
    let undecided =
        starts(text, UNDECIDED) || words(text).any(|word| word == "tbd") || text.contains("to be decided");
    if plain.contains(['?', '？', '؟']) {
        let open = undecided && !words(text).any(|word| matches!(word, "you" | "your"));
        return (open || is_about_the_world(text)).then_some(ObservationKind::Question);
    }
    if undecided {
        return Some(ObservationKind::Question);
    }
    if DOUBTS.iter().any(|doubt| holds(text, doubt)) {
        return None;
    }
    // "Actually, I prefer …" is a preference; "actually, that's fine" is nothing.
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
    if !empty && ((starts(text, CORRECTIONS) && (many || announces(text))) || puts_right(said, text)) {
        return Some(ObservationKind::Correction);
    }
    let says = |cues: &[&str]| {
        cues.iter()
            .filter_map(|cue| text.strip_prefix(cue))
            .any(|rest| !words(rest).all(|word| POINTING.contains(&word)))
    };
    if is_now(text) || (many && says(DECISIONS) && !is_of_a_story(text)) {
        return Some(ObservationKind::Decision);
    }
    let choice = words(text).any(|word| matches!(word, "one" | "latter" | "former" | "option"));
    ((says(PREFERENCES) && !choice) || is_form_of_address(text)).then_some(ObservationKind::Preference)
}

/// "I don't like him, Mira said."
fn is_speech(text: &str) -> bool {
    let all: Vec<&str> = words(text).collect();
    all.iter().rev().take(3).any(|word| SPEAKING.contains(word)) && text.contains(',')
}

/// "We decided to leave the harbour": told, not settled.
fn is_of_a_story(text: &str) -> bool {
    ["we decided to ", "i decided to ", "we agreed to "]
        .iter()
        .filter_map(|cue| text.strip_prefix(cue))
        .any(|rest| words(rest).next().is_none_or(|verb| !AUTHORING.contains(&verb)))
}

/// True for a sentence that announces another ("Scratch that.").
pub(super) fn announces(plain: &str) -> bool {
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

/// True for a sentence that begins with a pronoun for what was said before it.
pub(super) fn leans(plain: &str) -> bool {
    let first = words(without_leads(plain)).next().unwrap_or("");
    ["he", "she", "it", "they", "his", "her", "its", "their", "that", "this", "these", "those"]
        .contains(&first)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty())
}

/// True if the words of `phrase` stand in the text, one behind the other.
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

/// Words behind "call me" that are no form of address.
const NO_NAMES: &[&str] = &[
    "when", "if", "back", "later", "crazy", "a", "an", "the", "whenever", "once", "old", "after", "tomorrow",
    "tonight", "soon", "again", "by", "at", "on", "in", "before", "about", "maybe", "any",
];

/// "Call me Sam", and not "call me when you are done".
fn is_form_of_address(text: &str) -> bool {
    let rest = text.strip_prefix("please ").unwrap_or(text).strip_prefix("call me ");
    rest.is_some_and(|rest| {
        words(rest).next().is_some_and(|first| !NO_NAMES.contains(&first)) && words(rest).count() <= 4
    })
}

/// "The capital is now Soln": a subject of its own, and a state that something has come to.
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

/// "Her name is not Mara but Mira", "it's Mira, not Mara", "Mira is 43, not 34".
fn puts_right(said: &str, text: &str) -> bool {
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
    let (_, denied) = said.split_once(", not ").unwrap_or(("", ""));
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
    // A question that only part of a sentence asks, or that ends in another, is hard to tell from talk.
    ASKS.contains(&first)
        && text.ends_with(['?', '？'])
        && text.matches('?').count() == 1
        && (4..=30).contains(&count)
        && !text.contains('\u{1}')
        && !NO_QUESTIONS.iter().any(|start| text.starts_with(start))
        && !words(text).any(|word| ADDRESSED.contains(&word))
}
