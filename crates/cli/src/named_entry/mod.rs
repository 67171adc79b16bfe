//! The `inklings named` commands.

pub mod args;
pub mod show;

use crate::named_entry::args::{NamedVerb, WhichNamed};
use crate::output::texts::read;
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::named_entry::view::{NamedWritten, NewNamedEntry};

pub async fn named(verb: NamedVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let at =
        async |which: &WhichNamed| app.named_entry().named_at(&which.name, which.scope.map(Into::into)).await;
    let written: NamedWritten = match verb {
        NamedVerb::List => {
            return out.answer(&*app.named_entry().list_named_entries().await?, show::named);
        }
        NamedVerb::Show(which) => {
            return out.answer(
                &app.named_entry().named_entry(&which.name, which.scope.map(Into::into)).await?,
                show::named_whole,
            );
        }
        NamedVerb::Remove(which) => {
            let (id, version) = at(&which).await?;
            let change = app.named_entry().remove_named_entry(&id, version).await?;
            let answer = serde_json::json!({ "removed": which.name, "changeId": change });
            return out.answer(&answer, |_| "Removed.".to_owned());
        }
        NamedVerb::Write { which, text, version } => {
            let (id, current) = at(&which).await?;
            app.named_entry().write_named_entry(&id, version.unwrap_or(current), &read(text)?).await?
        }
        NamedVerb::Add { name, scope, text } => {
            let new = NewNamedEntry { scope: scope.into(), name, content: read(text)? };
            app.named_entry().add_named_entry(new).await?
        }
        NamedVerb::Rename { which, new } => {
            let (id, version) = at(&which).await?;
            app.named_entry().rename_named_entry(&id, version, &new).await?
        }
        NamedVerb::Alias { which, alias, rebind } => {
            let (id, version) = at(&which).await?;
            app.named_entry().alias_named_entry(&id, version, &alias, rebind).await?
        }
    };
    out.answer(&written, |written| show::named(std::slice::from_ref(&written.entry)))
}
