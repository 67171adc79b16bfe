//! `inklings named`, `orient`, `consolidate`, `proposal`, `schedule`

pub mod args;
mod show;

use std::{io::Read, sync::Arc};

use inklings_api::{
    App, NoopEvents,
    error::{CommandError, ErrorCode},
    views::{
        keeping::{
            Decided, Decision, NamedWritten, NewNamedEntry, OrientRequest, ProposalRequest, ProposalState,
        },
        runs::RunState,
    },
};

use self::args::{ConsolidateVerb, NamedVerb, Orient, ProposalVerb, ScheduleVerb, StateWord, WhichNamed};
pub use self::show::reads;
use crate::{args::Common, failure::Failure, output::Output, store};

pub async fn named(verb: NamedVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let at = async |which: &WhichNamed| app.named_at(&which.name, which.scope.map(Into::into)).await;
    let written: NamedWritten = match verb {
        NamedVerb::List => {
            let entries = app.list_named_entries().await?;
            return out.answer(&entries, || show::named(&entries));
        }
        NamedVerb::Show(which) => {
            let entry = app.named_entry(&which.name, which.scope.map(Into::into)).await?;
            return out.answer(&entry, || show::named_whole(&entry));
        }
        NamedVerb::Remove(which) => {
            let (id, version) = at(&which).await?;
            let change = app.remove_named_entry(&id, version).await?;
            let answer = serde_json::json!({ "removed": which.name, "changeId": change });
            return out.answer(&answer, || "Removed.".to_owned());
        }
        NamedVerb::Write { which, text, version } => {
            let (id, current) = at(&which).await?;
            app.write_named_entry(&id, version.unwrap_or(current), &read(text)?).await?
        }
        NamedVerb::Add { name, scope, text } => {
            let new = NewNamedEntry { scope: scope.into(), name, content: read(text)? };
            app.add_named_entry(new).await?
        }
        NamedVerb::Rename { which, new } => {
            let (id, version) = at(&which).await?;
            app.rename_named_entry(&id, version, &new).await?
        }
        NamedVerb::Alias { which, alias, rebind } => {
            let (id, version) = at(&which).await?;
            app.alias_named_entry(&id, version, &alias, rebind).await?
        }
    };
    out.answer(&written, || show::named(std::slice::from_ref(&written.entry)))
}

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
    out.answer(&view, || show::orientation(&view, orient.explain))
}

pub async fn consolidate(verb: ConsolidateVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ConsolidateVerb::Preview => {
            ready(&app).await?;
            let preview = app.preview_consolidation().await?;
            out.note(show::counts(&preview.counts));
            out.answer(&preview, || show::items(&preview.items))
        }
        ConsolidateVerb::Run => {
            ready(&app).await?;
            let run = app.consolidate_and_wait(Arc::new(NoopEvents)).await?;
            if run.state == RunState::Failed {
                let message = run.error.unwrap_or_else(|| "The run failed.".to_owned());
                return Err(CommandError::new(ErrorCode::Internal, message).into());
            }
            out.answer(&run, || show::runs(std::slice::from_ref(&run)))
        }
        ConsolidateVerb::List { limit } => {
            let page = app.list_runs(None, limit).await?;
            out.answer(&page, || show::runs(&page.rows))
        }
        ConsolidateVerb::Show { run } => {
            let items = app.run_items(&run).await?;
            out.answer(&items, || show::items(&items))
        }
        ConsolidateVerb::Revert { run } => {
            let reverted = app.revert_run(&run).await?;
            for row in &reverted.conflicts {
                out.note(format!("Left as it is, because it was changed since: {}", row.id));
            }
            out.answer(&reverted, || format!("{} entries are as they were.", reverted.restored))
        }
    }
}

/// Consolidation compares vectors: a shell that asks once waits until they are there.
async fn ready(app: &App) -> Result<(), Failure> {
    app.load_model().await;
    Ok(app.wait_for_vectors().await?)
}

pub async fn proposal(verb: ProposalVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let decided = match verb {
        ProposalVerb::List { state, limit } => {
            let state = match state {
                StateWord::Open => Some(ProposalState::Open),
                StateWord::Accepted => Some(ProposalState::Accepted),
                StateWord::Rejected => Some(ProposalState::Rejected),
                StateWord::Superseded => Some(ProposalState::Superseded),
                StateWord::All => None,
            };
            let page = app.list_proposals(ProposalRequest { state, after: None, limit }).await?;
            return out.answer(&page, || show::proposals(&page.rows));
        }
        ProposalVerb::Accept { ids, text, newer, older } => {
            let decision = match (text, newer, older) {
                (Some(text), ..) => Decision::AcceptEdited { content: read(text)? },
                (None, true, _) => Decision::NewerWins,
                (None, _, true) => Decision::OlderWins,
                (None, false, false) => Decision::Accept,
            };
            app.decide_proposals(&ids, decision).await?
        }
        ProposalVerb::Reject { ids } => app.decide_proposals(&ids, Decision::Reject).await?,
    };
    answer_decided(&decided, out)
}

fn answer_decided(decided: &Decided, out: &Output) -> Result<(), Failure> {
    out.answer(decided, || show::proposals(&decided.decided))?;
    match decided.failed.first() {
        None => Ok(()),
        Some(first) => {
            for failed in &decided.failed[1..] {
                out.note(format!("{}: {}", failed.id, failed.message));
            }
            Err(CommandError::new(ErrorCode::Invalid, format!("{}: {}", first.id, first.message)).into())
        }
    }
}

pub async fn schedule(verb: ScheduleVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScheduleVerb::Status => {
            let tasks = app.list_tasks().await?;
            out.answer(&tasks, || show::tasks(&tasks))
        }
        ScheduleVerb::Run { task } => {
            app.load_model().await;
            let view = app.run_task(&task, Arc::new(NoopEvents)).await?;
            out.answer(&view, || show::tasks(std::slice::from_ref(&view)))
        }
    }
}

/// A text as given, or standard input for `-`.
pub fn read(text: String) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text);
    }
    let mut whole = String::new();
    std::io::stdin().read_to_string(&mut whole).map_err(|error| Failure::internal(&error))?;
    Ok(whole)
}
