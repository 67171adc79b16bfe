//! The fakes carry nothing out or in: what an export must hold is what a database holds, so it is tested on one.

use super::memory_store::InMemoryDatabase;
use crate::ports::{
    error::StoreError,
    transfer_store::{ImportStamp, TransferSnapshot, TransferStore, TransferWriter},
};

#[async_trait::async_trait]
impl TransferStore for InMemoryDatabase {
    async fn snapshot(&self) -> Result<Box<dyn TransferSnapshot>, StoreError> {
        Err(StoreError::Refused("a fake is not exported".into()))
    }

    async fn begin_transfer(&self, _: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError> {
        Err(StoreError::Refused("a fake takes no import".into()))
    }
}
