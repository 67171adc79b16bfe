//! Commands of the search over documents of every kind.

use inklings_api::search::view::{DocumentSearch, DocumentSearchRequest};

use crate::{Answer, Core};

/// Searches documents of every kind, in one order.
#[specta::specta]
pub async fn search_documents(core: Core, request: DocumentSearchRequest) -> Answer<DocumentSearch> {
    core.app()?.search().search_documents(request).await
}
