//! What entries were made of, by their sources.

use std::collections::HashMap;

use inklings_domain::{derivation::SourceKind, ids::MemoryId, memory::filter::ScopeFilter};
use inklings_ports::{
    derivation::{DerivationStore, MadeOf, Pointing},
    store_error::StoreError,
};
use sqlx::Row;

use crate::{
    error::DbResult,
    memory::filter_sql::{Sql, push_scope_filter},
    rows::{count, json_list, parsed},
    store::SqliteStore,
};

impl SqliteStore {
    async fn read_unchanged(&self, sources: &[(MemoryId, u64)]) -> DbResult<Vec<(MemoryId, u64)>> {
        let asked: serde_json::Value =
            sources.iter().map(|(id, version)| serde_json::json!([id.to_string(), version])).collect();
        // A version can be one that the entry never had: an import replaced the entry.
        sqlx::query(
            "SELECT m.id, j.value ->> 1 FROM json_each(?2) AS j \
             CROSS JOIN memories AS m ON m.workspace_id = ?1 AND m.id = j.value ->> 0 \
             WHERE m.version = j.value ->> 1 \
                OR EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.workspace_id = ?1 AND v.memory_id = m.id \
                           AND v.version = j.value ->> 1 AND v.content = m.content AND v.title IS m.title)",
        )
        .bind(self.workspace())
        .bind(asked.to_string())
        .fetch_all(&self.db.reader())
        .await?
        .iter()
        .map(|row| Ok((parsed(row.try_get(0)?, "id")?, count(row, 1, "version")?)))
        .collect()
    }

    async fn read_pointing(
        &self,
        ids: &[MemoryId],
        filter: &ScopeFilter,
    ) -> DbResult<Vec<(MemoryId, Pointing)>> {
        let mut sql = Sql::new("SELECT p.target, count(DISTINCT p.entry_id), ");
        sql.push("count(DISTINCT iif(p.made, p.entry_id, NULL)) FROM (");
        sql.push("SELECT d.workspace_id, d.source_id AS target, d.entry_id, 1 AS made FROM entry_derivations AS d ");
        sql.push("WHERE d.kind = 'memory' AND d.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND d.source_id IN (SELECT value FROM json_each(").push_bind(json_list(ids));
        sql.push(")) UNION ALL SELECT l.workspace_id, l.target_id, l.entry_id, 0 FROM entry_links AS l ");
        sql.push("WHERE l.role <> 'known_by' AND l.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND l.target_id IN (SELECT value FROM json_each(").push_bind(json_list(ids));
        sql.push(
            "))) AS p CROSS JOIN memories AS m ON m.workspace_id = p.workspace_id AND m.id = p.entry_id ",
        );
        sql.push("WHERE m.forgotten_at IS NULL AND ");
        push_scope_filter(&mut sql, filter, self.db.workspace_id());
        sql.push(" GROUP BY p.target");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let mut found: HashMap<MemoryId, Pointing> = HashMap::new();
        for row in &rows {
            let pointing =
                Pointing { pointed_at: count(row, 1, "pointed_at")?, built_on: count(row, 2, "built_on")? };
            found.insert(parsed(row.try_get(0)?, "target")?, pointing);
        }
        Ok(found.into_iter().collect())
    }

    async fn read_made_of(&self, kind: SourceKind, sources: &[String]) -> DbResult<Vec<MadeOf>> {
        sqlx::query(
            "SELECT d.entry_id, d.source_id, d.mark FROM entry_derivations AS d \
             JOIN memories AS m ON m.workspace_id = d.workspace_id AND m.id = d.entry_id \
             WHERE d.workspace_id = ?1 AND d.kind = ?2 AND d.source_id IN (SELECT value FROM json_each(?3)) \
               AND m.forgotten_at IS NULL",
        )
        .bind(self.workspace())
        .bind(kind.as_str())
        .bind(json_list(sources))
        .fetch_all(&self.db.reader())
        .await?
        .iter()
        .map(|row| {
            let entry = parsed(row.try_get(0)?, "entry_id")?;
            Ok(MadeOf { entry, source: row.try_get(1)?, mark: row.try_get(2)? })
        })
        .collect()
    }
}

#[async_trait::async_trait]
impl DerivationStore for SqliteStore {
    async fn unchanged(&self, sources: &[(MemoryId, u64)]) -> Result<Vec<(MemoryId, u64)>, StoreError> {
        self.public(self.read_unchanged(sources).await)
    }

    async fn pointing(
        &self,
        ids: &[MemoryId],
        filter: &ScopeFilter,
    ) -> Result<Vec<(MemoryId, Pointing)>, StoreError> {
        self.public(self.read_pointing(ids, filter).await)
    }

    async fn made_of(&self, kind: SourceKind, sources: &[String]) -> Result<Vec<MadeOf>, StoreError> {
        self.public(self.read_made_of(kind, sources).await)
    }
}
