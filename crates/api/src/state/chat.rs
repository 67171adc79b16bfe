//! The language model of this process.

use std::sync::Arc;

use inklings_application::{error::AppError, model::Metered};
use inklings_domain::conversation::ModelChoice;
use inklings_ports::{
    clock::Clock,
    model::{
        chat::{ChatError, ChatModel, ChatModels, Secret, SecretError, SecretStore},
        usage::TokenUsageStore,
    },
    workspace::{catalogue::AccountPorts, settings::SettingsStore},
};

use crate::{
    error::{CommandError, ErrorCode},
    stored,
    view::chat::ChatEndpoint,
};

pub(crate) const ENDPOINT: &str = "chat_endpoint";

/// The language model of this process and the key store it uses.
pub struct Chat {
    pub(crate) models: Arc<dyn ChatModels>,
    pub(crate) secrets: Arc<dyn SecretStore>,
    pub(crate) settings: Arc<dyn SettingsStore>,
    pub(crate) usage: Arc<dyn TokenUsageStore>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Chat {
    /// Takes the ports for models and keys. The endpoint in use is stored in the account's settings, and the tokens of every
    /// answer are counted in its database.
    pub fn new(
        models: Arc<dyn ChatModels>,
        secrets: Arc<dyn SecretStore>,
        account: &AccountPorts,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let (settings, usage) = (Arc::clone(&account.settings), Arc::clone(&account.token_usage));
        Self { models, secrets, settings, usage, clock }
    }

    pub(crate) async fn endpoint(&self) -> Result<Option<ChatEndpoint>, CommandError> {
        stored::read(&*self.settings, ENDPOINT).await
    }

    pub(crate) async fn key(&self, endpoint: &ChatEndpoint) -> Result<Option<Secret>, CommandError> {
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

    /// The model that answers in a conversation: the one that it names, or the one in use. Another one never takes the place of
    /// one that is named.
    ///
    /// # Errors
    /// As [`Self::model`]; [`CommandError`] of code `model_unavailable` if the endpoint of the named model is not connected.
    pub async fn model_of(
        &self,
        choice: Option<&ModelChoice>,
    ) -> Result<Option<Arc<dyn ChatModel>>, CommandError> {
        let Some(choice) = choice else { return self.model().await };
        match self.endpoint().await? {
            Some(endpoint) if same_address(&endpoint.base_url, choice.address()) => {
                self.connected(ChatEndpoint { model: choice.model().to_owned(), ..endpoint }).await.map(Some)
            }
            _ => Err(CommandError::new(
                ErrorCode::ModelUnavailable,
                format!(
                    "This conversation names the model {} at {}, which is not connected. Connect it in the settings, or choose \
                     another model for this conversation.",
                    choice.model(),
                    choice.address()
                ),
            )),
        }
    }

    /// The choice of a model at the endpoint in use.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a name that is none, `model_unavailable` if no endpoint is connected.
    pub async fn choice(&self, model: &str) -> Result<ModelChoice, CommandError> {
        let endpoint = self.endpoint().await?.ok_or_else(|| {
            CommandError::new(
                ErrorCode::ModelUnavailable,
                "No language model is connected. Connect one in the settings.",
            )
        })?;
        Ok(ModelChoice::new(model, &endpoint.base_url).map_err(AppError::from)?)
    }

    /// The models that write summaries, the first choice first; none if none is connected.
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
        let model = self.models.connect(&endpoint.into(), key).map_err(|error| refused(&error))?;
        Ok(Arc::new(Metered::new(model, Arc::clone(&self.usage), Arc::clone(&self.clock))))
    }
}

/// True if two base URLs are of one endpoint.
fn same_address(one: &str, other: &str) -> bool {
    normal(one) == normal(other)
}

fn normal(base_url: &str) -> String {
    base_url.trim().trim_end_matches('/').to_lowercase()
}

/// Names the stored key by address, so that a key is never sent to another address that is
/// entered later.
pub(crate) fn key_name(endpoint: &ChatEndpoint) -> String {
    format!("chat:{}", normal(&endpoint.base_url))
}

pub(crate) fn secret_error(error: &SecretError) -> CommandError {
    CommandError::new(ErrorCode::ModelUnavailable, crate::error::sentence(&error.to_string()))
}

pub(crate) fn refused(error: &ChatError) -> CommandError {
    CommandError::new(ErrorCode::ModelUnavailable, crate::error::sentence(&error.to_string()))
}
