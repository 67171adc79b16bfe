//! Reports the progress of a run as events.

use std::sync::Arc;

use inklings_application::consolidation::RunSink;
use inklings_domain::consolidation::run::Run;
use tokio_util::sync::CancellationToken;

use crate::{Event, Events, events::RunUpdate, schedule::convert};

/// Forwards the progress of a run.
pub(crate) struct Listener {
    pub(crate) events: Arc<dyn Events>,
    pub(crate) stop: CancellationToken,
}

impl RunSink for Listener {
    fn progress(&self, run: &Run, stage: &'static str) {
        self.events.send(Event::RunProgress(RunUpdate { run: convert::run(run), stage: stage.to_owned() }));
    }

    fn cancelled(&self) -> bool {
        self.stop.is_cancelled()
    }
}
