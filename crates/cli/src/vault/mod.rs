//! The `inklings vault` commands.

pub mod args;
pub mod show;

use inklings_api::{
    App,
    error::ErrorCode,
    vault::view::{PageListRequest, VaultSync, VaultView},
};
use serde::Serialize;

use crate::vault::args::VaultVerb;
use crate::{failure::Failure, output::Output, progress::EmbedBar, shared_args::Common, store};

/// A vault with what a scan of it changed.
#[derive(Serialize)]
pub struct Synced {
    pub vault: VaultView,
    /// `None` if it was not scanned.
    pub sync: Option<VaultSync>,
}

pub async fn vault(verb: VaultVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        VaultVerb::Link { folder, no_sync } => {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            let linked = app.vault().link_vault(&folder.to_string_lossy()).await?;
            let sync = if no_sync { None } else { Some(sync(&app, &linked).await?) };
            let vault = found(&app, &linked.id).await?;
            let synced = Synced { vault, sync };
            out.answer(&synced, |synced| show::synced(std::slice::from_ref(synced)))
        }
        VaultVerb::List => out.answer(&*app.vault().list_vaults().await?, show::vaults),
        VaultVerb::Status { vault, limit, after } => {
            let id = match vault {
                Some(vault) => app.vault().vault_id(&vault).await?,
                None => only(&app).await?,
            };
            out.answer(&app.vault().vault_status(&id, after.as_deref(), limit).await?, show::status)
        }
        VaultVerb::Sync { vault } => {
            let vaults = match vault {
                Some(vault) => vec![found(&app, &app.vault().vault_id(&vault).await?).await?],
                None => app.vault().list_vaults().await?,
            };
            let mut done = Vec::with_capacity(vaults.len());
            for vault in vaults {
                let sync = sync(&app, &vault).await?;
                done.push(Synced { vault: found(&app, &vault.id).await?, sync: Some(sync) });
            }
            out.answer(&*done, show::synced)
        }
        VaultVerb::Unlink { vault } => {
            let id = app.vault().vault_id(&vault).await?;
            app.vault().unlink_vault(&id).await?;
            out.answer(&serde_json::json!({ "unlinked": vault }), |_| {
                "Unlinked. The folder stays as it is.".to_owned()
            })
        }
        VaultVerb::Pages { vault, limit, after } => {
            let vault_id = match vault {
                Some(vault) => Some(app.vault().vault_id(&vault).await?),
                None => None,
            };
            out.answer(
                &app.vault().list_pages(&PageListRequest { vault_id, after, limit }).await?,
                show::pages,
            )
        }
        VaultVerb::PromotionPage { page, off } => {
            let chosen = match (&page, off) {
                (None, false) => app.vault().promotion_page().await?,
                _ => app.vault().set_promotion_page(page.as_deref()).await?,
            };
            out.answer(&chosen, |chosen| match chosen {
                Some(page) => format!("Memories are appended to {}.", page.path),
                None => "No page is chosen; nothing is written into a vault.".to_owned(),
            })
        }
        VaultVerb::Page { page } => out.answer(&app.vault().get_page(&page).await?, show::page),
    }
}

async fn found(app: &App, id: &str) -> Result<VaultView, Failure> {
    Ok(app.vault().vault_status(id, None, 1).await?.vault)
}

/// The id of the vault, if one alone is linked.
async fn only(app: &App) -> Result<String, Failure> {
    match app.vault().list_vaults().await?.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(Failure::new(ErrorCode::NotFound, "No vault is linked.")),
        _ => Err(Failure::new(ErrorCode::Invalid, "Several vaults are linked; name one.")),
    }
}

/// Indexes a vault. Ctrl-C stops after the current batch, and the next run goes on.
async fn sync(app: &App, vault: &VaultView) -> Result<VaultSync, Failure> {
    let bar = EmbedBar::new(&vault.name);
    let commands = app.vault();
    let (work, stop) = (commands.sync_vault_with(&vault.id, &bar), bar.clone());
    tokio::pin!(work);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            Ok(()) = tokio::signal::ctrl_c() => stop.stop(),
        }
    };
    bar.clear();
    let done = done?;
    if done.complete {
        return Ok(done);
    }
    Err(Failure::new(ErrorCode::Cancelled, "Stopped. What is indexed stays; the next sync goes on."))
}
