//! A change set: everything one use case writes, committed by a store in one transaction together with its
//! journal row and the versions it replaced.

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChangeId, MemoryId, RunId},
    memory::{MemoryEntry, Stamp, switch::MemorySwitch},
    provenance::{ActorKind, Interface},
    scope::words,
};

/// What kind of change it is; shown in histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A new entry.
    Create,
    /// New text, importance, tags, lifetime or pin.
    Edit,
    /// Taken out of use.
    Forget,
    /// Brought back into use.
    Restore,
    /// Many entries brought in at once.
    Import,
    /// An earlier change taken back.
    Undo,
    /// An earlier version made current again.
    Revert,
    /// A name or an alias given to a named entry.
    Name,
    /// A part of a consolidation.
    Consolidate,
    /// What a conversation that ended left behind.
    Persist,
    /// A proposal that the worldbuilder accepted.
    Accept,
    /// What every workspace and account begins with. Undoing one's latest change never takes it back.
    Setup,
}

words!(Action, "action", {
    Create => "create", Edit => "edit", Forget => "forget", Restore => "restore", Import => "import",
    Undo => "undo", Revert => "revert", Name => "name", Consolidate => "consolidate", Persist => "persist", Accept => "accept",
    Setup => "setup",
});

/// One entry's part of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum MemoryWrite {
    /// A new entry, version 1.
    Insert(MemoryEntry),
    /// The entry as it shall be. Refused as stale unless the stored version is `after.version - 1`.
    Update(MemoryEntry),
}

impl MemoryWrite {
    /// The entry as it shall be.
    pub const fn entry(&self) -> &MemoryEntry {
        match self {
            Self::Insert(entry) | Self::Update(entry) => entry,
        }
    }
}

/// Everything that one use case writes to one store.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeSet {
    /// Id, author and time of the change; every written entry carries the same id.
    pub stamp: Stamp,
    /// What kind of change it is.
    pub action: Action,
    /// The change that this one takes back.
    pub undoes: Option<ChangeId>,
    /// How the memory switch of the workspace stands from which the change comes. The account's file cannot look it up.
    pub switch: MemorySwitch,
    /// The writes. Each entry at most once.
    pub writes: Vec<MemoryWrite>,
}

/// Place of a change among those of the account and of a workspace. Rises with every change, whatever the clock says: what a
/// process commits comes after everything that stood in the databases that it has open (ADR 21). Lists of changes of two
/// databases are merged by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeOrder(pub u64);

/// A committed change as the journal keeps it. Holds no memory text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    /// Position in the journal of its database.
    pub sequence: u64,
    /// Place among the changes of both databases.
    pub order: ChangeOrder,
    /// The change.
    pub change: ChangeId,
    /// What kind of change.
    pub action: Action,
    /// In whose name.
    pub actor_kind: ActorKind,
    /// Through which interface.
    pub interface: Interface,
    /// As part of which run.
    pub run: Option<RunId>,
    /// When.
    pub at: DateTime<Utc>,
    /// How many entries it wrote.
    pub entries: u64,
    /// The change that this one takes back.
    pub undoes: Option<ChangeId>,
    /// The later change that took this one back.
    pub undone_by: Option<ChangeId>,
}

impl JournalRow {
    /// Whose doing it was, for people. What every workspace begins with is written in the author's name, so that it is the
    /// author's; they did not do it.
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
    /// Which entry.
    pub id: MemoryId,
    /// The version that the change made.
    pub made: u64,
    /// The entry as it was before; `None` if the change created it.
    pub before: Option<MemoryEntry>,
}
