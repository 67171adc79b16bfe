//! Working notes in an [`InMemoryDatabase`].

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::ConversationId,
    scratchpad::{MAX_KEYS, WorkingNote},
};

use super::memory_store::InMemoryDatabase;
use crate::ports::{error::StoreError, scratchpad_store::ScratchpadStore, settings::Topic};

#[async_trait::async_trait]
impl ScratchpadStore for InMemoryDatabase {
    async fn write_note(&self, note: &WorkingNote) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.conversation(note.conversation)?;
        tables.notes.retain(|_, other| other.is_alive(note.updated_at));
        let key = (note.conversation, note.key.clone());
        let held = tables.notes.keys().filter(|(conversation, _)| *conversation == note.conversation).count();
        let before = tables.notes.get(&key).map(|before| before.created_at);
        if before.is_none() && held >= MAX_KEYS {
            return Err(StoreError::Refused("this scratchpad is full".into()));
        }
        let created_at = before.unwrap_or(note.created_at);
        tables.notes.insert(key, WorkingNote { created_at, ..note.clone() });
        tables.announce(Topic::Transcript);
        Ok(())
    }

    async fn read_note(
        &self,
        conversation: ConversationId,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<WorkingNote>, StoreError> {
        let mut tables = self.tables();
        let Some(note) = tables.notes.get_mut(&(conversation, key.to_owned())) else { return Ok(None) };
        if !note.is_alive(now) {
            return Ok(None);
        }
        note.expires_at = note.expires_at.max(note.expiry(now));
        Ok(Some(note.clone()))
    }

    async fn notes(
        &self,
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> Result<Vec<WorkingNote>, StoreError> {
        let tables = self.tables();
        let here = |note: &&WorkingNote| note.conversation == conversation && note.is_alive(now);
        Ok(tables.notes.values().filter(here).cloned().collect())
    }

    async fn newest_notes(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<WorkingNote>, StoreError> {
        let tables = self.tables();
        let mut notes: Vec<WorkingNote> =
            tables.notes.values().filter(|n| n.is_alive(now)).cloned().collect();
        notes.sort_by(|a, b| (b.updated_at, &a.key).cmp(&(a.updated_at, &b.key)));
        notes.truncate(limit);
        Ok(notes)
    }

    async fn clear_notes(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<usize, StoreError> {
        let mut tables = self.tables();
        let before = tables.notes.len();
        tables.notes.retain(|_, note| {
            note.conversation != conversation
                || key.is_some_and(|only| only != note.key)
                || (working_only && note.ttl_seconds.is_none())
        });
        let cleared = before - tables.notes.len();
        if cleared > 0 {
            tables.prune_beside();
            tables.announce(Topic::Transcript);
        }
        Ok(cleared)
    }
}
