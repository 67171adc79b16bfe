//! Writes queued actions, and counts the patterns that they may change.

use std::sync::Arc;

use inklings_domain::agent_telemetry::{
    pattern::{AgentPattern, Evidence, PatternKey, evidence},
    sequence::Step,
};
use inklings_ports::{
    agent_telemetry::AgentTelemetryStore,
    clock::{Clock, IdGenerator},
    store_error::StoreError,
};

use crate::services::AgentTelemetry;
use crate::session::action_queue::ActionQueue;

/// Writes the actions of a session. A long-lived shell runs it as a task of its own.
pub struct TelemetryWriter {
    queue: Arc<ActionQueue>,
    store: Arc<dyn AgentTelemetryStore>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

impl AgentTelemetry<'_> {
    /// The writer of the session's actions. It does not keep the session alive.
    pub fn writer(&self) -> TelemetryWriter {
        TelemetryWriter {
            queue: Arc::clone(self.session.action_queue()),
            store: Arc::clone(&self.session.workspace.agent_telemetry),
            clock: Arc::clone(&self.session.clock),
            ids: Arc::clone(&self.session.ids),
        }
    }
}

impl TelemetryWriter {
    /// Writes actions as they arrive, until the session is over.
    pub async fn run(self) {
        while self.queue.arrived().await {
            self.write().await;
        }
    }

    /// Writes what waits. Never fails: actions that cannot be written are counted as dropped.
    pub(super) async fn write(&self) {
        let _writing = self.queue.writing.lock().await;
        let actions = self.queue.take();
        if actions.is_empty() {
            return;
        }
        match self.store.record(&actions).await {
            Ok(steps) => {
                if let Err(error) = self.count(&steps).await {
                    tracing::warn!(%error, "patterns of agents are counted later");
                }
            }
            Err(error) => {
                self.queue.count_dropped(actions.len());
                tracing::warn!(%error, actions = actions.len(), "telemetry of agents was dropped");
            }
        }
    }

    /// Counts the patterns of steps again, and promotes new ones.
    async fn count(&self, steps: &[Step]) -> Result<(), StoreError> {
        if steps.is_empty() {
            return Ok(());
        }
        let (known, now) = (self.store.patterns().await?, self.clock.now());
        let mut counted = Vec::new();
        for (action, target) in steps.iter().copied() {
            let last = self.store.last_codes((action, target)).await?;
            let found = evidence(&last);
            let of_step =
                |pattern: &&AgentPattern| (pattern.key.action, pattern.key.target) == (action, target);
            for pattern in known.iter().filter(of_step) {
                let own = found.iter().find(|(error, _)| *error == pattern.key.error);
                let none = Evidence { sequences: 0, of: last.len() as u64 };
                counted.push(pattern.counted(own.map_or(none, |(_, evidence)| *evidence), now));
            }
            for (error, evidence) in found {
                let key = PatternKey { action, target, error };
                if evidence.promotes() && !known.iter().any(|pattern| pattern.key == key) {
                    counted.push(AgentPattern {
                        id: self.ids.agent_pattern_id(),
                        key,
                        evidence,
                        holds: true,
                        promoted_at: now,
                        updated_at: now,
                        annotation: None,
                        suppressed_by: None,
                    });
                }
            }
        }
        self.store.put_evidence(&counted).await
    }
}
