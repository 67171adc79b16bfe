//! Commands of orientations and their ledger.

use inklings_api::orientation::view::{
    OrientRequest, OrientationPage, OrientationSettings, OrientationView, ReadPage, WhyRequest, WhyView,
};

use crate::{Answer, Core};

/// Previews an orientation.
#[specta::specta]
pub async fn orient(core: Core, request: OrientRequest) -> Answer<OrientationView> {
    core.app()?.orientation().orient(request).await
}

/// Why an orientation holds an entry, or does not.
#[specta::specta]
pub async fn why_orientation(core: Core, request: WhyRequest) -> Answer<WhyView> {
    core.app()?.orientation().why_orientation(request).await
}

/// A page of a conversation's ledger, newest first.
#[specta::specta]
pub async fn list_orientations(
    core: Core,
    conversation: String,
    after: Option<String>,
    limit: u32,
) -> Answer<OrientationPage> {
    core.app()?.orientation().list_orientations(&conversation, after.as_deref(), limit).await
}

/// A page of the recorded reads by tools and clients, newest first.
#[specta::specta]
pub async fn list_reads(
    core: Core,
    conversation: Option<String>,
    client: Option<String>,
    after: Option<String>,
    limit: u32,
) -> Answer<ReadPage> {
    core.app()?
        .orientation()
        .list_reads(conversation.as_deref(), client.as_deref(), after.as_deref(), limit)
        .await
}

/// One orientation of the ledger.
#[specta::specta]
pub async fn get_orientation(core: Core, id: String) -> Answer<OrientationView> {
    core.app()?.orientation().get_orientation(&id).await
}

/// The orientation settings.
#[specta::specta]
pub async fn orientation_settings(core: Core) -> Answer<OrientationSettings> {
    core.app()?.orientation().orientation_settings().await
}

/// Replaces all orientation settings.
#[specta::specta]
pub async fn set_orientation_settings(
    core: Core,
    settings: OrientationSettings,
) -> Answer<OrientationSettings> {
    core.app()?.orientation().set_orientation_settings(settings).await
}
