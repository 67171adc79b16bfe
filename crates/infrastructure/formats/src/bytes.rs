//! A byte stream of one file with position and size limit.

use std::io::{self, BufRead, BufReader, Read};

use inklings_ports::conversation::import_store::SourceError;
use serde_json::error::Category;

/// Maximum bytes of one conversation: 256 MiB.
pub const MAX_CONVERSATION_BYTES: u64 = 256 * 1024 * 1024;

const BUFFER: usize = 256 * 1024;

/// Carries a [`SourceError`] through [`io::Error`].
#[derive(Debug)]
struct Refusal(SourceError);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Refusal {}

/// Wraps a reader's error, so that the exact cause survives [`io::Error`].
pub fn refuse(error: SourceError) -> io::Error {
    io::Error::other(Refusal(error))
}

/// Converts an I/O error of a file reader; unwraps an error of [`refuse`].
pub fn from_io(error: &io::Error) -> SourceError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Refusal>()) {
        Some(Refusal(refusal)) => refusal.clone(),
        // Only the kind, because the system's message may contain paths.
        None => SourceError::Io(error.kind().to_string()),
    }
}

/// Error for a file that is damaged at a byte position.
pub fn broken(byte: u64, message: &str) -> SourceError {
    SourceError::Broken { byte, message: message.to_owned() }
}

/// What a JSON parser refused. It also refuses valid JSON that it cannot hold, which must not be called invalid.
pub fn json_problem(error: &serde_json::Error) -> &'static str {
    let reason = error.to_string();
    if reason.starts_with("number out of range") {
        "a number here is too large"
    } else if reason.starts_with("recursion limit exceeded") {
        "the values of this file are nested too deep"
    } else {
        "this is no valid JSON"
    }
}

/// Where the bytes read so far stand within one JSON value.
#[derive(Debug, Default)]
struct Nesting {
    depth: u64,
    in_text: bool,
    escaped: bool,
    begun: bool,
}

impl Nesting {
    fn see(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_text => self.escaped = true,
            b'"' => {
                self.in_text = !self.in_text;
                self.begun = true;
            }
            _ if self.in_text => {}
            b'{' | b'[' => {
                self.depth += 1;
                self.begun = true;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    const fn is_over(&self) -> bool {
        self.begun && self.depth == 0 && !self.in_text
    }
}

/// A byte stream that counts its position and limits the size of the current conversation.
pub struct Bytes {
    inner: BufReader<Box<dyn Read + Send>>,
    at: u64,
    limit: u64,
    nesting: Nesting,
}

impl Bytes {
    /// Starts at the beginning of a file.
    pub fn new(reader: Box<dyn Read + Send>) -> Self {
        let inner = BufReader::with_capacity(BUFFER, reader);
        Self { inner, at: 0, limit: u64::MAX, nesting: Nesting::default() }
    }

    /// Number of bytes read so far.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Starts a new conversation: resets the size limit.
    pub fn begin_conversation(&mut self) {
        self.limit = self.at.saturating_add(MAX_CONVERSATION_BYTES);
        self.nesting = Nesting::default();
    }

    /// Skips the rest of the value that began at [`Self::begin_conversation`], as far as its brackets and quotes tell
    /// its end. False if the file ends before it.
    pub fn skip_rest(&mut self) -> Result<bool, SourceError> {
        self.limit = u64::MAX;
        while !self.nesting.is_over() {
            let Some(byte) = self.peek()? else { return Ok(false) };
            if !self.nesting.begun && matches!(byte, b',' | b']') {
                break;
            }
            self.nesting.see(byte);
            self.take();
        }
        Ok(true)
    }

    /// The next byte without consuming it.
    pub fn peek(&mut self) -> Result<Option<u8>, SourceError> {
        loop {
            match self.inner.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(from_io(&error)),
            }
        }
    }

    /// Consumes the peeked byte.
    pub fn take(&mut self) {
        self.inner.consume(1);
        self.at += 1;
    }

    /// The next byte that is not white space, without consuming it.
    pub fn peek_solid(&mut self) -> Result<Option<u8>, SourceError> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.take();
        }
        Ok(None)
    }

    /// Skips a byte order mark.
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

    /// Converts a JSON error at the current position. Drops the parser's message, because it may quote the
    /// text.
    pub fn failed(&self, error: serde_json::Error) -> SourceError {
        match error.classify() {
            Category::Io => from_io(&error.into()),
            Category::Syntax => broken(self.at, json_problem(&error)),
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
        // The parser requests one byte at a time, so this case is optimised.
        let read = if let ([one], [first, ..]) = (&mut *out, self.inner.buffer()) {
            *one = *first;
            self.inner.consume(1);
            1
        } else {
            self.inner.read(out)?
        };
        self.at += read as u64;
        out[..read].iter().for_each(|byte| self.nesting.see(*byte));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_conversation_is_refused_as_too_large() {
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
