//! Encoding of vectors in export files.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// Encodes the bytes of a vector as base64.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes a vector; `None` unless it has `dimension` finite numbers.
pub fn decode(text: &str, dimension: u64) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(text).ok()?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    let whole = rest.is_empty() && numbers.len() as u64 == dimension && dimension > 0;
    (whole && numbers.iter().all(|number| f32::from_le_bytes(*number).is_finite())).then_some(bytes)
}
