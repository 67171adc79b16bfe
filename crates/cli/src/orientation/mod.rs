//! The `inklings orient` command.

pub mod args;
pub mod show;

use crate::consolidation::ready;
use crate::orientation::args::Orient;
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::orientation::view::{OrientRequest, WhyRequest};

pub async fn orient(orient: Orient, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let channel_id = match &orient.channel {
        Some(name) => Some(app.channel().channel_id(name).await?),
        None => None,
    };
    if orient.query.trim().is_empty() {
        // The query of the ledger or the last message is the query, so the vectors are needed for the same result as in a turn.
        ready(&app).await?;
    } else {
        app.memory().prepare_search(&orient.query).await?;
    }
    let request = OrientRequest {
        conversation: orient.conversation,
        channel_id,
        query: orient.query,
        budget: orient.budget,
        lens: orient.lens.spec(),
    };
    if let Some(id) = orient.why {
        let why = WhyRequest { id, orientation_id: orient.orientation, orient: request };
        return out.answer(&app.orientation().why_orientation(why).await?, show::why);
    }
    let view = app.orientation().orient(request).await?;
    out.answer(&view, |view| show::orientation(view, orient.explain))
}
