//! Counts the scrubs since each backup, because a restore brings back what they destroyed. The count comes
//! from the audit logs, which continue through a restore, and not from the clock.

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

/// The number of scrubs and purges in a database's audit log; 0 for a release without one.
pub(crate) async fn scrubs_in(conn: &mut SqliteConnection) -> DbResult<u64> {
    let exists: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit')",
    )
    .fetch_one(&mut *conn)
    .await?;
    if !exists {
        return Ok(0);
    }
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM audit WHERE act IN ('scrub', 'purge')")
        .fetch_one(conn)
        .await?;
    Ok(count.unsigned_abs())
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
        let concerned: Vec<WorkspaceId> = latest.keys().copied().collect();
        for workspace in concerned {
            let live = self.scrubs_of_live(workspace).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "it is not known how often a database was scrubbed");
                0
            });
            let most = latest.entry(workspace).or_default();
            *most = (*most).max(live);
        }
        for (set, counts) in sets.iter_mut().zip(own) {
            let since = |(workspace, count): (&WorkspaceId, &u64)| latest[workspace].saturating_sub(*count);
            set.scrubs_since = counts.iter().map(since).sum();
        }
        Ok(())
    }

    async fn scrubs_of_set(&self, set: &BackupSet) -> Counts {
        let mut counts = Counts::new();
        let Ok(manifest) = self.manifest(set.id) else { return counts };
        for file in &manifest.files {
            let Some(source) = file.source().filter(Source::is_memory) else { continue };
            let count = match file.scrubs {
                Some(count) => count,
                // From an earlier release. If the copy cannot be read, it cannot be restored either.
                None => self.scrubs_of_copy(set, file).await.unwrap_or_default(),
            };
            counts.insert(source.workspace, count);
        }
        counts
    }

    async fn scrubs_of_copy(&self, set: &BackupSet, file: &SetFile) -> DbResult<u64> {
        let path = self.set_folder(set.id).join(&file.path);
        self.layout.look_on_the_way(&path)?;
        let mut conn = base(&path)?.read_only(true).immutable(true).connect().await?;
        let count = scrubs_in(&mut conn).await;
        conn.close().await?;
        count
    }

    async fn scrubs_of_live(&self, workspace: WorkspaceId) -> DbResult<u64> {
        let open = self.open.lock().await;
        let source = match workspace {
            WorkspaceId::ACCOUNT => Source::account(),
            id => {
                let [memory, _] = Source::of_workspace(id);
                memory
            }
        };
        if let Some(db) = open.held(&source) {
            return scrubs_in(&mut *db.reader().acquire().await?).await;
        }
        let path = self.place_of(&source)?;
        if !holds_something(&path) {
            return Ok(0);
        }
        let mut conn = connect_to_read(&path).await?;
        let count = scrubs_in(&mut conn).await;
        conn.close().await?;
        count
    }
}
