//! Views of settings and of the app status.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{memory::decay::DecayRates, view::model::ModelStatus, workspace::view::WorkspaceView};

/// Colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Follows the operating system.
    #[default]
    System,
    Light,
    Dark,
}

/// Preset of decay rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DecayPreset {
    /// Slow decay.
    #[default]
    Steady,
    /// Fast decay.
    Brisk,
    /// Rates set by the worldbuilder.
    Custom,
}

/// Settings of memory decay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecaySettings {
    /// The chosen preset.
    pub preset: DecayPreset,
    /// The effective rates; with a preset, those of the preset.
    pub rates: DecayRates,
    /// True to stop decay on days on which the workspace is not open.
    pub pause_while_away: bool,
    /// True if what the worldbuilder wrote fades too.
    #[serde(default)]
    pub authors_fade: bool,
}

/// All settings of the worldbuilder.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Colour theme.
    pub theme: Theme,
    /// Settings of memory decay.
    pub decay: DecaySettings,
    /// True once the offer of the sample world was answered.
    pub sample_dismissed: bool,
}

/// A folder of the worldbuilder's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DataFolder {
    /// All data.
    Data,
    /// The logs of the window.
    Logs,
    Backups,
}

/// Status of the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppStatus {
    /// Version of this release.
    pub version: String,
    /// Version of the SQLite library.
    pub sqlite_version: String,
    /// Path of the data folder.
    pub data_dir: String,
    /// The open workspace.
    pub workspace: Option<WorkspaceView>,
    /// Status of the embedding model.
    pub model: ModelStatus,
    /// True if the sample world should be offered.
    pub offer_sample: bool,
    /// True if the data folder is read-only.
    pub read_only: bool,
    /// Path of the log folder.
    pub log_dir: String,
    /// Parts of the data folder that other users of this computer could read until this start.
    pub narrowed: Vec<String>,
}
