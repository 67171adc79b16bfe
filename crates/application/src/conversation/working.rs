//! Working memory: the newest messages of conversations in use, kept in memory (seed 002). Coherent with writes of
//! other processes: a copy is used only while its conversation's tick is what it was.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use inklings_domain::{conversation::message::Message, ids::ConversationId};

use crate::{conversation::transcript_store::MessageRange, error::AppError, session::Session};

/// Conversations whose messages are kept at once; the one unused for longest makes room.
const CONVERSATIONS: usize = 16;

#[derive(Debug, Default)]
struct Copies {
    /// Counts uses, to find what was unused for longest.
    uses: u64,
    held: HashMap<ConversationId, Copy>,
}

#[derive(Debug)]
struct Copy {
    tick: u64,
    cap: usize,
    used: u64,
    messages: VecDeque<Message>,
}

/// The newest messages of conversations in use.
#[derive(Debug, Default)]
pub struct WorkingMemory(Mutex<Copies>);

impl WorkingMemory {
    fn copies(&self) -> MutexGuard<'_, Copies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: ConversationId, tick: u64, cap: usize) -> Option<Vec<Message>> {
        let mut copies = self.copies();
        copies.uses += 1;
        let used = copies.uses;
        let copy = copies.held.get_mut(&id).filter(|copy| copy.tick == tick && copy.cap == cap)?;
        copy.used = used;
        Some(copy.messages.iter().cloned().collect())
    }

    fn put(&self, id: ConversationId, tick: u64, cap: usize, messages: &[Message]) {
        let mut copies = self.copies();
        copies.uses += 1;
        let used = copies.uses;
        copies.held.insert(id, Copy { tick, cap, used, messages: messages.iter().cloned().collect() });
        if copies.held.len() > CONVERSATIONS
            && let Some(oldest) = copies.held.iter().min_by_key(|(_, copy)| copy.used).map(|(id, _)| *id)
        {
            copies.held.remove(&oldest);
        }
    }

    /// Lets go of a conversation.
    pub fn drop(&self, id: ConversationId) {
        self.copies().held.remove(&id);
    }

    /// How many conversations and messages are held.
    pub fn size(&self) -> (usize, usize) {
        let copies = self.copies();
        (copies.held.len(), copies.held.values().map(|copy| copy.messages.len()).sum())
    }
}

impl Session {
    /// The newest messages of a conversation, at most as many as the workspace keeps in memory, in rising order.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn newest_messages(&self, id: ConversationId) -> Result<Vec<Message>, AppError> {
        let cap = self.conversation_settings().await?.working_cap;
        let missing = || AppError::NotFound { what: "conversation", name: id.to_string() };
        // The tick is read first: what is said between the two reads only makes the copy be read again.
        let tick = self.workspace.transcript.tick(id).await?.ok_or_else(missing)?;
        if let Some(messages) = self.working.get(id, tick, cap) {
            return Ok(messages);
        }
        let messages = self.workspace.transcript.page(id, MessageRange::Newest, cap).await?;
        self.working.put(id, tick, cap, &messages);
        Ok(messages)
    }
}
