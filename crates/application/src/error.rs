//! One error for every use case.

use inklings_domain::{
    channel::ChannelError,
    conversation::{ConversationTransitionError, ref_code::RefCodeExhausted},
    fact::InvalidFact,
    ids::MemoryId,
    memory::{InvalidMemory, MemoryEntry},
    proposal::InvalidProposal,
    provenance::ActorKindNotAdmitted,
    scope::UnknownWord,
    scratchpad::InvalidNote,
    text::TextError,
    workspace::WorkspaceNameError,
};

use crate::{
    client::Denied,
    memory::remember::GuardRefusal,
    model::{chat::ChatError, embedding::EmbedError},
    store_error::StoreError,
};

/// Why a use case did not do what it was asked. Nothing was written when one of these comes back.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// An entry or a change to it broke a rule.
    #[error(transparent)]
    Memory(#[from] InvalidMemory),
    /// A text broke a rule.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A workspace name broke a rule.
    #[error(transparent)]
    WorkspaceName(#[from] WorkspaceNameError),
    /// A channel cannot be changed like that.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// A conversation does not go that way.
    #[error(transparent)]
    Transition(#[from] ConversationTransitionError),
    /// A fact broke a rule.
    #[error(transparent)]
    Fact(#[from] InvalidFact),
    /// A proposal cannot be filed or decided like that.
    #[error(transparent)]
    Proposal(#[from] InvalidProposal),
    /// The agent may not remember that.
    #[error(transparent)]
    Guard(#[from] GuardRefusal),
    /// The client was not granted that.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The workspace's memory is switched off.
    #[error(
        "this workspace's memory is switched off: nothing durable is added until it is switched on again"
    )]
    MemoryOff,
    /// Another run of the task is under way.
    #[error("this is being done already")]
    UnderWay,
    /// It took longer than it may.
    #[error("this took too long; try again in a moment")]
    TimedOut,
    /// A working note broke a rule.
    #[error(transparent)]
    Note(#[from] InvalidNote),
    /// The World Agent is answering already.
    #[error("the World Agent is still answering; wait or stop it first")]
    Answering,
    /// The language model.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// A word that names nothing.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// The interface may not act in that name.
    #[error(transparent)]
    ActorKind(#[from] ActorKindNotAdmitted),
    /// The caller's input makes no sense; says which and why.
    #[error("{message}")]
    Input {
        /// The field at fault.
        field: &'static str,
        /// What is wrong with it, for people.
        message: String,
    },
    /// The entry was changed since the caller read it. Both versions are here.
    #[error("the entry was changed since you read it (you had version {given}, it is now version {})", current.version)]
    Stale {
        /// The entry as it is now.
        current: Box<MemoryEntry>,
        /// The version that the caller had.
        given: u64,
        /// The content that the caller wanted to write, if it wanted to write any.
        yours: Option<String>,
    },
    /// There is no such entry.
    #[error("there is no memory with the id {0}")]
    NoMemory(MemoryId),
    /// There is no such thing.
    #[error("there is no {what} '{name}'")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// The name or id that the caller gave.
        name: String,
    },
    /// Nothing is left to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// What is left to take back was destroyed.
    #[error("nothing is left to undo: what was changed was scrubbed, and cannot be brought back")]
    Scrubbed,
    /// The change was taken back already.
    #[error("this change was already undone")]
    AlreadyUndone,
    /// A line of an import cannot be read; nothing was imported.
    #[error("line {line}: {message}")]
    ImportLine {
        /// Line number from 1.
        line: usize,
        /// What is wrong with it; never its text.
        message: String,
    },
    /// The model.
    #[error(transparent)]
    Embedding(#[from] EmbedError),
    /// No free reference code.
    #[error(transparent)]
    RefCode(#[from] RefCodeExhausted),
    /// The store.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            // Whether a use case or the store was first to see it makes no difference to the caller.
            StoreError::MemoryOff => Self::MemoryOff,
            error => Self::Store(error),
        }
    }
}
