//! Searches for residues: in rows, the full-text index, and the raw bytes of the file and its log.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use futures::TryStreamExt;
use inklings_domain::ids::WorkspaceId;
use inklings_ports::scrub::Proof;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::scrub::{targets::ScrubTargets, words::Words};
use crate::{
    connection::{Database, file_name},
    error::DbResult,
    memory::text_index::{ENTRIES, Index, MESSAGES},
};

/// The files that were read raw. They stay open until the process ends: closing one would release SQLite's
/// locks on it (a rule of POSIX), and another process could consider the database unused.
static READ: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

/// Searches everywhere. `words` are those of the destroyed texts, in lower case.
pub(crate) async fn look(
    db: &Database,
    scrub_targets: &ScrubTargets,
    words: &BTreeSet<String>,
) -> DbResult<Proof> {
    let mut residues = 0;
    let mut checked = vec!["rows".to_owned(), "full-text index".to_owned()];
    let mut conn = db.reader().acquire().await?;
    if !scrub_targets.is_gone(&mut conn).await? {
        residues += 1;
    }
    let indexes: &[Index] =
        if db.workspace_id() == WorkspaceId::ACCOUNT { &[ENTRIES] } else { &[ENTRIES, MESSAGES] };
    for index in indexes {
        // An index that holds a word of no row differs from its table.
        residues += u64::from(!index.agrees(db).await?);
    }
    let batches = Words::batches(words)?;
    let mut left: BTreeSet<String> = BTreeSet::new();
    for suffix in ["", "-wal", "-shm"] {
        let mut path = db.path().as_os_str().to_owned();
        path.push(suffix);
        let path = PathBuf::from(path);
        if path.exists() {
            for batch in &batches {
                left.extend(raw(&path, batch)?);
            }
            checked.push(file_name(&path));
        }
    }
    strike_out(&mut conn, &mut left).await?;
    residues += left.len() as u64;
    Ok(Proof { checked, residues })
}

/// The words that occur in a file, regardless of case.
fn raw(path: &Path, words: &Words) -> DbResult<Vec<String>> {
    let mut files = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let identity = std::fs::metadata(path)?;
    let same = |file: &File| file.metadata().is_ok_and(|data| is_same(&data, &identity));
    let known = files.iter().position(|(known, file)| known == path && same(file));
    let at = if let Some(at) = known {
        at
    } else {
        files.push((path.to_owned(), inklings_files::open_to_read(path)?));
        files.len() - 1
    };
    let file = &mut files[at].1;
    file.seek(SeekFrom::Start(0))?;
    Ok(words.in_stream(file)?.into_iter().map(str::to_owned).collect())
}

#[cfg(unix)]
fn is_same(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}

/// Removes the words that occur in a remaining row or in the schema. Reads each row once, regardless of the
/// number of words.
async fn strike_out(conn: &mut SqliteConnection, left: &mut BTreeSet<String>) -> DbResult<()> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c \
         WHERE t.type = 'table' AND c.type IN ('TEXT', 'text') AND t.sql NOT LIKE 'CREATE VIRTUAL%' \
           AND t.name NOT LIKE 'memories\\_fts\\_%' ESCAPE '\\' AND t.name NOT LIKE 'messages\\_fts\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut *conn)
    .await?;
    let schema = ("sqlite_schema".to_owned(), "sql".to_owned());
    for batch in Words::batches(left)? {
        for (table, column) in columns.iter().chain([&schema]) {
            // Names from our own schema.
            let texts = format!("SELECT \"{column}\" FROM \"{table}\" WHERE \"{column}\" IS NOT NULL");
            let mut rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(texts)).fetch(&mut *conn);
            while let Some(text) = rows.try_next().await? {
                for word in batch.in_text(&text) {
                    left.remove(word);
                }
            }
        }
    }
    // The index stores words without accents.
    for index in ["memories_fts", "messages_fts"] {
        let there: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)")
            .bind(index)
            .fetch_one(&mut *conn)
            .await?;
        if !there {
            continue;
        }
        let matches = format!("SELECT EXISTS (SELECT 1 FROM {index} WHERE {index} MATCH ?)");
        for word in left.clone() {
            let phrase = format!("\"{}\"", word.replace('"', "\"\""));
            let messages = sqlx::query_scalar(AssertSqlSafe(matches.clone())).bind(phrase);
            if messages.fetch_one(&mut *conn).await? {
                left.remove(&word);
            }
        }
    }
    Ok(())
}
