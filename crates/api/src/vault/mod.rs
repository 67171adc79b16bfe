//! Commands on linked vaults and their pages.

pub(crate) mod background;
pub(crate) mod convert;
pub mod view;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use inklings_application::session::Session;
use inklings_domain::{ids::VaultId, vault::Skip};
use inklings_ports::{
    progress::Progress,
    vault::{filter::PageFilter, store::PageCursor},
};

use self::view::{PageList, PageListRequest, PageRow, PageView, VaultStatus, VaultSync, VaultView};
use crate::{
    App, Event, Events,
    commands::VaultCommands,
    error::{CommandError, ErrorCode},
    events::VaultStep,
    wire::cursor,
};

/// The most rows of one answer.
const MAX_ROWS: usize = 500;

/// Sends the progress of a scan as events.
struct Reporter {
    vault: VaultId,
    events: Arc<dyn Events>,
    stops: Arc<AtomicU64>,
    /// The number of stops when it began.
    began_at: u64,
}

impl Reporter {
    fn new(vault: VaultId, events: Arc<dyn Events>, app: &App) -> Self {
        let stops = Arc::clone(&app.vault_stops);
        Self { vault, events, began_at: stops.load(Ordering::Relaxed), stops }
    }
}

impl Progress for Reporter {
    fn report(&self, done: u64, total: u64) {
        let (done, total) = (crate::wire::count(done), crate::wire::count(total));
        self.events.send(Event::VaultProgress(VaultStep { vault_id: self.vault.to_string(), done, total }));
    }

    fn cancelled(&self) -> bool {
        self.stops.load(Ordering::Relaxed) != self.began_at
    }
}

impl VaultCommands<'_> {
    /// The linked vaults, by name.
    pub async fn list_vaults(&self) -> Result<Vec<VaultView>, CommandError> {
        Ok(self.app.session()?.vaults().list().await?.iter().map(convert::vault).collect())
    }

    /// Links a folder. It is indexed by [`Self::sync_vault`].
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`, field `folder`, for a folder that cannot be linked.
    pub async fn link_vault(&self, folder: &str) -> Result<VaultView, CommandError> {
        let session = self.app.session()?;
        let (files, data_dir) = (&*self.app.vault_files, self.app.data_dir());
        let state = session.vaults().link(self.app.actor, files, data_dir, Path::new(folder)).await?;
        Ok(convert::vault(&state))
    }

    /// Removes a vault from the workspace, with its index. The folder stays as it is.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn unlink_vault(&self, id: &str) -> Result<(), CommandError> {
        let id = crate::wire::id("id", id)?;
        Ok(self.app.session()?.vaults().unlink(self.app.actor, id).await?)
    }

    /// Indexes what changed in a vault, and sends its progress.
    pub async fn sync_vault(&self, id: &str, events: Arc<dyn Events>) -> Result<VaultSync, CommandError> {
        let progress = Reporter::new(crate::wire::id("id", id)?, events, self.app);
        self.sync_vault_with(id, &progress).await
    }

    /// Stops the scans of this process that are under way. The next ones go on.
    pub fn cancel_vault_sync(&self) {
        self.app.vault_stops.fetch_add(1, Ordering::Relaxed);
    }

    /// Indexes what changed in a vault.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `busy` if another process is at it; `invalid` if the folder cannot be read.
    pub async fn sync_vault_with(
        &self,
        id: &str,
        progress: &dyn Progress,
    ) -> Result<VaultSync, CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        let report = session.vaults().sync(&*self.app.vault_files, id, progress).await?;
        self.app.look_for_changes();
        Ok(convert::sync(&report))
    }

    /// A vault, and what is not indexed of it.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` for a cursor that is none.
    pub async fn vault_status(
        &self,
        id: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<VaultStatus, CommandError> {
        let session = self.app.session()?;
        let id: VaultId = crate::wire::id("id", id)?;
        let state = session.vaults().vault(id).await?;
        let after: Option<Skip> = cursor::after(after)?;
        let limit = (limit as usize).clamp(1, MAX_ROWS);
        let mut skips = session.vaults().skips(id, after.as_ref(), limit + 1).await?;
        let more = skips.len() > limit;
        skips.truncate(limit);
        let next = skips.last().filter(|_| more).map(cursor::text);
        Ok(VaultStatus {
            vault: convert::vault(&state),
            skips: skips.iter().map(convert::skip).collect(),
            next,
        })
    }

    /// Pages, by title.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a cursor that is none.
    pub async fn list_pages(&self, request: &PageListRequest) -> Result<PageList, CommandError> {
        let session = self.app.session()?;
        let mut filter = PageFilter::through(None);
        if let Some(id) = &request.vault_id {
            filter = filter.of_vault(crate::wire::id("vaultId", id)?);
        }
        let after: Option<PageCursor> = cursor::after(request.after.as_deref())?;
        let limit = (request.limit as usize).clamp(1, MAX_ROWS);
        let mut pages = session.vaults().pages(&filter, after.as_ref(), limit + 1).await?;
        let more = pages.len() > limit;
        pages.truncate(limit);
        let last = pages.last().filter(|_| more);
        let next = last.map(|page| cursor::text(&PageCursor { title: page.title.clone(), id: page.id }));
        Ok(PageList { rows: pages.iter().map(convert::row).collect(), next })
    }

    /// A page with its text, links and backlinks: by id, path, name of the file, title or alias.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_page(&self, page: &str) -> Result<PageView, CommandError> {
        let session = self.app.session()?;
        let filter = PageFilter::through(None);
        let id = session.vaults().page_named(&filter, page).await?;
        let detail = session.vaults().page(&filter, id).await?;
        let memories = self.app.memory().rows_in(&session, &detail.memories).await?;
        Ok(convert::page(&detail, memories))
    }

    /// Opens the file of a page in the program that the system has for it.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `locked` for an agent; `invalid` if it cannot be opened.
    pub async fn open_page(&self, id: &str) -> Result<(), CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        Ok(session.vaults().open(self.app.actor, &*self.app.vault_files, id).await?)
    }

    /// A memory as a unified diff against a page, which the worldbuilder copies into the file. Nothing is written.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `locked` for an agent.
    pub async fn promote_memory(&self, id: &str, page: &str) -> Result<String, CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        let page = session.vaults().page_named(&PageFilter::through(None), page).await?;
        Ok(session.vaults().promotion(self.app.actor, id, page).await?)
    }

    /// The page to which memories are appended, if one was chosen and is there.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn promotion_page(&self) -> Result<Option<PageRow>, CommandError> {
        let chosen = self.app.session()?.vaults().promotion_page().await?;
        Ok(chosen.as_ref().map(convert::row))
    }

    /// Chooses the page to which memories are appended, by id, path, name of the file, title or alias; `None`: none.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `locked` for an agent.
    pub async fn set_promotion_page(&self, page: Option<&str>) -> Result<Option<PageRow>, CommandError> {
        let session = self.app.session()?;
        let id = match page {
            Some(page) => Some(session.vaults().page_named(&PageFilter::through(None), page).await?),
            None => None,
        };
        session.vaults().set_promotion_page(self.app.actor, id).await?;
        self.promotion_page().await
    }

    /// Appends a memory to the page that was chosen for it. It is the only write into a vault.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `locked` for an agent; `invalid` if no page is chosen, or if its file has changed
    /// or cannot be written. Nothing is written then.
    pub async fn append_memory(&self, id: &str) -> Result<PageRow, CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        let page = session.vaults().append(self.app.actor, &*self.app.vault_files, id).await?;
        Ok(convert::row(&page))
    }

    /// The id of a vault by its id, path or name.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` if several have the name.
    pub async fn vault_id(&self, named: &str) -> Result<String, CommandError> {
        let session = self.app.session()?;
        let vaults = vaults_named(&session, named).await?;
        match vaults.as_slice() {
            [one] => Ok(one.to_string()),
            [] => Err(CommandError::new(ErrorCode::NotFound, format!("There is no vault '{named}'."))),
            _ => Err(CommandError::invalid("vault", "Several vaults have this name; give the path.")),
        }
    }
}

async fn vaults_named(session: &Session, named: &str) -> Result<Vec<VaultId>, CommandError> {
    let states = session.vaults().list().await?;
    let plain = named.trim_end_matches('/');
    let is_exact = |id: VaultId, path: &str| id.to_string() == named || path == plain;
    let exact = states.iter().find(|state| is_exact(state.vault.id, &state.vault.path));
    if let Some(state) = exact {
        return Ok(vec![state.vault.id]);
    }
    let by_name = states.iter().filter(|state| state.vault.name == named);
    Ok(by_name.map(|state| state.vault.id).collect())
}
