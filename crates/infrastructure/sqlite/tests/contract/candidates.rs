//! Candidates of a search, completed with what the list that found them does not tell.

use std::{collections::HashMap, ops::Range};

use chrono::TimeDelta;
use inklings_application::testing::world::settle;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry, Origin,
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
    },
    scope::Place,
    search::{query, ranking::WordComparison},
};
use inklings_ports::{
    clock::Clock as _,
    memory::vector_store::{NewVectors, TextVectors},
    model::embedding::Embedder as _,
    search::store::{Asked, Completed},
    testing::{
        builders::{author, draft, everywhere, new_text},
        embedder::FixedEmbedder,
    },
};

use super::{CheckedStage, Stage, model, named};

const QUERY: &str = "who sold the iron lantern";

async fn completed(
    stage: &Stage,
    vector: Option<&[f32]>,
    filter: &MemoryFilter,
    ids: &[MemoryId],
) -> Vec<Completed<MemoryId>> {
    let (parsed, model) = (query::parse(QUERY), model("contract", 2));
    let vector = vector.map(|vector| (vector, &model.id));
    let asked = Asked { query: &parsed.query, named: &named(QUERY, stage.scribe.clock.now()), vector };
    stage.memory().search.complete(asked, filter, ids).await.expect("candidates are completed")
}

fn draft_in_session(place: Place, session: &str, text: &str) -> MemoryDraft {
    let origin = Origin { session: Some(session.into()), speaker: Some("Mira".into()), ..Origin::default() };
    MemoryDraft { origin: Some(origin), ..draft(place, text) }
}

fn dated(place: Place, date: &str, text: &str) -> MemoryDraft {
    let origin = Origin { said_at: Some(date.into()), ..Origin::default() };
    MemoryDraft { origin: Some(origin), ..draft(place, text) }
}

fn ids(entries: &[MemoryEntry]) -> Vec<MemoryId> {
    entries.iter().map(|entry| entry.id).collect()
}

/// An entry that stands by itself is found by the time at which it was written; what was said has a date of its own.
#[tokio::test]
async fn entries_of_a_time_are_found_newest_first_within_the_filter() {
    let stage = CheckedStage::new().await;
    let (here, other) = (Place::Channel(stage.general.id), Place::Channel(stage.side.id));
    let mut made = Vec::new();
    for day in 0..5 {
        let texts = ["The harbour is closed.", "Nobody knew."].map(|text| format!("{text} {day}"));
        let drafts =
            [draft(here, &texts[0]), draft(other, &texts[1]), draft_in_session(here, "1", &texts[0])];
        made.push(stage.write(author(), drafts).await);
        stage.scribe.clock.advance(TimeDelta::days(1));
    }
    stage.apply(stage.scribe.forget(author(), &made[2][0])).await;
    let search = &stage.memory().search;
    let found = async |days: Range<usize>, filter: &MemoryFilter, limit: usize| {
        let at = |day: usize| made[day][0].created_at;
        let found = search.in_time(at(days.start)..at(days.end), filter, limit).await.expect("found");
        found.into_iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    let id = |day: usize, n: usize| made[day][n].id;
    let here = MemoryFilter::active(ScopeFilter::of(here));
    assert_eq!(found(0..4, &here, 9).await, [id(3, 0), id(1, 0), id(0, 0)]);
    assert_eq!(found(0..4, &here, 2).await, [id(3, 0), id(1, 0)]);
    assert_eq!(found(1..2, &everywhere(Vec::new()), 9).await, [id(1, 1), id(1, 0)]);
    let with_forgotten = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
    assert_eq!(found(2..3, &with_forgotten, 9).await, [id(2, 1), id(2, 0)]);
    assert_eq!(found(3..3, &everywhere(Vec::new()), 9).await, []);
}

/// An entry that came with a date is compared by it, another one by the day on which it was written.
#[tokio::test]
async fn entries_are_compared_with_the_dates_and_days_of_a_query() {
    let stage = CheckedStage::new().await;
    let day = stage.scribe.clock.now().format("%Y-%m-%d").to_string();
    let drafts = [
        draft(Place::Workspace, "The iron lantern."),
        dated(Place::Workspace, &day, "The iron lantern of old."),
        dated(Place::Workspace, "8 May 2023", "An iron lantern."),
        dated(Place::Workspace, "one morning", "No iron lantern."),
    ];
    let made = stage.write(author(), drafts).await;
    let values = async |query: &str| {
        let named = named(query, stage.scribe.clock.now());
        let asked = Asked { query: &query::parse(query).query, named: &named, vector: None };
        let filter = everywhere(Vec::new());
        let all = stage.memory().search.complete(asked, &filter, &ids(&made)).await.expect("completed");
        let of =
            |entry: &MemoryEntry| all.iter().find(|c| c.id == entry.id).expect("completed").values.clone();
        made.iter().map(|entry| (of(entry).date, of(entry).days)).collect::<Vec<_>>()
    };
    assert_eq!(values(QUERY).await, [(None, None); 4]);
    let today = values("who sold us the iron lantern today").await;
    assert_eq!(today, [(None, Some(1.0)), (None, Some(1.0)), (None, Some(0.0)), (None, None)]);
    let may = values("who sold the iron lantern in May 2023").await;
    assert_eq!((may[0], may[2], may[3]), ((None, None), (Some(1.0), None), (Some(0.0), None)));
}

/// Whichever list found a candidate, it has the score and the cosine that the lists give.
#[tokio::test]
async fn a_candidate_of_one_list_gets_its_value_in_the_other() {
    let stage = CheckedStage::new().await;
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
    assert_eq!((of(0).values.text, of(1).values.text), (Some(text[0].score), None));
    assert!(near(of(0).values.meaning, 0.6) && near(of(1).values.meaning, 1.0));
    assert!(
        all.iter().all(|c| c.values.utterance.is_none() && c.decay.is_some()),
        "nothing was said around them"
    );
    assert_eq!(completed(&stage, None, &filter, &[]).await, []);
}

/// Memories that were imported from a conversation borrow from one another, as messages do: within a session and a place, and only
/// what the filter lets through.
#[tokio::test]
async fn imported_conversation_memories_are_completed_with_adjacent_ones() {
    let stage = CheckedStage::new().await;
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
        all.iter().find(|c| c.id == made[2].id).and_then(|c| c.values.utterance.clone()).expect("utterance");
    assert!(answer.around_text.is_some_and(|around| around > 0.0));
}

/// Word by word, an entry of a conversation also counts by what was said around it; another one by its own words alone. Codes go
/// with the text that they are of.
#[tokio::test]
async fn words_of_entries_are_compared_one_by_one() {
    let stage = CheckedStage::new().await;
    let (here, other) = (Place::Channel(stage.general.id), Place::Channel(stage.side.id));
    let made = stage
        .write(
            author(),
            [
                draft_in_session(here, "1", "gate"),
                draft_in_session(here, "1", "lantern"),
                draft_in_session(other, "1", "iron"),
                draft(Place::Workspace, "gate and iron"),
                draft(Place::Workspace, "lantern and gate"),
            ],
        )
        .await;
    let embedder = FixedEmbedder::named("contract", 256);
    let model = embedder.model();
    let new = |entry: &MemoryEntry, vectors: TextVectors| NewVectors {
        id: entry.id,
        version: entry.version,
        vectors,
    };
    let all: Vec<NewVectors> =
        made.iter().map(|entry| new(entry, TextVectors::One(embedder.embedding(&entry.content)))).collect();
    let vectors = &stage.memory().vectors;
    vectors.put(&model, &all).await.expect("vectors are stored");
    let asked = embedder.embedding("gate lantern").words;
    let compared = async |filter: &MemoryFilter| {
        let found = stage.memory().search.compare_words(&asked, &model.id, filter, &ids(&made)).await;
        let found: HashMap<MemoryId, WordComparison> =
            found.expect("words are compared").into_iter().collect();
        let rounded = |share: Option<f64>| share.map(|share| (share * 2.0).round() / 2.0);
        made.iter()
            .map(|entry| found.get(&entry.id).map(|found| (rounded(found.own), rounded(found.around))))
            .collect::<Vec<_>>()
    };
    let both = Some((Some(1.0), Some(1.0)));
    let half = Some((Some(0.5), Some(0.5)));
    let with_the_other = Some((Some(0.5), Some(1.0)));
    let none_of_them = Some((Some(0.0), Some(0.0)));
    let everything = everywhere(Vec::new());
    assert_eq!(compared(&everything).await, [with_the_other, with_the_other, none_of_them, half, both]);
    let of_the_channel = MemoryFilter::active(ScopeFilter::of(here));
    assert_eq!(compared(&of_the_channel).await[..3], [with_the_other, with_the_other, None]);

    stage.apply(stage.scribe.forget(author(), &made[1])).await;
    let left = compared(&everything).await;
    assert_eq!(left[0], half, "what is forgotten counts for nobody");
    assert_eq!(left[1], None);
    stage.apply(stage.scribe.edit(author(), &made[4], new_text("Nothing of it."))).await;
    assert_eq!(compared(&everything).await[4], None, "its text is another one");
    vectors.put(&model, &[new(&made[3], vec![1.0; 256].into())]).await.expect("a vector is stored");
    assert_eq!(compared(&everything).await[3], None, "its new vector has no codes");
}

/// What one search has read serves the next, but each sees what its own filter lets through, as it is now.
#[tokio::test]
async fn no_search_sees_what_another_filter_lets_through_or_what_has_changed_since() {
    let stage = CheckedStage::new().await;
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
