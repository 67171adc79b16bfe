//! The promises of the ports, kept on disk.

mod support;

use std::sync::Arc;

use inklings_application::{
    ports::{backup_store::BackupStore, catalogue::Catalogue},
    testing::contract::StoreFactory,
};
use inklings_domain::ids::WorkspaceId;
use support::TempFolder;

/// A folder whose databases are looked at when its check is over: whatever was written, by whichever port, its checksums hold.
struct CheckedFolder(TempFolder);

impl CheckedFolder {
    fn new() -> Self {
        Self(TempFolder::new())
    }
}

#[async_trait::async_trait]
impl StoreFactory for CheckedFolder {
    async fn catalogue(&self) -> Arc<dyn Catalogue> {
        self.0.catalogue().await
    }

    async fn traces(&self, workspace: WorkspaceId) -> Vec<String> {
        self.0.traces(workspace).await
    }
}

impl Drop for CheckedFolder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let catalogue = self.0.open();
        let look = move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(catalogue.damaged_files()).expect("a look")
        };
        // The check runs on a runtime of its own still.
        assert_eq!(std::thread::spawn(look).join().expect("the look ends"), []);
    }
}

mod memory_store {
    use super::CheckedFolder;
    inklings_application::memory_store_contract!(CheckedFolder::new());
}

mod memory_search {
    use super::CheckedFolder;
    inklings_application::memory_search_contract!(CheckedFolder::new());
}

mod vector_store {
    use super::CheckedFolder;
    inklings_application::vector_store_contract!(CheckedFolder::new());
}

mod room_store {
    use super::CheckedFolder;
    inklings_application::room_store_contract!(CheckedFolder::new());
}

mod transcript {
    use super::CheckedFolder;
    inklings_application::transcript_contract!(CheckedFolder::new());
}

mod transcript_search {
    use super::CheckedFolder;
    inklings_application::transcript_search_contract!(CheckedFolder::new());
}

mod fact_store {
    use super::CheckedFolder;
    inklings_application::fact_store_contract!(CheckedFolder::new());
}

mod scratchpad {
    use super::CheckedFolder;
    inklings_application::scratchpad_contract!(CheckedFolder::new());
}

mod conversation_import {
    use super::CheckedFolder;
    inklings_application::conversation_import_contract!(CheckedFolder::new());
}

mod transfer {
    use super::CheckedFolder;
    inklings_application::transfer_contract!(CheckedFolder::new());
}

mod proposal {
    use super::CheckedFolder;
    inklings_application::proposal_contract!(CheckedFolder::new());
}

mod run {
    use super::CheckedFolder;
    inklings_application::run_contract!(CheckedFolder::new());
}

mod schedule {
    use super::CheckedFolder;
    inklings_application::schedule_contract!(CheckedFolder::new());
}

mod ledger {
    use super::CheckedFolder;
    inklings_application::ledger_contract!(CheckedFolder::new());
}

mod split {
    use super::CheckedFolder;
    inklings_application::split_contract!(CheckedFolder::new());
}

mod audit {
    use super::CheckedFolder;
    inklings_application::audit_contract!(CheckedFolder::new());
}

mod backup {
    use super::CheckedFolder;
    inklings_application::backup_contract!(CheckedFolder::new());
}

mod scrub {
    use super::CheckedFolder;
    inklings_application::scrub_contract!(CheckedFolder::new());
}

mod settings {
    use super::CheckedFolder;
    inklings_application::settings_contract!(CheckedFolder::new());
}

mod change_feed {
    use super::CheckedFolder;
    inklings_application::change_feed_contract!(CheckedFolder::new());
}

mod client {
    use super::CheckedFolder;
    inklings_application::client_contract!(CheckedFolder::new());
}

mod client_write {
    use super::CheckedFolder;
    inklings_application::client_write_contract!(CheckedFolder::new());
}

mod catalogue {
    use super::CheckedFolder;
    inklings_application::catalogue_contract!(CheckedFolder::new());
}
