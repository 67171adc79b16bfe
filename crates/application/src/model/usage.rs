//! How many tokens language models used, over all workspaces. Counts alone: no text, no conversation, no workspace.

use std::sync::Arc;

use chrono::NaiveDate;
use futures::StreamExt;

use crate::{
    clock::Clock,
    model::chat::{ChatEndpoint, ChatError, ChatEvent, ChatModel, ChatRequest, ChatStream, ChatUsage},
    store_error::StoreError,
};

/// The tokens of one model on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenUsage {
    /// The day, in UTC.
    pub day: NaiveDate,
    /// Base URL of the endpoint.
    pub address: String,
    /// Name of the model at the endpoint.
    pub model: String,
    /// Answers that were received whole.
    pub answers: u64,
    /// Those of them for which the endpoint gave no counts.
    pub unreported: u64,
    /// Tokens that the model read.
    pub input: u64,
    /// Tokens that it wrote.
    pub output: u64,
}

/// Stores the counts, in the account's database.
#[async_trait::async_trait]
pub trait TokenUsageStore: Send + Sync {
    /// Adds an answer to the counts of its day and model. `None` if the endpoint reported no counts.
    async fn add_usage(
        &self,
        day: NaiveDate,
        endpoint: &ChatEndpoint,
        usage: Option<ChatUsage>,
    ) -> Result<(), StoreError>;

    /// The counts from a day on, newest day first, then by address and model.
    async fn usage_since(&self, day: NaiveDate) -> Result<Vec<TokenUsage>, StoreError>;
}

/// Counts the tokens of whatever is asked of a model. Counting cannot fail an answer.
pub struct Metered(Arc<Meter>);

struct Meter {
    model: Arc<dyn ChatModel>,
    store: Arc<dyn TokenUsageStore>,
    clock: Arc<dyn Clock>,
}

impl Metered {
    /// Wraps a model.
    pub fn new(model: Arc<dyn ChatModel>, store: Arc<dyn TokenUsageStore>, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Meter { model, store, clock }))
    }
}

impl Meter {
    async fn count(&self, usage: Option<ChatUsage>) {
        let day = self.clock.now().date_naive();
        if let Err(error) = self.store.add_usage(day, self.model.endpoint(), usage).await {
            tracing::warn!(%error, "the tokens of an answer were not counted");
        }
    }
}

#[async_trait::async_trait]
impl ChatModel for Metered {
    fn endpoint(&self) -> &ChatEndpoint {
        self.0.model.endpoint()
    }

    async fn answer(&self, request: ChatRequest) -> Result<ChatStream, ChatError> {
        let stream = self.0.model.answer(request).await?;
        let meter = Arc::clone(&self.0);
        let counted = stream.then(move |event| {
            let meter = Arc::clone(&meter);
            async move {
                if let Ok(ChatEvent::Done { usage, .. }) = &event {
                    meter.count(*usage).await;
                }
                event
            }
        });
        Ok(counted.boxed())
    }
}
