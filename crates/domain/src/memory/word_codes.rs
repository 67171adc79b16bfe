//! A code of bits for each word piece of a text, so that texts are compared word by word (late interaction, as in `ColBERT`).
//!
//! A model gives a vector for each word piece before it makes one vector of them all. The code of a piece holds the signs of its
//! vector after a rotation, one bit a component: the share of equal bits estimates the angle between two vectors
//! (Charikar, "Similarity estimation techniques from rounding algorithms", 2002). The rotation spreads what a few large components
//! hold over all bits. It is fixed: codes are stored, and those of another rotation could not be compared with them.

use std::slice::ChunksExact;

/// The most word pieces of a text with codes. Longer texts are compared by their passages alone.
pub const MOST_CODES: usize = 128;
/// Rounds of the rotation. Each second one mixes the first components, and each other the last ones.
const ROUNDS: usize = 4;
/// Bits of a number.
const BITS: usize = u64::BITS as usize;

/// The codes of a text's word pieces, in their order. There are none for a long text, and for a model that gives no vectors of word
/// pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordCodes {
    dimension: usize,
    bits: Vec<u64>,
}

impl WordCodes {
    /// The codes of these vectors, which have `dimension` components each. None if there are more than [`MOST_CODES`], or if one
    /// of them has another dimension.
    pub fn of<'v>(vectors: impl ExactSizeIterator<Item = &'v [f32]>, dimension: usize) -> Self {
        if dimension == 0 || vectors.len() > MOST_CODES {
            return Self::default();
        }
        let rotation = Rotation::new(dimension);
        let mut bits = Vec::with_capacity(vectors.len() * dimension.div_ceil(BITS));
        for vector in vectors {
            if vector.len() != dimension {
                return Self::default();
            }
            bits.extend(signs(&rotation.turned(vector)));
        }
        Self { dimension, bits }
    }

    /// Reads what [`Self::bytes`] gave for vectors of `dimension` components. `None` if the length does not fit.
    pub fn read(bytes: &[u8], dimension: usize) -> Option<Self> {
        let mut codes = Self::default();
        codes.replace(bytes, dimension).then_some(codes)
    }

    /// As [`Self::read`], in place of these codes, so that reading many texts allocates once. False, without a change, if the length
    /// does not fit.
    pub fn replace(&mut self, bytes: &[u8], dimension: usize) -> bool {
        let (numbers, rest) = bytes.as_chunks::<{ BITS / 8 }>();
        let width = dimension.div_ceil(BITS);
        let fits = width > 0 && rest.is_empty() && numbers.len() % width == 0;
        if fits {
            self.dimension = dimension;
            self.bits.clear();
            self.bits.extend(numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        }
        fits
    }

    /// The codes as bytes, little-endian.
    pub fn bytes(&self) -> Vec<u8> {
        self.bits.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Number of codes.
    pub fn len(&self) -> usize {
        if self.dimension == 0 { 0 } else { self.bits.len() / self.width() }
    }

    /// True if there are no codes.
    pub const fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Components of the vectors that the codes are of, which is the number of bits in use of each.
    pub const fn dimension(&self) -> usize {
        self.dimension
    }

    /// Numbers of 64 bits in each code.
    pub const fn width(&self) -> usize {
        self.dimension.div_ceil(BITS)
    }

    /// All codes behind one another.
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// Each code.
    pub fn each(&self) -> ChunksExact<'_, u64> {
        self.bits.chunks_exact(self.width().max(1))
    }
}

/// The signs of numbers as bits, from the lowest bit on. The last number may have bits that are not in use; they are 0.
fn signs(numbers: &[f32]) -> impl Iterator<Item = u64> + '_ {
    let bits = |part: &[f32]| {
        part.iter().enumerate().fold(0, |bits, (at, number)| bits | (u64::from(*number >= 0.0) << at))
    };
    numbers.chunks(BITS).map(bits)
}

/// A rotation by random signs and Walsh-Hadamard transforms. Those of a dimension that is no power of two mix the first and the last
/// components in turns, as many as the largest power of two below it.
struct Rotation {
    /// For each round, -1 or 1 for each component.
    flips: [Vec<f32>; ROUNDS],
    /// The components that a round mixes.
    mixed: usize,
}

impl Rotation {
    fn new(dimension: usize) -> Self {
        let mut state = 0;
        let flips = std::array::from_fn(|_| {
            (0..dimension).map(|_| if split_mix(&mut state) & 1 == 0 { 1.0 } else { -1.0 }).collect()
        });
        Self { flips, mixed: 1 << dimension.ilog2() }
    }

    fn turned(&self, vector: &[f32]) -> Vec<f32> {
        let mut turned = vector.to_vec();
        let rest = turned.len() - self.mixed;
        for (round, flips) in self.flips.iter().enumerate() {
            turned.iter_mut().zip(flips).for_each(|(number, flip)| *number *= flip);
            mix(if round % 2 == 0 { &mut turned[..self.mixed] } else { &mut turned[rest..] });
        }
        turned
    }
}

/// The Walsh-Hadamard transform of a power of two of numbers, scaled so that it keeps lengths.
fn mix(numbers: &mut [f32]) {
    let mut half = 1;
    while half < numbers.len() {
        for pair in numbers.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                (*low, *high) = (*low + *high, *low - *high);
            }
        }
        half *= 2;
    }
    let scale = (numbers.len() as f32).sqrt().recip();
    for number in numbers {
        *number *= scale;
    }
}

/// The next number of the generator `SplitMix64` (Steele, Lea and Flood, 2014).
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn codes(vectors: &[Vec<f32>]) -> WordCodes {
        WordCodes::of(vectors.iter().map(Vec::as_slice), vectors.first().map_or(0, Vec::len))
    }

    fn differing(codes: &WordCodes) -> u32 {
        let codes: Vec<&[u64]> = codes.each().collect();
        codes[0].iter().zip(codes[1]).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    #[test]
    fn stored_codes_never_change() {
        let vector: Vec<f32> = (0..100_u16).map(|n| f32::from(n * 37 % 101) - 50.0).collect();
        assert_eq!(codes(&[vector]).bits, [9_013_190_694_713_668_275, 8_413_800_134]);
    }

    #[test]
    fn a_text_of_too_many_pieces_has_no_codes() {
        assert_eq!(codes(&vec![vec![1.0; 3]; MOST_CODES]).len(), MOST_CODES);
        assert!(codes(&vec![vec![1.0; 3]; MOST_CODES + 1]).is_empty());
        assert!(codes(&[vec![1.0; 3], vec![1.0; 4]]).is_empty());
        assert!(codes(&[]).is_empty() && codes(&[Vec::new()]).is_empty());
    }

    proptest! {
        #[test]
        fn differing_bits_estimate_the_angle(
            (a, b) in (200_usize..800).prop_flat_map(|dimension| {
                let vector = proptest::collection::vec(-1.0..1.0f32, dimension);
                (vector.clone(), vector)
            }),
            mixed in 0.0..1.0f32,
        ) {
            let b: Vec<f32> = a.iter().zip(b).map(|(a, b)| mixed * a + (1.0 - mixed) * b).collect();
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
            let angle = (dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).clamp(-1.0, 1.0).acos();
            let share = f64::from(differing(&codes(&[a.clone(), b]))) / a.len() as f64;
            // Five times the standard deviation of as many independent bits.
            let bound = 5.0 * (0.25 / a.len() as f64).sqrt();
            prop_assert!((share - angle / std::f64::consts::PI).abs() < bound, "{share} for {angle}");
        }

        #[test]
        fn codes_are_read_as_they_were_written(
            vectors in (1_usize..300).prop_flat_map(|dimension| {
                proptest::collection::vec(proptest::collection::vec(-1.0..1.0f32, dimension), 0..5)
            }),
        ) {
            let codes = codes(&vectors);
            prop_assert_eq!(codes.len(), vectors.len());
            prop_assert_eq!(codes.each().len(), vectors.len());
            if !codes.is_empty() {
                let bytes = codes.bytes();
                prop_assert!(WordCodes::read(&bytes[1..], codes.dimension()).is_none());
                prop_assert_eq!(WordCodes::read(&bytes, codes.dimension()), Some(codes));
            }
        }
    }
}
