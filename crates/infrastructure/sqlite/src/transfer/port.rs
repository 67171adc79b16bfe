//! The port of exports and imports.

use chrono::{DateTime, Utc};
use inklings_application::{
    store_error::StoreError,
    transfer::store::{ImportStamp, TransferSnapshot, TransferStore, TransferWriter},
};

use crate::{
    memory::settle::settle,
    store::SqliteStore,
    transfer::{read::Snapshot, write::Writer},
};

#[async_trait::async_trait]
impl TransferStore for SqliteStore {
    async fn snapshot(&self, now: DateTime<Utc>) -> Result<Box<dyn TransferSnapshot>, StoreError> {
        Ok(Box::new(self.public(Snapshot::begin(self, now).await)?))
    }

    async fn begin_transfer(&self, stamp: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError> {
        if stamp.follows.is_some() {
            settle(self).await;
        }
        Ok(Box::new(self.public(Writer::begin(self, stamp).await)?))
    }
}
