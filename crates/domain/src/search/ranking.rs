//! Fuses the lists of a search into one order and keeps each list's contribution to every result.
//!
//! A result's score is a sum of bounded contributions, not a product. So the explanation shown to the worldbuilder
//! adds up, and tier weight and decay cannot discount an entry twice.

use crate::{
    ids::MemoryId,
    scope::{MemoryScope, words},
};

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
}

words!(ListName, "list", {
    Name => "name", Text => "text", Meaning => "meaning", Freshness => "freshness", Nearness => "nearness",
});

/// A candidate before fusion. An entry in neither the text list nor the meaning list is not a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Id of the entry.
    pub id: MemoryId,
    /// Tier of the entry.
    pub scope: MemoryScope,
    /// BM25 score, higher is better; `None` if full-text search did not find it.
    pub text: Option<f64>,
    /// Cosine in [-1, 1]; `None` if vector search did not find it.
    pub meaning: Option<f64>,
    /// Relevance after decay, >= 0.
    pub relevance: f64,
    /// True if the query contains its exact name.
    pub by_name: bool,
}

/// The contribution of one list to one result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The contributing list.
    pub list: ListName,
    /// Rank in the list, from 1; equal values share a rank.
    pub rank: usize,
    /// The list's raw value: BM25, cosine, relevance, or tier distance.
    pub raw: f64,
    /// The list's weight in this strategy.
    pub weight: f64,
    /// The amount added to the score.
    pub score: f64,
}

/// A candidate after fusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Id of the entry.
    pub id: MemoryId,
    /// Sum of the contributions.
    pub score: f64,
    /// The contribution of each list.
    pub contributions: Vec<Contribution>,
}

/// A method to fuse the lists into one order.
pub trait FusionStrategy: Send + Sync {
    /// Name for settings and the command line.
    fn name(&self) -> &'static str;

    /// Orders the candidates, best first. Ties are broken by id, newest first, so the order is total.
    fn fuse(&self, candidates: &[Candidate]) -> Vec<Ranked>;
}

/// The weight of each list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Weight of full-text search.
    pub text: f64,
    /// Weight of vector search.
    pub meaning: f64,
    /// Weight of freshness.
    pub freshness: f64,
    /// Weight of nearness.
    pub nearness: f64,
}

/// Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009):
/// `score = sum over lists of weight / (k + rank)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReciprocalRank {
    /// Damps the difference between top ranks; 60 in the paper.
    pub k: f64,
    /// The weight of each list.
    pub weights: Weights,
}

impl Default for ReciprocalRank {
    fn default() -> Self {
        Self { k: 60.0, weights: Weights { text: 1.0, meaning: 1.0, freshness: 0.3, nearness: 0.3 } }
    }
}

/// Fusion of scores. BM25 is scaled to the best score, and the cosine to the range of the candidates. Freshness and
/// nearness only separate results that are otherwise close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreBlend {
    /// The weight of each list.
    pub weights: Weights,
}

impl Default for ScoreBlend {
    fn default() -> Self {
        Self { weights: Weights { text: 1.0, meaning: 1.0, freshness: 0.05, nearness: 0.05 } }
    }
}

/// Score of an exact name: more than all other lists together.
const NAME_SCORE: f64 = 4.0;

/// Score gap between the last full-text result and the first vector-only result, if full-text results come first.
const WORDS_AHEAD: f64 = 0.001;

/// The strategy with this name.
pub fn strategy(name: &str) -> Option<Box<dyn FusionStrategy>> {
    match name {
        "rrf" => Some(Box::new(ReciprocalRank::default())),
        "blend" => Some(Box::new(ScoreBlend::default())),
        _ => None,
    }
}

/// The names of all strategies, the default first.
pub const STRATEGIES: &[&str] = &["blend", "rrf"];

/// Each list with the rank and raw value of every candidate in it.
type Entries = Vec<(ListName, Vec<Option<(usize, f64)>>)>;

/// Ranks every list: for each list, each member's rank (from 1, equal values share one) and raw value.
fn lists(candidates: &[Candidate]) -> Entries {
    let relevant = |c: &Candidate| Some(c.relevance);
    let near = |c: &Candidate| Some(-(c.scope.distance() as f64));
    let mut lists = vec![
        (ListName::Text, placed(candidates, |c| c.text)),
        (ListName::Meaning, placed(candidates, |c| c.meaning)),
        (ListName::Freshness, placed(candidates, relevant)),
        (ListName::Nearness, placed(candidates, near)),
    ];
    let named = |c: &Candidate| c.by_name.then_some(1.0);
    lists.push((ListName::Name, placed(candidates, named)));
    lists
}

fn placed(candidates: &[Candidate], figure: impl Fn(&Candidate) -> Option<f64>) -> Vec<Option<(usize, f64)>> {
    let figures = candidates.iter().map(|c| figure(c).filter(|f| f.is_finite()));
    let mut members: Vec<(usize, f64)> = figures.enumerate().filter_map(|(at, f)| Some((at, f?))).collect();
    members.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut places = vec![None; candidates.len()];
    let (mut place, mut last) = (0, f64::NAN);
    for (i, (at, figure)) in members.into_iter().enumerate() {
        if figure.total_cmp(&last).is_ne() {
            (place, last) = (i + 1, figure);
        }
        places[at] = Some((place, figure));
    }
    places
}

fn ranked(
    candidates: &[Candidate],
    weights: &Weights,
    share: impl Fn(ListName, usize, f64) -> f64,
) -> Vec<Ranked> {
    let lists = lists(candidates);
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .enumerate()
        .map(|(at, candidate)| {
            let contributions: Vec<Contribution> = lists
                .iter()
                .filter_map(|(list, places)| {
                    let (rank, raw) = places[at]?;
                    let weight = match list {
                        ListName::Name => NAME_SCORE,
                        ListName::Text => weights.text,
                        ListName::Meaning => weights.meaning,
                        ListName::Freshness => weights.freshness,
                        ListName::Nearness => weights.nearness,
                    };
                    let portion = if *list == ListName::Name { 1.0 } else { share(*list, rank, raw) };
                    Some(Contribution { list: *list, rank, raw, weight, score: weight * portion })
                })
                .collect();
            let score = contributions.iter().map(|c| c.score).sum();
            Ranked { id: candidate.id, score, contributions }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
    ranked
}

impl FusionStrategy for ReciprocalRank {
    fn name(&self) -> &'static str {
        "rrf"
    }

    fn fuse(&self, candidates: &[Candidate]) -> Vec<Ranked> {
        ranked(candidates, &self.weights, |_, rank, _| 1.0 / (self.k + rank as f64))
    }
}

/// Smallest and largest value of a list.
fn range(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    figures.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), f| (lo.min(f), hi.max(f)))
}

impl FusionStrategy for ScoreBlend {
    fn name(&self) -> &'static str {
        "blend"
    }

    fn fuse(&self, candidates: &[Candidate]) -> Vec<Ranked> {
        let (_, best_text) = range(candidates.iter().filter_map(|c| c.text));
        let (low, high) = range(candidates.iter().filter_map(|c| c.meaning));
        let (_, freshest) = range(candidates.iter().map(|c| c.relevance));
        ranked(candidates, &self.weights, |list, _, raw| {
            let share = match list {
                ListName::Text => raw / best_text,
                ListName::Meaning if high > low => (raw - low) / (high - low),
                ListName::Meaning | ListName::Name => 1.0,
                ListName::Freshness => raw / freshest,
                // The raw value is the negated tier distance, 0 to -3.
                ListName::Nearness => 1.0 + raw / 4.0,
            };
            if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
        })
    }
}

/// Ranks results found by words or name before results found by vectors only. The first text or name contribution of
/// each such result is raised by the lead of the best other result, so that the contributions still add up to the
/// score.
pub fn words_first(mut ranked: Vec<Ranked>) -> Vec<Ranked> {
    let by_words = |c: &Contribution| matches!(c.list, ListName::Text | ListName::Name);
    let worded = |hit: &Ranked| hit.contributions.iter().any(by_words);
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
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
    ranked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn words_come_first_and_the_shares_still_add_up() {
        let candidates: Vec<Candidate> = (0..40)
            .map(|n| candidate(n, (n % 4 == 0).then_some(0.1 + n as f64), (n % 3 != 0).then_some(0.9)))
            .filter(|c| c.text.is_some() || c.meaning.is_some())
            .collect();
        for name in STRATEGIES {
            let fused = strategy(name).expect("a strategy").fuse(&candidates);
            let ranked = words_first(fused.clone());
            assert_eq!(ranked.len(), fused.len());
            let worded: Vec<bool> =
                ranked.iter().map(|r| r.contributions.iter().any(|c| c.list == ListName::Text)).collect();
            assert!(worded.is_sorted_by(|a, b| a >= b), "{name}: {worded:?}");
            let order = |ranked: &[Ranked], text: bool| -> Vec<MemoryId> {
                let of = |r: &&Ranked| r.contributions.iter().any(|c| c.list == ListName::Text) == text;
                ranked.iter().filter(of).map(|r| r.id).collect()
            };
            assert_eq!(order(&ranked, true), order(&fused, true), "{name}");
            assert_eq!(order(&ranked, false), order(&fused, false), "{name}");
            for hit in &ranked {
                let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
                assert!((sum - hit.score).abs() < 1e-9);
            }
        }
        assert!(words_first(Vec::new()).is_empty());
    }

    fn candidate(n: u128, text: Option<f64>, meaning: Option<f64>) -> Candidate {
        Candidate {
            id: MemoryId::from_uuid(Uuid::from_u128(n)),
            scope: MemoryScope::Workspace,
            text,
            meaning,
            relevance: 0.5,
            by_name: false,
        }
    }

    fn any_candidates() -> impl Strategy<Value = Vec<Candidate>> {
        let one = (
            proptest::option::of(0.0..30.0f64),
            proptest::option::of(-1.0..1.0f64),
            0.0..4.0f64,
            0usize..4,
            any::<bool>(),
        );
        proptest::collection::vec(one, 0..40).prop_map(|rows| {
            rows.into_iter()
                .enumerate()
                .map(|(n, (text, meaning, relevance, scope, by_name))| Candidate {
                    relevance,
                    scope: MemoryScope::ALL[scope],
                    by_name,
                    ..candidate(n as u128, text, meaning)
                })
                .collect()
        })
    }

    #[test]
    fn reciprocal_rank_is_the_published_formula() {
        let fused = ReciprocalRank::default()
            .fuse(&[candidate(1, Some(9.0), Some(0.1)), candidate(2, Some(3.0), None)]);
        let first = 1.0 / 61.0 + 1.0 / 61.0 + 0.3 / 61.0 + 0.3 / 61.0;
        let second = 1.0 / 62.0 + 0.3 / 61.0 + 0.3 / 61.0;
        assert!((fused[0].score - first).abs() < 1e-12 && (fused[1].score - second).abs() < 1e-12);
    }

    #[test]
    fn an_exact_name_comes_first_whatever_the_lists_say() {
        for name in STRATEGIES {
            let named = Candidate { by_name: true, ..candidate(1, None, None) };
            let loud = Candidate { relevance: 4.0, ..candidate(2, Some(30.0), Some(1.0)) };
            let fused = strategy(name).map(|s| s.fuse(&[loud, named.clone()]));
            assert_eq!(fused.map(|f| f[0].id), Some(named.id), "{name}");
        }
    }

    proptest! {
        #[test]
        fn the_explanation_adds_up_and_the_order_is_total(candidates in any_candidates()) {
            for name in STRATEGIES {
                let fused = strategy(name).map(|s| s.fuse(&candidates)).unwrap_or_default();
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
                let place = |c: &[Candidate]| strategy(name).and_then(|s| {
                    s.fuse(c).iter().position(|hit| hit.id == c[0].id)
                });
                let before = place(&candidates);
                let own = candidates[0].text;
                candidates[0].text = Some(own.unwrap_or(0.0) + more);
                prop_assert!(place(&candidates) <= before);
                candidates[0].text = own;
            }
        }
    }
}
