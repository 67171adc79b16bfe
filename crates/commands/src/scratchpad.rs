//! Commands of scratchpad notes.

use inklings_api::conversation::view::NoteView;

use crate::{Answer, Core};

/// The notes of a conversation, or the newest of all conversations.
#[specta::specta]
pub async fn list_scratchpad(core: Core, conversation: Option<String>) -> Answer<Vec<NoteView>> {
    core.app()?.scratchpad().list_scratchpad(conversation.as_deref()).await
}

/// Reads a scratchpad note.
#[specta::specta]
pub async fn read_scratchpad(core: Core, conversation: String, key: String) -> Answer<Option<NoteView>> {
    core.app()?.scratchpad().read_scratchpad(&conversation, &key).await
}

/// Writes a scratchpad note.
#[specta::specta]
pub async fn write_scratchpad(
    core: Core,
    conversation: String,
    key: String,
    value: String,
    ttl_seconds: Option<u32>,
) -> Answer<NoteView> {
    core.app()?.scratchpad().write_scratchpad(&conversation, &key, &value, ttl_seconds).await
}

/// Removes one scratchpad note or all.
#[specta::specta]
pub async fn clear_scratchpad(
    core: Core,
    conversation: String,
    key: Option<String>,
    working_only: bool,
) -> Answer<u32> {
    core.app()?.scratchpad().clear_scratchpad(&conversation, key.as_deref(), working_only).await
}
