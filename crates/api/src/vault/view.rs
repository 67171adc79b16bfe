//! Views of linked vaults and their pages.

use crate::{view::memory::MemoryRow, vocabulary::mirror};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// Why a file is not indexed.
    PageSkipReason = domain::vault::SkipReason {
        Conflict, NotDownloaded, Empty, Changing, TooLarge, NotText, OutsideLink, InsideLink, Hidden,
        BadPath, NotFile, Unreadable,
    }
);

/// A linked vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct VaultView {
    pub id: String,
    /// Name of the folder.
    pub name: String,
    /// Absolute path of the folder.
    pub path: String,
    /// When it was linked.
    pub linked_at: String,
    /// When it was last scanned completely; `null` before the first scan.
    pub scanned_at: Option<String>,
    /// Indexed pages.
    pub pages: u32,
    /// Files that are no pages.
    pub attachments: u32,
    /// Files and folders that are not indexed.
    pub skipped: u32,
}

/// What a scan changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct VaultSync {
    /// New pages.
    pub added: u32,
    /// Pages with another text.
    pub changed: u32,
    /// Pages with the same text at another path.
    pub moved: u32,
    /// Pages whose files are gone.
    pub removed: u32,
    /// Pages that stay as they were.
    pub unchanged: u32,
    /// Files and folders that are not indexed.
    pub skipped: u32,
    /// False if it was stopped before the end. The next scan goes on.
    pub complete: bool,
}

/// A file or folder that is not indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageSkip {
    /// Its path in the vault.
    pub path: String,
    /// Why.
    pub reason: PageSkipReason,
    /// The reason for people.
    pub message: String,
}

/// A vault with a part of what is not indexed of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct VaultStatus {
    pub vault: VaultView,
    /// Files and folders that are not indexed, by path.
    pub skips: Vec<PageSkip>,
    /// Cursor of the next ones; `null` at the end.
    pub next: Option<String>,
}

/// A page without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageRow {
    pub id: String,
    pub vault_id: String,
    /// Its path in the vault.
    pub path: String,
    pub title: String,
    /// The key `type` of its front matter.
    pub page_kind: Option<String>,
    /// The key `status` of its front matter.
    pub lifecycle: Option<String>,
    /// Other names.
    pub aliases: Vec<String>,
    /// Tags, without `#`.
    pub tags: Vec<String>,
    /// When its file was last changed.
    pub modified_at: String,
}

/// Request for a list of pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageListRequest {
    /// Only of this vault.
    pub vault_id: Option<String>,
    /// Cursor: `next` of the previous page of the list.
    pub after: Option<String>,
    /// Maximum number of pages, at most 500.
    pub limit: u32,
}

/// Pages, by title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageList {
    pub rows: Vec<PageRow>,
    /// Cursor of the next ones; `null` at the end.
    pub next: Option<String>,
}

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageHeading {
    /// The heading with those above it, outermost first.
    pub path: String,
    /// Where it begins in the content, in UTF-16 units.
    pub start: u32,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageLinkView {
    /// What it names.
    pub target: String,
    /// The heading or block within the target.
    pub heading: Option<String>,
    /// True if the target is shown in place.
    pub embeds: bool,
    /// The page that it leads to; `null` if there is none.
    pub page_id: Option<String>,
    pub title: Option<String>,
    /// Path of the attachment that it leads to.
    pub attachment: Option<String>,
}

/// A page with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageView {
    /// What a list shows of it.
    pub row: PageRow,
    /// Its front matter as it stands in the file.
    pub head: String,
    /// The text behind the front matter.
    pub content: String,
    /// Its headings, in order.
    pub headings: Vec<PageHeading>,
    /// Its links, in order.
    pub links: Vec<PageLinkView>,
    /// Pages with a link to it, by title.
    pub backlinks: Vec<PageRow>,
    /// The subject of its name with what is linked to it, then memories that name it, the best first.
    pub memories: Vec<MemoryRow>,
}
