//! No secret reaches the telemetry of agents, wherever an agent puts it.

use std::sync::Arc;

use inklings_application::{
    client::{ClientSession, Clients},
    session::{EmbedderSlot, Session},
    tools::TOOLS,
    turn::specs,
    workspace::Workspaces,
};
use inklings_domain::{
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    agent_telemetry::ActionFilter,
    clock::IdGenerator,
    model::chat::ToolCall,
    testing::{
        builders::{author, draft},
        clock::{CountingTokens, ManualClock, SequentialIds},
        embedder::FixedEmbedder,
    },
    workspace::catalogue::Catalogue,
};
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo as _, ValueRef as _};

use crate::support::{TempFolder, raw};

const TABLES: [&str; 6] = [
    "agent_actions",
    "agent_sequences",
    "agent_summary_vectors",
    "agent_patterns",
    "agent_metrics",
    "agent_benchmarks",
];

/// Words that occur nowhere else, in several scripts.
fn secrets(number: usize) -> Vec<String> {
    let config = Config { failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let strategy = prop_oneof![
        "zq[a-z]{6,12}",
        "Zq[a-z]{4,8} of Xo[a-z]{4,8}",
        "жщ[а-я]{5,9}",
        "zq_[a-z]{5,9}\\.[a-z]{4}"
    ];
    (0..number).map(|_| strategy.new_tree(&mut runner).expect("a secret").current()).collect()
}

/// Every column of every row of telemetry as text.
async fn dump(conn: &mut SqliteConnection) -> String {
    let mut text = String::new();
    for table in TABLES {
        let rows = sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table}"))).fetch_all(&mut *conn).await;
        for row in rows.expect("read") {
            for at in 0..row.len() {
                let value = row.try_get_raw(at).expect("a column");
                let is_blob = value.type_info().name() == "BLOB";
                if is_blob {
                    let bytes: Vec<u8> = row.try_get(at).expect("bytes");
                    text.push_str(&String::from_utf8_lossy(&bytes));
                } else {
                    let value: Option<String> = row.try_get_unchecked(at).expect("a value");
                    text.push_str(&value.unwrap_or_default());
                }
                text.push('\n');
            }
        }
    }
    text
}

#[tokio::test]
async fn no_secret_in_arguments_names_texts_or_errors_reaches_any_column_of_telemetry() {
    let folder = TempFolder::new();
    let catalogue: Arc<dyn Catalogue> = Arc::new(folder.open());
    let (clock, ids) = (Arc::new(ManualClock::default()), Arc::new(SequentialIds::default()));
    let ids: Arc<dyn IdGenerator> = ids;
    let secrets = secrets(48);
    let workspaces =
        Workspaces { catalogue: Arc::clone(&catalogue), clock: clock.clone(), ids: Arc::clone(&ids) };
    let made = workspaces.create("Aldmoor").await.expect("a workspace");
    let account = catalogue.account().await.expect("opens");
    let ports = catalogue.open(made.id).await.expect("opens");
    let slot = EmbedderSlot::default();
    slot.set(Some(Arc::new(FixedEmbedder::default())));
    let session = Arc::new(Session::new(account, ports, clock.clone(), Arc::clone(&ids), slot));
    let clients = Clients {
        store: Arc::clone(&session.account.clients),
        token_generator: Arc::new(CountingTokens::default()),
        clock: clock.clone(),
        ids: Arc::clone(&ids),
    };
    let (client, _) = clients.add(&secrets[0], made.id).await.expect("added");
    let scribe = ClientSession::new(Arc::clone(&session), clients, client.id);
    let conversation = session.conversations().begin(None, &secrets[1]).await.expect("begun");
    let run = Some(ids.run_id());
    let agent = Actor::new(ActorKind::Agent, Interface::Window, run).expect("an agent");
    let agents: Vec<&str> = specs().iter().map(|spec| spec.name).collect();
    for secret in &secrets {
        clock.tick();
        let entry =
            session.memories().create(draft(Place::Workspace, secret), author()).await.expect("written").id();
        for tool in TOOLS {
            for action in tool.actions {
                for (at, ids_given) in [(0, true), (1, false)] {
                    let mut arguments = Map::new();
                    for field in tool.fields {
                        let value = match field.name {
                            "action" => Value::from(if at == 1 && secret.len() % 2 == 0 {
                                secret
                            } else {
                                action.word
                            }),
                            "id" if ids_given => Value::from(entry.to_string()),
                            "ids" => json!([entry.to_string()]),
                            "tier" => Value::from("workspace"),
                            _ if at == 0 && !field.required => continue,
                            _ => Value::from(secret.clone()),
                        };
                        arguments.insert(field.name.to_owned(), value);
                    }
                    if at == 1 {
                        arguments.insert(secret.clone(), Value::from(secret.clone()));
                    }
                    let (acting, record) = scribe.acting(tool.name, &arguments);
                    let found = acting.facts(secret, None, None).await;
                    record.ended(found.as_ref().err().map(inklings_application::error::AppError::code));
                    if agents.contains(&tool.name) {
                        let arguments = Value::Object(arguments).to_string();
                        let call = ToolCall { id: secret.clone(), name: tool.name.to_owned(), arguments };
                        session.turns().run_tool(&conversation, &call, &[], agent).await;
                    }
                }
            }
        }
        let call = ToolCall { id: secret.clone(), name: secret.clone(), arguments: secret.clone() };
        session.turns().run_tool(&conversation, &call, std::slice::from_ref(secret), agent).await;
        session.agent_telemetry().flush().await;
        session.agent_telemetry().search_sequences(secret, 5).await.expect("searched");
    }
    clock.advance(chrono::Duration::days(2));
    session.agent_telemetry().measure_days().await.expect("measured");
    let rows = session.agent_telemetry().actions(ActionFilter::default(), None, 500).await.expect("read").0;
    assert_eq!(rows.len(), 500);
    let text = dump(&mut raw(&folder.workspace_file(made.id)).await).await;
    assert!(text.contains("memory_put") && text.len() > 100_000, "the dump holds the rows");
    for secret in &secrets {
        for part in secret.split(' ').filter(|part| part.len() > 4) {
            assert!(!text.contains(part) && !text.contains(&part.to_lowercase()), "'{part}' is in telemetry");
        }
    }
}
