//! The language model of this process.

use std::sync::Arc;

use inklings_application::{
    model::chat::{ChatError, ChatModel, ChatModels, Secret, SecretError, SecretStore},
    workspace::settings::SettingsStore,
};

use crate::{
    error::{CommandError, ErrorCode},
    model::chat_view::ChatEndpoint,
    settings::stored,
};

pub(super) const ENDPOINT: &str = "chat_endpoint";

/// The language model of this process and the key store it uses.
pub struct Chat {
    pub(super) models: Arc<dyn ChatModels>,
    pub(super) secrets: Arc<dyn SecretStore>,
    pub(super) settings: Arc<dyn SettingsStore>,
}

impl Chat {
    /// Takes the ports for models and keys. The endpoint in use is stored in the account's settings.
    pub fn new(
        models: Arc<dyn ChatModels>,
        secrets: Arc<dyn SecretStore>,
        settings: Arc<dyn SettingsStore>,
    ) -> Self {
        Self { models, secrets, settings }
    }

    pub(super) async fn endpoint(&self) -> Result<Option<ChatEndpoint>, CommandError> {
        stored::read(&*self.settings, ENDPOINT).await
    }

    pub(super) async fn key(&self, endpoint: &ChatEndpoint) -> Result<Option<Secret>, CommandError> {
        self.secrets.secret(&key_name(endpoint)).await.map_err(|error| secret_error(&error))
    }

    /// The model in use, if one is connected.
    ///
    /// # Errors
    /// [`CommandError`] if the setting or the key cannot be read.
    pub async fn model(&self) -> Result<Option<Arc<dyn ChatModel>>, CommandError> {
        match self.endpoint().await? {
            Some(endpoint) => self.connected(endpoint).await.map(Some),
            None => Ok(None),
        }
    }

    /// The models that write summaries, the first choice first; none if none is connected.
    ///
    /// # Errors
    /// As [`Self::model`].
    pub async fn summary_models(&self) -> Result<Vec<Arc<dyn ChatModel>>, CommandError> {
        let Some(endpoint) = self.endpoint().await? else { return Ok(Vec::new()) };
        let mut models = Vec::with_capacity(2);
        for endpoint in endpoint.for_summaries().into_iter().chain([endpoint]) {
            models.push(self.connected(endpoint).await?);
        }
        Ok(models)
    }

    async fn connected(&self, endpoint: ChatEndpoint) -> Result<Arc<dyn ChatModel>, CommandError> {
        let key = self.key(&endpoint).await?;
        self.models.connect(&endpoint.into(), key).map_err(|error| refused(&error))
    }
}

/// Names the stored key by address, so that a key is never sent to another address that is
/// entered later.
pub(super) fn key_name(endpoint: &ChatEndpoint) -> String {
    format!("chat:{}", endpoint.base_url.trim().trim_end_matches('/').to_lowercase())
}

pub(super) fn secret_error(error: &SecretError) -> CommandError {
    CommandError::new(ErrorCode::ModelUnavailable, crate::error::sentence(&error.to_string()))
}

pub(super) fn refused(error: &ChatError) -> CommandError {
    CommandError::new(ErrorCode::ModelUnavailable, crate::error::sentence(&error.to_string()))
}
