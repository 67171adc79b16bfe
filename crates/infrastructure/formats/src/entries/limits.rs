//! Limits of input sizes. All are checked before memory is allocated.

pub use inklings_application::markdown::{MAX_NAME_BYTES, MAX_NAMES};

/// Maximum bytes of a file that is read as a whole: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum total bytes of the used files of an archive or folder: 128 MiB.
pub const MAX_TOTAL_BYTES: u64 = 128 * 1024 * 1024;
/// Maximum estimated memory of the values of a JSON file, in bytes: 192 MiB.
pub const MAX_VALUE_BYTES: usize = 192 * 1024 * 1024;
/// Maximum nesting depth of a JSON file.
pub const MAX_DEPTH: usize = 64;
/// Maximum number of entries of a file or folder.
pub const MAX_ENTRIES: usize = 100_000;
/// Maximum UTF-8 bytes of an entry's text: 1 MiB. The domain's limit for memories is lower and checked there.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// Maximum JSON bytes of the unmapped fields of one entry or of a file: 512 KiB.
pub const MAX_EXTRA_BYTES: usize = 512 * 1024;
/// Maximum bytes of an archive: 256 MiB.
pub const MAX_ARCHIVE_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum number of files examined in a folder or an archive.
pub const MAX_FILES: usize = 100_000;
/// Maximum nesting depth of folders.
pub const MAX_FOLDERS: usize = 16;

/// Says that the files of a folder together exceed [`MAX_TOTAL_BYTES`].
pub(super) const TOGETHER: &str = "the files together are larger than 128 MiB";
/// Says that there are more than [`MAX_ENTRIES`].
pub(super) const TOO_MANY: &str = "more than 100000 entries";
/// Says that the values of the input exceed [`MAX_VALUE_BYTES`].
pub(super) const VALUES: &str = "the values of this file take too much memory";
