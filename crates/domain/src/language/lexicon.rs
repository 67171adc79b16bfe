//! Small closed word lists (negations, question words, function words) and the stemmer.

use std::{collections::HashMap, sync::LazyLock};

use super::{Kind, Token, bare, is_ordinary, is_unspaced};
use crate::words::is_stop_word;

/// English words that mark a sentence as a question when they come first.
pub(crate) const ASKING: &[&str] = &["who", "what", "where", "why", "how", "whose", "whom"];

/// Negation words. Those that are also ordinary English words are in [`FOREIGN_NEGATIONS`].
pub(crate) const NEGATIONS: &[&str] = &[
    "no",
    "not",
    "never",
    "none",
    "nobody",
    "nothing",
    "nowhere",
    "neither",
    "nor",
    "without",
    "cannot",
    "lack",
    "lacks",
    "lacked",
    "lacking",
    "hardly",
    "scarcely",
    "barely",
    "seldom",
    "rarely",
    "dont",
    "doesnt",
    "didnt",
    "isnt",
    "wasnt",
    "arent",
    "werent",
    "couldnt",
    "wouldnt",
    "shouldnt",
    "hasnt",
    "havent",
    "hadnt",
    "aint",
    "mustnt",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keines",
    "nie",
    "niemals",
    "niemand",
    "nichts",
    "nirgends",
    "ohne",
    "weder",
    "nunca",
    "jamás",
    "nadie",
    "ningún",
    "ninguno",
    "ninguna",
    "tampoco",
    "jamais",
    "aucun",
    "aucune",
    "rien",
    "nessuno",
    "nessuna",
    "senza",
    "não",
    "nenhum",
    "nenhuma",
    "не",
    "нет",
    "ни",
    "никогда",
    "никто",
    "ничего",
    "без",
    "ні",
    "ніколи",
    "لا",
    "ليس",
    "ليست",
    "لم",
    "لن",
    "بدون",
    "لیست",
];
const FOREIGN_NEGATIONS: &[&str] = &["sin", "non", "ne", "pas", "ni", "sans", "nada", "sem", "mai"];
/// Negation endings and signs of scripts without spaces.
const UNSPACED_NEGATIONS: &[&str] = &["ない", "なかっ", "なく", "ません", "不", "没", "沒", "無", "无", "未"];

/// Articles, pronouns and prepositions of other languages.
const FOREIGN_FUNCTION_WORDS: &[&str] = &[
    "aber", "als", "am", "auf", "aus", "bei", "das", "dem", "den", "der", "des", "die", "du", "ein", "eine",
    "einem", "einen", "einer", "eines", "er", "es", "für", "hat", "ich", "ihr", "ihre", "im", "ist", "mit",
    "nach", "sein", "seine", "sich", "sie", "sind", "und", "von", "wir", "zu", "zum", "zur", "al", "de",
    "del", "el", "en", "es", "está", "ha", "la", "las", "le", "lo", "los", "que", "se", "ser", "su", "un",
    "una", "unos", "y", "ce", "des", "du", "elle", "est", "et", "il", "ils", "les", "une", "в", "и", "на",
    "он", "она", "они", "с", "у", "это", "في", "من", "هو", "هي", "は", "が", "の", "を", "に", "で", "と",
    "も", "です",
];

/// True for a word (folded) without content of its own.
pub(crate) fn is_function_word(word: &str) -> bool {
    is_stop_word(word) || FOREIGN_FUNCTION_WORDS.contains(&word)
}

/// True if the token is a negation.
pub(crate) fn negates(token: &Token<'_>, english: bool) -> bool {
    let word = token.folded.as_str();
    token.kind == Kind::Word
        && (NEGATIONS.contains(&word)
            || word.ends_with("n't")
            || word.starts_with("n'")
            || (!english && FOREIGN_NEGATIONS.contains(&word))
            || negates_unspaced(word))
}

/// True if a word of a script without spaces contains a negation.
pub(crate) fn negates_unspaced(word: &str) -> bool {
    is_unspaced(word) && UNSPACED_NEGATIONS.iter().any(|sign| word.contains(sign))
}

/// True if the text is certainly English: it has a function word that no neighbouring language has.
pub(crate) fn is_english(tokens: &[Token<'_>]) -> bool {
    const ENGLISH: &[&str] = &[
        "the", "of", "and", "with", "has", "have", "are", "were", "from", "they", "his", "her", "she",
        "their", "is", "does", "did", "been", "who", "which", "that",
    ];
    tokens.iter().any(|token| ENGLISH.contains(&token.folded.as_str()))
}

/// True if the text looks English: it is certainly English, or has an ordinary English word that is not a Romance
/// word.
pub(crate) fn looks_english(tokens: &[Token<'_>]) -> bool {
    const ALSO_ROMANCE: &[&str] =
        &["come", "once", "sale", "pure", "base", "date", "dates", "pale", "dove", "case"];
    is_english(tokens)
        || tokens.iter().any(|token| {
            let word = token.folded.as_str();
            !token.opens
                && !token.is_capital()
                && word.len() > 3
                && !["al", "ar", "il", "ble"].iter().any(|ending| word.ends_with(ending))
                && !ALSO_ROMANCE.contains(&word)
                && is_ordinary(word)
        })
}

/// Irregular forms, which no spelling rule maps to their verb.
const IRREGULAR: &[(&str, &str)] = &[
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bore", "bear"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("burnt", "burn"),
    ("came", "come"),
    ("caught", "catch"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("died", "die"),
    ("dies", "die"),
    ("drank", "drink"),
    ("drove", "drive"),
    ("ate", "eat"),
    ("fallen", "fall"),
    ("fell", "fall"),
    ("fed", "feed"),
    ("felt", "feel"),
    ("fled", "flee"),
    ("flew", "fly"),
    ("flies", "fly"),
    ("fought", "fight"),
    ("found", "find"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("given", "give"),
    ("goes", "go"),
    ("gone", "go"),
    ("went", "go"),
    ("going", "go"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("led", "lead"),
    ("left", "leave"),
    ("lost", "lose"),
    ("made", "make"),
    ("making", "make"),
    ("meant", "mean"),
    ("met", "meet"),
    ("paid", "pay"),
    ("ran", "run"),
    ("risen", "rise"),
    ("rose", "rise"),
    ("sang", "sing"),
    ("sank", "sink"),
    ("sat", "sit"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shone", "shine"),
    ("shot", "shoot"),
    ("slain", "slay"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("stole", "steal"),
    ("stolen", "steal"),
    ("stood", "stand"),
    ("swam", "swim"),
    ("swore", "swear"),
    ("sworn", "swear"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("threw", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("woke", "wake"),
    ("won", "win"),
    ("wrote", "write"),
    ("written", "write"),
    ("men", "man"),
    ("women", "woman"),
    ("elves", "elf"),
    ("dwarves", "dwarf"),
    ("wolves", "wolf"),
    ("children", "child"),
    ("wives", "wife"),
    ("knives", "knife"),
    ("feet", "foot"),
    ("lives", "live"),
    ("lying", "lie"),
    ("lies", "lie"),
    ("dying", "die"),
];

static FORMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| IRREGULAR.iter().copied().collect());

/// Approximate stem of an English word, with British spelling mapped to American: enough to map "guards" to "guard".
pub(crate) fn stem(word: &str) -> String {
    let word = bare(word);
    let word = FORMS.get(word).copied().unwrap_or(word);
    if word.chars().count() < 4 || !word.is_ascii() {
        return word.to_owned();
    }
    let spelled = match word {
        "gray" => "grey".to_owned(),
        _ => word.replace("our", "or").replace("ise", "ize").replace("tre", "ter"),
    };
    let mut root = spelled.as_str();
    for ending in ["ing", "ied", "ies", "ed", "es", "ly", "s"] {
        if let Some(head) = root.strip_suffix(ending)
            && head.len() >= 3
            && !(ending == "s" && (head.ends_with('s') || head.ends_with('u') || head.ends_with('i')))
        {
            root = head;
            break;
        }
    }
    let root = root.strip_suffix(['e', 'y', 'i']).filter(|head| head.len() >= 3).unwrap_or(root);
    let last = root.chars().last();
    let doubled =
        root.len() > 4 && last == root.chars().nth_back(1) && last.is_some_and(|c| !"aeioslz".contains(c));
    if doubled { root[..root.len() - 1].to_owned() } else { root.to_owned() }
}

/// Names of languages, months and days: of the real world, and of no story in particular.
const EVERYDAY_NAMES: &str = "\
    american april august british chinese december english european february french friday fridays \
    german greek italian january japanese july june latin march markdown may monday mondays november \
    october oxford portuguese saturday saturdays september spanish sunday sundays thursday thursdays \
    tuesday tuesdays wednesday wednesdays";

/// True for a capitalised word (lower case) that does not indicate a world.
pub fn is_everyday_name(word: &str) -> bool {
    EVERYDAY_NAMES.split_whitespace().any(|name| name == word)
}
