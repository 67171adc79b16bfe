//! The guard of text sources in an [`InMemoryDatabase`](super::memory_store::InMemoryDatabase).

use inklings_domain::{
    change_set::ChangeSet,
    ids::MemoryId,
    memory::MemoryEntry,
    text_source::{keeps_sources, merge_keeps_sources},
};

/// The entry that a write merges this one into.
pub(super) fn newly_merged_into(before: Option<&MemoryEntry>, after: &MemoryEntry) -> Option<MemoryId> {
    after.consolidated_into.filter(|into| before.is_none_or(|before| before.consolidated_into != Some(*into)))
}

/// True if a write loses no source of a text: neither of the entry's own nor of one that it is merged into.
pub(super) fn sources_are_kept(
    change: &ChangeSet,
    before: Option<&MemoryEntry>,
    after: &MemoryEntry,
    merged_into: Option<&MemoryEntry>,
    earlier: impl Iterator<Item = MemoryEntry>,
) -> bool {
    keeps_sources(before, after, change.action, change.stamp.actor, earlier)
        && merged_into.is_none_or(|made| made.version != 1 || merge_keeps_sources(after, made))
}
