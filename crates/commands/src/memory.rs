//! Commands of memory entries whose arguments are not those of the service.

use inklings_api::view::{
    change::{Change, WriteResult},
    memory::NewMemory,
};

use crate::{Answer, Core};

/// Creates an entry, in another workspace than the one in use if one is named.
#[specta::specta]
pub async fn create_memory(
    core: Core,
    memory: NewMemory,
    workspace_id: Option<String>,
) -> Answer<WriteResult> {
    core.app()?.memory().create_memory_in(memory, workspace_id.as_deref()).await
}

/// Forgets entries, with an optional note of the worldbuilder.
#[specta::specta]
pub async fn forget_memories(core: Core, ids: Vec<String>, note: Option<String>) -> Answer<Change> {
    core.app()?.memory().forget_memories(&ids, note.as_deref().unwrap_or_default()).await
}
