//! Turns with the World Agent: the message is stored first, then the answer is sent as events.

use std::{
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures::FutureExt;
use inklings_application::{
    conversation::transcript::NewAttachment,
    error::AppError,
    session::Session,
    turn::{AgentView, Stop, TurnEnd, TurnSink},
};
use inklings_domain::{
    conversation::{Conversation, attachment::MAX_ATTACHMENT_BYTES},
    ids::{ConversationId, MessageId},
    orientation::ItemId,
    provenance::{Actor, ActorKind, Interface},
};

use inklings_formats::text_file;
use inklings_ports::{conversation::summariser::Summariser, model::chat::ChatModel};
use tokio::sync::Notify;

use crate::{
    Event, Events,
    commands::ConversationCommands,
    conversation::{
        convert as conversation,
        view::{ContextArchive, ContextItem, ContextView, MessageView, SentMessage},
    },
    error::{CommandError, ErrorCode},
    events::{TurnStep, TurnUpdate},
    fact::fact_views,
    layer::layers,
    state::turns::Answering,
    wire::{count, time},
};

/// Message for an answer that stopped because of an internal error.
const BROKE_OFF: &str = "The answer broke off because of a fault of ours; the log says where.";

/// Forwards the steps of a turn as events.
struct Sink {
    events: Arc<dyn Events>,
    /// As [`crate::App::look_for_changes`].
    written: Arc<Notify>,
    conversation: ConversationId,
}

impl Sink {
    fn send(
        &self,
        step: TurnStep,
        message: Option<MessageId>,
        text: Option<&str>,
        length: usize,
        error: Option<String>,
    ) {
        self.events.send(Event::TurnProgress(TurnUpdate {
            conversation_id: self.conversation.to_string(),
            message_id: message.map(|id| id.to_string()),
            step,
            text: text.map(str::to_owned),
            length: count(length),
            error,
        }));
    }
}

impl TurnSink for Sink {
    fn text(&self, message: MessageId, piece: &str, length: usize) {
        self.send(TurnStep::Text, Some(message), Some(piece), length, None);
    }

    fn tool(&self, message: MessageId, name: &str) {
        self.send(TurnStep::Tool, Some(message), Some(name), 0, None);
        self.written.notify_one();
    }
}

/// One complete answer, independent of its caller.
struct Turn {
    session: Arc<Session>,
    answering: Answering,
    model: Arc<dyn ChatModel>,
    summariser: Arc<dyn Summariser>,
    conversation: Conversation,
    stop: Stop,
    sink: Sink,
    actor: Actor,
}

impl Turn {
    async fn run(self) -> Result<TurnEnd, CommandError> {
        let Self { session, answering, model, summariser, conversation, stop, sink, actor } = self;
        let answer = AssertUnwindSafe(async {
            sink.send(TurnStep::Started, None, None, 0, None);
            session.turns().answer(&conversation, &model, &stop, &sink, actor).await
        });
        let answered = answer.catch_unwind().await;
        if !matches!(answered, Ok(Ok(_)))
            && let Err(error) = session.transcripts().settle_broken_answer(conversation.id).await
        {
            tracing::warn!(%error, "an answer that broke off is not marked as such yet");
        }
        drop(answering);
        // A process that ends with the turn would lose the rows that still wait.
        session.agent_telemetry().flush().await;
        let (step, error) = match &answered {
            Ok(Ok(end)) => conversation::turn_end(end),
            Ok(Err(error)) => {
                tracing::error!(%error, "a turn broke off");
                (TurnStep::Failed, Some(crate::error::sentence(&error.to_string())))
            }
            Err(_) => {
                tracing::error!("a turn panicked");
                (TurnStep::Failed, Some(BROKE_OFF.to_owned()))
            }
        };
        sink.send(step, None, None, 0, error);
        sink.written.notify_one();
        if matches!(answered, Ok(Ok(TurnEnd::Done))) {
            title(&session, &*model, &conversation, &sink).await;
            compact(&session, &*summariser, &conversation, &sink).await;
        }
        match answered {
            Ok(answered) => Ok(answered?),
            Err(_) => Err(CommandError::new(ErrorCode::Internal, BROKE_OFF)),
        }
    }
}

/// Lets the model give the conversation its title. The answer is there already, so that nobody waits for it.
async fn title(session: &Session, model: &dyn ChatModel, conversation: &Conversation, sink: &Sink) {
    match session.conversations().title_by_model(conversation.id, model).await {
        Ok(true) => sink.written.notify_one(),
        Ok(false) => {}
        Err(error) => tracing::debug!(%error, "the model gave no title"),
    }
}

/// Compacts a conversation automatically when it exceeds its budget.
async fn compact(session: &Session, summariser: &dyn Summariser, conversation: &Conversation, sink: &Sink) {
    let Ok(task) = Actor::new(ActorKind::System, Interface::Task, None) else { return };
    match session.compaction().compact_if_long(conversation, summariser, task).await {
        Ok(Some(_)) => sink.written.notify_one(),
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(%error, "the conversation was not compacted; the next turn tries again");
        }
    }
}

/// Reads files to attach, outside the async threads.
async fn read_attachments(files: &[PathBuf]) -> Result<Vec<NewAttachment>, CommandError> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let files = files.to_vec();
    let read = tokio::task::spawn_blocking(move || files.iter().map(|file| attachment(file)).collect());
    read.await.map_err(|_| CommandError::new(ErrorCode::Internal, "The files were not read."))?
}

fn attachment(file: &Path) -> Result<NewAttachment, CommandError> {
    let text = text_file::read(file, MAX_ATTACHMENT_BYTES).map_err(|error| {
        let message = crate::error::sentence(&error.to_string());
        AppError::Input { field: "attachment", message }
    })?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(NewAttachment { name, text })
}

impl ConversationCommands<'_> {
    /// Stores a message of the worldbuilder with the texts of these files, and starts an answer of the World Agent in the
    /// background if a model is connected.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` while an answer is running, `invalid` if the conversation has ended or a file has no
    /// text that can be attached.
    pub async fn say(
        &self,
        conversation: &str,
        text: &str,
        files: &[PathBuf],
        events: Arc<dyn Events>,
    ) -> Result<SentMessage, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        if self.app.turns.is_running(conversation.id) {
            return Err(AppError::Answering.into());
        }
        let attached = read_attachments(files).await?;
        let message = session.transcripts().add_with(&conversation, text, &attached).await?;
        let message = conversation::message(&message);
        let (turn, error) = match self.turn(session, conversation, events).await {
            Ok(turn) => (turn, None),
            // The message is stored; the model error is returned with it.
            Err(error) => {
                tracing::warn!(%error, "the language model cannot be asked");
                (None, Some(error))
            }
        };
        let answering = turn.is_some();
        if let Some(turn) = turn {
            tokio::spawn(turn.run());
        }
        Ok(SentMessage { message, answering, error })
    }

    /// Stores a message of the worldbuilder without an answer.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if the conversation has ended.
    pub async fn add_message_without_answer(
        &self,
        conversation: &str,
        text: &str,
        files: &[PathBuf],
    ) -> Result<MessageView, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let attached = read_attachments(files).await?;
        let message = session.transcripts().add_with(&conversation, text, &attached).await?;
        Ok(conversation::message(&message))
    }

    /// As [`Self::say`], but waits for the answer, for shells that run one command.
    ///
    /// # Errors
    /// As [`Self::say`]; `model_unavailable` if the answer failed.
    pub async fn say_and_wait(
        &self,
        conversation: &str,
        text: &str,
        files: &[PathBuf],
        events: Arc<dyn Events>,
    ) -> Result<(SentMessage, Option<TurnEnd>), CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let attached = read_attachments(files).await?;
        let message = session.transcripts().add_with(&conversation, text, &attached).await?;
        let turn = self.turn(session, conversation, events).await?;
        let answering = turn.is_some();
        let end = match turn {
            Some(turn) => Some(turn.run().await?),
            None => None,
        };
        let message = conversation::message(&message);
        Ok((SentMessage { message, answering, error: None }, end))
    }

    /// Answers the last message again in the background.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` while an answer is running, `model_unavailable` if no model is
    /// connected.
    pub async fn answer_again(
        &self,
        conversation: &str,
        events: Arc<dyn Events>,
    ) -> Result<(), CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        conversation.takes_messages().map_err(AppError::from)?;
        let turn = self.turn(session, conversation, events).await?.ok_or_else(|| {
            CommandError::new(
                ErrorCode::ModelUnavailable,
                "No language model is connected. Connect one in the settings.",
            )
        })?;
        tokio::spawn(turn.run());
        Ok(())
    }

    /// Stops the answer in a conversation; the text received so far is stored.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn cancel_answer(&self, conversation: &str) -> Result<(), CommandError> {
        self.app.turns.stop(self.app.session()?.conversations().named(conversation).await?.id);
        Ok(())
    }

    /// Marks answers of killed processes as stopped.
    pub(crate) async fn settle_lost_answers(&self) {
        let Some(session) = self.app.session_if_open() else { return };
        // A read-only folder leaves them unchanged; the next tick retries.
        let running = self.app.turns.conversations();
        if let Err(error) = session.transcripts().settle_lost_answers(&running).await {
            tracing::debug!(%error, "lost answers were not settled");
        }
    }

    async fn turn(
        &self,
        session: Arc<Session>,
        conversation: Conversation,
        events: Arc<dyn Events>,
    ) -> Result<Option<Turn>, CommandError> {
        let Some(model) = self.app.chat.model_of(conversation.model.as_ref()).await? else {
            return Ok(None);
        };
        let (stop, answering) = self.app.turns.begin(conversation.id).ok_or(AppError::Answering)?;
        let written = Arc::clone(&self.app.written);
        let sink = Sink { events, written, conversation: conversation.id };
        let (summariser, actor) = (self.summariser().await, self.app.actor);
        Ok(Some(Turn { session, answering, model, summariser, conversation, stop, sink, actor }))
    }

    /// The context that the World Agent gets for the last message or for a query.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn preview_context(
        &self,
        conversation: &str,
        query: Option<&str>,
    ) -> Result<ContextView, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let tokens = match self.app.chat.model_of(conversation.model.as_ref()).await {
            Ok(model) => model.map(|model| model.endpoint().context_tokens),
            Err(_) => None,
        };
        let view = session.turns().agent_view(&conversation, query, tokens).await?;
        self.context_view(&session, &view).await
    }

    async fn context_view(&self, session: &Session, view: &AgentView) -> Result<ContextView, CommandError> {
        let (oriented, shown) = (&view.oriented, &view.oriented.shown);
        let facts: Vec<_> =
            shown.facts.iter().filter(|known| oriented.took(ItemId::Fact(known.fact.id))).cloned().collect();
        let took = |id| oriented.took(ItemId::Memory(id));
        let memories = oriented.memories().map(|(id, _)| id).collect::<Vec<_>>();
        let stored = session.entries(&memories).await?;
        Ok(ContextView {
            items: view
                .items
                .iter()
                .map(|item| ContextItem {
                    message: conversation::message(&item.message),
                    legs: item.legs.iter().map(|leg| (*leg).into()).collect(),
                    similarity: item.similarity,
                })
                .collect(),
            episodes: shown
                .episodes
                .iter()
                .rev()
                .filter(|episode| oriented.took(ItemId::Episode(episode.id)))
                .map(conversation::episode)
                .collect(),
            archive: shown.archive.as_ref().filter(|archive| took(archive.id)).map(|archive| {
                ContextArchive {
                    id: archive.id.to_string(),
                    name: archive.name.clone(),
                    summary: archive.summary.clone(),
                    archived_at: time(archive.at),
                }
            }),
            memories: self.app.memory().rows(&stored).await?,
            facts: fact_views(session, &facts).await?,
            layers: layers(&oriented.document.layers, &oriented.document.items),
            tokens: count(view.tokens),
            budget: count(view.budget),
            prompt: view.prompt.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use inklings_application::{conversation::summarise::Extractive, testing::world::World};
    use inklings_domain::conversation::message::{Delivery, Role};
    use inklings_ports::{
        conversation::transcript_store::MessageRange,
        testing::chat::{Play, ScriptedModel},
    };
    use inklings_sqlite::SqliteCatalogue;

    use super::*;
    use crate::state::turns::Turns;

    /// Records the steps of a turn, and panics at the first part of an answer if configured to.
    struct Steps {
        sent: Mutex<Vec<(TurnStep, Option<String>)>>,
        panics: bool,
    }

    impl Events for Steps {
        fn send(&self, event: Event) {
            let Event::TurnProgress(progress) = event else { return };
            let step = progress.step;
            self.sent.lock().unwrap_or_else(PoisonError::into_inner).push((step, progress.error));
            assert!(!(self.panics && step == TurnStep::Text), "a fault in the middle of an answer");
        }
    }

    #[tokio::test]
    async fn a_turn_that_panics_reports_a_failure_and_unlocks_its_conversation() {
        let folder = tempfile::tempdir().expect("a folder");
        let world = World::on(Arc::new(SqliteCatalogue::new(folder.path().to_owned()))).await;
        let conversation = world.conversation().await;
        world.say(&conversation, Role::User, "Who guards the gate?").await;
        let (session, turns) = (Arc::new(world.session), Arc::new(Turns::default()));
        for panics in [true, false] {
            let steps = Arc::new(Steps { sent: Mutex::default(), panics });
            let (stop, answering) = turns.begin(conversation.id).expect("the conversation is free");
            assert!(turns.begin(conversation.id).is_none() && turns.is_running(conversation.id));
            let turn = Turn {
                session: Arc::clone(&session),
                answering,
                model: Arc::new(ScriptedModel::new([Play::Says(vec!["Mira ", "does."])])),
                summariser: Arc::new(Extractive),
                conversation: conversation.clone(),
                stop,
                sink: Sink {
                    events: Arc::<Steps>::clone(&steps),
                    written: Arc::default(),
                    conversation: conversation.id,
                },
                actor: Actor::of_interface(Interface::Window),
            };
            let ended = turn.run().await;
            assert_eq!(ended.is_err(), panics);
            assert!(!turns.is_running(conversation.id));
            let last = steps.sent.lock().unwrap_or_else(PoisonError::into_inner).last().cloned();
            let expected =
                if panics { (TurnStep::Failed, Some(BROKE_OFF.to_owned())) } else { (TurnStep::Done, None) };
            assert_eq!(last, Some(expected));
            let page =
                session.transcripts().page(conversation.id, MessageRange::After(0), 50).await.expect("read");
            assert!(page.messages.iter().all(|m| m.body.delivery != Delivery::Streaming));
        }
    }
}
