//! Cache of the newest messages of conversations in use. Consistent with writes of other processes: a cached
//! copy is used only while the conversation's tick is unchanged.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use inklings_domain::{conversation::message::Message, ids::ConversationId};

/// Maximum cached conversations; the least recently used one is evicted.
const CONVERSATIONS: usize = 16;

#[derive(Debug, Default)]
struct Copies {
    /// Use counter for finding the least recently used copy.
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

/// Cache of the newest messages of conversations in use.
#[derive(Debug, Default)]
pub struct WorkingMemory(Mutex<Copies>);

impl WorkingMemory {
    fn copies(&self) -> MutexGuard<'_, Copies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, id: ConversationId, tick: u64, cap: usize) -> Option<Vec<Message>> {
        let mut copies = self.copies();
        copies.uses += 1;
        let used = copies.uses;
        let copy = copies.held.get_mut(&id).filter(|copy| copy.tick == tick && copy.cap == cap)?;
        copy.used = used;
        Some(copy.messages.iter().cloned().collect())
    }

    pub(crate) fn put(&self, id: ConversationId, tick: u64, cap: usize, messages: &[Message]) {
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

    /// Removes a conversation from the cache.
    pub fn drop(&self, id: ConversationId) {
        self.copies().held.remove(&id);
    }

    /// Number of cached conversations and messages.
    pub fn size(&self) -> (usize, usize) {
        let copies = self.copies();
        (copies.held.len(), copies.held.values().map(|copy| copy.messages.len()).sum())
    }
}
