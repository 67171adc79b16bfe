//! Completes candidates that are part of a talk: their place in it, and what was said around them.

use std::collections::{BTreeSet, HashMap};

use chrono::DateTime;
use inklings_application::search::store::{Asked, Completed};
use inklings_domain::{
    memory::{decay::DecayInputs, embedding::dot},
    search::{
        date,
        ranking::talk::{AROUND, Talk, is_machine},
    },
};

use super::matches::{Joined, Matches};

/// How far the rows are read before and after a candidate. What stands beside a candidate is one itself, and needs what
/// stands around it.
pub const READ_AROUND: u64 = 2 * AROUND;

/// A text's vectors compared with a query.
#[derive(Debug, Clone)]
pub struct Nearly {
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
pub struct Said<I> {
    pub seq: i64,
    pub id: I,
    /// The conversation and session, or their like. Texts of one group follow one another.
    pub group: String,
    /// Its place in the group.
    pub order: i64,
    pub bytes: usize,
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
    said: &[Said<I>],
    asked: Asked<'_>,
    matches: &Matches,
    nearly: &HashMap<i64, Nearly>,
) -> Vec<Completed<I>> {
    let at: HashMap<(&str, i64), &Said<I>> = said.iter().map(|s| ((s.group.as_str(), s.order), s)).collect();
    let average = said.iter().map(|s| s.bytes).sum::<usize>() as f64 / said.len().max(1) as f64;
    let around = |s: &Said<I>, distance: i64| -> Vec<&Said<I>> {
        (-distance..=distance).filter_map(|by| at.get(&(s.group.as_str(), s.order + by)).copied()).collect()
    };
    let near = AROUND as i64;
    let candidate = |s: &&Said<I>| s.wanted || around(s, near).iter().any(|other| other.wanted);
    let complete = |s: &Said<I>| {
        let window = around(s, near);
        let seqs: Vec<i64> = window.iter().map(|other| other.seq).collect();
        let bytes = window.iter().map(|other| other.bytes).sum::<usize>() as f64;
        let length = bytes / (average * seqs.len() as f64).max(1.0);
        let own = nearly.get(&s.seq);
        let beside = around(s, 1).into_iter().filter(|other| other.seq != s.seq);
        let beside: Vec<&Nearly> = beside.filter_map(|other| nearly.get(&other.seq)).collect();
        Completed {
            id: s.id,
            text: matches.score(s.seq),
            meaning: own.map(|own| own.cosine),
            decay: s.decay,
            talk: Some(Talk {
                around_text: matches.joined(Joined { seqs: &seqs, length }),
                around_meaning: asked
                    .vector
                    .zip(own)
                    .map(|((query, _), own)| joined_cosine(query, own, &beside)),
                speaker_named: s.speaker.as_deref().is_some_and(|speaker| asked.named.names(speaker)),
                date_share: if asked.named.has_date() { asked.named.date_share(&date_of(s)) } else { 0.0 },
                bytes: s.bytes,
                around_bytes: bytes / seqs.len().max(1) as f64,
                by_person: s.role.as_deref().is_none_or(|role| role == "user")
                    && !s.speaker.as_deref().is_some_and(is_machine),
            }),
        }
    };
    said.iter().filter(candidate).map(complete).collect()
}

/// Cosine of a query with the sum of vectors.
fn joined_cosine(query: &[f32], own: &Nearly, beside: &[&Nearly]) -> f64 {
    let mut sum = own.vector.clone();
    for other in beside {
        sum.iter_mut().zip(&other.vector).for_each(|(sum, x)| *sum += x);
    }
    let length = cosine(&sum, &sum).sqrt();
    if length > 0.0 { cosine(query, &sum) / length } else { 0.0 }
}

fn date_of<I>(said: &Said<I>) -> BTreeSet<date::DatePart> {
    match (&said.date, said.at) {
        (Some(text), _) => date::parts_of(text),
        (None, Some(at)) => DateTime::from_timestamp_micros(at).map(date::parts_at).unwrap_or_default(),
        (None, None) => BTreeSet::new(),
    }
}
