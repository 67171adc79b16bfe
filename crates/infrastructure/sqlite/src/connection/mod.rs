//! One database file: a single writing connection, a pool of reading ones, and how both are opened.

pub(crate) mod copy;
pub(crate) mod disk_space;
pub(crate) mod lock;
pub(crate) mod probe;
pub(crate) mod read_only;
pub(crate) mod read_pool;
pub(crate) mod version;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use inklings_application::store_error::StoreError;
use inklings_domain::ids::WorkspaceId;
use sqlx::{
    ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool, Transaction,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;

use crate::{
    connection::{
        read_only::{cannot_share, read_only_options, way_of_reading},
        read_pool::ShortReads,
        version::{DbVersion, DbVersions},
    },
    error::{DbError, DbResult},
    layout::beside,
    memory::rowid_cache::RowidCache,
    migrate::{self, Schema},
    search,
};

/// SQLite below this can corrupt a write-ahead log that two processes write.
const MIN_SQLITE: (u32, u32, u32) = (3, 51, 3);
const READERS: u32 = 5;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How often a transaction is begun again when others hold the file past the busy timeout.
const ATTEMPTS: u32 = 6;

/// Which file to open, and how.
#[derive(Debug)]
pub struct OpenSpec<'a> {
    /// The file.
    pub path: PathBuf,
    /// What it must look like.
    pub schema: &'a Schema,
    /// Whose rows it holds.
    pub workspace: WorkspaceId,
    /// True to make the file if it is not there; otherwise a missing or empty one is damage.
    pub create: bool,
    /// False to open it for reading alone.
    pub writable: bool,
}

/// One open database file. A restore may put another file in its place: it is opened anew then, underneath whoever holds
/// on to this.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    workspace: WorkspaceId,
    writable: bool,
    db_versions: DbVersions,
    rowid_cache: RowidCache,
    pools: RwLock<Arc<Pools>>,
    /// Rises when it was opened anew.
    generation: AtomicU64,
    reopening: Mutex<()>,
}

/// The connections to one file.
#[derive(Debug)]
struct Pools {
    reader: SqlitePool,
    short: Arc<ShortReads>,
    writer: Option<SqlitePool>,
    /// Which file it is, whatever its name.
    identity: Option<(u64, u64)>,
    /// True if each connection reads the log on its own.
    reads_log_alone: bool,
}

impl Pools {
    /// Connects for reading, with the writing connection that is there already, if any.
    async fn connect(
        path: &Path,
        options: SqliteConnectOptions,
        writer: Option<SqlitePool>,
    ) -> DbResult<Self> {
        let reader = reading_pool(options.clone()).await?;
        let short = Arc::new(ShortReads::new(options));
        Ok(Self { reader, short, writer, identity: identity(path), reads_log_alone: false })
    }

    /// The same without one.
    async fn connect_to_read(path: &Path) -> DbResult<Self> {
        let (options, reads_log_alone) = way_of_reading(path).await?;
        Ok(Self { reads_log_alone, ..Self::connect(path, options, None).await? })
    }

    /// True if another file lies in the place of the one that these connections have open.
    fn are_replaced(&self, path: &Path) -> bool {
        let there = identity(path);
        there.is_some() && self.identity != there
    }

    async fn close(&self) {
        self.short.close().await;
        self.reader.close().await;
        if let Some(writer) = &self.writer {
            writer.close().await;
        }
    }
}

/// Which file a path leads to; `None` where the system does not say.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// A file that is open cannot be replaced here.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

impl Database {
    /// Opens a file for writing, or for reading alone where there is no room for what writing needs beside it. The caller holds
    /// the folder's lock if `writable`.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_in_any_room(spec: OpenSpec<'_>) -> DbResult<Self> {
        let OpenSpec { ref path, schema, workspace, create, writable } = spec;
        let to_read = OpenSpec { path: path.clone(), schema, workspace, create, writable: false };
        match Self::open_checked(spec).await {
            Err(error) if writable && (error.is_full() || cannot_share(&error)) => {
                // What it is that cannot be written is what is told, not that reading failed as well.
                Self::open_checked(to_read).await.map_err(|_| error)
            }
            opened => opened,
        }
    }

    /// Opens a file, made and migrated if need be. The caller holds the folder's lock if `writable`.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for a damaged or foreign file, [`StoreError::NewerSchema`] for one of a newer release,
    /// [`StoreError::OlderSchema`] for one of a release that is not read any more, [`StoreError::Missing`] for one that is to be there and is not, [`StoreError::Refused`] for another workspace's; none is
    /// touched. [`StoreError::ReadOnly`] if the file must be made or migrated but cannot.
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

    /// True if another file lies in the place of the one that is open.
    pub fn is_replaced(&self) -> bool {
        self.pools().are_replaced(&self.path)
    }

    /// Rises each time that it was opened anew.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Opens the file that lies in its place now. The caller knows that it is whole and of this release.
    ///
    /// # Errors
    /// Whatever SQLite says, [`StoreError::Busy`] if the file is replaced again and again; what was open stays so then.
    pub async fn reopen(&self) -> DbResult<()> {
        let _one = self.reopening.lock().await;
        let fresh = Arc::new(self.connect_anew().await?);
        let old = std::mem::replace(&mut *self.pools.write().unwrap_or_else(PoisonError::into_inner), fresh);
        self.generation.fetch_add(1, Ordering::SeqCst);
        old.close().await;
        Ok(())
    }

    /// Connects to the file that lies in its place, and to no other: the name may be given to another file meanwhile.
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
                let owned = probe::refuse_foreign(&mut *pools.reader.acquire().await?, self.workspace).await;
                if owned.is_err() {
                    pools.close().await;
                }
                return owned.map(|()| pools);
            }
            pools.close().await;
        }
        Err(StoreError::Busy.into())
    }

    /// Connections for SELECT alone.
    pub fn reader(&self) -> SqlitePool {
        self.pools().reader.clone()
    }

    /// The same for reads of a moment, many of which make up a search.
    pub fn short(&self) -> Arc<ShortReads> {
        Arc::clone(&self.pools().short)
    }

    /// How far it has moved on by now.
    ///
    /// # Errors
    /// Whatever SQLite says.
    pub async fn db_version(&self) -> DbResult<DbVersion> {
        self.db_versions.read(self).await
    }

    /// Where its entries stand.
    pub const fn rowid_cache(&self) -> &RowidCache {
        &self.rowid_cache
    }

    /// Begins the one kind of transaction that writes. It takes the write lock at once, so everything after it
    /// sees the newest state and cannot fail for being late; only the beginning can be busy, and is tried again
    /// (`BUSY_SNAPSHOT` does not wait by itself). Rolled back when dropped.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or [`StoreError::Busy`] after half a minute of trying.
    pub async fn begin_immediate(&self) -> DbResult<Transaction<'static, Sqlite>> {
        let mut attempt = 1;
        loop {
            // A file is judged by the connection that writes to it: another task may open the new one meanwhile.
            let pools = self.pools();
            let writer = pools.writer.clone().ok_or(StoreError::ReadOnly)?;
            match writer.begin_with("BEGIN IMMEDIATE").await.map_err(DbError::from) {
                Err(error) if error.is_busy() && attempt < ATTEMPTS => attempt += 1,
                // Another task opened the file anew and closed these connections.
                Err(DbError::Sqlx(sqlx::Error::PoolClosed))
                    if !Arc::ptr_eq(&pools, &self.pools()) && attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                // A deletion and a restore hold the write lock while they move the files, so whoever gets it asks afterwards.
                Ok(tx) if !self.path.exists() => {
                    tx.rollback().await?;
                    return Err(StoreError::NotFound("workspace").into());
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

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whose rows it holds; [`WorkspaceId::ACCOUNT`] for the account's.
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.workspace
    }

    /// True if nothing can be written.
    pub const fn is_read_only(&self) -> bool {
        !self.writable
    }

    /// True if there was no room for shared memory, so that each connection reads the log on its own. While one does, no other
    /// connection of this process can write to the file.
    pub fn reads_log_alone(&self) -> bool {
        self.pools().reads_log_alone
    }

    fn writer(&self) -> DbResult<SqlitePool> {
        Ok(self.pools().writer.clone().ok_or(StoreError::ReadOnly)?)
    }

    /// The writing connection by itself, for what cannot be done in a transaction.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or [`StoreError::Busy`] if others hold it too long.
    pub async fn writing(&self) -> DbResult<PoolConnection<Sqlite>> {
        Ok(self.writer()?.acquire().await?)
    }

    /// Turns an internal error into the public one, naming this file.
    pub fn fail(&self, error: impl Into<DbError>) -> StoreError {
        error.into().into_store(&file_name(&self.path))
    }

    /// A connection of its own outside the pools, e.g. to watch for changes.
    ///
    /// # Errors
    /// Whatever SQLite says.
    pub async fn watcher(&self) -> DbResult<SqliteConnection> {
        let options = if self.is_read_only() {
            read_only_options(&self.path).await?
        } else {
            base(&self.path)?.pragma("query_only", "ON")
        };
        Ok(options.connect().await?)
    }

    /// Gives back the memory that a large write took. What remains undone does no harm.
    pub async fn shrink_writer(&self) {
        if let Ok(writer) = self.writer()
            && let Err(error) = sqlx::query("PRAGMA shrink_memory").execute(&writer).await
        {
            tracing::debug!(%error, "memory was not given back");
        }
    }

    /// Folds the log into the file and empties it, as far as readers let it.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or whatever SQLite says.
    pub async fn truncate_log(&self) -> DbResult<()> {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writer()?).await?;
        Ok(())
    }

    /// Closes every connection, so that the file can be moved or removed.
    pub async fn close(&self) {
        self.pools().close().await;
    }
}

/// A file's name without its folder, for messages.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// What every connection has, once what lies at its path and beside it was looked at: SQLite waits for a pipe and follows a
/// link. No memory-mapped reads: an I/O error under a map kills the process, where a read that fails is an error that can be
/// shown.
///
/// # Errors
/// One that says what lies there, if it is no file.
pub fn base(path: &Path) -> DbResult<SqliteConnectOptions> {
    for end in ["", "-wal", "-shm", "-journal"] {
        inklings_files::file(&beside(path, end))?;
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
        // A search reads a few hundred rows at once; with the default of 50 the two threads wait for each other.
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

async fn writing_pool(options: SqliteConnectOptions) -> DbResult<SqlitePool> {
    Ok(SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // SQLite rolls a transaction back by itself after an I/O error or on a full disk. The connection still counts it and
        // would refuse every later one, so another takes its place. The ping waits for a rollback that is under way.
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
        // Searches rank by functions of our own inside the full-text index.
        .after_connect(|conn, _| Box::pin(search::register(conn)))
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
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_linked_sqlite_is_new_enough_for_two_writing_processes() {
        let mut conn = SqliteConnection::connect("sqlite::memory:").await.expect("opens");
        let version: String =
            sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut conn).await.expect("a version");
        assert!(numbers(&version) >= Some(MIN_SQLITE), "{version}");
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert!(numbers("3.51.3") > numbers("3.9.9"));
        assert_eq!(numbers("three"), None);
    }

    async fn world(folder: &Path) -> Database {
        let spec = OpenSpec {
            path: folder.join("inklings.db"),
            schema: &migrate::WORLD,
            workspace: WorkspaceId::ACCOUNT,
            create: true,
            writable: true,
        };
        Database::open(spec).await.expect("opens")
    }

    /// Has SQLite report a full disk from now on, on the connection that is open.
    async fn fill_up(db: &Database) {
        let mut conn = db.writing().await.expect("the writing connection");
        let pages: i64 =
            sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *conn).await.expect("a number of pages");
        let limit = format!("PRAGMA max_page_count = {}", pages + 2);
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(&mut *conn).await.expect("a limit");
    }

    async fn keep(db: &Database, bytes: i64) -> DbResult<()> {
        let mut tx = db.begin_immediate().await?;
        sqlx::query("INSERT INTO scraps (bytes) VALUES (randomblob(?))")
            .bind(bytes)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    #[tokio::test]
    async fn a_write_that_failed_on_a_full_disk_does_not_keep_the_next_ones_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let db = world(folder.path()).await;
        let mut tx = db.begin_immediate().await.expect("begins");
        sqlx::query("CREATE TABLE scraps (bytes BLOB)").execute(&mut *tx).await.expect("a table");
        tx.commit().await.expect("commits");
        for _ in 0..3 {
            fill_up(&db).await;
            let refused = keep(&db, 1 << 20).await.map_err(|error| db.fail(error));
            assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
            // The limit belongs to the connection that failed: with it gone, there is room again.
            keep(&db, 1 << 20).await.expect("the next write succeeds");
        }
        let kept: i64 =
            sqlx::query_scalar("SELECT count(*) FROM scraps").fetch_one(&db.reader()).await.expect("a count");
        assert_eq!(kept, 3);
    }
}
