//! Downloads a set of files atomically. A download resumes after a failure and stops immediately on request.
//!
//! Files are collected in a staging folder. When all have been verified, they move to the target together. A failure
//! keeps the staging folder, so that the next attempt resumes; a cancellation removes it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use inklings_ports::{model::embedding::EmbedError, progress::Progress};
use sha2::{Digest, Sha256};

use crate::files::hex;
use crate::hub::Hub;
use crate::models::{Pin, PinnedFile};
use crate::thread;

/// Bytes per read, and so the finest step of progress.
const STEP: usize = 256 * 1024;

/// Interval of cancellation checks while the network is silent.
const PULSE: Duration = Duration::from_millis(100);

/// Number of attempts per file, and the pause before the second; the pause doubles.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(400);

/// A download order.
pub(crate) struct Order<'a> {
    /// The hub repository.
    pub repository: &'a str,
    /// The files, with paths relative to the repository and to `target`.
    pub pin: Pin,
    /// The staging folder; must be on the same file system as `target`.
    pub staging: PathBuf,
    /// The target folder. It exists only when it is complete.
    pub target: PathBuf,
}

/// Executes `order` and reports the total bytes of all files to `progress`.
///
/// # Errors
/// [`EmbedError::Cancelled`] when `progress` asks to stop; [`EmbedError::Download`] for any other failure.
pub(crate) fn carry_out(order: &Order, hub: &Hub, progress: &dyn Progress) -> Result<(), EmbedError> {
    let result = Download { order, hub, progress }.run();
    if matches!(result, Ok(()) | Err(EmbedError::Cancelled)) {
        // Best effort: the next download overwrites remaining files.
        let _ = fs::remove_dir_all(&order.staging);
    }
    result
}

struct Download<'a> {
    order: &'a Order<'a>,
    hub: &'a Hub,
    progress: &'a dyn Progress,
}

impl Download<'_> {
    fn run(&self) -> Result<(), EmbedError> {
        fs::create_dir_all(&self.order.staging).map_err(|error| disk(&error))?;
        let _lock = self.lock()?;
        let files = self.order.pin.files;
        let total = files.iter().map(|file| file.size).sum();
        let gathering = self.gathering()?;
        let mut done = 0;
        self.progress.report(done, total);
        for file in files {
            self.bring(file, &gathering, done, total)?;
            done += file.size;
            self.progress.report(done, total);
        }
        self.check_cancelled()?;
        self.move_to_place(&gathering).map_err(|error| disk(&error))
    }

    /// Locks the staging folder, so that two processes do not write the same files. The operating system releases the
    /// lock when the file is closed, also after a crash.
    fn lock(&self) -> Result<File, EmbedError> {
        let file =
            inklings_files::open_lock(&self.order.staging.join("lock")).map_err(|error| disk(&error))?;
        file.try_lock().map_err(|_| EmbedError::Download("it is being downloaded already".into()))?;
        Ok(file)
    }

    /// Creates the staging folder of this revision and removes those of other revisions, whose files do not match.
    fn gathering(&self) -> Result<PathBuf, EmbedError> {
        let folder = self.order.staging.join(self.order.pin.revision);
        for other in fs::read_dir(&self.order.staging).map_err(|error| disk(&error))?.flatten() {
            if other.path() != folder && other.path().is_dir() {
                fs::remove_dir_all(other.path()).map_err(|error| disk(&error))?;
            }
        }
        fs::create_dir_all(&folder).map_err(|error| disk(&error))?;
        Ok(folder)
    }

    /// Downloads one file into `folder` and verifies it.
    fn bring(&self, file: &PinnedFile, folder: &Path, before: u64, total: u64) -> Result<(), EmbedError> {
        let path = folder.join(file.path);
        if path.is_file() {
            return Ok(()); // an earlier attempt verified it before it got this name
        }
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(|error| disk(&error))?;
        let part = path.with_added_extension("part");
        self.persistently(|| {
            let written = self.transfer(file, &part, before, total)?;
            check(file, &written).inspect_err(|_| {
                let _ = fs::remove_file(&part); // resuming after wrong bytes cannot succeed
            })
        })?;
        fs::rename(&part, &path).map_err(|error| disk(&error))
    }

    /// Appends the missing part of `file` to `part`. Returns the digest of the whole file.
    fn transfer(
        &self,
        file: &PinnedFile,
        part: &Path,
        before: u64,
        total: u64,
    ) -> Result<String, EmbedError> {
        let have = fs::metadata(part).map_or(0, |data| data.len());
        let have = if have > file.size { 0 } else { have };
        let (hub, repository, name) = (self.hub.clone(), self.order.repository.to_owned(), file.path);
        let revision = self.order.pin.revision;
        let (steps, arriving) = mpsc::sync_channel(4);
        if have < file.size {
            // The network thread may block for any time; this thread waits at most one pulse.
            thread::start("download", move || pump(&hub, &repository, revision, name, have, &steps))?;
        } else {
            drop(steps);
        }

        let mut digest = Sha256::new();
        let mut out = inklings_files::open(part, OpenOptions::new().create(true).append(true))
            .map_err(|error| disk(&error))?;
        let mut size = have;
        loop {
            match self.next(&arriving)? {
                None => break,
                Some(Step::Starts(start)) => {
                    out.set_len(start).map_err(|error| disk(&error))?;
                    size = start;
                }
                Some(Step::Bytes(bytes)) => {
                    size += bytes.len() as u64;
                    if size > file.size {
                        // The bytes belong to other content, so resuming is impossible.
                        out.set_len(0).map_err(|error| disk(&error))?;
                        return Err(EmbedError::Download(format!("{}: longer than it should be", file.path)));
                    }
                    out.write_all(&bytes).map_err(|error| disk(&error))?;
                    self.progress.report(before + size, total);
                }
                Some(Step::Failed(error)) => return Err(error),
            }
        }
        out.sync_all().map_err(|error| disk(&error))?;
        if size < file.size {
            return Err(EmbedError::Download(format!("{}: the connection broke off", file.path)));
        }
        let mut whole = inklings_files::open_to_read(part).map_err(|error| disk(&error))?;
        io::copy(&mut whole, &mut digest).map_err(|error| disk(&error))?;
        Ok(hex(digest))
    }

    /// The next step of a transfer; `None` at its end. Checks for a cancellation while waiting.
    fn next(&self, arriving: &mpsc::Receiver<Step>) -> Result<Option<Step>, EmbedError> {
        loop {
            self.check_cancelled()?;
            match arriving.recv_timeout(PULSE) {
                Ok(step) => return Ok(Some(step)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Retries an attempt, because most network failures pass within a second.
    fn persistently<T>(&self, mut attempt: impl FnMut() -> Result<T, EmbedError>) -> Result<T, EmbedError> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match attempt() {
                Err(EmbedError::Download(reason)) => tracing::debug!(reason, "download attempt failed"),
                other => return other,
            }
            for _ in 0..pause.as_millis() / PULSE.as_millis() {
                self.check_cancelled()?;
                std::thread::sleep(PULSE);
            }
            pause *= 2;
        }
        attempt()
    }

    fn move_to_place(&self, gathering: &Path) -> io::Result<()> {
        if self.order.target.exists() {
            fs::remove_dir_all(&self.order.target)?;
        }
        fs::rename(gathering, &self.order.target)
    }

    fn check_cancelled(&self) -> Result<(), EmbedError> {
        if self.progress.cancelled() { Err(EmbedError::Cancelled) } else { Ok(()) }
    }
}

enum Step {
    /// The offset of the following bytes.
    Starts(u64),
    Bytes(Vec<u8>),
    Failed(EmbedError),
}

/// Sends the bytes of a file until its end, or until the receiver is dropped.
fn pump(hub: &Hub, repository: &str, revision: &str, name: &str, start: u64, steps: &mpsc::SyncSender<Step>) {
    let mut transfer = match hub.open(repository, revision, name, start) {
        Ok(transfer) => transfer,
        Err(error) => return drop(steps.send(Step::Failed(error))),
    };
    if steps.send(Step::Starts(transfer.start)).is_err() {
        return;
    }
    loop {
        let mut bytes = Vec::with_capacity(STEP);
        let outcome = Read::by_ref(&mut transfer.body).take(STEP as u64).read_to_end(&mut bytes);
        let ended = bytes.is_empty();
        // Bytes received before a failure count: the next attempt resumes after them.
        if !ended && steps.send(Step::Bytes(bytes)).is_err() {
            return;
        }
        match outcome {
            Ok(_) if ended => return,
            Ok(_) => {}
            Err(error) => {
                return drop(steps.send(Step::Failed(EmbedError::Download(format!("{name}: {error}")))));
            }
        }
    }
}

/// Refuses a file whose digest differs from the pinned one.
fn check(file: &PinnedFile, digest: &str) -> Result<(), EmbedError> {
    if digest == file.sha256 {
        return Ok(());
    }
    Err(EmbedError::Download(format!("{}: it is damaged, or not the file that Inklings knows", file.path)))
}

fn disk(error: &io::Error) -> EmbedError {
    EmbedError::Download(match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".into(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "the models folder cannot be written".into()
        }
        _ => error.to_string(),
    })
}
