//! Embedding models.

use std::path::Path;

use inklings_api::{
    background::ChangeTopic,
    views::model::{ModelStatus, ModelView},
};

use super::{Answer, Core};

/// Another model is in use: embed with it, and say so.
fn changed(core: &Core<'_>) {
    core.events().data_changed(ChangeTopic::Models);
    core.wake();
}

/// Every model on offer.
#[tauri::command]
#[specta::specta]
pub async fn list_models(core: Core<'_>) -> Answer<Vec<ModelView>> {
    Ok(core.app()?.list_models())
}

/// How search by meaning is.
#[tauri::command]
#[specta::specta]
pub async fn model_status(core: Core<'_>) -> Answer<ModelStatus> {
    core.app()?.model_status().await
}

/// Downloads a model.
#[tauri::command]
#[specta::specta]
pub async fn fetch_model(core: Core<'_>, id: String) -> Answer<()> {
    core.app()?.fetch_model(&id, core.events()).await?;
    changed(&core);
    Ok(())
}

/// Cancels the running download.
#[tauri::command]
#[specta::specta]
pub async fn cancel_fetch(core: Core<'_>) -> Answer<()> {
    core.app()?.cancel_fetch();
    Ok(())
}

/// Puts a model of the catalogue in use.
#[tauri::command]
#[specta::specta]
pub async fn use_model(core: Core<'_>, id: String) -> Answer<()> {
    core.app()?.use_model(&id).await?;
    changed(&core);
    Ok(())
}

/// Puts a model in a folder in use.
#[tauri::command]
#[specta::specta]
pub async fn use_model_folder(core: Core<'_>, path: String) -> Answer<()> {
    core.app()?.use_model_folder(Path::new(&path)).await?;
    changed(&core);
    Ok(())
}

/// Asks for the backfill of vectors now.
#[tauri::command]
#[specta::specta]
pub async fn embed_now(core: Core<'_>) -> Answer<()> {
    core.app()?;
    changed(&core);
    Ok(())
}
