//! Repeats scrubs on the copy of a backup from before them, before the copy is put back.
//!
//! The audit log says which targets were scrubbed since. It leaves out the names of subjects: what a scrub of a subject
//! destroyed is known by the fingerprints of its texts, and by what the present database no longer holds.

use std::collections::BTreeSet;

use futures::TryStreamExt;
use inklings_domain::{
    audit::AuditRow,
    ids::WorkspaceId,
    scrub::{LoggedScrub, ScrubFile, ScrubMode, ScrubTarget, SubjectName, fact_form, fingerprint_forms},
};
use inklings_ports::store_error::StoreError;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::{
    connection::Database,
    error::{DbError, DbResult},
    rows::micros,
    scrub::{
        clean,
        fingerprint::Key,
        naming::Naming,
        targets::{NOTE, ScrubTargets},
        texts,
    },
};

/// What the present database holds, for comparison with the copy.
#[derive(Debug, Default)]
pub(crate) struct Present {
    memories: BTreeSet<String>,
    facts: BTreeSet<String>,
    proposals: BTreeSet<String>,
    orientations: BTreeSet<String>,
    recall_tests: BTreeSet<String>,
    saved_searches: BTreeSet<String>,
    /// Working notes with their values.
    notes: BTreeSet<(String, String)>,
    /// Notes that clients replaced, with their values.
    replaced: BTreeSet<(String, String)>,
}

const REPLACED: &str = "SELECT CAST(sequence AS TEXT), before FROM client_writes \
                        WHERE kind = 'note' AND before IS NOT NULL";

async fn ids(conn: &mut SqliteConnection, statement: &'static str) -> DbResult<BTreeSet<String>> {
    Ok(sqlx::query_scalar(statement).fetch(conn).try_collect().await?)
}

async fn pairs(conn: &mut SqliteConnection, statement: &str) -> DbResult<BTreeSet<(String, String)>> {
    // The statement is this program's own.
    Ok(sqlx::query_as(AssertSqlSafe(statement.to_owned())).fetch(conn).try_collect().await?)
}

/// The fingerprints in a database.
struct Fingerprints<'k> {
    all: BTreeSet<String>,
    key: &'k Key,
}

impl<'k> Fingerprints<'k> {
    async fn read(conn: &mut SqliteConnection, key: &'k Key) -> DbResult<Self> {
        Ok(Self { all: ids(conn, "SELECT fingerprint FROM scrubbed").await?, key })
    }

    /// True if any of the forms was scrubbed.
    fn have(&self, forms: &[String]) -> bool {
        forms.iter().any(|form| self.all.contains(&self.key.fingerprint(form)))
    }
}

fn notes() -> String {
    format!("SELECT {NOTE}, value FROM scratchpads")
}

impl Present {
    /// Reads what a database holds.
    pub(crate) async fn read(conn: &mut SqliteConnection, workspace: WorkspaceId) -> DbResult<Self> {
        let mut present = Self {
            memories: ids(conn, "SELECT id FROM memories").await?,
            proposals: ids(conn, "SELECT id FROM proposals").await?,
            ..Self::default()
        };
        if workspace != WorkspaceId::ACCOUNT {
            present.facts = ids(conn, "SELECT id FROM facts").await?;
            present.orientations = ids(conn, "SELECT id FROM orientations").await?;
            present.recall_tests = ids(conn, "SELECT id FROM recall_tests").await?;
            present.saved_searches = ids(conn, "SELECT id FROM saved_searches").await?;
            present.notes = pairs(conn, &notes()).await?;
            present.replaced = pairs(conn, REPLACED).await?;
        }
        Ok(present)
    }

    /// The rows of a copy that scrubs of subjects destroyed: entries and facts with a scrubbed text that are here no
    /// longer, and all by-products that are here no longer, because their texts have no fingerprints.
    async fn missing(&self, conn: &mut SqliteConnection, key: &Key, of_account: bool) -> DbResult<Naming> {
        let scrubbed = Fingerprints::read(conn, key).await?;
        let mut naming = Naming {
            memories: self.missing_memories(conn, &scrubbed).await?,
            proposals: but(ids(conn, "SELECT id FROM proposals").await?, &self.proposals),
            ..Naming::default()
        };
        if of_account {
            return Ok(naming);
        }
        naming.facts = self.missing_facts(conn, &scrubbed).await?;
        naming.orientations = but(ids(conn, "SELECT id FROM orientations").await?, &self.orientations);
        naming.saved_searches = but(ids(conn, "SELECT id FROM saved_searches").await?, &self.saved_searches);
        naming.recall_tests = but(ids(conn, "SELECT id FROM recall_tests").await?, &self.recall_tests);
        naming.notes =
            but(pairs(conn, &notes()).await?, &self.notes).into_iter().map(|note| note.0).collect();
        naming.replaced =
            but(pairs(conn, REPLACED).await?, &self.replaced).into_iter().map(|note| note.0).collect();
        Ok(naming)
    }

    /// The entries of a copy that a scrub of a tier destroyed in another place than the copy has them: they were moved since, or
    /// their channel was dissolved.
    async fn missing_of_tiers(&self, conn: &mut SqliteConnection, key: &Key) -> DbResult<Naming> {
        let scrubbed = Fingerprints::read(conn, key).await?;
        Ok(Naming { memories: self.missing_memories(conn, &scrubbed).await?, ..Naming::default() })
    }

    async fn missing_memories(
        &self,
        conn: &mut SqliteConnection,
        scrubbed: &Fingerprints<'_>,
    ) -> DbResult<Vec<String>> {
        let texts =
            "SELECT id, content FROM memories UNION ALL SELECT memory_id, content FROM memory_versions";
        let mut rows = sqlx::query_as::<_, (String, String)>(texts).fetch(conn);
        let (mut found, mut with_text, mut blank) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        while let Some((id, text)) = rows.try_next().await? {
            if self.memories.contains(&id) {
                continue;
            }
            if text.is_empty() {
                blank.insert(id);
            } else {
                if scrubbed.have(&fingerprint_forms(&text)) {
                    found.insert(id.clone());
                }
                with_text.insert(id);
            }
        }
        // A named entry without text has no fingerprint: its name may be the subject.
        found.extend(blank.difference(&with_text).cloned());
        Ok(found.into_iter().collect())
    }

    async fn missing_facts(
        &self,
        conn: &mut SqliteConnection,
        scrubbed: &Fingerprints<'_>,
    ) -> DbResult<Vec<String>> {
        let texts = "SELECT id, category, key, value FROM facts \
                     UNION ALL SELECT f.id, f.category, f.key, v.value FROM facts AS f \
                       JOIN fact_values AS v ON v.workspace_id = f.workspace_id AND v.fact_id = f.id \
                     UNION ALL SELECT f.id, f.category, f.key, c.value FROM facts AS f \
                       JOIN fact_claims AS c ON c.workspace_id = f.workspace_id AND c.fact_id = f.id";
        let mut rows = sqlx::query_as::<_, (String, String, String, String)>(texts).fetch(conn);
        let mut found = BTreeSet::new();
        while let Some((id, category, key, value)) = rows.try_next().await? {
            if !value.is_empty()
                && !self.facts.contains(&id)
                && scrubbed.have(&[fact_form(&category, &key, &value)])
            {
                found.insert(id);
            }
        }
        Ok(found.into_iter().collect())
    }
}

fn but<T: Ord>(rows: BTreeSet<T>, present: &BTreeSet<T>) -> Vec<T> {
    rows.into_iter().filter(|row| !present.contains(row)).collect()
}

/// Destroys in a staged copy what these scrubs destroyed in the present database, and rewrites its file so that nothing
/// of it is left. `present` is `None` if that database cannot be read.
///
/// # Errors
/// [`StoreError::Refused`] if it is not known what a scrub destroyed, or a SQLite error. The copy is of no use then.
pub(crate) async fn repeat(
    db: &Database,
    key: Option<&Key>,
    scrubs: &[AuditRow],
    present: Option<&Present>,
) -> DbResult<()> {
    if scrubs.is_empty() {
        return Ok(());
    }
    let unknown =
        |why: &str| StoreError::Refused(format!("{why}, so it is not known what a scrub destroyed").into());
    let key = key.ok_or_else(|| unknown("the key of the scrubs is lost"))?;
    let workspace = db.workspace_id();
    let of_account = workspace == WorkspaceId::ACCOUNT;
    let file = if of_account { ScrubFile::Account } else { ScrubFile::Workspace };
    {
        let mut conn = db.writing().await?;
        sqlx::query("PRAGMA secure_delete = ON").execute(&mut *conn).await?;
    }
    let mut tx = db.begin_immediate().await?;
    // The name stands for no phrase here: the rows are known already.
    let by_rows = || {
        let name = SubjectName::new("subject").map_err(|_| unknown("the subject has no name"))?;
        DbResult::Ok(ScrubTarget::Subject(name, file))
    };
    let nothing = BTreeSet::new();
    let spared = present.map_or(&nothing, |present| &present.memories);
    for row in scrubs {
        let mode = row.entry.mode.unwrap_or(ScrubMode::Full);
        let logged = ScrubTarget::of_scope(&row.entry.scope, file)
            .ok_or_else(|| unknown("the audit log names a target of a later release"))?;
        let at = micros(row.entry.at);
        let mut repeated = Vec::new();
        match logged {
            LoggedScrub::Target(target) => {
                let of_tier = target.is_tier();
                repeated.push((target, Naming::default()));
                if let Some(present) = present.filter(|_| of_tier) {
                    repeated.push((by_rows()?, present.missing_of_tiers(&mut tx, key).await?));
                }
            }
            LoggedScrub::Subject => {
                let present = present.ok_or_else(|| unknown("the present database cannot be read"))?;
                repeated.push((by_rows()?, present.missing(&mut tx, key, of_account).await?));
            }
        }
        for (target, naming) in repeated {
            let found = ScrubTargets::find_but(&mut tx, workspace, (&target, mode), &naming, spared).await;
            let targets = match found {
                // It was made after the backup.
                Err(DbError::Store(StoreError::NotFound(_))) => continue,
                found => found?,
            };
            texts::of(&mut tx, &targets, key).await?.store(&mut tx, &workspace.to_string(), at).await?;
            targets.destroy(&mut tx, at).await?;
        }
    }
    clean::index_anew(&mut tx, workspace).await?;
    tx.commit().await?;
    clean::clean(db).await
}
