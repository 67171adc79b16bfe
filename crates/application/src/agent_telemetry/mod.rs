//! The telemetry of agents: captures each call of a tool by the World Agent and by clients, groups them into sequences,
//! promotes what recurs to patterns and measures each day. It stays in the workspace's file, and holds no text.

pub(crate) mod acting;
mod metrics;
mod patterns;
mod sequences;
mod settings;
mod writer;

use inklings_ports::agent_telemetry::{ActionCursor, ActionFilter, RecordedAction};

pub use self::{
    acting::Acting,
    metrics::{MeasuredDays, MetricSeries},
    sequences::FoundSequence,
    settings::AgentTelemetrySettings,
    writer::TelemetryWriter,
};
use crate::{error::AppError, memory::browse::MAX_PAGE, services::AgentTelemetry};

impl AgentTelemetry<'_> {
    /// A page of actions, newest first.
    pub async fn actions(
        &self,
        filter: ActionFilter,
        after: Option<ActionCursor>,
        limit: usize,
    ) -> Result<(Vec<RecordedAction>, Option<ActionCursor>), AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.session.workspace.agent_telemetry.actions(filter, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more);
        let next = next.map(|last| ActionCursor { at: last.action.at, id: last.action.id });
        Ok((rows, next))
    }

    /// Actions that were dropped since the session began, because the queue was full or the database failed.
    pub fn dropped(&self) -> u64 {
        self.session.action_queue().dropped()
    }

    /// Writes what waits in the queue, and waits for what is being written.
    pub async fn flush(&self) {
        self.writer().write().await;
    }
}
