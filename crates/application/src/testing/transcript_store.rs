//! Messages, compact markers and episodes in an [`InMemoryDatabase`].

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use inklings_domain::{
    change_set::ChangeSet,
    conversation::{Conversation, ConversationStatus},
    embedding::{EmbeddingModel, ModelId},
    episode::Episode,
    ids::{ConversationId, EpisodeId, MessageId},
    memory::Importance,
    message::{Delivery, Message, NewMessage, Role},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    settings::Topic,
    transcript_store::{KEEP_ONLY_SUMMARIES, PendingMessage, Stretch, TranscriptStore},
    vector_store::EmbeddingCounts,
};

/// What was said, in the order in which it was written.
#[derive(Debug, Clone, Default)]
pub(super) struct Transcript {
    pub messages: Vec<Message>,
    pub last_positions: HashMap<ConversationId, u64>,
    ticks: HashMap<ConversationId, u64>,
    pub vectors: HashMap<(MessageId, ModelId), Vec<f32>>,
    failed: HashSet<(MessageId, ModelId)>,
    pub episodes: Vec<Episode>,
    /// Messages that were said while memory was off.
    pub off_record: HashSet<MessageId>,
}

/// True for what a search looks at: whole messages, no markers.
pub(super) const fn is_said(message: &Message) -> bool {
    !message.is_marker() && !matches!(message.body.delivery, Delivery::Streaming)
}

fn external_id(message: &NewMessage) -> Option<&str> {
    message.origin.as_ref()?.external_id.as_deref()
}

impl Transcript {
    pub(super) fn of(&self, conversation: ConversationId) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter().filter(move |m| m.conversation == conversation)
    }

    fn drop_vectors(&mut self, id: MessageId) {
        self.vectors.retain(|(of, _), _| *of != id);
        self.failed.retain(|(of, _)| *of != id);
    }

    fn delete(&mut self, gone: impl Fn(&Message) -> bool) -> Vec<MessageId> {
        let ids: Vec<MessageId> = self.messages.iter().filter(|m| gone(m)).map(Message::id).collect();
        self.messages.retain(|m| !gone(m));
        for id in &ids {
            self.drop_vectors(*id);
        }
        ids
    }

    /// Empties a conversation.
    pub(super) fn forget(&mut self, conversation: ConversationId) {
        self.delete(|m| m.conversation == conversation);
        self.episodes.retain(|e| e.conversation != conversation);
    }

    /// Takes one message out that no episode stands for. Gives its conversation.
    fn withdraw(&mut self, id: MessageId) -> Result<ConversationId, StoreError> {
        let found = self.messages.iter().find(|m| m.id() == id && !m.is_marker());
        let message = found.filter(|m| m.consolidated_at.is_none()).ok_or(StoreError::Moved("message"))?;
        let conversation = message.conversation;
        self.delete(|m| m.id() == id);
        self.touched(conversation);
        Ok(conversation)
    }

    fn embeddable(&self) -> impl Iterator<Item = &Message> {
        let text = |m: &&Message| !m.body.content.is_empty() && m.body.role != Role::System;
        self.messages.iter().filter(|m| is_said(m)).filter(text)
    }

    fn touched(&mut self, conversation: ConversationId) {
        *self.ticks.entry(conversation).or_default() += 1;
    }
}

impl Tables {
    /// The markers of a conversation whose archive is in use, in the order in which they were written.
    fn standing_markers(&self, conversation: ConversationId) -> impl Iterator<Item = (&Message, u64)> {
        self.transcript.of(conversation).filter_map(|message| {
            let marker = message.body.marker.as_ref()?;
            let active = self
                .entries
                .get(&marker.archive)
                .is_some_and(inklings_domain::memory::MemoryEntry::is_active);
            active.then_some((message, marker.through))
        })
    }

    /// Takes one message out that no summary stands for. Gives its conversation.
    pub(super) fn withdraw(&mut self, id: MessageId) -> Result<ConversationId, StoreError> {
        let message = self.transcript.messages.iter().find(|m| m.id() == id);
        if let Some((conversation, position)) = message.map(|m| (m.conversation, m.position))
            && self.standing_markers(conversation).any(|(_, through)| through >= position)
        {
            return Err(StoreError::Moved("message"));
        }
        self.transcript.withdraw(id)
    }

    /// A conversation that was not deleted.
    pub(super) fn conversation(&self, id: ConversationId) -> Result<&Conversation, StoreError> {
        let found = self.conversations.get(&id).filter(|_| !self.deleted.contains(&id));
        found.ok_or(StoreError::NotFound("conversation"))
    }

    fn keeps_only_summaries(&self) -> bool {
        self.settings.get(KEEP_ONLY_SUMMARIES).is_some_and(|value| value == "true")
    }

    fn refuse_twin(&self, conversation: ConversationId, new: &NewMessage) -> Result<(), StoreError> {
        let twin = |m: &Message| {
            let external = external_id(new).is_some() && external_id(new) == external_id(&m.body);
            m.id() == new.id || (m.conversation == conversation && external)
        };
        if self.transcript.messages.iter().any(twin) {
            return Err(StoreError::AlreadyExists("message"));
        }
        Ok(())
    }

    fn add(&mut self, conversation: ConversationId, new: &NewMessage) -> Message {
        let last = self.transcript.last_positions.entry(conversation).or_default();
        *last += 1;
        let message = Message {
            conversation,
            position: *last,
            body: new.clone(),
            updated_at: new.at,
            consolidated_at: None,
        };
        if let Some(room) = self.conversations.get_mut(&conversation).filter(|_| new.marker.is_none()) {
            room.active_at = room.active_at.max(new.at);
        }
        if self.refuse_while_off().is_err() {
            self.transcript.off_record.insert(message.id());
        }
        self.transcript.messages.push(message.clone());
        self.said(conversation);
        message
    }

    /// Takes imported messages in; gives how many were added, how many were known, how many of those changed.
    pub(super) fn bring_in(
        &mut self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<(usize, usize, usize), StoreError> {
        self.conversation(conversation)?;
        let (mut added, mut known, mut changed) = (0, 0, 0);
        for new in messages {
            let twin = |m: &&mut Message| {
                m.conversation == conversation
                    && external_id(new).is_some()
                    && external_id(new) == external_id(&m.body)
            };
            let Some(message) = self.transcript.messages.iter_mut().find(twin) else {
                self.refuse_twin(conversation, new)?;
                self.add(conversation, new);
                added += 1;
                continue;
            };
            known += 1;
            if message.body.content != new.content {
                message.body.content.clone_from(&new.content);
                message.updated_at = message.updated_at.max(new.at);
                let id = message.id();
                self.transcript.drop_vectors(id);
                self.said(conversation);
                changed += 1;
            }
        }
        let latest = self.transcript.of(conversation).filter(|m| !m.is_marker()).map(|m| m.body.at).max();
        if let (Some(room), Some(latest)) = (self.conversations.get_mut(&conversation), latest) {
            room.active_at = latest;
        }
        Ok((added, known, changed))
    }

    fn said(&mut self, conversation: ConversationId) {
        self.transcript.touched(conversation);
        self.announce(Topic::Transcript);
    }

    fn refuse_deletion(&self) -> Result<(), StoreError> {
        if self.keeps_only_summaries() {
            return Ok(());
        }
        Err(StoreError::Refused("this workspace keeps what was said".into()))
    }
}

fn refuse_twins_among(messages: &[NewMessage]) -> Result<(), StoreError> {
    let mut ids = HashSet::new();
    let mut external = HashSet::new();
    let fresh =
        |m: &NewMessage| ids.insert(m.id) && external_id(m).is_none_or(|id| external.insert(id.to_owned()));
    if messages.iter().all(fresh) { Ok(()) } else { Err(StoreError::AlreadyExists("message")) }
}

#[async_trait::async_trait]
impl TranscriptStore for InMemoryDatabase {
    async fn append(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<Vec<Message>, StoreError> {
        let mut tables = self.tables();
        if tables.conversation(conversation)?.status != ConversationStatus::Active {
            return Err(StoreError::Moved("conversation"));
        }
        refuse_twins_among(messages)?;
        messages.iter().try_for_each(|new| tables.refuse_twin(conversation, new))?;
        Ok(messages.iter().map(|new| tables.add(conversation, new)).collect())
    }

    async fn import(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<(usize, usize), StoreError> {
        let (added, known, _) = self.tables().bring_in(conversation, messages)?;
        Ok((added, known))
    }

    async fn deliver(
        &self,
        id: MessageId,
        content: &str,
        calls: Option<&str>,
        delivery: Delivery,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let off = tables.refuse_while_off().is_err();
        let arriving = |m: &&mut Message| m.id() == id && m.body.delivery == Delivery::Streaming;
        let Some(message) = tables.transcript.messages.iter_mut().find(arriving) else { return Ok(false) };
        let more = message.body.content != content;
        content.clone_into(&mut message.body.content);
        message.body.calls = calls.map(ToOwned::to_owned);
        message.body.delivery = delivery;
        message.updated_at = at;
        let conversation = message.conversation;
        if off && more {
            tables.transcript.off_record.insert(id);
        }
        tables.said(conversation);
        Ok(true)
    }

    async fn abandon(
        &self,
        conversation: Option<ConversationId>,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        let mut tables = self.tables();
        let mut touched = Vec::new();
        for message in &mut tables.transcript.messages {
            let here = conversation.is_none_or(|only| only == message.conversation);
            if here && message.body.delivery == Delivery::Streaming && message.updated_at < before {
                message.body.delivery = Delivery::Failed;
                message.updated_at = now;
                touched.push(message.conversation);
            }
        }
        for id in &touched {
            tables.said(*id);
        }
        Ok(touched.len())
    }

    async fn set_importance(
        &self,
        id: MessageId,
        importance: Importance,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let message = tables.transcript.messages.iter_mut().find(|m| m.id() == id);
        let message = message.ok_or(StoreError::NotFound("message"))?;
        message.body.importance = importance;
        message.updated_at = at;
        let conversation = message.conversation;
        tables.said(conversation);
        Ok(())
    }

    async fn messages(&self, ids: &[MessageId]) -> Result<Vec<Message>, StoreError> {
        Ok(self.tables().transcript.messages.iter().filter(|m| ids.contains(&m.id())).cloned().collect())
    }

    async fn page(
        &self,
        conversation: ConversationId,
        stretch: Stretch,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        self.may_hang("messages").await;
        let tables = self.tables();
        let inside = |m: &&Message| match stretch {
            Stretch::Newest => true,
            Stretch::Before(position) => m.position < position,
            Stretch::After(position) => m.position > position,
        };
        let all: Vec<Message> = tables.transcript.of(conversation).filter(inside).cloned().collect();
        let from = if matches!(stretch, Stretch::After(_)) { 0 } else { all.len().saturating_sub(limit) };
        Ok(all.into_iter().skip(from).take(limit).collect())
    }

    async fn salient(
        &self,
        conversation: ConversationId,
        at_least: Importance,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        let tables = self.tables();
        let matters = |m: &&Message| !m.is_marker() && m.body.importance.get() >= at_least.get();
        let mut found: Vec<Message> =
            tables.transcript.of(conversation).rev().filter(matters).take(limit).cloned().collect();
        found.reverse();
        Ok(found)
    }

    async fn latest_marker(&self, conversation: ConversationId) -> Result<Option<Message>, StoreError> {
        self.may_hang("marker").await;
        let tables = self.tables();
        let markers = tables.standing_markers(conversation);
        Ok(markers.max_by_key(|(m, through)| (*through, m.position)).map(|(m, _)| m.clone()))
    }

    async fn off_record(&self, conversation: ConversationId) -> Result<Vec<MessageId>, StoreError> {
        let tables = self.tables();
        let off = |m: &&Message| tables.transcript.off_record.contains(&m.id());
        Ok(tables.transcript.of(conversation).filter(off).map(Message::id).collect())
    }

    async fn tick(&self, conversation: ConversationId) -> Result<Option<u64>, StoreError> {
        let tables = self.tables();
        let known = tables.conversation(conversation).is_ok();
        Ok(known.then(|| tables.transcript.ticks.get(&conversation).copied().unwrap_or(0)))
    }

    async fn compact(
        &self,
        conversation: ConversationId,
        archive: &ChangeSet,
        marker: &NewMessage,
        delete_through: Option<u64>,
    ) -> Result<Message, StoreError> {
        let mut tables = self.tables();
        tables.conversation(conversation)?;
        let Some(through) = marker.marker.as_ref().map(|m| m.through) else {
            return Err(StoreError::Refused("a message without an archive is no marker".into()));
        };
        if tables.standing_markers(conversation).any(|(_, other)| other >= through) {
            return Err(StoreError::Moved("conversation"));
        }
        tables.refuse_while_off()?;
        tables.check(archive)?;
        tables.refuse_twin(conversation, marker)?;
        let off = tables.transcript.off_record.clone();
        let gone = |m: &Message, last: u64| {
            m.conversation == conversation && m.position <= last && !m.is_marker() && !off.contains(&m.id())
        };
        if let Some(last) = delete_through
            && tables.transcript.messages.iter().any(|m| gone(m, last))
        {
            tables.refuse_deletion()?;
            let deleted = tables.transcript.delete(|m| gone(m, last));
            tables.forget_shown(|o| o.message.is_some_and(|id| deleted.contains(&id)));
            tables.forget_reads(|read| read.message.is_some_and(|id| deleted.contains(&id)));
        }
        tables.carry_out(archive);
        Ok(tables.add(conversation, marker))
    }

    async fn fold(&self, episode: &Episode, delete_sources: bool) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.conversation(episode.conversation)?;
        tables.refuse_while_off()?;
        if episode.sources.iter().any(|id| tables.transcript.off_record.contains(id)) {
            return Err(StoreError::Refused("this was said while memory was off".into()));
        }
        if tables.transcript.episodes.iter().any(|e| e.id == episode.id) {
            return Err(StoreError::AlreadyExists("episode"));
        }
        let source =
            |m: &Message| m.conversation == episode.conversation && episode.sources.contains(&m.id());
        let free =
            tables.transcript.messages.iter().filter(|m| source(m) && m.consolidated_at.is_none()).count();
        if free != episode.sources.len() {
            return Err(StoreError::Moved("conversation"));
        }
        if delete_sources {
            tables.refuse_deletion()?;
            let deleted = tables.transcript.delete(source);
            tables.forget_shown(|o| o.message.is_some_and(|id| deleted.contains(&id)));
            tables.forget_reads(|read| read.message.is_some_and(|id| deleted.contains(&id)));
        } else {
            let sources = tables.transcript.messages.iter_mut().filter(|m| source(m));
            sources.for_each(|m| m.consolidated_at = Some(episode.created_at));
        }
        tables.transcript.episodes.push(episode.clone());
        tables.said(episode.conversation);
        Ok(())
    }

    async fn episodes(&self, conversation: ConversationId, limit: usize) -> Result<Vec<Episode>, StoreError> {
        self.may_hang("episodes").await;
        let tables = self.tables();
        let mut found: Vec<Episode> =
            tables.transcript.episodes.iter().filter(|e| e.conversation == conversation).cloned().collect();
        found.sort_by_key(|e| (e.until, e.id));
        Ok(found.split_off(found.len().saturating_sub(limit)))
    }

    async fn remove_episode(&self, id: EpisodeId, _at: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let before = tables.transcript.episodes.len();
        tables.transcript.episodes.retain(|e| e.id != id);
        let removed = tables.transcript.episodes.len() < before;
        if removed {
            tables.announce(Topic::Transcript);
        }
        Ok(removed)
    }

    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingMessage>, StoreError> {
        let tables = self.tables();
        let waits = |m: &&Message| {
            let key = (m.id(), model.id.clone());
            !tables.transcript.vectors.contains_key(&key) && !tables.transcript.failed.contains(&key)
        };
        let mut waiting: Vec<&Message> = tables.transcript.embeddable().filter(waits).collect();
        waiting.reverse();
        let text = |m: &Message| PendingMessage { id: m.id(), text: m.body.content.clone() };
        Ok(waiting.into_iter().take(limit).map(text).collect())
    }

    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(MessageId, Vec<f32>)],
    ) -> Result<usize, StoreError> {
        if vectors.iter().any(|(_, v)| v.len() != model.dimension || !v.iter().all(|x| x.is_finite())) {
            return Err(StoreError::Refused("a vector is not of its model's shape".into()));
        }
        let mut tables = self.tables();
        let mut stored = 0;
        for (id, vector) in vectors {
            if tables.transcript.embeddable().any(|m| m.id() == *id) {
                let key = (*id, model.id.clone());
                tables.transcript.failed.remove(&key);
                tables.transcript.vectors.insert(key, vector.clone());
                stored += 1;
            }
        }
        if stored > 0 {
            tables.announce(Topic::Models);
        }
        Ok(stored)
    }

    async fn vector_failed(
        &self,
        model: &EmbeddingModel,
        id: MessageId,
        _error: &str,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.transcript.messages.iter().any(|m| m.id() == id) {
            tables.transcript.failed.insert((id, model.id.clone()));
        }
        Ok(())
    }

    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError> {
        let tables = self.tables();
        let has = |m: &&Message| tables.transcript.vectors.contains_key(&(m.id(), model.id.clone()));
        let embedded = tables.transcript.embeddable().filter(has).count() as u64;
        let all = tables.transcript.embeddable().count() as u64;
        Ok(EmbeddingCounts { embedded, pending: all - embedded })
    }
}
