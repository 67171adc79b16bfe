//! Iterates over the conversations in the files of an export.

use std::{collections::HashMap, marker::PhantomData};

use inklings_domain::text::mark;
use inklings_ports::conversation::import_store::{
    ConversationSource, RefusedConversation, SourceError, SourceItem, ThirdPartyConversation,
};
use serde::de::DeserializeOwned;

use crate::{
    bytes::{Bytes, broken},
    container::Part,
    text::Tally,
};

/// An export format of conversations.
pub trait Format: Send {
    /// Display name of the program.
    const NAME: &'static str;

    /// A conversation as deserialised from the file.
    type Raw: DeserializeOwned;

    /// Converts a conversation; `None` if it has no messages. Its id is empty if the file has none.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for too many messages.
    fn conversation(
        raw: Self::Raw,
        left_out: &mut Tally,
    ) -> Result<Option<ThirdPartyConversation>, SourceError>;
}

/// The next element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// An object, not read yet.
    Object,
    /// Another value, not read yet.
    Other,
    /// End of the array and the file.
    End,
}

/// Reads the elements of a top-level array, or one top-level object.
pub struct Elements {
    bytes: Bytes,
    begun: bool,
    /// True for a file that is one conversation and no list.
    single: bool,
}

impl Elements {
    /// Starts at the beginning of a file.
    pub const fn new(bytes: Bytes) -> Self {
        Self { bytes, begun: false, single: false }
    }

    /// The bytes of the element that [`Self::next`] announced.
    pub const fn bytes(&mut self) -> &mut Bytes {
        &mut self.bytes
    }

    /// True if the file starts with an array, or with an object, which is a single conversation.
    pub fn is_list_or_object(&mut self) -> Result<bool, SourceError> {
        self.bytes.skip_mark()?;
        let first = self.bytes.peek_solid()?;
        self.single = first == Some(b'{');
        Ok(self.single || first == Some(b'['))
    }

    /// True if the file is one object, once it was begun.
    pub const fn is_single(&self) -> bool {
        self.single
    }

    /// Advances to the next element. The previous one must have been read.
    pub fn next(&mut self) -> Result<Next, SourceError> {
        let first = !self.begun;
        if first {
            if !self.is_list_or_object()? {
                return Err(self.broken("this is no list of conversations"));
            }
            self.begun = true;
            if self.single {
                self.bytes.begin_conversation();
                return Ok(Next::Object);
            }
            self.bytes.take();
        }
        if self.single {
            return match self.bytes.peek_solid()? {
                None => Ok(Next::End),
                Some(_) => Err(self.broken("something follows the end")),
            };
        }
        let mut byte = self.bytes.peek_solid()?;
        if byte == Some(b']') {
            self.bytes.take();
            return match self.bytes.peek_solid()? {
                None => Ok(Next::End),
                Some(_) => Err(self.broken("something follows the end")),
            };
        }
        if !first {
            if byte.is_some_and(|byte| byte != b',') {
                return Err(self.broken("this is no valid JSON"));
            }
            if byte.is_some() {
                self.bytes.take();
                byte = self.bytes.peek_solid()?;
            }
        }
        match byte {
            None => Err(self.broken("the file ends in the middle")),
            Some(b'{') => {
                self.bytes.begin_conversation();
                Ok(Next::Object)
            }
            Some(_) => Ok(Next::Other),
        }
    }

    fn broken(&self, message: &str) -> SourceError {
        broken(self.bytes.at(), message)
    }
}

/// Gives ids to conversations that have none in the file.
#[derive(Default)]
pub struct MadeIds(HashMap<String, u64>);

impl MadeIds {
    /// An id made of the conversation's beginning, which a longer export of it shares. Equal beginnings are told apart
    /// by their order. The position in the file alone would be the id of an unrelated conversation in the next file.
    pub fn id(&mut self, conversation: &ThirdPartyConversation) -> String {
        let started = conversation.started_at.map_or_else(String::new, |at| at.to_rfc3339());
        let first = conversation.messages.iter().take(2);
        let identity = first.flat_map(|message| [message.external_id.clone(), message.text.clone()]);
        let parts = [conversation.title.clone(), started].into_iter().chain(identity);
        let bytes: Vec<u8> = parts.flat_map(|part| part.into_bytes().into_iter().chain([0])).collect();
        let base = format!("begins:{:016x}", mark(bytes));
        let seen = self.0.entry(base.clone()).or_default();
        *seen += 1;
        if *seen == 1 { base } else { format!("{base}#{seen}") }
    }
}

/// Why an element of the array was not read.
enum Fault {
    /// Only this conversation is damaged.
    One(SourceError),
    /// The file cannot be read any further.
    All(SourceError),
}

impl From<SourceError> for Fault {
    fn from(error: SourceError) -> Self {
        Self::All(error)
    }
}

/// What a source has read and not returned yet.
#[derive(Default)]
pub struct Pending {
    pub waiting: Vec<SourceItem>,
    pub left_out: Tally,
    over: bool,
}

/// A source that reads step by step.
pub trait Steps {
    fn pending(&mut self) -> &mut Pending;

    /// Reads on. False at the end.
    fn step(&mut self) -> Result<bool, SourceError>;
}

/// The next item of a source. The source ends after its first error.
pub fn next_of(source: &mut impl Steps) -> Option<Result<SourceItem, SourceError>> {
    while !source.pending().over {
        let pending = source.pending();
        if let Some(item) = pending.waiting.pop() {
            return Some(Ok(item));
        }
        if let Some(reason) = pending.left_out.pop() {
            return Some(Ok(SourceItem::Skipped(reason)));
        }
        match source.step() {
            Ok(true) => {}
            Ok(false) => source.pending().over = true,
            Err(error) => {
                source.pending().over = true;
                return Some(Err(error));
            }
        }
    }
    None
}

/// The conversations of an export. Ends after the first error.
pub struct Export<F> {
    parts: std::vec::IntoIter<Part>,
    several: bool,
    /// True if a damaged conversation is reported and the others are read.
    partly: bool,
    number: u64,
    made_ids: MadeIds,
    /// Size of the parts that were read to their end.
    finished: u64,
    present: Option<(String, Elements)>,
    pending: Pending,
    read: u64,
    total: u64,
    format: PhantomData<F>,
}

impl<F: Format> Export<F> {
    /// Reads the conversations of these files. With `partly`, damaged ones are reported and the others are read.
    pub fn new(parts: Vec<Part>, partly: bool) -> Self {
        Self {
            several: parts.len() > 1,
            partly,
            number: 0,
            made_ids: MadeIds::default(),
            finished: 0,
            total: parts.iter().map(|part| part.size).sum(),
            parts: parts.into_iter(),
            present: None,
            pending: Pending::default(),
            read: 0,
            format: PhantomData,
        }
    }

    /// Reads until a result is queued. False at the end.
    fn advance(&mut self) -> Result<bool, SourceError> {
        let Some((name, mut elements)) = self.present.take() else {
            let Some(part) = self.parts.next() else { return Ok(false) };
            self.finished += part.size;
            let elements = Elements::new(Bytes::new(part.open()?));
            self.present = Some((part.name, elements));
            return Ok(true);
        };
        let before = elements.bytes.at();
        let next = self.element(&mut elements);
        self.read += elements.bytes.at() - before;
        match next {
            // A file in another encoding has another number of bytes once it is decoded.
            Ok(Next::End) => self.read = self.finished,
            Ok(Next::Object | Next::Other) => self.present = Some((name, elements)),
            Err(Fault::One(error)) if self.partly => {
                let stopped = elements.bytes.at();
                let goes_on = elements.bytes.skip_rest()?;
                self.read += elements.bytes.at() - stopped;
                let mut reason = error.to_string();
                if goes_on {
                    self.present = Some((name.clone(), elements));
                } else {
                    reason.push_str("; nothing behind it can be read");
                    self.read = self.finished;
                }
                let file = self.several.then_some(name);
                let refused = RefusedConversation { number: self.number, file, reason };
                self.pending.waiting.push(SourceItem::Refused(refused));
            }
            Err(Fault::All(error @ SourceError::Broken { .. })) if self.partly && self.number > 0 => {
                let file = self.several.then_some(name);
                let reason = format!("{error}; nothing behind it can be read");
                let refused = RefusedConversation { number: self.number + 1, file, reason };
                self.pending.waiting.push(SourceItem::Refused(refused));
                self.read = self.finished;
            }
            Err(
                Fault::One(SourceError::Broken { byte, message })
                | Fault::All(SourceError::Broken { byte, message }),
            ) if self.several => {
                return Err(SourceError::Broken { byte, message: format!("{message} (in {name})") });
            }
            Err(Fault::One(error) | Fault::All(error)) => return Err(error),
        }
        Ok(true)
    }

    fn element(&mut self, elements: &mut Elements) -> Result<Next, Fault> {
        let next = elements.next()?;
        if next == Next::End {
            return Ok(next);
        }
        self.number += 1;
        if next == Next::Other {
            elements.bytes.begin_conversation();
            return Err(Fault::One(elements.broken("something else stands where a conversation should be")));
        }
        let mut json = serde_json::Deserializer::from_reader(&mut elements.bytes);
        let raw = serde::Deserialize::deserialize(&mut json);
        let raw = raw.map_err(|error: serde_json::Error| {
            let of_the_file = error.is_io();
            match elements.bytes.failed(error) {
                error @ SourceError::TooLarge(_) => Fault::One(error),
                error if of_the_file => Fault::All(error),
                error => Fault::One(error),
            }
        })?;
        let conversation = F::conversation(raw, &mut self.pending.left_out).map_err(Fault::One)?;
        if let Some(mut conversation) = conversation {
            if conversation.external_id.is_empty() {
                conversation.external_id = self.made_ids.id(&conversation);
            }
            self.pending.waiting.push(SourceItem::Conversation(conversation));
        }
        Ok(next)
    }
}

impl<F: Format> Steps for Export<F> {
    fn pending(&mut self) -> &mut Pending {
        &mut self.pending
    }

    fn step(&mut self) -> Result<bool, SourceError> {
        self.advance()
    }
}

impl<F: Format> Iterator for Export<F> {
    type Item = Result<SourceItem, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_of(self)
    }
}

impl<F: Format> ConversationSource for Export<F> {
    fn format(&self) -> &'static str {
        F::NAME
    }

    fn progress(&self) -> (u64, u64) {
        (self.read, self.total.max(self.read))
    }
}
