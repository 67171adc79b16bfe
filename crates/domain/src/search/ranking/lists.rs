//! The values of every list over the candidates.

use std::sync::OnceLock;

use super::{Candidate, ListName, Utterance};

/// The values of one list over all candidates.
#[derive(Debug, Clone)]
pub struct ListValues {
    pub list: ListName,
    low: f64,
    high: f64,
    /// Of each candidate; NaN for those that are not in the list.
    values: Vec<f64>,
    ranks: OnceLock<Vec<usize>>,
}

impl ListValues {
    fn new(list: ListName, values: impl Iterator<Item = Option<f64>>) -> Self {
        let finite = values.map(|value| value.filter(|value| value.is_finite()).unwrap_or(f64::NAN));
        let values: Vec<f64> = finite.collect();
        // The smaller and the larger of a number and NaN is the number.
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { list, low, high, values, ranks: OnceLock::new() }
    }

    /// The value of a candidate, by its index.
    pub(super) fn of(&self, at: usize) -> Option<f64> {
        self.values.get(at).copied().filter(|value| !value.is_nan())
    }

    /// The rank of a value, from 1; equal values share a rank. Counts the values above it, which is cheaper than to sort them
    /// while few ranks are asked for.
    pub(super) fn rank_of(&self, value: f64) -> usize {
        1 + self.values.iter().filter(|other| **other > value).count()
    }

    /// The rank of a candidate in the list, for a strategy that asks for all of them.
    pub(super) fn rank(&self, at: usize) -> usize {
        self.ranks.get_or_init(|| self.sorted_ranks()).get(at).copied().unwrap_or(usize::MAX)
    }

    fn sorted_ranks(&self) -> Vec<usize> {
        let mut members: Vec<(usize, f64)> =
            (0..self.values.len()).filter_map(|at| Some((at, self.of(at)?))).collect();
        members.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        let mut ranks = vec![usize::MAX; self.values.len()];
        let mut rank = 0;
        for (i, (at, value)) in members.iter().enumerate() {
            if i == 0 || members[i - 1].1 > *value {
                rank = i + 1;
            }
            ranks[*at] = rank;
        }
        ranks
    }

    /// A value as a share of the best one, from 0 to 1.
    pub(super) fn of_best(&self, raw: f64) -> f64 {
        let share = raw / self.high;
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// [`Self::of_best`] of a candidate, by its index.
    fn share_of_best(&self, at: usize) -> Option<f64> {
        self.of(at).map(|raw| self.of_best(raw))
    }

    /// [`Self::of_range`] of a candidate, by its index.
    fn share_of_range(&self, at: usize) -> Option<f64> {
        self.of(at).map(|raw| self.of_range(raw))
    }

    /// The place of a value between the smallest and the largest one, from 0 to 1; 1 if all are equal.
    pub(super) fn of_range(&self, raw: f64) -> f64 {
        if self.high > self.low { ((raw - self.low) / (self.high - self.low)).clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// The values of every list over the candidates.
pub(super) fn lists<I>(candidates: &[Candidate<I>]) -> Vec<ListValues> {
    let mut lists = vec![
        placed(candidates, ListName::Text, |c| c.text),
        placed(candidates, ListName::Meaning, |c| c.meaning),
        placed(candidates, ListName::WordMeaning, |c| c.word_meaning),
    ];
    // What stands by itself is compared with utterances as a full statement of a person that nothing was said around.
    if candidates.iter().any(|c| c.utterance.is_some()) {
        let utterance = |c: &Candidate<I>, of: fn(&Utterance) -> f64, without_context: f64| {
            Some(c.utterance.as_ref().map_or(without_context, of))
        };
        let text = &lists[0];
        // The list of meaning has the best passage of a long text, and this one its beginning.
        let first = placed(candidates, ListName::Meaning, |c| {
            c.utterance.as_ref().and_then(|utterance| utterance.first_meaning).or(c.meaning)
        });
        let around_text = placed(candidates, ListName::AroundText, |c| c.utterance.as_ref()?.around_text);
        let joined = placed(candidates, ListName::AroundMeaning, |c| c.utterance.as_ref()?.around_meaning);
        let words = placed(candidates, ListName::AroundMeaning, |c| c.utterance.as_ref()?.around_words);
        let previous = candidates.iter().filter_map(|c| c.utterance.as_ref()?.previous?.text);
        let previous = previous.fold(0.0, f64::max);
        let more = [
            blended(candidates, ListName::AroundText, |at| around_text.of(at), |at| text.share_of_best(at)),
            blended(
                candidates,
                ListName::AroundMeaning,
                |at| words.share_of_range(at).or_else(|| joined.share_of_range(at)),
                |at| first.share_of_range(at),
            ),
            placed(candidates, ListName::Speaker, |c| utterance(c, Utterance::speaker, 0.0)),
            placed(candidates, ListName::Length, |c| utterance(c, Utterance::length, 1.0)),
            placed(candidates, ListName::Person, |c| utterance(c, Utterance::person, 1.0)),
            placed(candidates, ListName::Answer, |c| {
                Some(c.utterance.as_ref().map_or(0.0, |utterance| utterance.answer(previous)))
            }),
            placed(candidates, ListName::Statement, |c| utterance(c, Utterance::statement, 1.0)),
        ];
        lists.extend(more);
    }
    lists.extend([
        placed(candidates, ListName::Date, |c| c.date),
        placed(candidates, ListName::Days, |c| c.days),
        placed(candidates, ListName::Freshness, |c| c.relevance),
        // The raw value is the negated tier distance, 0 to -3.
        placed(candidates, ListName::Nearness, |c| Some(-(c.scope?.distance() as f64))),
        placed(candidates, ListName::Name, |c| c.by_name.then_some(1.0)),
    ]);
    lists
}

/// The shares of what was said around the candidates, blended with the shares of themselves.
fn blended<I>(
    candidates: &[Candidate<I>],
    list: ListName,
    around: impl Fn(usize) -> Option<f64>,
    own: impl Fn(usize) -> Option<f64>,
) -> ListValues {
    let value = |at: usize, candidate: &Candidate<I>| {
        let part = candidate.utterance.as_ref().map_or(0.0, Utterance::part_of_around);
        part * around(at).unwrap_or_default() + (1.0 - part) * own(at).unwrap_or_default()
    };
    let values = candidates.iter().enumerate().map(|(at, candidate)| Some(value(at, candidate)));
    ListValues::new(list, values)
}

fn placed<I>(
    candidates: &[Candidate<I>],
    list: ListName,
    value: impl Fn(&Candidate<I>) -> Option<f64>,
) -> ListValues {
    ListValues::new(list, candidates.iter().map(value))
}
