//! The error type of all use cases.

mod code;
mod denied;
mod guard_refusal;
mod vault;

use inklings_domain::{
    agent_telemetry::pattern::SuppressedByAuthor,
    channel::ChannelError,
    conversation::{BranchError, ConversationTransitionError, ref_code::RefCodeExhausted},
    drift::InvalidDrift,
    fact::InvalidFact,
    ids::MemoryId,
    memory::{InvalidMemory, MemoryEntry},
    proposal::InvalidProposal,
    provenance::ActorKindNotAdmitted,
    recall_test::InvalidRecallTest,
    scope::UnknownWord,
    scratchpad::InvalidNote,
    search::saved::InvalidSavedSearch,
    text::TextError,
    workspace::WorkspaceNameError,
};
use inklings_ports::{
    model::{chat::ChatError, embedding::EmbedError},
    store_error::StoreError,
    update::UpdateError,
};

pub use self::{
    denied::Denied,
    guard_refusal::{GuardRefusal, Passage},
    vault::VaultError,
};

/// Why a use case failed. Nothing was written if one of these is returned.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// An entry, or a change to one, is invalid.
    #[error(transparent)]
    Memory(#[from] InvalidMemory),
    /// A text is invalid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A workspace name is invalid.
    #[error(transparent)]
    WorkspaceName(#[from] WorkspaceNameError),
    /// The channel cannot be changed like this.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The conversation's status does not allow the transition.
    #[error(transparent)]
    Transition(#[from] ConversationTransitionError),
    /// No branch can begin there.
    #[error(transparent)]
    Branch(#[from] BranchError),
    #[error(transparent)]
    Fact(#[from] InvalidFact),
    /// The contradiction cannot be settled like this.
    #[error(transparent)]
    Drift(#[from] InvalidDrift),
    /// The proposal cannot be filed or decided like this.
    #[error(transparent)]
    Proposal(#[from] InvalidProposal),
    /// The worldbuilder suppressed the pattern.
    #[error(transparent)]
    SuppressedByAuthor(#[from] SuppressedByAuthor),
    #[error(transparent)]
    RecallTest(#[from] InvalidRecallTest),
    /// The search cannot be saved like this.
    #[error(transparent)]
    SavedSearch(#[from] InvalidSavedSearch),
    /// A guard refused the agent's memory.
    #[error(transparent)]
    Guard(#[from] GuardRefusal),
    /// The client lacks the grant.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The workspace's memory is switched off.
    #[error(
        "this workspace's memory is switched off: nothing durable is added until it is switched on again"
    )]
    MemoryOff,
    /// Another run of the task is in progress.
    #[error("this is being done already")]
    UnderWay,
    /// The time limit was exceeded.
    #[error("this took too long; try again in a moment")]
    TimedOut,
    /// A working note is invalid.
    #[error(transparent)]
    Note(#[from] InvalidNote),
    /// The World Agent is already answering.
    #[error("the World Agent is still answering; wait or stop it first")]
    Answering,
    /// The language model failed.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// A word is not a value of its enum.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// The interface may not use this actor kind.
    #[error(transparent)]
    ActorKind(#[from] ActorKindNotAdmitted),
    /// The caller's input is invalid.
    #[error("{message}")]
    Input {
        /// The invalid field.
        field: &'static str,
        /// What is wrong with it, for display.
        message: String,
    },
    /// The entry was changed since the caller read it. Carries both versions.
    #[error("the entry was changed since you read it (you had version {given}, it is now version {})", current.version)]
    Stale {
        current: Box<MemoryEntry>,
        /// The version that the caller had.
        given: u64,
        /// The content that the caller wanted to write, if any.
        yours: Option<String>,
    },
    /// No entry has this id.
    #[error("there is no memory with the id {0}")]
    NoMemory(MemoryId),
    /// The named object does not exist.
    #[error("there is no {what} '{name}'")]
    NotFound {
        /// Kind of the object.
        what: &'static str,
        /// The name or id that the caller gave.
        name: String,
    },
    /// There is no change to undo.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// The changes that could be undone were scrubbed.
    #[error("nothing is left to undo: what was changed was scrubbed, and cannot be brought back")]
    Scrubbed,
    /// The change was already undone.
    #[error("this change was already undone")]
    AlreadyUndone,
    /// A folder cannot be linked or indexed.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// There is no update, or it was not installed.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// A line of an import is invalid; nothing was imported.
    #[error("line {line}: {message}")]
    ImportLine {
        /// Line number, starting at 1.
        line: usize,
        /// What is wrong with it; never contains its text.
        message: String,
    },
    /// The embedding model failed.
    #[error(transparent)]
    Embedding(#[from] EmbedError),
    /// No free reference code was found.
    #[error(transparent)]
    RefCode(#[from] RefCodeExhausted),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            // Callers need not know whether a use case or the store noticed it first.
            StoreError::MemoryOff => Self::MemoryOff,
            error => Self::Store(error),
        }
    }
}
