//! Port for content from which a memory could be derived. Such a memory is not stored.

use crate::store_error::StoreError;

/// The source already contains the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Derivable;

/// A body of text besides memories, facts and messages, which the use cases search themselves. The world's
/// own pages are to become one.
#[async_trait::async_trait]
pub trait DerivableSource: Send + Sync {
    /// Whether the source contains the same statement as this text.
    async fn derivable(&self, text: &str) -> Result<Option<Derivable>, StoreError>;
}
