//! Implements the `SecretStore` port with the system keychain, and the key file as fallback.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use inklings_ports::model::chat::{Secret, SecretError, SecretStore};
use keyring::{Entry, Error};

use super::file::SecretFile;

/// The service name of the keys in the keychain.
const SERVICE: &str = "app.inklings";

/// Timeout of the check for a keychain. A session bus without one can be silent for minutes.
const PROBE: Duration = Duration::from_secs(3);

/// Stores keys in the system keychain: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux.
/// If none can be reached, keys are stored in `secrets.json` in the data folder, readable only by its owner.
///
/// A key in the file is still found after a keychain becomes available, and moves to the keychain when it is set
/// again. With `INKLINGS_SECRETS=file` in the environment the keychain is never used.
#[derive(Debug, Clone)]
pub struct Keychain(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: SecretFile,
    reachable: OnceLock<bool>,
}

impl Keychain {
    /// Creates the store. The keychain is accessed only when first needed.
    pub fn new(data_folder: impl Into<PathBuf>) -> Self {
        let keychain = Self::looking(data_folder.into());
        if std::env::var_os("INKLINGS_SECRETS").is_some_and(|place| place == "file") {
            keychain.0.reachable.get_or_init(|| false);
        }
        keychain
    }

    /// Creates a store that always uses the file, whatever the environment says.
    pub fn file_only(data_folder: impl Into<PathBuf>) -> Self {
        let keychain = Self::looking(data_folder.into());
        keychain.0.reachable.get_or_init(|| false);
        keychain
    }

    fn looking(data_folder: PathBuf) -> Self {
        Self(Arc::new(Inner { file: SecretFile::new(data_folder), reachable: OnceLock::new() }))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let inner = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || work(&inner)).await;
        done.unwrap_or_else(|_| Err(SecretError("the keychain failed".into())))
    }
}

#[async_trait::async_trait]
impl SecretStore for Keychain {
    async fn secret(&self, name: &str) -> Result<Option<Secret>, SecretError> {
        let name = name.to_owned();
        self.blocking(move |inner| {
            if inner.is_reachable() {
                match entry(&name)?.get_password() {
                    Ok(secret) => return Ok(Some(Secret::new(secret))),
                    Err(Error::NoEntry) => {}
                    Err(error) => return Err(safe_message(&error)),
                }
            }
            inner.file.secret(&name)
        })
        .await
    }

    async fn set_secret(&self, name: &str, secret: Option<Secret>) -> Result<(), SecretError> {
        let name = name.to_owned();
        self.blocking(move |inner| {
            if !inner.is_reachable() {
                return inner.file.set_secret(&name, secret.as_ref());
            }
            let entry = entry(&name)?;
            match secret {
                Some(secret) => entry.set_password(secret.reveal()),
                None => match entry.delete_credential() {
                    Err(Error::NoEntry) => Ok(()),
                    removed => removed,
                },
            }
            .map_err(|error| safe_message(&error))?;
            // An older copy in the file would otherwise survive the removal.
            inner.file.set_secret(&name, None)
        })
        .await
    }

    /// The first call may wait a moment for the keychain.
    fn place(&self) -> String {
        if self.0.is_reachable() { "the system keychain" } else { "a protected file" }.into()
    }
}

impl Inner {
    fn is_reachable(&self) -> bool {
        *self.reachable.get_or_init(|| {
            let (tell, answer) = mpsc::channel();
            // A separate thread, because the call may hang and must not run inside an async runtime.
            let probe = thread::Builder::new().name("keychain".into()).spawn(move || {
                // The receiver is gone after the timeout.
                let _ = tell.send(Entry::store_status().is_ok());
            });
            let reachable = probe.is_ok() && answer.recv_timeout(PROBE).unwrap_or(false);
            if !reachable {
                tracing::info!("no keychain can be reached; keys are kept in a protected file");
            }
            reachable
        })
    }
}

fn entry(name: &str) -> Result<Entry, SecretError> {
    Entry::new(SERVICE, name).map_err(|error| safe_message(&error))
}

/// A safe message for a keychain error. Some variants carry the secret's bytes, so none is printed.
fn safe_message(error: &Error) -> SecretError {
    let what = match error {
        Error::NoStorageAccess(_) => "the system keychain is locked",
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            "the system keychain holds something that is no key"
        }
        Error::TooLong(..) => "the key is too long for the system keychain",
        Error::Ambiguous(_) => "the system keychain holds more than one key under this name",
        _ => "the system keychain failed",
    };
    SecretError(what.into())
}
