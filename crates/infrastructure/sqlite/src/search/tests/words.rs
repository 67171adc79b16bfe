use inklings_domain::{
    memory::{decay::Exemption, filter::Selection},
    scope::MemoryScope,
    search::query::{TextQuery, parse},
};
use inklings_ports::search::store::{ListHit, MemorySearch};
use proptest::prelude::*;

use super::*;
use crate::search::expression;

async fn world() -> World {
    let world = World::new().await;
    world.add(1, Place::Workspace, "The iron gate of the salt city is never opened at night.").await;
    world.add(2, Place::Channel(channel(1)), "Mira guards the gate.").await;
    world.add(3, Place::Channel(channel(2)), "Toma paints gates and bridges.").await;
    world
        .add(4, Place::Conversation(channel(1), conversation(1)), "We spoke of the gate twice: gate, gate!")
        .await;
    world
        .add_named(5, Place::Workspace, "Speaks in short sentences.", Some("Gate Voice"), r#"["style"]"#)
        .await;
    world.add(6, Place::Workspace, "世界の門 and a 🐉 at 100% of (its) size; path\\to_file").await;
    world.add(7, Place::Channel(channel(1)), "active sworkspace forgotten schannel").await;
    world
}

fn numbers(hits: &[ListHit]) -> Vec<i64> {
    hits.iter().map(|hit| hit.id.as_uuid().as_u128() as i64 - 0x1000).collect()
}

async fn found(world: &World, typed: &str, filter: &MemoryFilter) -> Vec<i64> {
    let mut found =
        numbers(&world.index.search_text(&parse(typed).query, filter, 50).await.expect("an answer"));
    found.sort_unstable();
    found
}

#[tokio::test]
async fn words_are_found_in_content_and_name_within_reach() {
    let world = world().await;
    let scope_filter = |scopes: &[MemoryScope], channel, conversation| {
        MemoryFilter::active(ScopeFilter::new(scopes, channel, conversation))
    };
    assert_eq!(found(&world, "gate", &everything()).await, [1, 2, 3, 4, 5]);
    assert_eq!(found(&world, "gate", &scope_filter(&[], Some(channel(1)), None)).await, [1, 2, 4, 5]);
    assert_eq!(found(&world, "gate", &scope_filter(&[], Some(channel(2)), None)).await, [1, 3, 5]);
    assert_eq!(found(&world, "gate", &scope_filter(&[MemoryScope::Channel], None, None)).await, [2, 3]);
    assert_eq!(
        found(&world, "gate", &scope_filter(&[MemoryScope::Conversation], None, Some(conversation(1)))).await,
        [4]
    );
    assert_eq!(
        found(&world, "gate", &scope_filter(&[MemoryScope::Conversation], None, Some(conversation(2)))).await,
        Vec::<i64>::new()
    );
    assert_eq!(
        found(&world, "gate", &scope_filter(&[MemoryScope::Account], None, None)).await,
        Vec::<i64>::new()
    );
    let only = ScopeFilter {
        workspace: false,
        channels: Selection::Only(vec![channel(1), channel(2)]),
        conversations: Selection::None,
        ..ScopeFilter::EVERYTHING
    };
    assert_eq!(found(&world, "gate", &MemoryFilter::active(only)).await, [2, 3]);
}

/// Entries about somebody whom other entries name more often than her own does.
async fn titled() -> World {
    let world = World::new().await;
    for n in 1..30 {
        let text = "Origami Tobiichi fights. Origami Tobiichi runs. Tobiichi, Origami! Origami again.";
        world.add(n, Place::Workspace, &format!("{text} Chapter {n} of the long story.")).await;
    }
    world.add(40, Place::Workspace, "Tall, white hair; speaks little and means it.").await;
    world.add(41, Place::Channel(channel(1)), "A spirit from another world.").await;
    world.add(42, Place::Workspace, "Her rival, always near.").await;
    world.call(40, Some("Origami Tobiichi"), &["the angel", "Tobiichi-san", "Sergeant \"Ori\""]).await;
    world.call(41, Some("Tohka"), &["princess", "the angel's rival"]).await;
    world.call(42, None, &["Origami"]).await;
    world
}

async fn called(world: &World, text: &str, filter: &MemoryFilter) -> Vec<i64> {
    let mut found = numbers(&world.index.called(text, filter).await.expect("an answer"));
    found.sort_unstable();
    found
}

#[tokio::test]
async fn an_entry_is_found_by_its_title_before_entries_that_only_mention_it() {
    let world = titled().await;
    let first = async |typed: &str| {
        let found = world.index.search_text(&parse(typed).query, &everything(), 50).await.expect("an answer");
        numbers(&found).first().copied()
    };
    for typed in ["Origami Tobiichi", "who is origami tobiichi?", "tobiichi", "Tobiichi AND Origami"] {
        assert_eq!(first(typed).await, Some(40), "{typed}");
    }
    assert_eq!(found(&world, "princess", &everything()).await, [41]);
    assert_eq!(found(&world, "angel", &everything()).await, [40, 41]);
    assert_eq!(found(&world, "angel -tohka", &everything()).await, [40]);
}

#[tokio::test]
async fn a_title_or_key_that_is_the_whole_query_is_found_within_the_filter() {
    let world = titled().await;
    let in_channels = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], None, None));
    assert_eq!(called(&world, " origami  TOBIICHI? ", &everything()).await, [40]);
    assert_eq!(called(&world, "the angel", &everything()).await, [40]);
    assert_eq!(called(&world, "sergeant ori", &everything()).await, [40]);
    assert_eq!(called(&world, "origami", &everything()).await, [42]);
    assert_eq!(called(&world, "Princess", &in_channels).await, [41]);
    assert_eq!(called(&world, "Origami Tobiichi", &in_channels).await, Vec::<i64>::new());
    for none in ["", "?!", "angel", "origami tobiichi runs", "Chapter 3", &"angel ".repeat(500)] {
        assert_eq!(called(&world, none, &everything()).await, Vec::<i64>::new(), "{none}");
    }
}

#[tokio::test]
async fn symbols_are_searched_in_titles_and_keys() {
    let world = titled().await;
    world.call(42, Some("🐉"), &["世界"]).await;
    assert_eq!(found(&world, "🐉", &everything()).await, [42]);
    assert_eq!(found(&world, "世", &everything()).await, [42]);
    assert_eq!(found(&world, "🐍", &everything()).await, Vec::<i64>::new());
}

#[tokio::test]
async fn the_words_for_narrowing_down_are_not_text() {
    let world = world().await;
    assert_eq!(found(&world, "sworkspace", &everything()).await, [7]);
    assert_eq!(found(&world, "forgotten", &everything()).await, [7]);
    assert_eq!(found(&world, "active", &everything()).await, [7]);
}

#[tokio::test]
async fn operators_mean_what_they_say() {
    let world = world().await;
    assert_eq!(found(&world, "\"iron gate\"", &everything()).await, [1]);
    assert_eq!(found(&world, "gate -mira", &everything()).await, [1, 3, 4, 5]);
    assert_eq!(found(&world, "mira OR toma", &everything()).await, [2, 3]);
    assert_eq!(found(&world, "gate AND iron", &everything()).await, [1]);
    assert_eq!(found(&world, "pai", &everything()).await, [3]);
}

#[tokio::test]
async fn forgotten_entries_leave_the_results_and_come_back() {
    let world = world().await;
    world.forget(2).await;
    assert_eq!(found(&world, "gate", &everything()).await, [1, 3, 4, 5]);
    assert_eq!(found(&world, "gate", &with(Facet::Forgotten, "yes")).await, [2]);
    assert_eq!(found(&world, "gate", &with(Facet::Forgotten, "any")).await, [1, 2, 3, 4, 5]);
    world.change(2, "forgotten_at = NULL, forgotten_reason = NULL", &[]).await;
    assert_eq!(found(&world, "gate", &everything()).await, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn conditions_come_before_the_cut() {
    let world = World::new().await;
    for n in 0..30 {
        world.add(n, Place::Workspace, "gate gate gate").await;
    }
    world.add_named(40, Place::Workspace, "one gate among many other words here", None, r#"["rare"]"#).await;
    let query = parse("gate").query;
    let hits = world.index.search_text(&query, &with(Facet::Tag, "rare"), 1).await.expect("an answer");
    assert_eq!(numbers(&hits), [40]);
}

#[tokio::test]
async fn the_best_come_first_with_a_score_that_falls() {
    let world = world().await;
    let hits = world.index.search_text(&parse("gate").query, &everything(), 3).await.expect("an answer");
    assert_eq!(hits.len(), 3);
    assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score) && hits[2].score > 0.0);
    assert!(
        hits.iter().any(|hit| hit.decay.exemption == Exemption::Fixed),
        "the named entry is among the best"
    );
}

#[tokio::test]
async fn symbols_and_unspaced_scripts_are_found_by_their_characters() {
    let world = world().await;
    for typed in ["🐉", "界の", "%", "(", "\\", "_"] {
        assert_eq!(found(&world, typed, &everything()).await, [6], "{typed}");
    }
    assert_eq!(
        found(&world, "🐉", &MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], None, None)))
            .await,
        Vec::<i64>::new()
    );
    world.forget(6).await;
    assert_eq!(found(&world, "🐉", &everything()).await, Vec::<i64>::new());
}

#[tokio::test]
async fn highlights_are_byte_ranges_of_the_content() {
    let world = world().await;
    let text = "Größe: die Tore, das Tor — 🐉 gate’s GATES";
    world.add(8, Place::Workspace, text).await;
    let marked = |typed: &'static str, n: i64| {
        let index = Arc::clone(&world.index);
        async move { index.highlights(&parse(typed).query, &[id(n)]).await.expect("an answer") }
    };
    let spans = &marked("gate", 8).await[0].spans;
    assert_eq!(spans.iter().map(|s| &text[s.clone()]).collect::<Vec<_>>(), ["gate", "GATES"]);
    let spans = &marked("grosse OR größe", 8).await[0].spans;
    assert_eq!(&text[spans[0].clone()], "Größe");
    let spans = &marked("🐉", 8).await[0].spans;
    assert_eq!(&text[spans[0].clone()], "🐉");
    assert_eq!(marked("bridge", 8).await, []);
    assert_eq!(marked("sworkspace", 1).await, []);
    assert_eq!(world.index.highlights(&TextQuery::Nothing, &[id(1)]).await.expect("an answer"), []);
}

#[tokio::test]
async fn very_common_words_are_left_out_while_rarer_ones_remain() {
    let world = World::new().await;
    let mut tx = world.db.begin_immediate().await.expect("begins");
    sqlx::query("INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) VALUES (?, ?, 'test', 'import', 'cli', 1, 1)")
        .bind(workspace().to_string()).bind(Uuid::from_u128(77).to_string()).execute(&mut *tx).await.expect("journal");
    sqlx::query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) \
         INSERT INTO memories (workspace_id, id, scope, lifetime, curator, kind, importance, source, change_seq, version, \
         written_by, change_id, created_at, accessed_at, updated_at, content) \
         SELECT ?1, printf('00000000-0000-7000-8000-%012d', i), 'workspace', 'long_term', 'import', 'note', 0.5, 'user', \
         (SELECT tick FROM change_clock), 1, 'import', ?2, i, i, i, \
         'common word ' || i || iif(i % 500 = 0, ' seldom', '') FROM n",
    )
    .bind(workspace().to_string()).bind(Uuid::from_u128(77).to_string()).execute(&mut *tx).await.expect("rows");
    tx.commit().await.expect("commits");
    world.add(9_000, Place::Channel(channel(1)), "a common ledger").await;
    let hits_of = |typed: &'static str, filter: MemoryFilter| {
        let index = Arc::clone(&world.index);
        async move { index.search_text(&parse(typed).query, &filter, 5000).await.expect("an answer").len() }
    };
    let hits = |typed: &'static str| hits_of(typed, everything());
    assert_eq!(hits("common and seldom met").await, 5);
    assert_eq!(hits("common word").await, 2500);
    assert_eq!(hits("common AND word").await, 2500);
    assert_eq!(hits("common and seldom met").await, 5);
    // A word that occurs nowhere is no rarer one, and neither is one that occurs only outside the filter.
    assert_eq!(hits("common zeppelin").await, 2501);
    let in_channel = || MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], None, None));
    let by_curator = || MemoryFilter { terms: with(Facet::Curator, "author").terms, ..in_channel() };
    for filter in [in_channel(), by_curator()] {
        for _ in 0..2 {
            assert_eq!(hits_of("common seldom", filter.clone()).await, 1);
        }
        let query = parse("common seldom").query;
        let matches = crate::search::text::matches(&world.db, &world.index.text, &query, &filter);
        assert!(!matches.await.expect("an answer").is_empty(), "candidates are scored by the same words");
    }
}

#[test]
fn no_string_is_ever_an_error() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let world = runtime.block_on(world());
    let alphabet = "[a-zA-Zé\"*()^:{}+.,NEAR ORANDNOT世🐉%_'\\\\\u{0}\u{1}\u{2}-]{0,60}";
    let strings = prop_oneof![alphabet, "\\PC{0,80}", any::<String>()];
    proptest!(ProptestConfig::with_cases(300), |(typed in strings)| {
        let query = parse(&typed).query;
        runtime.block_on(async {
            for filter in [everything(), with(Facet::Tag, &typed), MemoryFilter::active(ScopeFilter::new(&[], Some(channel(1)), None))] {
                world.index.search_text(&query, &filter, 10).await.map_err(|e| TestCaseError::fail(format!("{typed:?}: {e:?}")))?;
            }
            let marks = world.index.highlights(&query, &[id(1), id(6)]).await;
            marks.map_err(|e| TestCaseError::fail(format!("{typed:?}: {e:?}")))?;
            Ok::<(), TestCaseError>(())
        })?;
    });
    let long = "gate ".repeat(2_000);
    runtime.block_on(world.index.search_text(&parse(&long).query, &everything(), 10)).expect("an answer");
    let many = (0..500).map(|n| format!("w{n} OR -x{n}")).collect::<Vec<_>>().join(" ");
    runtime.block_on(world.index.search_text(&parse(&many).query, &everything(), 10)).expect("an answer");
}

/// Scores by FTS5's own function.
async fn plain_scores(world: &World, typed: &str) -> Vec<(MemoryId, f64)> {
    let expression = expression::text(&parse(typed).query).expect("words");
    let rows: Vec<(String, f64)> = sqlx::query_as(
        "SELECT m.id, -bm25(memories_fts, 1.0, 2.0, 3.0, 2.0, 0.0) AS score FROM memories_fts \
         JOIN memories AS m ON m.seq = memories_fts.rowid WHERE memories_fts MATCH ? \
         ORDER BY score DESC, m.seq DESC",
    )
    .bind(expression)
    .fetch_all(&world.db.reader())
    .await
    .expect("an answer");
    rows.into_iter().map(|(id, score)| (id.parse().expect("an id"), score)).collect()
}

#[tokio::test]
async fn scores_are_those_of_the_index_itself_before_and_after_changes() {
    const WORDS: [&str; 7] = ["gate", "iron", "salt", "night", "mira", "bridge", "city"];
    let world = World::new().await;
    let text = |n: i64| {
        let count = 3 + n % 9;
        (0..count).map(|i| WORDS[((n * n + i * i * 3 + i) % 7) as usize]).collect::<Vec<_>>().join(" ")
    };
    for n in 0..60 {
        let name = (n % 7 == 0).then(|| format!("gate {n}"));
        world.add_named(n, place(n), &text(n), name.as_deref(), "[]").await;
    }
    let check = async || {
        for typed in [
            "gate",
            "iron salt",
            "\"salt night\" OR mira",
            "gate iron -bridge",
            "cit",
            "gate AND bri*",
            "zzz iron",
        ] {
            let hits =
                world.index.search_text(&parse(typed).query, &with(Facet::Forgotten, "any"), 100).await;
            let hits = hits.expect("an answer");
            let plain = plain_scores(&world, typed).await;
            assert_eq!(hits.len(), plain.len(), "{typed}");
            for (hit, (id, score)) in hits.iter().zip(&plain) {
                assert!((hit.score - score).abs() < 1e-9, "{typed}: {} is not {score}", hit.score);
                assert_eq!(hit.id, *id, "{typed}");
            }
            // A narrower scope does not change the scores.
            let scope_filter =
                MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], Some(channel(1)), None));
            for hit in
                world.index.search_text(&parse(typed).query, &scope_filter, 100).await.expect("an answer")
            {
                let (_, score) = plain.iter().find(|(id, _)| *id == hit.id).expect("is among all");
                assert!((hit.score - score).abs() < 1e-9, "{typed}: {} is not {score}", hit.score);
            }
        }
    };
    check().await;
    check().await;
    world
        .change(5, "content = ?", &["gate gate and a much longer text than it was before, of iron and salt"])
        .await;
    world.forget(6).await;
    world.add(90, Place::Workspace, "a new gate").await;
    check().await;
    world.destroy(7).await;
    check().await;
}

fn place(n: i64) -> Place {
    if n % 3 == 0 { Place::Channel(channel(1)) } else { Place::Workspace }
}
