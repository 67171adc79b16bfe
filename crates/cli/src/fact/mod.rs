//! The `inklings fact` commands.

pub mod args;
pub mod show;

use crate::fact::args::{Decision, FactVerb};
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::conversation::view::{FactList, FactView};

pub async fn fact(verb: FactVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let fact: FactView = match verb {
        FactVerb::Set { category, key, value, conversation, curator } => {
            let set =
                app.fact().set_fact(&category, &key, &value, conversation.as_deref(), curator.into()).await?;
            if set.claimed {
                out.note("Your own word stands; this is kept as a claim for you to settle.");
            }
            return out.answer(&set, || show::facts(std::slice::from_ref(&set.fact)));
        }
        FactVerb::List { category, as_of, limit, after } => {
            let page = app.fact().list_facts(FactList { category, as_of, after, limit }).await?;
            return out.answer(&page, || show::facts(&page.rows));
        }
        FactVerb::History { category, key } => {
            let fact = app.fact().get_fact(&category, &key).await?;
            let values = app.fact().fact_history(&fact.id).await?;
            return out.answer(&values, || show::values(&values));
        }
        FactVerb::Get { category, key } => app.fact().get_fact(&category, &key).await?,
        FactVerb::Remove { category, key } => {
            app.fact().remove_fact(&app.fact().get_fact(&category, &key).await?.id).await?
        }
        FactVerb::Settle { claim, decision } => {
            app.fact().settle_claim(&claim, decision == Decision::Accept).await?
        }
    };
    out.answer(&fact, || show::facts(std::slice::from_ref(&fact)))
}
