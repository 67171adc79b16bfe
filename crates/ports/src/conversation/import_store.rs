//! Ports for importing whole conversations: reading a file, and storing its conversations in one transaction.

use chrono::{DateTime, Utc};
use inklings_domain::conversation::{
    Conversation,
    message::{NewMessage, Role},
};

use crate::store_error::StoreError;

/// A conversation in another program's export.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyConversation {
    /// Its id in that program.
    pub external_id: String,
    /// Its title in that program; may be empty.
    pub title: String,
    /// Start time, if the file has one.
    pub started_at: Option<DateTime<Utc>>,
    /// Messages in chronological order.
    pub messages: Vec<ThirdPartyMessage>,
}

/// A message in another program's export.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyMessage {
    /// Its id in that program; derived from its position if the file has none.
    pub external_id: String,
    /// Role of the speaker.
    pub role: Role,
    pub text: String,
    /// Time of the message, if the file has one.
    pub at: Option<DateTime<Utc>>,
    /// Name of the speaker or tool, if the file has one.
    pub speaker: Option<String>,
}

/// Why a file cannot be read. Never contains message text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The file cannot be opened or read.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// The format is not a supported export.
    #[error("this is no export of conversations that Inklings can read")]
    UnknownFormat,
    /// The file is malformed.
    #[error("the file is broken at byte {byte}: {message}")]
    Broken {
        /// Offset from the start of the unpacked file.
        byte: u64,
        /// What is wrong; never contains message text.
        message: String,
    },
    /// The file exceeds a size limit.
    #[error("{0}")]
    TooLarge(String),
}

/// One item of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceItem {
    Conversation(ThirdPartyConversation),
    /// A skipped item with the reason ("empty conversation", "picture"); counted in the report.
    Skipped(&'static str),
    /// A conversation that cannot be read. Only a source that was opened to be read partly gives it; any other source
    /// ends with the error.
    Refused(RefusedConversation),
}

/// A conversation of a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedConversation {
    /// Its number in the export, counted from 1.
    pub number: u64,
    /// Name of its file, if the export has several.
    pub file: Option<String>,
    /// What is wrong, with the position. Never contains message text.
    pub reason: String,
}

/// Iterates over the conversations of a file. Reads one at a time, so that memory use does not grow with the
/// file.
pub trait ConversationSource: Iterator<Item = Result<SourceItem, SourceError>> + Send {
    /// Name of the format: `chatgpt`, `claude` or `sillytavern`.
    fn format(&self) -> &'static str;

    /// Bytes read so far, and the total.
    fn progress(&self) -> (u64, u64);
}

/// The result of importing one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenIn {
    /// True if the conversation is new.
    pub new: bool,
    /// Number of added messages.
    pub added: usize,
    /// Number of messages whose text was replaced by a newer one.
    pub replaced: usize,
}

/// An import transaction. Dropping it without [`Self::commit`] rolls it back; a preview does this.
#[async_trait::async_trait]
pub trait ImportTransaction: Send {
    /// Imports a conversation. An existing one with the same `external_id` is updated: messages are matched
    /// by their external ids, new ones are appended, changed texts are replaced and nothing is removed. Its
    /// title, channel and status are not changed. A deleted conversation is imported as a new one.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the reference code of `conversation` is taken: this conversation is
    /// not imported then, and the import can continue. After any other error the transaction must be dropped.
    async fn take_in(
        &mut self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> Result<TakenIn, StoreError>;

    /// Commits everything imported so far.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// Starts import transactions.
#[async_trait::async_trait]
pub trait ConversationImport: Send + Sync {
    /// Starts a transaction; other writers wait until it ends.
    async fn begin_import(&self) -> Result<Box<dyn ImportTransaction>, StoreError>;
}
