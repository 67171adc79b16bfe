//! The database schemas and their migrations. Each step and its `user_version` are one transaction, so a kill
//! during a step leaves the previous version.

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

mod beginnings;
pub mod convert;

use crate::{checksum, error::DbResult, functions::scoring};

/// The statements that lead from one version of a schema to the next.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// SQL texts, in order.
    pub texts: &'static [&'static str],
    /// The replacement of each placeholder in braces: two files share a text that differs in a few places.
    pub words: &'static [(&'static str, &'static str)],
}

impl Migration {
    /// The SQL with all placeholders replaced.
    pub fn sql(&self) -> String {
        let sql = self.texts.join("\n");
        self.words.iter().fold(sql, |sql, (word, stands_for)| sql.replace(word, stands_for))
    }
}

/// The schema of a kind of database file.
#[derive(Debug)]
pub struct Schema {
    /// The application id in the file's header; identifies the kind of file.
    pub application_id: i64,
    /// The `user_version` of a file after the first migration only.
    pub first_version: i64,
    /// The migrations, in order.
    pub migrations: &'static [Migration],
    /// True if it holds entries with checksums.
    pub holds_memory: bool,
    /// The fingerprint of the schema one version before the first, if such a file is converted (ADR 24).
    pub converts: Option<&'static str>,
    /// What all migrations of the release make.
    pub newest: Snapshot,
}

/// A schema after a number of migrations.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot {
    /// The number of migrations.
    pub migrations: usize,
    /// The statements that make it in an empty file: its objects in the order in which the migrations leave them, each table
    /// followed by its first rows.
    pub sql: &'static str,
}

impl Schema {
    /// The newest version that this release knows.
    pub const fn version(&self) -> i64 {
        self.first_version + self.migrations.len() as i64 - 1
    }

    /// The statements of the newest version, each without its semicolon.
    pub fn statements(&self) -> impl Iterator<Item = &'static str> {
        self.newest.sql.split_terminator(";\n\n")
    }

    /// True if this is the version of the snapshot.
    const fn has_snapshot_of(&self, version: i64) -> bool {
        version == self.version() && self.newest.migrations == self.migrations.len()
    }

    /// The oldest version that this release reads.
    pub const fn oldest_version(&self) -> i64 {
        if self.converts.is_some() { self.first_version - 1 } else { self.first_version }
    }
}

/// The placeholders of `migrations/memory` in the account's file.
const ACCOUNT_WORDS: &[(&str, &str)] = &[
    ("{owner}", "="),
    ("{tiers}", "= 'account'"),
    ("{places}", "CHECK (channel_id IS NULL AND conversation_id IS NULL)"),
    ("{channel_keys}", ""),
    ("{own_file}", ""),
    ("{of_the_author}", "NEW.curator <> 'agent' OR NEW.name IS NOT NULL OR NEW.pinned = 1"),
    ("{moved}", "NEW.channel_id IS NOT OLD.channel_id"),
    ACCOUNT_OFF,
    ACCOUNT_OFF_FOR,
    ("{carried}", "'file', 'memories'"),
    ("{proposed}", "'account'"),
];

/// The placeholders of `migrations/memory` in a workspace's file.
const WORKSPACE_WORDS: &[(&str, &str)] = &[
    ("{owner}", "<>"),
    ("{tiers}", "IN ('workspace', 'channel', 'conversation')"),
    (
        "{places}",
        "CHECK ((scope = 'workspace') = (channel_id IS NULL)),
  CHECK ((scope = 'conversation') = (conversation_id IS NOT NULL))",
    ),
    (
        "{channel_keys}",
        ",
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id),
  FOREIGN KEY (workspace_id, channel_id, conversation_id)
    REFERENCES conversations (workspace_id, channel_id, id) ON UPDATE CASCADE",
    ),
    (
        "{own_file}",
        "
  SELECT RAISE(ABORT, 'refused: this file belongs to another workspace')
  WHERE NEW.workspace_id IS NOT (SELECT workspace_id FROM meta);",
    ),
    (
        "{of_the_author}",
        "NEW.curator <> 'agent' OR NEW.pinned = 1 OR (NEW.name IS NOT NULL AND NEW.kind <> 'archive')",
    ),
    WORKSPACE_MOVED,
    WORKSPACE_OFF,
    WORKSPACE_OFF_FOR,
    (
        "{carried}",
        "'file', 'channels', 'conversations', 'memories', 'messages', 'episodes', 'facts', 'scratchpads'",
    ),
    ("{proposed}", "'workspace'"),
];

/// A moved conversation moves its entries to the other channel; a dissolved channel moves its own.
const WORKSPACE_MOVED: (&str, &str) = (
    "{moved}",
    "(NEW.channel_id IS NOT OLD.channel_id AND NOT EXISTS (
        SELECT 1 FROM conversations
        WHERE workspace_id = NEW.workspace_id AND channel_id = NEW.channel_id AND id = NEW.conversation_id)
      AND NOT EXISTS (
        SELECT 1 FROM channels
        WHERE workspace_id = OLD.workspace_id AND id = OLD.channel_id AND dissolved_into = NEW.channel_id))",
);

/// Titles and keys of entries, in both files that hold entries.
const TITLES: &[&str] = &[include_str!("../../../../migrations/memory/0002_titles.sql")];

/// Vectors of passages, in both files that hold entries.
const PASSAGES: &str = include_str!("../../../../migrations/memory/0004_passages.sql");

/// The full-text index of entries with the tokenizer `inklings`, in both files that hold entries.
const UNSPACED: &str = include_str!("../../../../migrations/memory/0005_unspaced.sql");

/// Subjects and links of entries, in both files that hold entries.
const SUBJECTS: &str = include_str!("../../../../migrations/memory/0006_subjects.sql");

/// The speakers of entries, in both files that hold entries.
const SPEAKERS: &str = include_str!("../../../../migrations/memory/0007_speakers.sql");

/// Story time and calendars of entries, in both files that hold entries.
const STORY_TIME: &str = include_str!("../../../../migrations/memory/0008_story_time.sql");

/// The time of facts in the story, in a workspace's file.
const FACT_SPANS: &str = include_str!("../../../../migrations/workspace/0009_fact_spans.sql");

/// Who knows of entries, in both files that hold entries.
const KNOWN_BY: &str = include_str!("../../../../migrations/memory/0009_known_by.sql");

/// What entries were made of, in both files that hold entries.
const DERIVATIONS: &str = include_str!("../../../../migrations/memory/0010_derivations.sql");

/// The codes of words, in both files that hold entries.
const WORD_CODES: &str = include_str!("../../../../migrations/memory/0011_word_codes.sql");

/// The memory switch of the account's file is set for each change.
const ACCOUNT_OFF: (&str, &str) = ("{memory_off}", "memory_switch WHERE enabled = 0");
/// Changes of the worldbuilder are not held up by it.
const ACCOUNT_OFF_FOR: (&str, &str) = (
    "{of_an_agent}",
    "\n  AND EXISTS (SELECT 1 FROM journal
              WHERE sequence = (SELECT max(sequence) FROM journal) AND hand IN ('agent', 'system'))",
);
const WORKSPACE_OFF: (&str, &str) = ("{memory_off}", "memory_off");
const WORKSPACE_OFF_FOR: (&str, &str) = ("{of_an_agent}", "");

// `ACCOUNT_LATER`, `WORKSPACE_LATER` and `WORLD_LATER`: the migrations from the number 0100 on, in order, listed by the build
// script.
include!(concat!(env!("OUT_DIR"), "/later_migrations.rs"));

/// The migrations that are listed here, and behind them the later ones, of which there are `N` together.
pub(crate) const fn joined<const N: usize>(listed: &[Migration], later: &[Migration]) -> [Migration; N] {
    let mut all = [listed[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < listed.len() { listed[at] } else { later[at - listed.len()] };
        at += 1;
    }
    all
}

const ACCOUNT_LISTED: &[Migration] = &[
    Migration {
        texts: &[
            include_str!("../../../../migrations/memory/entries.sql"),
            include_str!("../../../../migrations/memory/guards.sql"),
            include_str!("../../../../migrations/memory/records.sql"),
            include_str!("../../../../migrations/account/0001_account.sql"),
        ],
        words: ACCOUNT_WORDS,
    },
    Migration { texts: TITLES, words: &[ACCOUNT_OFF, ACCOUNT_OFF_FOR] },
    Migration { texts: &[PASSAGES], words: &[("{owner}", "=")] },
    Migration { texts: &[UNSPACED], words: &[] },
    Migration { texts: &[SUBJECTS], words: &[("{owner}", "="), ACCOUNT_OFF, ACCOUNT_OFF_FOR] },
    Migration { texts: &[SPEAKERS], words: &[] },
    Migration { texts: &[STORY_TIME], words: &[ACCOUNT_OFF, ACCOUNT_OFF_FOR] },
    Migration { texts: &[KNOWN_BY], words: &[("{owner}", "=")] },
    Migration { texts: &[DERIVATIONS], words: &[("{owner}", "=")] },
    Migration { texts: &[include_str!("../../../../migrations/account/0002_token_usage.sql")], words: &[] },
    Migration { texts: &[WORD_CODES], words: &[] },
];

/// The account's `agents.db`; its id reads `InkA`.
pub const ACCOUNT: Schema = Schema {
    application_id: 0x496e_6b41,
    first_version: 10,
    migrations: &joined::<{ ACCOUNT_LISTED.len() + ACCOUNT_LATER.len() }>(ACCOUNT_LISTED, ACCOUNT_LATER),
    holds_memory: true,
    converts: Some("a4f5f8e0fb9be1719f6b428ef921e28a1c48d7638bf0ccef4d34a4c5b596abdf"),
    newest: Snapshot {
        migrations: ACCOUNT_LISTED.len() + ACCOUNT_LATER.len(),
        sql: include_str!("../schema/account.sql"),
    },
};

const WORKSPACE_LISTED: &[Migration] = &[
    Migration {
        texts: &[
            include_str!("../../../../migrations/memory/entries.sql"),
            include_str!("../../../../migrations/memory/guards.sql"),
            include_str!("../../../../migrations/memory/records.sql"),
            include_str!("../../../../migrations/workspace/0001_channels.sql"),
            include_str!("../../../../migrations/workspace/0001_messages.sql"),
            include_str!("../../../../migrations/workspace/0001_runs.sql"),
            include_str!("../../../../migrations/workspace/0001_memory_switch.sql"),
        ],
        words: WORKSPACE_WORDS,
    },
    Migration { texts: TITLES, words: &[WORKSPACE_OFF, WORKSPACE_OFF_FOR] },
    Migration { texts: &[include_str!("../../../../migrations/workspace/0003_checksums.sql")], words: &[] },
    Migration {
        texts: &[PASSAGES, include_str!("../../../../migrations/workspace/0004_message_passages.sql")],
        words: &[("{owner}", "<>")],
    },
    Migration {
        texts: &[UNSPACED, include_str!("../../../../migrations/workspace/0005_messages_unspaced.sql")],
        words: &[],
    },
    Migration {
        texts: &[SUBJECTS, include_str!("../../../../migrations/workspace/0006_orientation_subjects.sql")],
        words: &[("{owner}", "<>"), WORKSPACE_OFF, WORKSPACE_OFF_FOR],
    },
    Migration {
        texts: &[SPEAKERS, include_str!("../../../../migrations/workspace/0007_message_speakers.sql")],
        words: &[],
    },
    Migration { texts: &[STORY_TIME], words: &[WORKSPACE_OFF, WORKSPACE_OFF_FOR] },
    Migration { texts: &[FACT_SPANS], words: &[] },
    Migration {
        texts: &[KNOWN_BY, include_str!("../../../../migrations/workspace/0009_lens.sql")],
        words: &[("{owner}", "<>")],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0010_recall_tests.sql")],
        words: &[],
    },
    Migration { texts: &[include_str!("../../../../migrations/workspace/0011_drift.sql")], words: &[] },
    Migration { texts: &[include_str!("../../../../migrations/workspace/0012_review.sql")], words: &[] },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0013_agent_telemetry.sql")],
        words: &[],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0014_orientation_pages.sql")],
        words: &[],
    },
    Migration {
        texts: &[DERIVATIONS, include_str!("../../../../migrations/workspace/0015_page_drifts.sql")],
        words: &[("{owner}", "<>")],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0016_revision_runs.sql")],
        words: &[],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0017_conversations.sql")],
        words: &[],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0018_moves.sql")],
        words: &[WORKSPACE_MOVED],
    },
    Migration {
        texts: &[include_str!("../../../../migrations/workspace/0019_saved_searches.sql")],
        words: &[],
    },
    Migration { texts: &[include_str!("../../../../migrations/workspace/0020_attachments.sql")], words: &[] },
    Migration {
        texts: &[WORD_CODES, include_str!("../../../../migrations/workspace/0021_message_word_codes.sql")],
        words: &[],
    },
];

/// A workspace's `agents.db`; its id reads `InkW`.
pub const WORKSPACE: Schema = Schema {
    application_id: 0x496e_6b57,
    first_version: 16,
    migrations: &joined::<{ WORKSPACE_LISTED.len() + WORKSPACE_LATER.len() }>(
        WORKSPACE_LISTED,
        WORKSPACE_LATER,
    ),
    holds_memory: true,
    converts: Some("43ab8973e159edfcd7675b05b50a684b7c4f2eda7f2326293e336ee5ed46801f"),
    newest: Snapshot {
        migrations: WORKSPACE_LISTED.len() + WORKSPACE_LATER.len(),
        sql: include_str!("../schema/workspace.sql"),
    },
};

const WORLD_LISTED: &[Migration] = &[
    Migration { texts: &[include_str!("../../../../migrations/world/0001_meta.sql")], words: &[] },
    Migration { texts: &[include_str!("../../../../migrations/world/0002_vaults.sql")], words: &[] },
    Migration { texts: &[include_str!("../../../../migrations/world/0003_page_order.sql")], words: &[] },
];

/// A workspace's `inklings.db`, the world's own content; its id reads `InkC`.
pub const WORLD: Schema = Schema {
    application_id: 0x496e_6b43,
    first_version: 1,
    migrations: &joined::<{ WORLD_LISTED.len() + WORLD_LATER.len() }>(WORLD_LISTED, WORLD_LATER),
    holds_memory: false,
    converts: None,
    newest: Snapshot {
        migrations: WORLD_LISTED.len() + WORLD_LATER.len(),
        sql: include_str!("../schema/world.sql"),
    },
};

/// Migrates a file from version `from` to the newest; 0 is an empty file.
///
/// # Errors
/// A SQLite or conversion error; the file then has the last version that succeeded.
pub async fn migrate(conn: &mut SqliteConnection, schema: &Schema, mut from: i64) -> DbResult<()> {
    if from == 0 {
        return make(conn, schema, schema.version()).await;
    }
    if from < schema.first_version {
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        convert::convert(&mut tx, schema).await?;
        stamp(&mut tx, schema, schema.first_version).await?;
        tx.commit().await?;
        from = schema.first_version;
    }
    take_steps(conn, schema, from, schema.version()).await
}

/// Makes a version in an empty file, by its statements if there are any.
async fn make(conn: &mut SqliteConnection, schema: &Schema, version: i64) -> DbResult<()> {
    if schema.has_snapshot_of(version) {
        create(conn, schema).await
    } else {
        take_steps(conn, schema, 0, version).await
    }
}

/// Makes the newest version in an empty file. All migrations one after another would make the same file, but every one of them that
/// changes a table has SQLite parse all triggers anew, which takes several times as long.
async fn create(conn: &mut SqliteConnection, schema: &Schema) -> DbResult<()> {
    let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::raw_sql(schema.newest.sql).execute(&mut *tx).await?;
    stamp(&mut tx, schema, schema.version()).await?;
    tx.commit().await?;
    Ok(())
}

async fn take_steps(conn: &mut SqliteConnection, schema: &Schema, from: i64, to: i64) -> DbResult<()> {
    let taken = take_each(conn, schema, from, to).await;
    sqlx::raw_sql("PRAGMA ignore_check_constraints = OFF").execute(conn).await?;
    taken
}

async fn take_each(conn: &mut SqliteConnection, schema: &Schema, from: i64, to: i64) -> DbResult<()> {
    for (version, migration) in (schema.first_version..=to).zip(schema.migrations) {
        if version <= from {
            continue;
        }
        // Adding a column tests every row by every CHECK. A damaged row may violate one; the check reports it later.
        sqlx::raw_sql("PRAGMA ignore_check_constraints = ON").execute(&mut *conn).await?;
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        let sealed = checksum::tables_with(&mut tx).await?;
        let cut = beginnings::tables_with(&mut tx).await?;
        // The program's own statements.
        sqlx::raw_sql(AssertSqlSafe(migration.sql())).execute(&mut *tx).await?;
        beginnings::mark_standing(&mut tx, &cut).await?;
        // A row without a checksum counts as damaged. So the rows that stand get theirs in the transaction that adds the
        // column: no reader ever sees one without.
        checksum::seal_standing(&mut tx, &sealed).await?;
        stamp(&mut tx, schema, version).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn stamp(conn: &mut SqliteConnection, schema: &Schema, version: i64) -> DbResult<()> {
    let stamp = format!("PRAGMA application_id = {}; PRAGMA user_version = {version}", schema.application_id);
    // Pragmas take no bound values, and both numbers are the program's own.
    sqlx::raw_sql(AssertSqlSafe(stamp)).execute(conn).await?;
    Ok(())
}

/// Every object of a schema as SQLite stores it, sorted.
pub async fn dump(conn: &mut SqliteConnection) -> DbResult<Vec<String>> {
    let rows: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
         WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]') ORDER BY type, name",
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|(kind, name, sql)| format!("{kind} {name}\n{sql}\n")).collect())
}

/// The statement of an object of [`dump`].
pub fn statement(object: &str) -> &str {
    object.split_once('\n').map_or("", |(_, sql)| sql.trim_end())
}

/// The triggers and views of a database, as [`dump`] has them.
pub async fn acting(conn: &mut SqliteConnection) -> DbResult<Vec<String>> {
    let mut objects = dump(conn).await?;
    objects.retain(|object| object.starts_with("trigger ") || object.starts_with("view "));
    Ok(objects)
}

/// Creates an empty in-memory database of this schema at this version.
pub async fn fresh(schema: &Schema, version: i64) -> DbResult<SqliteConnection> {
    let mut conn = in_memory().await?;
    make(&mut conn, schema, version).await?;
    Ok(conn)
}

/// As [`fresh`], by the migrations up to this version, for tests that compare the two.
#[cfg(test)]
pub(crate) async fn stepped(schema: &Schema, version: i64) -> DbResult<SqliteConnection> {
    let mut conn = in_memory().await?;
    take_steps(&mut conn, schema, 0, version).await?;
    Ok(conn)
}

async fn in_memory() -> DbResult<SqliteConnection> {
    let mut conn = SqliteConnection::connect("sqlite::memory:").await?;
    scoring::register(&mut conn).await?;
    Ok(conn)
}

/// The objects of a new file of this schema at this version.
pub async fn expected(schema: &Schema, version: i64) -> DbResult<Vec<String>> {
    let mut conn = fresh(schema, version).await?;
    let objects = dump(&mut conn).await?;
    conn.close().await?;
    Ok(objects)
}

/// Normalises objects for comparison: without comments, and with one space between two words. A column that
/// was added by ALTER TABLE has other whitespace than one in CREATE TABLE.
pub fn comparable(objects: &[String]) -> Vec<String> {
    objects.iter().map(|object| words_of(object)).collect()
}

fn words_of(sql: &str) -> String {
    let mut words = String::with_capacity(sql.len());
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '-' if rest.starts_with("--") => {
                rest = rest.find('\n').map_or("", |end| rest[end..].trim_start());
                continue;
            }
            // A doubled quote ends this word and begins the next one.
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let word = &rest[..end];
        words.push_str(if first == '"' { word.trim_matches('"') } else { word });
        words.push(' ');
        rest = rest[end..].trim_start();
    }
    words
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_compared_ignoring_layout_and_comments_only() {
        let same = ["CREATE TABLE t (a TEXT,-- one\n b TEXT)", "CREATE TABLE \"t\" ( a TEXT , b TEXT )"];
        assert_eq!(words_of(same[0]), words_of(same[1]));
        let text = "SELECT 'a  -- b'' c', d";
        for other in ["SELECT 'a -- b'' c', d", "SELECT 'a  -- b c', d", "SELECT 'a  -- b'' c' d"] {
            assert_ne!(words_of(text), words_of(other));
        }
    }

    #[test]
    fn every_placeholder_of_a_migration_is_replaced() {
        for (schema, listed) in
            [(&ACCOUNT, ACCOUNT_LISTED), (&WORKSPACE, WORKSPACE_LISTED), (&WORLD, WORLD_LISTED)]
        {
            for migration in schema.migrations {
                let sql = migration.sql();
                assert_eq!(sql.find(['{', '}']), None);
            }
            for migration in listed {
                for (word, _) in migration.words {
                    assert!(migration.texts.iter().any(|text| text.contains(word)), "{word} is not used");
                }
            }
        }
    }
}
