//! Reads and writes what the settings of the account and of workspaces store, as JSON.

use inklings_ports::workspace::settings::SettingsStore;
use serde::{Serialize, de::DeserializeOwned};

use crate::error::{CommandError, ErrorCode};

/// Reads a setting. A value that this release cannot parse counts as not set.
pub(crate) async fn read<T: DeserializeOwned>(
    store: &dyn SettingsStore,
    key: &str,
) -> Result<Option<T>, CommandError> {
    Ok(store.setting(key).await?.and_then(|json| parsed(key, &json)))
}

pub(crate) fn parsed<T: DeserializeOwned>(key: &str, json: &str) -> Option<T> {
    serde_json::from_str(json)
        .inspect_err(|error| tracing::warn!(key, %error, "a setting could not be read; its default applies"))
        .ok()
}

pub(crate) fn json<T: Serialize>(value: &T) -> Result<String, CommandError> {
    serde_json::to_string(value).map_err(|error| CommandError::new(ErrorCode::Internal, error.to_string()))
}

pub(crate) async fn write<T: Serialize>(
    store: &dyn SettingsStore,
    key: &str,
    value: &T,
) -> Result<(), CommandError> {
    Ok(store.set_setting(key, &json(value)?).await?)
}
