//! The matrix of entries as a file, which is read much faster than all vectors are rounded.
//!
//! ```text
//! magic, 8 bytes | length of the header, u32 | header, JSON | rows, 37 bytes each | lines of the rows | CRC-32 of all before, u32
//! ```
//!
//! Numbers are little endian.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    ops::Range,
    path::Path,
};

use inklings_domain::scope::{MemoryScope, Place};
use serde::{Deserialize, Serialize};

use super::{Line, MAX_DIMENSION, Matrix, Passages, Row, RowScale, quantise};
use crate::vector::kernels::Kernel;

/// Changes with the layout of the file and with the rounding.
const MAGIC: &[u8; 8] = b"inkvec01";
/// Bytes of the data of a row.
const ROW: usize = 37;
/// Bytes read or written at once.
const BUFFER: usize = 1 << 20;
/// The largest header that is read: places and passages of millions of entries are far below it.
const MOST_HEADER: usize = 1 << 30;

/// The state of a database that a matrix has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedState {
    /// The id of the model.
    pub model: String,
    /// The change clock of the database.
    pub tick: i64,
    pub epoch: i64,
    /// The newest change set of the journal. A file whose history does not have it is another database, or an earlier state of it.
    pub change: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    state: SavedState,
    dimension: usize,
    rows: usize,
    places: Vec<String>,
    /// The entries of several passages, with the bytes of each passage in the content.
    long: Vec<(i64, Vec<Range<u32>>)>,
}

/// Counts the checksum of all bytes that pass.
struct Summed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.sum.update(&into[..read]);
        Ok(read)
    }
}

/// Writes a matrix into a new file.
pub fn write(matrix: &Matrix<Place>, state: SavedState, file: &mut File) -> io::Result<()> {
    let header = Header {
        state,
        dimension: matrix.dimension,
        rows: matrix.rows.len(),
        places: matrix.places.iter().map(|place| text_of(*place)).collect(),
        long: matrix.long.iter().map(|(seq, passages)| (*seq, passages.ranges.clone())).collect(),
    };
    let header = serde_json::to_vec(&header)?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    let mut out =
        BufWriter::with_capacity(BUFFER, Summed { inner: &mut *file, sum: crc32fast::Hasher::new() });
    out.write_all(MAGIC)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&header)?;
    for row in &matrix.rows {
        out.write_all(&row_bytes(row))?;
    }
    for line in &matrix.lines {
        out.write_all(&line.0)?;
    }
    let summed = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let sum = summed.sum.finalize();
    file.write_all(&sum.to_le_bytes())
}

/// Reads a matrix that retains no unrounded vectors. `is_wanted` decides by the state, and by how many bytes the unrounded vectors
/// would take, before the rest is read; `None` if it refuses.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for a damaged file or one of another release.
pub fn read(
    path: &Path,
    kernel: Kernel,
    is_wanted: impl FnOnce(&SavedState, usize) -> bool,
) -> io::Result<Option<(Matrix<Place>, SavedState)>> {
    let file = inklings_files::open_to_read(path)?;
    let length = file.metadata()?.len().checked_sub(size_of::<u32>() as u64).ok_or_else(damaged)?;
    let summed = Summed { inner: (&file).take(length), sum: crc32fast::Hasher::new() };
    let mut input = BufReader::with_capacity(BUFFER, summed);
    if &bytes::<8>(&mut input)? != MAGIC {
        return Err(damaged());
    }
    let header_length = u32::from_le_bytes(bytes(&mut input)?) as usize;
    if header_length > MOST_HEADER || header_length as u64 > length {
        return Err(damaged());
    }
    let mut header = vec![0; header_length];
    input.read_exact(&mut header)?;
    let header: Header = serde_json::from_slice(&header).map_err(|_| damaged())?;
    let whole = header.rows.saturating_mul(header.dimension).saturating_mul(size_of::<f32>());
    if !is_wanted(&header.state, whole) {
        return Ok(None);
    }
    if !(1..=MAX_DIMENSION).contains(&header.dimension) {
        return Err(damaged());
    }
    let row = (ROW + quantise::lines(header.dimension) * quantise::LINE) as u64;
    let before = (MAGIC.len() + size_of::<u32>() + header_length) as u64;
    let body = (header.rows as u64).checked_mul(row).and_then(|rows| rows.checked_add(before));
    if body != Some(length) {
        return Err(damaged());
    }
    let matrix = matrix(&header, kernel, &mut input)?;
    let summed = input.into_inner();
    if summed.sum.finalize() != u32::from_le_bytes(bytes(&mut &file)?) {
        return Err(damaged());
    }
    Ok(Some((matrix, header.state)))
}

fn matrix(header: &Header, kernel: Kernel, input: &mut impl Read) -> io::Result<Matrix<Place>> {
    let mut matrix = Matrix::new(header.dimension, kernel, 0);
    matrix.reserve(header.rows);
    for place in &header.places {
        matrix.intern(place_of(place).ok_or_else(damaged)?);
    }
    for (seq, ranges) in &header.long {
        let rows = vec![u32::MAX; ranges.len().saturating_sub(1)];
        matrix.long.insert(*seq, Passages { rows, ranges: ranges.clone() });
    }
    for index in 0..header.rows as u32 {
        let row = row_of(bytes(input)?);
        let unknown_place = row.place as usize >= matrix.places.len();
        let taken = match row.ordinal.checked_sub(1) {
            None => matrix.by_seq.insert(row.seq, index).is_some(),
            Some(at) => {
                let long = matrix.long.get_mut(&row.seq).ok_or_else(damaged)?;
                let slot = long.rows.get_mut(at as usize).ok_or_else(damaged)?;
                std::mem::replace(slot, index) != u32::MAX
            }
        };
        if unknown_place || taken {
            return Err(damaged());
        }
        matrix.rows.push(row);
    }
    let is_complete = |(seq, long): (&i64, &Passages)| {
        matrix.by_seq.contains_key(seq) && long.rows.iter().all(|row| *row != u32::MAX)
    };
    if !matrix.long.iter().all(is_complete) {
        return Err(damaged());
    }
    for _ in 0..header.rows * matrix.width() {
        matrix.lines.push(Line(bytes(input)?));
    }
    Ok(matrix)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the copy of the vectors is damaged or of another release")
}

fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn row_bytes(row: &Row) -> [u8; ROW] {
    let mut bytes = [0; ROW];
    bytes[..8].copy_from_slice(&row.seq.to_le_bytes());
    bytes[8..16].copy_from_slice(&row.stored_at.to_le_bytes());
    bytes[16..20].copy_from_slice(&row.scale.scale.to_le_bytes());
    bytes[20..24].copy_from_slice(&row.scale.error.to_le_bytes());
    bytes[24..28].copy_from_slice(&row.scale.length.to_le_bytes());
    bytes[28..32].copy_from_slice(&row.place.to_le_bytes());
    bytes[32..36].copy_from_slice(&row.ordinal.to_le_bytes());
    bytes[36] = u8::from(row.active);
    bytes
}

fn row_of(bytes: [u8; ROW]) -> Row {
    let eight = |at: usize| std::array::from_fn(|i| bytes[at + i]);
    let four = |at: usize| std::array::from_fn(|i| bytes[at + i]);
    Row {
        seq: i64::from_le_bytes(eight(0)),
        stored_at: i64::from_le_bytes(eight(8)),
        scale: RowScale {
            scale: f32::from_le_bytes(four(16)),
            error: f32::from_le_bytes(four(20)),
            length: f32::from_le_bytes(four(24)),
        },
        place: u32::from_le_bytes(four(28)),
        ordinal: u32::from_le_bytes(four(32)),
        active: bytes[36] != 0,
    }
}

/// The tier, the channel and the conversation, as far as the place has them.
fn text_of(place: Place) -> String {
    let mut text = place.scope().to_string();
    if let Some(channel) = place.channel() {
        text = format!("{text} {channel}");
    }
    if let Some(conversation) = place.conversation() {
        text = format!("{text} {conversation}");
    }
    text
}

fn place_of(text: &str) -> Option<Place> {
    let mut words = text.split(' ');
    let place = match words.next()?.parse().ok()? {
        MemoryScope::Account => Place::Account,
        MemoryScope::Workspace => Place::Workspace,
        MemoryScope::Channel => Place::Channel(words.next()?.parse().ok()?),
        MemoryScope::Conversation => {
            Place::Conversation(words.next()?.parse().ok()?, words.next()?.parse().ok()?)
        }
    };
    words.next().is_none().then_some(place)
}

#[cfg(test)]
#[path = "../tests/matrix_file.rs"]
mod tests;
