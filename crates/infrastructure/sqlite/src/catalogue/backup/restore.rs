//! Restores backups.
//!
//! Everything is staged in `.restore/`: the copies, migrated and with the audit log of the current databases.
//! Writing `.restore/plan.json` commits the restore: the next process that opens the folder, under its lock,
//! completes the remaining steps of the plan. Without a plan, the content of `.restore/` was never committed
//! and is removed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditAct, AuditEntry, AuditRow},
    backup::{BackupId, BackupReason},
    ids::WorkspaceId,
};
use inklings_files::{PathKind, kind};
use inklings_ports::{backup::BackupSet, store_error::StoreError};
use serde::{Deserialize, Serialize};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::catalogue::{
    OpenDatabase, OpenDatabases, SqliteCatalogue,
    backup::carried::{Carried, Lost, carried, on_record, salvaged},
    backup::sets::{Condition, SetFile, Source, write_json},
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

const PLAN: &str = "plan.json";

/// The files to swap. Paths are relative to the data folder, with `/`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    steps: Vec<Step>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Step {
    target: String,
    staged: String,
    aside: String,
}

/// The state of the staging folder.
enum FoundPlan {
    Nothing,
    /// No plan was written yet.
    NotBegun,
    Begun(Plan),
    /// The plan is damaged or leads out of the data folder, or something other than our files or folders is
    /// there.
    Unreadable,
}

/// Takes the write lock of a database whose file is about to be moved. Earlier writers have committed then;
/// later ones check whether the file still exists.
pub(crate) async fn lock_to_move(path: &Path, source: &Source) -> DbResult<SqliteConnection> {
    let mut conn = base(path)?.connect().await?;
    refuse_other_owner(&mut conn, source.workspace).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut conn).await?;
    Ok(conn)
}

impl SqliteCatalogue {
    /// Completes an interrupted restore, or removes one that was not committed. The caller holds the folder's
    /// lock.
    pub(crate) fn finish_restore(&self) -> DbResult<()> {
        match self.found_plan()? {
            FoundPlan::Nothing => return Ok(()),
            FoundPlan::NotBegun => {}
            FoundPlan::Unreadable => return self.set_plan_aside(),
            FoundPlan::Begun(plan) => {
                self.carry_out(&plan)?;
                tracing::info!("a restore that was cut off is done");
            }
        }
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    fn found_plan(&self) -> DbResult<FoundPlan> {
        let folder = self.layout.restoring();
        match kind(&folder)? {
            None => return Ok(FoundPlan::Nothing),
            Some(PathKind::Folder) => {}
            Some(_) => return Ok(FoundPlan::Unreadable),
        }
        match kind(&folder.join(PLAN))? {
            None => return Ok(FoundPlan::NotBegun),
            Some(PathKind::File) => {}
            Some(_) => return Ok(FoundPlan::Unreadable),
        }
        let text = inklings_files::read(&folder.join(PLAN))?;
        let plan: Option<Plan> = serde_json::from_slice(&text).ok();
        let root = self.layout.root();
        let stays_inside = |step: &Step| {
            [&step.target, &step.staged, &step.aside].iter().all(|path| inside(root, path).is_ok())
        };
        Ok(match plan.filter(|plan| plan.steps.iter().all(stays_inside)) {
            Some(plan) => FoundPlan::Begun(plan),
            None => FoundPlan::Unreadable,
        })
    }

    /// Moves the folder of a restore with an unreadable plan, and all its content, to quarantine. Its name
    /// has the form of a backup's, so that it is listed and can be destroyed like one.
    fn set_plan_aside(&self) -> DbResult<()> {
        let (folder, quarantine) = (self.layout.restoring(), self.layout.quarantine());
        let made: DateTime<Utc> = fs::symlink_metadata(&folder)?.modified()?.into();
        inklings_files::folder(&quarantine)?;
        fs::create_dir_all(&quarantine)?;
        let mut id = BackupId::new(made, BackupReason::Restore);
        while kind(&quarantine.join(id.to_string()))?.is_some() || kind(&self.set_folder(id))?.is_some() {
            id = id.later();
        }
        fs::rename(&folder, quarantine.join(id.to_string()))?;
        tracing::warn!(kept = %id, "the plan of a restore cannot be read; it was set aside");
        sync_folder(&quarantine)?;
        sync_folder(self.layout.root())
    }

    /// The paths of the plans in quarantine.
    pub(crate) fn plans_set_aside(&self) -> DbResult<Vec<PathBuf>> {
        let quarantined = inklings_files::entries(&self.layout.quarantine())?.into_iter();
        Ok(quarantined.filter(|path| fs::symlink_metadata(path.join(PLAN)).is_ok()).collect())
    }

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
        self.finish_restore()?;
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
                Self::quarantine_of(source, &was.id.to_string())
            } else {
                format!(".restore/old/{}", source.path)
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
                aside: Self::quarantine_of(source, &aside.to_string()),
            });
        }
        self.decide(steps)
    }

    /// Writes the plan, which commits the restore.
    fn decide(&self, steps: Vec<Step>) -> DbResult<Plan> {
        let folder = self.layout.restoring();
        sync_folder(&folder)?;
        sync_folder(self.layout.root())?;
        let plan = Plan { steps };
        write_json(&folder.join(PLAN), &plan)?;
        Ok(plan)
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
            let scrubs = self.put(&db, source, (&carried, lost), sources, entry).await?;
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

    /// Adds the data that survives a restore. Returns the scrubs that the copy's own log lacks.
    async fn put(
        &self,
        db: &Database,
        source: &Source,
        (carried, mut lost): (&Carried, Option<Lost>),
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

    async fn swap(&self, plan: &Plan, held: Vec<SqliteConnection>) -> DbResult<()> {
        if cfg!(windows) {
            // Windows cannot rename an open file, so no other process has it open either.
            drop(held);
            self.carry_out(plan)?;
        } else {
            self.carry_out(plan)?;
            for conn in held {
                // SQLite notices that the file has moved and does not touch the log of the new one.
                let _ = conn.close().await;
            }
        }
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    /// Carries out the remaining steps of a plan.
    fn carry_out(&self, plan: &Plan) -> DbResult<()> {
        let root = self.layout.root();
        for step in &plan.steps {
            let (staged, target) = (inside(root, &step.staged)?, inside(root, &step.target)?);
            if !staged.exists() {
                continue;
            }
            let folder = target.parent().unwrap_or(root);
            self.layout.look_on_the_way(&target)?;
            fs::create_dir_all(folder)?;
            move_aside(&target, &inside(root, &step.aside)?)?;
            fs::rename(&staged, &target)?;
            sync_folder(folder)?;
        }
        fs::remove_file(self.layout.restoring().join(PLAN))?;
        sync_folder(&self.layout.restoring())
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

/// Resolves a path of a plan; refuses one that leads out of the data folder.
fn inside(root: &Path, path: &str) -> DbResult<PathBuf> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':']);
    if path.split('/').all(plain) {
        return Ok(path.split('/').fold(root.to_owned(), |folder, part| folder.join(part)));
    }
    Err(StoreError::Refused("a plan of a restore leads out of the data folder".into()).into())
}

/// Moves a database with its log. Files moved earlier stay in place; nothing is overwritten.
fn move_aside(target: &Path, aside: &Path) -> DbResult<()> {
    if let Some(folder) = aside.parent() {
        fs::create_dir_all(folder)?;
    }
    // Moves the database first: a process that opened it without its log would start a new log and lose its
    // writes. The replacement is moved in only after the log is gone: a database must never be beside the log
    // of another.
    for suffix in ["", "-wal", "-shm"] {
        let named = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let (from, mut to) = (named(target), named(aside));
        if fs::symlink_metadata(&from).is_err() {
            continue;
        }
        while fs::symlink_metadata(&to).is_ok() {
            let mut name = to.into_os_string();
            name.push("+");
            to = PathBuf::from(name);
        }
        fs::rename(&from, &to)?;
    }
    for path in [target, aside] {
        if let Some(folder) = path.parent() {
            sync_folder(folder)?;
        }
    }
    Ok(())
}
