//! The models that an endpoint offers.

use inklings_llm::testing::{Reply, ScriptedServer};
use inklings_ports::model::chat::{ChatError, ChatModels, ChatProvider, Secret};

use crate::support::{BOTH, KEY, impatient};

async fn listed(provider: ChatProvider, reply: Reply) -> (Result<Vec<String>, ChatError>, ScriptedServer) {
    let server = ScriptedServer::start([]).await;
    server.on_models(reply);
    let names = impatient().available(&server.endpoint(provider), Some(Secret::new(KEY))).await;
    (names, server)
}

#[tokio::test]
async fn models_are_listed_in_order_and_once() {
    for provider in BOTH {
        let (names, server) = listed(provider, Reply::models(["b", "a", "b"])).await;
        assert_eq!(names, Ok(vec!["a".into(), "b".into()]));
        let requests = server.requests();
        let (path, header, value) = match provider {
            ChatProvider::OpenAiCompatible => ("/v1/models", "authorization", format!("Bearer {KEY}")),
            ChatProvider::Anthropic => ("/v1/models?limit=1000", "x-api-key", KEY.into()),
        };
        assert_eq!((requests[0].method.as_str(), requests[0].path.as_str()), ("GET", path));
        assert_eq!(requests[0].header(header), Some(value.as_str()));
    }
}

#[tokio::test]
async fn a_failing_model_list_is_requested_once() {
    for provider in BOTH {
        for (reply, expected) in [
            (Reply::status(401), ChatError::Unauthorized),
            (Reply::status(503), ChatError::Endpoint("HTTP 503".into())),
            (Reply::status(404), ChatError::Endpoint("it has no list of models at this address".into())),
            (Reply::models([]).stall_first(), ChatError::Timeout),
            (
                Reply::raw(200, "application/json", "[]"),
                ChatError::Endpoint("its list of models cannot be read".into()),
            ),
            (
                Reply::raw(200, "text/html", "<p>sign in</p>"),
                ChatError::Endpoint("its list of models cannot be read".into()),
            ),
        ] {
            let (names, server) = listed(provider, reply).await;
            assert_eq!(names, Err(expected));
            assert_eq!(server.requests().len(), 1);
        }
        let (names, _) = listed(provider, Reply::models([]).drop_first()).await;
        assert!(matches!(names, Err(ChatError::Unreachable(_))), "{names:?}");
    }
}

#[tokio::test]
async fn an_endpoint_without_models_has_an_empty_list() {
    for body in ["{\"data\":[]}", "{\"object\":\"list\",\"data\":null}"] {
        let (names, _) =
            listed(ChatProvider::OpenAiCompatible, Reply::raw(200, "application/json", body)).await;
        assert_eq!(names, Ok(vec![]));
    }
}
