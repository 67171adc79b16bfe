//! The running answers of this process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use inklings_application::turn::{Stop, Stopper, stopper};
use inklings_domain::ids::ConversationId;

/// The running answers of this process.
#[derive(Debug, Default)]
pub struct Turns(Mutex<HashMap<ConversationId, Stopper>>);

impl Turns {
    fn running(&self) -> MutexGuard<'_, HashMap<ConversationId, Stopper>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True while the World Agent answers in a conversation.
    pub fn is_running(&self, id: ConversationId) -> bool {
        self.running().contains_key(&id)
    }

    /// The conversations in which the World Agent answers.
    pub fn conversations(&self) -> Vec<ConversationId> {
        self.running().keys().copied().collect()
    }

    /// Stops the answer in a conversation, if one is running.
    pub fn stop(&self, id: ConversationId) {
        if let Some(stopper) = self.running().get(&id) {
            stopper.stop();
        }
    }

    /// Registers an answer unless one is running. Dropping the guard frees the conversation.
    pub(crate) fn begin(self: &Arc<Self>, id: ConversationId) -> Option<(Stop, Answering)> {
        let mut running = self.running();
        if running.contains_key(&id) {
            return None;
        }
        let (stopper, stop) = stopper();
        running.insert(id, stopper);
        Some((stop, Answering { turns: Arc::clone(self), conversation: id }))
    }
}

/// Guard of a running answer: frees the conversation on drop, however the answer ends.
#[derive(Debug)]
pub(crate) struct Answering {
    turns: Arc<Turns>,
    conversation: ConversationId,
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.turns.running().remove(&self.conversation);
    }
}
