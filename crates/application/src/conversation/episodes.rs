//! Episodes: older turns rolled up into paragraphs (seed 004).

use chrono::{DateTime, Duration};
use inklings_domain::{
    conversation::{
        episode::{Episode, MAX_AGE_DAYS, RETAIN_LAST, SHOWN, candidates},
        message::Message,
    },
    ids::{ConversationId, EpisodeId, MessageId},
    provenance::ActorKind,
};

use super::summarise::{room, turns};
use crate::{
    conversation::{store::ConversationCursor, summariser::Summariser},
    error::AppError,
    memory::browse::MAX_PAGE,
    session::Session,
    store_error::StoreError,
};

/// The name of the task that summarises old turns.
pub const TASK: &str = "summarise";
/// The cursor before the first conversation.
const START: &str = "start";
/// The most messages of one episode: a paragraph cannot carry more.
const MOST_TURNS: usize = 200;

/// Which turns may be rolled up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeRule {
    /// Newest messages that stay.
    pub retain_last: usize,
    /// Days that a message must be old.
    pub max_age_days: i64,
}

impl Default for EpisodeRule {
    fn default() -> Self {
        Self { retain_last: RETAIN_LAST, max_age_days: MAX_AGE_DAYS }
    }
}

impl Session {
    /// Rolls older turns of a conversation up into episodes, oldest first. Their sources are deleted only where the
    /// workspace keeps summaries alone. Run twice it does nothing the second time.
    ///
    /// # Errors
    /// [`AppError::MemoryOff`], whoever asks; [`AppError::Store`] if the database refuses.
    pub async fn summarise_old_turns(
        &self,
        conversation: ConversationId,
        rule: EpisodeRule,
        summariser: &dyn Summariser,
    ) -> Result<Vec<Episode>, AppError> {
        self.may_capture(ActorKind::System).await?;
        let delete = self.conversation_settings().await?.keep_only_summaries;
        let age = Duration::try_days(rule.max_age_days.max(0)).unwrap_or(Duration::MAX);
        let all = self.speech(conversation).await?;
        let old = candidates(&all, rule.retain_last, age, self.clock.now());
        let mut made = Vec::new();
        for chunk in old.chunks(MOST_TURNS) {
            let Some(episode) = self.episode(conversation, chunk, summariser).await else { continue };
            match self.workspace.transcript.fold(&episode, delete).await {
                // Another run took them up meanwhile.
                Err(StoreError::Moved(_)) => break,
                done => done?,
            }
            made.push(episode);
        }
        Ok(made)
    }

    /// Where the task that summarises old turns goes on; `None` at the first conversation.
    pub(crate) async fn summarised_through(&self) -> Result<Option<ConversationCursor>, AppError> {
        let kept = self.workspace.runs.cursor(TASK).await?;
        Ok(kept.and_then(|text| {
            let (at, id) = text.split_once(' ')?;
            let active_at = DateTime::from_timestamp_micros(at.parse().ok()?)?;
            Some(ConversationCursor { active_at, id: id.parse().ok()? })
        }))
    }

    /// Keeps where the task goes on.
    pub(crate) async fn keep_summarised_through(
        &self,
        through: Option<ConversationCursor>,
    ) -> Result<(), AppError> {
        let text = through.map_or_else(
            || START.to_owned(),
            |cursor| format!("{} {}", cursor.active_at.timestamp_micros(), cursor.id),
        );
        Ok(self.workspace.runs.set_cursor(TASK, &text).await?)
    }

    async fn episode(
        &self,
        conversation: ConversationId,
        sources: &[&Message],
        summariser: &dyn Summariser,
    ) -> Option<Episode> {
        let said = turns(sources.iter().copied());
        let made = summariser.summarise(&said, room(&said)).await;
        let (first, last) =
            (sources.iter().map(|m| m.body.at).min()?, sources.iter().map(|m| m.body.at).max()?);
        // Turns of tools alone say nothing that a paragraph could tell.
        (!made.text.is_empty() && sources.len() >= inklings_domain::conversation::episode::MIN_TURNS).then(
            || Episode {
                id: self.ids.episode_id(),
                conversation,
                summary: made.text,
                sources: sources.iter().map(|m| m.id()).collect::<Vec<MessageId>>(),
                from: first,
                until: last,
                maker: made.maker,
                created_at: self.clock.now(),
            },
        )
    }

    /// The episodes that are shown to the agent: the five newest, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn recent_episodes(&self, conversation: ConversationId) -> Result<Vec<Episode>, AppError> {
        Ok(self.workspace.transcript.episodes(conversation, SHOWN).await?)
    }

    /// Every episode of a conversation, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn episodes(&self, conversation: ConversationId) -> Result<Vec<Episode>, AppError> {
        Ok(self.workspace.transcript.episodes(conversation, MAX_PAGE).await?)
    }

    /// Takes an episode out of use.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if it is not in use.
    pub async fn remove_episode(&self, id: EpisodeId) -> Result<(), AppError> {
        if self.workspace.transcript.remove_episode(id, self.clock.now()).await? {
            return Ok(());
        }
        Err(AppError::NotFound { what: "episode", name: id.to_string() })
    }

    /// Everything that was said in a conversation while memory was on, in order.
    async fn speech(&self, conversation: ConversationId) -> Result<Vec<Message>, AppError> {
        let mut messages = self.on_record(conversation, 0).await?;
        messages.retain(Message::is_speech);
        Ok(messages)
    }
}
