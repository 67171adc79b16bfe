//! Compares cached results, and results computed outside the index, with those of the naive implementation.

use std::ops::Range;

use inklings_domain::search::query::{Clause, TextQuery, parse};
use inklings_ports::{
    memory::{
        store::MemoryStore as _,
        vector_store::{NewVectors, VectorStore},
    },
    search::store::{ListHit, MemorySearch},
};
use proptest::prelude::*;
use sqlx::Row as _;

use super::*;
use crate::{search::expression, store::SqliteStore};

async fn hits(world: &World, typed: &str, limit: usize) -> Vec<ListHit> {
    world.index.search_text(&parse(typed).query, &everything(), limit).await.expect("an answer")
}

/// The same search through an index with an empty cache.
async fn afresh(world: &World, typed: &str, limit: usize) -> Vec<ListHit> {
    let index = SearchIndex::new(Arc::clone(&world.db));
    index.search_text(&parse(typed).query, &everything(), limit).await.expect("an answer")
}

#[tokio::test]
async fn every_write_drops_the_cached_row_of_its_entry() {
    let world = World::new().await;
    for n in 1..=4 {
        world.add(n, Place::Workspace, &format!("gate number {n}")).await;
    }
    let check = async |what: &str| {
        assert_eq!(hits(&world, "gate", 9).await, afresh(&world, "gate", 9).await, "{what}");
    };
    check("at first").await;
    // A write of another process that makes no version and does not advance the clock.
    let other = open(world.folder.path()).await;
    let mut tx = other.begin_immediate().await.expect("begins");
    sqlx::query(
        "UPDATE memories SET access_count = access_count + 3, accessed_at = accessed_at + 7 WHERE id = ?",
    )
    .bind(id(2).to_string())
    .execute(&mut *tx)
    .await
    .expect("a use");
    tx.commit().await.expect("commits");
    check("after a use").await;
    let used = hits(&world, "gate", 9).await.into_iter().find(|hit| hit.id == id(2)).expect("is found");
    assert_eq!(used.decay.access_count, 3);
    world.change(3, "importance = 0.9, pinned = 1", &[]).await;
    check("after a change").await;
    world.forget(1).await;
    check("after forgetting").await;
    world.destroy(1).await;
    check("after destroying").await;
    world.add(9, Place::Channel(channel(1)), "one more gate").await;
    check("after a new one").await;
    other.close().await;
}

#[tokio::test]
async fn an_entry_is_read_wherever_it_stands_by_now() {
    let world = World::new().await;
    let store = SqliteStore::new(Arc::clone(&world.db));
    let read = async || {
        let mut found = store.get(&[id(1), id(2), id(2), id(3)]).await.expect("an answer");
        found.sort_by_key(|stored| stored.entry.id);
        found.into_iter().map(|stored| (stored.entry.id, stored.entry.content)).collect::<Vec<_>>()
    };
    world.add(1, Place::Workspace, "gate one").await;
    world.add(2, Place::Workspace, "gate two").await;
    let both = [(id(1), "gate one".to_owned()), (id(2), "gate two".to_owned())];
    assert_eq!(read().await, both, "by their ids");
    hits(&world, "gate", 9).await;
    assert!(world.db.rowid_cache().of(&[id(1), id(2)]).iter().all(Option::is_some));
    assert_eq!(read().await, both, "by their row numbers");
    // An import can restore a destroyed entry under another row number; no search has seen that yet.
    world.destroy(1).await;
    assert_eq!(read().await, both[1..]);
    world.add(3, Place::Workspace, "gate three").await;
    world.add(1, Place::Workspace, "gate again").await;
    let all = [(1, "gate again"), (2, "gate two"), (3, "gate three")];
    assert_eq!(read().await, all.map(|(n, text)| (id(n), text.to_owned())));
}

#[tokio::test]
async fn the_best_offered_are_the_first_of_all_sorted() {
    let world = World::new().await;
    // Many scores are equal: then the newest come first.
    for n in 0..70 {
        let words = ["gate", "gate iron", "iron", "gate of iron and salt"][(n * n % 4) as usize];
        world.add(n, Place::Workspace, words).await;
    }
    for typed in ["gate", "iron salt", "gate iron of"] {
        let all = hits(&world, typed, 1_000).await;
        assert!(all.is_sorted_by(|a, b| a.score > b.score || (a.score - b.score).abs() < 1e-12), "{typed}");
        for limit in [1, 2, 3, 7, 20, all.len() - 1, all.len()] {
            assert_eq!(hits(&world, typed, limit).await, all[..limit.min(all.len())], "{typed}, {limit}");
        }
    }
}

#[tokio::test]
async fn vectors_from_memory_are_those_in_the_file() {
    let world = World::new().await;
    for n in 1..=3 {
        world.add(n, Place::Workspace, &format!("gate {n}")).await;
    }
    let put = async |n: i64, vector: Vec<f32>| {
        let version = 1;
        world
            .index
            .put(&model(2), &[NewVectors { id: id(n), version, vectors: vector.into() }])
            .await
            .expect("stored");
    };
    put(1, vec![0.6, 0.8]).await;
    put(2, vec![1.0, 0.0]).await;
    world.index.load(&model(2).id).await.expect("loads");
    let vectors = async || {
        let mut found = world.index.vectors(&[id(1), id(2), id(3)], &model(2).id).await.expect("an answer");
        found.sort_by_key(|(id, _)| *id);
        found
    };
    let before = vec![(id(1), vec![0.6, 0.8]), (id(2), vec![1.0, 0.0])];
    assert_eq!(vectors().await, before, "from the file: no search has named them yet");
    hits(&world, "gate", 9).await;
    assert_eq!(vectors().await, before, "from memory");
    put(2, vec![0.0, 1.0]).await;
    put(3, vec![0.8, 0.6]).await;
    let after = vec![(id(1), vec![0.6, 0.8]), (id(2), vec![0.0, 1.0]), (id(3), vec![0.8, 0.6])];
    assert_eq!(vectors().await, after, "the matrix has not followed yet");
    world.index.search_meaning(&[1.0, 0.0], &model(2).id, &everything(), 9).await.expect("an answer");
    hits(&world, "gate", 9).await;
    assert_eq!(vectors().await, after, "now it has");
    world.destroy(3).await;
    assert_eq!(vectors().await, after[..2]);
}

/// The match positions of FTS5's own function.
async fn plain_marks(world: &World, clauses: &[Clause], n: i64) -> Vec<Range<usize>> {
    let phrases: Vec<String> = clauses.iter().filter_map(expression::phrase).collect();
    if phrases.is_empty() {
        return Vec::new();
    }
    let row = sqlx::query(
        "SELECT highlight(memories_fts, 0, char(2), char(3)) AS marked \
         FROM memories_fts CROSS JOIN memories AS m ON m.seq = memories_fts.rowid \
         WHERE memories_fts MATCH ?1 AND m.id = ?2",
    )
    .bind(format!("content : ({})", phrases.join(" OR ")))
    .bind(id(n).to_string())
    .fetch_optional(&world.db.reader())
    .await
    .expect("an answer");
    let Some(row) = row else { return Vec::new() };
    let (mut ranges, mut at, mut start) = (Vec::new(), 0, 0);
    for c in row.get::<&str, _>("marked").chars() {
        match c {
            '\u{2}' => start = at,
            '\u{3}' => ranges.push(start..at),
            _ => at += c.len_utf8(),
        }
    }
    ranges
}

#[test]
fn marks_are_those_that_the_index_itself_would_make() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let world = runtime.block_on(World::new());
    // Few stems in many forms, so that words collide; and any characters of a keyboard.
    let token = prop_oneof![
        4 => prop::sample::select(vec![
            "gate", "gates", "Gated", "gating", "iron", "IRONS", "salt", "sälte", "Größe", "grosse", "running", "ran",
            "run", "flies", "fly", "sky", "skies", "Ys", "being", "eing", "ied", "yed", "e\u{301}tude", "étude", "Ⓐ", "ﬁre", "fire", "naïve", "a", "I", "9", "№7", "ß", "İs",
        ]).prop_map(str::to_owned),
        // Short words, of which the stemmer leaves little.
        2 => ("[aeiyb]{1,2}", prop::sample::select(vec!["", "s", "ed", "eds", "ing", "ying", "ies", "eed", "ate", "y"]))
            .prop_map(|(stem, end)| stem + end),
        1 => "\\PC{1,6}",
    ];
    let gap = prop::sample::select(vec![" ", "-", "; ", "\n", "’", " 🐉 ", "_"]);
    // ASCII texts take another code path.
    let text =
        (prop::collection::vec((token.clone(), gap), 1..30), any::<bool>()).prop_map(|(words, plain)| {
            let text: String = words.into_iter().flat_map(|(word, gap)| [word, gap.to_owned()]).collect();
            if plain { text.replace(|c: char| !c.is_ascii(), "-") } else { text }
        });
    let clause = (prop::collection::vec(token, 1..4), any::<bool>())
        .prop_map(|(words, prefix)| Clause { words, prefix });
    let clauses = prop::collection::vec(clause, 0..5);
    let next = std::cell::Cell::new(1);
    proptest!(ProptestConfig::with_cases(400), |(text in text, clauses in clauses)| {
        let n = next.replace(next.get() + 1);
        runtime.block_on(async {
            world.add(n, Place::Workspace, &text).await;
            for query in [
                TextQuery::Any(clauses.clone()),
                TextQuery::All { groups: clauses.iter().map(|clause| vec![clause.clone()]).collect(), without: vec![] },
            ] {
                let marks = world.index.highlights(&query, &[id(n)]).await.expect("an answer");
                let ours = marks.into_iter().next().map(|marks| marks.spans).unwrap_or_default();
                let meant = match world.index.text.frequencies.spelled(&world.db, &query).await.expect("an answer") {
                    TextQuery::Any(meant) => meant,
                    _ => clauses.clone(),
                };
                prop_assert_eq!(&ours, &plain_marks(&world, &meant, n).await, "{:?} in {:?}", clauses, text);
                prop_assert!(ours.iter().all(|range| text.get(range.clone()).is_some()));
                // Cached rows take another code path.
                world.index.search_text(&query, &everything(), 50).await.expect("an answer");
                let again = world.index.highlights(&query, &[id(n)]).await.expect("an answer");
                prop_assert_eq!(again.into_iter().next().map(|marks| marks.spans).unwrap_or_default(), ours);
            }
            Ok(())
        })?;
    });
}

#[tokio::test]
async fn a_word_longer_than_the_index_holds_is_marked_as_the_index_would() {
    let world = World::new().await;
    let long = "x".repeat(40_000);
    world.add(1, Place::Workspace, &format!("gate {long} gate")).await;
    let clauses = vec![Clause { words: vec!["x".repeat(39_000)], prefix: false }];
    let marks = world.index.highlights(&TextQuery::Any(clauses.clone()), &[id(1)]).await.expect("an answer");
    let ours = marks.into_iter().next().map(|marks| marks.spans).unwrap_or_default();
    assert_eq!(ours, plain_marks(&world, &clauses, 1).await);
    assert_eq!(ours, vec![5..40_005]);
}
