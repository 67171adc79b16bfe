//! Counts of the tokens that language models used.

use std::sync::Arc;

use chrono::{Days, NaiveDate};
use inklings_ports::{
    model::{
        chat::{ChatEndpoint, ChatProvider, ChatUsage},
        usage::{TokenUsage, TokenUsageStore},
    },
    testing::clock::start_of_tests,
};

use super::{CheckedFolder, TempFolder};

async fn store(folder: &TempFolder) -> Arc<dyn TokenUsageStore> {
    folder.catalogue().account().await.expect("the account's database opens").token_usage
}

fn endpoint(model: &str) -> ChatEndpoint {
    ChatEndpoint {
        provider: ChatProvider::OpenAiCompatible,
        base_url: "http://127.0.0.1:9/v1".into(),
        model: model.into(),
        context_tokens: 8_192,
    }
}

fn row(
    day: NaiveDate,
    model: &str,
    (answers, unreported): (u64, u64),
    (input, output): (u64, u64),
) -> TokenUsage {
    let ChatEndpoint { base_url: address, model, .. } = endpoint(model);
    TokenUsage { day, address, model, answers, unreported, input, output }
}

/// An answer without counts is told apart from one that used nothing.
#[tokio::test]
async fn tokens_add_up_by_day_and_model() {
    let folder = CheckedFolder::new();
    let store = store(&folder).await;
    let first = start_of_tests().date_naive();
    let second = first + Days::new(1);
    let used = |input, output| Some(ChatUsage { input, output });
    for (day, model, usage) in [
        (first, "small", used(10, 3)),
        (first, "small", None),
        (first, "small", used(5, 4)),
        (first, "large", used(1_000_000_000_000, 0)),
        (second, "small", used(1, 1)),
    ] {
        store.add_usage(day, &endpoint(model), usage).await.expect("counted");
    }
    let newest = row(second, "small", (1, 0), (1, 1));
    assert_eq!(
        store.usage_since(first).await.expect("read"),
        [
            newest.clone(),
            row(first, "large", (1, 0), (1_000_000_000_000, 0)),
            row(first, "small", (3, 1), (15, 7)),
        ]
    );
    assert_eq!(store.usage_since(second).await.expect("read"), [newest]);
}
