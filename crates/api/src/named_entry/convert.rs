//! Converts named entries to views.

use crate::{
    named_entry::view::NamedEntryView,
    wire::{count, time},
};
use inklings_domain::{conversation::message::estimated_tokens, memory::MemoryEntry, named_entry};

/// Converts a named entry to its view.
pub fn named(entry: &MemoryEntry) -> NamedEntryView {
    let placeholder = named_entry::placeholder(entry);
    NamedEntryView {
        id: entry.id.to_string(),
        name: entry.name.clone().unwrap_or_default(),
        aliases: entry.aliases.clone(),
        scope: entry.scope().into(),
        content: entry.content.clone(),
        placeholder: placeholder.to_owned(),
        standing: !placeholder.is_empty(),
        curator: entry.curator.into(),
        subject: entry.subject.clone(),
        version: count(entry.version),
        tokens: if entry.content.is_empty() { 0 } else { count(estimated_tokens(&entry.content)) },
        created_at: time(entry.created_at),
        edited_at: (entry.version > 1 || !entry.content.is_empty()).then(|| time(entry.updated_at)),
    }
}
