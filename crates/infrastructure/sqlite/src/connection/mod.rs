//! Opens a database file and manages its connections: one for writing, and a pool for reading.

pub(crate) mod copy;
pub(crate) mod disk_space;
pub(crate) mod lock;
pub(crate) mod peers;
pub(crate) mod probe;
pub(crate) mod read_only;
pub(crate) mod rowid_cache;
pub(crate) mod version;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use inklings_domain::ids::WorkspaceId;
use inklings_files::identity;
use inklings_ports::store_error::StoreError;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool, Transaction,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;

use crate::{
    connection::{
        read_only::{cannot_share, connect_to_read, way_of_reading},
        rowid_cache::RowidCache,
        version::{DbVersion, DbVersions},
    },
    error::{DbError, DbResult},
    functions::scoring,
    layout::{Layout, with_suffix},
    migrate::{self, Schema},
};

/// Older versions of SQLite can corrupt a write-ahead log that two processes write.
const MIN_SQLITE: (u32, u32, u32) = (3, 51, 3);
/// A search reads at most as many things at a time. The pool gives the connection that was idle longest, so that each of them reads the
/// same pages into a cache of its own: more of them take more memory and find less of it.
const READERS: u32 = 4;
/// How long a statement waits for a lock of another process: a read waits too, while a log is recovered after a kill or
/// emptied by the last one to close the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// The same for one attempt of the connection that writes. It retries the start of a transaction, so that it waits as long
/// in all, and a scrub gives others a turn between its attempts.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);
/// How often a transaction is started when other connections hold the file past the busy timeout.
const ATTEMPTS: u32 = 6;

/// The parameters of opening a database file.
#[derive(Debug)]
pub struct OpenSpec<'a> {
    /// The path of the file.
    pub path: PathBuf,
    /// The expected schema.
    pub schema: &'a Schema,
    /// The workspace that owns its rows.
    pub workspace: WorkspaceId,
    /// True to create a missing file. Otherwise a missing or empty file is damage.
    pub create: bool,
    /// False to open it read-only.
    pub writable: bool,
}

/// One open database file. A restore may replace the file. Then the connections are reopened, and all holders
/// of this value use the new ones.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    workspace: WorkspaceId,
    writable: bool,
    db_versions: DbVersions,
    rowid_cache: RowidCache,
    pools: RwLock<Arc<Pools>>,
    /// Increases on every reopen.
    generation: AtomicU64,
    reopening: Mutex<()>,
}

/// The connections to one file.
#[derive(Debug)]
struct Pools {
    reader: SqlitePool,
    writer: Option<SqlitePool>,
    /// Device and inode of the file, to detect a replaced file.
    identity: Option<(u64, u64)>,
    /// True if each connection has a private index of the log.
    has_private_log_index: bool,
}

impl Pools {
    /// Opens the reading connections; keeps the existing writing one, if any.
    async fn connect(
        path: &Path,
        options: SqliteConnectOptions,
        writer: Option<SqlitePool>,
    ) -> DbResult<Self> {
        let reader = reading_pool(options).await?;
        Ok(Self { reader, writer, identity: identity(path), has_private_log_index: false })
    }

    /// Opens the reading connections of a file that cannot be written.
    async fn connect_to_read(path: &Path) -> DbResult<Self> {
        let (options, has_private_log_index) = way_of_reading(path).await?;
        Ok(Self { has_private_log_index, ..Self::connect(path, options, None).await? })
    }

    /// True if the path now leads to a file other than the open one.
    fn are_replaced(&self, path: &Path) -> bool {
        let there = identity(path);
        there.is_some() && self.identity != there
    }

    async fn close(&self) {
        self.reader.close().await;
        if let Some(writer) = &self.writer {
            writer.close().await;
        }
    }
}

impl Database {
    /// Opens a file for writing. Opens it read-only if there is no room for the files that writing needs
    /// beside it. The caller holds the folder's lock if `writable`.
    pub async fn open_or_read_only(spec: OpenSpec<'_>) -> DbResult<Self> {
        let OpenSpec { ref path, schema, workspace, create, writable } = spec;
        let to_read = OpenSpec { path: path.clone(), schema, workspace, create, writable: false };
        match Self::open_checked(spec).await {
            Err(error) if writable && (error.is_full() || cannot_share(&error)) => {
                // The error of the writing attempt is the cause, so it is reported even if reading fails as
                // well.
                Self::open_checked(to_read).await.map_err(|_| error)
            }
            opened => opened,
        }
    }

    /// Opens a file; creates and migrates it if needed. The caller holds the folder's lock if `writable`.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for a damaged or third-party file, [`StoreError::NewerSchema`] for one of a
    /// newer release, [`StoreError::OlderSchema`] for one of a release that is no longer supported,
    /// [`StoreError::Missing`] for a required file that is missing, [`StoreError::Refused`] for one of
    /// another workspace. None of these files is changed. [`StoreError::ReadOnly`] if the file must be
    /// created or migrated but cannot be written.
    pub async fn open(spec: OpenSpec<'_>) -> Result<Self, StoreError> {
        let file = file_name(&spec.path);
        Self::open_checked(spec).await.map_err(|error| error.into_store(&file))
    }

    async fn open_checked(spec: OpenSpec<'_>) -> DbResult<Self> {
        let found = probe::version_of(&spec.path, spec.schema, spec.workspace).await?;
        if found.is_none() && !spec.create {
            return Err(StoreError::Missing { file: file_name(&spec.path) }.into());
        }
        if found.is_none() && !spec.writable {
            return Err(StoreError::ReadOnly.into());
        }
        if !spec.writable {
            return Self::open_read_only(spec, found).await;
        }
        if found.is_some_and(|version| version > 0 && version < spec.schema.version()) {
            copy::before_migration(&spec.path, found.unwrap_or(0)).await?;
        }
        if let Some(folder) = spec.path.parent().filter(|_| found.is_none()) {
            std::fs::create_dir_all(folder)?;
        }
        let writer = writing_pool(writing(&spec.path)?).await?;
        let mut conn = writer.acquire().await?;
        require_wal_and_version(&mut conn).await?;
        migrate::migrate(&mut conn, spec.schema, found.unwrap_or(0)).await?;
        drop(conn);
        let options = base(&spec.path)?.pragma("query_only", "ON");
        let pools = Pools::connect(&spec.path, options, Some(writer)).await?;
        Ok(Self::holding(spec, pools))
    }

    async fn open_read_only(spec: OpenSpec<'_>, found: Option<i64>) -> DbResult<Self> {
        if found != Some(spec.schema.version()) {
            return Err(StoreError::ReadOnly.into());
        }
        let pools = Pools::connect_to_read(&spec.path).await?;
        Ok(Self::holding(spec, pools))
    }

    fn holding(spec: OpenSpec<'_>, pools: Pools) -> Self {
        Self {
            path: spec.path,
            workspace: spec.workspace,
            writable: pools.writer.is_some(),
            db_versions: DbVersions::default(),
            rowid_cache: RowidCache::default(),
            pools: RwLock::new(Arc::new(pools)),
            generation: AtomicU64::new(0),
            reopening: Mutex::new(()),
        }
    }

    fn pools(&self) -> Arc<Pools> {
        Arc::clone(&self.pools.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// True if the path now leads to a file other than the open one.
    pub fn is_replaced(&self) -> bool {
        self.pools().are_replaced(&self.path)
    }

    /// A counter that increases on every reopen.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Opens the file that is now at the path. The caller knows that it is intact and of this release.
    ///
    /// # Errors
    /// A SQLite error, or [`StoreError::Busy`] if the file is replaced repeatedly; the old connections stay
    /// open then.
    pub async fn reopen(&self) -> DbResult<()> {
        let _one = self.reopening.lock().await;
        let fresh = Arc::new(self.connect_anew().await?);
        let old = std::mem::replace(&mut *self.pools.write().unwrap_or_else(PoisonError::into_inner), fresh);
        self.generation.fetch_add(1, Ordering::SeqCst);
        old.close().await;
        Ok(())
    }

    /// Connects to the file at the path, and retries if the file is replaced meanwhile.
    async fn connect_anew(&self) -> DbResult<Pools> {
        for _ in 0..ATTEMPTS {
            let before = identity(&self.path);
            let pools = if self.writable {
                let writer = writing_pool(writing(&self.path)?.create_if_missing(false)).await?;
                let options = base(&self.path)?.pragma("query_only", "ON");
                Pools::connect(&self.path, options, Some(writer)).await?
            } else {
                Pools::connect_to_read(&self.path).await?
            };
            if pools.identity == before {
                let owned =
                    probe::refuse_other_owner(&mut *pools.reader.acquire().await?, self.workspace).await;
                if owned.is_err() {
                    pools.close().await;
                }
                return owned.map(|()| pools);
            }
            pools.close().await;
        }
        Err(StoreError::Busy.into())
    }

    /// The pool of reading connections, for SELECT statements only.
    pub fn reader(&self) -> SqlitePool {
        self.pools().reader.clone()
    }

    /// The current version of the database content.
    pub async fn db_version(&self) -> DbResult<DbVersion> {
        self.db_versions.read(self).await
    }

    /// The cached rowids of its entries.
    pub const fn rowid_cache(&self) -> &RowidCache {
        &self.rowid_cache
    }

    /// Begins a writing transaction; the only kind that writes. It takes the write lock at once, so it reads
    /// the newest state and no later statement fails with `BUSY_SNAPSHOT`, which does not wait by itself.
    /// Only the start can be busy, and is retried. Rolled back when dropped.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or [`StoreError::Busy`] after half a minute of retries, or at once while a restore was cut
    /// off.
    pub async fn begin_immediate(&self) -> DbResult<Transaction<'static, Sqlite>> {
        let mut attempt = 1;
        loop {
            // Checks the file of the connection that writes: another task may open the new file meanwhile.
            let pools = self.pools();
            let writer = pools.writer.clone().ok_or(StoreError::ReadOnly)?;
            match writer.begin_with("BEGIN IMMEDIATE").await.map_err(DbError::from) {
                Err(error) if error.is_busy() && attempt < ATTEMPTS => attempt += 1,
                // Another task reopened the file and closed these connections.
                Err(DbError::Sqlx(sqlx::Error::PoolClosed))
                    if !Arc::ptr_eq(&pools, &self.pools()) && attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                // A deletion and a restore hold the write lock while they move the files, so the check comes
                // after taking the lock.
                Ok(tx) if !self.path.exists() => {
                    tx.rollback().await?;
                    return Err(StoreError::NotFound("workspace").into());
                }
                // A restore was cut off, and the next opening of the folder completes it: it would replace what is
                // written now.
                Ok(tx) if Layout::of_database(&self.path, self.workspace).restore_plan().exists() => {
                    tx.rollback().await?;
                    return Err(StoreError::Busy.into());
                }
                Ok(tx) if pools.are_replaced(&self.path) => {
                    tx.rollback().await?;
                    if attempt >= ATTEMPTS {
                        return Err(StoreError::Busy.into());
                    }
                    attempt += 1;
                    if Arc::ptr_eq(&pools, &self.pools()) {
                        self.reopen().await?;
                    }
                }
                other => return other,
            }
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// False if the file was opened to read only.
    pub const fn is_writable(&self) -> bool {
        self.writable
    }

    /// The workspace that owns the rows; [`WorkspaceId::ACCOUNT`] for the account's file.
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.workspace
    }

    /// True if it was opened read-only.
    pub const fn is_read_only(&self) -> bool {
        !self.writable
    }

    /// True if there was no room for shared memory, so each connection has a private index of the log. While
    /// such a connection is open, no other connection of this process can write to the file.
    pub fn has_private_log_index(&self) -> bool {
        self.pools().has_private_log_index
    }

    fn writer(&self) -> DbResult<SqlitePool> {
        Ok(self.pools().writer.clone().ok_or(StoreError::ReadOnly)?)
    }

    /// The writing connection, for statements that cannot run in a transaction.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or [`StoreError::Busy`] if others hold it too long.
    pub async fn writing(&self) -> DbResult<PoolConnection<Sqlite>> {
        Ok(self.writer()?.acquire().await?)
    }

    /// Converts an internal error to the public one, with the name of this file.
    pub fn fail(&self, error: impl Into<DbError>) -> StoreError {
        error.into().into_store(&file_name(&self.path))
    }

    /// Opens a separate connection outside the pools, e.g. to watch for changes.
    pub async fn watcher(&self) -> DbResult<SqliteConnection> {
        let mut conn = if self.is_read_only() {
            connect_to_read(&self.path).await?
        } else {
            base(&self.path)?.pragma("query_only", "ON").connect().await?
        };
        scoring::register(&mut conn).await?;
        Ok(conn)
    }

    /// Releases the memory of a large write. Errors are ignored, because this is only an optimisation.
    pub async fn shrink_writer(&self) {
        if let Ok(writer) = self.writer()
            && let Err(error) = sqlx::query("PRAGMA shrink_memory").execute(&writer).await
        {
            tracing::debug!(%error, "memory was not given back");
        }
    }

    /// Checkpoints and truncates the log, as far as readers allow.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or a SQLite error.
    pub async fn truncate_log(&self) -> DbResult<()> {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writer()?).await?;
        Ok(())
    }

    /// Closes every connection, so that the file can be moved or removed.
    pub async fn close(&self) {
        self.pools().close().await;
    }
}

/// The file name of a path, for messages.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The options of every connection. First checks the kind of the file and of the files beside it, because
/// SQLite waits for a pipe and follows a link. Memory-mapped reads are off: an I/O error under a map kills
/// the process, while a failed read is an error that can be reported.
///
/// # Errors
/// If the path or a file beside it is not a regular file.
pub fn base(path: &Path) -> DbResult<SqliteConnectOptions> {
    for end in ["", "-wal", "-shm", "-journal"] {
        inklings_files::file(&with_suffix(path, end))?;
    }
    Ok(SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .pragma("trusted_schema", "OFF")
        .pragma("temp_store", "MEMORY")
        .pragma("cache_size", "-6000")
        .statement_cache_capacity(200)
        // A search reads a few hundred rows at once; with the default of 50 the two threads wait for each
        // other.
        .row_buffer_size(1_024)
        .disable_statement_logging())
}

fn writing(path: &Path) -> DbResult<SqliteConnectOptions> {
    Ok(base(path)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("secure_delete", "FAST")
        .pragma("journal_size_limit", "67108864")
        .pragma("cache_size", "-65536")
        .pragma("fullfsync", "ON")) // macOS: a plain fsync stops at the drive's own cache
}

/// Connects with the tokenizer and the functions of the full-text indexes. Whoever writes entries or messages, searches them
/// or checks a whole file needs these.
pub async fn connect(options: &SqliteConnectOptions) -> DbResult<SqliteConnection> {
    let mut conn = options.connect().await?;
    scoring::register(&mut conn).await?;
    Ok(conn)
}

async fn writing_pool(options: SqliteConnectOptions) -> DbResult<SqlitePool> {
    Ok(SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // The triggers of the full-text indexes use the program's tokenizer.
        .after_connect(|conn, _| {
            Box::pin(async move {
                scoring::register(conn).await?;
                let timeout = format!("PRAGMA busy_timeout = {}", ATTEMPT_TIMEOUT.as_millis());
                sqlx::query(AssertSqlSafe(timeout)).execute(conn).await.map(drop)
            })
        })
        // SQLite rolls a transaction back by itself after an I/O error or on a full disk. The connection
        // still counts it as open and would refuse every later one, so it is replaced. The ping waits for a
        // rollback in progress.
        .before_acquire(|conn, _| {
            Box::pin(async move {
                conn.ping().await?;
                Ok(!conn.is_in_transaction())
            })
        })
        .connect_with(options)
        .await?)
}

async fn reading_pool(options: SqliteConnectOptions) -> DbResult<SqlitePool> {
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // Searches rank with custom functions inside the full-text index.
        .after_connect(|conn, _| Box::pin(scoring::register(conn)))
        .connect_with(options)
        .await?;
    sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&pool).await?;
    Ok(pool)
}

async fn require_wal_and_version(conn: &mut SqliteConnection) -> DbResult<()> {
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *conn).await?;
    if mode != "wal" {
        return Err(StoreError::Refused(
            format!("the file system allows no write-ahead log ({mode})").into(),
        )
        .into());
    }
    let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(conn).await?;
    if numbers(&version) < Some(MIN_SQLITE) {
        return Err(StoreError::Refused(format!("SQLite {version} is too old to write safely").into()).into());
    }
    Ok(())
}

fn numbers(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests;
