//! Proposals: changes that an agent or a task suggests but may not make itself.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{MemoryId, ProposalId},
    memory::{
        Importance,
        change_set::{Action, ChangeSet},
        switch::MemorySwitch,
    },
    proposal::{NewEntry, Proposal, ProposalState, Subject},
    provenance::{Actor, ActorKind},
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    proposal::{ProposalCursor, ProposalStore},
    rule::Rule,
    store_error::StoreError,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    rows::entry_row::{derivations, derivations_json},
};
use crate::{
    rows::{json_list, maybe, maybe_moment, micros, moment, parsed},
    store::SqliteStore,
};

const SELECT: &str = "SELECT p.id, p.kind, p.state, p.reason, p.hand, p.door, p.run_id, p.conversation_id, \
    p.created_at, p.decided_at, p.change_id, p.content, p.makes, p.scope, p.lifetime, p.source, p.importance, p.tags, \
    (SELECT json_group_array(json_array(s.memory_id, s.version)) FROM proposal_subjects AS s \
     WHERE s.workspace_id = p.workspace_id AND s.proposal_id = p.id), p.title, p.keys, p.derivations \
    FROM proposals AS p WHERE ";

fn proposal(row: &SqliteRow) -> DbResult<Proposal> {
    let (actor_kind, interface) = (parsed(row.try_get(4)?, "hand")?, parsed(row.try_get(5)?, "door")?);
    let actor = Actor::new(actor_kind, interface, maybe(row, 6, "run_id")?)
        .map_err(|_| DbError::Row { column: "hand" })?;
    Ok(Proposal {
        id: parsed(row.try_get(0)?, "id")?,
        kind: parsed(row.try_get(1)?, "kind")?,
        state: parsed(row.try_get(2)?, "state")?,
        reason: row.try_get(3)?,
        actor,
        conversation: maybe(row, 7, "conversation_id")?,
        created_at: moment(row.try_get(8)?, "created_at")?,
        decided_at: maybe_moment(row, 9, "decided_at")?,
        change: maybe(row, 10, "change_id")?,
        content: row.try_get(11)?,
        makes: new_entry(row)?,
        subjects: subjects(row.try_get(18)?)?,
        derivations: derivations(row.try_get(21)?)?,
    })
}

/// The entry that a proposal would create.
fn new_entry(row: &SqliteRow) -> DbResult<Option<NewEntry>> {
    let Some(id) = maybe(row, 12, "makes")? else { return Ok(None) };
    let place = match parsed(row.try_get(13)?, "scope")? {
        MemoryScope::Account => Place::Account,
        _ => Place::Workspace,
    };
    let importance = Importance::new(row.try_get(16)?).map_err(|_| DbError::Row { column: "importance" })?;
    let keys: Option<&str> = row.try_get(20)?;
    let keys = keys.map(serde_json::from_str).transpose().map_err(|_| DbError::Row { column: "keys" })?;
    Ok(Some(NewEntry {
        id,
        title: row.try_get(19)?,
        keys: keys.unwrap_or_default(),
        place,
        lifetime: parsed(row.try_get(14)?, "lifetime")?,
        source: row.try_get(15)?,
        importance,
        tags: serde_json::from_str(row.try_get(17)?).map_err(|_| DbError::Row { column: "tags" })?,
    }))
}

/// Parses entries with their versions, by id.
fn subjects(json_rows: &str) -> DbResult<Vec<Subject>> {
    let rows: Vec<(String, u64)> =
        serde_json::from_str(json_rows).map_err(|_| DbError::Row { column: "memory_id" })?;
    let subject =
        |(id, version): &(String, u64)| Ok(Subject { id: parsed(id, "memory_id")?, version: *version });
    let mut subjects: Vec<Subject> = rows.iter().map(subject).collect::<DbResult<_>>()?;
    subjects.sort_unstable();
    Ok(subjects)
}

impl SqliteStore {
    async fn file_proposal(&self, proposal: &Proposal, switch: MemorySwitch) -> DbResult<bool> {
        if !switch.admits(proposal.actor.kind()) {
            return Err(StoreError::MemoryOff.into());
        }
        let mut tx = self.db.begin_immediate().await?;
        self.declare_switch(&mut tx, switch).await?;
        let known: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM proposals WHERE workspace_id = ? AND fingerprint = ?)",
        )
        .bind(self.workspace())
        .bind(proposal.fingerprint())
        .fetch_one(&mut *tx)
        .await?;
        if known {
            return Ok(false);
        }
        self.refuse_unknown(&mut tx, &proposal.subjects).await?;
        self.insert_proposal(&mut tx, proposal).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn refuse_unknown(&self, conn: &mut SqliteConnection, subjects: &[Subject]) -> DbResult<()> {
        let ids: Vec<MemoryId> = subjects.iter().map(|subject| subject.id).collect();
        let known: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM memories \
             WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?))",
        )
        .bind(self.workspace())
        .bind(json_list(&ids))
        .fetch_one(conn)
        .await?;
        if known == ids.len() as i64 { Ok(()) } else { Err(StoreError::NotFound("memory").into()) }
    }

    async fn insert_proposal(&self, conn: &mut SqliteConnection, proposal: &Proposal) -> DbResult<()> {
        let makes = proposal.makes.as_ref();
        if makes.is_some_and(|makes| (makes.place == Place::Account) != self.is_account()) {
            return Err(StoreError::Refused("this tier lives in another database".into()).into());
        }
        sqlx::query(
            "INSERT INTO proposals (workspace_id, id, kind, state, reason, fingerprint, hand, door, run_id, \
             conversation_id, created_at, decided_at, change_id, content, \
             makes, scope, lifetime, source, importance, tags, title, keys, derivations) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(proposal.id.to_string())
        .bind(proposal.kind.as_str())
        .bind(proposal.state.as_str())
        .bind(&*proposal.reason)
        .bind(proposal.fingerprint())
        .bind(proposal.actor.kind().as_str())
        .bind(proposal.actor.interface().as_str())
        .bind(proposal.actor.run().map(|run| run.to_string()))
        .bind(proposal.conversation.map(|id| id.to_string()))
        .bind(micros(proposal.created_at))
        .bind(proposal.decided_at.map(micros))
        .bind(proposal.change.map(|id| id.to_string()))
        .bind(proposal.content.as_deref())
        .bind(makes.map(|makes| makes.id.to_string()))
        .bind(makes.map(|makes| makes.place.scope().as_str()))
        .bind(makes.map(|makes| makes.lifetime.as_str()))
        .bind(makes.map(|makes| &*makes.source))
        .bind(makes.map(|makes| makes.importance.get()))
        .bind(makes.map(|makes| json_list(&makes.tags)))
        .bind(makes.and_then(|makes| makes.title.as_deref()))
        .bind(makes.filter(|makes| !makes.keys.is_empty()).map(|makes| json_list(&makes.keys)))
        .bind(derivations_json(&proposal.derivations))
        .execute(&mut *conn)
        .await?;
        for subject in &proposal.subjects {
            sqlx::query(
                "INSERT INTO proposal_subjects (workspace_id, proposal_id, memory_id, version) \
                 VALUES (?, ?, ?, ?)",
            )
            .bind(self.workspace())
            .bind(proposal.id.to_string())
            .bind(subject.id.to_string())
            .bind(i64::try_from(subject.version).unwrap_or(i64::MAX))
            .execute(&mut *conn)
            .await?;
        }
        Ok(())
    }

    async fn read_proposals(&self, ids: &[ProposalId]) -> DbResult<Vec<Proposal>> {
        let mut sql = Sql::new(SELECT);
        sql.push("p.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND p.id IN (SELECT value FROM json_each(").push_bind(json_list(ids)).push("))");
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(proposal).collect()
    }

    async fn read_proposals_about(&self, ids: &[MemoryId]) -> DbResult<Vec<Proposal>> {
        let mut sql = Sql::new(SELECT);
        sql.push("p.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND p.id IN (SELECT s.proposal_id FROM proposal_subjects AS s WHERE s.workspace_id = ");
        sql.push_bind(self.workspace());
        sql.push(" AND s.memory_id IN (SELECT value FROM json_each(").push_bind(json_list(ids)).push(")))");
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(proposal).collect()
    }

    async fn read_proposal_page(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> DbResult<Vec<Proposal>> {
        // The unary plus makes SQLite choose the index by the sort order.
        let mut sql = Sql::new(SELECT);
        sql.push("+p.workspace_id = ").push_bind(self.workspace());
        if let Some(state) = state {
            sql.push(" AND p.state = ").push_bind(state.as_str());
        }
        if let Some(after) = after {
            sql.push(" AND (p.created_at, p.id) < (").push_bind(micros(after.created_at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY p.created_at DESC, p.id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(proposal).collect()
    }

    async fn count_open_proposals(&self) -> DbResult<u64> {
        let open: i64 = sqlx::query_scalar("SELECT count(*) FROM proposals WHERE state = 'open'")
            .fetch_one(&self.db.reader())
            .await?;
        Ok(open.unsigned_abs())
    }

    async fn accept_proposal(&self, id: ProposalId, change: &ChangeSet) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let state: Option<String> =
            sqlx::query_scalar("SELECT state FROM proposals WHERE workspace_id = ? AND id = ?")
                .bind(self.workspace())
                .bind(id.to_string())
                .fetch_optional(&mut *tx)
                .await?;
        let state: ProposalState = parsed(&state.ok_or(StoreError::NotFound("proposal"))?, "state")?;
        if state != ProposalState::Open {
            return Err(StoreError::Moved("proposal").into());
        }
        if change.stamp.actor.kind() != ActorKind::Author {
            return Err(StoreError::Locked(Rule::TheWorldbuilderDecides).into());
        }
        if change.action != Action::Accept {
            return Err(StoreError::Refused("a proposal is accepted by a change of its own".into()).into());
        }
        self.write_within(&mut tx, change).await?;
        sqlx::query(
            "UPDATE proposals SET state = 'accepted', decided_at = ?, change_id = ? \
             WHERE workspace_id = ? AND id = ?",
        )
        .bind(micros(change.stamp.at))
        .bind(change.stamp.change.to_string())
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn close_proposals(
        &self,
        ids: &[ProposalId],
        state: ProposalState,
        at: DateTime<Utc>,
    ) -> DbResult<usize> {
        if !matches!(state, ProposalState::Rejected | ProposalState::Superseded) {
            return Err(StoreError::Refused("a proposal is not decided like that".into()).into());
        }
        let mut tx = self.db.begin_immediate().await?;
        let closed = sqlx::query(
            "UPDATE proposals SET state = ?, decided_at = ? WHERE workspace_id = ? AND state = 'open' \
             AND id IN (SELECT value FROM json_each(?))",
        )
        .bind(state.as_str())
        .bind(micros(at))
        .bind(self.workspace())
        .bind(json_list(ids))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(usize::try_from(closed.rows_affected()).unwrap_or(usize::MAX))
    }
}

#[async_trait::async_trait]
impl ProposalStore for SqliteStore {
    async fn file(&self, proposal: &Proposal, switch: MemorySwitch) -> Result<bool, StoreError> {
        self.public(self.file_proposal(proposal, switch).await)
    }

    async fn get(&self, ids: &[ProposalId]) -> Result<Vec<Proposal>, StoreError> {
        self.public(self.read_proposals(ids).await)
    }

    async fn about(&self, ids: &[MemoryId]) -> Result<Vec<Proposal>, StoreError> {
        self.public(self.read_proposals_about(ids).await)
    }

    async fn list(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> Result<Vec<Proposal>, StoreError> {
        self.public(self.read_proposal_page(state, after, limit).await)
    }

    async fn count_open(&self) -> Result<u64, StoreError> {
        self.public(self.count_open_proposals().await)
    }

    async fn accept(&self, id: ProposalId, change: &ChangeSet) -> Result<(), StoreError> {
        self.public(self.accept_proposal(id, change).await)
    }

    async fn close(
        &self,
        ids: &[ProposalId],
        state: ProposalState,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        self.public(self.close_proposals(ids, state, at).await)
    }
}
