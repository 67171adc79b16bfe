//! The `inklings drift` commands.

pub mod args;
pub mod show;

use crate::drift::args::{Decision, DriftVerb, SettleArgs, StateWord};
use crate::{
    failure::Failure,
    output::{Output, texts::read},
    shared_args::{Common, knower},
    store,
};
use inklings_api::drift::view::{DriftRequest, DriftSettlement, DriftState};

pub async fn drift(verb: DriftVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        DriftVerb::List { state, limit, after } => {
            let state = match state {
                StateWord::Open => Some(DriftState::Open),
                StateWord::Settled => Some(DriftState::Settled),
                StateWord::Superseded => Some(DriftState::Superseded),
                StateWord::All => None,
            };
            out.answer(&app.drift().list_drifts(DriftRequest { state, after, limit }).await?, show::page)
        }
        DriftVerb::Settle(args) => {
            let id = args.id.clone();
            let settled = app.drift().settle_drift(&id, settlement(args)?).await?;
            out.answer(&settled, |settled| show::drifts(std::slice::from_ref(settled)))
        }
    }
}

fn settlement(args: SettleArgs) -> Result<DriftSettlement, Failure> {
    Ok(match args.decision {
        Decision::CanonStands => DriftSettlement::CanonStands,
        Decision::CanonChanges => DriftSettlement::CanonChanges { text: args.text.map(read).transpose()? },
        Decision::Both => DriftSettlement::Both {
            canon: args.canon_holds,
            statement: args.statement_holds,
            calendar: args.calendar,
        },
        Decision::Belief => {
            DriftSettlement::Belief { knowers: args.known_by.iter().map(|name| knower(name)).collect() }
        }
        Decision::Dismiss => DriftSettlement::Dismiss,
        Decision::DeriveAgain => DriftSettlement::DeriveAgain,
    })
}
