//! The system's clock, ids, tokens and folders: the only module that reads the time or generates a UUID.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Duration, FixedOffset, Local, SubsecRound, Utc};
use futures::future::BoxFuture;
use inklings_ports::{
    client::store::{GeneratedToken, TokenGenerator},
    clock::{Clock, IdGenerator},
    store_error::StoreError,
};
use sha2::{Digest, Sha256};
use uuid::{ContextV7, Timestamp, Uuid};

/// The system clock in microseconds, the resolution of the databases.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "this is the adapter behind the Clock port")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(6)
    }

    fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        at.with_timezone(&Local).fixed_offset()
    }

    fn sleep(&self, span: Duration) -> BoxFuture<'static, ()> {
        let span = span.to_std().unwrap_or_default();
        // Created at the first poll, because the timer belongs to the runtime that polls it.
        Box::pin(async move { tokio::time::sleep(span).await })
    }
}

/// `UUIDv7` ids that increase within the process, and random numbers from the operating system.
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
        // Without system randomness this code is only more likely to collide, and the database's unique key
        // detects that.
        getrandom::u64().unwrap_or_else(|_| self.uuid().as_u64_pair().1)
    }
}

/// Generates tokens from system randomness and hashes them with SHA-256.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemTokens;

impl TokenGenerator for SystemTokens {
    fn token_generator(&self) -> Result<GeneratedToken, StoreError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| StoreError::Internal(Box::new(error)))?;
        let token = hex(&bytes);
        Ok(GeneratedToken { hash: self.hash(&token), token })
    }

    fn hash(&self, token: &str) -> String {
        hex(&Sha256::digest(token.as_bytes()))
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The data folder: the given one, else `$INKLINGS_DATA_DIR`, else `inklings` in the system's data folder.
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

/// The folder with the configuration of other programs.
pub(crate) fn config_dir() -> PathBuf {
    if cfg!(any(target_os = "windows", target_os = "macos")) {
        return system_data_dir();
    }
    std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .unwrap_or_else(|| home().join(".config"))
}

/// The user's own folder.
pub(crate) fn home() -> PathBuf {
    let variable = if cfg!(target_os = "windows") { "USERPROFILE" } else { "HOME" };
    std::env::var_os(variable).map_or_else(|| PathBuf::from("."), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_64_hex_digits_and_identified_by_its_sha_256() {
        let (one, other) = (
            SystemTokens.token_generator().expect("random"),
            SystemTokens.token_generator().expect("random"),
        );
        assert_ne!(one.token, other.token);
        assert!(one.token.len() == 64 && one.token.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(SystemTokens.hash("abc"), known);
    }

    #[test]
    fn ids_rise_within_the_process() {
        let ids = SystemIds::default();
        let made: Vec<Uuid> = (0..10_000).map(|_| ids.uuid()).collect();
        assert!(made.is_sorted() && made.iter().all(|id| id.get_version_num() == 7));
    }
}
