//! Promotion: a memory becomes a part of a page. Inklings shows it as a change of the page, which the worldbuilder copies. It
//! writes into one page alone, if the worldbuilder chose that page for it.

use inklings_domain::{
    ids::{MemoryId, PageId},
    provenance::Actor,
    vault::addition::{addition, unified},
};
use inklings_ports::{
    progress::NoProgress,
    vault::{files::VaultFiles, filter::PageFilter, store::PageRow},
};

use crate::error::VaultError;
use crate::{error::AppError, services::Vaults, session::only_the_author};

/// Workspace setting: the id of the page to which memories are appended.
const PAGE: &str = "vault.promotion_page";

impl Vaults<'_> {
    /// A memory as a diff against a page: as a paragraph at its end. Nothing is written.
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author asks; [`AppError::NotFound`]; [`AppError::NoMemory`].
    pub async fn promotion(&self, actor: Actor, memory: MemoryId, page: PageId) -> Result<String, AppError> {
        only_the_author(actor)?;
        let entry = self.session.entry(memory).await?.entry;
        let stored = self.stored(&PageFilter::through(None), page).await?;
        let file = stored.file();
        Ok(unified(&stored.row.path, &file, &addition(&file, &entry.content)))
    }

    /// The page to which memories are appended; `None` unless the worldbuilder chose one that is still there.
    pub async fn promotion_page(&self) -> Result<Option<PageRow>, AppError> {
        let stored = self.session.workspace.settings.setting(PAGE).await?;
        let id: Option<String> = stored.and_then(|text| serde_json::from_str(&text).ok()).flatten();
        let Some(id) = id.and_then(|id| id.parse::<PageId>().ok()) else { return Ok(None) };
        Ok(self.rows(&PageFilter::through(None), &[id]).await?.pop())
    }

    /// Chooses the page to which memories are appended; `None`: none.
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author chooses; [`AppError::NotFound`].
    pub async fn set_promotion_page(&self, actor: Actor, page: Option<PageId>) -> Result<(), AppError> {
        only_the_author(actor)?;
        if let Some(page) = page {
            self.row(&PageFilter::through(None), page).await?;
        }
        let value = serde_json::json!(page.map(|page| page.to_string())).to_string();
        Ok(self.session.workspace.settings.set_setting(PAGE, &value).await?)
    }

    /// Appends a memory as a paragraph to the page that was chosen for it, indexes it, and returns that page.
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author asks; [`AppError::Input`] if no page is chosen; [`AppError::NoMemory`];
    /// [`AppError::Vault`] if the file is not as it was indexed, or cannot be written. Nothing is written then.
    pub async fn append(
        &self,
        actor: Actor,
        files: &dyn VaultFiles,
        memory: MemoryId,
    ) -> Result<PageRow, AppError> {
        only_the_author(actor)?;
        let chosen = self.promotion_page().await?.ok_or_else(|| AppError::Input {
            field: "page",
            message: "choose a page first to which memories are appended".to_owned(),
        })?;
        let entry = self.session.entry(memory).await?.entry;
        let stored = self.stored(&PageFilter::through(None), chosen.id).await?;
        let vault = self.vault(stored.row.vault).await?.vault;
        let file = stored.file();
        let added = addition(&file, &entry.content);
        files.append(&vault.path, &stored.row.path, &file, &added).await.map_err(VaultError::from)?;
        // The next addition is compared with what is indexed. The text is written, whatever happens to the index; another scan
        // that is under way has it, or the next one.
        match self.sync(files, vault.id, &NoProgress).await {
            Ok(_) | Err(AppError::UnderWay) => {}
            Err(error) => tracing::warn!(vault = %vault.id, %error, "a page was appended to and not indexed"),
        }
        Ok(stored.row)
    }
}
