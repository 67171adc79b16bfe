//! What was said, and what of it is shown.

use inklings_api::conversation::view::{
    CompactionPreview, ContextView, EpisodeView, MessagePage, MessageRange, MessageSearch,
    MessageSearchRequest, MessageView,
};

use crate::{Answer, Core};

/// A page of a transcript.
#[specta::specta]
pub async fn list_messages(
    core: Core,
    conversation: String,
    range: MessageRange,
    limit: u32,
) -> Answer<MessagePage> {
    core.app()?.list_messages(&conversation, range, limit).await
}

/// Sets how much a message matters.
#[specta::specta]
pub async fn set_message_importance(core: Core, id: String, importance: f64) -> Answer<MessageView> {
    core.app()?.set_message_importance(&id, importance).await
}

/// Searches what was said.
#[specta::specta]
pub async fn search_messages(core: Core, request: MessageSearchRequest) -> Answer<MessageSearch> {
    core.app()?.search_messages(request).await
}

/// What the World Agent is shown, or would be.
#[specta::specta]
pub async fn preview_context(core: Core, conversation: String, query: Option<String>) -> Answer<ContextView> {
    core.app()?.preview_context(&conversation, query.as_deref()).await
}

/// What compacting a conversation would do.
#[specta::specta]
pub async fn preview_compaction(
    core: Core,
    conversation: String,
    retain: Option<u32>,
) -> Answer<Option<CompactionPreview>> {
    core.app()?.preview_compaction(&conversation, retain).await
}

/// Compacts a conversation; gives the marker.
#[specta::specta]
pub async fn compact_conversation(
    core: Core,
    conversation: String,
    retain: Option<u32>,
    name: Option<String>,
) -> Answer<Option<MessageView>> {
    core.app()?.compact_conversation(&conversation, retain, name.as_deref()).await
}

/// Every episode of a conversation, oldest first.
#[specta::specta]
pub async fn list_episodes(core: Core, conversation: String) -> Answer<Vec<EpisodeView>> {
    core.app()?.list_episodes(&conversation).await
}

/// Rolls older turns up into episodes; gives the new ones.
#[specta::specta]
pub async fn summarise_old_turns(
    core: Core,
    conversation: String,
    retain_last: Option<u32>,
    max_age_days: Option<u32>,
) -> Answer<Vec<EpisodeView>> {
    core.app()?.summarise_old_turns(&conversation, retain_last, max_age_days).await
}

/// Takes an episode out of use.
#[specta::specta]
pub async fn remove_episode(core: Core, id: String) -> Answer<()> {
    core.app()?.remove_episode(&id).await
}
