//! Reading and writing memory in a client session.

use inklings_domain::{
    client::Verb,
    ids::MemoryId,
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, MemoryPatch, Origin,
        filter::{MemoryFilter, Sort},
    },
    orientation::shown::{Seen, Showing, Through},
    scope::{MemoryLifetime, MemoryScope},
};

use super::{ClientSession, Where};
use crate::{
    client::Denied,
    error::AppError,
    memory::{
        remember::{Observed, Remembered},
        store::HistoryVersion,
        write::Written,
    },
    search::Search,
};

/// Maximum memories per read.
const MOST_READ: usize = 50;

/// A memory as returned to the client.
#[derive(Debug, Clone)]
pub struct Noted {
    /// The entry at its current version.
    pub entry: MemoryEntry,
    /// Current relevance, after decay.
    pub relevance: f64,
    /// Whole days since the last write.
    pub age_days: i64,
}

/// A memory that a client wants to store.
#[derive(Debug, Clone)]
pub struct NewNote {
    /// One self-contained statement.
    pub content: String,
    /// Importance in [0, 1]; a medium default if `None`.
    pub importance: Option<f64>,
    /// Tags of the entry.
    pub tags: Vec<String>,
}

impl ClientSession {
    /// Entries of a tier for a query, best first; the most important ones if the query is empty. Limited to
    /// this tier and this channel or conversation.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::Input`] if a channel or conversation must be named.
    pub async fn read(&self, at: Where<'_>, query: &str, limit: usize) -> Result<Vec<Noted>, AppError> {
        let (client, place) = self.place(Verb::Read, at).await?;
        let denied = Denied::Tier { tier: at.tier, verb: Verb::Read };
        let filter = MemoryFilter::active(client.grants.reach_of(place).ok_or(denied)?);
        let limit = limit.clamp(1, MOST_READ);
        let session = &self.session;
        let entries: Vec<MemoryEntry> = if query.trim().is_empty() {
            let page = session.memories().list(&filter, Sort::ImportanceDesc, None, limit).await?;
            page.entries.into_iter().map(|stored| stored.entry).collect()
        } else {
            let query = query.to_owned();
            let search =
                Search { query, filter, limit, first: None, strategy: None, vector: None, marked: false };
            let found = session.search().memories(search).await?;
            found.hits.into_iter().map(|hit| hit.stored.entry).collect()
        };
        session
            .orientations()
            .note_uses_by(Some(client.id), entries.iter().map(|entry| (entry.id, entry.scope())))
            .await;
        let showing = |entries: &Vec<MemoryEntry>| {
            Showing::of(Through::Search, entries.iter().map(Seen::entry).collect()).at(place)
        };
        let entries = self.shows(entries, showing).await;
        Ok(entries.into_iter().map(|entry| self.noted(entry)).collect())
    }

    /// Adds the current relevance and age to an entry.
    pub fn noted(&self, entry: MemoryEntry) -> Noted {
        let now = self.session.clock.now();
        let relevance = self.session.decay().terms(&entry.decay_inputs(), now).relevance();
        Noted { relevance, age_days: (now - entry.updated_at).num_days().max(0), entry }
    }

    /// Stores a memory if the guards accept it, or files a proposal. The guards compare it only with entries
    /// that the client may read, so that their answers do not reveal others.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::MemoryOff`], [`AppError::Guard`], [`AppError::Memory`].
    pub async fn put(&self, at: Where<'_>, note: NewNote) -> Result<Remembered, AppError> {
        let (client, place) = self.place(Verb::Write, at).await?;
        let conversation = match place.conversation() {
            Some(id) => Some(self.session.conversations().by_id(id).await?),
            None => None,
        };
        let lifetime = match at.tier {
            MemoryScope::Conversation => MemoryLifetime::Conversation,
            _ => MemoryLifetime::ShortTerm,
        };
        let draft = MemoryDraft {
            place,
            lifetime,
            source: client.name.clone(),
            content: note.content,
            importance: note.importance.unwrap_or(inklings_domain::memory::Importance::DEFAULT.get()),
            tags: note.tags,
            origin: conversation
                .as_ref()
                .map(|conversation| Origin { conversation: Some(conversation.id), ..Origin::default() }),
        };
        let observed =
            Observed { draft, conversation: conversation.as_ref(), shown: &[], within: Some(&client.grants) };
        self.session.agent_writes().remember(observed, self.actor()?).await
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
        patch: MemoryPatch,
    ) -> Result<Remembered, AppError> {
        let (client, actor) = (self.admitted().await?, self.actor()?);
        let access = self.access(&client, actor);
        if access.entry(Verb::Write, id).await?.entry.is_locked() {
            return Err(InvalidMemory::Locked.into());
        }
        self.session.switch().may_capture(actor.kind()).await?;
        access.update(id, version, patch).await
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
