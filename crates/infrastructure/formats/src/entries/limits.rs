//! How much is read at most. All of them hold before the memory is taken.

/// The most bytes of a file that is read as a whole: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The most bytes that the files used out of an archive, or the files of a folder, have together: 128 MiB.
pub const MAX_TOTAL_BYTES: u64 = 128 * 1024 * 1024;
/// The most bytes of memory that the values of a JSON file may take, by a generous estimate: 192 MiB.
pub const MAX_VALUE_BYTES: usize = 192 * 1024 * 1024;
/// How deep the values of a JSON file may be nested.
pub const MAX_DEPTH: usize = 64;
/// The most entries of a file or folder.
pub const MAX_ENTRIES: usize = 100_000;
/// The most bytes (UTF-8) of one entry's text: 1 MiB. What fits a memory is less, and for the domain to say.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// The most bytes (UTF-8) of an entry's name, and of each of its other names, tags and its id.
pub const MAX_NAME_BYTES: usize = 4096;
/// The most other names, and the most tags, of one entry.
pub const MAX_NAMES: usize = 1000;
/// The most bytes that what has no place here takes as JSON, of one entry and of a file: 512 KiB.
pub const MAX_EXTRA_BYTES: usize = 512 * 1024;
/// The most bytes of an archive: 256 MiB.
pub const MAX_ARCHIVE_BYTES: u64 = 256 * 1024 * 1024;
/// The most files that are looked at in a folder or an archive.
pub const MAX_FILES: usize = 100_000;
/// How deep folders may be nested.
pub const MAX_FOLDERS: usize = 16;
