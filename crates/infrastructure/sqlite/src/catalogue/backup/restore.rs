//! Putting a backup back.
//!
//! Everything is made ready in `.restore/`: the copies, migrated and with the audit log of what is there now. Writing
//! `.restore/plan.json` is the moment from which on it happens: whoever opens the folder next, under its lock, carries out
//! what the plan still has to do. Without a plan, what lies in `.restore/` was never begun and goes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use inklings_application::{backup::store::BackupSet, store_error::StoreError};
use inklings_domain::{
    audit::{AuditEntry, verify},
    backup::{BackupId, BackupReason},
    ids::WorkspaceId,
};
use inklings_files::{PathKind, kind};
use serde::{Deserialize, Serialize};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::catalogue::{
    OpenDatabase, OpenDatabases, SqliteCatalogue,
    backup::sets::{Condition, SetFile, Source, is_damage, write_json},
    check::damaged_pages,
};
use crate::{
    audit,
    connection::{
        Database, OpenSpec, base, copy::sync_folder, probe::refuse_foreign, read_only::read_only_options,
    },
    error::{DbError, DbResult},
    layout::{beside, holds_something},
};

const PLAN: &str = "plan.json";

/// What is swapped. Paths are within the data folder, with `/`.
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

/// What lies where a restore prepares.
enum FoundPlan {
    Nothing,
    /// No plan was written yet.
    NotBegun,
    Begun(Plan),
    /// A plan that is damaged or leads out of the data folder, or something that is no file or folder of ours.
    Unreadable,
}

/// What the restored file takes over from the one that is there.
#[derive(Debug, Default)]
struct Carried {
    audit: Vec<inklings_domain::audit::AuditRow>,
    scrubbed: Vec<(String, i64)>,
    /// Tick and epoch of the change clock, then of the message clock, then the highest tick of a conversation.
    clocks: [i64; 5],
}

/// Why the log of the database that is there does not go on in the restored one.
#[derive(Debug)]
struct Lost {
    why: &'static str,
    /// Where it ended, as far as that can still be read: sequence and hash.
    last: Option<(u64, String)>,
}

/// The manifest of a restore's row, with the break of the log in it if there is one: whoever has kept the last hash can tell
/// which log it was that broke off.
fn on_record(manifest: &str, lost: Option<&Lost>) -> String {
    let Some(Lost { why, last }) = lost else { return manifest.to_owned() };
    let mut told: serde_json::Value = serde_json::from_str(manifest).unwrap_or_default();
    told["anew"] = match last {
        Some((sequence, hash)) => serde_json::json!({ "why": why, "sequence": sequence, "hash": hash }),
        None => serde_json::json!({ "why": why }),
    };
    told.to_string()
}

/// Takes the write lock of a database whose file is about to be moved. Whoever wrote has committed then, and whoever gets the
/// lock next asks whether the file is still there.
pub(crate) async fn lock_to_move(path: &Path, source: &Source) -> DbResult<SqliteConnection> {
    let mut conn = base(path)?.connect().await?;
    refuse_foreign(&mut conn, source.workspace).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut conn).await?;
    Ok(conn)
}

impl SqliteCatalogue {
    /// Ends a restore that was cut off, or clears away one that never began. The caller holds the folder's lock.
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

    /// Moves the folder of a restore whose plan cannot be read to what was set aside, with whatever else is in it. It is
    /// named like a backup, so that it is listed with those and can be destroyed like one.
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

    /// The plans that were set aside, as paths.
    pub(crate) fn plans_set_aside(&self) -> DbResult<Vec<PathBuf>> {
        let kept = inklings_files::entries(&self.layout.quarantine())?.into_iter();
        Ok(kept.filter(|path| fs::symlink_metadata(path.join(PLAN)).is_ok()).collect())
    }

    pub(crate) async fn restore_set(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
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
        let staged = self.stage(id, &was, &sources, &damaged, entry).await;
        self.put_in_place(staged, &mut open, &sources, held).await?;
        let restored = BackupSet { ok: Some(condition == Condition::Whole), ..self.described(id)? };
        Ok((restored, was))
    }

    fn described(&self, id: BackupId) -> DbResult<BackupSet> {
        let found = self.list_sets()?.into_iter().find(|set| set.id == id);
        Ok(found.ok_or(StoreError::NotFound("backup"))?)
    }

    /// Takes the write lock of everything that is there, so that nothing is written between its backup and the swap. Returns
    /// which of them are damaged, too.
    async fn hold(&self, sources: &[Source]) -> DbResult<(Vec<SqliteConnection>, Vec<String>)> {
        let (mut held, mut damaged) = (Vec::new(), Vec::new());
        for source in sources {
            let path = self.place_of(source)?;
            if !holds_something(&path) {
                if kind(&path)?.is_some() || kind(&beside(&path, "-wal"))?.is_some() {
                    damaged.push(source.path.clone());
                }
                continue;
            }
            let taken = async {
                let mut conn = lock_to_move(&path, source).await?;
                // Damaged texts are in the backup that is made of it: others may still write to it, and must not.
                match damaged_pages(&mut conn, 1).await? {
                    None => Ok(conn),
                    Some(_) => Err(StoreError::Corrupt { file: source.path.clone() }.into()),
                }
            };
            match taken.await {
                Ok(conn) => held.push(conn),
                Err(error) if is_damage(&error) => damaged.push(source.path.clone()),
                Err(error) => return Err(error),
            }
        }
        Ok((held, damaged))
    }

    /// Makes everything ready and writes the plan.
    async fn stage(
        &self,
        id: BackupId,
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
            self.ready((source, false), &to, damaged, sources, entry).await?;
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

    /// Makes an empty database ready in the place of each of these, which are missing or damaged.
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
            self.ready((source, true), &to, &damaged, sources, entry).await?;
            steps.push(Step {
                target: source.path.clone(),
                staged: format!(".restore/new/{}", source.path),
                aside: Self::quarantine_of(source, &aside.to_string()),
            });
        }
        self.decide(steps)
    }

    /// Writes the plan: from now on it happens.
    fn decide(&self, steps: Vec<Step>) -> DbResult<Plan> {
        let folder = self.layout.restoring();
        sync_folder(&folder)?;
        sync_folder(self.layout.root())?;
        let plan = Plan { steps };
        write_json(&folder.join(PLAN), &plan)?;
        Ok(plan)
    }

    /// Migrates a staged copy, or makes an empty one, and puts into it what outlives a restore.
    async fn ready(
        &self,
        (source, create): (&Source, bool),
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
            self.put(&db, source, (&carried, lost), sources, entry).await?;
            db.truncate_log().await
        };
        let readied = readied.await;
        db.close().await;
        readied?;
        inklings_files::sync(staged)?;
        sync_folder(staged.parent().unwrap_or_else(|| self.layout.root()))
    }

    async fn put(
        &self,
        db: &Database,
        source: &Source,
        (carried, mut lost): (&Carried, Option<Lost>),
        sources: &[Source],
        entry: &AuditEntry,
    ) -> DbResult<()> {
        let mut tx = db.begin_immediate().await?;
        let own = audit::all_rows(&mut tx).await?;
        if carried.audit.starts_with(&own) {
            for row in &carried.audit[own.len()..] {
                audit::insert(&mut tx, source.workspace, row).await?;
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
        // Copies in memory are told apart by these: whoever knew the file before must not take this one for it.
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
        Ok(tx.commit().await?)
    }

    /// Takes workspaces off the restored list that were removed since and do not come back with it.
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

    /// Carries out what was staged, with the databases closed meanwhile; clears it away if it could not be staged. The caller
    /// holds the folder's lock.
    pub(in crate::catalogue) async fn put_in_place(
        &self,
        staged: DbResult<Plan>,
        open: &mut OpenDatabases,
        sources: &[Source],
        held: Vec<SqliteConnection>,
    ) -> DbResult<()> {
        if staged.is_err() {
            // The error that made it fail is the one to tell.
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
            // A file that is open cannot be renamed there, so nobody else has it open either.
            drop(held);
            self.carry_out(plan)?;
        } else {
            self.carry_out(plan)?;
            for conn in held {
                // It knows that its file has moved, and leaves the new one's log alone.
                let _ = conn.close().await;
            }
        }
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    /// Does what a plan still has to do.
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
            database.db.reopen().await?;
            database.feed.restart().await?;
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

/// A path of a plan, which never leads out of the data folder.
fn inside(root: &Path, path: &str) -> DbResult<PathBuf> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':']);
    if path.split('/').all(plain) {
        return Ok(path.split('/').fold(root.to_owned(), |folder, part| folder.join(part)));
    }
    Err(StoreError::Refused("a plan of a restore leads out of the data folder".into()).into())
}

/// Moves a database with its log. What was moved before stays where it is; nothing is overwritten.
fn move_aside(target: &Path, aside: &Path) -> DbResult<()> {
    if let Some(folder) = aside.parent() {
        fs::create_dir_all(folder)?;
    }
    // The database first: whoever opened it without its log would write into a log of its own, and lose what it wrote. The other
    // one takes its place only when the log is gone, too: a database must never lie beside the log of another.
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

/// Reads what can still be read of a damaged database: its log, if every row of it is there and fits, and the fingerprints of
/// what was scrubbed.
async fn salvaged(path: &Path, workspace: WorkspaceId) -> (Carried, Option<Lost>) {
    let Ok(options) = read_only_options(path).await else {
        return (Carried::default(), Some(Lost { why: "damaged", last: None }));
    };
    let Ok(mut conn) = options.connect().await else {
        return (Carried::default(), Some(Lost { why: "damaged", last: None }));
    };
    if let Err(DbError::OtherWorkspace) = refuse_foreign(&mut conn, workspace).await {
        let _ = conn.close().await;
        return (Carried::default(), Some(Lost { why: "another log", last: None }));
    }
    let audit = audit::all_rows(&mut conn).await;
    let head: Option<(i64, String)> = sqlx::query_as("SELECT sequence, hash FROM audit_head")
        .fetch_optional(&mut conn)
        .await
        .ok()
        .flatten();
    let last = head.map(|(sequence, hash)| (sequence.unsigned_abs(), hash));
    let scrubbed = sqlx::query_as("SELECT fingerprint, at FROM scrubbed").fetch_all(&mut conn).await;
    // What it cannot read any more it cannot close cleanly either.
    let _ = conn.close().await;
    let scrubbed = scrubbed.unwrap_or_default();
    let end = last.as_ref().map(|(sequence, hash)| (*sequence, hash.as_str()));
    match audit {
        Ok(audit) if verify(workspace, &audit, end).broken_at.is_none() => {
            (Carried { audit, scrubbed, ..Carried::default() }, None)
        }
        _ => (Carried { scrubbed, ..Carried::default() }, Some(Lost { why: "damaged", last })),
    }
}

/// Reads what outlives a restore from the database that is there. One of an older release has nothing to hand on.
async fn carried(path: &Path, workspace: WorkspaceId) -> DbResult<Carried> {
    let mut conn = read_only_options(path).await?.connect().await?;
    let read = async {
        let tables: i64 =
            sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name IN ('audit', 'scrubbed')")
                .fetch_one(&mut conn)
                .await?;
        if tables < 2 {
            return Ok(Carried::default());
        }
        let audit = audit::all_rows(&mut conn).await?;
        let scrubbed = sqlx::query_as("SELECT fingerprint, at FROM scrubbed").fetch_all(&mut conn).await?;
        let (tick, epoch): (i64, i64) =
            sqlx::query_as("SELECT tick, epoch FROM change_clock").fetch_one(&mut conn).await?;
        let mut clocks = [tick, epoch, 0, 0, 0];
        if workspace != WorkspaceId::ACCOUNT {
            let (tick, epoch, most): (i64, i64, i64) = sqlx::query_as(
                "SELECT tick, epoch, (SELECT coalesce(max(message_tick), 0) FROM conversations) FROM message_clock",
            )
            .fetch_one(&mut conn)
            .await?;
            clocks[2..].copy_from_slice(&[tick, epoch, most]);
        }
        DbResult::Ok(Carried { audit, scrubbed, clocks })
    };
    let read = read.await;
    conn.close().await?;
    read
}
