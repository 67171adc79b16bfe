//! Uses of entries and days of use: bookkeeping that makes no version.

use chrono::NaiveDate;
use inklings_domain::memory::text_source::TextSource;
use inklings_ports::memory::store::Access;

use crate::error::DbResult;
use crate::{
    rows::{micros, parsed},
    store::SqliteStore,
};

impl SqliteStore {
    pub(crate) async fn add_uses(&self, accesses: &[Access]) -> DbResult<()> {
        if accesses.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_immediate().await?;
        for access in accesses {
            sqlx::query(
                "UPDATE memories SET access_count = access_count + ?, accessed_at = max(accessed_at, ?) \
                 WHERE workspace_id = ? AND id = ? \
                 AND NOT EXISTS (SELECT 1 FROM json_each(derived_from) WHERE value = ?)",
            )
            .bind(access.times as i64)
            .bind(micros(access.at))
            .bind(self.workspace())
            .bind(access.id.to_string())
            .bind(access.by.map(|client| TextSource::Client(client).to_string()))
            .execute(&mut *tx)
            .await?;
        }
        Ok(tx.commit().await?)
    }

    pub(crate) async fn add_open_day(&self, day: NaiveDate) -> DbResult<()> {
        let day = day.format("%Y-%m-%d").to_string();
        let known: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM open_days WHERE workspace_id = ? AND day = ?)")
                .bind(self.workspace())
                .bind(&*day)
                .fetch_one(&self.db.reader())
                .await?;
        if known {
            return Ok(());
        }
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query("INSERT INTO open_days (workspace_id, day) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(self.workspace())
            .bind(day)
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    pub(crate) async fn read_open_days(&self) -> DbResult<Vec<NaiveDate>> {
        let days: Vec<String> =
            sqlx::query_scalar("SELECT day FROM open_days WHERE workspace_id = ? ORDER BY day")
                .bind(self.workspace())
                .fetch_all(&self.db.reader())
                .await?;
        days.iter().map(|day| parsed(day, "day")).collect()
    }
}
