//! Vector search over entries of several passages.

use inklings_ports::{
    memory::vector_store::{NewVectors, PassageVector, TextVectors, VectorStore},
    search::store::{ListHit, MemorySearch},
};

use super::{
    meaning::{Random, pairs, search},
    *,
};
use crate::vector::quantise::exact;

const DIMENSION: usize = 24;

/// The bytes of the `n`th passage; the content need not be as long.
fn range(n: usize) -> std::ops::Range<usize> {
    n * 90..n * 90 + 100
}

/// The vectors of a text of several passages.
pub(super) fn passages(vectors: Vec<Vec<f32>>) -> TextVectors {
    let passage = |(n, vector)| PassageVector { range: range(n), vector };
    TextVectors::Passages(vectors.into_iter().enumerate().map(passage).collect())
}

async fn put(world: &World, n: i64, vectors: &[Vec<f32>]) {
    let vectors =
        if let [one] = vectors { TextVectors::from(one.clone()) } else { passages(vectors.to_vec()) };
    let new = NewVectors { id: id(n), version: 1, vectors };
    assert_eq!(world.index.put(&model(DIMENSION), &[new]).await.expect("an answer"), 1);
}

/// The entries by their best passage, and which it is, computed plainly.
fn brute(texts: &[(i64, Vec<Vec<f32>>)], query: &[f32], limit: usize) -> Vec<(MemoryId, f64, Option<usize>)> {
    let best = |(n, vectors): &(i64, Vec<Vec<f32>>)| {
        let cosines = vectors.iter().map(|vector| exact(vector, query)).enumerate();
        let (at, cosine) = cosines.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).expect("a vector");
        (id(*n), cosine, (vectors.len() > 1).then_some(at))
    };
    let mut all: Vec<_> = texts.iter().map(best).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    all.truncate(limit);
    all
}

fn agree(hits: &[ListHit], expected: &[(MemoryId, f64, Option<usize>)]) {
    let expected_pairs: Vec<_> = expected.iter().map(|(id, cosine, _)| (*id, *cosine)).collect();
    assert_eq!(pairs(hits), expected_pairs);
    for (hit, (_, _, best)) in hits.iter().zip(expected) {
        assert_eq!(hit.passage, best.map(range), "the best passage");
        assert_eq!(hit.vector.is_some(), best.is_none(), "a vector stands for a text of one passage alone");
    }
}

#[tokio::test]
async fn the_nearest_entries_are_those_of_the_nearest_passages() {
    for whole in [usize::MAX, 0] {
        let mut random = Random(11);
        let world = World::with_whole_vectors(whole).await;
        let mut texts = Vec::new();
        for n in 0..90 {
            world.add(n, Place::Workspace, "text").await;
            let several = if n % 3 == 0 { 1 + n as usize % 7 } else { 1 };
            texts.push((n, (0..several).map(|_| random.unit(DIMENSION, None)).collect::<Vec<_>>()));
        }
        for (n, vectors) in &texts[..60] {
            put(&world, *n, vectors).await;
        }
        // Some are loaded, the others are followed.
        world.index.load(&model(DIMENSION).id).await.expect("loads");
        for (n, vectors) in &texts[60..] {
            put(&world, *n, vectors).await;
        }
        for limit in [1, 7, 40, 200] {
            let query = random.unit(DIMENSION, None);
            agree(&search(&world, &query, &everything(), limit).await, &brute(&texts, &query, limit));
        }
        let fresh = SearchIndex::with_whole_bytes(Arc::clone(&world.db), whole);
        fresh.load(&model(DIMENSION).id).await.expect("loads");
        let query = random.unit(DIMENSION, None);
        let hits =
            fresh.search_meaning(&query, &model(DIMENSION).id, &everything(), 30).await.expect("an answer");
        agree(&hits, &brute(&texts, &query, 30));
    }
}

#[tokio::test]
async fn one_entry_of_very_many_near_passages_hides_no_other() {
    for whole in [usize::MAX, 0] {
        let mut random = Random(12);
        let world = World::with_whole_vectors(whole).await;
        let centre = random.unit(DIMENSION, None);
        let mut texts = Vec::new();
        for n in 0..6 {
            world.add(n, Place::Workspace, "text").await;
            let vectors = match n {
                // More than a scan retains.
                0 => (0..900).map(|_| random.unit(DIMENSION, Some((&centre, 0.02)))).collect(),
                n => (0..n as usize).map(|_| random.unit(DIMENSION, None)).collect::<Vec<_>>(),
            };
            texts.push((n, vectors));
        }
        for (n, vectors) in &texts {
            put(&world, *n, vectors).await;
        }
        world.index.load(&model(DIMENSION).id).await.expect("loads");
        for limit in [1, 3, 6] {
            agree(&search(&world, &centre, &everything(), limit).await, &brute(&texts, &centre, limit));
        }
    }
}

#[tokio::test]
async fn vectors_of_passages_go_with_the_text_that_they_are_of() {
    let mut random = Random(13);
    let world = World::new().await;
    let count = async || -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM memory_passages");
        count.fetch_one(&world.db.reader()).await.expect("a count")
    };
    let mut several = |count: usize| (0..count).map(|_| random.unit(DIMENSION, None)).collect::<Vec<_>>();
    for n in 0..3 {
        world.add(n, Place::Workspace, "text").await;
        put(&world, n, &several(5)).await;
    }
    world.index.load(&model(DIMENSION).id).await.expect("loads");
    assert_eq!(count().await, 12);
    put(&world, 0, &several(2)).await;
    assert_eq!(count().await, 9, "earlier ones are replaced");
    let one = several(1);
    put(&world, 0, &one).await;
    assert_eq!(count().await, 8);
    world.change(1, "content = ?", &["another text"]).await;
    assert_eq!(count().await, 4, "those of a text that changed are gone");
    world.destroy(2).await;
    assert_eq!(count().await, 0, "those of a text that was destroyed are gone");
    let left = search(&world, &one[0], &everything(), 9).await;
    agree(&left, &brute(&[(0, one.clone())], &one[0], 9));
    let mut passages = world.index.vectors(&[id(0)], &model(DIMENSION).id).await.expect("vectors");
    assert_eq!(passages.pop(), Some((id(0), one[0].clone())));
    put(&world, 0, &several(3)).await;
    assert_eq!(world.index.vectors(&[id(0)], &model(DIMENSION).id).await.expect("an answer"), Vec::new());
    assert!(!search(&world, &one[0], &everything(), 9).await.is_empty());
    assert_eq!(world.index.vectors(&[id(0)], &model(DIMENSION).id).await.expect("an answer"), Vec::new());
}

#[tokio::test]
async fn forgotten_entries_and_other_places_are_left_out_with_all_their_passages() {
    let mut random = Random(14);
    let world = World::new().await;
    let mut texts = Vec::new();
    for (n, place) in (0..).zip([Place::Workspace, Place::Channel(channel(1)), Place::Channel(channel(2))]) {
        world.add(n, place, "text").await;
        texts.push((n, (0..4).map(|_| random.unit(DIMENSION, None)).collect::<Vec<_>>()));
        put(&world, n, &texts[n as usize].1).await;
    }
    world.index.load(&model(DIMENSION).id).await.expect("loads");
    let query = random.unit(DIMENSION, None);
    let of_channel = MemoryFilter::active(ScopeFilter::new(&[], Some(channel(1)), None));
    agree(&search(&world, &query, &of_channel, 9).await, &brute(&texts[..2], &query, 9));
    world.forget(1).await;
    agree(&search(&world, &query, &of_channel, 9).await, &brute(&texts[..1], &query, 9));
}

#[tokio::test]
async fn passages_without_a_gap_or_shape_are_refused() {
    let world = World::new().await;
    world.add(1, Place::Workspace, "text").await;
    let good = vec![vec![0.0; DIMENSION]; 2];
    let mut gap = passages(good.clone());
    if let TextVectors::Passages(passages) = &mut gap {
        passages[0].range = 1..50;
    }
    let odd = passages(vec![vec![0.0; DIMENSION], vec![0.0; DIMENSION - 1]]);
    for vectors in [gap, odd, passages(good[..1].to_vec()), passages(Vec::new())] {
        let new = NewVectors { id: id(1), version: 1, vectors };
        assert!(world.index.put(&model(DIMENSION), &[new]).await.is_err());
    }
}
