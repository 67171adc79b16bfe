//! Prints facts as text.

use crate::{
    output::texts::{lines, minute},
    shared_args::knower_text,
};
use inklings_api::{
    fact::view::{FactSource, FactValueView, FactView},
    view::{lens::KnowerView, story_time::StoryTime},
};
use std::fmt::Write as _;

pub fn facts(facts: &[FactView]) -> String {
    lines(facts, |fact| {
        let who = if fact.source == FactSource::User { "you" } else { "agent" };
        let value = if fact.removed_at.is_some() { "(removed)" } else { &fact.value };
        let more = time(fact.story_time.as_ref()) + &known_by(&fact.known_by);
        let mut text =
            format!("{} / {}: {value}{more}  ({who}, {})", fact.category, fact.key, minute(&fact.updated_at));
        for claim in &fact.claims {
            let _ = write!(text, "\n    claim {}: {}", claim.id, claim.value);
        }
        text
    })
}

pub fn values(values: &[FactValueView]) -> String {
    lines(values, |value| {
        let until = value.until.as_ref().map_or_else(|| "now".to_owned(), |at| minute(at));
        let value_text = if value.removed { "(removed)" } else { &value.value };
        let more = time(value.story_time.as_ref()) + &known_by(&value.known_by);
        format!("{}  {} to {until}  {value_text}{more}", value.version, minute(&value.from))
    })
}

fn time(time: Option<&StoryTime>) -> String {
    time.map(|time| format!("  [holds: {}]", time.text)).unwrap_or_default()
}

fn known_by(knowers: &[KnowerView]) -> String {
    if knowers.is_empty() {
        return String::new();
    }
    let names: Vec<String> = knowers.iter().map(knower_text).collect();
    format!("  [known by: {}]", names.join(", "))
}
