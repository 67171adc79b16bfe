//! Formatting of texts, times and words.

use crate::failure::Failure;
use std::io::Read;

/// A given text, or standard input for `-`.
pub fn read(text: String) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text);
    }
    standard_input()
}

/// All of standard input.
pub fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::internal(&error))?;
    Ok(text)
}

/// Maximum characters of a text in a list.
pub(crate) const SHOWN: usize = 100;

pub(crate) fn line(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{} …", &flat[..at]),
        None => flat,
    }
}

/// A stable word of the JSON ("open") for display.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

/// One line for each row, without a final line end.
pub(crate) fn lines<T>(rows: &[T], line: impl Fn(&T) -> String) -> String {
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The day and minute of a time.
pub(crate) fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}
