//! Prints subjects and relations as text.

use std::collections::BTreeMap;

use inklings_api::{
    subject::view::{
        EdgeView, GraphView, NameSuggestion, PageEdge, RelationView, SubjectList, SubjectRow, SubjectView,
    },
    vault::view::PageRow,
    view::lens::KnowerView,
};

use crate::{output::texts::line, shared_args::knower_text};

pub fn subjects(rows: &[SubjectRow]) -> String {
    let row = |row: &SubjectRow| {
        let aliases = match row.aliases.as_slice() {
            [] => String::new(),
            names => format!("  (also {})", names.join(", ")),
        };
        let links = match row.links {
            0 => String::new(),
            1 => "  1 link".to_owned(),
            links => format!("  {links} links"),
        };
        format!("{}  {}{aliases}{links}", row.name, row.kind)
    };
    if rows.is_empty() {
        return "no subjects yet; `inklings subject set NAME KIND` makes one".to_owned();
    }
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Subjects, then the pages that stand for themselves.
pub fn list(found: &SubjectList) -> String {
    let alone = found.pages.iter().filter(|page| page.subject_id.is_none());
    let pages: Vec<String> = alone.map(|page| self::page(&page.page)).collect();
    if found.rows.is_empty() && !pages.is_empty() {
        return pages.join("\n");
    }
    std::iter::once(subjects(&found.rows)).chain(pages).collect::<Vec<_>>().join("\n")
}

fn page(row: &PageRow) -> String {
    format!("{}  {}  (page {})", row.title, row.page_kind.as_deref().unwrap_or("no type"), row.path)
}

pub fn suggestions(found: &[NameSuggestion]) -> String {
    if found.is_empty() {
        return "no name recurs that is no subject yet".to_owned();
    }
    let row = |found: &NameSuggestion| format!("{}  in {} texts", found.name, found.texts);
    found.iter().map(row).collect::<Vec<_>>().join("\n")
}

pub fn subject(found: &SubjectView) -> String {
    let mut parts = vec![subjects(std::slice::from_ref(&found.row))];
    if let Some(time) = &found.memory.story_time {
        parts.push(format!("Holds: {}", time.text));
    }
    if !found.memory.known_by.is_empty() {
        parts.push(knowers(&found.memory.known_by));
    }
    if !found.memory.content.is_empty() {
        parts.push(found.memory.content.clone());
    }
    if !found.relations.is_empty() {
        parts.push(relations(&found.row.name, &found.relations));
    }
    if !found.about.is_empty() {
        let row = |row: &inklings_api::view::memory::MemoryRow| format!("{}  {}", row.id, line(&row.preview));
        parts.push(found.about.iter().map(row).collect::<Vec<_>>().join("\n"));
    }
    if !found.knows.is_empty() {
        let row = |row: &inklings_api::view::memory::MemoryRow| format!("{}  {}", row.id, line(&row.preview));
        let rows: Vec<String> = found.knows.iter().map(row).collect();
        parts.push(format!("Knows, which not everybody does:\n{}", rows.join("\n")));
    }
    if !found.pages.is_empty() {
        parts.push(found.pages.iter().map(page).collect::<Vec<_>>().join("\n"));
    }
    parts.join("\n\n")
}

pub fn graph(found: &GraphView) -> String {
    let alone = found.pages.iter().filter(|page| page.subject_id.is_none()).map(|page| &page.page);
    let titles = alone.map(|page| (page.id.as_str(), page.title.as_str()));
    let names: BTreeMap<&str, &str> =
        found.nodes.iter().map(|row| (row.id.as_str(), row.name.as_str())).chain(titles).collect();
    let name = |id: &str| names.get(id).copied().unwrap_or_default().to_owned();
    let edge = |edge: &EdgeView| format!("{} -- {} --> {}", name(&edge.from), edge.relation, name(&edge.to));
    let mut lines: Vec<String> = found.edges.iter().map(edge).collect();
    let of_pages =
        |edge: &PageEdge| format!("{} -- links to --> {}  (page)", name(&edge.from), name(&edge.to));
    lines.extend(found.page_edges.iter().map(of_pages));
    lines.push(format!("{} subjects, {} relations", found.nodes.len(), found.edges.len()));
    if !found.pages.is_empty() {
        lines.push(format!("{} pages, {} links between them", found.pages.len(), found.page_edges.len()));
    }
    lines.join("\n")
}

pub fn knowers(rows: &[KnowerView]) -> String {
    if rows.is_empty() {
        return "Everybody knows of it.".to_owned();
    }
    format!("Known by: {}", rows.iter().map(knower_text).collect::<Vec<_>>().join(", "))
}

pub fn relations(name: &str, rows: &[RelationView]) -> String {
    let row = |row: &RelationView| {
        let (from, to) =
            if row.outgoing { (name, row.other.name.as_str()) } else { (row.other.name.as_str(), name) };
        let channel = row.channel_name.as_ref().map(|name| format!("  #{name}")).unwrap_or_default();
        let time = row.story_time.as_ref().map(|time| format!("  ({})", time.text)).unwrap_or_default();
        format!("{}  {from} -- {} --> {to}{time}{channel}", row.id, row.relation)
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}
