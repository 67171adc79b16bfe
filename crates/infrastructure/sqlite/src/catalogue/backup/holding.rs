//! Finds the backups that contain given rows.

use inklings_domain::ids::WorkspaceId;
use inklings_ports::backup::BackupSet;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::catalogue::{SqliteCatalogue, backup::sets::Source};
use crate::{connection::base, error::DbResult, rows::json_list};

impl SqliteCatalogue {
    pub(crate) async fn sets_holding(
        &self,
        sets: Vec<BackupSet>,
        workspace: WorkspaceId,
        ids: &[String],
    ) -> DbResult<Vec<BackupSet>> {
        let source = if workspace == WorkspaceId::ACCOUNT {
            Source::account()
        } else {
            let [memory, _] = Source::of_workspace(workspace);
            memory
        };
        let ids = json_list(ids);
        let mut found = Vec::new();
        for set in sets.into_iter().filter(|set| set.holds(workspace)) {
            match self.copy_holds(&set, &source, &ids).await {
                Ok(false) => {}
                Ok(true) => found.push(set),
                Err(error) => {
                    tracing::warn!(%error, "a backup could not be searched");
                    found.push(set);
                }
            }
        }
        Ok(found)
    }

    async fn copy_holds(&self, set: &BackupSet, source: &Source, ids: &str) -> DbResult<bool> {
        let path = self.set_folder(set.id).join(&source.path);
        // Copies are never written to, and reading one must not create a log beside it.
        self.layout.look_on_the_way(&path)?;
        let mut conn = base(&path)?.read_only(true).immutable(true).connect().await?;
        let tables: &[&str] = if source.workspace == WorkspaceId::ACCOUNT {
            &["memories"]
        } else {
            &["memories", "messages", "facts"]
        };
        let mut holds = false;
        for table in tables {
            let statement =
                format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id IN (SELECT value FROM json_each(?)))");
            // Only table names of this program.
            holds |= sqlx::query_scalar::<_, bool>(AssertSqlSafe(statement))
                .bind(ids.to_owned())
                .fetch_one(&mut conn)
                .await?;
        }
        conn.close().await?;
        Ok(holds)
    }
}
