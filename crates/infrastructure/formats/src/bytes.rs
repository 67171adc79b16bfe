//! The bytes of one file, counted and bounded.

use std::io::{self, BufRead, BufReader, Read};

use inklings_application::conversation::import_store::SourceError;
use serde_json::error::Category;

/// The most bytes that one conversation may have: 256 MiB.
pub const MAX_CONVERSATION_BYTES: u64 = 256 * 1024 * 1024;

const BUFFER: usize = 256 * 1024;

/// A [`SourceError`] on its way through [`io::Error`].
#[derive(Debug)]
struct Refusal(SourceError);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Refusal {}

/// Lets a reader say exactly what is wrong.
pub fn refuse(error: SourceError) -> io::Error {
    io::Error::other(Refusal(error))
}

/// What an I/O error is to the reader of a file.
pub fn from_io(error: &io::Error) -> SourceError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Refusal>()) {
        Some(Refusal(refusal)) => refusal.clone(),
        // The kind alone: what the system adds may name folders.
        None => SourceError::Io(error.kind().to_string()),
    }
}

/// A file that is broken at a byte.
pub fn broken(byte: u64, message: &str) -> SourceError {
    SourceError::Broken { byte, message: message.to_owned() }
}

/// A stream of bytes that knows where it is and how far the present conversation may go.
pub struct Bytes {
    inner: BufReader<Box<dyn Read + Send>>,
    at: u64,
    limit: u64,
}

impl Bytes {
    /// Reads from the start of a file.
    pub fn new(reader: Box<dyn Read + Send>) -> Self {
        Self { inner: BufReader::with_capacity(BUFFER, reader), at: 0, limit: u64::MAX }
    }

    /// Bytes read so far.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// From here on at most one conversation's worth is read.
    pub const fn begin_conversation(&mut self) {
        self.limit = self.at.saturating_add(MAX_CONVERSATION_BYTES);
    }

    /// The next byte, not taken.
    pub fn peek(&mut self) -> Result<Option<u8>, SourceError> {
        loop {
            match self.inner.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(from_io(&error)),
            }
        }
    }

    /// Takes the byte that was peeked at.
    pub fn take(&mut self) {
        self.inner.consume(1);
        self.at += 1;
    }

    /// The next byte that is no white space, not taken.
    pub fn peek_solid(&mut self) -> Result<Option<u8>, SourceError> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.take();
        }
        Ok(None)
    }

    /// Passes over a byte order mark.
    pub fn skip_mark(&mut self) -> Result<(), SourceError> {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        for byte in MARK {
            if self.peek()? != Some(byte) {
                break;
            }
            self.take();
        }
        Ok(())
    }

    /// What a JSON error is, at the place that was reached. Its own words may repeat what was read, so they go.
    pub fn failed(&self, error: serde_json::Error) -> SourceError {
        match error.classify() {
            Category::Io => from_io(&error.into()),
            Category::Syntax => broken(self.at, "this is no valid JSON"),
            Category::Data => broken(self.at, "a field is missing or is of another kind than it should be"),
            Category::Eof => broken(self.at, "the file ends in the middle"),
        }
    }
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.limit {
            let limit = MAX_CONVERSATION_BYTES / (1024 * 1024);
            let message = format!("a conversation in this file is larger than {limit} MiB");
            return Err(refuse(SourceError::TooLarge(message)));
        }
        // The parser asks for one byte at a time.
        let read = if let ([one], [first, ..]) = (&mut *out, self.inner.buffer()) {
            *one = *first;
            self.inner.consume(1);
            1
        } else {
            self.inner.read(out)?
        };
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_without_end_is_given_up() {
        let mut bytes = Bytes::new(Box::new(io::repeat(b'x')));
        bytes.begin_conversation();
        let mut piece = vec![0; 1024 * 1024];
        let error = loop {
            match bytes.read(&mut piece) {
                Ok(read) => assert!(read > 0),
                Err(error) => break error,
            }
        };
        assert!(matches!(from_io(&error), SourceError::TooLarge(_)));
        assert!(bytes.at() <= MAX_CONVERSATION_BYTES + piece.len() as u64);
    }
}
