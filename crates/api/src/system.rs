//! The machine's clock, ids and folders: the only place that reads the time or makes a UUID.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, SubsecRound, Utc};
use inklings_application::ports::clock::{Clock, IdGenerator};
use uuid::{ContextV7, Timestamp, Uuid};

/// The system clock, in microseconds: what the databases keep.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "this is the adapter behind the Clock port")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(6)
    }
}

/// `UUIDv7` ids that rise within the process, and randomness from the operating system.
#[derive(Debug)]
pub struct SystemIds {
    context: Mutex<ContextV7>,
}

impl Default for SystemIds {
    fn default() -> Self {
        Self { context: Mutex::new(ContextV7::new()) }
    }
}

impl IdGenerator for SystemIds {
    fn uuid(&self) -> Uuid {
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        Uuid::new_v7(Timestamp::now(&*context))
    }

    fn random_bits(&self) -> u64 {
        // Without the system's random numbers the code drawn here is merely likelier to collide, and the
        // database's unique key notices that.
        getrandom::u64().unwrap_or_else(|_| self.uuid().as_u64_pair().1)
    }
}

/// The data folder: the one given, else `$INKLINGS_DATA_DIR`, else `inklings` in the system's data folder.
pub fn data_dir(given: Option<PathBuf>) -> PathBuf {
    given
        .or_else(|| std::env::var_os("INKLINGS_DATA_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from))
        .unwrap_or_else(|| system_data_dir().join("inklings"))
}

#[cfg(target_os = "windows")]
fn system_data_dir() -> PathBuf {
    std::env::var_os("APPDATA").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

#[cfg(target_os = "macos")]
fn system_data_dir() -> PathBuf {
    home().join("Library/Application Support")
}

#[cfg(not(any(target_os = "windows", target_os = "macos")))]
fn system_data_dir() -> PathBuf {
    std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .unwrap_or_else(|| home().join(".local/share"))
}

#[cfg(not(target_os = "windows"))]
fn home() -> PathBuf {
    std::env::var_os("HOME").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise_within_the_process() {
        let ids = SystemIds::default();
        let made: Vec<Uuid> = (0..10_000).map(|_| ids.uuid()).collect();
        assert!(made.is_sorted() && made.iter().all(|id| id.get_version_num() == 7));
    }
}
