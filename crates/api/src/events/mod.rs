//! Events that the application sends to a shell.

mod progress;

use inklings_ports::workspace::settings::Topic;
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::progress::{ImportStep, RunUpdate, TransferStep, TurnStep, TurnUpdate, UpdateStep, VaultStep};
use crate::{view::model::DownloadProgress, vocabulary::mirror};

mirror!(
    /// The subject of a change. Readers with cached answers reload on it.
    ChangeTopic = Topic {
        /// Entries, their history, or their access counts.
        Memories,
        /// Channels or conversations.
        Channels,
        /// Messages, episodes, facts or scratchpad notes.
        Transcript,
        /// The list of workspaces, or which one is in use.
        Workspaces,
        Settings,
        /// Vectors or models.
        Models,
        Proposals,
        /// Runs or tasks.
        Runs,
        /// Orientations of the World Agent.
        Orientations,
        /// Recall tests of the worldbuilder.
        RecallTests,
        /// Clients and their permissions.
        Clients,
        /// Linked vaults and their pages.
        Pages,
        /// What agents did.
        AgentTelemetry,
    }
);

/// An event. Its JSON form has the name and the payload that the page receives.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", content = "payload", rename_all = "kebab-case")]
pub enum Event {
    /// Data changed, by this or another process: cached answers about this topic are stale.
    DataChanged {
        /// Subject of the change.
        topic: ChangeTopic,
        /// Ids of the journalled changes behind a change of memory, if they are all there is to it; otherwise `None`.
        changes: Option<Vec<String>>,
    },
    /// Data changed in a workspace that only clients use. For their subscriptions; no page shows it.
    OtherWorkspaceChanged,
    ModelProgress(DownloadProgress),
    /// Progress of the backfill of vectors.
    EmbedProgress {
        /// Entries embedded in this run.
        done: u32,
        /// Total entries of this run.
        total: u32,
    },
    /// Progress of an answer of the World Agent.
    TurnProgress(TurnUpdate),
    /// Progress of an import of conversations.
    ImportProgress(ImportStep),
    /// Progress of a run of consolidation or persist.
    RunProgress(RunUpdate),
    /// Progress of an export or import of memory.
    TransferProgress(TransferStep),
    /// Progress of a scan of a vault.
    VaultProgress(VaultStep),
    /// Progress of the download of an update.
    UpdateProgress(UpdateStep),
}

impl Event {
    /// Everything about a subject may have changed.
    pub const fn changed(topic: ChangeTopic) -> Self {
        Self::DataChanged { topic, changes: None }
    }
}

/// Receives events. The window forwards them to the page.
pub trait Events: Send + Sync {
    /// Sends an event. Must not block, because it is called during the work.
    fn send(&self, event: Event);
}

/// Discards all events, for callers that only wait for the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopEvents;

impl Events for NoopEvents {
    fn send(&self, _: Event) {}
}
