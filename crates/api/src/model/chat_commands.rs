//! Language model endpoint: settings, connection test and storage of its API key.

use std::time::Instant;

use chrono::Days;
use inklings_application::error::AppError;
use inklings_ports::model::chat::Secret;

use crate::{
    commands::ModelCommands,
    error::CommandError,
    model::presets::{presets, running},
    state::chat::{ENDPOINT, key_name, refused, secret_error},
    stored,
    view::chat::{ChatEndpoint, ChatSettings, EndpointTest, RunningModels, TokenUsage},
};

/// Smallest context window, in tokens, that is accepted for a model.
const LEAST_CONTEXT: u32 = 2_048;
/// Days whose tokens are shown at most.
const MOST_DAYS: u32 = 3_660;

impl ModelCommands<'_> {
    /// The language model settings, without the key.
    ///
    /// # Errors
    /// [`CommandError`] if the setting cannot be read.
    pub async fn chat_settings(&self) -> Result<ChatSettings, CommandError> {
        let endpoint = self.app.chat.endpoint().await?;
        let has_key = match &endpoint {
            Some(endpoint) => self.app.chat.key(endpoint).await?.is_some(),
            None => false,
        };
        let key_place = self.app.chat.secrets.place();
        Ok(ChatSettings { endpoint, has_key, key_place, presets: presets() })
    }

    /// Connects an endpoint, or disconnects with `None`. Stores a given key for this address; `forget_key`
    /// removes the stored key.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid address or number; no setting is changed in that
    /// case.
    pub async fn set_chat_endpoint(
        &self,
        endpoint: Option<ChatEndpoint>,
        key: Option<String>,
        forget_key: bool,
    ) -> Result<ChatSettings, CommandError> {
        let before = self.app.chat.endpoint().await?;
        if let Some(endpoint) = &endpoint {
            check(endpoint)?;
            self.app.chat.models.connect(&endpoint.clone().into(), None).map_err(|error| {
                CommandError::invalid("baseUrl", crate::error::sentence(&error.to_string()))
            })?;
            let key = key.filter(|key| !key.trim().is_empty()).map(|key| Secret::new(key.trim()));
            if key.is_some() || forget_key {
                self.app
                    .chat
                    .secrets
                    .set_secret(&key_name(endpoint), key)
                    .await
                    .map_err(|error| secret_error(&error))?;
            }
        } else if let Some(before) = before.filter(|_| forget_key) {
            self.app
                .chat
                .secrets
                .set_secret(&key_name(&before), None)
                .await
                .map_err(|error| secret_error(&error))?;
        }
        stored::write(&*self.app.chat.settings, ENDPOINT, &endpoint).await?;
        self.chat_settings().await
    }

    /// Programs on this machine that run and offer models, such as Ollama.
    pub async fn running_models(&self) -> Vec<RunningModels> {
        running(&self.app.chat).await
    }

    /// The tokens that models used in all worlds, of the last `days` days, newest day first.
    ///
    /// # Errors
    /// [`CommandError`] if the counts cannot be read.
    pub async fn token_usage(&self, days: u32) -> Result<Vec<TokenUsage>, CommandError> {
        let today = self.app.chat.clock.now().date_naive();
        let since = today - Days::new(u64::from(days.clamp(1, MOST_DAYS) - 1));
        let found = self.app.chat.usage.usage_since(since).await.map_err(AppError::from)?;
        Ok(found.into_iter().map(TokenUsage::from).collect())
    }

    /// Asks an endpoint for its list of models, which verifies the address and the key.
    ///
    /// # Errors
    /// [`CommandError`] of code `model_unavailable` with the reason.
    pub async fn test_chat_endpoint(
        &self,
        endpoint: ChatEndpoint,
        key: Option<String>,
    ) -> Result<EndpointTest, CommandError> {
        let started = Instant::now();
        let key = match key.filter(|key| !key.trim().is_empty()) {
            Some(key) => Some(Secret::new(key.trim())),
            None => self.app.chat.key(&endpoint).await?,
        };
        let models =
            self.app.chat.models.available(&endpoint.into(), key).await.map_err(|error| refused(&error))?;
        Ok(EndpointTest { models, took_ms: started.elapsed().as_secs_f64() * 1000.0 })
    }
}

fn check(endpoint: &ChatEndpoint) -> Result<(), CommandError> {
    if endpoint.model.trim().is_empty() {
        return Err(CommandError::invalid("model", "Choose a model."));
    }
    if endpoint.context_tokens < LEAST_CONTEXT {
        let message = format!("A model must read at least {LEAST_CONTEXT} tokens at once.");
        return Err(CommandError::invalid("contextTokens", message));
    }
    Ok(())
}
