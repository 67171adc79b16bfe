//! When tasks ran, and the one process that runs each.

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::{
    consolidation::run::RunState,
    schedule::{LEASE, Lease, TaskOutcome, TaskState},
};
use inklings_ports::{
    clock::Clock,
    schedule::{CUT_OFF, ScheduleStore},
    store_error::StoreError,
    testing::random::Dice,
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn ScheduleStore {
    stage.workspace.schedule.as_ref()
}

async fn states(stage: &Stage) -> Vec<TaskState> {
    store(stage).states().await.expect("tasks are read")
}

async fn acquire(stage: &Stage, owner: &str, now: DateTime<Utc>) -> bool {
    store(stage).acquire("decay", owner, now, now + LEASE).await.expect("the lease is asked for")
}

/// What the last run left stays until the next one ends; tasks come by name.
#[tokio::test]
async fn the_state_of_a_task_includes_its_last_run() {
    let stage = CheckedStage::new().await;
    assert_eq!(states(&stage).await, []);
    let at = stage.scribe.clock.now() + TimeDelta::milliseconds(123);
    for outcome in TaskOutcome::ALL {
        let before = states(&stage).await.pop().unwrap_or_default();
        assert!(acquire(&stage, "one", at).await);
        let lease = Some(Lease { owner: "one".into(), until: at + LEASE });
        let begun = TaskState { task: "decay".into(), lease, last_started_at: Some(at), ..before };
        assert_eq!(states(&stage).await, std::slice::from_ref(&begun));
        let end = at + TimeDelta::seconds(9);
        let message = (*outcome != TaskOutcome::Done).then_some("the \"disk\" is full");
        assert!(store(&stage).release("decay", "one", *outcome, message, end).await.expect("given back"));
        let over = TaskState {
            lease: None,
            last_finished_at: Some(end),
            outcome: Some(*outcome),
            message: message.map(str::to_owned),
            ..begun
        };
        assert_eq!(states(&stage).await, [over]);
    }
    for task in ["persist", "consolidate"] {
        assert!(store(&stage).acquire(task, "one", at, at + LEASE).await.expect("it is asked for"));
    }
    let names: Vec<String> = states(&stage).await.into_iter().map(|state| state.task).collect();
    assert_eq!(names, ["consolidate", "decay", "persist"]);
    for task in [String::new(), "x".repeat(41)] {
        refused!(store(&stage).acquire(&task, "one", at, at + LEASE).await, StoreError::Refused(_));
    }
}

/// While a lease holds, nobody else gets it; who holds it may ask again.
#[tokio::test]
async fn a_held_lease_is_refused_to_others() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.now();
    assert!(acquire(&stage, "one", at).await);
    let held = states(&stage).await;
    assert!(!acquire(&stage, "two", at + TimeDelta::seconds(119)).await);
    assert_eq!(states(&stage).await, held, "a refusal leaves no trace");
    assert!(acquire(&stage, "one", at + TimeDelta::seconds(1)).await);
    assert!(store(&stage).release("decay", "one", TaskOutcome::Done, None, at).await.expect("given back"));
    assert!(acquire(&stage, "two", at).await);
    assert!(!acquire(&stage, "one", at).await);
}

/// A process that died keeps its lease for two minutes, and then neither renews nor ends what another began.
#[tokio::test]
async fn an_expired_lease_can_be_acquired_by_anybody() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.now();
    assert!(acquire(&stage, "one", at).await);
    let tasks = store(&stage);
    let renew =
        |owner, until| async move { tasks.renew("decay", owner, until).await.expect("it is asked for") };
    assert!(renew("one", at + LEASE + TimeDelta::minutes(1)).await);
    assert!(!renew("two", at + LEASE).await);
    let lapsed = at + LEASE + TimeDelta::minutes(1);
    assert!(!acquire(&stage, "two", lapsed - TimeDelta::microseconds(1)).await);
    assert!(acquire(&stage, "two", lapsed).await);
    let held = states(&stage).await;
    assert!(!renew("one", lapsed + LEASE).await);
    let end = store(&stage).release("decay", "one", TaskOutcome::Failed, Some("late"), lapsed).await;
    assert!(!end.expect("it is asked for"));
    assert_eq!(states(&stage).await, held);
    for (task, owner) in [("never", "two"), ("decay", "three")] {
        assert!(!store(&stage).renew(task, owner, lapsed).await.expect("it is asked for"));
    }
    assert_eq!(states(&stage).await, held);
}

/// Who holds the lease knows that nobody else is at work: what is still under way when it is given back was cut off. A run
/// that works up a conversation that waits is gone on with, and one of another task is left alone.
#[tokio::test]
async fn interrupted_runs_end_when_the_lease_is_released() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.tick();
    let idle = stage.conversation.idle(at).expect("it may end");
    stage
        .workspace
        .conversations
        .update_conversation(&idle, stage.conversation.status)
        .await
        .expect("it ends");
    let [cut_off, gone_on_with, other] =
        ["persist", "persist", "consolidate"].map(|task| stage.scribe.run(task));
    let runs = &stage.workspace.runs;
    for run in [&cut_off, &other] {
        runs.put(run).await.expect("it is written");
    }
    runs.begin_persist(idle.id, &gone_on_with).await.expect("it waits");
    let release = async |owner: &str| {
        store(&stage).release("persist", owner, TaskOutcome::Done, None, at).await.expect("it is asked for")
    };
    assert!(store(&stage).acquire("persist", "one", at, at + LEASE).await.expect("it is asked for"));
    assert!(!release("two").await);
    assert_eq!(runs.get(cut_off.id).await.expect("it is read").as_ref(), Some(&cut_off));
    assert!(release("one").await);
    let failed = cut_off.ended(RunState::Failed, Some(CUT_OFF.to_owned()), at);
    for run in [failed, gone_on_with, other] {
        assert_eq!(runs.get(run.id).await.expect("it is read"), Some(run));
    }
}

/// Whatever the clock does: a lease is given to somebody else exactly when the domain says that it no longer holds.
#[tokio::test]
async fn leases_follow_the_rule_of_the_domain() {
    let stage = CheckedStage::new().await;
    let mut dice = Dice::new(97);
    let start = stage.scribe.clock.now();
    let mut lease: Option<Lease> = None;
    for round in 0..300 {
        // Around the bounds of a lease on either side, and far off.
        let near = [0, 1, 60, 119, 120, 121, 3_600, 86_400 * 30];
        let mut jump =
            || TimeDelta::seconds(*dice.pick(&near)) + TimeDelta::microseconds(dice.below(3) as i64 - 1);
        let (forth, back, long) = (jump(), jump(), jump());
        let now = start + forth - back;
        let owner = ["one", "two", "three"][dice.below(3)];
        let free = lease.as_ref().is_none_or(|held| held.owner == owner || !held.holds(now));
        let got = store(&stage).acquire("decay", owner, now, now + long).await.expect("it is asked for");
        assert_eq!(got, free, "round {round}: {owner} at {now}, held {lease:?}");
        if got {
            lease = Some(Lease { owner: owner.to_owned(), until: now + long });
        }
        assert_eq!(states(&stage).await[0].lease, lease);
    }
}

/// Of many processes that ask at the same moment one gets it.
#[tokio::test]
async fn of_concurrent_processes_one_gets_the_lease() {
    let stage = CheckedStage::new().await;
    let mut others = Vec::new();
    for _ in 0..4 {
        let catalogue = stage.folder.catalogue();
        others.push(catalogue.open(stage.workspace.workspace.id).await.expect("it opens again"));
    }
    let at = stage.scribe.clock.now();
    for round in 0..10 {
        let now = at + LEASE * (2 * round);
        let asking = others.iter().enumerate().map(|(n, ports)| async move {
            let owner = n.to_string();
            ports.schedule.acquire("decay", &owner, now, now + LEASE).await.expect("it is asked for")
        });
        let got = futures::future::join_all(asking).await;
        assert_eq!(got.iter().filter(|got| **got).count(), 1, "round {round}: {got:?}");
    }
}
