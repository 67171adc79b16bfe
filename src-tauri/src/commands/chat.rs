//! Talking with the World Agent, and the language model behind it.

use inklings_api::views::{
    chat::{ChatEndpoint, ChatSettings, EndpointTest},
    talk::Said,
};

use super::{Answer, Core};

/// Keeps what the worldbuilder said; the answer follows as events.
#[tauri::command]
#[specta::specta]
pub async fn say(core: Core<'_>, conversation: String, text: String) -> Answer<Said> {
    core.app()?.say(&conversation, &text, core.events()).await
}

/// Asks for an answer once more.
#[tauri::command]
#[specta::specta]
pub async fn answer_again(core: Core<'_>, conversation: String) -> Answer<()> {
    core.app()?.answer_again(&conversation, core.events()).await
}

/// Stops the answer; what had arrived is kept.
#[tauri::command]
#[specta::specta]
pub async fn cancel_answer(core: Core<'_>, conversation: String) -> Answer<()> {
    core.app()?.cancel_answer(&conversation).await
}

/// How the language model is set.
#[tauri::command]
#[specta::specta]
pub async fn chat_settings(core: Core<'_>) -> Answer<ChatSettings> {
    core.app()?.chat_settings().await
}

/// Connects an endpoint, or disconnects.
#[tauri::command]
#[specta::specta]
pub async fn set_chat_endpoint(
    core: Core<'_>,
    endpoint: Option<ChatEndpoint>,
    key: Option<String>,
    forget_key: bool,
) -> Answer<ChatSettings> {
    core.app()?.set_chat_endpoint(endpoint, key, forget_key).await
}

/// Asks an endpoint which models it offers.
#[tauri::command]
#[specta::specta]
pub async fn test_chat_endpoint(
    core: Core<'_>,
    endpoint: ChatEndpoint,
    key: Option<String>,
) -> Answer<EndpointTest> {
    core.app()?.test_chat_endpoint(endpoint, key).await
}
