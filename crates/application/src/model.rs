//! Counts the tokens that language models use.

use std::sync::Arc;

use futures::StreamExt;
use inklings_ports::{
    clock::Clock,
    model::{
        chat::{ChatEndpoint, ChatError, ChatEvent, ChatModel, ChatRequest, ChatStream, ChatUsage},
        usage::TokenUsageStore,
    },
};

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
