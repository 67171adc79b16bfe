//! The typed views and requests that cross a process boundary: the window's IPC and the command line's JSON
//! speak the same ones. Ids cross as strings, times as RFC 3339 in UTC, counts as 32-bit numbers.

pub mod change;
pub mod chat;
pub mod conversation_import;
pub mod convert;
pub mod decay;
pub mod doors_clients;
pub mod doors_keep;
pub mod doors_transfer;
pub mod filter;
pub mod keeping;
pub mod keeping_convert;
pub mod memory;
pub mod model;
pub mod runs;
pub mod search;
pub mod settings;
pub mod talk;
pub mod talk_convert;
pub mod vocabulary;
pub mod workspace;

use chrono::{DateTime, SecondsFormat, Utc};

/// A time as it crosses the boundary.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A count as it crosses the boundary; what does not fit is shown as the largest that does.
pub fn count(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
