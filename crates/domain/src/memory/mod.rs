//! The memory entry, its validation and its state changes.

pub mod account_guard;
pub mod change_set;
pub mod coverage;
pub mod decay;
pub mod embedding;
pub mod filter;
pub mod guard;
mod invalid;
pub mod link;
mod relocate;
pub mod similarity;
pub mod source_claim;
pub mod switch;
pub mod text_source;
pub mod word_codes;

use std::{borrow::Cow, mem, num::NonZeroU32, sync::Arc};

use chrono::{DateTime, Utc};

pub use self::invalid::InvalidMemory;
use crate::{
    calendar::{Calendar, span::Span},
    derivation::{self, Derivation},
    forget_reason::ForgetReason,
    hidden,
    ids::{ChangeId, ConversationId, MemoryId, RunId},
    memory::{
        decay::{DecayInputs, Exemption},
        link::Link,
        text_source::{OthersWords, TextSource},
    },
    provenance::{Actor, ActorKind, Curator},
    scope::{MemoryLifetime, MemoryScope, Place, words},
    text::{self, TextError},
};

/// The type of an entry's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// A deliberate note.
    Note,
    /// The summary of a compacted conversation. Never rewritten.
    Archive,
}

words!(MemoryKind, "kind", { Note => "note", Archive => "archive" });

/// The importance of an entry: a finite number in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Importance(f64);

impl Importance {
    /// The default importance.
    pub const DEFAULT: Self = Self(0.5);

    /// Checks an importance.
    ///
    /// # Errors
    /// [`InvalidMemory::Importance`] if it is NaN, infinite, or outside [0, 1].
    pub fn new(value: f64) -> Result<Self, InvalidMemory> {
        if value.is_finite() && (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(InvalidMemory::Importance)
        }
    }

    /// The importance as a number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The origin of an entry: the conversation that produced it, or its properties in the data it was imported from. It
/// is included in answers and used to match entries on re-import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// Id in the imported data; any string, unique within its place.
    pub external_id: Option<String>,
    /// The session or document that contained it.
    pub session: Option<String>,
    /// The name of the speaker.
    pub speaker: Option<String>,
    /// The time, as written in the imported data (free text).
    pub said_at: Option<String>,
    /// The conversation that produced it.
    pub conversation: Option<ConversationId>,
}

/// Marks an entry as forgotten. The entry can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// Time of forgetting.
    pub at: DateTime<Utc>,
    /// Reason for forgetting.
    pub reason: ForgetReason,
    /// The run that forgot it, if a task did.
    pub run: Option<RunId>,
}

/// One entry of memory. Its vector is stored separately, with the id of the model that computed it.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryEntry {
    pub id: MemoryId,
    /// Tier and the channel or conversation. Changed by a move of the worldbuilder; a move of its conversation changes the
    /// channel without a new version.
    pub place: Place,
    /// The intended lifetime.
    pub lifetime: MemoryLifetime,
    /// The curator, who decides about changes.
    pub curator: Curator,
    /// The actor that produced it ("user", "orchestrator", ...). Informational; never used for access.
    pub source: String,
    /// Note or archive.
    pub kind: MemoryKind,
    /// Name of a named entry, unique in its tier.
    pub name: Option<String>,
    /// Alternative names in the order they were added. Names and aliases of a tier share one namespace, regardless of
    /// case.
    pub aliases: Vec<String>,
    /// Title for display and search. Unlike a name it need not be unique, and the entry is not a named entry.
    pub title: Option<String>,
    /// Other words under which it is searched, such as the keys of a lorebook entry. In the order they were given,
    /// each once.
    pub keys: Vec<String>,
    /// The kind of subject that a named entry describes, such as "character". None: it is no subject.
    pub subject: Option<String>,
    /// What the entry says of its two ends, such as "sister of", if it connects two subjects.
    pub relation: Option<String>,
    /// Links to other entries, sorted, each once.
    pub links: Vec<Link>,
    /// When what it says holds in story time.
    pub span: Span,
    /// The place of a chapter or a session of a game in the order of reading.
    pub reading_number: Option<NonZeroU32>,
    /// The calendar that the entry defines.
    pub calendar: Option<Arc<Calendar>>,
    /// The text: at most 64 KiB, and empty only in a named entry.
    pub content: String,
    /// Importance in [0, 1].
    pub importance: Importance,
    /// Normalised tags, sorted.
    pub tags: Vec<String>,
    /// Exempt from decay, caps and automatic changes.
    pub pinned: bool,
    /// Origin of an imported entry.
    pub origin: Option<Origin>,
    /// Number of the current version, from 1; a writer passes the version it read.
    pub version: u64,
    /// The actor kind of the last write.
    pub written_by: ActorKind,
    /// The journalled change of the last write.
    pub change: ChangeId,
    /// Set while the entry is forgotten.
    pub forgotten: Option<Forgotten>,
    /// The entry that replaced it in a consolidation.
    pub consolidated_into: Option<MemoryId>,
    /// Sources of its text other than the curator, sorted. Empty if the whole text is the curator's own.
    pub derived_from: Vec<TextSource>,
    /// What its text was made of, sorted. Empty if the worldbuilder typed it.
    pub derivations: Vec<Derivation>,
    /// Number of retrievals for an agent.
    pub access_count: u64,
    /// Creation time.
    pub created_at: DateTime<Utc>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// Time of the last retrieval for an agent, or of the write.
    pub accessed_at: DateTime<Utc>,
}

/// The input for a new entry; checked by [`MemoryEntry::create`].
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryDraft {
    /// Tier and the channel or conversation.
    pub place: Place,
    /// The intended lifetime.
    pub lifetime: MemoryLifetime,
    /// The actor that produced it.
    pub source: String,
    /// Title; none if `None` or blank.
    pub title: Option<String>,
    /// Other words under which it is searched.
    pub keys: Vec<String>,
    pub content: String,
    /// Importance; must be finite and in [0, 1].
    pub importance: f64,
    /// Tags in any form; they are normalised.
    pub tags: Vec<String>,
    /// Origin of an imported entry.
    pub origin: Option<Origin>,
    /// What the text was made of. Whoever writes a text has to say; empty if the worldbuilder typed it.
    pub derivations: Vec<Derivation>,
}

impl MemoryDraft {
    /// Every text of the entry that a reader sees or searches.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        [&self.content].into_iter().chain(&self.title).chain(&self.keys).map(String::as_str)
    }
}

/// Changes to an entry; `None` leaves a field unchanged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryPatch {
    pub content: Option<String>,
    /// New title; a blank one removes it.
    pub title: Option<String>,
    /// New list of keys.
    pub keys: Option<Vec<String>>,
    pub importance: Option<f64>,
    /// New set of tags.
    pub tags: Option<Vec<String>>,
    pub lifetime: Option<MemoryLifetime>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
    /// What the new text was made of; without a new text, what else it was made of. `None`: nothing is known of a source, so
    /// a text of the worldbuilder has none, and one of others those of the text before.
    pub derivations: Option<Vec<Derivation>>,
    /// Whose words the new text holds besides those of who writes it.
    pub others_words: OthersWords,
}

/// A field of an entry that holds one line of text or nothing, and that no other rule of the entry depends on.
#[derive(Debug, Clone, Copy)]
pub struct PlainText {
    /// Name of the field in the database and in an export.
    pub name: &'static str,
    /// Checks and normalises a text; a blank one is `None`.
    pub rule: fn(&str) -> Result<Option<String>, TextError>,
    /// The field of an entry.
    pub of: fn(&mut MemoryEntry) -> &mut Option<String>,
    pub of_patch: fn(&mut MemoryPatch) -> &mut Option<String>,
}

/// All of them. Edits, exports and imports follow this list.
pub const PLAIN_TEXTS: &[PlainText] = &[PlainText {
    name: "title",
    rule: text::title,
    of: |entry| &mut entry.title,
    of_patch: |patch| &mut patch.title,
}];

/// Metadata of one write: change, actor and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The change that the write belongs to.
    pub change: ChangeId,
    /// The actor that writes.
    pub actor: Actor,
    /// Time of the write.
    pub at: DateTime<Utc>,
}

impl MemoryEntry {
    /// Creates an entry from a draft. The curator follows from the actor.
    ///
    /// # Errors
    /// [`InvalidMemory`] with the invalid field.
    pub fn create(id: MemoryId, draft: MemoryDraft, stamp: Stamp) -> Result<Self, InvalidMemory> {
        hidden::refuse_of(stamp.actor.kind(), "content", &draft.content)?;
        Ok(Self {
            title: draft.title.as_deref().map(text::title).transpose()?.flatten(),
            keys: text::keys(draft.keys)?,
            lifetime: draft.lifetime,
            source: text::label("source", &draft.source)?,
            content: text::content(&draft.content)?,
            importance: Importance::new(draft.importance)?,
            tags: text::tags(draft.tags)?,
            origin: draft.origin,
            derivations: derivation::sorted(draft.derivations)?,
            derived_from: TextSource::of(stamp.actor)
                .into_iter()
                .filter(|source| source.is_client())
                .collect(),
            ..Self::blank(id, draft.place, stamp)
        })
    }

    /// A first version without a text.
    pub(crate) fn blank(id: MemoryId, place: Place, stamp: Stamp) -> Self {
        Self {
            id,
            place,
            lifetime: MemoryLifetime::LongTerm,
            curator: stamp.actor.kind().curator(),
            source: String::new(),
            kind: MemoryKind::Note,
            name: None,
            aliases: Vec::new(),
            title: None,
            keys: Vec::new(),
            subject: None,
            relation: None,
            links: Vec::new(),
            span: Span::ALWAYS,
            reading_number: None,
            calendar: None,
            content: String::new(),
            importance: Importance::DEFAULT,
            tags: Vec::new(),
            pinned: false,
            origin: None,
            version: 1,
            written_by: stamp.actor.kind(),
            change: stamp.change,
            forgotten: None,
            consolidated_into: None,
            derived_from: Vec::new(),
            derivations: Vec::new(),
            access_count: 0,
            created_at: stamp.at,
            updated_at: stamp.at,
            accessed_at: stamp.at,
        }
    }

    /// Creates the archive of a compacted conversation: a named entry that is never rewritten.
    ///
    /// # Errors
    /// [`InvalidMemory`] with the invalid field.
    pub fn archive(
        id: MemoryId,
        name: &str,
        draft: MemoryDraft,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let name = text::label("name", name)?;
        let entry = Self::create(id, draft, stamp)?;
        Ok(Self { kind: MemoryKind::Archive, name: Some(name), curator: Curator::Agent, ..entry })
    }

    /// What the entry is called: its name, or else its title.
    pub fn heading(&self) -> Option<&str> {
        self.name.as_deref().or(self.title.as_deref())
    }

    /// True if both have a title and the titles differ: then the same words say two things.
    pub fn is_titled_otherwise(&self, other: &Self) -> bool {
        let titles = self.title.as_deref().zip(other.title.as_deref());
        titles.is_some_and(|(a, b)| text::fold(a) != text::fold(b))
    }

    /// True if both are linked to the same entries in the same way and hold at the same time. Others are never merged or
    /// compared: a link would be lost, or a text held against that of another subject or time.
    pub fn has_links_and_span_of(&self, other: &Self) -> bool {
        (&self.relation, &self.links, self.span) == (&other.relation, &other.links, other.span)
    }

    /// The text with the title before it, for a reader that sees nothing else of the entry.
    pub fn titled_text(&self) -> Cow<'_, str> {
        match &self.title {
            Some(title) if !self.content.is_empty() => Cow::Owned(format!("{title}: {}", self.content)),
            _ => Cow::Borrowed(&self.content),
        }
    }

    /// The tier of the entry.
    pub const fn scope(&self) -> MemoryScope {
        self.place.scope()
    }

    /// The inputs of the decay formula.
    pub const fn decay_inputs(&self) -> DecayInputs {
        DecayInputs {
            scope: self.scope(),
            importance: self.importance,
            access_count: self.access_count,
            accessed_at: self.accessed_at,
            exemption: match self.curator {
                _ if self.pinned || self.name.is_some() => Exemption::Fixed,
                Curator::Author => Exemption::OfAuthor,
                Curator::Agent | Curator::Import => Exemption::None,
            },
        }
    }

    /// True if no agent or task may change or forget this entry.
    pub const fn is_locked(&self) -> bool {
        self.curator.is_protected() || self.name.is_some() || self.pinned
    }

    /// True if the entry is not forgotten.
    pub const fn is_active(&self) -> bool {
        self.forgotten.is_none()
    }

    /// True if the entry was forgotten for this reason.
    pub fn is_forgotten_for(&self, reason: &ForgetReason) -> bool {
        self.forgotten.as_ref().is_some_and(|forgotten| forgotten.reason == *reason)
    }

    pub(crate) fn next(&self, stamp: Stamp) -> Result<Self, InvalidMemory> {
        if self.is_locked() && !stamp.actor.kind().may_write_protected() {
            return Err(InvalidMemory::Locked);
        }
        let mut next = self.clone();
        next.version += 1;
        next.written_by = stamp.actor.kind();
        next.change = stamp.change;
        next.updated_at = stamp.at;
        Ok(next)
    }

    /// This version as a source of another text.
    pub const fn as_source(&self) -> Derivation {
        Derivation::Memory { id: self.id, version: self.version }
    }

    /// Returns the entry with more of what its text was made of.
    #[must_use]
    pub fn with_derivations(mut self, more: impl IntoIterator<Item = Derivation>) -> Self {
        let all = self.derivations.into_iter().chain(more).collect();
        self.derivations = derivation::newest(all);
        self
    }

    /// Returns the entry after a patch. If the author rewrites an agent's text, the author becomes the curator. A text with the
    /// words of others names them, and whose words the text before held.
    ///
    /// # Errors
    /// [`InvalidMemory`]: a locked, forgotten or archive entry, a broken rule, or a patch without effect.
    pub fn edited(&self, mut patch: MemoryPatch, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let mut next = self.next(stamp)?;
        if self.forgotten.is_some() {
            return Err(InvalidMemory::Forgotten);
        }
        if let Some(content) = patch.content.take() {
            hidden::refuse_of(stamp.actor.kind(), "content", &content)?;
            next.content = if self.name.is_some() { text::body(&content)? } else { text::content(&content)? };
            if next.content != self.content {
                if self.kind == MemoryKind::Archive {
                    return Err(InvalidMemory::ArchiveContent);
                }
                if stamp.actor.kind() == ActorKind::Author {
                    (next.curator, next.derived_from) = (Curator::Author, Vec::new());
                    next.derivations = Vec::new();
                }
                if let Some(derivations) = patch.derivations.clone() {
                    next.derivations = derivation::sorted(derivations)?;
                }
                // A text changed by another actor keeps its earlier sources.
                next = next.with_text_sources(TextSource::of(stamp.actor));
                let others = mem::take(&mut patch.others_words);
                if !others.sources.is_empty() {
                    if others.is_whole {
                        next.curator = self.curator;
                    }
                    let sources = self.text_sources().into_iter().chain(others.sources);
                    next = next.with_text_sources(sources);
                }
                // A rewrite confirms the entry, so its decay restarts.
                next.accessed_at = stamp.at;
            }
        }
        if let Some(derivations) = patch.derivations.take()
            && next.content == self.content
        {
            next = next.with_derivations(derivations);
        }
        for plain in PLAIN_TEXTS {
            if let Some(text) = (plain.of_patch)(&mut patch).take() {
                *(plain.of)(&mut next) = (plain.rule)(&text)?;
            }
        }
        if let Some(keys) = patch.keys {
            next.keys = text::keys(keys)?;
        }
        if (&next.title, &next.keys) != (&self.title, &self.keys) {
            if self.kind == MemoryKind::Archive {
                return Err(InvalidMemory::ArchiveContent);
            }
            // They are shown and searched as the text is, so another writer of them is a source of it.
            next = next.with_text_sources(TextSource::of(stamp.actor));
        }
        if let Some(importance) = patch.importance {
            next.importance = Importance::new(importance)?;
        }
        if let Some(tags) = patch.tags {
            next.tags = text::tags(tags)?;
        }
        if let Some(lifetime) = patch.lifetime {
            next.lifetime = lifetime;
        }
        if let Some(pinned) = patch.pinned {
            if pinned && !stamp.actor.kind().may_write_protected() {
                return Err(InvalidMemory::Locked);
            }
            next.pinned = pinned;
        }
        if next.same_body(self) { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }

    /// Returns the entry as forgotten, with a reason.
    ///
    /// # Errors
    /// [`InvalidMemory`] if it is locked or already forgotten.
    pub fn forgotten(&self, reason: ForgetReason, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let mut next = self.next(stamp)?;
        if self.forgotten.is_some() {
            return Err(InvalidMemory::Forgotten);
        }
        next.forgotten = Some(Forgotten { at: stamp.at, reason, run: stamp.actor.run() });
        Ok(next)
    }

    /// Returns the entry as forgotten, with the entry that replaces it.
    pub fn retired_into(
        &self,
        into: MemoryId,
        reason: ForgetReason,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let mut next = self.forgotten(reason, stamp)?;
        next.consolidated_into = Some(into);
        Ok(next)
    }

    /// Returns the entry as active again. Its decay restarts.
    ///
    /// # Errors
    /// [`InvalidMemory`] if it is locked or already active.
    pub fn restored(&self, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let mut next = self.next(stamp)?;
        if self.forgotten.is_none() {
            return Err(InvalidMemory::NoChange);
        }
        next.forgotten = None;
        next.consolidated_into = None;
        next.accessed_at = stamp.at;
        Ok(next)
    }

    /// Returns a new version with every writable field as it was in `earlier`. Access count and access time are kept.
    ///
    /// # Errors
    /// [`InvalidMemory`] if it is locked or nothing differs.
    pub fn reverted_to(&self, earlier: &Self, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let current = self.next(stamp)?;
        if self.same_body(earlier) {
            return Err(InvalidMemory::NoChange);
        }
        Ok(Self {
            version: current.version,
            written_by: current.written_by,
            change: current.change,
            updated_at: current.updated_at,
            access_count: self.access_count,
            accessed_at: self.accessed_at,
            // Its conversation may have been moved to another channel since.
            place: self.place,
            ..earlier.clone()
        })
    }

    /// True if all writable fields are equal.
    pub fn same_body(&self, other: &Self) -> bool {
        // Every field that is not named here is compared, a new one too.
        let as_other = Self {
            id: self.id,
            place: self.place,
            source: self.source.clone(),
            origin: self.origin.clone(),
            version: self.version,
            written_by: self.written_by,
            change: self.change,
            access_count: self.access_count,
            created_at: self.created_at,
            updated_at: self.updated_at,
            accessed_at: self.accessed_at,
            ..other.clone()
        };
        *self == as_other
    }
}

#[cfg(test)]
mod tests;
