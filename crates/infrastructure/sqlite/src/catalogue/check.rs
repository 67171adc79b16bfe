//! The self-check: SQLite's own integrity checks and checks of this program's rules.

use std::path::{Path, PathBuf};

use inklings_domain::ids::WorkspaceId;
use inklings_files::{PathKind, kind};
use inklings_ports::workspace::catalogue::{CheckFinding, WorkspaceFault};

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::catalogue::{SqliteCatalogue, backup::sets::Source, registry};
use crate::{
    audit, checksum,
    connection::{
        Database, OpenSpec, file_name, probe,
        read_only::{cannot_share, connect_to_read},
    },
    error::{DbError, DbResult},
    layout::has_other_names,
    memory::text_index::{ENTRIES, Index, MESSAGES, PAGES},
    migrate::{Schema, comparable, convert::is_convertible, dump, expected},
};

/// The most pages or texts that a finding names.
const NAMED: usize = 20;

/// Rules as named SQL counts of violating rows; 0 means that the rule holds.
const RULES: &[(&str, &str)] = &[
    (
        "vectors",
        "SELECT count(*) FROM memory_vectors AS v WHERE length(v.vector) <> 4 * v.dimension \
         OR NOT EXISTS (SELECT 1 FROM memories AS m \
                        WHERE m.workspace_id = v.workspace_id AND m.id = v.memory_id AND m.version >= v.version)",
    ),
    (
        "passages",
        "SELECT (SELECT count(*) FROM memory_passages AS p WHERE length(p.vector) <> 4 * p.dimension \
                 OR NOT EXISTS (SELECT 1 FROM memory_vectors AS v WHERE v.workspace_id = p.workspace_id \
                                AND v.memory_id = p.memory_id AND v.model = p.model \
                                AND v.dimension = p.dimension AND v.first_end > 0)) \
              + (SELECT count(*) FROM memory_vectors AS v WHERE v.first_end > 0 AND \
                 (SELECT max(p.ordinal) - count(*) FROM memory_passages AS p WHERE p.workspace_id = v.workspace_id \
                  AND p.memory_id = v.memory_id AND p.model = v.model) IS NOT 1)",
    ),
    (
        "word_codes",
        "SELECT (SELECT count(*) FROM memory_word_codes AS c WHERE NOT EXISTS \
                 (SELECT 1 FROM memories AS m JOIN memory_vectors AS v \
                  ON v.workspace_id = m.workspace_id AND v.memory_id = m.id AND v.model = c.model \
                  WHERE m.seq = c.seq AND v.word_codes > 0 AND length(c.codes) % (8 * v.word_codes) = 0)) \
              + (SELECT count(*) FROM memory_vectors AS v WHERE v.word_codes > 0 AND NOT EXISTS \
                 (SELECT 1 FROM memories AS m JOIN memory_word_codes AS c ON c.seq = m.seq AND c.model = v.model \
                  WHERE m.workspace_id = v.workspace_id AND m.id = v.memory_id))",
    ),
    (
        "embedded_by",
        "SELECT count(*) FROM memories AS m WHERE (m.embedded_by IS NOT NULL) <> \
         EXISTS (SELECT 1 FROM memory_vectors AS v WHERE v.workspace_id = m.workspace_id AND v.memory_id = m.id)",
    ),
    (
        "history",
        "SELECT count(*) FROM memories AS m WHERE m.version - 1 <> \
         (SELECT count(*) FROM memory_versions AS v WHERE v.workspace_id = m.workspace_id AND v.memory_id = m.id)",
    ),
    (
        "journal",
        "SELECT count(*) FROM memories AS m WHERE NOT EXISTS \
         (SELECT 1 FROM journal AS j WHERE j.workspace_id = m.workspace_id AND j.id = m.change_id)",
    ),
    (
        "names",
        "WITH own AS (SELECT scope, name_folded AS folded, id FROM memories \
                      WHERE name_folded IS NOT NULL AND forgotten_at IS NULL \
                      UNION ALL \
                      SELECT m.scope, a.value, m.id FROM memories AS m, json_each(m.aliases_folded) AS a \
                      WHERE m.name_folded IS NOT NULL AND m.forgotten_at IS NULL) \
         SELECT (SELECT count(*) FROM (SELECT * FROM own EXCEPT SELECT scope, folded, memory_id FROM names)) \
              + (SELECT count(*) FROM (SELECT scope, folded, memory_id FROM names EXCEPT SELECT * FROM own))",
    ),
    (
        "proposals",
        "SELECT count(*) FROM proposals AS p WHERE p.kind <> 'new' AND NOT EXISTS \
         (SELECT 1 FROM proposal_subjects AS s WHERE s.workspace_id = p.workspace_id AND s.proposal_id = p.id)",
    ),
];

/// Like [`RULES`], for the account.
const ACCOUNT_RULES: &[(&str, &str)] = &[(
    "beside",
    "SELECT count(*) FROM beside AS b WHERE belongs_to <> 'file' AND NOT EXISTS \
     (SELECT 1 FROM memories AS m WHERE m.workspace_id = b.workspace_id AND m.id = b.row_id)",
)];

/// Rules for the transcripts of a workspace.
const TRANSCRIPT_RULES: &[(&str, &str)] = &[
    (
        "message_vectors",
        "SELECT count(*) FROM message_vectors AS v WHERE length(v.vector) <> 4 * v.dimension \
         OR NOT EXISTS (SELECT 1 FROM messages AS m \
                        WHERE m.workspace_id = v.workspace_id AND m.id = v.message_id)",
    ),
    (
        "message_passages",
        "SELECT (SELECT count(*) FROM message_passages AS p WHERE length(p.vector) <> 4 * p.dimension \
                 OR NOT EXISTS (SELECT 1 FROM message_vectors AS v WHERE v.workspace_id = p.workspace_id \
                                AND v.message_id = p.message_id AND v.model = p.model \
                                AND v.dimension = p.dimension AND v.first_end > 0)) \
              + (SELECT count(*) FROM message_vectors AS v WHERE v.first_end > 0 AND \
                 (SELECT max(p.ordinal) - count(*) FROM message_passages AS p \
                  WHERE p.workspace_id = v.workspace_id AND p.message_id = v.message_id AND p.model = v.model) \
                 IS NOT 1)",
    ),
    (
        "message_word_codes",
        "SELECT (SELECT count(*) FROM message_word_codes AS c WHERE NOT EXISTS \
                 (SELECT 1 FROM messages AS m JOIN message_vectors AS v \
                  ON v.workspace_id = m.workspace_id AND v.message_id = m.id AND v.model = c.model \
                  WHERE m.seq = c.seq AND v.word_codes > 0 AND length(c.codes) % (8 * v.word_codes) = 0)) \
              + (SELECT count(*) FROM message_vectors AS v WHERE v.word_codes > 0 AND NOT EXISTS \
                 (SELECT 1 FROM messages AS m JOIN message_word_codes AS c ON c.seq = m.seq AND c.model = v.model \
                  WHERE m.workspace_id = v.workspace_id AND m.id = v.message_id))",
    ),
    (
        "message_index_count",
        "SELECT abs((SELECT count(*) FROM messages) - (SELECT count(*) FROM messages_fts_docsize))",
    ),
    (
        "message_positions",
        "SELECT count(*) FROM conversations AS c WHERE c.last_position < \
         coalesce((SELECT max(m.position) FROM messages AS m \
                   WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id), 0)",
    ),
    (
        "deleted_conversations",
        "SELECT count(*) FROM conversations AS c WHERE c.deleted_at IS NOT NULL AND EXISTS \
         (SELECT 1 FROM messages AS m WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id)",
    ),
    (
        "kept_of_deleted_conversations",
        "SELECT count(*) FROM conversations AS c WHERE c.deleted_at IS NOT NULL AND (EXISTS \
         (SELECT 1 FROM orientations AS o WHERE o.conversation_id = c.id AND o.workspace_id = c.workspace_id) \
         OR EXISTS \
         (SELECT 1 FROM reads AS r WHERE r.conversation_id = c.id AND r.workspace_id = c.workspace_id) \
         OR EXISTS \
         (SELECT 1 FROM persists AS p WHERE p.workspace_id = c.workspace_id AND p.conversation_id = c.id))",
    ),
    (
        "fact_history",
        "SELECT count(*) FROM facts AS f WHERE f.version - 1 <> \
         (SELECT count(*) FROM fact_values AS v WHERE v.workspace_id = f.workspace_id AND v.fact_id = f.id)",
    ),
    // Two facts of a key that hold at one time, and facts with the key that an import gives them until it is done.
    (
        "fact_times",
        "SELECT (SELECT count(*) FROM facts WHERE key_folded = char(1) || id) + (SELECT count(*) FROM facts AS a \
         JOIN facts AS b ON b.workspace_id = a.workspace_id AND b.category_folded = a.category_folded \
           AND b.key_folded = a.key_folded AND b.id > a.id AND b.removed_at IS NULL \
           AND (a.holds_from IS NULL OR b.holds_until IS NULL OR iif(a.holds_from % 10000 = 0, a.holds_from + 1, \
                a.holds_from) <= iif(b.holds_until % 10000 = 0, b.holds_until + 8640, b.holds_until)) \
           AND (b.holds_from IS NULL OR a.holds_until IS NULL OR iif(b.holds_from % 10000 = 0, b.holds_from + 1, \
                b.holds_from) <= iif(a.holds_until % 10000 = 0, a.holds_until + 8640, a.holds_until)) \
         WHERE a.removed_at IS NULL)",
    ),
    (
        "beside",
        "SELECT count(*) FROM beside AS b WHERE belongs_to <> 'file' AND CASE belongs_to \
         WHEN 'channels' THEN NOT EXISTS \
         (SELECT 1 FROM channels AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         WHEN 'conversations' THEN NOT EXISTS \
         (SELECT 1 FROM conversations AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         WHEN 'memories' THEN NOT EXISTS \
         (SELECT 1 FROM memories AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         WHEN 'messages' THEN NOT EXISTS \
         (SELECT 1 FROM messages AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         WHEN 'episodes' THEN NOT EXISTS \
         (SELECT 1 FROM episodes AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         WHEN 'facts' THEN NOT EXISTS \
         (SELECT 1 FROM facts AS t WHERE t.workspace_id = b.workspace_id AND t.id = b.row_id) \
         ELSE NOT EXISTS (SELECT 1 FROM scratchpads AS t WHERE t.workspace_id = b.workspace_id \
                          AND t.conversation_id = substr(b.row_id, 1, 36) AND t.key = substr(b.row_id, 38)) END",
    ),
];

/// Rules for the pages of a workspace.
const PAGE_RULES: &[(&str, &str)] = &[
    (
        "page_vectors",
        "SELECT (SELECT count(*) FROM page_vectors WHERE length(vector) <> 4 * dimension) \
              + (SELECT count(*) FROM page_passages AS p WHERE NOT EXISTS \
                 (SELECT 1 FROM page_vectors AS v WHERE v.workspace_id = p.workspace_id AND v.page_id = p.page_id \
                  AND v.model = p.model AND v.dimension = p.dimension AND v.first_end > 0))",
    ),
    (
        "page_parts",
        "SELECT count(*) FROM page_blocks AS b JOIN pages AS p ON p.seq = b.page \
         WHERE b.ends > octet_length(p.content)",
    ),
];

struct Report {
    file: String,
    findings: Vec<CheckFinding>,
}

impl Report {
    fn add(&mut self, check: &str, ok: bool, result: impl Into<String>) {
        let result = if ok { "ok".to_owned() } else { result.into() };
        self.findings.push(CheckFinding { file: self.file.clone(), check: check.to_owned(), result, ok });
    }

    /// Adds the result of a check, or the reason why it failed to run.
    fn add_result(&mut self, check: &str, found: DbResult<Option<String>>) {
        match found {
            Ok(None) => self.add(check, true, ""),
            Ok(Some(trouble)) => self.add(check, false, trouble),
            // A full disk is not damage: reports the incomplete check without counting it as a fault.
            Err(error) if error.is_full() || cannot_share(&error) => self.findings.push(CheckFinding {
                file: self.file.clone(),
                check: check.to_owned(),
                result: "not checked: the disk is full or cannot be written".to_owned(),
                ok: true,
            }),
            Err(error) => self.add(check, false, error.into_store(&self.file).to_string()),
        }
    }
}

impl SqliteCatalogue {
    /// Checks every database, and that the registry and the folders agree. A file that cannot be opened is a
    /// finding, not an error. With `repair`, rebuilds full-text indexes that differ from their texts.
    pub(super) async fn check_all(&self, repair: bool) -> DbResult<Vec<CheckFinding>> {
        if self.is_writable() {
            let _lock = self.lock().await?;
            self.finish_restore().await?;
        }
        let mut findings = self.check_paths();
        findings.extend(self.find_links()?);
        findings.extend(self.check_file(&Source::account(), repair).await);
        let listed = self.listed().await;
        let folders = self.folders_if_any()?;
        // Without the account there is no registry, which is a finding already.
        let damaged = self.find_damaged().await.unwrap_or_default();
        let mut ids: Vec<WorkspaceId> = listed.iter().chain(&folders).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let folder = self.layout.workspace(id);
            let agreement = match (listed.contains(&id), folders.contains(&id)) {
                (true, false) => Some("listed, but its folder is missing"),
                (false, true) => Some("a folder that is not on the list"),
                _ => None,
            };
            let mut report = Report { file: self.layout.shown(&folder), findings: Vec::new() };
            report.add("registry", agreement.is_none(), agreement.unwrap_or_default());
            if let Some(found) = damaged.iter().find(|found| found.id == id) {
                report.add("workspace", false, fault(found.fault));
            }
            if !listed.contains(&id) && self.has_unexpected_schema(id).await.is_ok_and(|found| found) {
                // A third-party trigger could act on anything written while the file is open.
                report.add("schema", false, "there is something in it that is not of this program");
                findings.append(&mut report.findings);
                continue;
            }
            findings.append(&mut report.findings);
            if folders.contains(&id) {
                for source in Source::of_workspace(id) {
                    findings.extend(self.check_file(&source, repair).await);
                }
            }
        }
        Ok(findings)
    }

    /// Finds paths other than databases with something of the wrong kind in their place; also lists the files
    /// in quarantine.
    fn check_paths(&self) -> Vec<CheckFinding> {
        let layout = &self.layout;
        let (backups, root) = (layout.backups(), layout.root());
        let mut files =
            vec![layout.lock(), layout.account_marker(), backups.join(".lock"), layout.scrub_key()];
        let folders = [
            (layout.workspaces(), false),
            (layout.trash(), false),
            (backups, false),
            (self.sets(), false),
            (layout.quarantine(), false),
            (layout.restoring(), false),
            (layout.purging(), true),
            (layout.renaming(), true),
            (layout.importing(), true),
            (layout.changing(), true),
        ];
        let mut findings = Vec::new();
        let mut look = |path: &Path, looked: std::io::Result<()>| {
            if let Err(error) = looked {
                let mut report = Report { file: layout.shown(path), findings: Vec::new() };
                let check = if matches!(kind(path), Ok(Some(PathKind::Link))) { "link" } else { "path" };
                report.add(check, false, DbError::from(error).into_store(&file_name(path)).to_string());
                findings.append(&mut report.findings);
            }
        };
        for (folder, holds_files) in folders {
            match inklings_files::folder(&folder) {
                Ok(true) if holds_files => files.extend(inklings_files::entries(&folder).unwrap_or_default()),
                looked => look(&folder, looked.map(drop)),
            }
        }
        for path in files {
            look(
                &path,
                inklings_files::folders_to(root, &path).and_then(|()| inklings_files::file(&path).map(drop)),
            );
        }
        for path in self.plans_set_aside().unwrap_or_default() {
            findings.push(CheckFinding {
                file: layout.shown(&path),
                check: "restore_plan".to_owned(),
                result: "could not be read and was set aside; `backup purge` destroys it".to_owned(),
                ok: true,
            });
        }
        findings
    }

    async fn listed(&self) -> Vec<WorkspaceId> {
        let Ok(account) = self.open_account(&mut *self.open.lock().await).await else { return Vec::new() };
        let listed = registry::rows(&account.db).await.unwrap_or_default();
        listed.into_iter().map(|row| row.id).collect()
    }

    /// The folders of workspaces; none if something else is in their place, which is a separate finding.
    fn folders_if_any(&self) -> DbResult<Vec<WorkspaceId>> {
        match self.folders() {
            Err(error) if error.is_wrong_kind() => Ok(Vec::new()),
            folders => folders,
        }
    }

    /// Finds links in the places of databases and of workspace folders. Symbolic links are not followed.
    /// Writes through a hard link bypass the log.
    fn find_links(&self) -> DbResult<Vec<CheckFinding>> {
        let ids = self.folders_if_any()?;
        let files = ids.iter().copied().flat_map(Source::of_workspace).chain([Source::account()]);
        let mut paths: Vec<PathBuf> = files.map(|source| self.layout.root().join(source.path)).collect();
        paths.extend(ids.iter().map(|id| self.layout.workspace(*id)));
        let mut findings = Vec::new();
        for path in paths {
            let mut report = Report { file: self.layout.shown(&path), findings: Vec::new() };
            if kind(&path)? == Some(PathKind::Link) {
                report.add("link", false, "it is a link, which is not followed");
            } else if has_other_names(&path) {
                report.add(
                    "link",
                    false,
                    "the file has another name as well; what is written by that name can damage it",
                );
            }
            findings.append(&mut report.findings);
        }
        Ok(findings)
    }

    /// True if a workspace's folder holds a database with a trigger, table or view that this program did not
    /// create. Writes nothing.
    pub(super) async fn has_unexpected_schema(&self, id: WorkspaceId) -> DbResult<bool> {
        for source in Source::of_workspace(id) {
            let path = self.place_of(&source)?;
            let version = match probe::version_of(&path, source.schema, id).await {
                Err(DbError::ForeignSchema) => return Ok(true),
                version => version?,
            };
            let Some(version) = version else { continue };
            let mut conn = connect_to_read(&path).await?;
            let differs = schema_differs(&mut conn, source.schema, version).await;
            conn.close().await?;
            if differs?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn check_file(&self, source: &Source, repair: bool) -> Vec<CheckFinding> {
        let path = self.layout.root().join(&source.path);
        let Source { schema, workspace, .. } = *source;
        let mut report = Report { file: self.layout.shown(&path), findings: Vec::new() };
        // Uses a separate connection: the check must not wait for databases that are open elsewhere, nor keep
        // them open.
        let spec = OpenSpec {
            path: path.clone(),
            schema,
            workspace,
            create: workspace == WorkspaceId::ACCOUNT && !self.has_account_trace().unwrap_or(true),
            writable: self.is_writable(),
        };
        let lock = self.lock().await;
        let opened = match self.layout.look_on_the_way(&path) {
            Ok(()) => Database::open_or_read_only(spec).await,
            Err(error) => Err(error),
        };
        let opened = opened.map_err(|error| error.into_store(&file_name(&path)));
        drop(lock);
        match opened {
            Ok(db) => {
                report.add("open", true, "");
                check_database(&db, schema, &mut report).await;
                if source.is_memory() {
                    check_memory(&db, schema, repair, &mut report).await;
                } else {
                    check_index(&db, "page_index", &PAGES, repair, &mut report).await;
                    for (name, rule) in PAGE_RULES {
                        report.add_result(name, number(&db, rule, 0).await);
                    }
                }
                db.close().await;
            }
            Err(error) => report.add("open", false, error.to_string()),
        }
        report.findings
    }
}

/// Why a workspace cannot be opened, for users.
const fn fault(fault: WorkspaceFault) -> &'static str {
    match fault {
        WorkspaceFault::Name => "its name is not allowed; `workspace rename` gives it another",
        WorkspaceFault::Missing => "its folder or a database in it is missing",
        WorkspaceFault::Damaged => "a database of it is damaged",
        WorkspaceFault::OtherWorkspace => "its folder holds another workspace",
        WorkspaceFault::ForeignSchema => {
            "a database of it holds a trigger or view that is not of this program"
        }
        WorkspaceFault::Newer => "a newer version of Inklings wrote it",
        WorkspaceFault::Older => "an older version of Inklings wrote it than this one reads",
        WorkspaceFault::Link => "its folder or a database in it is a link, which is not followed",
    }
}

async fn check_database(db: &Database, schema: &Schema, report: &mut Report) {
    report.add_result("integrity_check", on(db, async |conn| damaged_pages(conn, NAMED).await).await);
    report.add_result("foreign_key_check", foreign_keys(db).await);
    report.add_result("application_id", number(db, "PRAGMA application_id", schema.application_id).await);
    report.add_result("user_version", number(db, "PRAGMA user_version", schema.version()).await);
    if !db.is_read_only() {
        report.add_result("journal_mode", lines(db, "PRAGMA journal_mode", "wal").await);
    }
    report.add_result(
        "schema",
        on(db, async |conn| schema_differs(conn, schema, schema.version()).await).await,
    );
}

/// Runs a check on a reading connection.
async fn on(
    db: &Database,
    check: impl AsyncFnOnce(&mut SqliteConnection) -> DbResult<Option<String>>,
) -> DbResult<Option<String>> {
    check(&mut *db.reader().acquire().await?).await
}

/// Describes the damage of a database: wrong owner, damaged pages, damaged texts. Every caller that declares
/// a file intact uses this check.
pub(super) async fn damage(conn: &mut SqliteConnection, source: &Source) -> DbResult<Option<String>> {
    probe::refuse_other_owner(conn, source.workspace).await?;
    match damaged_pages(conn, 1).await? {
        None => damaged_texts(conn, source.schema).await,
        found => Ok(found),
    }
}

/// The problems that SQLite finds, at most `most`.
pub(super) async fn damaged_pages(conn: &mut SqliteConnection, most: usize) -> DbResult<Option<String>> {
    // A savepoint, because a caller may be in a transaction.
    sqlx::query("SAVEPOINT looked").execute(&mut *conn).await?;
    let found = pages_in_one_view(conn, most).await;
    sqlx::query("RELEASE looked").execute(&mut *conn).await?;
    let found = found?.join("; ");
    Ok((found != "ok").then_some(found))
}

async fn pages_in_one_view(conn: &mut SqliteConnection, most: usize) -> DbResult<Vec<String>> {
    let indexes = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'";
    let indexes: Vec<String> = sqlx::query_scalar(indexes).fetch_all(&mut *conn).await?;
    for name in indexes {
        // A connection remembers the segments of a full-text index. The check does not notice that another connection has
        // written since, and takes a segment that was merged away for damage. A read notices.
        let read = AssertSqlSafe(format!("SELECT rowid FROM \"{name}\" LIMIT 1"));
        if sqlx::query(read).fetch_optional(&mut *conn).await.is_err() {
            // The check says what is wrong with it.
            tracing::debug!(index = name, "an index cannot be read");
        }
    }
    // The pragma takes no bound values, and the number is not user input.
    let pragma = AssertSqlSafe(format!("PRAGMA integrity_check({most})"));
    Ok(sqlx::query_scalar(pragma).fetch_all(&mut *conn).await?)
}

/// The ids of entries and versions with an invalid checksum. None in a file of a release that is no longer
/// supported.
pub(super) async fn damaged_texts(conn: &mut SqliteConnection, schema: &Schema) -> DbResult<Option<String>> {
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *conn).await?;
    if !schema.holds_memory || version < schema.oldest_version() {
        return Ok(None);
    }
    let found = checksum::damaged(conn).await?;
    let more = if found.len() > NAMED { " and more" } else { "" };
    let named = found[..found.len().min(NAMED)].join(", ");
    Ok((!found.is_empty()).then(|| format!("{} not as they were written: {named}{more}", found.len())))
}

async fn check_memory(db: &Database, schema: &Schema, repair: bool, report: &mut Report) {
    check_index(db, "full_text_index", &ENTRIES, repair, report).await;
    report.add_result("checksums", on(db, async |conn| damaged_texts(conn, schema).await).await);
    for (name, rule) in RULES {
        report.add_result(name, number(db, rule, 0).await);
    }
    report.add_result("audit_chain", audit_chain(db).await);
    if db.workspace_id() == WorkspaceId::ACCOUNT {
        for (name, rule) in ACCOUNT_RULES {
            report.add_result(name, number(db, rule, 0).await);
        }
        return;
    }
    check_index(db, "message_index", &MESSAGES, repair, report).await;
    for (name, rule) in TRANSCRIPT_RULES {
        report.add_result(name, number(db, rule, 0).await);
    }
}

async fn lines(db: &Database, pragma: &'static str, well: &str) -> DbResult<Option<String>> {
    let found: Vec<String> = sqlx::query_scalar(pragma).fetch_all(&db.reader()).await?;
    let found = found.join("; ");
    Ok((found != well).then_some(found))
}

async fn number(db: &Database, statement: &'static str, well: i64) -> DbResult<Option<String>> {
    let found: i64 = sqlx::query_scalar(statement).fetch_one(&db.reader()).await?;
    Ok((found != well).then(|| format!("{found}, expected {well}")))
}

async fn foreign_keys(db: &Database) -> DbResult<Option<String>> {
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&db.reader()).await?.len();
    Ok((broken > 0).then(|| format!("{broken} rows refer to something that is not there")))
}

async fn check_index(db: &Database, check: &str, index: &Index, repair: bool, report: &mut Report) {
    if db.is_read_only() {
        return;
    }
    let agrees = async || Ok::<_, DbError>((!index.agrees(db).await?).then(|| OUT_OF_TOUCH.to_owned()));
    let found = agrees().await;
    if !repair || !matches!(found, Ok(Some(_))) {
        return report.add_result(check, found);
    }
    match async { index.make_anew(db).await.and(agrees().await) }.await {
        Ok(None) => report.findings.push(CheckFinding {
            file: report.file.clone(),
            check: check.to_owned(),
            result: format!("{OUT_OF_TOUCH}; it was made anew"),
            ok: true,
        }),
        left => report.add_result(check, left),
    }
}

const OUT_OF_TOUCH: &str = "the index and the texts disagree";

async fn audit_chain(db: &Database) -> DbResult<Option<String>> {
    let chain = audit::verified(db).await?;
    Ok(chain.broken_at.map(|row| format!("the audit log was tampered with at row {row}")))
}

/// The objects that differ from the schema of this version.
async fn schema_differs(
    conn: &mut SqliteConnection,
    schema: &Schema,
    version: i64,
) -> DbResult<Option<String>> {
    let found = dump(conn).await?;
    if version < schema.first_version {
        return Ok(
            (!is_convertible(&found, schema)).then(|| "not as the release made it that wrote it".to_owned())
        );
    }
    let (found, wanted) = (comparable(&found), comparable(&expected(schema, version).await?));
    let missing = wanted.iter().filter(|object| !found.contains(object)).count();
    let extra = found.iter().filter(|object| !wanted.contains(object)).count();
    Ok((missing + extra > 0).then(|| format!("{missing} objects missing or changed, {extra} unknown")))
}
