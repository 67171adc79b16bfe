//! Commands of named entries.

use inklings_api::named_entry::view::{NamedEntryView, NamedWritten, NewNamedEntry};

use crate::{Answer, Core};

/// All named entries: VOICE and SOUL first.
#[specta::specta]
pub async fn list_named_entries(core: Core) -> Answer<Vec<NamedEntryView>> {
    core.app()?.named_entry().list_named_entries().await
}

/// Adds a named entry.
#[specta::specta]
pub async fn add_named_entry(core: Core, request: NewNamedEntry) -> Answer<NamedWritten> {
    core.app()?.named_entry().add_named_entry(request).await
}

/// Writes a named entry's text, which may be empty.
#[specta::specta]
pub async fn write_named_entry(
    core: Core,
    id: String,
    version: u32,
    content: String,
) -> Answer<NamedWritten> {
    core.app()?.named_entry().write_named_entry(&id, version, &content).await
}

/// Renames a named entry and keeps the old name as an alias.
#[specta::specta]
pub async fn rename_named_entry(core: Core, id: String, version: u32, name: String) -> Answer<NamedWritten> {
    core.app()?.named_entry().rename_named_entry(&id, version, &name).await
}

/// Adds an alias to a named entry.
#[specta::specta]
pub async fn alias_named_entry(
    core: Core,
    id: String,
    version: u32,
    alias: String,
    rebind: bool,
) -> Answer<NamedWritten> {
    core.app()?.named_entry().alias_named_entry(&id, version, &alias, rebind).await
}

/// Removes a named entry with its aliases. Gives the change, for undo.
#[specta::specta]
pub async fn remove_named_entry(core: Core, id: String, version: u32) -> Answer<String> {
    core.app()?.named_entry().remove_named_entry(&id, version).await
}
