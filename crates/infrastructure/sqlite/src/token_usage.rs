//! Counts of the tokens that language models used.

use chrono::NaiveDate;
use inklings_ports::{
    model::{
        chat::{ChatEndpoint, ChatUsage},
        usage::{TokenUsage, TokenUsageStore},
    },
    store_error::StoreError,
};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{error::DbResult, rows::parsed, store::SqliteStore};

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn usage(row: &SqliteRow) -> DbResult<TokenUsage> {
    let count = |column| -> DbResult<u64> { Ok(row.try_get::<i64, _>(column)?.unsigned_abs()) };
    Ok(TokenUsage {
        day: parsed(row.try_get("day")?, "day")?,
        address: row.try_get("address")?,
        model: row.try_get("model")?,
        answers: count("answers")?,
        unreported: count("unreported")?,
        input: count("input")?,
        output: count("output")?,
    })
}

impl SqliteStore {
    async fn write_usage(
        &self,
        day: NaiveDate,
        endpoint: &ChatEndpoint,
        usage: Option<ChatUsage>,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let counted = usage.unwrap_or_default();
        sqlx::query(
            "INSERT INTO token_usage (day, address, model, answers, unreported, input, output) \
             VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT (day, address, model) DO UPDATE SET \
             answers = answers + 1, unreported = unreported + excluded.unreported, \
             input = input + excluded.input, output = output + excluded.output",
        )
        .bind(day.to_string())
        .bind(&*endpoint.base_url)
        .bind(&*endpoint.model)
        .bind(usage.is_none())
        .bind(whole(counted.input))
        .bind(whole(counted.output))
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_usage(&self, since: NaiveDate) -> DbResult<Vec<TokenUsage>> {
        let found = sqlx::query(
            "SELECT day, address, model, answers, unreported, input, output FROM token_usage \
             WHERE day >= ? ORDER BY day DESC, address, model",
        )
        .bind(since.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(usage).collect()
    }
}

#[async_trait::async_trait]
impl TokenUsageStore for SqliteStore {
    async fn add_usage(
        &self,
        day: NaiveDate,
        endpoint: &ChatEndpoint,
        usage: Option<ChatUsage>,
    ) -> Result<(), StoreError> {
        self.public(self.write_usage(day, endpoint, usage).await)
    }

    async fn usage_since(&self, day: NaiveDate) -> Result<Vec<TokenUsage>, StoreError> {
        self.public(self.read_usage(day).await)
    }
}
