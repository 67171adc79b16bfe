//! The internal error type of this crate, and its exhaustive conversion to the public error type.

use std::io;

use inklings_files::WrongKind;
use inklings_ports::{rule::Rule, store_error::StoreError};
use sqlx::error::DatabaseError;

/// Internal errors. They carry no memory text: SQLite's messages name tables and constraints, never values.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// An error of SQLite or the pool.
    #[error(transparent)]
    Sqlx(#[from] sqlx::Error),
    /// An error of the file system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A stored value that cannot be decoded. It was valid when it was written, so the file is damaged.
    #[error("column {column} of a stored row cannot be read")]
    Row {
        /// The name of the column.
        column: &'static str,
    },
    /// The file of another workspace is in the place of this one's.
    #[error("this folder holds another workspace")]
    OtherWorkspace,
    /// A file of ours holds a trigger or view that is not ours: it could act on whatever is written.
    #[error("there is something in it that is not of this program")]
    ForeignSchema,
    /// A public error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Result with [`DbError`].
pub type DbResult<T> = Result<T, DbError>;

impl DbError {
    /// Converts to the public error. `file` is the database's file name without its folder.
    pub fn into_store(self, file: &str) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Row { .. } => StoreError::Corrupt { file: file.to_owned() },
            Self::OtherWorkspace | Self::ForeignSchema => StoreError::Refused(self.to_string().into()),
            Self::Io(error) => io_error(error),
            Self::Sqlx(error) => sqlx_error(error, file),
        }
    }

    /// True if a retry after a wait may succeed.
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Sqlx(sqlx::Error::Database(error)) => is_locked(code_of(&**error)),
            Self::Sqlx(sqlx::Error::PoolTimedOut) | Self::Store(StoreError::Busy) => true,
            _ => false,
        }
    }

    /// True if something other than our file or folder is in its place.
    pub fn is_wrong_kind(&self) -> bool {
        match self {
            Self::Store(error) => matches!(error, StoreError::WrongKind { .. }),
            Self::Io(error) => WrongKind::of(error).is_some(),
            _ => false,
        }
    }

    /// True if the file is damaged or not ours.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::OtherWorkspace
            | Self::ForeignSchema
            | Self::Row { .. }
            | Self::Store(StoreError::Corrupt { .. } | StoreError::Missing { .. }) => true,
            Self::Sqlx(error) if is_undecodable(error) => true,
            _ => {
                self.is_wrong_kind()
                    || self.code().is_some_and(|code| matches!(code & 0xff, CORRUPT | NOTADB))
            }
        }
    }

    /// True if the disk is full.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Store(error) => matches!(error, StoreError::DiskFull | StoreError::NoRoom { .. }),
            Self::Io(error) => {
                matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => self.code().is_some_and(|code| code & 0xff == FULL || code == IOERR_SHMSIZE),
        }
    }

    /// SQLite's extended result code, if the error is SQLite's.
    pub fn code(&self) -> Option<i32> {
        match self {
            Self::Sqlx(sqlx::Error::Database(error)) => Some(code_of(&**error)),
            _ => None,
        }
    }
}

/// True if a stored value is not of its column's type, e.g. text that is not UTF-8. Like [`DbError::Row`].
const fn is_undecodable(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_))
}

fn sqlx_error(error: sqlx::Error, file: &str) -> StoreError {
    match error {
        sqlx::Error::Database(error) => database_error(error, file),
        sqlx::Error::Io(error) => io_error(error),
        sqlx::Error::PoolTimedOut => StoreError::Busy,
        error if is_undecodable(&error) => StoreError::Corrupt { file: file.to_owned() },
        // Only deleting a workspace closes a pool that others may still hold.
        sqlx::Error::PoolClosed => StoreError::NotFound("workspace"),
        other => StoreError::Internal(Box::new(other)),
    }
}

fn io_error(error: io::Error) -> StoreError {
    if let Some(WrongKind { name, expected, found }) = WrongKind::of(&error) {
        return StoreError::WrongKind {
            file: name.clone(),
            expected: expected.words(),
            found: found.words(),
        };
    }
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull,
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => StoreError::ReadOnly,
        // An error of the operating system, such as a failing disk or a lost network share.
        _ if error.raw_os_error().is_some() => StoreError::Io(Box::new(error)),
        _ => StoreError::Internal(Box::new(error)),
    }
}

// Primary result codes of SQLite (the low byte), and the extended codes with a special meaning here.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8; // its extended codes too, e.g. 1544: a folder that cannot be written
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
/// A file that cannot be opened or created, e.g. the write-ahead log in a read-only folder.
pub const CANTOPEN: i32 = 14;
/// A read could not begin in a hundred attempts, because others changed the write-ahead log each time.
const PROTOCOL: i32 = 15;
const CONSTRAINT: i32 = 19;
const NOTADB: i32 = 26;
const IOERR_SHMSIZE: i32 = 4874; // a full disk, met while growing the shared-memory file
const CONSTRAINT_FOREIGNKEY: i32 = 787;
const CONSTRAINT_PRIMARYKEY: i32 = 1555;
const CONSTRAINT_TRIGGER: i32 = 1811;
const CONSTRAINT_UNIQUE: i32 = 2067;

fn code_of(error: &dyn DatabaseError) -> i32 {
    error.code().and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// True if locks of others are the cause.
const fn is_locked(code: i32) -> bool {
    matches!(code & 0xff, BUSY | LOCKED | PROTOCOL)
}

fn database_error(error: Box<dyn DatabaseError>, file: &str) -> StoreError {
    let code = code_of(&*error);
    match code & 0xff {
        BUSY | LOCKED | PROTOCOL => StoreError::Busy,
        READONLY => StoreError::ReadOnly,
        FULL => StoreError::DiskFull,
        IOERR if code == IOERR_SHMSIZE => StoreError::DiskFull,
        IOERR | CANTOPEN => StoreError::Io(Box::new(sqlx::Error::Database(error))),
        CORRUPT | NOTADB => StoreError::Corrupt { file: file.to_owned() },
        CONSTRAINT => constraint(code, error.message()),
        _ => StoreError::Internal(Box::new(sqlx::Error::Database(error))),
    }
}

fn constraint(code: i32, message: &str) -> StoreError {
    match code {
        CONSTRAINT_TRIGGER => guard(message),
        CONSTRAINT_UNIQUE | CONSTRAINT_PRIMARYKEY => StoreError::AlreadyExists(taken(message)),
        CONSTRAINT_FOREIGNKEY => {
            StoreError::Refused("it refers to a channel, conversation or entry that does not exist".into())
        }
        _ => StoreError::Refused(message.into()),
    }
}

/// Converts a guard's message: guards in the migrations start their messages with one of four words.
fn guard(message: &str) -> StoreError {
    match message.split_once(": ") {
        Some(("locked", words)) if let Some(rule) = Rule::of_trigger(words) => StoreError::Locked(rule),
        Some(("off", _)) => StoreError::MemoryOff,
        Some(("taken", "name")) => StoreError::AlreadyExists("name"),
        Some(("taken", "external id")) => StoreError::AlreadyExists("imported entry"),
        Some(("taken", "message")) => StoreError::AlreadyExists("message"),
        Some(("taken", "fact")) => StoreError::AlreadyExists("fact"),
        Some(("taken", "drift")) => StoreError::AlreadyExists("drift"),
        Some(("taken", "proposal")) => StoreError::AlreadyExists("proposal"),
        Some(("taken", "run")) => StoreError::AlreadyExists("run"),
        Some(("taken", "orientation")) => StoreError::AlreadyExists("orientation"),
        Some(("taken", "read")) => StoreError::AlreadyExists("read"),
        Some(("taken", _)) => StoreError::AlreadyExists("memory"),
        Some(("refused", words)) => StoreError::Refused(words.into()),
        _ => StoreError::Refused(message.into()),
    }
}

/// The name of the duplicate, from "UNIQUE constraint failed: table.column, ...".
fn taken(message: &str) -> &'static str {
    let table = message.split_once("failed: ").map_or("", |(_, columns)| columns);
    if table.contains("memories_external") {
        // For an index over an expression, SQLite names the index instead of the columns.
        return "imported entry";
    }
    match table.split('.').next().unwrap_or_default() {
        "channels" => "channel",
        "conversations" => "conversation",
        "workspaces" => "workspace",
        "clients" => "client",
        "journal" => "change",
        "messages" => "message",
        "episodes" => "episode",
        "facts" => "fact",
        "fact_claims" => "claim",
        _ => "memory",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{ACCOUNT, Migration, WORKSPACE, WORLD};

    use inklings_ports::rule::{Refusal, RuleKind};

    const READONLY_DIRECTORY: i32 = 1544;

    /// Every trigger message in every migration.
    fn messages() -> Vec<String> {
        let schemas = [&ACCOUNT, &WORKSPACE, &WORLD];
        let all: Vec<String> =
            schemas.iter().flat_map(|schema| schema.migrations).map(Migration::sql).collect();
        let all = all.iter().flat_map(|text| {
            text.split("RAISE(ABORT, '").skip(1).map(|rest| {
                // Quotes in the text are doubled.
                let end = rest.replace("''", "\u{1}\u{1}").find('\'').expect("the text ends");
                rest[..end].replace("''", "'")
            })
        });
        let mut all: Vec<String> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn every_refusal_of_every_trigger_has_an_error_and_a_sentence_of_its_own() {
        let messages = messages();
        assert!(messages.len() > 40, "{messages:?}");
        for message in &messages {
            let (kind, words) = message.split_once(": ").expect("a word and what is refused");
            match (kind, guard(message)) {
                ("locked", StoreError::Locked(rule)) => {
                    assert_eq!((rule.trigger(), rule.kind()), (words, RuleKind::Locked));
                }
                ("refused", StoreError::Refused(Refusal::Rule(rule))) => {
                    assert_eq!((rule.trigger(), rule.kind()), (words, RuleKind::Refused));
                }
                ("off", StoreError::MemoryOff) => {}
                // Only a duplicate id has the general subject "memory".
                ("taken", StoreError::AlreadyExists(what)) => {
                    assert!(words == "id" || what != "memory", "{message}");
                }
                (_, error) => panic!("'{message}' has no error of its own: {error:?}"),
            }
        }
        for rule in Rule::ALL {
            let is_raised =
                messages.iter().any(|message| message.ends_with(&format!(": {}", rule.trigger())));
            assert!(is_raised, "no trigger says '{}'", rule.trigger());
            let sentence = rule.sentence();
            assert!(sentence.ends_with('.') && sentence.starts_with(char::is_uppercase), "{sentence}");
        }
        let mut sentences: Vec<&str> = Rule::ALL.iter().map(|rule| rule.sentence()).collect();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), Rule::ALL.len(), "two rules are told alike");
    }

    #[test]
    fn messages_of_triggers_become_locked_taken_or_refused_errors() {
        let locked = guard("locked: this entry belongs to the author");
        assert!(matches!(locked, StoreError::Locked(Rule::ThisEntryBelongsToTheAuthor)));
        assert!(matches!(guard("taken: name"), StoreError::AlreadyExists("name")));
        assert!(matches!(
            guard("refused: undeclared write"),
            StoreError::Refused(Refusal::Rule(Rule::UndeclaredWrite))
        ));
    }

    #[test]
    fn a_full_disk_and_a_read_only_folder_are_distinguished_from_damage() {
        let io = |kind| DbError::Io(io::Error::from(kind)).into_store("agents.db");
        assert!(matches!(io(io::ErrorKind::StorageFull), StoreError::DiskFull));
        assert!(matches!(io(io::ErrorKind::ReadOnlyFilesystem), StoreError::ReadOnly));
        assert!(matches!(io(io::ErrorKind::UnexpectedEof), StoreError::Internal(_)));
        let failing = DbError::Io(io::Error::from_raw_os_error(5)).into_store("agents.db");
        assert!(matches!(failing, StoreError::Io(_)), "{failing:?}");
        assert_eq!(READONLY_DIRECTORY & 0xff, READONLY);
        assert_eq!(IOERR_SHMSIZE & 0xff, IOERR);
    }

    /// An error of SQLite with this result code.
    #[derive(Debug)]
    struct Coded(i32);

    impl std::fmt::Display for Coded {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "result code {}", self.0)
        }
    }

    impl std::error::Error for Coded {}

    impl DatabaseError for Coded {
        fn message(&self) -> &'static str {
            "a message"
        }
        fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
            Some(self.0.to_string().into())
        }
        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> sqlx::error::ErrorKind {
            sqlx::error::ErrorKind::Other
        }
    }

    #[test]
    fn whatever_locks_of_others_prevent_is_busy_and_may_be_retried() {
        for code in [BUSY, LOCKED, PROTOCOL, BUSY | (2 << 8)] {
            let error = || DbError::from(sqlx::Error::Database(Box::new(Coded(code))));
            assert!(error().is_busy(), "{code}");
            assert!(matches!(error().into_store("inklings.db"), StoreError::Busy), "{code}");
        }
    }

    #[test]
    fn a_uniqueness_error_names_the_kind_of_object() {
        assert_eq!(taken("UNIQUE constraint failed: channels.workspace_id, channels.name_folded"), "channel");
        assert_eq!(taken("UNIQUE constraint failed: workspaces.name_folded"), "workspace");
    }
}
