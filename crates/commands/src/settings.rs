//! Commands of settings and the app status.

use inklings_api::{
    memory::decay::{DecayRates, TierCurve},
    search::view::SearchSettings,
    settings::view::{AppStatus, DataFolder, Settings},
};

use crate::{Answer, Core};

/// The status of the app.
#[specta::specta]
pub async fn app_status(core: Core) -> Answer<AppStatus> {
    core.app()?.settings().app_status().await
}

/// Opens a folder of the data in the system's file manager.
#[specta::specta]
pub async fn open_folder(core: Core, folder: DataFolder) -> Answer<()> {
    core.app()?.settings().open_folder(folder).await
}

/// Retention curves of each tier for the given rates.
#[specta::specta]
pub async fn preview_decay(core: Core, rates: DecayRates) -> Answer<Vec<TierCurve>> {
    core.app()?.settings().preview_decay(rates)
}

/// The current settings.
#[specta::specta]
pub async fn get_settings(core: Core) -> Answer<Settings> {
    core.app()?.settings().get_settings().await
}

/// Replaces all settings.
#[specta::specta]
pub async fn update_settings(core: Core, settings: Settings) -> Answer<Settings> {
    core.app()?.settings().update_settings(settings).await
}

/// The settings of search.
#[specta::specta]
pub async fn search_settings(core: Core) -> Answer<SearchSettings> {
    core.app()?.settings().search_settings().await
}

/// Chooses the fusion strategy of searches that name none.
#[specta::specta]
pub async fn set_search_strategy(core: Core, strategy: String) -> Answer<SearchSettings> {
    core.app()?.settings().set_search_strategy(&strategy).await
}
