//! Completes candidates that are part of a conversation: their place in it, and what was said around them.

use std::collections::{BTreeSet, HashMap};

use chrono::DateTime;
use inklings_application::search::store::{Asked, Completed};
use inklings_domain::{
    memory::{decay::DecayInputs, embedding::dot},
    search::{
        date,
        ranking::utterance::{AROUND, Previous, Utterance, is_machine},
    },
};

use super::matches::Matches;

/// How far the rows are read before and after a candidate. What stands beside a candidate is one itself, and needs what
/// stands around it.
pub const READ_AROUND: u64 = 2 * AROUND;

/// A text's vectors compared with a query.
#[derive(Debug, Clone)]
pub struct NearestPassage {
    /// Cosine of the passage nearest to the query.
    pub cosine: f64,
    /// Vector of the first passage.
    pub vector: Vec<f32>,
}

/// Cosine of two unit vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    f64::from(dot(a, b))
}

/// A text that was said.
#[derive(Debug)]
pub struct UtteranceRow<I> {
    pub seq: i64,
    pub id: I,
    /// The conversation and session, or their like. Texts of one group follow one another.
    pub group: String,
    /// Its place in the group.
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
    pub decay: Option<DecayInputs>,
    /// True for a candidate; false for what may stand beside one.
    pub wanted: bool,
}

/// The candidates among these texts and those beside them, each compared with the query.
pub fn completed<I: Copy>(
    utterances: &[UtteranceRow<I>],
    asked: Asked<'_>,
    matches: &Matches,
    nearest: &HashMap<i64, NearestPassage>,
) -> Vec<Completed<I>> {
    let at: HashMap<(&str, i64), &UtteranceRow<I>> =
        utterances.iter().map(|s| ((s.group.as_str(), s.order), s)).collect();
    let around = |s: &UtteranceRow<I>, distance: i64| -> Vec<&UtteranceRow<I>> {
        (-distance..=distance).filter_map(|by| at.get(&(s.group.as_str(), s.order + by)).copied()).collect()
    };
    let near = AROUND as i64;
    let candidate = |s: &&UtteranceRow<I>| s.wanted || around(s, near).iter().any(|other| other.wanted);
    let complete = |s: &UtteranceRow<I>| {
        let window = around(s, near);
        let seqs: Vec<i64> = window.iter().map(|other| other.seq).collect();
        let bytes = window.iter().map(|other| other.bytes).sum::<usize>() as f64;
        let previous = at.get(&(s.group.as_str(), s.order - 1));
        let own = nearest.get(&s.seq);
        let neighbours = around(s, 1).into_iter().filter(|other| other.seq != s.seq);
        let neighbours: Vec<&NearestPassage> =
            neighbours.filter_map(|other| nearest.get(&other.seq)).collect();
        Completed {
            id: s.id,
            text: matches.score(s.seq),
            meaning: own.map(|own| own.cosine),
            decay: s.decay,
            utterance: Some(Utterance {
                around_text: matches.coverage(&seqs),
                around_meaning: asked
                    .vector
                    .zip(own)
                    .map(|((query, _), own)| joined_cosine(query, own, &neighbours)),
                first_meaning: asked.vector.zip(own).map(|((query, _), own)| cosine(query, &own.vector)),
                previous: previous
                    .map(|previous| Previous { text: matches.score(previous.seq), asks: previous.asks }),
                asks: s.asks,
                speaker_named: s.speaker.as_deref().is_some_and(|speaker| asked.named.names(speaker)),
                date_share: if asked.named.has_date() { asked.named.date_share(&date_of(s)) } else { 0.0 },
                bytes: s.bytes,
                around_bytes: bytes / seqs.len().max(1) as f64,
                by_person: s.role.as_deref().is_none_or(|role| role == "user")
                    && !s.speaker.as_deref().is_some_and(is_machine),
            }),
        }
    };
    utterances.iter().filter(candidate).map(complete).collect()
}

/// Cosine of a query with the sum of vectors.
fn joined_cosine(query: &[f32], own: &NearestPassage, neighbours: &[&NearestPassage]) -> f64 {
    let mut sum = own.vector.clone();
    for other in neighbours {
        sum.iter_mut().zip(&other.vector).for_each(|(sum, x)| *sum += x);
    }
    let length = cosine(&sum, &sum).sqrt();
    if length > 0.0 { cosine(query, &sum) / length } else { 0.0 }
}

fn date_of<I>(utterance: &UtteranceRow<I>) -> BTreeSet<date::DatePart> {
    match (&utterance.date, utterance.at) {
        (Some(text), _) => date::parts_of(text),
        (None, Some(at)) => DateTime::from_timestamp_micros(at).map(date::parts_at).unwrap_or_default(),
        (None, None) => BTreeSet::new(),
    }
}
