//! The plan of a restore: which files are swapped, and what happens when that is cut off or fails.
//!
//! The next process that opens the folder, under its lock, completes the remaining steps of a plan. Until then no write
//! begins in any process. Without a plan, the content of `.restore/` was never committed and is removed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use inklings_domain::backup::{BackupId, BackupReason};
use inklings_files::{PathKind, kind};
use inklings_ports::store_error::StoreError;
use serde::{Deserialize, Serialize};
use sqlx::{Connection, SqliteConnection};

use crate::{
    catalogue::{
        SqliteCatalogue,
        backup::{
            restore::lock_to_move,
            sets::{Source, write_json},
        },
    },
    connection::copy::sync_folder,
    error::DbResult,
    layout::{RESTORE_PLAN, holds_something, with_suffix},
};

/// Where a restore puts the intact files that it replaces, within the data folder.
pub(super) const REPLACED: &str = ".restore/old/";

/// The files to swap. Paths are relative to the data folder, with `/`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) target: String,
    pub(super) staged: String,
    pub(super) aside: String,
}

/// What was moved, in order: from where to where.
pub(super) type Moved = Vec<(PathBuf, PathBuf)>;

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

impl SqliteCatalogue {
    /// Completes an interrupted restore, or removes one that was not committed. The caller holds the folder's
    /// lock.
    pub(crate) async fn finish_restore(&self) -> DbResult<()> {
        match self.found_plan()? {
            FoundPlan::Nothing => return Ok(()),
            FoundPlan::NotBegun => {}
            FoundPlan::Unreadable => return self.set_plan_aside(),
            FoundPlan::Begun(plan) => {
                // Others may have the files open. Under the locks their writes are committed, and later ones find the plan.
                let held = self.hold_targets(&plan).await?;
                let done = self.finish_plan(&plan);
                release(held).await;
                done?;
                tracing::info!("a restore that was cut off is done");
            }
        }
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    /// As [`Self::finish_restore`], for a process that has the folder open already. A restore of another process that failed
    /// or was killed lets nobody write until it is done.
    pub(crate) async fn finish_pending_restore(&self) {
        if kind(&self.layout.restore_plan()).is_ok_and(|found| found.is_none()) {
            return;
        }
        let finished = async {
            let _lock = self.lock().await?;
            self.finish_restore().await
        };
        if let Err(error) = finished.await {
            tracing::warn!(%error, "a restore that was cut off is not done yet");
        }
    }

    /// Takes the write locks of the files that the plan still has to replace. Nothing writes to a damaged one.
    async fn hold_targets(&self, plan: &Plan) -> DbResult<Vec<SqliteConnection>> {
        let (root, mut held) = (self.layout.root(), Vec::new());
        for step in &plan.steps {
            let target = inside(root, &step.target)?;
            let source = Source::at(&step.target).filter(|_| holds_something(&target));
            let Some(source) = source.filter(|_| root.join(&step.staged).exists()) else { continue };
            self.layout.look_on_the_way(&target)?;
            match lock_to_move(&target, &source).await {
                Ok(conn) => held.push(conn),
                Err(error) if error.is_damage() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(if cfg!(windows) { Vec::new() } else { held })
    }

    /// The process that wrote the plan may have died before it moved a file, and others may have written since. So the
    /// replaced files are not deleted.
    fn finish_plan(&self, plan: &Plan) -> DbResult<()> {
        let mut moved = Moved::new();
        self.carry_out(plan, &mut moved)?;
        let (root, quarantine) = (self.layout.root(), self.layout.quarantine());
        let made: DateTime<Utc> = fs::symlink_metadata(self.layout.restore_plan())?.modified()?.into();
        let id = self.free_id(BackupId::new(made, BackupReason::Restore))?;
        for step in plan.steps.iter().filter(|step| step.aside.starts_with(REPLACED)) {
            let aside = inside(root, &step.aside)?;
            if holds_something(&aside) {
                inklings_files::folder(&quarantine)?;
                move_aside(
                    &aside,
                    &inside(root, &Self::quarantine_of(&step.target, &id.to_string()))?,
                    &mut moved,
                )?;
                sync_folder(&quarantine)?;
            }
        }
        self.forget_plan()
    }

    fn found_plan(&self) -> DbResult<FoundPlan> {
        let folder = self.layout.restoring();
        match kind(&folder)? {
            None => return Ok(FoundPlan::Nothing),
            Some(PathKind::Folder) => {}
            Some(_) => return Ok(FoundPlan::Unreadable),
        }
        match kind(&self.layout.restore_plan())? {
            None => return Ok(FoundPlan::NotBegun),
            Some(PathKind::File) => {}
            Some(_) => return Ok(FoundPlan::Unreadable),
        }
        let text = inklings_files::read(&self.layout.restore_plan())?;
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
        let id = self.free_id(BackupId::new(made, BackupReason::Restore))?;
        fs::rename(&folder, quarantine.join(id.to_string()))?;
        tracing::warn!(kept = %id, "the plan of a restore cannot be read; it was set aside");
        sync_folder(&quarantine)?;
        sync_folder(self.layout.root())
    }

    /// The paths of the plans in quarantine.
    pub(crate) fn plans_set_aside(&self) -> DbResult<Vec<PathBuf>> {
        let quarantined = inklings_files::entries(&self.layout.quarantine())?.into_iter();
        Ok(quarantined.filter(|path| fs::symlink_metadata(path.join(RESTORE_PLAN)).is_ok()).collect())
    }

    /// Writes the plan, which commits the restore.
    pub(super) fn decide(&self, steps: Vec<Step>) -> DbResult<Plan> {
        let folder = self.layout.restoring();
        sync_folder(&folder)?;
        sync_folder(self.layout.root())?;
        let plan = Plan { steps };
        write_json(&self.layout.restore_plan(), &plan)?;
        Ok(plan)
    }

    /// Carries out a plan under the write locks of its files. After an error everything is as before: what is told to have
    /// failed must not happen later.
    pub(super) async fn swap(&self, plan: &Plan, held: Vec<SqliteConnection>) -> DbResult<()> {
        // Windows cannot rename an open file, so no other process has it open either.
        let held = if cfg!(windows) {
            drop(held);
            Vec::new()
        } else {
            held
        };
        let mut moved = Moved::new();
        let done = self.carry_out(plan, &mut moved).and_then(|()| self.forget_plan());
        if done.is_err()
            && let Err(error) = self.take_back(plan, &moved)
        {
            tracing::error!(%error, "a restore failed and could not be taken back; the next opening completes it");
        }
        release(held).await;
        done?;
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    /// Carries out the remaining steps of a plan.
    fn carry_out(&self, plan: &Plan, moved: &mut Moved) -> DbResult<()> {
        let root = self.layout.root();
        for step in &plan.steps {
            let (staged, target) = (inside(root, &step.staged)?, inside(root, &step.target)?);
            if !staged.exists() {
                continue;
            }
            let folder = target.parent().unwrap_or(root);
            self.layout.look_on_the_way(&target)?;
            fs::create_dir_all(folder)?;
            move_aside(&target, &inside(root, &step.aside)?, moved)?;
            rename(staged, target.clone(), moved)?;
            sync_folder(folder)?;
        }
        Ok(())
    }

    /// Moves everything back, then removes the plan and the folders that were made for it.
    fn take_back(&self, plan: &Plan, moved: &[(PathBuf, PathBuf)]) -> DbResult<()> {
        for (from, to) in moved.iter().rev() {
            fs::rename(to, from)?;
            sync_folder(from.parent().unwrap_or_else(|| self.layout.root()))?;
        }
        for path in plan.steps.iter().flat_map(|step| [&step.target, &step.aside]) {
            if let Some(folder) = inside(self.layout.root(), path)?.parent() {
                // Fails for a folder with something in it.
                let _ = fs::remove_dir(folder);
            }
        }
        self.forget_plan()?;
        fs::remove_dir_all(self.layout.restoring())?;
        sync_folder(self.layout.root())
    }

    fn forget_plan(&self) -> DbResult<()> {
        match fs::remove_file(self.layout.restore_plan()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        sync_folder(&self.layout.restoring())
    }
}

async fn release(held: Vec<SqliteConnection>) {
    for conn in held {
        // SQLite notices that the file has moved and does not touch the log of the new one.
        let _ = conn.close().await;
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
fn move_aside(target: &Path, aside: &Path, moved: &mut Moved) -> DbResult<()> {
    if let Some(folder) = aside.parent() {
        fs::create_dir_all(folder)?;
    }
    // Moves the database first: a process that opened it without its log would start a new log and lose its
    // writes. The replacement is moved in only after the log is gone: a database must never be beside the log
    // of another.
    for suffix in ["", "-wal", "-shm"] {
        let (from, mut to) = (with_suffix(target, suffix), with_suffix(aside, suffix));
        if fs::symlink_metadata(&from).is_err() {
            continue;
        }
        while fs::symlink_metadata(&to).is_ok() {
            to = with_suffix(&to, "+");
        }
        rename(from, to, moved)?;
    }
    for path in [target, aside] {
        if let Some(folder) = path.parent() {
            sync_folder(folder)?;
        }
    }
    Ok(())
}

fn rename(from: PathBuf, to: PathBuf, moved: &mut Moved) -> DbResult<()> {
    fs::rename(&from, &to)?;
    moved.push((from, to));
    Ok(())
}

#[cfg(test)]
mod tests {
    use inklings_ports::workspace::catalogue::Catalogue;

    use super::*;

    #[tokio::test]
    async fn a_restore_that_fails_midway_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let catalogue = SqliteCatalogue::new(folder.path().to_owned());
        let settings = catalogue.account().await.expect("opens").settings;
        settings.set_setting("theme", "\"dark\"").await.expect("written");
        let staged = catalogue.layout.restoring().join("new");
        fs::create_dir_all(&staged).expect("a folder");
        for name in ["agents.db", "other.db"] {
            fs::write(staged.join(name), "a copy").expect("staged");
        }
        // A file, where the second step needs a folder.
        fs::write(folder.path().join("blocked"), "").expect("written");
        let step = |target: &str, name: &str| Step {
            target: target.to_owned(),
            staged: format!(".restore/new/{name}"),
            aside: format!("{REPLACED}{target}"),
        };
        let steps = vec![step("agents.db", "agents.db"), step("blocked/other.db", "other.db")];
        let plan = catalogue.decide(steps);
        let source = Source::account();
        let held = lock_to_move(&catalogue.layout.account(), &source).await.expect("locked");
        let mut open = catalogue.open.lock().await;
        let done = catalogue.put_in_place(plan, &mut open, &[source], vec![held]).await;
        drop(open);
        assert!(done.is_err());
        assert!(!catalogue.layout.restoring().exists(), "nothing of it happens later");
        assert_eq!(settings.setting("theme").await.expect("read").as_deref(), Some("\"dark\""));
        settings.set_setting("theme", "\"light\"").await.expect("it can be written");
        let again = SqliteCatalogue::new(folder.path().to_owned()).account().await.expect("opens");
        assert_eq!(again.settings.setting("theme").await.expect("read").as_deref(), Some("\"light\""));
    }
}
