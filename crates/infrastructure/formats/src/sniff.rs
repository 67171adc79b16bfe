//! Detects which program exported a file.

use inklings_ports::conversation::import_store::SourceError;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::{
    bytes::Bytes,
    container::Part,
    export::{Elements, Next},
    text::Text,
};

/// The program that exported a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OpenAI's.
    ChatGpt,
    /// Anthropic's.
    Claude,
    /// SillyTavern's, one chat in each file of lines.
    SillyTavern,
}

/// Number of conversations to examine before a file counts as unknown.
const ASKED: usize = 16;

/// Detects the exporting program of these files.
pub fn kind(parts: &[Part]) -> Result<Kind, SourceError> {
    let mut broken = None;
    for part in parts {
        let mut elements = Elements::new(Bytes::new(part.open()?));
        if !elements.is_list_or_object()? {
            return Err(SourceError::UnknownFormat);
        }
        for _ in 0..ASKED {
            match elements.next()? {
                Next::End => break,
                Next::Other => return Err(SourceError::UnknownFormat),
                Next::Object => {}
            }
            let mut kind = None;
            let mut json = serde_json::Deserializer::from_reader(elements.bytes());
            let read = Ask(&mut kind).deserialize(&mut json);
            drop(json);
            // The kind is usually known long before the end and the rest is not read, so a later error does
            // not matter.
            if let Some(kind) = kind {
                return Ok(kind);
            }
            if let Err(error) = read {
                let of_the_file = error.is_io();
                let error = elements.bytes().failed(error);
                if of_the_file || !elements.bytes().skip_rest()? {
                    return Err(broken.unwrap_or(error));
                }
                broken.get_or_insert(error);
            }
            if elements.is_single() {
                break;
            }
        }
    }
    Err(broken.unwrap_or(SourceError::UnknownFormat))
}

struct Ask<'a>(&'a mut Option<Kind>);

impl<'de> DeserializeSeed<'de> for Ask<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Ask<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a conversation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(key)) = map.next_key()? {
            *self.0 = match key.as_str() {
                "mapping" => Some(Kind::ChatGpt),
                "chat_messages" => Some(Kind::Claude),
                "chat_metadata" | "character_name" | "mes" => Some(Kind::SillyTavern),
                _ => None,
            };
            if self.0.is_some() {
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
