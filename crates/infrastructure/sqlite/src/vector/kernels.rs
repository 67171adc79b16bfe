//! The inner loops of the vector search: the product of a row's bytes with a query's integers, and the bits in which codes differ.
//!
//! This module may hold `unsafe` code, for two purposes: to call a function compiled for instructions that
//! the processor was found to have, and to load a whole aligned [`Line`] at once. All kernels give
//! bit-identical integers; the choice of kernel only affects the speed.
//!
//! On processors other than x86-64 the compiler turns the plain kernel into the vector instructions that
//! every such processor has (NEON on 64-bit ARM), because its loop has fixed bounds.
#![allow(unsafe_code)]
#![expect(clippy::inline_always, reason = "instructions of a caller apply only to what is inlined into it")]

use inklings_domain::memory::word_codes::WordCodes;

use super::quantise::{LINE, Line, Query, ZERO};

/// An implementation of the loops. Created only by [`Kernel::detect`] or [`Kernel::available`], so a value
/// proves that this processor can run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Kernel {
    /// The fastest kernel that this processor can run.
    pub fn detect() -> Self {
        Self::available().first().copied().unwrap_or(Self(Kind::Plain))
    }

    /// Every kernel that this processor can run, fastest first.
    pub fn available() -> Vec<Self> {
        let mut kernels = Vec::with_capacity(3);
        #[cfg(target_arch = "x86_64")]
        {
            let counts = is_x86_feature_detected!("popcnt");
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") && counts {
                kernels.push(Self(Kind::Avx512Vnni));
            }
            if is_x86_feature_detected!("avx2") && counts {
                kernels.push(Self(Kind::Avx2));
            }
        }
        kernels.push(Self(Kind::Plain));
        kernels
    }

    /// The name of the kernel, for reports.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            Kind::Plain => "plain",
        }
    }

    /// The sum of the products of a row's bytes, as unsigned numbers, with the query's components. If one of
    /// the two has more lines, the extra lines are ignored.
    #[inline]
    pub fn product(self, row: &[Line<u8>], query: &Query) -> i64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Kernel` of this kind exists only where `available` found AVX-512 F and VNNI.
            Kind::Avx512Vnni => unsafe { x86::avx512_vnni(row, &query.high, &query.low) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Kernel` of this kind exists only where `available` found AVX2.
            Kind::Avx2 => unsafe { x86::avx2(row, &query.wide) },
            Kind::Plain => plain(row, &query.wide),
        }
    }

    /// The sum of the products of two rows' bytes, each less the byte that represents 0. If one of the two has more lines, the extra
    /// lines are ignored.
    #[inline]
    pub fn row_product(self, a: &[Line<u8>], b: &[Line<u8>]) -> i64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Kernel` of this kind exists only where `available` found AVX-512 F and VNNI.
            Kind::Avx512Vnni => unsafe { x86::rows_by_avx512_vnni(a, b) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Kernel` of this kind exists only where `available` found AVX2.
            Kind::Avx2 => unsafe { plain_rows_by_avx2(a, b) },
            Kind::Plain => plain_rows(a, b),
        }
    }

    /// Adds, for each word of a query, the number of bits in which it differs from the nearest word of a text. Both have the same
    /// dimension, and the text has words.
    pub fn differing_bits(self, query: &WordCodes, text: &WordCodes, to: &mut Vec<u32>) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: kernels of these kinds exist only where `available` found POPCNT.
            Kind::Avx512Vnni | Kind::Avx2 => unsafe { differing_bits_by_popcnt(query, text, to) },
            Kind::Plain => differing_bits(query, text, to),
        }
    }
}

/// [`differing_bits`] with the instruction that counts bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn differing_bits_by_popcnt(query: &WordCodes, text: &WordCodes, to: &mut Vec<u32>) {
    differing_bits(query, text, to);
}

/// [`Kernel::differing_bits`]. The loops of the widths of usual models have fixed bounds.
#[inline(always)]
fn differing_bits(query: &WordCodes, text: &WordCodes, to: &mut Vec<u32>) {
    match query.width() {
        6 => differing_bits_of_width::<6>(query, text, to),
        12 => differing_bits_of_width::<12>(query, text, to),
        16 => differing_bits_of_width::<16>(query, text, to),
        _ => to.extend(query.each().map(|own| least(text.each().map(|other| differing(own, other))))),
    }
}

#[inline(always)]
fn differing_bits_of_width<const WIDTH: usize>(query: &WordCodes, text: &WordCodes, to: &mut Vec<u32>) {
    let (text, _) = text.bits().as_chunks::<WIDTH>();
    let (query, _) = query.bits().as_chunks::<WIDTH>();
    to.extend(query.iter().map(|own| least(text.iter().map(|other| differing(own, other)))));
}

#[inline(always)]
fn differing(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

#[inline(always)]
fn least(differing: impl Iterator<Item = u32>) -> u32 {
    differing.min().unwrap_or(u32::MAX)
}

fn plain(row: &[Line<u8>], query: &[Line<i16>]) -> i64 {
    row.iter()
        .zip(query)
        .map(|(a, b)| {
            let mut sum = 0_i32;
            for i in 0..LINE {
                sum += i32::from(a.0[i]) * i32::from(b.0[i]);
            }
            i64::from(sum)
        })
        .sum()
}

#[inline(always)]
fn plain_rows(a: &[Line<u8>], b: &[Line<u8>]) -> i64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let mut sum = 0_i32;
            for i in 0..LINE {
                sum += (i32::from(a.0[i]) - i32::from(ZERO)) * (i32::from(b.0[i]) - i32::from(ZERO));
            }
            i64::from(sum)
        })
        .sum()
}

/// [`plain_rows`] with wider instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn plain_rows_by_avx2(a: &[Line<u8>], b: &[Line<u8>]) -> i64 {
    plain_rows(a, b)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m512i, _mm_cvtsi128_si32, _mm_load_si128, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_cvtepu8_epi16, _mm256_extracti128_si256, _mm256_load_si256,
        _mm256_madd_epi16, _mm256_setzero_si256, _mm512_dpbusd_epi32, _mm512_load_si512,
        _mm512_reduce_add_epi32, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_xor_si512,
    };

    use super::super::quantise::{HIGH, LINE, Line, ZERO};

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load<T: Copy>(line: &Line<T>) -> __m512i {
        const { assert!(size_of::<Line<T>>() == 64 && align_of::<Line<T>>() == 64) };
        // SAFETY: the reference is valid for 64 bytes and aligned to 64, as the assertion above has checked.
        unsafe { _mm512_load_si512(std::ptr::from_ref(line).cast()) }
    }

    /// 64 products per instruction, summed in groups of four into 32 bits. A lane sums at most `4 * 255 * 64`
    /// per line, so 128 lines (`MAX_DIMENSION`) stay far below 2^31, also when all 16 lanes are added.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub fn avx512_vnni(row: &[Line<u8>], high: &[Line<i8>], low: &[Line<i8>]) -> i64 {
        let (mut highs, mut lows) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for ((row, high), low) in row.iter().zip(high).zip(low) {
            let row = load(row);
            highs = _mm512_dpbusd_epi32(highs, row, load(high));
            lows = _mm512_dpbusd_epi32(lows, row, load(low));
        }
        i64::from(_mm512_reduce_add_epi32(highs)) * i64::from(HIGH) + i64::from(_mm512_reduce_add_epi32(lows))
    }

    /// One of the rows less its shift fits signed bytes. The shift of the other adds 128 times their sum to the product, which is
    /// taken off again. A lane sums at most `4 * 255 * 128` per line.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub fn rows_by_avx512_vnni(a: &[Line<u8>], b: &[Line<u8>]) -> i64 {
        let shift = _mm512_set1_epi8(ZERO.cast_signed());
        let (mut products, mut shifts) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (a, b) in a.iter().zip(b) {
            let signed = _mm512_xor_si512(load(b), shift);
            products = _mm512_dpbusd_epi32(products, load(a), signed);
            shifts = _mm512_dpbusd_epi32(shifts, shift, signed);
        }
        i64::from(_mm512_reduce_add_epi32(products)) - i64::from(_mm512_reduce_add_epi32(shifts))
    }

    /// 16 products per instruction. A lane sums at most `8 * 255 * 4095` per line: 128 lines stay below 2^31.
    /// The lanes are added in 64 bits.
    #[target_feature(enable = "avx2")]
    pub fn avx2(row: &[Line<u8>], query: &[Line<i16>]) -> i64 {
        let mut sum = _mm256_setzero_si256();
        for (row, query) in row.iter().zip(query) {
            for part in (0..LINE).step_by(16) {
                // SAFETY: `part + 16 <= 64`, so 16 bytes of the row and 32 of the query are within their lines;
                // both lines are aligned to 64, and the offsets (16 and 32 bytes a step) keep the alignment.
                let (a, b) = unsafe {
                    (
                        _mm_load_si128(row.0.as_ptr().add(part).cast()),
                        _mm256_load_si256(query.0.as_ptr().add(part).cast()),
                    )
                };
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_cvtepu8_epi16(a), b));
            }
        }
        // The sum of two lanes could overflow 32 bits at the greatest dimension, so they are widened first.
        let halves = [_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum)];
        let mut total = 0_i64;
        for half in halves {
            total += i64::from(_mm_cvtsi128_si32(half));
            total += i64::from(_mm_cvtsi128_si32(_mm_shuffle_epi32::<1>(half)));
            total += i64::from(_mm_cvtsi128_si32(_mm_shuffle_epi32::<2>(half)));
            total += i64::from(_mm_cvtsi128_si32(_mm_shuffle_epi32::<3>(half)));
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::quantise::{MAX_DIMENSION, lines, row};
    use super::*;

    fn naive(row: &[Line<u8>], query: &Query) -> i64 {
        let bytes = row.iter().flat_map(|l| l.0);
        bytes.zip(query.wide.iter().flat_map(|l| l.0)).map(|(a, b)| i64::from(a) * i64::from(b)).sum()
    }

    fn naive_rows(a: &[Line<u8>], b: &[Line<u8>]) -> i64 {
        let signed = |rows: &[Line<u8>]| -> Vec<i64> {
            rows.iter().flat_map(|line| line.0).map(|byte| i64::from(byte) - i64::from(ZERO)).collect()
        };
        signed(a).iter().zip(signed(b)).map(|(a, b)| a * b).sum()
    }

    proptest! {
        #[test]
        fn every_kernel_gives_the_same_number_at_any_dimension(
            pairs in prop::collection::vec((-1.0f32..1.0, -1.0f32..1.0), 1..700)
        ) {
            let (v, w): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let mut bytes = vec![Line([0; LINE]); lines(v.len())];
            row(&v, &mut bytes);
            let query = Query::new(&w);
            let mut other = bytes.clone();
            row(&w, &mut other);
            for kernel in Kernel::available() {
                prop_assert_eq!(kernel.product(&bytes, &query), naive(&bytes, &query), "{}", kernel.name());
                prop_assert_eq!(kernel.row_product(&bytes, &other), naive_rows(&bytes, &other), "{}", kernel.name());
            }
        }
    }

    proptest! {
        #[test]
        fn every_kernel_finds_the_nearest_word_by_the_bits_that_differ(
            (query, text, dimension) in prop_oneof![1_usize..300, Just(384), Just(768), Just(1024)].prop_flat_map(|dimension| {
                let vectors = |count| prop::collection::vec(prop::collection::vec(-1.0f32..1.0, dimension), 1..count);
                (vectors(6), vectors(9), Just(dimension))
            }),
        ) {
            let codes = |vectors: &[Vec<f32>]| WordCodes::of(vectors.iter().map(Vec::as_slice), dimension);
            let (query, text) = (codes(&query), codes(&text));
            let bit = |code: &[u64], at: usize| code[at / 64] >> (at % 64) & 1;
            let differ = |a: &[u64], b: &[u64]| (0..dimension).filter(|at| bit(a, *at) != bit(b, *at)).count() as u32;
            let nearest = |own: &[u64]| text.each().map(|other| differ(own, other)).min().expect("a word");
            for kernel in Kernel::available() {
                let expected: Vec<u32> = query.each().map(nearest).collect();
                let mut found = Vec::new();
                kernel.differing_bits(&query, &text, &mut found);
                prop_assert_eq!(found, expected, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn the_greatest_dimension_with_the_greatest_components_does_not_overflow() {
        for sign in [1.0, -1.0] {
            let mut bytes = vec![Line([0; LINE]); lines(MAX_DIMENSION)];
            row(&vec![1.0; MAX_DIMENSION], &mut bytes);
            assert_eq!(bytes[0].0[0], 255);
            let query = Query::new(&vec![sign; MAX_DIMENSION]);
            for kernel in Kernel::available() {
                assert_eq!(kernel.product(&bytes, &query), naive(&bytes, &query), "{}", kernel.name());
                assert_eq!(
                    kernel.row_product(&bytes, &bytes),
                    naive_rows(&bytes, &bytes),
                    "{}",
                    kernel.name()
                );
            }
        }
    }

    #[test]
    fn the_padding_of_a_row_counts_for_nothing() {
        let mut bytes = vec![Line([7; LINE]); lines(5)];
        row(&[1.0, -1.0, 0.5, 0.0, 0.25], &mut bytes);
        assert!(bytes[0].0[5..].iter().all(|b| *b == ZERO));
        let query = Query::new(&[1.0; 5]);
        for kernel in Kernel::available() {
            assert_eq!(kernel.product(&bytes, &query), naive(&bytes, &query));
        }
    }

    #[test]
    fn the_fastest_kernel_comes_first() {
        assert_eq!(Some(Kernel::detect()), Kernel::available().first().copied());
    }
}
