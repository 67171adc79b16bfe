//! Commands of models: those that change which one is in use, and those that only look.

use std::path::Path;

use inklings_api::{
    ChangeTopic, Event,
    view::{chat::RunningModels, model::ModelView},
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

/// Downloads a model.
#[specta::specta]
pub async fn fetch_model(core: Core, id: String) -> Answer<()> {
    core.app()?.model().fetch_model(&id, core.events()).await?;
    changed(&core);
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

/// Programs on this machine that run and offer models.
#[specta::specta]
pub async fn running_models(core: Core) -> Answer<Vec<RunningModels>> {
    Ok(core.app()?.model().running_models().await)
}
