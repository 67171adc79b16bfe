//! The built-in summariser. It selects the highest-scoring sentences, keeps their order, and retains every name and
//! number. It is deterministic and needs no model.
//!
//! A sentence scores by the mean weight of its words (frequency in the text, damped; a name or number counts double),
//! as in Luhn (1958). Sentences that repeat selected ones are skipped (Carbonell and Goldstein, SIGIR 1998).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    text::fold,
    unspaced::{pairs, segments, words_in},
    words::{is_stop_word, words},
};

/// Share of a sentence's words that one selected sentence may contain before the sentence counts as a repetition.
const REPETITION: f64 = 0.7;
/// Maximum length of a sentence in words. Longer ones are cut, because chats hold paragraphs without a full stop.
const LONGEST_SENTENCE: usize = 60;
/// Maximum number of names and numbers listed because no selected sentence holds them.
const MOST_MENTIONS: usize = 40;

/// One turn of the conversation to summarise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The speaker, for people ("Worldbuilder", "World Agent", a name).
    pub speaker: String,
    pub text: String,
}

struct Sentence<'t> {
    turn: usize,
    text: &'t str,
    words: BTreeSet<String>,
    length: usize,
}

/// A summary of at most about `max_words` words: selected sentences with their speakers, in order, then the names and
/// numbers that none of them holds. Empty if the turns are empty.
pub fn extract(turns: &[Turn], max_words: usize) -> String {
    let sentences = sentences(turns);
    let weights = weights(&sentences);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let score = |n: &usize| score(&sentences[*n], &weights, sentences.len(), *n);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));

    let mut chosen: Vec<usize> = Vec::new();
    let mut used = 0;
    for n in order {
        let sentence = &sentences[n];
        let fits = used + sentence.length <= max_words || chosen.is_empty();
        if fits && !chosen.iter().any(|other| repeats(sentence, &sentences[*other])) {
            used += sentence.length;
            chosen.push(n);
        }
    }
    chosen.sort_unstable();
    render(turns, &sentences, &chosen)
}

fn render(turns: &[Turn], sentences: &[Sentence<'_>], chosen: &[usize]) -> String {
    let mut text = String::new();
    let mut speaking = None;
    for n in chosen {
        let sentence = &sentences[*n];
        let speaker = turns[sentence.turn].speaker.trim();
        if !text.is_empty() {
            text.push(' ');
        }
        if speaking != Some(speaker) && !speaker.is_empty() {
            text.push_str(speaker);
            text.push_str(": ");
        }
        speaking = Some(speaker);
        text.push_str(&shortened(sentence.text));
    }
    complete(&text, turns)
}

/// Appends the names and numbers of the turns that the summary omits. The summary may come from any author.
pub fn complete(summary: &str, turns: &[Turn]) -> String {
    let mut text = summary.trim().to_owned();
    let found = marks(&text);
    let mut seen = BTreeSet::new();
    let missing: Vec<String> = turns
        .iter()
        .flat_map(|turn| mentions(&turn.text))
        .filter(|mention| !found.contains(&fold(mention)) && seen.insert(fold(mention)))
        .take(MOST_MENTIONS)
        .collect();
    if !missing.is_empty() {
        text.push_str(" Also mentioned: ");
        text.push_str(&missing.join(", "));
        text.push('.');
    }
    text.trim().to_owned()
}

fn sentences(turns: &[Turn]) -> Vec<Sentence<'_>> {
    let mut all = Vec::new();
    for (turn, spoken) in turns.iter().enumerate() {
        for text in split(&spoken.text) {
            let list = words(text);
            if list.is_empty() {
                continue;
            }
            let length = list.iter().map(|word| words_in(word)).sum::<usize>().min(LONGEST_SENTENCE);
            let words = list.iter().filter(|word| !is_stop_word(word)).flat_map(|word| terms(word)).collect();
            all.push(Sentence { turn, text, words, length });
        }
    }
    all
}

/// What is compared of a word: of a script without spaces, where it is a whole clause, its pairs of characters.
fn terms(word: &str) -> Vec<String> {
    let of = |text: &str, unspaced: bool| -> Vec<String> {
        if unspaced { pairs(text).map(|pair| text[pair].to_owned()).collect() } else { vec![text.to_owned()] }
    };
    segments(word).flat_map(|segment| of(segment.text, segment.unspaced)).collect()
}

/// Splits a text at line ends, and after sentence marks that white space follows. Those of Chinese and Japanese need none.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut chars = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            let stops = matches!(c, '.' | '!' | '?' | '…');
            if matches!(c, '\n' | '。' | '！' | '？')
                || (stops && next.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '”' | '’' | ')')))
            {
                end = at + c.len_utf8();
                break;
            }
        }
        let (sentence, tail) = rest.split_at(end);
        rest = tail;
        Some(sentence.trim())
    })
    .filter(|sentence| !sentence.is_empty())
}

/// The weight of each word: the number of sentences that hold it, damped; double for names and numbers.
fn weights(sentences: &[Sentence<'_>]) -> BTreeMap<String, f64> {
    let mut held: BTreeMap<String, f64> = BTreeMap::new();
    for word in sentences.iter().flat_map(|sentence| &sentence.words) {
        *held.entry(word.clone()).or_default() += 1.0;
    }
    let marked: BTreeSet<String> =
        sentences.iter().flat_map(|s| mentions(s.text)).map(|mention| fold(&mention)).collect();
    for (word, weight) in &mut held {
        *weight = weight.ln_1p() * if marked.contains(word) { 2.0 } else { 1.0 };
    }
    held
}

fn score(sentence: &Sentence<'_>, weights: &BTreeMap<String, f64>, count: usize, at: usize) -> f64 {
    let sum: f64 = sentence.words.iter().filter_map(|word| weights.get(word)).sum();
    // Damps short exclamations ("Yes!"), which say little even if their word has a high weight.
    let mean = sum / (sentence.words.len() as f64 + 3.0);
    // The first and the last sentence tend to state the topic and the outcome.
    let edge = if at == 0 || at + 1 == count { 1.15 } else { 1.0 };
    mean * edge
}

fn repeats(sentence: &Sentence<'_>, other: &Sentence<'_>) -> bool {
    let shared = sentence.words.intersection(&other.words).count() as f64;
    !sentence.words.is_empty() && shared / sentence.words.len() as f64 > REPETITION
}

fn shortened(sentence: &str) -> String {
    let mut left = LONGEST_SENTENCE;
    let mut list: Vec<&str> = Vec::new();
    for word in sentence.split_whitespace() {
        let long = words_in(word);
        if long <= left {
            left -= long;
            list.push(word);
            continue;
        }
        // A script without spaces has two characters to a word.
        let end = word.char_indices().nth(2 * left).map_or(word.len(), |(at, _)| at);
        list.push(&word[..end]);
        list.push("…");
        break;
    }
    list.retain(|word| !word.is_empty());
    list.join(" ")
}

/// The names and numbers of a text as written: words with a digit, and capitalised words that are not only sentence
/// beginnings. Adjacent capitalised words form one name.
pub fn mentions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for sentence in split(text) {
        let mut name: Vec<&str> = Vec::new();
        for (at, raw) in sentence.split_whitespace().enumerate() {
            let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
            let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
            let digit = word.chars().any(|c| c.is_ascii_digit());
            let capital = word.chars().next().is_some_and(char::is_uppercase) && !is_stop_word(&fold(word));
            let opens =
                at == 0 && !(word.len() > 1 && word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic()));
            if capital && (!opens || !name.is_empty()) {
                name.push(word);
            } else if !name.is_empty() {
                found.push(std::mem::take(&mut name).join(" "));
            }
            if digit && !capital {
                found.push(word.to_owned());
            }
            // A comma ends a name: "Mira, Jonas" are two.
            if !name.is_empty() && raw.ends_with([',', ';', ':', '.', '!', '?', ')']) {
                found.push(std::mem::take(&mut name).join(" "));
            }
        }
        if !name.is_empty() {
            found.push(name.join(" "));
        }
    }
    found.retain(|mention| !mention.is_empty());
    found
}

/// The mentions and single words of a text, folded, for lookups of mentions.
fn marks(text: &str) -> BTreeSet<String> {
    let mut marks: BTreeSet<String> = mentions(text).iter().map(|mention| fold(mention)).collect();
    marks.extend(text.split_whitespace().map(|word| fold(word.trim_matches(|c: char| !c.is_alphanumeric()))));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(speaker: &str, text: &str) -> Turn {
        Turn { speaker: speaker.into(), text: text.into() }
    }

    #[test]
    fn a_summary_keeps_every_name_and_number() {
        let turns = [
            turn("Worldbuilder", "The harbour of Veyra burned in 1432. It was a long night. Nobody slept."),
            turn("World Agent", "Then Captain Oskar Lind should know of the fire. He lost 3 ships."),
            turn("Worldbuilder", "Yes. The salt tax paid for the new quay."),
        ];
        let summary = extract(&turns, 12);
        for word in ["Veyra", "1432", "Oskar Lind", "3"] {
            assert!(summary.contains(word), "{word} is missing in: {summary}");
        }
        assert_eq!(summary, extract(&turns, 12), "the same talk gives the same summary");
    }

    #[test]
    fn mentions_are_names_and_numbers_as_written() {
        assert_eq!(
            mentions(
                "When Mira met Jonas Hale, she paid 40 crowns. The NATO of Salt was there in Veyra's hall."
            ),
            ["Mira", "Jonas Hale", "40", "NATO", "Salt", "Veyra"]
        );
        assert!(mentions("The rain fell.").is_empty());
    }

    #[test]
    fn a_script_without_spaces_has_sentences_and_words() {
        let text = "鉄の門は夜に閉まる。塩の税は港を支えた。議会は冬に集まる。";
        let parts: Vec<&str> = split(text).collect();
        assert_eq!(parts, ["鉄の門は夜に閉まる。", "塩の税は港を支えた。", "議会は冬に集まる。"]);
        let short = extract(&[turn("A", text)], 5);
        assert_eq!(short.matches('。').count(), 1, "{short}");
        let endless = extract(&[turn("A", &"門".repeat(22_000))], 600);
        assert_eq!(
            endless.matches('門').count(),
            2 * LONGEST_SENTENCE,
            "no more than any other long sentence"
        );
        // The second of two sentences that say the same is left out.
        let twice = extract(&[turn("A", "鉄の門は夜に閉まる。"), turn("B", "鉄の門は夜に閉まるよ。")], 80);
        assert_eq!(twice.matches("鉄の門").count(), 1, "{twice}");
    }

    #[test]
    fn an_empty_conversation_has_an_empty_summary() {
        assert_eq!(extract(&[], 100), "");
        assert_eq!(extract(&[turn("A", " … ")], 100), "");
    }

    proptest::proptest! {
        /// For any text in any script: no panic, no lost number, and a summary of bounded length.
        #[test]
        fn any_conversation_can_be_summarised(texts in proptest::collection::vec("\\PC{0,120}", 0..8), max in 1usize..80) {
            let turns: Vec<Turn> = texts.iter().map(|text| turn("A", text)).collect();
            let summary = extract(&turns, max);
            let given: usize = texts.iter().map(|t| t.chars().count()).sum();
            proptest::prop_assert!(summary.chars().count() <= given * 2 + 40 + texts.len() * 4);
        }

        #[test]
        fn a_summary_retains_every_number(numbers in proptest::collection::vec(10u32..9_999, 1..20)) {
            let turns: Vec<Turn> =
                numbers.iter().map(|n| turn("A", &format!("there were {n} of them on the quay"))).collect();
            let summary = extract(&turns, 20);
            for n in numbers {
                let text = n.to_string();
                let held = summary.split(|c: char| !c.is_ascii_digit()).any(|part| part == text);
                proptest::prop_assert!(held);
            }
        }
    }
}
