//! Formatting of texts, times and words.

use std::{
    io::{self, Read},
    path::Path,
};

use inklings_api::error::CommandError;

use crate::failure::Failure;

/// Far above the limit of every text, so that the core can report by how much one is too long.
const MOST_READ: u64 = 64 * 1024 * 1024;

/// A given text, or standard input for `-`.
pub fn read(text: String) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text);
    }
    standard_input()
}

/// All of standard input.
pub fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_READ + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(Path::new("-"), &error))?;
    let refused = |message| Failure::from(CommandError::invalid("content", message));
    if bytes.len() as u64 > MOST_READ {
        return Err(refused("Standard input is longer than 64 MiB."));
    }
    String::from_utf8(bytes).map_err(|_| refused("Standard input is not valid UTF-8."))
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
