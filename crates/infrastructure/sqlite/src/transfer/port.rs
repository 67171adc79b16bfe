//! The port of exports and imports.

use chrono::{DateTime, Utc};
use inklings_ports::{
    memory::split_store::SplitStore,
    store_error::StoreError,
    transfer::store::{ImportStamp, TransferSnapshot, TransferStore, TransferWriter},
};

use crate::{
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
            // Through the port of changes of two files, which comes after imports: it completes those as well.
            SplitStore::settle(self).await?;
        }
        Ok(Box::new(self.public(Writer::begin(self, stamp).await)?))
    }
}
