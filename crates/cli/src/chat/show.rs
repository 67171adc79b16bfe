//! Prints the language model settings as text.

use inklings_api::model::chat_view::ChatSettings;

pub fn chat(settings: &ChatSettings) -> String {
    let Some(endpoint) = &settings.endpoint else { return "No language model is connected.".to_owned() };
    let key = if settings.has_key { format!("a key in {}", settings.key_place) } else { "no key".to_owned() };
    format!("{} at {} ({} tokens, {key})", endpoint.model, endpoint.base_url, endpoint.context_tokens)
}
