//! What was said, and what of it is shown.

use inklings_api::views::talk::{
    CompactionPreview, ContextView, EpisodeView, MessagePage, MessageSearch, MessageSearchRequest,
    MessageView, Stretch,
};

use super::{Answer, Core};

/// A page of a transcript.
#[tauri::command]
#[specta::specta]
pub async fn list_messages(
    core: Core<'_>,
    conversation: String,
    stretch: Stretch,
    limit: u32,
) -> Answer<MessagePage> {
    core.app()?.list_messages(&conversation, stretch, limit).await
}

/// Sets how much a message matters.
#[tauri::command]
#[specta::specta]
pub async fn set_message_importance(core: Core<'_>, id: String, importance: f64) -> Answer<MessageView> {
    core.app()?.set_message_importance(&id, importance).await
}

/// Searches what was said.
#[tauri::command]
#[specta::specta]
pub async fn search_messages(core: Core<'_>, request: MessageSearchRequest) -> Answer<MessageSearch> {
    core.app()?.search_messages(request).await
}

/// What the World Agent is shown, or would be.
#[tauri::command]
#[specta::specta]
pub async fn preview_context(
    core: Core<'_>,
    conversation: String,
    query: Option<String>,
) -> Answer<ContextView> {
    core.app()?.preview_context(&conversation, query.as_deref()).await
}

/// What compacting a conversation would do.
#[tauri::command]
#[specta::specta]
pub async fn preview_compaction(
    core: Core<'_>,
    conversation: String,
    retain: Option<u32>,
) -> Answer<Option<CompactionPreview>> {
    core.app()?.preview_compaction(&conversation, retain).await
}

/// Compacts a conversation; gives the marker.
#[tauri::command]
#[specta::specta]
pub async fn compact_conversation(
    core: Core<'_>,
    conversation: String,
    retain: Option<u32>,
    name: Option<String>,
) -> Answer<Option<MessageView>> {
    core.app()?.compact_conversation(&conversation, retain, name.as_deref()).await
}

/// Every episode of a conversation, oldest first.
#[tauri::command]
#[specta::specta]
pub async fn list_episodes(core: Core<'_>, conversation: String) -> Answer<Vec<EpisodeView>> {
    core.app()?.list_episodes(&conversation).await
}

/// Rolls older turns up into episodes; gives the new ones.
#[tauri::command]
#[specta::specta]
pub async fn summarise_old_turns(
    core: Core<'_>,
    conversation: String,
    retain_last: Option<u32>,
    max_age_days: Option<u32>,
) -> Answer<Vec<EpisodeView>> {
    core.app()?.summarise_old_turns(&conversation, retain_last, max_age_days).await
}

/// Takes an episode out of use.
#[tauri::command]
#[specta::specta]
pub async fn remove_episode(core: Core<'_>, id: String) -> Answer<()> {
    core.app()?.remove_episode(&id).await
}
