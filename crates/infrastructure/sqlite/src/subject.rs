//! Reads subjects and what is linked to them.

use inklings_domain::{
    ids::MemoryId,
    memory::{filter::ScopeFilter, link::LinkRole},
    named_entry::key,
};
use inklings_ports::{
    memory::store::StoredEntry,
    store_error::StoreError,
    subject::{Edge, SubjectChoice, SubjectRow, SubjectStore},
};
use sqlx::Row;

use crate::{
    error::DbResult,
    memory::{
        filter_sql::{Sql, push_scope_filter},
        lens_sql::push_lens,
    },
    rows::{self, json_list, moment},
    store::SqliteStore,
};

impl SqliteStore {
    async fn read_subjects(
        &self,
        which: SubjectChoice<'_>,
        filter: &ScopeFilter,
    ) -> DbResult<Vec<SubjectRow>> {
        // Every subject is of the workspace tier.
        if !filter.workspace {
            return Ok(Vec::new());
        }
        let chosen = match which {
            SubjectChoice::Ids(ids) => Some(json_list(ids)),
            SubjectChoice::All | SubjectChoice::Kind(_) => None,
        };
        // One pass over the links: counting them for each subject apart takes twice as long.
        let mut sql = Sql::new(
            "WITH counts AS (SELECT l.target_id, count(DISTINCT l.entry_id) AS links FROM entry_links AS l \
             CROSS JOIN memories AS m ON m.workspace_id = l.workspace_id AND m.id = l.entry_id \
             WHERE l.workspace_id = ",
        );
        sql.push_bind(self.workspace());
        if let Some(ids) = &chosen {
            sql.push(" AND l.target_id IN (SELECT value FROM json_each(").push_bind(ids.clone()).push("))");
        }
        sql.push(" AND l.role <> 'known_by' AND m.forgotten_at IS NULL AND ");
        push_scope_filter(&mut sql, filter, self.db.workspace_id());
        sql.push(
            " GROUP BY l.target_id) \
             SELECT s.id, s.subject, s.name, s.aliases, s.content <> '', s.updated_at, coalesce(c.links, 0) \
             FROM memories AS s LEFT JOIN counts AS c ON c.target_id = s.id WHERE s.workspace_id = ",
        );
        sql.push_bind(self.workspace());
        sql.push(" AND s.subject IS NOT NULL AND s.forgotten_at IS NULL AND ");
        push_lens(&mut sql, filter.lens.as_deref(), self.db.workspace_id(), "s");
        if let SubjectChoice::Kind(kind) = which {
            sql.push(" AND s.subject = ").push_bind(kind.to_owned());
        }
        if let Some(ids) = chosen {
            sql.push(" AND s.id IN (SELECT value FROM json_each(").push_bind(ids).push("))");
        }
        let mut found = Vec::new();
        for row in &sql.build().fetch_all(&self.db.reader()).await? {
            found.push(SubjectRow {
                id: rows::parsed(row.try_get(0)?, "id")?,
                kind: row.try_get(1)?,
                name: row.try_get(2)?,
                aliases: rows::texts(row, 3, "aliases")?,
                has_text: row.try_get(4)?,
                updated_at: moment(row.try_get(5)?, "updated_at")?,
                links: row.try_get::<i64, _>(6)?.unsigned_abs(),
            });
        }
        found.sort_by_cached_key(|row| (key(&row.name), row.id));
        Ok(found)
    }

    async fn read_edges(&self, filter: &ScopeFilter, limit: usize) -> DbResult<Vec<Edge>> {
        // The lower bound of the id makes SQLite walk the links by their entries, so both ends stand next to each other and the
        // entries come in order of their ids. By their targets it takes twice as long.
        let mut sql = Sql::new(
            "SELECT m.id, m.relation, e.starts_at, e.leads_to FROM (SELECT l.entry_id, \
             max(l.target_id) FILTER (WHERE l.role = 'from') AS starts_at, \
             max(l.target_id) FILTER (WHERE l.role = 'to') AS leads_to FROM entry_links AS l \
             WHERE l.workspace_id = ",
        );
        sql.push_bind(self.workspace());
        sql.push(
            " AND l.entry_id > '' AND l.role IN ('from', 'to') GROUP BY l.entry_id) AS e \
             CROSS JOIN memories AS m ON m.id = e.entry_id AND m.workspace_id = ",
        );
        sql.push_bind(self.workspace());
        sql.push(" WHERE e.starts_at IS NOT NULL AND e.leads_to IS NOT NULL");
        sql.push(" AND m.relation IS NOT NULL AND m.forgotten_at IS NULL AND ");
        push_scope_filter(&mut sql, filter, self.db.workspace_id());
        sql.push(" ORDER BY m.importance DESC, m.updated_at DESC, m.id LIMIT ").push_bind(limit as i64);
        let edge = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Edge {
                id: rows::parsed(row.try_get(0)?, "id")?,
                relation: row.try_get(1)?,
                from: rows::parsed(row.try_get(2)?, "target_id")?,
                to: rows::parsed(row.try_get(3)?, "target_id")?,
            })
        };
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(edge).collect()
    }

    async fn read_linked(
        &self,
        targets: &[MemoryId],
        roles: &[LinkRole],
        filter: &ScopeFilter,
        limit: usize,
    ) -> DbResult<Vec<StoredEntry>> {
        let mut sql = self.active_entries(filter);
        sql.push(" AND m.id IN (SELECT l.entry_id FROM entry_links AS l WHERE l.workspace_id = ");
        sql.push_bind(self.workspace());
        sql.push(" AND l.role IN (SELECT value FROM json_each(").push_bind(json_list(roles));
        sql.push(")) AND l.target_id IN (SELECT value FROM json_each(").push_bind(json_list(targets));
        sql.push("))) ORDER BY m.importance DESC, m.updated_at DESC, m.id LIMIT ").push_bind(limit as i64);
        self.fetch_entries(sql).await
    }
}

#[async_trait::async_trait]
impl SubjectStore for SqliteStore {
    async fn subjects(
        &self,
        which: SubjectChoice<'_>,
        filter: &ScopeFilter,
    ) -> Result<Vec<SubjectRow>, StoreError> {
        self.public(self.read_subjects(which, filter).await)
    }

    async fn edges(&self, filter: &ScopeFilter, limit: usize) -> Result<Vec<Edge>, StoreError> {
        self.public(self.read_edges(filter, limit).await)
    }

    async fn linked_to(
        &self,
        targets: &[MemoryId],
        roles: &[LinkRole],
        filter: &ScopeFilter,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError> {
        self.public(self.read_linked(targets, roles, filter, limit).await)
    }
}
