//! Commands of recall tests.

use inklings_api::recall_test::view::{RecallTestRequest, RecallTestView};

use crate::{Answer, Core};

/// All recall tests with their last results, oldest first.
#[specta::specta]
pub async fn list_recall_tests(core: Core) -> Answer<Vec<RecallTestView>> {
    core.app()?.recall_test().list_recall_tests().await
}

/// Adds a recall test and runs it.
#[specta::specta]
pub async fn add_recall_test(core: Core, request: RecallTestRequest) -> Answer<RecallTestView> {
    core.app()?.recall_test().add_recall_test(request).await
}

/// Removes a recall test.
#[specta::specta]
pub async fn remove_recall_test(core: Core, id: String) -> Answer<()> {
    core.app()?.recall_test().remove_recall_test(&id).await
}

/// Runs the recall tests with these ids, or all of them if none is given.
#[specta::specta]
pub async fn run_recall_tests(core: Core, ids: Vec<String>) -> Answer<Vec<RecallTestView>> {
    core.app()?.recall_test().run_recall_tests(&ids).await
}
