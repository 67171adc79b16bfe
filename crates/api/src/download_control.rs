//! A download of which one can be under way: that of a model, and that of an update.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, MutexGuard};

/// Whether the download is under way, and whether it was cancelled.
#[derive(Default)]
pub(crate) struct DownloadControl {
    running: Mutex<()>,
    cancelled: AtomicBool,
}

impl DownloadControl {
    /// Begins one; `None` while another is under way.
    pub(crate) fn begin(&self) -> Option<MutexGuard<'_, ()>> {
        let running = self.running.try_lock().ok()?;
        self.cancelled.store(false, Ordering::Relaxed);
        Some(running)
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_download_is_under_way_and_cancelling_it_does_not_cancel_the_next() {
        let control = DownloadControl::default();
        let running = control.begin().expect("none is under way");
        assert!(control.begin().is_none());
        control.cancel();
        assert!(control.is_cancelled());
        drop(running);
        let _running = control.begin().expect("the first has ended");
        assert!(!control.is_cancelled());
    }
}
