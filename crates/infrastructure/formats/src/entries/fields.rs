//! The fields of an entry: mapped fields are consumed, and the others are retained in `extra` for writing.
//!
//! A mapped field with a valid value is consumed. An empty field or one of an unexpected type remains among
//! the others unchanged, and a missing field is recorded, so that a writer can distinguish the three cases.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::{
    FormatError, Spot,
    limits::{MAX_NAME_BYTES, MAX_NAMES, MAX_TEXT_BYTES},
};
use crate::text::Tally;

const OTHER_KIND: &str = "a field of another kind than it should be";

/// The fields of one entry during reading.
#[derive(Debug, Default)]
pub struct Fields {
    map: Map<String, Value>,
    absent: Vec<&'static str>,
    entry: usize,
}

impl Fields {
    /// Takes the fields of an entry; `entry` is its number.
    ///
    /// # Errors
    /// [`FormatError::Broken`] if it is not an object.
    pub fn new(value: Value, entry: usize) -> Result<Self, FormatError> {
        match value {
            Value::Object(map) => Ok(Self { map, absent: Vec::new(), entry }),
            _ => {
                Err(FormatError::broken(Spot::entry(entry), "something else stands where an entry should be"))
            }
        }
    }

    /// A field without consuming it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Consumes a field.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.map.remove(key)
    }

    /// Puts a field back.
    pub fn put_back(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    /// Records that a field is missing.
    pub fn missing(&mut self, key: &'static str) {
        self.absent.push(key);
    }

    /// Consumes the entry's text.
    ///
    /// # Errors
    /// [`FormatError::Broken`] if it is not a string, [`FormatError::TooLarge`] if it is too long.
    pub fn content(&mut self, key: &'static str) -> Result<String, FormatError> {
        let at = || Spot::field(self.entry, key);
        match self.map.get(key) {
            None => self.absent.push(key),
            Some(Value::Null) => {}
            Some(Value::String(text)) if text.len() > MAX_TEXT_BYTES => {
                return Err(FormatError::large(at(), "the text is longer than 1 MiB"));
            }
            Some(Value::String(text)) if text.is_empty() => {}
            Some(Value::String(_)) => return Ok(self.taken_text(key)),
            Some(_) => return Err(FormatError::broken(at(), "a text should stand here")),
        }
        Ok(String::new())
    }

    fn taken_text(&mut self, key: &str) -> String {
        match self.map.remove(key) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        }
    }

    /// Consumes a name; `None` if it is blank, not a string or too long.
    pub fn name(&mut self, key: &'static str, tally: &mut Tally) -> Option<String> {
        match self.map.get(key) {
            None => self.absent.push(key),
            Some(Value::Null) => {}
            Some(Value::String(text)) if text.len() > MAX_NAME_BYTES => tally.add("a name too long", 1),
            Some(Value::String(text)) if text.trim().is_empty() => {}
            Some(Value::String(_)) => return Some(self.taken_text(key)),
            Some(_) => tally.add(OTHER_KIND, 1),
        }
        None
    }

    /// Consumes a boolean, with a default.
    pub fn flag(&mut self, key: &'static str, otherwise: bool, tally: &mut Tally) -> bool {
        match self.map.get(key) {
            None => self.absent.push(key),
            Some(Value::Bool(flag)) => {
                let flag = *flag;
                self.map.remove(key);
                return flag;
            }
            Some(Value::Null) => {}
            Some(_) => tally.add(OTHER_KIND, 1),
        }
        otherwise
    }

    /// Consumes a list of names. A list with other items (patterns, empty names, duplicates) also remains in
    /// `extra` unchanged.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] for too many names.
    pub fn names(&mut self, key: &'static str, tally: &mut Tally) -> Result<Vec<String>, FormatError> {
        let Some(given) = self.map.get(key) else {
            self.absent.push(key);
            return Ok(Vec::new());
        };
        if given.as_array().is_some_and(|list| list.len() > MAX_NAMES) {
            return Err(FormatError::large(Spot::field(self.entry, key), "more than 1000 names"));
        }
        let (names, left_out) = clean_names(given);
        tally.add(OTHER_KIND, left_out);
        if json!(names) == *given {
            self.map.remove(key);
        }
        Ok(names)
    }

    /// Reads a time: RFC 3339, or seconds or milliseconds since 1970. The field remains.
    pub fn moment(&self, key: &str) -> Option<DateTime<Utc>> {
        moment(self.map.get(key)?)
    }

    /// The remaining fields, for writing.
    pub fn into_extra(self) -> Map<String, Value> {
        let mut extra = Map::new();
        if !self.map.is_empty() {
            extra.insert("fields".into(), self.map.into());
        }
        if !self.absent.is_empty() {
            extra.insert("absent".into(), json!(self.absent));
        }
        extra
    }
}

/// The fields of one entry during writing.
#[derive(Debug, Clone)]
pub struct Out {
    map: Map<String, Value>,
    absent: Vec<String>,
    /// True if the entry was not read from this format.
    pub fresh: bool,
}

impl Out {
    /// Starts from `extra`; a value that [`Fields::into_extra`] did not produce is ignored.
    pub fn new(extra: &Value) -> Self {
        let map = extra.get("fields").and_then(Value::as_object).cloned().unwrap_or_default();
        let absent = extra.get("absent").and_then(Value::as_array).into_iter().flatten();
        let absent = absent.filter_map(|key| key.as_str().map(str::to_owned)).collect();
        Self { map, absent, fresh: extra.is_null() }
    }

    /// True if the field was missing when the entry was read.
    pub fn was_missing(&self, key: &str) -> bool {
        self.absent.iter().any(|absent| absent == key)
    }

    fn was_present_or_absent(&self, key: &str) -> bool {
        self.map.contains_key(key) || self.was_missing(key)
    }

    /// Sets a text, unless it is empty as it was when read.
    pub fn text(&mut self, key: &str, text: &str) {
        if !(text.is_empty() && self.was_present_or_absent(key)) {
            self.map.insert(key.to_owned(), text.into());
        }
    }

    /// Sets a boolean, unless it equals the default.
    pub fn flag(&mut self, key: &str, flag: bool, otherwise: bool) {
        if !(flag == otherwise && self.was_present_or_absent(key)) {
            self.map.insert(key.to_owned(), flag.into());
        }
    }

    /// Sets names, together with the patterns of the original list.
    pub fn names(&mut self, key: &str, names: &[String]) {
        let given = self.map.get(key);
        if given.is_some_and(|given| clean_names(given).0 == names)
            || (names.is_empty() && given.is_none() && self.was_present_or_absent(key))
        {
            return;
        }
        let patterns = given.and_then(Value::as_array).into_iter().flatten();
        let is_kept_pattern = |name: &str| is_pattern(name) && !names.iter().any(|other| other == name);
        let patterns = patterns.filter(|name| name.as_str().is_some_and(is_kept_pattern)).cloned();
        let all: Vec<Value> = names.iter().map(|name| json!(name)).chain(patterns).collect();
        self.map.insert(key.to_owned(), all.into());
    }

    /// Sets a field that the format requires, if it is missing.
    pub fn needs(&mut self, key: &str, value: Value) {
        self.map.entry(key).or_insert(value);
    }

    /// The current value of a field.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Sets a field.
    pub fn put(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    /// All fields as an object.
    pub fn into_value(self) -> Value {
        self.map.into()
    }
}

/// The names of a list or of a comma-separated text, and the number of items that are not strings.
pub fn clean_names(given: &Value) -> (Vec<String>, u64) {
    let mut names: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut add = |name: &str| {
        let fits = !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES && !is_pattern(name);
        if fits && names.len() < MAX_NAMES && seen.insert(name.to_owned()) {
            names.push(name.to_owned());
        }
    };
    let mut others = 0;
    match given {
        Value::Array(list) => {
            for item in list {
                match item {
                    Value::String(name) => add(name),
                    _ => others += 1,
                }
            }
        }
        // A pattern may hold commas.
        Value::String(pattern) if is_pattern(pattern.trim()) => {}
        Value::String(list) => list.split(',').map(str::trim).for_each(add),
        Value::Null => {}
        _ => others = 1,
    }
    (names, others)
}

/// True for a regular expression in lorebook syntax: `/.../` with flags.
pub fn is_pattern(name: &str) -> bool {
    let Some((start, flags)) = name.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) else {
        return false;
    };
    !start.is_empty() && flags.bytes().all(|b| b.is_ascii_lowercase())
}

/// A time between 1970 and 9999: RFC 3339, seconds since 1970, or milliseconds for numbers that are beyond
/// that range as seconds.
pub fn moment(value: &Value) -> Option<DateTime<Utc>> {
    const YEAR_10_000: f64 = 253_402_300_800.0;
    let at = match value {
        Value::String(text) => DateTime::parse_from_rfc3339(text.trim()).ok()?.to_utc(),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| *number > 0.0)?;
            // Milliseconds of any time since 1978 are larger than the seconds of year 9999.
            let seconds = if number < YEAR_10_000 { number } else { number / 1e3 };
            DateTime::from_timestamp_micros((seconds * 1e6).round() as i64)?
        }
        _ => return None,
    };
    (1..YEAR_10_000 as i64).contains(&at.timestamp()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_no_names() {
        for pattern in ["/a/", "/a b/i", "/a\\/b/gi", "/a/b/"] {
            assert!(is_pattern(pattern), "{pattern}");
        }
        for name in ["a", "/", "//", "a/b/", "/a", "/Sel/Ambry", "/a/I"] {
            assert!(!is_pattern(name), "{name}");
        }
        assert_eq!(clean_names(&json!("Ama, , the queen,Ama")).0, ["Ama", "the queen"]);
        assert_eq!(clean_names(&json!(["Ama", " ", "/a/i", 7, null, "Ama"])), (vec!["Ama".to_owned()], 2));
    }

    #[test]
    fn timestamps_in_seconds_and_milliseconds_are_distinguished() {
        let at = |value: Value| moment(&value).map(|at| at.timestamp());
        assert_eq!(at(json!(1_700_000_000)), Some(1_700_000_000));
        assert_eq!(at(json!(1_700_000_000_123_u64)), Some(1_700_000_000));
        assert_eq!(at(json!("2024-01-02T03:04:05Z")), Some(1_704_164_645));
        for none in [
            json!(0),
            json!(-5),
            json!(1e300),
            json!("soon"),
            json!(null),
            json!([]),
            json!("0001-01-01T00:00:00Z"),
        ] {
            assert_eq!(at(none.clone()), None, "{none}");
        }
    }
}
