//! Words, times and ids of a foreign file, made fit for ours.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use inklings_application::conversation::import_store::ThirdPartyMessage;
use inklings_domain::{
    conversation::message::{self, Role},
    hidden,
    text::{self, MAX_LABEL_CHARS, TextError, is_bidi_control},
};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// The most messages, other versions included, that one conversation may have.
pub const MAX_MESSAGES: usize = 100_000;

/// The most characters of an id that are kept.
const MAX_ID_CHARS: usize = 200;

/// A text. Half a surrogate pair, which JSON can write and UTF-8 cannot, becomes U+FFFD: exports cut emoji in two.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As a string the parser would refuse half pairs; as bytes it hands them over.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_owned()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Ok(Text(text.to_owned()));
        }
        let mut bytes = bytes.to_vec();
        let mut at = 0;
        while at + 2 < bytes.len() {
            if bytes[at] == 0xED && bytes[at + 1] >= 0xA0 {
                bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
            }
            at += 1;
        }
        String::from_utf8(bytes).map(Text).map_err(|_| E::custom("bad UTF-8"))
    }
}

/// A moment: seconds since 1970 or RFC 3339. Whatever is none (before 1970, after 9999, other words) counts as not given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment(pub Option<DateTime<Utc>>);

const YEAR_10_000: f64 = 253_402_300_800.0;

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MomentVisitor)
    }
}

struct MomentVisitor;

impl Visitor<'_> for MomentVisitor {
    type Value = Moment;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a time")
    }

    fn visit_unit<E: Error>(self) -> Result<Moment, E> {
        Ok(Moment(None))
    }

    fn visit_f64<E: Error>(self, seconds: f64) -> Result<Moment, E> {
        let sensible = seconds > 0.0 && seconds < YEAR_10_000;
        let micros = (seconds * 1e6).round() as i64;
        Ok(Moment(DateTime::from_timestamp_micros(micros).filter(|_| sensible)))
    }

    fn visit_u64<E: Error>(self, seconds: u64) -> Result<Moment, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_i64<E: Error>(self, seconds: i64) -> Result<Moment, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Moment, E> {
        let moment = DateTime::parse_from_rfc3339(text.trim()).ok().map(|at| at.to_utc());
        Ok(Moment(moment.filter(|at| (1..253_402_300_800).contains(&at.timestamp()))))
    }
}

/// Why things were left out, and how many of each.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// Counts some more.
    pub fn add(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.0.entry(reason).or_default() += count;
        }
    }

    /// All of them, by reason.
    pub fn into_counts(self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.into_iter()
    }

    /// Takes one out.
    pub fn pop(&mut self) -> Option<&'static str> {
        let mut first = self.0.first_entry()?;
        let reason = *first.key();
        *first.get_mut() -= 1;
        if *first.get() == 0 {
            first.remove();
        }
        Some(reason)
    }
}

/// A single line that [`text::label`] takes: without control and direction characters, hidden ones written out, cut if it is too long; empty if
/// nothing is left.
pub fn label(given: &str) -> String {
    let visible: String = given.chars().filter(|c| !is_bidi_control(*c)).collect();
    let visible = hidden::visible(&visible).into_owned();
    let visible = visible.chars();
    let visible: String = visible.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut keep = MAX_LABEL_CHARS;
    let mut line = words.clone();
    loop {
        match text::label("title", &line) {
            Ok(label) => return label,
            // Composed anew, a text can get longer; then less is kept.
            Err(TextError::TooLong { .. }) if keep > 1 => {
                keep -= 1;
                let cut: String = words.chars().take(keep).collect();
                line = format!("{}…", cut.trim_end());
            }
            Err(_) => return String::new(),
        }
    }
}

/// An id without control characters, cut if it is absurdly long; `None` if nothing is left.
pub fn id(given: Option<Text>) -> Option<String> {
    let Text(given) = given?;
    let id: String = given.trim().chars().filter(|c| !c.is_control()).take(MAX_ID_CHARS).collect();
    (!id.is_empty()).then_some(id)
}

/// A message as its file has it, judged worth keeping.
pub struct ReadMessage {
    /// Its id there, if it has one.
    pub id: Option<String>,
    /// Who spoke.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Option<DateTime<Utc>>,
    /// The speaker's or tool's name.
    pub speaker: Option<String>,
}

/// Collects the messages of a conversation.
#[derive(Default)]
pub struct Messages {
    kept: Vec<ThirdPartyMessage>,
    ids: HashSet<String>,
}

impl Messages {
    /// Adds a message, unless its text is empty or too long.
    pub fn add(&mut self, said: ReadMessage, left_out: &mut Tally) {
        let text = match message::content(&said.text) {
            Ok(text) => text,
            Err(TextError::TooLong { .. }) => return left_out.add("message too long", 1),
            Err(_) => return left_out.add("empty message", 1),
        };
        let external_id = self.unused(said.id);
        let speaker = said.speaker.map(|name| label(&name)).filter(|name| !name.is_empty());
        self.kept.push(ThirdPartyMessage { external_id, role: said.role, text, at: said.at, speaker });
    }

    /// The id, told apart from those before it. The place decides, so that the same file gives the same ids again.
    fn unused(&mut self, id: Option<String>) -> String {
        let base = id.unwrap_or_else(|| format!("#{}", self.kept.len() + 1));
        let mut id = base.clone();
        let mut twin = self.kept.len() + 1;
        while !self.ids.insert(id.clone()) {
            id = format!("{base}#{twin}");
            twin += 1;
        }
        id
    }

    /// All of them, in the order in which they were added.
    pub fn finish(self) -> Vec<ThirdPartyMessage> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_cut_to_what_a_label_may_be() {
        assert_eq!(label(" A\u{202E}\0 \n title\t"), "A title");
        let long = label(&"ä ".repeat(10_000));
        assert!(long.chars().count() <= MAX_LABEL_CHARS && long.ends_with('…'));
        assert_eq!(label("\u{0}\u{202E}  "), "");
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_bad_utf_8_refused() {
        let text = |json: &[u8]| serde_json::from_slice::<Text>(json).map(|text| text.0).ok();
        assert_eq!(text(br#""a\ud83d""#).as_deref(), Some("a\u{FFFD}"));
        assert_eq!(text(br#""\udc00\ud800\ud83d\ude00""#).as_deref(), Some("\u{FFFD}\u{FFFD}😀"));
        assert_eq!(text(b"\"a\xFF\""), None);
    }

    #[test]
    fn only_sensible_times_are_times() {
        let at = |json: &str| serde_json::from_str::<Moment>(json).ok().and_then(|moment| moment.0);
        assert_eq!(at("1700000000.5").map(|at| at.timestamp_millis()), Some(1_700_000_000_500));
        assert_eq!(at("\"2024-01-02T03:04:05.5Z\"").map(|at| at.timestamp()), Some(1_704_164_645));
        for none in ["-1", "0", "1e300", "-1e300", "null", "\"soon\"", "18446744073709551615"] {
            assert_eq!(at(none), None, "{none}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_label_is_never_refused_later(given in "[\\PC\u{0}\u{202E}\u{344}\u{1D160}]{0,300}") {
            let line = label(&given);
            proptest::prop_assert!(line.is_empty() || text::label("title", &line) == Ok(line));
        }
    }
}
