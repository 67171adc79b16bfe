//! Views of the journal, and of the writes of clients that its list shows beside changes of memory.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::vocabulary::{ActorKind, ChangeAction, Interface, Scope, mirror};

/// An entry written by a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedEntry {
    pub id: String,
    /// Name of the entry, if it has one.
    pub name: Option<String>,
    /// The first characters of its current text.
    pub preview: String,
}

/// A change in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JournalView {
    /// Id of the change, for undo.
    pub change_id: String,
    /// The database of the change: account or workspace.
    pub scope: Scope,
    /// Kind of change.
    pub action: ChangeAction,
    /// Actor kind of the change.
    pub actor_kind: ActorKind,
    /// Interface of the change.
    pub interface: Interface,
    /// Id of the run that made the change.
    pub run_id: Option<String>,
    /// Time of the change.
    pub at: String,
    /// Number of entries written.
    pub entries: u32,
    /// One of the written entries; absent if none exists any more or it was not requested.
    #[serde(default)]
    #[specta(optional)]
    pub about: Option<ChangedEntry>,
    /// Id of the change that this one undoes.
    pub undoes: Option<String>,
    /// Id of the change that undid this one.
    pub undone_by: Option<String>,
    /// A write of a client other than memory; only in the list of a client. It is undone with all writes of
    /// the client; `undoneBy` then contains its own id.
    #[serde(default)]
    #[specta(optional)]
    pub wrote: Option<ClientWriteView>,
}

/// A page of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct JournalPage {
    /// Changes, newest first.
    pub rows: Vec<JournalView>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

mirror!(
    /// Kind of a client's write other than memory.
    ClientWriteKind = domain::client::write::WriteKind {
        Fact, Claim, Message, Note, Setting,
    }
);

/// A write of a client other than memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientWriteView {
    pub kind: ClientWriteKind,
    /// Label for users: "category / key" of a fact, or the conversation's title or reference code and the
    /// note's key. Empty if the object does not exist any more.
    pub label: String,
    /// Id of the conversation, for an existing message or scratchpad note.
    pub conversation_id: Option<String>,
}
