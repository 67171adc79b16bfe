//! Conversions shared by all views and requests, which the window's IPC and the command line's JSON both use.
//! Ids are strings, times RFC 3339 in UTC, counts 32-bit numbers.

pub mod cursor;

use chrono::{DateTime, SecondsFormat, Utc};
use inklings_domain::ids::MemoryId;

use crate::error::CommandError;

/// Formats a time as RFC 3339 in UTC.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Converts a count to 32 bits; saturates at the maximum.
pub fn count(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

/// Parses an id.
///
/// # Errors
/// [`CommandError`] of code `invalid` naming the field.
pub fn id<T: std::str::FromStr>(field: &str, text: &str) -> Result<T, CommandError>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| CommandError::invalid(field, format!("The {field}: {error}.")))
}

/// Parses ids.
///
/// # Errors
/// As [`id`].
pub fn ids(texts: &[String]) -> Result<Vec<MemoryId>, CommandError> {
    texts.iter().map(|text| id("id", text)).collect()
}
