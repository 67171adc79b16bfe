//! Reads a whole text file, such as one that is attached to a message.

use std::{fs::File, io::Read, path::Path};

use crate::{entries::json::utf8, utf16::decoded};

/// Why a file was not read as text.
#[derive(Debug, thiserror::Error)]
pub enum TextFileError {
    /// It cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is a folder or another thing without a text.
    #[error("this is no file")]
    NoFile,
    /// It is larger than the caller allows.
    #[error("the file is larger than {0} bytes")]
    TooLarge(usize),
    /// It is neither UTF-8 nor UTF-16 with a byte order mark, or it has bytes that no text has.
    #[error("this is no text file: only UTF-8 text and Markdown can be read")]
    NoText,
}

/// The text of a file of at most `limit` bytes of UTF-8, without its byte order mark.
///
/// # Errors
/// [`TextFileError`].
pub fn read(path: &Path, limit: usize) -> Result<String, TextFileError> {
    // Opening a pipe would wait for its writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(TextFileError::NoFile);
    }
    // UTF-16 takes at most twice the bytes.
    let most = limit.saturating_mul(2).saturating_add(4);
    let mut bytes = Vec::new();
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(TextFileError::TooLarge(limit));
    }
    let bytes = decoded(&bytes);
    let text = utf8(&bytes).map_err(|_| TextFileError::NoText)?;
    if text.len() > limit {
        return Err(TextFileError::TooLarge(limit));
    }
    if text.contains('\0') {
        return Err(TextFileError::NoText);
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utf16::Order;

    #[test]
    fn a_text_file_is_read_in_each_encoding_and_nothing_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let read_back = |bytes: &[u8], limit| {
            let path = folder.path().join("a.md");
            std::fs::write(&path, bytes).expect("written");
            read(&path, limit)
        };
        for bytes in ["é".as_bytes(), b"\xEF\xBB\xBF\xC3\xA9", &Order::Little.encoded("é")] {
            assert_eq!(read_back(bytes, 2).expect("text"), "é");
        }
        assert!(matches!(read_back(b"abc", 2), Err(TextFileError::TooLarge(2))));
        assert!(matches!(read_back(b"\xFF", 2), Err(TextFileError::NoText)));
        assert!(matches!(read_back(b"a\0", 2), Err(TextFileError::NoText)));
        assert!(matches!(read(folder.path(), 2), Err(TextFileError::NoFile)));
    }
}
