//! Imports JSON Lines. Nothing is written unless every line can be parsed.

use std::{
    fmt,
    io::{BufRead, Read},
};

use inklings_application::{
    conversation::lookup::ChannelRef,
    error::AppError,
    memory::import::{ImportItem, Lines},
};
use inklings_domain::{
    derivation::Derivation,
    memory::Origin,
    provenance::{Actor, ActorKind},
};
use inklings_formats::utf16::{Order, decoded};
use inklings_ports::transfer::file::TransferError;
use serde::{Deserialize, Deserializer, de};

use crate::{
    commands::MemoryCommands, error::CommandError, file_hash::Hashed, view::change::ImportReport,
    vocabulary::Scope, wire::count,
};

/// The `source` of imported entries.
const SOURCE: &str = "jsonl";
/// Maximum bytes per line: the maximum content with JSON escapes, plus the other fields.
const MAX_LINE: usize = 1024 * 1024;
/// Maximum bytes of a file in UTF-16, which is decoded as a whole.
const MAX_UTF16: u64 = 256 * 1024 * 1024;

#[derive(Deserialize)]
struct Line {
    id: Option<Word>,
    title: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    text: String,
    session: Option<Word>,
    ts: Option<Word>,
    speaker: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    importance: Option<f64>,
}

/// A text field that some files contain as a number.
struct Word(String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordVisitor)
    }
}

struct WordVisitor;

impl de::Visitor<'_> for WordVisitor {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Word, E> {
        Ok(Word(text))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Word, E> {
        // Formatted as in JSON: 1.0, not 1.
        let number = serde_json::Number::from_f64(number);
        number.map(|number| Word(number.to_string())).ok_or_else(|| E::custom("not a finite number"))
    }
}

pub(crate) fn items(mut reader: impl BufRead) -> Result<Vec<ImportItem>, AppError> {
    let failed = |error: &std::io::Error| AppError::ImportLine {
        line: 1,
        message: format!("the file cannot be read: {}", error.kind()),
    };
    if Order::of(reader.fill_buf().map_err(|error| failed(&error))?).is_none() {
        return lines_of(reader);
    }
    let mut bytes = Vec::new();
    reader.take(MAX_UTF16 + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_UTF16 {
        let message = "a file in UTF-16 may have at most 256 MiB; save it as UTF-8".to_owned();
        return Err(AppError::ImportLine { line: 1, message });
    }
    lines_of(&*decoded(&bytes))
}

fn lines_of(mut reader: impl BufRead) -> Result<Vec<ImportItem>, AppError> {
    let mut items = Vec::new();
    let mut buffer = Vec::new();
    for line in 1.. {
        let refuse = |message: String| AppError::ImportLine { line, message };
        buffer.clear();
        let read = (&mut reader)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut buffer)
            .map_err(|error| refuse(format!("the file cannot be read: {}", error.kind())))?;
        if read == 0 {
            break;
        }
        if read > MAX_LINE {
            return Err(refuse("the line is longer than 1 MiB".into()));
        }
        let bytes = if line == 1 { buffer.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&buffer) } else { &buffer };
        let text = std::str::from_utf8(bytes).map_err(|_| refuse("not valid UTF-8".into()))?;
        if text.trim().is_empty() {
            continue;
        }
        // The message of serde can quote the text, so only the position is reported.
        let parsed: Line = serde_json::from_str(text).map_err(|error| refuse(reason(&error)))?;
        let word = |word: Option<Word>| word.map(|word| word.0);
        items.push(ImportItem {
            line,
            title: parsed.title,
            keys: parsed.keys,
            content: parsed.text,
            origin: Origin {
                external_id: word(parsed.id),
                session: word(parsed.session),
                speaker: parsed.speaker,
                said_at: word(parsed.ts),
                conversation: None,
            },
            tags: parsed.tags,
            importance: parsed.importance,
        });
    }
    Ok(items)
}

fn reason(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let column = error.column();
    match error.classify() {
        Category::Eof => "the JSON ends too early; each line holds one whole object".to_owned(),
        Category::Data => format!(
            "not of the form {{\"id\"?, \"text\", \"title\"?, \"keys\"?, \"session\"?, \"ts\"?, \"speaker\"?, \"tags\"?, \"importance\"?}} (column {column})"
        ),
        Category::Syntax | Category::Io => format!("not valid JSON (column {column})"),
    }
}

impl MemoryCommands<'_> {
    /// Imports JSON Lines into one tier and channel or conversation, in one transaction, as one change.
    /// The entries tell that they are made of a file of this name. Updates an entry with a known id instead of duplicating it. Creates an unknown channel. Changes of
    /// existing content and writes to the account are skipped unless `pick_all` confirms that a user picked
    /// them.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the first invalid line; nothing is written in that case.
    pub async fn import_jsonl(
        &self,
        scope: Scope,
        channel: Option<&str>,
        reader: impl BufRead,
        pick_all: bool,
        name: &str,
    ) -> Result<ImportReport, CommandError> {
        // Everything is read first, so that an invalid last line does not leave a new channel behind.
        let mut reader = Hashed::new(reader);
        let items = items(&mut reader)?;
        let file = Derivation::file(name, reader.finish().map_err(TransferError::from)?);
        let session = self.app.session()?;
        let actor =
            Actor::new(ActorKind::Import, self.app.actor.interface(), None).map_err(AppError::from)?;
        let lines = Lines { source: SOURCE, file, pick_all };
        let wanted = channel.map(ChannelRef::NameOrNew);
        let outcome = match channel {
            Some(name) if !self.has_channel(name).await? => {
                let planned = session.memory_imports().plan_into_new_channel(lines, items, actor).await?;
                let place = session.conversations().place(scope.into(), wanted, None).await?;
                session.memory_imports().import_into_new_channel(place, planned).await?
            }
            _ => {
                let place = session.conversations().place(scope.into(), wanted, None).await?;
                session.memory_imports().import(place, lines, items, actor).await?
            }
        };
        Ok(ImportReport {
            change_id: outcome.change.map(|change| change.to_string()),
            added: count(outcome.added),
            updated: count(outcome.updated),
            unchanged: count(outcome.unchanged),
            left_out: count(outcome.left_out),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &[u8]) -> String {
        items(text).expect_err("this should be refused").to_string()
    }

    #[test]
    fn a_bad_line_is_named_and_its_text_is_not_repeated() {
        let good = "{\"text\":\"secret\"}\n";
        for bad in [
            "{\"text\":",
            "[1]",
            "{\"txt\":\"secret\"}",
            "{\"text\":7}",
            "{\"text\":\"a\",\"id\":[7]}",
            "{\"text\":\"a\",\"session\":true}",
            "nonsense secret",
            "{\"text\":\"a\",\"importance\":\"x\"}",
        ] {
            let message = refused(format!("{good}{bad}\n").as_bytes());
            assert!(message.starts_with("line 2:") && !message.contains("secret"), "{message}");
        }
        assert!(refused(b"{\"text\":\"\xff\"}").starts_with("line 1: not valid UTF-8"));
    }

    #[test]
    fn ids_and_sessions_may_be_numbers_and_a_byte_order_mark_is_fine() {
        let lines =
            "\u{feff}{\"id\":7,\"text\":\"a\",\"session\":1,\"ts\":null,\"extra\":true}\n\n{\"text\":\"b\"}";
        let items = items(lines.as_bytes()).expect("both lines are fine");
        assert_eq!(items[0].origin.external_id.as_deref(), Some("7"));
        assert_eq!((items.len(), items[1].line), (2, 3));
        let ids = |id: &str| {
            let read = super::items(format!("{{\"id\":{id},\"text\":\"a\"}}").as_bytes()).ok()?;
            read[0].origin.external_id.clone()
        };
        for (given, expected) in [
            ("-7", "-7"),
            ("1.0", "1.0"),
            ("18446744073709551615", "18446744073709551615"),
            ("\"\\u0041\"", "A"),
        ] {
            assert_eq!(ids(given).as_deref(), Some(expected));
        }
        assert_eq!(ids("null"), None);
    }
}
