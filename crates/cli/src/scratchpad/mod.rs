//! The `inklings scratchpad` commands.

pub mod args;
pub mod show;

use crate::scratchpad::args::ScratchpadVerb;
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::{commands::ScratchpadCommands, error::ErrorCode};

pub async fn scratchpad(verb: ScratchpadVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScratchpadVerb::Write { conversation, key, value, ttl, working } => {
            let ttl = ttl.or(working.then_some(ScratchpadCommands::working_ttl()));
            let note = app.scratchpad().write_scratchpad(&conversation, &key, &value, ttl).await?;
            out.answer(&note, |note| show::notes(std::slice::from_ref(note)))
        }
        ScratchpadVerb::Read { conversation, key } => {
            let note = app.scratchpad().read_scratchpad(&conversation, &key).await?;
            let note =
                note.ok_or_else(|| Failure::new(ErrorCode::NotFound, "There is no such working note."))?;
            out.answer(&note, |note| note.value.clone())
        }
        ScratchpadVerb::List { conversation } => {
            out.answer(&*app.scratchpad().list_scratchpad(Some(&conversation)).await?, show::notes)
        }
        ScratchpadVerb::Clear { conversation, key, working } => {
            let cleared = app.scratchpad().clear_scratchpad(&conversation, key.as_deref(), working).await?;
            out.answer(&serde_json::json!({ "cleared": cleared }), |_| format!("{cleared} removed."))
        }
    }
}
