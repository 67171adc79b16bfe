//! Answers that do not arrive, or not whole.

use std::time::{Duration, Instant};

use inklings_llm::testing::{Reply, ScriptedServer};
use inklings_ports::model::chat::{ChatEndpoint, ChatError, ChatModels, ChatProvider, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::{BOTH, KEY, WORDS, collect_answer, impatient, outcome, request, text};

const PASSING: [u16; 7] = [408, 409, 429, 500, 502, 503, 529];

#[tokio::test]
async fn a_temporary_failure_before_the_first_piece_is_retried() {
    for provider in BOTH {
        for first in PASSING.map(Reply::status).into_iter().chain([
            Reply::text([]).drop_first(),
            Reply::text([]).stall_first(),
            Reply::text([]).then_drop(),
            Reply::text([]).then_stall(),
            Reply::text([]).unfinished(),
            Reply::text([]).then_fail("overloaded_error"),
            Reply::text([]).then_fail("api_error"),
        ]) {
            let shown = format!("{provider:?} {first:?}");
            let (events, error, requests) = outcome(provider, vec![first]).await;
            assert_eq!((events.first(), error, requests), (Some(&text("ok")), None, 2), "{shown}");
        }
    }
}

#[tokio::test]
async fn a_request_is_tried_at_most_three_times() {
    for provider in BOTH {
        for (reply, expected) in [
            (Reply::status(500), ChatError::Endpoint("HTTP 500".into())),
            (Reply::status(408), ChatError::Timeout),
            (Reply::status(429), ChatError::RateLimited { retry_after: None }),
            (Reply::status(529), ChatError::RateLimited { retry_after: None }),
            (Reply::text([]).stall_first(), ChatError::Timeout),
            (Reply::text([]).then_stall(), ChatError::Timeout),
        ] {
            let script = vec![reply.clone(), reply.clone(), reply];
            assert_eq!(outcome(provider, script).await, (vec![], Some(expected), 3));
        }
        let cut = Reply::text([]).drop_first();
        let (_, error, requests) = outcome(provider, vec![cut.clone(), cut.clone(), cut]).await;
        assert!(matches!(error, Some(ChatError::Unreachable(_))), "{error:?}");
        assert_eq!(requests, 3);
    }
}

#[tokio::test]
async fn a_permanent_failure_is_not_retried() {
    let reported = format!("{WORDS} and {KEY}");
    for provider in BOTH {
        for (reply, expected) in [
            (Reply::error(401, "authentication_error", &reported), ChatError::Unauthorized),
            (Reply::error(403, "permission_error", &reported), ChatError::Unauthorized),
            (Reply::error(404, "not_found_error", &reported), ChatError::UnknownModel),
            (Reply::error(400, "model_not_found", &reported), ChatError::UnknownModel),
            (Reply::error(400, "context_length_exceeded", &reported), ChatError::TooLong),
            (Reply::error(400, "x", "prompt is too long: 9 tokens > 8 maximum"), ChatError::TooLong),
            (Reply::error(413, "request_too_large", &reported), ChatError::TooLong),
            (Reply::error(402, "billing_error", &reported), ChatError::RateLimited { retry_after: None }),
            (
                Reply::error(429, "insufficient_quota", &reported),
                ChatError::RateLimited { retry_after: None },
            ),
            (
                Reply::error(400, "invalid_request_error", &reported),
                ChatError::Endpoint("HTTP 400 (invalid_request_error)".into()),
            ),
            (Reply::error(418, KEY, &reported), ChatError::Endpoint("HTTP 418".into())),
        ] {
            assert_eq!(outcome(provider, vec![reply]).await, (vec![], Some(expected), 1), "{provider:?}");
        }
    }
}

#[tokio::test]
async fn after_the_first_piece_a_request_is_not_retried() {
    for provider in BOTH {
        for (reply, expected) in [
            (Reply::text(["one"]).then_drop(), ChatError::BrokenOff),
            (Reply::text(["one"]).unfinished(), ChatError::BrokenOff),
            (Reply::text(["one"]).then_stall(), ChatError::Timeout),
            (
                Reply::text(["one"]).then_fail("overloaded_error"),
                ChatError::RateLimited { retry_after: None },
            ),
            (
                Reply::text(["one"]).then_fail("api_error"),
                ChatError::Endpoint("it reported an error while answering (api_error)".into()),
            ),
        ] {
            assert_eq!(outcome(provider, vec![reply]).await, (vec![text("one")], Some(expected), 1));
        }
    }
}

#[tokio::test]
async fn an_incomplete_tool_call_is_never_delivered() {
    for provider in BOTH {
        let half = match provider {
            ChatProvider::OpenAiCompatible => concat!(
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",",
                "\"function\":{\"name\":\"erase\",\"arguments\":\"{\\\"all\\\":\"}}]}}]}\n\n"
            ),
            ChatProvider::Anthropic => concat!(
                "data: {\"type\":\"content_block_start\",\"content_block\":",
                "{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"erase\",\"input\":{}}}\n\n",
                "data: {\"type\":\"content_block_delta\",\"delta\":",
                "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"all\\\":\"}}\n\n"
            ),
        };
        let script = vec![Reply::text(["one"]).bytes(half).then_drop()];
        let (events, error, _) = outcome(provider, script).await;
        assert_eq!((events, error), (vec![text("one")], Some(ChatError::BrokenOff)), "{provider:?}");
    }
}

#[tokio::test]
async fn a_requested_retry_delay_is_respected_and_a_too_long_one_fails_at_once() {
    for provider in BOTH {
        let start = Instant::now();
        let (events, error, _) = outcome(provider, vec![Reply::status(429).retry_after(1)]).await;
        assert_eq!((events.first(), error), (Some(&text("ok")), None));
        assert!(start.elapsed() >= Duration::from_secs(1));

        let (_, error, requests) = outcome(provider, vec![Reply::status(429).retry_after(31)]).await;
        assert_eq!((error, requests), (Some(ChatError::RateLimited { retry_after: Some(31) }), 1));
    }
}

#[tokio::test]
async fn responses_outside_the_protocol_are_reported_without_quoting_them() {
    for provider in BOTH {
        for reply in [
            Reply::raw(200, "text/html", format!("<p>{WORDS}</p>")),
            Reply::raw(200, "application/json", format!("{{\"said\":\"{WORDS}\"}}")),
            Reply::text([]).bytes(format!("data: {{\"{WORDS}\"\n\n")),
            Reply::text(["one"]).bytes(format!("data: {{\"{WORDS}\"\n\n")),
            Reply::text([]).huge_line(1 << 20),
            Reply::text(["one"]).huge_line(1 << 20),
            Reply::text(["one"]).bytes(format!(": {}\n\n", "x".repeat(999_000)).repeat(9)),
        ] {
            let (events, error, requests) = outcome(provider, vec![reply]).await;
            assert!(matches!(&error, Some(ChatError::Endpoint(_))), "{provider:?} {events:?} {error:?}");
            assert_eq!(requests, 1);
        }
    }
}

#[tokio::test]
async fn a_key_does_not_follow_a_redirect() {
    for provider in BOTH {
        for status in [301, 302, 303, 307, 308] {
            let other = ScriptedServer::start([]).await;
            let (_, error, _) = outcome(provider, vec![Reply::redirect(status, &other.url())]).await;
            assert!(matches!(error, Some(ChatError::Endpoint(_))), "{error:?}");
            assert_eq!(other.requests().len(), 0);
        }
    }
}

#[tokio::test]
async fn an_address_where_nothing_listens_is_unreachable() {
    for provider in BOTH {
        let server = ScriptedServer::start([]).await;
        let endpoint = server.endpoint(provider);
        drop(server);
        tokio::task::yield_now().await;
        let model = impatient().connect(&endpoint, Some(Secret::new(KEY))).unwrap();
        let error = model.answer(request()).await.err();
        assert!(matches!(error, Some(ChatError::Unreachable(_))), "{error:?}");
    }
}

#[tokio::test]
async fn an_address_that_should_encrypt_and_does_not_is_not_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("https://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut hello = [0; 64];
        stream.read_exact(&mut hello).await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        // A second connection would be a second try.
        let again = tokio::time::timeout(Duration::from_millis(200), listener.accept()).await;
        assert!(again.is_err());
    });
    let provider = ChatProvider::OpenAiCompatible;
    let endpoint = ChatEndpoint { provider, base_url, model: "x".into(), context_tokens: 1 };
    let model = impatient().connect(&endpoint, Some(Secret::new(KEY))).unwrap();
    let error = model.answer(request()).await.err();
    assert!(matches!(&error, Some(ChatError::Endpoint(what)) if what.contains("trusted")), "{error:?}");
    server.await.unwrap();
}

#[tokio::test]
async fn an_invalid_address_or_key_is_refused_before_anything_is_sent() {
    for provider in BOTH {
        let server = ScriptedServer::start([]).await;
        let models = impatient();
        for base_url in ["", "localhost:1", "ftp://localhost", "http://example.org/v1"] {
            let endpoint = ChatEndpoint { base_url: base_url.into(), ..server.endpoint(provider) };
            let key = Some(Secret::new(KEY));
            assert!(
                matches!(models.connect(&endpoint, key).err(), Some(ChatError::Endpoint(_))),
                "{base_url}"
            );
        }
        let broken = models.connect(&server.endpoint(provider), Some(Secret::new("sk\nx"))).err();
        assert!(matches!(broken, Some(ChatError::Endpoint(_))));
        assert_eq!(collect_answer(&server, provider).await.1, None);
    }
}
