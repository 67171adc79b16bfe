//! Splits the bytes of a JSON file into whole values, with at most one value in memory.

use std::io::{self, BufRead, BufReader, Read};

use inklings_ports::transfer::file::FileError;

/// Maximum nesting depth of arrays and objects.
const MAX_DEPTH: usize = 64;

/// A byte reader of a file that counts lines.
pub struct Scan {
    inner: BufReader<Box<dyn Read + Send>>,
    line: u64,
    at: u64,
}

impl Scan {
    pub fn new(reader: Box<dyn Read + Send>) -> Self {
        Self { inner: BufReader::with_capacity(256 << 10, reader), line: 1, at: 0 }
    }

    /// Current line, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Number of bytes read so far.
    pub const fn at(&self) -> u64 {
        self.at
    }

    fn peek(&mut self) -> Result<Option<u8>, FileError> {
        loop {
            match self.inner.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(FileError::at(
                        self.line,
                        format!("the file cannot be read: {}", error.kind()),
                    ));
                }
            }
        }
    }

    /// Consumes the peeked byte.
    pub fn take(&mut self) {
        if self.inner.buffer().first() == Some(&b'\n') {
            self.line += 1;
        }
        self.inner.consume(1);
        self.at += 1;
    }

    /// The next byte that is not white space, without consuming it.
    pub fn solid(&mut self) -> Result<Option<u8>, FileError> {
        while let Some(byte) = self.peek()? {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Ok(Some(byte));
            }
            self.take();
        }
        Ok(None)
    }

    pub fn skip_mark(&mut self) -> Result<(), FileError> {
        for byte in [0xEF, 0xBB, 0xBF] {
            if self.peek()? != Some(byte) {
                break;
            }
            self.take();
        }
        Ok(())
    }

    /// Consumes one required byte.
    pub fn expect(&mut self, byte: u8, message: &str) -> Result<(), FileError> {
        match self.solid()? {
            Some(found) if found == byte => {
                self.take();
                Ok(())
            }
            Some(_) => Err(FileError::at(self.line, message)),
            None => Err(FileError::at(self.line, "the file ends in the middle")),
        }
    }

    /// The bytes of the next value, at most `limit`. Only finds the end of the value; the parser validates
    /// the JSON.
    pub fn raw(&mut self, limit: usize) -> Result<Vec<u8>, FileError> {
        let begun = self.line;
        let (mut bytes, mut depth, mut in_text, mut escaped) = (Vec::new(), 0usize, false, false);
        if self.solid()?.is_none() {
            return Err(FileError::at(self.line, "the file ends in the middle"));
        }
        loop {
            let Some(byte) = self.peek()? else {
                // A word or number may end at the end of the file; the parser decides whether it is complete.
                return Err(FileError::at(self.line, "the file ends in the middle"));
            };
            if depth == 0
                && !in_text
                && !bytes.is_empty()
                && matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\n' | b'\r' | b'\t')
            {
                return Ok(bytes);
            }
            self.take();
            bytes.push(byte);
            if bytes.len() > limit {
                return Err(FileError::at(
                    begun,
                    format!("a row of more than {} MiB begins here", limit >> 20),
                ));
            }
            if in_text {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => in_text = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => in_text = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth == 0 => {
                        return Err(FileError::at(self.line, "this is no valid JSON"));
                    }
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                if depth > MAX_DEPTH {
                    return Err(FileError::at(
                        self.line,
                        format!("more than {MAX_DEPTH} levels within one another"),
                    ));
                }
            }
            if depth == 0 && !in_text && matches!(byte, b'}' | b']' | b'"') {
                return Ok(bytes);
            }
        }
    }
}
