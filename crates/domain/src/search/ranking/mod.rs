//! Fuses the lists of a search into one order and keeps each list's contribution to every result.
//!
//! A result's score is a sum of bounded contributions, not a product. So the explanation shown to the worldbuilder
//! adds up, and tier weight and decay cannot discount an entry twice.

mod additive;
mod reciprocal;
pub mod utterance;

use std::cmp::Ordering;

pub use self::{additive::Additive, reciprocal::ReciprocalRank, utterance::Utterance};
use crate::scope::{MemoryScope, words};

/// A list that contributes to the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ListName {
    /// The query contains the exact name or alias.
    Name,
    /// Full-text search (BM25).
    Text,
    /// Cosine of embeddings.
    Meaning,
    /// Relevance after decay.
    Freshness,
    /// Tier order: conversation, channel, workspace, account.
    Nearness,
    /// The query's words in what was said and in what was said around it. The longer these texts, the more the text itself
    /// counts instead.
    AroundText,
    /// Cosine of what was said joined with what was said around it, in the same way.
    AroundMeaning,
    /// The query names the speaker.
    Speaker,
    /// The share of the query's date that the date of what was said has.
    Date,
    /// Its length, up to that of a full statement. What is said in a few words seldom answers anything.
    Length,
    /// It was said by a person, and not by an assistant.
    Person,
    /// It follows a question that has words of the query.
    Answer,
    /// It states something, and does not ask.
    Statement,
}

words!(ListName, "list", {
    Name => "name", Text => "text", Meaning => "meaning", Freshness => "freshness", Nearness => "nearness",
    AroundText => "around_text", AroundMeaning => "around_meaning", Speaker => "speaker", Date => "date",
    Length => "length", Person => "person", Answer => "answer", Statement => "statement",
});

/// A candidate before fusion. What was found neither by words, meaning or name nor beside such a find is not a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<I> {
    /// Its id.
    pub id: I,
    /// BM25 score, higher is better; `None` if it has none of the words.
    pub text: Option<f64>,
    /// Cosine in [-1, 1]; `None` if it has no vector.
    pub meaning: Option<f64>,
    /// Tier of an entry; `None` for a message.
    pub scope: Option<MemoryScope>,
    /// Relevance of an entry after decay, >= 0; `None` for a message.
    pub relevance: Option<f64>,
    /// True if the query contains its exact name.
    pub by_name: bool,
    /// What is known of it as a part of a conversation; `None` for what stands by itself.
    pub utterance: Option<Utterance>,
}

impl<I> Candidate<I> {
    /// A candidate of which nothing is known yet.
    pub const fn new(id: I) -> Self {
        Self { id, text: None, meaning: None, scope: None, relevance: None, by_name: false, utterance: None }
    }

    /// Adds the values that the lists which found it do not tell. Theirs stay: a cosine of a list is not rounded.
    pub fn complete(&mut self, text: Option<f64>, meaning: Option<f64>, utterance: Option<Utterance>) {
        self.text = self.text.or(text);
        self.meaning = self.meaning.or(meaning);
        self.utterance = utterance;
    }
}

/// The contribution of one list to one result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The contributing list.
    pub list: ListName,
    /// Rank in the list, from 1; equal values share a rank.
    pub rank: usize,
    /// The list's raw value: BM25, cosine, relevance, tier distance, or a share from 0 to 1.
    pub raw: f64,
    /// The list's weight in this strategy.
    pub weight: f64,
    /// The amount added to the score.
    pub score: f64,
}

/// A candidate after fusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<I> {
    /// Its id.
    pub id: I,
    /// Sum of the contributions.
    pub score: f64,
    /// The contribution of each list.
    pub contributions: Vec<Contribution>,
}

/// The values of one list over all candidates.
#[derive(Debug, Clone)]
pub struct ListValues {
    /// The list.
    pub list: ListName,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// Rank and value of each candidate; `None` for those that are not in the list.
    places: Vec<Option<(usize, f64)>>,
}

impl ListValues {
    /// A value as a share of the best one, from 0 to 1.
    fn of_best(&self, raw: f64) -> f64 {
        let share = raw / self.high;
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The place of a value between the smallest and the largest one, from 0 to 1; 1 if all are equal.
    fn of_range(&self, raw: f64) -> f64 {
        if self.high > self.low { ((raw - self.low) / (self.high - self.low)).clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// A method to fuse the lists into one order.
pub trait FusionStrategy: Send + Sync {
    /// Name for settings and the command line.
    fn name(&self) -> &'static str;

    /// The largest contribution of a list, except for [`ListName::Name`]; 0 if the strategy does not use it.
    fn weight(&self, list: ListName) -> f64;

    /// The share of the weight that a rank and value of a list get, from 0 to 1.
    fn share(&self, values: &ListValues, rank: usize, raw: f64) -> f64;
}

/// Score of an exact name, as a multiple of all other weights together.
const NAME_LEAD: f64 = 2.0;

/// Score gap between the last full-text result and the first vector-only result, if full-text results come first.
const WORDS_AHEAD: f64 = 0.001;

/// The strategy with this name.
pub fn strategy(name: &str) -> Option<Box<dyn FusionStrategy>> {
    match name {
        "additive" => Some(Box::new(Additive::default())),
        "rrf" => Some(Box::new(ReciprocalRank::default())),
        _ => None,
    }
}

/// The names of all strategies, the default first.
pub const STRATEGIES: &[&str] = &["additive", "rrf"];

/// Orders candidates, best first. Ties are broken by id, newest first, so the order is total.
pub fn fuse<I: Copy + Ord>(strategy: &dyn FusionStrategy, candidates: &[Candidate<I>]) -> Vec<Ranked<I>> {
    let lists = lists(candidates);
    let name = NAME_LEAD * ListName::ALL.iter().map(|list| strategy.weight(*list)).sum::<f64>();
    let contributions = |at: usize| {
        let contribution = |values: &ListValues| {
            let (rank, raw) = values.places[at]?;
            let (weight, share) = match values.list {
                ListName::Name => (name, 1.0),
                list => (strategy.weight(list), strategy.share(values, rank, raw)),
            };
            // A share of nothing explains nothing, except for the lists that found the candidate.
            let found = matches!(values.list, ListName::Text | ListName::Meaning);
            let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
            (weight > 0.0 && (found || share > 0.0)).then_some(Contribution {
                list: values.list,
                rank,
                raw,
                weight,
                score: weight * share,
            })
        };
        lists.iter().filter_map(contribution).collect::<Vec<_>>()
    };
    let mut ranked: Vec<Ranked<I>> = candidates
        .iter()
        .enumerate()
        .map(|(at, candidate)| {
            let contributions = contributions(at);
            let score = contributions.iter().map(|c| c.score).sum();
            Ranked { id: candidate.id, score, contributions }
        })
        .collect();
    ranked.sort_by(best_first);
    ranked
}

fn best_first<I: Ord>(a: &Ranked<I>, b: &Ranked<I>) -> Ordering {
    b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id))
}

/// Ranks every list over the candidates.
fn lists<I>(candidates: &[Candidate<I>]) -> Vec<ListValues> {
    let mut lists = vec![
        placed(candidates, ListName::Text, |c| c.text),
        placed(candidates, ListName::Meaning, |c| c.meaning),
    ];
    // What stands by itself is compared with utterances as a full statement of a person that nothing was said around.
    if candidates.iter().any(|c| c.utterance.is_some()) {
        let utterance = |c: &Candidate<I>, of: fn(&Utterance) -> f64, without_context: f64| {
            Some(c.utterance.as_ref().map_or(without_context, of))
        };
        let text = lists[0].clone();
        // The list of meaning has the best passage of a long text, and this one its beginning.
        let first = placed(candidates, ListName::Meaning, |c| {
            c.utterance.as_ref().and_then(|utterance| utterance.first_meaning).or(c.meaning)
        });
        let around_text = placed(candidates, ListName::AroundText, |c| c.utterance.as_ref()?.around_text);
        let around_meaning =
            placed(candidates, ListName::AroundMeaning, |c| c.utterance.as_ref()?.around_meaning);
        let previous = candidates.iter().filter_map(|c| c.utterance.as_ref()?.previous?.text);
        let previous = previous.fold(0.0, f64::max);
        lists.extend([
            blended(candidates, (&around_text, |_, share| share), (&text, ListValues::of_best)),
            blended(candidates, (&around_meaning, ListValues::of_range), (&first, ListValues::of_range)),
            placed(candidates, ListName::Speaker, |c| utterance(c, Utterance::speaker, 0.0)),
            placed(candidates, ListName::Date, |c| utterance(c, Utterance::date, 0.0)),
            placed(candidates, ListName::Length, |c| utterance(c, Utterance::length, 1.0)),
            placed(candidates, ListName::Person, |c| utterance(c, Utterance::person, 1.0)),
            placed(candidates, ListName::Answer, |c| {
                Some(c.utterance.as_ref().map_or(0.0, |utterance| utterance.answer(previous)))
            }),
            placed(candidates, ListName::Statement, |c| utterance(c, Utterance::statement, 1.0)),
        ]);
    }
    lists.extend([
        placed(candidates, ListName::Freshness, |c| c.relevance),
        // The raw value is the negated tier distance, 0 to -3.
        placed(candidates, ListName::Nearness, |c| Some(-(c.scope?.distance() as f64))),
        placed(candidates, ListName::Name, |c| c.by_name.then_some(1.0)),
    ]);
    lists
}

/// The values of a list, with the function that makes shares of them.
type Shared<'v> = (&'v ListValues, fn(&ListValues, f64) -> f64);

/// The shares of a list about what was said around the candidates, blended with the shares of the list about themselves.
fn blended<I>(candidates: &[Candidate<I>], around: Shared<'_>, own: Shared<'_>) -> ListValues {
    let share_at =
        |(values, share): Shared<'_>, at: usize| values.places[at].map_or(0.0, |(_, raw)| share(values, raw));
    let value = |at: usize, candidate: &Candidate<I>| {
        let part = candidate.utterance.as_ref().map_or(0.0, Utterance::part_of_around);
        part * share_at(around, at) + (1.0 - part) * share_at(own, at)
    };
    let values: Vec<f64> =
        candidates.iter().enumerate().map(|(at, candidate)| value(at, candidate)).collect();
    ranked_values(around.0.list, values.into_iter().map(Some))
}

fn placed<I>(
    candidates: &[Candidate<I>],
    list: ListName,
    value: impl Fn(&Candidate<I>) -> Option<f64>,
) -> ListValues {
    ranked_values(list, candidates.iter().map(value))
}

/// Ranks the values of a list, given in the order of the candidates.
fn ranked_values(list: ListName, values: impl ExactSizeIterator<Item = Option<f64>>) -> ListValues {
    let count = values.len();
    let finite = values.map(|value| value.filter(|value| value.is_finite()));
    let mut members: Vec<(usize, f64)> =
        finite.enumerate().filter_map(|(at, value)| Some((at, value?))).collect();
    members.sort_by(|a, b| b.1.total_cmp(&a.1));
    let high = members.first().map_or(f64::NEG_INFINITY, |(_, value)| *value);
    let low = members.last().map_or(f64::INFINITY, |(_, value)| *value);
    let mut places = vec![None; count];
    let (mut rank, mut former) = (0, f64::NAN);
    for (i, (at, value)) in members.into_iter().enumerate() {
        if value.total_cmp(&former).is_ne() {
            (rank, former) = (i + 1, value);
        }
        places[at] = Some((rank, value));
    }
    ListValues { list, low, high, places }
}

/// Ranks results found by words or name before results found by vectors only. The first text or name contribution of
/// each such result is raised by the lead of the best other result, so that the contributions still add up to the
/// score.
pub fn words_first<I: Ord>(mut ranked: Vec<Ranked<I>>) -> Vec<Ranked<I>> {
    let by_words = |c: &Contribution| matches!(c.list, ListName::Text | ListName::Name);
    let worded = |hit: &Ranked<I>| hit.contributions.iter().any(by_words);
    let least = ranked.iter().filter(|hit| worded(hit)).map(|hit| hit.score).reduce(f64::min);
    let best = ranked.iter().filter(|hit| !worded(hit)).map(|hit| hit.score).reduce(f64::max);
    let (Some(least), Some(best)) = (least, best) else { return ranked };
    if least > best {
        return ranked;
    }
    let ahead = best - least + WORDS_AHEAD;
    for hit in ranked.iter_mut().filter(|hit| worded(hit)) {
        if let Some(share) = hit.contributions.iter_mut().find(|c| by_words(c)) {
            share.score += ahead;
            hit.score += ahead;
        }
    }
    ranked.sort_by(best_first);
    ranked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{utterance::Previous, *};
    use crate::ids::MemoryId;

    fn fused(name: &str, candidates: &[Candidate<MemoryId>]) -> Vec<Ranked<MemoryId>> {
        fuse(strategy(name).expect("a strategy").as_ref(), candidates)
    }

    #[test]
    fn words_come_first_and_the_shares_still_add_up() {
        let candidates: Vec<Candidate<MemoryId>> = (0..40)
            .map(|n| candidate(n, (n % 4 == 0).then_some(0.1 + n as f64), (n % 3 != 0).then_some(0.9)))
            .filter(|c| c.text.is_some() || c.meaning.is_some())
            .collect();
        for name in STRATEGIES {
            let fused = fused(name, &candidates);
            let ranked = words_first(fused.clone());
            assert_eq!(ranked.len(), fused.len());
            let worded: Vec<bool> =
                ranked.iter().map(|r| r.contributions.iter().any(|c| c.list == ListName::Text)).collect();
            assert!(worded.is_sorted_by(|a, b| a >= b), "{name}: {worded:?}");
            let order = |ranked: &[Ranked<MemoryId>], text: bool| -> Vec<MemoryId> {
                let of =
                    |r: &&Ranked<MemoryId>| r.contributions.iter().any(|c| c.list == ListName::Text) == text;
                ranked.iter().filter(of).map(|r| r.id).collect()
            };
            assert_eq!(order(&ranked, true), order(&fused, true), "{name}");
            assert_eq!(order(&ranked, false), order(&fused, false), "{name}");
            for hit in &ranked {
                let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
                assert!((sum - hit.score).abs() < 1e-9);
            }
        }
        assert!(words_first(Vec::<Ranked<MemoryId>>::new()).is_empty());
    }

    fn candidate(n: u128, text: Option<f64>, meaning: Option<f64>) -> Candidate<MemoryId> {
        Candidate {
            scope: Some(MemoryScope::Workspace),
            text,
            meaning,
            relevance: Some(0.5),
            ..Candidate::new(MemoryId::from_uuid(Uuid::from_u128(n)))
        }
    }

    fn any_candidates() -> impl Strategy<Value = Vec<Candidate<MemoryId>>> {
        let one = (
            proptest::option::of(0.0..30.0f64),
            proptest::option::of(-1.0..1.0f64),
            0.0..4.0f64,
            0usize..4,
            any::<bool>(),
            proptest::option::of((0.0..30.0f64, -1.0..1.0f64, any::<bool>(), 0.0..1.0f64, 0usize..300)),
        );
        proptest::collection::vec(one, 0..40).prop_map(|rows| {
            rows.into_iter()
                .enumerate()
                .map(|(n, (text, meaning, relevance, scope, by_name, utterance))| Candidate {
                    relevance: Some(relevance),
                    scope: Some(MemoryScope::ALL[scope]),
                    by_name,
                    utterance: utterance.map(|(around_text, around_meaning, asks, date_share, bytes)| {
                        Utterance {
                            around_text: Some(around_text / 30.0),
                            around_meaning: Some(around_meaning),
                            first_meaning: asks.then_some(-around_meaning),
                            previous: Some(Previous { text: Some(around_text), asks: !asks }),
                            asks,
                            speaker_named: !asks,
                            date_share,
                            bytes,
                            around_bytes: bytes as f64 * 1.5,
                            by_person: asks,
                        }
                    }),
                    ..candidate(n as u128, text, meaning)
                })
                .collect()
        })
    }

    #[test]
    fn an_answer_takes_over_the_words_of_its_question() {
        let utterance = |bytes| Utterance {
            around_text: Some(0.8),
            around_meaning: None,
            first_meaning: None,
            previous: None,
            asks: false,
            speaker_named: false,
            date_share: 0.0,
            bytes,
            around_bytes: 100.0,
            by_person: true,
        };
        let asking = Utterance { asks: true, ..utterance(90) };
        let answering =
            Utterance { previous: Some(Previous { text: Some(1.0), asks: true }), ..utterance(140) };
        let question = Candidate { utterance: Some(asking), ..candidate(1, Some(1.0), None) };
        let answer = Candidate { utterance: Some(answering), ..candidate(2, None, None) };
        let far = candidate(3, Some(0.5), None);
        let order: Vec<MemoryId> = fused("additive", &[far.clone(), question.clone(), answer.clone()])
            .iter()
            .map(|r| r.id)
            .collect();
        assert_eq!(order, [answer.id, question.id, far.id]);
        assert_eq!(fused("rrf", &[question, answer.clone(), far])[2].id, answer.id);
    }

    #[test]
    fn reciprocal_rank_is_the_published_formula() {
        let fused = fused("rrf", &[candidate(1, Some(9.0), Some(0.1)), candidate(2, Some(3.0), None)]);
        let first = 1.0 / 61.0 + 1.0 / 61.0 + 0.3 / 61.0 + 0.3 / 61.0;
        let second = 1.0 / 62.0 + 0.3 / 61.0 + 0.3 / 61.0;
        assert!((fused[0].score - first).abs() < 1e-12 && (fused[1].score - second).abs() < 1e-12);
    }

    #[test]
    fn an_exact_name_comes_first_whatever_the_lists_say() {
        for name in STRATEGIES {
            let named = Candidate { by_name: true, ..candidate(1, None, None) };
            let loud = Candidate { relevance: Some(4.0), ..candidate(2, Some(30.0), Some(1.0)) };
            assert_eq!(fused(name, &[loud, named.clone()])[0].id, named.id, "{name}");
        }
    }

    proptest! {
        #[test]
        fn the_explanation_adds_up_and_the_order_is_total(candidates in any_candidates()) {
            for name in STRATEGIES {
                let fused = fused(name, &candidates);
                prop_assert_eq!(fused.len(), candidates.len());
                for hit in &fused {
                    let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
                    prop_assert!((sum - hit.score).abs() < 1e-9 && hit.score.is_finite());
                    prop_assert!(hit.contributions.iter().all(|c| c.score >= 0.0 && c.score <= c.weight));
                }
                prop_assert!(fused.windows(2).all(|w| w[0].score >= w[1].score));
            }
        }

        #[test]
        fn a_better_text_score_never_hurts(mut candidates in any_candidates(), more in 0.1..5.0f64) {
            prop_assume!(!candidates.is_empty());
            for name in STRATEGIES {
                let place = |c: &[Candidate<MemoryId>]| fused(name, c).iter().position(|hit| hit.id == c[0].id);
                let before = place(&candidates);
                let own = candidates[0].text;
                candidates[0].text = Some(own.unwrap_or(0.0) + more);
                prop_assert!(place(&candidates) <= before);
                candidates[0].text = own;
            }
        }
    }
}
