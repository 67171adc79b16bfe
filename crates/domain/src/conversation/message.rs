//! Messages: what was said in a conversation, by whom, and how much it matters (seed 002).

use chrono::{DateTime, Utc};

use crate::{
    ids::{ConversationId, MemoryId, MessageId},
    memory::Importance,
    scope::words,
    text::TextError,
};

/// The most bytes (UTF-8) of one message: 1 MiB.
pub const MAX_MESSAGE_BYTES: usize = 1024 * 1024;

/// Who speaks.
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
    /// How much a message of this role matters until the worldbuilder says otherwise (seed 002).
    pub fn importance(self) -> Importance {
        let number = match self {
            Self::User | Self::Assistant => 0.5,
            Self::Tool => 0.3,
            Self::System => 0.1,
        };
        Importance::new(number).unwrap_or(Importance::DEFAULT)
    }
}

/// How far a message has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// All of it is here.
    Complete,
    /// It is still arriving.
    Streaming,
    /// The worldbuilder stopped it; what had arrived is here.
    Cancelled,
    /// It broke off by a fault; what had arrived is here.
    Failed,
}

words!(Delivery, "delivery", {
    Complete => "complete", Streaming => "streaming", Cancelled => "cancelled", Failed => "failed",
});

/// Marks where a prefix of the conversation was summarised (seed 003). The next run replays from the latest one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactMarker {
    /// The archive entry with the summary.
    pub archive: MemoryId,
    /// Its name.
    pub archive_name: String,
    /// When it was written.
    pub archived_at: DateTime<Utc>,
    /// Position of the last message that the summary covers.
    pub through: u64,
}

/// Which tool a message belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    /// The model's id of the call that this message answers.
    pub call_id: String,
    /// The tool.
    pub name: String,
}

/// What an import knew of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageOrigin {
    /// The id it had there, unique within its conversation.
    pub external_id: Option<String>,
    /// The session it was part of.
    pub session: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// When it was said, as written there.
    pub said_at: Option<String>,
}

/// A message as it is handed to a store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    /// Its id.
    pub id: MessageId,
    /// Who speaks.
    pub role: Role,
    /// The text. May be empty for an assistant that only called tools, or has not begun.
    pub content: String,
    /// How much it matters.
    pub importance: Importance,
    /// The tool whose answer it is.
    pub tool: Option<ToolUse>,
    /// The tools that the assistant called, as a JSON array of `{id, name, arguments}`.
    pub calls: Option<String>,
    /// How far it has come.
    pub delivery: Delivery,
    /// Set for a compact marker.
    pub marker: Option<CompactMarker>,
    /// What an import knew of it.
    pub origin: Option<MessageOrigin>,
    /// When it was said.
    pub at: DateTime<Utc>,
}

impl NewMessage {
    /// A whole message of a role, with the importance of its role.
    ///
    /// # Errors
    /// [`TextError`] if the text breaks a rule of [`content`].
    pub fn said(id: MessageId, role: Role, text: &str, at: DateTime<Utc>) -> Result<Self, TextError> {
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
            at,
        })
    }

    /// An answer that is about to arrive.
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
            at,
        }
    }
}

/// A message in its conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The conversation.
    pub conversation: ConversationId,
    /// Place in the conversation, rising from 1, never used twice.
    pub position: u64,
    /// What was handed in, as it stands now.
    pub body: NewMessage,
    /// When it last changed (a piece arrived, the importance was raised).
    pub updated_at: DateTime<Utc>,
    /// When an episode took it up.
    pub consolidated_at: Option<DateTime<Utc>>,
}

impl Message {
    /// Its id.
    pub const fn id(&self) -> MessageId {
        self.body.id
    }

    /// True for a compact marker.
    pub const fn is_marker(&self) -> bool {
        self.body.marker.is_some()
    }

    /// True if it counts as something said: not a marker, and not empty.
    pub fn is_speech(&self) -> bool {
        !self.is_marker() && !self.body.content.trim().is_empty()
    }
}

/// Checks the text of a message: non-empty after trimming, at most [`MAX_MESSAGE_BYTES`]. NUL and other control
/// characters are dropped rather than refused: models and old exports produce them, and nothing may be lost for it.
///
/// # Errors
/// [`TextError`] if it is empty or too long.
pub fn content(text: &str) -> Result<String, TextError> {
    let clean = kept(text)?;
    let clean = clean.trim_end();
    if clean.trim().is_empty() { Err(TextError::Empty { field: "message" }) } else { Ok(clean.to_owned()) }
}

/// Checks the text of a message as it is kept, which may be empty: a message can consist of calls of tools.
///
/// # Errors
/// [`TextError`] if it is too long.
pub fn kept(text: &str) -> Result<String, TextError> {
    if text.len() > MAX_MESSAGE_BYTES {
        let (field, actual, limit, unit) = ("message", text.len(), MAX_MESSAGE_BYTES, "bytes");
        return Err(TextError::TooLong { field, actual, limit, unit });
    }
    Ok(printable(text))
}

/// The text with line ends as `\n` and without control characters but tab and line ends.
pub fn printable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// The most tokens that a text is likely to be: characters by four, at least the words, one more for the message's
/// frame. An estimate on the safe side for English prose; no tokenizer is asked.
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
    fn roles_weigh_as_the_seed_says() {
        let weights: Vec<f64> = Role::ALL.iter().map(|role| role.importance().get()).collect();
        assert_eq!(weights, [0.5, 0.5, 0.3, 0.1]);
    }

    #[test]
    fn a_message_needs_something_to_say() {
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
