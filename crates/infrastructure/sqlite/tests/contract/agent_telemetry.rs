//! Telemetry of agents: actions stand as they were recorded, in pages and in sequences; nothing rewrites them.

use chrono::TimeDelta;
use inklings_domain::{
    agent_telemetry::{
        ActionType, AgentAction, ErrorCode, Outcome, Target, TargetType,
        metric::{AgentMetric, Benchmark, Measure, MetricDefinition, MetricKey, StandardMetric},
        pattern::{AgentPattern, Annotation, Evidence, PatternKey, SuppressedBy},
    },
    ids::{ClientId, RunId},
};
use inklings_ports::{
    agent_telemetry::{ActedBy, ActionCursor, ActionFilter, AgentTelemetryStore},
    clock::{Clock, IdGenerator},
    store_error::StoreError,
    workspace::settings::MEMORY_ENABLED,
};
use sqlx::Connection as _;

use super::{CheckedStage, Stage, refused, support::raw};

fn store(stage: &Stage) -> &dyn AgentTelemetryStore {
    stage.workspace.agent_telemetry.as_ref()
}

/// An action of the World Agent in a turn, one second after the last.
fn action(stage: &Stage, turn: Option<RunId>, error: Option<ErrorCode>) -> AgentAction {
    AgentAction {
        id: stage.scribe.ids.agent_action_id(),
        at: stage.scribe.clock.tick(),
        action: ActionType::FactSet,
        target: Target::any(TargetType::Fact),
        outcome: error.map_or(Outcome::Done, AgentAction::outcome_of),
        error,
        latency_ms: 7,
        client: None,
        conversation: Some(stage.conversation.id),
        turn,
    }
}

async fn record(stage: &Stage, actions: &[AgentAction]) -> usize {
    store(stage).record(actions).await.expect("recorded").len()
}

async fn list(stage: &Stage, filter: ActionFilter) -> Vec<AgentAction> {
    let rows = store(stage).actions(filter, None, 500).await.expect("read");
    rows.into_iter().map(|row| row.action).collect()
}

#[tokio::test]
async fn actions_read_back_as_they_were_recorded_and_page_by_key_newest_first() {
    let stage = CheckedStage::new().await;
    let client = ClientId::from_uuid(stage.scribe.ids.uuid());
    let mut made = Vec::new();
    for number in 0..7 {
        let turn = Some(stage.scribe.ids.run_id());
        let mut one = action(&stage, turn, (number % 2 == 0).then_some(ErrorCode::Locked));
        if number == 3 {
            one = AgentAction { client: Some(client), turn: None, conversation: None, ..one };
        }
        made.push(one);
    }
    record(&stage, &made).await;
    // A row that comes twice stands once.
    record(&stage, &made[..2]).await;
    made.reverse();
    assert_eq!(list(&stage, ActionFilter::default()).await, made);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = store(&stage).actions(ActionFilter::default(), after, 3).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(ActionCursor { at: last.action.at, id: last.action.id });
        paged.extend(page.into_iter().map(|row| row.action));
    }
    assert_eq!(paged, made);
    let of_client = ActionFilter { by: Some(ActedBy::Client(client)), ..ActionFilter::default() };
    assert_eq!(list(&stage, of_client).await.len(), 1);
    let refused = ActionFilter { outcome: Some(Outcome::Refused), ..ActionFilter::default() };
    assert_eq!(list(&stage, refused).await.len(), 4);
}

#[tokio::test]
async fn a_change_of_telemetry_is_one_change_of_its_topic_for_a_whole_batch() {
    use inklings_ports::workspace::settings::Topic;
    let stage = CheckedStage::new().await;
    let feed = &stage.workspace.memory.feed;
    feed.poll().await.expect("polled");
    let batch: Vec<AgentAction> = (0..20).map(|_| action(&stage, None, None)).collect();
    record(&stage, &batch).await;
    assert_eq!(feed.poll().await.expect("polled").topics, [Topic::AgentTelemetry]);
    record(&stage, &batch).await;
    assert!(feed.poll().await.expect("polled").topics.is_empty(), "nothing was written");
}

#[tokio::test]
async fn nothing_is_recorded_while_memory_is_off_or_in_a_deleted_conversation() {
    let stage = CheckedStage::new().await;
    stage.configure(MEMORY_ENABLED, "false").await;
    assert_eq!(record(&stage, &[action(&stage, None, Some(ErrorCode::Locked))]).await, 0);
    stage.configure(MEMORY_ENABLED, "true").await;
    let now = stage.scribe.clock.now();
    record(&stage, &[action(&stage, None, None)]).await;
    stage.workspace.conversations.delete_conversation(stage.conversation.id, now).await.expect("deleted");
    record(&stage, &[action(&stage, None, None)]).await;
    assert_eq!(list(&stage, ActionFilter::default()).await, []);
    assert_eq!(store(&stage).summaries().await.expect("read"), Vec::<String>::new());
}

#[tokio::test]
async fn the_last_code_of_each_sequence_counts_once() {
    let stage = CheckedStage::new().await;
    let step = (ActionType::FactSet, TargetType::Fact);
    let turns: Vec<RunId> = (0..3).map(|_| stage.scribe.ids.run_id()).collect();
    for (turn, error) in [
        (turns[0], Some(ErrorCode::Locked)),
        (turns[0], None),
        (turns[1], None),
        (turns[1], Some(ErrorCode::Locked)),
        (turns[2], Some(ErrorCode::Invalid)),
    ] {
        record(&stage, &[action(&stage, Some(turn), error)]).await;
    }
    let mut codes = store(&stage).last_codes(step).await.expect("read");
    codes.sort_unstable();
    assert_eq!(codes, [None, Some(ErrorCode::Invalid), Some(ErrorCode::Locked)]);
}

#[tokio::test]
async fn a_long_sequence_is_the_same_written_action_by_action_and_at_once() {
    let stage = CheckedStage::new().await;
    let turns: Vec<RunId> = (0..2).map(|_| stage.scribe.ids.run_id()).collect();
    let mut actions: Vec<AgentAction> = (0..90).map(|_| action(&stage, Some(turns[0]), None)).collect();
    for one in actions.iter_mut().step_by(2) {
        (one.action, one.target) = (ActionType::MemorySearch, Target::any(TargetType::Memory));
    }
    // One that began first and ended last.
    let mut slow = action(&stage, Some(turns[0]), None);
    (slow.action, slow.at) = (ActionType::FactGet, actions[0].at - TimeDelta::seconds(1));
    actions.push(slow);
    for one in &actions {
        record(&stage, std::slice::from_ref(one)).await;
    }
    for one in &mut actions {
        (one.id, one.turn) = (stage.scribe.ids.agent_action_id(), Some(turns[1]));
    }
    record(&stage, &actions).await;
    let summaries = store(&stage).summaries().await.expect("read");
    let found = store(&stage).sequences(&summaries, 10).await.expect("read");
    let [one, other] = &found[..] else { panic!("{found:?}") };
    assert_eq!((one.actions, one.started_at, one.ended_at), (91, slow.at, actions[89].at));
    assert_eq!((other.actions, other.started_at, other.ended_at), (91, slow.at, actions[89].at));
    assert_eq!(summaries, std::slice::from_ref(&one.summary), "both have one summary");
    assert!(one.summary.starts_with("fact.get on fact, memory_search on memory, fact.set on fact"));
}

#[tokio::test]
async fn evidence_does_not_change_a_judgement_and_an_agent_cannot_lift_the_worldbuilders() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.tick();
    let pattern = AgentPattern {
        id: stage.scribe.ids.agent_pattern_id(),
        key: PatternKey { action: ActionType::FactSet, target: TargetType::Fact, error: ErrorCode::Locked },
        evidence: Evidence { sequences: 5, of: 6 },
        holds: true,
        promoted_at: at,
        updated_at: at,
        annotation: None,
        suppressed_by: None,
    };
    store(&stage).put_evidence(&[pattern]).await.expect("put");
    assert_eq!(store(&stage).patterns().await.expect("read"), [pattern]);
    let by_author = Some(SuppressedBy::Author);
    let annotation = Some(Annotation::Expected);
    assert!(
        store(&stage).judge(pattern.id, annotation, by_author, SuppressedBy::Author).await.expect("judged")
    );
    let more = AgentPattern { evidence: Evidence { sequences: 6, of: 7 }, ..pattern };
    store(&stage).put_evidence(&[more]).await.expect("put");
    let judged = AgentPattern { annotation, suppressed_by: by_author, ..more };
    assert_eq!(store(&stage).patterns().await.expect("read"), [judged]);
    for lifted in [None, Some(SuppressedBy::Agent)] {
        refused!(
            store(&stage).judge(pattern.id, None, lifted, SuppressedBy::Agent).await,
            StoreError::Locked(_)
        );
    }
    assert!(store(&stage).judge(pattern.id, None, None, SuppressedBy::Author).await.expect("lifted"));
    let unknown = stage.scribe.ids.agent_pattern_id();
    assert!(!store(&stage).judge(unknown, None, None, SuppressedBy::Author).await.expect("asked"));
}

#[tokio::test]
async fn a_day_keeps_its_first_value_and_a_metric_reads_back() {
    let stage = CheckedStage::new().await;
    let definition = MetricDefinition {
        measure: Measure::MeanLatency,
        action: Some(ActionType::FactSet),
        target: None,
        outcome: None,
        error: Some(ErrorCode::Locked),
    };
    let metric = AgentMetric {
        id: stage.scribe.ids.agent_metric_id(),
        definition,
        created_at: stage.scribe.clock.tick(),
    };
    store(&stage).put_metric(&metric).await.expect("put");
    assert_eq!(store(&stage).metrics().await.expect("read"), [metric]);
    record(&stage, &[action(&stage, None, Some(ErrorCode::Locked)), action(&stage, None, None)]).await;
    let day = stage.scribe.clock.now().date_naive();
    assert_eq!(store(&stage).first_day().await.expect("read"), Some(day));
    assert_eq!(store(&stage).measure(&definition, day).await.expect("measured"), Some(7.0));
    let before = day - TimeDelta::days(1);
    assert_eq!(store(&stage).measure(&definition, before).await.expect("measured"), None);
    let key = MetricKey::Standard(StandardMetric::Refusals);
    for value in [3.0, 4.0] {
        store(&stage).put_benchmarks(&[Benchmark { metric: key, day, value }]).await.expect("put");
    }
    assert_eq!(
        store(&stage).benchmarks(key, before).await.expect("read"),
        [Benchmark { metric: key, day, value: 3.0 }]
    );
    assert_eq!(store(&stage).last_day(key).await.expect("read"), Some(day));
    assert_eq!(store(&stage).last_day(MetricKey::Defined(metric.id)).await.expect("read"), None);
}

#[tokio::test]
async fn no_sql_rewrites_an_action_or_puts_a_text_into_telemetry() {
    let stage = CheckedStage::new().await;
    let one = action(&stage, None, Some(ErrorCode::Locked));
    record(&stage, &[one]).await;
    let mut conn = raw(&stage.folder.workspace_file(stage.workspace.workspace.id)).await;
    let secret = "The secret of Veyra";
    for (statement, reason) in [
        ("UPDATE agent_actions SET outcome = 'done', error_code = NULL".to_owned(), "is not rewritten"),
        (format!("UPDATE agent_actions SET target_id = '{}'", one.id), "is not rewritten"),
        (format!("UPDATE agent_actions SET action_type = '{secret}'"), "is not rewritten"),
        (format!("UPDATE agent_sequences SET summary = '{secret}'"), "CHECK"),
        (
            format!(
                "INSERT INTO agent_actions (workspace_id, id, sequence_id, at, action_type, target_type, outcome, \
                 error_code, latency_ms) SELECT workspace_id, upper(id), sequence_id, at, '{secret}', target_type, \
                 outcome, error_code, latency_ms FROM agent_actions"
            ),
            "CHECK",
        ),
        (
            format!(
                "INSERT INTO agent_summary_vectors (workspace_id, model, summary, vector) \
                 SELECT workspace_id, 'm', '{secret}', x'00' FROM agent_actions"
            ),
            "CHECK",
        ),
        (
            format!(
                "INSERT INTO agent_benchmarks (workspace_id, metric, day, value) \
                 SELECT workspace_id, '{secret}', 1, 1.0 FROM agent_actions"
            ),
            "CHECK",
        ),
        (
            "INSERT INTO agent_patterns (workspace_id, id, action_type, target_type, error_code, sequences, \
             of_sequences, holds, promoted_at, updated_at) \
             SELECT workspace_id, id, 'fact.set', 'fact', 'locked', 4, 4, 1, 1, 1 FROM agent_actions"
                .to_owned(),
            "CHECK",
        ),
    ] {
        let done = sqlx::query(sqlx::AssertSqlSafe(statement.clone())).execute(&mut conn).await;
        let error = done.expect_err(&statement).to_string();
        assert!(error.contains(reason), "{error}, not '{reason}': {statement}");
    }
    conn.close().await.expect("closed");
    assert_eq!(list(&stage, ActionFilter::default()).await, [one]);
}
