//! Reads UTF-16 as UTF-8: with a byte order mark, and JSON also without one. Some editors and shells of Windows write it.

use std::{
    borrow::Cow,
    io::{self, Cursor, Read},
};

const LITTLE: [u8; 2] = [0xFF, 0xFE];
const BIG: [u8; 2] = [0xFE, 0xFF];

/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// Byte order of UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Low byte first.
    Little,
    /// High byte first.
    Big,
}

impl Order {
    /// The order that a byte order mark tells; `None` for other bytes. No UTF-8 begins so.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.first_chunk::<2>() {
            Some(&LITTLE) => Some(Self::Little),
            Some(&BIG) => Some(Self::Big),
            _ => None,
        }
    }

    /// The order of a JSON text, and the length of its byte order mark. Without a mark, the zero beside the first character
    /// tells the order; there is none in UTF-8.
    fn of_json(bytes: &[u8]) -> Option<(Self, usize)> {
        let is_start = |byte: &u8| matches!(byte, b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n');
        let bare = || match bytes.first_chunk::<2>()? {
            [first, 0] if is_start(first) => Some((Self::Little, 0)),
            [0, first] if is_start(first) => Some((Self::Big, 0)),
            _ => None,
        };
        Self::of(bytes).map(|order| (order, LITTLE.len())).or_else(bare)
    }

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "utf-16le",
            Self::Big => "utf-16be",
        }
    }

    /// The order with a stable name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Little, Self::Big].into_iter().find(|order| order.name() == name)
    }

    const fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }

    /// The text of bytes in this order, without a byte order mark.
    fn decoded(self, bytes: &[u8]) -> Vec<u8> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|pair| self.unit(*pair));
        let mut text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        if !rest.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text.into_bytes()
    }

    /// A text in this order, with a byte order mark.
    pub fn encoded(self, text: &str) -> Vec<u8> {
        let (mark, bytes): (_, fn(u16) -> [u8; 2]) = match self {
            Self::Little => (LITTLE, u16::to_le_bytes),
            Self::Big => (BIG, u16::to_be_bytes),
        };
        mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
    }
}

/// The bytes as UTF-8 if they are UTF-16 with a byte order mark; others unchanged. Half a character becomes U+FFFD.
pub fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Order::of(bytes) {
        Some(order) => Cow::Owned(order.decoded(&bytes[LITTLE.len()..])),
        None => Cow::Borrowed(bytes),
    }
}

/// As [`decoded`], also for JSON without a byte order mark.
pub fn decoded_json(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Order::of_json(bytes) {
        Some((order, mark)) => Cow::Owned(order.decoded(&bytes[mark..])),
        None => Cow::Borrowed(bytes),
    }
}

/// A reader of JSON that gives UTF-8 if the source is UTF-16, and the bytes of any other source.
///
/// # Errors
/// Those of the source.
pub fn plain<R: Read + Send + 'static>(mut source: R) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::with_capacity(2);
    source.by_ref().take(2).read_to_end(&mut start)?;
    match Order::of_json(&start) {
        Some((order, mark)) => {
            let rest = start.split_off(mark);
            Ok(Box::new(Decoder { source, order, ready: Cursor::default(), rest, over: false }))
        }
        None => Ok(Box::new(Cursor::new(start).chain(source))),
    }
}

/// Decodes piece by piece.
struct Decoder<R> {
    source: R,
    order: Order,
    ready: Cursor<Vec<u8>>,
    /// Bytes whose character is not complete yet: at most one unit and a half.
    rest: Vec<u8>,
    over: bool,
}

impl<R: Read> Decoder<R> {
    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.rest);
        let before = bytes.len();
        let read = self.source.by_ref().take(PIECE as u64).read_to_end(&mut bytes);
        if let Err(error) = read {
            self.rest = bytes;
            return Err(error);
        }
        self.over = bytes.len() == before;
        let mut whole = if self.over { bytes.len() } else { bytes.len() / 2 * 2 };
        // A high surrogate at the end waits for its other half.
        if !self.over
            && let Some(pair) = bytes[..whole].last_chunk::<2>()
            && (0xD800..0xDC00).contains(&self.order.unit(*pair))
        {
            whole -= 2;
        }
        self.rest = bytes.split_off(whole);
        self.ready = Cursor::new(self.order.decoded(&bytes));
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.ready.read(out)?;
            if read > 0 || out.is_empty() || self.over {
                return Ok(read);
            }
            self.fill()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn both_byte_orders_are_decoded_completely_and_in_pieces(text in "\\PC{0,40}", times in 0..3000_usize) {
            let text = text.repeat(times);
            for order in [Order::Little, Order::Big] {
                let bytes = order.encoded(&text);
                proptest::prop_assert_eq!(&*decoded(&bytes), text.as_bytes());
                let mut read = String::new();
                plain(Cursor::new(bytes)).expect("opens").read_to_string(&mut read).expect("UTF-8");
                proptest::prop_assert_eq!(&read, &text);
            }
        }

        #[test]
        fn json_without_a_byte_order_mark_is_decoded(value in "\\PC{0,40}", times in 0..3000_usize) {
            let text = format!("[{}]", serde_json::json!(value.repeat(times)));
            for order in [Order::Little, Order::Big] {
                let bytes = order.encoded(&text).split_off(2);
                proptest::prop_assert_eq!(&*decoded_json(&bytes), text.as_bytes());
                proptest::prop_assert_eq!(&*decoded(&bytes), &bytes[..]);
                let mut read = String::new();
                plain(Cursor::new(bytes)).expect("opens").read_to_string(&mut read).expect("UTF-8");
                proptest::prop_assert_eq!(&read, &text);
            }
        }
    }

    #[test]
    fn unpaired_surrogates_are_replaced_and_other_bytes_unchanged() {
        assert_eq!(&*decoded(b"\xFF\xFEa\0\x3D\xD8b\0c"), "a\u{FFFD}b\u{FFFD}".as_bytes());
        let mut read = Vec::new();
        let source = Cursor::new(b"\xFF\xFEa\0\x3D\xD8b\0c");
        plain(source).expect("opens").read_to_end(&mut read).expect("reads");
        assert_eq!(read, "a\u{FFFD}b\u{FFFD}".as_bytes());
        for bytes in [&b""[..], b"\xFF", b"{}", b"\xEF\xBB\xBF{}"] {
            assert_eq!(&*decoded(bytes), bytes);
            let mut read = Vec::new();
            plain(bytes).expect("opens").read_to_end(&mut read).expect("reads");
            assert_eq!(read, bytes);
        }
    }
}
