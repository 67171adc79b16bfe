//! Brings a set of files here: whole or not at all, resumed after a failure, stopped at once when asked.
//!
//! Files gather in a staging folder and move to their place together, when each has been checked. A failure
//! keeps the staging folder, so that the next attempt goes on where this one broke off; a cancel removes it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use inklings_application::model::embedding::{DownloadProgress, EmbedError};
use sha2::{Digest, Sha256};

use crate::files::hex;
use crate::hub::Hub;
use crate::models::{Pin, PinnedFile};
use crate::thread;

/// Bytes read at a time, and so the finest step of progress.
const STEP: usize = 256 * 1024;

/// How often a cancel is looked for while the network is silent.
const PULSE: Duration = Duration::from_millis(100);

/// Attempts per file, and the pause before the second; it doubles.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(400);

/// What to bring, and where to.
pub(crate) struct Order<'a> {
    /// The hub repository.
    pub repository: &'a str,
    /// The files within it, and within `target`.
    pub pin: Pin,
    /// Where files gather; on the same file system as `target`.
    pub staging: PathBuf,
    /// The folder they move to. It exists only when whole.
    pub target: PathBuf,
}

/// Carries out `order`, telling `progress` the bytes of all files together.
///
/// # Errors
/// [`EmbedError::Cancelled`] when `progress` says so; [`EmbedError::Download`] for everything that went wrong.
pub(crate) fn carry_out(order: &Order, hub: &Hub, progress: &dyn DownloadProgress) -> Result<(), EmbedError> {
    let result = Download { order, hub, progress }.run();
    if matches!(result, Ok(()) | Err(EmbedError::Cancelled)) {
        // Best effort: what cannot be removed now is overwritten by the next download.
        let _ = fs::remove_dir_all(&order.staging);
    }
    result
}

struct Download<'a> {
    order: &'a Order<'a>,
    hub: &'a Hub,
    progress: &'a dyn DownloadProgress,
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

    /// Two processes must not write the same files. The lock ends with the file, also after a crash.
    fn lock(&self) -> Result<File, EmbedError> {
        let file =
            inklings_files::open_lock(&self.order.staging.join("lock")).map_err(|error| disk(&error))?;
        file.try_lock().map_err(|_| EmbedError::Download("it is being downloaded already".into()))?;
        Ok(file)
    }

    /// The folder for files of this revision; those of others are removed, they would not fit.
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

    /// Brings one file into `folder` under its name, checked.
    fn bring(&self, file: &PinnedFile, folder: &Path, before: u64, total: u64) -> Result<(), EmbedError> {
        let path = folder.join(file.path);
        if path.is_file() {
            return Ok(()); // by an earlier attempt; it has its name only since it was checked
        }
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(|error| disk(&error))?;
        let part = path.with_added_extension("part");
        self.persistently(|| {
            let written = self.transfer(file, &part, before, total)?;
            check(file, &written).inspect_err(|_| {
                let _ = fs::remove_file(&part); // going on from wrong bytes never ends well
            })
        })?;
        fs::rename(&part, &path).map_err(|error| disk(&error))
    }

    /// Appends what is missing of `file` to `part`. Returns the digest of the whole.
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
            // The network blocks for as long as it likes; this thread only ever waits for a pulse.
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
                        // Bytes of another content: nothing to go on from.
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

    /// The next step of a transfer, `None` at its end; looks for a cancel while waiting.
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

    /// Tries a few times: most network failures are gone a second later.
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
    /// The offset of the bytes that follow.
    Starts(u64),
    Bytes(Vec<u8>),
    Failed(EmbedError),
}

/// Sends the bytes of a file until it ends, or nobody wants them any more.
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
        // Bytes that came before a failure count: the next attempt goes on after them.
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

/// Refuses a file that is not the one that was reviewed.
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
