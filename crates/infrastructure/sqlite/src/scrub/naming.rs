//! Finds texts that contain a phrase, in one pass over all texts of a database. The full-text index cannot be
//! used, because it lacks earlier versions, facts, notes and proposals.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt;
use inklings_domain::{
    ids::WorkspaceId,
    scrub::{Phrases, ScrubFile, ScrubMode, ScrubTarget},
};
use inklings_ports::scrub::Mentions;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::error::DbResult;
use crate::{
    rows::parsed,
    scrub::{
        entry_texts,
        targets::{NOTE, ScrubTargets},
    },
    store::SqliteStore,
};

/// Ids of the rows that contain a phrase, each once and in order.
#[derive(Debug, Default)]
pub(crate) struct Naming {
    pub(crate) memories: Vec<String>,
    pub(crate) proposals: Vec<String>,
    pub(crate) facts: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Client writes that replaced a note.
    pub(crate) replaced: Vec<String>,
    pub(crate) orientations: Vec<String>,
    pub(crate) recall_tests: Vec<String>,
    pub(crate) saved_searches: Vec<String>,
}

impl Naming {
    pub(crate) async fn find(
        conn: &mut SqliteConnection,
        workspace: WorkspaceId,
        phrases: &Phrases,
    ) -> DbResult<Self> {
        let texts = entry_texts::all();
        let entries = format!(
            "SELECT m.id, {texts} FROM memories AS m UNION ALL SELECT m.memory_id, {texts} FROM memory_versions AS m"
        );
        let mut found = Self {
            memories: ids_containing(conn, &entries, phrases).await?,
            proposals: ids_containing(
                conn,
                "SELECT id, concat_ws(char(10), content, title, keys, source, tags) FROM proposals",
                phrases,
            )
            .await?,
            ..Self::default()
        };
        if workspace == WorkspaceId::ACCOUNT {
            return Ok(found);
        }
        let facts = "SELECT id, concat_ws(char(10), category, key, value) FROM facts \
                     UNION ALL SELECT fact_id, value FROM fact_values \
                     UNION ALL SELECT fact_id, value FROM fact_claims";
        found.facts = ids_containing(conn, facts, phrases).await?;
        let notes = format!("SELECT {NOTE}, key || char(10) || value FROM scratchpads");
        found.notes = ids_containing(conn, &notes, phrases).await?;
        let replaced = "SELECT CAST(sequence AS TEXT), before FROM client_writes \
                        WHERE kind = 'note' AND before IS NOT NULL";
        found.replaced = ids_containing(conn, replaced, phrases).await?;
        found.orientations = ids_containing(conn, "SELECT id, query FROM orientations", phrases).await?;
        found.recall_tests = ids_containing(conn, "SELECT id, question FROM recall_tests", phrases).await?;
        // The words of a search are JSON, whose texts may have other characters than the phrase.
        let searches = "SELECT id, name FROM saved_searches \
                        UNION ALL SELECT s.id, t.value FROM saved_searches AS s, json_tree(s.view) AS t \
                        WHERE t.type = 'text'";
        found.saved_searches = ids_containing(conn, searches, phrases).await?;
        Ok(found)
    }
}

/// The sorted, distinct ids of the rows whose text contains a phrase. The statement returns ids with texts.
async fn ids_containing(
    conn: &mut SqliteConnection,
    statement: &str,
    phrases: &Phrases,
) -> DbResult<Vec<String>> {
    Ok(counted(conn, statement, phrases).await?.into_keys().collect())
}

/// Like [`saying`], with the number of matching rows of each id.
async fn counted(
    conn: &mut SqliteConnection,
    statement: &str,
    phrases: &Phrases,
) -> DbResult<BTreeMap<String, u64>> {
    let mut found = BTreeMap::new();
    // The statement is this program's own.
    let mut rows = sqlx::query_as::<_, (String, String)>(AssertSqlSafe(statement.to_owned())).fetch(conn);
    while let Some((id, text)) = rows.try_next().await? {
        if phrases.are_in(&text) {
            *found.entry(id).or_default() += 1;
        }
    }
    Ok(found)
}

/// The texts of conversations, each with the conversation. What the World Agent wrote stands in the arguments of its tool
/// calls, as JSON within JSON: its characters may differ from those of the phrase.
const OF_CONVERSATIONS: &str = "\
    SELECT m.conversation_id, concat_ws(char(10), m.content, m.attached_name, ( \
        SELECT group_concat(t.value, char(10)) \
        FROM json_each(iif(json_valid(m.tool_calls), m.tool_calls, '[]')) AS c, \
             json_tree(CASE WHEN c.type <> 'object' THEN '[]' \
                            WHEN json_valid(c.value ->> '$.arguments') THEN c.value ->> '$.arguments' \
                            ELSE json_quote(c.value ->> '$.arguments') END) AS t \
        WHERE t.type = 'text')) \
    FROM messages AS m WHERE m.archive_id IS NULL \
    UNION ALL SELECT conversation_id, summary FROM episodes \
    UNION ALL SELECT id, title FROM conversations WHERE title <> ''";

impl SqliteStore {
    pub(crate) async fn read_mentions(
        &self,
        phrases: &Phrases,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> DbResult<Mentions> {
        let mut tx = self.db.reader().begin().await?;
        let workspace = self.db.workspace_id();
        let found = Naming::find(&mut tx, workspace, phrases).await?;
        let of_account = target.file() == ScrubFile::Account;
        let scrub_targets = if of_account == self.is_account() {
            Some(ScrubTargets::find(&mut tx, workspace, target, mode).await?)
        } else {
            None
        };
        let stays = |ids: &[String], rows: fn(&ScrubTargets) -> &[(String, i64)]| -> Vec<String> {
            let gone: BTreeSet<&str> =
                scrub_targets.iter().flat_map(rows).map(|(id, _)| id.as_str()).collect();
            ids.iter().filter(|id| !gone.contains(id.as_str())).cloned().collect()
        };
        let mut mentions = Mentions {
            facts: stays(&found.facts, |scrub_targets| &scrub_targets.facts).len() as u64,
            working_notes: stays(&found.notes, |scrub_targets| &scrub_targets.notes).len() as u64,
            proposals: stays(&found.proposals, |scrub_targets| &scrub_targets.proposals).len() as u64,
            ..Mentions::default()
        };
        for id in stays(&found.memories, |scrub_targets| &scrub_targets.memories) {
            mentions.memories.push(parsed(&id, "id")?);
        }
        if !self.is_account() {
            for (id, rows) in counted(&mut tx, OF_CONVERSATIONS, phrases).await? {
                mentions.conversations.push((parsed(&id, "conversation_id")?, rows));
            }
            let channels = "SELECT id, concat_ws(char(10), name, description) FROM channels";
            mentions.channels = ids_containing(&mut tx, channels, phrases).await?.len() as u64;
        }
        Ok(mentions)
    }
}
