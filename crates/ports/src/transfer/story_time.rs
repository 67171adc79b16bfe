//! Story time in a row of a file.

use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    memory::InvalidMemory,
};
use serde_json::Value;

use crate::transfer::store::Fields;

/// The span of a row. `None` if it is none.
pub fn span_in(fields: &Fields) -> Option<Span> {
    let moment = |field: &str| match fields.get(field) {
        None => Some(None),
        Some(value) => Moment::from_value(value.as_i64()?).ok().map(Some),
    };
    Span::new(moment("holds_from")?, moment("holds_until")?).ok()
}

/// The reading number of a row.
///
/// # Errors
/// [`InvalidMemory::NoChapter`] if it is none.
pub fn reading_number_in(fields: &Fields) -> Result<Option<u32>, InvalidMemory> {
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    let found = fields.get("reading_number").map(|value| number(value).ok_or(InvalidMemory::NoChapter));
    found.transpose()
}
