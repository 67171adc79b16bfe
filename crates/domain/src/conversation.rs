//! A conversation: one exchange with the World Agent inside a channel.

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChannelId, ConversationId},
    ref_code::RefCode,
};

/// Where a conversation stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConversationStatus {
    /// The agent is at work; `ended_at` is empty.
    Active,
    /// Ended normally, open for review; `ended_at` is set.
    Idle,
    /// Put away by the worldbuilder.
    Archived,
}

crate::scope::words!(ConversationStatus, "conversation status", {
    Active => "active", Idle => "idle", Archived => "archived",
});

/// A conversation as the memory needs it: the room that conversation-tier entries belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// Its short code for people and links.
    pub ref_code: RefCode,
    /// The channel it belongs to.
    pub channel_id: ChannelId,
    /// A title; may be empty.
    pub title: String,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it became idle.
    pub ended_at: Option<DateTime<Utc>>,
    /// Where it stands.
    pub status: ConversationStatus,
}
