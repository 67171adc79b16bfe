//! The copy of the matrix beside the database.

use std::{fs, path::PathBuf};

use inklings_ports::memory::vector_store::{NewVectors, VectorStore as _};

use super::{
    meaning::{Random, brute, pairs, search},
    passages::passages,
    *,
};
use crate::scrub::clean;

const DIMENSION: usize = 24;

/// The copies in a world's folder, finished or not.
fn copies(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.to_string_lossy().contains("agents.db-vectors")).collect()
}

/// A world with `count` entries that have vectors, and the vectors.
async fn world(count: i64, random: &mut Random) -> (World, Vec<(i64, Vec<f32>)>) {
    let world = World::with_whole_vectors(0).await;
    let mut vectors = Vec::new();
    for n in 0..count {
        world.add(n, Place::Workspace, "text").await;
        vectors.push((n, random.unit(DIMENSION, None)));
        put(&world, &vectors[n as usize]).await;
    }
    (world, vectors)
}

async fn put(world: &World, (n, vector): &(i64, Vec<f32>)) {
    put_version(world, *n, 1, vector).await;
}

async fn put_version(world: &World, n: i64, version: u64, vector: &[f32]) {
    let new = NewVectors { id: id(n), version, vectors: vector.to_vec().into() };
    assert_eq!(world.index.put(&model(DIMENSION), &[new]).await.expect("an answer"), 1);
}

/// As a process that starts now: a new index on the database.
fn started(world: World) -> World {
    let index = SearchIndex::with_whole_bytes(Arc::clone(&world.db), 0);
    World { index, ..world }
}

async fn load(world: &World) {
    world.index.load(&model(DIMENSION).id).await.expect("loads");
}

/// True if the next start would take the copy.
async fn is_used(world: &World) -> bool {
    let fresh = SearchIndex::with_whole_bytes(Arc::clone(&world.db), 0);
    fresh.model(&model(DIMENSION).id).load_saved(&world.db).await.expect("an answer").is_some()
}

async fn agree(world: &World, vectors: &[(i64, Vec<f32>)], random: &mut Random) {
    for limit in [1, 7, 200] {
        let query = random.unit(DIMENSION, None);
        let hits = search(world, &query, &everything(), limit).await;
        assert_eq!(pairs(&hits), brute(vectors, &query, limit, |_| true));
    }
}

#[tokio::test]
async fn a_start_with_a_copy_finds_what_was_written_since_it_was_made() {
    let mut random = Random(21);
    let (world, mut vectors) = world(60, &mut random).await;
    load(&world).await;
    assert_eq!(copies(world.folder.path()).len(), 1);
    for n in 60..64 {
        world.add(n, Place::Workspace, "text").await;
        vectors.push((n, random.unit(DIMENSION, None)));
        put(&world, &vectors[n as usize]).await;
    }
    world.change(5, "content = ?", &["another text"]).await;
    vectors[5].1 = random.unit(DIMENSION, None);
    put_version(&world, 5, 2, &vectors[5].1).await;
    world.forget(6).await;
    vectors.retain(|(n, _)| *n != 6);
    assert!(is_used(&world).await);
    let world = started(world);
    load(&world).await;
    agree(&world, &vectors, &mut random).await;
    // Destroyed rows leave no tick.
    world.destroy(7).await;
    vectors.retain(|(n, _)| *n != 7);
    assert!(is_used(&world).await);
    let world = started(world);
    load(&world).await;
    agree(&world, &vectors, &mut random).await;
}

#[tokio::test]
async fn the_passages_of_long_texts_are_in_the_copy() {
    let mut random = Random(22);
    let (world, _) = world(5, &mut random).await;
    let several: Vec<Vec<f32>> = (0..4).map(|_| random.unit(DIMENSION, None)).collect();
    world.add(9, Place::Workspace, "text").await;
    let new = NewVectors { id: id(9), version: 1, vectors: passages(several.clone()) };
    assert_eq!(world.index.put(&model(DIMENSION), &[new]).await.expect("an answer"), 1);
    load(&world).await;
    assert!(is_used(&world).await);
    let world = started(world);
    load(&world).await;
    for vector in &several {
        let hits = search(&world, vector, &everything(), 1).await;
        assert_eq!(hits[0].id, id(9));
    }
}

/// The other state has as many changes, so that its clock alone would not tell.
#[tokio::test]
async fn a_copy_of_another_state_is_passed_over() {
    let mut random = Random(23);
    let (world, mut vectors) = world(20, &mut random).await;
    world.db.truncate_log().await.expect("truncated");
    let backup = world.folder.path().join("backup");
    fs::copy(world.db.path(), &backup).expect("a backup");
    vectors.push((20, random.unit(DIMENSION, None)));
    for n in [20, 21] {
        world.add(n, Place::Workspace, "text").await;
        put(&world, &(n, vectors[20].1.clone())).await;
    }
    load(&world).await;
    assert!(is_used(&world).await);
    let World { folder, db, index } = world;
    drop(index);
    db.close().await;
    fs::rename(&backup, folder.path().join("agents.db")).expect("restored");
    let db = open(folder.path()).await;
    let world = started(World { index: SearchIndex::new(Arc::clone(&db)), folder, db });
    assert!(!is_used(&world).await, "its clock is behind");
    for n in 30..40 {
        world.add(n, Place::Workspace, "text").await;
    }
    vectors[20] = (30, random.unit(DIMENSION, None));
    put(&world, &vectors[20]).await;
    assert!(!is_used(&world).await, "its newest change set is not in the journal");
    load(&world).await;
    agree(&world, &vectors, &mut random).await;
    assert!(is_used(&world).await, "it was made anew");
}

#[tokio::test]
async fn a_damaged_copy_is_passed_over_and_made_anew() {
    let mut random = Random(24);
    let (world, vectors) = world(20, &mut random).await;
    load(&world).await;
    let [copy] = &copies(world.folder.path())[..] else { panic!("one copy") };
    fs::write(copy, b"not a matrix").expect("it is damaged");
    assert!(!is_used(&world).await);
    let world = started(world);
    load(&world).await;
    agree(&world, &vectors, &mut random).await;
    assert!(is_used(&world).await);
}

#[tokio::test]
async fn a_copy_of_another_model_is_passed_over_and_replaced() {
    let mut random = Random(26);
    let (world, vectors) = world(3, &mut random).await;
    let other = EmbeddingModel { id: ModelId::new("another"), dimension: DIMENSION };
    let new = NewVectors { id: id(0), version: 1, vectors: random.unit(DIMENSION, None).into() };
    assert_eq!(world.index.put(&other, &[new]).await.expect("an answer"), 1);
    world.index.load(&other.id).await.expect("loads");
    assert!(!is_used(&world).await);
    load(&world).await;
    agree(&world, &vectors, &mut random).await;
    assert!(is_used(&world).await);
    assert_eq!(copies(world.folder.path()).len(), 1);
}

#[tokio::test]
async fn vectors_that_fit_into_memory_have_no_copy() {
    let world = World::with_whole_vectors(usize::MAX).await;
    world.add(1, Place::Workspace, "text").await;
    put(&world, &(1, vec![0.5; DIMENSION])).await;
    // Of a time when there were more.
    fs::write(world.folder.path().join("agents.db-vectors"), b"inkvec01").expect("it is written");
    load(&world).await;
    assert_eq!(copies(world.folder.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_scrub_removes_the_copy() {
    let mut random = Random(25);
    let (world, _) = world(3, &mut random).await;
    load(&world).await;
    assert_eq!(copies(world.folder.path()), [world.folder.path().join("agents.db-vectors")]);
    // Left by a process that was killed.
    fs::write(world.folder.path().join("agents.db-vectors.new"), b"inkvec01").expect("it is written");
    clean::clean(&world.db).await.expect("it is cleaned");
    assert_eq!(copies(world.folder.path()), Vec::<PathBuf>::new());
}
