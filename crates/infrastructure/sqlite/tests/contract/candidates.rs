//! Candidates of a search, completed with what the list that found them does not tell.

use inklings_application::{
    memory::vector_store::NewVectors,
    search::store::{Asked, Completed},
    testing::{
        builders::{author, draft, everywhere},
        world::settle,
    },
};
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry, Origin,
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
    },
    scope::Place,
    search::{query, ranking::utterance::Named},
};

use super::{CheckedFolder, Stage, model};

const QUERY: &str = "who sold the iron lantern";

async fn completed(
    stage: &Stage,
    vector: Option<&[f32]>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
) -> Vec<Completed<MemoryId>> {
    let (parsed, model) = (query::parse(QUERY), model("contract", 2));
    let vector = vector.map(|vector| (vector, &model.id));
    let asked = Asked { query: &parsed.query, named: &Named::in_query(QUERY), vector };
    stage.memory().search.complete(asked, filter, ids).await.expect("candidates are completed")
}

fn draft_in_session(place: Place, session: &str, text: &str) -> MemoryDraft {
    let origin = Origin { session: Some(session.into()), speaker: Some("Mira".into()), ..Origin::default() };
    MemoryDraft { origin: Some(origin), ..draft(place, text) }
}

fn ids(entries: &[MemoryEntry]) -> Vec<MemoryId> {
    entries.iter().map(|entry| entry.id).collect()
}

/// Whichever list found a candidate, it has the score and the cosine that the lists give.
#[tokio::test]
async fn a_candidate_of_one_list_gets_its_value_in_the_other() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let made = stage
        .write(author(), ["The iron lantern.", "A ferryman."].map(|text| draft(Place::Workspace, text)))
        .await;
    let model = model("contract", 2);
    let vectors = [vec![0.6, 0.8], vec![1.0, 0.0]];
    let new: Vec<NewVectors> = made
        .iter()
        .zip(vectors)
        .map(|(entry, vector)| NewVectors { id: entry.id, version: entry.version, vectors: vector.into() })
        .collect();
    stage.memory().vectors.put(&model, &new).await.expect("vectors are stored");
    settle(stage.memory(), &model).await;
    let filter = everywhere(Vec::new());
    let text =
        stage.memory().search.search_text(&query::parse(QUERY).query, &filter, 9).await.expect("found");
    assert_eq!(text.iter().map(|hit| hit.id).collect::<Vec<_>>(), [made[0].id]);
    let all = completed(&stage, Some(&[1.0, 0.0]), &filter, &ids(&made)).await;
    let of = |n: usize| all.iter().find(|c| c.id == made[n].id).expect("completed");
    let near =
        |meaning: Option<f64>, cosine: f64| meaning.is_some_and(|meaning| (meaning - cosine).abs() < 0.01);
    assert_eq!((of(0).text, of(1).text), (Some(text[0].score), None));
    assert!(near(of(0).meaning, 0.6) && near(of(1).meaning, 1.0));
    assert!(all.iter().all(|c| c.utterance.is_none() && c.decay.is_some()), "nothing was said around them");
    assert_eq!(completed(&stage, None, &filter, &[]).await, []);
}

/// Memories that were imported from a conversation borrow from one another, as messages do: within a session and a place, and only
/// what the filter lets through.
#[tokio::test]
async fn imported_conversation_memories_are_completed_with_adjacent_ones() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let (here, other) = (Place::Channel(stage.general.id), Place::Channel(stage.side.id));
    let drafts = [
        draft_in_session(here, "1", "The harbour is closed."),
        draft_in_session(here, "2", "Who sold the iron lantern?"),
        draft_in_session(here, "2", "It was the ferryman."),
        draft_in_session(other, "2", "Nobody else knew."),
        draft_in_session(here, "2", "A forgotten word."),
    ];
    let made = stage.write(author(), drafts).await;
    stage.apply(stage.scribe.forget(author(), &made[4])).await;
    let filter = everywhere(Vec::new());
    let all = completed(&stage, None, &filter, &[made[1].id]).await;
    let mut found: Vec<MemoryId> = all.iter().map(|c| c.id).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        ids(&made[1..3]),
        "not what another session, another channel or a forgotten entry says"
    );
    let answer =
        all.iter().find(|c| c.id == made[2].id).and_then(|c| c.utterance.clone()).expect("utterance");
    assert!(answer.around_text.is_some_and(|around| around > 0.0));
}

/// What one search has read serves the next, but each sees what its own filter lets through, as it is now.
#[tokio::test]
async fn no_search_sees_what_another_filter_lets_through_or_what_has_changed_since() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let here = Place::Channel(stage.general.id);
    let texts = ["Who sold the iron lantern?", "It was the ferryman.", "A forgotten word."];
    let made = stage.write(author(), texts.map(|text| draft_in_session(here, "1", text))).await;
    stage.apply(stage.scribe.forget(author(), &made[2])).await;
    let forgotten = |value: &str| FacetTerm { facet: Facet::Forgotten, value: value.into(), negated: false };
    let speaker = FacetTerm { facet: Facet::Speaker, value: "Nobody".into(), negated: false };
    let elsewhere = ScopeFilter::of(Place::Channel(stage.side.id));
    let cases: [(MemoryFilter, &[usize]); 6] = [
        (everywhere(Vec::new()), &[0, 1]),
        (everywhere(vec![forgotten("any")]), &[0, 1, 2]),
        (everywhere(vec![forgotten("yes")]), &[2]),
        (MemoryFilter::active(elsewhere), &[]),
        (MemoryFilter::active(ScopeFilter::of(here)), &[0, 1]),
        (everywhere(vec![speaker]), &[]),
    ];
    let wanted = ids(&made);
    for (filter, seen) in cases.iter().chain(&cases) {
        let mut found: Vec<MemoryId> =
            completed(&stage, None, filter, &wanted).await.iter().map(|c| c.id).collect();
        found.sort_unstable();
        let mut expected: Vec<MemoryId> = seen.iter().map(|n| wanted[*n]).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{filter:?}");
    }
    stage.apply(stage.scribe.forget(author(), &made[1])).await;
    let left = completed(&stage, None, &everywhere(Vec::new()), &wanted).await;
    assert_eq!(left.iter().map(|c| c.id).collect::<Vec<_>>(), [wanted[0]]);
}
