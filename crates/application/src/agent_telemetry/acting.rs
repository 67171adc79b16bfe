//! A call of a tool while it runs: what becomes of it is gathered, and its row is queued when it ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_domain::{
    agent_telemetry::{ActionType, AgentAction, ErrorCode, Outcome, Target},
    conversation::Conversation,
    ids::{ClientId, ConversationId, RunId},
    orientation::shown::{Seen, SeenKind, Showing, Through},
};
use inklings_ports::clock::Clock;
use uuid::Uuid;

use crate::session::action_queue::ActionQueue;
use crate::{agent_write::remember::Remembered, services::AgentTelemetry};

/// Who acts, and where.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Acts {
    /// The client; `None` for the World Agent.
    pub(crate) client: Option<ClientId>,
    /// The conversation of the turn.
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) turn: Option<RunId>,
}

/// What became of a call so far: ids and flags.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<Traced>);

#[derive(Debug, Default)]
struct Traced {
    target: Option<Uuid>,
    conversation: Option<ConversationId>,
    proposed: bool,
    /// Number of items that were shown; `None` if the call shows nothing.
    shown: Option<u64>,
}

impl Trace {
    fn traced(&self) -> MutexGuard<'_, Traced> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call read something.
    pub(crate) fn shows(&self, showing: &Showing) {
        let mut traced = self.traced();
        traced.shown = Some(traced.shown.unwrap_or(0) + showing.count);
        traced.conversation = traced.conversation.or(showing.conversation);
        let is_one = showing.count == 1 || matches!(showing.through, Through::Entry | Through::Named);
        if is_one
            && showing.through != Through::Orientation
            && let Some(Seen { kind: SeenKind::Memory | SeenKind::Fact | SeenKind::Conversation, id, .. }) =
                showing.items.first()
        {
            traced.target = traced.target.or(Some(*id));
        }
    }

    /// The call wrote a memory, or a proposal instead.
    pub(crate) fn remembers(&self, remembered: &Remembered) {
        match remembered {
            Remembered::Written(written) => self.wrote(*written.id().as_uuid()),
            Remembered::Proposed(_) => self.proposes(),
        }
    }

    /// The call wrote one thing.
    pub(crate) fn wrote(&self, target: Uuid) {
        self.traced().target = Some(target);
    }

    /// The call became a proposal.
    pub(crate) fn proposes(&self) {
        self.traced().proposed = true;
    }

    /// The call acts in a conversation.
    pub(crate) fn acts_in(&self, conversation: &Conversation) {
        self.traced().conversation = Some(conversation.id);
    }
}

/// A call that is recorded when it ends.
pub struct Acting {
    queue: Arc<ActionQueue>,
    clock: Arc<dyn Clock>,
    trace: Arc<Trace>,
    action: AgentAction,
}

impl AgentTelemetry<'_> {
    /// Begins to record a call. What is only known while it runs goes into the trace.
    pub(crate) fn begin(&self, (action, target): (ActionType, Target), acts: Acts) -> (Acting, Arc<Trace>) {
        let trace = Arc::<Trace>::default();
        let action = AgentAction {
            id: self.session.ids.agent_action_id(),
            at: self.session.clock.now(),
            action,
            target,
            outcome: Outcome::Done,
            error: None,
            latency_ms: 0,
            client: acts.client,
            conversation: acts.conversation,
            turn: acts.turn,
        };
        let queue = Arc::clone(self.session.action_queue());
        let clock = Arc::clone(&self.session.clock);
        (Acting { queue, clock, trace: Arc::clone(&trace), action }, trace)
    }
}

impl Acting {
    /// Queues the row of the call. Never waits and never fails.
    pub fn ended(self, error: Option<ErrorCode>) {
        let Self { queue, clock, trace, mut action } = self;
        let traced = trace.traced();
        let nothing = error.is_none() && !traced.proposed && traced.shown == Some(0);
        action.error = if nothing { Some(ErrorCode::NothingFound) } else { error };
        action.outcome = match action.error {
            Some(error) => AgentAction::outcome_of(error),
            None if traced.proposed => Outcome::Proposed,
            None => Outcome::Done,
        };
        action.target.id = action.target.id.or(traced.target);
        action.conversation = action.conversation.or(traced.conversation);
        let taken = (clock.now() - action.at).num_milliseconds().max(0);
        action.latency_ms = u32::try_from(taken).unwrap_or(u32::MAX);
        queue.push(action);
    }
}
