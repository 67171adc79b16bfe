//! Restores backups.
//!
//! Everything is staged in `.restore/`: the copies, migrated and with the audit log of the current databases.
//! Writing the plan commits the restore.

use std::{fs, path::Path};

use inklings_domain::{
    audit::{AuditAct, AuditEntry, AuditRow},
    backup::BackupId,
    ids::WorkspaceId,
};
use inklings_files::kind;
use inklings_ports::{backup::BackupSet, store_error::StoreError};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::catalogue::{
    OpenDatabase, OpenDatabases, SqliteCatalogue,
    backup::carried::{Carried, Lost, carried, carry_clients, on_record, salvaged},
    backup::plan::{Plan, REPLACED, Step},
    backup::sets::{Condition, SetFile, Source},
    check::damaged_pages,
};
use crate::{
    audit,
    connection::{
        Database, OpenSpec, base, copy::sync_folder, probe::refuse_other_owner, read_only::connect_to_read,
    },
    error::DbResult,
    layout::{holds_something, with_suffix},
    scrub::{
        again::{self, Present},
        fingerprint::Key,
    },
};

/// Takes the write lock of a database whose file is about to be moved. Earlier writers have committed then;
/// later ones check whether the file still exists.
pub(crate) async fn lock_to_move(path: &Path, source: &Source) -> DbResult<SqliteConnection> {
    let mut conn = base(path)?.connect().await?;
    refuse_other_owner(&mut conn, source.workspace).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut conn).await?;
    Ok(conn)
}

impl SqliteCatalogue {
    pub(crate) async fn restore_set(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
        scrub_first: bool,
    ) -> DbResult<(BackupSet, BackupSet)> {
        let _backups = self.backup_lock().await?;
        let manifest = self.manifest(id)?;
        let sources: Option<Vec<Source>> = manifest.files.iter().map(SetFile::source).collect();
        let sources = sources.filter(|sources| !sources.is_empty());
        let Some(sources) = sources.filter(|sources| sources.iter().any(Source::is_memory)) else {
            return Err(StoreError::Corrupt { file: format!("backups/sets/{id}") }.into());
        };
        let condition = self.condition(id, &manifest).await?;
        if condition == Condition::Damaged {
            return Err(StoreError::Corrupt { file: format!("backups/sets/{id}") }.into());
        }
        let mut open = self.open.lock().await;
        let _lock = self.lock().await?;
        self.finish_restore().await?;
        let (held, damaged) = self.hold(&sources).await?;
        let was = self.make_set(before, &sources).await?;
        let staged = self.stage((id, scrub_first), &was, &sources, &damaged, entry).await;
        self.put_in_place(staged, &mut open, &sources, held).await?;
        let restored = BackupSet { ok: Some(condition == Condition::Whole), ..self.described(id)? };
        Ok((restored, was))
    }

    fn described(&self, id: BackupId) -> DbResult<BackupSet> {
        let found = self.list_sets()?.into_iter().find(|set| set.id == id);
        Ok(found.ok_or(StoreError::NotFound("backup"))?)
    }

    /// Takes the write lock of every existing source, so that nothing is written between its backup and the
    /// swap. Also returns the paths of the damaged ones.
    async fn hold(&self, sources: &[Source]) -> DbResult<(Vec<SqliteConnection>, Vec<String>)> {
        let (mut held, mut damaged) = (Vec::new(), Vec::new());
        for source in sources {
            let path = self.place_of(source)?;
            if !holds_something(&path) {
                if kind(&path)?.is_some() || kind(&with_suffix(&path, "-wal"))?.is_some() {
                    damaged.push(source.path.clone());
                }
                continue;
            }
            let taken = async {
                let mut conn = lock_to_move(&path, source).await?;
                // Checks only the pages. A file with damaged texts is still locked, because others can write
                // to it; its backup includes the texts.
                match damaged_pages(&mut conn, 1).await? {
                    None => DbResult::Ok(conn),
                    Some(_) => Err(StoreError::Corrupt { file: source.path.clone() }.into()),
                }
            };
            match taken.await {
                Ok(conn) => held.push(conn),
                Err(error) if error.is_damage() => damaged.push(source.path.clone()),
                Err(error) => return Err(error),
            }
        }
        Ok((held, damaged))
    }

    /// Stages all files and writes the plan.
    async fn stage(
        &self,
        (id, scrub_first): (BackupId, bool),
        was: &BackupSet,
        sources: &[Source],
        damaged: &[String],
        entry: &AuditEntry,
    ) -> DbResult<Plan> {
        let folder = self.layout.restoring();
        let mut steps = Vec::with_capacity(sources.len());
        for source in sources {
            let (from, to) = (self.set_folder(id).join(&source.path), folder.join("new").join(&source.path));
            fs::create_dir_all(to.parent().unwrap_or(&folder))?;
            inklings_files::copy(&from, &to)?;
            self.ready((source, false, scrub_first), &to, damaged, sources, entry).await?;
            let aside = if damaged.contains(&source.path) {
                Self::quarantine_of(&source.path, &was.id.to_string())
            } else {
                format!("{REPLACED}{}", source.path)
            };
            steps.push(Step {
                target: source.path.clone(),
                staged: format!(".restore/new/{}", source.path),
                aside,
            });
        }
        self.decide(steps)
    }

    /// Stages an empty database in the place of each of these missing or damaged ones.
    pub(crate) async fn stage_empty(
        &self,
        sources: &[Source],
        aside: BackupId,
        entry: &AuditEntry,
    ) -> DbResult<Plan> {
        let damaged: Vec<String> = sources.iter().map(|source| source.path.clone()).collect();
        let mut steps = Vec::with_capacity(sources.len());
        for source in sources {
            let to = self.layout.restoring().join("new").join(&source.path);
            self.ready((source, true, false), &to, &damaged, sources, entry).await?;
            steps.push(Step {
                target: source.path.clone(),
                staged: format!(".restore/new/{}", source.path),
                aside: Self::quarantine_of(&source.path, &aside.to_string()),
            });
        }
        self.decide(steps)
    }

    /// Migrates a staged copy, or creates an empty one, and adds the data that survives a restore. With `scrub_first`,
    /// also repeats the scrubs since the backup.
    async fn ready(
        &self,
        (source, create, scrub_first): (&Source, bool, bool),
        staged: &Path,
        damaged: &[String],
        sources: &[Source],
        entry: &AuditEntry,
    ) -> DbResult<()> {
        let spec = OpenSpec {
            path: staged.to_owned(),
            schema: source.schema,
            workspace: source.workspace,
            create,
            writable: true,
        };
        let db = Database::open(spec).await?;
        let readied = async {
            if !source.is_memory() {
                return Ok(());
            }
            let present = self.layout.root().join(&source.path);
            let (carried, lost) = if !holds_something(&present) {
                (Carried::default(), Some(Lost { why: "missing", last: None }))
            } else if damaged.contains(&source.path) {
                salvaged(&present, source.workspace).await
            } else {
                (carried(&present, source.workspace).await?, None)
            };
            if scrub_first && lost.is_some() {
                let why = "the audit log of the present database cannot be read, so it is not known what was scrubbed";
                return Err(StoreError::Refused(why.into()).into());
            }
            let scrubs = self.put(&db, source, (&carried, lost, scrub_first), sources, entry).await?;
            if scrub_first && !scrubs.is_empty() {
                let key = Key::at(&self.layout.scrub_key())?;
                let there = if damaged.contains(&source.path) {
                    None
                } else {
                    let mut conn = connect_to_read(&present).await?;
                    let there = Present::read(&mut conn, source.workspace).await;
                    conn.close().await?;
                    Some(there?)
                };
                again::repeat(&db, key.as_ref(), &scrubs, there.as_ref()).await?;
            }
            db.truncate_log().await
        };
        let readied = readied.await;
        db.close().await;
        readied?;
        inklings_files::sync(staged)?;
        sync_folder(staged.parent().unwrap_or_else(|| self.layout.root()))
    }

    /// Adds the data that survives a restore. Returns the scrubs that the copy's own log lacks. With `scrub_first`, refuses
    /// a copy whose log says otherwise than the present one.
    async fn put(
        &self,
        db: &Database,
        source: &Source,
        (carried, mut lost, scrub_first): (&Carried, Option<Lost>, bool),
        sources: &[Source],
        entry: &AuditEntry,
    ) -> DbResult<Vec<AuditRow>> {
        let mut tx = db.begin_immediate().await?;
        let own = audit::all_rows(&mut tx).await?;
        let mut scrubs = Vec::new();
        if carried.audit.starts_with(&own) {
            for row in &carried.audit[own.len()..] {
                audit::insert(&mut tx, source.workspace, row).await?;
                if matches!(row.entry.act, AuditAct::Scrub | AuditAct::Purge) {
                    scrubs.push(row.clone());
                }
            }
        } else if lost.is_none() && !own.starts_with(&carried.audit) {
            if scrub_first {
                let why = "the present database and the backup have different audit logs, so it is not known what was scrubbed";
                return Err(StoreError::Refused(why.into()).into());
            }
            let end = carried.audit.last().map(|row| (row.sequence, row.hash.clone()));
            lost = Some(Lost { why: "another log", last: end });
        }
        let entry = AuditEntry { manifest: on_record(&entry.manifest, lost.as_ref()), ..entry.clone() };
        for (fingerprint, at) in &carried.scrubbed {
            sqlx::query("INSERT INTO scrubbed (workspace_id, fingerprint, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .bind(source.workspace.to_string())
                .bind(&**fingerprint)
                .bind(at)
                .execute(&mut *tx)
                .await?;
        }
        // Caches compare these values. They must differ from those of the replaced file, so that no cache
        // treats this file as the old one.
        sqlx::query("UPDATE change_clock SET tick = max(tick, ?) + 1, epoch = max(epoch, ?) + 1")
            .bind(carried.clocks[0])
            .bind(carried.clocks[1])
            .execute(&mut *tx)
            .await?;
        if source.workspace == WorkspaceId::ACCOUNT {
            self.unlist_lost(&mut tx, sources).await?;
            carry_clients(&mut tx, carried.clients.as_deref(), entry.at).await?;
        } else {
            sqlx::query("UPDATE message_clock SET tick = max(tick, ?) + 1, epoch = max(epoch, ?) + 1")
                .bind(carried.clocks[2])
                .bind(carried.clocks[3])
                .execute(&mut *tx)
                .await?;
            sqlx::query("UPDATE conversations SET message_tick = message_tick + ?")
                .bind(carried.clocks[4] + 1)
                .execute(&mut *tx)
                .await?;
        }
        audit::append(&mut tx, source.workspace, entry).await?;
        tx.commit().await?;
        Ok(scrubs)
    }

    /// Removes workspaces from the restored registry that were deleted since and are not restored with it.
    async fn unlist_lost(&self, conn: &mut SqliteConnection, sources: &[Source]) -> DbResult<()> {
        let there: Vec<String> = self
            .folders()?
            .into_iter()
            .chain(sources.iter().map(|source| source.workspace))
            .map(|id| id.to_string())
            .collect();
        let there = serde_json::to_string(&there).unwrap_or_else(|_| "[]".to_owned());
        sqlx::query("DELETE FROM workspaces WHERE id NOT IN (SELECT value FROM json_each(?))")
            .bind(there)
            .execute(conn)
            .await?;
        Ok(())
    }

    /// Commits what was staged, with the databases closed meanwhile; removes it if staging failed. The caller
    /// holds the folder's lock.
    pub(in crate::catalogue) async fn put_in_place(
        &self,
        staged: DbResult<Plan>,
        open: &mut OpenDatabases,
        sources: &[Source],
        held: Vec<SqliteConnection>,
    ) -> DbResult<()> {
        if staged.is_err() {
            // The staging error is the cause, so it is reported.
            let _ = fs::remove_dir_all(self.layout.restoring());
        }
        let plan = staged?;
        suspend(open, sources).await;
        let done = self.swap(&plan, held).await;
        let resumed = self.resume(open, sources).await;
        done.and(resumed)
    }

    async fn resume(&self, open: &mut OpenDatabases, sources: &[Source]) -> DbResult<()> {
        for database in concerned(open, sources) {
            database.reopen().await?;
        }
        if let Some(account) = open.account.clone() {
            self.adopt_folders(&account.db).await?;
        }
        Ok(())
    }
}

/// The open databases that a restore replaces.
fn concerned(open: &OpenDatabases, sources: &[Source]) -> Vec<OpenDatabase> {
    let ours = |id: &WorkspaceId| sources.iter().any(|source| source.workspace == *id);
    let account = open.account.iter().filter(|_| ours(&WorkspaceId::ACCOUNT));
    let workspaces = open.workspaces.iter().filter(|(id, _)| ours(id)).map(|(_, database)| database);
    account.chain(workspaces).cloned().collect()
}

async fn suspend(open: &mut OpenDatabases, sources: &[Source]) {
    for database in concerned(open, sources) {
        database.close().await;
    }
}
