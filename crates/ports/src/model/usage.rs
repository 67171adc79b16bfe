//! How many tokens language models used, over all workspaces. Counts alone: no text, no conversation, no workspace.

use chrono::NaiveDate;

use crate::{
    model::chat::{ChatEndpoint, ChatUsage},
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
