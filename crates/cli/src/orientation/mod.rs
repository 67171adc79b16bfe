//! `inklings orient`

mod args;
mod show;

use crate::consolidation::ready;
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

pub async fn orient(orient: Orient, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let channel_id = match &orient.channel {
        Some(name) => Some(app.channel_id(name).await?),
        None => None,
    };
    if orient.query.trim().is_empty() {
        // What was said last is the query: whatever it is, the answer is the one that the agent would get.
        ready(&app).await?;
    } else {
        app.prepare_search(&orient.query).await?;
    }
    let request = OrientRequest {
        conversation: orient.conversation,
        channel_id,
        query: orient.query,
        budget: orient.budget,
    };
    let view = app.orient(request).await?;
    out.answer(&view, || crate::orientation::show::orientation(&view, orient.explain))
}
