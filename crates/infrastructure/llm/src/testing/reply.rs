//! Scripted replies of the test server.

use std::time::Duration;

use serde_json::{Value, json};

/// One step of an answer.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A piece of text.
    Say(String),
    /// A tool call, split into several deltas.
    Call {
        id: String,
        name: String,
        arguments: String,
    },
    /// Raw bytes.
    Raw(String),
    /// An error event of the protocol, in the middle of the answer.
    Fail(String),
    Pause(Duration),
    /// Silence until the client disconnects.
    Stall,
    /// Cuts the connection.
    Drop,
}

/// A whole body, or a streamed answer in steps.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Whole(String),
    Steps(Vec<Step>),
}

/// One reply of the script. Created by a constructor and refined by methods.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) kind: String,
    pub(super) before: Option<Step>,
    pub(super) body: Body,
    pub(super) finish: Option<String>,
    pub(super) closing: bool,
    pub(super) lingering: bool,
    pub(super) usage: Option<(u64, u64)>,
}

impl Reply {
    fn of(status: u16, kind: &str, body: Body) -> Self {
        let (headers, kind) = (Vec::new(), kind.to_owned());
        Self {
            status,
            headers,
            kind,
            before: None,
            body,
            finish: None,
            closing: true,
            lingering: false,
            usage: None,
        }
    }

    /// A complete answer in these pieces.
    pub fn text<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let steps = pieces.into_iter().map(|piece| Step::Say(piece.into())).collect();
        let mut reply = Self::of(200, "text/event-stream", Body::Steps(steps));
        reply.finish = Some("stop".into());
        reply
    }

    /// A complete answer that consists of one tool call.
    pub fn tool_call(id: &str, name: &str, arguments: &str) -> Self {
        Self::text([]).call(id, name, arguments)
    }

    /// A failure with the error body that both protocols share.
    pub fn status(status: u16) -> Self {
        Self::error(status, "some_error", "no reason given")
    }

    /// A failure with an error type (also used as its code) and a message.
    pub fn error(status: u16, code: &str, message: &str) -> Self {
        let error = json!({"type": code, "code": code, "message": message});
        let body = json!({"type": "error", "error": error}).to_string();
        Self::of(status, "application/json", Body::Whole(body))
    }

    /// A reply with any status, content type and body.
    pub fn raw(status: u16, content_type: &str, body: impl Into<String>) -> Self {
        Self::of(status, content_type, Body::Whole(body.into()))
    }

    /// A list of models.
    pub fn models<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let models: Value = names.into_iter().map(|name| json!({"id": name, "object": "model"})).collect();
        Self::raw(200, "application/json", json!({"object": "list", "data": models}).to_string())
    }

    /// A redirect with this status.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::raw(status, "text/plain", "").header("Location", to)
    }

    /// Adds a response header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a `Retry-After` header, in seconds.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header("Retry-After", &seconds.to_string())
    }

    /// Reads the request and stays silent until the client disconnects.
    #[must_use]
    pub fn stall_first(mut self) -> Self {
        self.before = Some(Step::Stall);
        self
    }

    /// Cuts the connection instead of answering.
    #[must_use]
    pub fn drop_first(mut self) -> Self {
        self.before = Some(Step::Drop);
        self
    }

    /// Pauses before the first byte.
    #[must_use]
    pub fn pause_first(mut self, pause: Duration) -> Self {
        self.before = Some(Step::Pause(pause));
        self
    }

    /// Adds a piece of text.
    #[must_use]
    pub fn say(self, piece: &str) -> Self {
        self.step(Step::Say(piece.into()))
    }

    /// Pauses at this point.
    #[must_use]
    pub fn pause(self, pause: Duration) -> Self {
        self.step(Step::Pause(pause))
    }

    /// Adds a tool call in several deltas. The answer then ends with the reason for tool calls.
    #[must_use]
    pub fn call(mut self, id: &str, name: &str, arguments: &str) -> Self {
        if self.finish.as_deref() == Some("stop") {
            self.finish = Some("tool_calls".into());
        }
        self.step(Step::Call { id: id.into(), name: name.into(), arguments: arguments.into() })
    }

    /// Sends raw bytes, e.g. a malformed event or a comment.
    #[must_use]
    pub fn bytes(self, text: impl Into<String>) -> Self {
        self.step(Step::Raw(text.into()))
    }

    /// Sends one line of this length in bytes.
    #[must_use]
    pub fn huge_line(self, length: usize) -> Self {
        self.bytes(format!(": {}\n\n", "x".repeat(length)))
    }

    /// Sends an error event in the middle of the answer, e.g. `overloaded_error`, and ends.
    #[must_use]
    pub fn then_fail(self, code: &str) -> Self {
        self.step(Step::Fail(code.into())).unfinished()
    }

    /// Stays silent from here on, without closing the connection.
    #[must_use]
    pub fn then_stall(self) -> Self {
        self.step(Step::Stall)
    }

    /// Cuts the connection at this point.
    #[must_use]
    pub fn then_drop(self) -> Self {
        self.step(Step::Drop)
    }

    /// Sets the finish reason, as named by `OpenAI`: `stop`, `tool_calls`, `length`, `content_filter`.
    #[must_use]
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.into());
        self
    }

    /// Ends without a finish reason and without the closing event.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        (self.finish, self.closing) = (None, false);
        self
    }

    /// Sends the finish reason, but not the closing event (`[DONE]`, `message_stop`).
    #[must_use]
    pub const fn unclosed(mut self) -> Self {
        self.closing = false;
        self
    }

    /// Sends the finish reason, but neither sends the closing event nor closes the connection.
    #[must_use]
    pub const fn lingering(mut self) -> Self {
        (self.closing, self.lingering) = (false, true);
        self
    }

    /// Sends the closing event, but no finish reason.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        self.finish = None;
        self
    }

    /// Sets the usage: input tokens, output tokens.
    #[must_use]
    pub const fn usage(mut self, input: u64, output: u64) -> Self {
        self.usage = Some((input, output));
        self
    }

    fn step(mut self, step: Step) -> Self {
        match &mut self.body {
            Body::Steps(steps) => steps.push(step),
            Body::Whole(_) => self.body = Body::Steps(vec![step]),
        }
        self
    }
}
