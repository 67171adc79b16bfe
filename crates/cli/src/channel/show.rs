//! Prints channels as text.

use crate::output::texts::lines;
use inklings_api::channel::view::ChannelView;

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
