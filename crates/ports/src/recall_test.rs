//! Port for storing recall tests.

use inklings_domain::{ids::RecallTestId, recall_test::RecallTest};

use crate::store_error::StoreError;

/// Stores recall tests of a workspace.
#[async_trait::async_trait]
pub trait RecallTestStore: Send + Sync {
    /// Stores a new test with its last run. Does nothing if its id is there already.
    async fn put(&self, test: &RecallTest) -> Result<(), StoreError>;

    /// Stores the last runs of these tests. A test that was removed meanwhile stays removed.
    async fn put_runs(&self, tests: &[RecallTest]) -> Result<(), StoreError>;

    /// All tests, oldest first.
    async fn list(&self) -> Result<Vec<RecallTest>, StoreError>;

    /// Removes a test. Returns false if there is none.
    async fn remove(&self, id: RecallTestId) -> Result<bool, StoreError>;
}
