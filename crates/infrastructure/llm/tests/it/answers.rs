//! Answers that arrive.

use std::time::Duration;

use futures::StreamExt;
use inklings_llm::testing::{Reply, ScriptedServer};
use inklings_ports::model::chat::{ChatEvent, ChatUsage, StopReason, ToolCall};

use crate::support::{BOTH, ask, collect_answer, outcome, text};

fn done(reason: StopReason) -> ChatEvent {
    ChatEvent::Done { reason, usage: None }
}

/// Without the usage: Anthropic always tells some.
fn without_usage(events: Vec<ChatEvent>) -> Vec<ChatEvent> {
    let strip = |event| match event {
        ChatEvent::Done { reason, .. } => done(reason),
        other => other,
    };
    events.into_iter().map(strip).collect()
}

#[tokio::test]
async fn text_arrives_in_pieces_and_the_cost_at_the_end() {
    for provider in BOTH {
        let script = vec![Reply::text(["The ferry ", "sänk", "e."]).usage(12, 3)];
        let (events, error, requests) = outcome(provider, script).await;
        let end =
            ChatEvent::Done { reason: StopReason::Finished, usage: Some(ChatUsage { input: 12, output: 3 }) };
        assert_eq!(events, [text("The ferry "), text("sänk"), text("e."), end], "{provider:?}");
        assert_eq!((error, requests), (None, 1));
    }
}

#[tokio::test]
async fn pieces_are_delivered_as_they_arrive() {
    for provider in BOTH {
        let server = ScriptedServer::start([Reply::text(["one"]).then_stall()]).await;
        let mut stream = ask(&server, provider).await.unwrap();
        assert_eq!(stream.next().await, Some(Ok(text("one"))));
    }
}

#[tokio::test]
async fn tool_calls_are_assembled_from_their_parts() {
    for provider in BOTH {
        let arguments = r#"{"query":"the sunken ferry","limit":3}"#;
        let script =
            vec![Reply::text(["Let me look."]).call("c1", "find", arguments).call("c2", "list", "{}")];
        let (events, error, _) = outcome(provider, script).await;
        let call = |id: &str, name: &str, arguments: &str| {
            ChatEvent::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() })
        };
        let expected = [
            text("Let me look."),
            call("c1", "find", arguments),
            call("c2", "list", "{}"),
            done(StopReason::ToolCalls),
        ];
        assert_eq!((without_usage(events), error), (expected.to_vec(), None), "{provider:?}");
    }
}

#[tokio::test]
async fn the_stop_reason_is_reported() {
    for provider in BOTH {
        for (reason, expected) in [
            ("stop", StopReason::Finished),
            ("length", StopReason::Length),
            ("content_filter", StopReason::Other),
        ] {
            let (events, _, _) = outcome(provider, vec![Reply::text(["x"]).finish(reason)]).await;
            assert_eq!(without_usage(events), [text("x"), done(expected)], "{provider:?} {reason}");
        }
    }
}

#[tokio::test]
async fn either_end_marker_ends_the_answer() {
    for provider in BOTH {
        for reply in [
            Reply::text(["x"]).unclosed(),
            Reply::text(["x"]).without_reason(),
            Reply::text(["x"]).bytes(": no piece\n\n").finish("stop").unclosed(),
        ] {
            let (events, error, _) = outcome(provider, vec![reply]).await;
            assert_eq!((without_usage(events), error), (vec![text("x"), done(StopReason::Finished)], None));
        }
    }
}

#[tokio::test]
async fn a_server_that_does_not_close_after_the_end_is_not_waited_for() {
    for provider in BOTH {
        let (events, error, requests) = outcome(provider, vec![Reply::text(["x"]).lingering()]).await;
        assert_eq!((without_usage(events), error), (vec![text("x"), done(StopReason::Finished)], None));
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn an_answer_without_words_is_an_answer() {
    for provider in BOTH {
        let (events, error, requests) = outcome(provider, vec![Reply::text([])]).await;
        assert_eq!((without_usage(events), error, requests), (vec![done(StopReason::Finished)], None, 1));
    }
}

#[tokio::test]
async fn keep_alive_signals_extend_the_timeout() {
    for provider in BOTH {
        let mut reply = Reply::text(["x"]);
        for _ in 0..4 {
            reply = reply.pause(Duration::from_millis(200)).bytes(": still here\n\n");
        }
        let (events, error, _) = outcome(provider, vec![reply.say("y")]).await;
        assert_eq!((events.len(), error), (3, None), "{provider:?}");
    }
}

#[tokio::test]
async fn a_line_may_be_long_and_cut_anywhere() {
    for provider in BOTH {
        let long = "ü".repeat(200_000);
        let (events, error, _) = outcome(provider, vec![Reply::text([long.as_str()])]).await;
        assert_eq!((events.first(), error), (Some(&text(&long)), None));
    }
}

#[tokio::test]
async fn dropping_an_answer_closes_the_connection() {
    for provider in BOTH {
        let server = ScriptedServer::start([Reply::text(["one"]).then_stall()]).await;
        let mut stream = ask(&server, provider).await.unwrap();
        assert_eq!(stream.next().await, Some(Ok(text("one"))));
        drop(stream);
        server.hung_up(1).await;
    }
}

#[tokio::test]
async fn dropping_a_request_before_its_answer_closes_the_connection() {
    for provider in BOTH {
        let server = ScriptedServer::start([Reply::text([]).stall_first()]).await;
        tokio::select! {
            _ = ask(&server, provider) => panic!("answered by a server that stalls"),
            () = server.wait_for_requests(1) => {}
        }
        server.hung_up(1).await;
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn one_server_answers_again_and_again() {
    for provider in BOTH {
        let server = ScriptedServer::start([]).await;
        for _ in 0..3 {
            let (events, error) = collect_answer(&server, provider).await;
            assert_eq!((events.first(), error), (Some(&text("ok")), None));
        }
        server.then(Reply::text(["later"]));
        assert_eq!(collect_answer(&server, provider).await.0.first(), Some(&text("later")));
    }
}
