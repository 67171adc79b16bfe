//! The `inklings scratchpad` commands.

pub mod args;
pub mod show;

use crate::scratchpad::args::ScratchpadVerb;
use crate::{args::Common, failure::Failure, output::Output, store};
use inklings_api::{App, error::ErrorCode};

pub async fn scratchpad(verb: ScratchpadVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScratchpadVerb::Write { conversation, key, value, ttl, working } => {
            let ttl = ttl.or(working.then_some(App::working_ttl()));
            let note = app.write_scratchpad(&conversation, &key, &value, ttl).await?;
            out.answer(&note, || show::notes(std::slice::from_ref(&note)))
        }
        ScratchpadVerb::Read { conversation, key } => {
            let note = app.read_scratchpad(&conversation, &key).await?;
            let note =
                note.ok_or_else(|| Failure::new(ErrorCode::NotFound, "There is no such working note."))?;
            out.answer(&note, || note.value.clone())
        }
        ScratchpadVerb::List { conversation } => {
            let notes = app.list_scratchpad(Some(&conversation)).await?;
            out.answer(&notes, || show::notes(&notes))
        }
        ScratchpadVerb::Clear { conversation, key, working } => {
            let cleared = app.clear_scratchpad(&conversation, key.as_deref(), working).await?;
            out.answer(&serde_json::json!({ "cleared": cleared }), || format!("{cleared} removed."))
        }
    }
}
