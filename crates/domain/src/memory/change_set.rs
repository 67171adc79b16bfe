//! A change set: everything that one use case writes. A store commits it in one transaction, with its journal row and
//! the replaced versions.

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChangeId, MemoryId, RunId},
    memory::{MemoryEntry, Stamp, switch::MemorySwitch},
    provenance::{ActorKind, Interface},
    scope::words,
};

/// The kind of a change, as shown in histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Creates an entry.
    Create,
    /// Changes text, importance, tags, lifetime or pin.
    Edit,
    /// Forgets an entry.
    Forget,
    /// Restores a forgotten entry.
    Restore,
    /// Moves entries to another tier, channel or conversation.
    Move,
    /// Imports many entries at once.
    Import,
    /// Undoes an earlier change.
    Undo,
    /// Makes an earlier version current again.
    Revert,
    /// Adds a name or an alias to a named entry.
    Name,
    /// Changes made by a consolidation.
    Consolidate,
    /// Persists entries of a conversation that ended.
    Persist,
    /// Applies a proposal that the worldbuilder accepted.
    Accept,
    /// Creates the initial entries of a workspace or account. Undo of the latest change skips it.
    Setup,
}

words!(Action, "action", {
    Create => "create", Edit => "edit", Forget => "forget", Restore => "restore", Move => "move", Import => "import",
    Undo => "undo", Revert => "revert", Name => "name", Consolidate => "consolidate", Persist => "persist", Accept => "accept",
    Setup => "setup",
});

/// The write of one entry in a change.
#[derive(Debug, Clone, PartialEq)]
pub enum MemoryWrite {
    /// A new entry, version 1.
    Insert(MemoryEntry),
    /// The new state of the entry. Refused as stale unless the stored version is `after.version - 1`.
    Update(MemoryEntry),
    /// As [`Self::Update`], and the entry comes to another place of the same database.
    Move(MemoryEntry),
}

impl MemoryWrite {
    /// The new state of the entry.
    pub const fn entry(&self) -> &MemoryEntry {
        match self {
            Self::Insert(entry) | Self::Update(entry) | Self::Move(entry) => entry,
        }
    }
}

/// Everything that one use case writes to one store.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeSet {
    /// Id, actor and time of the change; every written entry carries the same id.
    pub stamp: Stamp,
    /// The kind of change.
    pub action: Action,
    pub undoes: Option<ChangeId>,
    /// State of the memory switch in the workspace that the change comes from. The account's database cannot look it
    /// up.
    pub switch: MemorySwitch,
    /// The writes, at most one per entry.
    pub writes: Vec<MemoryWrite>,
}

/// Position of a change among the changes of the account and of a workspace, used to merge their lists. It rises with
/// every change regardless of the clock: a process's commits come after all changes present in its open databases
/// (ADR 21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeOrder(pub u64);

/// A committed change in the journal. Holds no memory text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    /// Position in the journal of its database.
    pub sequence: u64,
    /// Position among the changes of both databases.
    pub order: ChangeOrder,
    pub change: ChangeId,
    /// The kind of change.
    pub action: Action,
    /// The actor kind that made the change.
    pub actor_kind: ActorKind,
    /// The interface the change came through.
    pub interface: Interface,
    /// The run that the change belongs to.
    pub run: Option<RunId>,
    /// Time of the change.
    pub at: DateTime<Utc>,
    /// Number of entries written.
    pub entries: u64,
    pub undoes: Option<ChangeId>,
    /// The later change that undid this one.
    pub undone_by: Option<ChangeId>,
}

impl JournalRow {
    /// The actor kind to show to people. The initial entries carry the author's actor kind, so that they belong to
    /// the author; they are shown as made by the system.
    pub const fn by(&self) -> ActorKind {
        match self.action {
            Action::Setup => ActorKind::System,
            _ => self.actor_kind,
        }
    }
}

/// One entry's part of a committed change, for undo.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedVersion {
    /// The changed entry.
    pub id: MemoryId,
    /// The version that the change created.
    pub made: u64,
    /// The entry before the change; `None` if the change created it.
    pub before: Option<MemoryEntry>,
}
