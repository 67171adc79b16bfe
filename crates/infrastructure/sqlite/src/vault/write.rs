//! Writes vaults and pages.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{PageId, VaultId},
    schedule::LEASE,
    text::fold,
    vault::{PageText, Vault, link_name, link_names, sort_key, stem},
};
use inklings_ports::{
    store_error::StoreError,
    vault::store::{PageWrite, Scanned},
};
use sqlx::SqliteConnection;

use super::SqlitePages;
use crate::{error::DbResult, rows::micros};

const TICK: &str = "UPDATE page_clock SET tick = tick + 1";

/// Stores a page under a number that it has already, or under a new one. Its columns are bound in this order.
const PUT: &str = "INSERT INTO pages (workspace_id, id, vault_id, path, size, modified_at, settled, hash, \
      kind, lifecycle, aliases, tags, name, title, sort_key, keys, head, content, change_seq) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT tick FROM page_clock)) \
    ON CONFLICT (workspace_id, id) DO UPDATE SET path = excluded.path, size = excluded.size, \
      modified_at = excluded.modified_at, settled = excluded.settled, \
      hash = excluded.hash, kind = excluded.kind, lifecycle = excluded.lifecycle, aliases = excluded.aliases, \
      tags = excluded.tags, name = excluded.name, title = excluded.title, sort_key = excluded.sort_key, keys = excluded.keys, head = excluded.head, \
      content = excluded.content, change_seq = excluded.change_seq \
    RETURNING seq";

/// The path of a page whose path another one takes. No file has such a path.
const DISPLACE: &str = "UPDATE pages SET path = char(1) || id \
    WHERE workspace_id = ? AND vault_id = ? AND path = ? AND id <> ?";

const BLOCKS: &str = "INSERT INTO page_blocks (workspace_id, page, ordinal, kind, heading, starts, ends, hash) \
    SELECT ?1, ?2, key + 1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?3)";

const NAMES: &str = "INSERT INTO page_names (workspace_id, page, name, rank) \
    SELECT ?1, ?2, value ->> 0, value ->> 1 FROM json_each(?3)";

const LINKS: &str = "INSERT INTO page_links (workspace_id, page, ordinal, target, name, heading, embeds) \
    SELECT ?1, ?2, key + 1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?3)";

const ATTACHMENTS: &str = "INSERT INTO vault_attachments (workspace_id, vault_id, path, name, size) \
    SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?3)";

const SKIPS: &str = "INSERT INTO page_skips (workspace_id, vault_id, path, reason) \
    SELECT ?1, ?2, value ->> 0, value ->> 1 FROM json_each(?3)";

impl SqlitePages {
    pub(super) async fn write_vault(&self, vault: &Vault) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let added = sqlx::query(
            "INSERT INTO vaults (workspace_id, id, name, path, linked_at) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT DO NOTHING",
        )
        .bind(self.workspace())
        .bind(vault.id.to_string())
        .bind(&vault.name)
        .bind(&vault.path)
        .bind(micros(vault.linked_at))
        .execute(&mut *tx)
        .await?;
        if added.rows_affected() == 0 {
            return Err(StoreError::AlreadyExists("vault").into());
        }
        sqlx::query(TICK).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn remove_vault(&self, id: VaultId) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let removed = sqlx::query("DELETE FROM vaults WHERE workspace_id = ? AND id = ?")
            .bind(self.workspace())
            .bind(id.to_string())
            .execute(&mut *tx)
            .await?;
        sqlx::query(TICK).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(removed.rows_affected() > 0)
    }

    pub(super) async fn write_pages(
        &self,
        id: VaultId,
        pages: &[PageWrite],
        removed: &[PageId],
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        if pages.iter().any(|page| page.text.is_some()) || !removed.is_empty() {
            sqlx::query(TICK).execute(&mut *tx).await?;
        }
        self.require(&mut tx, id).await?;
        for page in pages {
            sqlx::query(DISPLACE)
                .bind(self.workspace())
                .bind(id.to_string())
                .bind(&page.path)
                .bind(page.id.to_string())
                .execute(&mut *tx)
                .await?;
            match &page.text {
                Some(text) => self.write_page(&mut tx, id, page, text).await?,
                None => self.touch_page(&mut tx, page).await?,
            }
        }
        for page in removed {
            sqlx::query("DELETE FROM pages WHERE workspace_id = ? AND id = ?")
                .bind(self.workspace())
                .bind(page.to_string())
                .execute(&mut *tx)
                .await?;
        }
        Ok(tx.commit().await?)
    }

    async fn require(&self, conn: &mut SqliteConnection, id: VaultId) -> DbResult<()> {
        let found = sqlx::query("SELECT 1 FROM vaults WHERE workspace_id = ? AND id = ?")
            .bind(self.workspace())
            .bind(id.to_string())
            .fetch_optional(conn)
            .await?;
        if found.is_some() { Ok(()) } else { Err(StoreError::NotFound("vault").into()) }
    }

    async fn touch_page(&self, conn: &mut SqliteConnection, page: &PageWrite) -> DbResult<()> {
        sqlx::query(
            "UPDATE pages SET size = ?, modified_at = ?, settled = ? WHERE workspace_id = ? AND id = ?",
        )
        .bind(page.stat.size as i64)
        .bind(page.stat.modified_at)
        .bind(page.settled)
        .bind(self.workspace())
        .bind(page.id.to_string())
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn write_page(
        &self,
        conn: &mut SqliteConnection,
        vault: VaultId,
        page: &PageWrite,
        text: &PageText,
    ) -> DbResult<()> {
        let file = stem(&page.path);
        let name = if text.title == file { "" } else { file };
        let keys: Vec<&str> = text.aliases.iter().chain(&text.tags).map(String::as_str).collect();
        let seq: i64 = sqlx::query_scalar(PUT)
            .bind(self.workspace())
            .bind(page.id.to_string())
            .bind(vault.to_string())
            .bind(&page.path)
            .bind(page.stat.size as i64)
            .bind(page.stat.modified_at)
            .bind(page.settled)
            .bind(&page.hash)
            .bind(&text.kind)
            .bind(&text.lifecycle)
            .bind(serde_json::json!(text.aliases).to_string())
            .bind(serde_json::json!(text.tags).to_string())
            .bind(name)
            .bind(&text.title)
            .bind(sort_key(&text.title))
            .bind(keys.join("\n"))
            .bind(&text.head)
            .bind(&text.content)
            .fetch_one(&mut *conn)
            .await?;
        for old in [
            "DELETE FROM page_blocks WHERE workspace_id = ? AND page = ?",
            "DELETE FROM page_names WHERE page = ?2 AND workspace_id = ?1",
            "DELETE FROM page_links WHERE workspace_id = ? AND page = ?",
        ] {
            sqlx::query(old).bind(self.workspace()).bind(seq).execute(&mut *conn).await?;
        }
        let blocks = text.blocks.iter().map(|block| {
            let (kind, hash) = (block.kind.as_str(), &block.hash);
            serde_json::json!([kind, block.heading, block.range.start, block.range.end, hash])
        });
        let names = link_names(&page.path, text);
        let names = names.iter().map(|(name, rank)| serde_json::json!([name, *rank as i64]));
        let links = text.links.iter().map(|link| {
            let embeds = i64::from(link.embeds);
            serde_json::json!([link.target, link_name(&link.target), link.heading, embeds])
        });
        let parts: [(&str, Vec<serde_json::Value>); 3] =
            [(BLOCKS, blocks.collect()), (NAMES, names.collect()), (LINKS, links.collect())];
        for (insert, rows) in parts {
            if !rows.is_empty() {
                let rows = serde_json::Value::from(rows).to_string();
                sqlx::query(insert).bind(self.workspace()).bind(seq).bind(rows).execute(&mut *conn).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn write_scan(&self, id: VaultId, scanned: Scanned<'_>) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.require(&mut tx, id).await?;
        let attachments = scanned.attachments.iter().map(|file| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            serde_json::json!([file.path, fold(name), file.stat.size])
        });
        let skips = scanned.skips.iter().map(|skip| serde_json::json!([skip.path, skip.reason.as_str()]));
        let lists = [
            (
                "DELETE FROM vault_attachments WHERE workspace_id = ? AND vault_id = ?",
                ATTACHMENTS,
                attachments.collect(),
            ),
            (
                "DELETE FROM page_skips WHERE workspace_id = ? AND vault_id = ?",
                SKIPS,
                skips.collect::<Vec<_>>(),
            ),
        ];
        for (delete, insert, rows) in lists {
            let (workspace, id) = (self.workspace(), id.to_string());
            sqlx::query(delete).bind(&workspace).bind(&id).execute(&mut *tx).await?;
            let rows = serde_json::Value::from(rows).to_string();
            sqlx::query(insert).bind(workspace).bind(id).bind(rows).execute(&mut *tx).await?;
        }
        sqlx::query("UPDATE vaults SET scanned_at = ? WHERE workspace_id = ? AND id = ?")
            .bind(micros(scanned.at))
            .bind(self.workspace())
            .bind(id.to_string())
            .execute(&mut *tx)
            .await?;
        sqlx::query(TICK).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }

    /// Takes the lease in one statement, as that of a task is taken.
    pub(super) async fn take_lease(
        &self,
        id: VaultId,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let taken = sqlx::query(
            "UPDATE vaults SET lease_owner = ?3, lease_until = ?4 WHERE workspace_id = ?1 AND id = ?2 \
             AND (lease_owner IS NULL OR lease_owner = ?3 OR lease_until <= ?5 OR lease_until - ?5 > ?6)",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(owner)
        .bind(micros(until))
        .bind(micros(now))
        .bind(LEASE.num_microseconds())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(taken.rows_affected() > 0)
    }
}
