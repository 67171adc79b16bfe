//! Quantises vectors to small integers and bounds the rounding error.
//!
//! A row holds one byte for each component: `round(v / scale)`, shifted by 128 to be unsigned, because the
//! multiply instructions of the processors need that. A query holds 13 bits. For a row `v = s·q + e` and a
//! query `w = t·p + f`,
//!
//! ```text
//! v·w = s·t·(q·p) + (s·q)·f + e·w      so      |v·w - s·t·(q·p)| <= |s·q|·|f| + |e|·|w|
//! ```
//!
//! The lengths of `e` and `f` are computed when the vectors are rounded. So every estimate has an upper bound
//! that the true cosine cannot exceed, which makes the search exact: see `vector_index`.

/// Components in one cache line of a row.
pub const LINE: usize = 64;
/// The largest dimension that can be indexed: up to here the sums of products fit 32 bits.
pub const MAX_DIMENSION: usize = 8_192;
/// The byte that represents 0 in a row.
pub const ZERO: u8 = 128;

/// Greatest magnitude of a row's components.
const ROW_LEVELS: f32 = 127.0;
/// Greatest magnitude of a query's components: 13 bits, so that the rounding error of the query is small.
const QUERY_LEVELS: f32 = 4_095.0;
/// A query component is `HIGH * high + low`.
pub const HIGH: i16 = 64;
/// Widens the bound to cover the rounding of its own f32 arithmetic.
const SLACK: f32 = 4.0e-6;

/// 64 components, aligned so that one load fetches whole cache lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Line<T>(pub [T; LINE]);

/// The number of lines in a row of this dimension.
pub const fn lines(dimension: usize) -> usize {
    dimension.div_ceil(LINE)
}

/// Quantisation parameters of a row, stored beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowScale {
    /// Value of one quantisation step.
    pub scale: f32,
    /// Length of the difference between the vector and its rounded form.
    pub error: f32,
    /// Length of the rounded form.
    pub length: f32,
}

/// Rounds a vector into `into`, which must hold [`lines`] lines for its dimension.
pub fn row(vector: &[f32], into: &mut [Line<u8>]) -> RowScale {
    let greatest = vector.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
    let scale = step(greatest, ROW_LEVELS);
    let (mut error, mut length) = (0.0_f64, 0.0_f64);
    for (line, part) in into.iter_mut().zip(vector.chunks(LINE)) {
        line.0 = [ZERO; LINE];
        for (to, x) in line.0.iter_mut().zip(part) {
            let level = (x / scale).round().clamp(-ROW_LEVELS, ROW_LEVELS);
            *to = (level + f32::from(ZERO)) as u8;
            let rounded = f64::from(level) * f64::from(scale);
            error += (f64::from(*x) - rounded).powi(2);
            length += rounded * rounded;
        }
    }
    RowScale { scale, error: upwards(error.sqrt()), length: upwards(length.sqrt()) }
}

/// A query vector prepared for the kernels.
#[derive(Debug, Clone)]
pub struct Query {
    /// High parts of the components.
    pub high: Vec<Line<i8>>,
    /// Low parts of the components.
    pub low: Vec<Line<i8>>,
    /// Whole components, for kernels that multiply 16-bit numbers.
    pub wide: Vec<Line<i16>>,
    /// Sum of the components times [`ZERO`]: the shift of the rows adds this to every product.
    pub shift: i64,
    scale: f32,
    error: f32,
    length: f32,
}

impl Query {
    /// Rounds a query vector.
    pub fn new(vector: &[f32]) -> Self {
        let greatest = vector.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
        let scale = step(greatest, QUERY_LEVELS);
        let count = lines(vector.len());
        let mut query = Self {
            high: vec![Line([0; LINE]); count],
            low: vec![Line([0; LINE]); count],
            wide: vec![Line([0; LINE]); count],
            shift: 0,
            scale,
            error: 0.0,
            length: 0.0,
        };
        let (mut error, mut length, mut sum) = (0.0_f64, 0.0_f64, 0_i64);
        for (i, x) in vector.iter().enumerate() {
            let level = (x / scale).round().clamp(-QUERY_LEVELS, QUERY_LEVELS) as i16;
            let low = level.rem_euclid(HIGH);
            let high = (level - low) / HIGH;
            let (line, column) = (i / LINE, i % LINE);
            query.wide[line].0[column] = level;
            query.high[line].0[column] = high as i8;
            query.low[line].0[column] = low as i8;
            sum += i64::from(level);
            error += (f64::from(*x) - f64::from(level) * f64::from(scale)).powi(2);
            length += f64::from(*x).powi(2);
        }
        query.shift = sum * i64::from(ZERO);
        query.error = upwards(error.sqrt());
        query.length = upwards(length.sqrt());
        query
    }

    /// The product with the rounded form of a row, from the kernel's product of the two.
    pub fn estimate(&self, product: i64, row: RowScale) -> f64 {
        (product - self.shift) as f64 * f64::from(row.scale) * f64::from(self.scale)
    }

    /// The upper bound of the cosine with a row, from the kernel's product of the two.
    pub fn upper_bound(&self, product: i64, row: RowScale) -> f32 {
        let estimate = (product - self.shift) as f32 * (row.scale * self.scale);
        let slack = SLACK * (1.0 + row.length * self.length);
        estimate + row.error * self.length + row.length * self.error + slack
    }
}

/// The value of one step. Any value works for a vector of zeros, or of numbers too small to divide.
fn step(greatest: f32, levels: f32) -> f32 {
    let step = greatest / levels;
    if step > 0.0 { step } else { 1.0 }
}

/// The next greater f32, so that a bound stays a bound.
fn upwards(x: f64) -> f32 {
    (x as f32).next_up()
}

/// The dot product, summed in f64 so that the order of summation does not affect any significant digit.
pub fn exact(a: &[f32], b: &[f32]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0_f64; LANES];
    let (whole_a, rest_a) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        for lane in 0..LANES {
            sums[lane] += f64::from(x[lane]) * f64::from(y[lane]);
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vector::kernels::Kernel;

    fn bound(v: &[f32], w: &[f32]) -> f32 {
        let mut lines = vec![Line([0; LINE]); lines(v.len())];
        let scale = row(v, &mut lines);
        let query = Query::new(w);
        query.upper_bound(Kernel::detect().product(&lines, &query), scale)
    }

    proptest! {
        #[test]
        fn no_product_exceeds_its_bound_and_the_bound_is_tight(
            pairs in prop::collection::vec((-1.0f32..1.0, -1.0f32..1.0), 1..500)
        ) {
            let (v, w): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let length = |x: &[f32]| exact(x, x).sqrt() as f32;
            prop_assume!(length(&v) > 1e-3 && length(&w) > 1e-3);
            let unit = |x: &[f32]| x.iter().map(|c| c / length(x)).collect::<Vec<_>>();
            let (v, w) = (unit(&v), unit(&w));
            let truth = exact(&v, &w) as f32;
            let bound = bound(&v, &w);
            prop_assert!(bound >= truth, "{bound} < {truth}");
            prop_assert!(bound - truth < 0.03, "{bound} is far above {truth}");
        }
    }

    #[test]
    fn extremes_and_zeros_are_within_the_bound() {
        for (v, w) in [
            (vec![0.0; 3], vec![1.0, 0.0, 0.0]),
            (vec![1.0, 0.0, 0.0], vec![0.0; 3]),
            (vec![1.0; 65], vec![-1.0; 65]),
            (vec![f32::MIN_POSITIVE, 1.0], vec![1.0, f32::MIN_POSITIVE]),
        ] {
            assert!(f64::from(bound(&v, &w)) >= exact(&v, &w));
        }
    }
}
