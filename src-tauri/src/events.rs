//! News for the page, as typed events.

use inklings_api::{
    Events,
    background::{self, ChangeTopic},
    views::{conversation_import::ImportStep, doors_transfer::TransferStep, runs::RunUpdate, talk},
};
use inklings_mcp::News;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Runtime};
use tauri_specta::Event;

/// Something changed, by whichever process: answers about this topic are out of date.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct DataChanged {
    /// What it was about.
    pub topic: ChangeTopic,
}

/// A download moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct ModelProgress(pub background::DownloadProgress);

/// The backfill of vectors moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct EmbedProgress {
    /// Entries done in this run.
    pub done: u32,
    /// Of how many.
    pub total: u32,
}

/// An answer of the World Agent moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct TurnProgress(pub talk::TurnUpdate);

/// An import of conversations moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct ImportProgress(pub ImportStep);

/// A run of consolidation or persist moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct RunProgress(pub RunUpdate);

/// An export or import moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct TransferProgress(pub TransferStep);

/// Sends news to every page of the window.
pub struct WindowEvents<R: Runtime> {
    app: AppHandle<R>,
    clients: News,
}

impl<R: Runtime> WindowEvents<R> {
    /// News for the pages of this app, and for the clients of its MCP door.
    pub const fn new(app: AppHandle<R>, clients: News) -> Self {
        Self { app, clients }
    }

    fn send(&self, event: &(impl Event + Serialize + Clone)) {
        // A page that is gone hears nothing; there is nobody to tell.
        if let Err(error) = event.emit(&self.app) {
            tracing::debug!(%error, "an event found no page");
        }
    }
}

impl<R: Runtime> Events for WindowEvents<R> {
    fn data_changed(&self, topic: ChangeTopic) {
        self.clients.tell();
        self.send(&DataChanged { topic });
    }

    fn model_progress(&self, progress: background::DownloadProgress) {
        self.send(&ModelProgress(progress));
    }

    fn import_progress(&self, step: ImportStep) {
        self.send(&ImportProgress(step));
    }

    fn turn_progress(&self, progress: talk::TurnUpdate) {
        self.send(&TurnProgress(progress));
    }

    fn run_progress(&self, update: RunUpdate) {
        self.send(&RunProgress(update));
    }

    fn transfer_progress(&self, step: TransferStep) {
        self.send(&TransferProgress(step));
    }

    fn embed_progress(&self, done: u32, total: u32) {
        self.send(&EmbedProgress { done, total });
    }
}
