//! The orientation ledger: the items that the World Agent was shown, those left out, and the reasons.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ConversationId, OrientationId},
    orientation::{
        Framing, ItemId, Layer, LayerUse, LedgerItem, LeftOut, Orientation, PerLayer, shown::ShownRead,
    },
    search::ranking::Contribution,
};
use inklings_ports::{
    orientation::{LedgerCursor, LedgerStore, ReadCursor, ReadFilter},
    store_error::StoreError,
};
use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
};
use crate::{
    lens::{columns, lens},
    rows::{count, json_list, maybe, micros, moment, parsed},
    store::SqliteStore,
};

/// Rows of one INSERT.
const ROWS_PER_INSERT: usize = 64;

const SELECT: &str = "SELECT o.id, o.conversation_id, o.message_id, o.channel_id, o.query, o.at, o.budget, o.tokens, \
    o.layers, o.thinned, o.knower_id, o.as_of, o.as_of_chapter FROM orientations AS o WHERE ";

const INSERT_ITEMS: &str = "INSERT INTO orientation_items (workspace_id, orientation_id, ordinal, layer, kind, item_id, \
    version, tokens, taken, shortened, rule, repeats_kind, repeats_id, score, framing, parts) ";

/// A number as text with all its digits, because JSON readers may round numbers.
type Digits = String;

#[derive(Serialize, Deserialize)]
struct StoredFraming {
    curator: Option<String>,
    importance: Option<Digits>,
    relevance: Option<Digits>,
    age_days: Option<u64>,
}

/// List, rank, raw figure, weight, score.
type StoredPart = (String, usize, Digits, Digits, Digits);

fn framing_json(framing: &Framing) -> String {
    serde_json::json!(StoredFraming {
        curator: framing.curator.map(|curator| curator.to_string()),
        importance: framing.importance.map(|number| number.to_string()),
        relevance: framing.relevance.map(|number| number.to_string()),
        age_days: framing.age_days,
    })
    .to_string()
}

fn framing(json: &str) -> DbResult<Framing> {
    let column = "framing";
    let stored: StoredFraming = serde_json::from_str(json).map_err(|_| DbError::Row { column })?;
    let number = |digits: Option<Digits>| digits.map(|digits| parsed(&digits, column)).transpose();
    Ok(Framing {
        curator: stored.curator.map(|word| parsed(&word, column)).transpose()?,
        importance: number(stored.importance)?,
        relevance: number(stored.relevance)?,
        age_days: stored.age_days,
        note: None,
    })
}

fn parts_json(parts: &[Contribution]) -> String {
    let part = |part: &Contribution| -> StoredPart {
        let Contribution { list, rank, raw, weight, score } = part;
        (list.to_string(), *rank, raw.to_string(), weight.to_string(), score.to_string())
    };
    serde_json::json!(parts.iter().map(part).collect::<Vec<_>>()).to_string()
}

fn parts(json: &str) -> DbResult<Vec<Contribution>> {
    let column = "parts";
    let stored: Vec<StoredPart> = serde_json::from_str(json).map_err(|_| DbError::Row { column })?;
    let part = |(list, rank, raw, weight, score): StoredPart| {
        Ok(Contribution {
            list: parsed(&list, column)?,
            rank,
            raw: parsed(&raw, column)?,
            weight: parsed(&weight, column)?,
            score: parsed(&score, column)?,
        })
    };
    stored.into_iter().map(part).collect()
}

fn layers_json(layers: &PerLayer<LayerUse>) -> String {
    let of = |layer: &Layer| {
        let LayerUse { budget, used, failed } = *layers.get(*layer);
        (layer.as_str(), (budget, used, failed))
    };
    serde_json::json!(Layer::ALL.iter().map(of).collect::<HashMap<_, _>>()).to_string()
}

/// Layers missing in the rows of an older release count as unused.
fn layers(json: &str) -> DbResult<PerLayer<LayerUse>> {
    let stored: HashMap<String, (u64, u64, bool)> =
        serde_json::from_str(json).map_err(|_| DbError::Row { column: "layers" })?;
    Ok(PerLayer::from_fn(|layer| {
        let (budget, used, failed) = stored.get(layer.as_str()).copied().unwrap_or_default();
        LayerUse { budget, used, failed }
    }))
}

fn orientation(row: &SqliteRow, items: Vec<LedgerItem>) -> DbResult<Orientation> {
    Ok(Orientation {
        id: parsed(row.try_get(0)?, "id")?,
        conversation: maybe(row, 1, "conversation_id")?,
        message: maybe(row, 2, "message_id")?,
        channel: maybe(row, 3, "channel_id")?,
        query: row.try_get(4)?,
        at: moment(row.try_get(5)?, "at")?,
        budget: count(row, 6, "budget")?,
        tokens: count(row, 7, "tokens")?,
        layers: layers(row.try_get(8)?)?,
        thinned: row.try_get(9)?,
        lens: lens(row, 10)?,
        items,
    })
}

fn item_id(kind: &str, id: &str) -> DbResult<ItemId> {
    ItemId::read(kind, id).ok_or(DbError::Row { column: "item_id" })
}

fn item(row: &SqliteRow) -> DbResult<LedgerItem> {
    Ok(LedgerItem {
        layer: parsed(row.try_get(1)?, "layer")?,
        id: item_id(row.try_get(2)?, row.try_get(3)?)?,
        version: count(row, 4, "version")?,
        tokens: count(row, 5, "tokens")?,
        shortened: row.try_get(6)?,
        left_out: match row.try_get::<Option<&str>, _>(7)? {
            None => None,
            Some("budget") => Some(LeftOut::Budget),
            Some("limit") => Some(LeftOut::Limit),
            Some("refined") => Some(LeftOut::Refined),
            Some("repeats") => Some(LeftOut::Repeats(item_id(row.try_get(8)?, row.try_get(9)?)?)),
            Some(word) => Some(LeftOut::Withheld(parsed(word, "rule")?)),
        },
        score: row.try_get(10)?,
        framing: framing(row.try_get(11)?)?,
        parts: parts(row.try_get(12)?)?,
    })
}

pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl SqliteStore {
    async fn put_orientation(&self, orientation: &Orientation) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        if let Some(conversation) = orientation.conversation {
            self.standing(&mut tx, conversation).await?;
        }
        let (knower, moment, chapter) = columns(orientation.lens);
        sqlx::query(
            "INSERT INTO orientations (workspace_id, id, conversation_id, message_id, channel_id, at, budget, tokens, \
             layers, thinned, query, knower_id, as_of, as_of_chapter) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(orientation.id.to_string())
        .bind(orientation.conversation.map(|id| id.to_string()))
        .bind(orientation.message.map(|id| id.to_string()))
        .bind(orientation.channel.map(|id| id.to_string()))
        .bind(micros(orientation.at))
        .bind(number(orientation.budget))
        .bind(number(orientation.tokens))
        .bind(layers_json(&orientation.layers))
        .bind(orientation.thinned)
        .bind(&*orientation.query)
        .bind(knower)
        .bind(moment)
        .bind(chapter)
        .execute(&mut *tx)
        .await?;
        self.put_items(&mut tx, orientation).await?;
        Ok(tx.commit().await?)
    }

    async fn put_items(&self, conn: &mut SqliteConnection, orientation: &Orientation) -> DbResult<()> {
        let (workspace, id) = (self.workspace(), orientation.id.to_string());
        let numbered: Vec<(i64, &LedgerItem)> = (0..).zip(&orientation.items).collect();
        for chunk in numbered.chunks(ROWS_PER_INSERT) {
            let mut sql = Sql::new(INSERT_ITEMS);
            sql.push_values(chunk, |mut row, (ordinal, item)| {
                let repeats = match &item.left_out {
                    Some(LeftOut::Repeats(other)) => Some(*other),
                    Some(LeftOut::Budget | LeftOut::Limit | LeftOut::Refined | LeftOut::Withheld(_))
                    | None => None,
                };
                row.push_bind(workspace.clone())
                    .push_bind(id.clone())
                    .push_bind(*ordinal)
                    .push_bind(item.layer.as_str())
                    .push_bind(item.id.kind())
                    .push_bind(item.id.id())
                    .push_bind(number(item.version))
                    .push_bind(number(item.tokens))
                    .push_bind(item.left_out.is_none())
                    .push_bind(item.shortened)
                    .push_bind(item.left_out.as_ref().map(LeftOut::as_str))
                    .push_bind(repeats.map(|other| other.kind()))
                    .push_bind(repeats.map(|other| other.id()))
                    .push_bind(item.score)
                    .push_bind(framing_json(&item.framing))
                    .push_bind(parts_json(&item.parts));
            });
            sql.build().execute(&mut *conn).await?;
        }
        Ok(())
    }

    /// Reads orientations and their items in one transaction.
    async fn read_orientations(&self, mut sql: Sql) -> DbResult<Vec<Orientation>> {
        let mut tx = self.db.reader().begin().await?;
        let found = sql.build().fetch_all(&mut *tx).await?;
        let ids: Vec<String> = found.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
        let rows = sqlx::query(
            "SELECT orientation_id, layer, kind, item_id, version, tokens, shortened, rule, repeats_kind, repeats_id, \
             score, framing, parts FROM orientation_items \
             WHERE workspace_id = ? AND orientation_id IN (SELECT value FROM json_each(?)) \
             ORDER BY orientation_id, ordinal",
        )
        .bind(self.workspace())
        .bind(json_list(&ids))
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        let mut items = HashMap::<String, Vec<LedgerItem>>::new();
        for row in &rows {
            items.entry(row.try_get(0)?).or_default().push(item(row)?);
        }
        found
            .iter()
            .zip(ids)
            .map(|(row, id)| orientation(row, items.remove(&id).unwrap_or_default()))
            .collect()
    }

    async fn read_orientation(&self, id: OrientationId) -> DbResult<Option<Orientation>> {
        let mut sql = Sql::new(SELECT);
        sql.push("o.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND o.id = ").push_bind(id.to_string());
        Ok(self.read_orientations(sql).await?.pop())
    }

    async fn read_ledger(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> DbResult<Vec<Orientation>> {
        let mut sql = Sql::new(SELECT);
        sql.push("+o.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND o.conversation_id = ").push_bind(conversation.to_string());
        if let Some(after) = after {
            sql.push(" AND (o.at, o.id) < (").push_bind(micros(after.at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY o.at DESC, o.id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        self.read_orientations(sql).await
    }

    async fn thin_ledger(&self, thin_before: DateTime<Utc>, drop_before: DateTime<Utc>) -> DbResult<usize> {
        let mut tx = self.db.begin_immediate().await?;
        let dropped = sqlx::query("DELETE FROM orientations WHERE at < ?")
            .bind(micros(drop_before))
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "DELETE FROM orientation_items WHERE taken = 0 AND (workspace_id, orientation_id) IN \
             (SELECT workspace_id, id FROM orientations WHERE thinned = 0 AND at < ?)",
        )
        .bind(micros(thin_before))
        .execute(&mut *tx)
        .await?;
        let thinned = sqlx::query("UPDATE orientations SET thinned = 1 WHERE thinned = 0 AND at < ?")
            .bind(micros(thin_before))
            .execute(&mut *tx)
            .await?;
        let reads = self.thin_reads(&mut tx, drop_before).await?;
        tx.commit().await?;
        Ok(usize::try_from(dropped.rows_affected() + thinned.rows_affected() + reads).unwrap_or(usize::MAX))
    }
}

#[async_trait::async_trait]
impl LedgerStore for SqliteStore {
    async fn put(&self, orientation: &Orientation) -> Result<(), StoreError> {
        self.public(self.put_orientation(orientation).await)
    }

    async fn get(&self, id: OrientationId) -> Result<Option<Orientation>, StoreError> {
        self.public(self.read_orientation(id).await)
    }

    async fn list(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> Result<Vec<Orientation>, StoreError> {
        self.public(self.read_ledger(conversation, after, limit).await)
    }

    async fn put_read(&self, read: &ShownRead) -> Result<(), StoreError> {
        self.public(self.insert_read(read).await)
    }

    async fn reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> Result<Vec<ShownRead>, StoreError> {
        self.public(self.find_reads(filter, after, limit).await)
    }

    async fn thin(
        &self,
        thin_before: DateTime<Utc>,
        drop_before: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        self.public(self.thin_ledger(thin_before, drop_before).await)
    }
}
