use inklings_domain::{
    ids::{ChannelId, ConversationId},
    memory::filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
    scope::{MemoryScope, Place},
};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn channel(n: u128) -> ChannelId {
    ChannelId::from_uuid(Uuid::from_u128(n))
}

fn vector(n: i64, dimension: usize) -> Vec<f32> {
    (0..dimension).map(|i| ((n * 31 + i as i64 * 17) % 23 - 11) as f32 / 11.0).collect()
}

fn everything() -> MemoryFilter {
    MemoryFilter::active(ScopeFilter::EVERYTHING)
}

fn found(matrix: &Matrix<Place>, filter: &MemoryFilter) -> Vec<i64> {
    let scope_filter = filter.scope_filter.clone();
    let scan = Scan {
        asked: AskedVector::new(&vector(1, matrix.dimension())).expect("it has a direction"),
        within: Box::new(move |place| scope_filter.holds(place)),
        activity: filter.activity(),
        among: None,
    };
    let mut seqs: Vec<i64> = matrix.scan(&scan, 1000, f32::NEG_INFINITY).best.iter().map(|c| c.seq).collect();
    seqs.sort_unstable();
    seqs
}

#[test]
fn only_what_is_within_reach_is_found() {
    let mut matrix = Matrix::new(70, Kernel::detect(), usize::MAX);
    let conversation = ConversationId::from_uuid(Uuid::from_u128(9));
    let places = [
        Place::Account,
        Place::Workspace,
        Place::Channel(channel(1)),
        Place::Channel(channel(2)),
        Place::Conversation(channel(1), conversation),
    ];
    for (seq, place) in (0..).zip(places) {
        assert!(matrix.put((seq, seq), place, true, &vector(seq, 70)));
    }
    let scope_filter = |scopes: &[MemoryScope], channel, conversation| {
        MemoryFilter::active(ScopeFilter::new(scopes, channel, conversation))
    };
    assert_eq!(found(&matrix, &everything()), [0, 1, 2, 3, 4]);
    assert_eq!(found(&matrix, &scope_filter(&[], Some(channel(1)), None)), [0, 1, 2, 4]);
    assert_eq!(found(&matrix, &scope_filter(&[], Some(channel(2)), None)), [0, 1, 3]);
    assert_eq!(found(&matrix, &scope_filter(&[MemoryScope::Conversation], None, Some(conversation))), [4]);
    assert_eq!(found(&matrix, &scope_filter(&[MemoryScope::Channel], None, None)), [2, 3]);
}

#[test]
fn forgotten_entries_are_found_only_when_asked_for() {
    let mut matrix = Matrix::new(3, Kernel::detect(), usize::MAX);
    for seq in 0..4 {
        matrix.put((seq, seq), Place::Workspace, true, &vector(seq, 3));
    }
    matrix.put((2, 2), Place::Workspace, false, &vector(2, 3));
    let with = |value: &str| MemoryFilter {
        scope_filter: ScopeFilter::EVERYTHING,
        terms: vec![FacetTerm { facet: Facet::Forgotten, value: value.into(), negated: false }],
    };
    assert_eq!(found(&matrix, &everything()), [0, 1, 3]);
    assert_eq!(found(&matrix, &with("yes")), [2]);
    assert_eq!(found(&matrix, &with("any")), [0, 1, 2, 3]);
}

#[test]
fn whole_vectors_are_cached_within_the_byte_limit() {
    let mut matrix = Matrix::new(4, Kernel::detect(), 2 * 16);
    matrix.put((1, 1), Place::Account, true, &[1.0; 4]);
    matrix.put((2, 2), Place::Account, true, &[1.0; 4]);
    assert!(matrix.is_whole());
    matrix.put((3, 3), Place::Account, true, &[1.0; 4]);
    assert!(!matrix.is_whole() && matrix.whole(1).is_none());
    assert_eq!(found(&matrix, &everything()), [1, 2, 3]);
}

#[test]
fn vectors_of_another_dimension_are_refused() {
    let mut matrix = Matrix::new(3, Kernel::detect(), usize::MAX);
    assert!(!matrix.put((1, 1), Place::Account, true, &[1.0; 4]));
    assert_eq!(matrix.len(), 0);
}

proptest! {
    #[test]
    fn it_holds_what_was_put_in_and_not_taken_out(
        steps in prop::collection::vec((0i64..20, any::<bool>()), 0..120), dimension in 1usize..140,
    ) {
        let mut matrix = Matrix::new(dimension, Kernel::detect(), usize::MAX);
        let mut model = std::collections::BTreeMap::new();
        for (step, (seq, put)) in (0i64..).zip(steps) {
            if put {
                matrix.put((seq, step), Place::Workspace, true, &vector(step, dimension));
                model.insert(seq, step);
            } else {
                matrix.remove(seq);
                model.remove(&seq);
            }
        }
        prop_assert_eq!(found(&matrix, &everything()), model.keys().copied().collect::<Vec<_>>());
        prop_assert_eq!(matrix.lines.len(), matrix.rows.len() * matrix.width());
        for (seq, step) in &model {
            prop_assert_eq!(matrix.stored_at(*seq), Some(*step));
            let index = matrix.by_seq[seq] as usize;
            let mut lines = vec![Line([0; LINE]); matrix.width()];
            quantise::row(&vector(*step, dimension), &mut lines);
            let at = index * matrix.width();
            prop_assert_eq!(&matrix.lines[at..at + matrix.width()], &lines[..]);
            prop_assert_eq!(matrix.whole(*seq), Some(&vector(*step, dimension)[..]));
        }
    }

    #[test]
    fn a_scan_leaves_out_nothing_above_what_it_says(
        values in prop::collection::vec(-100i16..100, 0..400), most in 1usize..30, floor in -120i16..120,
    ) {
        let floor = f32::from(floor);
        let mut top = TopK::new(most, floor);
        for (seq, value) in (0..).zip(&values) {
            top.offer(Candidate { seq, bound: f32::from(*value) });
        }
        let result = top.finish();
        let mut sorted: Vec<f32> = values.iter().map(|v| f32::from(*v)).filter(|v| *v >= floor).collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let best: Vec<f32> = result.best.iter().map(|c| c.bound).collect();
        prop_assert_eq!(&best[..], &sorted[..sorted.len().min(most)]);
        prop_assert_eq!(result.left_out, sorted.get(most).copied());
    }
}
