//! Reads chats of SillyTavern: a file of lines for each chat, of which the first one describes the chat
//! (`{user_name, character_name, create_date, chat_metadata}`) and every other one is a message
//! (`{name, is_user, is_system, send_date, mes, swipes, extra}`).

use std::io::{BufRead, BufReader, Read};

use chrono::{DateTime, NaiveDateTime, Utc};
use inklings_domain::conversation::message::Role;
use inklings_ports::conversation::import_store::{
    ConversationSource, RefusedConversation, SourceError, SourceItem, ThirdPartyConversation,
};
use serde_json::Value;

use crate::{
    bytes::{MAX_CONVERSATION_BYTES, broken, from_io},
    container::Part,
    entries::json,
    export::{MadeIds, Pending, Steps, next_of},
    text::{MAX_MESSAGES, Messages, Moment, ReadMessage, Tally, label},
};

/// Maximum bytes of a line: 16 MiB.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// Name of the format.
const NAME: &str = "sillytavern";

/// Written as a name by newer releases, which keep the names elsewhere.
const NO_NAME: &str = "unused";

/// Names under which the program itself speaks.
const PROGRAM: [&str; 3] = ["System", "SillyTavern System", "Note"];

/// Forms of a time without an offset, which is taken as UTC.
const TIMES: [&str; 6] = [
    "%B %d, %Y %I:%M%p",
    "%B %d, %Y %I:%M %p",
    "%Y-%m-%d @%Hh %Mm %Ss",
    "%Y-%m-%d@%Hh%Mm%Ss",
    "%Y-%m-%d @%Hh%Mm%Ss",
    "%Y-%m-%d %H:%M:%S",
];

/// A time as the releases of SillyTavern write it: milliseconds since 1970, RFC 3339, or words.
fn time(value: Option<&Value>) -> Option<DateTime<Utc>> {
    match value? {
        Value::Number(number) => {
            let number = number.as_f64()?;
            let seconds = if number > 1e11 { number / 1e3 } else { number };
            serde_json::from_value::<Moment>(seconds.into()).ok()?.0
        }
        Value::String(text) => {
            let text = text.trim();
            let given = serde_json::from_value::<Moment>(text.into()).ok().and_then(|moment| moment.0);
            // Some releases add milliseconds that no other form has: `@10h 02m 03s 456ms`.
            let short = text
                .rsplit_once("s ")
                .filter(|(_, rest)| rest.ends_with("ms"))
                .map(|(start, _)| format!("{start}s"));
            let text = short.as_deref().unwrap_or(text);
            let parsed = TIMES.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
            let parsed =
                parsed.map(|at| at.and_utc()).filter(|at| (1..253_402_300_800).contains(&at.timestamp()));
            given.or(parsed)
        }
        _ => None,
    }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

/// The chats of some files. Ends after the first error.
pub struct Chats {
    parts: std::vec::IntoIter<Part>,
    several: bool,
    partly: bool,
    number: u64,
    made_ids: MadeIds,
    pending: Pending,
    read: u64,
    total: u64,
}

impl Chats {
    /// Reads these files. With `partly`, damaged ones are reported and the others are read.
    pub fn new(parts: Vec<Part>, partly: bool) -> Self {
        Self {
            several: parts.len() > 1,
            total: parts.iter().map(|part| part.size).sum(),
            parts: parts.into_iter(),
            partly,
            number: 0,
            made_ids: MadeIds::default(),
            pending: Pending::default(),
            read: 0,
        }
    }

    /// Reads the next file. False at the end.
    fn advance(&mut self) -> Result<bool, SourceError> {
        let Some(part) = self.parts.next() else { return Ok(false) };
        self.number += 1;
        let chat = self.chat(&part);
        self.read += part.size;
        match chat {
            Ok(chat) => self.pending.waiting.extend(chat.map(SourceItem::Conversation)),
            Err(error @ (SourceError::Broken { .. } | SourceError::TooLarge(_))) if self.partly => {
                let file = self.several.then_some(part.name);
                let refused = RefusedConversation { number: self.number, file, reason: error.to_string() };
                self.pending.waiting.push(SourceItem::Refused(refused));
            }
            Err(SourceError::Broken { byte, message }) if self.several => {
                return Err(SourceError::Broken { byte, message: format!("{message} (in {})", part.name) });
            }
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn chat(&mut self, part: &Part) -> Result<Option<ThirdPartyConversation>, SourceError> {
        let mut reader = BufReader::new(part.open()?);
        let mut chat = Chat::default();
        let (mut line, mut at) = (Vec::new(), 0_u64);
        let mut damaged = None;
        loop {
            line.clear();
            let read = (&mut reader).take(MAX_LINE + 1).read_until(b'\n', &mut line);
            let read = read.map_err(|error| from_io(&error))? as u64;
            if read == 0 {
                break;
            }
            if read > MAX_LINE {
                return Err(SourceError::TooLarge("a message in this file is larger than 16 MiB".into()));
            }
            if at + read > MAX_CONVERSATION_BYTES {
                let limit = MAX_CONVERSATION_BYTES / (1024 * 1024);
                return Err(SourceError::TooLarge(format!(
                    "a conversation in this file is larger than {limit} MiB"
                )));
            }
            let solid = line.trim_ascii();
            if !(solid.is_empty() || solid == b"\xEF\xBB\xBF") {
                if let Ok(value @ Value::Object(_)) = json::parse(solid, &mut Tally::default()) {
                    chat.take(&value, &mut self.pending.left_out)?;
                } else {
                    damaged.get_or_insert(at);
                    self.pending.left_out.add("a broken line", 1);
                }
            }
            at += read;
        }
        match (chat.into_conversation(&mut self.made_ids), damaged) {
            (Some(conversation), _) => Ok(Some(conversation)),
            (None, Some(byte)) => Err(broken(byte, "this is no valid JSON")),
            (None, None) => {
                self.pending.left_out.add("empty conversation", 1);
                Ok(None)
            }
        }
    }
}

/// A chat during reading.
#[derive(Default)]
struct Chat {
    id: Option<String>,
    title: String,
    started: Option<DateTime<Utc>>,
    messages: Messages,
    count: usize,
}

impl Chat {
    fn take(&mut self, value: &Value, left_out: &mut Tally) -> Result<(), SourceError> {
        let Some(words) = value.get("mes") else {
            let metadata = value.get("chat_metadata");
            self.id = self.id.take().or_else(|| metadata.and_then(|data| text(data, "integrity")).map(label));
            self.started = self.started.or_else(|| time(value.get("create_date")));
            if let Some(name) = text(value, "character_name").filter(|name| *name != NO_NAME) {
                self.title = label(name);
            }
            return Ok(());
        };
        self.count += 1;
        if self.count > MAX_MESSAGES {
            let message = format!("a conversation in this file has more than {MAX_MESSAGES} messages");
            return Err(SourceError::TooLarge(message));
        }
        let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
        let name = text(value, "name");
        let role = match name {
            _ if flag("is_user") => Role::User,
            Some(name) if flag("is_system") && PROGRAM.contains(&name) => Role::System,
            _ => Role::Assistant,
        };
        if role == Role::Assistant && self.title.is_empty() {
            self.title = name.map_or_else(String::new, label);
        }
        let count = |key: &str| value.get(key).and_then(Value::as_array).map_or(0, Vec::len) as u64;
        left_out.add("another version of a message", count("swipes").saturating_sub(1));
        if let Some(extra) = value.get("extra") {
            left_out.add("reasoning", u64::from(text(extra, "reasoning").is_some()));
            left_out.add("picture", u64::from(text(extra, "image").is_some()));
            left_out.add("attached file", u64::from(extra.get("file").is_some_and(Value::is_object)));
        }
        let words = ReadMessage {
            id: None,
            role,
            text: words.as_str().unwrap_or_default().to_owned(),
            at: time(value.get("send_date")),
            speaker: name.map(str::to_owned),
        };
        self.messages.add(words, left_out);
        Ok(())
    }

    fn into_conversation(self, made_ids: &mut MadeIds) -> Option<ThirdPartyConversation> {
        let messages = self.messages.finish();
        if messages.is_empty() {
            return None;
        }
        let id = self.id.filter(|id| !id.is_empty());
        let mut chat = ThirdPartyConversation {
            external_id: String::new(),
            title: self.title,
            started_at: self.started,
            messages,
        };
        chat.external_id = id.unwrap_or_else(|| made_ids.id(&chat));
        Some(chat)
    }
}

impl Steps for Chats {
    fn pending(&mut self) -> &mut Pending {
        &mut self.pending
    }

    fn step(&mut self) -> Result<bool, SourceError> {
        self.advance()
    }
}

impl Iterator for Chats {
    type Item = Result<SourceItem, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_of(self)
    }
}

impl ConversationSource for Chats {
    fn format(&self) -> &'static str {
        NAME
    }

    fn progress(&self) -> (u64, u64) {
        (self.read, self.total)
    }
}
