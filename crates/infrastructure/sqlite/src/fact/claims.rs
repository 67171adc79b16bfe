//! Claims of agents against facts, which the author settles.

use chrono::{DateTime, Utc};
use inklings_domain::{
    fact::{Claim, Fact},
    ids::{ClaimId, FactId},
};
use inklings_ports::{fact::Settlement, store_error::StoreError};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::maybe;
use crate::{
    checksum::{self, tables::FACT_CLAIMS},
    error::DbResult,
    rows::{micros, moment, parsed},
    store::SqliteStore,
};

/// A claim of a row.
pub(super) fn claim(row: &SqliteRow) -> DbResult<Claim> {
    Ok(Claim {
        id: parsed(row.try_get("id")?, "id")?,
        fact: parsed(row.try_get("fact_id")?, "fact_id")?,
        value: row.try_get("value")?,
        conversation: maybe(row, "conversation_id")?,
        at: moment(row.try_get("at")?, "at")?,
    })
}

impl SqliteStore {
    /// Accepts the open claim of the value that a fact has now.
    pub(super) async fn accept_claim_of_value(
        &self,
        conn: &mut SqliteConnection,
        fact: &Fact,
    ) -> DbResult<()> {
        let claim: Option<String> = sqlx::query_scalar(
            "SELECT id FROM fact_claims \
             WHERE workspace_id = ? AND fact_id = ? AND state = 'open' AND value = ?",
        )
        .bind(self.workspace())
        .bind(fact.id.to_string())
        .bind(&*fact.value)
        .fetch_optional(&mut *conn)
        .await?;
        match claim {
            None => Ok(()),
            Some(id) => {
                let claim = (parsed(&id, "id")?, Some(fact.id));
                self.settle(conn, claim, Settlement::Accepted, fact.updated_at).await
            }
        }
    }

    /// Settles an open claim; if `fact` is given, only a claim against that fact.
    pub(crate) async fn settle(
        &self,
        conn: &mut SqliteConnection,
        (id, fact): (ClaimId, Option<FactId>),
        settlement: Settlement,
        at: DateTime<Utc>,
    ) -> DbResult<()> {
        let state = match settlement {
            Settlement::Accepted => "accepted",
            Settlement::Rejected => "rejected",
        };
        let settled = sqlx::query(
            "UPDATE fact_claims SET state = ?1, settled_at = ?2 \
             WHERE workspace_id = ?3 AND id = ?4 AND state = 'open' AND (?5 IS NULL OR fact_id = ?5)",
        )
        .bind(state)
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(fact.map(|id| id.to_string()))
        .execute(conn)
        .await?;
        if settled.rows_affected() == 0 { Err(StoreError::Moved("claim").into()) } else { Ok(()) }
    }

    pub(super) async fn write_claim(&self, claim: &Claim) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.insert_claim(&mut tx, claim).await?;
        Ok(tx.commit().await?)
    }

    /// Stores a claim within a transaction of the caller. False if an equal claim is open already.
    pub(crate) async fn insert_claim(&self, conn: &mut SqliteConnection, claim: &Claim) -> DbResult<bool> {
        let known: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM facts WHERE workspace_id = ? AND id = ?)")
                .bind(self.workspace())
                .bind(claim.fact.to_string())
                .fetch_one(&mut *conn)
                .await?;
        if !known {
            return Err(StoreError::NotFound("fact").into());
        }
        let updated = sqlx::query(
            "INSERT INTO fact_claims (workspace_id, id, fact_id, conversation_id, at, value) \
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, fact_id, value) WHERE state = 'open' DO NOTHING",
        )
        .bind(self.workspace())
        .bind(claim.id.to_string())
        .bind(claim.fact.to_string())
        .bind(claim.conversation.map(|id| id.to_string()))
        .bind(micros(claim.at))
        .bind(&*claim.value)
        .execute(&mut *conn)
        .await?;
        let row = [&*self.workspace(), &claim.id.to_string()];
        checksum::seal_rows(conn, &FACT_CLAIMS, "id = ?2 AND checksum IS NULL", &row).await?;
        Ok(updated.rows_affected() > 0)
    }

    pub(super) async fn read_claim(&self, id: ClaimId) -> DbResult<Option<(Claim, Fact)>> {
        let row = sqlx::query(
            "SELECT id, fact_id, value, conversation_id, at FROM fact_claims \
             WHERE workspace_id = ? AND id = ? AND state = 'open'",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        let Some(claim) = row.as_ref().map(claim).transpose()? else { return Ok(None) };
        let fact = self.read_facts_by_ids(&[claim.fact]).await?.pop();
        Ok(fact.map(|found| (claim, found.fact)))
    }

    pub(super) async fn write_rejection(&self, id: ClaimId, at: DateTime<Utc>) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.settle(&mut tx, (id, None), Settlement::Rejected, at).await?;
        Ok(tx.commit().await?)
    }
}
