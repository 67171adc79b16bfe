//! Completes candidates that are part of a conversation: their place in it, and what was said around them.

use std::{hash::Hash, ops::Range, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_domain::{
    memory::decay::DecayInputs,
    scope::Place,
    search::ranking::{
        CandidateValues,
        utterance::{AROUND, Named, Previous, Utterance, is_machine},
    },
};
use inklings_ports::search::store::{Asked, Completed};

use super::matrix::{AskedVector, Matrix};
use crate::functions::matches::{Found, Matches};

/// How far the rows are read before and after a candidate. What stands next to a candidate is one itself, and needs what
/// stands around it.
pub const READ_AROUND: u64 = 2 * AROUND;

/// A text by its row number, with the texts right before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbours {
    pub own: i64,
    pub adjacent: [Option<i64>; 2],
}

/// A text's vectors compared with a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Cosine of the nearest passage.
    pub nearest: f64,
    /// Cosine of the first passage.
    pub first: f64,
    /// Cosine of the sum of the first passages of the text and its neighbours.
    pub joined: f64,
}

/// Compares texts with a query; `None` for those without a vector.
pub fn compare<P: Copy + Eq + Hash>(
    vectors: &Matrix<P>,
    query: &AskedVector,
    texts: &[Neighbours],
) -> Vec<Option<Comparison>> {
    // The neighbours of a text are mostly the next texts of the list: each is looked up once.
    let mut last: [Option<(i64, Option<Known>)>; 3] = [None; 3];
    let mut compare = |text: &Neighbours| {
        let known = |seq: i64| {
            let seen = last.iter().flatten().find(|(other, _)| *other == seq);
            let look_up = || {
                let row = vectors.first(seq)?;
                Some(Known { row, cosine: vectors.cosine(row, query), square: vectors.product(row, row) })
            };
            (seq, seen.map_or_else(look_up, |(_, known)| *known))
        };
        let own = known(text.own);
        let adjacent = text.adjacent.map(|seq| seq.map(known));
        last = [adjacent[0], Some(own), adjacent[1]];
        let own = own.1?;
        let [before, behind] = adjacent.map(|other| other.and_then(|(_, known)| known));
        Some(Comparison {
            nearest: vectors
                .nearest_behind(text.own, query)
                .map_or(own.cosine, |other| own.cosine.max(other)),
            first: own.cosine,
            joined: joined(vectors, [Some(own), before, behind]),
        })
    };
    texts.iter().map(&mut compare).collect()
}

/// The row of a text, its cosine with the query, and its product with itself.
#[derive(Debug, Clone, Copy)]
struct Known {
    row: usize,
    cosine: f64,
    square: f64,
}

/// Cosine of the sum of vectors. Its length comes from their products, so that nothing is added up.
fn joined<P: Copy + Eq + Hash>(vectors: &Matrix<P>, parts: [Option<Known>; 3]) -> f64 {
    let (mut cosine, mut square) = (0.0, 0.0);
    for (at, part) in parts.iter().enumerate() {
        let Some(part) = part else { continue };
        cosine += part.cosine;
        square += part.square;
        let others = parts[..at].iter().flatten();
        square += others.map(|other| 2.0 * vectors.product(part.row, other.row)).sum::<f64>();
    }
    if square > 0.0 { cosine / square.sqrt() } else { 0.0 }
}

/// A text that was said.
#[derive(Debug)]
pub struct UtteranceRow<I> {
    pub seq: i64,
    pub id: I,
    /// The place of an entry.
    pub place: Option<Place>,
    /// False for a forgotten entry.
    pub is_active: bool,
    /// Its place in its conversation and session, or their like. Texts that follow one another differ by one.
    pub order: i64,
    pub bytes: usize,
    /// True if it ends with a question mark.
    pub asks: bool,
    /// The role of a message.
    pub role: Option<String>,
    pub speaker: Option<String>,
    /// The date in the form of its source.
    pub date: Option<String>,
    /// The time in microseconds, if it was said here.
    pub at: Option<i64>,
}

/// A text that was said, as a candidate or around one.
#[derive(Debug)]
pub struct PlacedUtterance<I> {
    pub row: Arc<UtteranceRow<I>>,
    /// The number of its conversation and session, or their like.
    pub group: u32,
    /// True for a candidate; false for what may stand next to one.
    pub wanted: bool,
}

/// The candidates among these texts and those next to them, by their index. `utterances` is ordered by group and place.
pub fn candidates<I>(utterances: &[PlacedUtterance<I>]) -> Vec<usize> {
    let is_candidate = |at: &usize| utterances[window(utterances, *at)].iter().any(|other| other.wanted);
    (0..utterances.len()).filter(is_candidate).collect()
}

/// These candidates, each compared with the query. `decay` has the inputs to decay of entries, in the same order.
pub fn completed<I: Copy>(
    utterances: &[PlacedUtterance<I>],
    candidates: &[usize],
    asked: Asked<'_>,
    matches: &Matches,
    compare: impl FnOnce(&[Neighbours]) -> Vec<Option<Comparison>>,
    decay: impl Iterator<Item = Option<DecayInputs>>,
) -> Vec<Completed<I>> {
    let seq = |at: usize| utterances[at].row.seq;
    let adjacent = |at: usize| Neighbours {
        own: seq(at),
        adjacent: [
            before(utterances, at).map(seq),
            before(utterances, at + 1).and(utterances.get(at + 1)).map(|next| next.row.seq),
        ],
    };
    let neighbours: Vec<Neighbours> = candidates.iter().map(|at| adjacent(*at)).collect();
    let compared = compare(&neighbours).into_iter().chain(std::iter::repeat(None));
    let found: Vec<Option<Found>> = utterances.iter().map(|text| matches.find(text.row.seq)).collect();
    let mut covered = Vec::new();
    let complete = |((at, compared), decay): ((&usize, Option<Comparison>), Option<DecayInputs>)| {
        let (row, range) = (&utterances[*at].row, window(utterances, *at));
        let bytes = utterances[range.clone()].iter().map(|other| other.row.bytes).sum::<usize>() as f64;
        Completed {
            id: row.id,
            decay,
            values: CandidateValues {
                text: found[*at].map(|row| matches.score(row)),
                meaning: compared.map(|own| own.nearest),
                date: row.utterance_date().and_then(|date| date.share(asked.named)),
                days: row.utterance_date().and_then(|date| date.fit(asked.named)),
                utterance: Some(Utterance {
                    around_text: matches
                        .coverage(found[range.clone()].iter().copied().flatten(), &mut covered),
                    around_meaning: compared.map(|own| own.joined),
                    around_words: None,
                    first_meaning: compared.map(|own| own.first),
                    previous: before(utterances, *at).map(|at| Previous {
                        text: found[at].map(|row| matches.score(row)),
                        asks: utterances[at].row.asks,
                    }),
                    asks: row.asks,
                    speaker_named: row.speaker.as_deref().is_some_and(|speaker| asked.named.names(speaker)),
                    bytes: row.bytes,
                    around_bytes: bytes / range.len().max(1) as f64,
                    by_person: row.role.as_deref().is_none_or(|role| role == "user")
                        && !row.speaker.as_deref().is_some_and(is_machine),
                }),
            },
        }
    };
    candidates.iter().zip(compared).zip(decay).map(complete).collect()
}

/// The text and those that stand at most [`AROUND`] from it.
pub fn window<I>(utterances: &[PlacedUtterance<I>], at: usize) -> Range<usize> {
    let is_near = |other: &&PlacedUtterance<I>| {
        other.group == utterances[at].group && other.row.order.abs_diff(utterances[at].row.order) <= AROUND
    };
    let before = utterances[..at].iter().rev().take_while(is_near).count();
    let behind = utterances[at..].iter().take_while(is_near).count();
    at - before..at + behind
}

/// The index of the text right before one, which need not be among them.
fn before<I>(utterances: &[PlacedUtterance<I>], at: usize) -> Option<usize> {
    let (own, before) = (utterances.get(at)?, at.checked_sub(1)?);
    (utterances[before].group == own.group && utterances[before].row.order + 1 == own.row.order)
        .then_some(before)
}

/// When a text was said.
#[derive(Debug, Clone, Copy)]
enum UtteranceDate<'t> {
    /// The date in the form of its source.
    Text(&'t str),
    At(DateTime<Utc>),
}

impl UtteranceDate<'_> {
    fn share(self, named: &Named) -> Option<f64> {
        match self {
            Self::Text(date) => named.share_of_date(date),
            Self::At(at) => named.share_of_time(at),
        }
    }

    fn fit(self, named: &Named) -> Option<f64> {
        match self {
            Self::Text(date) => named.fit_of_date(date),
            Self::At(at) => named.fit_of_time(at),
        }
    }
}

impl<I> UtteranceRow<I> {
    fn utterance_date(&self) -> Option<UtteranceDate<'_>> {
        match (&self.date, self.at) {
            (Some(date), _) => Some(UtteranceDate::Text(date)),
            (None, Some(at)) => DateTime::from_timestamp_micros(at).map(UtteranceDate::At),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vector::kernels::Kernel;

    proptest! {
        #[test]
        fn each_text_is_compared_with_the_vectors_of_its_own_neighbours(
            angles in proptest::collection::vec(0.0..std::f32::consts::TAU, 1..12),
            texts in proptest::collection::vec((0_i64..14, proptest::option::of(0_i64..14), proptest::option::of(0_i64..14)), 0..30),
        ) {
            // The odd texts have a second passage.
            let behind = [0.0, 1.0];
            let vectors: Vec<[f32; 2]> = angles.iter().map(|angle| [angle.cos(), angle.sin()]).collect();
            let mut matrix = Matrix::new(2, Kernel::detect(), usize::MAX);
            for (seq, vector) in (0_i64..).zip(&vectors) {
                matrix.put((seq, seq), (), true, vector);
                if seq % 2 == 1 {
                    matrix.begin_passages(seq, 10);
                    matrix.add_passage(seq, 10..20, &behind);
                }
            }
            let query = AskedVector::new(&[0.6, 0.8]).expect("it has a direction");
            let texts: Vec<Neighbours> =
                texts.into_iter().map(|(own, before, behind)| Neighbours { own, adjacent: [before, behind] }).collect();
            let vector = |seq: i64| vectors.get(seq as usize).copied();
            for (text, compared) in texts.iter().zip(compare(&matrix, &query, &texts)) {
                let Some(own) = vector(text.own) else {
                    prop_assert_eq!(compared, None);
                    continue;
                };
                let compared = compared.expect("it has a vector");
                let others = text.adjacent.iter().flatten().filter_map(|seq| vector(*seq));
                let sum = others.fold(own, |sum, other| [sum[0] + other[0], sum[1] + other[1]]);
                let length = f64::from(sum[0].hypot(sum[1]));
                let dot = |a: [f32; 2]| f64::from(a[0] * 0.6 + a[1] * 0.8);
                prop_assert!((compared.first - dot(own)).abs() < 1e-5);
                let behind = if text.own % 2 == 1 { dot(behind) } else { f64::MIN };
                prop_assert!((compared.nearest - dot(own).max(behind)).abs() < 1e-5);
                // The direction of a sum of nearly nothing is noise; its length is that of rounded vectors.
                prop_assert!(length < 1.0 || (compared.joined - dot(sum) / length).abs() < 0.05);
            }
        }
    }
}
