//! Whether the program goes on without a window.

use std::sync::atomic::{AtomicBool, Ordering};

/// What decides it.
#[derive(Debug, Default)]
pub struct Lifetime {
    in_tray: AtomicBool,
    ending: AtomicBool,
}

impl Lifetime {
    /// True if closing the last window leaves the program running: only while there is a way back to it.
    pub fn goes_on_without_window(&self) -> bool {
        self.in_tray.load(Ordering::Relaxed) && !self.is_ending()
    }

    /// True once the program was asked to end.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// Notes whether there is an entry in the tray.
    pub fn set_in_tray(&self, shown: bool) {
        self.in_tray.store(shown, Ordering::Relaxed);
    }

    /// Notes that the program was asked to end, or is wanted again.
    pub fn set_ending(&self, ending: bool) {
        self.ending.store(ending, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_entry_in_the_tray_keeps_a_program_that_was_not_asked_to_end() {
        let lifetime = Lifetime::default();
        assert!(!lifetime.goes_on_without_window());
        lifetime.set_in_tray(true);
        assert!(lifetime.goes_on_without_window());
        lifetime.set_ending(true);
        assert!(!lifetime.goes_on_without_window());
        lifetime.set_ending(false);
        assert!(lifetime.goes_on_without_window());
    }
}
