//! Commands of memory entries.

use inklings_api::{
    memory::{
        decay::DecayCurve,
        filter::{FacetValues, ListRequest, MemoryFilter, MemoryPage, ScopeCounts},
    },
    search::view::{SearchRequest, SearchResponse},
    view::{
        change::{Change, WriteResult},
        memory::{BulkProperties, HistoryItem, MemoryDetail, MemoryPatch, MoveTarget, NewMemory},
    },
};

use crate::{Answer, Core};

/// Number of entries per tier.
#[specta::specta]
pub async fn scope_counts(core: Core, filter: MemoryFilter) -> Answer<ScopeCounts> {
    core.app()?.memory().scope_counts(filter).await
}

/// Facet values with their counts.
#[specta::specta]
pub async fn facet_counts(
    core: Core,
    filter: MemoryFilter,
    query: Option<String>,
) -> Answer<Vec<FacetValues>> {
    core.app()?.memory().facet_counts(filter, query).await
}

/// A page of a list.
#[specta::specta]
pub async fn list_memories(core: Core, request: ListRequest) -> Answer<MemoryPage> {
    core.app()?.memory().list_memories(request).await
}

/// Searches memory.
#[specta::specta]
pub async fn search_memories(core: Core, request: SearchRequest) -> Answer<SearchResponse> {
    core.app()?.memory().search_memories(request).await
}

/// One entry with its full content.
#[specta::specta]
pub async fn get_memory(core: Core, id: String) -> Answer<MemoryDetail> {
    core.app()?.memory().get_memory(&id).await
}

/// Creates an entry, in another workspace than the one in use if one is named.
#[specta::specta]
pub async fn create_memory(
    core: Core,
    memory: NewMemory,
    workspace_id: Option<String>,
) -> Answer<WriteResult> {
    core.app()?.memory().create_memory_in(memory, workspace_id.as_deref()).await
}

/// Changes an entry that was read at `version`.
#[specta::specta]
pub async fn update_memory(core: Core, id: String, version: u32, patch: MemoryPatch) -> Answer<WriteResult> {
    core.app()?.memory().update_memory(&id, version, patch).await
}

/// Forgets entries, with an optional note of the worldbuilder.
#[specta::specta]
pub async fn forget_memories(core: Core, ids: Vec<String>, note: Option<String>) -> Answer<Change> {
    core.app()?.memory().forget_memories(&ids, note.as_deref().unwrap_or_default()).await
}

/// Restores forgotten entries.
#[specta::specta]
pub async fn restore_memories(core: Core, ids: Vec<String>) -> Answer<Change> {
    core.app()?.memory().restore_memories(&ids).await
}

/// Adds and removes tags.
#[specta::specta]
pub async fn tag_memories(
    core: Core,
    ids: Vec<String>,
    add: Vec<String>,
    remove: Vec<String>,
) -> Answer<Change> {
    core.app()?.memory().tag_memories(&ids, &add, &remove).await
}

/// Applies the same properties to entries.
#[specta::specta]
pub async fn set_memory_properties(
    core: Core,
    ids: Vec<String>,
    properties: BulkProperties,
) -> Answer<Change> {
    core.app()?.memory().set_memory_properties(&ids, properties).await
}

/// Moves entries to another tier, channel or conversation.
#[specta::specta]
pub async fn move_memories(core: Core, ids: Vec<String>, to: MoveTarget) -> Answer<Change> {
    core.app()?.memory().move_memories(&ids, &to).await
}

/// Undoes a change.
#[specta::specta]
pub async fn undo_change(core: Core, change_id: String) -> Answer<Change> {
    core.app()?.memory().undo_change(&change_id).await
}

/// Undoes the newest change of the worldbuilder.
#[specta::specta]
pub async fn undo_last(core: Core) -> Answer<Change> {
    core.app()?.memory().undo_last().await
}

/// All versions of an entry, newest first.
#[specta::specta]
pub async fn memory_history(core: Core, id: String) -> Answer<Vec<HistoryItem>> {
    core.app()?.memory().memory_history(&id).await
}

/// Restores an earlier version of an entry.
#[specta::specta]
pub async fn restore_version(
    core: Core,
    id: String,
    version: u32,
    current_version: u32,
) -> Answer<WriteResult> {
    core.app()?.memory().restore_version(&id, version, current_version).await
}

/// The relevance of an entry over time.
#[specta::specta]
pub async fn decay_curve(core: Core, id: String) -> Answer<DecayCurve> {
    core.app()?.memory().decay_curve(&id).await
}
