//! Between the domain and the views of named entries, orientations, proposals, runs and tasks.

use chrono::{DateTime, Duration, Utc};
use inklings_application::{consolidate, orient, schedule::ScheduledTask};
use inklings_domain::{
    coverage::Coverage,
    forget_reason::ForgetReason,
    memory::MemoryEntry,
    message::estimated_tokens,
    named_entry,
    orientation::{self as domain, Layer, LeftOut, PerLayer},
    proposal as proposals, ranking, run as runs,
    schedule::TaskState,
};

use super::{
    count,
    keeping::{
        Decision, LayerBudget, LeftOutRule, Mark, NamedEntryView, OrientationItem, OrientationKind,
        OrientationSettings, OrientationShares, OrientationSummary, OrientationView, ProposedEntry,
    },
    memory::MemoryRow,
    runs::{ConsolidationSettings, RunCounts, RunView, TaskView},
    search::Contribution,
    time,
};
use crate::error::CommandError;

/// Characters of a query that a list shows.
const QUERY_CHARS: usize = 200;

/// Where a page ended, as it crosses the boundary.
pub fn cursor_text(at: DateTime<Utc>, id: impl std::fmt::Display) -> String {
    format!("{}.{id}", at.timestamp_micros())
}

/// Reads what [`cursor_text`] gave.
///
/// # Errors
/// [`CommandError`] of code `invalid`.
pub fn cursor<T: std::str::FromStr>(text: &str) -> Result<(DateTime<Utc>, T), CommandError> {
    let read = || {
        let (micros, id) = text.split_once('.')?;
        Some((DateTime::from_timestamp_micros(micros.parse().ok()?)?, id.parse().ok()?))
    };
    read().ok_or_else(|| CommandError::invalid("after", "This is not where a page ended."))
}

/// A named entry.
pub fn named(entry: &MemoryEntry) -> NamedEntryView {
    let placeholder = named_entry::placeholder(entry);
    NamedEntryView {
        id: entry.id.to_string(),
        name: entry.name.clone().unwrap_or_default(),
        aliases: entry.aliases.clone(),
        scope: entry.scope().into(),
        content: entry.content.clone(),
        placeholder: placeholder.to_owned(),
        standing: !placeholder.is_empty(),
        curator: entry.curator.into(),
        version: count(entry.version),
        tokens: if entry.content.is_empty() { 0 } else { count(estimated_tokens(&entry.content)) },
        created_at: time(entry.created_at),
        edited_at: (entry.version > 1 || !entry.content.is_empty()).then(|| time(entry.updated_at)),
    }
}

/// What a list of a search gave.
pub fn contribution(part: &ranking::Contribution) -> Contribution {
    Contribution {
        list: part.list.into(),
        rank: count(part.rank),
        raw: part.raw,
        weight: part.weight,
        score: part.score,
    }
}

/// An orientation, with a label for each of its items.
pub fn orientation(
    orientation: &domain::Orientation,
    labels: &dyn Fn(&domain::ItemId) -> String,
) -> OrientationView {
    let layers = Layer::ALL
        .iter()
        .map(|layer| {
            let used = orientation.layers.get(*layer);
            let items = || orientation.items.iter().filter(|item| item.layer == *layer);
            LayerBudget {
                layer: (*layer).into(),
                budget: count(used.budget),
                used: count(used.used),
                taken: count(items().filter(|item| item.left_out.is_none()).count()),
                left_out: count(items().filter(|item| item.left_out.is_some()).count()),
                failed: used.failed,
            }
        })
        .collect();
    OrientationView {
        id: None,
        conversation_id: orientation.conversation.map(|id| id.to_string()),
        message_id: orientation.message.map(|id| id.to_string()),
        query: orientation.query.clone(),
        at: time(orientation.at),
        budget: count(orientation.budget),
        tokens: count(orientation.tokens),
        layers,
        items: orientation.items.iter().map(|item| ledger_item(item, labels(&item.id))).collect(),
        thinned: orientation.thinned,
        markdown: None,
    }
}

fn ledger_item(item: &domain::LedgerItem, label: String) -> OrientationItem {
    let (rule, repeats) = match item.left_out {
        None => (None, None),
        Some(LeftOut::Budget) => (Some(LeftOutRule::Budget), None),
        Some(LeftOut::Limit) => (Some(LeftOutRule::Limit), None),
        Some(LeftOut::Refined) => (Some(LeftOutRule::Refined), None),
        Some(LeftOut::Repeats(other)) => (Some(LeftOutRule::Repeats), Some(other.id())),
    };
    OrientationItem {
        layer: item.layer.into(),
        kind: match item.id {
            domain::ItemId::Memory(_) => OrientationKind::Memory,
            domain::ItemId::Fact(_) => OrientationKind::Fact,
            domain::ItemId::Episode(_) => OrientationKind::Episode,
            domain::ItemId::Message(_) => OrientationKind::Message,
        },
        id: item.id.id(),
        label,
        curator: item.framing.curator.map(Into::into),
        importance: item.framing.importance,
        relevance: item.framing.relevance,
        age_days: item.framing.age_days.map(count),
        tokens: count(item.tokens),
        taken: item.left_out.is_none(),
        shortened: item.shortened,
        rule,
        repeats,
        score: item.score,
        parts: item.parts.iter().map(contribution).collect(),
    }
}

/// An orientation in a list.
pub fn orientation_summary(orientation: &domain::Orientation) -> OrientationSummary {
    let taken = orientation.items.iter().filter(|item| item.left_out.is_none()).count();
    OrientationSummary {
        id: orientation.id.to_string(),
        message_id: orientation.message.map(|id| id.to_string()),
        query: domain::one_line(&orientation.query, QUERY_CHARS).0,
        at: time(orientation.at),
        tokens: count(orientation.tokens),
        budget: count(orientation.budget),
        taken: count(taken),
        left_out: count(orientation.items.len() - taken),
    }
}

/// What is set about orientation.
pub fn orientation_settings(set: &orient::OrientationSettings) -> OrientationSettings {
    let share = |layer| count(*set.shares.get(layer));
    OrientationSettings {
        budget: count(set.budget),
        shares: OrientationShares {
            facts: share(Layer::Facts),
            episodes: share(Layer::Episodes),
            earlier: share(Layer::Earlier),
            conversation: share(Layer::Conversation),
            channel: share(Layer::Channel),
            workspace: share(Layer::Workspace),
            account: share(Layer::Account),
        },
        refine: set.refine,
    }
}

/// The same, read.
pub fn read_orientation_settings(set: &OrientationSettings) -> orient::OrientationSettings {
    let shares = set.shares;
    orient::OrientationSettings {
        budget: set.budget.into(),
        shares: PerLayer::from_fn(|layer| {
            u64::from(match layer {
                Layer::Named => 0,
                Layer::Facts => shares.facts,
                Layer::Episodes => shares.episodes,
                Layer::Earlier => shares.earlier,
                Layer::Conversation => shares.conversation,
                Layer::Channel => shares.channel,
                Layer::Workspace => shares.workspace,
                Layer::Account => shares.account,
            })
        }),
        refine: set.refine,
    }
}

/// What a new text lost and gained.
pub fn marks(coverage: Coverage) -> (Vec<Mark>, Vec<Mark>) {
    let mark = |mark: inklings_domain::coverage::Mark| Mark { kind: mark.kind.into(), text: mark.text };
    (coverage.lost.into_iter().map(mark).collect(), coverage.added.into_iter().map(mark).collect())
}

/// The entry that a proposal would make; `row`: as it is now, once it was made.
pub fn proposed_entry(makes: &proposals::NewEntry, row: Option<MemoryRow>) -> ProposedEntry {
    ProposedEntry {
        scope: makes.place.scope().into(),
        source: makes.source.clone(),
        importance: makes.importance.get(),
        tags: makes.tags.clone(),
        row,
    }
}

/// A decision, read.
pub fn decision(view: Decision) -> proposals::Decision {
    match view {
        Decision::Accept => proposals::Decision::Accept,
        Decision::AcceptEdited { content } => proposals::Decision::AcceptEdited(content),
        Decision::Reject => proposals::Decision::Reject,
        Decision::NewerWins => proposals::Decision::NewerWins,
        Decision::OlderWins => proposals::Decision::OlderWins,
    }
}

/// Counts of a run.
pub fn run_counts(counts: &runs::RunCounts) -> RunCounts {
    RunCounts {
        scanned: count(counts.scanned),
        promoted: count(counts.promoted),
        faded: count(counts.faded),
        merged: count(counts.merged),
        capped: count(counts.capped),
        rewritten: count(counts.rewritten),
        created: count(counts.created),
        proposed: count(counts.proposed),
    }
}

/// A run.
pub fn run(run: &runs::Run) -> RunView {
    RunView {
        id: run.id.to_string(),
        task: run.task.clone(),
        state: run.state.into(),
        trigger: run.trigger.into(),
        started_at: time(run.started_at),
        finished_at: run.finished_at.map(time),
        done: count(run.done),
        total: count(run.total),
        counts: run_counts(&run.counts),
        error: run.error.as_deref().map(crate::error::sentence),
        reverted_at: run.reverted_at.map(time),
    }
}

/// Why something would happen to an entry, where no mark says so yet.
pub fn reason(act: runs::RunAct) -> String {
    match act {
        runs::RunAct::Promoted => "it proved useful".to_owned(),
        runs::RunAct::Faded => ForgetReason::Faded.to_string(),
        runs::RunAct::Capped => ForgetReason::Capped.to_string(),
        runs::RunAct::Merged => ForgetReason::Merged.to_string(),
        runs::RunAct::Rewritten => "it belongs together with others".to_owned(),
        runs::RunAct::Created => "it tells several entries in one text".to_owned(),
    }
}

/// Why a run of persist wrote an entry.
pub const LEFT_BEHIND: &str = "a conversation left it behind";

/// What is set about consolidation.
pub fn consolidation_settings(set: &consolidate::ConsolidationSettings) -> ConsolidationSettings {
    ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: count(set.idle_minutes),
        queue_depth: count(set.queue_depth),
        cap: count(set.cap),
        rewrite: set.rewrite,
    }
}

/// The same, read.
pub fn read_consolidation_settings(set: &ConsolidationSettings) -> consolidate::ConsolidationSettings {
    consolidate::ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: set.idle_minutes.into(),
        queue_depth: set.queue_depth as usize,
        cap: set.cap as usize,
        rewrite: set.rewrite,
    }
}

/// A task with what is kept of it.
pub fn task(
    task: &dyn ScheduledTask,
    every: Option<Duration>,
    state: Option<&TaskState>,
    now: DateTime<Utc>,
) -> TaskView {
    let last = state.and_then(|state| state.last_started_at);
    let lease = state.and_then(|state| state.lease.as_ref());
    TaskView {
        name: task.name().to_owned(),
        title: task.title().to_owned(),
        every_minutes: every.map(|every| count(every.num_minutes().max(0))),
        last_started_at: last.map(time),
        last_finished_at: state.and_then(|state| state.last_finished_at).map(time),
        outcome: state.and_then(|state| state.outcome).map(Into::into),
        message: state.and_then(|state| state.message.clone()),
        running: lease.is_some_and(|lease| lease.holds(now)),
        next_due_at: every.map(|every| time(inklings_domain::schedule::due_at(last, every, now))),
    }
}
