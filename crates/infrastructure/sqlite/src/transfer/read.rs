//! Reads the rows of an export: pages by key, all from one state of the file.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        shape::{OWN, Section, VECTORS},
        store::{Fields, TransferRow, TransferSnapshot, Within},
    },
};
use serde_json::Value;
use sqlx::{Row, Sqlite, Transaction};

use crate::transfer::{list_table, marks, table, unknown_fields, values};
use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    rows::{json_list, micros},
    store::SqliteStore,
};

/// A reading transaction.
pub struct Snapshot {
    store: SqliteStore,
    tx: Transaction<'static, Sqlite>,
    general: String,
    now: DateTime<Utc>,
}

impl Snapshot {
    pub async fn begin(store: &SqliteStore, now: DateTime<Utc>) -> DbResult<Self> {
        let mut tx = store.db.reader().begin().await?;
        // The first read fixes the state that all later ones see.
        sqlx::query("SELECT tick FROM change_clock").fetch_one(&mut *tx).await?;
        let general = if store.is_account() {
            String::new()
        } else {
            let general =
                sqlx::query_scalar("SELECT id FROM channels WHERE workspace_id = ? AND is_default = 1");
            general.bind(store.workspace()).fetch_one(&mut *tx).await?
        };
        Ok(Self { store: store.clone(), tx, general, now })
    }

    fn push_rows(&self, sql: &mut Sql, section: Section, within: Within) {
        sql.push(" FROM ").push(table(section).0).push(" AS t WHERE t.workspace_id = ");
        sql.push_bind(self.store.workspace());
        if section == Section::Scratchpads {
            sql.push(" AND (t.expires_at IS NULL OR t.expires_at > ").push_bind(micros(self.now)).push(")");
        }
        if section.holds_entries() {
            let named = "(t.name IS NOT NULL AND t.kind = 'note')";
            sql.push(if section == Section::NamedEntries { " AND " } else { " AND NOT " }).push(named);
            // Blank default entries without history hold nothing to export.
            sql.push(
                " AND NOT (t.content = '' AND t.aliases = '[]' AND NOT EXISTS (SELECT 1 FROM memory_versions AS v \
                 WHERE v.workspace_id = t.workspace_id AND v.memory_id = t.id AND v.content <> '') \
                 AND EXISTS (SELECT 1 FROM journal AS j WHERE j.workspace_id = t.workspace_id AND j.action = 'setup' \
                 AND j.id IN (SELECT t.change_id WHERE t.version = 1 UNION ALL SELECT v.change_id \
                              FROM memory_versions AS v WHERE v.workspace_id = t.workspace_id \
                              AND v.memory_id = t.id AND v.version = 1)))",
            );
        }
        let (of_channel, of_conversation) = match within {
            Within::All => return,
            Within::Channel(id) => (Some(id.to_string()), None),
            Within::Conversation(id) => (None, Some(id.to_string())),
        };
        let push_scope = |sql: &mut Sql, id: &str| {
            if of_channel.is_some() {
                sql.push("(SELECT id FROM conversations WHERE channel_id = ")
                    .push_bind(id.to_owned())
                    .push(")");
            } else {
                sql.push("(").push_bind(id.to_owned()).push(")");
            }
        };
        let id = of_channel.clone().or(of_conversation.clone()).unwrap_or_default();
        sql.push(" AND ");
        match section {
            Section::Channels if of_channel.is_some() => {
                sql.push("t.id = ").push_bind(id);
            }
            Section::Channels => {
                sql.push("t.id IN (SELECT channel_id FROM conversations WHERE id = ").push_bind(id).push(")");
            }
            Section::Conversations => {
                sql.push("t.id IN ");
                push_scope(sql, &id);
            }
            Section::Memories | Section::NamedEntries => {
                sql.push(if of_channel.is_some() { "(t.channel_id = " } else { "(t.conversation_id = " });
                sql.push_bind(id.clone());
                // Includes the archives that markers point to, wherever they are.
                sql.push(" OR t.id IN (SELECT archive_id FROM messages WHERE archive_id IS NOT NULL AND conversation_id IN ");
                push_scope(sql, &id);
                sql.push("))");
            }
            Section::Messages | Section::Episodes | Section::Scratchpads => {
                sql.push("t.conversation_id IN ");
                push_scope(sql, &id);
            }
            // Facts and the journal belong to the whole workspace.
            Section::Facts | Section::Journal => {
                sql.push("FALSE");
            }
        }
    }

    async fn count_rows(&mut self, section: Section, within: Within) -> DbResult<u64> {
        let mut sql = Sql::new("SELECT count(*)");
        self.push_rows(&mut sql, section, within);
        let count: i64 = sql.build_query_scalar().fetch_one(&mut *self.tx).await?;
        Ok(count.unsigned_abs())
    }

    async fn read_page(
        &mut self,
        section: Section,
        within: Within,
        after: Option<&[String]>,
        limit: usize,
        embeddings: bool,
    ) -> DbResult<Vec<TransferRow>> {
        let keys = table(section).1;
        let mut sql = Sql::new("SELECT ");
        for key in keys {
            sql.push("CAST(").push(key).push(" AS TEXT), ");
        }
        values::push_columns(&mut sql, section.columns());
        self.push_rows(&mut sql, section, within);
        if let Some(after) = after {
            sql.push(" AND (").push(keys.join(", ")).push(") > (");
            for (n, (key, value)) in keys.iter().zip(after).enumerate() {
                sql.push(if n == 0 { "" } else { ", " });
                // A numeric key must be compared as a number.
                let number = matches!(*key, "NOT t.is_default" | "t.position" | "t.sequence");
                sql.push(if number { "CAST(" } else { "(" }).push_bind(value.clone());
                sql.push(if number { " AS INTEGER)" } else { ")" });
            }
            sql.push(")");
        }
        sql.push(" ORDER BY ").push(keys.join(", ")).push(" LIMIT ").push_bind(limit as i64);
        let found = sql.build().fetch_all(&mut *self.tx).await?;
        let mut rows = Vec::with_capacity(found.len());
        for row in &found {
            let key = (0..keys.len()).map(|n| row.try_get(n)).collect::<Result<Vec<String>, _>>()?;
            let mut fields = values::read(row, keys.len(), section.columns(), &self.general)?;
            if section == Section::Channels && key[0] == "0" {
                // The default channel was created with its workspace, and that time is not exported.
                fields.remove("created_at");
            }
            rows.push(TransferRow { key, fields });
        }
        if section == Section::Messages {
            marks::attach(&mut self.tx, &self.store.workspace(), &mut rows).await?;
        }
        self.hang_lists(section, &mut rows, embeddings).await?;
        if section.holds_entries() {
            self.attach_third_party(&mut rows).await?;
        }
        if section != Section::Journal {
            unknown_fields::hang(&mut self.tx, &self.store.workspace(), section, &mut rows).await?;
        }
        Ok(rows)
    }

    async fn hang_lists(
        &mut self,
        section: Section,
        rows: &mut [TransferRow],
        embeddings: bool,
    ) -> DbResult<()> {
        let ids: Vec<String> = rows.iter().filter_map(|row| id_of(&row.fields)).collect();
        for (name, fields) in section.lists() {
            if VECTORS.contains(name) && !embeddings {
                continue;
            }
            let (table, parent, order) = list_table(section, name);
            let mut sql = Sql::new("SELECT t.");
            sql.push(parent).push(", ");
            values::push_columns(&mut sql, fields);
            sql.push(" FROM ")
                .push(table)
                .push(" AS t WHERE t.workspace_id = ")
                .push_bind(self.store.workspace());
            sql.push(" AND t.")
                .push(parent)
                .push(" IN (SELECT value FROM json_each(")
                .push_bind(json_list(&ids));
            sql.push(")) ORDER BY ").push(order);
            let mut hanging: HashMap<String, Vec<Value>> = HashMap::new();
            for row in &sql.build().fetch_all(&mut *self.tx).await? {
                let item = values::read(row, 1, fields, &self.general)?;
                hanging.entry(row.try_get(0)?).or_default().push(Value::Object(item));
            }
            for row in rows.iter_mut() {
                if let Some(list) = id_of(&row.fields).and_then(|id| hanging.remove(&id)) {
                    row.fields.insert((*name).to_owned(), Value::Array(list));
                }
            }
        }
        Ok(())
    }

    /// Adds the fields of other programs, and at their original place those of newer releases.
    async fn attach_third_party(&mut self, rows: &mut [TransferRow]) -> DbResult<()> {
        let ids: Vec<String> = rows.iter().filter_map(|row| id_of(&row.fields)).collect();
        let found: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT memory_id, format, fields FROM foreign_fields WHERE workspace_id = ? \
             AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, format",
        )
        .bind(self.store.workspace())
        .bind(json_list(&ids))
        .fetch_all(&mut *self.tx)
        .await?;
        let mut hanging: HashMap<String, Fields> = HashMap::new();
        for (id, format, fields) in found {
            let fields = serde_json::from_str(&fields).map_err(|_| DbError::Row { column: "fields" })?;
            hanging.entry(id).or_default().insert(format, fields);
        }
        for row in rows {
            let Some(mut third_party) = id_of(&row.fields).and_then(|id| hanging.remove(&id)) else {
                continue;
            };
            if let Some(own) = third_party.remove(OWN) {
                unknown_fields::put_back(&mut row.fields, own);
            }
            if !third_party.is_empty() {
                row.fields.insert("foreign_fields".to_owned(), Value::Object(third_party));
            }
        }
        Ok(())
    }
}

fn id_of(fields: &Fields) -> Option<String> {
    fields.get("id").and_then(Value::as_str).map(str::to_owned)
}

#[async_trait::async_trait]
impl TransferSnapshot for Snapshot {
    async fn count(&mut self, section: Section, within: Within) -> Result<u64, StoreError> {
        let counted = self.count_rows(section, within).await;
        self.store.public(counted)
    }

    async fn page(
        &mut self,
        section: Section,
        within: Within,
        after: Option<&[String]>,
        limit: usize,
        embeddings: bool,
    ) -> Result<Vec<TransferRow>, StoreError> {
        let read = self.read_page(section, within, after, limit, embeddings).await;
        self.store.public(read)
    }

    async fn members(&mut self) -> Result<Fields, StoreError> {
        let found = unknown_fields::members(&mut self.tx, &self.store.workspace()).await;
        self.store.public(found)
    }
}
