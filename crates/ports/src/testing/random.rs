//! Seeded random generator for test data: a seed gives the same data on every machine and in every release.

use inklings_domain::memory::embedding::unit;

/// `SplitMix64` (Steele, Lea and Flood 2014): small, seeded, and good enough for test data.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True in about `percent` of 100 cases.
    pub const fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices. `choices` must not be empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A unit vector in a random direction.
    pub fn direction(&mut self, dimension: usize) -> Vec<f32> {
        loop {
            let raw = (0..dimension).map(|_| (self.share() * 2.0 - 1.0) as f32).collect();
            if let Ok(vector) = unit(raw, dimension) {
                return vector;
            }
        }
    }
}
