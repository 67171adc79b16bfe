//! The `inklings fact` commands.

pub mod args;
pub mod show;

use crate::fact::args::{Decision, FactVerb, KeyArgs};
use crate::{
    failure::Failure,
    output::Output,
    shared_args::{Common, knower},
    store,
};
use inklings_api::{
    fact::view::{FactList, FactOfKey, FactView, NewFact},
    view::lens::KnowerSpec,
};

impl KeyArgs {
    fn wanted(&self) -> FactOfKey<'_> {
        FactOfKey {
            category: &self.category,
            key: &self.key,
            within: self.at.within.as_deref(),
            calendar: self.at.calendar.as_deref(),
        }
    }
}

pub async fn fact(verb: FactVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let facts = app.fact();
    let fact: FactView = match verb {
        FactVerb::Set(new) => {
            let curator = new.curator;
            let new = NewFact {
                category: new.category,
                key: new.key,
                value: new.value,
                conversation: new.conversation,
                holds: new.holds,
                calendar: new.calendar,
            };
            let set = facts.set_fact(&new, curator.into()).await?;
            if set.claimed {
                out.note("Your own word stands; this is kept as a claim for you to settle.");
            }
            return out.answer(&set, |set| show::facts(std::slice::from_ref(&set.fact)));
        }
        FactVerb::SetTime { fact, dates, curator } => {
            let id = facts.get_fact(fact.wanted()).await?.id;
            facts.set_fact_time(&id, &dates, fact.at.calendar.as_deref(), curator.into()).await?
        }
        FactVerb::KnownBy { category, key, names, everybody, at } => {
            let found = facts.get_fact(KeyArgs { category, key, at }.wanted()).await?;
            if names.is_empty() && !everybody {
                return out.answer(&found, |found| show::facts(std::slice::from_ref(found)));
            }
            let id = found.id;
            let knowers: Vec<KnowerSpec> = names.iter().map(|name| knower(name)).collect();
            facts.set_fact_known_by(&id, &knowers).await?
        }
        FactVerb::List { category, as_of, within, calendar, lens, limit, after } => {
            let lens = lens.spec();
            let request = FactList { category, as_of, within, calendar, lens, after, limit };
            let page = facts.list_facts(request).await?;
            return out.answer(&page, |page| show::facts(&page.rows));
        }
        FactVerb::History(fact) => {
            let fact = facts.get_fact(fact.wanted()).await?;
            return out.answer(&*facts.fact_history(&fact.id).await?, show::values);
        }
        FactVerb::Get(fact) => {
            return out.answer(&*facts.facts_of_key(fact.wanted()).await?, show::facts);
        }
        FactVerb::Remove(fact) => facts.remove_fact(&facts.get_fact(fact.wanted()).await?.id).await?,
        FactVerb::Settle { claim, decision } => {
            facts.settle_claim(&claim, decision == Decision::Accept).await?
        }
    };
    out.answer(&fact, |fact| show::facts(std::slice::from_ref(fact)))
}
