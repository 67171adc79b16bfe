//! Status claims of imported rows, and which existing entries a file may update without a pick.

use inklings_domain::{
    conversation::message::Role,
    memory::{Importance, MemoryEntry},
    named_entry::{key, names_of, standing},
    provenance::Curator,
    scope::MemoryScope,
};
use inklings_ports::transfer::{fields::text_of, shape::Section, store::Fields};
use serde_json::{Value, json};

use super::decide::names_in_use;
use crate::memory::import::ordinary_importance;

/// Counts of rows that claim a status only a person may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Claims {
    /// Rows that claim to be the worldbuilder's own words.
    pub own: u64,
    /// Pinned entries.
    pub pinned: u64,
    /// Rows with more than the default importance.
    pub importance: u64,
    /// Entries with a usage count, which delays fading.
    pub used: u64,
}

impl Claims {
    /// True if there are no claims.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts of another row.
    pub fn add(&mut self, more: Self) {
        self.own += more.own;
        self.pinned += more.pinned;
        self.importance += more.importance;
        self.used += more.used;
    }

    /// The claims, for display.
    pub fn describe(&self) -> String {
        let parts = [
            (self.own, "as your own words"),
            (self.pinned, "pinned"),
            (self.importance, "of higher importance"),
            (self.used, "with uses that count"),
        ];
        let parts =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Limits a number in a row. True if it was above the limit.
fn lower(fields: &mut Fields, name: &str, ceiling: f64) -> bool {
    let above = fields.get(name).and_then(Value::as_f64).is_some_and(|number| number > ceiling);
    if above {
        fields.insert(name.to_owned(), json!(ceiling));
    }
    above
}

/// Replaces a word in a row. True if the field had that value.
fn replace(fields: &mut Fields, name: &str, word: &str, by: &str) -> bool {
    let found = text_of(fields, name) == Some(word);
    if found {
        fields.insert(name.to_owned(), by.into());
    }
    found
}

/// Removes the status claims of a row that exceed those of an ordinary row or of `current`. Attribution to an
/// agent or a client is retained.
pub fn without_claims(section: Section, fields: &mut Fields, current: Option<&MemoryEntry>) -> Claims {
    let mut claims = Claims::default();
    match section {
        Section::Memories | Section::NamedEntries => {
            claims = without_claims_of_entry(fields, current);
            if let Some(Value::Array(history)) = fields.get_mut("history") {
                for version in history.iter_mut().filter_map(Value::as_object_mut) {
                    // An undo restores an earlier version, so its claims are removed too.
                    let past = without_claims_of_entry(version, None);
                    claims = if claims.is_empty() { past } else { claims };
                }
            }
        }
        Section::Facts => {
            let own = replace(fields, "source", "user", "agent");
            let written = replace(fields, "written_by", "user", "agent");
            let values = fields.get_mut("values").and_then(Value::as_array_mut).into_iter().flatten();
            let mut past = false;
            for value in values.filter_map(Value::as_object_mut) {
                past |= replace(value, "source", "user", "agent");
            }
            claims.own += u64::from(own || written || past);
        }
        Section::Messages => {
            let role: Option<Role> = text_of(fields, "role").and_then(|role| role.parse().ok());
            let ceiling = role.map_or(Importance::DEFAULT, Role::importance).get();
            claims.importance += u64::from(lower(fields, "importance", ceiling));
        }
        Section::Channels
        | Section::Conversations
        | Section::Episodes
        | Section::Scratchpads
        | Section::Journal => {}
    }
    claims
}

fn without_claims_of_entry(fields: &mut Fields, current: Option<&MemoryEntry>) -> Claims {
    let mut claims = Claims::default();
    let pinned = fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    if pinned && !current.is_some_and(|current| current.pinned) {
        fields.remove("pinned");
        claims.pinned = 1;
    }
    let ceiling = ordinary_importance(fields.contains_key("name"));
    let ceiling = current.map_or(ceiling, |current| current.importance.get().max(ceiling));
    claims.importance = u64::from(lower(fields, "importance", ceiling));
    let mine = current.is_some_and(|current| {
        current.curator == Curator::Author && Some(current.content.as_str()) == text_of(fields, "content")
    });
    if !mine {
        let curator = replace(fields, "curator", "author", "import");
        let actor_kind = replace(fields, "written_by", "author", "import");
        claims.own = u64::from(curator || actor_kind);
    }
    if current.is_none()
        && fields.remove("access_count").and_then(|count| count.as_u64()).unwrap_or_default() > 0
    {
        claims.used = 1;
    }
    claims
}

/// True if a row, or the entry it would change, has the name of a standard entry such as VOICE or SOUL.
pub fn speaks(scope: &str, fields: &Fields, current: Option<&MemoryEntry>) -> bool {
    let Ok(scope) = scope.parse::<MemoryScope>() else { return false };
    let here = current.into_iter().flat_map(|current| names_of(current).map(key));
    names_in_use(fields).into_iter().chain(here).any(|name| standing(scope, &name).is_some())
}
