//! Scripted language model for tests of use cases: one step per request.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use futures::{StreamExt, stream};

use crate::model::chat::{
    ChatEndpoint, ChatError, ChatEvent, ChatModel, ChatProvider, ChatRequest, ChatStream, StopReason,
    ToolCall,
};

/// The scripted response to a request.
#[derive(Debug, Clone)]
pub enum Play {
    /// Streams these pieces and ends.
    Says(Vec<&'static str>),
    /// Calls a tool with these arguments.
    Calls(&'static str, String),
    /// Calls a tool as often, each time with these arguments.
    CallsOften(usize, &'static str, String),
    /// Streams these pieces, then reaches the token limit in the middle of a call.
    CutOff(Vec<&'static str>),
    /// Fails at once.
    Refuses(ChatError),
    /// Streams these pieces, then breaks off.
    BreaksOff(Vec<&'static str>),
    /// Streams these pieces, then stalls.
    Stalls(Vec<&'static str>),
}

/// Plays a script and records the requests.
#[derive(Debug)]
pub struct ScriptedModel {
    endpoint: ChatEndpoint,
    plays: Mutex<VecDeque<Play>>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl ScriptedModel {
    /// A model that plays these steps in order, and fails after the last one.
    pub fn new(plays: impl IntoIterator<Item = Play>) -> Self {
        Self {
            endpoint: ChatEndpoint {
                provider: ChatProvider::OpenAiCompatible,
                base_url: "http://127.0.0.1:9/v1".into(),
                model: "scripted".into(),
                context_tokens: 8_192,
            },
            plays: Mutex::new(plays.into_iter().collect()),
            asked: Mutex::default(),
        }
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn text_events(pieces: Vec<&'static str>) -> Vec<Result<ChatEvent, ChatError>> {
    pieces.into_iter().map(|piece| Ok(ChatEvent::Text(piece.to_owned()))).collect()
}

#[async_trait::async_trait]
impl ChatModel for ScriptedModel {
    fn endpoint(&self) -> &ChatEndpoint {
        &self.endpoint
    }

    async fn answer(&self, request: ChatRequest) -> Result<ChatStream, ChatError> {
        let number = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push(request);
            asked.len()
        };
        let play = self.plays.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let done = |reason| Ok(ChatEvent::Done { reason, usage: None });
        Ok(match play {
            None => return Err(ChatError::Unreachable("the script is over".into())),
            Some(Play::Refuses(error)) => return Err(error),
            Some(Play::Says(pieces)) => {
                let mut events = text_events(pieces);
                events.push(done(StopReason::Finished));
                stream::iter(events).boxed()
            }
            Some(Play::Calls(name, arguments)) => {
                let call = ToolCall { id: format!("call-{number}"), name: name.to_owned(), arguments };
                stream::iter([Ok(ChatEvent::ToolCall(call)), done(StopReason::ToolCalls)]).boxed()
            }
            Some(Play::CallsOften(count, name, arguments)) => {
                let call = |at: usize| ToolCall {
                    id: format!("call-{number}-{at}"),
                    name: name.to_owned(),
                    arguments: arguments.clone(),
                };
                let calls = (0..count).map(|at| Ok(ChatEvent::ToolCall(call(at))));
                stream::iter(calls.chain([done(StopReason::ToolCalls)]).collect::<Vec<_>>()).boxed()
            }
            Some(Play::CutOff(pieces)) => {
                let mut events = text_events(pieces);
                events.push(done(StopReason::Length));
                stream::iter(events).boxed()
            }
            Some(Play::BreaksOff(pieces)) => {
                let mut events = text_events(pieces);
                events.push(Err(ChatError::BrokenOff));
                stream::iter(events).boxed()
            }
            Some(Play::Stalls(pieces)) => stream::iter(text_events(pieces)).chain(stream::pending()).boxed(),
        })
    }
}
