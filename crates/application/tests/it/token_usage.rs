//! The tokens of language models are counted, whoever asks them.

use std::sync::Arc;

use futures::{StreamExt, stream};
use inklings_application::model::Metered;
use inklings_ports::model::chat::{
    ChatEndpoint, ChatError, ChatEvent, ChatModel, ChatProvider, ChatRequest, ChatStream, ChatUsage,
    StopReason, whole_answer,
};

use crate::support::World;

/// Answers with one word and these counts; without counts it breaks off.
struct Counted(ChatEndpoint, Option<ChatUsage>);

#[async_trait::async_trait]
impl ChatModel for Counted {
    fn endpoint(&self) -> &ChatEndpoint {
        &self.0
    }

    async fn answer(&self, _: ChatRequest) -> Result<ChatStream, ChatError> {
        let end = match self.1 {
            Some(usage) => Ok(ChatEvent::Done { reason: StopReason::Finished, usage: Some(usage) }),
            None => Err(ChatError::BrokenOff),
        };
        Ok(stream::iter([Ok(ChatEvent::Text("Yes.".into())), end]).boxed())
    }
}

#[tokio::test]
async fn every_whole_answer_is_counted_and_counting_changes_no_answer() {
    let world = World::new().await;
    let store = Arc::clone(&world.session.account.token_usage);
    let endpoint = ChatEndpoint {
        provider: ChatProvider::Anthropic,
        base_url: "https://api.example".into(),
        model: "large".into(),
        context_tokens: 8_192,
    };
    let metered = |usage| {
        let model = Arc::new(Counted(endpoint.clone(), usage));
        Metered::new(model, Arc::clone(&store), world.session.clock.clone())
    };
    let usage = Some(ChatUsage { input: 12, output: 3 });
    for _ in 0..2 {
        let answer = whole_answer(&metered(usage), ChatRequest::default()).await;
        assert_eq!(answer.as_deref(), Ok("Yes."));
    }
    let broken = whole_answer(&metered(None), ChatRequest::default()).await;
    assert_eq!(broken, Err(ChatError::BrokenOff));
    let today = world.session.clock.now().date_naive();
    let counted = store.usage_since(today).await.expect("read");
    assert_eq!(counted.len(), 1);
    assert_eq!((counted[0].answers, counted[0].input, counted[0].output), (2, 24, 6));
}
