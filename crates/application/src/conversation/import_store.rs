//! Bringing whole conversations in from elsewhere: all of a file, or nothing.

use chrono::{DateTime, Utc};
use inklings_domain::conversation::{
    Conversation,
    message::{NewMessage, Role},
};

use crate::store_error::StoreError;

/// A conversation as a file of another program holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyConversation {
    /// Its id there.
    pub external_id: String,
    /// Its title there; may be empty.
    pub title: String,
    /// When it began, if the file says.
    pub started_at: Option<DateTime<Utc>>,
    /// Its messages, in the order in which they were said.
    pub messages: Vec<ThirdPartyMessage>,
}

/// A message as a file of another program holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyMessage {
    /// Its id there; made from its place if the file gives none.
    pub external_id: String,
    /// Who spoke.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// When, if the file says.
    pub at: Option<DateTime<Utc>>,
    /// The speaker's or tool's name, if the file gives one.
    pub speaker: Option<String>,
}

/// Why a file cannot be read. Never carries what was said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The file cannot be opened or read.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// It is no export that we know.
    #[error("this is no export of conversations that Inklings can read")]
    UnknownFormat,
    /// It is broken.
    #[error("the file is broken at byte {byte}: {message}")]
    Broken {
        /// Where, from the start of the (unpacked) file.
        byte: u64,
        /// What is wrong, never the text.
        message: String,
    },
    /// It is beyond every bound.
    #[error("{0}")]
    TooLarge(String),
}

/// One thing in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceItem {
    /// A conversation.
    Conversation(ThirdPartyConversation),
    /// Something that is left out, and why ("empty conversation", "picture"); counted for the report.
    Skipped(&'static str),
}

/// The conversations of one file, read one at a time: memory does not grow with the file.
pub trait ConversationSource: Iterator<Item = Result<SourceItem, SourceError>> + Send {
    /// The format's name: `chatgpt` or `claude`.
    fn format(&self) -> &'static str;

    /// Bytes read so far, of how many.
    fn progress(&self) -> (u64, u64);
}

/// What taking in one conversation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenIn {
    /// True if the conversation was not there before.
    pub new: bool,
    /// Messages added.
    pub added: usize,
    /// Messages whose text was replaced by a newer one.
    pub replaced: usize,
}

/// An import under way. Dropped without [`Self::commit`] it leaves nothing behind, so a preview is an import that is
/// not committed.
#[async_trait::async_trait]
pub trait ImportTransaction: Send {
    /// Takes a conversation in. One of the same `external_id` is brought up to date instead: messages are told apart by
    /// their former ids, new ones go to the end, changed texts are replaced, nothing is removed; its title, channel and
    /// status stay as the worldbuilder left them. One that was deleted comes in anew.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] for a `conversation` whose reference code is taken: nothing of this one is taken in
    /// then, and the import can go on. After every other error it must be dropped.
    async fn take_in(
        &mut self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> Result<TakenIn, StoreError>;

    /// Makes everything taken in so far permanent at once.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// Begins imports.
#[async_trait::async_trait]
pub trait ConversationImport: Send + Sync {
    /// Begins one transaction; other writers wait until it ends.
    async fn begin_import(&self) -> Result<Box<dyn ImportTransaction>, StoreError>;
}
