//! Ports of language models and of the storage of their keys. Independent of wire formats.

use std::{borrow::Cow, fmt, sync::Arc};

use futures::{StreamExt, stream::BoxStream};
use inklings_domain::hidden;

/// Protocol of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChatProvider {
    /// The `OpenAI` chat completions protocol, which Ollama, LM Studio, llama.cpp and `OpenRouter` also
    /// support.
    OpenAiCompatible,
    /// The Anthropic messages protocol.
    Anthropic,
}

/// A model at an endpoint chosen by the worldbuilder. Its key is stored separately, in a [`SecretStore`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatEndpoint {
    /// Protocol of the endpoint.
    pub provider: ChatProvider,
    /// Base URL, e.g. `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// Name of the model at the endpoint.
    pub model: String,
    /// Context window of the model in tokens; budgets are limited to it.
    pub context_tokens: u32,
}

/// A key. Only [`Self::reveal`] gives access to its text, so that it is not shown or logged by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key, for the code that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A message of a request, by role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatTurn {
    /// A message of the worldbuilder.
    User(String),
    /// A message of the model, with its tool calls.
    Assistant {
        /// Text; may be empty if the model only called tools.
        text: String,
        calls: Vec<ToolCall>,
    },
    /// The answer of a tool.
    Tool {
        /// Id of the call that it answers.
        call_id: String,
        /// Name of the tool.
        name: String,
        /// Text of the answer.
        text: String,
    },
}

/// A tool call by the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The model's id for the call.
    pub id: String,
    pub name: String,
    /// Arguments as JSON text, exactly as the model wrote them; may be invalid JSON.
    pub arguments: String,
}

/// A tool offered to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Name: letters, digits, underscores.
    pub name: &'static str,
    /// Description for the model.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: serde_json::Value,
}

/// A request to a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatRequest {
    /// System prompt.
    pub system: String,
    /// Turns so far, oldest first; the last one asks for the answer.
    pub turns: Vec<ChatTurn>,
    /// Tools that the model may call.
    pub tools: Vec<ToolSpec>,
    /// True if the model must answer without a call. The tools stay listed, because earlier turns call them.
    pub answer_only: bool,
    /// Maximum tokens of the answer; the model's own limit if `None`.
    pub max_tokens: Option<u32>,
}

impl ChatRequest {
    /// Asks for one text, without tools.
    pub fn of_text(system: String, text: String, max_tokens: u32) -> Self {
        Self { system, turns: vec![ChatTurn::User(text)], max_tokens: Some(max_tokens), ..Self::default() }
    }

    /// Replaces hidden characters by visible escapes, so that the model reads what people see.
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
    /// The answer is complete.
    Finished,
    /// It waits for the answers of its tool calls.
    ToolCalls,
    /// The token limit was reached.
    Length,
    /// Another reason, e.g. a filter at the endpoint.
    Other,
}

/// Token usage of one answer, if the endpoint reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChatUsage {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatEvent {
    /// More text.
    Text(String),
    /// A complete tool call.
    ToolCall(ToolCall),
    /// The end of the answer.
    Done {
        /// Why it ended.
        reason: StopReason,
        /// Token usage.
        usage: Option<ChatUsage>,
    },
}

/// Why an answer is missing or incomplete. Never contains message text or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// No server, an unknown host name, or a connection lost before an answer began.
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
        /// Seconds to wait, if the endpoint gives them.
        retry_after: Option<u64>,
    },
    /// No answer, or no next piece of it, within the time limit.
    #[error("the endpoint took too long")]
    Timeout,
    /// The conversation exceeds the model's context window.
    #[error("the conversation is longer than the model can read")]
    TooLong,
    /// The message does not fit into the context window with what is attached to it.
    #[error(
        "with what is attached, the message needs about {tokens} tokens, and the model reads {budget}; attach less, or choose another model"
    )]
    AttachedTooLong {
        /// Estimated tokens of the request.
        tokens: u64,
        /// Tokens that it may have.
        budget: u64,
    },
    /// The connection was lost in the middle of an answer.
    #[error("the answer broke off")]
    BrokenOff,
    /// The answer reached its limit of tokens.
    #[error("the answer is longer than the model may write at once; ask it to go on")]
    CutOff,
    /// The conversation has no message to answer.
    #[error("there is no message to answer")]
    NothingToAnswer,
    /// The endpoint returned an error or violated the protocol.
    #[error("the endpoint failed: {0}")]
    Endpoint(String),
}

impl ChatError {
    /// True if the same request may succeed later.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::RateLimited { .. } | Self::Timeout)
    }
}

/// A streamed answer. Dropping it ends the request.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, ChatError>>;

/// A language model.
#[async_trait::async_trait]
pub trait ChatModel: Send + Sync {
    /// The endpoint of the model.
    fn endpoint(&self) -> &ChatEndpoint;

    /// Requests an answer. Transient errors before the first piece are retried with growing pauses; after the
    /// first piece nothing is retried.
    async fn answer(&self, request: ChatRequest) -> Result<ChatStream, ChatError>;
}

/// The complete text of an answer, for callers that do not stream it.
///
/// # Errors
/// [`ChatError`] if the request fails, or the answer breaks off or is cut off.
pub async fn whole_answer(model: &dyn ChatModel, request: ChatRequest) -> Result<String, ChatError> {
    let mut stream = model.answer(request).await?;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Text(piece) => text.push_str(&piece),
            ChatEvent::Done { reason: StopReason::Length, .. } => return Err(ChatError::CutOff),
            ChatEvent::ToolCall(_) | ChatEvent::Done { .. } => {}
        }
    }
    Ok(text)
}

/// Connects to models.
#[async_trait::async_trait]
pub trait ChatModels: Send + Sync {
    /// Creates a model for an endpoint without connecting to it.
    ///
    /// # Errors
    /// [`ChatError::Endpoint`] if the address is invalid.
    fn connect(&self, endpoint: &ChatEndpoint, key: Option<Secret>) -> Result<Arc<dyn ChatModel>, ChatError>;

    /// Names of the models at an endpoint, sorted. Makes one quick request, which also verifies address and
    /// key.
    async fn available(&self, endpoint: &ChatEndpoint, key: Option<Secret>)
    -> Result<Vec<String>, ChatError>;
}

/// Why a key could not be stored or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the key could not be kept: {0}")]
pub struct SecretError(pub String);

/// Stores keys outside the databases: in the operating system's keychain, or if there is none, in a file that
/// only its owner can read.
#[async_trait::async_trait]
pub trait SecretStore: Send + Sync {
    /// The secret with this name.
    async fn secret(&self, name: &str) -> Result<Option<Secret>, SecretError>;

    /// Stores a secret under a name; `None` removes it.
    async fn set_secret(&self, name: &str, secret: Option<Secret>) -> Result<(), SecretError>;

    /// Description of the storage for display ("the system keychain", "a protected file").
    fn place(&self) -> String;
}
