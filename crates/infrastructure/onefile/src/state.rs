//! The content of a memory, and the closed set of operations on it.

use std::collections::BTreeMap;

use chrono::{DateTime, SubsecRound, Utc};
use inklings_domain::text;
use serde::{Deserialize, Serialize};

use crate::{entry_id::EntryId, error::Refusal, index::Index};

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A deliberate note.
    Note,
    /// The summary of a compacted conversation.
    Archive,
}

/// One stored text with its names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique number.
    pub id: EntryId,
    /// Name. Names and aliases share one namespace, regardless of case.
    pub name: String,
    /// Alternative names, in the order they were added.
    pub aliases: Vec<String>,
    /// The text: at most 64 KiB, may be empty.
    pub content: String,
    /// Note or archive.
    pub kind: Kind,
    /// Creation time, with microsecond precision.
    pub created_at: DateTime<Utc>,
}

/// The operations on a memory. `entry` is a name or an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Adds an entry.
    Add {
        /// Name; must not be a name or alias of any entry.
        name: String,
        /// Text of the entry.
        content: String,
        /// Kind of the entry.
        kind: Kind,
    },
    /// Renames an entry. The old name stays as an alias.
    Rename {
        /// The entry to rename.
        entry: String,
        /// The new name; must not belong to another entry.
        name: String,
    },
    /// Adds an alias. An alias of another entry is moved; a name of another entry is refused.
    Alias {
        /// The entry to add to.
        entry: String,
        alias: String,
    },
    /// Replaces the text of an entry.
    Write {
        /// The entry to change.
        entry: String,
        content: String,
    },
    /// Removes an entry with all its names.
    Remove {
        /// The entry to remove.
        entry: String,
    },
}

/// The result of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The affected entry.
    pub id: EntryId,
    /// The entry that lost the alias.
    pub taken_from: Option<EntryId>,
}

/// The state of a memory, in RAM and in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    next_id: u64,
    entries: Vec<Entry>,
    index: Index,
    /// Folded names and aliases by entry number; derived from the entries.
    #[serde(skip)]
    names: BTreeMap<String, EntryId>,
}

impl Default for State {
    fn default() -> Self {
        Self { next_id: 1, entries: Vec::new(), index: Index::default(), names: BTreeMap::new() }
    }
}

fn key(name: &str) -> String {
    text::fold(name)
}

impl State {
    pub fn index(&self) -> &Index {
        &self.index
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    fn position(&self, id: EntryId) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }

    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(self.position(id)?)
    }

    pub fn resolve(&self, name: &str) -> Option<&Entry> {
        self.get(*self.names.get(&key(name))?)
    }

    /// Validates a state read from a file; the error describes the problem.
    pub fn checked(mut self) -> Result<Self, &'static str> {
        if !self.entries.is_sorted_by(|a, b| a.id < b.id) {
            return Err("entries out of order, or two of one number");
        }
        if self.entries.first().is_some_and(|entry| entry.id.0 == 0)
            || self.entries.last().is_some_and(|entry| entry.id.0 >= self.next_id)
            || self.next_id == 0
        {
            return Err("a number that was never given");
        }
        let mut names = BTreeMap::new();
        for entry in &self.entries {
            for name in std::iter::once(&entry.name).chain(&entry.aliases) {
                if text::label("name", name).as_ref() != Ok(name) {
                    return Err("a name that breaks a rule");
                }
                if names.insert(key(name), entry.id).is_some() {
                    return Err("two entries of one name");
                }
            }
            if text::body(&entry.content).as_ref() != Ok(&entry.content) {
                return Err("a text that breaks a rule");
            }
        }
        if !self.index.fits(self.entries.iter().map(|entry| entry.id)) {
            return Err("a search index of other entries");
        }
        self.names = names;
        Ok(self)
    }

    pub fn apply(&mut self, operation: &Operation, at: DateTime<Utc>) -> Result<Applied, Refusal> {
        match operation {
            Operation::Add { name, content, kind } => self.add(name, content, *kind, at),
            Operation::Rename { entry, name } => self.rename(entry, name),
            Operation::Alias { entry, alias } => self.alias(entry, alias),
            Operation::Write { entry, content } => self.write(entry, content),
            Operation::Remove { entry } => self.remove(entry),
        }
    }

    fn find(&self, name: &str) -> Result<(EntryId, usize), Refusal> {
        let id = *self.names.get(&key(name)).ok_or(Refusal::Unknown)?;
        Ok((id, self.position(id).ok_or(Refusal::Unknown)?))
    }

    fn add(&mut self, name: &str, content: &str, kind: Kind, at: DateTime<Utc>) -> Result<Applied, Refusal> {
        let (name, content) = (text::label("name", name)?, text::body(content)?);
        if self.names.contains_key(&key(&name)) {
            return Err(Refusal::Taken);
        }
        let id = EntryId(self.next_id);
        self.next_id = self.next_id.checked_add(1).ok_or(Refusal::Full)?;
        self.index.add(id, &name, &content);
        self.names.insert(key(&name), id);
        let created_at = at.trunc_subsecs(6);
        self.entries.push(Entry { id, name, aliases: Vec::new(), content, kind, created_at });
        Ok(Applied { id, taken_from: None })
    }

    fn rename(&mut self, entry: &str, name: &str) -> Result<Applied, Refusal> {
        let (id, at) = self.find(entry)?;
        let name = text::label("name", name)?;
        if self.names.get(&key(&name)).is_some_and(|owner| *owner != id) {
            return Err(Refusal::Taken);
        }
        let entry = &mut self.entries[at];
        self.index.remove(id, &entry.name, &entry.content);
        self.index.add(id, &name, &entry.content);
        self.names.insert(key(&name), id);
        entry.aliases.retain(|alias| key(alias) != key(&name));
        let old = std::mem::replace(&mut entry.name, name);
        // Another spelling of the same name is not a new alias.
        if key(&old) != key(&entry.name) {
            entry.aliases.push(old);
        }
        Ok(Applied { id, taken_from: None })
    }

    fn alias(&mut self, entry: &str, alias: &str) -> Result<Applied, Refusal> {
        let (id, at) = self.find(entry)?;
        let alias = text::label("alias", alias)?;
        let mut taken_from = None;
        match self.names.get(&key(&alias)).copied() {
            Some(owner) if owner == id => return Ok(Applied { id, taken_from }),
            Some(owner) => {
                let place = self.position(owner).ok_or(Refusal::Unknown)?;
                let other = &mut self.entries[place];
                if key(&other.name) == key(&alias) {
                    return Err(Refusal::Taken);
                }
                other.aliases.retain(|own| key(own) != key(&alias));
                taken_from = Some(owner);
            }
            None => {}
        }
        self.names.insert(key(&alias), id);
        self.entries[at].aliases.push(alias);
        Ok(Applied { id, taken_from })
    }

    fn write(&mut self, entry: &str, content: &str) -> Result<Applied, Refusal> {
        let (id, at) = self.find(entry)?;
        let content = text::body(content)?;
        let entry = &mut self.entries[at];
        self.index.remove(id, &entry.name, &entry.content);
        self.index.add(id, &entry.name, &content);
        entry.content = content;
        Ok(Applied { id, taken_from: None })
    }

    fn remove(&mut self, entry: &str) -> Result<Applied, Refusal> {
        let (id, at) = self.find(entry)?;
        let entry = self.entries.remove(at);
        self.index.remove(id, &entry.name, &entry.content);
        self.names.retain(|_, owner| *owner != id);
        Ok(Applied { id, taken_from: None })
    }
}
