//! The part of the ledger for reads: the items that tools in a turn and clients were shown.

use chrono::{DateTime, Utc};
use inklings_domain::orientation::shown::{Reader, Seen, Showing, ShownRead};
use inklings_ports::orientation::{MOST_READS, ReadCursor, ReadFilter};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
};
use crate::{
    orientation::ledger::number,
    rows::{count, maybe, micros, moment, parsed},
    store::SqliteStore,
};

const SELECT: &str = "SELECT id, at, client_id, through, conversation_id, channel_id, message_id, count, items \
    FROM reads WHERE ";

/// Kind, id, version.
type StoredItem = (String, Uuid, u64);

fn items_json(items: &[Seen]) -> String {
    let stored = |seen: &Seen| -> StoredItem { (seen.kind.to_string(), seen.id, seen.version) };
    serde_json::json!(items.iter().map(stored).collect::<Vec<_>>()).to_string()
}

fn items(json: &str) -> DbResult<Vec<Seen>> {
    let column = "items";
    let stored: Vec<StoredItem> = serde_json::from_str(json).map_err(|_| DbError::Row { column })?;
    let seen = |(kind, id, version): StoredItem| Ok(Seen { kind: parsed(&kind, column)?, id, version });
    stored.into_iter().map(seen).collect()
}

fn shown(row: &SqliteRow) -> DbResult<ShownRead> {
    let client = maybe(row, 2, "client_id")?;
    Ok(ShownRead {
        id: parsed(row.try_get(0)?, "id")?,
        at: moment(row.try_get(1)?, "at")?,
        reader: client.map_or(Reader::Agent, Reader::Client),
        message: maybe(row, 6, "message_id")?,
        showing: Showing {
            through: parsed(row.try_get(3)?, "through")?,
            conversation: maybe(row, 4, "conversation_id")?,
            channel: maybe(row, 5, "channel_id")?,
            count: count(row, 7, "count")?,
            items: items(row.try_get(8)?)?,
        },
    })
}

impl SqliteStore {
    pub(crate) async fn insert_read(&self, read: &ShownRead) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        if let Some(conversation) = read.showing.conversation {
            self.standing(&mut tx, conversation).await?;
        }
        let client = match read.reader {
            Reader::Agent => None,
            Reader::Client(id) => Some(id.to_string()),
        };
        sqlx::query(
            "INSERT INTO reads (workspace_id, id, at, client_id, through, conversation_id, channel_id, message_id, \
             count, items) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(read.id.to_string())
        .bind(micros(read.at))
        .bind(client)
        .bind(read.showing.through.as_str())
        .bind(read.showing.conversation.map(|id| id.to_string()))
        .bind(read.showing.channel.map(|id| id.to_string()))
        .bind(read.message.map(|id| id.to_string()))
        .bind(number(read.showing.count))
        .bind(items_json(&read.showing.items))
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    pub(crate) async fn find_reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> DbResult<Vec<ShownRead>> {
        let mut sql = Sql::new(SELECT);
        sql.push("+workspace_id = ").push_bind(self.workspace());
        if let Some(conversation) = filter.conversation {
            sql.push(" AND conversation_id = ").push_bind(conversation.to_string());
        }
        if let Some(client) = filter.client {
            sql.push(" AND client_id = ").push_bind(client.to_string());
        }
        if let Some(after) = after {
            sql.push(" AND (at, id) < (").push_bind(micros(after.at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY at DESC, id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(shown).collect()
    }

    /// Drops reads by age and number; returns how many.
    pub(crate) async fn thin_reads(
        &self,
        conn: &mut SqliteConnection,
        before: DateTime<Utc>,
    ) -> DbResult<u64> {
        let by_age =
            sqlx::query("DELETE FROM reads WHERE at < ?").bind(micros(before)).execute(&mut *conn).await?;
        let by_number = sqlx::query(
            "DELETE FROM reads WHERE rowid NOT IN (SELECT rowid FROM reads ORDER BY at DESC, id DESC LIMIT ?)",
        )
        .bind(i64::try_from(MOST_READS).unwrap_or(i64::MAX))
        .execute(&mut *conn)
        .await?;
        Ok(by_age.rows_affected() + by_number.rows_affected())
    }
}
