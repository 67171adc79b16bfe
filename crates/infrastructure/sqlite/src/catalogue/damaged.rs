//! Finds workspaces that cannot be opened, and the reason; the others still open. Also detects damaged
//! databases.

use std::fs;

use std::path::Path;

use inklings_domain::{
    ids::WorkspaceId,
    text::shown_label,
    workspace::{Workspace, WorkspaceName},
};
use inklings_files::{PathKind, kind};
use inklings_ports::{
    backup::{BackupScope, Damaged},
    store_error::StoreError,
    workspace::catalogue::{DamagedWorkspace, WorkspaceFault},
};
use sqlx::Connection;

use crate::catalogue::{
    SqliteCatalogue,
    backup::sets::{QUARANTINE, Source},
    check::damage,
    registry,
};
use crate::{
    connection::{Database, OpenSpec, probe, read_only::connect_to_read},
    error::{DbError, DbResult},
    functions::scoring,
    memory::text_index::{ENTRIES, Index, MESSAGES, PAGES},
};

/// The damage check reads files up to this size in full; of larger ones only the beginning.
const READ_THROUGH: u64 = 64 * 1024 * 1024;

/// The fault of a workspace folder, and its own metadata if it can be read.
#[derive(Default)]
pub(super) struct Looked {
    /// The fault of the first database that has one.
    pub(super) fault: Option<WorkspaceFault>,
    pub(super) meta: Option<registry::Raw>,
    /// The databases with a fault.
    files: Vec<String>,
}

/// Makes the indexes of a database anew that differ from their texts. Returns their number.
async fn indexes_made_anew(db: &Database, source: &Source) -> DbResult<u64> {
    let indexes: &[Index] = match source.workspace {
        WorkspaceId::ACCOUNT => &[ENTRIES],
        _ if source.is_memory() => &[ENTRIES, MESSAGES],
        _ => &[PAGES],
    };
    let mut made = 0;
    for index in indexes {
        if !index.agrees(db).await? {
            index.make_anew(db).await?;
            made += 1;
        }
    }
    Ok(made)
}

impl SqliteCatalogue {
    /// Every workspace in the registry or on disk that cannot be opened, by id.
    pub(super) async fn find_damaged(&self) -> DbResult<Vec<DamagedWorkspace>> {
        let mut open = self.open.lock().await;
        let account = self.open_account(&mut open).await?;
        let rows = registry::rows(&account.db).await?;
        let mut ids: Vec<WorkspaceId> = rows.iter().map(|row| row.id).chain(self.folders()?).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut damaged = Vec::new();
        for id in ids {
            let row = rows.iter().find(|row| row.id == id);
            // Opening and closing the file of an open database would release SQLite's locks.
            let looked =
                if open.workspaces.contains_key(&id) { Looked::default() } else { self.look_at(id).await? };
            // The registry decides on names; a folder that is not registered uses its own name.
            let metadata = row.or(looked.meta.as_ref());
            let named = metadata.is_some_and(|metadata| WorkspaceName::new(&metadata.name).is_ok());
            let fault = looked.fault.or_else(|| (!named).then_some(WorkspaceFault::Name));
            if let Some(fault) = fault {
                if self.is_deleted(id)? {
                    continue;
                }
                damaged.push(DamagedWorkspace {
                    id,
                    name: metadata.map_or_else(String::new, |metadata| shown_label(&metadata.name)),
                    created_at: metadata.map(|metadata| metadata.created_at),
                    fault,
                    files: looked.files,
                });
            }
        }
        Ok(damaged)
    }

    /// Inspects a workspace's folder without opening it for use. The caller knows that it is not open here.
    pub(super) async fn look_at(&self, id: WorkspaceId) -> DbResult<Looked> {
        let mut looked = Looked::default();
        for source in Source::of_workspace(id) {
            if let Some(fault) = self.look_at_file(&source, &mut looked.meta).await {
                looked.fault = looked.fault.or(Some(fault));
                looked.files.push(source.path);
            }
        }
        Ok(looked)
    }

    /// The fault of one database of a workspace.
    async fn look_at_file(
        &self,
        source: &Source,
        meta: &mut Option<registry::Raw>,
    ) -> Option<WorkspaceFault> {
        let id = source.workspace;
        let looked = async {
            let is_link = |path: &Path| DbResult::Ok(kind(path)? == Some(PathKind::Link));
            if is_link(&self.layout.workspaces())? || is_link(&self.layout.workspace(id))? {
                return Ok(Some(WorkspaceFault::Link));
            }
            let path = self.place_of(source)?;
            if is_link(&path)? {
                return Ok(Some(WorkspaceFault::Link));
            }
            if probe::version_of(&path, source.schema, id).await?.is_none() {
                return Ok(Some(WorkspaceFault::Missing));
            }
            if !source.is_memory() {
                return Ok(None);
            }
            let mut conn = connect_to_read(&path).await?;
            let read = registry::raw_meta(&mut conn).await;
            conn.close().await?;
            *meta = read?;
            Ok(meta.is_none().then_some(WorkspaceFault::Damaged))
        };
        match looked.await {
            Err(DbError::Store(StoreError::NewerSchema { .. })) => Some(WorkspaceFault::Newer),
            Err(DbError::Store(StoreError::OlderSchema { .. })) => Some(WorkspaceFault::Older),
            Err(DbError::OtherWorkspace) => Some(WorkspaceFault::OtherWorkspace),
            Err(DbError::ForeignSchema) => Some(WorkspaceFault::ForeignSchema),
            Err(error) if error.is_damage() => Some(WorkspaceFault::Damaged),
            // A full disk or a busy file is not damage.
            Err(error) => {
                tracing::warn!(workspace = %id, %error, "a workspace could not be looked at");
                None
            }
            Ok(fault) => fault,
        }
    }

    /// The error for a workspace that is not registered, or not under a valid name.
    pub(super) async fn why_not(&self, account: &Database, id: WorkspaceId) -> DbResult<StoreError> {
        let damaged = registry::is_listed(account, id).await? || self.layout.workspace(id).exists();
        Ok(if damaged {
            StoreError::Corrupt { file: format!("workspaces/{id}") }
        } else {
            StoreError::NotFound("workspace")
        })
    }

    /// Renames a workspace without a valid name: in its own file and, if present, in the registry.
    pub(super) async fn name_damaged(
        &self,
        account: &Database,
        id: WorkspaceId,
        name: &WorkspaceName,
    ) -> DbResult<()> {
        if registry::is_taken(account, id, name).await? {
            return Err(StoreError::AlreadyExists("workspace").into());
        }
        if registry::rename(account, id, name).await? {
            return Ok(());
        }
        let Looked { fault: None, meta: Some(metadata), .. } = self.look_at(id).await? else {
            return Err(self.why_not(account, id).await?.into());
        };
        registry::add(account, &Workspace { id, name: name.clone(), created_at: metadata.created_at }).await
    }

    pub(super) async fn look_for_damage(&self) -> DbResult<Vec<Damaged>> {
        let open = self.open.lock().await;
        let mut damaged = Vec::new();
        for source in self.sources(BackupScope::Everything)? {
            if self.is_damaged(&source, open.held(&source).map(|db| &**db)).await? {
                let quarantined = QUARANTINE.to_owned();
                damaged.push(Damaged { workspace: source.workspace, file: source.path, quarantined });
            }
        }
        Ok(damaged)
    }

    /// Makes the full-text indexes anew that lost touch with their texts. Returns their number. A database that cannot
    /// be opened is left out: the look for damage tells of it.
    pub(super) async fn make_indexes_anew(&self) -> DbResult<u64> {
        let open = self.open.lock().await;
        let mut made = 0;
        for source in &self.sources(BackupScope::Everything)? {
            if let Some(db) = open.held(source) {
                made += indexes_made_anew(db, source).await?;
                continue;
            }
            let spec = OpenSpec {
                path: self.place_of(source)?,
                schema: source.schema,
                workspace: source.workspace,
                create: false,
                writable: true,
            };
            let lock = self.lock().await?;
            let opened = Database::open(spec).await.map_err(DbError::from);
            drop(lock);
            match opened {
                Ok(db) => {
                    let done = indexes_made_anew(&db, source).await;
                    db.close().await;
                    made += done?;
                }
                Err(error) => {
                    tracing::warn!(file = source.path, %error, "the indexes of a database were not looked at");
                }
            }
        }
        Ok(made)
    }

    /// A database that this process has open is read over its own connections: opening and closing its file
    /// by other means would release SQLite's locks.
    pub(super) async fn is_damaged(&self, source: &Source, held: Option<&Database>) -> DbResult<bool> {
        // A new folder has no account database yet.
        let absent = || DbResult::Ok(source.workspace != WorkspaceId::ACCOUNT || self.has_account_trace()?);
        let looked = async {
            let path = self.place_of(source)?;
            let Ok(data) = fs::symlink_metadata(&path) else { return absent() };
            if held.is_none() {
                let found = probe::version_of(&path, source.schema, source.workspace).await?;
                if found.is_none() {
                    return absent();
                }
            }
            if data.len() > READ_THROUGH {
                return Ok(false);
            }
            let found = if let Some(db) = held {
                damage(&mut *db.reader().acquire().await?, source).await?
            } else {
                let mut conn = connect_to_read(&path).await?;
                scoring::register(&mut conn).await?;
                let found = damage(&mut conn, source).await;
                conn.close().await?;
                found?
            };
            Ok(found.is_some())
        };
        match looked.await {
            Err(error) if error.is_damage() => Ok(true),
            other => other,
        }
    }
}
