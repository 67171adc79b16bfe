//! The vectors that a model gives for each word piece, as codes.

use fastembed::{OutputKey, SingleBatchOutput};
use inklings_domain::memory::word_codes::WordCodes;

/// Model outputs with a vector for each word piece, best first.
const OUTPUTS: &[OutputKey] =
    &[OutputKey::ByName("last_hidden_state"), OutputKey::ByName("token_embeddings"), OutputKey::OnlyOne];

/// The codes of each text of a batch; none for all of them if the model has no such output. The first and the last piece are marks
/// of the beginning and the end, and left out.
pub(crate) fn codes(batch: &SingleBatchOutput) -> Vec<WordCodes> {
    let mask = &batch.attention_mask_array;
    let none = || vec![WordCodes::default(); mask.nrows()];
    let Ok(output) = batch.select_output(&OUTPUTS) else { return none() };
    let (&[texts, pieces, dimension], Some(numbers)) = (output.shape(), output.as_slice()) else {
        return none();
    };
    if (texts, pieces) != mask.dim() || dimension == 0 {
        return none();
    }
    let of_texts = numbers.chunks_exact(pieces * dimension).zip(mask.rows());
    of_texts.map(|(own, mask)| codes_of(own, dimension, mask.iter().map(|piece| *piece != 0))).collect()
}

/// The codes of one text: the vectors of all its pieces behind one another, and which of them are its own and no padding.
fn codes_of(numbers: &[f32], dimension: usize, own: impl Iterator<Item = bool>) -> WordCodes {
    let vectors = numbers.chunks_exact(dimension).zip(own).filter(|(_, own)| *own).map(|(vector, _)| vector);
    let vectors: Vec<&[f32]> = vectors.collect();
    let inner = vectors.get(1..vectors.len().saturating_sub(1)).unwrap_or_default();
    WordCodes::of(inner.iter().copied(), dimension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_padding_have_no_codes() {
        let numbers = [9.0, 9.0, 1.0, 2.0, 3.0, -4.0, 9.0, 9.0, 7.0, 7.0];
        let of = |own: &[bool]| codes_of(&numbers, 2, own.iter().copied());
        assert_eq!(
            of(&[true, true, true, true, false]),
            WordCodes::of([&[1.0, 2.0][..], &[3.0, -4.0]].into_iter(), 2)
        );
        assert_eq!(of(&[true, true, true, true, true]).len(), 3);
        assert!(of(&[true, true, false, false, false]).is_empty() && of(&[false; 5]).is_empty());
    }
}
