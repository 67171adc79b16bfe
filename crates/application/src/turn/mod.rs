//! A turn of the World Agent: its context, its answer and its tool calls. Received text is written to disk
//! every half second, so that a cancel, an error or a kill does not lose it.

mod conversation_tool;
mod prompt;
mod read_tools;
mod stop;
mod tools;

use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use futures::{
    StreamExt,
    future::{Either, select},
};
use inklings_domain::{
    conversation::{
        Conversation,
        message::{Delivery, Message, NewMessage, Role, ToolUse, printable},
    },
    ids::{ConversationId, MessageId},
    orientation::shown::Reader,
    provenance::{Actor, ActorKind},
};
use inklings_ports::model::chat::{ChatError, ChatEvent, ChatModel, ChatRequest, ChatStream, ToolCall};

pub use self::{
    prompt::AgentView,
    stop::{Stop, Stopper, stopper},
    tools::specs,
};
use crate::{
    error::AppError,
    orientation::{OrientRequest, Oriented},
    services::Turns,
};

/// Maximum model answers per turn; every answer except the last calls tools.
const MAX_ROUNDS: usize = 8;
/// Maximum tool calls per answer.
const MAX_CALLS: usize = 16;
/// Interval between two writes of a streaming answer.
const FLUSH_EVERY: Duration = Duration::milliseconds(500);
/// Maximum tokens per answer.
const ANSWER_TOKENS: u32 = 2_048;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent finished.
    Done,
    /// The turn was cancelled; the text received so far is retained.
    Cancelled,
    /// The model failed; the text received so far is retained.
    Failed(ChatError),
}

/// Receives the progress of a turn.
pub trait TurnSink: Send + Sync {
    /// A new piece of an answer, and its length in characters so far.
    fn text(&self, message: MessageId, piece: &str, length: usize);

    /// A tool returned its answer.
    fn tool(&self, message: MessageId, name: &str);
}

/// A streaming answer.
struct Arriving {
    message: Message,
    text: String,
    length: usize,
    flushed: DateTime<Utc>,
    dirty: bool,
}

/// The outcome of one model answer.
enum Answered {
    Calls(Vec<ToolCall>),
    End(TurnEnd),
}

impl Turns<'_> {
    /// Lets the World Agent answer the last message, with tool calls under its own actor. All memory writes
    /// of the turn form one run. Errors of the model are not errors of this call; the stored answer shows how
    /// far it came.
    ///
    /// # Errors
    /// [`AppError::Transition`] if the conversation has ended, [`AppError::Store`] if the database fails.
    pub async fn answer(
        &self,
        conversation: &Conversation,
        model: &Arc<dyn ChatModel>,
        stop: &Stop,
        sink: &dyn TurnSink,
        actor: Actor,
    ) -> Result<TurnEnd, AppError> {
        conversation.takes_messages()?;
        let agent = Actor::new(ActorKind::Agent, actor.interface(), Some(self.session.ids.run_id()))?;
        let context_tokens = model.endpoint().context_tokens;
        let request = OrientRequest {
            conversation: Some(conversation),
            context_tokens: Some(context_tokens),
            ..OrientRequest::default()
        };
        // Orient once per turn; later tool answers are in the messages.
        let oriented = self.session.orientations().orient_for_turn(request, &**model).await?;
        self.session.orientations().note_uses(oriented.memories()).await;
        let shown = oriented.texts();
        for round in 0..MAX_ROUNDS {
            let view = self.next_view(conversation, oriented.clone(), context_tokens).await?;
            // The ledger also records the replayed messages, and those that were left out for lack of space.
            let ledger = (round == 0).then_some(&view.oriented);
            if view.is_too_long() {
                let end =
                    TurnEnd::Failed(ChatError::AttachedTooLong { tokens: view.tokens, budget: view.budget });
                let arriving = self.begin_answer(conversation.id, ledger).await?;
                self.finish_answer(&arriving, None, delivery(&end)).await?;
                return Ok(end);
            }
            let request = ChatRequest {
                system: view.prompt.clone(),
                turns: view.turns(),
                tools: specs(),
                max_tokens: Some(ANSWER_TOKENS),
            };
            match self.one_answer(conversation.id, model, request, ledger, (stop, sink)).await? {
                Answered::End(end) => return Ok(end),
                Answered::Calls(calls) => {
                    for call in calls {
                        if stop.is_stopped() {
                            return Ok(TurnEnd::Cancelled);
                        }
                        self.use_tool(conversation, &call, &shown, agent, sink).await?;
                    }
                }
            }
        }
        // A model that keeps calling tools gets no further answer. Its calls are in the transcript.
        Ok(TurnEnd::Done)
    }

    async fn one_answer(
        &self,
        conversation: ConversationId,
        model: &Arc<dyn ChatModel>,
        request: ChatRequest,
        ledger: Option<&Oriented>,
        (stop, sink): (&Stop, &dyn TurnSink),
    ) -> Result<Answered, AppError> {
        let asked = match select(Box::pin(model.answer(request)), Box::pin(stop.stopped())).await {
            Either::Left((Ok(stream), _)) => Ok(stream),
            Either::Left((Err(error), _)) => Err(TurnEnd::Failed(error)),
            Either::Right(_) => Err(TurnEnd::Cancelled),
        };
        match asked {
            Ok(stream) => self.receive(conversation, stream, ledger, (stop, sink)).await,
            Err(end) => {
                // Nothing was received. Store an empty message that records the failure.
                let arriving = self.begin_answer(conversation, ledger).await?;
                self.finish_answer(&arriving, None, delivery(&end)).await?;
                Ok(Answered::End(end))
            }
        }
    }

    async fn receive(
        &self,
        conversation: ConversationId,
        mut stream: ChatStream,
        ledger: Option<&Oriented>,
        (stop, sink): (&Stop, &dyn TurnSink),
    ) -> Result<Answered, AppError> {
        let mut arriving = self.begin_answer(conversation, ledger).await?;
        let mut calls: Vec<ToolCall> = Vec::new();
        let end = loop {
            let event = match select(stream.next(), Box::pin(stop.stopped())).await {
                Either::Left((event, _)) => event,
                Either::Right(_) => break TurnEnd::Cancelled,
            };
            match event {
                Some(Ok(ChatEvent::Text(piece))) => {
                    let piece = printable(&piece);
                    arriving.length += piece.chars().count();
                    arriving.text.push_str(&piece);
                    arriving.dirty = true;
                    sink.text(arriving.message.id(), &piece, arriving.length);
                    self.flush(&mut arriving).await?;
                }
                Some(Ok(ChatEvent::ToolCall(call))) if calls.len() < MAX_CALLS => calls.push(call),
                Some(Ok(ChatEvent::ToolCall(_))) => {}
                Some(Ok(ChatEvent::Done { .. })) => break TurnEnd::Done,
                Some(Err(error)) => break TurnEnd::Failed(error),
                None => break TurnEnd::Failed(ChatError::BrokenOff),
            }
        };
        // Tool calls of an interrupted answer may be incomplete, so they are not executed.
        if end != TurnEnd::Done {
            calls.clear();
        }
        if arriving.text.trim().is_empty() && calls.is_empty() && end == TurnEnd::Done {
            let end = TurnEnd::Failed(ChatError::Endpoint("the model answered with nothing".into()));
            self.finish_answer(&arriving, None, delivery(&end)).await?;
            return Ok(Answered::End(end));
        }
        let json = (!calls.is_empty()).then(|| tools::to_json(&calls));
        self.finish_answer(&arriving, json.as_deref(), delivery(&end)).await?;
        Ok(if calls.is_empty() { Answered::End(end) } else { Answered::Calls(calls) })
    }

    async fn begin_answer(
        &self,
        conversation: ConversationId,
        ledger: Option<&Oriented>,
    ) -> Result<Arriving, AppError> {
        let now = self.session.clock.now();
        let message = self
            .session
            .transcripts()
            .append(conversation, &[NewMessage::arriving(self.session.ids.message_id(), now)])
            .await?;
        if let Some(oriented) = ledger {
            self.session.orientations().record(oriented, Some(message.id())).await;
        }
        Ok(Arriving { message, text: String::new(), length: 0, flushed: now, dirty: false })
    }

    async fn flush(&self, arriving: &mut Arriving) -> Result<(), AppError> {
        let now = self.session.clock.now();
        if arriving.dirty && now - arriving.flushed >= FLUSH_EVERY {
            let id = arriving.message.id();
            self.session
                .workspace
                .transcript
                .deliver(id, &arriving.text, None, Delivery::Streaming, now)
                .await?;
            arriving.flushed = now;
            arriving.dirty = false;
        }
        Ok(())
    }

    async fn finish_answer(
        &self,
        arriving: &Arriving,
        calls: Option<&str>,
        delivery: Delivery,
    ) -> Result<(), AppError> {
        let text = arriving.text.trim_end();
        let id = arriving.message.id();
        self.session
            .workspace
            .transcript
            .deliver(id, text, calls, delivery, self.session.clock.now())
            .await?;
        Ok(())
    }

    async fn use_tool(
        &self,
        conversation: &Conversation,
        call: &ToolCall,
        shown: &[String],
        agent: Actor,
        sink: &dyn TurnSink,
    ) -> Result<(), AppError> {
        let (text, showing) = self.run_tool(conversation, call, shown, agent).await;
        let message = NewMessage {
            tool: Some(ToolUse { call_id: call.id.clone(), name: call.name.clone() }),
            ..NewMessage::new(self.session.ids.message_id(), Role::Tool, &text, self.session.clock.now())?
        };
        let added = self.session.transcripts().append(conversation.id, &[message]).await?;
        if let Some(showing) = showing {
            self.session.orientations().record_read(Reader::Agent, Some(added.id()), showing).await;
        }
        sink.tool(added.id(), &call.name);
        Ok(())
    }
}

/// The tool calls of a message.
pub fn calls_of(message: &NewMessage) -> Vec<ToolCall> {
    message.calls.as_deref().map(tools::from_json).unwrap_or_default()
}

const fn delivery(end: &TurnEnd) -> Delivery {
    match end {
        TurnEnd::Done => Delivery::Complete,
        TurnEnd::Cancelled => Delivery::Cancelled,
        TurnEnd::Failed(_) => Delivery::Failed,
    }
}
