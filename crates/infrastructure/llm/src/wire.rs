//! What the two protocols have in common: a request as JSON, a stream of events as the answer.

use std::collections::VecDeque;

use inklings_application::model::chat::{ChatEndpoint, ChatEvent, ChatProvider, ChatRequest, Secret};
use reqwest::header::{HeaderMap, InvalidHeaderValue};
use serde_json::Value;

use crate::anthropic::Anthropic;
use crate::failure::{Failure, Refusal};
use crate::openai::OpenAi;

/// One protocol, as one endpoint speaks it.
pub(crate) trait Wire: Send + Sync {
    /// The path of a request for an answer, below the base address.
    fn answer_path(&self) -> &'static str;

    /// The path of the list of models.
    fn models_path(&self) -> &'static str;

    /// The headers of every request.
    fn headers(&self, key: Option<&Secret>) -> Result<HeaderMap, InvalidHeaderValue>;

    /// The body of a request for an answer.
    fn body(&self, endpoint: &ChatEndpoint, request: &ChatRequest) -> Value;

    /// Learns from a refusal how this endpoint departs from the protocol. True if the body is another one now.
    fn learn(&self, refusal: &Refusal) -> bool;

    /// Reads one answer.
    fn decoder(&self) -> Box<dyn Decoder>;
}

/// How far an answer is after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More is to come.
    Running,
    /// The model has stopped; the end itself, and what it cost, may still come or not.
    Ending,
    /// [`ChatEvent::Done`] has been given.
    Over,
}

/// Reads the events of one answer.
pub(crate) trait Decoder: Send {
    /// Reads an event and appends the pieces it completes.
    fn read(&mut self, data: &str, pieces: &mut VecDeque<ChatEvent>) -> Result<Progress, Failure>;

    /// The end, if the model has stopped, for a stream that ended without saying so.
    fn done(&mut self) -> Option<ChatEvent>;
}

/// The protocol of a provider.
pub(crate) fn wire(provider: ChatProvider) -> Box<dyn Wire> {
    match provider {
        ChatProvider::OpenAiCompatible => Box::new(OpenAi::default()),
        ChatProvider::Anthropic => Box::new(Anthropic),
    }
}
