//! What was said in the conversations of a sample, its facts, and the texts of its standing notes.

use std::collections::HashMap;

use chrono::Duration;
use inklings_domain::{
    conversation::message::{NewMessage, Role},
    derivation::Derivation,
    ids::MessageId,
    memory::MemoryPatch,
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};

use super::{SampleConversation, SampleFact, days};
use crate::{
    conversation::{episodes::EpisodeRule, summarise::Extractive},
    error::AppError,
    services::Samples,
};

/// Time from one message to the next.
const BETWEEN: Duration = Duration::minutes(3);

/// A conversation of the sample that was written.
pub(super) struct Spoken {
    pub(super) place: Place,
    messages: Vec<MessageId>,
}

impl Spoken {
    /// These of its messages as sources.
    pub(super) fn sources(&self, numbers: &[usize]) -> Vec<Derivation> {
        numbers.iter().filter_map(|n| self.messages.get(*n).copied().map(Derivation::Message)).collect()
    }
}

impl Samples<'_> {
    /// Writes the conversations with their messages and, where that is asked for, an episode.
    pub(super) async fn write_conversations<'w>(
        &self,
        conversations: &'w [SampleConversation],
    ) -> Result<HashMap<&'w str, Spoken>, AppError> {
        let mut written = HashMap::new();
        for conversation in conversations {
            let channel = self.session.channels().named(&conversation.channel).await?.id;
            let later = i32::try_from(conversation.messages.len()).unwrap_or(i32::MAX);
            let mut at = self.session.clock.now() - days(conversation.days_ago) - BETWEEN * later;
            let title = &conversation.title;
            let made = self.session.conversations().start_where(channel, title, None, at).await?;
            let mut messages = Vec::new();
            for (n, text) in conversation.messages.iter().enumerate() {
                let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
                at += BETWEEN;
                messages.push(NewMessage::new(self.session.ids.message_id(), role, text, at)?);
            }
            let ids = messages.iter().map(|message| message.id).collect();
            if !messages.is_empty() {
                let written = self.session.workspace.transcript.append(made.id, &messages).await?;
                if let Some(first) = written.first().filter(|_| made.is_untitled()) {
                    self.session.conversations().title_by_words(made.id, first).await;
                }
            }
            if let Some(retain_last) = conversation.summarised_but {
                let rule = EpisodeRule { retain_last, max_age_days: 0 };
                self.session.episodes().summarise_old_turns(made.id, rule, &Extractive).await?;
            }
            let place = Place::Conversation(channel, made.id);
            written.insert(conversation.key.as_str(), Spoken { place, messages: ids });
        }
        Ok(written)
    }

    pub(super) async fn write_facts(&self, facts: &[SampleFact]) -> Result<(), AppError> {
        let actor = Actor::new(ActorKind::Author, Interface::Window, None)?;
        for SampleFact { category, key, value } in facts {
            self.session.facts().set(category, key, value, None, actor).await?;
        }
        Ok(())
    }

    /// Fills the standing notes that are empty.
    pub(super) async fn write_standing(&self, texts: &[(String, String)]) -> Result<(), AppError> {
        let actor = Actor::new(ActorKind::Author, Interface::Window, None)?;
        let mut notes = self.session.workspace.memory.store.named().await?;
        notes.extend(self.session.account.memory.store.named().await?);
        for (name, text) in texts {
            let empty = notes.iter().find(|note| {
                note.name.as_ref().is_some_and(|own| own.as_str() == name) && note.content.trim().is_empty()
            });
            if let Some(note) = empty {
                let patch = MemoryPatch { content: Some(text.clone()), ..MemoryPatch::default() };
                self.session.memories().edit(note.id, note.version, patch, actor).await?;
            }
        }
        Ok(())
    }
}
