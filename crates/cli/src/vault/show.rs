//! Prints vaults and pages as text.

use inklings_api::{
    search::view::PageHit,
    vault::view::{PageList, PageRow, PageView, VaultStatus, VaultSync, VaultView},
};

use super::Synced;
use crate::output::texts::{line, lines, minute};

pub fn vaults(vaults: &[VaultView]) -> String {
    lines(vaults, vault)
}

fn vault(vault: &VaultView) -> String {
    let scanned = vault
        .scanned_at
        .as_deref()
        .map_or_else(|| "not scanned yet".to_owned(), |at| format!("scanned {}", minute(at)));
    format!(
        "{}  {} pages  {} attachments  {} skipped  {scanned}\n    {}",
        vault.name, vault.pages, vault.attachments, vault.skipped, vault.path
    )
}

pub fn synced(done: &[Synced]) -> String {
    lines(done, |done| {
        let changes = done.sync.as_ref().map(|sync| format!("\n    {}", changes(sync))).unwrap_or_default();
        format!("{}{changes}", vault(&done.vault))
    })
}

fn changes(sync: &VaultSync) -> String {
    let VaultSync { added, changed, moved, removed, unchanged, .. } = sync;
    format!("{added} added, {changed} changed, {moved} moved, {removed} removed, {unchanged} unchanged")
}

pub fn status(status: &VaultStatus) -> String {
    let skips = status.skips.iter().map(|skip| format!("    {}  ({})", skip.path, skip.message));
    let next = status.next.iter().map(|next| format!("    more: --after {next}"));
    let parts: Vec<String> = [vault(&status.vault)].into_iter().chain(skips).chain(next).collect();
    parts.join("\n")
}

pub fn pages(list: &PageList) -> String {
    let next = list.next.iter().map(|next| format!("more: --after {next}"));
    list.rows.iter().map(row).chain(next).collect::<Vec<_>>().join("\n")
}

fn row(page: &PageRow) -> String {
    let kind = page.page_kind.as_deref().map(|kind| format!("  [{kind}]")).unwrap_or_default();
    format!("{}{kind}  {}", page.title, page.path)
}

pub fn hit(hit: &PageHit) -> String {
    let heading = if hit.heading.is_empty() { String::new() } else { format!(" > {}", hit.heading) };
    format!("page  {}{heading}  ({})\n    {}", hit.page.title, hit.page.path, line(&hit.snippet))
}

pub fn page(page: &PageView) -> String {
    let mut parts = vec![row(&page.row)];
    if !page.row.aliases.is_empty() {
        parts.push(format!("also: {}", page.row.aliases.join(", ")));
    }
    if !page.row.tags.is_empty() {
        parts.push(format!("tags: {}", page.row.tags.join(", ")));
    }
    parts.push(format!("\n{}\n", page.content.trim()));
    parts.extend(page.links.iter().map(|link| {
        let leads_to = link.title.as_deref().or(link.attachment.as_deref()).unwrap_or("nothing yet");
        format!("-> {}: {leads_to}", link.target)
    }));
    parts.extend(page.backlinks.iter().map(|page| format!("<- {}", row(page))));
    parts.extend(
        page.memories.iter().map(|memory| format!("<- memory {}  {}", memory.id, line(&memory.preview))),
    );
    parts.join("\n")
}
