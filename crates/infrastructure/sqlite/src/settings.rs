//! Settings of the account and of a workspace.

use inklings_domain::digest::hex;
use inklings_ports::{
    store_error::StoreError,
    workspace::settings::{RECORDS, SettingsStore},
};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::error::DbResult;
use crate::rows::json_list;
use crate::store::SqliteStore;

impl SqliteStore {
    async fn read_setting(&self, key: &str) -> DbResult<Option<String>> {
        self.read_setting_within(&mut *self.db.reader().acquire().await?, key).await
    }

    /// Reads a value on a connection of the caller.
    pub(crate) async fn read_setting_within(
        &self,
        conn: &mut SqliteConnection,
        key: &str,
    ) -> DbResult<Option<String>> {
        let query = if self.is_account() {
            sqlx::query_scalar("SELECT value FROM settings WHERE key = ?").bind(key.to_owned())
        } else {
            sqlx::query_scalar("SELECT value FROM settings WHERE workspace_id = ? AND key = ?")
                .bind(self.workspace())
                .bind(key.to_owned())
        };
        Ok(query.fetch_optional(conn).await?)
    }

    /// See `MemoryStore::revision`. Settings that record a revision are left out.
    pub(crate) async fn read_revision(&self) -> DbResult<String> {
        let more = if self.is_account() {
            "''"
        } else {
            "(SELECT count(*) || '.' || coalesce(sum(version), 0) FROM facts) || '.' \
             || (SELECT count(*) || '.' || coalesce(sum(removed_at IS NOT NULL), 0) FROM episodes)"
        };
        let numbers = format!("SELECT tick || '.' || epoch || '.' || {more} FROM change_clock");
        let mut conn = self.db.reader().acquire().await?;
        let numbers: String = sqlx::query_scalar(AssertSqlSafe(numbers)).fetch_one(&mut *conn).await?;
        let settings: String = sqlx::query_scalar(
            "SELECT coalesce(group_concat(key || ' ' || value, char(10)), '') \
             FROM (SELECT key, value FROM settings WHERE key NOT IN (SELECT value FROM json_each(?)) ORDER BY key)",
        )
        .bind(json_list(RECORDS))
        .fetch_one(&mut *conn)
        .await?;
        Ok(format!("{numbers}.{}", hex(&Sha256::digest(settings)[..8])))
    }

    async fn write_setting(&self, key: &str, value: &str) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.write_setting_within(&mut tx, key, value).await?;
        Ok(tx.commit().await?)
    }

    async fn replace(&self, key: &str, read: Option<&str>, value: &str) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        if self.read_setting_within(&mut tx, key).await?.as_deref() != read {
            return Ok(false);
        }
        self.write_setting_within(&mut tx, key, value).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Sets a value within a transaction of the caller.
    pub(crate) async fn write_setting_within(
        &self,
        conn: &mut SqliteConnection,
        key: &str,
        value: &str,
    ) -> DbResult<()> {
        let query = if self.is_account() {
            // The time only informs people who inspect the file, so SQLite's own clock is sufficient.
            sqlx::query(
                "INSERT INTO settings (key, value, updated_at) \
                 VALUES (?, ?, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) \
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
            )
        } else {
            sqlx::query(
                "INSERT INTO settings (workspace_id, key, value) VALUES (?, ?, ?) \
                 ON CONFLICT (workspace_id, key) DO UPDATE SET value = excluded.value",
            )
            .bind(self.workspace())
        };
        query.bind(key.to_owned()).bind(value.to_owned()).execute(conn).await?;
        Ok(())
    }
}

#[async_trait::async_trait]
impl SettingsStore for SqliteStore {
    async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.public(self.read_setting(key).await)
    }

    async fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.public(self.write_setting(key, value).await)
    }

    async fn replace_setting(&self, key: &str, read: Option<&str>, value: &str) -> Result<bool, StoreError> {
        self.public(self.replace(key, read, value).await)
    }
}
