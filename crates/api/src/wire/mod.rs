//! Conversions shared by all views and requests, which the window's IPC and the command line's JSON both use.
//! Ids are strings, times RFC 3339 in UTC, counts 32-bit numbers.

pub mod cursor;

use inklings_domain::ids::MemoryId;

use crate::error::CommandError;
pub use crate::format::{count, time};

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
pub fn ids(texts: &[String]) -> Result<Vec<MemoryId>, CommandError> {
    texts.iter().map(|text| id("id", text)).collect()
}
