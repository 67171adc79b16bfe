//! The `inklings proposal` commands.

pub mod args;
pub mod show;

use crate::output::texts::read;
use crate::proposal::args::{ProposalVerb, StateWord};
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::{
    error::{CommandError, ErrorCode},
    proposal::view::{Decided, Decision, ProposalRequest, ProposalState},
};

pub async fn proposal(verb: ProposalVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let decided = match verb {
        ProposalVerb::List { state, limit, after } => {
            let state = match state {
                StateWord::Open => Some(ProposalState::Open),
                StateWord::Accepted => Some(ProposalState::Accepted),
                StateWord::Rejected => Some(ProposalState::Rejected),
                StateWord::Superseded => Some(ProposalState::Superseded),
                StateWord::All => None,
            };
            let page = app.proposal().list_proposals(ProposalRequest { state, after, limit }).await?;
            if let Some(next) = &page.next {
                out.note(format!("More: --after {next}"));
            }
            return out.answer(&page, |page| show::proposals(&page.rows));
        }
        ProposalVerb::Accept { ids, text, newer, older } => {
            let decision = match (text, newer, older) {
                (Some(text), ..) => Decision::AcceptEdited { content: read(text)? },
                (None, true, _) => Decision::NewerWins,
                (None, _, true) => Decision::OlderWins,
                (None, false, false) => Decision::Accept,
            };
            app.proposal().decide_proposals(&ids, decision).await?
        }
        ProposalVerb::Reject { ids } => app.proposal().decide_proposals(&ids, Decision::Reject).await?,
    };
    answer_decided(&decided, out)
}

pub(crate) fn answer_decided(decided: &Decided, out: &Output) -> Result<(), Failure> {
    out.answer(decided, |_| show::proposals(&decided.decided))?;
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
