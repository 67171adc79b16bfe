//! Links of third-party entries. A file names the entries that it links to: entries of the file, or those that exist
//! already. A first pass that is rolled back finds what each named entry of the file becomes, so that entries can link to
//! one another whatever their order.

use std::collections::{HashMap, HashSet};

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        link::{self, Link, LinkRole, MAX_LINKS},
    },
    named_entry::key,
    scope::{MemoryScope, Place},
    subject::{self, NewLinks},
    text::fold,
};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        fields::text_of,
        file::{FileSource, LinkTarget, NamedRelation, RowLinks, TransferError, TransferProgress},
        links::links_value,
        shape::{OWN, Section},
        store::Fields,
        story_time::span_in,
    },
};

use super::{super::plan::PlanLink, Pass, Side, same_entries::SameEntries, store_error};
use crate::memory::agent_texts::AgentTexts;

/// Reason shown for a relation that is imported as a text.
const WITHOUT_ENDS: &str = "as a text, because what it relates is not here";
const TWICE: &str = "as a text, because the two are related like this already";

/// An entry that others may link to.
#[derive(Debug, Clone)]
pub(super) struct Linkable {
    /// Id of the entry.
    pub id: MemoryId,
    pub name: String,
    /// True if the import adds it.
    pub is_new: bool,
    /// True if it is a subject.
    pub is_subject: bool,
}

/// The entry that a file means by a name.
pub(super) struct Target {
    pub(super) entry: Linkable,
    /// What is the same in every pass: the line of the file, the id of an existing entry, or the name of a new one.
    pub(super) digest: String,
}

impl Target {
    /// An existing entry.
    pub(super) fn of(entry: &MemoryEntry) -> Self {
        let (name, is_subject) = (entry.name.clone().unwrap_or_default(), entry.subject.is_some());
        Self {
            entry: Linkable { id: entry.id, name, is_new: false, is_subject },
            digest: entry.id.to_string(),
        }
    }
}

/// What a relation says, and its two ends.
struct Stated {
    word: String,
    from: Target,
    to: Target,
}

/// What the named rows of a file become, by their lines.
#[derive(Debug, Default)]
pub(super) struct Linkables {
    by_line: HashMap<u64, Linkable>,
}

impl Linkables {
    /// The id of the entry that a line adds.
    pub fn id_of(&self, line: u64) -> Option<MemoryId> {
        self.by_line.get(&line).filter(|found| found.is_new).map(|found| found.id)
    }

    fn get(&self, line: u64) -> Option<MemoryId> {
        self.by_line.get(&line).map(|found| found.id)
    }

    /// What the first of these lines became.
    pub fn first_of(&self, lines: &[u64]) -> Option<(u64, &Linkable)> {
        lines.iter().find_map(|line| Some((*line, self.by_line.get(line)?)))
    }
}

/// The links of a row, with what the plan shows of them.
#[derive(Debug, Default)]
pub(super) struct Linked {
    pub links: Vec<PlanLink>,
    /// The targets as they are in every pass: the line of the file or the id of an existing entry.
    pub digest: String,
    /// Why a relation is none, or knowers are left out; empty if there is nothing to say.
    pub reason: &'static str,
    /// True if the row says that fewer know of it than could be linked.
    pub widens: bool,
    /// Folded names of the subjects that are made because they know of the row.
    pub made: Vec<String>,
}

/// The links of a row during resolution.
#[derive(Default)]
pub(super) struct Found {
    pub(super) links: Vec<Link>,
    pub(super) linked: Linked,
}

impl Found {
    fn push(&mut self, role: LinkRole, target: &Target) {
        let Target { entry: Linkable { id, name, .. }, digest } = target;
        self.links.push(Link::new(role, *id));
        self.linked.links.push(PlanLink { role, name: name.clone(), since: None });
        self.linked.digest.extend([" ", role.as_str(), " ", digest]);
    }
}

/// True if the rows of a file name entries, which a first pass has to find. Those of an Inklings export name them by their ids.
pub(super) fn names_entries(source: &dyn FileSource, place: Place) -> Result<bool, TransferError> {
    if source.format() == OWN {
        return Ok(true);
    }
    if place == Place::Account {
        return Ok(false);
    }
    for row in source.rows()? {
        if !row?.links.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Pass<'_> {
    /// Finds what the named rows of a file become.
    pub(super) async fn find_linkables(
        mut self,
        source: &dyn FileSource,
        progress: &dyn TransferProgress,
    ) -> Result<(Linkables, SameEntries, AgentTexts), TransferError> {
        let is_own = self.format == OWN;
        for row in source.rows()? {
            let row = row?;
            let is_taken = match row.section {
                Section::NamedEntries => true,
                Section::Channels => is_own,
                Section::Memories => is_own && row.fields.contains_key("name"),
                _ => false,
            };
            if is_taken {
                self.take(row).await?;
            } else if is_own && row.section == Section::Memories {
                self.note_same_external_id(&row).await?;
            } else if row.section > Section::NamedEntries {
                // Nothing behind the entries is named by others.
                break;
            }
            if progress.cancelled() {
                return Err(TransferError::Cancelled);
            }
        }
        Ok((self.became, self.same, self.texts))
    }

    /// Records what the current row became.
    pub(super) fn note_became(&mut self, line: u64) {
        if let Some(found) = self.row.became.take() {
            self.became.by_line.insert(line, found);
        }
    }

    /// An entry of which the text is known as that of an agent is no subject because a file says so. Only the worldbuilder
    /// makes it one.
    pub(super) fn without_subject_of_agents(&self, fields: &mut Fields, links: &mut RowLinks) -> bool {
        let is_of_agent = self.texts.sources(text_of(fields, "content").unwrap_or_default()).is_some();
        match links.unless_subject.take().filter(|_| is_of_agent) {
            Some(plain) => {
                *fields = plain;
                true
            }
            None => false,
        }
    }

    /// Sets the relation and the links of a row whose targets exist after the import. A relation without both ends stays
    /// a text.
    ///
    /// # Errors
    /// [`TransferError::Store`] if a database fails.
    pub(super) async fn put_links(
        &mut self,
        fields: &mut Fields,
        given: &RowLinks,
        line: u64,
    ) -> Result<Linked, TransferError> {
        let place = self.wanted.place;
        if place == Place::Account || given.is_empty() {
            // The account has no knowers.
            return Ok(Linked { widens: given.has_knowers(), ..Linked::default() });
        }
        let mut own = self.own_ids(fields).await?;
        own.extend(self.linkables.get(line));
        let mut found = Found::default();
        if let Some(named) = given.relation.as_ref().filter(|_| !fields.contains_key("name")) {
            match self.relation(named, fields, &own, place).await? {
                Ok(stated) => {
                    fields.insert("relation".to_owned(), stated.word.into());
                    found.push(LinkRole::From, &stated.from);
                    found.push(LinkRole::To, &stated.to);
                }
                Err(reason) => found.linked.reason = reason,
            }
        }
        self.put_knowers(&mut found, given, &own).await?;
        let mut seen = HashSet::new();
        for target in &given.about {
            if found.links.len() == MAX_LINKS {
                break;
            }
            if let Some(target) = self.target(target).await?
                && !own.contains(&target.entry.id)
                && seen.insert(target.entry.id)
            {
                found.push(LinkRole::About, &target);
            }
        }
        if !found.links.is_empty() {
            let links =
                link::sorted(found.links).map_err(|error| StoreError::Refused(error.to_string().into()))?;
            fields.insert("links".to_owned(), links_value(&links));
        }
        Ok(found.linked)
    }

    /// The id of a new entry, and of the existing one that it would change.
    async fn own_ids(&mut self, fields: &Fields) -> Result<HashSet<MemoryId>, StoreError> {
        let current = self.writer(Side::Workspace).await?.entry(fields).await?.map(|current| current.id);
        let new = text_of(fields, "id").and_then(|id| id.parse().ok());
        Ok(new.into_iter().chain(current).collect())
    }

    /// A relation with its ends, or why it is none.
    async fn relation(
        &mut self,
        named: &NamedRelation,
        fields: &Fields,
        own: &HashSet<MemoryId>,
        place: Place,
    ) -> Result<Result<Stated, &'static str>, TransferError> {
        let word = subject::relation(&named.relation);
        let ends = (self.target(&named.from).await?, self.target(&named.to).await?);
        let (Ok(word), (Some(from), Some(to))) = (word, ends) else { return Ok(Err(WITHOUT_ENDS)) };
        let ids = [from.entry.id, to.entry.id];
        if ids[0] == ids[1] || ids.iter().any(|id| own.contains(id)) {
            return Ok(Err(WITHOUT_ENDS));
        }
        let span = span_in(fields).unwrap_or_default();
        let links = NewLinks { relation: Some((word.clone(), ids[0], ids[1])), span, ..NewLinks::default() };
        let stated = self.session.subjects().stated_by(&links, place).await.map_err(store_error)?;
        let is_stated = stated.iter().any(|id| !own.contains(id));
        let is_new = fields.contains_key("forgotten_at") || {
            let times = self.related.entry((ids[0], ids[1], fold(&word))).or_default();
            let is_new = !times.iter().any(|time| time.overlaps(span));
            times.push(span);
            is_new
        };
        Ok(if is_stated || !is_new { Err(TWICE) } else { Ok(Stated { word, from, to }) })
    }

    /// The named entry of the workspace that a target means.
    async fn target(&mut self, target: &LinkTarget) -> Result<Option<Target>, TransferError> {
        if let Some((line, found)) = self.linkables.first_of(&target.lines) {
            return Ok(Some(Target { entry: found.clone(), digest: format!("line {line}") }));
        }
        let scope = MemoryScope::Workspace.as_str();
        for name in &target.names {
            if let Some(entry) = self.writer(Side::Workspace).await?.named(scope, &key(name)).await? {
                return Ok(Some(Target::of(&entry)));
            }
        }
        Ok(None)
    }

    /// Checks that every entry of the file to which others link is what the first pass found.
    pub(super) fn check_linkables(&self) -> Result<(), TransferError> {
        let is_same = |(line, found): (&u64, &Linkable)| self.became.get(*line) == Some(found.id);
        let are_same = self.linkables.by_line.iter().all(is_same) && self.known_same.are_in(&self.same);
        if are_same { Ok(()) } else { Err(TransferError::Stale) }
    }
}
