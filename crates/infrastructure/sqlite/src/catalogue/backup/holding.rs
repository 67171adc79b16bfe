//! Finds the backups that contain given rows.

use inklings_domain::{ids::WorkspaceId, scrub::ScrubTarget};
use inklings_ports::backup::BackupSet;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::catalogue::{SqliteCatalogue, backup::sets::Source};
use crate::{connection::base, error::DbResult, rows::json_list};

/// The tables whose rows a scrub destroys by their conversation. A copy may have rows that are here no longer, and that the
/// manifest does not name.
pub(super) const fn tables_of_place(target: &ScrubTarget) -> &'static [&'static str] {
    match target {
        ScrubTarget::Purge(_) => {
            &["messages", "episodes", "scratchpads", "facts", "fact_values", "fact_claims", "orientations"]
        }
        ScrubTarget::Conversation(_) => &["scratchpads", "orientations"],
        ScrubTarget::Channel(_)
        | ScrubTarget::Workspace
        | ScrubTarget::Account
        | ScrubTarget::Entry(..)
        | ScrubTarget::Subject(..) => &[],
    }
}

impl SqliteCatalogue {
    pub(crate) async fn sets_holding(
        &self,
        sets: Vec<BackupSet>,
        workspace: WorkspaceId,
        (target, ids): (&ScrubTarget, &[String]),
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
            match self.copy_holds(&set, &source, (target, &ids)).await {
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

    async fn copy_holds(
        &self,
        set: &BackupSet,
        source: &Source,
        (target, ids): (&ScrubTarget, &str),
    ) -> DbResult<bool> {
        let path = self.set_folder(set.id).join(&source.path);
        // Copies are never written to, and reading one must not create a log beside it.
        self.layout.look_on_the_way(&path)?;
        let mut conn = base(&path)?.read_only(true).immutable(true).connect().await?;
        let tables: &[&str] = if source.workspace == WorkspaceId::ACCOUNT {
            &["memories"]
        } else {
            &["memories", "messages", "facts"]
        };
        let by_id = tables.iter().map(|table| (format!("{table} WHERE id"), ids.to_owned()));
        let place = json_list(target.channel_or_conversation_id());
        let by_place = tables_of_place(target)
            .iter()
            .map(|table| (format!("{table} WHERE conversation_id"), place.clone()));
        let mut holds = false;
        for (rows, values) in by_id.chain(by_place) {
            let statement =
                format!("SELECT EXISTS (SELECT 1 FROM {rows} IN (SELECT value FROM json_each(?)))");
            // Only table names of this program.
            holds |= sqlx::query_scalar::<_, bool>(AssertSqlSafe(statement))
                .bind(values)
                .fetch_one(&mut conn)
                .await?;
        }
        conn.close().await?;
        Ok(holds)
    }
}
