//! Test data in third-party formats, for the tests of this crate and its dependents.

pub mod conversations;
pub mod corpus;
pub mod entries;

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// An archive of these files.
///
/// # Panics
/// Never: writing to memory cannot fail.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        archive.start_file(*name, options).expect("an entry begins");
        archive.write_all(bytes).expect("an entry is written");
    }
    archive.finish().expect("the archive is closed").into_inner()
}
