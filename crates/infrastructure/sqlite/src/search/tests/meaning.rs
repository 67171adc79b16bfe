use inklings_domain::scope::MemoryScope;
use inklings_ports::{
    memory::vector_store::{NewVectors, VectorStore},
    search::store::{ListHit, MemorySearch},
};
use proptest::prelude::*;

use super::{passages::passages, *};
use crate::vector::quantise::exact;

/// A small deterministic generator (`SplitMix64`), so that a failure can be reproduced.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub(super) fn unit(&mut self, dimension: usize, around: Option<(&[f32], f32)>) -> Vec<f32> {
        let mut v: Vec<f32> = (0..dimension).map(|_| self.next()).collect();
        if let Some((centre, spread)) = around {
            v.iter_mut().zip(centre).for_each(|(x, c)| *x = c + spread * *x);
        }
        let length = exact(&v, &v).sqrt() as f32;
        v.iter().map(|x| x / length).collect()
    }
}

async fn put(world: &World, vectors: &[(i64, Vec<f32>)]) {
    let dimension = vectors[0].1.len();
    let new: Vec<NewVectors> = vectors
        .iter()
        .map(|(n, v)| NewVectors { id: id(*n), version: 1, vectors: v.clone().into() })
        .collect();
    let stored = world.index.put(&model(dimension), &new).await.expect("stored");
    assert_eq!(stored, vectors.len());
}

fn place(n: i64) -> Place {
    match n % 4 {
        0 => Place::Workspace,
        1 => Place::Channel(channel(1)),
        2 => Place::Channel(channel(2)),
        _ => Place::Conversation(channel(1), conversation(1)),
    }
}

pub(super) fn brute(
    vectors: &[(i64, Vec<f32>)],
    query: &[f32],
    limit: usize,
    keep: impl Fn(i64) -> bool,
) -> Vec<(MemoryId, f64)> {
    let mut all: Vec<(MemoryId, f64)> =
        vectors.iter().filter(|(n, _)| keep(*n)).map(|(n, v)| (id(*n), exact(v, query))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    all.truncate(limit);
    all
}

pub(super) fn pairs(hits: &[ListHit]) -> Vec<(MemoryId, f64)> {
    hits.iter().map(|hit| (hit.id, hit.score)).collect()
}

pub(super) async fn search(
    world: &World,
    query: &[f32],
    filter: &MemoryFilter,
    limit: usize,
) -> Vec<ListHit> {
    world.index.search_meaning(query, &model(0).id, filter, limit).await.expect("an answer")
}

#[tokio::test]
async fn the_nearest_are_exactly_those_of_a_plain_computation() {
    for whole in [usize::MAX, 0] {
        the_nearest_are_exactly_those_of_a_plain_computation_with_whole_vectors(whole).await;
    }
}

async fn the_nearest_are_exactly_those_of_a_plain_computation_with_whole_vectors(whole: usize) {
    let mut random = Random(7);
    let world = World::with_whole_vectors(whole).await;
    let centres: Vec<Vec<f32>> = (0..4).map(|_| random.unit(96, None)).collect();
    let mut vectors = Vec::new();
    for n in 0..900 {
        world.add(n, place(n), "text").await;
        // A third random, a third clustered, a third so close together that rounding cannot separate them.
        let around = match n % 3 {
            0 => None,
            1 => Some((&centres[n as usize % 4][..], 0.05)),
            _ => Some((&centres[0][..], 0.0005)),
        };
        vectors.push((n, random.unit(96, around)));
    }
    put(&world, &vectors).await;
    world.index.load(&model(96).id).await.expect("loads");
    assert!(world.index.meaning_ready(&model(96).id));
    for round in 0..12 {
        let query = match round % 3 {
            0 => random.unit(96, None),
            1 => random.unit(96, Some((&centres[round % 4], 0.01))),
            _ => centres[0].clone(),
        };
        for limit in [1, 10, 60] {
            let hits = search(&world, &query, &everything(), limit).await;
            assert_eq!(pairs(&hits), brute(&vectors, &query, limit, |_| true));
            for hit in &hits {
                let again = exact(hit.vector.as_deref().expect("its vector"), &query);
                assert!((again - hit.score).abs() < 1e-12);
            }
        }
        let channel_1 =
            MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], Some(channel(1)), None));
        let hits = search(&world, &query, &channel_1, 20).await;
        assert_eq!(pairs(&hits), brute(&vectors, &query, 20, |n| n % 4 == 1));
    }
}

/// A file that is rewritten may give vectors the row numbers that others had.
#[tokio::test]
async fn vectors_are_found_when_the_file_numbers_them_anew() {
    let (mut random, count) = (Random(11), 60);
    let world = World::with_whole_vectors(0).await;
    let mut vectors = Vec::new();
    for n in 0..count {
        world.add(n, place(n), "text").await;
        vectors.push((n, random.unit(24, None)));
    }
    put(&world, &vectors).await;
    world.index.load(&model(24).id).await.expect("loads");
    let query = random.unit(24, None);
    let expected = brute(&vectors, &query, 20, |_| true);
    assert_eq!(pairs(&search(&world, &query, &everything(), 20).await), expected);
    for renumber in ["rowid = -rowid", "rowid = 61 + rowid", "rowid = 1000 - rowid"] {
        let mut tx = world.db.begin_immediate().await.expect("begins");
        let sql = format!("UPDATE memory_vectors SET {renumber}");
        let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *tx).await.expect("numbered");
        assert_eq!(done.rows_affected(), 60);
        tx.commit().await.expect("commits");
        assert_eq!(pairs(&search(&world, &query, &everything(), 20).await), expected, "{renumber}");
    }
}

#[tokio::test]
async fn more_near_ties_than_a_scan_keeps_are_still_exact() {
    for whole in [usize::MAX, 0] {
        more_near_ties_than_a_scan_keeps_are_still_exact_with_whole_vectors(whole).await;
    }
}

async fn more_near_ties_than_a_scan_keeps_are_still_exact_with_whole_vectors(whole: usize) {
    let mut random = Random(3);
    let world = World::with_whole_vectors(whole).await;
    let centre = random.unit(64, None);
    let mut vectors = Vec::new();
    for n in 0..1_300 {
        world.add(n, Place::Workspace, "text").await;
        let twin = n % 2 == 0;
        vectors.push((n, if twin { centre.clone() } else { random.unit(64, Some((&centre, 0.0001))) }));
    }
    put(&world, &vectors).await;
    world.index.load(&model(64).id).await.expect("loads");
    let query = random.unit(64, Some((&centre, 0.001)));
    assert_eq!(
        pairs(&search(&world, &query, &everything(), 30).await),
        brute(&vectors, &query, 30, |_| true)
    );
}

#[tokio::test]
async fn conditions_come_before_the_cut() {
    for whole in [usize::MAX, 0] {
        conditions_come_before_the_cut_with_whole_vectors(whole).await;
    }
}

async fn conditions_come_before_the_cut_with_whole_vectors(whole: usize) {
    let mut random = Random(5);
    let world = World::with_whole_vectors(whole).await;
    let mut vectors = Vec::new();
    for n in 0..60 {
        let tags = if n % 10 == 0 { r#"["rare"]"# } else { "[]" };
        world.add_named(n, place(n), "text", None, tags).await;
        vectors.push((n, random.unit(20, None)));
    }
    put(&world, &vectors).await;
    world.index.load(&model(20).id).await.expect("loads");
    let query = random.unit(20, None);
    let hits = search(&world, &query, &with(Facet::Tag, "rare"), 4).await;
    assert_eq!(pairs(&hits), brute(&vectors, &query, 4, |n| n % 10 == 0));
}

#[tokio::test]
async fn what_other_connections_change_is_followed() {
    for whole in [usize::MAX, 0] {
        what_other_connections_change_is_followed_with_whole_vectors(whole).await;
    }
}

async fn what_other_connections_change_is_followed_with_whole_vectors(whole: usize) {
    let mut random = Random(9);
    let world = World::with_whole_vectors(whole).await;
    let mut vectors = Vec::new();
    for n in 0..40 {
        world.add(n, place(n), "text").await;
        vectors.push((n, random.unit(33, None)));
    }
    put(&world, &vectors[..30]).await;
    world.index.load(&model(33).id).await.expect("loads");
    // Another index over another pool stands for another process.
    let other = World {
        folder: TempDir::new().expect("a folder"),
        db: open(world.folder.path()).await,
        index: SearchIndex::new(open(world.folder.path()).await),
    };
    let query = random.unit(33, None);
    let check = async |keep: &dyn Fn(i64) -> bool| {
        assert_eq!(
            pairs(&search(&world, &query, &everything(), 100).await),
            brute(&vectors, &query, 100, keep)
        );
    };
    check(&|n| n < 30).await;
    put(&other, &vectors[30..]).await;
    check(&|_| true).await;
    other.forget(3).await;
    check(&|n| n != 3).await;
    other.change(4, "content = ?", &["another text"]).await;
    check(&|n| n != 3 && n != 4).await;
    other.change(5, "tags = '[\"x\"]'", &[]).await;
    check(&|n| n != 3 && n != 4).await;
    other.destroy(6).await;
    check(&|n| n != 3 && n != 4 && n != 6).await;
    other.change(3, "forgotten_at = NULL, forgotten_reason = NULL", &[]).await;
    check(&|n| n != 4 && n != 6).await;
}

#[tokio::test]
async fn vectors_of_other_models_and_shapes_are_not_compared() {
    let world = World::new().await;
    world.add(1, Place::Workspace, "text").await;
    world.add(2, Place::Workspace, "text").await;
    put(&world, &[(1, vec![1.0, 0.0, 0.0])]).await;
    let other_model = EmbeddingModel { id: ModelId::new("other"), dimension: 3 };
    let vector = NewVectors { id: id(2), version: 1, vectors: vec![1.0, 0.0, 0.0].into() };
    world.index.put(&other_model, &[vector]).await.expect("stored");
    world.index.load(&model(3).id).await.expect("loads");
    let query = [1.0, 0.0, 0.0];
    assert_eq!(pairs(&search(&world, &query, &everything(), 9).await), [(id(1), 1.0)]);
    for odd in [&[1.0, 0.0][..], &[0.0, 0.0, 0.0], &[f32::NAN, 0.0, 0.0], &[]] {
        assert!(search(&world, odd, &everything(), 9).await.is_empty());
    }
    // The files of the model were replaced: it gives another dimension now.
    put(&world, &[(2, vec![0.0, 1.0])]).await;
    assert_eq!(pairs(&search(&world, &[0.0, 1.0], &everything(), 9).await), [(id(2), 1.0)]);
    assert!(search(&world, &query, &everything(), 9).await.is_empty());
}

#[tokio::test]
async fn meaning_is_ready_after_a_load_in_the_background() {
    let world = World::new().await;
    world.add(1, Place::Workspace, "text").await;
    put(&world, &[(1, vec![1.0, 0.0])]).await;
    let first = world.index.meaning_ready(&model(2).id);
    assert!(!first, "nothing waits for the load");
    for _ in 0..6_000 {
        if world.index.meaning_ready(&model(2).id) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(search(&world, &[1.0, 0.0], &everything(), 1).await.len(), 1);
    assert!(world.index.bytes() > 0);
}

#[test]
fn any_sequence_of_writes_ends_in_the_same_answer_as_a_fresh_load() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    proptest!(ProptestConfig::with_cases(12), |(steps in prop::collection::vec((0i64..8, 0u8..5), 1..25), seed in any::<u64>())| {
        runtime.block_on(async {
            let mut random = Random(seed);
            let world = World::new().await;
            for n in 0..8 {
                world.add(n, place(n), &format!("text {n}")).await;
            }
            world.index.load(&model(5).id).await.expect("loads");
            let query = random.unit(5, None);
            for (step, (n, what)) in steps.into_iter().enumerate() {
                match what {
                    0 => {
                        let version: i64 = sqlx::query_scalar("SELECT version FROM memories WHERE id = ?")
                            .bind(id(n).to_string()).fetch_one(&world.db.reader()).await.expect("a version");
                        let vectors = match step % 3 {
                            0 => random.unit(5, None).into(),
                            several => passages((0..=several).map(|_| random.unit(5, None)).collect()),
                        };
                        let vectors = NewVectors { id: id(n), version: version as u64, vectors };
                        world.index.put(&model(5), &[vectors]).await.expect("stored");
                    }
                    1 => world.change(n, "forgotten_at = iif(forgotten_at IS NULL, $at, NULL), \
                        forgotten_reason = iif(forgotten_at IS NULL, 'x', NULL)", &[]).await,
                    2 => world.change(n, "content = ?", &[&format!("text {n} {step}")]).await,
                    3 => world.change(n, "importance = 0.1", &[]).await,
                    _ => { search(&world, &query, &everything(), 3).await; }
                }
            }
            let fresh = SearchIndex::new(Arc::clone(&world.db));
            fresh.load(&model(5).id).await.expect("loads");
            let expected = fresh.search_meaning(&query, &model(5).id, &everything(), 10).await.expect("an answer");
            assert_eq!(pairs(&search(&world, &query, &everything(), 10).await), pairs(&expected));
        });
    });
}
