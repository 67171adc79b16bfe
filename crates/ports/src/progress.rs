//! Progress of long work.

/// Receives the progress of long work and can stop it.
pub trait Progress: Send + Sync {
    /// What is done so far, and the total: texts that are embedded, or bytes of a file or download.
    fn report(&self, done: u64, total: u64);

    /// True once the work should stop. A backfill stops after its batch, an import imports nothing, and a download leaves no
    /// file.
    fn cancelled(&self) -> bool;
}

/// Ignores all reports and never stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _: u64, _: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
