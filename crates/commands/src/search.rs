//! Commands of the search over documents of every kind.

use inklings_api::search::view::{DocumentSearch, DocumentSearchRequest, SavedSearch, SavedView};

use crate::{Answer, Core};

/// Searches documents of every kind, in one order.
#[specta::specta]
pub async fn search_documents(core: Core, request: DocumentSearchRequest) -> Answer<DocumentSearch> {
    core.app()?.search().search_documents(request).await
}

/// The saved searches in the worldbuilder's order.
#[specta::specta]
pub async fn list_saved_searches(core: Core) -> Answer<Vec<SavedSearch>> {
    core.app()?.search().list_saved_searches().await
}

/// Saves a search at a place counted from 0, or at the end. Answers with all saved searches, as each change of them.
#[specta::specta]
pub async fn save_search(
    core: Core,
    name: String,
    view: SavedView,
    place: Option<u32>,
) -> Answer<Vec<SavedSearch>> {
    core.app()?.search().save_search(&name, &view, place).await
}

/// Gives a saved search another name.
#[specta::specta]
pub async fn rename_saved_search(core: Core, id: String, name: String) -> Answer<Vec<SavedSearch>> {
    core.app()?.search().rename_saved_search(&id, &name).await
}

/// Moves a saved search to a place counted from 0.
#[specta::specta]
pub async fn move_saved_search(core: Core, id: String, place: u32) -> Answer<Vec<SavedSearch>> {
    core.app()?.search().move_saved_search(&id, place).await
}

/// Removes a saved search.
#[specta::specta]
pub async fn remove_saved_search(core: Core, id: String) -> Answer<Vec<SavedSearch>> {
    core.app()?.search().remove_saved_search(&id).await
}
