//! Typed events for the page.

use inklings_api::{
    ChangeTopic, Event, Events,
    events::{ImportStep, RunUpdate, TransferStep, TurnUpdate, UpdateStep, VaultStep},
    view::model::DownloadProgress,
};
use inklings_mcp::ChangeNotifier;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::AppHandle;

use crate::tray;

/// Data changed, by this or another process: cached answers about this topic are stale.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct DataChanged {
    /// Subject of the change.
    pub topic: ChangeTopic,
    /// Ids of the journalled changes behind a change of memory, if they are all there is to it; otherwise `null`.
    pub changes: Option<Vec<String>>,
}

/// Progress of a model download.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct ModelProgress(pub DownloadProgress);

/// Progress of the backfill of vectors.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct EmbedProgress {
    /// Entries embedded in this run.
    pub done: u32,
    /// Total entries of this run.
    pub total: u32,
}

/// Progress of an answer of the World Agent.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct TurnProgress(pub TurnUpdate);

/// Progress of an import of conversations.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct ImportProgress(pub ImportStep);

/// Progress of a run of consolidation or persist.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct RunProgress(pub RunUpdate);

/// Progress of an export or import.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct TransferProgress(pub TransferStep);

/// Progress of a scan of a vault.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct VaultProgress(pub VaultStep);

/// Progress of the download of an update.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct UpdateProgress(pub UpdateStep);

/// The system asks something of the first window, which takes it by a command.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct RequestsWaiting;

/// Settings of the shell changed, or what became of them.
#[derive(Debug, Clone, Serialize, Deserialize, Type, tauri_specta::Event)]
pub struct ShellChanged;

/// Sends events to the page of every window.
pub struct WindowEvents {
    app: AppHandle,
    clients: ChangeNotifier,
}

impl WindowEvents {
    /// Sends to the pages of this app and to the clients of its MCP server.
    pub const fn new(app: AppHandle, clients: ChangeNotifier) -> Self {
        Self { app, clients }
    }

    fn emit(&self, event: &(impl tauri_specta::Event + Serialize + Clone)) {
        // An error means that no page is open.
        if let Err(error) = event.emit(&self.app) {
            tracing::debug!(%error, "an event found no page");
        }
    }
}

impl Events for WindowEvents {
    fn send(&self, event: Event) {
        match event {
            Event::DataChanged { topic, changes } => {
                self.clients.notify();
                self.emit(&DataChanged { topic, changes });
                if matches!(topic, ChangeTopic::Settings | ChangeTopic::Workspaces) {
                    tray::refresh(&self.app);
                }
            }
            Event::OtherWorkspaceChanged => self.clients.notify(),
            Event::ModelProgress(progress) => self.emit(&ModelProgress(progress)),
            Event::EmbedProgress { done, total } => self.emit(&EmbedProgress { done, total }),
            Event::TurnProgress(update) => self.emit(&TurnProgress(update)),
            Event::ImportProgress(step) => self.emit(&ImportProgress(step)),
            Event::RunProgress(update) => self.emit(&RunProgress(update)),
            Event::TransferProgress(step) => self.emit(&TransferProgress(step)),
            Event::VaultProgress(step) => self.emit(&VaultProgress(step)),
            Event::UpdateProgress(step) => self.emit(&UpdateProgress(step)),
        }
    }
}
