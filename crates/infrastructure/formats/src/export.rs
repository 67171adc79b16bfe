//! Iterates over the conversations in the files of an export.

use std::marker::PhantomData;

use inklings_application::conversation::import_store::{
    ConversationSource, SourceError, SourceItem, ThirdPartyConversation,
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

    /// Converts a conversation; `None` if it has no messages.
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

/// Reads the elements of a top-level array.
pub struct Elements {
    bytes: Bytes,
    begun: bool,
}

impl Elements {
    /// Starts at the beginning of a file.
    pub const fn new(bytes: Bytes) -> Self {
        Self { bytes, begun: false }
    }

    /// The bytes of the element that [`Self::next`] announced.
    pub const fn bytes(&mut self) -> &mut Bytes {
        &mut self.bytes
    }

    /// True if the file starts with an array.
    pub fn is_array(&mut self) -> Result<bool, SourceError> {
        self.bytes.skip_mark()?;
        Ok(self.bytes.peek_solid()? == Some(b'['))
    }

    /// Advances to the next element. The previous one must have been read.
    pub fn next(&mut self) -> Result<Next, SourceError> {
        let first = !self.begun;
        if first {
            if !self.is_array()? {
                return Err(self.broken("this is no list of conversations"));
            }
            self.bytes.take();
            self.begun = true;
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

/// The conversations of an export. Ends after the first error.
pub struct Export<F> {
    parts: std::vec::IntoIter<Part>,
    several: bool,
    present: Option<(String, Elements)>,
    waiting: Vec<SourceItem>,
    left_out: Tally,
    read: u64,
    total: u64,
    over: bool,
    format: PhantomData<F>,
}

impl<F: Format> Export<F> {
    /// Reads the conversations of these files.
    pub fn new(parts: Vec<Part>) -> Self {
        Self {
            several: parts.len() > 1,
            total: parts.iter().map(|part| part.size).sum(),
            parts: parts.into_iter(),
            present: None,
            waiting: Vec::new(),
            left_out: Tally::default(),
            read: 0,
            over: false,
            format: PhantomData,
        }
    }

    /// Reads until a result is queued. False at the end.
    fn advance(&mut self) -> Result<bool, SourceError> {
        let Some((name, mut elements)) = self.present.take() else {
            let Some(part) = self.parts.next() else { return Ok(false) };
            let elements = Elements::new(Bytes::new(part.open()?));
            self.present = Some((part.name, elements));
            return Ok(true);
        };
        let before = elements.bytes.at();
        let next = self.element(&mut elements);
        self.read += elements.bytes.at() - before;
        match next {
            Ok(Next::End) => {}
            Ok(Next::Object | Next::Other) => self.present = Some((name, elements)),
            Err(SourceError::Broken { byte, message }) if self.several => {
                return Err(SourceError::Broken { byte, message: format!("{message} (in {name})") });
            }
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn element(&mut self, elements: &mut Elements) -> Result<Next, SourceError> {
        let next = elements.next()?;
        match next {
            Next::End => return Ok(next),
            Next::Other => {
                return Err(elements.broken("something else stands where a conversation should be"));
            }
            Next::Object => {}
        }
        let mut json = serde_json::Deserializer::from_reader(&mut elements.bytes);
        let raw = serde::Deserialize::deserialize(&mut json);
        let raw = raw.map_err(|error| elements.bytes.failed(error))?;
        let conversation = F::conversation(raw, &mut self.left_out)?;
        self.waiting.extend(conversation.map(SourceItem::Conversation));
        Ok(next)
    }
}

impl<F: Format> Iterator for Export<F> {
    type Item = Result<SourceItem, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            if let Some(item) = self.waiting.pop() {
                return Some(Ok(item));
            }
            if let Some(reason) = self.left_out.pop() {
                return Some(Ok(SourceItem::Skipped(reason)));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => self.over = true,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        None
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
