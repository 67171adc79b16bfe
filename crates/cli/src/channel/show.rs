//! Show.

use crate::conversation::show::conversations;
use crate::output::texts::lines;
use inklings_api::{
    conversation::{
        import_view::ConversationImportPreview,
        view::{
            CompactionPreview, ContextView, ConversationView, Delivery, EpisodeView, FactSource,
            FactValueView, FactView, MessageHit, MessageView, NoteView, Role, SummaryMaker,
        },
    },
    model::chat_view::ChatSettings,
    workspace::view::ChannelView,
};
use std::fmt::Write as _;

pub fn channels(channels: &[ChannelView]) -> String {
    lines(channels, |channel| {
        let archived = if channel.archived_at.is_some() { "  (archived)" } else { "" };
        format!(
            "#{}  {} conversations  {} memories{archived}{}{}",
            channel.name,
            channel.conversations,
            channel.memories,
            if channel.description.is_empty() { "" } else { "  " },
            channel.description
        )
    })
}
