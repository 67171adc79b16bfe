//! Commands of runs.

use inklings_api::view::run::RunView;

use crate::{Answer, Core};

/// Starts a consolidation.
#[specta::specta]
pub async fn run_consolidation(core: Core) -> Answer<RunView> {
    inklings_api::consolidation::run_consolidation(core.app()?, core.events()).await
}
