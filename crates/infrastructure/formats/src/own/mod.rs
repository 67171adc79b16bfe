//! Reads the Inklings export row by row, with one row in memory at a time. Every error names a line and never
//! quotes its content.

mod scan;
mod value;

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use inklings_domain::derivation::Derivation;
use inklings_ports::transfer::{
    file::{Aside, FileError, FileRow, FileRows, FileSource, RowLinks, TransferError},
    shape::{OWN, SCHEMA_VERSION, Section},
};
use serde_json::Value;

use self::scan::Scan;
use crate::utf16;

/// Maximum bytes of one row with its history: 256 MiB.
const MAX_ROW: usize = 256 << 20;
/// Maximum total bytes of the fields besides the rows.
const MAX_ASIDE: usize = 1 << 20;
/// Maximum bytes of the name of such a field.
const MAX_NAME: usize = 200;

/// A file in the Inklings format.
#[derive(Debug)]
pub struct OwnFile(PathBuf);

impl OwnFile {
    /// Creates a reader for a path. The file is opened when it is read.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// True if the file starts like the Inklings format, of this release or a newer one.
    pub fn is_ours(path: &Path) -> bool {
        let begun = File::open(path).and_then(utf16::plain).ok().map(Scan::new);
        let head = begun.map(|mut scan| begin(&mut scan));
        matches!(head, Some(Ok(()) | Err(TransferError::Newer { .. })))
    }
}

impl FileSource for OwnFile {
    fn format(&self) -> &'static str {
        OWN
    }

    fn derivation(&self) -> Option<Derivation> {
        None
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        let file = File::open(&self.0)?;
        let total = file.metadata()?.len();
        let mut scan = Scan::new(utf16::plain(file)?);
        begin(&mut scan)?;
        Ok(Box::new(Rows {
            scan,
            total,
            at: At::Between,
            seen: Vec::new(),
            aside: Aside::default(),
            member_bytes: 0,
        }))
    }
}

/// Reads the head. Format and version come first, so that a file of a newer release is detected at once.
fn begin(scan: &mut Scan) -> Result<(), TransferError> {
    scan.skip_mark()?;
    scan.expect(b'{', "this is no export of Inklings")?;
    let (line, key) = (scan.line(), scan.raw(MAX_ASIDE)?);
    if key != b"\"schema_version\"" {
        return Err(FileError::at(line, "this is no export of Inklings").into());
    }
    scan.expect(b':', "this is no valid JSON")?;
    let found = value::parsed(&scan.raw(MAX_ASIDE)?, line)?;
    match found.as_u64() {
        Some(1..=SCHEMA_VERSION) => Ok(()),
        Some(newer) if newer > SCHEMA_VERSION => {
            Err(TransferError::Newer { found: newer, supported: SCHEMA_VERSION })
        }
        Some(older) => Err(TransferError::Older { found: older, supported: SCHEMA_VERSION }),
        None => Err(FileError::of(line, "schema_version", "this is no version").into()),
    }
}

/// Position of the reader in the file.
enum At {
    /// Between two fields of the top-level object.
    Between,
    /// In a section; true before its first row.
    Rows(Section, bool),
    /// After the end or an error.
    Over,
}

struct Rows {
    scan: Scan,
    total: u64,
    at: At,
    seen: Vec<Vec<u8>>,
    aside: Aside,
    /// Bytes of fields besides the rows so far.
    member_bytes: usize,
}

impl Rows {
    /// Reads the next row; `None` at the end of the file.
    fn advance(&mut self) -> Result<Option<FileRow>, FileError> {
        loop {
            match self.at {
                At::Over => return Ok(None),
                At::Between => self.next_field()?,
                At::Rows(section, first) => {
                    if self.scan.solid()? == Some(b']') {
                        self.scan.take();
                        self.at = At::Between;
                        continue;
                    }
                    if !first {
                        self.scan.expect(b',', "this is no valid JSON")?;
                    }
                    self.at = At::Rows(section, false);
                    return self.row(section).map(Some);
                }
            }
        }
    }

    fn row(&mut self, section: Section) -> Result<FileRow, FileError> {
        self.scan.solid()?;
        let line = self.scan.line();
        match value::parsed(&self.scan.raw(MAX_ROW)?, line)? {
            Value::Object(fields) => {
                Ok(FileRow { section, line, place: None, fields, links: RowLinks::default() })
            }
            _ => Err(FileError::of(line, section.name(), "something else stands where a row should be")),
        }
    }

    fn next_field(&mut self) -> Result<(), FileError> {
        match self.scan.solid()? {
            Some(b'}') => {
                self.scan.take();
                if self.scan.solid()?.is_some() {
                    return Err(FileError::at(self.scan.line(), "something follows the end"));
                }
                self.at = At::Over;
                return Ok(());
            }
            None => return Err(FileError::at(self.scan.line(), "the file ends in the middle")),
            Some(_) => self.scan.expect(b',', "this is no valid JSON")?,
        }
        self.scan.solid()?;
        let line = self.scan.line();
        let key = self.scan.raw(MAX_ASIDE)?;
        let Value::String(name) = value::parsed(&key, line)? else {
            return Err(FileError::at(line, "this is no valid JSON"));
        };
        if self.seen.contains(&key) || name == "schema_version" {
            return Err(FileError::at(line, "this field stands twice in the file"));
        }
        if self.seen.len() > 64 {
            return Err(FileError::at(line, "more fields than an export has"));
        }
        self.seen.push(key);
        self.scan.expect(b':', "this is no valid JSON")?;
        if let Some(section) = Section::from_name(&name) {
            let message = "this is no list";
            self.scan.expect(b'[', message).map_err(|_| FileError::of(line, section.name(), message))?;
            self.at = At::Rows(section, true);
            return Ok(());
        }
        let bytes = self.scan.raw(MAX_ASIDE)?;
        self.member_bytes += bytes.len();
        if self.member_bytes > MAX_ASIDE || name.len() > MAX_NAME {
            return Err(FileError::at(line, "more beside the rows than an export has"));
        }
        self.read_member(name, value::parsed(&bytes, line)?);
        Ok(())
    }

    /// Evaluates the scope of the export. Unknown fields of a later release are retained for the next export.
    fn read_member(&mut self, name: String, value: Value) {
        match &*name {
            "exported_at" => {}
            "scope" => {
                let takes = |what: &str| value.get(what).and_then(Value::as_bool) == Some(true);
                let has_place = ["channel_id", "conversation_id"].iter().any(|id| value.get(id).is_some());
                self.aside.of_account = takes("account") && !takes("workspace") && !has_place;
            }
            _ => drop(self.aside.members.insert(name, value)),
        }
    }
}

impl Iterator for Rows {
    type Item = Result<FileRow, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.advance().transpose();
        if matches!(row, Some(Err(_))) {
            self.at = At::Over;
        }
        row
    }
}

impl FileRows for Rows {
    fn progress(&self) -> (u64, u64) {
        (self.scan.at(), self.total)
    }

    fn aside(&mut self) -> Aside {
        std::mem::take(&mut self.aside)
    }
}
