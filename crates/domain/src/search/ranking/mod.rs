//! Fuses the lists of a search into one order and keeps each list's contribution to every result.
//!
//! A result's score is a sum of bounded contributions, not a product. So the explanation shown to the worldbuilder
//! adds up, and tier weight and decay cannot discount an entry twice.

mod additive;
mod lists;
mod reciprocal;
pub mod utterance;

use std::cmp::Ordering;

use self::lists::lists;
pub use self::{additive::Additive, lists::ListValues, reciprocal::ReciprocalRank, utterance::Utterance};
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
    /// The meaning of each word of the query, by the nearest word of the text. It counts instead of [`Self::Meaning`].
    WordMeaning,
    /// Relevance after decay.
    Freshness,
    /// Tier order: conversation, channel, workspace, account.
    Nearness,
    /// The query's words in what was said and in what was said around it. The longer these texts, the more the text itself
    /// counts instead.
    AroundText,
    /// The meaning of what was said joined with what was said around it, in the same way: word by word, or the cosine.
    AroundMeaning,
    /// The query names the speaker.
    Speaker,
    /// The share of the query's date that the date of what was said has.
    Date,
    /// How well the day on which it was said or written fits the days that the query names relative to its own ("yesterday").
    Days,
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
    Name => "name", Text => "text", Meaning => "meaning", WordMeaning => "word_meaning", Freshness => "freshness", Nearness => "nearness",
    AroundText => "around_text", AroundMeaning => "around_meaning", Speaker => "speaker", Date => "date", Days => "days",
    Length => "length", Person => "person", Answer => "answer", Statement => "statement",
});

/// A candidate before fusion. What was found neither by words, meaning or name nor beside such a find is not a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<I> {
    pub id: I,
    /// BM25 score, higher is better; `None` if it has none of the words.
    pub text: Option<f64>,
    /// Cosine in [-1, 1]; `None` if it has no vector.
    pub meaning: Option<f64>,
    /// The mean similarity of the query's words to the nearest word each; `None` if the text or the query has no codes.
    pub word_meaning: Option<f64>,
    /// Tier of an entry; `None` for a message.
    pub scope: Option<MemoryScope>,
    /// Relevance of an entry after decay, >= 0; `None` for a message.
    pub relevance: Option<f64>,
    /// True if the query contains its exact name.
    pub by_name: bool,
    /// What is known of it as a part of a conversation; `None` for what stands by itself.
    pub utterance: Option<Utterance>,
    /// The share of the query's date that its own has, from 0 to 1; `None` if the query names none, or it has none.
    pub date: Option<f64>,
    /// How well its day fits the days that the query names relative to its own, from 0 to 1; `None` if the query names none.
    pub days: Option<f64>,
}

impl<I> Candidate<I> {
    /// A candidate of which nothing is known yet.
    pub const fn new(id: I) -> Self {
        Self {
            id,
            text: None,
            meaning: None,
            word_meaning: None,
            scope: None,
            relevance: None,
            by_name: false,
            utterance: None,
            date: None,
            days: None,
        }
    }

    /// Adds the values that the lists which found it do not tell. Theirs stay: a cosine of a list is not rounded.
    pub fn complete(&mut self, values: CandidateValues) {
        let CandidateValues { text, meaning, utterance, date, days } = values;
        self.text = self.text.or(text);
        self.meaning = self.meaning.or(meaning);
        self.utterance = utterance;
        self.date = self.date.or(date);
        self.days = self.days.or(days);
    }

    /// Adds how its words compare with those of the query.
    pub fn compare_words(&mut self, compared: WordComparison) {
        self.word_meaning = compared.own;
        if let Some(utterance) = &mut self.utterance {
            utterance.around_words = compared.around;
        }
    }
}

/// A text compared with a query, whichever list found it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CandidateValues {
    /// As [`Candidate::text`].
    pub text: Option<f64>,
    /// As [`Candidate::meaning`].
    pub meaning: Option<f64>,
    /// As [`Candidate::utterance`].
    pub utterance: Option<Utterance>,
    /// As [`Candidate::date`].
    pub date: Option<f64>,
    /// As [`Candidate::days`].
    pub days: Option<f64>,
}

/// A text's words compared with a query: the mean, over the query's words, of the similarity to the nearest word.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WordComparison {
    /// Nearest among the words of the text; `None` if it has no codes.
    pub own: Option<f64>,
    /// Nearest among its words and those of what was said around it; `None` if there are no codes.
    pub around: Option<f64>,
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
    pub id: I,
    /// Sum of its contributions.
    pub score: f64,
    /// Its index among the candidates.
    pub at: usize,
}

/// Candidates in their order, and what each list contributed. Contributions are made for those that are asked for: there are many
/// more candidates than hits.
pub struct Fused<'s, I> {
    strategy: &'s dyn FusionStrategy,
    /// Each with its weight.
    lists: Vec<(ListValues, f64)>,
    /// The list of words compared one by one among them, if it has a weight.
    words: Option<usize>,
    /// What is added to the first text or name contribution.
    ahead: f64,
    ranked: Vec<Ranked<I>>,
}

/// The share of one list in the score of a candidate.
struct Part {
    raw: f64,
    score: f64,
}

impl<I> Fused<'_, I> {
    /// All candidates, best first.
    pub fn ranked(&self) -> &[Ranked<I>] {
        &self.ranked
    }

    /// The contribution of each list to a candidate of this order.
    pub fn contributions(&self, hit: &Ranked<I>) -> Vec<Contribution> {
        let mut ahead = self.ahead;
        let contribution = |(values, weight): &(ListValues, f64)| {
            let Part { raw, score } = self.part(values, *weight, hit.at)?;
            let raised = if is_of_words(values.list) { std::mem::take(&mut ahead) } else { 0.0 };
            let rank = values.rank_of(raw);
            Some(Contribution { list: values.list, rank, raw, weight: *weight, score: score + raised })
        };
        self.lists.iter().filter_map(contribution).collect()
    }

    fn part(&self, values: &ListValues, weight: f64, at: usize) -> Option<Part> {
        if weight <= 0.0 {
            return None;
        }
        let raw = values.of(at)?;
        let share = match values.list {
            ListName::Name => 1.0,
            // Words compared one by one count instead of the cosine.
            ListName::Meaning if self.words.is_some_and(|words| self.lists[words].0.of(at).is_some()) => 0.0,
            _ => self.strategy.share(values, at, raw),
        };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        // A share of nothing explains nothing, except for the lists that found the candidate.
        let found = matches!(values.list, ListName::Text | ListName::Meaning);
        (found || share > 0.0).then_some(Part { raw, score: weight * share })
    }

    /// True if words or the name found it.
    fn is_worded(&self, at: usize) -> bool {
        let found = |(values, weight): &(ListValues, f64)| {
            is_of_words(values.list) && self.part(values, *weight, at).is_some()
        };
        self.lists.iter().any(found)
    }
}

fn is_of_words(list: ListName) -> bool {
    matches!(list, ListName::Text | ListName::Name)
}

/// A method to fuse the lists into one order.
pub trait FusionStrategy: Send + Sync {
    /// Name for settings and the command line.
    fn name(&self) -> &'static str;

    /// The largest contribution of a list, except for [`ListName::Name`]; 0 if the strategy does not use it.
    fn weight(&self, list: ListName) -> f64;

    /// The share of the weight that a candidate gets for its value in a list, from 0 to 1. `at` is its index.
    fn share(&self, values: &ListValues, at: usize, raw: f64) -> f64;
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
pub fn fuse<'s, I: Copy + Ord>(
    strategy: &'s dyn FusionStrategy,
    candidates: &[Candidate<I>],
) -> Fused<'s, I> {
    let of_name = NAME_LEAD * ListName::ALL.iter().map(|list| strategy.weight(*list)).sum::<f64>();
    let weight = |list: ListName| if list == ListName::Name { of_name } else { strategy.weight(list) };
    let weighted = |values: ListValues| {
        let weight = weight(values.list);
        (values, weight)
    };
    let lists: Vec<(ListValues, f64)> = lists(candidates).into_iter().map(weighted).collect();
    let words =
        lists.iter().position(|(values, weight)| values.list == ListName::WordMeaning && *weight > 0.0);
    let mut fused = Fused { strategy, lists, words, ahead: 0.0, ranked: Vec::new() };
    let score = |at: usize| {
        let parts = fused.lists.iter().filter_map(|(values, weight)| fused.part(values, *weight, at));
        parts.map(|part| part.score).sum()
    };
    let ranked = |(at, candidate): (usize, &Candidate<I>)| Ranked { id: candidate.id, score: score(at), at };
    let mut all: Vec<Ranked<I>> = candidates.iter().enumerate().map(ranked).collect();
    all.sort_unstable_by(best_first);
    fused.ranked = all;
    fused
}

/// As [`fuse`], but what words or the name found comes before what only vectors found. The first text or name contribution of
/// each such candidate is raised by the lead of the best other one, so that the contributions still add up to the score.
pub fn fuse_words_first<'s, I: Copy + Ord>(
    strategy: &'s dyn FusionStrategy,
    candidates: &[Candidate<I>],
) -> Fused<'s, I> {
    let mut fused = fuse(strategy, candidates);
    let worded: Vec<bool> = (0..candidates.len()).map(|at| fused.is_worded(at)).collect();
    let (mut least, mut best) = (f64::INFINITY, f64::NEG_INFINITY);
    for hit in &fused.ranked {
        if worded[hit.at] {
            least = least.min(hit.score);
        } else {
            best = best.max(hit.score);
        }
    }
    if least.is_finite() && best.is_finite() && least <= best {
        fused.ahead = best - least + WORDS_AHEAD;
        for hit in fused.ranked.iter_mut().filter(|hit| worded[hit.at]) {
            hit.score += fused.ahead;
        }
        fused.ranked.sort_unstable_by(best_first);
    }
    fused
}

fn best_first<I: Ord>(a: &Ranked<I>, b: &Ranked<I>) -> Ordering {
    b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{utterance::Previous, *};
    use crate::ids::MemoryId;

    /// A candidate of an order with its explanation.
    #[derive(Debug, Clone)]
    struct Explained {
        id: MemoryId,
        score: f64,
        contributions: Vec<Contribution>,
    }

    impl Explained {
        fn has_words(&self) -> bool {
            self.contributions.iter().any(|c| c.list == ListName::Text)
        }
    }

    fn explained(fused: &Fused<'_, MemoryId>) -> Vec<Explained> {
        let explain = |hit: &Ranked<MemoryId>| Explained {
            id: hit.id,
            score: hit.score,
            contributions: fused.contributions(hit),
        };
        fused.ranked().iter().map(explain).collect()
    }

    fn fused(name: &str, candidates: &[Candidate<MemoryId>]) -> Vec<Explained> {
        explained(&fuse(strategy(name).expect("a strategy").as_ref(), candidates))
    }

    #[test]
    fn words_come_first_and_the_shares_still_add_up() {
        let candidates: Vec<Candidate<MemoryId>> = (0..40)
            .map(|n| candidate(n, (n % 4 == 0).then_some(0.1 + n as f64), (n % 3 != 0).then_some(0.9)))
            .filter(|c| c.text.is_some() || c.meaning.is_some())
            .collect();
        for name in STRATEGIES {
            let fused = fused(name, &candidates);
            let strategy = strategy(name).expect("a strategy");
            let ranked = explained(&fuse_words_first(strategy.as_ref(), &candidates));
            assert_eq!(ranked.len(), fused.len());
            let worded: Vec<bool> = ranked.iter().map(Explained::has_words).collect();
            assert!(worded.is_sorted_by(|a, b| a >= b), "{name}: {worded:?}");
            let order = |ranked: &[Explained], words: bool| -> Vec<MemoryId> {
                ranked.iter().filter(|hit| hit.has_words() == words).map(|hit| hit.id).collect()
            };
            assert_eq!(order(&ranked, true), order(&fused, true), "{name}");
            assert_eq!(order(&ranked, false), order(&fused, false), "{name}");
            for hit in &ranked {
                let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
                assert!((sum - hit.score).abs() < 1e-9);
            }
        }
        let none: [Candidate<MemoryId>; 0] = [];
        assert!(fuse_words_first(&Additive::default(), &none).ranked().is_empty());
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
            proptest::option::of(-1.0..1.0f64),
        );
        proptest::collection::vec(one, 0..40).prop_map(|rows| {
            rows.into_iter()
                .enumerate()
                .map(|(n, (text, meaning, relevance, scope, by_name, utterance, words))| Candidate {
                    date: utterance.map(|(.., date_share, _)| date_share),
                    days: by_name.then_some(relevance / 4.0),
                    word_meaning: words,
                    relevance: Some(relevance),
                    scope: Some(MemoryScope::ALL[scope]),
                    by_name,
                    utterance: utterance.map(|(around_text, around_meaning, asks, _, bytes)| Utterance {
                        around_text: Some(around_text / 30.0),
                        around_meaning: Some(around_meaning),
                        around_words: words,
                        first_meaning: asks.then_some(-around_meaning),
                        previous: Some(Previous { text: Some(around_text), asks: !asks }),
                        asks,
                        speaker_named: !asks,
                        bytes,
                        around_bytes: bytes as f64 * 1.5,
                        by_person: asks,
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
            around_words: None,
            first_meaning: None,
            previous: None,
            asks: false,
            speaker_named: false,
            bytes,
            around_bytes: 100.0,
            by_person: true,
        };
        let asking = Utterance { asks: true, ..utterance(90) };
        let answering =
            Utterance { previous: Some(Previous { text: Some(1.0), asks: true }), ..utterance(140) };
        let question = Candidate { utterance: Some(asking), ..candidate(1, Some(1.0), None) };
        let answer = Candidate { utterance: Some(answering), ..candidate(2, None, None) };
        let far = candidate(3, Some(0.3), None);
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

    #[test]
    fn words_that_are_compared_one_by_one_count_instead_of_the_cosine() {
        let loose = candidate(1, None, Some(0.9));
        let near = Candidate { word_meaning: Some(0.8), ..candidate(2, None, Some(0.1)) };
        let far = Candidate { word_meaning: Some(0.2), ..candidate(3, None, Some(0.8)) };
        let candidates = [loose, near.clone(), far.clone()];
        let order = fused("additive", &candidates);
        let place = |id: MemoryId| order.iter().position(|hit| hit.id == id).expect("a hit");
        assert!(place(near.id) < place(far.id));
        for hit in &order[..] {
            let score = |list| hit.contributions.iter().find(|c| c.list == list).map(|c| c.score);
            let both = score(ListName::Meaning).unwrap_or(0.0) * score(ListName::WordMeaning).unwrap_or(0.0);
            assert!(both.abs() < f64::EPSILON, "one of them counts: {:?}", hit.contributions);
        }
        let by_ranks = fused("rrf", &candidates);
        assert!(by_ranks.iter().all(|hit| hit.contributions.iter().all(|c| c.list != ListName::WordMeaning)));
        assert_eq!(by_ranks[0].id, candidates[0].id);
    }

    proptest! {
        #[test]
        fn both_ways_to_rank_agree_with_a_count_of_what_is_better(
            values in proptest::collection::vec(proptest::option::of(-3i8..3), 0..30),
        ) {
            let values: Vec<Option<f64>> = values.into_iter().map(|value| value.map(f64::from)).collect();
            let candidates: Vec<_> = values.iter().map(|value| candidate(1, *value, None)).collect();
            let list = &lists(&candidates)[0];
            for (at, value) in values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))) {
                let better = values.iter().flatten().filter(|other| **other > value).count();
                prop_assert_eq!((list.rank(at), list.rank_of(value)), (better + 1, better + 1));
            }
        }

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
