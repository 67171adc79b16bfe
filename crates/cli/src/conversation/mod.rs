//! The `inklings conversation` commands.

pub mod args;
pub mod show;

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use inklings_api::{
    App, Event, Events, NoopEvents,
    conversation::view::{ConversationList, Delivery, MessageRange, MessageView, Role},
    error::ErrorCode,
    events::TurnStep,
    search::view::MessageSearchRequest,
};

use crate::conversation::args::{ConversationVerb, ListConversations, SearchMessages};
use crate::{
    failure::Failure,
    output::{Output, texts::read},
    shared_args::Common,
    store,
};

/// Records how an answer ended; the answer itself is read from the transcript.
#[derive(Debug, Default)]
struct Listener(std::sync::Mutex<Option<String>>);

impl Events for Listener {
    fn send(&self, event: Event) {
        if let Event::TurnProgress(progress) = event
            && progress.step == TurnStep::Failed
        {
            *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = progress.error;
        }
    }
}

pub async fn run(verb: ConversationVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    if let ConversationVerb::Import { file, preview: true, .. } = &verb {
        // A preview creates nothing, not even a first workspace.
        let look = store::look(common, out).await?;
        let how = How { channel: None, preview: true, partial: false };
        return import(&look.app, file, how, out).await;
    }
    let app = store::workspace(common, out).await?;
    let done = match verb {
        ConversationVerb::Start { channel, title, lens } => {
            let channel = channel_id(&app, channel.as_deref()).await?;
            let lens = lens.spec();
            // A lens that cannot be read starts nothing.
            if let Some(lens) = &lens {
                app.lens().read_lens(lens).await?;
            }
            let mut started = app.conversation().start_conversation(channel.as_deref(), &title).await?;
            if let Some(lens) = lens {
                started = app.lens().set_conversation_lens(&started.id, &lens).await?;
            }
            return out.answer(&started, |started| started.ref_code.clone());
        }
        ConversationVerb::Continue { conversation } => {
            let started = app.conversation().continue_conversation(&conversation).await?;
            return out.answer(&started, |started| started.ref_code.clone());
        }
        ConversationVerb::Branch { conversation, at } => {
            let branch = app.conversation().branch_conversation(&conversation, at).await?;
            return out.answer(&branch, |branch| branch.ref_code.clone());
        }
        ConversationVerb::List(request) => return list(&app, request, out).await,
        ConversationVerb::Show { conversation, limit, before } => {
            let range = before.map_or(MessageRange::Newest, |position| MessageRange::Before { position });
            let page = app.conversation().list_messages(&conversation, range, limit).await?;
            return out.answer(&page, |page| show::messages(&page.messages));
        }
        ConversationVerb::Say { conversation, text, no_answer, attach } => {
            return Box::pin(say(&app, &conversation, (text, &attach), no_answer, out)).await;
        }
        ConversationVerb::Shown { conversation, limit, after } => {
            let page =
                app.orientation().list_reads(Some(&conversation), None, after.as_deref(), limit).await?;
            return out.answer(&page, crate::orientation::show::reads);
        }
        ConversationVerb::Context { conversation, query } => {
            app.model().load_model().await;
            return out.answer(
                &app.conversation().preview_context(&conversation, query.as_deref()).await?,
                show::context,
            );
        }
        ConversationVerb::Import { file, channel, preview, partial } => {
            let how = How { channel: channel.as_deref(), preview, partial };
            return import(&app, &file, how, out).await;
        }
        ConversationVerb::Search(request) => return search(&app, request, out).await,
        ConversationVerb::Delete { conversation, yes } => return delete(&app, &conversation, yes, out).await,
        ConversationVerb::Compact { conversation, retain, name, preview } => {
            return compact(&app, &conversation, retain, name.as_deref(), preview, out).await;
        }
        ConversationVerb::Episodes { conversation, summarise, retain_last, max_age_days } => {
            if summarise {
                let made =
                    app.conversation().summarise_old_turns(&conversation, retain_last, max_age_days).await?;
                out.note(format!("{} made.", made.len()));
            }
            return out.answer(&*app.conversation().list_episodes(&conversation).await?, show::episodes);
        }
        ConversationVerb::Idle { conversation } => {
            let idle = app.conversation().idle_conversation(&conversation).await?;
            app.consolidation().persist_now(Arc::new(NoopEvents)).await?;
            idle
        }
        ConversationVerb::Archive { conversation } => {
            let archived = app.conversation().archive_conversation(&conversation).await?;
            app.consolidation().persist_now(Arc::new(NoopEvents)).await?;
            archived
        }
        ConversationVerb::Lens { conversation, lens } => {
            app.lens().set_conversation_lens(&conversation, &lens.spec().unwrap_or_default()).await?
        }
        ConversationVerb::Rename { conversation, title } => {
            app.conversation().rename_conversation(&conversation, &title).await?
        }
        ConversationVerb::Model { conversation, model } => {
            app.conversation().set_conversation_model(&conversation, model.as_deref()).await?
        }
        ConversationVerb::Move { conversation, channel } => {
            app.conversation()
                .move_conversation(&conversation, &app.channel().channel_id(&channel).await?)
                .await?
        }
    };
    out.answer(&done, |done| show::conversations(std::slice::from_ref(done)))
}

pub async fn channel_id(app: &App, name: Option<&str>) -> Result<Option<String>, Failure> {
    match name {
        Some(name) => Ok(Some(app.channel().channel_id(name).await?)),
        None => Ok(None),
    }
}

async fn list(app: &App, request: ListConversations, out: &Output) -> Result<(), Failure> {
    let channel_id = channel_id(app, request.channel.as_deref()).await?;
    let statuses = request.statuses.into_iter().map(Into::into).collect();
    let (title, after, limit) = (request.title, request.after, request.limit);
    let page = app
        .conversation()
        .list_conversations(ConversationList { channel_id, statuses, title, after, limit })
        .await?;
    if let Some(next) = &page.next {
        out.note(format!("More: --after {next}"));
    }
    out.answer(&page, |page| show::conversations(&page.rows))
}

async fn say(
    app: &App,
    conversation: &str,
    (text, attach): (String, &[PathBuf]),
    no_answer: bool,
    out: &Output,
) -> Result<(), Failure> {
    let text = read(text)?;
    if no_answer {
        let message = app.conversation().add_message_without_answer(conversation, &text, attach).await?;
        return out.answer(&serde_json::json!({ "message": message, "answer": null }), |_| String::new());
    }
    app.model().load_model().await;
    let listener = Arc::new(Listener::default());
    let (words, _) = Box::pin(app.conversation().say_and_wait(
        conversation,
        &text,
        attach,
        Arc::<Listener>::clone(&listener),
    ))
    .await?;
    if !words.answering {
        out.note("Kept. No language model is connected: see `inklings chat connect`.");
    }
    let answer = answer(app, conversation, &words.message).await?;
    let error = listener.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    let view = serde_json::json!({ "message": words.message, "answer": answer, "error": error });
    out.answer(&view, |_| answer.as_ref().map(|answer| answer.content.clone()).unwrap_or_default())?;
    match error {
        // The message and the received text are stored; the exit code reports that the answer is incomplete.
        Some(error) => Err(Failure::new(ErrorCode::ModelUnavailable, error)),
        None => Ok(()),
    }
}

/// The World Agent's last message after a given message.
async fn answer(app: &App, conversation: &str, behind: &MessageView) -> Result<Option<MessageView>, Failure> {
    let range = MessageRange::After { position: behind.position };
    let page = app.conversation().list_messages(conversation, range, 500).await?;
    let is_answer = |m: &MessageView| m.role == Role::Assistant && m.delivery != Delivery::Streaming;
    Ok(page.messages.into_iter().rev().find(is_answer))
}

/// How conversations are imported.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    /// Name of the channel; the default channel if absent.
    pub channel: Option<&'a str>,
    /// Only show what would be imported.
    pub preview: bool,
    /// Import what can be read if some conversations cannot.
    pub partial: bool,
}

/// Imports a file of conversations, or shows what would be imported.
///
/// # Errors
/// The file cannot be read, or not all of it and `partial` is not set.
pub async fn import(app: &App, file: &Path, how: How<'_>, out: &Output) -> Result<(), Failure> {
    let events: Arc<dyn Events> = Arc::new(Listener::default());
    if how.preview {
        return out
            .answer(&app.conversation().preview_conversation_import(file, events).await?, show::import);
    }
    let channel = channel_id(app, how.channel).await?;
    let conversations = app.conversation();
    let done =
        conversations.import_conversations(file, channel.as_deref(), how.partial, Arc::clone(&events)).await;
    let done = match done {
        Ok(done) => done,
        Err(mut error) => {
            let readable = !how.partial && error.code == ErrorCode::Invalid;
            if readable && let Ok(found) = conversations.preview_conversation_import(file, events).await {
                let _ = write!(
                    error.message,
                    " {} conversations cannot be read and {} can: --partial imports those.",
                    found.refused, found.conversations
                );
            }
            return Err(error.into());
        }
    };
    out.answer(&done, |done| {
        let mut text =
            format!("{} new, {} updated; {} messages.", done.conversations, done.updated, done.messages);
        if done.refused > 0 {
            let _ = write!(text, " {} could not be read and were left out.", done.refused);
        }
        text
    })
}

async fn search(app: &App, request: SearchMessages, out: &Output) -> Result<(), Failure> {
    app.memory().prepare_search(&request.query).await?;
    let channel_id = channel_id(app, request.channel.as_deref()).await?;
    let found = app
        .conversation()
        .search_messages(MessageSearchRequest {
            query: request.query,
            conversation: request.conversation,
            channel_id,
            archived: request.archived,
            limit: request.limit,
            strategy: request.strategy,
        })
        .await?;
    if let Some(reason) = &found.mode_reason {
        out.note(reason);
    }
    out.answer(&found, |found| show::hits(&found.hits))
}

async fn delete(app: &App, conversation: &str, yes: bool, out: &Output) -> Result<(), Failure> {
    let view = app.conversation().get_conversation(conversation).await?;
    if !yes {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::Usage("Deleting cannot be undone: add --yes.".to_owned()));
        }
        let mut stderr = std::io::stderr();
        let _ = write!(
            stderr,
            "Delete {} messages of {} for good? Its {} memories are only forgotten. Type yes: ",
            view.messages, view.ref_code, view.memories
        );
        let _ = stderr.flush();
        let mut typed = String::new();
        std::io::stdin().read_line(&mut typed).map_err(|error| Failure::internal(&error))?;
        if typed.trim() != "yes" {
            return Err(Failure::Usage("Nothing was deleted.".to_owned()));
        }
    }
    app.conversation().delete_conversation(conversation).await?;
    out.answer(&serde_json::json!({ "deleted": view.ref_code }), |_| "Deleted.".to_owned())
}

async fn compact(
    app: &App,
    conversation: &str,
    retain: Option<u32>,
    name: Option<&str>,
    preview: bool,
    out: &Output,
) -> Result<(), Failure> {
    if preview {
        let plan = app.conversation().preview_compaction(conversation, retain).await?;
        return out.answer(&plan, |plan| plan.as_ref().map_or_else(nothing, show::compaction));
    }
    let marker = app.conversation().compact_conversation(conversation, retain, name).await?;
    let archive = |m: &MessageView| m.marker.as_ref().map(|m| m.archive_name.clone()).unwrap_or_default();
    out.answer(&marker, |marker| marker.as_ref().map_or_else(nothing, archive))
}

fn nothing() -> String {
    "There is too little to compact.".to_owned()
}
