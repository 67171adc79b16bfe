//! Words of a query that no text holds.

use inklings_domain::{scope::MemoryScope, search::query::parse};
use inklings_ports::search::store::MemorySearch;

use super::*;

async fn world() -> World {
    let world = World::new().await;
    world.add(1, Place::Workspace, "Hepzibah keeps the lighthouse of Ambry.").await;
    world.add(2, Place::Channel(channel(1)), "Der Hafenmeister öffnet das Schlosstor.").await;
    world.add(3, Place::Channel(channel(2)), "Kvothe sings at the harbour.").await;
    world
}

async fn found(world: &World, typed: &str, filter: &MemoryFilter) -> Vec<MemoryId> {
    let hits = world.index.search_text(&parse(typed).query, filter, 10).await.expect("an answer");
    hits.iter().map(|hit| hit.id).collect()
}

/// What is marked in an entry.
async fn marked<'t>(world: &World, typed: &str, n: i64, text: &'t str) -> Vec<&'t str> {
    let marks = world.index.highlights(&parse(typed).query, &[id(n)]).await.expect("an answer");
    marks.iter().flat_map(|mark| &mark.spans).map(|span| &text[span.clone()]).collect()
}

#[tokio::test]
async fn an_invented_name_is_found_by_a_nearby_spelling_and_marked() {
    let world = world().await;
    for typed in ["Hepziba", "what does Hepzibha keep", "hepzibáh"] {
        assert_eq!(found(&world, typed, &everything()).await, [id(1)], "{typed}");
    }
    assert_eq!(found(&world, "where does Kvohte sing", &everything()).await, [id(3)]);
    let text = "Hepzibah keeps the lighthouse of Ambry.";
    assert_eq!(marked(&world, "Hepziba", 1, text).await, ["Hepzibah"]);
    assert_eq!(marked(&world, "Hepziba keeps a boat", 1, text).await, ["Hepzibah", "keeps"]);
}

#[tokio::test]
async fn a_part_of_a_compound_finds_it() {
    let world = world().await;
    assert_eq!(found(&world, "Meister", &everything()).await, [id(2)]);
    assert_eq!(found(&world, "wer ist der Meister dort", &everything()).await, [id(2)]);
    let text = "Der Hafenmeister öffnet das Schlosstor.";
    assert_eq!(marked(&world, "Meister", 2, text).await, ["Hafenmeister"]);
}

#[tokio::test]
async fn quoted_words_and_operators_are_meant_literally() {
    let world = world().await;
    for typed in ["\"Hepziba\"", "Hepziba AND Ambry", "Hepziba OR Kvohte", "Meister -boat"] {
        assert!(found(&world, typed, &everything()).await.is_empty(), "{typed}");
    }
}

#[tokio::test]
async fn what_is_meant_is_searched_within_the_same_scope() {
    let world = world().await;
    let workspace = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Workspace], None, None));
    assert!(found(&world, "Kvohte", &workspace).await.is_empty());
    assert_eq!(found(&world, "Hepziba", &workspace).await, [id(1)]);
}

#[tokio::test]
async fn a_new_text_changes_what_is_meant_at_once() {
    let world = world().await;
    assert_eq!(found(&world, "Hepziba", &everything()).await, [id(1)]);
    assert_eq!(found(&world, "Oskart", &everything()).await, []);
    world.add(4, Place::Workspace, "Hepziba is another person. Oskar is not.").await;
    let asked = found(&world, "where is Hepziba now", &everything()).await;
    assert_eq!(asked, [id(4)], "a word that occurs means itself");
    assert_eq!(found(&world, "Oskart", &everything()).await, [id(4)]);
}
