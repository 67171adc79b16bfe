//! Encodes and decodes page cursors.

use crate::error::CommandError;
use chrono::{DateTime, Utc};

/// Encodes a page position as an opaque cursor.
pub fn cursor_text(at: DateTime<Utc>, id: impl std::fmt::Display) -> String {
    format!("{}.{id}", at.timestamp_micros())
}

/// Decodes a cursor of [`cursor_text`].
///
/// # Errors
/// [`CommandError`] of code `invalid`.
pub fn cursor<T: std::str::FromStr>(text: &str) -> Result<(DateTime<Utc>, T), CommandError> {
    let read = || {
        let (micros, id) = text.split_once('.')?;
        Some((DateTime::from_timestamp_micros(micros.parse().ok()?)?, id.parse().ok()?))
    };
    read().ok_or_else(|| CommandError::invalid("after", "This is not where a page ended."))
}
