//! Converts vaults and pages to views.

use chrono::DateTime;
use inklings_application::vault::{PageDetail, SyncReport, VaultState};
use inklings_domain::vault::{BlockKind, Skip};
use inklings_ports::vault::store::{LinkedPage, PageRow as StoredRow};

use super::view::{PageHeading, PageLinkView, PageRow, PageSkip, PageView, VaultSync, VaultView};
use crate::{
    view::memory::MemoryRow,
    wire::{count, time},
};

pub(super) fn vault(state: &VaultState) -> VaultView {
    let VaultState { vault, counts } = state;
    VaultView {
        id: vault.id.to_string(),
        name: vault.name.clone(),
        path: vault.path.clone(),
        linked_at: time(vault.linked_at),
        scanned_at: vault.scanned_at.map(time),
        pages: count(counts.pages),
        attachments: count(counts.attachments),
        skipped: count(counts.skipped),
    }
}

pub(super) fn sync(report: &SyncReport) -> VaultSync {
    VaultSync {
        added: count(report.added),
        changed: count(report.changed),
        moved: count(report.moved),
        removed: count(report.removed),
        unchanged: count(report.unchanged),
        skipped: count(report.skipped),
        complete: report.complete,
    }
}

pub(super) fn skip(skip: &Skip) -> PageSkip {
    PageSkip { path: skip.path.clone(), reason: skip.reason.into(), message: skip.reason.words().to_owned() }
}

pub(crate) fn row(row: &StoredRow) -> PageRow {
    PageRow {
        id: row.id.to_string(),
        vault_id: row.vault.to_string(),
        path: row.path.clone(),
        title: row.title.clone(),
        page_kind: row.kind.clone(),
        lifecycle: row.lifecycle.clone(),
        aliases: row.aliases.clone(),
        tags: row.tags.clone(),
        modified_at: time(DateTime::from_timestamp_micros(row.stat.modified_at).unwrap_or_default()),
    }
}

fn link(linked: &LinkedPage) -> PageLinkView {
    let (page_id, title) = linked.page.as_ref().map(|(id, title)| (id.to_string(), title.clone())).unzip();
    PageLinkView {
        target: linked.link.target.clone(),
        heading: linked.link.heading.clone(),
        embeds: linked.link.embeds,
        page_id,
        title,
        attachment: linked.attachment.clone(),
    }
}

pub(super) fn page(detail: &PageDetail, memories: Vec<MemoryRow>) -> PageView {
    let (front, content) = detail.stored.content.split_at(detail.text.body);
    let (mut headings, mut at, mut units) = (Vec::new(), 0, 0);
    for block in detail.text.blocks.iter().filter(|block| block.kind == BlockKind::Heading) {
        let start = block.range.start - detail.text.body;
        units += content[at..start].encode_utf16().count();
        at = start;
        headings.push(PageHeading { path: block.heading.clone(), start: count(units) });
    }
    PageView {
        row: row(&detail.stored.row),
        head: format!("{}{front}", detail.stored.head),
        content: content.to_owned(),
        headings,
        links: detail.links.iter().map(link).collect(),
        backlinks: detail.backlinks.iter().map(row).collect(),
        memories,
    }
}
