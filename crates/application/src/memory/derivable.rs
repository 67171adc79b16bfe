//! Where else something can be read, so that it needs no memory (seed 001, "no derivable storage").

use crate::store_error::StoreError;

/// Something says it already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Derivable;

/// A body of text beside memories, facts and what was said, which the use cases look through themselves. The world's own
/// pages become one when they arrive.
#[async_trait::async_trait]
pub trait DerivableSource: Send + Sync {
    /// Whether it says the same as this text.
    async fn derivable(&self, text: &str) -> Result<Option<Derivable>, StoreError>;
}
