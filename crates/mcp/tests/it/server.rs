//! A client in the same process, in both lifecycles of the protocol: what it is shown, what it is refused, what it hears.

use std::{sync::Arc, time::Duration};

use inklings_api::{
    client::view::{ClientCapability, ClientGrants, TierGrant},
    vocabulary::Scope,
};
use inklings_application::tools::TOOLS;
use inklings_domain::scope::Place;
use inklings_mcp::McpControl;
use inklings_ports::testing::builders::{author, draft};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, ServiceError,
    model::{
        CallToolResult, ClientRequest, CustomRequest, ErrorCode, GetPromptRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ServerNotification, SubscriptionFilter,
    },
    service::{ClientLifecycleMode, NotificationContext},
};
use serde_json::{Value, json};

use crate::support::{Connected, Stage, call};

fn all_tiers() -> ClientGrants {
    let tier = |scope| TierGrant { scope, read: true, write: true };
    ClientGrants {
        tiers: [Scope::Conversation, Scope::Channel, Scope::Workspace, Scope::Account].map(tier).into(),
        channels: Vec::new(),
        conversations: Vec::new(),
        capabilities: vec![ClientCapability::Propose, ClientCapability::MemorySwitch],
        lens: None,
    }
}

fn modern() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

fn structured(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().expect("a structured answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_protocol_lifecycles_offer_the_same_tools() {
    let stage = Stage::set().await;
    stage.grant(&all_tiers()).await;
    for (n, lifecycle) in [ClientLifecycleMode::Initialize, modern()].into_iter().enumerate() {
        let client = stage.connect(lifecycle).await;
        assert_eq!(client.list_all_tools().await.expect("listed").len(), 9);
        let content = format!("Lantern number {n} hangs over gate {n}.");
        let put = call(&client, "memory_put", json!({ "tier": "workspace", "content": content })).await;
        assert_eq!(put.is_error, Some(false));
        let read = call(&client, "memory_search", json!({ "tier": "workspace", "query": content })).await;
        assert_eq!(structured(&read)["memories"][0]["curator"], "agent");
        assert_eq!(structured(&read)["memories"][0]["content"], content.as_str());
        client.cancel().await.expect("closed");
    }
    assert_eq!(stage.app.client().client(&stage.client).await.expect("there").writes, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grants_apply_from_the_next_call_and_revocation_applies_at_once() {
    let stage = Stage::set().await;
    let client = stage.connect(ClientLifecycleMode::Initialize).await;
    let put = |text: &str| json!({ "tier": "workspace", "content": text });
    let refused = call(&client, "memory_put", put("The gate is iron.")).await;
    assert_eq!(structured(&refused)["error"]["code"], "not_granted");
    stage.grant(&all_tiers()).await;
    let written = call(&client, "memory_put", put("The gate is iron.")).await;
    assert_eq!(written.is_error, Some(false));
    stage.app.client().revoke_client(&stage.client).await.expect("revoked");
    let refused = call(&client, "memory_search", json!({ "tier": "workspace", "query": "gate" })).await;
    assert_eq!(structured(&refused)["error"]["code"], "revoked");
    assert!(!refused.content.iter().any(|block| format!("{block:?}").contains("iron")));
    let unread =
        client.read_resource(ReadResourceRequestParams::new("inklings://workspace/named/VOICE")).await;
    assert!(matches!(unread, Err(ServiceError::McpError(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscriber_is_notified_only_of_changes_of_its_resource() {
    let stage = Stage::set().await;
    stage.grant(&all_tiers()).await;
    let client = stage.connect(modern()).await;
    let put =
        call(&client, "memory_put", json!({ "tier": "workspace", "content": "The moat is dry." })).await;
    let id = structured(&put)["id"].as_str().expect("an id").to_owned();
    let uri = format!("inklings://memory/{id}");
    let filter = SubscriptionFilter::builder().resource_subscriptions([uri.clone()]).build();
    let mut received = client.listen(filter).await.expect("subscribed");

    let other = json!({ "tier": "workspace", "content": "The tower leans to the east." });
    call(&client, "memory_put", other).await;
    stage.notifier.notify();
    call(&client, "memory_update", json!({ "id": id, "content": "The moat is full." })).await;
    stage.notifier.notify();
    // Were the other memory news, it would be heard first.
    let update = tokio::time::timeout(Duration::from_mins(1), received.next()).await.expect("in time");
    match update.expect("no fault") {
        Some(ServerNotification::ResourceUpdatedNotification(update)) => assert_eq!(update.params.uri, uri),
        other => panic!("not the notifier that was waited for: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_windows_server_is_off_by_default_and_skips_a_port_in_use() {
    let stage = Stage::set().await;
    let control = McpControl::new(Arc::clone(&stage.app), stage.notifier.clone());
    control.resume().await;
    let closed = control.status().await.expect("a status");
    assert_eq!((closed.enabled, closed.running, closed.wanted_port), (false, false, 7862));

    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let wanted = taken.local_addr().expect("an address").port();
    let open = control.set(true, wanted).await.expect("switched on");
    assert!(open.running && open.port.is_some_and(|port| port > wanted), "{open:?}");
    assert!(open.message.is_some_and(|message| message.contains(&wanted.to_string())));
    let port = open.port.expect("open");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    assert!(control.url().await.expect("a url").contains(&port.to_string()));

    let shut = control.set(false, wanted).await.expect("switched off");
    assert!(!shut.running && shut.url.is_none());
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
    assert!(control.set(true, 80).await.is_err(), "a port of the system is refused");
}

/// Hears of each change of the list of tools.
#[derive(Clone)]
struct ToolListener(tokio::sync::mpsc::UnboundedSender<()>);

impl ClientHandler for ToolListener {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_lists_the_tools_of_its_grants_and_is_notified_of_changes() {
    let stage = Stage::set().await;
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let client = stage.connect_as(ToolListener(sender), ClientLifecycleMode::Initialize).await;
    let names = || async {
        let tools = client.list_all_tools().await.expect("listed");
        tools.into_iter().map(|tool| tool.name.into_owned()).collect::<Vec<String>>()
    };
    assert_eq!(names().await, ["orient", "memory_search", "memory_get", "fact"]);
    // A change of memory is no change of the tools: were it told, it would be heard first.
    stage.notifier.notify();
    stage.grant(&all_tiers()).await;
    stage.notifier.notify();
    tokio::time::timeout(Duration::from_mins(1), heard.recv()).await.expect("in time").expect("heard");
    assert!(names().await.contains(&"memory_put".to_owned()));
    stage.app.client().revoke_client(&stage.client).await.expect("revoked");
    stage.notifier.notify();
    tokio::time::timeout(Duration::from_mins(1), heard.recv()).await.expect("in time").expect("heard");
    assert!(heard.try_recv().is_err(), "told once each");
    assert!(client.list_all_tools().await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subscribers_of_the_later_protocol_are_notified_of_changed_tools() {
    let stage = Stage::set().await;
    let client = stage.connect(modern()).await;
    assert_eq!(client.list_all_tools().await.expect("listed").len(), 4);
    let mut received =
        client.listen(SubscriptionFilter::builder().tools_list_changed().build()).await.expect("subscribed");
    stage.grant(&all_tiers()).await;
    stage.notifier.notify();
    let update = tokio::time::timeout(Duration::from_mins(1), received.next()).await.expect("in time");
    let update = update.expect("no fault");
    assert!(matches!(update, Some(ServerNotification::ToolListChangedNotification(_))), "{update:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_without_a_tier_finds_what_the_client_may_read_and_a_memory_is_opened_by_its_id() {
    let stage = Stage::set().await;
    let session = stage.app.session().expect("a workspace is open");
    let mut ids = Vec::new();
    for (place, text) in
        [(Place::Workspace, "The ferry of Veyra runs at dawn."), (Place::Account, "Prefers ferry metaphors.")]
    {
        let written = session.memories().create(draft(place, text), author()).await.expect("written");
        ids.push(written.id().to_string());
    }
    let client = stage.connect(ClientLifecycleMode::Initialize).await;
    let found = call(&client, "memory_search", json!({ "query": "ferry", "limit": "5" })).await;
    let found: Vec<&str> = structured(&found)["memories"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|m| m["id"].as_str())
        .collect();
    assert_eq!(found, [ids[0].as_str()], "the account was not granted");
    let opened = call(&client, "memory_get", json!({ "id": ids[0] })).await;
    assert_eq!(structured(&opened)["content"], "The ferry of Veyra runs at dawn.");
    let closed = call(&client, "memory_get", json!({ "id": ids[1] })).await;
    assert_eq!(structured(&closed)["error"]["code"], "not_found");
    let wrong = call(&client, "memory_search", json!({ "query": "x", "limit": "The secret" })).await;
    let message = structured(&wrong)["error"]["message"].as_str().expect("a message");
    assert_eq!(message, "'limit' is another text; give a whole number from 1 to 50");
}

/// Every tool, called while memory is switched off. A new one has to be placed here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_memory_is_off_no_tool_adds_to_memory() {
    let stage = Stage::set().await;
    stage.grant(&all_tiers()).await;
    let client = stage.connect(ClientLifecycleMode::Initialize).await;
    let put = json!({ "tier": "workspace", "content": "The moat is dry." });
    let noted = structured(&call(&client, "memory_put", put).await)["id"].as_str().expect("an id").to_owned();
    let scrub_targets = json!({ "tier": "workspace", "content": "The tower leans to the east." });
    let scrub_targets = structured(&call(&client, "memory_put", scrub_targets).await)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let own = inklings_api::view::memory::NewMemory {
        scope: Scope::Workspace,
        channel_id: None,
        conversation_id: None,
        lifetime: inklings_api::vocabulary::Lifetime::LongTerm,
        title: None,
        keys: Vec::new(),
        content: "Edda keeps the keys.".into(),
        importance: 0.5,
        tags: Vec::new(),
        made_of: Vec::new(),
    };
    let own = stage.app.memory().create_memory(own).await.expect("written").detail.row.id;
    stage.app.client().set_memory_enabled(false).await.expect("switched off");
    let refused = |arguments: Value| Some(arguments);
    let mut tried = 0;
    for tool in TOOLS {
        let arguments = match tool.name {
            "memory_put" => refused(json!({ "tier": "workspace", "content": "The gate is iron." })),
            "memory_update" => refused(json!({ "id": noted, "content": "The moat is full." })),
            "fact" => {
                refused(json!({ "action": "set", "category": "gate", "key": "metal", "value": "iron" }))
            }
            "proposal_create" => refused(json!({ "kind": "retire", "ids": [own], "reason": "old" })),
            // These read, forget, keep working notes or what is said, or are the switch itself.
            "memory_search" | "memory_get" | "memory_forget" | "scratchpad" | "orient" | "conversation"
            | "memory_switch" | "scrub" | "agent_telemetry" => None,
            other => panic!("what does the tool '{other}' do while memory is off?"),
        };
        if let Some(arguments) = arguments {
            tried += 1;
            let answer = call(&client, tool.name, arguments).await;
            assert_eq!(structured(&answer)["error"]["code"], "memory_off", "{}", tool.name);
        }
    }
    assert_eq!(tried, 4);
    let account = json!({ "tier": "account", "content": "Prefers short answers." });
    assert_eq!(structured(&call(&client, "memory_put", account).await)["error"]["code"], "memory_off");
    let forgotten = call(&client, "memory_forget", json!({ "id": scrub_targets, "reason": "old" })).await;
    assert_eq!(forgotten.is_error, Some(false), "forgetting goes on");
    assert_eq!(stage.app.proposal().count_proposals().await.expect("counted"), 0);
    let facts = inklings_api::fact::view::FactList { limit: 9, ..Default::default() };
    assert!(stage.app.fact().list_facts(facts).await.expect("read").rows.is_empty());
    let entry = stage.app.memory().get_memory(&noted).await.expect("there");
    assert_eq!((entry.row.version, entry.content.as_str()), (1, "The moat is dry."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_characters_of_a_client_are_refused_and_shown_to_it_as_visible_text() {
    let stage = Stage::set().await;
    stage.grant(&all_tiers()).await;
    let client = stage.connect(ClientLifecycleMode::Initialize).await;
    let hidden = "The gate opens at dusk.\u{E0069}\u{E0067}";
    for (tool, arguments) in [
        ("memory_put", json!({ "tier": "workspace", "content": hidden })),
        ("fact", json!({ "action": "set", "category": "gate", "key": "opens", "value": hidden })),
    ] {
        let refused = call(&client, tool, arguments).await;
        let reported = serde_json::to_string(&refused).expect("it is JSON");
        assert_eq!(refused.is_error, Some(true), "{tool}");
        assert!(
            reported.contains("hidden character U+E0069") && reported.contains("\"invalid\""),
            "{reported}"
        );
    }
    let session = stage.app.session().expect("a workspace is open");
    let written =
        session.memories().create(draft(Place::Workspace, hidden), author()).await.expect("the author may");
    let kept = written.id();
    let read = call(&client, "memory_search", json!({ "tier": "workspace", "query": "" })).await;
    let reported = serde_json::to_string(&read).expect("it is JSON");
    assert!(
        reported.contains(&kept.to_string()) && reported.contains("dusk.‹U+E0069›‹U+E0067›"),
        "{reported}"
    );
    assert!(!reported.contains('\u{E0069}'));
}

/// Sends a request as it is, and gives the result or the error.
async fn send(client: &Connected, method: &str, params: Value) -> Result<Value, ErrorData> {
    let request = ClientRequest::CustomRequest(CustomRequest::new(method, Some(params)));
    match client.send_request(request).await {
        Ok(result) => Ok(serde_json::to_value(result).expect("it is JSON")),
        Err(ServiceError::McpError(error)) => Err(error),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_served_method_refuses_wrong_params_as_invalid() {
    let stage = Stage::set().await;
    for lifecycle in [ClientLifecycleMode::Initialize, modern()] {
        let client = stage.connect(lifecycle).await;
        for (method, params) in [
            ("tools/call", json!({})),
            ("tools/call", json!({ "name": 7 })),
            ("tools/call", json!({ "name": "no_such_tool", "arguments": [] })),
            ("resources/read", json!({})),
            ("resources/subscribe", json!({ "uri": 7 })),
            ("resources/unsubscribe", json!({})),
            ("subscriptions/listen", json!({ "notifications": 7 })),
            ("prompts/get", json!({ "name": [] })),
        ] {
            let refused = send(&client, method, params.clone()).await.expect_err("it is refused");
            assert_eq!(refused.code, ErrorCode::INVALID_PARAMS, "{method} {params} {refused:?}");
        }
        let unknown = send(&client, "tools/unknown", json!({})).await.expect_err("there is none");
        assert_eq!(unknown.code, ErrorCode::METHOD_NOT_FOUND);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_as_json_text_are_read_and_those_of_another_form_are_refused_as_a_result() {
    let stage = Stage::set().await;
    for lifecycle in [ClientLifecycleMode::Initialize, modern()] {
        let client = stage.connect(lifecycle).await;
        let call = async |arguments: Value| {
            let params = json!({ "name": "memory_search", "arguments": arguments });
            send(&client, "tools/call", params).await.expect("a result")
        };
        let object = call(json!({ "query": "gate" })).await;
        assert_eq!(call(json!("{ \"query\": \"gate\" }")).await, object);
        let none = call(json!({})).await;
        assert_eq!((call(json!("{}")).await, call(json!("")).await), (none.clone(), none));
        for arguments in [json!([]), json!("x"), json!("[]"), json!(7)] {
            let refused = call(arguments.clone()).await;
            assert_eq!(refused["isError"], true, "{arguments} {refused}");
            assert_eq!(refused["structuredContent"]["error"]["code"], "invalid", "{arguments}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_takes_the_arguments_of_the_tool() {
    let stage = Stage::set().await;
    let client = stage.connect(ClientLifecycleMode::Initialize).await;
    for (arguments, taken) in [
        (json!({ "query": "gate" }), true),
        (json!({ "query": "gate", "budget": "500" }), true),
        (json!({}), false),
        (json!({ "query": "gate", "budget": "0" }), false),
        (json!({ "query": "gate", "budget": "32001" }), false),
        (json!({ "query": "gate", "budget": "many" }), false),
        (json!({ "query": "gate", "size": "500" }), false),
    ] {
        let tool = call(&client, "orient", arguments.clone()).await;
        assert_eq!(tool.is_error == Some(true), !taken, "{arguments}");
        let Value::Object(given) = arguments.clone() else { panic!("an object") };
        let prompt = client.get_prompt(GetPromptRequestParams::new("orient").with_arguments(given)).await;
        match prompt {
            Ok(_) => assert!(taken, "{arguments}"),
            Err(ServiceError::McpError(error)) => {
                assert_eq!((taken, error.code), (false, ErrorCode::INVALID_PARAMS), "{arguments}");
                let message = structured(&tool)["error"]["message"].as_str().expect("a message");
                assert!(error.message.contains(message), "{arguments} {error:?}");
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}
