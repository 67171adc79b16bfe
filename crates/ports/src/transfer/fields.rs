//! Reads and writes single fields of a row.

use chrono::{DateTime, SecondsFormat, Utc};
use inklings_domain::{forget_reason::ForgetReason, memory::text_source::TextSource};
use serde_json::Value;

use crate::transfer::{
    shape::{REASON, REASON_CODE},
    store::Fields,
};

/// Formats a time for export.
pub fn written_moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Parses a time from a file.
pub fn read_moment(text: &str) -> Option<DateTime<Utc>> {
    let at = DateTime::parse_from_rfc3339(text).ok()?.with_timezone(&Utc);
    DateTime::from_timestamp_micros(at.timestamp_micros())
}

/// A text field of a row.
pub fn text_of<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).and_then(Value::as_str)
}

/// A list of texts of a row.
pub fn texts_of(fields: &Fields, name: &str) -> Vec<String> {
    let list = fields.get(name).and_then(Value::as_array);
    list.map(|list| list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect())
        .unwrap_or_default()
}

/// The text sources in a row; `None` if one of them is invalid.
pub fn sources_of(fields: &Fields) -> Option<Vec<TextSource>> {
    texts_of(fields, "derived_from").iter().map(|source| source.parse().ok()).collect()
}

/// The forget reason of a row, from its code or else from its text.
pub fn forget_reason(fields: &Fields) -> Option<ForgetReason> {
    let words = text_of(fields, REASON)?;
    match text_of(fields, REASON_CODE) {
        Some(code) => ForgetReason::of_code(code, Some(words.to_owned())),
        None => Some(ForgetReason::of_text(words)),
    }
}

/// Writes a forget reason into a row: its text, and its code if the text alone would be read as another
/// reason.
pub fn put_forget_reason(fields: &mut Fields, reason: &ForgetReason) {
    fields.insert(REASON.to_owned(), reason.to_string().into());
    if !reason.is_derivable_from_text() {
        fields.insert(REASON_CODE.to_owned(), reason.code().into());
    }
}
