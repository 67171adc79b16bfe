//! Reads numbers, in digits or in words, and compares them by value where the value is certain.

use super::{Kind, Pause, Token};

/// A number of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numeral {
    /// Equal for equal numbers: the value ("34", "2.5", "3." for the third), or the written form if the value is
    /// uncertain.
    pub key: String,
    /// Index of its first token.
    pub first: usize,
    /// Index of its last token.
    pub last: usize,
}

const UNITS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: &[&str] = &[
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const ORDINAL_TENS: &[&str] =
    &["twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"];
const OTHERS: &[(&str, u64)] = &[
    ("twice", 2),
    ("thrice", 3),
    ("dozen", 12),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("zwölf", 12),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("deux", 2),
    ("trois", 3),
    ("два", 2),
    ("две", 2),
    ("три", 3),
    ("четыре", 4),
    ("пять", 5),
    ("семь", 7),
    ("десять", 10),
];
/// Full English names of the months. An abbreviation is the first three letters.
pub const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Unit(u64),
    Ten(u64),
    Scale(u32),
    /// A number that is not combined with others.
    Alone(u64),
    OrdinalUnit(u64),
    OrdinalTen(u64),
    OrdinalScale(u32),
}

fn part(word: &str) -> Option<Part> {
    let at = |list: &[&str]| list.iter().position(|entry| *entry == word).map(|n| n as u64);
    if let Some(n) = at(UNITS) {
        return Some(Part::Unit(n));
    }
    if let Some(n) = at(TENS) {
        return Some(Part::Ten(n * 10 + 20));
    }
    if let Some(n) = at(ORDINALS) {
        return Some(Part::OrdinalUnit(n));
    }
    if let Some(n) = at(ORDINAL_TENS) {
        return Some(Part::OrdinalTen(n * 10 + 20));
    }
    match word {
        "hundred" => Some(Part::Scale(2)),
        "thousand" => Some(Part::Scale(3)),
        "million" => Some(Part::Scale(6)),
        "billion" => Some(Part::Scale(9)),
        "hundredth" => Some(Part::OrdinalScale(2)),
        "thousandth" => Some(Part::OrdinalScale(3)),
        _ => OTHERS.iter().find(|(name, _)| *name == word).map(|(_, n)| Part::Alone(*n)),
    }
}

/// True if the word is a number word.
pub(crate) fn is_numeral(word: &str) -> bool {
    part(word).is_some()
}

/// The numbers of a text, in order. `english` selects how separators are read (see [`value`]).
pub(crate) fn numerals(tokens: &[Token<'_>], english: bool) -> Vec<Numeral> {
    let mut found = Vec::new();
    let mut n = 0;
    while n < tokens.len() {
        let numeral = match tokens[n].kind {
            Kind::Number => Some(digits(tokens, n, english)),
            Kind::Word => in_words(tokens, n),
            Kind::Symbol => None,
        };
        match numeral {
            Some(mut numeral) => {
                n = numeral.last + 1;
                day_of_month(tokens, &mut numeral);
                found.push(numeral);
            }
            None => n += 1,
        }
    }
    found
}

/// Makes "The 3rd of May" equal to "3 May".
fn day_of_month(tokens: &[Token<'_>], numeral: &mut Numeral) {
    let is_month = |n: usize| {
        tokens.get(n).is_some_and(|token| token.is_capital() && MONTHS.contains(&token.folded.as_str()))
    };
    let of = tokens.get(numeral.last + 1).is_some_and(|token| token.folded == "of");
    let the = numeral.first > 0 && tokens[numeral.first - 1].folded == "the";
    let before = numeral.first.checked_sub(if the { 2 } else { 1 });
    if is_month(numeral.last + if of { 2 } else { 1 }) || before.is_some_and(is_month) {
        numeral.key = numeral.key.trim_end_matches('.').to_owned();
    }
}

fn digits(tokens: &[Token<'_>], n: usize, english: bool) -> Numeral {
    let written = tokens[n].folded.as_str();
    let next = tokens.get(n + 1).filter(|_| tokens[n].pause == Pause::None);
    let short =
        !written.starts_with('0') && written.len() <= 3 && written.bytes().all(|b| b.is_ascii_digit());
    // "10 000": a group of zeros is not a number of its own.
    if short && next.is_some_and(|token| token.folded == "000") {
        return Numeral { key: format!("{written}000"), first: n, last: n + 1 };
    }
    let value = value(written, english);
    if let Some(Part::Scale(power)) = next.and_then(|token| part(&token.folded)) {
        return Numeral { key: scaled(&value, power), first: n, last: n + 1 };
    }
    Numeral { key: value, first: n, last: n }
}

/// Multiplies a decimal number by a power of ten; returns the written form if it is not a decimal number.
fn scaled(value: &str, power: u32) -> String {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let plain = !whole.is_empty() && (whole.to_owned() + fraction).bytes().all(|b| b.is_ascii_digit());
    if !plain || fraction.len() > power as usize {
        return format!("{value}e{power}");
    }
    let noughts = "0".repeat(power as usize - fraction.len());
    let all = format!("{whole}{fraction}{noughts}");
    let trimmed = all.trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() }
}

/// The value of digits, as far as it is certain. "1,250" is 1250 in English and 1.25 in German. So the comma is read
/// as a thousands separator only in an English text, and never as a decimal separator.
pub(crate) fn value(written: &str, english: bool) -> String {
    for ending in ["st", "nd", "rd", "th"] {
        if let Some(number) = written.strip_suffix(ending)
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            return format!("{number}.");
        }
    }
    let (sign, number) = written.strip_prefix('-').map_or(("", written), |rest| ("-", rest));
    for (separator, point) in [(',', '.'), ('.', ','), ('\'', '.')] {
        let (whole, fraction) = number.split_once(point).map_or((number, None), |(w, f)| (w, Some(f)));
        let groups: Vec<&str> = whole.split(separator).collect();
        let grouped = groups.len() > 1
            && (1..=3).contains(&groups[0].len())
            && !groups[0].starts_with('0')
            && groups[1..].iter().all(|group| group.len() == 3)
            && groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_digit()))
            && fraction.is_none_or(|f| f.bytes().all(|b| b.is_ascii_digit()));
        let certain =
            groups.len() > 2 || fraction.is_some() || separator == '\'' || (separator == ',' && english);
        if grouped && certain {
            let rest = fraction.map_or_else(String::new, |f| format!(".{f}"));
            return format!("{sign}{}{rest}", groups.concat());
        }
    }
    match number.split_once(',') {
        Some((whole, fraction))
            if !english
                && fraction.len() != 3
                && (whole.to_owned() + fraction).bytes().all(|b| b.is_ascii_digit()) =>
        {
            format!("{sign}{whole}.{fraction}")
        }
        _ => written.to_owned(),
    }
}

/// Reads a number in words at a token: "three", "twenty-third", "two hundred and five".
fn in_words(tokens: &[Token<'_>], first: usize) -> Option<Numeral> {
    let (mut total, mut current, mut last) = (0u64, 0u64, first);
    let mut room = u64::MAX; // the next part must be smaller than this
    let mut ordinal = false;
    let mut any = false;
    let mut n = first;
    while let Some(token) = tokens.get(n) {
        let joined = n == first || tokens[n - 1].pause == Pause::None;
        if any && joined && token.folded == "and" && (100..u64::MAX).contains(&room) {
            let follows = tokens.get(n + 1).and_then(|token| part(&token.folded));
            if matches!(
                follows,
                Some(Part::Unit(_) | Part::Ten(_) | Part::OrdinalUnit(_) | Part::OrdinalTen(_))
            ) {
                n += 1;
                continue;
            }
            break;
        }
        let Some(part) = part(&token.folded).filter(|_| joined) else { break };
        match part {
            Part::Alone(value) if !any => {
                return Some(Numeral { key: value.to_string(), first, last: n });
            }
            Part::Unit(value) | Part::OrdinalUnit(value) if value < room => {
                current += value;
                room = 0;
                ordinal = matches!(part, Part::OrdinalUnit(_));
            }
            Part::Ten(value) | Part::OrdinalTen(value) if value < room => {
                current += value;
                room = 10;
                ordinal = matches!(part, Part::OrdinalTen(_));
            }
            Part::Scale(power) | Part::OrdinalScale(power) if !ordinal => {
                let factor = 10u64.pow(power);
                if power == 2 {
                    current = current.max(1).saturating_mul(factor);
                    room = 100;
                } else {
                    total = total.saturating_add(current.max(1).saturating_mul(factor));
                    current = 0;
                    room = factor;
                }
                ordinal = matches!(part, Part::OrdinalScale(_));
            }
            Part::Alone(_)
            | Part::Unit(_)
            | Part::OrdinalUnit(_)
            | Part::Ten(_)
            | Part::OrdinalTen(_)
            | Part::Scale(_)
            | Part::OrdinalScale(_) => break,
        }
        any = true;
        last = n;
        n += 1;
        if ordinal {
            break;
        }
    }
    if !any || is_no_number(tokens, first, last) {
        return None;
    }
    let value = total.saturating_add(current);
    Some(Numeral { key: if ordinal { format!("{value}.") } else { value.to_string() }, first, last })
}

/// True for number words that count nothing: "No one", "the one who", "one day", "a second".
fn is_no_number(tokens: &[Token<'_>], first: usize, last: usize) -> bool {
    if first != last {
        return false;
    }
    let before = first.checked_sub(1).map_or("", |n| tokens[n].folded.as_str());
    let after = tokens.get(last + 1).map_or("", |token| token.folded.as_str());
    match tokens[first].folded.as_str() {
        "one" => {
            ["no", "the", "this", "that", "any", "each", "every", "which", "some", "another"]
                .contains(&before)
                || ["of", "another", "day", "who", "that", "must", "can", "should", "might", "could", "would"]
                    .contains(&after)
        }
        "second" => before == "a" || before == "every",
        _ => false,
    }
}
