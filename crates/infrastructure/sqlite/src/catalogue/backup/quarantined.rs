//! Copies of databases in quarantine: what a restore replaced because it was damaged, and restores whose plan cannot be read.

use std::{
    fs,
    path::{Path, PathBuf},
};

use inklings_domain::ids::WorkspaceId;

use crate::{
    catalogue::{SqliteCatalogue, backup::sets::Source},
    connection::copy::sync_folder,
    error::DbResult,
    layout::size_of,
};

impl SqliteCatalogue {
    /// The files of a database in quarantine, and the folders of a workspace in restores there.
    pub(crate) fn quarantined(&self, workspace: WorkspaceId) -> DbResult<Vec<PathBuf>> {
        let mut found = Vec::new();
        for set in inklings_files::entries(&self.layout.quarantine())? {
            // Only a person could have put anything else there.
            if fs::symlink_metadata(&set).is_ok_and(|data| data.is_dir()) {
                let names = Self::quarantined_names(workspace);
                found.extend(inklings_files::entries(&set)?.into_iter().filter(|path| is_of(path, &names)));
                found.extend(restored(&set, workspace));
            }
        }
        found.sort();
        Ok(found)
    }

    /// How the names of the files of a database in quarantine begin. Those of its log and its shared memory do too.
    fn quarantined_names(workspace: WorkspaceId) -> Vec<String> {
        let sources = if workspace == WorkspaceId::ACCOUNT {
            vec![Source::account()]
        } else {
            Source::of_workspace(workspace).to_vec()
        };
        let name =
            |source: &Source| Self::quarantine_of(&source.path, "").rsplit('/').next().map(str::to_owned);
        sources.iter().filter_map(name).collect()
    }

    /// Deletes everything of a workspace in quarantine.
    pub(crate) fn drop_quarantined(&self, workspace: WorkspaceId) -> DbResult<()> {
        for path in self.quarantined(workspace)? {
            // Does not follow links: removes a link, not its target.
            if fs::symlink_metadata(&path)?.is_dir() {
                fs::remove_dir_all(&path)?;
            } else {
                fs::remove_file(&path)?;
            }
            let Some(set) = path.parent() else { continue };
            // An empty folder would be listed as a backup.
            if set.parent() == Some(&*self.layout.quarantine()) && inklings_files::entries(set)?.is_empty() {
                fs::remove_dir(set)?;
            } else {
                sync_folder(set)?;
            }
        }
        if self.layout.has_folder(&self.layout.quarantine())? {
            sync_folder(&self.layout.quarantine())?;
        }
        Ok(())
    }
}

fn is_of(path: &Path, names: &[String]) -> bool {
    let file = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    names.iter().any(|name| file.starts_with(&**name))
}

/// What a restore that was set aside holds of a database: the copies that it staged, and the files that it moved away.
fn restored(set: &Path, workspace: WorkspaceId) -> Vec<PathBuf> {
    let held = if workspace == WorkspaceId::ACCOUNT {
        PathBuf::from(Source::account().path)
    } else {
        Path::new("workspaces").join(workspace.to_string())
    };
    let places = ["new", "old"].map(|part| set.join(part).join(&held));
    places.into_iter().filter(|path| path.is_dir() || size_of(path) > 0).collect()
}
