//! The common interface of the two protocols: a JSON request and an event stream as the answer.

use std::collections::VecDeque;

use inklings_ports::model::chat::{ChatEndpoint, ChatEvent, ChatRequest, Secret};
use reqwest::header::{HeaderMap, InvalidHeaderValue};
use serde_json::Value;

use crate::failure::{Failure, Refusal};

/// One protocol, with the dialect of one endpoint.
pub(crate) trait Wire: Send + Sync {
    /// Path of an answer request, relative to the base address.
    fn answer_path(&self) -> &'static str;

    /// Path of the list of models.
    fn models_path(&self) -> &'static str;

    fn headers(&self, key: Option<&Secret>) -> Result<HeaderMap, InvalidHeaderValue>;

    /// The body of an answer request.
    fn body(&self, endpoint: &ChatEndpoint, request: &ChatRequest) -> Value;

    /// Learns from a refusal how this endpoint deviates from the protocol. True if that changes the body.
    fn learn(&self, refusal: &Refusal) -> bool;

    /// Creates a decoder for one answer.
    fn decoder(&self) -> Box<dyn Decoder>;
}

/// The progress of an answer after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Running,
    /// The model has stopped; the end event and the usage may still follow.
    Ending,
    /// [`ChatEvent::Done`] has been returned.
    Over,
}

/// Decodes the events of one answer.
pub(crate) trait Decoder: Send {
    /// Decodes an event and appends the pieces it completes.
    fn read(&mut self, data: &str, pieces: &mut VecDeque<ChatEvent>) -> Result<Progress, Failure>;

    /// The final event, if the model has stopped but the stream ended without an end event.
    fn done(&mut self) -> Option<ChatEvent>;
}
