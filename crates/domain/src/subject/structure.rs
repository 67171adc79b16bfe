//! The rules about what an entry is in the world, for every way in: edits, agents, imports.

use std::borrow::Cow;

use crate::{
    calendar::span::Span,
    ids::MemoryId,
    memory::{
        InvalidMemory, MemoryEntry, MemoryKind,
        link::{Link, LinkRole},
    },
    scope::MemoryScope,
};

/// What an entry is in the world: a subject, a relation, a chapter or a calendar, its links and its time.
#[derive(Debug, Clone)]
pub struct Structure<'e> {
    /// Id of the entry.
    pub id: MemoryId,
    /// Its tier.
    pub scope: MemoryScope,
    /// True for a note, false for an archive.
    pub is_note: bool,
    /// True if it has a name.
    pub is_named: bool,
    /// Kind of subject.
    pub subject: Option<&'e str>,
    /// What it says of its two ends.
    pub relation: Option<&'e str>,
    pub links: Cow<'e, [Link]>,
    /// When it holds.
    pub span: Span,
    /// Its place in the order of reading.
    pub reading_number: Option<u32>,
    /// True if it defines a calendar.
    pub has_calendar: bool,
}

impl Structure<'_> {
    /// Checks the rules.
    ///
    /// # Errors
    /// [`InvalidMemory`] with the broken rule.
    pub fn check(&self) -> Result<(), InvalidMemory> {
        let is_of_workspace = self.scope != MemoryScope::Account && self.is_note;
        if !self.links.is_empty() && !is_of_workspace {
            return Err(InvalidMemory::NoSubject);
        }
        if self.span != Span::ALWAYS && !is_of_workspace {
            return Err(InvalidMemory::NoStoryTime);
        }
        if self.subject.is_some() && !(self.is_named && self.is_note && self.scope == MemoryScope::Workspace)
        {
            return Err(InvalidMemory::NoSubject);
        }
        if self.links.iter().any(|link| link.target == self.id) {
            return Err(InvalidMemory::LinkedToItself);
        }
        if self.links.iter().any(|link| link.since.is_some() && link.role != LinkRole::KnownBy) {
            return Err(InvalidMemory::Since);
        }
        let (from, to) = (self.ends(LinkRole::From), self.ends(LinkRole::To));
        let expected = usize::from(self.relation.is_some());
        if from.len() != expected || to.len() != expected || (self.relation.is_some() && self.is_named) {
            return Err(InvalidMemory::Ends);
        }
        if self.relation.is_some() && from == to {
            return Err(InvalidMemory::LinkedToItself);
        }
        if self.reading_number.is_some_and(|number| number == 0 || self.subject.is_none()) {
            return Err(InvalidMemory::NoChapter);
        }
        if self.has_calendar && self.subject.is_none() {
            return Err(InvalidMemory::StaysSubject);
        }
        Ok(())
    }

    fn ends(&self, role: LinkRole) -> Vec<MemoryId> {
        self.links.iter().filter(|link| link.role == role).map(|link| link.target).collect()
    }
}

impl MemoryEntry {
    /// The entry with the links of another one and the time at which that one holds.
    ///
    /// # Errors
    /// [`InvalidMemory`] if it may not have them.
    pub fn with_links_and_span_of(self, other: &Self) -> Result<Self, InvalidMemory> {
        let (relation, links, span) = (other.relation.clone(), other.links.clone(), other.span);
        Self { relation, links, span, ..self }.with_checked_structure()
    }

    /// The entry, if what it is in the world follows the rules.
    ///
    /// # Errors
    /// [`InvalidMemory`] with the broken rule.
    pub(super) fn with_checked_structure(self) -> Result<Self, InvalidMemory> {
        let structure = Structure {
            id: self.id,
            scope: self.scope(),
            is_note: self.kind == MemoryKind::Note,
            is_named: self.name.is_some(),
            subject: self.subject.as_deref(),
            relation: self.relation.as_deref(),
            links: Cow::Borrowed(&self.links),
            span: self.span,
            reading_number: self.reading_number.map(std::num::NonZeroU32::get),
            has_calendar: self.calendar.is_some(),
        };
        structure.check()?;
        Ok(self)
    }
}
