//! Settings and the state of the app.

use inklings_api::{
    memory::decay::{DecayRates, TierCurve},
    settings::view::{AppStatus, Settings},
};

use crate::{Answer, Core};

/// The state of the app.
#[specta::specta]
pub async fn app_status(core: Core) -> Answer<AppStatus> {
    core.app()?.app_status().await
}

/// How each tier would retain under these rates.
#[specta::specta]
pub async fn preview_decay(core: Core, rates: DecayRates) -> Answer<Vec<TierCurve>> {
    core.app()?.preview_decay(rates)
}

/// What the worldbuilder has set.
#[specta::specta]
pub async fn get_settings(core: Core) -> Answer<Settings> {
    core.app()?.get_settings().await
}

/// Sets everything at once.
#[specta::specta]
pub async fn update_settings(core: Core, settings: Settings) -> Answer<Settings> {
    core.app()?.update_settings(settings).await
}
