//! Persist: processes a conversation that ended. Adds its observations to the channel, writes an episode that
//! summarises it, and forgets its own entries, which can be restored. Idempotent; resumes after a crash.

mod extract;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::run::{Run, RunCounts, RunState, RunTrigger},
    conversation::{
        Conversation,
        message::{Message, Role},
    },
    derivation::{self, Derivation},
    extraction::Extracted,
    forget_reason::ForgetReason,
    memory::{
        MemoryDraft, MemoryEntry, Origin,
        change_set::{Action, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
        similarity::near_identical,
    },
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryLifetime, MemoryScope, Place},
    subject::NewLinks,
};
use inklings_ports::{
    conversation::summariser::Summariser, model::chat::ChatModel, schedule::PendingPersist,
};

use crate::{conversation::episodes::EpisodeRule, error::AppError, services::Extraction};

/// Name of the task in schedules and runs.
pub const TASK: &str = "persist";
/// Source recorded for extracted observations.
const SOURCE: &str = "persist";
/// Minimum importance for promoting an entry of the conversation tier to the channel.
const PROMOTE_IMPORTANCE: f64 = 0.6;
/// Minimum number of uses by the agent for promoting an entry regardless of importance.
const PROMOTE_ACCESSES: u64 = 2;
/// Failed attempts after which a conversation is skipped until the worldbuilder requests it.
pub const MOST_ATTEMPTS: u64 = 5;
/// Maximum conversations per run.
pub const MOST_AT_ONCE: usize = 20;

/// The helpers that persist uses.
pub struct Helpers<'a> {
    /// Writes the episode.
    pub summariser: &'a dyn Summariser,
    /// Extracts observations; without it the built-in rules are used.
    pub model: Option<Arc<dyn ChatModel>>,
}

impl Extraction<'_> {
    /// Persists the conversations that ended: those with the fewest failures first, then the longest waiting.
    /// A failing conversation does not block the others. After too many failures it is skipped until the
    /// worldbuilder requests it.
    ///
    /// # Errors
    /// [`AppError::MemoryOff`]; [`AppError::Store`] if the pending conversations cannot be read.
    pub async fn pending(
        &self,
        helpers: &Helpers<'_>,
        trigger: RunTrigger,
        interface: Interface,
    ) -> Result<Vec<Run>, AppError> {
        let mut runs = Vec::new();
        self.session.switch().may_capture(ActorKind::System).await?;
        let fewer_than = (trigger != RunTrigger::Asked).then_some(MOST_ATTEMPTS);
        for pending in self.waiting(fewer_than).await? {
            runs.push(self.persist(pending, helpers, trigger, interface).await?);
        }
        Ok(runs)
    }

    /// When the longest-waiting conversation ended, of those that have not failed too often; `None` if none
    /// is waiting.
    pub async fn persist_waits_since(&self) -> Result<Option<DateTime<Utc>>, AppError> {
        if !self.session.switch().enabled().await? {
            return Ok(None);
        }
        Ok(self.waiting(Some(MOST_ATTEMPTS)).await?.iter().map(|pending| pending.since).min())
    }

    /// The conversations that ended, without those in which an answer is still arriving: another process may have ended them.
    async fn waiting(&self, fewer_than: Option<u64>) -> Result<Vec<PendingPersist>, AppError> {
        let mut waiting = Vec::new();
        for pending in self.session.workspace.runs.pending_persists(fewer_than, MOST_AT_ONCE).await? {
            if !self.session.transcripts().is_answering(pending.conversation).await? {
                waiting.push(pending);
            }
        }
        Ok(waiting)
    }

    /// Persists one conversation.
    ///
    /// # Errors
    /// [`AppError::Store`] if the run's state cannot be stored; errors of the work itself are recorded in the
    /// run.
    pub async fn persist(
        &self,
        pending: PendingPersist,
        helpers: &Helpers<'_>,
        trigger: RunTrigger,
        interface: Interface,
    ) -> Result<Run, AppError> {
        let runs = &self.session.workspace.runs;
        let cut_off = match pending.run {
            Some(id) => runs.get(id).await?.filter(|run| run.state == RunState::Running),
            None => None,
        };
        let mut run = cut_off.unwrap_or_else(|| {
            Run::begun(self.session.ids.run_id(), TASK, trigger, self.session.clock.now())
        });
        runs.begin_persist(pending.conversation, &run).await?;
        let actor = Actor::new(ActorKind::System, interface, Some(run.id))?;
        let worked = async {
            // The work is committed as one change. If that change exists, only marking the run as done is
            // missing.
            if !self.session.workspace.memory.store.changes_of_run(run.id).await?.is_empty() {
                return Ok(());
            }
            let conversation = self.session.conversations().by_id(pending.conversation).await?;
            self.work_up(&conversation, helpers, actor, &mut run.counts).await
        }
        .await;
        let at = self.session.clock.now();
        let (state, error) = match &worked {
            Ok(()) => (RunState::Done, None),
            Err(error) => {
                tracing::warn!(%error, "the end of a conversation was not worked up; it will be tried again");
                (RunState::Failed, Some(error.to_string()))
            }
        };
        let run = run.ended(state, error, at);
        runs.end_persist(pending.conversation, &run).await?;
        Ok(run)
    }

    async fn work_up(
        &self,
        conversation: &Conversation,
        helpers: &Helpers<'_>,
        actor: Actor,
        counts: &mut RunCounts,
    ) -> Result<(), AppError> {
        // Messages deleted before this point, e.g. by a crash, are not used.
        let messages = self.spoken(conversation).await?;
        let extracted = extract::extracted(&messages, helpers.model.as_ref()).await;
        let rule = EpisodeRule { retain_last: 0, max_age_days: 0 };
        self.session.episodes().summarise_old_turns(conversation.id, rule, helpers.summariser).await?;

        let own = self.noted_during(conversation).await?;
        counts.scanned += (own.len() + messages.len()) as u64;
        let stamp = self.session.stamp(actor);
        let place = Place::Channel(conversation.channel_id);
        let mut writes: Vec<MemoryWrite> = Vec::new();
        let mut carried: Vec<String> = Vec::new();
        let lens = match self.session.lenses().resolve(conversation.lens).await {
            // Without its knower, nobody but the worldbuilder sees what it wrote.
            Err(AppError::NotFound { .. }) => None,
            resolved => resolved?,
        };
        for entry in own.iter().filter(|entry| !entry.is_locked()) {
            let known =
                self.session.agent_writes().noted_already(&entry.content, place, lens.clone()).await?;
            let next = match known.filter(|id| *id != entry.id) {
                Some(id) if self.is_wider(id).await? => {
                    entry.retired_into(id, ForgetReason::CarriedOver, stamp)?
                }
                _ if matters(entry)
                    && !matches_any(&carried, &entry.content)
                    && self.is_new_to_tasks(&entry.content).await? =>
                {
                    let draft = carried_over(entry, place, conversation);
                    // The text stays the same, so what it was made of stays true of it.
                    let made = MemoryEntry::create(self.session.ids.memory_id(), draft, stamp)?
                        .with_links_and_span_of(entry)?
                        .with_text_sources(entry.text_sources());
                    let retired = entry.retired_into(made.id, ForgetReason::CarriedOver, stamp)?;
                    carried.push(made.content.clone());
                    writes.push(MemoryWrite::Insert(made));
                    counts.promoted += 1;
                    retired
                }
                _ => entry.forgotten(ForgetReason::ConversationEnded, stamp)?,
            };
            counts.faded += 1;
            writes.push(MemoryWrite::Update(next));
        }
        for (extracted_one, made_of) in extracted {
            if matches_any(&carried, &extracted_one.text)
                || self.session.agent_writes().is_derivable(&extracted_one.text, place, lens.clone()).await?
                || !self.is_new_to_tasks(&extracted_one.text).await?
            {
                continue;
            }
            let draft = observed(&extracted_one, made_of, place, conversation);
            let links = NewLinks { known_by: conversation.lens.known_by(), ..NewLinks::default() };
            let made = MemoryEntry::create_linked(self.session.ids.memory_id(), draft, &links, stamp)?;
            carried.push(made.content.clone());
            writes.push(MemoryWrite::Insert(made));
            counts.created += 1;
        }
        if !writes.is_empty() {
            // Commit all writes as one change, so that a crash leaves all or nothing.
            self.session.memories().commit(stamp, Action::Persist, None, writes).await?;
        }
        Ok(())
    }

    /// False for scrubbed texts, which no task may store again.
    async fn is_new_to_tasks(&self, text: &str) -> Result<bool, AppError> {
        match self.session.scrubs().may_learn(text, ActorKind::System).await {
            Ok(()) => Ok(true),
            Err(AppError::Guard(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Messages of the worldbuilder and the agent, in order. Excludes messages that clients wrote, so that
    /// their content is not stored under another actor.
    async fn spoken(&self, conversation: &Conversation) -> Result<Vec<Message>, AppError> {
        let mut messages = self.session.switch().on_record(conversation.id, 0).await?;
        let of_clients = self.session.workspace.client_writes.messages_of_clients(conversation.id).await?;
        messages.retain(|m| {
            m.is_speech() && !m.is_attachment() && matches!(m.body.role, Role::User | Role::Assistant)
        });
        messages.retain(|m| !of_clients.iter().any(|(id, _)| *id == m.body.id));
        Ok(messages)
    }

    /// The conversation's own active entries, oldest first.
    async fn noted_during(&self, conversation: &Conversation) -> Result<Vec<MemoryEntry>, AppError> {
        let scope_filter = ScopeFilter::of(Place::Conversation(conversation.channel_id, conversation.id));
        self.session.memories().every(&MemoryFilter::active(scope_filter), Sort::CreatedAsc).await
    }

    /// True if the entry's tier is wider than the conversation.
    async fn is_wider(&self, id: inklings_domain::ids::MemoryId) -> Result<bool, AppError> {
        Ok(self.session.entry(id).await?.entry.scope() != MemoryScope::Conversation)
    }
}

fn matches_any(known: &[String], text: &str) -> bool {
    known.iter().any(|other| near_identical(other, text))
}

/// True if the entry is to be promoted. An importance that a client gave its own words does not count; uses
/// by others do.
fn matters(entry: &MemoryEntry) -> bool {
    (entry.importance.get() >= PROMOTE_IMPORTANCE && !entry.holds_client_words())
        || entry.access_count >= PROMOTE_ACCESSES
}

fn origin(conversation: &Conversation) -> Origin {
    Origin { conversation: Some(conversation.id), ..Origin::default() }
}

fn carried_over(entry: &MemoryEntry, place: Place, conversation: &Conversation) -> MemoryDraft {
    MemoryDraft {
        place,
        lifetime: MemoryLifetime::ShortTerm,
        source: entry.source.clone(),
        title: entry.title.clone(),
        keys: entry.keys.clone(),
        content: entry.content.clone(),
        importance: entry.importance.get(),
        tags: entry.tags.clone(),
        origin: Some(origin(conversation)),
        derivations: derivation::newest(
            std::iter::once(entry.as_source()).chain(entry.derivations.iter().cloned()).collect(),
        ),
    }
}

fn observed(
    extracted_one: &Extracted,
    derivations: Vec<Derivation>,
    place: Place,
    conversation: &Conversation,
) -> MemoryDraft {
    MemoryDraft {
        place,
        lifetime: MemoryLifetime::ShortTerm,
        source: SOURCE.to_owned(),
        title: None,
        keys: Vec::new(),
        content: extracted_one.text.clone(),
        importance: extracted_one.importance,
        tags: vec![extracted_one.kind.as_str().to_owned()],
        origin: Some(origin(conversation)),
        derivations,
    }
}
