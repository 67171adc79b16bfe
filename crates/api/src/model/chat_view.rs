//! The language model's endpoint, as it crosses the boundary. Keys go in and never come out.

use inklings_application::model::chat as port;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::mirror;

mirror!(
    /// Which protocol an endpoint speaks.
    ChatProvider = port::ChatProvider {
        /// Chat completions.
        OpenAiCompatible,
        /// Messages.
        Anthropic,
    }
);

/// A model at an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatEndpoint {
    /// The protocol.
    pub provider: ChatProvider,
    /// Base address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Tokens that it can read at once.
    pub context_tokens: u32,
}

impl From<ChatEndpoint> for port::ChatEndpoint {
    fn from(view: ChatEndpoint) -> Self {
        Self {
            provider: view.provider.into(),
            base_url: view.base_url,
            model: view.model,
            context_tokens: view.context_tokens,
        }
    }
}

/// An endpoint that many people have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatPreset {
    /// A stable name.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The protocol.
    pub provider: ChatProvider,
    /// Base address.
    pub base_url: String,
    /// True if it asks for a key.
    pub needs_key: bool,
    /// What to do before it works, in a sentence.
    pub hint: String,
}

/// How the language model is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatSettings {
    /// The endpoint in use.
    pub endpoint: Option<ChatEndpoint>,
    /// True if a key is kept for it.
    pub has_key: bool,
    /// Where keys are kept, for people.
    pub key_place: String,
    /// Endpoints that many people have.
    pub presets: Vec<ChatPreset>,
}

/// What a test of an endpoint found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EndpointTest {
    /// The models on offer.
    pub models: Vec<String>,
    /// Milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}
