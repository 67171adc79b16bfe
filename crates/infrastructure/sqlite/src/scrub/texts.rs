//! Reads the texts to destroy once more, one by one: collects fingerprints to recognise them later, and words
//! to search for afterwards. Only one text is in memory at a time.

use std::collections::BTreeSet;

use futures::TryStreamExt;
use inklings_domain::{
    ids::WorkspaceId,
    scrub::{fact_form, fingerprint_forms, telling_words},
};
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::error::DbResult;
use crate::scrub::{
    entry_texts,
    fingerprint::Key,
    targets::{NOTE, ScrubTargets, list},
};

/// The number of words to search for per text.
const WORDS: usize = 2;
/// The least number of words in a fingerprinted form of a message or a fact's value: "yes" and "thank you"
/// will be said again.
const SAID_WORDS: usize = 4;
const AMONG: &str = "IN (SELECT value FROM json_each(?))";

/// The retained data of the texts.
pub(crate) struct ScrubbedTexts<'k> {
    key: &'k Key,
    /// Fingerprints of the forms of the texts.
    pub(crate) fingerprints: BTreeSet<String>,
    /// Words to search for, in ASCII lower case.
    pub(crate) words: BTreeSet<String>,
}

/// Which forms of a text get a fingerprint.
#[derive(Clone, Copy)]
enum Forms {
    All,
    Long,
    None,
}

impl ScrubbedTexts<'_> {
    fn take(&mut self, text: &str, forms: Forms) {
        self.words.extend(telling_words(text, WORDS).iter().map(|word| word.to_ascii_lowercase()));
        let forms = match forms {
            Forms::None => return,
            Forms::All | Forms::Long => fingerprint_forms(text)
                .into_iter()
                .filter(|form| matches!(forms, Forms::All) || form.split(' ').count() >= SAID_WORDS),
        };
        self.fingerprints.extend(forms.map(|form| self.key.fingerprint(&form)));
    }

    /// Writes the fingerprints down.
    pub(crate) async fn store(&self, conn: &mut SqliteConnection, workspace: &str, at: i64) -> DbResult<()> {
        for fingerprint in &self.fingerprints {
            sqlx::query(
                "INSERT INTO scrubbed (workspace_id, fingerprint, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            )
            .bind(workspace.to_owned())
            .bind(&**fingerprint)
            .bind(at)
            .execute(&mut *conn)
            .await?;
        }
        Ok(())
    }

    async fn read(
        &mut self,
        conn: &mut SqliteConnection,
        statement: String,
        ids: String,
        forms: Forms,
    ) -> DbResult<()> {
        // The statement is this program's own; the ids are bound.
        let mut rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(statement)).bind(ids).fetch(conn);
        while let Some(text) = rows.try_next().await? {
            self.take(&text, forms);
        }
        Ok(())
    }

    /// Reads values of facts, each with its category and key.
    async fn read_facts(&mut self, conn: &mut SqliteConnection, from: &str, ids: String) -> DbResult<()> {
        let statement = format!("SELECT f.category, f.key, v.value FROM {from} {AMONG} AND v.value <> ''");
        let mut rows =
            sqlx::query_as::<_, (String, String, String)>(AssertSqlSafe(statement)).bind(ids).fetch(conn);
        while let Some((category, key, value)) = rows.try_next().await? {
            self.take(&value, Forms::Long);
            self.fingerprints.insert(self.key.fingerprint(&fact_form(&category, &key, &value)));
        }
        Ok(())
    }
}

/// Selects the texts of entries other than their content, each by itself.
fn except_content(table: &str, id: &str) -> String {
    let texts = entry_texts::except_content();
    format!(
        "SELECT t.value FROM {table} AS m, json_each({texts}) AS t WHERE m.{id} {AMONG} AND t.type = 'text'"
    )
}

/// Selects the fields of other programs that belong to rows.
fn unknown_fields_of(of: &str) -> String {
    format!("SELECT fields FROM beside WHERE belongs_to = '{of}' AND row_id {AMONG}")
}

pub(crate) async fn of<'k>(
    conn: &mut SqliteConnection,
    scrub_targets: &ScrubTargets,
    key: &'k Key,
) -> DbResult<ScrubbedTexts<'k>> {
    let mut scrubbed = ScrubbedTexts { key, fingerprints: BTreeSet::new(), words: BTreeSet::new() };
    let ids = list(&scrub_targets.memories);
    for (statement, forms) in [
        (format!("SELECT content FROM memories WHERE id {AMONG} AND content <> ''"), Forms::All),
        (
            format!("SELECT content FROM memory_versions WHERE memory_id {AMONG} AND content <> ''"),
            Forms::All,
        ),
        // Their words are searched for, but a title alone is no text that must never come back.
        (except_content("memories", "id"), Forms::None),
        (except_content("memory_versions", "memory_id"), Forms::None),
        (unknown_fields_of("memories"), Forms::None),
    ] {
        scrubbed.read(conn, statement, ids.clone(), forms).await?;
    }
    // A proposed new entry is fingerprinted like an entry. A proposed change of an entry is recognised by the
    // entry. After a purge an accepted text still stands in its entry, which agents may go on working with.
    let proposed = |kind: &str| format!("SELECT content FROM proposals WHERE {kind} AND id {AMONG}");
    let of_accepted = if scrub_targets.is_purge() { Forms::None } else { Forms::All };
    for (statement, forms) in [
        (proposed("content IS NOT NULL AND kind <> 'new'"), Forms::None),
        (proposed("kind = 'new' AND state <> 'accepted'"), Forms::All),
        (proposed("kind = 'new' AND state = 'accepted'"), of_accepted),
        (
            format!(
                "SELECT concat_ws(char(10), title, keys, source, tags) FROM proposals WHERE kind = 'new' AND id {AMONG}"
            ),
            Forms::None,
        ),
    ] {
        scrubbed.read(conn, statement, list(&scrub_targets.proposals), forms).await?;
    }
    if scrub_targets.workspace == WorkspaceId::ACCOUNT {
        return Ok(scrubbed);
    }
    let of_messages =
        format!("SELECT content FROM messages WHERE id {AMONG} AND archive_id IS NULL AND content <> ''");
    scrubbed.read(conn, of_messages, list(&scrub_targets.messages), Forms::Long).await?;
    for (statement, rows) in [
        (format!("SELECT summary FROM episodes WHERE id {AMONG}"), &scrub_targets.episodes),
        (
            format!("SELECT attached_name FROM messages WHERE id {AMONG} AND attached_name IS NOT NULL"),
            &scrub_targets.messages,
        ),
        (format!("SELECT query FROM orientations WHERE id {AMONG}"), &scrub_targets.orientations),
        (format!("SELECT question FROM recall_tests WHERE id {AMONG}"), &scrub_targets.recall_tests),
        (
            format!("SELECT concat_ws(char(10), name, view) FROM saved_searches WHERE id {AMONG}"),
            &scrub_targets.saved_searches,
        ),
        (format!("SELECT value FROM scratchpads WHERE {NOTE} {AMONG}"), &scrub_targets.notes),
        (unknown_fields_of("messages"), &scrub_targets.messages),
        (unknown_fields_of("episodes"), &scrub_targets.episodes),
        (unknown_fields_of("facts"), &scrub_targets.facts),
        (
            format!(
                "SELECT before FROM client_writes WHERE CAST(sequence AS TEXT) {AMONG} AND before IS NOT NULL"
            ),
            &scrub_targets.replaced,
        ),
    ] {
        scrubbed.read(conn, statement, list(rows), Forms::None).await?;
    }
    for (from, rows) in [
        ("facts AS f JOIN facts AS v ON v.id = f.id WHERE f.id", &scrub_targets.facts),
        ("facts AS f JOIN fact_values AS v ON v.fact_id = f.id WHERE f.id", &scrub_targets.facts),
        (
            "facts AS f JOIN fact_values AS v ON v.fact_id = f.id WHERE v.fact_id || '@' || v.version",
            &scrub_targets.values,
        ),
        ("facts AS f JOIN facts AS v ON v.id = f.id WHERE v.id || '@' || v.version", &scrub_targets.values),
        ("facts AS f JOIN fact_claims AS v ON v.fact_id = f.id WHERE v.id", &scrub_targets.claims),
    ] {
        scrubbed.read_facts(conn, from, list(rows)).await?;
    }
    Ok(scrubbed)
}
