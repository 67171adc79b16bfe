//! Finds existing rows in the place of imported ones.

use inklings_domain::{ids::MemoryId, memory::MemoryEntry};
use inklings_ports::transfer::{
    fields::text_of as text,
    shape::{Section, UNKNOWN_FIELDS},
    store::Fields,
};

use crate::transfer::{table, unknown_fields, values, write::Writer};
use crate::{
    error::{DbError, DbResult},
    memory::{filter_sql::Sql, list::imported_into},
    rows::{
        entry_row::{self, entry_columns},
        json_list,
    },
};

impl Writer {
    pub(crate) async fn find(&mut self, section: Section, id: &[&str]) -> DbResult<Option<Fields>> {
        let mut sql = Sql::new("SELECT ");
        values::push_columns(&mut sql, section.columns());
        sql.push(" FROM ").push(table(section).0).push(" AS t WHERE t.workspace_id = ");
        sql.push_bind(self.store.workspace());
        let columns: &[&str] =
            if section == Section::Scratchpads { &["conversation_id", "key"] } else { &["id"] };
        for (column, value) in columns.iter().zip(id) {
            let value = if section == Section::Channels { self.channel(value) } else { (*value).to_owned() };
            sql.push(" AND t.\"").push(column).push("\" = ").push_bind(value);
        }
        let Some(row) = sql.build().fetch_optional(&mut *self.tx).await? else { return Ok(None) };
        let mut found = values::read(&row, 0, section.columns(), "")?;
        if section == Section::Channels {
            let channel = self.channel(id[0]);
            let unknown =
                unknown_fields::of_row(&mut self.tx, &self.store.workspace(), section, &channel).await?;
            found.extend(unknown.map(|unknown| (UNKNOWN_FIELDS.to_owned(), unknown)));
        }
        Ok(Some(found))
    }

    pub(crate) async fn find_entry(&mut self, fields: &Fields) -> DbResult<Option<MemoryEntry>> {
        let channel = text(fields, "channel_id").map(|id| self.channel(id)).unwrap_or_default();
        let row = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(m),
            " FROM memories AS m WHERE m.workspace_id = ?1 AND (m.id = ?6 OR (",
            imported_into!(),
            ")) ORDER BY m.id = ?6 DESC LIMIT 1"
        ))
        .bind(self.store.workspace())
        .bind(json_list(text(fields, "external_id")))
        .bind(text(fields, "scope").unwrap_or_default().to_owned())
        .bind(channel)
        .bind(text(fields, "conversation_id").unwrap_or_default().to_owned())
        .bind(text(fields, "id").unwrap_or_default().to_owned())
        .fetch_optional(&mut *self.tx)
        .await?;
        row.map(|row| entry_row::entry(&row, 0)).transpose()
    }

    pub(crate) async fn find_third_party(&mut self, id: MemoryId, format: &str) -> DbResult<Option<Fields>> {
        let found = sqlx::query_scalar::<_, String>(
            "SELECT fields FROM foreign_fields WHERE workspace_id = ? AND memory_id = ? AND format = ?",
        );
        let found = found.bind(self.store.workspace()).bind(id.to_string()).bind(format.to_owned());
        let found = found.fetch_optional(&mut *self.tx).await?;
        let parsed = found.map(|fields| serde_json::from_str(&fields)).transpose();
        parsed.map_err(|_| DbError::Row { column: "foreign_fields" })
    }

    pub(crate) async fn find_named(&mut self, scope: &str, folded: &str) -> DbResult<Option<MemoryEntry>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(m),
            " FROM names AS n JOIN memories AS m ON m.workspace_id = n.workspace_id AND m.id = n.memory_id \
             WHERE n.workspace_id = ? AND n.scope = ? AND n.folded = ?"
        ))
        .bind(self.store.workspace())
        .bind(scope.to_owned())
        .bind(folded.to_owned())
        .fetch_optional(&mut *self.tx)
        .await?;
        row.map(|row| entry_row::entry(&row, 0)).transpose()
    }

    pub(crate) async fn find_channel(&mut self, folded: &str) -> DbResult<Option<String>> {
        let found = sqlx::query_scalar("SELECT id FROM channels WHERE workspace_id = ? AND name_folded = ?");
        Ok(found.bind(self.store.workspace()).bind(folded.to_owned()).fetch_optional(&mut *self.tx).await?)
    }
}
