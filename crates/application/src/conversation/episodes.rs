//! Episodes: paragraphs that summarise older turns.

use chrono::{DateTime, Duration};
use inklings_domain::{
    conversation::{
        episode::{Episode, MAX_AGE_DAYS, RETAIN_LAST, SHOWN, candidates},
        message::Message,
    },
    ids::{ConversationId, EpisodeId, MessageId},
    provenance::ActorKind,
};
use inklings_ports::{
    conversation::{
        store::ConversationCursor,
        summariser::{Material, Summariser},
        transcript_store::MessageRange,
    },
    store_error::StoreError,
};

use super::summarise::{max_summary_words, turns};
use crate::{error::AppError, memory::browse::MAX_PAGE, services::Episodes};

/// Name of the summarising task.
pub const TASK: &str = "summarise";
/// Cursor value for the first conversation.
const START: &str = "start";
/// Maximum messages per episode, because one paragraph cannot cover more.
const MOST_TURNS: usize = 200;

/// Decides which turns may be summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeRule {
    /// Newest messages that are never summarised.
    pub retain_last: usize,
    /// Minimum age of a message in days.
    pub max_age_days: i64,
}

impl Default for EpisodeRule {
    fn default() -> Self {
        Self { retain_last: RETAIN_LAST, max_age_days: MAX_AGE_DAYS }
    }
}

impl Episodes<'_> {
    /// Summarises older turns of a conversation into episodes, oldest first. Source messages are deleted only
    /// if the workspace keeps only summaries. Idempotent.
    ///
    /// # Errors
    /// [`AppError::MemoryOff`], for every actor; [`AppError::Store`] if the database fails.
    pub async fn summarise_old_turns(
        &self,
        conversation: ConversationId,
        rule: EpisodeRule,
        summariser: &dyn Summariser,
    ) -> Result<Vec<Episode>, AppError> {
        self.session.switch().may_capture(ActorKind::System).await?;
        let delete = self.session.conversations().settings().await?.keep_only_summaries;
        let age = Duration::try_days(rule.max_age_days.max(0)).unwrap_or(Duration::MAX);
        let all = self.speech(conversation).await?;
        let old = candidates(&all, rule.retain_last, age, self.session.clock.now());
        let mut made = Vec::new();
        for chunk in old.chunks(MOST_TURNS) {
            let Some(episode) = self.episode(conversation, chunk, summariser).await else { continue };
            match self.session.workspace.transcript.fold(&episode, delete).await {
                // A concurrent run summarised these messages first.
                Err(StoreError::Moved(_)) => break,
                done => done?,
            }
            made.push(episode);
        }
        Ok(made)
    }

    /// Where the summarising task continues; `None` for the first conversation.
    pub(crate) async fn summarised_through(&self) -> Result<Option<ConversationCursor>, AppError> {
        let stored = self.session.workspace.runs.cursor(TASK).await?;
        Ok(stored.and_then(|text| {
            let (at, id) = text.split_once(' ')?;
            let active_at = DateTime::from_timestamp_micros(at.parse().ok()?)?;
            Some(ConversationCursor { active_at, id: id.parse().ok()? })
        }))
    }

    /// Stores where the task continues.
    pub(crate) async fn set_summarised_through(
        &self,
        through: Option<ConversationCursor>,
    ) -> Result<(), AppError> {
        let text = through.map_or_else(
            || START.to_owned(),
            |cursor| format!("{} {}", cursor.active_at.timestamp_micros(), cursor.id),
        );
        Ok(self.session.workspace.runs.set_cursor(TASK, &text).await?)
    }

    async fn episode(
        &self,
        conversation: ConversationId,
        sources: &[&Message],
        summariser: &dyn Summariser,
    ) -> Option<Episode> {
        let transcript = turns(sources.iter().copied());
        let made =
            summariser.summarise(Material::Conversation, &transcript, max_summary_words(&transcript)).await;
        let (first, last) =
            (sources.iter().map(|m| m.body.at).min()?, sources.iter().map(|m| m.body.at).max()?);
        // A range with only tool messages has nothing to summarise.
        (!made.text.is_empty() && sources.len() >= inklings_domain::conversation::episode::MIN_TURNS).then(
            || Episode {
                id: self.session.ids.episode_id(),
                conversation,
                summary: made.text,
                sources: sources.iter().map(|m| m.id()).collect::<Vec<MessageId>>(),
                from: first,
                until: last,
                maker: made.maker,
                created_at: self.session.clock.now(),
            },
        )
    }

    /// Episodes shown to the agent: the five newest, oldest first.
    pub async fn recent(&self, conversation: ConversationId) -> Result<Vec<Episode>, AppError> {
        Ok(self.session.workspace.transcript.episodes(conversation, SHOWN).await?)
    }

    /// As [`Self::recent`], of a conversation that a branch shares up to a position: without those that tell of what follows.
    pub(crate) async fn recent_through(
        &self,
        conversation: ConversationId,
        through: Option<u64>,
    ) -> Result<Vec<Episode>, AppError> {
        let Some(through) = through else { return self.recent(conversation).await };
        let transcript = &self.session.workspace.transcript;
        let range = MessageRange::Before(through.saturating_add(1));
        let Some(last) = transcript.page(conversation, range, 1).await?.pop() else { return Ok(Vec::new()) };
        let mut episodes = self.list(conversation).await?;
        episodes.retain(|episode| episode.until <= last.body.at);
        Ok(episodes.split_off(episodes.len().saturating_sub(SHOWN)))
    }

    /// All episodes of a conversation, oldest first.
    pub async fn list(&self, conversation: ConversationId) -> Result<Vec<Episode>, AppError> {
        Ok(self.session.workspace.transcript.episodes(conversation, MAX_PAGE).await?)
    }

    /// Removes an episode from use.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if it is not in use.
    pub async fn remove(&self, id: EpisodeId) -> Result<(), AppError> {
        if self.session.workspace.transcript.remove_episode(id, self.session.clock.now()).await? {
            return Ok(());
        }
        Err(AppError::NotFound { what: "episode", name: id.to_string() })
    }

    /// All messages of a conversation from while memory was on, in order.
    async fn speech(&self, conversation: ConversationId) -> Result<Vec<Message>, AppError> {
        let mut messages = self.session.switch().on_record(conversation, 0).await?;
        messages.retain(Message::is_speech);
        Ok(messages)
    }
}
