//! Commands of who knows what.

use inklings_api::{
    conversation::view::ConversationView,
    view::{
        change::WriteResult,
        lens::{KnowerSpec, LensSpec, LensView},
    },
};

use crate::{Answer, Core};

/// Reads a lens as it is typed; `null` without one.
#[specta::specta]
pub async fn read_lens(core: Core, lens: LensSpec) -> Answer<Option<LensView>> {
    core.app()?.lens().read_lens(&lens).await
}

/// Sets who knows of an entry. Nobody named: everybody does.
#[specta::specta]
pub async fn set_known_by(
    core: Core,
    id: String,
    version: u32,
    knowers: Vec<KnowerSpec>,
) -> Answer<WriteResult> {
    core.app()?.lens().set_known_by(&id, version, &knowers).await
}

/// Sets the lens of a conversation in which nothing was said yet.
#[specta::specta]
pub async fn set_conversation_lens(
    core: Core,
    conversation: String,
    lens: LensSpec,
) -> Answer<ConversationView> {
    core.app()?.lens().set_conversation_lens(&conversation, &lens).await
}
