//! Counts the scrubs since each backup, because a restore brings back what they destroyed. The count comes
//! from the audit logs, which continue through a restore, and not from the clock. Where a damaged log was begun anew, the logs
//! of a backup and of the present database part: the scrubs behind their common beginning count then.

use std::collections::HashMap;

use inklings_domain::ids::WorkspaceId;
use inklings_ports::backup::BackupSet;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::catalogue::{
    SqliteCatalogue,
    backup::sets::{SetFile, Source},
};
use crate::{
    connection::{base, read_only::connect_to_read},
    error::DbResult,
    layout::holds_something,
};

/// One row of an audit log.
#[derive(Debug)]
pub(crate) struct LogRow {
    /// Covers the row and all rows before it.
    hash: String,
    is_scrub: bool,
}

/// The audit log of a database; empty for a release without one.
pub(crate) async fn log_in(conn: &mut SqliteConnection) -> DbResult<Vec<LogRow>> {
    let exists: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit')",
    )
    .fetch_one(&mut *conn)
    .await?;
    if !exists {
        return Ok(Vec::new());
    }
    let rows = "SELECT hash, act IN ('scrub', 'purge') AS is_scrub FROM audit ORDER BY sequence";
    let rows: Vec<(String, bool)> = sqlx::query_as(rows).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(hash, is_scrub)| LogRow { hash, is_scrub }).collect())
}

/// The number of scrubs and purges in these rows.
pub(crate) fn scrubs_in(log: &[LogRow]) -> u64 {
    log.iter().filter(|row| row.is_scrub).count() as u64
}

/// The hash of the last row; empty without rows.
pub(crate) fn end_of(log: &[LogRow]) -> String {
    log.last().map(|row| row.hash.clone()).unwrap_or_default()
}

/// Number of scrubs per database.
type Counts = HashMap<WorkspaceId, u64>;

impl SqliteCatalogue {
    /// Sets the count of each backup. If a database can no longer be read, its newest backup gives the total.
    pub(crate) async fn count_scrubs(&self, sets: &mut [BackupSet]) -> DbResult<()> {
        let mut latest: Counts = Counts::new();
        let mut own: Vec<Counts> = Vec::with_capacity(sets.len());
        for set in sets.iter() {
            let counts = self.scrubs_of_set(set).await;
            for (workspace, count) in &counts {
                let most = latest.entry(*workspace).or_default();
                *most = (*most).max(*count);
            }
            own.push(counts);
        }
        let mut logs: HashMap<WorkspaceId, Vec<LogRow>> = HashMap::new();
        for (workspace, most) in &mut latest {
            let live = self.live_log(*workspace).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "it is not known how often a database was scrubbed");
                Vec::new()
            });
            *most = (*most).max(scrubs_in(&live));
            logs.insert(*workspace, live);
        }
        for (set, counts) in sets.iter_mut().zip(own) {
            let parted = self.scrubs_behind_copies(set, &logs).await;
            let since = |(workspace, count): (&WorkspaceId, &u64)| {
                let parted = parted.get(workspace).copied().unwrap_or_default();
                latest[workspace].saturating_sub(*count).max(parted)
            };
            set.scrubs_since = counts.iter().map(since).sum();
        }
        Ok(())
    }

    /// The scrubs of the present logs behind what they have in common with those of the copies.
    async fn scrubs_behind_copies(
        &self,
        set: &BackupSet,
        logs: &HashMap<WorkspaceId, Vec<LogRow>>,
    ) -> Counts {
        let mut counts = Counts::new();
        let Ok(manifest) = self.manifest(set.id) else { return counts };
        for file in &manifest.files {
            let Some(source) = file.source().filter(Source::is_memory) else { continue };
            let Some(log) = logs.get(&source.workspace).filter(|log| scrubs_in(log) > 0) else { continue };
            let behind = |end: &String| match end.as_str() {
                "" => Some(0),
                end => log.iter().position(|row| row.hash == end).map(|place| place + 1),
            };
            let common = if let Some(common) = file.log_end.as_ref().and_then(behind) {
                common
            } else {
                // A copy that cannot be read cannot be restored either.
                let own = self.log_of_copy(set, file).await.unwrap_or_default();
                log.iter().zip(own).take_while(|(row, own)| row.hash == own.hash).count()
            };
            counts.insert(source.workspace, scrubs_in(&log[common..]));
        }
        counts
    }

    async fn scrubs_of_set(&self, set: &BackupSet) -> Counts {
        let mut counts = Counts::new();
        let Ok(manifest) = self.manifest(set.id) else { return counts };
        for file in &manifest.files {
            let Some(source) = file.source().filter(Source::is_memory) else { continue };
            let count = match file.scrubs {
                Some(count) => count,
                // From an earlier release. If the copy cannot be read, it cannot be restored either.
                None => scrubs_in(&self.log_of_copy(set, file).await.unwrap_or_default()),
            };
            counts.insert(source.workspace, count);
        }
        counts
    }

    async fn log_of_copy(&self, set: &BackupSet, file: &SetFile) -> DbResult<Vec<LogRow>> {
        let path = self.set_folder(set.id).join(&file.path);
        self.layout.look_on_the_way(&path)?;
        let mut conn = base(&path)?.read_only(true).immutable(true).connect().await?;
        let log = log_in(&mut conn).await;
        conn.close().await?;
        log
    }

    async fn live_log(&self, workspace: WorkspaceId) -> DbResult<Vec<LogRow>> {
        let open = self.open.lock().await;
        let source = match workspace {
            WorkspaceId::ACCOUNT => Source::account(),
            id => {
                let [memory, _] = Source::of_workspace(id);
                memory
            }
        };
        if let Some(db) = open.held(&source) {
            return log_in(&mut *db.reader().acquire().await?).await;
        }
        let path = self.place_of(&source)?;
        if !holds_something(&path) {
            return Ok(Vec::new());
        }
        let mut conn = connect_to_read(&path).await?;
        let log = log_in(&mut conn).await;
        conn.close().await?;
        log
    }
}
