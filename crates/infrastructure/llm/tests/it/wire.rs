//! What is sent.

use inklings_llm::testing::{Reply, Request, ScriptedServer};
use inklings_ports::model::chat::{
    ChatEndpoint, ChatModels, ChatProvider, ChatRequest, ChatTurn, Secret, ToolCall, ToolSpec,
};
use serde_json::json;

use crate::support::{BOTH, KEY, collect_answer, impatient, runs_in_own_process, text};

async fn sent(provider: ChatProvider, request: ChatRequest, key: Option<&str>) -> Request {
    let server = ScriptedServer::start([]).await;
    let model = impatient().connect(&server.endpoint(provider), key.map(Secret::new)).expect("an address");
    assert!(model.answer(request).await.is_ok());
    server.requests().remove(0)
}

#[test]
fn a_model_reads_hidden_characters_as_people_see_them() {
    let hidden = "The gate.\u{E0078}".to_owned();
    let tool = ChatTurn::Tool { call_id: "1".into(), name: "memory_search".into(), text: hidden.clone() };
    let turns = vec![ChatTurn::User(hidden.clone()), tool];
    let request = ChatRequest { system: hidden, turns, ..ChatRequest::default() }.visible();
    assert!(!format!("{request:?}").contains("e0078"), "{request:?}");
    assert_eq!(request.system, "The gate.‹U+E0078›");
}

fn conversation() -> ChatRequest {
    let call = ToolCall { id: "c1".into(), name: "find".into(), arguments: "{\"q\":\"x\"}".into() };
    let answer = ChatTurn::Tool { call_id: "c1".into(), name: "find".into(), text: "nothing".into() };
    let schema = json!({"type": "object"});
    ChatRequest {
        system: "Be brief.".into(),
        turns: vec![
            ChatTurn::User("Find x".into()),
            ChatTurn::Assistant { text: String::new(), calls: vec![call] },
            answer,
        ],
        tools: vec![ToolSpec { name: "find", description: "Finds".into(), schema }],
        answer_only: false,
        max_tokens: Some(99),
    }
}

#[tokio::test]
async fn a_conversation_with_tools_is_sent_as_openai_has_it() {
    let request = sent(ChatProvider::OpenAiCompatible, conversation(), Some(&format!(" {KEY}\n"))).await;
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let function = json!({"name": "find", "description": "Finds", "parameters": {"type": "object"}});
    let call = json!({"name": "find", "arguments": "{\"q\":\"x\"}"});
    let expected = json!({
        "model": "test-model",
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": 99,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Find x"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": call}]},
            {"role": "tool", "tool_call_id": "c1", "content": "nothing"},
        ],
        "tools": [{"type": "function", "function": function}],
    });
    assert_eq!(request.body, expected);
}

#[tokio::test]
async fn a_conversation_with_tools_is_sent_as_anthropic_has_it() {
    let request = sent(ChatProvider::Anthropic, conversation(), Some(KEY)).await;
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    let expected = json!({
        "model": "test-model",
        "stream": true,
        "max_tokens": 99,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Find x"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "find", "input": {"q": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "nothing"}]},
        ],
        "tools": [{"name": "find", "description": "Finds", "input_schema": {"type": "object"}}],
    });
    assert_eq!(request.body, expected);
}

#[tokio::test]
async fn a_request_for_an_answer_alone_lists_the_tools_and_forbids_calls() {
    let of = async |provider| {
        let request = ChatRequest { answer_only: true, ..conversation() };
        sent(provider, request, Some(KEY)).await.body
    };
    for (provider, choice) in
        [(ChatProvider::OpenAiCompatible, json!("none")), (ChatProvider::Anthropic, json!({"type": "none"}))]
    {
        let body = of(provider).await;
        assert_eq!(body["tool_choice"], choice);
        assert!(body["tools"].is_array());
    }
}

#[tokio::test]
async fn without_a_key_no_authorization_header_is_sent() {
    for provider in BOTH {
        for key in [None, Some(""), Some(" \n")] {
            let request = sent(provider, crate::support::request(), key).await;
            assert_eq!((request.header("authorization"), request.header("x-api-key")), (None, None));
        }
    }
}

#[tokio::test]
async fn a_server_that_refuses_an_optional_field_is_asked_without_it_and_remembered() {
    let complaint = |about: &str| Reply::error(422, "extra_forbidden", &format!("{about}: not permitted"));
    let server =
        ScriptedServer::start([complaint("stream_options"), complaint("use max_completion_tokens")]).await;
    let endpoint = server.endpoint(ChatProvider::OpenAiCompatible);
    let model = impatient().connect(&endpoint, None).unwrap();
    for _ in 0..2 {
        assert!(model.answer(conversation()).await.is_ok());
    }
    let bodies: Vec<_> = server.requests().into_iter().map(|request| request.body).collect();
    assert_eq!(bodies.len(), 4, "two lessons, two answers");
    let fields = |at: usize| {
        ["stream_options", "max_tokens", "max_completion_tokens"].map(|field| bodies[at].get(field).is_some())
    };
    assert_eq!(fields(0), [true, true, false]);
    assert_eq!(fields(1), [false, true, false]);
    assert_eq!(fields(2), [false, false, true]);
    assert_eq!(fields(3), [false, false, true]);
}

#[tokio::test]
async fn a_server_that_repeats_its_complaint_is_asked_only_twice() {
    let complaint = Reply::error(400, "x", "stream_options: not permitted");
    let server = ScriptedServer::start(vec![complaint; 9]).await;
    let model = impatient().connect(&server.endpoint(ChatProvider::OpenAiCompatible), None).unwrap();
    assert!(model.answer(conversation()).await.is_err());
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn the_path_prefix_of_an_endpoint_is_kept() {
    for (provider, path) in [
        (ChatProvider::OpenAiCompatible, "/team/api/chat/completions"),
        (ChatProvider::Anthropic, "/team/api/v1/messages"),
    ] {
        let server = ScriptedServer::start([]).await;
        let base_url = format!("{}/team/api/", server.url());
        let endpoint = ChatEndpoint { base_url, ..server.endpoint(provider) };
        assert!(
            impatient().connect(&endpoint, None).unwrap().answer(crate::support::request()).await.is_ok()
        );
        assert_eq!(server.requests()[0].path, path);
    }
}

#[tokio::test]
async fn this_machine_is_never_asked_through_a_proxy() {
    let proxy = "http://127.0.0.1:1";
    let environment =
        [("http_proxy", proxy), ("HTTP_PROXY", proxy), ("all_proxy", proxy), ("ALL_PROXY", proxy)];
    if !runs_in_own_process("wire::this_machine_is_never_asked_through_a_proxy", &environment) {
        return;
    }
    for provider in BOTH {
        let server = ScriptedServer::start([]).await;
        assert_eq!(collect_answer(&server, provider).await.0.first(), Some(&text("ok")));
    }
}
