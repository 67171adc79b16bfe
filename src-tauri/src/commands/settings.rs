//! Settings and the state of the app.

use inklings_api::views::{
    decay::{DecayRates, TierCurve},
    settings::{AppStatus, Settings},
};

use super::{Answer, Core};

/// The state of the app.
#[tauri::command]
#[specta::specta]
pub async fn app_status(core: Core<'_>) -> Answer<AppStatus> {
    core.app()?.app_status().await
}

/// How each tier would retain under these rates.
#[tauri::command]
#[specta::specta]
pub async fn preview_decay(core: Core<'_>, rates: DecayRates) -> Answer<Vec<TierCurve>> {
    core.app()?.preview_decay(rates)
}

/// What the worldbuilder has set.
#[tauri::command]
#[specta::specta]
pub async fn get_settings(core: Core<'_>) -> Answer<Settings> {
    core.app()?.get_settings().await
}

/// Sets everything at once.
#[tauri::command]
#[specta::specta]
pub async fn update_settings(core: Core<'_>, settings: Settings) -> Answer<Settings> {
    core.app()?.update_settings(settings).await
}
