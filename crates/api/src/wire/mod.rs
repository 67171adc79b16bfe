//! The typed views and requests that cross a process boundary: the window's IPC and the command line's JSON
//! speak the same ones. Ids cross as strings, times as RFC 3339 in UTC, counts as 32-bit numbers.

pub mod cursor;

use chrono::{DateTime, SecondsFormat, Utc};
use inklings_domain::ids::MemoryId;

use crate::error::CommandError;

/// A time as it crosses the boundary.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A count as it crosses the boundary; what does not fit is shown as the largest that does.
pub fn count(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

/// Reads an id.
///
/// # Errors
/// [`CommandError`] of code `invalid` naming the field.
pub fn id<T: std::str::FromStr>(field: &str, text: &str) -> Result<T, CommandError>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| CommandError::invalid(field, format!("The {field}: {error}.")))
}

/// Reads ids.
///
/// # Errors
/// As [`id`].
pub fn ids(texts: &[String]) -> Result<Vec<MemoryId>, CommandError> {
    texts.iter().map(|text| id("id", text)).collect()
}
