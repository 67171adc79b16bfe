//! Backups: sets of checked copies in `backups/sets/{time}-{reason}/`, each with a `manifest.json`. A set is
//! written to a folder of another name and renamed when it is complete.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use inklings_domain::{
    audit::AuditEntry,
    backup::{BackupId, order},
    digest::hex,
    ids::WorkspaceId,
    scrub::ScrubTarget,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet, BackupStore, Damaged},
    store_error::StoreError,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{ConnectOptions, Connection};

use crate::catalogue::{
    SqliteCatalogue,
    backup::{
        holding::tables_of_place,
        scrubs_since::{end_of, log_in, scrubs_in},
    },
    check::damaged_texts,
    open::names_in,
};
use crate::{
    connection::{
        base,
        copy::{check, copy, sync_folder},
        lock::FolderLock,
        probe::refuse_other_owner,
    },
    error::{DbError, DbResult},
    layout::{AGENTS, NURSERY, WORLD, holds_something, size_of},
    migrate::{self, Schema},
};

pub(super) const MANIFEST: &str = "manifest.json";
pub(crate) const QUARANTINE: &str = "quarantine";
const CHECKED: &str = "check.json";

/// The manifest of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    format: u32,
    app_version: String,
    /// Sequence number among the backups; missing in those of earlier releases.
    #[serde(default)]
    sequence: u64,
    pub(crate) files: Vec<SetFile>,
}

/// One copy of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetFile {
    /// Path within the set, which is also its path within the data folder.
    pub(crate) path: String,
    /// The id of its workspace; `None` for the account.
    pub(crate) workspace: Option<String>,
    /// The name of the workspace at the time of the backup.
    name: Option<String>,
    bytes: u64,
    sha256: String,
    schema_version: i64,
    /// The number of scrubs and purges in its audit log; missing in manifests of earlier releases.
    #[serde(default)]
    pub(crate) scrubs: Option<u64>,
    /// The hash of the last row of its audit log, empty without rows; missing in manifests of earlier releases.
    #[serde(default)]
    pub(crate) log_end: Option<String>,
}

/// The result of checking a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Whole,
    /// An intact copy of a database that had damaged texts already. Users may restore it.
    DamagedTexts,
    Damaged,
}

#[derive(Debug, Serialize, Deserialize)]
struct Checked {
    ok: bool,
}

/// A database that backups are made of.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) workspace: WorkspaceId,
    /// Path within the data folder, with `/`.
    pub(crate) path: String,
    pub(crate) schema: &'static Schema,
}

impl Source {
    pub(crate) fn account() -> Self {
        Self { workspace: WorkspaceId::ACCOUNT, path: AGENTS.to_owned(), schema: &migrate::ACCOUNT }
    }

    pub(crate) fn of_workspace(id: WorkspaceId) -> [Self; 2] {
        let file =
            |name: &str, schema| Self { workspace: id, path: format!("workspaces/{id}/{name}"), schema };
        [file(AGENTS, &migrate::WORKSPACE), file(WORLD, &migrate::WORLD)]
    }

    /// The database at a path within the data folder.
    pub(crate) fn at(path: &str) -> Option<Self> {
        let mut known = vec![Self::account()];
        if let Some(id) = path.split('/').nth(1) {
            known.extend(Self::of_workspace(id.parse().ok()?));
        }
        known.into_iter().find(|source| source.path == path)
    }

    pub(crate) fn is_memory(&self) -> bool {
        self.path.ends_with(&format!("/{AGENTS}")) || self.path == AGENTS
    }
}

impl SetFile {
    /// The database that it is a copy of; `None` if the path in the manifest is not that of the database.
    pub(crate) fn source(&self) -> Option<Source> {
        let owner = |source: &Source| {
            (source.workspace != WorkspaceId::ACCOUNT).then(|| source.workspace.to_string())
        };
        Source::at(&self.path).filter(|source| owner(source) == self.workspace)
    }
}

impl SqliteCatalogue {
    pub(crate) fn sets(&self) -> PathBuf {
        self.layout.backups().join("sets")
    }

    /// The path of a database, after a check of the folders above it.
    pub(crate) fn place_of(&self, source: &Source) -> DbResult<PathBuf> {
        let path = self.layout.root().join(&source.path);
        self.layout.look_on_the_way(&path)?;
        Ok(path)
    }

    pub(crate) fn set_folder(&self, id: BackupId) -> PathBuf {
        self.sets().join(id.to_string())
    }

    pub(super) fn set_aside(&self, id: BackupId) -> PathBuf {
        self.layout.quarantine().join(id.to_string())
    }

    /// Takes the lock of the backups, so that one process at a time works on them. Databases can still be
    /// opened.
    pub(crate) async fn backup_lock(&self) -> DbResult<FolderLock> {
        if !self.is_writable() {
            return Err(StoreError::ReadOnly.into());
        }
        inklings_files::folder(&self.layout.backups())?;
        inklings_files::folder(&self.sets())?;
        fs::create_dir_all(self.sets())?;
        FolderLock::acquire(&self.layout.backups().join(".lock")).await
    }

    /// Like [`Self::backup_lock`], without waiting; `None` while another process works on the backups.
    pub(crate) fn try_backup_lock(&self) -> DbResult<Option<FolderLock>> {
        inklings_files::folder(&self.layout.backups())?;
        fs::create_dir_all(self.layout.backups())?;
        FolderLock::try_acquire(&self.layout.backups().join(".lock"))
    }

    /// Makes a set of the readable sources. The caller holds the lock of the backups.
    pub(crate) async fn make_set(&self, id: BackupId, sources: &[Source]) -> DbResult<BackupSet> {
        self.make_set_of(id, sources, &|source| self.layout.root().join(&source.path)).await
    }

    /// Like [`Self::make_set`], of files in other places.
    pub(crate) async fn make_set_of(
        &self,
        id: BackupId,
        sources: &[Source],
        place: &(dyn Fn(&Source) -> PathBuf + Sync),
    ) -> DbResult<BackupSet> {
        for name in names_in(&self.sets())?.iter().filter(|name| name.starts_with(NURSERY)) {
            fs::remove_dir_all(self.sets().join(name))?;
        }
        let mut id = id;
        while self.set_folder(id).exists() {
            id = id.later();
        }
        let nursery = self.sets().join(format!("{NURSERY}{id}"));
        let made = self.fill_set(&nursery, sources, place).await;
        if made.is_err() {
            // The first error is the cause, so it is reported.
            let _ = fs::remove_dir_all(&nursery);
        }
        let (manifest, sound) = made?;
        fs::rename(&nursery, self.set_folder(id))?;
        sync_folder(&self.sets())?;
        sync_folder(&self.layout.backups())?;
        Ok(set(id, &manifest, (!sound).then_some(false)))
    }

    async fn fill_set(
        &self,
        nursery: &Path,
        sources: &[Source],
        place: &(dyn Fn(&Source) -> PathBuf + Sync),
    ) -> DbResult<(Manifest, bool)> {
        fs::create_dir_all(nursery)?;
        let (mut files, mut sound) = (Vec::with_capacity(sources.len()), true);
        for source in sources {
            let (from, to) = (place(source), nursery.join(&source.path));
            let folder = to.parent().unwrap_or(nursery);
            fs::create_dir_all(folder)?;
            match self.copy_one(source, &from, &to).await {
                Ok((file, texts_hold)) => {
                    files.push(file);
                    sound &= texts_hold;
                }
                Err(error) if error.is_damage() => {
                    tracing::warn!(file = source.path, "a damaged database is not in the backup");
                }
                Err(error) => return Err(error),
            }
            sync_folder(folder)?;
        }
        let sequence = self.list_sets()?.iter().map(|set| set.sequence).max().unwrap_or(0) + 1;
        let app_version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { format: 1, app_version, sequence, files };
        write_json(&nursery.join(MANIFEST), &manifest)?;
        if !sound {
            // The rest of the set is intact, so it is kept, but marked as not sound.
            write_json(&nursery.join(CHECKED), &Checked { ok: false })?;
        }
        sync_folder(&nursery.join("workspaces")).or_else(gone)?;
        sync_folder(nursery)?;
        Ok((manifest, sound))
    }

    /// Copies a database. Also returns whether the checksums in the copy are valid.
    async fn copy_one(&self, source: &Source, from: &Path, to: &Path) -> DbResult<(SetFile, bool)> {
        self.layout.look_on_the_way(from)?;
        if !holds_something(from) {
            return Err(StoreError::Corrupt { file: source.path.clone() }.into());
        }
        copy(from, to).await?;
        let mut conn = base(to)?.read_only(true).immutable(true).connect().await?;
        let schema_version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut conn).await?;
        let application_id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut conn).await?;
        if application_id != source.schema.application_id {
            conn.close().await?;
            fs::remove_file(to)?;
            return Err(StoreError::Corrupt { file: source.path.clone() }.into());
        }
        if let Err(error) = refuse_other_owner(&mut conn, source.workspace).await {
            conn.close().await?;
            fs::remove_file(to)?;
            return Err(error);
        }
        let damaged = damaged_texts(&mut conn, source.schema).await?;
        if let Some(damaged) = &damaged {
            tracing::warn!(file = source.path, damaged, "a backup is not whole");
        }
        let of_workspace = source.workspace != WorkspaceId::ACCOUNT;
        let name: Option<String> = if of_workspace && source.is_memory() {
            sqlx::query_scalar("SELECT name FROM meta").fetch_optional(&mut conn).await?
        } else {
            None
        };
        let log = if source.is_memory() { Some(log_in(&mut conn).await?) } else { None };
        conn.close().await?;
        let file = SetFile {
            path: source.path.clone(),
            workspace: of_workspace.then(|| source.workspace.to_string()),
            name,
            bytes: fs::metadata(to)?.len(),
            sha256: sha256(to)?,
            schema_version,
            scrubs: log.as_deref().map(scrubs_in),
            log_end: log.as_deref().map(end_of),
        };
        Ok((file, damaged.is_none()))
    }

    pub(crate) fn manifest(&self, id: BackupId) -> DbResult<Manifest> {
        let path = self.set_folder(id).join(MANIFEST);
        self.layout.look_on_the_way(&path)?;
        let text = match inklings_files::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(StoreError::NotFound("backup").into());
            }
            text => text?,
        };
        serde_json::from_slice(&text)
            .map_err(|_| StoreError::Corrupt { file: format!("backups/sets/{id}/{MANIFEST}") }.into())
    }

    fn checked(&self, id: BackupId) -> Option<bool> {
        let text = inklings_files::read(&self.set_folder(id).join(CHECKED)).ok()?;
        serde_json::from_slice::<Checked>(&text).ok().map(|checked| checked.ok)
    }

    pub(crate) fn list_sets(&self) -> DbResult<Vec<BackupSet>> {
        let mut names = names_in(&self.sets())?;
        // Files in quarantine that a restore replaced are named after the backup made before the restore.
        names.extend(names_in(&self.layout.quarantine())?);
        let mut ids: Vec<BackupId> = names.iter().filter_map(|name| name.parse().ok()).collect();
        ids.sort_by_key(ToString::to_string);
        ids.dedup();
        let read = |id: BackupId| {
            let read = match self.manifest(id) {
                Ok(manifest) => set(id, &manifest, self.checked(id)),
                // It exists and takes room, so it is listed; it can only be destroyed.
                Err(_) => BackupSet {
                    id,
                    sequence: 0,
                    bytes: 0,
                    files: Vec::new(),
                    workspaces: Vec::new(),
                    account: false,
                    scrubs_since: 0,
                    ok: Some(false),
                },
            };
            BackupSet { bytes: read.bytes + bytes_in(&self.set_aside(id)), ..read }
        };
        let mut sets: Vec<BackupSet> = ids.into_iter().map(read).collect();
        sets.sort_by_key(|set| std::cmp::Reverse(order(set.sequence, set.id)));
        Ok(sets)
    }

    /// Checks every copy of a set.
    pub(crate) async fn condition(&self, id: BackupId, manifest: &Manifest) -> DbResult<Condition> {
        let mut condition = Condition::Whole;
        for file in &manifest.files {
            let path = self.set_folder(id).join(&file.path);
            let Some(source) = file.source().filter(|_| self.layout.look_on_the_way(&path).is_ok()) else {
                return Ok(Condition::Damaged);
            };
            let same = match sha256(&path) {
                Err(DbError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => false,
                Err(error) if error.is_wrong_kind() => false,
                hash => hash? == file.sha256,
            };
            if !same {
                return Ok(Condition::Damaged);
            }
            match check_copy(&path, &source).await {
                Ok(true) => {}
                Ok(false) => condition = Condition::DamagedTexts,
                Err(error) if error.is_damage() => return Ok(Condition::Damaged),
                Err(error) => return Err(error),
            }
        }
        Ok(condition)
    }

    async fn check_set(&self, id: BackupId) -> DbResult<BackupSet> {
        let _lock = self.backup_lock().await?;
        let ok = match self.manifest(id) {
            Ok(manifest) => self.condition(id, &manifest).await? == Condition::Whole,
            Err(error) if error.is_damage() => false,
            Err(error) => return Err(error),
        };
        write_json(&self.set_folder(id).join(CHECKED), &Checked { ok })?;
        let found = self.list_sets()?.into_iter().find(|set| set.id == id);
        Ok(found.ok_or(StoreError::NotFound("backup"))?)
    }

    async fn remove_set(&self, id: BackupId) -> DbResult<()> {
        let _lock = self.backup_lock().await?;
        if self.drop_set(id)? { Ok(()) } else { Err(StoreError::NotFound("backup").into()) }
    }

    /// Deletes a set. False if there is none. The caller holds the lock of the backups.
    pub(crate) fn drop_set(&self, id: BackupId) -> DbResult<bool> {
        let folder = self.set_folder(id);
        if !self.layout.has_folder(&folder)? {
            return Ok(false);
        }
        // Renames it first: a set is complete or does not count, and making the next set removes the remains.
        let nursery = self.sets().join(format!("{NURSERY}{id}"));
        fs::rename(&folder, &nursery)?;
        sync_folder(&self.sets())?;
        fs::remove_dir_all(&nursery)?;
        sync_folder(&self.sets())?;
        Ok(true)
    }

    pub(crate) fn sources(&self, scope: BackupScope<'_>) -> DbResult<Vec<Source>> {
        let ids = match scope {
            BackupScope::Everything => self.folders()?,
            BackupScope::Only(ids) => ids.to_vec(),
        };
        let workspaces = ids.into_iter().flat_map(Source::of_workspace);
        Ok(std::iter::once(Source::account()).chain(workspaces).collect())
    }

    async fn make_checked(&self, id: BackupId, scope: BackupScope<'_>) -> DbResult<BackupSet> {
        let _lock = self.backup_lock().await?;
        let set = self.make_set(id, &self.sources(scope)?).await?;
        if set.account {
            return Ok(set);
        }
        fs::remove_dir_all(self.set_folder(set.id))?;
        Err(StoreError::Corrupt { file: AGENTS.to_owned() }.into())
    }

    /// The quarantine path of a database, within the data folder.
    pub(crate) fn quarantine_of(path: &str, time: &str) -> String {
        format!("{QUARANTINE}/{time}/{}", path.replace('/', "_"))
    }

    async fn read_activity(&self) -> DbResult<Vec<(WorkspaceId, u64)>> {
        let open = self.open.lock().await;
        let mut counters = Vec::new();
        for database in open.account.iter().chain(open.workspaces.values()) {
            let statement = "SELECT coalesce(sum(counter), 0) FROM topics WHERE topic <> 'models'";
            let counted: i64 = sqlx::query_scalar(statement).fetch_one(&database.db.reader()).await?;
            counters.push((database.db.workspace_id(), counted.unsigned_abs()));
        }
        Ok(counters)
    }
}

fn gone(error: DbError) -> DbResult<()> {
    match error {
        DbError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => Err(other),
    }
}

fn set(id: BackupId, manifest: &Manifest, ok: Option<bool>) -> BackupSet {
    let mut workspaces: Vec<(WorkspaceId, String)> = Vec::new();
    for file in &manifest.files {
        let Some(workspace) = file.workspace.as_ref().and_then(|id| id.parse().ok()) else { continue };
        if let Some(name) = &file.name {
            workspaces.push((workspace, name.clone()));
        }
    }
    BackupSet {
        id,
        sequence: manifest.sequence,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        files: manifest.files.iter().map(|file| file.path.clone()).collect(),
        workspaces,
        account: manifest.files.iter().any(|file| file.workspace.is_none()),
        scrubs_since: 0,
        ok,
    }
}

/// Checks a whole copy. True if its checksums are valid.
async fn check_copy(path: &Path, source: &Source) -> DbResult<bool> {
    check(path).await?;
    let mut conn = base(path)?.read_only(true).immutable(true).connect().await?;
    let found = damaged_texts(&mut conn, source.schema).await;
    conn.close().await?;
    Ok(found?.is_none())
}

/// The total size of the files in a folder; 0 if there is none.
fn bytes_in(folder: &Path) -> u64 {
    inklings_files::entries(folder).unwrap_or_default().iter().map(|path| size_of(path)).sum()
}

fn sha256(path: &Path) -> DbResult<String> {
    let mut file = inklings_files::open_to_read(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(&buffer[..read]);
    }
}

/// Writes a small file atomically. Replaces only a regular file.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> DbResult<()> {
    inklings_files::file(path)?;
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let text = serde_json::to_vec_pretty(value).map_err(|error| StoreError::Internal(Box::new(error)))?;
    let mut file = inklings_files::create(Path::new(&part))?;
    file.write_all(&text)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(())
}

#[async_trait::async_trait]
impl BackupStore for SqliteCatalogue {
    async fn make_backup(&self, id: BackupId, scope: BackupScope<'_>) -> Result<BackupSet, StoreError> {
        Self::public(self.make_checked(id, scope).await)
    }

    async fn backups(&self) -> Result<Vec<BackupSet>, StoreError> {
        if let Err(error) = self.adopt_copies().await {
            tracing::warn!(%error, "copies from before a migration are not among the backups yet");
        }
        let mut sets = Self::public(self.list_sets())?;
        Self::public(self.count_scrubs(&mut sets).await)?;
        Ok(sets)
    }

    async fn leftovers(&self, workspace: WorkspaceId) -> Result<Vec<String>, StoreError> {
        Self::public(self.find_leftovers(workspace))
    }

    async fn backups_holding(
        &self,
        workspace: WorkspaceId,
        target: &ScrubTarget,
        ids: &[String],
    ) -> Result<Vec<BackupSet>, StoreError> {
        // Listing the backups reads every audit log in them.
        if ids.is_empty() && tables_of_place(target).is_empty() {
            return Ok(Vec::new());
        }
        let sets = self.backups().await?;
        Self::public(self.sets_holding(sets, workspace, (target, ids)).await)
    }

    async fn check_backup(&self, id: BackupId) -> Result<BackupSet, StoreError> {
        Self::public(self.check_set(id).await)
    }

    async fn remove_backup(&self, id: BackupId) -> Result<(), StoreError> {
        Self::public(self.remove_set(id).await)
    }

    async fn purge_backup(&self, id: BackupId, entry: &AuditEntry) -> Result<(), StoreError> {
        Self::public(self.purge_set(id, entry).await)
    }

    async fn restore_backup(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError> {
        Self::public(self.restore_set(id, before, entry, false).await)
    }

    async fn restore_scrubbed(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError> {
        Self::public(self.restore_set(id, before, entry, true).await)
    }

    async fn rebuild_indexes(&self) -> Result<u64, StoreError> {
        Self::public(self.make_indexes_anew().await)
    }

    async fn begin_account_anew(&self, before: BackupId, entry: &AuditEntry) -> Result<(), StoreError> {
        Self::public(self.begin_anew(before, entry).await)
    }

    async fn damaged_files(&self) -> Result<Vec<Damaged>, StoreError> {
        Self::public(self.look_for_damage().await)
    }

    async fn activity(&self) -> Result<Vec<(WorkspaceId, u64)>, StoreError> {
        Self::public(self.read_activity().await)
    }

    fn backup_folder(&self) -> String {
        self.sets().display().to_string()
    }
}
