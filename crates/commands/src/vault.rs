//! Commands of linked vaults and their pages.

use inklings_api::vault::view::{
    PageList, PageListRequest, PageRow, PageView, VaultStatus, VaultSync, VaultView,
};

use crate::{Answer, Core};

/// The linked vaults, by name.
#[specta::specta]
pub async fn list_vaults(core: Core) -> Answer<Vec<VaultView>> {
    core.app()?.vault().list_vaults().await
}

/// A vault, and which of its files are not indexed and why.
#[specta::specta]
pub async fn vault_status(core: Core, id: String, after: Option<String>, limit: u32) -> Answer<VaultStatus> {
    core.app()?.vault().vault_status(&id, after.as_deref(), limit).await
}

/// Links a folder of Markdown files. Nothing in it is ever written.
#[specta::specta]
pub async fn link_vault(core: Core, folder: String) -> Answer<VaultView> {
    core.app()?.vault().link_vault(&folder).await
}

/// Removes a vault with its index. The folder stays as it is.
#[specta::specta]
pub async fn unlink_vault(core: Core, id: String) -> Answer<()> {
    core.app()?.vault().unlink_vault(&id).await
}

/// Indexes what changed in a vault.
#[specta::specta]
pub async fn sync_vault(core: Core, id: String) -> Answer<VaultSync> {
    core.app()?.vault().sync_vault(&id, core.events()).await
}

/// Stops the scans that are under way. The next scan goes on.
#[specta::specta]
pub async fn cancel_vault_sync(core: Core) -> Answer<()> {
    core.app()?.vault().cancel_vault_sync();
    Ok(())
}

/// Pages, by title.
#[specta::specta]
pub async fn list_pages(core: Core, request: PageListRequest) -> Answer<PageList> {
    core.app()?.vault().list_pages(&request).await
}

/// A page with its text, links and backlinks: by id, path, name of the file, title or alias.
#[specta::specta]
pub async fn get_page(core: Core, page: String) -> Answer<PageView> {
    core.app()?.vault().get_page(&page).await
}

/// Opens the file of a page in the program that the system has for it.
#[specta::specta]
pub async fn open_page(core: Core, id: String) -> Answer<()> {
    core.app()?.vault().open_page(&id).await
}

/// The page to which memories are appended, if one was chosen and is there.
#[specta::specta]
pub async fn promotion_page(core: Core) -> Answer<Option<PageRow>> {
    core.app()?.vault().promotion_page().await
}

/// Chooses the page to which memories are appended; `null`: none.
#[specta::specta]
pub async fn set_promotion_page(core: Core, page: Option<String>) -> Answer<Option<PageRow>> {
    core.app()?.vault().set_promotion_page(page.as_deref()).await
}

/// Appends a memory to the page that was chosen for it. It is the only write into a vault.
#[specta::specta]
pub async fn append_memory(core: Core, id: String) -> Answer<PageRow> {
    core.app()?.vault().append_memory(&id).await
}

/// A memory as a unified diff against a page, to be copied into its file. Nothing is written.
#[specta::specta]
pub async fn promote_memory(core: Core, id: String, page: String) -> Answer<String> {
    core.app()?.vault().promote_memory(&id, &page).await
}
