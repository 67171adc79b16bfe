//! What a row of a file may say of its own standing, and which entries here a file may bring up to date by itself.

use inklings_domain::{
    conversation::message::Role,
    forget_reason::ForgetReason,
    memory::{Importance, MemoryEntry},
    named_entry::{key, names_of, standing},
    provenance::{ActorKind, Curator},
    scope::MemoryScope,
};
use serde_json::{Value, json};

use super::{
    decide::{names_in_use, text},
    shape::{OWN, Section},
};
use crate::transfer::store::Fields;

/// The importance of an entry that nobody vouches for is at most this: that of one whose writer gave none.
pub fn ordinary_importance(named: bool) -> f64 {
    if named { 1.0 } else { Importance::DEFAULT.get() }
}

/// How often rows claimed something of themselves that only a person may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Claims {
    /// Rows that claim to be the worldbuilder's own words.
    pub own: u64,
    /// Pinned entries.
    pub pinned: u64,
    /// Rows that matter more than an ordinary one.
    pub importance: u64,
    /// Entries that were used, which keeps them from fading.
    pub used: u64,
}

impl Claims {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of another row.
    pub fn add(&mut self, more: Self) {
        self.own += more.own;
        self.pinned += more.pinned;
        self.importance += more.importance;
        self.used += more.used;
    }

    /// What they are, for people.
    pub fn told(&self) -> String {
        let told = [
            (self.own, "as your own words"),
            (self.pinned, "pinned"),
            (self.importance, "of higher importance"),
            (self.used, "with uses that count"),
        ];
        let told = told.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        told.collect::<Vec<_>>().join(", ")
    }
}

/// Lowers a number of a row to a ceiling. True if it was above.
fn lower(fields: &mut Fields, name: &str, ceiling: f64) -> bool {
    let above = fields.get(name).and_then(Value::as_f64).is_some_and(|number| number > ceiling);
    if above {
        fields.insert(name.to_owned(), json!(ceiling));
    }
    above
}

/// Replaces a word of a row. True if it stood there.
fn replace(fields: &mut Fields, name: &str, word: &str, by: &str) -> bool {
    let found = text(fields, name) == Some(word);
    if found {
        fields.insert(name.to_owned(), by.into());
    }
    found
}

/// Takes from a row what it claims of its own standing beyond what an ordinary one, or `current`, has. What a file says an
/// agent or a client wrote stays theirs.
pub fn without_claims(section: Section, fields: &mut Fields, current: Option<&MemoryEntry>) -> Claims {
    let mut claims = Claims::default();
    match section {
        Section::Memories | Section::NamedEntries => {
            claims = without_claims_of_entry(fields, current);
            if let Some(Value::Array(history)) = fields.get_mut("history") {
                for version in history.iter_mut().filter_map(Value::as_object_mut) {
                    // What an earlier version claims comes back with an undo.
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
            let role: Option<Role> = text(fields, "role").and_then(|role| role.parse().ok());
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
        current.curator == Curator::Author && Some(current.content.as_str()) == text(fields, "content")
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

/// True if an entry that is here came in by an import of this kind and nobody changed it since: the next file may bring
/// it up to date. By its id alone an entry of one program's file is none of another's.
pub fn is_of_this_import(current: &MemoryEntry, format: &str) -> bool {
    let known_elsewhere = current.origin.as_ref().is_some_and(|origin| origin.external_id.is_some());
    let of_this = if format == OWN { !known_elsewhere } else { current.source == format };
    let taken_back = current.is_forgotten_for(&ForgetReason::CreationUndone);
    match current.curator {
        Curator::Author => false,
        Curator::Agent => of_this && current.written_by == ActorKind::Import,
        // Who takes an import back and imports again wants it after all.
        Curator::Import => of_this && (current.written_by == ActorKind::Import || taken_back),
    }
}

/// True if a row, or what it would change, goes by the name of an entry that every workspace or account begins with.
pub fn speaks(scope: &str, fields: &Fields, current: Option<&MemoryEntry>) -> bool {
    let Ok(scope) = scope.parse::<MemoryScope>() else { return false };
    let here = current.into_iter().flat_map(|current| names_of(current).map(key));
    names_in_use(fields).into_iter().chain(here).any(|name| standing(scope, &name).is_some())
}
