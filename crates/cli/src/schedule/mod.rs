//! `inklings schedule`

mod args;
mod show;

use crate::{args::Common, failure::Failure, output::Output, store};
use crate::{
    consolidation::args::ConsolidateVerb,
    named_entry::args::{NamedVerb, WhichNamed},
    orientation::args::Orient,
    proposal::args::{ProposalVerb, StateWord},
    schedule::args::ScheduleVerb,
};
use inklings_api::{
    App, NoopEvents,
    error::{CommandError, ErrorCode},
    named_entry::view::{NamedWritten, NewNamedEntry},
    orientation::view::OrientRequest,
    proposal::view::{Decided, Decision, ProposalRequest, ProposalState},
    schedule::view::RunState,
};
use std::{io::Read, sync::Arc};

pub async fn schedule(verb: ScheduleVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScheduleVerb::Status => {
            let tasks = app.list_tasks().await?;
            out.answer(&tasks, || crate::schedule::show::tasks(&tasks))
        }
        ScheduleVerb::Run { task } => {
            app.load_model().await;
            let view = app.run_task(&task, Arc::new(NoopEvents)).await?;
            out.answer(&view, || crate::schedule::show::tasks(std::slice::from_ref(&view)))
        }
    }
}
