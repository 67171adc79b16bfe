//! Newer releases through Tauri's updater, which verifies their signatures. It is there only where the build names an address
//! and a public key; the page cannot call it, because no capability grants it.

use std::{sync::Arc, time::Duration};

use inklings_api::{Progress, UpdateError, UpdateSource, VerifiedRelease, update::NoUpdates};
use semver::Version;
use serde_json::{Map, Value, json};
use tauri::{
    AppHandle, Builder, Config, Manager, Runtime, Url, async_runtime::spawn_blocking,
    utils::platform::bundle_type,
};
use tauri_plugin_updater::{Error, Update, UpdaterExt};

const PLUGIN: &str = "updater";
const CHECK_WITHIN: Duration = Duration::from_secs(30);
const DOWNLOAD_WITHIN: Duration = Duration::from_hours(1);
const CANCELLED_WITHIN: Duration = Duration::from_millis(100);

/// Adds the updater if the configuration of the build sets it up. Whatever that says besides, no rule of the updater is
/// loosened: a signature has to name its version, no older version is installed, and TLS is verified.
pub fn add<R: Runtime>(builder: Builder<R>, config: &mut Config) -> Builder<R> {
    #[cfg(debug_assertions)]
    take_from_environment(config);
    match config.plugins.0.remove(PLUGIN).and_then(|updater| strict(&updater)) {
        Some(updater) => {
            config.plugins.0.insert(PLUGIN.to_owned(), Value::Object(updater));
            builder.plugin(tauri_plugin_updater::Builder::new().build())
        }
        None => builder,
    }
}

/// The updater that [`add`] added, or none.
pub fn source<R: Runtime>(app: &AppHandle<R>) -> Arc<dyn UpdateSource> {
    let address = app.config().plugins.0.get(PLUGIN).and_then(address_of);
    match address {
        Some(address) => Arc::new(PluginUpdates { app: app.clone(), address }),
        None => Arc::new(NoUpdates),
    }
}

/// The address and the key, and nothing that loosens a rule. `None` if one of the two is missing.
fn strict(updater: &Value) -> Option<Map<String, Value>> {
    let key = updater["pubkey"].as_str().filter(|key| !key.trim().is_empty())?;
    let address = address_of(updater)?;
    let rules = json!({ "endpoints": [address], "pubkey": key, "requireSignedVersion": true });
    rules.as_object().cloned()
}

/// The one address that is asked.
fn address_of(updater: &Value) -> Option<Url> {
    updater["endpoints"].as_array()?.first()?.as_str()?.parse().ok()
}

/// A development build can be tried against a server of a test: the variable names a file as `make package` reads it.
#[cfg(debug_assertions)]
fn take_from_environment(config: &mut Config) {
    let Some(file) = std::env::var_os("INKLINGS_UPDATES") else { return };
    let read = std::fs::read_to_string(file).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    if let Some(set) = read {
        let updater = json!({ "endpoints": [set["endpoint"]], "pubkey": set["pubkey"] });
        config.plugins.0.insert(PLUGIN.to_owned(), updater);
    }
}

struct PluginUpdates<R: Runtime> {
    app: AppHandle<R>,
    address: Url,
}

impl<R: Runtime> PluginUpdates<R> {
    async fn check(&self) -> Result<Option<Update>, UpdateError> {
        // Outside of a package the plugin would replace whatever program runs.
        #[cfg(target_os = "linux")]
        if bundle_type().is_none() && self.app.env().appimage.is_none() {
            return Err(UpdateError::NoPackage);
        }
        let endpoints = vec![self.address.clone()];
        let builder = self.app.updater_builder().endpoints(endpoints).map_err(meaning)?;
        let updater = builder.timeout(CHECK_WITHIN).build().map_err(meaning)?;
        updater.check().await.map_err(meaning)
    }
}

#[async_trait::async_trait]
impl<R: Runtime> UpdateSource for PluginUpdates<R> {
    fn address(&self) -> Option<String> {
        Some(self.address.to_string())
    }

    async fn announced(&self) -> Result<Option<Version>, UpdateError> {
        let Some(update) = self.check().await? else { return Ok(None) };
        Version::parse(&update.version).map(Some).map_err(|error| UpdateError::Unreachable(error.into()))
    }

    async fn download(
        &self,
        version: &Version,
        progress: &dyn Progress,
    ) -> Result<Box<dyn VerifiedRelease>, UpdateError> {
        let update = self.check().await?.filter(|update| update.version == version.to_string());
        let Some(mut update) = update else { return Err(UpdateError::NotAnnounced(version.clone())) };
        // The worldbuilder agreed to ask one address; the manifest may not send the program to another.
        if update.download_url.origin() != self.address.origin() {
            return Err(UpdateError::Untrusted("the package is at another address than the manifest".into()));
        }
        update.timeout = Some(DOWNLOAD_WITHIN);
        let mut downloaded = 0;
        let chunk = |bytes: usize, total: Option<u64>| {
            downloaded += bytes as u64;
            progress.report(downloaded, total.unwrap_or(0));
        };
        let bytes = tokio::select! {
            bytes = update.download(chunk, || {}) => bytes.map_err(meaning)?,
            () = cancelled(progress) => return Err(UpdateError::Cancelled),
        };
        Ok(Box::new(Downloaded { update, bytes }))
    }
}

/// Waits until it is cancelled, also while the address sends nothing.
async fn cancelled(progress: &dyn Progress) {
    while !progress.cancelled() {
        tokio::time::sleep(CANCELLED_WITHIN).await;
    }
}

struct Downloaded {
    update: Update,
    bytes: Vec<u8>,
}

#[async_trait::async_trait]
impl VerifiedRelease for Downloaded {
    async fn install(self: Box<Self>) -> Result<(), UpdateError> {
        let Self { update, bytes } = *self;
        let installed = spawn_blocking(move || update.install(bytes)).await;
        installed
            .map_err(|error| UpdateError::Install(error.into()))?
            .map_err(|error| UpdateError::Install(error.into()))
    }
}

/// What an error of a check or a download means.
fn meaning(error: Error) -> UpdateError {
    match error {
        Error::TargetNotFound(_)
        | Error::TargetsNotFound(_)
        | Error::UnsupportedOs
        | Error::UnsupportedArch => UpdateError::NoPackage,
        Error::Minisign(_)
        | Error::Base64(_)
        | Error::SignatureUtf8(_)
        | Error::SignedVersionMismatch { .. }
        | Error::MissingSignedVersion => UpdateError::Untrusted(error.into()),
        error => UpdateError::Unreachable(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_an_address_or_a_key_has_no_updater() {
        let address = "https://updates.example/latest.json";
        for updater in [
            json!(null),
            json!({}),
            json!({ "endpoints": [address] }),
            json!({ "endpoints": [address], "pubkey": " " }),
            json!({ "endpoints": [], "pubkey": "K" }),
            json!({ "endpoints": ["no address"], "pubkey": "K" }),
        ] {
            assert_eq!(strict(&updater), None, "{updater}");
        }
    }

    #[test]
    fn the_configuration_of_a_build_cannot_loosen_a_rule_of_the_updater() {
        let updater = json!({
            "endpoints": ["https://updates.example/latest.json", "https://other.example/latest.json"],
            "pubkey": "K",
            "requireSignedVersion": false,
            "allowDowngrades": true,
            "dangerousAcceptInvalidCerts": true,
            "dangerousInsecureTransportProtocol": true,
        });
        let strict = strict(&updater).map(Value::Object);
        assert_eq!(
            strict,
            Some(json!({
                "endpoints": ["https://updates.example/latest.json"],
                "pubkey": "K",
                "requireSignedVersion": true,
            }))
        );
    }

    #[test]
    fn the_page_is_granted_nothing_of_the_updater() {
        let granted = include_str!("../capabilities/main.json");
        assert!(!granted.contains("updater"));
    }
}
