//! The telemetry of agents on SQLite: what is captured, and what never is.

use std::{collections::BTreeSet, sync::Arc};

use inklings_application::{
    agent_telemetry::AgentTelemetrySettings,
    client::{ClientSession, Clients},
    error::{AppError, Denied},
    orientation::OrientRequest,
    scrub::{Operator, ScrubRequest},
    session::Session,
    tools::{Caller, TOOLS, list},
};
use inklings_domain::{
    agent_telemetry::{
        ActionType, ErrorCode, Outcome, TargetType,
        metric::{Measure, MetricDefinition, MetricKey, StandardMetric},
        pattern::{Annotation, SuppressedBy},
    },
    client::{Grants, Sight},
    conversation::Conversation,
    lens::Lens,
    orientation::{ItemId, Layer},
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
    scrub::ScrubMode,
};
use inklings_ports::{
    agent_telemetry::{ActedBy, ActionFilter, RecordedAction},
    model::chat::ToolCall,
    testing::{
        builders::{agent, author, draft},
        clock::CountingTokens,
    },
};
use serde_json::{Map, Value, json};

use crate::support::World;

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall { id: "call".to_owned(), name: name.to_owned(), arguments: arguments.to_string() }
}

/// The World Agent in a turn of its own.
fn turn(world: &World) -> Actor {
    let run = Some(world.session.ids.run_id());
    Actor::new(ActorKind::Agent, Interface::Window, run).expect("the window admits agents")
}

async fn use_tool(world: &World, conversation: &Conversation, name: &str, arguments: Value) -> String {
    world.clock.tick();
    world.session.turns().run_tool(conversation, &call(name, &arguments), &[], turn(world)).await.0
}

async fn recorded(session: &Session, filter: ActionFilter) -> Vec<RecordedAction> {
    session.agent_telemetry().flush().await;
    session.agent_telemetry().actions(filter, None, 500).await.expect("read").0
}

async fn all(world: &World) -> Vec<RecordedAction> {
    recorded(&world.session, ActionFilter::default()).await
}

/// A client with every grant on the workspace tier, as a session of its own on the same stores.
async fn client(world: &World, grants: &Grants) -> (ClientSession, Arc<Session>) {
    let session = Arc::new(Session::new(
        world.session.account.clone(),
        world.session.workspace.clone(),
        world.clock.clone(),
        Arc::clone(&world.session.ids),
        world.session.embedder.clone(),
    ));
    let clients = Clients {
        store: Arc::clone(&session.account.clients),
        token_generator: Arc::new(CountingTokens::default()),
        clock: world.clock.clone(),
        ids: Arc::clone(&session.ids),
    };
    let (client, _) = clients.add("Scribe", session.workspace.workspace.id).await.expect("added");
    clients.grant(client.id, grants).await.expect("granted");
    (ClientSession::new(Arc::clone(&session), clients, client.id), session)
}

/// Has the World Agent record a fact against the author's own word, which is refused nowhere but becomes a claim, and update
/// an entry that is not there, which is refused, in as many turns.
async fn refused_in_turns(world: &World, conversation: &Conversation, turns: usize) {
    for _ in 0..turns {
        let id = world.session.ids.memory_id().to_string();
        use_tool(world, conversation, "memory_update", json!({ "id": id, "content": "x" })).await;
    }
    world.session.agent_telemetry().flush().await;
}

#[tokio::test]
async fn each_call_of_the_world_agent_is_one_row_with_its_target_its_outcome_and_its_turn() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let text = "The gate of Veyra is made of iron.";
    let answer =
        use_tool(&world, &conversation, "memory_put", json!({ "tier": "workspace", "content": text })).await;
    let id: Value = serde_json::from_str(&answer).expect("JSON");
    let id = id["remembered"].as_str().expect("remembered").to_owned();
    use_tool(&world, &conversation, "memory_search", json!({ "query": "zzz" })).await;
    use_tool(&world, &conversation, "memory_forget", json!({ "id": id })).await;
    let rows = all(&world).await;
    let seen: Vec<_> =
        rows.iter().map(|row| (row.action.action, row.action.outcome, row.action.error)).collect();
    assert_eq!(
        seen,
        [
            (ActionType::MemoryForget, Outcome::Refused, Some(ErrorCode::Invalid)),
            (ActionType::MemorySearch, Outcome::Empty, Some(ErrorCode::NothingFound)),
            (ActionType::MemoryPut, Outcome::Done, None),
        ]
    );
    assert_eq!(rows[2].action.target.id.map(|id| id.to_string()), Some(id));
    assert_eq!(rows[2].action.target.kind, TargetType::Memory);
    assert!(rows.iter().all(|row| row.action.conversation == Some(conversation.id)));
    assert!(rows.iter().all(|row| row.action.client.is_none() && row.action.turn.is_some()));
    let sequences: BTreeSet<_> = rows.iter().map(|row| row.sequence).collect();
    assert_eq!(sequences.len(), 3, "each turn is a sequence");
}

#[tokio::test]
async fn no_tool_can_be_called_without_a_record() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let (scribe, session) = client(&world, &Grants::default()).await;
    let mut expected = BTreeSet::new();
    for tool in TOOLS {
        for action in tool.actions {
            let mut arguments = Map::new();
            if !action.word.is_empty() {
                arguments.insert("action".to_owned(), action.word.into());
            }
            if action.world_agent {
                use_tool(&world, &conversation, tool.name, Value::Object(arguments.clone())).await;
            }
            scribe.acting(tool.name, &arguments).1.ended(None);
            expected.insert((false, ActionType::of(tool.name, action.word)));
            if action.world_agent {
                expected.insert((true, ActionType::of(tool.name, action.word)));
            }
        }
    }
    let of_agent =
        recorded(&world.session, ActionFilter { by: Some(ActedBy::WorldAgent), ..Default::default() }).await;
    let of_client =
        recorded(&session, ActionFilter { by: Some(ActedBy::Client(scribe.id())), ..Default::default() })
            .await;
    let found: BTreeSet<_> = of_agent
        .iter()
        .map(|row| (true, row.action.action))
        .chain(of_client.iter().map(|row| (false, row.action.action)))
        .collect();
    assert_eq!(found, expected);
    let called = list(Caller::WorldAgent).len();
    assert!(of_agent.len() >= called && of_client.len() >= TOOLS.len());
}

#[tokio::test]
async fn a_client_that_pauses_begins_a_new_sequence_and_a_busy_one_does_not() {
    let world = World::new().await;
    let (scribe, session) = client(&world, &Grants::default()).await;
    let acts = async |name: &str| {
        let (acting, record) = scribe.acting(name, &Map::new());
        let found = acting.facts("nobody", None, None).await;
        record.ended(found.as_ref().err().map(AppError::code));
        session.agent_telemetry().flush().await;
    };
    for minutes in [1, 29, 31] {
        acts("fact").await;
        world.clock.advance(chrono::Duration::minutes(minutes));
    }
    acts("fact").await;
    let rows = recorded(&session, ActionFilter::default()).await;
    let sequences: Vec<_> = rows.iter().rev().map(|row| row.sequence).collect();
    assert_eq!(sequences[0], sequences[2]);
    assert_ne!(sequences[2], sequences[3]);
}

#[tokio::test]
async fn a_sequence_is_found_by_the_words_and_the_meaning_of_its_steps() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    use_tool(&world, &conversation, "memory_search", json!({ "query": "gate" })).await;
    use_tool(&world, &conversation, "fact", json!({ "action": "get", "category": "gate" })).await;
    world.session.agent_telemetry().flush().await;
    let found = world.session.agent_telemetry().search_sequences("fact get", 5).await.expect("searched");
    assert_eq!(found[0].sequence.summary, "fact.get on fact");
    world.session.embedder.set(None);
    let found = world.session.agent_telemetry().search_sequences("search memory", 5).await.expect("searched");
    assert_eq!(found[0].sequence.summary, "memory_search on memory");
    let newest = world.session.agent_telemetry().search_sequences(" ", 5).await.expect("listed");
    assert_eq!(newest.len(), 2);
}

#[tokio::test]
async fn from_a_subject_one_step_leads_to_what_agents_did_with_it_and_with_what_links_to_it() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let subject =
        world.session.subjects().add("Ansa", "character", "A smith.", author()).await.expect("made").id();
    let about = json!({ "tier": "workspace", "content": "Ansa keeps the old key.", "about": ["Ansa"] });
    use_tool(&world, &conversation, "memory_put", about).await;
    use_tool(
        &world,
        &conversation,
        "memory_update",
        json!({ "id": subject.to_string(), "content": "A smith who keeps bees at the weir of Calin." }),
    )
    .await;
    use_tool(&world, &conversation, "memory_search", json!({ "query": "zzz" })).await;
    world.session.agent_telemetry().flush().await;
    let filter = ActionFilter { target: Some(*subject.as_uuid()), ..ActionFilter::default() };
    let rows = recorded(&world.session, filter).await;
    let seen: Vec<_> = rows.iter().map(|row| (row.action.action, row.action.target.kind)).collect();
    assert_eq!(
        seen,
        [(ActionType::MemoryUpdate, TargetType::Subject), (ActionType::MemoryPut, TargetType::Memory)]
    );
    assert_eq!(rows[0].action.outcome, Outcome::Proposed);
}

#[tokio::test]
async fn while_memory_is_off_nothing_is_captured_or_shown_and_nothing_is_filled_in_later() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    refused_in_turns(&world, &conversation, 5).await;
    let before = all(&world).await.len();
    // Queued before the switch, and so still under the old state.
    use_tool(&world, &conversation, "memory_search", json!({})).await;
    world.session.switch().set_enabled(false).await.expect("switched off");
    assert_eq!(all(&world).await.len(), before + 1);
    use_tool(&world, &conversation, "memory_search", json!({})).await;
    let oriented = world.session.orientations().orient(OrientRequest::default()).await.expect("oriented");
    assert!(!oriented.markdown.contains("sequences"), "{}", oriented.markdown);
    world.session.switch().set_enabled(true).await.expect("switched on");
    assert_eq!(all(&world).await.len(), before + 1, "what was done while it was off stays unknown");
    let oriented = world.session.orientations().orient(OrientRequest::default()).await.expect("oriented");
    assert!(oriented.markdown.contains("memory_update on memory ended with 'not_found' in 5 of 5 sequences"));
}

#[tokio::test]
async fn a_pattern_is_promoted_with_the_fifth_sequence_and_stands_in_a_layer_of_the_ledger() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    refused_in_turns(&world, &conversation, 4).await;
    assert_eq!(world.session.agent_telemetry().patterns().await.expect("read"), []);
    refused_in_turns(&world, &conversation, 1).await;
    let patterns = world.session.agent_telemetry().patterns().await.expect("read");
    assert_eq!(patterns.len(), 1);
    assert_eq!((patterns[0].evidence.sequences, patterns[0].evidence.of), (5, 5));
    let request = OrientRequest { conversation: Some(&conversation), ..OrientRequest::default() };
    let oriented = world.session.orientations().orient(request).await.expect("oriented");
    let items: Vec<_> =
        oriented.orientation.items.iter().filter(|item| item.layer == Layer::Patterns).collect();
    assert_eq!(items.len(), 1);
    assert_eq!((items[0].id, items[0].left_out), (ItemId::Pattern(patterns[0].id), None));
    world.session.orientations().record(&oriented, None).await;
    let stored = world.session.orientations().get(oriented.orientation.id).await.expect("in the ledger");
    assert!(stored.items.iter().any(|item| item.id == ItemId::Pattern(patterns[0].id)));
    let view = world.session.turns().agent_view(&conversation, None, None).await.expect("a view");
    assert!(view.prompt.contains("How calls of tools tend to end here"));
}

#[tokio::test]
async fn no_pattern_is_shown_through_a_lens() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    refused_in_turns(&world, &conversation, 5).await;
    let knower =
        world.session.subjects().add("Ansa", "character", "A smith.", author()).await.expect("made").id();
    let lens = Lens { knower: Some(knower), at: None };
    let resolved = world.session.lenses().resolve(lens).await.expect("resolved");
    let request = OrientRequest { lens: resolved, ..OrientRequest::default() };
    let oriented = world.session.orientations().orient(request).await.expect("oriented");
    assert!(!oriented.markdown.contains("sequences"), "{}", oriented.markdown);
    let bound = Grants { sight: Sight::of(lens), ..Grants::default() };
    let (bound, _) = client(&world, &bound).await;
    let oriented = bound.orient("the gate", None, None).await.expect("oriented");
    assert!(!oriented.markdown.contains("sequences"), "{}", oriented.markdown);
}

#[tokio::test]
async fn a_suppressed_pattern_is_not_shown_and_the_worldbuilders_suppression_holds_against_agents() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    refused_in_turns(&world, &conversation, 5).await;
    let telemetry = world.session.agent_telemetry();
    let id = telemetry.patterns().await.expect("read")[0].id;
    let shown = async || {
        let oriented = world.session.orientations().orient(OrientRequest::default()).await.expect("oriented");
        oriented.markdown.contains("5 of 5 sequences")
    };
    assert!(shown().await);
    telemetry.suppress(id, true, ActorKind::Agent).await.expect("suppressed");
    assert!(!shown().await);
    telemetry.suppress(id, false, ActorKind::Agent).await.expect("its own is lifted");
    telemetry.suppress(id, true, ActorKind::Author).await.expect("suppressed");
    let refused = telemetry.suppress(id, false, ActorKind::Agent).await;
    assert!(matches!(refused, Err(AppError::SuppressedByAuthor(_))));
    telemetry.annotate(id, Some(Annotation::Expected), ActorKind::Agent).await.expect("judged");
    let pattern = telemetry.patterns().await.expect("read")[0];
    assert_eq!(
        (pattern.suppressed_by, pattern.annotation),
        (Some(SuppressedBy::Author), Some(Annotation::Expected))
    );
    assert!(!shown().await);
    telemetry.suppress(id, false, ActorKind::Author).await.expect("lifted");
    assert!(shown().await);
}

#[tokio::test]
async fn a_deleted_conversation_takes_its_rows_and_a_late_row_of_it_is_left_out() {
    let world = World::new().await;
    let (kept, gone) = (world.conversation().await, world.conversation().await);
    for conversation in [&kept, &gone] {
        use_tool(&world, conversation, "memory_search", json!({})).await;
    }
    world.session.agent_telemetry().flush().await;
    use_tool(&world, &gone, "memory_search", json!({})).await;
    world.session.conversations().delete(gone.id, author()).await.expect("deleted");
    let rows = all(&world).await;
    assert!(rows.iter().all(|row| row.action.conversation == Some(kept.id)), "{rows:?}");
    assert_eq!(rows.len(), 1);
    let sequences = world.session.agent_telemetry().search_sequences("", 9).await.expect("listed");
    assert_eq!(sequences.len(), 1);
}

#[tokio::test]
async fn whole_days_are_measured_once_missed_ones_too_and_old_actions_are_removed_after_that() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let telemetry = world.session.agent_telemetry();
    let definition = MetricDefinition {
        measure: Measure::Percent,
        action: Some(ActionType::MemoryUpdate),
        target: None,
        outcome: Some(Outcome::Refused),
        error: None,
    };
    let defined = telemetry.define_metric(definition).await.expect("defined");
    assert!(matches!(telemetry.define_metric(definition).await, Err(AppError::Input { .. })));
    refused_in_turns(&world, &conversation, 3).await;
    use_tool(&world, &conversation, "memory_search", json!({ "query": "zzz" })).await;
    world.clock.advance(chrono::Duration::days(3));
    telemetry.measure_days().await.expect("measured");
    let series = telemetry.metric_series(30).await.expect("read");
    let values = |key: MetricKey| -> Vec<f64> {
        let of = series.iter().find(|series| series.key == key).expect("a series");
        of.values.iter().map(|value| value.value).collect()
    };
    assert_eq!(values(MetricKey::Standard(StandardMetric::Refusals)), [3.0]);
    assert_eq!(values(MetricKey::Standard(StandardMetric::EmptySearches)), [1.0]);
    assert_eq!(values(MetricKey::Defined(defined.id)), [100.0], "a day without such actions has no share");
    let again = telemetry.measure_days().await.expect("measured");
    assert_eq!(again.removed, 0);
    telemetry.set_settings(AgentTelemetrySettings { keep_days: 7 }).await.expect("set");
    let refused = telemetry.set_settings(AgentTelemetrySettings { keep_days: 6 }).await;
    assert!(matches!(refused, Err(AppError::Input { .. })));
    refused_in_turns(&world, &conversation, 5).await;
    world.clock.advance(chrono::Duration::days(9));
    let measured = telemetry.measure_days().await.expect("measured");
    assert_eq!(measured.removed, 9);
    assert_eq!(all(&world).await, []);
    assert_eq!(telemetry.patterns().await.expect("read").len(), 1, "patterns stay");
    let series = telemetry.metric_series(30).await.expect("read");
    assert!(series.iter().any(|series| series.values.len() == 2), "metrics stay");
}

#[tokio::test]
async fn a_target_that_a_scrub_destroyed_is_cleared_also_in_the_account() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let (here, there) = (
        world.write(Place::Workspace, "The moat is dry.").await,
        world.remember(draft(Place::Account, "Be brief."), author()).await,
    );
    for id in [here, there] {
        use_tool(&world, &conversation, "memory_forget", json!({ "id": id.to_string(), "reason": "old" }))
            .await;
    }
    let targets = async || -> Vec<_> {
        all(&world).await.iter().filter_map(|row| row.action.target.id).collect::<Vec<_>>()
    };
    assert_eq!(targets().await.len(), 2);
    for id in [here, there] {
        let (scrubs, mode) = (world.session.scrubs(), ScrubMode::Full);
        let target = scrubs.scrub_entry(id).await.expect("there");
        let manifest = scrubs.preview(&target, mode).await.expect("previewed");
        let phrase = target.phrase().to_owned();
        let request = ScrubRequest { target, mode, hash: manifest.hash, phrase };
        scrubs.execute(&request, &Operator::author(author())).await.expect("scrubbed");
    }
    world.session.agent_telemetry().measure_days().await.expect("measured");
    assert_eq!(targets().await, Vec::<uuid::Uuid>::new());
}

#[tokio::test]
async fn an_act_never_waits_for_its_row_and_never_fails_with_it() {
    let mut world = World::new().await;
    let conversation = world.conversation().await;
    // A store that is closed fails every write.
    let kept = world.session.workspace.agent_telemetry.clone();
    let other = World::new().await;
    world.session.workspace.agent_telemetry = other.session.workspace.agent_telemetry.clone();
    other.catalogue.close().await;
    let answer = use_tool(&world, &conversation, "memory_search", json!({})).await;
    assert!(answer.contains("candidates"));
    world.session.agent_telemetry().flush().await;
    assert_eq!(world.session.agent_telemetry().dropped(), 1);
    world.session.workspace.agent_telemetry = kept;
    use_tool(&world, &conversation, "memory_search", json!({})).await;
    assert_eq!(all(&world).await.len(), 1);
    let denied = AppError::from(Denied::Revoked);
    assert_eq!(denied.code(), ErrorCode::Revoked);
    assert_eq!(agent().kind(), ActorKind::Agent);
}
