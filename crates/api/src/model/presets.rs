//! Common endpoints of language models, and which of those on this machine run.

use std::{env, net::IpAddr, time::Duration};

use futures::future::join_all;
use tokio::time::timeout;

use crate::{
    state::chat::Chat,
    view::chat::{ChatEndpoint, ChatPreset, ChatProvider, RunningModels},
};

/// How long a program on this machine may take to list its models.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);
/// Port at which Ollama listens unless `OLLAMA_HOST` names another.
const OLLAMA_PORT: u16 = 11_434;

/// Presets for common endpoints.
pub(super) fn presets() -> Vec<ChatPreset> {
    let preset = |id: &str, name: &str, provider, base_url: &str, needs_key, hint: &str| ChatPreset {
        id: id.to_owned(),
        name: name.to_owned(),
        provider,
        base_url: base_url.to_owned(),
        needs_key,
        hint: hint.to_owned(),
    };
    let open = ChatProvider::OpenAiCompatible;
    vec![
        preset(
            "ollama",
            "Ollama",
            open,
            &ollama(env::var("OLLAMA_HOST").ok().as_deref()),
            false,
            "Runs on this machine. Start Ollama and pull a model first.",
        ),
        preset(
            "lmstudio",
            "LM Studio",
            open,
            "http://127.0.0.1:1234/v1",
            false,
            "Runs on this machine. Load a model and start its server first.",
        ),
        preset(
            "llamacpp",
            "llama.cpp",
            open,
            "http://127.0.0.1:8080/v1",
            false,
            "Runs on this machine. Start llama-server first.",
        ),
        preset(
            "openai",
            "OpenAI",
            open,
            "https://api.openai.com/v1",
            true,
            "What you say leaves this machine. Needs a key.",
        ),
        preset(
            "openrouter",
            "OpenRouter",
            open,
            "https://openrouter.ai/api/v1",
            true,
            "What you say leaves this machine. Needs a key.",
        ),
        preset(
            "anthropic",
            "Anthropic",
            ChatProvider::Anthropic,
            "https://api.anthropic.com",
            true,
            "What you say leaves this machine. Needs a key.",
        ),
    ]
}

/// The address of Ollama for a value of `OLLAMA_HOST`: a port, a host, or both, with or without a scheme. An address of
/// another machine is not tried unasked.
fn ollama(host: Option<&str>) -> String {
    let given = host.map(str::trim).unwrap_or_default();
    let given = given.strip_prefix("http://").unwrap_or(given).trim_end_matches('/');
    let (host, port) = match given.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (given, None),
    };
    let is_here = host.is_empty()
        || host == "localhost"
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified());
    let port = port.filter(|_| is_here).unwrap_or(OLLAMA_PORT);
    format!("http://127.0.0.1:{port}/v1")
}

/// The programs on this machine that run and have models. Asks loopback addresses alone.
pub(super) async fn running(chat: &Chat) -> Vec<RunningModels> {
    let local = presets().into_iter().filter(|preset| !preset.needs_key);
    let asked = local.map(async |preset| {
        let endpoint = ChatEndpoint {
            provider: preset.provider,
            base_url: preset.base_url.clone(),
            model: String::new(),
            context_tokens: 0,
            summary_model: None,
        };
        let answer = timeout(LONGEST_ANSWER, chat.models.available(&endpoint.into(), None)).await;
        let models = answer.ok()?.ok()?;
        (!models.is_empty()).then_some(RunningModels { preset, models })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_ollama_follows_its_variable_on_this_machine_alone() {
        for (value, expected) in [
            (None, "http://127.0.0.1:11434/v1"),
            (Some(""), "http://127.0.0.1:11434/v1"),
            (Some(":4000"), "http://127.0.0.1:4000/v1"),
            (Some("0.0.0.0"), "http://127.0.0.1:11434/v1"),
            (Some("0.0.0.0:4000"), "http://127.0.0.1:4000/v1"),
            (Some("http://localhost:4000/"), "http://127.0.0.1:4000/v1"),
            (Some("127.0.0.1:4000"), "http://127.0.0.1:4000/v1"),
            (Some("10.1.2.3:4000"), "http://127.0.0.1:11434/v1"),
            (Some("models.example:4000"), "http://127.0.0.1:11434/v1"),
        ] {
            assert_eq!(ollama(value), expected, "{value:?}");
        }
    }
}
