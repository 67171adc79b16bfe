//! Reads and replaces the text chunks of a PNG image. Pixels are never decoded.

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
    let mut found: Option<(usize, &[u8])> = None;
    walk(bytes, &mut |chunk| {
        if let Some((rank, text)) = chunk.text(keywords)
            && found.is_none_or(|(best, _)| rank < best)
        {
            found = Some((rank, text));
        }
    })?;
    Ok(found.map(|(_, text)| text))
}

/// A chunk: its kind, its data, and all its bytes with length and checksum.
struct Chunk<'a> {
    kind: &'a [u8],
    data: &'a [u8],
    whole: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The rank of its keyword and its text, for a text chunk with one of these keywords.
    fn text(&self, keywords: &[&str]) -> Option<(usize, &'a [u8])> {
        let end = self.data.iter().position(|byte| *byte == 0).filter(|_| self.kind == b"tEXt")?;
        let is = |word: &&str| word.as_bytes().eq_ignore_ascii_case(&self.data[..end]);
        Some((keywords.iter().position(is)?, &self.data[end + 1..]))
    }
}

/// A text chunk.
fn text_chunk(keyword: &str, text: &[u8]) -> Vec<u8> {
    let data = [b"tEXt".as_slice(), keyword.as_bytes(), b"\0", text].concat();
    let mut crc = Crc::new();
    crc.update(&data);
    let length = u32::try_from(data.len() - 4).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], &data, &crc.sum().to_be_bytes()].concat()
}

/// The image with a text under these keywords, in place of the first text chunk with one of the `old` keywords or before
/// the end. The other `old` chunks are removed; every other chunk stays as it is.
pub fn with_texts(
    bytes: &[u8],
    old: &[&str],
    keywords: &[&str],
    text: &[u8],
) -> Result<Vec<u8>, FormatError> {
    if text.len() > i32::MAX as usize {
        return Err(FormatError::large(Spot::default(), "the card is too large for a picture"));
    }
    let mut new: Option<Vec<u8>> =
        Some(keywords.iter().flat_map(|keyword| text_chunk(keyword, text)).collect());
    let mut out = SIGNATURE.to_vec();
    walk(bytes, &mut |chunk| {
        let is_old = chunk.text(old).is_some();
        if is_old || chunk.kind == b"IEND" {
            out.extend(new.take().unwrap_or_default());
        }
        if !is_old {
            out.extend_from_slice(chunk.whole);
        }
    })?;
    Ok(out)
}

/// Gives every chunk to `take`, after its length, kind and checksum were verified.
fn walk<'a>(bytes: &'a [u8], take: &mut dyn FnMut(&Chunk<'a>)) -> Result<(), FormatError> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or_else(|| broken("this is no PNG picture"))?;
    let mut first = true;
    loop {
        let start = rest;
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
        take(&Chunk { kind, data, whole: &start[..start.len() - after.len()] });
        if kind == b"IEND" {
            return Ok(());
        }
        rest = after;
    }
}
