//! Commands of updates. Each of them is a request of the worldbuilder; nothing here runs by itself.

use inklings_api::{
    backup::view::BackupView,
    update::{self, view::UpdateStatus},
};

use crate::{Answer, Core};

/// Whether this build can look for updates, and where. Asks nothing.
#[specta::specta]
pub async fn update_status(core: Core) -> Answer<UpdateStatus> {
    Ok(update::update_status(&*core.update_source()))
}

/// Asks for a newer version; null if there is none.
#[specta::specta]
pub async fn find_update(core: Core) -> Answer<Option<String>> {
    core.app()?.update().find_update(core.update_source()).await
}

/// Installs this version after a backup, which is returned.
#[specta::specta]
pub async fn install_update(core: Core, version: String) -> Answer<BackupView> {
    core.app()?.update().install_update(core.update_source(), &version, core.events()).await
}
