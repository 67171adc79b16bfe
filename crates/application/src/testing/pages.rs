//! Pages of a linked vault, stored without files.

use inklings_domain::{
    ids::PageId,
    vault::{FileStat, Vault},
};
use inklings_ports::vault::store::PageWrite;

use crate::{session::Session, vault::page::page};

/// Links a vault with these pages, each a path and the text of its file, and gives their ids.
///
/// # Panics
/// If the store refuses.
pub async fn link_pages(session: &Session, name: &str, files: &[(&str, &str)]) -> Vec<PageId> {
    let (id, linked_at) = (session.ids.vault_id(), session.clock.now());
    let vault = Vault { id, name: name.into(), path: format!("/{name}"), linked_at, scanned_at: None };
    let write = |(path, text): &(&str, &str)| PageWrite {
        id: session.ids.page_id(),
        path: (*path).to_owned(),
        stat: FileStat { size: text.len() as u64, modified_at: 1 },
        settled: true,
        hash: format!("{:064}", text.len()),
        text: Some(page(path, text)),
    };
    let writes: Vec<PageWrite> = files.iter().map(write).collect();
    session.workspace.pages.link(&vault).await.expect("links");
    session.workspace.pages.put(id, &writes, &[]).await.expect("stored");
    writes.into_iter().map(|write| write.id).collect()
}
