//! The digest of a file that is imported, for the entries that are made of it.

use std::io::{self, BufRead, Read};

use inklings_domain::digest::hex;
use sha2::{Digest, Sha256};

/// A reader that digests what is read through it.
pub struct Hashed<R> {
    inner: R,
    hash: Sha256,
}

impl<R: BufRead> Hashed<R> {
    /// A reader at its beginning.
    pub fn new(inner: R) -> Self {
        Self { inner, hash: Sha256::new() }
    }

    /// The digest of everything that there is to read.
    ///
    /// # Errors
    /// If the rest cannot be read.
    pub fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(hex(&self.hash.finalize()))
    }
}

impl<R: BufRead> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Hashed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed was filled before, so this reads nothing.
        if let Ok(filled) = self.inner.fill_buf() {
            self.hash.update(&filled[..amount.min(filled.len())]);
        }
        self.inner.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn the_digest_is_that_of_all_bytes_however_they_are_read() {
        let text = b"one\ntwo\nthree\n";
        let whole = hex(&Sha256::digest(text));
        assert_eq!(Hashed::new(&text[..]).finish().expect("reads"), whole);
        let mut by_line = Hashed::new(BufReader::with_capacity(5, &text[..]));
        let mut line = String::new();
        by_line.read_line(&mut line).expect("reads");
        assert_eq!((line.as_str(), by_line.finish().expect("reads")), ("one\n", whole));
    }
}
