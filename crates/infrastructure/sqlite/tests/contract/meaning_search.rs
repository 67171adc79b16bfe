//! Search by meaning, compared with brute force over the vectors that were stored.

use inklings_application::testing::world::settle;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        embedding::{EmbeddingModel, dot, unit},
        filter::{Facet, MemoryFilter, ScopeFilter, Selection},
    },
    scope::Place,
};
use inklings_ports::{
    memory::{store::StoredEntry, vector_store::NewVectors},
    search::store::ListHit,
    testing::{
        builders::{agent, author, draft, everywhere, new_tags, new_text, only},
        oracle,
        random::Dice,
    },
    workspace::catalogue::MemoryPorts,
};

use super::{CheckedStage, Stage, model, population};

type Embedded = Vec<(MemoryEntry, Vec<f32>)>;

/// How far two sums of the same products in another order may lie apart.
const TOLERANCE: f64 = 1e-5;

async fn nearest(
    memory: &MemoryPorts,
    vector: &[f32],
    model: &EmbeddingModel,
    filter: &MemoryFilter,
    limit: usize,
) -> Vec<ListHit> {
    let hits = memory.search.search_meaning(vector, &model.id, filter, limit).await.expect("search answers");
    assert!(hits.len() <= limit, "{} hits where {limit} were asked for", hits.len());
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "the nearest come first");
    hits
}

async fn ids_near(
    stage: &Stage,
    vector: &[f32],
    model: &EmbeddingModel,
    filter: &MemoryFilter,
) -> Vec<MemoryId> {
    nearest(stage.memory(), vector, model, filter, 100).await.into_iter().map(|hit| hit.id).collect()
}

/// Compares hits with brute force over `among`: the same cosines in the same order, each its own entry's.
fn agree(hits: &[ListHit], vector: &[f32], among: &[&(MemoryEntry, Vec<f32>)], limit: usize) {
    let cosine = |own: &[f32]| f64::from(dot(vector, own));
    let mut expected: Vec<f64> = among.iter().map(|(_, own)| cosine(own)).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    expected.truncate(limit);
    assert_eq!(hits.len(), expected.len());
    let mut seen = std::collections::HashSet::new();
    for (rank, (hit, expected)) in hits.iter().zip(expected).enumerate() {
        assert!(seen.insert(hit.id), "an entry stands twice in the list");
        let (_, own) = among.iter().find(|(e, _)| e.id == hit.id).expect("an entry within reach");
        assert!((hit.score - cosine(own)).abs() < TOLERANCE, "rank {rank}: the entry's own cosine");
        assert!(
            (hit.score - expected).abs() < TOLERANCE,
            "rank {rank}: {} where {expected} was due",
            hit.score
        );
        if let Some(vector) = &hit.vector {
            assert_eq!(vector, own, "the vector that was stored");
        }
    }
}

async fn embedded_notes(stage: &Stage, model: &EmbeddingModel, vectors: Vec<Vec<f32>>) -> Embedded {
    let places = stage.places();
    let drafts = (0..vectors.len()).map(|n| draft(places[n % places.len()], &format!("Note {n}.")));
    let embedded: Embedded = stage.write(agent(), drafts).await.into_iter().zip(vectors).collect();
    stage.embed(model, &embedded).await;
    embedded
}

fn axis(dimension: usize, n: usize) -> Vec<f32> {
    (0..dimension).map(|i| if i == n { 1.0 } else { 0.0 }).collect()
}

/// Random vectors, several sizes of the list.
#[tokio::test]
async fn the_nearest_are_those_of_brute_force() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 48);
    let mut dice = Dice::new(31);
    let vectors = (0..400).map(|_| dice.direction(48)).collect();
    let embedded = embedded_notes(&stage, &model, vectors).await;
    let among: Vec<&(MemoryEntry, Vec<f32>)> = embedded.iter().collect();
    for limit in [0, 1, 10, 100, 400, 1_000] {
        for _ in 0..5 {
            let vector = dice.direction(48);
            let hits = nearest(stage.memory(), &vector, &model, &everywhere(Vec::new()), limit).await;
            agree(&hits, &vector, &among, limit);
        }
    }
}

/// Vectors so close that a compressed copy cannot tell them apart are still ordered by the real ones.
#[tokio::test]
async fn nearly_equal_vectors_are_ordered_exactly() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 32);
    let mut dice = Dice::new(32);
    let centre = dice.direction(32);
    let mut twin = || {
        let noise = dice.direction(32);
        let near = centre.iter().zip(noise).map(|(c, n)| c + 0.02 * n).collect();
        unit(near, 32).expect("has a direction")
    };
    let vectors: Vec<Vec<f32>> = (0..120).map(|_| twin()).collect();
    let query = twin();
    let embedded = embedded_notes(&stage, &model, vectors).await;
    let among: Vec<&(MemoryEntry, Vec<f32>)> = embedded.iter().collect();
    for limit in [1, 5, 20] {
        let hits = nearest(stage.memory(), &query, &model, &everywhere(Vec::new()), limit).await;
        agree(&hits, &query, &among, limit);
    }
}

/// Not even when the dimension is the same.
#[tokio::test]
async fn vectors_of_other_models_are_never_compared() {
    let stage = CheckedStage::new().await;
    let (old, new, wide) = (model("old", 8), model("new", 8), model("wide", 12));
    let made = stage.write(author(), ["One.", "Two.", "Three."].map(|c| draft(Place::Workspace, c))).await;
    stage.embed(&old, &[(made[0].clone(), axis(8, 0)), (made[1].clone(), axis(8, 1))]).await;
    stage.embed(&new, &[(made[1].clone(), axis(8, 2))]).await;
    stage.embed(&wide, &[(made[2].clone(), axis(12, 0))]).await;
    for (model, vector, expected) in [
        (&old, axis(8, 0), vec![made[0].id, made[1].id]),
        (&new, axis(8, 0), vec![made[1].id]),
        (&wide, axis(12, 0), vec![made[2].id]),
    ] {
        settle(stage.memory(), model).await;
        let found = ids_near(&stage, &vector, model, &everywhere(Vec::new())).await;
        assert_eq!(found, expected, "{}", model.id);
    }
    let hits = nearest(stage.memory(), &axis(8, 1), &old, &everywhere(Vec::new()), 1).await;
    assert!(
        (hits[0].score - 1.0).abs() < TOLERANCE,
        "the older model's vector is untouched by the newer one's"
    );
    for name in ["a model never heard of", "zero vectors"] {
        let unknown = model(name, 8);
        assert_eq!(ids_near(&stage, &axis(8, 0), &unknown, &everywhere(Vec::new())).await, []);
    }
}

/// By default only entries in use; asked for, the forgotten ones are compared, too.
#[tokio::test]
async fn forgotten_entries_are_excluded_unless_requested() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let embedded = embedded_notes(&stage, &model, vec![axis(8, 0), axis(8, 1)]).await;
    let gone = stage.apply(stage.scribe.forget(author(), &embedded[0].0)).await;
    settle(stage.memory(), &model).await;
    let near = |terms| {
        let stage = &stage;
        let model = &model;
        async move { ids_near(stage, &axis(8, 0), model, &everywhere(terms)).await }
    };
    assert_eq!(near(vec![]).await, [embedded[1].0.id]);
    assert_eq!(near(vec![only(Facet::Forgotten, "yes")]).await, [gone.id]);
    assert_eq!(near(vec![only(Facet::Forgotten, "any")]).await, [gone.id, embedded[1].0.id]);
    stage.apply(stage.scribe.restore(author(), &gone)).await;
    settle(stage.memory(), &model).await;
    assert!(near(vec![]).await.len() <= 2);
}

/// The limit cuts what is reachable, not what there is.
#[tokio::test]
async fn the_limit_applies_to_entries_within_the_scope_filter() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let crowd = (0..60).map(|_| draft(Place::Channel(stage.general.id), "Elsewhere."));
    let crowd: Embedded = stage.write(author(), crowd).await.into_iter().map(|e| (e, axis(8, 0))).collect();
    let far = stage
        .write_one(author(), draft(Place::Conversation(stage.side.id, stage.side_conversation.id), "Near."))
        .await;
    stage.embed(&model, &crowd).await;
    stage.embed(&model, &[(far.clone(), axis(8, 1))]).await;
    let nothing = ScopeFilter { account: false, workspace: false, ..ScopeFilter::EVERYTHING };
    for scope_filter in [
        ScopeFilter::new(&[], Some(stage.side.id), None),
        ScopeFilter { channels: Selection::None, ..nothing.clone() },
        ScopeFilter {
            channels: Selection::None,
            conversations: Selection::Only(vec![stage.side_conversation.id]),
            ..nothing.clone()
        },
    ] {
        let hits = nearest(stage.memory(), &axis(8, 0), &model, &MemoryFilter::active(scope_filter), 1).await;
        assert_eq!(hits.iter().map(|h| h.id).collect::<Vec<_>>(), [far.id]);
    }
    let none = ScopeFilter { channels: Selection::None, conversations: Selection::None, ..nothing };
    assert_eq!(ids_near(&stage, &axis(8, 0), &model, &MemoryFilter::active(none)).await, []);
}

/// Random filters against brute force.
#[tokio::test]
async fn meaning_search_respects_every_filter() {
    let stage = CheckedStage::new().await;
    let all = population::populate(&stage, 33, 80).await;
    let model = population::crowd_model();
    let ids: Vec<MemoryId> = all.iter().map(|r| r.entry.id).collect();
    let vectors = stage.memory().search.vectors(&ids, &model.id).await.expect("vectors are read");
    let row = |id: MemoryId| all.iter().find(|r| r.entry.id == id).expect("a known entry");
    let embedded: Vec<(&StoredEntry, (MemoryEntry, Vec<f32>))> =
        vectors.into_iter().map(|(id, v)| (row(id), (row(id).entry.clone(), v))).collect();
    assert_eq!(embedded.len(), all.iter().filter(|r| r.embedded_by.is_some()).count());
    let mut dice = Dice::new(34);
    for _ in 0..60 {
        let filter = population::random_filter(&mut dice, &stage);
        let (vector, limit) = (dice.direction(model.dimension), 1 + dice.below(20));
        let among: Vec<&(MemoryEntry, Vec<f32>)> =
            embedded.iter().filter(|(row, _)| oracle::lets_through(&filter, row)).map(|(_, e)| e).collect();
        let hits = nearest(stage.memory(), &vector, &model, &filter, limit).await;
        agree(&hits, &vector, &among, limit);
    }
}

/// After a new text the old vector is gone; after new tags it stays.
#[tokio::test]
async fn a_rewritten_entry_is_not_found_by_its_old_vector() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let embedded = embedded_notes(&stage, &model, vec![axis(8, 0), axis(8, 1)]).await;
    let tagged = stage.apply(stage.scribe.edit(author(), &embedded[0].0, new_tags(&["tag"]))).await;
    settle(stage.memory(), &model).await;
    let everything = everywhere(Vec::new());
    assert_eq!(ids_near(&stage, &axis(8, 0), &model, &everything).await, [tagged.id, embedded[1].0.id]);
    let rewritten = stage.apply(stage.scribe.edit(author(), &tagged, new_text("Otherwise."))).await;
    settle(stage.memory(), &model).await;
    assert_eq!(ids_near(&stage, &axis(8, 0), &model, &everything).await, [embedded[1].0.id]);
    stage.embed(&model, &[(rewritten.clone(), axis(8, 1))]).await;
    let hits = nearest(stage.memory(), &axis(8, 0), &model, &everything, 9).await;
    assert!(hits.len() == 2 && hits.iter().all(|h| h.score.abs() < TOLERANCE), "{hits:?}");
}

/// Tier, importance, uses and exemption as they are now, also after a change of them.
#[tokio::test]
async fn hits_by_meaning_contain_the_inputs_of_decay() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let embedded = embedded_notes(&stage, &model, (0..5).map(|n| axis(8, n)).collect()).await;
    let forced = stage.scribe.forced(author(), &embedded[0].0, |e| {
        e.pinned = true;
        e.importance = inklings_domain::memory::Importance::new(0.9).expect("within bounds");
    });
    let pinned = stage.apply(forced).await;
    let access = inklings_ports::memory::store::Access {
        id: embedded[1].0.id,
        times: 3,
        at: stage.scribe.clock.tick(),
        by: None,
    };
    stage.store().record_access(&[access]).await.expect("uses are recorded");
    settle(stage.memory(), &model).await;
    let hits = nearest(stage.memory(), &axis(8, 0), &model, &everywhere(Vec::new()), 9).await;
    assert_eq!((hits.len(), hits[0].id), (5, pinned.id));
    for hit in hits {
        assert_eq!(hit.decay, stage.read(hit.id).await.entry.decay_inputs());
    }
}

/// Those without a vector of the model are left out.
#[tokio::test]
async fn stored_vectors_are_returned_by_model() {
    let stage = CheckedStage::new().await;
    let (old, new) = (model("old", 8), model("new", 8));
    let embedded =
        embedded_notes(&stage, &old, vec![axis(8, 0), unit(vec![0.1; 8], 8).expect("a unit")]).await;
    stage.embed(&new, &[(embedded[1].0.clone(), axis(8, 5))]).await;
    let bare = stage.write_one(author(), draft(Place::Workspace, "No vector.")).await;
    let ids = [bare.id, embedded[0].0.id, embedded[1].0.id];
    for (model, expected) in [
        (&old, embedded.iter().map(|(e, v)| (e.id, v.clone())).collect::<Vec<_>>()),
        (&new, vec![(embedded[1].0.id, axis(8, 5))]),
    ] {
        let mut vectors = stage.memory().search.vectors(&ids, &model.id).await.expect("vectors are read");
        vectors.sort_by_key(|(id, _)| *id);
        assert_eq!(vectors, expected, "{}", model.id);
    }
}

/// A process that opens the folder later searches what was stored before.
#[tokio::test]
async fn vectors_are_durable() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let embedded = embedded_notes(&stage, &model, (0..6).map(|n| axis(8, n)).collect()).await;
    let later = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    settle(&later.memory, &model).await;
    let hits = nearest(&later.memory, &axis(8, 3), &model, &everywhere(Vec::new()), 1).await;
    assert_eq!(hits[0].id, embedded[3].0.id);
}

/// What another process embedded, forgot or rewrote is known after the feed was asked.
#[tokio::test]
async fn vectors_of_another_process_are_found_after_a_poll() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 8);
    let embedded = embedded_notes(&stage, &model, (0..3).map(|n| axis(8, n)).collect()).await;
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    settle(&other.memory, &model).await;
    let (change, made) = stage.scribe.create(author(), [draft(Place::Workspace, "From over there.")]);
    other.memory.store.commit(&change).await.expect("the change is committed");
    let vector = NewVectors { id: made[0].id, version: 1, vectors: axis(8, 7).into() };
    other.memory.vectors.put(&model, &[vector]).await.expect("vectors are stored");
    let (forget, _) = stage.scribe.forget(author(), &embedded[0].0);
    other.memory.store.commit(&forget).await.expect("the change is committed");
    let (rewrite, _) = stage.scribe.edit(author(), &embedded[1].0, new_text("Rewritten over there."));
    other.memory.store.commit(&rewrite).await.expect("the change is committed");
    settle(stage.memory(), &model).await;
    let mut found = ids_near(&stage, &axis(8, 7), &model, &everywhere(Vec::new())).await;
    found.sort_unstable();
    assert_eq!(found, super::ids([&made[0], &embedded[2].0]));
}
