use inklings_domain::{
    filter::Reach,
    scope::{MemoryScope, Place},
};

use super::{World, everything};
use crate::{
    memory::search::{Mode, Search, TextOnly},
    testing::builders::author,
};

fn search(query: &str) -> Search {
    Search {
        query: query.into(),
        filter: everything(),
        limit: 20,
        strategy: None,
        vector: None,
        marked: true,
    }
}

#[tokio::test]
async fn a_search_without_a_model_answers_from_text_and_says_so() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The iron gate of the salt city").await;
    world.session.embedder.set(None);
    let found = world.session.search_memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!(found.mode, Mode::Text(TextOnly::NoModel));
    assert_eq!(found.hits[0].stored.entry.id, id);
}

#[tokio::test]
async fn a_failing_model_never_fails_the_search() {
    let world = World::new().await;
    world.write(Place::Workspace, "The iron gate of the salt city").await;
    world.embedder.set_down(true);
    let found = world.session.search_memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!((found.mode, found.hits.len()), (Mode::Text(TextOnly::ModelFailed), 1));
}

#[tokio::test]
async fn a_search_before_the_vectors_are_read_says_so() {
    let world = World::new().await;
    world.write(Place::Workspace, "The iron gate of the salt city").await;
    world.catalogue.account_database().set_vectors_loading(true);
    let early = world.session.search_memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!((early.mode, early.hits.len()), (Mode::Text(TextOnly::VectorsLoading), 1));
    world.catalogue.account_database().set_vectors_loading(false);
    let later = world.session.search_memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!(later.mode, Mode::Hybrid);
}

#[tokio::test]
async fn every_hit_explains_its_score_to_the_last_digit() {
    let world = World::new().await;
    for n in 0..12 {
        world.write(Place::Workspace, &format!("gate number {n} of the salt city is iron")).await;
    }
    for strategy in inklings_domain::ranking::STRATEGIES {
        let mut request = search("which iron gate of the salt city");
        request.strategy = Some((*strategy).to_owned());
        let found = world.session.search_memories(request).await.expect("an answer");
        assert_eq!(found.strategy, *strategy);
        for hit in &found.hits {
            let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
            assert!((sum - hit.score).abs() < 1e-9);
        }
    }
    let mut unknown = search("x");
    unknown.strategy = Some("magic".into());
    assert!(world.session.search_memories(unknown).await.is_err());
}

#[tokio::test]
async fn what_says_the_same_is_shown_once_with_the_newest_on_top() {
    let world = World::new().await;
    let old = world.write(Place::Workspace, "The gate is iron.").await;
    let new = world.write(Place::Workspace, "the  gate is IRON.").await;
    let elsewhere = world.write(Place::Account, "The gate is iron.").await;
    let found = world.session.search_memories(search("gate iron")).await.expect("an answer");
    let top = found.hits.iter().find(|hit| hit.stored.entry.id == new).expect("the newest is on top");
    assert_eq!(top.folded, [old]);
    assert!(found.hits.iter().any(|hit| hit.stored.entry.id == elsewhere), "another tier is another fact");
}

#[tokio::test]
async fn what_is_out_of_reach_does_not_take_places_of_what_is_within() {
    let world = World::new().await;
    for n in 0..150 {
        world.write(Place::Account, &format!("iron gate iron gate {n}")).await;
    }
    let id =
        world.write(Place::Workspace, "a long remark that mentions some gate only once, in passing").await;
    let mut request = search("gate");
    request.filter.reach = Reach::new(&[MemoryScope::Workspace], None, None);
    let found = world.session.search_memories(request).await.expect("an answer");
    assert_eq!(found.hits.iter().map(|hit| hit.stored.entry.id).collect::<Vec<_>>(), [id]);
}

#[tokio::test]
async fn the_forgotten_is_not_found_until_it_is_restored() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "a regrettable verse").await;
    world.session.forget_memories(&[id], "not mine", author()).await.expect("forget");
    assert!(world.session.search_memories(search("verse")).await.expect("an answer").hits.is_empty());
    world.session.restore_memories(&[id], author()).await.expect("restore");
    assert_eq!(world.session.search_memories(search("verse")).await.expect("an answer").hits.len(), 1);
}
