//! Times and counts of views.

use chrono::{DateTime, SecondsFormat, Utc};

/// Formats a time as RFC 3339 in UTC.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Converts a count to 32 bits; saturates at the maximum.
pub fn count(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
