//! Actors, drafts, entries and change sets in few words.

use std::sync::Arc;

use inklings_domain::{
    change_set::{Action, ChangeSet, MemoryWrite},
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus},
    filter::{Facet, FacetTerm, MemoryFilter, Reach},
    ids::{ChannelId, WorkspaceId},
    memory::{MemoryDraft, MemoryEntry, MemoryPatch, Origin, Stamp},
    provenance::{Actor, Door, Hand},
    ref_code::RefCode,
    scope::{MemoryLifetime, Place},
    workspace::{Workspace, WorkspaceName},
};

use super::clock::{ManualClock, SequentialIds};
use crate::ports::clock::{Clock, IdGenerator};

/// The worldbuilder at the window.
pub fn author() -> Actor {
    Actor::of_door(Door::Window)
}

/// An external agent.
pub fn agent() -> Actor {
    Actor::of_door(Door::Mcp)
}

/// An import through the command line.
pub fn import() -> Actor {
    Actor::new(Hand::Import, Door::Cli, None).expect("the command line admits every hand")
}

/// A background task.
pub fn task() -> Actor {
    Actor::of_door(Door::Task)
}

/// A long-term draft of middling importance by "user".
pub fn draft(place: Place, content: &str) -> MemoryDraft {
    MemoryDraft {
        place,
        lifetime: MemoryLifetime::LongTerm,
        source: "user".into(),
        content: content.into(),
        importance: 0.5,
        tags: Vec::new(),
        origin: None,
    }
}

/// A draft of something imported under an id of its own.
pub fn imported(place: Place, external_id: &str, content: &str) -> MemoryDraft {
    let origin = Origin { external_id: Some(external_id.into()), ..Origin::default() };
    MemoryDraft { origin: Some(origin), ..draft(place, content) }
}

/// A patch of the text alone.
pub fn new_text(content: &str) -> MemoryPatch {
    MemoryPatch { content: Some(content.into()), ..MemoryPatch::default() }
}

/// A patch of the tags alone.
pub fn new_tags(tags: &[&str]) -> MemoryPatch {
    let tags = tags.iter().map(|t| (*t).to_owned()).collect();
    MemoryPatch { tags: Some(tags), ..MemoryPatch::default() }
}

/// A condition on a facet.
pub fn only(facet: Facet, value: &str) -> FacetTerm {
    FacetTerm { facet, value: value.into(), negated: false }
}

/// A condition that excludes a value of a facet.
pub fn except(facet: Facet, value: &str) -> FacetTerm {
    FacetTerm { facet, value: value.into(), negated: true }
}

/// A filter over every tier with these conditions.
pub fn everywhere(terms: Vec<FacetTerm>) -> MemoryFilter {
    MemoryFilter { reach: Reach::EVERYTHING, terms }
}

/// Makes stamps, entries and change sets at the time of its clock with ids of its own. Moves the clock on by one
/// second for each stamp, so that what is written later is later.
#[derive(Debug, Clone, Default)]
pub struct Scribe {
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// Its ids.
    pub ids: Arc<SequentialIds>,
}

impl Scribe {
    /// A scribe on a clock and ids that others use too.
    pub const fn new(clock: Arc<ManualClock>, ids: Arc<SequentialIds>) -> Self {
        Self { clock, ids }
    }

    /// The stamp of a new change, one second after the last.
    pub fn stamp(&self, actor: Actor) -> Stamp {
        Stamp { change: self.ids.change_id(), actor, at: self.clock.tick() }
    }

    /// A new entry with its stamp.
    pub fn entry(&self, draft: MemoryDraft, stamp: Stamp) -> MemoryEntry {
        MemoryEntry::create(self.ids.memory_id(), draft, stamp).expect("a valid draft")
    }

    /// A change that creates entries, and the entries.
    pub fn create(
        &self,
        actor: Actor,
        drafts: impl IntoIterator<Item = MemoryDraft>,
    ) -> (ChangeSet, Vec<MemoryEntry>) {
        let stamp = self.stamp(actor);
        let entries: Vec<MemoryEntry> = drafts.into_iter().map(|d| self.entry(d, stamp)).collect();
        let action = if actor.hand() == Hand::Import { Action::Import } else { Action::Create };
        (change(stamp, action, entries.iter().cloned().map(MemoryWrite::Insert)), entries)
    }

    /// A change that creates entries as they are, whatever the rules of the domain say to them. Only their
    /// change id is set.
    pub fn insert_raw(
        &self,
        actor: Actor,
        entries: impl IntoIterator<Item = MemoryEntry>,
    ) -> (ChangeSet, Vec<MemoryEntry>) {
        let stamp = self.stamp(actor);
        let entries: Vec<MemoryEntry> =
            entries.into_iter().map(|e| MemoryEntry { change: stamp.change, ..e }).collect();
        (change(stamp, Action::Create, entries.iter().cloned().map(MemoryWrite::Insert)), entries)
    }

    /// A change that edits one entry, and the entry after it.
    pub fn edit(&self, actor: Actor, entry: &MemoryEntry, patch: MemoryPatch) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.edited(patch, stamp).expect("a valid patch");
        (change(stamp, Action::Edit, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that forgets one entry, and the entry after it.
    pub fn forget(&self, actor: Actor, entry: &MemoryEntry) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.forgotten("no longer true", stamp).expect("may be forgotten");
        (change(stamp, Action::Forget, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that restores one entry, and the entry after it.
    pub fn restore(&self, actor: Actor, entry: &MemoryEntry) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.restored(stamp).expect("may be restored");
        (change(stamp, Action::Restore, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that makes the entry what it was before, marked as taking `undone` back, and the entry after it.
    pub fn undo(
        &self,
        actor: Actor,
        undone: inklings_domain::ids::ChangeId,
        entry: &MemoryEntry,
        before: &MemoryEntry,
    ) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.reverted_to(before, stamp).expect("something to undo");
        let set = change(stamp, Action::Undo, [MemoryWrite::Update(after.clone())]);
        (ChangeSet { undoes: Some(undone), ..set }, after)
    }

    /// A change that the domain would refuse: what a broken or hostile caller would hand to a store.
    pub fn forced(
        &self,
        actor: Actor,
        entry: &MemoryEntry,
        wreck: impl FnOnce(&mut MemoryEntry),
    ) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let mut after = MemoryEntry {
            version: entry.version + 1,
            written_by: actor.hand(),
            change: stamp.change,
            updated_at: stamp.at,
            ..entry.clone()
        };
        wreck(&mut after);
        (change(stamp, Action::Edit, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A workspace of this name.
    pub fn workspace(&self, name: &str) -> Workspace {
        let name = WorkspaceName::new(name).expect("a valid name");
        Workspace { id: self.ids.workspace_id(), name, created_at: self.clock.now() }
    }

    /// A channel of this name.
    pub fn channel(&self, workspace_id: WorkspaceId, name: &str) -> Channel {
        Channel {
            id: self.ids.channel_id(),
            workspace_id,
            name: ChannelName::new(name).expect("a valid name"),
            description: String::new(),
            is_default: false,
            created_at: self.clock.now(),
        }
    }

    /// An active conversation that begins now.
    pub fn conversation(&self, channel_id: ChannelId) -> Conversation {
        Conversation {
            id: self.ids.conversation_id(),
            ref_code: RefCode::from_bits(self.ids.random_bits()),
            channel_id,
            title: String::new(),
            started_at: self.clock.now(),
            ended_at: None,
            status: ConversationStatus::Active,
        }
    }
}

/// A change set that takes nothing back.
pub fn change(stamp: Stamp, action: Action, writes: impl IntoIterator<Item = MemoryWrite>) -> ChangeSet {
    ChangeSet { stamp, action, undoes: None, writes: writes.into_iter().collect() }
}
