//! Carries out a consolidation plan in batches.

use inklings_domain::{
    consolidation::{
        Fate,
        run::{Run, RunAct, RunCounts, RunState, RunTrigger},
    },
    forget_reason::ForgetReason,
    ids::{MemoryId, RunId},
    memory::{
        MemoryEntry, MemoryPatch, Stamp,
        change_set::{Action, MemoryWrite},
        filter::ScopeFilter,
        text_source::TextSource,
    },
    proposal::{ProposalDraft, ProposalKind, Subject},
    provenance::{Actor, ActorKind, Interface},
    recall_test::Cause,
    scope::{MemoryLifetime, MemoryScope},
};
use inklings_ports::{
    conversation::summariser::Summariser, memory::store::CommittedChange, progress::NoProgress,
    store_error::StoreError,
};

use super::{
    TASK,
    plan::{Plan, PlannedItem, Rewrite, act},
    settings::ConsolidationSettings,
};
use crate::{error::AppError, proposal::merged_entry, services::Consolidation};

/// Entries per change. A run can be stopped between changes.
const BATCH: usize = 200;
/// Maximum items in a preview or a report.
pub const MOST_ITEMS: usize = 500;
/// Reason given in a conflict proposal.
const CONFLICT: &str = "two entries contradict each other";
/// Reason given in a merge proposal.
const INCOMPLETE: &str = "one text for several entries, which loses a name, a number or a negation";

/// Receives the progress of a run and can stop it.
pub trait RunSink: Send + Sync {
    /// Reports the run's state and a description of the current stage, for display.
    fn progress(&self, run: &Run, stage: &'static str);

    /// True once the run should stop.
    fn cancelled(&self) -> bool;
}

impl RunSink for NoProgress {
    fn progress(&self, _: &Run, _: &'static str) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// The planned effect of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Totals.
    pub counts: RunCounts,
    /// One item per entry, at most 500.
    pub items: Vec<PlannedItem>,
}

/// The effect of a run on one entry.
#[derive(Debug, Clone, PartialEq)]
pub struct RunItem {
    /// The action.
    pub act: RunAct,
    pub entry: MemoryEntry,
    /// Why the entry was forgotten, if it was.
    pub reason: Option<ForgetReason>,
}

/// A run in progress.
struct Running<'a> {
    run: Run,
    actor: Actor,
    sink: &'a dyn RunSink,
}

impl Consolidation<'_> {
    /// Previews a run. Changes nothing; merged texts are counted but not generated.
    pub async fn preview(&self) -> Result<Preview, AppError> {
        let settings = self.settings().await?;
        let plan = self.plan(&settings, MemoryScope::ALL, self.progress().await?).await?;
        let mut counts = RunCounts { scanned: plan.scanned as u64, ..RunCounts::default() };
        let mut items = Vec::new();
        for item in plan.items() {
            count(&mut counts, item.act);
            items.push(item);
        }
        for entry in plan.clusters.iter().flatten() {
            count(&mut counts, RunAct::Rewritten);
            items.push(PlannedItem { act: RunAct::Rewritten, entry: entry.clone(), into: None });
        }
        counts.created = plan.clusters.len() as u64;
        counts.proposed = plan.conflicts.len() as u64;
        items.truncate(MOST_ITEMS);
        Ok(Preview { counts, items })
    }

    /// Consolidates memory: all of it if it was asked for, else the tiers that are due. Resumes an interrupted run under its own id. The caller must hold the task's
    /// lease.
    ///
    /// # Errors
    /// [`AppError::MemoryOff`]; [`AppError::Store`] if a database fails. The run is then marked as failed,
    /// and its changes so far stay.
    pub async fn consolidate(
        &self,
        trigger: RunTrigger,
        interface: Interface,
        summariser: &dyn Summariser,
        sink: &dyn RunSink,
    ) -> Result<Run, AppError> {
        self.session.switch().may_capture(ActorKind::System).await?;
        let tiers = self.tiers_for(trigger).await?;
        let run = match self.session.workspace.runs.latest(TASK).await? {
            Some(cut_off) if cut_off.state == RunState::Running => cut_off,
            _ => Run::begun(self.session.ids.run_id(), TASK, trigger, self.session.clock.now()),
        };
        let actor = Actor::new(ActorKind::System, interface, Some(run.id))?;
        let mut running = Running { run, actor, sink };
        self.session.workspace.runs.put(&running.run).await?;
        self.record_start(&tiers, running.run.started_at).await?;
        let done = self.carry_out(&mut running, &tiers, summariser).await;
        let (state, error) = match &done {
            Ok(true) => (RunState::Done, None),
            Ok(false) => (RunState::Cancelled, None),
            Err(error) => (RunState::Failed, Some(error.to_string())),
        };
        if matches!(done, Ok(true))
            && let Err(error) = self.session.drifts().look().await
        {
            // The next look finds the same.
            tracing::warn!(%error, "contradictions could not be looked for");
        }
        let run = running.run.ended(state, error, self.session.clock.now());
        self.session.workspace.runs.put(&run).await?;
        self.session.recall_tests().run_after(Cause::Consolidation(run.id)).await;
        sink.progress(&run, "Done");
        done.map(|_| run)
    }

    /// Returns false if the run was stopped.
    async fn carry_out(
        &self,
        running: &mut Running<'_>,
        tiers: &[MemoryScope],
        summariser: &dyn Summariser,
    ) -> Result<bool, AppError> {
        running.report_stage("Weighing what is remembered");
        self.session.proposals().close_superseded().await?;
        let settings = self.settings().await?;
        let plan = self.plan(&settings, tiers, self.progress().await?).await?;
        running.run.counts.scanned = plan.scanned as u64;
        running.run.done = 0;
        running.run.total = (plan.fates.len() + plan.conflicts.len() + plan.clusters.len()) as u64;
        let done = self.settle_fates(running, &plan).await?
            && self.file_conflicts(running, &plan).await?
            && self.rewrite_clusters(running, plan.clusters, &settings, summariser).await?;
        if done {
            self.record_progress(&plan.progress).await?;
        }
        Ok(done)
    }

    async fn settle_fates(&self, running: &mut Running<'_>, plan: &Plan) -> Result<bool, AppError> {
        for batch in plan.fates.chunks(BATCH) {
            if running.report_stage("Promoting and retiring") {
                return Ok(false);
            }
            let stamp = self.session.stamp(running.actor);
            let mut writes = Vec::with_capacity(batch.len());
            let mut acts = Vec::with_capacity(batch.len());
            for (entry, fate) in batch {
                let next = match fate {
                    Fate::Promote => {
                        let lifetime = Some(MemoryLifetime::LongTerm);
                        entry.edited(MemoryPatch { lifetime, ..MemoryPatch::default() }, stamp)
                    }
                    Fate::Fade => entry.forgotten(ForgetReason::Faded, stamp),
                    Fate::Cap => entry.forgotten(ForgetReason::Capped, stamp),
                    Fate::Merge(into) => entry.retired_into(*into, ForgetReason::Merged, stamp),
                };
                writes.push(MemoryWrite::Update(next?));
                acts.push((entry.id, act(fate)));
            }
            let written = self.commit_what_stands(stamp, writes).await?;
            for (id, act) in acts {
                if written.contains(&id) {
                    count(&mut running.run.counts, act);
                }
            }
            running.run.done += batch.len() as u64;
            self.session.workspace.runs.put(&running.run).await?;
        }
        Ok(true)
    }

    /// Commits writes, leaving out entries that others changed meanwhile. Returns the written entries.
    async fn commit_what_stands(
        &self,
        stamp: Stamp,
        mut writes: Vec<MemoryWrite>,
    ) -> Result<Vec<MemoryId>, AppError> {
        while !writes.is_empty() {
            match self.session.memories().commit(stamp, Action::Consolidate, None, writes.clone()).await {
                Ok(written) => return Ok(written.ids),
                Err(AppError::Store(StoreError::Stale { id })) => {
                    writes.retain(|write| write.entry().id != id);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Vec::new())
    }

    async fn file_conflicts(&self, running: &mut Running<'_>, plan: &Plan) -> Result<bool, AppError> {
        for (a, b) in &plan.conflicts {
            if running.report_stage("Looking for contradictions") {
                return Ok(false);
            }
            let draft = ProposalDraft {
                kind: ProposalKind::Conflict,
                reason: CONFLICT.to_owned(),
                subjects: vec![subject(a), subject(b)],
                content: None,
                makes: None,
                conversation: None,
                derivations: Vec::new(),
            };
            running.run.counts.proposed +=
                u64::from(self.session.proposals().propose(draft, running.actor, None).await?.is_some());
            running.run.done += 1;
        }
        self.session.workspace.runs.put(&running.run).await?;
        Ok(true)
    }

    async fn rewrite_clusters(
        &self,
        running: &mut Running<'_>,
        clusters: Vec<Vec<MemoryEntry>>,
        settings: &ConsolidationSettings,
        summariser: &dyn Summariser,
    ) -> Result<bool, AppError> {
        for cluster in clusters {
            if running.report_stage("Telling in one text what belongs together") {
                return Ok(false);
            }
            running.run.done += 1;
            let ids: Vec<MemoryId> = cluster.iter().map(|entry| entry.id).collect();
            if self.session.proposals().was_proposed_before(ProposalKind::Merge, &ids, None).await? {
                continue;
            }
            let rewrite = self.rewrite(cluster, settings.instructions.as_deref(), summariser).await;
            if rewrite.text.trim().is_empty() {
                continue;
            }
            match self.session.scrubs().may_learn(&rewrite.text, running.actor.kind()).await {
                // The model repeated scrubbed content from the remaining entries; leave the originals
                // unchanged.
                Err(AppError::Guard(_)) => continue,
                done => done?,
            }
            // A page says it already, in words of the worldbuilder.
            if self
                .session
                .agent_writes()
                .in_content(&rewrite.text, &ScopeFilter::EVERYTHING)
                .await?
                .is_some()
            {
                continue;
            }
            if rewrite.complete {
                self.replace_by_text(running, rewrite).await?;
            } else {
                let draft = ProposalDraft {
                    kind: ProposalKind::Merge,
                    reason: INCOMPLETE.to_owned(),
                    subjects: rewrite.entries.iter().map(subject).collect(),
                    content: Some(rewrite.text),
                    makes: None,
                    conversation: None,
                    // The text that is accepted names the entries that it replaces.
                    derivations: Vec::new(),
                };
                running.run.counts.proposed +=
                    u64::from(self.session.proposals().propose(draft, running.actor, None).await?.is_some());
            }
            self.session.workspace.runs.put(&running.run).await?;
        }
        Ok(true)
    }

    async fn replace_by_text(&self, running: &mut Running<'_>, rewrite: Rewrite) -> Result<(), AppError> {
        let Rewrite { entries, text, .. } = rewrite;
        let stamp = self.session.stamp(running.actor);
        let made =
            merged_entry(&entries, text, TextSource::of(stamp.actor), self.session.ids.memory_id(), stamp)?;
        let id = made.id;
        let mut writes = vec![MemoryWrite::Insert(made)];
        for entry in &entries {
            writes.push(MemoryWrite::Update(entry.retired_into(id, ForgetReason::Consolidated, stamp)?));
        }
        match self.session.memories().commit(stamp, Action::Consolidate, None, writes).await {
            Ok(_) => {
                running.run.counts.created += 1;
                running.run.counts.rewritten += entries.len() as u64;
                Ok(())
            }
            // An original was changed meanwhile, so the merged text is outdated.
            Err(AppError::Store(StoreError::Stale { .. })) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The effects of a run by entry, as far as the history still has them, at most 500.
    pub async fn run_items(&self, run: RunId) -> Result<Vec<RunItem>, AppError> {
        let mut items = Vec::new();
        for change in self.changes_of(run).await? {
            for replaced in change.replaced {
                if items.len() >= MOST_ITEMS {
                    return Ok(items);
                }
                let Some(stored) = self.session.entries(&[replaced.id]).await?.pop() else { continue };
                let history = self.session.ports(stored.entry.scope()).store.history(replaced.id).await?;
                let Some(made) = history.into_iter().find(|item| item.entry.version == replaced.made) else {
                    continue;
                };
                let forgotten = made.entry.forgotten.as_ref();
                let reason = forgotten.map(|mark| mark.reason.clone());
                let act = if replaced.before.is_none() { RunAct::Created } else { done_to(&made.entry) };
                let into = made.entry.consolidated_into;
                let entry = MemoryEntry { consolidated_into: into, ..stored.entry };
                items.push(RunItem { act, entry, reason });
            }
        }
        Ok(items)
    }

    /// The changes of a run, oldest first in each database.
    pub(crate) async fn changes_of(&self, run: RunId) -> Result<Vec<CommittedChange>, AppError> {
        let mut changes = Vec::new();
        for ports in self.session.all_ports() {
            for row in ports.store.changes_of_run(run).await? {
                changes.extend(ports.store.change(row.change).await?);
            }
        }
        Ok(changes)
    }
}

impl Running<'_> {
    /// Reports the current stage; true if the run should stop.
    fn report_stage(&self, stage: &'static str) -> bool {
        self.sink.progress(&self.run, stage);
        self.sink.cancelled()
    }
}

/// The action of a run on an entry, derived from the version that it made and the stored forget reason.
pub(crate) fn done_to(made: &MemoryEntry) -> RunAct {
    match made.forgotten.as_ref().map(|mark| &mark.reason) {
        _ if made.version == 1 => RunAct::Created,
        None => RunAct::Promoted,
        Some(ForgetReason::Consolidated) => RunAct::Rewritten,
        Some(ForgetReason::Merged) => RunAct::Merged,
        Some(ForgetReason::Capped) => RunAct::Capped,
        Some(_) => RunAct::Faded,
    }
}

const fn subject(entry: &MemoryEntry) -> Subject {
    Subject { id: entry.id, version: entry.version }
}

pub(crate) const fn count(counts: &mut RunCounts, act: RunAct) {
    let counter = match act {
        RunAct::Promoted => &mut counts.promoted,
        RunAct::Faded => &mut counts.faded,
        RunAct::Merged => &mut counts.merged,
        RunAct::Capped => &mut counts.capped,
        RunAct::Rewritten => &mut counts.rewritten,
        RunAct::Created => &mut counts.created,
    };
    *counter += 1;
}
