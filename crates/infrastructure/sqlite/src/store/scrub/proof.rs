//! The look for remains: rows, full-text index, and the raw bytes of the file and its log.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use inklings_application::ports::scrub_store::Proof;
use inklings_domain::ids::WorkspaceId;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::doomed::Doomed;
use crate::{
    connection::{Database, file_name},
    error::DbResult,
};

/// Files that were read raw. They stay open for as long as the process lives: closing one would let go of the locks that
/// SQLite holds on it (a rule of POSIX), and another process could take the database for unused.
static READ: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

const BLOCK: usize = 1 << 20;

/// Looks everywhere. `words` are those of what was destroyed, in lower case.
pub(super) async fn look(db: &Database, doomed: &Doomed, words: &[String]) -> DbResult<Proof> {
    let mut residues = 0;
    let mut checked = vec!["rows".to_owned(), "full-text index".to_owned()];
    let mut conn = db.reader().acquire().await?;
    if !doomed.is_gone(&mut conn).await? {
        residues += 1;
    }
    let mut tx = db.begin_immediate().await?;
    let indexes: &[&str] = if db.workspace_id() == WorkspaceId::ACCOUNT {
        &["INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)"]
    } else {
        &[
            "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)",
            "INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)",
        ]
    };
    for index in indexes {
        // An index that holds a word of no row disagrees with its table.
        residues += u64::from(sqlx::query(*index).execute(&mut *tx).await.is_err());
    }
    tx.rollback().await?;
    let mut left: HashSet<String> = HashSet::new();
    for suffix in ["", "-wal", "-shm"] {
        let mut path = db.path().as_os_str().to_owned();
        path.push(suffix);
        let path = PathBuf::from(path);
        if path.exists() {
            left.extend(raw(&path, words)?);
            checked.push(file_name(&path));
        }
    }
    for word in left {
        if !still_said(&mut conn, &word).await? {
            residues += 1;
        }
    }
    Ok(Proof { checked, residues })
}

/// The words that stand in a file, whatever the case of their letters.
fn raw(path: &Path, words: &[String]) -> DbResult<HashSet<String>> {
    let mut files = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let identity = std::fs::metadata(path)?;
    let same = |file: &File| file.metadata().is_ok_and(|data| is_same(&data, &identity));
    let known = files.iter().position(|(known, file)| known == path && same(file));
    let at = if let Some(at) = known {
        at
    } else {
        files.push((path.to_owned(), File::open(path)?));
        files.len() - 1
    };
    let file = &mut files[at].1;
    file.seek(SeekFrom::Start(0))?;
    Ok(search(file, words)?)
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

fn search(file: &mut impl Read, words: &[String]) -> std::io::Result<HashSet<String>> {
    let mut starts: HashMap<[u8; 4], Vec<&String>> = HashMap::new();
    for word in words {
        if let Some(start) = word.as_bytes().first_chunk::<4>() {
            starts.entry(*start).or_default().push(word);
        }
    }
    let longest = words.iter().map(String::len).max().unwrap_or(0);
    let (mut found, mut bytes) = (HashSet::new(), Vec::new());
    if starts.is_empty() {
        return Ok(found);
    }
    loop {
        // What may be the beginning of a word is looked at once more with what follows.
        let keep = bytes.len().min(longest);
        bytes.drain(..bytes.len() - keep);
        let read = file.by_ref().take(BLOCK as u64).read_to_end(&mut bytes)?;
        let from = bytes.len() - read;
        bytes[from..].make_ascii_lowercase();
        for (at, window) in bytes.windows(4).enumerate() {
            let Some(words) = window.first_chunk::<4>().and_then(|start| starts.get(start)) else { continue };
            for word in words.iter().filter(|word| bytes[at..].starts_with(word.as_bytes())) {
                found.insert((*word).clone());
            }
        }
        if read == 0 {
            return Ok(found);
        }
    }
}

/// True if a row that stays holds a word, or the schema does.
async fn still_said(conn: &mut SqliteConnection, word: &str) -> DbResult<bool> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c \
         WHERE t.type = 'table' AND c.type IN ('TEXT', 'text') AND t.sql NOT LIKE 'CREATE VIRTUAL%' \
           AND t.name NOT LIKE 'memories\\_fts\\_%' ESCAPE '\\' AND t.name NOT LIKE 'messages\\_fts\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut *conn)
    .await?;
    let schema = [("sqlite_schema".to_owned(), "sql".to_owned())];
    for (table, column) in columns.iter().chain(&schema) {
        // Names of the schema, which is ours.
        let holds =
            format!("SELECT EXISTS (SELECT 1 FROM \"{table}\" WHERE instr(lower(\"{column}\"), ?) > 0)");
        let holds: bool =
            sqlx::query_scalar(AssertSqlSafe(holds)).bind(word.to_owned()).fetch_one(&mut *conn).await?;
        if holds {
            return Ok(true);
        }
    }
    // The index keeps words without their accents.
    for index in ["memories_fts", "messages_fts"] {
        let there: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)")
            .bind(index)
            .fetch_one(&mut *conn)
            .await?;
        let matches = format!("SELECT EXISTS (SELECT 1 FROM {index} WHERE {index} MATCH ?)");
        if there
            && sqlx::query_scalar(AssertSqlSafe(matches))
                .bind(format!("\"{word}\""))
                .fetch_one(&mut *conn)
                .await?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_also_across_blocks_and_in_another_case() {
        let mut bytes = vec![b'.'; BLOCK - 4];
        bytes.extend_from_slice(b"BaSiLisk and more");
        let words = ["basilisk".to_owned(), "chimera".to_owned()];
        let found = search(&mut bytes.as_slice(), &words).expect("reads");
        assert_eq!(found, HashSet::from(["basilisk".to_owned()]));
    }
}
