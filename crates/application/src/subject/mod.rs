//! Use cases on subjects of the world and the relations between them.

pub mod pages;
mod suggestions;

use std::collections::{BTreeMap, BTreeSet};

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, Stamp, change_set::Action, filter::ScopeFilter,
        link::LinkRole,
    },
    named_entry::{is_mentioned, key, padded_words},
    provenance::Actor,
    scope::{MemoryLifetime, Place},
    subject::{self, NewLinks, sentence},
    text,
};
use inklings_ports::{
    memory::store::StoredEntry,
    subject::{Edge, SubjectChoice, SubjectRow},
};

pub use self::suggestions::MOST_SUGGESTIONS;
use crate::{error::AppError, memory::write::WrittenEntry, services::Subjects};

/// The roles of the two ends of a relation.
const ENDS: [LinkRole; 2] = [LinkRole::From, LinkRole::To];

/// Relations of a graph at most.
pub const MOST_EDGES: usize = 20_000;

/// Entries linked to one subject that are read at most.
pub const MOST_LINKED: usize = 500;

/// A relation as seen from one of its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// The entry that states it.
    pub stored: StoredEntry,
    /// What it says, from the one end to the other.
    pub relation: String,
    /// True if it starts at the subject that was asked for.
    pub outgoing: bool,
    /// The other end.
    pub other: SubjectRow,
}

/// A subject with what is linked to it.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectDetail {
    pub row: SubjectRow,
    /// Its named entry.
    pub stored: StoredEntry,
    /// Relations to other subjects, by what they say, then by the other's name.
    pub relations: Vec<Relation>,
    /// Memories that are about it, the most important first.
    pub about: Vec<StoredEntry>,
    /// What not everybody knows and it does, the most important first.
    pub knows: Vec<StoredEntry>,
    /// True if more is linked to it than [`MOST_LINKED`].
    pub more: bool,
}

/// Subjects and the relations between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// All subjects, by name.
    pub nodes: Vec<SubjectRow>,
    /// The relations between them, the most important first.
    pub edges: Vec<Edge>,
    /// True if there are more relations than [`MOST_EDGES`].
    pub more: bool,
}

/// A new relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRelation {
    /// The subject that it starts at.
    pub from: MemoryId,
    /// What it says, such as "sister of".
    pub relation: String,
    /// The subject that it leads to.
    pub to: MemoryId,
    /// A text of its own; its sentence if `None`.
    pub content: Option<String>,
    /// Where it is kept: who may not read the place does not see the relation.
    pub place: Place,
}

/// Links of a new memory with subjects by their names, and its time in the story.
#[derive(Debug, Clone, Copy, Default)]
pub struct NamedLinks<'a> {
    /// What the memory states of two subjects.
    pub relation: Option<&'a str>,
    /// The subject that the relation starts at.
    pub from: Option<&'a str>,
    /// The subject that it leads to.
    pub to: Option<&'a str>,
    /// Subjects that the memory is about.
    pub about: &'a [String],
    /// When the memory holds in the story, as dates of the workspace's calendar.
    pub holds: Option<&'a str>,
}

/// A relation of the neighbourhood of subjects.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// The entry that states it.
    pub stored: StoredEntry,
    /// The relation as a sentence, with the entry's own text.
    pub text: String,
    /// 1: it starts or ends at one of the subjects; 2: at one of their neighbours.
    pub hops: u8,
}

impl Subjects<'_> {
    /// Active subjects within a filter, by name.
    ///
    /// # Errors
    /// [`AppError::Memory`] for what can be no kind.
    pub async fn list(&self, kind: Option<&str>, filter: &ScopeFilter) -> Result<Vec<SubjectRow>, AppError> {
        let kind = kind_wanted(kind)?;
        let which = kind.as_deref().map_or(SubjectChoice::All, SubjectChoice::Kind);
        Ok(self.session.workspace.subjects.subjects(which, filter).await?)
    }

    /// The subject of a name, alias or id, within a filter.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn find(&self, name: &str, filter: &ScopeFilter) -> Result<SubjectRow, AppError> {
        let goes_by = |row: &SubjectRow| {
            row.id.to_string() == name
                || std::iter::once(&row.name).chain(&row.aliases).any(|own| key(own) == key(name))
        };
        let found = self.list(None, filter).await?.into_iter().find(goes_by);
        found.ok_or_else(|| AppError::NotFound { what: "subject", name: name.chars().take(64).collect() })
    }

    /// A subject with what is linked to it within a filter.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such subject within the filter.
    pub async fn get(&self, id: MemoryId, filter: &ScopeFilter) -> Result<SubjectDetail, AppError> {
        let row = self.subject(id, filter).await?;
        let stored = self.session.entry(id).await?;
        let roles = [LinkRole::From, LinkRole::To, LinkRole::About];
        let store = &self.session.workspace.subjects;
        let mut linked = store.linked_to(&[id], &roles, filter, MOST_LINKED + 1).await?;
        let mut knows = store.linked_to(&[id], &[LinkRole::KnownBy], filter, MOST_LINKED + 1).await?;
        let more = linked.len().max(knows.len()) > MOST_LINKED;
        linked.truncate(MOST_LINKED);
        knows.truncate(MOST_LINKED);
        let (relations, about): (Vec<_>, Vec<_>) = linked
            .into_iter()
            .partition(|stored| stored.entry.ends().is_some_and(|(from, to)| [from, to].contains(&id)));
        let ends = self.ends_of(&relations, filter).await?;
        let mut relations: Vec<Relation> =
            relations.into_iter().filter_map(|stored| seen_from(id, stored, &ends)).collect();
        relations.sort_by_cached_key(|seen| {
            (text::fold(&seen.relation), !seen.outgoing, key(&seen.other.name), seen.stored.entry.id)
        });
        Ok(SubjectDetail { row, stored, relations, about, knows, more })
    }

    /// All subjects within a filter and the relations between them.
    pub async fn graph(&self, filter: &ScopeFilter) -> Result<Graph, AppError> {
        let edges = self.session.workspace.subjects.edges(filter, MOST_EDGES + 1);
        let edges = async { edges.await.map_err(AppError::from) };
        // Each reads thousands of rows.
        let (nodes, mut edges) = future::try_join(self.list(None, filter), edges).await?;
        let more = edges.len() > MOST_EDGES;
        edges.truncate(MOST_EDGES);
        let ids: BTreeSet<MemoryId> = nodes.iter().map(|row| row.id).collect();
        edges.retain(|edge| ids.contains(&edge.from) && ids.contains(&edge.to));
        Ok(Graph { nodes, edges, more })
    }

    async fn subject(&self, id: MemoryId, filter: &ScopeFilter) -> Result<SubjectRow, AppError> {
        let found = self.session.workspace.subjects.subjects(SubjectChoice::Ids(&[id]), filter).await?;
        let missing = || AppError::NotFound { what: "subject", name: id.to_string() };
        found.into_iter().next().ok_or_else(missing)
    }

    /// The subjects at the ends of relations that are visible within a filter.
    async fn ends_of(
        &self,
        relations: &[StoredEntry],
        filter: &ScopeFilter,
    ) -> Result<BTreeMap<MemoryId, SubjectRow>, AppError> {
        let ends = relations.iter().filter_map(|stored| stored.entry.ends());
        let ids: BTreeSet<MemoryId> = ends.flat_map(|(from, to)| [from, to]).collect();
        let ids: Vec<MemoryId> = ids.into_iter().collect();
        let rows = self.session.workspace.subjects.subjects(SubjectChoice::Ids(&ids), filter).await?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    /// Adds a subject; its text may be empty.
    ///
    /// # Errors
    /// [`AppError::Store`] with `AlreadyExists` if the workspace has the name; [`AppError::Memory`] for an invalid name or
    /// kind, or an actor without permission.
    pub async fn add(
        &self,
        name: &str,
        kind: &str,
        content: &str,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let stamp = self.session.stamp(actor);
        let entry = MemoryEntry::subject(self.session.ids.memory_id(), name, kind, content, stamp)?;
        self.session.memories().commit_new(stamp, Action::Create, entry).await
    }

    /// Makes a named entry a subject of this kind; `None`: no subject any more.
    ///
    /// # Errors
    /// [`AppError::Stale`]; [`AppError::Memory`] for an entry that cannot be a subject, or an actor without permission.
    pub async fn set_kind(
        &self,
        id: MemoryId,
        version: u64,
        kind: Option<&str>,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.with_subject(kind, stamp)?);
        self.session.memories().commit_next(stamp, Action::Edit, next, Vec::new()).await
    }

    /// Adds a relation between two subjects.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if an end is no subject; [`AppError::Input`] if the relation is there already;
    /// [`AppError::Memory`] for an invalid text.
    pub async fn relate(&self, new: NewRelation, actor: Actor) -> Result<WrittenEntry, AppError> {
        let filter = ScopeFilter::EVERYTHING;
        let stamp = self.session.stamp(actor);
        let entry = self.relation(&new, &filter, stamp).await?;
        self.session.memories().commit_new(stamp, Action::Create, entry).await
    }

    async fn relation(
        &self,
        new: &NewRelation,
        filter: &ScopeFilter,
        stamp: Stamp,
    ) -> Result<MemoryEntry, AppError> {
        let (from, to) = (self.subject(new.from, filter).await?, self.subject(new.to, filter).await?);
        let draft = MemoryDraft {
            place: new.place,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".to_owned(),
            title: None,
            keys: Vec::new(),
            content: new
                .content
                .clone()
                .filter(|content| !content.trim().is_empty())
                .unwrap_or_else(|| sentence(&from.name, new.relation.trim(), &to.name)),
            importance: inklings_domain::memory::Importance::DEFAULT.get(),
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        };
        let links =
            NewLinks { relation: Some((new.relation.clone(), from.id, to.id)), ..NewLinks::default() };
        let entry = MemoryEntry::create_linked(self.session.ids.memory_id(), draft, &links, stamp)?;
        self.refuse_double(&links, new.place, filter).await?;
        Ok(entry)
    }

    /// Refuses a relation that an entry of the same place states already for a part of its time, as far as a filter shows it.
    async fn refuse_double(
        &self,
        links: &NewLinks,
        place: Place,
        filter: &ScopeFilter,
    ) -> Result<(), AppError> {
        if !self.stating(links, place, filter).await?.is_empty() {
            return Err(AppError::Input {
                field: "relation",
                message: "these two are related like this already".to_owned(),
            });
        }
        Ok(())
    }

    /// The entries of a place that state a relation already for a part of its time, as far as a filter shows them.
    async fn stating(
        &self,
        links: &NewLinks,
        place: Place,
        filter: &ScopeFilter,
    ) -> Result<Vec<MemoryId>, AppError> {
        let Some((relation, from, to)) = &links.relation else { return Ok(Vec::new()) };
        let linked = self
            .session
            .workspace
            .subjects
            .linked_to(&[*from], &[LinkRole::From], filter, MOST_LINKED)
            .await?;
        let same = |stored: &StoredEntry| {
            stored.entry.ends() == Some((*from, *to))
                && stored.entry.place == place
                && stored.entry.span.overlaps(links.span)
                && stored.entry.relation.as_deref().map(text::fold) == Some(text::fold(relation))
        };
        Ok(linked.into_iter().filter(same).map(|stored| stored.entry.id).collect())
    }

    /// The entries of a place that state a relation already for a part of its time.
    pub(crate) async fn stated_by(&self, links: &NewLinks, place: Place) -> Result<Vec<MemoryId>, AppError> {
        self.stating(links, place, &ScopeFilter::EVERYTHING).await
    }

    /// The links that an agent names for a new memory of a place. It names subjects that a filter shows.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a name of no such subject; [`AppError::Input`] for a relation without two ends, one that is
    /// stated already, or what is no date.
    pub async fn links_named(
        &self,
        named: &NamedLinks<'_>,
        place: Place,
        filter: &ScopeFilter,
    ) -> Result<NewLinks, AppError> {
        let NamedLinks { relation, from, to, about, holds } = *named;
        let mut links = NewLinks::default();
        if let Some(dates) = holds {
            links.span = self.session.calendars().read(dates, None, filter).await?;
        }
        for name in about {
            links.about.push(self.find(name, filter).await?.id);
        }
        links.relation = match (relation, from, to) {
            (None, None, None) => None,
            (Some(relation), Some(from), Some(to)) => {
                let (from, to) = (self.find(from, filter).await?.id, self.find(to, filter).await?.id);
                Some((relation.to_owned(), from, to))
            }
            _ => {
                return Err(AppError::Input {
                    field: "relation",
                    message: "'relation', 'from' and 'to' come together".to_owned(),
                });
            }
        };
        self.refuse_double(&links, place, filter).await?;
        Ok(links)
    }

    /// Sets the subjects that a memory is about.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if one is no subject; [`AppError::Stale`]; [`AppError::Memory`] for an entry that cannot be
    /// linked or is locked against the actor.
    pub async fn set_about(
        &self,
        id: MemoryId,
        version: u64,
        subjects: &[MemoryId],
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        for subject in subjects {
            self.subject(*subject, &ScopeFilter::EVERYTHING).await?;
        }
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.with_about(subjects, stamp)?);
        self.session.memories().commit_next(stamp, Action::Edit, next, Vec::new()).await
    }

    /// The subjects within a filter whose name or alias occurs in a text, by name.
    pub async fn mentioned_in(&self, text: &str, filter: &ScopeFilter) -> Result<Vec<SubjectRow>, AppError> {
        let words = padded_words(text);
        let names = self.session.workspace.memory.store.names().await?.into_iter();
        let ids: BTreeSet<MemoryId> =
            names.filter(|(name, _)| is_mentioned(name, &words)).map(|(_, id)| id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<MemoryId> = ids.into_iter().collect();
        Ok(self.session.workspace.subjects.subjects(SubjectChoice::Ids(&ids), filter).await?)
    }

    /// The relations of subjects and of their neighbours within a filter, the nearest first, then the most important.
    pub async fn neighbourhood(
        &self,
        subjects: &[MemoryId],
        filter: &ScopeFilter,
        limit: usize,
    ) -> Result<Vec<Neighbour>, AppError> {
        let mut found: Vec<Neighbour> = Vec::new();
        let mut seen: BTreeSet<MemoryId> = BTreeSet::new();
        let mut around: Vec<MemoryId> = subjects.to_vec();
        for hops in 1..=2 {
            let left = limit.saturating_sub(found.len());
            if around.is_empty() || left == 0 {
                break;
            }
            // The second hop reads the relations of the first again.
            let most = limit + seen.len();
            let mut linked = self.session.workspace.subjects.linked_to(&around, &ENDS, filter, most).await?;
            linked.retain(|stored| stored.entry.is_relation() && seen.insert(stored.entry.id));
            let ends = self.ends_of(&linked, filter).await?;
            let mut next = BTreeSet::new();
            for stored in linked {
                let Some((from, to)) = stored.entry.ends() else { continue };
                let (Some(from), Some(to)) = (ends.get(&from), ends.get(&to)) else { continue };
                next.extend([from.id, to.id]);
                let text = stated(&stored.entry, &from.name, &to.name);
                found.push(Neighbour { stored, text, hops });
            }
            around = next.into_iter().filter(|id| !subjects.contains(id)).collect();
        }
        found.truncate(limit);
        Ok(found)
    }
}

/// A kind that a list is limited to, as it is stored.
///
/// # Errors
/// [`AppError::Memory`] for what can be no kind.
pub fn kind_wanted(kind: Option<&str>) -> Result<Option<String>, AppError> {
    Ok(kind.map(subject::kind).transpose().map_err(InvalidMemory::from)?)
}

/// A relation as seen from one of its ends; `None` if the other is not visible.
fn seen_from(id: MemoryId, stored: StoredEntry, others: &BTreeMap<MemoryId, SubjectRow>) -> Option<Relation> {
    let (from, to) = stored.entry.ends()?;
    let outgoing = from == id;
    let other = others.get(if outgoing { &to } else { &from })?.clone();
    Some(Relation { relation: stored.entry.relation.clone()?, outgoing, other, stored })
}

/// The text of a relation, with its sentence before it if the text does not name both ends.
fn stated(entry: &MemoryEntry, from: &str, to: &str) -> String {
    let words = padded_words(&entry.content);
    if is_mentioned(from, &words) && is_mentioned(to, &words) {
        return entry.content.clone();
    }
    let sentence = sentence(from, entry.relation.as_deref().unwrap_or_default(), to);
    format!("{sentence} {}", entry.content)
}
