//! What makes one paragraph out of many turns.

use inklings_domain::conversation::{episode::SummaryMaker, summary::Turn};

/// A paragraph and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The paragraph.
    pub text: String,
    /// Who wrote it.
    pub maker: SummaryMaker,
}

/// Makes summaries. Never fails: where a language model does, the built-in way takes over, and `maker` says so.
#[async_trait::async_trait]
pub trait Summariser: Send + Sync {
    /// A paragraph of at most about `max_words` words that keeps every name and number.
    async fn summarise(&self, turns: &[Turn], max_words: usize) -> Summary;
}
