//! Prints facts as text.

use crate::output::texts::lines;
use crate::output::texts::minute;
use inklings_api::{
    calendar::story_time::StoryTime,
    fact::view::{FactSource, FactValueView, FactView},
};
use std::fmt::Write as _;

pub fn facts(facts: &[FactView]) -> String {
    lines(facts, |fact| {
        let who = if fact.source == FactSource::User { "you" } else { "agent" };
        let value = if fact.removed_at.is_some() { "(removed)" } else { &fact.value };
        let time = time(fact.story_time.as_ref());
        let mut text =
            format!("{} / {}: {value}{time}  ({who}, {})", fact.category, fact.key, minute(&fact.updated_at));
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
        let time = time(value.story_time.as_ref());
        format!("{}  {} to {until}  {value_text}{time}", value.version, minute(&value.from))
    })
}

fn time(time: Option<&StoryTime>) -> String {
    time.map(|time| format!("  [holds: {}]", time.text)).unwrap_or_default()
}
