//! Holds the later versions of imported entries. They are replayed in order, all second versions in one
//! change, then all third ones, so that the triggers record the history as usual. Until then they wait in a
//! temporary file.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
};

use inklings_ports::transfer::store::Fields;
use serde_json::Value;

use crate::{error::DbError, error::DbResult};

/// The level of items that follow all versions: vectors, which a change of the text would delete.
pub const AT_LAST: u32 = u32::MAX;

/// A waiting item.
pub struct Waiting {
    /// The number of the version.
    pub level: u32,
    offset: u64,
    length: usize,
}

/// The waiting items, in an unnamed temporary file.
pub struct Spill {
    file: BufWriter<File>,
    end: u64,
    waiting: Vec<Waiting>,
}

impl Spill {
    pub fn new() -> DbResult<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), end: 0, waiting: Vec::new() })
    }

    pub fn put(&mut self, level: u32, what: Fields) -> DbResult<()> {
        let bytes = Value::Object(what).to_string().into_bytes();
        self.file.write_all(&bytes)?;
        self.waiting.push(Waiting { level, offset: self.end, length: bytes.len() });
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// The number of waiting items, for [`Self::cut`].
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Drops all items after the first `len`.
    pub fn cut(&mut self, len: usize) {
        self.waiting.truncate(len);
    }

    /// The number of changes needed to make the versions.
    pub fn levels(&self) -> usize {
        let levels = self.waiting.iter().map(|item| item.level).filter(|level| *level != AT_LAST);
        levels.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// The waiting items by level, and within a level in the order of arrival.
    pub fn sorted(self) -> DbResult<(Reader, Vec<Waiting>)> {
        let mut waiting = self.waiting;
        waiting.sort_by_key(|item| item.level);
        let file = self.file.into_inner().map_err(|error| DbError::Io(error.into_error()))?;
        Ok((Reader(BufReader::new(file)), waiting))
    }
}

/// Reads the waiting items.
pub struct Reader(BufReader<File>);

impl Reader {
    pub fn read(&mut self, item: &Waiting) -> DbResult<Fields> {
        self.0.seek(SeekFrom::Start(item.offset))?;
        let mut bytes = vec![0; item.length];
        self.0.read_exact(&mut bytes)?;
        serde_json::from_slice(&bytes).map_err(|_| DbError::Row { column: "history" })
    }
}

/// The actor kind of an imported version: as in the file, unless today's guards would refuse that actor kind.
pub fn actor_kind(before: Option<&Fields>, now: &Fields) -> String {
    let writer = now.get("written_by").and_then(Value::as_str).unwrap_or("import");
    let is = |fields: &Fields, name: &str, word: &str| fields.get(name).and_then(Value::as_str) == Some(word);
    let pinned = |fields: &Fields| fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    let locked =
        |fields: &Fields| !is(fields, "curator", "agent") || pinned(fields) || fields.contains_key("name");
    let admitted = match before {
        Some(before) => !locked(before) && !locked(now),
        // An agent creates the archive of what it compacted.
        None => {
            !locked(now)
                || (is(now, "kind", "archive")
                    && is(now, "curator", "agent")
                    && !is(now, "scope", "account")
                    && !pinned(now))
        }
    };
    if matches!(writer, "agent" | "system") && !admitted { "import".to_owned() } else { writer.to_owned() }
}
