//! What a shell is told while the application works.

use serde::Serialize;

use crate::{
    background::{ChangeTopic, DownloadProgress},
    conversation::{import_view::ImportStep, view::TurnUpdate},
    schedule::view::RunUpdate,
    transfer::view::TransferStep,
};

/// What happened. As JSON it has the name and the payload under which the page hears it.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", content = "payload", rename_all = "kebab-case")]
pub enum Event {
    /// Something changed, by whichever process: answers about this topic are out of date.
    DataChanged {
        /// What it was about.
        topic: ChangeTopic,
    },
    /// A download moved on.
    ModelProgress(DownloadProgress),
    /// The backfill of vectors moved on.
    EmbedProgress {
        /// Entries done in this run.
        done: u32,
        /// Of how many.
        total: u32,
    },
    /// An answer of the World Agent moved on.
    TurnProgress(TurnUpdate),
    /// An import of conversations moved on.
    ImportProgress(ImportStep),
    /// A run of consolidation or persist moved on.
    RunProgress(RunUpdate),
    /// An export or import of memory moved on.
    TransferProgress(TransferStep),
}

/// Receives events. The window passes them on to the page.
pub trait Events: Send + Sync {
    /// Must not block: it is called in the middle of the work.
    fn send(&self, event: Event);
}

/// For callers that only wait for the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopEvents;

impl Events for NoopEvents {
    fn send(&self, _: Event) {}
}
