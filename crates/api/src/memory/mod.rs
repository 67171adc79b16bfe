//! Use cases of memory: converts requests, calls the use case and converts the result.

pub mod by_name;
pub mod convert;
pub mod decay;
pub mod embed;
pub mod filter;
pub(crate) mod import;
pub(crate) mod journal;
pub(crate) mod vector_state;

use inklings_application::{
    agent_write::remember::Remembered, conversation::lookup::ChannelRef, derivation::SourceReader,
    error::AppError, memory::write::WrittenEntry, session::Session,
};
use inklings_domain::{
    derivation::Derivation,
    forget_reason::ForgetReason,
    ids::{ChangeId, ConversationId},
    memory::{MemoryDraft, MemoryEntry, filter as domain},
    provenance::{Actor, ActorKind},
    scope::Place,
    search::query::QueryText,
};
use inklings_ports::memory::store::StoredEntry;

use crate::{
    commands::MemoryCommands,
    error::{CommandError, ErrorDetails},
    memory::{
        decay::DecayCurve,
        filter::{FacetCount, FacetValues, ListRequest, MemoryFilter, MemoryPage, ScopeCounts},
    },
    view::{
        change::{Change, Noted, WriteResult},
        memory::{BulkProperties, HistoryItem, MemoryDetail, MemoryPatch, MemoryRow, MoveTarget, NewMemory},
        preview::PlaceNames,
        story_time::story_time_of,
    },
    vocabulary::{Scope, Sort},
    wire::{count, cursor},
};

/// The `source` of entries that the worldbuilder writes.
const USER: &str = "user";

/// The place of a new entry in the workspace of a session.
async fn place_of(
    session: &Session,
    scope: Scope,
    (channel, conversation): (Option<&str>, Option<&str>),
) -> Result<Place, CommandError> {
    let channel = crate::channel::by_id(channel)?;
    if let Some(id) = conversation {
        let _: ConversationId = crate::wire::id("conversationId", id)?;
    }
    Ok(session.conversations().place(scope.into(), channel, conversation).await?)
}

fn draft(new: NewMemory, derivations: Vec<Derivation>, place: Place, source: &str) -> MemoryDraft {
    MemoryDraft {
        place,
        lifetime: new.lifetime.into(),
        source: source.to_owned(),
        title: new.title,
        keys: new.keys,
        content: new.content,
        importance: new.importance,
        tags: new.tags,
        origin: None,
        derivations,
    }
}

impl MemoryCommands<'_> {
    /// A page of a list.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id or cursor.
    pub async fn list_memories(&self, request: ListRequest) -> Result<MemoryPage, CommandError> {
        let filter = convert::filter(&*self.app.session()?, request.filter).await?;
        self.list_filtered(&filter, request.sort, request.after.as_deref(), request.limit).await
    }

    pub(crate) async fn list_filtered(
        &self,
        filter: &domain::MemoryFilter,
        sort: Sort,
        after: Option<&str>,
        limit: u32,
    ) -> Result<MemoryPage, CommandError> {
        let after = cursor::after(after)?;
        let session = self.app.session()?;
        let page = session.memories().list(filter, sort.into(), after.as_ref(), limit as usize).await?;
        Ok(MemoryPage { rows: self.rows(&page.entries).await?, next: page.next.as_ref().map(cursor::text) })
    }

    /// Number of entries per tier under a filter's conditions.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id.
    pub async fn scope_counts(&self, filter: MemoryFilter) -> Result<ScopeCounts, CommandError> {
        let session = self.app.session()?;
        let counts = session.memories().count(&convert::filter(&session, filter).await?).await?;
        Ok(ScopeCounts {
            account: count(counts.account),
            workspace: count(counts.workspace),
            channel: count(counts.channel),
            conversation: count(counts.conversation),
        })
    }

    /// Facet values with counts, of all entries that match a filter or of the results of a query within it.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id.
    pub async fn facet_counts(
        &self,
        filter: MemoryFilter,
        query: Option<String>,
    ) -> Result<Vec<FacetValues>, CommandError> {
        let session = self.app.session()?;
        let filter = convert::filter(&*self.app.session()?, filter).await?;
        let query = query.filter(|query| !query.trim().is_empty()).map(QueryText::Typed);
        let facets = session.memories().facets(&filter, query).await?;
        Ok(facets
            .into_iter()
            .map(|facet| FacetValues {
                facet: facet.facet.into(),
                values: facet
                    .values
                    .into_iter()
                    .map(|(value, n)| FacetCount { value, count: count(n) })
                    .collect(),
            })
            .collect())
    }

    /// One entry with its full content.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_memory(&self, id: &str) -> Result<MemoryDetail, CommandError> {
        let stored = self.app.session()?.entry(crate::wire::id("id", id)?).await?;
        self.detail(&stored).await
    }

    /// Creates an entry.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the invalid field.
    pub async fn create_memory(&self, new: NewMemory) -> Result<WriteResult, CommandError> {
        self.create_memory_in(new, None).await
    }

    /// Creates an entry in a workspace by its id, which does not have to be the one in use; `None`: the one in use.
    ///
    /// # Errors
    /// As [`Self::create_memory`]; `not_found` for an unknown workspace.
    pub async fn create_memory_in(
        &self,
        new: NewMemory,
        workspace: Option<&str>,
    ) -> Result<WriteResult, CommandError> {
        let session = match workspace {
            Some(id) => self.app.client().session_on(crate::wire::id("workspaceId", id)?).await?,
            None => self.app.session()?,
        };
        let at = (new.channel_id.as_deref(), new.conversation_id.as_deref());
        let place = place_of(&session, new.scope, at).await?;
        let made_of = session.derivations().named(&new.content, &new.made_of).await?;
        let written = session.memories().create(draft(new, made_of, place, USER), self.app.actor).await?;
        self.written_in(&session, &written).await
    }

    /// Creates an entry as an actor kind, in a channel or conversation given by name. An uncertain entry for
    /// the account becomes a proposal, unless the worldbuilder writes it.
    ///
    /// # Errors
    /// As [`Self::create_memory`]; `locked` if the interface does not permit the actor kind.
    pub async fn create_memory_as(
        &self,
        new: NewMemory,
        channel: Option<&str>,
        conversation: Option<&str>,
        source: Option<&str>,
        actor_kind: ActorKind,
    ) -> Result<Noted, CommandError> {
        let actor = Actor::new(actor_kind, self.app.actor.interface(), None).map_err(AppError::from)?;
        let source =
            source.unwrap_or(if actor_kind == ActorKind::Author { USER } else { actor_kind.as_str() });
        let session = self.app.session()?;
        // Validated before a channel is created for it.
        let (id, stamp) = (session.ids.memory_id(), session.stamp(actor));
        let made_of = session.derivations().named(&new.content, &new.made_of).await?;
        MemoryEntry::create(id, draft(new.clone(), made_of.clone(), Place::Workspace, source), stamp)
            .map_err(AppError::from)?;
        let channel = channel.map(ChannelRef::NameOrNew);
        let place = session.conversations().place(new.scope.into(), channel, conversation).await?;
        Ok(match session.agent_writes().note_memory(draft(new, made_of, place, source), actor).await? {
            Remembered::Written(written) => Noted::Written(Box::new(self.written(&written).await?)),
            Remembered::Proposed(proposed) => {
                Noted::Proposed { proposed: proposed.id().map(|id| id.to_string()) }
            }
        })
    }

    /// Changes an entry that the caller has read at `version`.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions if the entry was changed since.
    pub async fn update_memory(
        &self,
        id: &str,
        version: u32,
        patch: MemoryPatch,
    ) -> Result<WriteResult, CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        let patch = patch.into();
        match session.memories().edit(id, version.into(), patch, self.app.actor).await {
            Ok(written) => self.written(&written).await,
            Err(error) => Err(self.refusal(error).await),
        }
    }

    /// Forgets entries, with an optional note of the worldbuilder.
    ///
    /// # Errors
    /// [`CommandError`]; nothing is forgotten in that case.
    pub async fn forget_memories(&self, ids: &[String], note: &str) -> Result<Change, CommandError> {
        let (session, ids) = (self.app.session()?, crate::wire::ids(ids)?);
        let done = if note.trim().is_empty() {
            session.memories().forget_for(&ids, &ForgetReason::Asked(None), self.app.actor).await?
        } else {
            session.memories().forget(&ids, note, self.app.actor).await?
        };
        Ok(convert::changed(&done))
    }

    /// Restores forgotten entries.
    ///
    /// # Errors
    /// [`CommandError`]; nothing is restored in that case.
    pub async fn restore_memories(&self, ids: &[String]) -> Result<Change, CommandError> {
        let done = self.app.session()?.memories().restore(&crate::wire::ids(ids)?, self.app.actor).await?;
        Ok(convert::changed(&done))
    }

    /// Adds and removes tags.
    ///
    /// # Errors
    /// [`CommandError`]; nothing is changed in that case.
    pub async fn tag_memories(
        &self,
        ids: &[String],
        add: &[String],
        remove: &[String],
    ) -> Result<Change, CommandError> {
        let done =
            self.app.session()?.memories().tag(&crate::wire::ids(ids)?, add, remove, self.app.actor).await?;
        Ok(convert::changed(&done))
    }

    /// Applies the same properties to entries.
    ///
    /// # Errors
    /// [`CommandError`]; nothing is changed in that case.
    pub async fn set_memory_properties(
        &self,
        ids: &[String],
        properties: BulkProperties,
    ) -> Result<Change, CommandError> {
        let (session, ids) = (self.app.session()?, crate::wire::ids(ids)?);
        let done = session.memories().set_properties(&ids, properties.into(), self.app.actor).await?;
        Ok(convert::changed(&done))
    }

    /// Moves entries to another tier, channel or conversation, or to another workspace.
    ///
    /// # Errors
    /// [`CommandError`]; nothing is moved in that case.
    pub async fn move_memories(&self, ids: &[String], to: &MoveTarget) -> Result<Change, CommandError> {
        let target = match to.workspace_id.as_deref() {
            Some(id) => self.app.client().session_on(crate::wire::id("workspaceId", id)?).await?,
            None => self.app.session()?,
        };
        let at = (to.channel_id.as_deref(), to.conversation_id.as_deref());
        let place = place_of(&target, to.scope, at).await?;
        self.move_to(ids, &target, place).await
    }

    /// As [`Self::move_memories`], with the workspace, the channel and the conversation by name and reference code.
    pub async fn move_memories_to(
        &self,
        ids: &[String],
        world: Option<&str>,
        scope: Scope,
        channel: Option<&str>,
        conversation: Option<&str>,
    ) -> Result<Change, CommandError> {
        let channel = channel.map(ChannelRef::Name);
        let target = match world {
            Some(name) => self.app.client().session_on(self.app.workspaces.id_of(name).await?).await?,
            None => self.app.session()?,
        };
        let place = target.conversations().place(scope.into(), channel, conversation).await?;
        self.move_to(ids, &target, place).await
    }

    async fn move_to(&self, ids: &[String], target: &Session, place: Place) -> Result<Change, CommandError> {
        let (session, ids) = (self.app.session()?, crate::wire::ids(ids)?);
        let written = session.memories().move_to_world(&ids, target, place, self.app.actor).await?;
        // A move between databases writes two entries for each.
        let summary = convert::summary(written.action, ids.len());
        Ok(Change { summary, ..convert::changed(&written) })
    }

    /// Undoes a change.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` if an entry was changed again since, `nothing_to_undo` if it
    /// was undone already.
    pub async fn undo_change(&self, change: &str) -> Result<Change, CommandError> {
        let id: ChangeId = crate::wire::id("changeId", change)?;
        match self.app.session()?.memories().undo_change(id, self.app.actor).await {
            Ok(done) => Ok(convert::changed(&done)),
            Err(error) => Err(self.refusal(error).await),
        }
    }

    /// Undoes the newest change of the worldbuilder.
    pub async fn undo_last(&self) -> Result<Change, CommandError> {
        match self.app.session()?.memories().undo_last(self.app.actor).await {
            Ok(done) => Ok(convert::changed(&done)),
            Err(error) => Err(self.refusal(error).await),
        }
    }

    /// All versions of an entry, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn memory_history(&self, id: &str) -> Result<Vec<HistoryItem>, CommandError> {
        let history = self.app.session()?.memories().history(crate::wire::id("id", id)?).await?;
        Ok(history.iter().enumerate().map(|(n, item)| HistoryItem::of(item, n == 0)).collect())
    }

    /// Restores an earlier version of an entry.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` if the entry is not at `current_version`.
    pub async fn restore_version(
        &self,
        id: &str,
        version: u32,
        current_version: u32,
    ) -> Result<WriteResult, CommandError> {
        let id = crate::wire::id("id", id)?;
        let session = self.app.session()?;
        match session
            .memories()
            .restore_version(id, version.into(), current_version.into(), self.app.actor)
            .await
        {
            Ok(written) => self.written(&written).await,
            Err(error) => Err(self.refusal(error).await),
        }
    }

    /// The relevance of an entry over time.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn decay_curve(&self, id: &str) -> Result<DecayCurve, CommandError> {
        Ok(convert::curve(&self.app.session()?.memories().decay_curve(crate::wire::id("id", id)?).await?))
    }

    /// The answer to a write of one entry.
    pub(crate) async fn answer(
        &self,
        written: Result<WrittenEntry, AppError>,
    ) -> Result<WriteResult, CommandError> {
        match written {
            Ok(written) => self.written(&written).await,
            Err(error) => Err(self.refusal(error).await),
        }
    }

    pub(crate) async fn written(&self, written: &WrittenEntry) -> Result<WriteResult, CommandError> {
        self.written_in(&*self.app.session()?, written).await
    }

    async fn written_in(
        &self,
        session: &Session,
        written: &WrittenEntry,
    ) -> Result<WriteResult, CommandError> {
        let change = convert::change(written.change, written.action, &[written.id()]);
        Ok(WriteResult { change, detail: self.detail_in(session, &written.stored).await? })
    }

    pub(crate) async fn detail(&self, stored: &StoredEntry) -> Result<MemoryDetail, CommandError> {
        self.detail_in(&*self.app.session()?, stored).await
    }

    async fn detail_in(&self, session: &Session, stored: &StoredEntry) -> Result<MemoryDetail, CommandError> {
        let places = place_names_of(session, &[stored]).await?;
        let timed = std::iter::once(&stored.entry);
        let calendar = session.calendars().for_times_of(timed, &domain::ScopeFilter::EVERYTHING).await?;
        let time = story_time_of(stored, calendar.as_deref());
        let knowers = crate::lens::knowers(session, &stored.entry.links).await?;
        let provenance = session.derivations().of_one(&stored.entry, SourceReader::Author).await?;
        let (decay, now) = (session.decay(), self.app.clock.now());
        Ok(MemoryDetail::of(stored, &decay, now, &provenance, (&places, time, knowers)))
    }

    pub(crate) async fn rows(&self, entries: &[StoredEntry]) -> Result<Vec<MemoryRow>, CommandError> {
        self.rows_in(&*self.app.session()?, entries).await
    }

    /// List rows of the entries of a session.
    pub(crate) async fn rows_in(
        &self,
        session: &Session,
        entries: &[StoredEntry],
    ) -> Result<Vec<MemoryRow>, CommandError> {
        let decay = session.decay();
        let now = self.app.clock.now();
        let places = place_names_of(session, &entries.iter().collect::<Vec<_>>()).await?;
        let row = |stored: &StoredEntry| {
            let relevance = decay.terms(&stored.entry.decay_inputs(), now).relevance();
            MemoryRow::of(stored, relevance, &places)
        };
        Ok(entries.iter().map(row).collect())
    }

    /// Converts an error; a stale version carries both versions.
    pub(crate) async fn refusal(&self, error: AppError) -> CommandError {
        let both = match &error {
            AppError::Stale { current, yours, .. } => Some((current.id, yours.clone())),
            _ => None,
        };
        let mut refusal = CommandError::from(error);
        if let Some((id, yours_content)) = both {
            let current = self.get_memory(&id.to_string()).await.ok();
            refusal.details = Some(Box::new(ErrorDetails { field: None, current, yours_content }));
        }
        refusal
    }
}

/// Names of the channels and conversations of entries.
pub(crate) async fn place_names_of(
    session: &Session,
    entries: &[&StoredEntry],
) -> Result<PlaceNames, CommandError> {
    let mut names = PlaceNames::default();
    if entries.iter().any(|stored| stored.entry.place.channel().is_some()) {
        let channels = session.workspace.conversations.channel_names().await?.into_iter();
        names.channels = channels.map(|(id, name)| (id, name.as_str().to_owned())).collect();
    }
    let mut ids: Vec<ConversationId> =
        entries.iter().filter_map(|stored| stored.entry.place.conversation()).collect();
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        let conversations = session.workspace.conversations.conversations(&ids).await?.into_iter();
        names.conversations = conversations.map(|c| (c.id, c)).collect();
    }
    Ok(names)
}
