//! Commands of settings.

use inklings_api::memory::decay::{DecayRates, TierCurve};

use crate::{Answer, Core};

/// Retention curves of each tier for the given rates.
#[specta::specta]
pub async fn preview_decay(core: Core, rates: DecayRates) -> Answer<Vec<TierCurve>> {
    core.app()?.settings().preview_decay(rates)
}
