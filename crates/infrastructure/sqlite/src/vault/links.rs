//! Reads where links lead. A link leads to whatever has its name when it is read, so no link has to be changed when a page
//! comes, goes or moves.

use inklings_domain::{ids::PageId, vault::PageLink};
use inklings_ports::vault::{
    filter::PageFilter,
    store::{LinkedPage, PageRow, PageSelection},
};
use sqlx::Row;

use super::{
    SqlitePages,
    read::{ROW, page_row},
};
use crate::{
    error::DbResult,
    memory::filter_sql::Sql,
    rows::{count, json_list, maybe, parsed},
    search::pages::push_page_filter,
};

/// The page that the link `l` leads to: of all pages of its vault `own.vault_id` with its name, the one that it means first.
const LEADS_TO: &str = "(SELECT n.page FROM page_names AS n CROSS JOIN pages AS q ON q.seq = n.page \
    WHERE n.workspace_id = l.workspace_id AND n.name = l.name AND q.vault_id = own.vault_id \
    ORDER BY n.rank, length(q.path), q.path LIMIT 1)";

/// The attachment that the link `l` leads to. Its name is that of the file, behind the folders of the link.
const ATTACHMENT: &str = "(SELECT a.path FROM vault_attachments AS a WHERE a.workspace_id = l.workspace_id \
    AND a.name = replace(l.name, rtrim(l.name, replace(l.name, '/', '')), '') AND a.vault_id = own.vault_id \
    ORDER BY length(a.path), a.path LIMIT 1)";

impl SqlitePages {
    /// Joins the pages `p` that have a link to the page `own`, with the conditions on both.
    fn push_linked(&self, sql: &mut Sql, filter: &PageFilter) {
        sql.push("CROSS JOIN page_names AS mine ON mine.page = own.seq ");
        sql.push("CROSS JOIN page_links AS l ON l.workspace_id = mine.workspace_id AND l.name = mine.name ");
        sql.push("CROSS JOIN pages AS p ON p.seq = l.page AND p.vault_id = own.vault_id WHERE ");
        push_page_filter(sql, filter, self.workspace());
        sql.push(" AND own.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND p.seq <> own.seq AND own.seq = ").push(LEADS_TO);
    }

    pub(super) async fn read_links(&self, filter: &PageFilter, id: PageId) -> DbResult<Vec<LinkedPage>> {
        let mut sql = Sql::new("SELECT l.target, l.heading, l.embeds, q.id, q.title, ");
        sql.push(ATTACHMENT)
            .push(" FROM pages AS p CROSS JOIN (SELECT seq, vault_id FROM pages) AS own ON own.seq = p.seq ");
        sql.push("CROSS JOIN page_links AS l ON l.page = p.seq AND l.workspace_id = p.workspace_id ");
        sql.push("LEFT JOIN pages AS q ON q.seq = ").push(LEADS_TO).push(" WHERE ");
        push_page_filter(&mut sql, filter, self.workspace());
        sql.push(" AND p.id = ").push_bind(id.to_string()).push(" ORDER BY l.ordinal");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter()
            .map(|row| {
                let link =
                    PageLink { target: row.try_get(0)?, heading: row.try_get(1)?, embeds: row.try_get(2)? };
                let page = maybe(row, 3, "id")?.zip(row.try_get(4)?);
                let attachment = if page.is_some() { None } else { row.try_get(5)? };
                Ok(LinkedPage { link, page, attachment })
            })
            .collect()
    }

    pub(super) async fn read_backlinks(
        &self,
        filter: &PageFilter,
        id: PageId,
        limit: usize,
    ) -> DbResult<Vec<PageRow>> {
        let mut sql = Sql::new("SELECT DISTINCT ");
        sql.push(ROW).push(" FROM pages AS own ");
        self.push_linked(&mut sql, filter);
        sql.push(" AND own.id = ").push_bind(id.to_string());
        sql.push(" ORDER BY p.sort_key, p.id LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(page_row).collect()
    }

    pub(super) async fn read_linked_from(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> DbResult<Vec<(PageId, u64)>> {
        let mut sql = Sql::new("SELECT own.id, count(DISTINCT p.seq) FROM json_each(");
        sql.push_bind(json_list(ids)).push(") AS j CROSS JOIN pages AS own ON own.id = j.value ");
        self.push_linked(&mut sql, filter);
        sql.push(" GROUP BY own.id");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter().map(|row| Ok((parsed(row.try_get(0)?, "id")?, count(row, 1, "pages")?))).collect()
    }

    pub(super) async fn read_selected(
        &self,
        filter: &PageFilter,
        which: PageSelection<'_>,
        limit: usize,
    ) -> DbResult<Vec<PageRow>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(ROW).push(" FROM pages AS p WHERE ");
        push_page_filter(&mut sql, filter, self.workspace());
        sql.push(if which.with_type { " AND (p.kind IS NOT NULL OR p.seq IN (" } else { " AND p.seq IN (" });
        sql.push("SELECT n.page FROM json_each(").push_bind(serde_json::json!(which.names).to_string());
        sql.push(") AS j CROSS JOIN page_names AS n ON n.name = j.value AND n.workspace_id = ");
        sql.push_bind(self.workspace()).push(if which.with_type { "))" } else { ")" });
        sql.push(" ORDER BY p.sort_key, p.id LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(page_row).collect()
    }

    pub(super) async fn read_links_of(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> DbResult<Vec<(PageId, PageId)>> {
        let mut sql = Sql::new("SELECT DISTINCT p.id, q.id FROM json_each(");
        sql.push_bind(json_list(ids)).push(") AS j CROSS JOIN pages AS p ON p.id = j.value AND ");
        push_page_filter(&mut sql, filter, self.workspace());
        sql.push(" CROSS JOIN (SELECT seq, vault_id FROM pages) AS own ON own.seq = p.seq ");
        sql.push("CROSS JOIN page_links AS l ON l.page = p.seq AND l.workspace_id = p.workspace_id AND NOT l.embeds ");
        sql.push("CROSS JOIN pages AS q ON q.seq = ").push(LEADS_TO);
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter().map(|row| Ok((parsed(row.try_get(0)?, "id")?, parsed(row.try_get(1)?, "id")?))).collect()
    }
}
