//! Use cases of transcripts: pages, compaction, episodes.

use std::sync::Arc;

use inklings_application::conversation::{episodes::EpisodeRule, summarise::ByModel};
use inklings_ports::conversation::summariser::Summariser;

use crate::{
    commands::ConversationCommands,
    conversation::{
        convert as conversation,
        view::{CompactionPreview, EpisodeView, MessagePage, MessageRange, MessageView},
    },
    error::CommandError,
};

impl ConversationCommands<'_> {
    /// A page of a transcript.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn list_messages(
        &self,
        conversation: &str,
        range: MessageRange,
        limit: u32,
    ) -> Result<MessagePage, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(conversation).await?.id;
        let page = session.transcripts().whole_page(id, conversation::range(range), limit as usize).await?;
        Ok(MessagePage {
            messages: page.messages.iter().map(conversation::message).collect(),
            earlier: page.earlier,
            later: page.later,
        })
    }

    /// Sets the importance of a message.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a number outside [0, 1], `not_found`.
    pub async fn set_message_importance(
        &self,
        id: &str,
        importance: f64,
    ) -> Result<MessageView, CommandError> {
        let message =
            self.app.session()?.transcripts().set_importance(crate::wire::id("id", id)?, importance).await?;
        Ok(conversation::message(&message))
    }

    /// Previews the compaction of a conversation; `None` if there is too little to compact.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn preview_compaction(
        &self,
        conversation: &str,
        retain: Option<u32>,
    ) -> Result<Option<CompactionPreview>, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let summariser = self.summariser().await;
        let retain = retain.map(|retain| retain as usize);
        let plan = session.compaction().preview(&conversation, retain, summariser.as_ref()).await?;
        Ok(plan.as_ref().map(conversation::compaction))
    }

    /// Compacts a conversation. Gives the marker message, or `None` if there was too little to compact.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` if the name is in use.
    pub async fn compact_conversation(
        &self,
        conversation: &str,
        retain: Option<u32>,
        name: Option<&str>,
    ) -> Result<Option<MessageView>, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let summariser = self.summariser().await;
        let retain = retain.map(|retain| retain as usize);
        let marker = session
            .compaction()
            .compact(&conversation, retain, name, summariser.as_ref(), self.app.actor)
            .await?;
        Ok(marker.as_ref().map(conversation::message))
    }

    /// All episodes of a conversation, oldest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn list_episodes(&self, conversation: &str) -> Result<Vec<EpisodeView>, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(conversation).await?.id;
        Ok(session.episodes().list(id).await?.iter().map(conversation::episode).collect())
    }

    /// Summarises older turns into episodes and gives the new ones.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn summarise_old_turns(
        &self,
        conversation: &str,
        retain_last: Option<u32>,
        max_age_days: Option<u32>,
    ) -> Result<Vec<EpisodeView>, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(conversation).await?.id;
        let standard = EpisodeRule::default();
        let rule = EpisodeRule {
            retain_last: retain_last.map_or(standard.retain_last, |n| n as usize),
            max_age_days: max_age_days.map_or(standard.max_age_days, i64::from),
        };
        let summariser = self.summariser().await;
        let made = session.episodes().summarise_old_turns(id, rule, summariser.as_ref()).await?;
        Ok(made.iter().map(conversation::episode).collect())
    }

    /// Removes an episode from use.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn remove_episode(&self, id: &str) -> Result<(), CommandError> {
        Ok(self.app.session()?.episodes().remove(crate::wire::id("id", id)?).await?)
    }

    /// The language models for summaries if one is connected, else the built-in summariser.
    pub(crate) async fn summariser(&self) -> Arc<dyn Summariser> {
        let models = self.app.chat.summary_models().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the language model cannot be asked; sentences are chosen instead");
            Vec::new()
        });
        Arc::new(ByModel(models))
    }
}
