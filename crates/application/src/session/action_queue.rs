//! The queue between an act and its row: bounded, so that telemetry can never hold up or fill up the program.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use futures::task::AtomicWaker;
use inklings_domain::agent_telemetry::AgentAction;

/// Actions that wait at most; more are dropped and counted.
pub const MOST_WAITING: usize = 1_024;

/// Actions that wait to be written.
#[derive(Default)]
pub struct ActionQueue {
    state: Mutex<State>,
    arrival: AtomicWaker,
    /// Held while actions are written, so that a flush also waits for those that another task has taken.
    pub(crate) writing: futures::lock::Mutex<()>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<AgentAction>,
    dropped: u64,
    closed: bool,
}

impl ActionQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an action without waiting. A full queue drops it.
    pub fn push(&self, action: AgentAction) {
        {
            let mut state = self.state();
            if state.waiting.len() >= MOST_WAITING {
                state.dropped += 1;
                return;
            }
            state.waiting.push_back(action);
        }
        self.arrival.wake();
    }

    /// Takes all actions that wait.
    pub(crate) fn take(&self) -> Vec<AgentAction> {
        self.state().waiting.drain(..).collect()
    }

    /// Counts actions that could not be written.
    pub(crate) fn count_dropped(&self, actions: usize) {
        self.state().dropped += actions as u64;
    }

    /// Actions that were dropped since the session began.
    pub fn dropped(&self) -> u64 {
        self.state().dropped
    }

    /// Completes with true once an action waits, and with false once the session is over and none waits.
    pub(crate) async fn arrived(&self) -> bool {
        std::future::poll_fn(|context| {
            self.arrival.register(context.waker());
            let state = self.state();
            match (state.waiting.is_empty(), state.closed) {
                (false, _) => Poll::Ready(true),
                (true, true) => Poll::Ready(false),
                (true, false) => Poll::Pending,
            }
        })
        .await
    }
}

/// The session's end of the queue. The writer stops when it is dropped.
#[derive(Default)]
pub struct QueueOwner(pub(crate) Arc<ActionQueue>);

impl Drop for QueueOwner {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.arrival.wake();
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use inklings_domain::{
        agent_telemetry::{ActionType, Outcome, Target, TargetType},
        ids::AgentActionId,
    };
    use uuid::Uuid;

    use super::*;

    fn action(number: usize) -> AgentAction {
        AgentAction {
            id: AgentActionId::from_uuid(Uuid::from_u128(number as u128)),
            at: DateTime::UNIX_EPOCH,
            action: ActionType::Orient,
            target: Target::any(TargetType::Workspace),
            outcome: Outcome::Done,
            error: None,
            latency_ms: 1,
            client: None,
            conversation: None,
            turn: None,
        }
    }

    #[test]
    fn a_full_queue_drops_and_counts_and_never_waits() {
        let queue = ActionQueue::default();
        for number in 0..MOST_WAITING + 7 {
            queue.push(action(number));
        }
        assert_eq!(queue.dropped(), 7);
        let taken = queue.take();
        assert_eq!(taken.len(), MOST_WAITING);
        assert_eq!(taken[0], action(0), "the oldest are kept");
        queue.push(action(1));
        assert_eq!((queue.take().len(), queue.dropped()), (1, 7));
    }

    #[test]
    fn the_writer_ends_with_its_session_after_the_last_action() {
        let owner = QueueOwner::default();
        let queue = Arc::clone(&owner.0);
        queue.push(action(1));
        drop(owner);
        assert!(futures::executor::block_on(queue.arrived()));
        queue.take();
        assert!(!futures::executor::block_on(queue.arrived()));
    }
}
