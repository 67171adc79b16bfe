//! The later versions of entries that an import brings: they are made again one after the other, all second ones in one
//! change, then all third ones. So the triggers keep the history as they always do. Until then they wait outside of
//! memory.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
};

use inklings_application::transfer::store::Fields;
use serde_json::Value;

use crate::{error::DbError, error::DbResult};

/// What is done after all versions: vectors, which a change of the text would take away.
pub const AT_LAST: u32 = u32::MAX;

/// Something that waits.
pub struct Waiting {
    /// The version that it makes.
    pub level: u32,
    offset: u64,
    length: usize,
}

/// What waits, in a file without a name.
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

    /// How many wait, to go back to with [`Self::cut`].
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Forgets what came behind.
    pub fn cut(&mut self, len: usize) {
        self.waiting.truncate(len);
    }

    /// How many changes it takes to make them.
    pub fn levels(&self) -> usize {
        let levels = self.waiting.iter().map(|item| item.level).filter(|level| *level != AT_LAST);
        levels.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// What waits, by level, in the order in which it came.
    pub fn sorted(self) -> DbResult<(Reader, Vec<Waiting>)> {
        let mut waiting = self.waiting;
        waiting.sort_by_key(|item| item.level);
        let file = self.file.into_inner().map_err(|error| DbError::Io(error.into_error()))?;
        Ok((Reader(BufReader::new(file)), waiting))
    }
}

/// Reads what waited.
pub struct Reader(BufReader<File>);

impl Reader {
    pub fn read(&mut self, item: &Waiting) -> DbResult<Fields> {
        self.0.seek(SeekFrom::Start(item.offset))?;
        let mut bytes = vec![0; item.length];
        self.0.read_exact(&mut bytes)?;
        serde_json::from_slice(&bytes).map_err(|_| DbError::Row { column: "history" })
    }
}

/// In whose name a version is written: as it was, unless the guards would not let that hand write it today.
pub fn actor_kind(before: Option<&Fields>, now: &Fields) -> String {
    let said = now.get("written_by").and_then(Value::as_str).unwrap_or("import");
    let is = |fields: &Fields, name: &str, word: &str| fields.get(name).and_then(Value::as_str) == Some(word);
    let pinned = |fields: &Fields| fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    let locked =
        |fields: &Fields| !is(fields, "curator", "agent") || pinned(fields) || fields.contains_key("name");
    let admitted = match before {
        Some(before) => !locked(before) && !locked(now),
        // An agent makes the archive of what it compacted.
        None => {
            !locked(now)
                || (is(now, "kind", "archive")
                    && is(now, "curator", "agent")
                    && !is(now, "scope", "account")
                    && !pinned(now))
        }
    };
    if matches!(said, "agent" | "system") && !admitted { "import".to_owned() } else { said.to_owned() }
}
