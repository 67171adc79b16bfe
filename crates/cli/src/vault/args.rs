//! Arguments of `inklings vault`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum VaultVerb {
    /// Link a folder of Markdown files and index its pages; nothing in it is ever written
    Link {
        folder: PathBuf,
        /// Link it without indexing it
        #[arg(long)]
        no_sync: bool,
    },
    /// List the linked vaults
    List,
    /// Show a vault, and which of its files are not indexed and why
    Status {
        /// Name, path or id of the vault [default: the only one]
        vault: Option<String>,
        /// Maximum number of files that are not indexed
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Index what changed in a vault, or in all of them
    Sync {
        /// Name, path or id of the vault [default: all]
        vault: Option<String>,
    },
    /// Remove a vault and its index from the workspace; the folder stays as it is
    Unlink {
        /// Name, path or id of the vault
        vault: String,
    },
    /// List pages by title
    Pages {
        /// Name, path or id of a vault
        #[arg(long)]
        vault: Option<String>,
        /// Maximum number of pages
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Show or choose the page to which `memory promote --append` writes; by default there is none
    PromotionPage {
        /// Path, name of the file, title, alias or id of the page
        page: Option<String>,
        /// Choose none
        #[arg(long, conflicts_with = "page")]
        off: bool,
    },
    /// Show a page with its links
    Page {
        /// Path, name of the file, title, alias or id of the page
        page: String,
    },
}
