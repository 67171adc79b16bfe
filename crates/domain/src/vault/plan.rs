//! What a scan of a vault changes in its index, as a pure function of what is on the disk and what is indexed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{FileStat, Skip};
use crate::ids::PageId;

/// A page as it is indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedPage {
    pub id: PageId,
    /// Its path in the vault.
    pub path: String,
    /// Size and time of its file when it was read; `None` if the file has to be read again, because it was changed so shortly
    /// before that another change could have the same time.
    pub stat: Option<FileStat>,
    /// Digest of the file.
    pub hash: String,
}

/// A file on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its path in the vault.
    pub path: String,
    /// Its size and time.
    pub stat: FileStat,
}

/// What is to be done about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageChange {
    /// A page that is not indexed yet.
    Added,
    /// The page has another text.
    Changed(PageId),
    /// The page has the same text at another path.
    Moved(PageId),
    /// The page has the same text at the same path, and another size or time.
    Touched(PageId),
}

impl PageChange {
    /// The page, if it is indexed.
    pub const fn page(self) -> Option<PageId> {
        match self {
            Self::Added => None,
            Self::Changed(id) | Self::Moved(id) | Self::Touched(id) => Some(id),
        }
    }
}

/// The changes of a scan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncPlan {
    /// What is to be done about files, by path. A file that is not named here stays as it is indexed.
    pub changes: Vec<(String, PageChange)>,
    /// Pages whose files are gone.
    pub removed: Vec<PageId>,
    /// Number of files that stay as they are indexed.
    pub unchanged: u64,
}

/// The files that have to be read: they are new, or have another size or time than when they were indexed.
pub fn to_read<'f>(files: &'f [FoundFile], indexed: &[IndexedPage]) -> Vec<&'f FoundFile> {
    let known: HashMap<&str, FileStat> =
        indexed.iter().filter_map(|page| Some((page.path.as_str(), page.stat?))).collect();
    files.iter().filter(|file| known.get(file.path.as_str()) != Some(&file.stat)).collect()
}

/// Plans a scan. `hashes` has the digests of the files of [`to_read`], without those that could not be read, which are among
/// the skips. A text that is at another path keeps its page; if it is at several, the first path has it.
pub fn plan(
    files: &[FoundFile],
    indexed: &[IndexedPage],
    hashes: &BTreeMap<String, String>,
    skips: &[Skip],
) -> SyncPlan {
    let on_disk: BTreeMap<&str, FileStat> =
        files.iter().map(|file| (file.path.as_str(), file.stat)).collect();
    let mut by_path: HashMap<&str, &IndexedPage> = HashMap::with_capacity(indexed.len());
    // Two pages of one path cannot be, and the index of an interrupted scan is no reason to fail.
    let mut displaced: Vec<&IndexedPage> = Vec::new();
    for page in indexed {
        if let Some(other) = by_path.insert(&page.path, page) {
            displaced.push(other);
        }
    }
    let mut plan = SyncPlan::default();
    let mut open: Vec<&str> = Vec::new();
    for (path, stat) in &on_disk {
        let page = by_path.get(path);
        match (hashes.get(*path), page) {
            (None, Some(page)) if page.stat == Some(*stat) => plan.unchanged += 1,
            // It could not be read: it is among the skips.
            (None, _) => {}
            (Some(hash), Some(page)) if page.hash == *hash => {
                plan.changes.push(((*path).to_owned(), PageChange::Touched(page.id)));
            }
            (Some(_), _) => open.push(path),
        }
    }
    let settled: HashSet<PageId> = plan.changes.iter().filter_map(|(_, change)| change.page()).collect();
    let kept = kept(skips);
    for page in by_path.values() {
        let stays = match on_disk.get(page.path.as_str()) {
            Some(stat) => {
                settled.contains(&page.id) || (!hashes.contains_key(&page.path) && page.stat == Some(*stat))
            }
            None => false,
        };
        if !stays && !kept.covers(&page.path) {
            displaced.push(page);
        }
    }
    displaced.sort_unstable_by_key(|page| page.id);
    let mut by_hash: HashMap<&str, Vec<&IndexedPage>> = HashMap::new();
    for page in displaced.iter().rev() {
        by_hash.entry(&page.hash).or_default().push(page);
    }
    let mut claimed: HashSet<PageId> = HashSet::new();
    open.retain(|path| {
        let Some(page) = by_hash.get_mut(hashes[*path].as_str()).and_then(Vec::pop) else { return true };
        claimed.insert(page.id);
        plan.changes.push(((*path).to_owned(), PageChange::Moved(page.id)));
        false
    });
    for path in open {
        let own = by_path.get(path).filter(|page| claimed.insert(page.id));
        let change = own.map_or(PageChange::Added, |page| PageChange::Changed(page.id));
        plan.changes.push((path.to_owned(), change));
    }
    plan.changes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    plan.removed = displaced.iter().map(|page| page.id).filter(|id| !claimed.contains(id)).collect();
    plan
}

/// The paths below which pages stay although their files cannot be read.
struct Kept<'s>(HashSet<&'s str>);

fn kept(skips: &[Skip]) -> Kept<'_> {
    Kept(skips.iter().filter(|skip| skip.reason.keeps_page()).map(|skip| skip.path.as_str()).collect())
}

impl Kept<'_> {
    fn covers(&self, path: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders.chain([path]).any(|path| self.0.contains(path))
    }
}

#[cfg(test)]
mod tests;
