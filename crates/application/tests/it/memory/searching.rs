use inklings_application::search::{Mode, Search, TextOnly};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian},
    memory::filter::ScopeFilter,
    scope::{MemoryScope, Place},
    search::query::{ENOUGH_BY_WORDS, NEAR_ENOUGH, QueryText, TextReason},
};
use inklings_ports::testing::builders::author;

use super::{World, everything};
use crate::support::faults::Faults;

pub(super) fn search(query: &str) -> Search {
    Search { marked: true, ..Search::new(QueryText::Typed(query.into()), everything(), 20) }
}

#[tokio::test]
async fn a_search_without_a_model_uses_text_and_reports_it() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The iron gate of the salt city").await;
    world.session.embedder.set(None);
    let found = world.session.search().memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!(found.mode, Mode::Text(TextOnly::NoModel));
    assert_eq!(found.hits[0].stored.entry.id, id);
}

#[tokio::test]
async fn a_failing_model_never_fails_the_search() {
    let world = World::new().await;
    world.write(Place::Workspace, "The iron gate of the salt city").await;
    world.embedder.set_down(true);
    let found = world.session.search().memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!((found.mode, found.hits.len()), (Mode::Text(TextOnly::ModelFailed), 1));
}

#[tokio::test]
async fn a_search_before_the_vectors_are_loaded_reports_it() {
    let mut world = World::new().await;
    world.write(Place::Workspace, "The iron gate of the salt city").await;
    let faults = Faults::of_account(&mut world.session);
    faults.set_vectors_loading(true);
    let early = world.session.search().memories(search("who guards the iron gate")).await.expect("an answer");
    assert_eq!((early.mode, early.hits.len()), (Mode::Text(TextOnly::VectorsLoading), 1));
    faults.set_vectors_loading(false);
    // The files read their vectors in the background.
    loop {
        let later =
            world.session.search().memories(search("who guards the iron gate")).await.expect("an answer");
        match later.mode {
            Mode::Hybrid => break,
            Mode::Text(why) => assert_eq!(why, TextOnly::VectorsLoading),
        }
        tokio::task::yield_now().await;
    }
}

/// Not a word of the query stands in what is near to it.
#[tokio::test]
async fn a_short_query_falls_back_to_meaning_where_words_find_few() {
    let world = World::new().await;
    let near = world.write(Place::Workspace, "the boatman rows at dusk").await;
    let vector = world.embedder.vector("the boatman rows at dusk");
    let cosine = |text: &str| -> f64 {
        world.embedder.vector(text).iter().zip(&vector).map(|(a, b)| f64::from(a * b)).sum()
    };
    let far = ["salt is dear this year", "three bells ring before noon", "lichen grows on slate"];
    let far = far.into_iter().find(|text| cosine(text) < NEAR_ENOUGH - 0.05).expect("one that is far");
    world.write(Place::Workspace, far).await;
    world.embed().await;
    for query in ["ferryman", "ferryman oarsman"] {
        let asked = || Search { embedding: Some(vector.clone().into()), ..search(query) };
        let found = world.session.search().memories(asked()).await.expect("an answer");
        assert_eq!(found.mode, Mode::Hybrid, "{query}");
        assert_eq!(found.hits.iter().map(|hit| hit.stored.entry.id).collect::<Vec<_>>(), [near], "{query}");
    }
    let quoted = Search { embedding: Some(vector.clone().into()), ..search("\"ferryman\"") };
    assert!(world.session.search().memories(quoted).await.expect("an answer").hits.is_empty());

    // What the words find stays on top, a word that goes on and one in passing alike.
    let worded =
        world.write(Place::Account, "of many things: ropes, oars, nets, and one ferrymans hat").await;
    let asked = || Search { embedding: Some(vector.clone().into()), ..search("ferryman") };
    let found = world.session.search().memories(asked()).await.expect("an answer");
    assert_eq!(found.hits.iter().map(|hit| hit.stored.entry.id).collect::<Vec<_>>(), [worded, near]);
    for hit in &found.hits {
        let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
        assert!((sum - hit.score).abs() < 1e-9);
    }

    for n in 0..ENOUGH_BY_WORDS {
        world.write(Place::Workspace, &format!("ferryman {n} keeps berth {}", n * 31)).await;
    }
    let found = world.session.search().memories(asked()).await.expect("an answer");
    assert_eq!(found.mode, Mode::Text(TextOnly::Routed(TextReason::Short)));
    assert!(found.hits.iter().all(|hit| hit.stored.entry.id != near));
}

#[tokio::test]
async fn a_question_with_quotes_is_asked_like_any_other_and_its_phrase_counts() {
    let world = World::new().await;
    let phrase = world.write(Place::Workspace, "Mira sang The Salt Road at the weir.").await;
    let apart = world.write(Place::Workspace, "Mira sang of salt on the old road to the weir.").await;
    let found = async |query: &str| {
        let found = world.session.search().memories(search(query)).await.expect("an answer");
        (found.mode, found.hits.iter().map(|hit| hit.stored.entry.id).collect::<Vec<_>>())
    };
    let exact = Mode::Text(TextOnly::Routed(TextReason::Exact));
    let (mode, hits) = found(r#"Where did Mira first sing "The Salt Road" for us?"#).await;
    assert!(mode != exact && hits == [phrase, apart], "{mode:?}");
    // With few words beside the quotes, and with operators, each part must match.
    for query in [r#""salt road" mira"#, r#"mira AND at AND "the weir" AND "salt road""#] {
        assert_eq!(found(query).await, (exact, vec![phrase]), "{query}");
    }
    assert_eq!(found(r#""salt road" toma"#).await, (exact, Vec::new()));
}

/// A name that occurs in the query leads to its entry only if the entry itself is a hit.
#[tokio::test]
async fn a_name_does_not_get_past_the_operators_of_a_query() {
    let world = World::new().await;
    let add = async |name: &str, text: &str| {
        world.session.subjects().add(name, "character", text, author()).await.expect("added").id()
    };
    let mira = add("Mira", "A smith of Vossburg.").await;
    add("Toma", "The ferryman, keeper of boats.").await;
    let bridge = world.write(Place::Workspace, "The bridge is of old stone.").await;
    for (query, expected) in [
        ("bridge -mira", vec![bridge]),
        ("bridge NOT mira", vec![bridge]),
        ("\"old stone\" -mira", vec![bridge]),
        ("-toma bridge", vec![bridge]),
        ("mira -smith", vec![]),
        ("\"stone\" AND Toma", vec![]),
        ("\"old stone\" toma", vec![]),
        ("mira AND smith", vec![mira]),
    ] {
        let found = world.session.search().memories(search(query)).await.expect("an answer");
        let hits: Vec<_> = found.hits.iter().map(|hit| hit.stored.entry.id).collect();
        assert_eq!(hits, expected, "{query}");
    }
    let found = world.session.search().memories(search("mira bridge")).await.expect("an answer");
    assert_eq!(found.hits[0].stored.entry.id, mira, "without an operator the name leads");
}

/// Also for whoever sees only the hits, as agents do.
#[tokio::test]
async fn the_same_words_of_another_time_or_subject_are_no_repetition() {
    let world = World::new().await;
    let mira = world.session.subjects().add("Mira", "character", "", author()).await.expect("added").id();
    let text = "The harbour is closed to strangers.";
    let (plain, linked, timed) = (
        world.write(Place::Workspace, text).await,
        world.write(Place::Workspace, text).await,
        world.write(Place::Workspace, text).await,
    );
    let version = world.entry(linked).await.version;
    world.session.subjects().set_about(linked, version, &[mira], author()).await.expect("linked");
    let calendars = world.session.calendars();
    let common = Calendar::new(gregorian()).expect("valid");
    calendars.add("Common", common, "", author()).await.expect("a calendar");
    let span = calendars.read("1200 – 1210", None, &ScopeFilter::EVERYTHING).await.expect("dates");
    calendars.set_story_time(timed, 1, Some(span), None, author()).await.expect("set");
    let repeated = world.write(Place::Workspace, text).await;
    let found = world.session.search().memories(search("harbour strangers")).await.expect("an answer");
    let mut hits: Vec<_> = found.hits.iter().map(|hit| hit.stored.entry.id).collect();
    hits.sort_unstable();
    let mut expected = [linked, timed, repeated];
    expected.sort_unstable();
    assert_eq!(hits, expected);
    assert!(found.hits.iter().any(|hit| hit.folded == [plain]), "and what says the same is still one");
}

/// No word of it is long enough for a model, whether or not something was found.
#[tokio::test]
async fn a_query_of_letters_has_a_reason_of_its_own() {
    let world = World::new().await;
    world.write(Place::Workspace, "The gate is iron.").await;
    let found = world.session.search().memories(search("xq")).await.expect("an answer");
    assert_eq!((found.mode, found.hits.len()), (Mode::Text(TextOnly::Routed(TextReason::Brief)), 0));
}

#[tokio::test]
async fn every_hit_explains_its_score_to_the_last_digit() {
    let world = World::new().await;
    for n in 0..12 {
        world.write(Place::Workspace, &format!("gate number {n} of the salt city is iron")).await;
    }
    for strategy in inklings_domain::search::ranking::STRATEGIES {
        let mut request = search("which iron gate of the salt city");
        request.strategy = Some((*strategy).to_owned());
        let found = world.session.search().memories(request).await.expect("an answer");
        assert_eq!(found.strategy, *strategy);
        for hit in &found.hits {
            let sum: f64 = hit.contributions.iter().map(|c| c.score).sum();
            assert!((sum - hit.score).abs() < 1e-9);
        }
    }
    let mut unknown = search("x");
    unknown.strategy = Some("magic".into());
    assert!(world.session.search().memories(unknown).await.is_err());
}

#[tokio::test]
async fn entries_with_the_same_statement_are_folded_under_the_newest() {
    let world = World::new().await;
    let old = world.write(Place::Workspace, "The gate is iron.").await;
    let new = world.write(Place::Workspace, "the  gate is IRON.").await;
    let elsewhere = world.write(Place::Account, "The gate is iron.").await;
    let found = world.session.search().memories(search("gate iron")).await.expect("an answer");
    let top = found.hits.iter().find(|hit| hit.stored.entry.id == new).expect("the newest is on top");
    assert_eq!(top.folded, [old]);
    assert!(found.hits.iter().any(|hit| hit.stored.entry.id == elsewhere), "another tier is another fact");
}

#[tokio::test]
async fn entries_outside_the_scope_filter_take_no_places_in_the_results() {
    let world = World::new().await;
    for n in 0..150 {
        world.write(Place::Account, &format!("iron gate iron gate {n}")).await;
    }
    let id =
        world.write(Place::Workspace, "a long remark that mentions some gate only once, in passing").await;
    let mut request = search("gate");
    request.filter.scope_filter = ScopeFilter::new(&[MemoryScope::Workspace], None, None);
    let found = world.session.search().memories(request).await.expect("an answer");
    assert_eq!(found.hits.iter().map(|hit| hit.stored.entry.id).collect::<Vec<_>>(), [id]);
}

#[tokio::test]
async fn the_forgotten_is_not_found_until_it_is_restored() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "a regrettable verse").await;
    world.session.memories().forget(&[id], "not mine", author()).await.expect("forget");
    assert!(world.session.search().memories(search("verse")).await.expect("an answer").hits.is_empty());
    world.session.memories().restore(&[id], author()).await.expect("restore");
    assert_eq!(world.session.search().memories(search("verse")).await.expect("an answer").hits.len(), 1);
}

#[tokio::test]
async fn the_first_hits_are_those_of_the_whole_answer() {
    let world = World::new().await;
    for n in 0..12 {
        world.write(Place::Workspace, &format!("Gate {n} of the salt city, kept by watch {}", n * 7)).await;
    }
    let asked = |first| Search { first, ..search("which gate of the salt city") };
    let whole = world.session.search().memories(asked(None)).await.expect("an answer");
    assert!(!whole.more);
    let ids = |hits: &[inklings_application::search::Hit]| -> Vec<_> {
        hits.iter().map(|h| h.stored.entry.id).collect()
    };
    for first in [1, 5, 11, 12, 20, 500] {
        let found = world.session.search().memories(asked(Some(first))).await.expect("an answer");
        let expected = first.min(whole.hits.len());
        assert_eq!(ids(&found.hits), ids(&whole.hits[..expected]), "{first}");
        assert_eq!(found.more, first < whole.hits.len(), "{first}");
    }
}

#[tokio::test]
async fn repeated_entries_take_one_place_in_the_results() {
    let world = World::new().await;
    for _ in 0..30 {
        world.write(Place::Workspace, "The gate of the salt city, the gate of the salt city, is shut").await;
    }
    for n in 0..8 {
        world.write(Place::Workspace, &format!("Watch {n} keeps an eye on the salt city and its gate")).await;
    }
    let asked = Search { limit: 6, ..search("which gate of the salt city") };
    let found = world.session.search().memories(asked).await.expect("an answer");
    assert_eq!(found.hits.len(), 6);
    assert_eq!(found.hits.iter().filter(|hit| hit.stored.entry.content.ends_with("shut")).count(), 1);
}

#[tokio::test]
async fn hits_that_differ_in_a_full_stop_or_an_article_are_one() {
    for with_model in [true, false] {
        let world = World::new().await;
        for text in ["The gate is iron.", "The gate is iron", "the gate is iron!", "A gate is iron."] {
            world.write(Place::Workspace, text).await;
        }
        for text in ["The gate is not iron.", "The gate is iron?", "The gates are iron."] {
            world.write(Place::Workspace, text).await;
        }
        world.embed().await;
        if !with_model {
            world.session.embedder.set(None);
        }
        let found = world.session.search().memories(search("iron gate")).await.expect("an answer");
        let mut hits: Vec<_> =
            found.hits.iter().map(|hit| (hit.stored.entry.content.as_str(), hit.folded.len())).collect();
        hits.sort_unstable();
        let expected = [
            ("A gate is iron.", 3),
            ("The gate is iron?", 0),
            ("The gate is not iron.", 0),
            ("The gates are iron.", 0),
        ];
        assert_eq!(hits, expected, "with a model: {with_model}");
    }
}
