//! Converts domain channels to views.

use inklings_ports::conversation::store::ChannelSummary;

use crate::{
    channel::view::ChannelView,
    wire::{count, time},
};

/// Converts a channel summary to its view.
pub fn channel(summary: &ChannelSummary) -> ChannelView {
    ChannelView {
        id: summary.channel.id.to_string(),
        name: summary.channel.name.as_str().to_owned(),
        description: summary.channel.description.clone(),
        is_default: summary.channel.is_default,
        created_at: time(summary.channel.created_at),
        archived_at: summary.channel.archived_at.map(time),
        memories: count(summary.memories),
        conversations: count(summary.conversations),
        archived_conversations: count(summary.archived_conversations),
    }
}
