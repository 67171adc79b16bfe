//! Finds the files of an export: a single file, a folder, or an archive.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Take},
    path::{Path, PathBuf},
};

use flate2::{Crc, read::DeflateDecoder};
use inklings_ports::conversation::import_store::SourceError;
use zip::{CompressionMethod, ZipArchive};

use crate::{
    bytes::{broken, from_io, refuse},
    utf16,
};

/// Maximum unpacked size of an archive: 4 GiB.
const MAX_UNPACKED: u64 = 4 * 1024 * 1024 * 1024;

/// Maximum ratio of unpacked to packed size of a file in an archive. Conversations compress to about a tenth,
/// a file of one repeated letter to a thousandth.
const MAX_RATIO: u64 = 200;

/// The ratio is not checked below this size.
const RATIO_MATTERS: u64 = 8 * 1024 * 1024;

const ZIP_SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// One file of an export, which can be opened more than once.
#[derive(Debug, Clone)]
pub struct Part {
    /// File name without its folder.
    pub name: String,
    /// Unpacked size in bytes.
    pub size: u64,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    File(PathBuf),
    JsonRows { archive: PathBuf, start: u64, json_rows: u64, crc: u32, deflated: bool },
}

impl Part {
    /// Opens the file at its start.
    pub fn open(&self) -> Result<Box<dyn Read + Send>, SourceError> {
        utf16::plain(self.raw()?).map_err(|error| from_io(&error))
    }

    fn raw(&self) -> Result<Box<dyn Read + Send>, SourceError> {
        match &self.place {
            Place::File(path) => Ok(Box::new(File::open(path).map_err(|error| from_io(&error))?)),
            Place::JsonRows { archive, start, json_rows, crc, deflated } => {
                let mut file = File::open(archive).map_err(|error| from_io(&error))?;
                file.seek(SeekFrom::Start(*start)).map_err(|error| from_io(&error))?;
                let raw = file.take(*json_rows);
                let inner =
                    if *deflated { Method::Deflated(DeflateDecoder::new(raw)) } else { Method::Stored(raw) };
                Ok(Box::new(Unpacked { inner, sum: Crc::new(), size: self.size, crc: *crc, read: 0 }))
            }
        }
    }
}

/// True if the file at this path begins like an archive.
pub fn is_archive(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    read.is_ok() && ZIP_SIGNATURES.contains(&start.as_slice())
}

/// The files of the export at this path, in order.
pub fn parts(path: &Path) -> Result<Vec<Part>, SourceError> {
    let data = std::fs::metadata(path).map_err(|error| from_io(&error))?;
    if data.is_dir() {
        return in_folder(path);
    }
    if !data.is_file() {
        return Err(SourceError::Io("not a file".into()));
    }
    let mut start = Vec::new();
    let mut file = File::open(path).map_err(|error| from_io(&error))?;
    file.by_ref().take(4).read_to_end(&mut start).map_err(|error| from_io(&error))?;
    if ZIP_SIGNATURES.contains(&start.as_slice()) {
        return in_archive(path, file);
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(vec![Part { name, size: data.len(), place: Place::File(path.to_owned()) }])
}

/// Position of a file among the parts of an export: the only file, or one of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Whole,
    Numbered(u32),
}

fn order(name: &str) -> Option<Order> {
    let rest = name.strip_prefix("conversations")?.strip_suffix(".json")?;
    if rest.is_empty() {
        return Some(Order::Whole);
    }
    let digits = rest.strip_prefix('-')?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok().map(Order::Numbered) } else { None }
}

fn in_folder(path: &Path) -> Result<Vec<Part>, SourceError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| from_io(&error))? {
        let entry = entry.map_err(|error| from_io(&error))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Some(order) = order(&name) else { continue };
        let path = entry.path();
        let data = std::fs::metadata(&path).map_err(|error| from_io(&error))?;
        if data.is_file() {
            found.push((order, Part { name, size: data.len(), place: Place::File(path) }));
        }
    }
    if found.is_empty() { chats(path) } else { chosen(found) }
}

/// The chats of a folder that holds nothing but files of lines.
fn chats(path: &Path) -> Result<Vec<Part>, SourceError> {
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| from_io(&error))? {
        let entry = entry.map_err(|error| from_io(&error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let data = entry.metadata().map_err(|error| from_io(&error))?;
        if !data.is_file() || !name.to_ascii_lowercase().ends_with(".jsonl") {
            return Err(SourceError::UnknownFormat);
        }
        parts.push(Part { name, size: data.len(), place: Place::File(entry.path()) });
    }
    parts.sort_by(|a, b| a.name.cmp(&b.name));
    if parts.is_empty() { Err(SourceError::UnknownFormat) } else { Ok(parts) }
}

fn chosen(mut found: Vec<(Order, Part)>) -> Result<Vec<Part>, SourceError> {
    // A whole file next to numbered parts was assembled from them.
    if found.iter().any(|(order, _)| *order == Order::Whole) {
        found.retain(|(order, _)| *order == Order::Whole);
    }
    found.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
    let parts: Vec<Part> = found.into_iter().map(|(_, part)| part).collect();
    if parts.is_empty() { Err(SourceError::UnknownFormat) } else { Ok(parts) }
}

fn damaged() -> SourceError {
    broken(0, "the archive is damaged")
}

fn in_archive(path: &Path, file: File) -> Result<Vec<Part>, SourceError> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| damaged())?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let Some(Ok(full)) = archive.name_for_index(index) else { continue };
        let full = full.replace('\\', "/");
        let (folder, name) = full.rsplit_once('/').unwrap_or(("", &full));
        if let Some(order) = order(name) {
            found.push((folder.to_owned(), order, name.to_owned(), index));
        }
    }
    // The export itself is nearer to the root than files attached to conversations.
    let depth = |folder: &str| folder.split('/').filter(|step| !step.is_empty()).count();
    let top = found.iter().map(|(folder, ..)| depth(folder)).min().unwrap_or(0);
    found.retain(|(folder, ..)| depth(folder) == top);
    if found.iter().any(|(folder, ..)| *folder != found[0].0) {
        return Err(broken(0, "the archive holds more than one export"));
    }
    let mut unpacked = 0_u64;
    let mut parts = Vec::with_capacity(found.len());
    for (_, order, name, index) in found {
        let part = archive_part(path, &mut archive, name, index)?;
        unpacked = unpacked.saturating_add(part.size);
        parts.push((order, part));
    }
    if unpacked > MAX_UNPACKED {
        return Err(SourceError::TooLarge("the archive unpacks to more than 4 GiB".into()));
    }
    chosen(parts)
}

fn archive_part(
    path: &Path,
    archive: &mut ZipArchive<BufReader<File>>,
    name: String,
    index: usize,
) -> Result<Part, SourceError> {
    let entry = archive.by_index_raw(index).map_err(|_| damaged())?;
    if entry.encrypted() {
        return Err(broken(0, "the archive is locked with a password"));
    }
    let deflated = match entry.compression() {
        CompressionMethod::Stored => false,
        CompressionMethod::Deflated => true,
        _ => return Err(broken(0, "the archive is packed in a way that Inklings cannot read")),
    };
    let (size, json_rows) = (entry.size(), entry.compressed_size());
    if size > RATIO_MATTERS && size / MAX_RATIO > json_rows {
        return Err(SourceError::TooLarge(format!(
            "the archive unpacks to more than {MAX_RATIO} times its size"
        )));
    }
    let start = entry.data_start().ok_or_else(damaged)?;
    let crc = entry.crc32();
    Ok(Part {
        name,
        size,
        place: Place::JsonRows { archive: path.to_owned(), start, json_rows, crc, deflated },
    })
}

enum Method {
    Stored(Take<File>),
    Deflated(DeflateDecoder<Take<File>>),
}

/// Reader of a packed file. Gives at most the size in the archive's directory, so that the limits checked
/// there hold. Fails at the end if size or checksum differ.
struct Unpacked {
    inner: Method,
    sum: Crc,
    size: u64,
    crc: u32,
    read: u64,
}

impl Read for Unpacked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let damaged = |at| refuse(broken(at, "the archive is damaged"));
        let read = match &mut self.inner {
            Method::Stored(inner) => inner.read(out)?,
            Method::Deflated(inner) => match inner.read(out) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(_) => return Err(damaged(self.read)),
            },
        };
        self.read += read as u64;
        self.sum.update(&out[..read]);
        let ended_wrong = read == 0 && (self.read != self.size || self.sum.sum() != self.crc);
        if self.read > self.size || ended_wrong {
            return Err(damaged(self.read));
        }
        Ok(read)
    }
}
