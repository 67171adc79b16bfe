//! Commands of transcripts and of the agent's context.

use inklings_api::{
    conversation::view::{
        CompactionPreview, ContextView, EpisodeView, MessagePage, MessageRange, MessageView,
    },
    search::view::{MessageSearch, MessageSearchRequest},
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
    core.app()?.conversation().list_messages(&conversation, range, limit).await
}

/// Sets the importance of a message.
#[specta::specta]
pub async fn set_message_importance(core: Core, id: String, importance: f64) -> Answer<MessageView> {
    core.app()?.conversation().set_message_importance(&id, importance).await
}

/// Searches messages.
#[specta::specta]
pub async fn search_messages(core: Core, request: MessageSearchRequest) -> Answer<MessageSearch> {
    core.app()?.conversation().search_messages(request).await
}

/// The current or previewed context of the World Agent.
#[specta::specta]
pub async fn preview_context(core: Core, conversation: String, query: Option<String>) -> Answer<ContextView> {
    core.app()?.conversation().preview_context(&conversation, query.as_deref()).await
}

/// Previews the compaction of a conversation.
#[specta::specta]
pub async fn preview_compaction(
    core: Core,
    conversation: String,
    retain: Option<u32>,
) -> Answer<Option<CompactionPreview>> {
    core.app()?.conversation().preview_compaction(&conversation, retain).await
}

/// Compacts a conversation. Gives the marker message.
#[specta::specta]
pub async fn compact_conversation(
    core: Core,
    conversation: String,
    retain: Option<u32>,
    name: Option<String>,
) -> Answer<Option<MessageView>> {
    core.app()?.conversation().compact_conversation(&conversation, retain, name.as_deref()).await
}

/// All episodes of a conversation, oldest first.
#[specta::specta]
pub async fn list_episodes(core: Core, conversation: String) -> Answer<Vec<EpisodeView>> {
    core.app()?.conversation().list_episodes(&conversation).await
}

/// Summarises older turns into episodes and gives the new ones.
#[specta::specta]
pub async fn summarise_old_turns(
    core: Core,
    conversation: String,
    retain_last: Option<u32>,
    max_age_days: Option<u32>,
) -> Answer<Vec<EpisodeView>> {
    core.app()?.conversation().summarise_old_turns(&conversation, retain_last, max_age_days).await
}

/// Removes an episode from use.
#[specta::specta]
pub async fn remove_episode(core: Core, id: String) -> Answer<()> {
    core.app()?.conversation().remove_episode(&id).await
}
