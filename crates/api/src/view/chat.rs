//! Views of the language model endpoint. Keys are accepted as input and never returned.

use inklings_ports::model::{chat as port, usage};
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::mirror;

mirror!(
    /// The protocol of an endpoint.
    ChatProvider = port::ChatProvider {
        OpenAiCompatible, Anthropic,
    }
);

/// A model at an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatEndpoint {
    /// The protocol.
    pub provider: ChatProvider,
    pub base_url: String,
    /// The model's identifier at the endpoint.
    pub model: String,
    /// Context window in tokens.
    pub context_tokens: u32,
    /// The model there that writes summaries; `null`: the same one. The other one takes its place if it does not answer.
    #[serde(default)]
    pub summary_model: Option<String>,
}

impl ChatEndpoint {
    /// The endpoint of the model that writes summaries, if it is another one.
    pub(crate) fn for_summaries(&self) -> Option<Self> {
        let model = self.summary_model.as_deref()?.trim();
        let is_other = !model.is_empty() && model != self.model;
        is_other.then(|| Self { model: model.to_owned(), ..self.clone() })
    }
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

/// A preset for a common endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatPreset {
    /// Stable identifier of the preset.
    pub id: String,
    /// Display name.
    pub name: String,
    /// The protocol.
    pub provider: ChatProvider,
    pub base_url: String,
    /// True if the endpoint requires an API key.
    pub needs_key: bool,
    /// One sentence of setup instructions for users.
    pub hint: String,
}

/// The language model settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChatSettings {
    /// The endpoint in use.
    pub endpoint: Option<ChatEndpoint>,
    /// True if a key is stored for it.
    pub has_key: bool,
    /// Display name of the place where keys are stored.
    pub key_place: String,
    /// Presets for common endpoints.
    pub presets: Vec<ChatPreset>,
}

/// A program on this machine that runs and offers models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunningModels {
    /// The preset of its endpoint.
    pub preset: ChatPreset,
    /// Identifiers of its models.
    pub models: Vec<String>,
}

/// Result of an endpoint test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EndpointTest {
    /// Identifiers of the models that the endpoint offers.
    pub models: Vec<String>,
    /// Duration of the test in milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}

/// The tokens of one model on one day, in all worlds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// The day in UTC, as `2026-05-03`.
    pub day: String,
    /// Base URL of the endpoint.
    pub address: String,
    /// Name of the model at the endpoint.
    pub model: String,
    /// Answers that were received whole.
    #[specta(type = Number)]
    pub answers: f64,
    /// Those of them for which the endpoint gave no counts.
    #[specta(type = Number)]
    pub unreported: f64,
    /// Tokens that the model read.
    #[specta(type = Number)]
    pub input: f64,
    /// Tokens that it wrote.
    #[specta(type = Number)]
    pub output: f64,
}

impl From<usage::TokenUsage> for TokenUsage {
    fn from(used: usage::TokenUsage) -> Self {
        Self {
            day: used.day.to_string(),
            address: used.address,
            model: used.model,
            answers: used.answers as f64,
            unreported: used.unreported as f64,
            input: used.input as f64,
            output: used.output as f64,
        }
    }
}
