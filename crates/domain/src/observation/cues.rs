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

/// What kind of statement a sentence (folded, quotations masked) is, if any.
pub(super) fn kind(plain: &str) -> Option<ObservationKind> {
    let text = without_leads(plain);
    let asks = plain.contains(['?', '？', '؟']);
    if asks {
        return is_about_the_world(text).then_some(ObservationKind::Question);
    }
    let starts = |cues: &[&str]| cues.iter().any(|cue| text.starts_with(cue));
    if starts(UNDECIDED) || words(text).any(|word| word == "tbd") || text.contains("to be decided") {
        return Some(ObservationKind::Question);
    }
    if DOUBTS.iter().any(|doubt| holds(text, doubt)) {
        return None;
    }
    let many = words(text).count() > 2;
    if (starts(CORRECTIONS) && (many || announces(text))) || puts_right(text) {
        return Some(ObservationKind::Correction);
    }
    if starts(DECISIONS) || is_now(text) {
        return many.then_some(ObservationKind::Decision);
    }
    (starts(PREFERENCES) || is_form_of_address(text)).then_some(ObservationKind::Preference)
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

/// "Call me Sam", and not "call me when you are done".
fn is_form_of_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("please call me ").or_else(|| text.strip_prefix("call me ")) else {
        return false;
    };
    const OTHERS: &[&str] =
        &["when", "if", "back", "later", "crazy", "a", "an", "the", "whenever", "once", "old", "after"];
    let first = words(rest).next().unwrap_or("when");
    !OTHERS.contains(&first) && words(rest).count() <= 4
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
    let vague = ["there", "that", "this", "what", "which", "who", "where", "i", "we", "you", "how"];
    let weather = ["raining", "snowing", "time", "late", "early", "or", "dark", "clear", "possible"];
    (1..=6).contains(&number)
        && !vague.contains(&first)
        && !words(value).next().is_none_or(|word| weather.contains(&word))
}

/// "Her name is not Mara but Mira", "it's Mira, not Mara".
fn puts_right(text: &str) -> bool {
    if let Some((_, rest)) = text.split_once(" not ")
        && let Some((wrong, right)) = rest.split_once(" but ")
    {
        let first = words(right).next().unwrap_or("also");
        let clause =
            ["also", "he", "she", "it", "they", "is", "was", "i", "we", "still", "only", "not", "the", "has"];
        let (few, short) = (words(wrong).count(), words(right).count());
        return (1..=3).contains(&few)
            && (1..=4).contains(&short)
            && !clause.contains(&first)
            && words(wrong).next() != Some("only")
            && !wrong.contains([',', ';', ':']);
    }
    let named =
        ["it's ", "it is ", "its ", "that's ", "the name is ", "her name is ", "his name is ", "it was "];
    named.iter().any(|cue| text.starts_with(cue))
        && text
            .split_once(", not ")
            .is_some_and(|(head, wrong)| words(head).count() <= 8 && (1..=4).contains(&words(wrong).count()))
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
