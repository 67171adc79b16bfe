//! Use cases of subjects and relations.

pub mod view;

use std::collections::BTreeSet;

use inklings_application::{
    error::AppError,
    subject::{
        self as application, Relation,
        pages::{NodeId, SubjectPage},
    },
};
use inklings_domain::{
    calendar::Calendar, ids::MemoryId, memory::filter::ScopeFilter, scope::MemoryScope, subject::KINDS,
};
use inklings_ports::subject as ports;

use crate::{
    commands::SubjectCommands,
    error::CommandError,
    format::{count, time},
    memory::place_names_of,
    named_entry::taken,
    subject::view::{
        EdgeView, GraphView, NameSuggestion, NewRelation, PageEdge, RelationView, SubjectList, SubjectRow,
        SubjectView,
    },
    vault::convert,
    view::{change::WriteResult, lens::LensSpec, preview::PlaceNames, story_time::story_time_of},
};

impl SubjectCommands<'_> {
    /// All subjects by name, or those of a kind.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for what can be no kind.
    pub async fn list_subjects(&self, kind: Option<&str>) -> Result<SubjectList, CommandError> {
        let session = self.app.session()?;
        let kind = application::kind_wanted(kind)?;
        let kind = kind.as_deref();
        let all = session.subjects().list(None, &ScopeFilter::EVERYTHING).await?;
        let in_use: BTreeSet<&str> = all.iter().map(|row| row.kind.as_str()).collect();
        let own = in_use.into_iter().filter(|kind| !KINDS.contains(kind));
        let kinds = KINDS.into_iter().chain(own).map(str::to_owned).collect();
        let wanted = |row: &&ports::SubjectRow| kind.is_none_or(|kind| row.kind == kind);
        let pages = session.subjects().pages(&all, &ScopeFilter::EVERYTHING).await?;
        // A page has the word that its file has, in any case.
        let is_kind = |own: &str, kind: &str| own.to_lowercase() == kind;
        let wanted_page = |page: &&SubjectPage| {
            kind.is_none_or(|kind| page.row.kind.as_deref().is_some_and(|own| is_kind(own, kind)))
        };
        Ok(SubjectList {
            pages: pages.iter().filter(wanted_page).map(page).collect(),
            rows: all.iter().filter(wanted).map(row).collect(),
            kinds,
        })
    }

    /// Names that recur in the newest memories and messages, and are no name of an entry.
    pub async fn suggest_subjects(&self) -> Result<Vec<NameSuggestion>, CommandError> {
        let found = self.app.session()?.subjects().suggestions(&ScopeFilter::EVERYTHING).await?;
        Ok(found.into_iter().map(|found| NameSuggestion { name: found.name, texts: found.texts }).collect())
    }

    /// All subjects and the relations between them, as far as a lens shows them.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for the lens, or `invalid` for what is no date.
    pub async fn world_graph(&self, lens: Option<&LensSpec>) -> Result<GraphView, CommandError> {
        let session = self.app.session()?;
        let filter = ScopeFilter::EVERYTHING.through(crate::lens::resolved(&session, lens).await?);
        let application::Graph { nodes, edges, more } = session.subjects().graph(&filter).await?;
        let edge = |edge: ports::Edge| EdgeView {
            id: edge.id.to_string(),
            relation: edge.relation,
            from: edge.from.to_string(),
            to: edge.to.to_string(),
        };
        let pages = session.subjects().pages(&nodes, &filter).await?;
        let links = session.subjects().page_links(&pages, &filter).await?;
        let page_edge =
            |(from, to): (NodeId, NodeId)| PageEdge { from: from.to_string(), to: to.to_string() };
        Ok(GraphView {
            nodes: nodes.iter().map(row).collect(),
            edges: edges.into_iter().map(edge).collect(),
            more,
            pages: pages.iter().map(page).collect(),
            page_edges: links.into_iter().map(page_edge).collect(),
        })
    }

    /// A subject with what is linked to it.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_subject(&self, id: &str) -> Result<SubjectView, CommandError> {
        let id = crate::wire::id("id", id)?;
        let found = self.app.session()?.subjects().get(id, &ScopeFilter::EVERYTHING).await?;
        let linked: Vec<_> =
            found.relations.iter().map(|relation| &relation.stored).chain(&found.about).collect();
        let session = self.app.session()?;
        let places = place_names_of(&session, &linked).await?;
        let timed = found.relations.iter().map(|seen| &seen.stored.entry);
        let calendar = session.calendars().for_times_of(timed, &ScopeFilter::EVERYTHING).await?;
        let pages = session.subjects().pages_of(&found.row, &ScopeFilter::EVERYTHING).await?;
        Ok(SubjectView {
            row: row(&found.row),
            memory: self.app.memory().detail(&found.stored).await?,
            relations: found
                .relations
                .iter()
                .map(|seen| relation(seen, &places, calendar.as_deref()))
                .collect(),
            about: self.app.memory().rows(&found.about).await?,
            knows: self.app.memory().rows(&found.knows).await?,
            more: found.more,
            pages: pages.iter().map(convert::row).collect(),
        })
    }

    /// The id of the subject with a name, an alias or an id.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn subject_at(&self, name: &str) -> Result<SubjectRow, CommandError> {
        Ok(row(&self.app.session()?.subjects().find(name, &ScopeFilter::EVERYTHING).await?))
    }

    /// Adds a subject, a named entry of the workspace with a kind. Its text may be empty.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `name`, or `invalid`.
    pub async fn add_subject(
        &self,
        name: &str,
        kind: &str,
        content: &str,
    ) -> Result<WriteResult, CommandError> {
        let session = self.app.session()?;
        match session.subjects().add(name, kind, content, self.app.actor).await {
            Err(error @ AppError::Store(_)) => Err(taken(error.into(), "name")),
            written => self.app.memory().answer(written).await,
        }
    }

    /// Makes a named entry a subject of this kind; without a kind, no subject any more.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions, or `invalid`.
    pub async fn set_subject(
        &self,
        id: &str,
        version: u32,
        kind: Option<&str>,
    ) -> Result<WriteResult, CommandError> {
        let id = crate::wire::id("id", id)?;
        let session = self.app.session()?;
        self.app
            .memory()
            .answer(session.subjects().set_kind(id, version.into(), kind, self.app.actor).await)
            .await
    }

    /// Adds a relation between two subjects.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if an end is no subject, or `invalid`.
    pub async fn add_relation(&self, new: NewRelation) -> Result<WriteResult, CommandError> {
        let session = self.app.session()?;
        let (scope, channel) = match &new.channel_id {
            Some(id) => (MemoryScope::Channel, crate::channel::by_id(Some(id))?),
            None => (MemoryScope::Workspace, crate::channel::by_id(None)?),
        };
        let new = application::NewRelation {
            from: crate::wire::id("from", &new.from)?,
            to: crate::wire::id("to", &new.to)?,
            relation: new.relation,
            content: new.content,
            place: session.conversations().place(scope, channel, None).await?,
        };
        self.app.memory().answer(session.subjects().relate(new, self.app.actor).await).await
    }

    /// Sets the subjects that a memory is about.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions, `not_found` for what is no subject, or `locked`.
    pub async fn set_about(
        &self,
        id: &str,
        version: u32,
        subjects: &[String],
    ) -> Result<WriteResult, CommandError> {
        let id: MemoryId = crate::wire::id("id", id)?;
        let subjects = crate::wire::ids(subjects)?;
        let session = self.app.session()?;
        self.app
            .memory()
            .answer(session.subjects().set_about(id, version.into(), &subjects, self.app.actor).await)
            .await
    }
}

fn row(subject: &ports::SubjectRow) -> SubjectRow {
    SubjectRow {
        id: subject.id.to_string(),
        kind: subject.kind.clone(),
        name: subject.name.clone(),
        aliases: subject.aliases.clone(),
        has_text: subject.has_text,
        links: count(subject.links),
        updated_at: time(subject.updated_at),
    }
}

fn page(page: &SubjectPage) -> view::SubjectPage {
    let subject_id = page.subject.map(|id| id.to_string());
    view::SubjectPage { page: convert::row(&page.row), subject_id }
}

fn relation(seen: &Relation, places: &PlaceNames, calendar: Option<&Calendar>) -> RelationView {
    let entry = &seen.stored.entry;
    RelationView {
        id: entry.id.to_string(),
        version: count(entry.version),
        relation: seen.relation.clone(),
        outgoing: seen.outgoing,
        other: row(&seen.other),
        story_time: story_time_of(&seen.stored, calendar),
        content: entry.content.clone(),
        curator: entry.curator.into(),
        scope: entry.scope().into(),
        channel_name: entry.place.channel().and_then(|id| places.channels.get(&id).cloned()),
    }
}
