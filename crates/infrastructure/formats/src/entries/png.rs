//! Reads the text chunks of a PNG image. Pixels are never decoded.

use flate2::Crc;

use super::{FormatError, Spot};

/// Signature of a PNG file.
pub const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

fn broken(problem: &'static str) -> FormatError {
    FormatError::broken(Spot::default(), problem)
}

/// The text of the first `tEXt` chunk with one of these keywords; earlier keywords have priority.
///
/// # Errors
/// [`FormatError::Broken`] for an image with invalid chunks; all chunks are verified before a result is
/// given.
pub fn text<'a>(bytes: &'a [u8], keywords: &[&str]) -> Result<Option<&'a [u8]>, FormatError> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or_else(|| broken("this is no PNG picture"))?;
    let mut found: Option<(usize, &[u8])> = None;
    let mut first = true;
    loop {
        let (head, after) =
            rest.split_at_checked(8).ok_or_else(|| broken("the picture ends in the middle"))?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
        let kind = &head[4..];
        if length > i32::MAX as u32 || !kind.iter().all(u8::is_ascii_alphabetic) {
            return Err(broken("the picture holds a chunk that cannot be"));
        }
        let (data, after) = after
            .split_at_checked(length as usize)
            .ok_or_else(|| broken("the picture ends in the middle"))?;
        let (sum, after) =
            after.split_at_checked(4).ok_or_else(|| broken("the picture ends in the middle"))?;
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        if crc.sum().to_be_bytes() != sum {
            return Err(broken("the picture is damaged: a checksum does not fit"));
        }
        if first != (kind == b"IHDR") {
            return Err(broken("the picture has its header in the wrong place"));
        }
        first = false;
        if kind == b"IEND" {
            return Ok(found.map(|(_, text)| text));
        }
        if kind == b"tEXt"
            && let Some(end) = data.iter().position(|byte| *byte == 0)
            && let Some(rank) =
                keywords.iter().position(|word| word.as_bytes().eq_ignore_ascii_case(&data[..end]))
            && found.is_none_or(|(best, _)| rank < best)
        {
            found = Some((rank, &data[end + 1..]));
        }
        rest = after;
    }
}
