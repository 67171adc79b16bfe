//! Progress of what takes long.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::view::run::RunView;

/// Step of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TurnStep {
    /// The request was sent to the model.
    Started,
    /// More text arrived.
    Text,
    /// A tool returned its result.
    Tool,
    /// The answer is complete.
    Done,
    /// The worldbuilder stopped it.
    Cancelled,
    /// It stopped with an error.
    Failed,
}

/// Progress of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnUpdate {
    pub conversation_id: String,
    /// Id of the message concerned.
    pub message_id: Option<String>,
    pub step: TurnStep,
    /// The new part of the text.
    pub text: Option<String>,
    /// Characters received so far, including this part.
    pub length: u32,
    /// Error message for users.
    pub error: Option<String>,
}

/// Progress of an import of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportStep {
    /// Bytes read so far.
    #[specta(type = Number)]
    pub read_bytes: f64,
    #[specta(type = Number)]
    pub total_bytes: f64,
    /// Conversations read so far.
    pub conversations: u32,
}

/// Progress of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunUpdate {
    /// Current state of the run.
    pub run: RunView,
    /// Current stage, for users.
    pub stage: String,
}

/// Progress of an export in rows, or of an import in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TransferStep {
    /// Completed so far.
    #[specta(type = Number)]
    pub done: f64,
    #[specta(type = Number)]
    pub total: f64,
    /// Current part.
    pub what: String,
}

/// Progress of a scan of a vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct VaultStep {
    pub vault_id: String,
    /// Files that are done: each is read, then indexed.
    pub done: u32,
    /// Files to do.
    pub total: u32,
}

/// Progress of the download of an update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStep {
    /// Bytes downloaded so far.
    #[specta(type = Number)]
    pub downloaded: f64,
    /// Total bytes; 0 if unknown.
    #[specta(type = Number)]
    pub total: f64,
}
