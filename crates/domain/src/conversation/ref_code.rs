//! Reference codes: 11 characters of base62 that identify a conversation in links and on the command line.

use std::{fmt, str::FromStr};

/// Length of a code in characters. 62^11 is about 5.2e19, so 64 random bits fit.
pub const REF_CODE_LEN: usize = 11;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A stable, URL-safe reference code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RefCode([u8; REF_CODE_LEN]);

/// The text is not a valid reference code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reference code has {REF_CODE_LEN} characters out of 0-9, A-Z and a-z")]
pub struct InvalidRefCode;

/// No unused code was found within the given number of attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no free reference code was found after {attempts} attempts")]
pub struct RefCodeExhausted {
    /// Number of codes tried.
    pub attempts: usize,
}

impl RefCode {
    /// The code for 64 random bits (most significant digit first, zero-padded).
    pub fn from_bits(bits: u64) -> Self {
        let mut code = [ALPHABET[0]; REF_CODE_LEN];
        let mut rest = bits;
        for slot in code.iter_mut().rev() {
            *slot = ALPHABET[(rest % 62) as usize];
            rest /= 62;
        }
        Self(code)
    }

    /// Draws codes until one is unused. `random` returns 64 fresh random bits per call; `taken` tells whether a code
    /// is in use.
    ///
    /// # Errors
    /// [`RefCodeExhausted`] after `attempts` collisions, which means that `random` is broken.
    pub fn draw(
        attempts: usize,
        mut random: impl FnMut() -> u64,
        mut taken: impl FnMut(&Self) -> bool,
    ) -> Result<Self, RefCodeExhausted> {
        (0..attempts)
            .map(|_| Self::from_bits(random()))
            .find(|code| !taken(code))
            .ok_or(RefCodeExhausted { attempts })
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        // All bytes come from ALPHABET, which is ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for RefCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RefCode {
    type Err = InvalidRefCode;

    fn from_str(text: &str) -> Result<Self, InvalidRefCode> {
        let code: [u8; REF_CODE_LEN] = text.as_bytes().try_into().map_err(|_| InvalidRefCode)?;
        if code.iter().all(u8::is_ascii_alphanumeric) { Ok(Self(code)) } else { Err(InvalidRefCode) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_code_in_use_is_drawn_again() {
        let mut bits = [7, 7, 8].into_iter();
        let taken = RefCode::from_bits(7);
        let code = RefCode::draw(3, || bits.next().unwrap_or(0), |c| *c == taken);
        assert_eq!(code, Ok(RefCode::from_bits(8)));
        assert_eq!(RefCode::draw(4, || 7, |_| true), Err(RefCodeExhausted { attempts: 4 }));
    }

    #[test]
    fn other_lengths_and_characters_are_refused() {
        for text in ["", "short", "twelve_chars", "0123456789-", "ééééé0"] {
            assert_eq!(text.parse::<RefCode>(), Err(InvalidRefCode), "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn different_bits_give_different_codes_that_read_back(a: u64, b: u64) {
            let (x, y) = (RefCode::from_bits(a), RefCode::from_bits(b));
            proptest::prop_assert_eq!(a == b, x == y);
            proptest::prop_assert_eq!(x.to_string().parse(), Ok(x));
        }
    }
}
