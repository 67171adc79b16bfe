//! What the doomed rows say, before they go: for fingerprints, and for the words by which remains would be known.

use inklings_domain::{
    ids::WorkspaceId,
    scrub::{fingerprint_forms, telling_words},
};
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::doomed::{Doomed, list};
use crate::error::DbResult;

/// Texts whose words are looked for, and words of each.
const TEXTS: usize = 48;
const WORDS: usize = 2;
/// Words that a form of what was said needs: "yes" and "thank you" are said again.
const SAID_WORDS: usize = 4;

/// What is to be remembered of the texts.
pub(super) struct Told {
    /// Forms that get a fingerprint.
    pub(super) forms: Vec<String>,
    /// Words to look for, in lower case as SQLite makes it.
    pub(super) words: Vec<String>,
}

pub(super) async fn of(conn: &mut SqliteConnection, doomed: &Doomed) -> DbResult<Told> {
    let ids = list(&doomed.memories);
    let among = "IN (SELECT value FROM json_each(?))";
    let entries = format!("SELECT content FROM memories WHERE id {among} AND content <> ''");
    let mut written = texts(conn, entries, &ids).await?;
    let versions = format!("SELECT content FROM memory_versions WHERE memory_id {among} AND content <> ''");
    written.extend(texts(conn, versions, &ids).await?);
    let mut forms: Vec<String> = written.iter().flat_map(|text| fingerprint_forms(text)).collect();
    let proposed = format!(
        "SELECT content FROM proposals WHERE content IS NOT NULL AND id IN \
         (SELECT proposal_id FROM proposal_subjects WHERE memory_id {among})"
    );
    written.extend(texts(conn, proposed, &ids).await?);
    let beside = |of: &str| format!("SELECT fields FROM beside WHERE belongs_to = '{of}' AND row_id {among}");
    written.extend(texts(conn, beside("memories"), &ids).await?);
    if doomed.workspace != WorkspaceId::ACCOUNT {
        let said =
            format!("SELECT content FROM messages WHERE id {among} AND archive_id IS NULL AND content <> ''");
        let said = texts(conn, said, &list(&doomed.messages)).await?;
        let long = |form: &String| form.split(' ').count() >= SAID_WORDS;
        forms.extend(said.iter().flat_map(|text| fingerprint_forms(text)).filter(long));
        written.extend(said);
        for (statement, rows) in [
            (format!("SELECT summary FROM episodes WHERE id {among}"), &doomed.episodes),
            (format!("SELECT value FROM facts WHERE id {among}"), &doomed.facts),
            (
                format!("SELECT value FROM fact_values WHERE fact_id || '@' || version {among}"),
                &doomed.values,
            ),
            (format!("SELECT value FROM fact_values WHERE fact_id {among}"), &doomed.facts),
            (format!("SELECT value FROM fact_claims WHERE id {among}"), &doomed.claims),
            (beside("messages"), &doomed.messages),
            (beside("episodes"), &doomed.episodes),
            (beside("facts"), &doomed.facts),
            (format!("SELECT query FROM orientations WHERE id {among}"), &doomed.orientations),
        ] {
            written.extend(texts(conn, statement, &list(rows)).await?);
        }
    }
    forms.sort_unstable();
    forms.dedup();
    let step = written.len().div_ceil(TEXTS).max(1);
    let mut words: Vec<String> = written
        .iter()
        .step_by(step)
        .flat_map(|text| telling_words(text, WORDS))
        .map(|word| word.to_ascii_lowercase())
        .collect();
    words.sort_unstable();
    words.dedup();
    Ok(Told { forms, words })
}

async fn texts(conn: &mut SqliteConnection, statement: String, ids: &str) -> DbResult<Vec<String>> {
    // A statement of ours; the ids are bound.
    Ok(sqlx::query_scalar(AssertSqlSafe(statement)).bind(ids.to_owned()).fetch_all(conn).await?)
}
