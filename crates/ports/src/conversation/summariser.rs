//! Port for summarising turns.

use inklings_domain::conversation::{episode::SummaryMaker, summary::Turn};

/// A summary with its maker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Text of one paragraph.
    pub text: String,
    /// Whether a model or the built-in summariser wrote it.
    pub maker: SummaryMaker,
}

/// What a summary is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Material<'a> {
    /// Turns of a conversation.
    Conversation,
    /// Memories that become one text, with the worldbuilder's instructions if there are any.
    Memories(Option<&'a str>),
}

/// Writes summaries. Never fails: if a language model fails, the built-in summariser is used and `maker` says
/// so.
#[async_trait::async_trait]
pub trait Summariser: Send + Sync {
    /// A paragraph of at most about `max_words` words that retains all names and numbers.
    async fn summarise(&self, of: Material<'_>, turns: &[Turn], max_words: usize) -> Summary;
}
