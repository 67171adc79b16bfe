//! Reading and writing memory in a client session.

use inklings_domain::{
    client::{Capability, Client, Verb},
    ids::{MemoryId, PageId},
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, MemoryPatch, Origin,
        filter::{MemoryFilter, ScopeFilter},
    },
    orientation::shown::{Seen, Showing, Through},
    scope::{MemoryLifetime, MemoryScope, Place},
};
use inklings_ports::{memory::store::HistoryVersion, vault::filter::PageFilter};

use super::{ClientSession, Where};
use crate::{
    agent_write::{
        access::Linked,
        remember::{Observed, Remembered},
    },
    calendar::holds,
    derivation::{Provenance, SourceReader},
    error::{AppError, Denied},
    memory::write::Written,
    search::{
        for_agents::{AgentSearch, FoundText},
        pages::PageExcerpt,
    },
    subject::NamedLinks,
    tools::arguments::MOST_FOUND,
    vault::reading::{PagePart, PageReading},
};

/// A memory as returned to the client.
#[derive(Debug, Clone)]
pub struct Noted {
    /// The entry at its current version.
    pub entry: MemoryEntry,
    /// Current relevance, after decay.
    pub relevance: f64,
    /// Days of the calendar since the last write: 1 for yesterday.
    pub age_days: u64,
    /// When it holds in the story, as the calendar of the workspace writes it.
    pub holds: Option<String>,
    /// What it was made of, as far as the client may read that.
    pub made_of: Option<String>,
}

/// What a search gives a client.
#[derive(Debug, Clone)]
pub enum FoundNote {
    Memory(Box<Noted>),
    /// A part of a page.
    Page(Box<PageExcerpt>),
}

impl FoundNote {
    /// The memory, if it is one.
    pub fn memory(&self) -> Option<&Noted> {
        match self {
            Self::Memory(noted) => Some(noted),
            Self::Page(_) => None,
        }
    }
}

/// Where a search looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Within<'a> {
    /// Only this tier.
    pub tier: Option<MemoryScope>,
    /// Only this channel, by name or id.
    pub channel: Option<&'a str>,
    /// Only this conversation, by reference code or id.
    pub conversation: Option<&'a str>,
}

/// A memory that a client wants to store.
#[derive(Debug, Clone)]
pub struct NewNote<'a> {
    /// One self-contained statement.
    pub content: String,
    /// Importance in [0, 1]; a medium default if `None`.
    pub importance: Option<f64>,
    /// Tags of the entry.
    pub tags: Vec<String>,
    /// Its links to subjects, by their names.
    pub links: NamedLinks<'a>,
    /// The sources that the client names for it.
    pub sources: Vec<String>,
}

impl ClientSession {
    /// Entries and parts of pages for a query, best first; the most important entries if the query is empty. Limited to a
    /// tier, or to a channel or conversation, or to all that the client may read.
    ///
    /// # Errors
    /// [`AppError::Denied`] if the client may read nothing there.
    pub async fn search(
        &self,
        within: Within<'_>,
        query: &str,
        limit: usize,
    ) -> Result<Vec<FoundNote>, AppError> {
        let (client, scope_filter, place) = self.readable(within).await?;
        let limit = limit.clamp(1, MOST_FOUND as usize);
        let pages = PageFilter::within(&scope_filter);
        let memories = MemoryFilter::active(scope_filter);
        let search = AgentSearch { query: query.to_owned(), memories, pages, limit };
        let found = self.session.search().for_agents(search).await?;
        let used = found.iter().filter_map(FoundText::used);
        self.session.orientations().note_uses_by(Some(client.id), used.collect::<Vec<_>>()).await;
        let showing = |found: &Vec<FoundText>| {
            let showing = Showing::of(Through::Search, found.iter().map(FoundText::seen).collect());
            match place {
                Some(place) => showing.at(place),
                None => showing,
            }
        };
        let found = self.shows(found, showing).await;
        let entries = found.iter().filter_map(FoundText::memory).cloned().collect();
        let mut noted = self.noted(entries).await?.into_iter();
        let note = |text: FoundText| match text {
            FoundText::Memory(_) => noted.next().map(|noted| FoundNote::Memory(Box::new(noted))),
            FoundText::Page(page) => Some(FoundNote::Page(page)),
        };
        Ok(found.into_iter().filter_map(note).collect())
    }

    /// A part of a page.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::NotFound`] if there is none that the client may read; [`AppError::Input`] for a heading
    /// that it does not have.
    pub async fn page(&self, id: PageId, part: PagePart<'_>) -> Result<PageReading, AppError> {
        let client = self.capable(Capability::ReadPages).await?;
        if !client.grants.may_read_pages() {
            return Err(Denied::of(&client.grants, Verb::Read, MemoryScope::Workspace).into());
        }
        let filter = PageFilter::within(&client.grants.scope_filter_of_tiers(MemoryScope::ALL));
        let page = self.session.vaults().read(&filter, id, part).await?;
        Ok(self.shows(page, |page| Showing::of(Through::Page, vec![Seen::page(page.id)])).await)
    }

    /// What a client may read within bounds, and the one place that this is, if it is one.
    async fn readable(&self, within: Within<'_>) -> Result<(Client, ScopeFilter, Option<Place>), AppError> {
        let Within { tier, channel, conversation } = within;
        let named = match (channel, conversation) {
            (_, Some(_)) => Some(MemoryScope::Conversation),
            (Some(_), None) => Some(MemoryScope::Channel),
            (None, None) => None,
        };
        let one_place = match tier {
            None => named,
            Some(MemoryScope::Channel) => channel.and(tier),
            Some(MemoryScope::Conversation) => conversation.and(tier),
            Some(MemoryScope::Account | MemoryScope::Workspace) => tier,
        };
        if let Some(tier) = tier {
            Where { tier, channel, conversation }.check()?;
        }
        if let Some(tier) = one_place {
            let (client, place) = self.place(Verb::Read, Where { tier, channel, conversation }).await?;
            let denied = Denied::Tier { tier, verb: Verb::Read };
            let scope_filter = client.grants.scope_filter_of_place(place).ok_or(denied)?;
            return Ok((client, scope_filter, Some(place)));
        }
        let client = match tier {
            Some(tier) => self.granted(Verb::Read, tier).await?,
            None => self.admitted().await?,
        };
        let tiers: Vec<MemoryScope> = tier.map_or_else(|| MemoryScope::ALL.to_vec(), |tier| vec![tier]);
        if !tiers.iter().any(|tier| client.grants.may_somewhere(Verb::Read, *tier)) {
            return Err(Denied::of(&client.grants, Verb::Read, MemoryScope::Workspace).into());
        }
        let scope_filter = client.grants.scope_filter_of_tiers(&tiers);
        Ok((client, scope_filter, None))
    }

    /// Adds the current relevance, the age and the time in the story to entries. A client without the workspace tier is told
    /// the time in numbers of days, because the calendar is of that tier.
    ///
    /// # Errors
    /// [`AppError::Denied`] if the client was revoked; [`AppError::Store`] if the database cannot be read.
    pub async fn noted(&self, entries: Vec<MemoryEntry>) -> Result<Vec<Noted>, AppError> {
        let filter = self.admitted().await?.grants.scope_filter_of_tiers(MemoryScope::ALL);
        let calendar = self.session.calendars().for_times_of(entries.iter(), &filter).await?;
        let now = self.session.clock.now();
        let read: Vec<&MemoryEntry> = entries.iter().collect();
        let sources = self.session.derivations().of(&read, SourceReader::Agent(&filter)).await?;
        let noted = |(entry, provenance): (MemoryEntry, Provenance)| {
            let relevance = self.session.decay().terms(&entry.decay_inputs(), now).relevance();
            let holds = holds(&entry, calendar.as_deref());
            let age_days = self.session.clock.days_since(entry.updated_at);
            Noted { relevance, age_days, holds, made_of: provenance.framed(), entry }
        };
        Ok(entries.into_iter().zip(sources).map(noted).collect())
    }

    /// As [`Self::noted`], for one entry.
    pub async fn noted_one(&self, entry: MemoryEntry) -> Result<Noted, AppError> {
        let missing = AppError::NoMemory(entry.id);
        self.noted(vec![entry]).await?.pop().ok_or(missing)
    }

    /// Stores a memory if the guards accept it, or files a proposal. The guards compare it only with entries
    /// that the client may read, so that their answers do not reveal others.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::MemoryOff`], [`AppError::Guard`], [`AppError::Memory`].
    pub async fn put(&self, at: Where<'_>, note: NewNote<'_>) -> Result<Remembered, AppError> {
        let (client, place) = self.place(Verb::Write, at).await?;
        let filter = client.grants.scope_filter_of_tiers(MemoryScope::ALL);
        let links = self.session.subjects().links_named(&note.links, place, &filter).await?;
        let conversation = match place.conversation() {
            Some(id) => Some(self.session.conversations().by_id(id).await?),
            None => None,
        };
        let derivations =
            Box::pin(self.session.derivations().claimed(&note.content, &note.sources, &filter)).await?;
        let lifetime = match at.tier {
            MemoryScope::Conversation => MemoryLifetime::Conversation,
            _ => MemoryLifetime::ShortTerm,
        };
        let draft = MemoryDraft {
            place,
            lifetime,
            source: client.name.clone(),
            title: None,
            keys: Vec::new(),
            content: note.content,
            importance: note.importance.unwrap_or(inklings_domain::memory::Importance::DEFAULT.get()),
            tags: note.tags,
            origin: conversation
                .as_ref()
                .map(|conversation| Origin { conversation: Some(conversation.id), ..Origin::default() }),
            derivations,
        };
        let observed = Observed {
            draft,
            conversation: conversation.as_ref(),
            shown: &[],
            within: Some(&client.grants),
            links,
        };
        let remembered = self.session.agent_writes().remember(observed, self.actor()?).await?;
        self.trace.remembers(&remembered);
        Ok(remembered)
    }

    /// One entry by id, with what is linked to it if it is a subject.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is none that the client may read.
    pub async fn entry_with_links(&self, id: MemoryId) -> Result<Linked, AppError> {
        let client = self.admitted().await?;
        let access = self.access(&client, self.actor()?);
        let found = access.linked(access.entry(Verb::Read, id).await?.entry).await?;
        let showing = |found: &Linked| Showing::of(Through::Entry, found.seen()).at(found.entry.place);
        Ok(self.shows(found, showing).await)
    }

    /// The named entry with this name or alias, with what is linked to it if it is a subject.
    pub async fn named_with_links(&self, name: &str) -> Result<Linked, AppError> {
        let entry = self.find_named(name).await?;
        let client = self.admitted().await?;
        let found = self.access(&client, self.actor()?).linked(entry).await?;
        Ok(self.shows(found, |found| Showing::of(Through::Named, found.seen())).await)
    }

    /// Changes an entry. Without a version, the current version is changed.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::NoMemory`], [`AppError::MemoryOff`], [`AppError::Stale`]; [`AppError::Memory`]
    /// with `Locked` for what belongs to the worldbuilder.
    pub async fn update(
        &self,
        id: MemoryId,
        version: Option<u64>,
        mut patch: MemoryPatch,
        sources: &[String],
    ) -> Result<Remembered, AppError> {
        let (client, actor) = (self.admitted().await?, self.actor()?);
        let access = self.access(&client, actor);
        let found = access.entry(Verb::Write, id).await?;
        if found.entry.is_locked() {
            return Err(InvalidMemory::Locked.into());
        }
        self.session.switch().may_capture(actor.kind()).await?;
        if !sources.is_empty() {
            let filter = client.grants.scope_filter_of_tiers(MemoryScope::ALL);
            let text = patch.content.as_deref().unwrap_or(&found.entry.content);
            let claimed = Box::pin(self.session.derivations().claimed(text, sources, &filter)).await?;
            patch.derivations = Some(found.entry.derivations.iter().cloned().chain(claimed).collect());
        }
        let remembered = access.update_read(found, version, patch).await?;
        self.trace.remembers(&remembered);
        Ok(remembered)
    }

    /// Forgets an entry; it can be restored.
    ///
    /// # Errors
    /// As [`Self::update`], but also works while memory is switched off.
    pub async fn forget(&self, id: MemoryId, reason: &str) -> Result<Written, AppError> {
        let client = self.admitted().await?;
        self.access(&client, self.actor()?).forget(id, reason).await
    }

    /// All versions of an entry, newest first.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::NoMemory`].
    pub async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, AppError> {
        let client = self.admitted().await?;
        let versions = self.access(&client, self.actor()?).history(id).await?;
        let showing = |versions: &Vec<HistoryVersion>| {
            let seen = versions.iter().map(|version| Seen::entry(&version.entry)).collect();
            let showing = Showing::of(Through::History, seen);
            match versions.first() {
                Some(newest) => showing.at(newest.entry.place),
                None => showing,
            }
        };
        Ok(self.shows(versions, showing).await)
    }
}
