//! Rooms, settings and news of an [`InMemoryDatabase`].

use std::{collections::HashSet, sync::PoisonError};

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus},
    ids::{ChannelId, ConversationId},
    memory::MemoryEntry,
    ref_code::RefCode,
    scope::Place,
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    room_store::{ChannelSummary, ConversationCursor, ConversationFilter, ConversationSummary, RoomStore},
    settings::{ChangeFeed, SettingsStore, Topic},
};

impl Tables {
    fn live(&self) -> impl Iterator<Item = &Conversation> {
        self.conversations.values().filter(|c| !self.deleted.contains(&c.id))
    }

    fn refuse_channel_twin(&self, channel: &Channel) -> Result<(), StoreError> {
        let twin = |other: &Channel| other.id != channel.id && other.name.folded() == channel.name.folded();
        if self.channels.values().any(twin) { Err(StoreError::AlreadyExists("channel")) } else { Ok(()) }
    }

    fn channel_summary(&self, channel: &Channel) -> ChannelSummary {
        let inside = self.entries.values().filter(|e| e.place.channel() == Some(channel.id));
        let talks = |archived: bool| {
            let here = self.live().filter(|c| c.channel_id == channel.id);
            here.filter(|c| (c.status == ConversationStatus::Archived) == archived).count() as u64
        };
        ChannelSummary {
            channel: channel.clone(),
            memories: inside.filter(|e| e.is_active() && !e.content.is_empty()).count() as u64,
            conversations: talks(false),
            archived_conversations: talks(true),
        }
    }

    fn conversation_summary(&self, conversation: &Conversation) -> ConversationSummary {
        let inside = |e: &&MemoryEntry| {
            let here = e.place.conversation() == Some(conversation.id);
            here && e.is_active() && !e.content.is_empty()
        };
        ConversationSummary {
            conversation: conversation.clone(),
            messages: self.transcript.of(conversation.id).filter(|m| !m.is_marker()).count() as u64,
            memories: self.entries.values().filter(inside).count() as u64,
        }
    }

    /// Takes the entries of a conversation along to another channel.
    fn move_entries(&mut self, conversation: ConversationId, to: ChannelId) {
        for entry in self.entries.values_mut().filter(|e| e.place.conversation() == Some(conversation)) {
            entry.place = Place::Conversation(to, conversation);
        }
    }

    /// Two channels cannot become one if both hold an imported entry of the same former id.
    fn refuse_imported_twins(&self, from: ChannelId, to: ChannelId) -> Result<(), StoreError> {
        let imported = |channel: ChannelId| {
            let here = self.entries.values().filter(move |e| e.place == Place::Channel(channel));
            here.filter_map(|e| e.origin.as_ref()?.external_id.as_deref()).collect::<HashSet<&str>>()
        };
        if imported(from).is_disjoint(&imported(to)) {
            return Ok(());
        }
        Err(StoreError::AlreadyExists("imported entry"))
    }
}

#[async_trait::async_trait]
impl RoomStore for InMemoryDatabase {
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError> {
        let tables = self.tables();
        let mut channels: Vec<ChannelSummary> =
            tables.channels.values().map(|c| tables.channel_summary(c)).collect();
        channels.sort_by_key(|c| (!c.channel.is_default, c.channel.name.folded()));
        Ok(channels)
    }

    async fn channel_names(&self) -> Result<Vec<(ChannelId, ChannelName)>, StoreError> {
        Ok(self.tables().channels.values().map(|c| (c.id, c.name.clone())).collect())
    }

    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError> {
        let wanted = name.folded();
        Ok(self.tables().channels.values().find(|c| c.name.folded() == wanted).cloned())
    }

    async fn channel_by_id(&self, id: ChannelId) -> Result<Option<Channel>, StoreError> {
        Ok(self.tables().channels.get(&id).cloned())
    }

    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.refuse_channel_twin(channel)?;
        if tables.channels.contains_key(&channel.id) {
            return Err(StoreError::AlreadyExists("channel"));
        }
        tables.channels.insert(channel.id, channel.clone());
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn update_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.refuse_channel_twin(channel)?;
        let stored = tables.channels.get_mut(&channel.id).ok_or(StoreError::NotFound("channel"))?;
        stored.name = channel.name.clone();
        stored.description.clone_from(&channel.description);
        stored.archived_at = channel.archived_at;
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn delete_channel(&self, id: ChannelId, heir: Option<ChannelId>) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.channels.get(&id).ok_or(StoreError::NotFound("channel"))?.is_default {
            return Err(StoreError::Refused("the default channel stays".into()));
        }
        let talks: Vec<ConversationId> =
            tables.conversations.values().filter(|c| c.channel_id == id).map(|c| c.id).collect();
        match heir {
            None => {
                if !talks.is_empty() || tables.entries.values().any(|e| e.place.channel() == Some(id)) {
                    return Err(StoreError::Refused("the channel is not empty".into()));
                }
            }
            Some(heir) if heir == id => {
                return Err(StoreError::Refused("a channel is not its own heir".into()));
            }
            Some(heir) => {
                tables.channels.get(&heir).ok_or(StoreError::NotFound("channel"))?;
                tables.refuse_imported_twins(id, heir)?;
                for talk in talks {
                    if let Some(conversation) = tables.conversations.get_mut(&talk) {
                        conversation.channel_id = heir;
                    }
                    tables.move_entries(talk, heir);
                }
                for entry in tables.entries.values_mut().filter(|e| e.place == Place::Channel(id)) {
                    entry.place = Place::Channel(heir);
                }
                tables.announce(Topic::Memories);
            }
        }
        tables.channels.remove(&id);
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        let tables = self.tables();
        Ok(ids.iter().filter_map(|id| tables.conversation(*id).ok().cloned()).collect())
    }

    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError> {
        Ok(self.tables().live().find(|c| c.ref_code == code).cloned())
    }

    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError> {
        let tables = self.tables();
        let running =
            tables.live().filter(|c| c.channel_id == channel && c.status == ConversationStatus::Active);
        Ok(running.max_by_key(|c| (c.started_at, c.id)).cloned())
    }

    async fn list_conversations(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, StoreError> {
        let tables = self.tables();
        let wanted = |c: &&Conversation| {
            let status = if filter.statuses.is_empty() {
                c.status != ConversationStatus::Archived
            } else {
                filter.statuses.contains(&c.status)
            };
            status
                && filter.channel.is_none_or(|only| only == c.channel_id)
                && filter.only.as_ref().is_none_or(|only| only.contains(&c.id))
                && after.is_none_or(|after| (c.active_at, c.id) < (after.active_at, after.id))
        };
        let mut found: Vec<&Conversation> = tables.live().filter(wanted).collect();
        found.sort_by_key(|c| std::cmp::Reverse((c.active_at, c.id)));
        Ok(found.into_iter().take(limit).map(|c| tables.conversation_summary(c)).collect())
    }

    async fn conversation_summary(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationSummary>, StoreError> {
        let tables = self.tables();
        Ok(tables.conversation(id).ok().map(|conversation| tables.conversation_summary(conversation)))
    }

    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if !tables.channels.contains_key(&conversation.channel_id)
            || conversation.continues.is_some_and(|id| !tables.conversations.contains_key(&id))
        {
            return Err(StoreError::Refused("no such channel or conversation".into()));
        }
        let taken =
            |other: &Conversation| other.id == conversation.id || other.ref_code == conversation.ref_code;
        if tables.conversations.values().any(taken) {
            return Err(StoreError::AlreadyExists("conversation"));
        }
        tables.conversations.insert(conversation.id, conversation.clone());
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn update_conversation(
        &self,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let stored = tables.conversation(conversation.id)?.clone();
        if stored.status != was {
            return Err(StoreError::Moved("conversation"));
        }
        if !tables.channels.contains_key(&conversation.channel_id) {
            return Err(StoreError::Refused("no such channel".into()));
        }
        let after = Conversation {
            title: conversation.title.clone(),
            channel_id: conversation.channel_id,
            status: conversation.status,
            ended_at: conversation.ended_at,
            ..stored.clone()
        };
        if after.channel_id != stored.channel_id {
            tables.move_entries(after.id, after.channel_id);
            tables.announce(Topic::Memories);
        }
        tables.note_end(&stored, &after);
        if stored.status == ConversationStatus::Active && after.status != ConversationStatus::Active {
            tables.notes.retain(|(room, _), note| *room != after.id || note.ttl_seconds.is_none());
        }
        tables.conversations.insert(after.id, after);
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn end_and_continue(
        &self,
        ended: &Conversation,
        was: ConversationStatus,
        next: &Conversation,
    ) -> Result<(), StoreError> {
        if self.tables().conversation(ended.id)?.status != was {
            return Err(StoreError::Moved("conversation"));
        }
        self.add_conversation(next).await?;
        self.update_conversation(ended, was).await
    }

    async fn delete_conversation(&self, id: ConversationId, _at: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if tables.conversation(id).is_err() {
            return Ok(false);
        }
        tables.deleted.insert(id);
        tables.transcript.forget(id);
        tables.facts.forget(id);
        tables.notes.retain(|(conversation, _), _| *conversation != id);
        tables.forget_writes_in(id);
        tables.keeping.forget(id);
        tables.forget_shown(|orientation| orientation.conversation == Some(id));
        tables.forget_reads(|read| read.showing.conversation == Some(id));
        tables.announce(Topic::Channels);
        tables.announce(Topic::Transcript);
        Ok(true)
    }
}

#[async_trait::async_trait]
impl SettingsStore for InMemoryDatabase {
    async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(self.tables().settings.get(key).cloned())
    }

    async fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.settings.insert(key.to_owned(), value.to_owned());
        tables.announce(Topic::Settings);
        Ok(())
    }

    async fn replace_setting(&self, key: &str, read: Option<&str>, value: &str) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let same = tables.settings.get(key).map(String::as_str) == read;
        if same {
            tables.settings.insert(key.to_owned(), value.to_owned());
            tables.announce(Topic::Settings);
        }
        Ok(same)
    }
}

#[async_trait::async_trait]
impl ChangeFeed for InMemoryDatabase {
    async fn poll(&self) -> Result<Vec<Topic>, StoreError> {
        let news = self.tables().news.clone();
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = news.iter().filter(|(topic, count)| heard.get(*topic) != Some(*count));
        let topics = fresh.map(|(topic, _)| *topic).collect();
        *heard = news;
        Ok(topics)
    }
}
