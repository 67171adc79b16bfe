//! Maps failed requests to the errors of the port and decides whether to retry.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use inklings_ports::model::chat::ChatError;
use reqwest::{StatusCode, header};
use serde_json::Value;

/// Maximum wait that an endpoint may request; for longer waits the worldbuilder decides.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Error codes of the protocols that may be shown. Any other text of an endpoint could quote the conversation.
const KNOWN_CODES: &[&str] = &[
    "api_error",
    "billing_error",
    "invalid_request_error",
    "overloaded_error",
    "rate_limit_error",
    "server_error",
    "timeout_error",
    "unsupported_parameter",
    "unsupported_value",
];

/// Whether to retry the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Do not retry: it would fail again.
    Never,
    /// Retry after the default pause.
    Soon,
    /// Retry after the pause that the endpoint requested.
    After(Duration),
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    pub error: ChatError,
    pub again: Again,
}

impl Failure {
    pub const fn permanent(error: ChatError) -> Self {
        Self { error, again: Again::Never }
    }

    pub const fn passing(error: ChatError) -> Self {
        Self { error, again: Again::Soon }
    }

    /// The endpoint violated the protocol.
    pub fn nonsense(what: &str) -> Self {
        Self::permanent(ChatError::Endpoint(what.into()))
    }

    /// The request failed before a response arrived.
    pub fn transport(error: &reqwest::Error, host: &str) -> Self {
        if is_untrusted(error) {
            return Self::nonsense(
                "no trusted connection: its certificate is not valid, or it does not encrypt",
            );
        }
        if error.is_timeout() && !error.is_connect() {
            return Self::passing(ChatError::Timeout);
        }
        let what = if error.is_timeout() {
            "no connection in time with"
        } else if error.is_connect() {
            "nothing answers at"
        } else {
            "the line was cut by"
        };
        Self::passing(ChatError::Unreachable(format!("{what} {host}")))
    }
}

/// True if the connection failed because of TLS, which retrying does not fix.
fn is_untrusted(error: &reqwest::Error) -> bool {
    let mut next: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(error) = next {
        if error.is::<rustls::Error>() {
            return true;
        }
        // An I/O error does not expose its inner error through `source`.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = wrapped.map(|inner| inner as &(dyn StdError + 'static)).or_else(|| error.source());
    }
    false
}

/// The error response of an endpoint. Its text may quote the conversation or the key, so it is only searched, and
/// this type has no `Debug`.
pub(crate) struct Refusal {
    status: u16,
    wait: Option<u64>,
    /// Type and code, in lower case.
    codes: Vec<String>,
    /// Message, in lower case.
    message: String,
    in_stream: bool,
}

impl Refusal {
    /// Parses a response that is not a success.
    pub fn of_response(status: StatusCode, headers: &header::HeaderMap, body: &[u8]) -> Self {
        let wait = headers
            .get(header::RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| text.trim().parse::<f64>().ok())
            .filter(|seconds| (0.0..1e9).contains(seconds))
            .map(|seconds| seconds.ceil() as u64);
        let body = serde_json::from_slice(body).unwrap_or(Value::Null);
        let (codes, message) = account(&body);
        Self { status: status.as_u16(), wait, codes, message, in_stream: false }
    }

    /// Parses an error event inside an answer; `body` is the value of `error`.
    pub fn of_event(body: &Value) -> Self {
        let (codes, message) = account(body);
        let numbered = body["code"].as_u64().and_then(|code| u16::try_from(code).ok());
        let status = numbered
            .filter(|code| (400..600).contains(code))
            .unwrap_or_else(|| codes.iter().find_map(|code| status_of(code)).unwrap_or(500));
        Self { status, wait: None, codes, message, in_stream: true }
    }

    /// True if the endpoint complains about this parameter.
    pub fn is_about(&self, parameter: &str) -> bool {
        matches!(self.status, 400 | 422) && self.message.contains(parameter)
    }

    /// Converts it to the error for the caller.
    pub fn into_failure(self) -> Failure {
        if self.is_too_long() {
            return Failure::permanent(ChatError::TooLong);
        }
        match self.status {
            401 | 403 => Failure::permanent(ChatError::Unauthorized),
            402 => Failure::permanent(ChatError::RateLimited { retry_after: None }),
            404 => Failure::permanent(ChatError::UnknownModel),
            400 | 422 if self.is_unknown_model() => Failure::permanent(ChatError::UnknownModel),
            408 | 504 => self.passing(ChatError::Timeout),
            429 if self.has_code("insufficient_quota") => {
                Failure::permanent(ChatError::RateLimited { retry_after: self.wait })
            }
            429 | 529 => {
                let retry_after = self.wait;
                self.passing(ChatError::RateLimited { retry_after })
            }
            409 | 500..=599 => {
                let error = ChatError::Endpoint(self.describe());
                self.passing(error)
            }
            300..=399 => Failure::nonsense("it redirects to another address; enter that one instead"),
            _ => Failure::permanent(ChatError::Endpoint(self.describe())),
        }
    }

    fn passing(&self, error: ChatError) -> Failure {
        let again = match self.wait.map(Duration::from_secs) {
            None => Again::Soon,
            Some(wait) if wait <= LONGEST_WAIT => Again::After(wait),
            Some(_) => Again::Never,
        };
        Failure { error, again }
    }

    fn has_code(&self, code: &str) -> bool {
        self.codes.iter().any(|own| own == code)
    }

    /// The protocols have no common code for this, so the phrases of `OpenAI`, Anthropic, vLLM, llama.cpp and LM
    /// Studio are matched.
    fn is_too_long(&self) -> bool {
        const WORDS: &[&str] =
            &["prompt is too long", "context length", "context window", "context size", "too many tokens"];
        let codes = ["context_length_exceeded", "exceed_context_size_error", "request_too_large"];
        self.status == 413
            || codes.iter().any(|code| self.has_code(code))
            || (matches!(self.status, 400 | 422 | 500)
                && WORDS.iter().any(|word| self.message.contains(word)))
    }

    fn is_unknown_model(&self) -> bool {
        const WORDS: &[&str] =
            &["not found", "not exist", "unknown model", "invalid model", "not a valid model"];
        self.has_code("model_not_found")
            || (self.message.contains("model") && WORDS.iter().any(|word| self.message.contains(word)))
    }

    fn describe(&self) -> String {
        let code = KNOWN_CODES.iter().find(|known| self.has_code(known));
        let what = if self.in_stream {
            "it reported an error while answering".to_owned()
        } else {
            format!("HTTP {}", self.status)
        };
        code.map_or_else(|| what.clone(), |code| format!("{what} ({code})"))
    }
}

/// The HTTP status that corresponds to an error event of Anthropic.
fn status_of(code: &str) -> Option<u16> {
    Some(match code {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
}

/// Codes and message of an error body, in any of the known shapes: `{"error": {…}}`, `{"error": "…"}`, `{"message":
/// …}`, `{"detail": …}`, or a list of one of these.
fn account(body: &Value) -> (Vec<String>, String) {
    let body = body.get(0).unwrap_or(body);
    let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
    let codes =
        ["type", "code"].iter().filter_map(|field| error[*field].as_str()).map(str::to_lowercase).collect();
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.to_lowercase(),
        other => other.to_string().to_lowercase(),
    };
    let bare = error.as_str().map(str::to_lowercase).unwrap_or_default();
    let message =
        ["message", "detail", "param"].iter().fold(bare, |all, field| all + " " + &text(&error[*field]));
    (codes, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, body: &str) -> Failure {
        let status = StatusCode::from_u16(status).unwrap();
        Refusal::of_response(status, &header::HeaderMap::new(), body.as_bytes()).into_failure()
    }

    #[test]
    fn every_known_error_about_an_excessive_length_is_recognised() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"message":"x","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
            ),
            (400, r#"{"object":"error","message":"This model's maximum context length is 8 tokens."}"#),
            (422, r#"{"detail":[{"msg":"exceeds context window"}]}"#),
            (413, ""),
        ] {
            assert_eq!(failure(status, body).error, ChatError::TooLong, "{body}");
        }
    }

    #[test]
    fn every_known_error_about_an_unknown_model_is_recognised() {
        for (status, body) in [
            (404, ""),
            (404, r#"{"error":{"message":"model \"x\" not found, try pulling it first"}}"#),
            (400, r#"{"error":{"code":"model_not_found"}}"#),
            (400, r#"{"error":"Model x does not exist"}"#),
            (400, r#"[{"error":{"message":"x is not a valid model ID"}}]"#),
        ] {
            assert_eq!(failure(status, body).error, ChatError::UnknownModel, "{body}");
        }
    }

    #[test]
    fn complaints_about_a_parameter_are_recognised_in_every_known_form() {
        for body in [
            r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
            r#"{"error":{"message":"unknown field","param":"stream_options"}}"#,
            r#"{"object":"error","message":{"detail":[{"loc":["body","stream_options"]}]}}"#,
            r#"{"detail":[{"loc":["body","stream_options"],"msg":"extra fields"}]}"#,
            r#"{"error":"stream_options is not known"}"#,
        ] {
            let refused = |status: u16| {
                let status = StatusCode::from_u16(status).unwrap();
                Refusal::of_response(status, &header::HeaderMap::new(), body.as_bytes())
            };
            assert!(
                refused(400).is_about("stream_options") && refused(422).is_about("stream_options"),
                "{body}"
            );
            assert!(!refused(500).is_about("stream_options"));
        }
    }

    #[test]
    fn error_texts_of_an_endpoint_are_not_passed_on() {
        let body = r#"{"error":{"message":"sk-abc said: the queen","type":"the_queen","code":"sk-abc"}}"#;
        for status in [400, 402, 403, 409, 418, 429, 500, 503, 529] {
            let error = failure(status, body).error;
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("queen") && !shown.contains("sk-abc"), "{shown}");
        }
        let known = failure(500, r#"{"error":{"type":"api_error"}}"#).error;
        assert_eq!(known, ChatError::Endpoint("HTTP 500 (api_error)".into()));
    }

    #[test]
    fn only_temporary_failures_are_retried() {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert_eq!(failure(status, "").again, Again::Soon, "{status}");
        }
        for status in [301, 308, 400, 401, 402, 403, 404, 413, 422] {
            assert_eq!(failure(status, "").again, Again::Never, "{status}");
        }
        let empty = r#"{"error":{"code":"insufficient_quota"}}"#;
        assert_eq!(failure(429, empty).again, Again::Never);
    }

    #[test]
    fn a_too_long_retry_delay_is_reported_instead_of_waited_for() {
        let after = |text: &str| {
            let headers = [(header::RETRY_AFTER, text.parse().unwrap())].into_iter().collect();
            Refusal::of_response(StatusCode::TOO_MANY_REQUESTS, &headers, b"").into_failure()
        };
        assert_eq!(after("2").again, Again::After(Duration::from_secs(2)));
        assert_eq!(after("30").again, Again::After(Duration::from_secs(30)));
        let long = after("31");
        assert_eq!(long.again, Again::Never);
        assert_eq!(long.error, ChatError::RateLimited { retry_after: Some(31) });
        assert_eq!(after("Fri, 31 Dec 1999 23:59:59 GMT").again, Again::Soon);
        assert_eq!(after("-1").again, Again::Soon);
    }
}
