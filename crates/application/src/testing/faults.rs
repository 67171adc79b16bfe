//! Faults that a test puts into an [`InMemoryDatabase`].

use super::memory_store::InMemoryDatabase;
use crate::ports::error::StoreError;

impl InMemoryDatabase {
    /// From now on the vectors count as not read yet, or as read.
    pub fn set_vectors_loading(&self, loading: bool) {
        self.tables().vectors_loading = loading;
    }

    /// From now on searches fail, or do not.
    pub fn fail_searches(&self, failing: bool) {
        self.tables().searches_fail = failing;
    }

    /// From now on, a read never answers: one of "named", "list", "search", "facts", "episodes", "marker", "messages".
    pub fn hang(&self, read: Option<&'static str>) {
        self.tables().hangs = read;
    }

    pub(super) async fn may_hang(&self, read: &'static str) {
        let hangs = self.tables().hangs == Some(read);
        if hangs {
            std::future::pending::<()>().await;
        }
    }

    /// Lets the next commit fail.
    pub fn break_next_commit(&self, error: StoreError) {
        self.tables().broken.0 = Some(error);
    }
}
