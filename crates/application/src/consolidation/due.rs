//! Decides which tiers an automatic run is for. Each tier has a cadence of its own, by what changed in it; no tier has a
//! clock, except that entries fade without a change.

use chrono::{DateTime, Duration, Utc};
use inklings_domain::{
    consolidation::run::{RunState, RunTrigger},
    scope::MemoryScope,
};

use super::{TASK, settings::ConsolidationSettings, waiting::Changed};
use crate::{error::AppError, extraction, services::Consolidation};

/// Minimum changed entries of a tier for a run when nothing else goes on.
const WORTH_IT: usize = 5;
/// Maximum time between runs of a tier with active entries. Fading is not a change, so changes alone cannot
/// trigger it.
const AT_LEAST_EVERY: Duration = Duration::days(1);
/// Minimum time between two automatic runs.
const APART: Duration = Duration::minutes(10);
/// Time without a write before a run about canon that changed: it may change again at once.
const SETTLED: Duration = Duration::minutes(1);

/// An automatic run that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The event behind it.
    pub trigger: RunTrigger,
    pub tiers: Vec<MemoryScope>,
}

/// What waits in one tier.
struct Waiting {
    tier: MemoryScope,
    /// Its queue; `None` for conversations.
    depth: Option<usize>,
    changed: Changed,
    /// Its entries may have faded.
    overdue: bool,
    /// The last run left work.
    unfinished: bool,
    /// A conversation ended since the last run.
    closed: bool,
}

impl Waiting {
    fn is_queued(&self) -> bool {
        self.unfinished || self.depth.is_some_and(|depth| self.changed.entries >= depth)
    }

    /// Whether it is worth a run that something else than a full queue sets off.
    fn is_worth_it(&self) -> bool {
        self.changed.entries >= self.depth.map_or(WORTH_IT, |depth| depth.min(WORTH_IT))
    }

    fn is_closed(&self) -> bool {
        self.closed && (self.is_worth_it() || (self.depth.is_none() && self.changed.entries > 0))
    }
}

impl Consolidation<'_> {
    /// The automatic run that is due. `startup`: the process has just started, so it was missed before.
    pub async fn due(&self, startup: bool) -> Result<Option<Due>, AppError> {
        let settings = self.settings().await?;
        if !settings.automatic {
            return Ok(None);
        }
        let all = |trigger| Some(Due { trigger, tiers: MemoryScope::ALL.to_vec() });
        let (now, latest) = (self.session.clock.now(), self.session.workspace.runs.latest(TASK).await?);
        if latest.as_ref().is_some_and(|run| run.state == RunState::Running) {
            return Ok(all(RunTrigger::Startup));
        }
        let last = latest.map(|run| run.started_at);
        if last.is_some_and(|last| last <= now && now - last < APART) {
            return Ok(None);
        }
        let waiting = self.waiting(&settings, now).await?;
        let last_write = waiting.iter().filter_map(|tier| tier.changed.last_write).max();
        let since_write = last_write.map(|at| now - at);
        let revised = since_write.is_some_and(|since_write| since_write >= SETTLED)
            && self.canon_changes_since(last, settings.revision_depth).await? >= settings.revision_depth;
        let idle = since_write
            .is_some_and(|since_write| since_write >= Duration::minutes(settings.idle_minutes as i64));
        let those = |wanted: &dyn Fn(&Waiting) -> bool| -> Vec<MemoryScope> {
            waiting.iter().filter(|tier| wanted(tier)).map(|tier| tier.tier).collect()
        };
        let due = |trigger, tiers: Vec<MemoryScope>| (!tiers.is_empty()).then_some(Due { trigger, tiers });
        let startup_or = |trigger| if startup { RunTrigger::Startup } else { trigger };
        let ready = |tier: &Waiting| tier.is_queued() || tier.is_worth_it() || tier.overdue;
        Ok(due(startup_or(RunTrigger::Queue), those(&Waiting::is_queued))
            .or_else(|| revised.then(|| all(RunTrigger::Revision)).flatten())
            .or_else(|| due(RunTrigger::Startup, those(&|tier| startup && tier.overdue)))
            .or_else(|| due(RunTrigger::Idle, those(&|tier| idle && ready(tier))))
            .or_else(|| due(RunTrigger::Closed, those(&Waiting::is_closed))))
    }

    /// The tiers of a run that this event set off.
    pub(crate) async fn tiers_for(&self, trigger: RunTrigger) -> Result<Vec<MemoryScope>, AppError> {
        let due = match trigger {
            RunTrigger::Asked => None,
            _ => self.due(trigger == RunTrigger::Startup).await?,
        };
        Ok(due.map_or_else(|| MemoryScope::ALL.to_vec(), |due| due.tiers))
    }

    async fn waiting(
        &self,
        settings: &ConsolidationSettings,
        now: DateTime<Utc>,
    ) -> Result<Vec<Waiting>, AppError> {
        let progress = self.progress().await?;
        let persisted = self.session.workspace.runs.latest(extraction::TASK).await?;
        let ended = persisted.and_then(|run| run.finished_at);
        let mut waiting = Vec::with_capacity(MemoryScope::ALL.len());
        for tier in MemoryScope::ALL.iter().copied() {
            let (before, depth) = (progress.of(tier), settings.queue_depths.of(tier));
            let changed =
                self.changed_since(tier, before.ran_at, depth.unwrap_or(WORTH_IT).max(WORTH_IT)).await?;
            let last = before.ran_at.or(changed.first_write);
            waiting.push(Waiting {
                tier,
                depth,
                overdue: changed.last_write.is_some()
                    && last.is_some_and(|last| now - last >= AT_LEAST_EVERY),
                unfinished: before.left > 0,
                closed: ended.is_some_and(|at| before.ran_at.is_none_or(|ran_at| at > ran_at)),
                changed,
            });
        }
        Ok(waiting)
    }
}
