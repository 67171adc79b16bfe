//! Commands of turns with the World Agent and of the language model.

use std::path::PathBuf;

use inklings_api::{
    conversation::view::SentMessage,
    view::chat::{ChatEndpoint, ChatSettings, EndpointTest, RunningModels, TokenUsage},
};

use crate::{Answer, Core};

/// Stores a message of the worldbuilder, with the texts of files as attachments; the answer is sent as events.
#[specta::specta]
pub async fn say(core: Core, conversation: String, text: String, files: Vec<String>) -> Answer<SentMessage> {
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    core.app()?.conversation().say(&conversation, &text, &files, core.events()).await
}

/// Answers the last message again.
#[specta::specta]
pub async fn answer_again(core: Core, conversation: String) -> Answer<()> {
    core.app()?.conversation().answer_again(&conversation, core.events()).await
}

/// Stops the answer; the text received so far is stored.
#[specta::specta]
pub async fn cancel_answer(core: Core, conversation: String) -> Answer<()> {
    core.app()?.conversation().cancel_answer(&conversation).await
}

/// The language model settings.
#[specta::specta]
pub async fn chat_settings(core: Core) -> Answer<ChatSettings> {
    core.app()?.model().chat_settings().await
}

/// Connects an endpoint, or disconnects.
#[specta::specta]
pub async fn set_chat_endpoint(
    core: Core,
    endpoint: Option<ChatEndpoint>,
    key: Option<String>,
    forget_key: bool,
) -> Answer<ChatSettings> {
    core.app()?.model().set_chat_endpoint(endpoint, key, forget_key).await
}

/// Programs on this machine that run and offer models.
#[specta::specta]
pub async fn running_models(core: Core) -> Answer<Vec<RunningModels>> {
    Ok(core.app()?.model().running_models().await)
}

/// Asks an endpoint for its list of models.
#[specta::specta]
pub async fn test_chat_endpoint(
    core: Core,
    endpoint: ChatEndpoint,
    key: Option<String>,
) -> Answer<EndpointTest> {
    core.app()?.model().test_chat_endpoint(endpoint, key).await
}

/// The tokens that models used in all worlds, of the last days.
#[specta::specta]
pub async fn token_usage(core: Core, days: u32) -> Answer<Vec<TokenUsage>> {
    core.app()?.model().token_usage(days).await
}
