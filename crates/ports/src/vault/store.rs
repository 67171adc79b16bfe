//! Port for storing vaults and what their pages say.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{PageId, VaultId},
    memory::embedding::EmbeddingModel,
    vault::{
        FileStat, PageLink, PageText, Skip, Vault,
        plan::{FoundFile, IndexedPage},
    },
};

use super::filter::PageFilter;
use crate::{
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};

/// A page to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageWrite {
    /// Its id; a page of this id is replaced.
    pub id: PageId,
    /// Its path in the vault. Another page that has this path loses it.
    pub path: String,
    /// Size and time of its file.
    pub stat: FileStat,
    /// False if the file has to be read again by the next scan.
    pub settled: bool,
    /// Digest of its file.
    pub hash: String,
    /// What it says; `None` if that is stored already, and only size and time are others.
    pub text: Option<PageText>,
}

/// A page without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRow {
    pub id: PageId,
    pub vault: VaultId,
    /// Its path in the vault.
    pub path: String,
    pub title: String,
    /// Its kind, from the front matter.
    pub kind: Option<String>,
    /// Its state of work, from the front matter.
    pub lifecycle: Option<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    /// Size and time of its file.
    pub stat: FileStat,
}

/// Which pages stand among subjects.
#[derive(Debug, Clone, Copy)]
pub struct PageSelection<'n> {
    /// Those that a link could mean by one of these, as links are compared.
    pub names: &'n [String],
    /// And those whose front matter names a type.
    pub with_type: bool,
}

/// A page with its text, without blocks and links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPage {
    /// What a list shows of it.
    pub row: PageRow,
    /// The byte-order mark, if the file has one.
    pub head: String,
    /// The text behind it, with its front matter.
    pub content: String,
}

impl StoredPage {
    /// The text of its file.
    pub fn file(&self) -> String {
        format!("{}{}", self.head, self.content)
    }
}

/// A link of a page with what it leads to now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedPage {
    pub link: PageLink,
    /// The page that it leads to.
    pub page: Option<(PageId, String)>,
    /// The path of the attachment that it leads to.
    pub attachment: Option<String>,
}

/// The place of a page in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCursor {
    pub title: String,
    pub id: PageId,
}

/// What a vault has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VaultCounts {
    /// Indexed pages.
    pub pages: u64,
    /// Files that are no pages.
    pub attachments: u64,
    /// Files and folders that are not indexed.
    pub skipped: u64,
}

/// What a complete scan found beside pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scanned<'s> {
    /// When it ended.
    pub at: DateTime<Utc>,
    /// The files that are no pages.
    pub attachments: &'s [FoundFile],
    /// What is not indexed.
    pub skips: &'s [Skip],
}

/// A page without vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingPage {
    pub id: PageId,
    /// Its title, embedded in front of the content.
    pub title: String,
    pub content: String,
    /// Digest of its file.
    pub hash: String,
}

/// The vectors of a page, to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPageVectors {
    pub id: PageId,
    /// Digest of its file when the text was read. If it has changed since, the vectors are dropped.
    pub hash: String,
    /// The vectors of its passages.
    pub vectors: TextVectors,
}

/// Stores vaults and pages. Everything but the list of vaults can be made again from the files.
#[async_trait::async_trait]
pub trait PageStore: Send + Sync {
    /// The linked vaults, by name.
    async fn vaults(&self) -> Result<Vec<Vault>, StoreError>;

    /// Adds a vault.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if its folder is linked.
    async fn link(&self, vault: &Vault) -> Result<(), StoreError>;

    /// Removes a vault with its whole index. False if there is none.
    async fn unlink(&self, id: VaultId) -> Result<bool, StoreError>;

    /// What the vault has.
    async fn counts(&self, id: VaultId) -> Result<VaultCounts, StoreError>;

    /// All pages of a vault as they are indexed.
    async fn indexed(&self, id: VaultId) -> Result<Vec<IndexedPage>, StoreError>;

    /// Stores and removes pages of a vault in one transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the vault was unlinked meanwhile.
    async fn put(&self, id: VaultId, pages: &[PageWrite], removed: &[PageId]) -> Result<(), StoreError>;

    /// Stores what a complete scan found beside pages.
    async fn finish(&self, id: VaultId, scanned: Scanned<'_>) -> Result<(), StoreError>;

    /// Takes the lease of a vault until a time, if nobody else has it. False otherwise. A lease is given up by taking it until
    /// now.
    async fn lease(
        &self,
        id: VaultId,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// What of a vault is not indexed, by path, after a path.
    async fn skips(&self, id: VaultId, after: Option<&Skip>, limit: usize) -> Result<Vec<Skip>, StoreError>;

    /// Pages that the filter lets through, by title.
    async fn list(
        &self,
        filter: &PageFilter,
        after: Option<&PageCursor>,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError>;

    /// These pages as far as the filter lets them through, with their texts, in no particular order.
    async fn pages(&self, filter: &PageFilter, ids: &[PageId]) -> Result<Vec<StoredPage>, StoreError>;

    /// The page that a link would lead to by this text: a path, the name of a file, a title, an alias.
    async fn named(&self, filter: &PageFilter, name: &str) -> Result<Option<PageId>, StoreError>;

    /// The links of a page, in order.
    async fn links(&self, filter: &PageFilter, id: PageId) -> Result<Vec<LinkedPage>, StoreError>;

    /// Pages with a link to this page, by title.
    async fn backlinks(
        &self,
        filter: &PageFilter,
        id: PageId,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError>;

    /// How many pages have a link to each of these, as far as the filter shows both. A page that none is linked to is left out.
    async fn linked_from(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, u64)>, StoreError>;

    /// At most `limit` of the pages that a selection asks for, by title.
    async fn selected(
        &self,
        filter: &PageFilter,
        which: PageSelection<'_>,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError>;

    /// From which of these pages a link leads to which page, each pair once. What is shown in place is no link.
    async fn links_of(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, PageId)>, StoreError>;

    /// Up to `limit` pages without vectors by this model, newest first, without those that it failed on.
    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingPage>, StoreError>;

    /// Stores the vectors of pages in one transaction, in place of earlier ones; returns for how many the text was still
    /// current.
    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[NewPageVectors],
    ) -> Result<usize, StoreError>;

    /// Records that a model could not embed a page, so that it is not tried again until it changes.
    async fn vector_failed(&self, model: &EmbeddingModel, id: PageId, error: &str) -> Result<(), StoreError>;

    /// Embedding progress for a model.
    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError>;
}
