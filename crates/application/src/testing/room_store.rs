//! Rooms, settings and news of an [`InMemoryDatabase`].

use std::sync::PoisonError;

use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus},
    ids::{ChannelId, ConversationId},
    ref_code::RefCode,
};

use super::memory_store::InMemoryDatabase;
use crate::ports::{
    error::StoreError,
    room_store::{ChannelSummary, RoomStore},
    settings::{ChangeFeed, SettingsStore, Topic},
};

#[async_trait::async_trait]
impl RoomStore for InMemoryDatabase {
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError> {
        let tables = self.tables();
        let held = |id: ChannelId| {
            let inside = tables.entries.values().filter(|e| e.place.channel() == Some(id));
            inside.filter(|e| e.is_active()).count() as u64
        };
        let mut channels: Vec<ChannelSummary> = tables
            .channels
            .values()
            .map(|c| ChannelSummary { channel: c.clone(), memories: held(c.id) })
            .collect();
        channels.sort_by_key(|c| (!c.channel.is_default, c.channel.name.folded()));
        Ok(channels)
    }

    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError> {
        let wanted = name.folded();
        Ok(self.tables().channels.values().find(|c| c.name.folded() == wanted).cloned())
    }

    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let folded = channel.name.folded();
        let taken = |other: &Channel| other.id == channel.id || other.name.folded() == folded;
        if tables.channels.values().any(taken) {
            return Err(StoreError::AlreadyExists("channel"));
        }
        tables.channels.insert(channel.id, channel.clone());
        tables.announce(Topic::Channels);
        Ok(())
    }

    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        let tables = self.tables();
        Ok(ids.iter().filter_map(|id| tables.conversations.get(id).cloned()).collect())
    }

    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError> {
        Ok(self.tables().conversations.values().find(|c| c.ref_code == code).cloned())
    }

    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError> {
        let tables = self.tables();
        let running = tables
            .conversations
            .values()
            .filter(|c| c.channel_id == channel && c.status == ConversationStatus::Active);
        Ok(running.max_by_key(|c| (c.started_at, c.id)).cloned())
    }

    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if !tables.channels.contains_key(&conversation.channel_id) {
            return Err(StoreError::Refused("no such channel".into()));
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
