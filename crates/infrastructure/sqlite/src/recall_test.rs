//! Recall tests of the author.

use inklings_domain::{
    ids::{RecallTestId, RunId},
    orientation::{ItemId, Rule},
    recall_test::{Cause, Expectation, Failure, Must, RecallRun, RecallTest, RecallTestDraft, Turned},
};
use inklings_ports::{recall_test::RecallTestStore, store_error::StoreError};
use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    lens::{columns, lens},
    orientation::ledger::number,
    rows::{maybe, micros, moment, parsed},
    store::SqliteStore,
};

#[derive(Serialize, Deserialize)]
struct StoredExpectation {
    kind: String,
    id: String,
    must: String,
}

#[derive(Serialize, Deserialize)]
struct StoredFailure {
    #[serde(flatten)]
    expectation: StoredExpectation,
    rule: String,
    rank: Option<u64>,
    of: Option<u64>,
}

fn stored_expectation(expectation: &Expectation) -> StoredExpectation {
    StoredExpectation {
        kind: expectation.item.kind().to_owned(),
        id: expectation.item.id(),
        must: expectation.must.to_string(),
    }
}

fn expectation(stored: &StoredExpectation, column: &'static str) -> DbResult<Expectation> {
    Ok(Expectation {
        item: ItemId::read(&stored.kind, &stored.id).ok_or(DbError::Row { column })?,
        must: parsed::<Must>(&stored.must, column)?,
    })
}

fn expects_json(draft: &RecallTestDraft) -> String {
    serde_json::json!(draft.expects().iter().map(stored_expectation).collect::<Vec<_>>()).to_string()
}

fn expects(json: &str) -> DbResult<Vec<Expectation>> {
    let column = "expects";
    let stored: Vec<StoredExpectation> = serde_json::from_str(json).map_err(|_| DbError::Row { column })?;
    stored.iter().map(|stored| expectation(stored, column)).collect()
}

fn failures_json(failures: &[Failure]) -> String {
    let of = |failure: &Failure| StoredFailure {
        expectation: stored_expectation(&failure.expectation),
        rule: failure.rule.to_string(),
        rank: failure.rank.map(|(rank, _)| rank),
        of: failure.rank.and_then(|(_, of)| of),
    };
    serde_json::json!(failures.iter().map(of).collect::<Vec<_>>()).to_string()
}

fn failures(json: &str) -> DbResult<Vec<Failure>> {
    let column = "failures";
    let stored: Vec<StoredFailure> = serde_json::from_str(json).map_err(|_| DbError::Row { column })?;
    let failure = |stored: StoredFailure| {
        Ok(Failure {
            expectation: expectation(&stored.expectation, column)?,
            rule: parsed::<Rule>(&stored.rule, column)?,
            rank: stored.rank.map(|rank| (rank, stored.of)),
        })
    };
    stored.into_iter().map(failure).collect()
}

fn turned(row: &SqliteRow) -> DbResult<Option<Turned>> {
    let column = "turned_by";
    let Some(at) = row.try_get::<Option<i64>, _>(12)? else { return Ok(None) };
    let word: &str = row.try_get(13)?;
    let by = Cause::read(word, maybe::<RunId>(row, 14, "turned_run")?).ok_or(DbError::Row { column })?;
    Ok(Some(Turned { at: moment(at, "turned_at")?, by }))
}

fn last(row: &SqliteRow) -> DbResult<Option<RecallRun>> {
    let Some(at) = row.try_get::<Option<i64>, _>(9)? else { return Ok(None) };
    Ok(Some(RecallRun {
        at: moment(at, "run_at")?,
        model: row.try_get(10)?,
        failures: failures(row.try_get(11)?)?,
        turned: turned(row)?,
    }))
}

fn test(row: &SqliteRow) -> DbResult<RecallTest> {
    let budget = row.try_get::<Option<i64>, _>(6)?;
    let budget = budget.map(|budget| u64::try_from(budget).map_err(|_| DbError::Row { column: "budget" }));
    let about = (lens(row, 3)?, maybe(row, 2, "channel_id")?, budget.transpose()?);
    let draft = RecallTestDraft::new(row.try_get(1)?, expects(row.try_get(7)?)?, about);
    Ok(RecallTest {
        id: parsed(row.try_get(0)?, "id")?,
        draft: draft.map_err(|_| DbError::Row { column: "question" })?,
        created_at: moment(row.try_get(8)?, "created_at")?,
        last: last(row)?,
    })
}

impl SqliteStore {
    async fn put_recall_test(&self, test: &RecallTest) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let draft = &test.draft;
        let (knower, at, chapter) = columns(draft.lens);
        sqlx::query(
            "INSERT INTO recall_tests (workspace_id, id, question, channel_id, knower_id, as_of, as_of_chapter, budget, \
             expects, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )
        .bind(self.workspace())
        .bind(test.id.to_string())
        .bind(draft.question())
        .bind(draft.channel.map(|id| id.to_string()))
        .bind(knower)
        .bind(at)
        .bind(chapter)
        .bind(draft.budget().map(number))
        .bind(expects_json(draft))
        .bind(micros(test.created_at))
        .execute(&mut *tx)
        .await?;
        self.put_recall_run(&mut tx, test).await?;
        Ok(tx.commit().await?)
    }

    async fn put_recall_runs(&self, tests: &[RecallTest]) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        for test in tests {
            self.put_recall_run(&mut tx, test).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn put_recall_run(&self, conn: &mut SqliteConnection, test: &RecallTest) -> DbResult<()> {
        let Some(run) = &test.last else { return Ok(()) };
        sqlx::query(
            "UPDATE recall_tests SET run_at = ?3, model = ?4, failures = ?5, turned_at = ?6, turned_by = ?7, \
             turned_run = ?8 WHERE workspace_id = ?1 AND id = ?2",
        )
        .bind(self.workspace())
        .bind(test.id.to_string())
        .bind(micros(run.at))
        .bind(run.model.as_deref())
        .bind(failures_json(&run.failures))
        .bind(run.turned.map(|turned| micros(turned.at)))
        .bind(run.turned.map(|turned| turned.by.as_str()))
        .bind(run.turned.and_then(|turned| turned.by.run()).map(|run| run.to_string()))
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn read_recall_tests(&self) -> DbResult<Vec<RecallTest>> {
        let rows = sqlx::query(
            "SELECT id, question, channel_id, knower_id, as_of, as_of_chapter, budget, expects, created_at, run_at, model, \
             failures, turned_at, turned_by, turned_run FROM recall_tests WHERE workspace_id = ? \
             ORDER BY created_at, id",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(test).collect()
    }

    async fn remove_recall_test(&self, id: RecallTestId) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let removed = sqlx::query("DELETE FROM recall_tests WHERE workspace_id = ? AND id = ?")
            .bind(self.workspace())
            .bind(id.to_string())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(removed.rows_affected() > 0)
    }
}

#[async_trait::async_trait]
impl RecallTestStore for SqliteStore {
    async fn put(&self, test: &RecallTest) -> Result<(), StoreError> {
        self.public(self.put_recall_test(test).await)
    }

    async fn put_runs(&self, tests: &[RecallTest]) -> Result<(), StoreError> {
        self.public(self.put_recall_runs(tests).await)
    }

    async fn list(&self) -> Result<Vec<RecallTest>, StoreError> {
        self.public(self.read_recall_tests().await)
    }

    async fn remove(&self, id: RecallTestId) -> Result<bool, StoreError> {
        self.public(self.remove_recall_test(id).await)
    }
}
