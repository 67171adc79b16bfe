//! Saved searches.

use inklings_domain::{
    ids::SavedSearchId,
    search::saved::{SavedSearch, SavedSearches},
};
use inklings_ports::{search::saved_store::SavedSearchStore, store_error::StoreError};
use sqlx::SqliteConnection;

use crate::{
    error::{DbError, DbResult},
    rows::parsed,
    store::SqliteStore,
};

fn search(id: &str, name: &str, view: String) -> DbResult<SavedSearch> {
    let id = parsed::<SavedSearchId>(id, "id")?;
    SavedSearch::new(id, name, view).map_err(|_| DbError::Row { column: "name" })
}

impl SqliteStore {
    async fn read_saved_searches(&self, conn: &mut SqliteConnection) -> DbResult<SavedSearches> {
        let rows: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT id, name, view FROM saved_searches WHERE workspace_id = ? ORDER BY place, id",
        )
        .bind(self.workspace())
        .fetch_all(conn)
        .await?;
        let searches = rows.into_iter().map(|(id, name, view)| search(&id, &name, view));
        Ok(SavedSearches::stored(searches.collect::<DbResult<Vec<_>>>()?))
    }

    async fn write_saved_searches(&self, read: &SavedSearches, changed: &SavedSearches) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        if self.read_saved_searches(&mut tx).await? != *read {
            return Ok(false);
        }
        sqlx::query("DELETE FROM saved_searches WHERE workspace_id = ?")
            .bind(self.workspace())
            .execute(&mut *tx)
            .await?;
        for (place, search) in (0_i64..).zip(changed.all()) {
            sqlx::query(
                "INSERT INTO saved_searches (workspace_id, id, place, name, view) VALUES (?, ?, ?, ?, ?)",
            )
            .bind(self.workspace())
            .bind(search.id.to_string())
            .bind(place)
            .bind(search.name().to_owned())
            .bind(search.view().to_owned())
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}

#[async_trait::async_trait]
impl SavedSearchStore for SqliteStore {
    async fn saved_searches(&self) -> Result<SavedSearches, StoreError> {
        let read = async { self.read_saved_searches(&mut *self.db.reader().acquire().await?).await };
        self.public(read.await)
    }

    async fn replace_saved_searches(
        &self,
        read: &SavedSearches,
        changed: &SavedSearches,
    ) -> Result<bool, StoreError> {
        self.public(self.write_saved_searches(read, changed).await)
    }
}
