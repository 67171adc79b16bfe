//! Finds, counts and destroys the rows of a scrub.

use std::collections::BTreeSet;

use inklings_domain::{
    ids::WorkspaceId,
    scrub::{Manifest, Phrases, RowHash, ScrubFile, ScrubMode, ScrubRows, ScrubTarget},
};
use inklings_ports::store_error::StoreError;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::error::DbResult;
use crate::{
    checksum::{self, tables::FACT_VALUES},
    conversation::branches::ORIENTATIONS_THAT_QUOTE,
    rows::json_list,
    scrub::{
        conditions::{entries_of, orientations_of, proposals_of},
        facts,
        naming::Naming,
    },
};

/// The rows of one kind to destroy: ids with their versions, by id.
type Rows = Vec<(String, i64)>;

/// All rows that a scrub destroys.
#[derive(Debug)]
pub(crate) struct ScrubTargets {
    target: ScrubTarget,
    mode: ScrubMode,
    pub(crate) workspace: WorkspaceId,
    keeps: u64,
    pub(crate) memories: Rows,
    versions: Rows,
    vectors: Rows,
    pub(crate) proposals: Rows,
    pub(crate) messages: Rows,
    pub(crate) episodes: Rows,
    pub(crate) facts: Rows,
    /// Values of facts that stay: the fact and the version.
    pub(crate) values: Rows,
    pub(crate) claims: Rows,
    pub(crate) notes: Rows,
    /// Notes that clients replaced or removed, by the number of the write.
    pub(crate) replaced: Rows,
    pub(crate) orientations: Rows,
    /// Tests whose question names the subject, that ask in the place, or that expect what is destroyed.
    pub(crate) recall_tests: Rows,
    /// Saved searches that name the subject or search the place.
    pub(crate) saved_searches: Rows,
}

/// The ids as a JSON array.
pub(crate) fn list(rows: &Rows) -> String {
    let ids: Vec<&str> = rows.iter().map(|(id, _)| id.as_str()).collect();
    json_list(&ids)
}

/// The identity of a working note as one column.
pub(crate) const NOTE: &str = "conversation_id || ' ' || key";

const NAMED: &str = "(name IS NOT NULL AND kind = 'note')";
/// Condition for the ids of the rows to destroy; the parameter is a JSON list.
const AMONG: &str = "IN (SELECT value FROM json_each(?))";

struct Finder<'a> {
    conn: &'a mut SqliteConnection,
    /// The bound value of a target: a channel or conversation, an entry, or the list of a subject's entries.
    place_id: Option<String>,
}

impl Finder<'_> {
    /// Rows of a statement that takes the target's value, if there is one.
    async fn rows_of_target(&mut self, statement: String) -> DbResult<Rows> {
        let mut query = sqlx::query_as(AssertSqlSafe(statement));
        if let Some(place_id) = &self.place_id {
            query = query.bind(place_id.clone());
        }
        Ok(query.fetch_all(&mut *self.conn).await?)
    }

    /// Rows of a statement that takes a list of ids.
    async fn among(&mut self, statement: String, ids: &str) -> DbResult<Rows> {
        Ok(sqlx::query_as(AssertSqlSafe(statement)).bind(ids.to_owned()).fetch_all(&mut *self.conn).await?)
    }
}

impl ScrubTargets {
    /// Finds the rows of a target. Every list is sorted by id.
    pub(crate) async fn find(
        conn: &mut SqliteConnection,
        workspace: WorkspaceId,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> DbResult<Self> {
        let named = match target {
            ScrubTarget::Subject(name, _) => {
                Naming::find(conn, workspace, &Phrases::of_subject(name)).await?
            }
            _ => Naming::default(),
        };
        Self::find_but(conn, workspace, (target, mode), &named, &BTreeSet::new()).await
    }

    /// Like [`Self::find`], with the rows that name a subject, and without the entries with these ids.
    pub(crate) async fn find_but(
        conn: &mut SqliteConnection,
        workspace: WorkspaceId,
        (target, mode): (&ScrubTarget, ScrubMode),
        named: &Naming,
        spared: &BTreeSet<String>,
    ) -> DbResult<Self> {
        let of_account = target.file() == ScrubFile::Account;
        if of_account != (workspace == WorkspaceId::ACCOUNT) {
            return Err(StoreError::NotFound("tier in this database").into());
        }
        refuse_unknown(conn, target).await?;
        let purge = matches!(target, ScrubTarget::Purge(_));
        let place_id = match target {
            ScrubTarget::Entry(id, _) => Some(id.to_string()),
            ScrubTarget::Subject(..) => Some(json_list(&named.memories)),
            _ => target.channel_or_conversation_id(),
        };
        let mut find = Finder { conn, place_id };
        let which = entries_of(target);
        let keep = if target.keeps_named(mode) { format!("AND NOT {NAMED}") } else { String::new() };
        let mut memories = find
            .rows_of_target(format!("SELECT id, version FROM memories WHERE {which} {keep} ORDER BY id"))
            .await?;
        memories.retain(|(id, _)| !spared.contains(id));
        let keeps = if keep.is_empty() {
            0
        } else {
            find.rows_of_target(format!("SELECT id, version FROM memories WHERE {which} AND {NAMED}"))
                .await?
                .len() as u64
        };
        let ids = list(&memories);
        let versions = format!(
            "SELECT memory_id || '@' || version, version FROM memory_versions WHERE memory_id {AMONG} ORDER BY 1"
        );
        let versions = find.among(versions, &ids).await?;
        let vectors = format!(
            "SELECT memory_id || ' ' || model, version FROM memory_vectors WHERE memory_id {AMONG} \
             UNION ALL SELECT memory_id || ' ' || model || ' ' || ordinal, 1 FROM memory_passages \
             WHERE memory_id IN (SELECT value FROM json_each(?1)) ORDER BY 1"
        );
        let mut vectors = find.among(vectors, &ids).await?;
        let proposals = format!(
            "SELECT id, state <> 'open' FROM proposals WHERE id IN \
             (SELECT proposal_id FROM proposal_subjects WHERE memory_id {AMONG}) \
             OR makes IN (SELECT value FROM json_each(?1)) OR {} OR id IN (SELECT value FROM json_each(?2)) ORDER BY id",
            proposals_of(target)
        );
        let proposals = sqlx::query_as(AssertSqlSafe(proposals))
            .bind(ids.clone())
            .bind(json_list(&named.proposals))
            .fetch_all(&mut *find.conn)
            .await?;
        let mut found = Self {
            target: target.clone(),
            mode,
            workspace,
            keeps,
            memories,
            versions,
            vectors: Rows::new(),
            proposals,
            messages: Rows::new(),
            episodes: Rows::new(),
            facts: Rows::new(),
            values: Rows::new(),
            claims: Rows::new(),
            notes: Rows::new(),
            replaced: Rows::new(),
            orientations: Rows::new(),
            recall_tests: Rows::new(),
            saved_searches: Rows::new(),
        };
        if !of_account {
            if matches!(target, ScrubTarget::Subject(..)) {
                found.find_named(&mut find, named).await?;
            } else {
                found.find_in_workspace(&mut find, purge).await?;
            }
            // A marker whose archive is destroyed; its messages are replayed again. Of a conversation that is purged they are found
            // with its messages.
            let markers = format!("SELECT id, change_seq FROM messages WHERE archive_id {AMONG} ORDER BY id");
            let markers = find.among(markers, &ids).await?;
            found.messages.extend(markers);
            found.messages.sort_unstable();
            found.messages.dedup();
            found.find_recall_tests(&mut find, named).await?;
            found.find_saved_searches(&mut find, named).await?;
            let vectors_of = format!(
                "SELECT message_id || ' ' || model, 1 FROM message_vectors WHERE message_id {AMONG} \
                 UNION ALL SELECT message_id || ' ' || model || ' ' || ordinal, 1 FROM message_passages \
                 WHERE message_id IN (SELECT value FROM json_each(?1)) ORDER BY 1"
            );
            vectors.extend(find.among(vectors_of, &list(&found.messages)).await?);
        }
        found.vectors = vectors;
        Ok(found)
    }

    /// Finds the saved searches. What somebody searched for may tell what is destroyed.
    async fn find_saved_searches(&mut self, find: &mut Finder<'_>, named: &Naming) -> DbResult<()> {
        let place = match &self.target {
            ScrubTarget::Channel(id) => format!("view ->> '$.filter.channelId' = '{id}'"),
            ScrubTarget::Conversation(id) | ScrubTarget::Purge(id) => {
                format!("view ->> '$.filter.conversationId' = '{id}'")
            }
            ScrubTarget::Workspace => {
                "coalesce(view ->> '$.filter.channelId', view ->> '$.filter.conversationId') IS NULL"
                    .to_owned()
            }
            ScrubTarget::Account | ScrubTarget::Entry(..) | ScrubTarget::Subject(..) => "FALSE".to_owned(),
        };
        let searches = format!(
            "SELECT id, 0 FROM saved_searches WHERE {place} \
             OR id IN (SELECT value FROM json_each(?1)) ORDER BY id"
        );
        self.saved_searches = find.among(searches, &json_list(&named.saved_searches)).await?;
        Ok(())
    }

    /// Finds the recall tests. A question about what is destroyed may tell it.
    async fn find_recall_tests(&mut self, find: &mut Finder<'_>, named: &Naming) -> DbResult<()> {
        let place = match &self.target {
            ScrubTarget::Channel(id) => format!("channel_id = '{id}'"),
            ScrubTarget::Workspace => "channel_id IS NULL".to_owned(),
            ScrubTarget::Account
            | ScrubTarget::Conversation(_)
            | ScrubTarget::Purge(_)
            | ScrubTarget::Entry(..)
            | ScrubTarget::Subject(..) => "FALSE".to_owned(),
        };
        let items: Vec<&str> = self.memories.iter().chain(&self.facts).map(|(id, _)| id.as_str()).collect();
        let tests = format!(
            "SELECT id, created_at FROM recall_tests WHERE {place} \
             OR id IN (SELECT value FROM json_each(?1)) \
             OR EXISTS (SELECT 1 FROM json_each(expects) AS e \
                        WHERE e.value ->> 'id' IN (SELECT value FROM json_each(?2))) ORDER BY id"
        );
        self.recall_tests = sqlx::query_as(AssertSqlSafe(tests))
            .bind(json_list(&named.recall_tests))
            .bind(json_list(&items))
            .fetch_all(&mut *find.conn)
            .await?;
        Ok(())
    }

    /// Finds the rows besides entries that name a subject.
    async fn find_named(&mut self, find: &mut Finder<'_>, named: &Naming) -> DbResult<()> {
        let facts = format!("SELECT id, version FROM facts WHERE id {AMONG} ORDER BY id");
        self.facts = find.among(facts, &json_list(&named.facts)).await?;
        let claims = format!("SELECT id, state <> 'open' FROM fact_claims WHERE fact_id {AMONG} ORDER BY id");
        self.claims = find.among(claims, &json_list(&named.facts)).await?;
        let notes = format!("SELECT {NOTE}, updated_at FROM scratchpads WHERE {NOTE} {AMONG} ORDER BY 1");
        self.notes = find.among(notes, &json_list(&named.notes)).await?;
        let replaced = format!(
            "SELECT CAST(sequence AS TEXT), undone_at IS NOT NULL FROM client_writes \
             WHERE CAST(sequence AS TEXT) {AMONG} ORDER BY 1"
        );
        self.replaced = find.among(replaced, &json_list(&named.replaced)).await?;
        let shown = format!("SELECT id, thinned FROM orientations WHERE id {AMONG} ORDER BY id");
        self.orientations = find.among(shown, &json_list(&named.orientations)).await?;
        Ok(())
    }

    async fn find_in_workspace(&mut self, find: &mut Finder<'_>, purge: bool) -> DbResult<()> {
        if purge {
            let of_messages = "SELECT id, change_seq FROM messages WHERE conversation_id = ? ORDER BY id";
            self.messages = find.rows_of_target(of_messages.to_owned()).await?;
        }
        let of_conversation = matches!(self.target, ScrubTarget::Conversation(_) | ScrubTarget::Purge(_));
        if of_conversation {
            let notes =
                format!("SELECT {NOTE}, updated_at FROM scratchpads WHERE conversation_id = ? ORDER BY 1");
            self.notes = find.rows_of_target(notes).await?;
            let replaced = "SELECT CAST(sequence AS TEXT), undone_at IS NOT NULL FROM client_writes \
                            WHERE conversation_id = ? AND kind = 'note' ORDER BY 1";
            self.replaced = find.rows_of_target(replaced.to_owned()).await?;
        }
        if purge {
            let episodes =
                "SELECT id, removed_at IS NOT NULL FROM episodes WHERE conversation_id = ? ORDER BY id";
            self.episodes = find.rows_of_target(episodes.to_owned()).await?;
            self.facts = find.rows_of_target(facts::DESTROYED.to_owned()).await?;
            self.values = find.rows_of_target(facts::EMPTIED.to_owned()).await?;
            self.claims = find.rows_of_target(facts::CLAIMS.to_owned()).await?;
        }
        if matches!(self.target, ScrubTarget::Workspace) {
            let facts = "SELECT id, version FROM facts ORDER BY id";
            self.facts = find.rows_of_target(facts.to_owned()).await?;
            let claims = "SELECT id, state <> 'open' FROM fact_claims ORDER BY id";
            self.claims = find.rows_of_target(claims.to_owned()).await?;
        }
        let which = orientations_of(&self.target);
        if let Some(which) = which {
            let shown = format!("SELECT id, thinned FROM orientations WHERE {which} ORDER BY id");
            self.orientations = find.rows_of_target(shown).await?;
        }
        if matches!(self.target, ScrubTarget::Purge(_)) {
            let shown =
                format!("SELECT id, thinned FROM orientations WHERE {ORIENTATIONS_THAT_QUOTE} ORDER BY id");
            self.orientations.extend(find.rows_of_target(shown).await?);
            self.orientations.sort();
        }
        Ok(())
    }

    /// Row kinds with their rows. Vectors are only counted, because they are deleted together with their
    /// texts.
    fn hashed(&self) -> [(ScrubRows, &Rows); 13] {
        [
            (ScrubRows::Memories, &self.memories),
            (ScrubRows::Versions, &self.versions),
            (ScrubRows::Proposals, &self.proposals),
            (ScrubRows::Messages, &self.messages),
            (ScrubRows::Episodes, &self.episodes),
            (ScrubRows::Facts, &self.facts),
            (ScrubRows::Facts, &self.values),
            (ScrubRows::Facts, &self.claims),
            (ScrubRows::WorkingNotes, &self.notes),
            (ScrubRows::WorkingNotes, &self.replaced),
            (ScrubRows::Orientations, &self.orientations),
            (ScrubRows::RecallTests, &self.recall_tests),
            (ScrubRows::SavedSearches, &self.saved_searches),
        ]
    }

    pub(crate) fn manifest(&self) -> Manifest {
        let mut hash = RowHash::new(&self.target, self.mode);
        let mut counts: Vec<(ScrubRows, u64)> = Vec::new();
        let vectors = (ScrubRows::Vectors, &self.vectors);
        for (kind, rows) in self.hashed().into_iter().chain([vectors]) {
            if kind != ScrubRows::Vectors {
                for (id, version) in rows {
                    hash.row(kind, id, version.unsigned_abs());
                }
            }
            match counts.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += rows.len() as u64,
                None => counts.push((kind, rows.len() as u64)),
            }
        }
        counts.retain(|(_, count)| *count > 0);
        counts.sort_unstable();
        let named = self.memories.iter().chain(&self.messages).chain(&self.facts);
        Manifest {
            target: self.target.clone(),
            mode: self.mode,
            counts,
            keeps: self.keeps,
            ids: named.map(|(id, _)| id.clone()).collect(),
            hash: hash.finish(),
        }
    }

    /// True if no row of the target is left.
    pub(crate) async fn is_gone(&self, conn: &mut SqliteConnection) -> DbResult<bool> {
        // A destroyed entry cannot be found by its id; the tables below show whether it is gone.
        if !matches!(self.target, ScrubTarget::Entry(..)) {
            let left = Self::find(conn, self.workspace, &self.target, self.mode).await?;
            if left.manifest().total() > 0 {
                return Ok(false);
            }
        }
        for (rows, tables) in [
            (
                &self.memories,
                &[
                    "memories WHERE id",
                    "memory_versions WHERE memory_id",
                    "names WHERE memory_id",
                    "memory_vectors WHERE memory_id",
                    "memory_passages WHERE memory_id",
                    // Its rows have the number of their entry, so none may be left without one.
                    "memory_word_codes AS c LEFT JOIN memories AS m ON m.seq = c.seq WHERE m.id IS NULL OR m.id",
                    "embedding_failures WHERE memory_id",
                    "proposal_subjects WHERE memory_id",
                    "foreign_fields WHERE memory_id",
                    "beside WHERE belongs_to = 'memories' AND row_id",
                ][..],
            ),
            (&self.proposals, &["proposals WHERE id"][..]),
            (
                &self.messages,
                &[
                    "messages WHERE id",
                    "message_vectors WHERE message_id",
                    "message_passages WHERE message_id",
                    "message_word_codes AS c LEFT JOIN messages AS m ON m.seq = c.seq WHERE m.id IS NULL OR m.id",
                    "message_vector_failures WHERE message_id",
                    "beside WHERE belongs_to = 'messages' AND row_id",
                ][..],
            ),
            (&self.episodes, &["beside WHERE belongs_to = 'episodes' AND row_id"][..]),
            (&self.facts, &["beside WHERE belongs_to = 'facts' AND row_id"][..]),
        ] {
            for table in tables.iter().filter(|_| !rows.is_empty()) {
                let count: i64 =
                    sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {table} {AMONG}")))
                        .bind(list(rows))
                        .fetch_one(&mut *conn)
                        .await?;
                if count > 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// True if entries that were made of its rows stay.
    pub(super) const fn is_purge(&self) -> bool {
        matches!(self.target, ScrubTarget::Purge(_))
    }

    /// The facts that lose a value and stay.
    fn facts_of_values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter_map(|(id, _)| Some(id.split_once('@')?.0))
    }

    /// Destroys all rows, under permits that end with the transaction.
    pub(crate) async fn destroy(&self, conn: &mut SqliteConnection, at: i64) -> DbResult<()> {
        let (ws, hash) = (self.workspace.to_string(), self.manifest().hash);
        let emptied: Rows = self.facts_of_values().map(|id| (id.to_owned(), 0)).collect();
        // A replaced note is deleted under the permit of its conversation, a proposal under that of a subject
        // or of the entry that it would create.
        let places = if self.workspace == WorkspaceId::ACCOUNT {
            Rows::new()
        } else {
            let places = format!(
                "SELECT DISTINCT conversation_id, 0 FROM client_writes WHERE CAST(sequence AS TEXT) {AMONG}"
            );
            sqlx::query_as(AssertSqlSafe(places)).bind(list(&self.replaced)).fetch_all(&mut *conn).await?
        };
        let subjects: Rows = sqlx::query_as(AssertSqlSafe(format!(
            "SELECT memory_id, 0 FROM proposal_subjects WHERE proposal_id {AMONG} \
             UNION SELECT makes, 0 FROM proposals WHERE makes IS NOT NULL AND id {AMONG}"
        )))
        .bind(list(&self.proposals))
        .bind(list(&self.proposals))
        .fetch_all(&mut *conn)
        .await?;
        for rows in [&self.memories, &self.messages, &self.facts, &emptied, &places, &subjects] {
            sqlx::query(
                "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) \
                 SELECT DISTINCT ?1, value, ?2, ?3 FROM json_each(?4) WHERE true ON CONFLICT DO NOTHING",
            )
            .bind(ws.clone())
            .bind(hash.clone())
            .bind(at)
            .bind(list(rows))
            .execute(&mut *conn)
            .await?;
        }
        if self.workspace != WorkspaceId::ACCOUNT {
            self.destroy_in_workspace(conn, &ws, at).await?;
        }
        remove(conn, "proposals", "id", &ws, &self.proposals).await?;
        remove(conn, "memories", "id", &ws, &self.memories).await?;
        sqlx::query("DELETE FROM deletion_permits").execute(&mut *conn).await?;
        // Some of these tables do not notify anyone of deleted rows.
        sqlx::query(
            "UPDATE topics SET counter = counter + 1 WHERE topic NOT IN ('workspaces', 'settings', 'models')",
        )
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn destroy_in_workspace(&self, conn: &mut SqliteConnection, ws: &str, at: i64) -> DbResult<()> {
        let place_id = self.target.channel_or_conversation_id();
        if let ScrubTarget::Purge(id) = self.target {
            sqlx::query(
                "UPDATE conversations SET deleted_at = coalesce(deleted_at, ?), title = '', title_by = NULL, title_of = NULL \
                 WHERE workspace_id = ? AND id = ?",
            )
            .bind(at)
            .bind(ws.to_owned())
            .bind(id.to_string())
            .execute(&mut *conn)
            .await?;
        }
        remove(conn, "messages", "id", ws, &self.messages).await?;
        remove(conn, "episodes", "id", ws, &self.episodes).await?;
        remove(conn, "orientations", "id", ws, &self.orientations).await?;
        remove(conn, "recall_tests", "id", ws, &self.recall_tests).await?;
        remove(conn, "saved_searches", "id", ws, &self.saved_searches).await?;
        // Reads hold no text, and a client may add one at any time, so the hash does not cover them.
        if let Some(which) = orientations_of(&self.target) {
            let mut reads = sqlx::query(AssertSqlSafe(format!("DELETE FROM reads WHERE {which}")));
            if let Some(place_id) = &place_id {
                reads = reads.bind(place_id.clone());
            }
            reads.execute(&mut *conn).await?;
        }
        remove(conn, "fact_claims", "id", ws, &self.claims).await?;
        remove(conn, "facts", "id", ws, &self.facts).await?;
        remove(conn, "client_writes", "CAST(sequence AS TEXT)", ws, &self.replaced).await?;
        remove(conn, "scratchpads", NOTE, ws, &self.notes).await?;
        if let ScrubTarget::Purge(conversation) = self.target
            && !self.values.is_empty()
        {
            let ids: Vec<&str> = self.facts_of_values().collect();
            facts::take_back(conn, ws, conversation, &ids, at).await?;
            // As the values of a removal are, so that an export of them can be imported.
            sqlx::query("UPDATE fact_values SET value = '', removed = 1 WHERE workspace_id = ? AND conversation_id = ?")
                .bind(ws.to_owned())
                .bind(place_id.clone())
                .execute(&mut *conn)
                .await?;
            let row = [ws, place_id.as_deref().unwrap_or_default()];
            checksum::seal_rows(conn, &FACT_VALUES, "conversation_id = ?2", &row).await?;
        }
        Ok(())
    }
}

async fn remove(
    conn: &mut SqliteConnection,
    table: &'static str,
    key: &'static str,
    ws: &str,
    rows: &Rows,
) -> DbResult<()> {
    if rows.is_empty() {
        return Ok(());
    }
    // Table and key are names of this program.
    sqlx::query(AssertSqlSafe(format!("DELETE FROM {table} WHERE workspace_id = ? AND {key} {AMONG}")))
        .bind(ws.to_owned())
        .bind(list(rows))
        .execute(conn)
        .await?;
    Ok(())
}

async fn refuse_unknown(conn: &mut SqliteConnection, target: &ScrubTarget) -> DbResult<()> {
    let (statement, what) = match target {
        ScrubTarget::Conversation(_) | ScrubTarget::Purge(_) => {
            ("SELECT EXISTS (SELECT 1 FROM conversations WHERE id = ?)", "conversation")
        }
        ScrubTarget::Channel(_) => ("SELECT EXISTS (SELECT 1 FROM channels WHERE id = ?)", "channel"),
        ScrubTarget::Entry(..) => ("SELECT EXISTS (SELECT 1 FROM memories WHERE id = ?)", "memory"),
        ScrubTarget::Workspace | ScrubTarget::Account | ScrubTarget::Subject(..) => return Ok(()),
    };
    let id = match target {
        ScrubTarget::Entry(id, _) => Some(id.to_string()),
        _ => target.channel_or_conversation_id(),
    };
    let known: bool = sqlx::query_scalar(statement).bind(id).fetch_one(conn).await?;
    if known { Ok(()) } else { Err(StoreError::NotFound(what).into()) }
}
