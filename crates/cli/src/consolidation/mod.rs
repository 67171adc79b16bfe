//! The `inklings consolidate` commands.

pub mod args;
pub mod show;

use crate::consolidation::args::ConsolidateVerb;
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::{App, NoopEvents};
use std::sync::Arc;

pub async fn consolidate(verb: ConsolidateVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ConsolidateVerb::Preview => {
            ready(&app).await?;
            let preview = app.consolidation().preview_consolidation().await?;
            out.note(show::counts(&preview.counts));
            out.answer(&preview, |preview| show::items(&preview.items))
        }
        ConsolidateVerb::Run => {
            ready(&app).await?;
            let run = app.consolidation().consolidate_and_wait(Arc::new(NoopEvents)).await?;
            out.answer(&run, |run| show::runs(std::slice::from_ref(run)))
        }
        ConsolidateVerb::List { limit } => {
            let page = app.consolidation().list_runs(None, limit).await?;
            out.answer(&page, |page| show::runs(&page.rows))
        }
        ConsolidateVerb::Show { run } => {
            out.answer(&*app.consolidation().run_items(&run).await?, show::items)
        }
        ConsolidateVerb::Revert { run } => {
            let reverted = app.consolidation().revert_run(&run).await?;
            for row in &reverted.conflicts {
                out.note(format!("Left as it is, because it was changed since: {}", row.id));
            }
            out.answer(&reverted, |reverted| format!("{} entries are as they were.", reverted.restored))
        }
    }
}

/// Waits for the vectors, because consolidation compares them.
pub(crate) async fn ready(app: &App) -> Result<(), Failure> {
    app.model().load_model().await;
    Ok(app.memory().wait_for_vectors().await?)
}
