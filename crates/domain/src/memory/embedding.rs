//! Metadata and arithmetic of embedding vectors.

use std::fmt;

use super::word_codes::WordCodes;

/// Name of an embedding model, e.g. `all-MiniLM-L6-v2`. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId(String);

impl ModelId {
    /// Wraps a model's name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The model's name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model and the dimension of its vectors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmbeddingModel {
    pub id: ModelId,
    /// Number of components of each vector.
    pub dimension: usize,
}

/// What a model makes of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The vector of the whole text.
    pub vector: Vec<f32>,
    /// The codes of its word pieces.
    pub words: WordCodes,
}

impl From<Vec<f32>> for Embedding {
    /// Without codes.
    fn from(vector: Vec<f32>) -> Self {
        Self { vector, words: WordCodes::default() }
    }
}

/// The reason a vector cannot be stored or compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The dimension differs from the model's.
    #[error("the vector has {actual} components, its model makes {expected}")]
    Dimension {
        /// Actual number of components.
        actual: usize,
        /// Expected number of components.
        expected: usize,
    },
    /// The vector contains NaN or infinity, or is all zero, so it has no direction.
    #[error("the vector has no direction")]
    Degenerate,
}

/// Scales a vector to length 1, so that a dot product is the cosine.
///
/// # Errors
/// [`VectorError`] for a wrong dimension or a vector without direction.
pub fn unit(mut vector: Vec<f32>, dimension: usize) -> Result<Vec<f32>, VectorError> {
    if vector.len() != dimension {
        return Err(VectorError::Dimension { actual: vector.len(), expected: dimension });
    }
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if !length.is_finite() || length <= f64::EPSILON {
        return Err(VectorError::Degenerate);
    }
    for x in &mut vector {
        *x = (f64::from(*x) / length) as f32;
    }
    Ok(vector)
}

/// Dot product of two vectors of equal length; for unit vectors, this is the cosine.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Independent partial sums avoid waiting for each addition.
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (whole_a, rest_a) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_vector_has_length_one() {
        let v = unit(vec![3.0, 4.0], 2).expect("has a direction");
        assert!((dot(&v, &v) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn vectors_without_direction_are_refused() {
        assert_eq!(unit(vec![0.0; 3], 3), Err(VectorError::Degenerate));
        assert_eq!(unit(vec![f32::NAN, 1.0], 2), Err(VectorError::Degenerate));
        assert_eq!(unit(vec![1.0], 2), Err(VectorError::Dimension { actual: 1, expected: 2 }));
    }
}
