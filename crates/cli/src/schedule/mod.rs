//! The `inklings schedule` commands.

pub mod args;
pub mod show;

use crate::schedule::args::ScheduleVerb;
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::NoopEvents;
use std::sync::Arc;

pub async fn schedule(verb: ScheduleVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScheduleVerb::Status => out.answer(&*app.schedule().list_tasks().await?, show::tasks),
        ScheduleVerb::Run { task } => {
            app.model().load_model().await;
            let view = app.schedule().run_task(&task, Arc::new(NoopEvents)).await?;
            out.answer(&view, |view| show::tasks(std::slice::from_ref(view)))
        }
    }
}
