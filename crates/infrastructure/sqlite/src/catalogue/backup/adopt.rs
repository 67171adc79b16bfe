//! Converts copies made before a migration to regular backups: listed, checked, restored, pruned and
//! destroyed like others. Until then they are beside their database (see [`before_migration`]).
//!
//! [`before_migration`]: crate::connection::copy::before_migration

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use inklings_domain::backup::{BackupId, BackupReason};
use inklings_ports::backup::BackupScope;

use crate::catalogue::{OpenDatabases, SqliteCatalogue, backup::sets::Source, open::names_in};
use crate::{
    connection::{
        copy::{before_migration_name, sync_folder},
        probe,
    },
    error::DbResult,
};

/// A copy beside its database.
struct Copy {
    source: Source,
    path: PathBuf,
    version: i64,
}

impl SqliteCatalogue {
    /// Adopts the copies of successful migrations as backups. A copy that fails is tried again the next time.
    pub(crate) async fn adopt_copies(&self) -> DbResult<()> {
        let copies = self.loose_copies()?;
        if copies.is_empty() || !self.is_writable() {
            return Ok(());
        }
        let _lock = self.backup_lock().await?;
        // A holder of these databases may wait for the lock of the backups. To avoid a deadlock, the copies
        // wait for the next time.
        let Ok(open) = self.open.try_lock() else { return Ok(()) };
        for copy in self.loose_copies()? {
            if self.has_moved_on(&open, &copy).await? {
                self.adopt(&copy).await?;
            }
        }
        Ok(())
    }

    fn loose_copies(&self) -> DbResult<Vec<Copy>> {
        let mut found = Vec::new();
        let sources = self.sources(BackupScope::Everything)?.into_iter().filter(Source::is_memory);
        for source in sources {
            let file = self.layout.root().join(&source.path);
            let folder = file.with_file_name("backups");
            let name = |version: i64| before_migration_name(&file, version);
            let names = names_in(&folder)?;
            for version in 1..source.schema.version() {
                if names.contains(&name(version)) {
                    found.push(Copy { source: source.clone(), path: folder.join(name(version)), version });
                }
            }
        }
        Ok(found)
    }

    /// False if the database still has the version of the copy: then its migration failed, and the next
    /// attempt needs the copy.
    async fn has_moved_on(&self, open: &OpenDatabases, copy: &Copy) -> DbResult<bool> {
        let version: Option<i64> = if let Some(db) = open.held(&copy.source) {
            Some(sqlx::query_scalar("PRAGMA user_version").fetch_one(&db.reader()).await?)
        } else {
            let path = self.place_of(&copy.source)?;
            match probe::version_of(&path, copy.source.schema, copy.source.workspace).await {
                Err(error) if error.is_damage() => None,
                version => version?,
            }
        };
        Ok(version.is_none_or(|version| version > copy.version))
    }

    async fn adopt(&self, copy: &Copy) -> DbResult<()> {
        self.layout.look_on_the_way(&copy.path)?;
        inklings_files::file(&copy.path)?;
        let made: DateTime<Utc> = fs::metadata(&copy.path)?.modified()?.into();
        let id = BackupId::new(made, BackupReason::Migration);
        // Checks the copy in the set before it removes the original.
        let set = self.make_set_of(id, std::slice::from_ref(&copy.source), &|_| copy.path.clone()).await?;
        if !set.holds(copy.source.workspace) {
            // The copy cannot be read, so nothing could be restored from it.
            tracing::warn!(file = copy.source.path, "a copy from before a migration is damaged");
            self.drop_set(set.id)?;
        }
        fs::remove_file(&copy.path)?;
        let folder = copy.path.parent().unwrap_or_else(|| Path::new("."));
        sync_folder(folder)?;
        // The account's backup folder also holds the sets and stays.
        if names_in(folder)?.is_empty() {
            fs::remove_dir(folder)?;
        }
        Ok(())
    }
}
