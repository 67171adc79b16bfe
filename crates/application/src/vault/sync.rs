//! Indexes a vault: what is on the disk is compared with what is indexed, and only what changed is read.

use std::collections::{BTreeMap, HashMap};

use inklings_domain::{
    ids::{PageId, VaultId},
    schedule::LEASE,
    vault::{
        FileStat, Skip, SkipReason, Vault,
        plan::{FoundFile, PageChange, SyncPlan, plan, to_read},
    },
};
use inklings_ports::{
    progress::Progress,
    vault::{
        files::{FileText, FoundFiles, VaultFiles},
        store::{PageWrite, Scanned},
    },
};

use super::{no_vault, page::page};
use crate::error::VaultError;
use crate::{error::AppError, services::Vaults};

/// Files that are read together, and pages that are stored together.
const BATCH: usize = 100;
/// A file that was changed less than this before it was read, in microseconds, is read again: file systems give changes within
/// two seconds the same time.
const SETTLED: i64 = 2_000_000;

/// What a scan changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SyncReport {
    /// New pages.
    pub added: u64,
    /// Pages with another text.
    pub changed: u64,
    /// Pages with the same text at another path.
    pub moved: u64,
    /// Pages whose files are gone.
    pub removed: u64,
    /// Pages that stay as they were.
    pub unchanged: u64,
    /// Files and folders that are not indexed.
    pub skipped: u64,
    /// False if it was stopped before the end. The next scan goes on.
    pub complete: bool,
}

impl SyncReport {
    /// True if it changed a page.
    pub const fn changes_pages(&self) -> bool {
        self.added + self.changed + self.moved + self.removed > 0
    }

    fn count(&mut self, change: PageChange) {
        let count = match change {
            PageChange::Added => &mut self.added,
            PageChange::Changed(_) => &mut self.changed,
            PageChange::Moved(_) => &mut self.moved,
            PageChange::Touched(_) => &mut self.unchanged,
        };
        *count += 1;
    }
}

/// A scan at work.
struct Scan<'s> {
    vaults: &'s Vaults<'s>,
    files: &'s dyn VaultFiles,
    vault: &'s Vault,
    owner: String,
    skips: Vec<Skip>,
    report: SyncReport,
}

impl Vaults<'_> {
    /// Indexes a vault. It can be stopped between two batches, and goes on the next time. One scan at a
    /// time indexes a vault, also within a process.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::UnderWay`] if another scan is at it; [`AppError::Vault`] if the folder cannot
    /// be read, or is empty although it had pages.
    pub async fn sync(
        &self,
        files: &dyn VaultFiles,
        id: VaultId,
        progress: &dyn Progress,
    ) -> Result<SyncReport, AppError> {
        let vault = self.store().vaults().await?.into_iter().find(|vault| vault.id == id);
        let vault = vault.ok_or_else(|| no_vault(id))?;
        let report = SyncReport::default();
        let owner = self.session.ids.run_id().to_string();
        let mut scan = Scan { vaults: self, files, vault: &vault, owner, skips: Vec::new(), report };
        scan.hold().await?;
        let done = scan.run(progress).await;
        let now = self.session.clock.now();
        let released = self.store().lease(id, &scan.owner, now, now).await;
        done?;
        released?;
        Ok(scan.report)
    }
}

impl Scan<'_> {
    /// Takes the lease, or takes it for longer.
    async fn hold(&self) -> Result<(), AppError> {
        let now = self.vaults.session.clock.now();
        let held = self.vaults.store().lease(self.vault.id, &self.owner, now, now + LEASE).await?;
        if held { Ok(()) } else { Err(AppError::UnderWay) }
    }

    async fn run(&mut self, progress: &dyn Progress) -> Result<(), AppError> {
        let store = self.vaults.store();
        let FoundFiles { pages, attachments, skips } =
            self.files.find(&self.vault.path).await.map_err(VaultError::from)?;
        let indexed = store.indexed(self.vault.id).await?;
        // Hidden files stay behind where a drive was, such as those of programs that synchronise it.
        let is_empty = pages.is_empty()
            && attachments.is_empty()
            && skips.iter().all(|skip| skip.reason == SkipReason::Hidden);
        if is_empty && !indexed.is_empty() {
            return Err(VaultError::Emptied.into());
        }
        self.skips = skips;
        let reading = to_read(&pages, &indexed);
        let total = (reading.len() * 2) as u64;
        let Some(hashes) = self.hashes(&reading, progress, total).await? else { return Ok(()) };
        let SyncPlan { changes, removed, unchanged } = plan(&pages, &indexed, &hashes, &self.skips);
        self.report.unchanged = unchanged;
        let stats: HashMap<&str, FileStat> =
            pages.iter().map(|file| (file.path.as_str(), file.stat)).collect();
        let mut removed = removed.as_slice();
        let mut done = hashes.len() as u64;
        for batch in changes.chunks(BATCH) {
            if progress.cancelled() {
                return Ok(());
            }
            self.hold().await?;
            let writes = self.writes(batch, &stats, &hashes).await;
            store.put(self.vault.id, &writes, &[]).await?;
            let changed = batch.iter().filter_map(|(_, change)| match change {
                PageChange::Changed(id) => Some(*id),
                _ => None,
            });
            self.look_at(&changed.collect::<Vec<_>>()).await;
            done += batch.len() as u64;
            progress.report(done, total.max(done));
        }
        // Removed last: until then, an interrupted scan still finds what moved.
        while !removed.is_empty() {
            let (batch, rest) = removed.split_at(removed.len().min(BATCH));
            store.put(self.vault.id, &[], batch).await?;
            self.look_at(batch).await;
            self.report.removed += batch.len() as u64;
            removed = rest;
        }
        self.finish(&attachments).await
    }

    /// Looks for memories that were made of what these pages had, after each batch: for the scan after one that is stopped, the
    /// pages are as they are indexed.
    async fn look_at(&self, changed: &[PageId]) {
        if changed.is_empty() {
            return;
        }
        // The pages are indexed, whatever happens to memory. What is not filed now, the next look files.
        if let Err(error) = self.vaults.session.drifts().look_at_pages(changed).await {
            tracing::warn!(%error, "memories that were made of changed pages are looked for later");
        }
    }

    /// The digests of the files that have to be read; `None` if it was stopped.
    async fn hashes(
        &mut self,
        reading: &[&FoundFile],
        progress: &dyn Progress,
        total: u64,
    ) -> Result<Option<BTreeMap<String, String>>, AppError> {
        let mut hashes = BTreeMap::new();
        for batch in reading.chunks(BATCH) {
            if progress.cancelled() {
                return Ok(None);
            }
            self.hold().await?;
            let files: Vec<FoundFile> = batch.iter().map(|file| (*file).clone()).collect();
            for (file, read) in files.iter().zip(self.files.read(&self.vault.path, &files).await) {
                match read {
                    Ok(FileText { hash, .. }) => drop(hashes.insert(file.path.clone(), hash)),
                    Err(reason) => self.skips.push(Skip { path: file.path.clone(), reason }),
                }
            }
            progress.report(hashes.len() as u64, total);
        }
        Ok(Some(hashes))
    }

    /// What to store for a batch of changes. A file that is another one by now is left to the next scan.
    async fn writes(
        &mut self,
        batch: &[(String, PageChange)],
        stats: &HashMap<&str, FileStat>,
        hashes: &BTreeMap<String, String>,
    ) -> Vec<PageWrite> {
        let planned: Vec<(FoundFile, PageChange)> = batch
            .iter()
            .filter_map(|(path, change)| {
                let stat = *stats.get(path.as_str())?;
                Some((FoundFile { path: path.clone(), stat }, *change))
            })
            .collect();
        let reading: Vec<FoundFile> = planned
            .iter()
            .filter(|(_, change)| !matches!(change, PageChange::Touched(_)))
            .map(|(file, _)| file.clone())
            .collect();
        let mut texts = self.files.read(&self.vault.path, &reading).await.into_iter();
        let mut writes = Vec::with_capacity(planned.len());
        let now = self.vaults.session.clock.now().timestamp_micros();
        for (FoundFile { path, stat }, change) in planned {
            let Some(hash) = hashes.get(&path).cloned() else { continue };
            let id = change.page().unwrap_or_else(|| self.vaults.session.ids.page_id());
            let text = if let PageChange::Touched(_) = change {
                None
            } else {
                match texts.next() {
                    Some(Ok(read)) if read.hash == hash => Some(page(&path, &read.text)),
                    Some(Err(reason)) => {
                        self.skips.push(Skip { path, reason });
                        continue;
                    }
                    _ => {
                        self.skips.push(Skip { path, reason: SkipReason::Changing });
                        continue;
                    }
                }
            };
            self.report.count(change);
            let settled = now.saturating_sub(stat.modified_at) > SETTLED;
            writes.push(PageWrite { id, path, stat, settled, hash, text });
        }
        writes
    }

    async fn finish(&mut self, attachments: &[FoundFile]) -> Result<(), AppError> {
        self.skips.sort_unstable();
        self.skips.dedup();
        let at = self.vaults.session.clock.now();
        let scanned = Scanned { at, attachments, skips: &self.skips };
        self.vaults.store().finish(self.vault.id, scanned).await?;
        (self.report.skipped, self.report.complete) = (self.skips.len() as u64, true);
        Ok(())
    }
}
