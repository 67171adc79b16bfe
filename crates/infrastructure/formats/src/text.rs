//! Normalises texts, times and ids of third-party files.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::message::{self, Role},
    hidden,
    text::{self, MAX_LABEL_CHARS, TextError, is_bidi_control},
};
use inklings_ports::conversation::import_store::ThirdPartyMessage;
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Maximum number of messages of one conversation, including other versions.
pub const MAX_MESSAGES: usize = 100_000;

/// Maximum characters of an id.
const MAX_ID_CHARS: usize = 200;

/// A text. Half of a surrogate pair, which is valid in JSON but not in UTF-8, becomes U+FFFD, because some
/// exports cut emoji in two.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Deserialised as bytes, because the parser refuses unpaired surrogates in strings but accepts them
        // in bytes.
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

/// A time: seconds since 1970 or RFC 3339. An invalid time (before 1970, after 9999, other text) counts as
/// absent.
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

/// Counts skipped items by reason.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// Adds to the count of a reason.
    pub fn add(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.0.entry(reason).or_default() += count;
        }
    }

    /// All counts by reason.
    pub fn into_counts(self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.into_iter()
    }

    /// Removes one reason.
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

/// Makes a single line that [`text::label`] accepts: without control and direction characters, with hidden
/// characters written out, truncated if too long; empty if nothing is left.
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
            // Normalisation can lengthen a text, so fewer characters are retained.
            Err(TextError::TooLong { .. }) if keep > 1 => {
                keep -= 1;
                let cut: String = words.chars().take(keep).collect();
                line = format!("{}…", cut.trim_end());
            }
            Err(_) => return String::new(),
        }
    }
}

/// An id without control characters, truncated if too long; `None` if nothing is left.
pub fn id(given: Option<Text>) -> Option<String> {
    let Text(given) = given?;
    let id: String = given.trim().chars().filter(|c| !c.is_control()).take(MAX_ID_CHARS).collect();
    (!id.is_empty()).then_some(id)
}

/// A message of the file that will be imported.
pub struct ReadMessage {
    /// Id in the file.
    pub id: Option<String>,
    /// Role of the author.
    pub role: Role,
    pub text: String,
    pub at: Option<DateTime<Utc>>,
    /// Name of the speaker or tool.
    pub speaker: Option<String>,
}

/// Collects the messages of a conversation.
#[derive(Default)]
pub struct Messages {
    messages: Vec<ThirdPartyMessage>,
    ids: HashSet<String>,
}

impl Messages {
    /// Adds a message, unless its text is empty or too long.
    pub fn add(&mut self, read: ReadMessage, left_out: &mut Tally) {
        let text = match message::content(&read.text) {
            Ok(text) => text,
            Err(TextError::TooLong { .. }) => return left_out.add("message too long", 1),
            Err(_) => return left_out.add("empty message", 1),
        };
        let external_id = self.unused(read.id);
        let speaker = read.speaker.map(|name| label(&name)).filter(|name| !name.is_empty());
        self.messages.push(ThirdPartyMessage { external_id, role: read.role, text, at: read.at, speaker });
    }

    /// Makes an id unique by appending its position, so that the same file always gives the same ids.
    fn unused(&mut self, id: Option<String>) -> String {
        let base = id.unwrap_or_else(|| format!("#{}", self.messages.len() + 1));
        let mut id = base.clone();
        let mut twin = self.messages.len() + 1;
        while !self.ids.insert(id.clone()) {
            id = format!("{base}#{twin}");
            twin += 1;
        }
        id
    }

    /// All messages in the order of addition.
    pub fn finish(self) -> Vec<ThirdPartyMessage> {
        self.messages
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
