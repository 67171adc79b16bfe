//! News for the page, as typed events.

use inklings_api::{
    Event, Events,
    background::{self, ChangeTopic},
    conversation::{import_view::ImportStep, view},
    schedule::view::RunUpdate,
    transfer::view::TransferStep,
};
use inklings_mcp::ChangeNotifier;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Runtime};

/// Something changed, by whichever process: answers about this topic are out of date.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct DataChanged {
    /// What it was about.
    pub topic: ChangeTopic,
}

/// A download moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct ModelProgress(pub background::DownloadProgress);

/// The backfill of vectors moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct EmbedProgress {
    /// Entries done in this run.
    pub done: u32,
    /// Of how many.
    pub total: u32,
}

/// An answer of the World Agent moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct TurnProgress(pub view::TurnUpdate);

/// An import of conversations moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct ImportProgress(pub ImportStep);

/// A run of consolidation or persist moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct RunProgress(pub RunUpdate);

/// An export or import moved on.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct TransferProgress(pub TransferStep);

/// Sends news to every page of the window.
pub struct WindowEvents<R: Runtime> {
    app: AppHandle<R>,
    clients: ChangeNotifier,
}

impl<R: Runtime> WindowEvents<R> {
    /// News for the pages of this app, and for the clients of its MCP server.
    pub const fn new(app: AppHandle<R>, clients: ChangeNotifier) -> Self {
        Self { app, clients }
    }

    fn emit(&self, event: &(impl tauri_specta::Event + Serialize + Clone)) {
        // An error means that no page is open.
        if let Err(error) = event.emit(&self.app) {
            tracing::debug!(%error, "an event found no page");
        }
    }
}

impl<R: Runtime> Events for WindowEvents<R> {
    fn send(&self, event: Event) {
        match event {
            Event::DataChanged { topic } => {
                self.clients.tell();
                self.emit(&DataChanged { topic });
            }
            Event::ModelProgress(progress) => self.emit(&ModelProgress(progress)),
            Event::EmbedProgress { done, total } => self.emit(&EmbedProgress { done, total }),
            Event::TurnProgress(update) => self.emit(&TurnProgress(update)),
            Event::ImportProgress(step) => self.emit(&ImportProgress(step)),
            Event::RunProgress(update) => self.emit(&RunProgress(update)),
            Event::TransferProgress(step) => self.emit(&TransferProgress(step)),
        }
    }
}
