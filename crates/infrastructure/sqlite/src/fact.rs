//! Facts, their earlier values, and claims against them. The triggers keep the earlier values, prevent agents from
//! overwriting the author's values and from saying who knows of a fact, and see that no two facts of a key hold at one time.

mod claims;

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, FactId},
    memory::link::Link,
    text::fold,
};
use inklings_ports::{
    fact::{FactAt, FactCursor, FactQuery, FactStore, FactWithClaims, Settlement},
    store_error::StoreError,
    transfer::links,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use self::claims::claim;
use crate::{
    checksum::{
        self,
        tables::{FACT_VALUES, FACTS},
    },
    error::{DbError, DbResult},
    memory::{
        filter_sql::Sql,
        lens_sql::{push_lens_of_facts, push_within},
    },
    rows::{entry_row::story_span, json_list, micros, moment, parsed},
    store::SqliteStore,
};

macro_rules! fact_columns {
    () => {
        "f.id, f.category, f.key, f.value, f.source, f.conversation_id, f.created_at, f.updated_at, f.version, \
         f.removed_at, f.holds_from, f.holds_until, f.known_by"
    };
}

fn maybe<T: std::str::FromStr>(row: &SqliteRow, column: &'static str) -> DbResult<Option<T>> {
    row.try_get::<Option<&str>, _>(column)?.map(|text| parsed(text, column)).transpose()
}

fn maybe_moment(row: &SqliteRow, column: &'static str) -> DbResult<Option<DateTime<Utc>>> {
    row.try_get::<Option<i64>, _>(column)?.map(|at| moment(at, column)).transpose()
}

fn number(row: &SqliteRow, column: &'static str) -> DbResult<u64> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(|_| DbError::Row { column })
}

fn key(row: &SqliteRow) -> DbResult<FactKey> {
    FactKey::new(row.try_get("category")?, row.try_get("key")?).map_err(|_| DbError::Row { column: "key" })
}

fn span(row: &SqliteRow) -> DbResult<Span> {
    story_span(row.try_get("holds_from")?, row.try_get("holds_until")?)
}

/// The values of the columns `holds_from` and `holds_until`.
fn ends(span: Span) -> [Option<i64>; 2] {
    [span.from(), span.until()].map(|end| end.map(Moment::value))
}

fn known_by(row: &SqliteRow) -> DbResult<Vec<Link>> {
    let Some(json) = row.try_get::<Option<&str>, _>("known_by")? else { return Ok(Vec::new()) };
    let value = serde_json::from_str(json).ok();
    value.as_ref().and_then(links::knowers_of).ok_or(DbError::Row { column: "known_by" })
}

/// The value of the column `known_by`.
fn knowers(links: &[Link]) -> Option<String> {
    (!links.is_empty()).then(|| links::links_value(links).to_string())
}

fn fact(row: &SqliteRow) -> DbResult<Fact> {
    Ok(Fact {
        id: parsed(row.try_get("id")?, "id")?,
        key: key(row)?,
        value: row.try_get("value")?,
        span: span(row)?,
        known_by: known_by(row)?,
        source: parsed(row.try_get("source")?, "source")?,
        conversation: maybe(row, "conversation_id")?,
        created_at: moment(row.try_get("created_at")?, "created_at")?,
        updated_at: moment(row.try_get("updated_at")?, "updated_at")?,
        version: number(row, "version")?,
        removed_at: maybe_moment(row, "removed_at")?,
    })
}

/// The columns that [`value`] reads, of earlier values and of the current one.
macro_rules! values_of_facts {
    () => {
        "(SELECT workspace_id, id AS fact_id, version, source, conversation_id, updated_at AS from_at, \
                 NULL AS until_at, removed_at IS NOT NULL AS removed, holds_from, holds_until, known_by, value FROM facts \
          UNION ALL \
          SELECT workspace_id, fact_id, version, source, conversation_id, from_at, until_at, removed, holds_from, \
                 holds_until, known_by, value FROM fact_values)"
    };
}

fn value(row: &SqliteRow) -> DbResult<FactValue> {
    Ok(FactValue {
        version: number(row, "version")?,
        value: row.try_get("value")?,
        span: span(row)?,
        known_by: known_by(row)?,
        source: parsed(row.try_get("source")?, "source")?,
        conversation: maybe(row, "conversation_id")?,
        from: moment(row.try_get("from_at")?, "from_at")?,
        until: maybe_moment(row, "until_at")?,
        removed: row.try_get("removed")?,
    })
}

/// Sets the checksum of a fact that was just written.
async fn seal_fact(conn: &mut SqliteConnection, workspace: &str, id: &str) -> DbResult<()> {
    checksum::seal_rows(conn, &FACTS, "id = ?2", &[workspace, id]).await
}

/// True if the present value of a fact has its checksum.
pub async fn is_fact_intact(conn: &mut SqliteConnection, workspace: &str, id: &str) -> DbResult<bool> {
    checksum::are_intact(conn, &FACTS, "id = ?2", &[workspace, id]).await
}

/// Sets the checksums of a fact with a new value and of the value that the trigger kept. A value that was damaged
/// before (`intact` is false) gets none: it stays known as damaged.
pub async fn seal_new_value(
    conn: &mut SqliteConnection,
    workspace: &str,
    id: &str,
    intact: bool,
) -> DbResult<()> {
    seal_fact(conn, workspace, id).await?;
    if !intact {
        return Ok(());
    }
    let last = "fact_id = ?2 AND version = \
                (SELECT f.version - 1 FROM facts AS f WHERE f.workspace_id = ?1 AND f.id = ?2)";
    checksum::seal_rows(conn, &FACT_VALUES, last, &[workspace, id]).await
}

/// The rows of all facts of a key, for [`fact`].
async fn rows_of_key(
    conn: &mut SqliteConnection,
    workspace: &str,
    key: &FactKey,
) -> DbResult<Vec<SqliteRow>> {
    let (category, key) = key.folded();
    let rows = sqlx::query(concat!(
        "SELECT ",
        fact_columns!(),
        " FROM facts AS f WHERE f.workspace_id = ? AND f.category_folded = ? AND f.key_folded = ? \
         ORDER BY f.holds_from, f.id"
    ))
    .bind(workspace.to_owned())
    .bind(category)
    .bind(key)
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// All facts of a key, also the removed ones.
pub async fn of_key_within(
    conn: &mut SqliteConnection,
    workspace: &str,
    key: &FactKey,
) -> DbResult<Vec<Fact>> {
    rows_of_key(conn, workspace, key).await?.iter().map(fact).collect()
}

/// The facts with these ids, given as a JSON list, by id.
pub async fn facts_within(conn: &mut SqliteConnection, workspace: &str, ids: &str) -> DbResult<Vec<Fact>> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        fact_columns!(),
        " FROM facts AS f WHERE f.workspace_id = ? AND f.id IN (SELECT value FROM json_each(?)) ORDER BY f.id"
    ))
    .bind(workspace.to_owned())
    .bind(ids.to_owned())
    .fetch_all(conn)
    .await?;
    rows.iter().map(fact).collect()
}

/// The current value of a fact and the earlier ones, newest first.
pub async fn history_within(
    conn: &mut SqliteConnection,
    workspace: &str,
    id: &str,
) -> DbResult<Vec<FactValue>> {
    let rows = sqlx::query(concat!(
        "SELECT v.* FROM ",
        values_of_facts!(),
        " AS v WHERE v.workspace_id = ? AND v.fact_id = ? ORDER BY v.version DESC"
    ))
    .bind(workspace.to_owned())
    .bind(id.to_owned())
    .fetch_all(conn)
    .await?;
    rows.iter().map(value).collect()
}

/// Writes the next version of a fact. False if it has another version by now.
pub async fn write_next(
    conn: &mut SqliteConnection,
    workspace: &str,
    fact: &Fact,
    written_by: FactSource,
) -> DbResult<bool> {
    let id = fact.id.to_string();
    let intact = is_fact_intact(conn, workspace, &id).await?;
    let [from, until] = ends(fact.span);
    let updated = sqlx::query(
        "UPDATE facts SET source = ?, written_by = ?, version = ?, conversation_id = ?, updated_at = ?, \
         removed_at = ?, holds_from = ?, holds_until = ?, known_by = ?, value = ?, checksum = NULL \
         WHERE workspace_id = ? AND id = ? AND version = ?",
    )
    .bind(fact.source.as_str())
    .bind(written_by.as_str())
    .bind(fact.version as i64)
    .bind(fact.conversation.map(|id| id.to_string()))
    .bind(micros(fact.updated_at))
    .bind(fact.removed_at.map(micros))
    .bind(from)
    .bind(until)
    .bind(knowers(&fact.known_by))
    .bind(&*fact.value)
    .bind(workspace.to_owned())
    .bind(id.clone())
    .bind(fact.version as i64 - 1)
    .execute(&mut *conn)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(false);
    }
    seal_new_value(conn, workspace, &id, intact).await?;
    Ok(true)
}

/// Limits a list of facts to those behind a cursor. `of` has the start of each in the story.
fn push_after(sql: &mut Sql, after: Option<&FactCursor>, of: &'static str) {
    let Some(after) = after else { return };
    let (category, key) = after.key.folded();
    // The index finds the key; NULL is before every start.
    sql.push(" AND (f.category_folded, f.key_folded) >= (").push_bind(category.clone());
    sql.push(", ").push_bind(key.clone());
    sql.push(") AND ((f.category_folded, f.key_folded) > (").push_bind(category);
    sql.push(", ").push_bind(key);
    sql.push(") OR (coalesce(").push(of).push(".holds_from, -9223372036854775808), f.id) > (");
    sql.push_bind(after.from.map_or(i64::MIN, Moment::value));
    sql.push(", ").push_bind(after.id.to_string()).push("))");
}

impl SqliteStore {
    async fn with_claims(&self, rows: &[SqliteRow]) -> DbResult<Vec<FactWithClaims>> {
        let facts = rows.iter().map(fact).collect::<DbResult<Vec<Fact>>>()?;
        let ids: Vec<FactId> = facts.iter().map(|fact| fact.id).collect();
        let found = sqlx::query(
            "SELECT id, fact_id, value, conversation_id, at FROM fact_claims \
             WHERE workspace_id = ? AND state = 'open' AND fact_id IN (SELECT value FROM json_each(?)) \
             ORDER BY at, id",
        )
        .bind(self.workspace())
        .bind(json_list(&ids))
        .fetch_all(&self.db.reader())
        .await?;
        let mut claims: HashMap<FactId, Vec<Claim>> = HashMap::new();
        for row in &found {
            let claim = claim(row)?;
            claims.entry(claim.fact).or_default().push(claim);
        }
        let with = |fact: Fact| FactWithClaims { claims: claims.remove(&fact.id).unwrap_or_default(), fact };
        Ok(facts.into_iter().map(with).collect())
    }

    async fn read_facts_of_key(&self, key: &FactKey) -> DbResult<Vec<FactWithClaims>> {
        let mut conn = self.db.reader().acquire().await?;
        let rows = rows_of_key(&mut conn, &self.workspace(), key).await?;
        drop(conn);
        self.with_claims(&rows).await
    }

    async fn read_facts_by_ids(&self, ids: &[FactId]) -> DbResult<Vec<FactWithClaims>> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            fact_columns!(),
            " FROM facts AS f WHERE f.workspace_id = ? AND f.id IN (SELECT value FROM json_each(?))"
        ))
        .bind(self.workspace())
        .bind(json_list(ids))
        .fetch_all(&self.db.reader())
        .await?;
        self.with_claims(&rows).await
    }

    async fn read_facts(
        &self,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> DbResult<Vec<FactWithClaims>> {
        let mut sql =
            Sql::new(concat!("SELECT ", fact_columns!(), " FROM facts AS f WHERE f.workspace_id = "));
        sql.push_bind(self.workspace()).push(" AND f.removed_at IS NULL");
        if let Some(category) = query.category {
            sql.push(" AND f.category_folded = ").push_bind(fold(category));
        }
        if query.claimed {
            sql.push(" AND EXISTS (SELECT 1 FROM fact_claims AS c WHERE c.workspace_id = f.workspace_id ");
            sql.push("AND c.fact_id = f.id AND c.state = 'open')");
        }
        push_within(&mut sql, "f", query.within);
        push_lens_of_facts(&mut sql, query.lens, "f");
        push_after(&mut sql, after, "f");
        sql.push(" ORDER BY f.category_folded, f.key_folded, f.holds_from, f.id LIMIT ");
        sql.push_bind(i64::try_from(query.limit).unwrap_or(i64::MAX));
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        self.with_claims(&rows).await
    }

    async fn read_facts_as_of(
        &self,
        at: DateTime<Utc>,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> DbResult<Vec<FactAt>> {
        let mut sql = Sql::new(concat!(
            "SELECT f.id, f.category, f.key, v.* FROM facts AS f CROSS JOIN ",
            values_of_facts!(),
            " AS v ON v.workspace_id = f.workspace_id AND v.fact_id = f.id WHERE NOT v.removed AND f.workspace_id = "
        ));
        sql.push_bind(self.workspace());
        if let Some(category) = query.category {
            sql.push(" AND f.category_folded = ").push_bind(fold(category));
        }
        sql.push(" AND v.from_at <= ").push_bind(micros(at));
        sql.push(" AND (v.until_at IS NULL OR v.until_at > ").push_bind(micros(at)).push(")");
        push_within(&mut sql, "v", query.within);
        push_lens_of_facts(&mut sql, query.lens, "v");
        push_after(&mut sql, after, "v");
        sql.push(" ORDER BY f.category_folded, f.key_folded, v.holds_from, f.id LIMIT ");
        sql.push_bind(i64::try_from(query.limit).unwrap_or(i64::MAX));
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter()
            .map(|row| {
                Ok(FactAt { id: parsed(row.try_get("id")?, "id")?, key: key(row)?, value: value(row)? })
            })
            .collect()
    }

    async fn read_fact_history(&self, id: FactId) -> DbResult<Vec<FactValue>> {
        let mut conn = self.db.reader().acquire().await?;
        history_within(&mut conn, &self.workspace(), &id.to_string()).await
    }

    async fn write_fact(
        &self,
        fact: &Fact,
        written_by: FactSource,
        settles: Option<ClaimId>,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        // Before the value, which settles every claim of it.
        if let Some(id) = settles {
            self.settle(&mut tx, (id, Some(fact.id)), Settlement::Accepted, fact.updated_at).await?;
        }
        self.put_fact_within(&mut tx, fact, written_by).await?;
        Ok(tx.commit().await?)
    }

    /// Writes a fact's next value within a transaction of the caller. Whoever sets the value that an agent claims has accepted
    /// the claim.
    pub(crate) async fn put_fact_within(
        &self,
        conn: &mut SqliteConnection,
        fact: &Fact,
        written_by: FactSource,
    ) -> DbResult<()> {
        if fact.version == 1 {
            self.insert_fact(conn, fact, written_by).await
        } else {
            self.update_fact(conn, fact, written_by).await?;
            self.accept_claim_of_value(conn, fact).await
        }
    }

    async fn insert_fact(
        &self,
        conn: &mut SqliteConnection,
        fact: &Fact,
        written_by: FactSource,
    ) -> DbResult<()> {
        let ((category, key), [from, until]) = (fact.key.folded(), ends(fact.span));
        let inserted = sqlx::query(
            "INSERT INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, \
             written_by, version, conversation_id, created_at, updated_at, removed_at, holds_from, holds_until, \
             known_by, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(fact.id.to_string())
        .bind(fact.key.category())
        .bind(category)
        .bind(fact.key.key())
        .bind(key)
        .bind(fact.source.as_str())
        .bind(written_by.as_str())
        .bind(fact.version as i64)
        .bind(fact.conversation.map(|id| id.to_string()))
        .bind(micros(fact.created_at))
        .bind(micros(fact.updated_at))
        .bind(fact.removed_at.map(micros))
        .bind(from)
        .bind(until)
        .bind(knowers(&fact.known_by))
        .bind(&*fact.value)
        .execute(&mut *conn)
        .await;
        match inserted.map_err(|error| self.db.fail(error)) {
            Ok(_) => seal_fact(conn, &self.workspace(), &fact.id.to_string()).await,
            // Another writer created the fact, or one of its time, first.
            Err(StoreError::AlreadyExists(_)) => Err(StoreError::Moved("fact").into()),
            Err(other) => Err(other.into()),
        }
    }

    async fn update_fact(
        &self,
        conn: &mut SqliteConnection,
        fact: &Fact,
        written_by: FactSource,
    ) -> DbResult<()> {
        let updated = write_next(conn, &self.workspace(), fact, written_by).await;
        match updated.map_err(|error| self.db.fail(error)) {
            Ok(true) => Ok(()),
            // Another writer changed the fact, or took its time, first.
            Ok(false) | Err(StoreError::AlreadyExists(_)) => Err(StoreError::Moved("fact").into()),
            Err(other) => Err(other.into()),
        }
    }
}

#[async_trait::async_trait]
impl FactStore for SqliteStore {
    async fn facts_of_key(&self, key: &FactKey) -> Result<Vec<FactWithClaims>, StoreError> {
        self.public(self.read_facts_of_key(key).await)
    }

    async fn fact_by_id(&self, id: FactId) -> Result<Option<FactWithClaims>, StoreError> {
        Ok(self.facts_by_ids(&[id]).await?.pop())
    }

    async fn facts_by_ids(&self, ids: &[FactId]) -> Result<Vec<FactWithClaims>, StoreError> {
        self.public(self.read_facts_by_ids(ids).await)
    }

    async fn facts(
        &self,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> Result<Vec<FactWithClaims>, StoreError> {
        self.public(self.read_facts(query, after).await)
    }

    async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> Result<Vec<FactAt>, StoreError> {
        self.public(self.read_facts_as_of(at, query, after).await)
    }

    async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, StoreError> {
        self.public(self.read_fact_history(id).await)
    }

    async fn put_fact(
        &self,
        fact: &Fact,
        written_by: FactSource,
        settles: Option<ClaimId>,
    ) -> Result<(), StoreError> {
        self.public(self.write_fact(fact, written_by, settles).await)
    }

    async fn add_claim(&self, claim: &Claim) -> Result<(), StoreError> {
        self.public(self.write_claim(claim).await)
    }

    async fn claim(&self, id: ClaimId) -> Result<Option<(Claim, Fact)>, StoreError> {
        self.public(self.read_claim(id).await)
    }

    async fn reject_claim(&self, id: ClaimId, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.public(self.write_rejection(id, at).await)
    }
}
