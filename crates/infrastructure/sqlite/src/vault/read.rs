//! Reads vaults and pages.

use inklings_domain::{
    ids::{PageId, VaultId},
    vault::{FileStat, Skip, Vault, link_name, plan::IndexedPage, sort_key},
};
use inklings_ports::vault::{
    filter::PageFilter,
    store::{PageCursor, PageRow, StoredPage, VaultCounts},
};
use sqlx::{Row, sqlite::SqliteRow};

use super::SqlitePages;
use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    rows::{json_list, maybe_moment, moment, parsed, texts},
    search::pages::push_page_filter,
};

/// The columns that [`page_row`] reads, over the table alias `p`.
pub const ROW: &str =
    "p.id, p.vault_id, p.path, p.title, p.kind, p.lifecycle, p.aliases, p.tags, p.size, p.modified_at";
/// Number of columns of [`ROW`].
const ROW_COLUMNS: usize = 10;

pub fn page_row(row: &SqliteRow) -> DbResult<PageRow> {
    Ok(PageRow {
        id: parsed(row.try_get(0)?, "id")?,
        vault: parsed(row.try_get(1)?, "vault_id")?,
        path: row.try_get(2)?,
        title: row.try_get(3)?,
        kind: row.try_get(4)?,
        lifecycle: row.try_get(5)?,
        aliases: texts(row, 6, "aliases")?,
        tags: texts(row, 7, "tags")?,
        stat: stat(row, 8)?,
    })
}

fn stat(row: &SqliteRow, at: usize) -> DbResult<FileStat> {
    let size = u64::try_from(row.try_get::<i64, _>(at)?).map_err(|_| DbError::Row { column: "size" })?;
    Ok(FileStat { size, modified_at: row.try_get(at + 1)? })
}

impl SqlitePages {
    pub(super) async fn read_vaults(&self) -> DbResult<Vec<Vault>> {
        let rows = sqlx::query(
            "SELECT id, name, path, linked_at, scanned_at FROM vaults WHERE workspace_id = ? \
             ORDER BY name COLLATE NOCASE, id",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Vault {
                    id: parsed(row.try_get(0)?, "id")?,
                    name: row.try_get(1)?,
                    path: row.try_get(2)?,
                    linked_at: moment(row.try_get(3)?, "linked_at")?,
                    scanned_at: maybe_moment(row, 4, "scanned_at")?,
                })
            })
            .collect()
    }

    pub(super) async fn count(&self, id: VaultId) -> DbResult<VaultCounts> {
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM pages WHERE workspace_id = ?1 AND vault_id = ?2), \
             (SELECT count(*) FROM vault_attachments WHERE workspace_id = ?1 AND vault_id = ?2), \
             (SELECT count(*) FROM page_skips WHERE workspace_id = ?1 AND vault_id = ?2)",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_one(&self.db.reader())
        .await?;
        let number = |at: usize| row.try_get::<i64, _>(at).map(i64::unsigned_abs);
        Ok(VaultCounts { pages: number(0)?, attachments: number(1)?, skipped: number(2)? })
    }

    pub(super) async fn read_indexed(&self, id: VaultId) -> DbResult<Vec<IndexedPage>> {
        let rows = sqlx::query(
            "SELECT id, path, hash, settled, size, modified_at FROM pages \
             WHERE workspace_id = ? AND vault_id = ? ORDER BY path",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(IndexedPage {
                    id: parsed(row.try_get(0)?, "id")?,
                    path: row.try_get(1)?,
                    hash: row.try_get(2)?,
                    stat: if row.try_get(3)? { Some(stat(row, 4)?) } else { None },
                })
            })
            .collect()
    }

    pub(super) async fn read_skips(
        &self,
        id: VaultId,
        after: Option<&Skip>,
        limit: usize,
    ) -> DbResult<Vec<Skip>> {
        let (path, reason) = after.map_or(("", ""), |skip| (&skip.path, skip.reason.as_str()));
        let rows = sqlx::query(
            "SELECT path, reason FROM page_skips WHERE workspace_id = ? AND vault_id = ? \
             AND (path, reason) > (?, ?) ORDER BY path, reason LIMIT ?",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(path)
        .bind(reason)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter()
            .map(|row| Ok(Skip { path: row.try_get(0)?, reason: parsed(row.try_get(1)?, "reason")? }))
            .collect()
    }

    pub(super) async fn read_list(
        &self,
        filter: &PageFilter,
        after: Option<&PageCursor>,
        limit: usize,
    ) -> DbResult<Vec<PageRow>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(ROW).push(" FROM pages AS p WHERE ");
        push_page_filter(&mut sql, filter, self.workspace());
        if let Some(after) = after {
            sql.push(" AND (p.sort_key, p.id) > (").push_bind(sort_key(&after.title));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY p.sort_key, p.id LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(page_row).collect()
    }

    pub(super) async fn read_pages(&self, filter: &PageFilter, ids: &[PageId]) -> DbResult<Vec<StoredPage>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(ROW).push(", p.head, p.content FROM json_each(").push_bind(json_list(ids));
        sql.push(") AS j CROSS JOIN pages AS p ON p.id = j.value AND ");
        push_page_filter(&mut sql, filter, self.workspace());
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter()
            .map(|row| {
                Ok(StoredPage {
                    row: page_row(row)?,
                    head: row.try_get(ROW_COLUMNS)?,
                    content: row.try_get(ROW_COLUMNS + 1)?,
                })
            })
            .collect()
    }

    pub(super) async fn read_named(&self, filter: &PageFilter, name: &str) -> DbResult<Option<PageId>> {
        let mut sql =
            Sql::new("SELECT p.id FROM page_names AS n CROSS JOIN pages AS p ON p.seq = n.page AND ");
        push_page_filter(&mut sql, filter, self.workspace());
        sql.push(" WHERE n.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND n.name = ").push_bind(link_name(name));
        sql.push(" ORDER BY n.rank, length(p.path), p.path LIMIT 1");
        let row = sql.build().fetch_optional(&self.db.reader()).await?;
        row.map(|row| parsed(row.try_get(0)?, "id")).transpose()
    }
}
