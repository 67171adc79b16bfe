//! Messages of a conversation, with their role and importance.

use std::borrow::Borrow;

use chrono::{DateTime, Utc};

use crate::{
    conversation::attachment::Attachment,
    ids::{ConversationId, MemoryId, MessageId},
    memory::Importance,
    scope::words,
    text::TextError,
};

/// Maximum size of one message in UTF-8 bytes: 1 MiB.
pub const MAX_MESSAGE_BYTES: usize = 1024 * 1024;

/// The speaker of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The worldbuilder.
    User,
    /// The World Agent.
    Assistant,
    /// A tool that the agent called.
    Tool,
    /// The application itself.
    System,
}

words!(Role, "role", { User => "user", Assistant => "assistant", Tool => "tool", System => "system" });

impl Role {
    /// The default importance of a message of this role.
    pub fn importance(self) -> Importance {
        let number = match self {
            Self::User | Self::Assistant => 0.5,
            Self::Tool => 0.3,
            Self::System => 0.1,
        };
        Importance::new(number).unwrap_or(Importance::DEFAULT)
    }
}

/// The delivery state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// The message is complete.
    Complete,
    /// The message is still arriving.
    Streaming,
    /// The worldbuilder stopped it; the text that had arrived is kept.
    Cancelled,
    /// An error interrupted it; the text that had arrived is kept.
    Failed,
}

words!(Delivery, "delivery", {
    Complete => "complete", Streaming => "streaming", Cancelled => "cancelled", Failed => "failed",
});

/// Marks the end of a summarised prefix of the conversation. The next run replays from the latest marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactMarker {
    /// The archive entry that holds the summary.
    pub archive: MemoryId,
    /// The name of the archive entry.
    pub archive_name: String,
    /// The time the summary was written.
    pub archived_at: DateTime<Utc>,
    /// Position of the last message that the summary covers.
    pub through: u64,
}

/// The tool call that a message answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    /// The model's id of the call.
    pub call_id: String,
    pub name: String,
}

/// Properties of a message in the data it was imported from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageOrigin {
    /// Id in the imported data, unique within its conversation.
    pub external_id: Option<String>,
    /// The session that contained the message.
    pub session: Option<String>,
    /// The name of the speaker.
    pub speaker: Option<String>,
    /// The time of the message, as written in the imported data.
    pub said_at: Option<String>,
}

/// A message to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    pub id: MessageId,
    /// The speaker's role.
    pub role: Role,
    /// The text. May be empty for an assistant message that only calls tools or has not started to arrive.
    pub content: String,
    /// Importance, from 0 to 1.
    pub importance: Importance,
    /// The tool call that the message answers.
    pub tool: Option<ToolUse>,
    /// The tools that the assistant called, as a JSON array of `{id, name, arguments}`.
    pub calls: Option<String>,
    /// The delivery state.
    pub delivery: Delivery,
    /// Set only for a compact marker.
    pub marker: Option<CompactMarker>,
    /// Properties in the imported data.
    pub origin: Option<MessageOrigin>,
    /// Set only for an attached text.
    pub attachment: Option<Attachment>,
    pub at: DateTime<Utc>,
}

impl NewMessage {
    /// A complete message with the default importance of its role.
    ///
    /// # Errors
    /// [`TextError`] if the text breaks a rule of [`content`].
    pub fn new(id: MessageId, role: Role, text: &str, at: DateTime<Utc>) -> Result<Self, TextError> {
        Ok(Self {
            id,
            role,
            content: content(text)?,
            importance: role.importance(),
            tool: None,
            calls: None,
            delivery: Delivery::Complete,
            marker: None,
            origin: None,
            attachment: None,
            at,
        })
    }

    /// An empty answer whose text is about to arrive.
    pub fn arriving(id: MessageId, at: DateTime<Utc>) -> Self {
        Self {
            id,
            role: Role::Assistant,
            content: String::new(),
            importance: Role::Assistant.importance(),
            tool: None,
            calls: None,
            delivery: Delivery::Streaming,
            marker: None,
            origin: None,
            attachment: None,
            at,
        }
    }
}

/// A stored message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The conversation that contains it.
    pub conversation: ConversationId,
    /// Position in the conversation, from 1, never reused.
    pub position: u64,
    /// The current content.
    pub body: NewMessage,
    /// Time of the last change (text arrived, or the importance was raised).
    pub updated_at: DateTime<Utc>,
    /// The time an episode summarised it.
    pub consolidated_at: Option<DateTime<Utc>>,
}

impl Message {
    /// The id of the message.
    pub const fn id(&self) -> MessageId {
        self.body.id
    }

    /// True for a compact marker.
    pub const fn is_marker(&self) -> bool {
        self.body.marker.is_some()
    }

    /// True for an attached text, which nobody said.
    pub const fn is_attachment(&self) -> bool {
        self.body.attachment.is_some()
    }

    /// True if the worldbuilder wrote it: an attached text is somebody else's.
    pub fn is_typed(&self) -> bool {
        self.body.role == Role::User && !self.is_attachment() && self.is_speech()
    }

    /// True if the message is not a marker and not empty.
    pub fn is_speech(&self) -> bool {
        !self.is_marker() && !self.body.content.trim().is_empty()
    }
}

/// The index of the first message of the current turn: the worldbuilder's last message, or the first text that is attached to it.
/// `None` if the worldbuilder wrote none of these messages.
pub fn turn_start<M: Borrow<Message>>(messages: &[M]) -> Option<usize> {
    let is_of_user = |message: &M| message.borrow().body.role == Role::User;
    let is_attached = |message: &M| is_of_user(message) && message.borrow().is_attachment();
    let last = messages.iter().rposition(|message| is_of_user(message) && !is_attached(message))?;
    Some(last - messages[..last].iter().rev().take_while(|message| is_attached(message)).count())
}

/// Checks the text of a message: non-empty after trimming, at most [`MAX_MESSAGE_BYTES`]. NUL and other control
/// characters are removed, not refused, because models and old exports produce them and no message may be lost for
/// that.
///
/// # Errors
/// [`TextError`] if it is empty or too long.
pub fn content(text: &str) -> Result<String, TextError> {
    let clean = stored_text(text)?;
    let clean = clean.trim_end();
    if clean.trim().is_empty() { Err(TextError::Empty { field: "message" }) } else { Ok(clean.to_owned()) }
}

/// Checks the text of a message for storage. It may be empty, because a message can consist of tool calls only.
///
/// # Errors
/// [`TextError`] if it is too long.
pub fn stored_text(text: &str) -> Result<String, TextError> {
    if text.len() > MAX_MESSAGE_BYTES {
        let (field, actual, limit, unit) = ("message", text.len(), MAX_MESSAGE_BYTES, "bytes");
        return Err(TextError::TooLong { field, actual, limit, unit });
    }
    Ok(printable(text))
}

/// Normalises line ends to `\n` and removes control characters except tabs and line ends.
pub fn printable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// Estimates the token count of a text: a quarter of its characters, at least its words, plus one for the message
/// frame. The estimate is on the high side for English prose. No tokenizer is used.
pub fn estimated_tokens(text: &str) -> u64 {
    let wide = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    let characters = text.chars().count() as u64;
    let by_size = (characters - wide).div_ceil(4) + wide;
    by_size.max(text.split_whitespace().count() as u64) + 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_specified_importance_by_role() {
        let weights: Vec<f64> = Role::ALL.iter().map(|role| role.importance().get()).collect();
        assert_eq!(weights, [0.5, 0.5, 0.3, 0.1]);
    }

    #[test]
    fn an_empty_message_is_refused() {
        assert!(matches!(content(" \n\t "), Err(TextError::Empty { .. })));
        assert!(matches!(content(&"x".repeat(MAX_MESSAGE_BYTES + 1)), Err(TextError::TooLong { .. })));
        assert_eq!(content("  a\0b\r\nc \n"), Ok("  ab\nc".into()));
    }

    proptest::proptest! {
        #[test]
        fn tokens_grow_with_the_text(a in "\\PC{0,80}", b in "\\PC{0,80}") {
            let longer = estimated_tokens(&format!("{a}{b}"));
            proptest::prop_assert!(longer >= estimated_tokens(&a));
        }
    }
}
