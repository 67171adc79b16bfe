//! Embedding models.

use std::path::Path;

use inklings_api::{
    Event,
    background::ChangeTopic,
    model::view::{ModelStatus, ModelView},
};

use crate::{Answer, Core};

/// Another model is in use: embed with it, and say so.
fn changed(core: &Core) {
    core.events().send(Event::DataChanged { topic: ChangeTopic::Models });
    core.wake();
}

/// Every model on offer.
#[specta::specta]
pub async fn list_models(core: Core) -> Answer<Vec<ModelView>> {
    Ok(core.app()?.list_models())
}

/// How search by meaning is.
#[specta::specta]
pub async fn model_status(core: Core) -> Answer<ModelStatus> {
    core.app()?.model_status().await
}

/// Downloads a model.
#[specta::specta]
pub async fn fetch_model(core: Core, id: String) -> Answer<()> {
    core.app()?.fetch_model(&id, core.events()).await?;
    changed(&core);
    Ok(())
}

/// Cancels the running download.
#[specta::specta]
pub async fn cancel_fetch(core: Core) -> Answer<()> {
    core.app()?.cancel_fetch();
    Ok(())
}

/// Puts a model of the catalogue in use.
#[specta::specta]
pub async fn use_model(core: Core, id: String) -> Answer<()> {
    core.app()?.use_model(&id).await?;
    changed(&core);
    Ok(())
}

/// Puts a model in a folder in use.
#[specta::specta]
pub async fn use_model_folder(core: Core, path: String) -> Answer<()> {
    core.app()?.use_model_folder(Path::new(&path)).await?;
    changed(&core);
    Ok(())
}

/// Asks for the backfill of vectors now.
#[specta::specta]
pub async fn embed_now(core: Core) -> Answer<()> {
    core.app()?;
    changed(&core);
    Ok(())
}
