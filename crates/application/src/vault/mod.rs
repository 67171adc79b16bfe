//! Linked vaults: which folders are linked, and what their pages say. No byte of a vault is written but what the
//! worldbuilder lets be appended to one page.

mod naming;
pub mod page;
mod place;
mod promotion;
pub mod reading;
mod sync;

use std::path::Path;

use inklings_domain::{
    ids::{PageId, VaultId},
    provenance::Actor,
    vault::{PageText, Skip, Vault},
};
use inklings_ports::{
    memory::store::StoredEntry,
    store_error::StoreError,
    vault::{
        files::VaultFiles,
        filter::PageFilter,
        store::{LinkedPage, PageCursor, PageRow, PageStore, StoredPage, VaultCounts},
    },
};

pub use self::sync::SyncReport;
use self::{page::page_text, place::check_place};
use crate::{
    error::{AppError, VaultError},
    services::Vaults,
    session::only_the_author,
};

/// The most pages that a page tells of as linking to it.
const MAX_BACKLINKS: usize = 500;

/// A vault with what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultState {
    pub vault: Vault,
    /// What it has.
    pub counts: VaultCounts,
}

/// A page with everything that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageDetail {
    /// The page with its text.
    pub stored: StoredPage,
    /// What is read from its text.
    pub text: PageText,
    /// Its links, in order.
    pub links: Vec<LinkedPage>,
    /// Pages with a link to it, by title.
    pub backlinks: Vec<PageRow>,
    /// The subject of its name with what is linked to it, then memories that name it, the best first.
    pub memories: Vec<StoredEntry>,
}

impl Vaults<'_> {
    fn store(&self) -> &dyn PageStore {
        &*self.session.workspace.pages
    }

    /// Links a folder. It is indexed by the next [`Self::sync`].
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author asks; [`AppError::Vault`] for a folder that cannot be linked.
    pub async fn link(
        &self,
        actor: Actor,
        files: &dyn VaultFiles,
        data_dir: &Path,
        folder: &Path,
    ) -> Result<VaultState, AppError> {
        only_the_author(actor)?;
        let path = files.folder(folder).await.map_err(VaultError::from)?;
        let data_dir = files.folder(data_dir).await.map_err(VaultError::from)?;
        let linked = self.store().vaults().await?;
        check_place(&path, &data_dir, linked.iter().map(|vault| vault.path.as_str()))?;
        let name =
            Path::new(&path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into());
        let (id, linked_at) = (self.session.ids.vault_id(), self.session.clock.now());
        let vault = Vault { id, name, path, linked_at, scanned_at: None };
        match self.store().link(&vault).await {
            Ok(()) => Ok(VaultState { vault, counts: VaultCounts::default() }),
            Err(StoreError::AlreadyExists(_)) => Err(VaultError::Linked.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a vault from the workspace, with its index. The folder stays as it is.
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author asks; [`AppError::NotFound`].
    pub async fn unlink(&self, actor: Actor, id: VaultId) -> Result<(), AppError> {
        only_the_author(actor)?;
        if self.store().unlink(id).await? { Ok(()) } else { Err(no_vault(id)) }
    }

    /// The linked vaults, by name.
    pub async fn list(&self) -> Result<Vec<VaultState>, AppError> {
        let mut states = Vec::new();
        for vault in self.store().vaults().await? {
            let counts = self.store().counts(vault.id).await?;
            states.push(VaultState { vault, counts });
        }
        Ok(states)
    }

    /// One vault.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn vault(&self, id: VaultId) -> Result<VaultState, AppError> {
        let vault = self.store().vaults().await?.into_iter().find(|vault| vault.id == id);
        let vault = vault.ok_or_else(|| no_vault(id))?;
        Ok(VaultState { counts: self.store().counts(id).await?, vault })
    }

    /// What of a vault is not indexed, by path.
    pub async fn skips(
        &self,
        id: VaultId,
        after: Option<&Skip>,
        limit: usize,
    ) -> Result<Vec<Skip>, AppError> {
        Ok(self.store().skips(id, after, limit).await?)
    }

    /// Pages, by title.
    pub async fn pages(
        &self,
        filter: &PageFilter,
        after: Option<&PageCursor>,
        limit: usize,
    ) -> Result<Vec<PageRow>, AppError> {
        Ok(self.store().list(filter, after, limit).await?)
    }

    /// The filter of a search; `None` if it lets no page through, or no vault is linked, so that nothing has to be searched.
    pub(crate) async fn searched(&self, filter: PageFilter) -> Result<Option<PageFilter>, AppError> {
        let searched = filter.shows() && !self.store().vaults().await?.is_empty();
        Ok(searched.then_some(filter))
    }

    /// These pages without their texts, as far as the filter lets them through.
    pub async fn rows(&self, filter: &PageFilter, ids: &[PageId]) -> Result<Vec<PageRow>, AppError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.store().pages(filter, ids).await?.into_iter().map(|page| page.row).collect())
    }

    /// A page without its text.
    ///
    /// # Errors
    /// [`AppError::NotFound`], also for a page that the filter does not let through.
    pub async fn row(&self, filter: &PageFilter, id: PageId) -> Result<PageRow, AppError> {
        self.rows(filter, &[id]).await?.pop().ok_or_else(|| no_page(id.to_string()))
    }

    /// A page with its text, links and backlinks.
    ///
    /// # Errors
    /// [`AppError::NotFound`], also for a page that the filter does not let through.
    pub async fn page(&self, filter: &PageFilter, id: PageId) -> Result<PageDetail, AppError> {
        let stored = self.stored(filter, id).await?;
        let links = self.store().links(filter, id).await?;
        let backlinks = self.store().backlinks(filter, id, MAX_BACKLINKS).await?;
        let text = page_text(&stored);
        let memories = self.naming(&stored.row).await?;
        Ok(PageDetail { stored, text, links, backlinks, memories })
    }

    /// Opens the file of a page in the program that the system has for it.
    ///
    /// # Errors
    /// [`AppError::Memory`] unless the author asks; [`AppError::NotFound`]; [`AppError::Vault`] if it cannot be opened.
    pub async fn open(&self, actor: Actor, files: &dyn VaultFiles, page: PageId) -> Result<(), AppError> {
        only_the_author(actor)?;
        let row = self.row(&PageFilter::through(None), page).await?;
        let vault = self.vault(row.vault).await?.vault;
        Ok(files.open(&vault.path, &row.path).await.map_err(VaultError::from)?)
    }

    async fn stored(&self, filter: &PageFilter, id: PageId) -> Result<StoredPage, AppError> {
        self.store().pages(filter, &[id]).await?.pop().ok_or_else(|| no_page(id.to_string()))
    }

    /// The page that a link would lead to by this text: an id, a path, the name of a file, a title, an alias.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn page_named(&self, filter: &PageFilter, name: &str) -> Result<PageId, AppError> {
        if let Ok(id) = name.parse() {
            return Ok(id);
        }
        self.store().named(filter, name).await?.ok_or_else(|| no_page(name.to_owned()))
    }
}

fn no_vault(id: VaultId) -> AppError {
    AppError::NotFound { what: "vault", name: id.to_string() }
}

fn no_page(name: String) -> AppError {
    AppError::NotFound { what: "page", name }
}
