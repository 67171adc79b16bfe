//! Opens and creates databases.

use std::{fs, path::Path};

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::{Channel, ChannelName},
    ids::{ChannelId, WorkspaceId},
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::store_error::StoreError;
use uuid::Uuid;

use super::{OpenDatabase, OpenDatabases, OpenWorld, SqliteCatalogue, open_in_turn, registry};
use crate::{
    connection::{Database, OpenSpec, copy::sync_folder},
    conversation::channels::insert_channel,
    error::DbResult,
    layout::{AGENTS, NURSERY, WORLD},
    migrate::{self, Schema},
    rows::micros,
    scrub::finish_cleaning,
    split::settle::settle,
};

impl SqliteCatalogue {
    /// The account's database. Opened or created at the first call, and reopened when the folder has become
    /// writable.
    pub(super) async fn open_account(&self, open: &mut OpenDatabases) -> DbResult<OpenDatabase> {
        let writable = self.is_writable();
        if writable {
            self.finish_pending_restore().await;
        }
        if let Some(account) = open.account.as_ref().filter(|account| account.serves(writable)) {
            return Ok(account.clone());
        }
        let _lock = if writable { Some(self.lock().await?) } else { None };
        if writable {
            self.finish_restore().await?;
        }
        let spec = OpenSpec {
            path: self.layout.account(),
            schema: &migrate::ACCOUNT,
            workspace: WorkspaceId::ACCOUNT,
            create: !self.has_account_trace()?,
            writable,
        };
        let db = OpenDatabase::reopen_with(open.account.clone(), Database::open_or_read_only(spec))
            .await
            .map_err(|error| error.into_store(AGENTS))?;
        let writable = writable && !db.is_read_only();
        if let Some(account) = open.account.as_ref().filter(|_| db.is_read_only()) {
            // There is still no room to write.
            db.close().await;
            return Ok(account.clone());
        }
        if writable {
            if let Err(error) = self.mark_account() {
                tracing::warn!(%error, "it is not noted yet that there is an account");
            }
            finish_cleaning(&db).await?;
        }
        let account = OpenDatabase::serve(db, None, &self.peers).await?;
        if writable {
            self.remove_nurseries()?;
            if let Err(error) = self.clear_leftovers() {
                tracing::warn!(%error, "what a backup that was cut off left is still there");
            }
            self.finish_deletions(&account).await;
            self.finish_renames(&account.db).await;
            self.adopt_folders(&account.db).await?;
            settle(&account.store).await;
        }
        open.account = Some(account.clone());
        Ok(account)
    }

    /// Opens a workspace's database.
    pub(super) async fn open_workspace(
        &self,
        open: &mut OpenDatabases,
        id: WorkspaceId,
    ) -> DbResult<(Workspace, OpenDatabase)> {
        let account = self.open_account(open).await?;
        let Some(workspace) = registry::find(&account.db, id).await? else {
            // Possibly deleted by another process: its open connections are of no use.
            close(open, id).await;
            return Err(self.why_not(&account.db, id).await?.into());
        };
        let writable = self.is_writable();
        if let Some(database) = open.workspaces.get(&id).filter(|database| database.serves(writable)) {
            return Ok((workspace, database.clone()));
        }
        let _lock = if writable { Some(self.lock().await?) } else { None };
        if writable {
            self.finish_restore().await?;
        }
        let folder = self.layout.workspace(id);
        if !self.layout.has_folder(&folder)? {
            if self.is_deleted(id)? {
                // Deleted after the registry was read, perhaps by a process that died before it updated the
                // registry.
                close(open, id).await;
                return Err(StoreError::NotFound("workspace").into());
            }
            return Err(StoreError::Missing { file: format!("workspaces/{id}") }.into());
        }
        let held = open.workspaces.get(&id).cloned();
        let opening = open_file(&folder, WORLD, &migrate::WORLD, id, false, writable);
        let shared = held.as_ref().and_then(|held| held.world.as_ref());
        let world = match shared.filter(|world| world.db.has_private_log_index()) {
            Some(world) => open_in_turn(&world.db, opening).await?,
            None => opening.await?,
        };
        let opening = open_file(&folder, AGENTS, &migrate::WORKSPACE, id, false, writable);
        let db = match OpenDatabase::reopen_with(held.clone(), opening).await {
            Ok(db) => db,
            Err(error) => {
                world.close().await;
                return Err(error);
            }
        };
        if let Some(database) = held.filter(|_| db.is_read_only()) {
            // There is still no room to write.
            db.close().await;
            world.close().await;
            return Ok((workspace, database));
        }
        let Some(meta) = registry::read_meta(&db).await?.filter(|meta| meta.id == id) else {
            db.close().await;
            world.close().await;
            return Err(StoreError::Refused("this folder holds another workspace".into()).into());
        };
        if !db.is_read_only() {
            finish_cleaning(&db).await?;
            // The registry decides. A restored backup or a copied folder may have another name.
            if meta.name != workspace.name.as_str()
                && let Err(error) = registry::rename_meta(&db, &workspace.name).await
            {
                tracing::warn!(workspace = %id, %error, "a workspace's own file has another name than the list");
            }
        }
        let world = OpenWorld::serve(world);
        let database = OpenDatabase::serve(db, Some(world), &self.peers).await?;
        open.workspaces.insert(id, database.clone());
        Ok((workspace, database))
    }

    /// Creates a workspace: first complete in a temporary folder, then moved to its place, then registered. A
    /// kill in between leaves nothing that counts as a workspace.
    pub(super) async fn make(&self, workspace: &Workspace) -> DbResult<()> {
        let mut open = self.open.lock().await;
        let account = self.open_account(&mut open).await?;
        let _lock = self.lock().await?;
        let folder = self.layout.workspace(workspace.id);
        if registry::is_taken(&account.db, workspace.id, &workspace.name).await? || folder.exists() {
            return Err(StoreError::AlreadyExists("workspace").into());
        }
        self.layout.look_on_the_way(&folder)?;
        let nursery = self.layout.nursery(workspace.id);
        if nursery.exists() {
            fs::remove_dir_all(&nursery)?;
        }
        let made = self.fill(&nursery, workspace).await;
        if made.is_err() {
            // The first error is the cause, so it is reported.
            let _ = fs::remove_dir_all(&nursery);
        }
        made?;
        fs::rename(&nursery, &folder)?;
        sync_folder(&self.layout.workspaces())?;
        registry::add(&account.db, workspace).await
    }

    async fn fill(&self, folder: &Path, workspace: &Workspace) -> DbResult<()> {
        fs::create_dir_all(folder)?;
        let world = open_file(folder, WORLD, &migrate::WORLD, workspace.id, true, true).await?;
        let mut tx = world.begin_immediate().await?;
        sqlx::query("INSERT INTO meta (one, workspace_id, created_at) VALUES (1, ?, ?)")
            .bind(workspace.id.to_string())
            .bind(micros(workspace.created_at))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        world.close().await;
        let db = open_file(folder, AGENTS, &migrate::WORKSPACE, workspace.id, true, true).await?;
        let mut tx = db.begin_immediate().await?;
        registry::write_meta(&mut tx, workspace).await?;
        insert_channel(&mut tx, &general(workspace.id, workspace.created_at)).await?;
        tx.commit().await?;
        db.close().await;
        sync_folder(folder)
    }

    /// Renames in the registry, which decides, and in the workspace's own file, which holds a copy.
    pub(super) async fn give_name(&self, id: WorkspaceId, name: &WorkspaceName) -> DbResult<()> {
        let mut open = self.open.lock().await;
        let account = self.open_account(&mut open).await?;
        if registry::find(&account.db, id).await?.is_none() {
            self.name_damaged(&account.db, id, name).await?;
        }
        let (_, database) = self.open_workspace(&mut open, id).await?;
        let _lock = self.lock().await?;
        let noted = self.layout.renaming();
        self.note(&noted, &id, &true)?;
        // A commit that fails may have been written all the same. The note then makes the next opening copy the name that the
        // registry has.
        if !registry::rename(&account.db, id, name).await? {
            self.forget_note(&noted, &id)?;
            return Err(StoreError::NotFound("workspace").into());
        }
        registry::rename_meta(&database.db, name).await?;
        self.forget_note(&noted, &id)
    }

    /// Completes interrupted renames. The caller holds the folder's lock. Failures are retried the next time.
    async fn finish_renames(&self, account: &Database) {
        let finished = async {
            for name in names_in(&self.layout.renaming())? {
                if let Ok(id) = name.parse::<WorkspaceId>() {
                    self.finish_rename(account, id).await?;
                    tracing::info!(workspace = %id, "a renaming that was cut off is done");
                }
            }
            DbResult::Ok(())
        };
        if let Err(error) = finished.await {
            tracing::warn!(%error, "a renaming that was cut off is not finished yet");
        }
    }

    /// Copies the registered name to the workspace's own file.
    async fn finish_rename(&self, account: &Database, id: WorkspaceId) -> DbResult<()> {
        if let Some(workspace) = registry::find(account, id).await?
            && self.has_folder(id)
        {
            let folder = self.layout.workspace(id);
            self.layout.look_on_the_way(&folder.join(AGENTS))?;
            let db = open_file(&folder, AGENTS, &migrate::WORKSPACE, id, false, true).await?;
            let renamed = async {
                match registry::read_meta(&db).await? {
                    Some(meta) if meta.id == id => registry::rename_meta(&db, &workspace.name).await,
                    _ => Ok(()),
                }
            };
            let renamed = renamed.await;
            db.close().await;
            renamed?;
        }
        self.forget_note(&self.layout.renaming(), &id)
    }

    /// Registers workspace folders that are not in the registry: the registry was lost with its file, the
    /// folder was copied from another machine, or a process was killed right before it registered a new one.
    pub(super) async fn adopt_folders(&self, account: &Database) -> DbResult<()> {
        let listed = registry::rows(account).await?;
        for id in self.folders()? {
            if listed.iter().any(|workspace| workspace.id == id) {
                continue;
            }
            if let Err(error) = self.adopt_folder(account, id).await {
                tracing::warn!(workspace = %id, %error, "a workspace folder is not listed");
            }
        }
        Ok(())
    }

    async fn adopt_folder(&self, account: &Database, id: WorkspaceId) -> DbResult<()> {
        let folder = self.layout.workspace(id);
        self.layout.look_on_the_way(&folder.join(AGENTS))?;
        if self.has_unexpected_schema(id).await? {
            return Err(
                StoreError::Refused("there is something in it that is not of this program".into()).into()
            );
        }
        let db = open_file(&folder, AGENTS, &migrate::WORKSPACE, id, false, true).await?;
        let meta = registry::read_meta(&db).await;
        db.close().await;
        let Some(meta) = meta?.filter(|meta| meta.id == id) else { return Ok(()) };
        // The user has to replace an invalid name; otherwise nobody could identify the folder.
        let Ok(name) = WorkspaceName::new(&meta.name) else { return Ok(()) };
        let found = Workspace { id, name, created_at: meta.created_at };
        let name = free_name(account, &found).await?;
        registry::add(account, &Workspace { name, ..found }).await
    }

    /// Removes the temporary folders of processes that were killed while they created a workspace. No
    /// workspace is being created now: that takes the lock, which the caller holds.
    fn remove_nurseries(&self) -> DbResult<()> {
        for name in names_in(&self.layout.workspaces())? {
            if name.strip_prefix(NURSERY).is_some_and(|id| id.parse::<WorkspaceId>().is_ok()) {
                fs::remove_dir_all(self.layout.workspaces().join(name))?;
            }
        }
        Ok(())
    }

    /// The ids of the folders named like workspaces, sorted.
    pub(super) fn folders(&self) -> DbResult<Vec<WorkspaceId>> {
        let names = names_in(&self.layout.workspaces())?;
        let mut ids: Vec<WorkspaceId> = names.iter().filter_map(|name| name.parse().ok()).collect();
        ids.sort_unstable();
        Ok(ids)
    }
}

/// The names in a folder; none if it does not exist.
pub(super) fn names_in(folder: &Path) -> DbResult<Vec<String>> {
    let names = inklings_files::entries(folder)?.into_iter();
    Ok(names.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
}

/// Closes the open connections of a workspace.
pub(super) async fn close(open: &mut OpenDatabases, id: WorkspaceId) {
    if let Some(database) = open.workspaces.remove(&id) {
        database.close().await;
    }
}

async fn open_file(
    folder: &Path,
    name: &str,
    schema: &Schema,
    workspace: WorkspaceId,
    create: bool,
    writable: bool,
) -> DbResult<Database> {
    let spec = OpenSpec { path: folder.join(name), schema, workspace, create, writable };
    if create {
        return Ok(Database::open(spec).await?);
    }
    Database::open_or_read_only(spec).await.map_err(|error| error.into_store(name).into())
}

/// The default channel of a workspace. Its id derives from the workspace's, so that creating a workspace
/// needs no second source of ids; the flipped bits make the two differ.
fn general(workspace: WorkspaceId, created_at: DateTime<Utc>) -> Channel {
    let id = Uuid::from_u128(workspace.as_uuid().as_u128() ^ 0xffff_ffff);
    Channel {
        id: ChannelId::from_uuid(id),
        workspace_id: workspace,
        name: ChannelName::general(),
        description: String::new(),
        is_default: true,
        created_at,
        archived_at: None,
    }
}

/// The workspace's name, with a number added if it is taken.
async fn free_name(account: &Database, workspace: &Workspace) -> DbResult<WorkspaceName> {
    let mut name = workspace.name.clone();
    for number in 2..1_000 {
        if !registry::is_taken(account, workspace.id, &name).await? {
            break;
        }
        let base: String = workspace.name.as_str().chars().take(110).collect();
        name = WorkspaceName::new(&format!("{base} ({number})"))
            .map_err(|_| StoreError::AlreadyExists("workspace"))?;
    }
    Ok(name)
}
