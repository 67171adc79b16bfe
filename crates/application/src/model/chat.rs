//! Language models: what answers in a conversation, and where its keys are kept. Nothing here knows a wire format.

use std::{borrow::Cow, fmt, sync::Arc};

use futures::{StreamExt, stream::BoxStream};
use inklings_domain::hidden;

/// Which protocol an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChatProvider {
    /// The chat completions protocol of `OpenAI`, which Ollama, LM Studio, llama.cpp and `OpenRouter` speak too.
    OpenAiCompatible,
    /// The messages protocol of Anthropic.
    Anthropic,
}

/// A model at an endpoint that the worldbuilder chose. Its key is kept apart, in a [`SecretStore`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatEndpoint {
    /// The protocol.
    pub provider: ChatProvider,
    /// Base address, e.g. `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// The model's name at the endpoint.
    pub model: String,
    /// Tokens that the model can read at once; budgets are cut to it.
    pub context_tokens: u32,
}

/// A key. Never shown, logged or compared by accident: its text is reached only by [`Self::reveal`].
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Whose words a message of a request is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatTurn {
    /// The worldbuilder's.
    User(String),
    /// The model's, with the tools it called.
    Assistant {
        /// What it said; may be empty when it only called tools.
        text: String,
        /// The tools it called.
        calls: Vec<ToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// Which call it answers.
        call_id: String,
        /// The tool.
        name: String,
        /// The answer.
        text: String,
    },
}

/// A call of a tool by the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The model's id for the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Arguments as JSON text, exactly as the model wrote them: it may not be valid.
    pub arguments: String,
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name: letters, digits, underscores.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// JSON schema of its arguments.
    pub schema: serde_json::Value,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatRequest {
    /// Standing instructions.
    pub system: String,
    /// The turns so far, oldest first; the last one asks for the answer.
    pub turns: Vec<ChatTurn>,
    /// Tools that may be called.
    pub tools: Vec<ToolSpec>,
    /// The most tokens of the answer; the model's own limit if `None`.
    pub max_tokens: Option<u32>,
}

impl ChatRequest {
    /// The same with hidden characters written out: a model reads what people see.
    #[must_use]
    pub fn visible(mut self) -> Self {
        let show = |text: &mut String| {
            let shown = match hidden::visible(text) {
                Cow::Owned(shown) => shown,
                Cow::Borrowed(_) => return,
            };
            *text = shown;
        };
        show(&mut self.system);
        for turn in &mut self.turns {
            match turn {
                ChatTurn::User(text) | ChatTurn::Assistant { text, .. } | ChatTurn::Tool { text, .. } => {
                    show(text);
                }
            }
        }
        self
    }
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// It had said everything.
    Finished,
    /// It wants the answers of its tool calls.
    ToolCalls,
    /// The limit of tokens was reached.
    Length,
    /// Something else, e.g. a filter at the endpoint.
    Other,
}

/// Tokens of one answer, where the endpoint tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChatUsage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
}

/// A piece of an answer as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatEvent {
    /// More text.
    Text(String),
    /// A whole tool call.
    ToolCall(ToolCall),
    /// The end. Nothing follows.
    Done {
        /// Why it ended.
        reason: StopReason,
        /// What it cost.
        usage: Option<ChatUsage>,
    },
}

/// Why there is no answer, or no more of it. Never carries what was said, nor a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// Nothing listens there, the name is unknown, or the line was cut before an answer began.
    #[error("the model's endpoint cannot be reached: {0}")]
    Unreachable(String),
    /// The key is missing or wrong.
    #[error("the endpoint refused the key")]
    Unauthorized,
    /// The endpoint does not know the model.
    #[error("the endpoint does not know this model")]
    UnknownModel,
    /// Too many requests, or no credit.
    #[error("the endpoint asks to slow down")]
    RateLimited {
        /// Seconds to wait, where it says.
        retry_after: Option<u64>,
    },
    /// No answer, or no next piece of it, within the time allowed.
    #[error("the endpoint took too long")]
    Timeout,
    /// The conversation is longer than the model can read.
    #[error("the conversation is longer than the model can read")]
    TooLong,
    /// The line was cut in the middle of an answer.
    #[error("the answer broke off")]
    BrokenOff,
    /// The endpoint answered with an error of its own or with something else than the protocol.
    #[error("the endpoint failed: {0}")]
    Endpoint(String),
}

impl ChatError {
    /// True if the same request may do better in a moment.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::RateLimited { .. } | Self::Timeout)
    }
}

/// The pieces of an answer. Dropping it ends the request.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, ChatError>>;

/// A model that answers.
#[async_trait::async_trait]
pub trait ChatModel: Send + Sync {
    /// The endpoint it speaks to.
    fn endpoint(&self) -> &ChatEndpoint;

    /// Asks for an answer. Before the first piece, passing errors are tried again with growing pauses; after it
    /// nothing is asked twice.
    async fn answer(&self, request: ChatRequest) -> Result<ChatStream, ChatError>;
}

/// The text of a whole answer, for those who do not show it as it arrives.
///
/// # Errors
/// [`ChatError`] if the model cannot be asked or breaks off.
pub async fn whole_answer(model: &dyn ChatModel, request: ChatRequest) -> Result<String, ChatError> {
    let mut stream = model.answer(request).await?;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        if let ChatEvent::Text(piece) = event? {
            text.push_str(&piece);
        }
    }
    Ok(text)
}

/// Makes models out of endpoints.
#[async_trait::async_trait]
pub trait ChatModels: Send + Sync {
    /// A model at an endpoint. Does not connect yet.
    ///
    /// # Errors
    /// [`ChatError::Endpoint`] if the address makes no sense.
    fn connect(&self, endpoint: &ChatEndpoint, key: Option<Secret>) -> Result<Arc<dyn ChatModel>, ChatError>;

    /// The names of the models that an endpoint offers, sorted; asks once, quickly. Proves address and key.
    async fn available(&self, endpoint: &ChatEndpoint, key: Option<Secret>)
    -> Result<Vec<String>, ChatError>;
}

/// Why a key could not be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the key could not be kept: {0}")]
pub struct SecretError(pub String);

/// Keeps keys outside the databases: in the keychain of the operating system, or where there is none, in a file
/// that only its owner can read.
#[async_trait::async_trait]
pub trait SecretStore: Send + Sync {
    /// The secret under a name.
    async fn secret(&self, name: &str) -> Result<Option<Secret>, SecretError>;

    /// Keeps a secret under a name; `None` removes it.
    async fn set_secret(&self, name: &str, secret: Option<Secret>) -> Result<(), SecretError>;

    /// Where secrets are kept, for people ("the system keychain", "a protected file").
    fn place(&self) -> String;
}
