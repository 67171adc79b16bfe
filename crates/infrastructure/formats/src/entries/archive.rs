//! Reads third-party archives. Nothing is unpacked to disk, so the paths in an archive cannot escape, and the
//! unpacked size is limited.

use std::io::{Read, Seek, SeekFrom};

use zip::{CompressionMethod, ZipArchive};

use super::{
    FormatError, Spot,
    limits::{MAX_ARCHIVE_BYTES, MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES},
    tree::Tree,
};

/// A seekable source of an archive.
pub trait Source: Read + Seek {}
impl<T: Read + Seek> Source for T {}

/// Maximum ratio of unpacked to packed size of a file larger than [`RATIO_MATTERS`].
const MAX_RATIO: u64 = 200;
const RATIO_MATTERS: u64 = 1024 * 1024;

/// Signature of a file header in the central directory.
const DIRECTORY_ENTRY: &[u8; 4] = b"PK\x01\x02";

/// An opened archive.
pub struct Archive<'a> {
    zip: ZipArchive<&'a mut dyn Source>,
    left: u64,
}

const DAMAGED: &str = "the archive is damaged";

fn damaged() -> FormatError {
    FormatError::broken(Spot::default(), DAMAGED)
}

impl<'a> Archive<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    /// [`FormatError::Broken`]; [`FormatError::TooLarge`] before its directory is read into memory.
    pub fn open(source: &'a mut dyn Source) -> Result<Self, FormatError> {
        if directory_entries(source)? > MAX_FILES {
            return Err(FormatError::large(Spot::default(), "the archive holds too many files"));
        }
        let zip = ZipArchive::new(source).map_err(|_| damaged())?;
        Ok(Self { zip, left: MAX_TOTAL_BYTES })
    }
}

impl Tree for Archive<'_> {
    fn paths(&self) -> Vec<(usize, String)> {
        let path = |index| self.zip.name_for_index(index)?.ok().map(|path| path.replace('\\', "/"));
        let mut paths: Vec<(usize, String)> =
            (0..self.zip.len()).filter_map(|index| Some((index, path(index)?))).collect();
        paths.retain(|(_, path)| !path.ends_with('/'));
        paths.sort_by(|(_, a), (_, b)| a.cmp(b));
        paths
    }

    fn read(&mut self, index: usize) -> Result<Vec<u8>, FormatError> {
        let broken = |problem| Err(FormatError::broken(Spot::default(), problem));
        let raw = self.zip.by_index_raw(index).map_err(|_| damaged())?;
        if raw.encrypted() {
            return broken("the archive is locked with a password");
        }
        if !matches!(raw.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return broken("the archive is packed in a way that Inklings cannot read");
        }
        let (size, json_rows) = (raw.size(), raw.compressed_size());
        drop(raw);
        let large = |bound| Err(FormatError::large(Spot::default(), bound));
        if size > RATIO_MATTERS && size / MAX_RATIO > json_rows {
            return large("the archive unpacks to more than 200 times its size");
        }
        if size > MAX_FILE_BYTES {
            return large("a file in the archive is larger than 64 MiB");
        }
        let Some(left) = self.left.checked_sub(size) else {
            return large("the archive unpacks to more than 128 MiB");
        };
        self.left = left;
        let file = self.zip.by_index(index).map_err(|_| damaged())?;
        let mut bytes = Vec::new();
        // The size in the directory may be false: no more than that is read, and less is also an error.
        file.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(|_| damaged())?;
        if bytes.len() as u64 == size { Ok(bytes) } else { Err(damaged()) }
    }
}

/// Upper bound of the number of files that a directory in these bytes can list.
fn directory_entries(source: &mut dyn Source) -> Result<usize, FormatError> {
    let failed = |error| FormatError::io(&error);
    let length = source.seek(SeekFrom::End(0)).map_err(failed)?;
    if length > MAX_ARCHIVE_BYTES {
        return Err(FormatError::large(Spot::default(), "the archive is larger than 256 MiB"));
    }
    source.rewind().map_err(failed)?;
    let mut buffer = vec![0; 256 * 1024];
    let (mut overlap, mut found) = (0, 0);
    loop {
        let read = source.read(&mut buffer[overlap..]).map_err(failed)?;
        if read == 0 {
            break;
        }
        let whole = &buffer[..overlap + read];
        found += whole.windows(4).filter(|bytes| bytes == DIRECTORY_ENTRY).count();
        // The last three bytes may be the start of a signature.
        let tail = whole.len().saturating_sub(3);
        let end = whole.len();
        overlap = end - tail;
        buffer.copy_within(tail..end, 0);
    }
    source.rewind().map_err(failed)?;
    Ok(found)
}
