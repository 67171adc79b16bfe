//! A turn of the World Agent: its context, its answer and its tool calls. Received text is written to disk
//! every half second, so that a cancel, an error or a kill does not lose it.

mod budget;
mod conversation_tool;
mod fit;
mod prompt;
mod read_tools;
mod replay;
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
use inklings_ports::model::chat::{
    ChatError, ChatEvent, ChatModel, ChatRequest, ChatStream, StopReason, ToolCall,
};

use self::{budget::TokenBudget, prompt::of_turn};
pub use self::{
    prompt::AgentView,
    stop::{Stop, Stopper, stopper},
    tools::specs,
};
use crate::{error::AppError, orientation::Oriented, services::Turns};

/// Maximum model answers per turn. The last one may call no tool.
const MAX_ROUNDS: usize = 8;
/// Maximum tool calls per answer.
const MAX_CALLS: usize = 16;
/// Interval between two writes of a streaming answer.
const FLUSH_EVERY: Duration = Duration::milliseconds(500);
/// Longest time between two writes of a streaming answer. Arguments of a tool bring no text for minutes, and other processes take
/// an answer that nobody writes for a lost one.
pub const WRITE_EVERY: Duration = Duration::seconds(30);
/// Most bytes of a tool's answer that are stored.
const MAX_TOOL_ANSWER_BYTES: usize = 256 * 1024;

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

/// What happens while an answer streams.
enum Next {
    Event(Option<Result<ChatEvent, ChatError>>),
    Stopped,
    /// Nothing arrived for [`WRITE_EVERY`].
    Quiet,
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
        let budget = TokenBudget::of(Some(model.endpoint().context_tokens));
        // Orient once per turn; later tool answers are in the messages.
        let orientations = self.session.orientations();
        let orienting = orientations.orient_for_turn(of_turn(conversation, &budget), &**model);
        let oriented = match select(Box::pin(orienting), Box::pin(stop.stopped())).await {
            Either::Left((oriented, _)) => oriented?,
            Either::Right(_) => return Ok(TurnEnd::Cancelled),
        };
        self.session.orientations().note_uses(oriented.memories()).await;
        let shown = oriented.texts();
        for round in 0..MAX_ROUNDS {
            let view = self.next_view(conversation, oriented.clone(), &budget).await?;
            // The ledger also records the replayed messages, and those that were left out for lack of space.
            let ledger = (round == 0).then_some(&view.oriented);
            let turns = view.turns();
            let refused = if view.is_too_long() {
                Some(ChatError::AttachedTooLong { tokens: view.tokens, budget: view.budget })
            } else {
                turns.is_empty().then_some(ChatError::NothingToAnswer)
            };
            if let Some(error) = refused {
                return self.no_answer(conversation.id, ledger, TurnEnd::Failed(error)).await;
            }
            let request = ChatRequest {
                system: view.prompt.clone(),
                turns,
                tools: budget.tools.clone(),
                answer_only: round + 1 == MAX_ROUNDS,
                max_tokens: Some(budget.answer),
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
        // The last answer calls no tool, so that a round before has returned.
        Ok(TurnEnd::Done)
    }

    /// Stores an empty answer that tells how a turn ended before anything arrived.
    async fn no_answer(
        &self,
        conversation: ConversationId,
        ledger: Option<&Oriented>,
        end: TurnEnd,
    ) -> Result<TurnEnd, AppError> {
        let arriving = self.begin_answer(conversation, ledger).await?;
        self.write_answer(&arriving, None, delivery(&end)).await?;
        Ok(end)
    }

    async fn one_answer(
        &self,
        conversation: ConversationId,
        model: &Arc<dyn ChatModel>,
        request: ChatRequest,
        ledger: Option<&Oriented>,
        (stop, sink): (&Stop, &dyn TurnSink),
    ) -> Result<Answered, AppError> {
        let max_calls = if request.answer_only { 0 } else { MAX_CALLS };
        let asked = match select(Box::pin(model.answer(request)), Box::pin(stop.stopped())).await {
            Either::Left((Ok(stream), _)) => Ok(stream),
            Either::Left((Err(error), _)) => Err(TurnEnd::Failed(error)),
            Either::Right(_) => Err(TurnEnd::Cancelled),
        };
        match asked {
            Ok(stream) => self.receive(conversation, stream, ledger, max_calls, (stop, sink)).await,
            Err(end) => self.no_answer(conversation, ledger, end).await.map(Answered::End),
        }
    }

    async fn receive(
        &self,
        conversation: ConversationId,
        mut stream: ChatStream,
        ledger: Option<&Oriented>,
        max_calls: usize,
        (stop, sink): (&Stop, &dyn TurnSink),
    ) -> Result<Answered, AppError> {
        let mut arriving = self.begin_answer(conversation, ledger).await?;
        let mut calls: Vec<ToolCall> = Vec::new();
        let end = loop {
            match self.next(&mut stream, stop).await {
                Next::Event(Some(Ok(ChatEvent::Text(piece)))) => {
                    let piece = printable(&piece);
                    arriving.length += piece.chars().count();
                    arriving.text.push_str(&piece);
                    arriving.dirty = true;
                    sink.text(arriving.message.id(), &piece, arriving.length);
                }
                Next::Event(Some(Ok(ChatEvent::ToolCall(call)))) if calls.len() < max_calls => {
                    calls.push(call);
                }
                // A call that the limit cut off does not arrive at all, so that the others are not what the model meant either.
                Next::Event(Some(Ok(ChatEvent::Done { reason: StopReason::Length, .. }))) => {
                    break TurnEnd::Failed(ChatError::CutOff);
                }
                Next::Event(Some(Ok(ChatEvent::Done { .. }))) => break TurnEnd::Done,
                Next::Event(Some(Err(error))) => break TurnEnd::Failed(error),
                Next::Event(None) => break TurnEnd::Failed(ChatError::BrokenOff),
                Next::Stopped => break TurnEnd::Cancelled,
                Next::Event(Some(Ok(ChatEvent::ToolCall(_)))) | Next::Quiet => {}
            }
            if !self.flush(&mut arriving).await? {
                return Ok(Answered::End(TurnEnd::Failed(ChatError::BrokenOff)));
            }
        };
        // Tool calls of an interrupted answer may be incomplete, so they are not executed.
        if end != TurnEnd::Done {
            calls.clear();
        }
        let end = if end == TurnEnd::Done && arriving.text.trim().is_empty() && calls.is_empty() {
            TurnEnd::Failed(ChatError::Endpoint("the model answered with nothing".into()))
        } else {
            end
        };
        let json = (!calls.is_empty()).then(|| tools::to_json(&calls));
        if !self.write_answer(&arriving, json.as_deref(), delivery(&end)).await? {
            return Ok(Answered::End(TurnEnd::Failed(ChatError::BrokenOff)));
        }
        Ok(if calls.is_empty() { Answered::End(end) } else { Answered::Calls(calls) })
    }

    /// Waits for the next piece of an answer, for the stop, or until the answer has to be written again.
    async fn next(&self, stream: &mut ChatStream, stop: &Stop) -> Next {
        let interrupted = select(Box::pin(stop.stopped()), self.session.clock.sleep(WRITE_EVERY));
        match select(stream.next(), interrupted).await {
            Either::Left((event, _)) => Next::Event(event),
            Either::Right((Either::Left(_), _)) => Next::Stopped,
            Either::Right((Either::Right(_), _)) => Next::Quiet,
        }
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

    /// Writes a streaming answer if it is time. False if it is not streaming any more: it was deleted, or another process took it
    /// for a lost one.
    async fn flush(&self, arriving: &mut Arriving) -> Result<bool, AppError> {
        let now = self.session.clock.now();
        let since = now - arriving.flushed;
        if since < FLUSH_EVERY || (!arriving.dirty && since < WRITE_EVERY) {
            return Ok(true);
        }
        (arriving.flushed, arriving.dirty) = (now, false);
        let (id, transcript) = (arriving.message.id(), &self.session.workspace.transcript);
        Ok(transcript.deliver(id, &arriving.text, None, Delivery::Streaming, now).await?)
    }

    /// Writes the end of an answer. False if it was not streaming any more.
    async fn write_answer(
        &self,
        arriving: &Arriving,
        calls: Option<&str>,
        delivery: Delivery,
    ) -> Result<bool, AppError> {
        let (id, text) = (arriving.message.id(), arriving.text.trim_end());
        let transcript = &self.session.workspace.transcript;
        Ok(transcript.deliver(id, text, calls, delivery, self.session.clock.now()).await?)
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
        let text = if text.len() > MAX_TOOL_ANSWER_BYTES {
            fit::cut(&text, MAX_TOOL_ANSWER_BYTES as u64 / 4)
        } else {
            text
        };
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
