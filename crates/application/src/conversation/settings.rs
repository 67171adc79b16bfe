//! Conversation settings of a workspace.

use inklings_domain::conversation::episode::RETAIN_LAST;
use inklings_ports::conversation::transcript_store::KEEP_ONLY_SUMMARIES;

use crate::{error::AppError, services::Conversations};

const WORKING_CAP: &str = "conversations.working_cap";
const COMPACT_AT: &str = "conversations.compact_at_tokens";
const RETAIN: &str = "conversations.retain_turns";
const SUMMARISE: &str = "conversations.summarise_every_hours";
const MODEL_TITLES: &str = "conversations.model_titles";

/// Conversation settings of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationSettings {
    /// True: summarised messages are deleted. False (default): they are retained.
    pub keep_only_summaries: bool,
    /// Messages per conversation cached in memory, 50 by default; 1 to 1,000.
    pub working_cap: usize,
    /// Estimated tokens since the latest compaction above which a conversation is compacted automatically; 0:
    /// never.
    pub compact_at_tokens: u64,
    /// Newest messages that a compaction leaves; 2 to 500.
    pub retain_turns: usize,
    /// Hours between two runs of the summarising task, 6 by default; 1 to 720.
    pub summarise_every_hours: u64,
    /// True (default): a connected model gives a conversation its title after the first answer.
    pub model_titles: bool,
}

impl Default for ConversationSettings {
    fn default() -> Self {
        Self {
            keep_only_summaries: false,
            working_cap: 50,
            compact_at_tokens: 12_000,
            retain_turns: RETAIN_LAST,
            summarise_every_hours: 6,
            model_titles: true,
        }
    }
}

impl ConversationSettings {
    fn checked(self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if !(1..=1_000).contains(&self.working_cap) {
            return bad("workingMemoryCap", "the working memory holds 1 to 1,000 messages");
        }
        if !(2..=500).contains(&self.retain_turns) {
            return bad("retainTurns", "a compaction leaves 2 to 500 messages as they are");
        }
        if !(1..=720).contains(&self.summarise_every_hours) {
            return bad("summariseEveryHours", "old turns are summarised every 1 to 720 hours");
        }
        if self.compact_at_tokens != 0 && self.compact_at_tokens < 1_000 {
            return bad("compactAtTokens", "a compaction budget is at least 1,000 tokens, or 0 for never");
        }
        Ok(self)
    }
}

impl Conversations<'_> {
    /// The settings of the workspace; defaults for unset or invalid values.
    pub async fn settings(&self) -> Result<ConversationSettings, AppError> {
        let standard = ConversationSettings::default();
        let read = ConversationSettings {
            keep_only_summaries: self.workspace_setting(KEEP_ONLY_SUMMARIES).await?.as_deref()
                == Some("true"),
            working_cap: self.number(WORKING_CAP).await?.unwrap_or(standard.working_cap as u64) as usize,
            compact_at_tokens: self.number(COMPACT_AT).await?.unwrap_or(standard.compact_at_tokens),
            retain_turns: self.number(RETAIN).await?.unwrap_or(standard.retain_turns as u64) as usize,
            summarise_every_hours: self.number(SUMMARISE).await?.unwrap_or(standard.summarise_every_hours),
            model_titles: self.workspace_setting(MODEL_TITLES).await?.as_deref() != Some("false"),
        };
        Ok(read.checked().unwrap_or(ConversationSettings {
            keep_only_summaries: read.keep_only_summaries,
            model_titles: read.model_titles,
            ..standard
        }))
    }

    /// Stores all settings.
    ///
    /// # Errors
    /// [`AppError::Input`] names the invalid field; nothing is stored then.
    pub async fn set_settings(&self, settings: ConversationSettings) -> Result<(), AppError> {
        let settings = settings.checked()?;
        let store = &self.session.workspace.settings;
        store.set_setting(KEEP_ONLY_SUMMARIES, &settings.keep_only_summaries.to_string()).await?;
        store.set_setting(WORKING_CAP, &settings.working_cap.to_string()).await?;
        store.set_setting(COMPACT_AT, &settings.compact_at_tokens.to_string()).await?;
        store.set_setting(RETAIN, &settings.retain_turns.to_string()).await?;
        store.set_setting(SUMMARISE, &settings.summarise_every_hours.to_string()).await?;
        store.set_setting(MODEL_TITLES, &settings.model_titles.to_string()).await?;
        Ok(())
    }

    async fn workspace_setting(&self, key: &str) -> Result<Option<String>, AppError> {
        Ok(self.session.workspace.settings.setting(key).await?)
    }

    async fn number(&self, key: &str) -> Result<Option<u64>, AppError> {
        Ok(self.workspace_setting(key).await?.and_then(|text| text.parse().ok()))
    }
}
