//! Parses a search query and selects the searches that answer it.

use std::collections::HashSet;

use chrono::{DateTime, FixedOffset};

use super::ranking::utterance::Named;
use crate::{
    text::fold,
    unspaced::{pairs, segments, words_in},
    words::{is_stop_word, words},
};

/// Maximum length of a query in characters; the rest is ignored, not refused. Of a plain text, the middle is.
pub const MAX_QUERY_CHARS: usize = 1_000;
/// Queries with fewer words use full-text search, and vectors only if that finds few results.
pub const MIN_HYBRID_WORDS: usize = 3;
/// Number of full-text results that is enough for a short query.
pub const ENOUGH_BY_WORDS: usize = 10;
/// Minimum cosine for vector results of a short query. One or two words are slightly similar to everything.
pub const NEAR_ENOUGH: f64 = 0.2;

/// One phrase to search for in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Words that must follow one another; a single word is a phrase of one.
    pub words: Vec<String>,
    /// True if the last word is a prefix ("drag" finds "dragon").
    pub prefix: bool,
}

/// The combination of clauses of a text query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextQuery {
    /// No clauses.
    Nothing,
    /// At least one clause must match; more matches rank higher.
    Any(Vec<Clause>),
    /// Every group must match by any of its clauses, and no clause of `without` may match.
    All {
        /// Groups of alternatives.
        groups: Vec<Vec<Clause>>,
        /// Excluded clauses.
        without: Vec<Clause>,
    },
    /// Symbols or emoji: searched as characters, case-insensitively.
    Literal(String),
}

/// The searches that answer a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// Full-text search only.
    Text(TextReason),
    /// Full-text and vector search.
    Hybrid,
}

/// The reason a query uses full-text search only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextReason {
    /// It has operators, or quotes with few words beside them, so the literal words are meant.
    Exact,
    /// It has fewer than [`MIN_HYBRID_WORDS`] words.
    Short,
    /// As [`Self::Short`], and none of its words is long enough to be compared by meaning.
    Brief,
    /// It contains no word.
    Symbols,
}

/// What a search is asked with. Its origin decides whether quotes, dashes and asterisks are syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryText {
    /// Typed as a search: [`parse`] reads its syntax.
    Typed(String),
    /// A text that was written for a reader, such as a message: it has no syntax.
    Plain(String),
}

impl Default for QueryText {
    fn default() -> Self {
        Self::Plain(String::new())
    }
}

impl QueryText {
    /// The query that it is.
    pub fn parse(&self) -> ParsedQuery {
        match self {
            Self::Typed(text) => parse(text),
            Self::Plain(text) => parse_plain(text),
        }
    }

    /// What its parsed text names when it is asked at a time. A search of two words asks; a message of two words may tell.
    pub fn names(&self, parsed: &str, asked_at: DateTime<FixedOffset>) -> Named {
        match self {
            Self::Typed(_) => Named::in_query(parsed, asked_at),
            Self::Plain(_) => Named::in_message(parsed, asked_at),
        }
    }
}

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedQuery {
    /// The text, cut to [`MAX_QUERY_CHARS`] and without control characters.
    pub text: String,
    /// The full-text query.
    pub query: TextQuery,
    /// The searches that answer it.
    pub route: Route,
}

#[derive(Debug)]
enum Token {
    Phrase { words: Vec<String>, quoted: bool, prefix: bool, negated: bool },
    Or,
    And,
    Not,
}

impl ParsedQuery {
    /// Whether to add a vector search, given the number of full-text results: always for a hybrid query, never for an
    /// exact query, and for a short query if there are few results and it holds a whole word.
    pub fn asks_meaning(&self, found: usize) -> bool {
        match self.route {
            Route::Hybrid => true,
            Route::Text(TextReason::Short) => {
                let whole = |word: &String| {
                    word.chars().count() >= if segments(word).any(|s| s.unspaced) { 2 } else { 3 }
                };
                found < ENOUGH_BY_WORDS && words(&self.text).iter().any(whole)
            }
            Route::Text(TextReason::Exact | TextReason::Brief | TextReason::Symbols) => false,
        }
    }

    /// The minimum cosine of a vector result; `None` for no minimum.
    pub const fn floor(&self) -> Option<f64> {
        match self.route {
            Route::Hybrid => None,
            Route::Text(_) => Some(NEAR_ENOUGH),
        }
    }
}

/// Parses a typed query. Any string is valid: parts that are neither words nor operators are ignored, and a query of
/// symbols alone is searched literally.
///
/// Supported: `"a phrase"`, `-word` and `NOT word`, `word*`, and `OR` / `AND` in capitals. Without one of the operators, quotes
/// among at least [`MIN_HYBRID_WORDS`] other words are those of a sentence: nothing must match, and the phrase is one more clause.
pub fn parse(typed: &str) -> ParsedQuery {
    let text = cut(typed);
    let tokens = tokens(&text);
    if !tokens.iter().any(|t| matches!(t, Token::Phrase { negated: false, .. })) {
        return of_symbols(text);
    }
    let has_operators = tokens.iter().any(|t| match t {
        Token::Phrase { prefix, negated, .. } => *prefix || *negated,
        Token::Or | Token::And | Token::Not => true,
    });
    let (quoted, beside) = phrases(&tokens);
    if has_operators || (!quoted.is_empty() && count(beside) < MIN_HYBRID_WORDS) {
        return ParsedQuery { query: all_of(tokens), text, route: Route::Text(TextReason::Exact) };
    }
    let quoted: Vec<Vec<String>> = quoted.into_iter().map(<[String]>::to_vec).collect();
    let words: Vec<String> = tokens
        .into_iter()
        .flat_map(|t| if let Token::Phrase { words, .. } = t { words } else { Vec::new() })
        .collect();
    of_words(text, &words, quoted, true)
}

/// Parses a text that was not typed as a query: every word counts, and no sign is syntax. Of a long text, its beginning and its
/// end count.
pub fn parse_plain(text: &str) -> ParsedQuery {
    let text = cut(&ends(text, MAX_QUERY_CHARS));
    let words = words(&text);
    if words.is_empty() { of_symbols(text) } else { of_words(text, &words, Vec::new(), false) }
}

fn cut(text: &str) -> String {
    let text: String =
        text.chars().take(MAX_QUERY_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}

/// A text, or its beginning and its end if it is longer than `limit` characters: what a long message asks stands at one of them.
pub(crate) fn ends(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (&text[..at(limit / 2)], &text[at(count - (limit - limit / 2 - 1))..]);
    // No half words, unless they are long or the script has no spaces.
    let short = |word: &&str| word.len() < limit / 4;
    let head = head
        .rsplit_once(char::is_whitespace)
        .filter(|(_, half)| short(half))
        .map_or(head, |(whole, _)| whole);
    let tail =
        tail.split_once(char::is_whitespace).filter(|(half, _)| short(half)).map_or(tail, |(_, whole)| whole);
    format!("{head} {tail}")
}

/// A query without a word.
fn of_symbols(text: String) -> ParsedQuery {
    // Quotes mean a literal search, which this is already.
    let bare = fold(text.trim_matches('"'));
    let query = match (text.is_empty(), bare.is_empty()) {
        (true, _) => TextQuery::Nothing,
        (false, true) => TextQuery::Literal(fold(&text)),
        (false, false) => TextQuery::Literal(bare),
    };
    ParsedQuery { text, query, route: Route::Text(TextReason::Symbols) }
}

/// A query of words of which any may match, with the phrases among them. The last word of a short query may be unfinished if the
/// query is being typed.
fn of_words(text: String, words: &[String], phrases: Vec<Vec<String>>, is_typed: bool) -> ParsedQuery {
    let short = count(words) < MIN_HYBRID_WORDS;
    let route = if short { Route::Text(TextReason::Short) } else { Route::Hybrid };
    ParsedQuery { text, query: any_of(words, phrases, short && is_typed), route }
}

/// The quoted phrases of a query, and the words outside of them.
fn phrases(tokens: &[Token]) -> (Vec<&[String]>, Vec<&String>) {
    let (mut quoted, mut unquoted) = (Vec::new(), Vec::new());
    for token in tokens {
        match token {
            Token::Phrase { words, quoted: true, .. } => quoted.push(words.as_slice()),
            Token::Phrase { words, .. } => unquoted.extend(words),
            Token::Or | Token::And | Token::Not => {}
        }
    }
    (quoted, unquoted)
}

/// The number of words that these runs of letters may have.
fn count<'w>(words: impl IntoIterator<Item = &'w String>) -> usize {
    words.into_iter().map(|word| words_in(word)).sum()
}

/// What the index has of a run of letters: the run itself, or pairs of characters where words have no spaces.
fn terms(word: &str) -> Vec<String> {
    segments(word)
        .flat_map(|segment| {
            if segment.unspaced {
                pairs(segment.text).map(|pair| segment.text[pair].to_owned()).collect()
            } else {
                vec![segment.text.to_owned()]
            }
        })
        .collect()
}

fn any_of(words: &[String], phrases: Vec<Vec<String>>, open_end: bool) -> TextQuery {
    let words: Vec<String> = words.iter().flat_map(|word| terms(word)).collect();
    let rare: Vec<String> = words.iter().filter(|w| !is_stop_word(w)).cloned().collect();
    let mut chosen = if rare.is_empty() { words } else { rare };
    let mut seen = HashSet::new();
    chosen.retain(|w| seen.insert(w.clone()));
    let last = chosen.len().saturating_sub(1);
    let words = chosen.into_iter().enumerate().map(|(i, word)| Clause {
        prefix: open_end && i == last && word.chars().count() >= 2,
        words: vec![word],
    });
    // A phrase of one word is that word.
    let mut seen = HashSet::new();
    let phrases = phrases.into_iter().filter(|phrase| phrase.len() > 1 && seen.insert(phrase.clone()));
    let phrases: Vec<Clause> = phrases.map(|words| Clause { words, prefix: false }).collect();
    TextQuery::Any(words.chain(phrases).collect())
}

fn all_of(tokens: Vec<Token>) -> TextQuery {
    let mut groups: Vec<Vec<Clause>> = Vec::new();
    let mut without = Vec::new();
    let (mut alternative, mut exclude) = (false, false);
    for token in tokens {
        match token {
            Token::Or => alternative = true,
            Token::Not => exclude = true,
            Token::And => alternative = false,
            Token::Phrase { words, prefix, negated, .. } => {
                let clause = Clause { words, prefix };
                match groups.last_mut() {
                    _ if negated || exclude => without.push(clause),
                    Some(group) if alternative => group.push(clause),
                    _ => groups.push(vec![clause]),
                }
                (alternative, exclude) = (false, false);
            }
        }
    }
    if groups.is_empty() { TextQuery::Nothing } else { TextQuery::All { groups, without } }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut negated = false;
    for (i, part) in text.split('"').enumerate() {
        // Odd parts are quoted, unless the last quote is not closed.
        let quoted = i % 2 == 1;
        if quoted {
            push_phrase(&mut tokens, part, true, false, negated);
        } else {
            // `-"a phrase"`: the minus is at the end of the part before the quote.
            negated = part == "-" || part.ends_with(" -");
            part.split_whitespace().for_each(|word| push_word(&mut tokens, word));
        }
    }
    tokens
}

fn push_word(tokens: &mut Vec<Token>, word: &str) {
    match word {
        "OR" => tokens.push(Token::Or),
        "AND" => tokens.push(Token::And),
        "NOT" => tokens.push(Token::Not),
        _ => {
            let rest = word.strip_prefix('-');
            let negated = rest.is_some_and(|r| r.starts_with(char::is_alphanumeric));
            let body = rest.unwrap_or(word);
            let prefix = body.ends_with('*') && body.chars().filter(|c| c.is_alphanumeric()).count() >= 2;
            push_phrase(tokens, body, false, prefix, negated);
        }
    }
}

/// Splits at every separator of the full-text index, so that "salt-gate" searches for its two words in sequence, as
/// the index stores them.
fn push_phrase(tokens: &mut Vec<Token>, text: &str, quoted: bool, prefix: bool, negated: bool) {
    let words = words(text);
    if !words.is_empty() {
        tokens.push(Token::Phrase { words, quoted, prefix, negated });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(words: &[&str], prefix: bool) -> Clause {
        Clause { words: words.iter().map(|w| (*w).to_owned()).collect(), prefix }
    }

    #[test]
    fn quotes_operators_and_short_queries_go_to_text_alone() {
        for (typed, route) in [
            ("\"iron gate\" mira", Route::Text(TextReason::Exact)),
            ("\"iron gate of the city\"", Route::Text(TextReason::Exact)),
            ("who AND guards AND \"iron gate\"", Route::Text(TextReason::Exact)),
            ("gate OR door of iron", Route::Text(TextReason::Exact)),
            ("gate -iron in town", Route::Text(TextReason::Exact)),
            ("iron gate", Route::Text(TextReason::Short)),
            ("who guards the gate", Route::Hybrid),
        ] {
            assert_eq!(parse(typed).route, route, "{typed}");
        }
    }

    #[test]
    fn a_short_query_asks_meaning_where_its_words_find_few() {
        for (typed, found, asks) in [
            ("anger", 0, true),
            ("ferryman boatman", ENOUGH_BY_WORDS - 1, true),
            ("anger", ENOUGH_BY_WORDS, false),
            ("an", 0, false),
            ("\"anger\"", 0, false),
            ("ange*", 0, false),
            ("世界の門", 0, true),
            ("門", 0, false),
            ("who guards the gate", 1_000, true),
        ] {
            assert_eq!(parse(typed).asks_meaning(found), asks, "{typed} {found}");
        }
    }

    #[test]
    fn stop_words_are_dropped_unless_nothing_else_is_left() {
        assert_eq!(
            parse("who guards the gate").query,
            TextQuery::Any(vec![clause(&["guards"], false), clause(&["gate"], false)])
        );
        assert_eq!(
            parse("who is who").query,
            TextQuery::Any(vec![clause(&["who"], false), clause(&["is"], false)])
        );
    }

    #[test]
    fn the_word_being_typed_may_go_on() {
        assert_eq!(parse("drag").query, TextQuery::Any(vec![clause(&["drag"], true)]));
    }

    #[test]
    fn phrases_exclusions_and_alternatives_are_understood() {
        assert_eq!(
            parse("\"salt gate\" mira OR toma -bridge").query,
            TextQuery::All {
                groups: vec![
                    vec![clause(&["salt", "gate"], false)],
                    vec![clause(&["mira"], false), clause(&["toma"], false)]
                ],
                without: vec![clause(&["bridge"], false)],
            }
        );
    }

    #[test]
    fn a_phrase_in_a_sentence_is_one_more_clause() {
        let parsed = parse("Who sang \"the salt road\" and \"Weir\" at the gate?");
        let words = ["sang", "salt", "road", "weir", "gate"].map(|word| clause(&[word], false));
        let phrase = clause(&["the", "salt", "road"], false);
        let clauses = words.into_iter().chain([phrase]).collect();
        assert_eq!((parsed.query, parsed.route), (TextQuery::Any(clauses), Route::Hybrid));
        // A quote that is not closed ends with the query.
        let open = parse("When did Joanna watch \"Eternal Sunshine?").query;
        assert!(
            matches!(open, TextQuery::Any(clauses) if clauses.contains(&clause(&["eternal", "sunshine"], false)))
        );
        assert_eq!(parse("\"世界\"の門を守るのは誰ですか").route, Route::Hybrid);
    }

    proptest::proptest! {
        #[test]
        fn signs_in_a_plain_text_change_nothing(
            words in proptest::collection::vec("(OR|AND|NOT|salt|gate|Mira|the)", 1..12),
            signs in proptest::collection::vec("( \"|\" | -| \\*|\\* | -\"| )", 12),
        ) {
            let signed: String = words.iter().zip(&signs).flat_map(|(word, sign)| [word.as_str(), sign]).collect();
            let (plain, signed) = (parse_plain(&words.join(" ")), parse_plain(&signed));
            proptest::prop_assert_eq!(&plain.query, &signed.query);
            proptest::prop_assert_eq!(plain.route, signed.route);
            proptest::prop_assert!(
                matches!(plain.query, TextQuery::Any(clauses) if clauses.iter().all(|clause| !clause.prefix))
            );
        }
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_plain_text_are_searched() {
        let long = format!("Salt was mined. {} Who guards the weir?", "filler ".repeat(400));
        let parsed = parse_plain(&long);
        let holds = |word: &str| matches!(&parsed.query, TextQuery::Any(clauses) if clauses.contains(&clause(&[word], false)));
        assert!(holds("salt") && holds("weir") && parsed.text.ends_with("the weir?"), "{}", parsed.text);
    }

    proptest::proptest! {
        #[test]
        fn the_ends_of_a_text_are_whole_words_of_it(text in "([a-z]{1,8}[ \n]){0,60}", limit in 40_usize..120) {
            let ends = ends(&text, limit);
            proptest::prop_assert!(ends.chars().count() <= limit);
            let whole: Vec<&str> = text.split_whitespace().collect();
            let kept: Vec<&str> = ends.split_whitespace().collect();
            let from_start = kept.iter().zip(&whole).take_while(|(a, b)| a == b).count();
            proptest::prop_assert!(whole.ends_with(&kept[from_start..]));
            proptest::prop_assert!(text.chars().count() > limit || kept == whole);
        }

        #[test]
        fn any_text_has_ends(text in "\\PC{0,80}", limit in 2_usize..40) {
            proptest::prop_assert!(ends(&text, limit).chars().count() <= limit);
        }
    }

    #[test]
    fn a_minus_before_a_quoted_phrase_excludes_it() {
        assert_eq!(
            parse("mira -\"at the tower\"").query,
            TextQuery::All {
                groups: vec![vec![clause(&["mira"], false)]],
                without: vec![clause(&["at", "the", "tower"], false)],
            }
        );
    }

    #[test]
    fn quotes_around_an_unspaced_script_mean_these_characters_in_their_order() {
        let phrase = vec![vec![clause(&["世界の門"], false)]];
        let exact = TextQuery::All { groups: phrase, without: Vec::new() };
        assert_eq!(parse("\"世界の門\"").query, exact);
    }

    #[test]
    fn symbols_are_looked_for_as_they_stand() {
        for typed in ["%_*\"()^:-", "🐉", "-"] {
            assert!(matches!(parse(typed).query, TextQuery::Literal(_) | TextQuery::Nothing), "{typed}");
        }
    }

    #[test]
    fn a_question_without_spaces_is_asked_in_pairs_of_characters() {
        let asked = |typed: &str| match parse(typed) {
            ParsedQuery { query: TextQuery::Any(clauses), route, .. } => {
                let words = clauses.into_iter().map(|clause| (clause.words.concat(), clause.prefix));
                (words.collect::<Vec<_>>(), route)
            }
            other => panic!("{other:?}"),
        };
        let (words, route) = asked("谁拿着铁门");
        assert_eq!(
            words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(),
            ["谁拿", "拿着", "着铁", "铁门"]
        );
        assert_eq!(route, Route::Hybrid);
        assert_eq!(asked("铁门"), (vec![("铁门".into(), true)], Route::Text(TextReason::Short)));
        assert_eq!(asked("门"), (vec![("门".into(), false)], Route::Text(TextReason::Short)));
        let (words, _) = asked("Mira和铁门 key");
        assert_eq!(
            words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(),
            ["mira", "和铁", "铁门", "key"]
        );
    }

    proptest::proptest! {
        #[test]
        fn any_string_is_a_query(typed in "\\PC*") {
            let parsed = parse(&typed);
            proptest::prop_assert!(parsed.text.chars().count() <= MAX_QUERY_CHARS);
        }

        #[test]
        fn no_clause_is_ever_empty(typed in "[a-zé0-9\"*()^:OR NAND-]{0,40}") {
            let clauses = match parse(&typed).query {
                TextQuery::Any(clauses) => clauses,
                TextQuery::All { groups, without } => groups.into_iter().flatten().chain(without).collect(),
                TextQuery::Nothing | TextQuery::Literal(_) => vec![],
            };
            for clause in clauses {
                proptest::prop_assert!(!clause.words.is_empty() && clause.words.iter().all(|w| !w.is_empty()));
            }
        }
    }
}
