//! Commands of embedding models.

use std::path::Path;

use inklings_api::{
    ChangeTopic, Event,
    view::model::{ModelStatus, ModelView},
};

use crate::{Answer, Core};

/// Starts a backfill with the new model, and emits a change event.
fn changed(core: &Core) {
    core.events().send(Event::changed(ChangeTopic::Models));
    core.wake();
}

/// All available models.
#[specta::specta]
pub async fn list_models(core: Core) -> Answer<Vec<ModelView>> {
    Ok(core.app()?.model().list_models())
}

/// Status of vector search.
#[specta::specta]
pub async fn model_status(core: Core) -> Answer<ModelStatus> {
    core.app()?.model().model_status().await
}

/// Downloads a model.
#[specta::specta]
pub async fn fetch_model(core: Core, id: String) -> Answer<()> {
    core.app()?.model().fetch_model(&id, core.events()).await?;
    changed(&core);
    Ok(())
}

/// Cancels the running download.
#[specta::specta]
pub async fn cancel_fetch(core: Core) -> Answer<()> {
    core.app()?.model().cancel_fetch();
    Ok(())
}

/// Switches to a model of the catalogue.
#[specta::specta]
pub async fn use_model(core: Core, id: String) -> Answer<()> {
    core.app()?.model().use_model(&id).await?;
    changed(&core);
    Ok(())
}

/// Switches to a model in a local folder.
#[specta::specta]
pub async fn use_model_folder(core: Core, path: String) -> Answer<()> {
    core.app()?.model().use_model_folder(Path::new(&path)).await?;
    changed(&core);
    Ok(())
}

/// Gives the workspace in use a model of its own, or lets it follow the account.
#[specta::specta]
pub async fn set_own_model(core: Core, own: bool) -> Answer<()> {
    core.app()?.model().set_own_model(own).await?;
    changed(&core);
    Ok(())
}

/// Starts the backfill of vectors now.
#[specta::specta]
pub async fn embed_now(core: Core) -> Answer<()> {
    core.app()?;
    changed(&core);
    Ok(())
}
