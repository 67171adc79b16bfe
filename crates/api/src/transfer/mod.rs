//! Use cases of export and import.

pub mod one_file;
mod target;
pub(crate) mod third_party;
pub mod view;

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use inklings_application::{
    session::Session,
    transfer::{ExportCounts, ExportOptions, ExportScope, Picks, Plan, PlanLink, Wanted},
};
use inklings_domain::{backup::BackupReason, scope::MemoryScope};
use inklings_formats::{
    entries::{DamagedFile, LeftBehind},
    own::OwnFile,
};
use inklings_ports::transfer::{
    file::{TransferError, TransferProgress},
    shape::Section,
};

use crate::{
    Event, Events,
    commands::TransferCommands,
    error::{CommandError, ErrorCode, disk_failed, sentence},
    events::TransferStep,
    transfer::view::{
        AlwaysShown, ExportReport, ExportRequest, ImportBook, ImportCount, ImportDone, ImportItemView,
        ImportLine, ImportLinkView, ImportOutcomeKind, ImportPlan, ImportRemark, ImportRequest,
        TransferCount, TransferFormat,
    },
    wire::count,
};
use crate::{
    exports::{Note, UNFINISHED},
    transfer::third_party::Opened,
};

/// Forwards the progress.
struct Reporter {
    events: Arc<dyn Events>,
    cancel: Arc<AtomicBool>,
}

impl TransferProgress for Reporter {
    fn report(&self, done: u64, total: u64, what: &'static str) {
        self.events.send(Event::TransferProgress(TransferStep {
            done: done as f64,
            total: total as f64,
            what: what.to_owned(),
        }));
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

impl From<TransferError> for CommandError {
    fn from(error: TransferError) -> Self {
        let reason = sentence(&error.to_string());
        match error {
            TransferError::Store(error) => error.into(),
            TransferError::Cancelled => Self::new(ErrorCode::Cancelled, reason),
            TransferError::Stale => Self::new(ErrorCode::StaleVersion, reason),
            TransferError::NothingChosen => Self::invalid("scope", reason),
            TransferError::Newer { .. } => Self::new(ErrorCode::NewerSchema, reason),
            TransferError::File(_) | TransferError::Older { .. } => Self::invalid("path", reason),
            TransferError::UnknownPick { .. } => Self::invalid("picks", reason),
            TransferError::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => Self::new(ErrorCode::NotFound, "There is no such file or folder."),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Self::new(ErrorCode::DiskFull, "The disk is full; nothing was written.")
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Self::invalid("path", "Inklings may not read or write there.")
                }
                _ if disk_failed(&error) => {
                    Self::new(ErrorCode::Io, "The file could not be read or written: the disk failed.")
                }
                _ => Self::invalid("path", reason),
            },
        }
    }
}

/// A file that is written next to its destination and renamed when complete. Dropping it earlier removes it.
pub(crate) struct Unfinished {
    place: PathBuf,
    until_then: PathBuf,
    pub out: BufWriter<File>,
    kept: bool,
    /// Lets the next process remove the file if this one is killed.
    _note: Option<Note>,
}

impl Unfinished {
    pub fn new(place: &Path, data_dir: &Path) -> io::Result<Self> {
        let name = place.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        if place.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut other = std::ffi::OsString::from(".");
        other.push(name);
        other.push(format!(".{}{UNFINISHED}", std::process::id()));
        let until_then = place.with_file_name(other);
        let note = Note::of(data_dir, &until_then);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&until_then)?;
        Ok(Self {
            place: place.to_owned(),
            until_then,
            out: BufWriter::with_capacity(1 << 20, file),
            kept: false,
            _note: note,
        })
    }

    pub fn finish(mut self) -> io::Result<u64> {
        self.out.flush()?;
        let file = self.out.get_ref();
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        fs::rename(&self.until_then, &self.place)?;
        self.kept = true;
        #[cfg(unix)]
        if let Some(folder) = self.place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            File::open(folder)?.sync_all()?;
        }
        Ok(bytes)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.until_then);
        }
    }
}

fn counts(of: &ExportCounts) -> Vec<TransferCount> {
    let to_count = |(section, rows): &(Section, u64)| TransferCount {
        what: section.name().to_owned(),
        rows: count(*rows),
    };
    of.iter().map(to_count).collect()
}

/// What the reader of a file tells besides its rows.
struct Read {
    format: TransferFormat,
    remarks: Vec<ImportRemark>,
    left_behind: Vec<LeftBehind>,
    damaged: Vec<DamagedFile>,
    book: Option<ImportBook>,
    always_shown: Option<AlwaysShown>,
}

impl Read {
    const fn of(format: TransferFormat) -> Self {
        Self {
            format,
            remarks: Vec::new(),
            left_behind: Vec::new(),
            damaged: Vec::new(),
            book: None,
            always_shown: None,
        }
    }

    /// Refuses a file that a person has to decide about first.
    fn decided(&self, partial: bool) -> Result<(), CommandError> {
        if !partial && !self.damaged.is_empty() {
            let message = format!(
                "{} files cannot be read. Import the others without them (partial), or repair them first; the preview \
                 lists them.",
                self.damaged.len()
            );
            return Err(CommandError::invalid("partial", message));
        }
        third_party::decided(self.book.as_ref())
    }
}

/// Kind of the part that holds conversations beside memories.
const CONVERSATIONS: &str = "conversations";

/// Maximum parts left behind that a plan lists; all are counted.
const LEFT_BEHIND: usize = 5_000;

/// Lists the damaged files of a folder or archive before all other items, and counts them.
fn add_damaged(plan: &mut ImportPlan, damaged: Vec<DamagedFile>) {
    if damaged.is_empty() {
        return;
    }
    plan.damaged = count(damaged.len());
    let kind = ImportOutcomeKind::Refuse;
    plan.counts.insert(0, ImportCount { kind, what: "file".to_owned(), rows: plan.damaged });
    let item = |file: DamagedFile| ImportItemView {
        kind,
        what: "file".to_owned(),
        place: file.path.clone(),
        label: file.path,
        reason: sentence(&file.problem),
        subject: None,
        relation: None,
        links: Vec::new(),
    };
    plan.items.splice(0..0, damaged.into_iter().take(DAMAGED).map(item));
}

/// Maximum damaged files that a plan lists; all are counted.
const DAMAGED: usize = 5_000;

/// Lists the parts of a file that are not imported behind the refused items, and counts them.
fn add_left_behind(plan: &mut ImportPlan, left_behind: Vec<LeftBehind>) {
    let mut counted: BTreeMap<&'static str, usize> = BTreeMap::new();
    for part in &left_behind {
        *counted.entry(part.what).or_default() += 1;
    }
    let kind = ImportOutcomeKind::Left;
    let to_count =
        |(what, rows): (&'static str, usize)| ImportCount { kind, what: what.to_owned(), rows: count(rows) };
    plan.counts.extend(counted.into_iter().map(to_count));
    let first = plan.items.iter().position(|item| item.kind != ImportOutcomeKind::Refuse);
    let first = first.unwrap_or(plan.items.len());
    let item = |part: LeftBehind| ImportItemView {
        kind,
        what: part.what.to_owned(),
        label: part.path.clone(),
        place: part.path,
        reason: if part.what == CONVERSATIONS {
            "not imported here: import the conversations of this file on their own"
        } else {
            "left behind: Inklings has no place for it"
        }
        .to_owned(),
        subject: None,
        relation: None,
        links: Vec::new(),
    };
    plan.items.splice(first..first, left_behind.into_iter().take(LEFT_BEHIND).map(item));
}

fn plan(plan: Plan, path: &str, read: Read) -> ImportPlan {
    let Read { format, remarks, left_behind, damaged, mut book, always_shown } = read;
    if let Some(book) = &mut book {
        // The book was compared by its texts.
        let settings = count(plan.settings).min(book.alike);
        (book.alike, book.changed) = (book.alike - settings, book.changed + settings);
    }
    let target =
        |link: PlanLink| ImportLinkView { role: link.role.into(), name: link.name, since: link.since };
    let item = |item: inklings_application::transfer::PlanItem| ImportItemView {
        kind: item.outcome.into(),
        what: item.what.to_owned(),
        place: item.place,
        label: item.label,
        reason: item.reason,
        subject: item.subject,
        relation: item.relation,
        links: item.links.into_iter().map(target).collect(),
    };
    let line = |line: inklings_application::transfer::Line| ImportLine {
        id: line.id,
        what: line.what.to_owned(),
        scope: line.tier.and_then(|tier| tier.parse::<MemoryScope>().ok()).map(Into::into),
        label: line.label,
        entry_id: line.entry.map(|id| id.to_string()),
        need: line.need.into(),
        reason: line.reason,
        picked: line.picked,
        here: line.here.map(Into::into),
        file: line.file.into(),
    };
    let to_count = |((outcome, what), rows): (&(inklings_application::transfer::Outcome, &str), &u64)| {
        ImportCount { kind: (*outcome).into(), what: (*what).to_owned(), rows: count(*rows) }
    };
    let mut shown = ImportPlan {
        path: path.to_owned(),
        format,
        counts: plan.counts.iter().map(to_count).collect(),
        items: plan.items.into_iter().map(item).collect(),
        lines: plan.lines.into_iter().map(line).collect(),
        remarks,
        book,
        damaged: 0,
        always_shown,
        hash: plan.hash,
    };
    add_left_behind(&mut shown, left_behind);
    add_damaged(&mut shown, damaged);
    shown
}

impl TransferCommands<'_> {
    /// Exports memory into a file, which appears only when complete. Writes nothing into the data folder or a linked vault,
    /// and replaces an existing file only on request.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` (fields `path`, `replace`, `scope`, `format`), `cancelled`, `disk_full`.
    pub async fn export_memory(
        &self,
        request: ExportRequest,
        events: Arc<dyn Events>,
    ) -> Result<ExportReport, CommandError> {
        self.begin();
        let scope = ExportScope {
            account: request.scope.account,
            workspace: request.scope.workspace,
            channel: request
                .scope
                .channel_id
                .as_deref()
                .map(|id| crate::wire::id("channelId", id))
                .transpose()?,
            conversation: request
                .scope
                .conversation_id
                .as_deref()
                .map(|id| crate::wire::id("conversationId", id))
                .transpose()?,
        };
        let options = ExportOptions { scope, embeddings: request.embeddings, journal: request.journal };
        let path = PathBuf::from(&request.path);
        let picture = request.picture.clone().map(PathBuf::from);
        if picture.is_some() && request.format != TransferFormat::CharacterCard {
            return Err(CommandError::invalid("picture", "Only a character card goes into a picture."));
        }
        target::check_target(self.app, &request).await?;
        let data_dir = self.app.data_dir.clone();
        let written = self
            .apart(events, move |session, progress, runtime| {
                if request.format != TransferFormat::Inklings {
                    return third_party::export(
                        &session,
                        (&path, &data_dir),
                        (request.format, picture.as_deref()),
                        (options, request.dry_run),
                        &progress,
                        &runtime,
                    );
                }
                // The format has no place for them yet.
                let tests = runtime.block_on(session.recall_tests().list())?.len();
                let searches = runtime.block_on(session.search().saved())?.all().len();
                let left_out = |what: &str, rows| TransferCount { what: what.to_owned(), rows: count(rows) };
                let losses = [left_out("recall tests", tests), left_out("saved searches", searches)];
                let losses = losses.into_iter().filter(|lost| lost.rows > 0).collect();
                let transfers = session.transfers();
                if request.dry_run {
                    let expected = runtime.block_on(transfers.preview_export(options, &progress))?;
                    return Ok(third_party::Written { bytes: 0, counts: counts(&expected), losses });
                }
                let mut file = Unfinished::new(&path, &data_dir).map_err(TransferError::from)?;
                let written = runtime.block_on(transfers.export(&mut file.out, options, &progress))?;
                let bytes = file.finish().map_err(TransferError::from)?;
                Ok(third_party::Written { bytes, counts: counts(&written), losses })
            })
            .await?;
        let third_party::Written { bytes, counts, losses } = written;
        Ok(ExportReport { path: request.path, bytes: bytes as f64, counts, losses })
    }

    /// Cancels the running export or import; nothing of it is retained.
    pub fn cancel_transfer(&self) {
        self.app.transfer_cancel.store(true, Ordering::Relaxed);
    }

    /// True if a file holds conversations, which [`Self::import_conversations`] imports, and no memories.
    ///
    /// # Errors
    /// [`CommandError`] of code `internal` if the check stopped unexpectedly.
    pub async fn holds_conversations(&self, path: &Path) -> Result<bool, CommandError> {
        let path = path.to_owned();
        let asked = move || !OwnFile::is_ours(&path) && inklings_formats::holds_only_conversations(&path);
        let asked = tokio::task::spawn_blocking(asked).await;
        asked.map_err(|_| CommandError::new(ErrorCode::Internal, "The file could not be looked into."))
    }

    /// Previews the import of a file. Stores nothing.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`: field `path`, naming the line and field of a broken file, or field
    /// `picks` for a line that the plan does not have; `cancelled`.
    pub async fn preview_import(
        &self,
        request: ImportRequest,
        events: Arc<dyn Events>,
    ) -> Result<ImportPlan, CommandError> {
        self.begin();
        let wanted = self.wanted(&request).await?;
        let path = request.path.clone();
        let (found, read) = self
            .apart(events, move |session, progress, runtime| {
                let Opened { source, read } = opened(&request, &session, &runtime)?;
                let found = runtime.block_on(session.transfers().preview(&*source, wanted, &progress))?;
                Ok((found, read))
            })
            .await?;
        Ok(plan(found, &path, read))
    }

    /// Imports a file as previewed, as one run.
    ///
    /// # Errors
    /// As [`Self::preview_import`]; `stale_version` if the file or the memory changed since; `invalid`, field `book` or
    /// `partial`, for a file about whose identity or damage a person has to decide first.
    pub async fn import_memory(
        &self,
        request: ImportRequest,
        hash: String,
        events: Arc<dyn Events>,
    ) -> Result<ImportDone, CommandError> {
        self.begin();
        let wanted = self.wanted(&request).await?;
        let path = request.path.clone();
        let partial = request.partial;
        let Opened { source, read } = self
            .apart(Arc::clone(&events), move |session, _, runtime| opened(&request, &session, &runtime))
            .await?;
        read.decided(partial)?;
        let backup = self.app.backup().back_up(BackupReason::Import).await?;
        // A backup is not cancelled, but what follows it is.
        if self.app.transfer_cancel.load(Ordering::Relaxed) {
            return Err(TransferError::Cancelled.into());
        }
        let done = self
            .apart(events, move |session, progress, runtime| {
                Ok(runtime.block_on(session.transfers().import(&*source, wanted, &hash, &progress))?)
            })
            .await?;
        Ok(ImportDone {
            plan: plan(done.plan, &path, read),
            run_id: done.run.id.to_string(),
            backup_id: Some(backup.id.to_string()),
        })
    }

    /// Forgets that an earlier export or import was cancelled. Only the start of one does this, so that it can be cancelled
    /// whatever it is at.
    fn begin(&self) {
        self.app.transfer_cancel.store(false, Ordering::Relaxed);
    }

    async fn wanted(&self, request: &ImportRequest) -> Result<Wanted, CommandError> {
        let session = self.app.session()?;
        let channel = crate::channel::by_id(request.channel_id.as_deref())?;
        let place = session.conversations().place(request.scope.into(), channel, None).await?;
        Ok(Wanted {
            conflicts: request.conflicts.into(),
            interface: self.app.actor.interface(),
            place,
            picks: Picks { all: request.pick_all, lines: request.picks.iter().cloned().collect() },
            whole: request.whole.iter().cloned().collect(),
        })
    }

    /// Runs blocking file I/O on its own thread.
    async fn apart<T: Send + 'static>(
        &self,
        events: Arc<dyn Events>,
        work: impl FnOnce(Arc<Session>, Reporter, tokio::runtime::Handle) -> Result<T, CommandError>
        + Send
        + 'static,
    ) -> Result<T, CommandError> {
        let session = self.app.session()?;
        let cancel = Arc::clone(&self.app.transfer_cancel);
        let progress = Reporter { events, cancel };
        let runtime = tokio::runtime::Handle::current();
        let done = tokio::task::spawn_blocking(move || work(session, progress, runtime)).await;
        done.map_err(|_| {
            CommandError::new(ErrorCode::Internal, "It stopped unexpectedly; nothing was kept.")
        })?
    }
}

fn opened(
    request: &ImportRequest,
    session: &Session,
    runtime: &tokio::runtime::Handle,
) -> Result<Opened, CommandError> {
    let path = Path::new(&request.path);
    if !path.exists() {
        return Err(CommandError::new(ErrorCode::NotFound, "There is no such file or folder."));
    }
    let ours = match request.format {
        Some(format) => format == TransferFormat::Inklings,
        None => OwnFile::is_ours(path),
    };
    if !ours {
        return third_party::source(path, request, session, runtime);
    }
    let source = Box::new(OwnFile::new(path));
    Ok(Opened { source, read: Read::of(TransferFormat::Inklings) })
}
