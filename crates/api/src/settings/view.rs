//! Settings, and the state of the app.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{memory::decay::DecayRates, model::view::ModelStatus, workspace::view::WorkspaceView};

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the operating system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Which decay rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DecayPreset {
    /// Slow.
    #[default]
    Steady,
    /// Fast.
    Brisk,
    /// The rates given.
    Custom,
}

/// How memory fades.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecaySettings {
    /// Which rates.
    pub preset: DecayPreset,
    /// The rates in force; with a preset, the preset's.
    pub rates: DecayRates,
    /// Whether time stands still on days on which the workspace is not open.
    pub pause_while_away: bool,
}

/// What the worldbuilder has set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Which colours.
    pub theme: Theme,
    /// How memory fades.
    pub decay: DecaySettings,
    /// True once the offer of the sample world was answered.
    pub sample_dismissed: bool,
}

/// The state of the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppStatus {
    /// This release.
    pub version: String,
    /// The SQLite library in use.
    pub sqlite_version: String,
    /// Where everything is kept.
    pub data_dir: String,
    /// The workspace that is open.
    pub workspace: Option<WorkspaceView>,
    /// The embedding model.
    pub model: ModelStatus,
    /// True if the sample world should be offered.
    pub offer_sample: bool,
    /// True if nothing can be written.
    pub read_only: bool,
    /// Where logs are kept.
    pub log_dir: String,
    /// Parts of the data folder that other users of this computer could open until this start.
    pub narrowed: Vec<String>,
}
