//! Where an export may be written.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use inklings_ports::transfer::file::TransferError;

use crate::{App, error::CommandError, transfer::view::ExportRequest};

/// Refuses a target at which an export would destroy memory, write into a vault, or replace a file that nobody gave up.
///
/// # Errors
/// [`CommandError`] of code `invalid`, fields `path` and `replace`.
pub(super) async fn check_target(app: &App, request: &ExportRequest) -> Result<(), CommandError> {
    let target = Path::new(&request.path);
    let places = places_of(target).map_err(TransferError::from)?;
    let lies_in = |folder: &Path| places.iter().any(|place| place.starts_with(folder));
    let refused = |message: &str| Err(CommandError::invalid("path", message));
    if lies_in(&without_links(app.data_dir())) {
        return refused("This is in the data folder of Inklings. Choose another place.");
    }
    for folder in vault_folders(app).await? {
        if lies_in(&without_links(&folder)) {
            return refused(
                "This is in a linked vault, which Inklings does not write. Choose another place.",
            );
        }
    }
    if request.picture.as_deref().is_some_and(|picture| places.contains(&without_links(Path::new(picture)))) {
        return refused("This is the picture itself, which stays as it is. Choose another file.");
    }
    // A folder is refused where it is written, unless it is empty.
    if !request.replace && fs::symlink_metadata(target).is_ok_and(|data| !data.is_dir()) {
        let message = "A file is already there. Give another name, or ask to replace it (replace).";
        return Err(CommandError::invalid("replace", message));
    }
    Ok(())
}

/// The place that a write changes, and if a link is there what it leads to. Both are absolute and without links.
fn places_of(target: &Path) -> io::Result<Vec<PathBuf>> {
    let target = std::path::absolute(target)?;
    let mut places = Vec::new();
    for folder in target.ancestors().skip(1) {
        if let Ok(known) = fs::canonicalize(folder) {
            let rest = target.strip_prefix(folder).unwrap_or(&target);
            places.push(known.join(rest));
            break;
        }
    }
    places.extend(fs::canonicalize(&target));
    Ok(places)
}

fn without_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The folders of the vaults of all workspaces. Those of a workspace that cannot be read are not known.
async fn vault_folders(app: &App) -> Result<Vec<PathBuf>, CommandError> {
    let mut folders = Vec::new();
    for workspace in app.workspaces.list().await? {
        let vaults = match app.catalogue.open(workspace.id).await {
            Ok(ports) => ports.pages.vaults().await,
            Err(error) => Err(error),
        };
        match vaults {
            Ok(vaults) => folders.extend(vaults.into_iter().map(|vault| PathBuf::from(vault.path))),
            Err(error) => {
                tracing::warn!(id = %workspace.id, %error, "the vaults of a workspace are not known");
            }
        }
    }
    Ok(folders)
}
