//! Commands of conversations.

use std::path::Path;

use inklings_api::conversation::import_view::{ConversationImportPreview, ConversationImportReport};
use inklings_api::conversation::view::{
    ConversationLink, ConversationList, ConversationPage, ConversationSettings, ConversationView,
};

use crate::{Answer, Core};

/// Starts a conversation, in `#general` if no channel is given.
#[specta::specta]
pub async fn start_conversation(
    core: Core,
    channel_id: Option<String>,
    title: String,
) -> Answer<ConversationView> {
    core.app()?.conversation().start_conversation(channel_id.as_deref(), &title).await
}

/// A page of conversations, latest activity first.
#[specta::specta]
pub async fn list_conversations(core: Core, request: ConversationList) -> Answer<ConversationPage> {
    core.app()?.conversation().list_conversations(request).await
}

/// A conversation by id or reference code.
#[specta::specta]
pub async fn get_conversation(core: Core, conversation: String) -> Answer<ConversationView> {
    core.app()?.conversation().get_conversation(&conversation).await
}

/// Changes the title of a conversation.
#[specta::specta]
pub async fn rename_conversation(
    core: Core,
    conversation: String,
    title: String,
) -> Answer<ConversationView> {
    core.app()?.conversation().rename_conversation(&conversation, &title).await
}

/// Chooses the model of a conversation.
#[specta::specta]
pub async fn set_conversation_model(
    core: Core,
    conversation: String,
    model: Option<String>,
) -> Answer<ConversationView> {
    core.app()?.conversation().set_conversation_model(&conversation, model.as_deref()).await
}

/// Moves a conversation, with its memories, to another channel.
#[specta::specta]
pub async fn move_conversation(
    core: Core,
    conversation: String,
    channel_id: String,
) -> Answer<ConversationView> {
    core.app()?.conversation().move_conversation(&conversation, &channel_id).await
}

/// Ends a conversation.
#[specta::specta]
pub async fn idle_conversation(core: Core, conversation: String) -> Answer<ConversationView> {
    core.app()?.conversation().idle_conversation(&conversation).await
}

/// Archives a conversation.
#[specta::specta]
pub async fn archive_conversation(core: Core, conversation: String) -> Answer<ConversationView> {
    core.app()?.conversation().archive_conversation(&conversation).await
}

/// Starts a new conversation that continues this one.
#[specta::specta]
pub async fn continue_conversation(core: Core, conversation: String) -> Answer<ConversationView> {
    core.app()?.conversation().continue_conversation(&conversation).await
}

/// Starts a branch of a conversation from before the message at a position.
#[specta::specta]
pub async fn branch_conversation(core: Core, conversation: String, at: u32) -> Answer<ConversationView> {
    core.app()?.conversation().branch_conversation(&conversation, at).await
}

/// The branches of a conversation.
#[specta::specta]
pub async fn list_branches(core: Core, conversation: String) -> Answer<Vec<ConversationLink>> {
    core.app()?.conversation().list_branches(&conversation).await
}

/// Deletes the messages of a conversation.
#[specta::specta]
pub async fn delete_conversation(core: Core, conversation: String) -> Answer<()> {
    core.app()?.conversation().delete_conversation(&conversation).await
}

/// The conversation settings of the workspace.
#[specta::specta]
pub async fn conversation_settings(core: Core) -> Answer<ConversationSettings> {
    core.app()?.conversation().conversation_settings().await
}

/// Replaces all conversation settings.
#[specta::specta]
pub async fn set_conversation_settings(
    core: Core,
    settings: ConversationSettings,
) -> Answer<ConversationSettings> {
    core.app()?.conversation().set_conversation_settings(settings).await
}

/// Previews the import of a file of conversations.
#[specta::specta]
pub async fn preview_conversation_import(core: Core, path: String) -> Answer<ConversationImportPreview> {
    core.app()?.conversation().preview_conversation_import(Path::new(&path), core.events()).await
}

/// Imports a file of conversations completely or not at all; with `partial`, what can be read of it.
#[specta::specta]
pub async fn import_conversations(
    core: Core,
    path: String,
    channel_id: Option<String>,
    partial: bool,
) -> Answer<ConversationImportReport> {
    core.app()?
        .conversation()
        .import_conversations(Path::new(&path), channel_id.as_deref(), partial, core.events())
        .await
}

/// Cancels the running import.
#[specta::specta]
pub async fn cancel_conversation_import(core: Core) -> Answer<()> {
    core.app()?.conversation().cancel_conversation_import();
    Ok(())
}
