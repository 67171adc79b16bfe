//! What a list shows of an entry besides its own fields.

use std::collections::HashMap;

use inklings_domain::{
    conversation::Conversation,
    ids::{ChannelId, ConversationId},
};

/// Maximum characters of content in a list row.
pub const PREVIEW_CHARS: usize = 400;
/// Characters of a snippet before the first match.
pub(crate) const LEAD_CHARS: usize = 80;

/// The first characters of a text.
pub fn head(text: &str, chars: usize) -> String {
    text.char_indices().nth(chars).map_or_else(|| text.to_owned(), |(end, _)| text[..end].to_owned())
}

/// Names of channels and conversations, loaded once for a whole response.
#[derive(Debug, Default)]
pub struct PlaceNames {
    pub channels: HashMap<ChannelId, String>,
    pub conversations: HashMap<ConversationId, Conversation>,
}
