//! The promises of facts at times in the story, kept on SQLite.

use inklings_application::{error::AppError, fact::FactSet, orientation::OrientRequest};
use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span},
    fact::{Assertion, FactKey, InvalidFact},
    memory::filter::ScopeFilter,
    provenance::Actor,
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{
    clock::Clock,
    fact::FactQuery,
    model::chat::ToolCall,
    testing::builders::{agent, author},
};
use serde_json::{Value, json};

use crate::support::World;

/// A world with a calendar.
async fn world() -> World {
    let world = World::new().await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    world
}

async fn dates(world: &World, text: &str) -> Span {
    world.session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("dates")
}

async fn try_set(world: &World, value: &str, holds: Option<&str>, actor: Actor) -> Result<FactSet, AppError> {
    let span = match holds {
        Some(text) => Some(dates(world, text).await),
        None => None,
    };
    let assertion = Assertion::new("Ambry", "ruler", value, None).expect("valid").holding(span);
    world.session.facts().assert(assertion, actor).await
}

async fn set(world: &World, value: &str, holds: &str) -> FactSet {
    try_set(world, value, Some(holds), author()).await.expect("set")
}

fn key() -> FactKey {
    FactKey::new("Ambry", "ruler").expect("valid")
}

fn refusal<T>(result: Result<T, AppError>) -> InvalidFact {
    match result {
        Err(AppError::Fact(invalid)) => invalid,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was not refused"),
    }
}

/// The values that hold at a date.
async fn at(world: &World, text: &str) -> Vec<String> {
    let within = dates(world, text).await;
    let known = world.session.facts().of_key(&key(), within, None).await.expect("read");
    known.into_iter().map(|known| known.fact.value).collect()
}

#[tokio::test]
async fn a_key_has_one_value_at_each_time() {
    let world = world().await;
    set(&world, "Aldous", "– 812").await;
    set(&world, "Bera", "813 –").await;
    assert_eq!(at(&world, "31 December, 812").await, ["Aldous"]);
    assert_eq!(at(&world, "813").await, ["Bera"]);
    assert_eq!(at(&world, "812 – 813").await, ["Aldous", "Bera"]);
    assert_eq!(refusal(try_set(&world, "Cord", None, author()).await), InvalidFact::Ambiguous);
    assert_eq!(refusal(try_set(&world, "Cord", Some("812 – 815"), author()).await), InvalidFact::Overlap);
    let bera = set(&world, "Bera II", "813 –").await;
    assert_eq!(bera.fact.fact.version, 2);
    let facts = world.session.facts();
    assert_eq!(refusal(facts.get(&key(), Span::ALWAYS).await), InvalidFact::Ambiguous);
    let found = facts.get(&key(), dates(&world, "900").await).await.expect("one");
    assert_eq!(found.fact, bera.fact.fact);
    let within = dates(&world, "1 May, 812").await;
    let page = facts
        .page(FactQuery { category: None, within, lens: None, limit: 9, claimed: false }, None)
        .await
        .expect("read");
    assert_eq!(page.rows.iter().map(|known| known.fact.value.as_str()).collect::<Vec<_>>(), ["Aldous"]);
}

#[tokio::test]
async fn a_new_time_is_a_version_and_is_never_taken_from_another_fact() {
    let world = world().await;
    let facts = world.session.facts();
    let aldous = facts.set("Ambry", "ruler", "Aldous", None, author()).await.expect("set").fact.fact;
    assert_eq!(refusal(try_set(&world, "Bera", Some("813 –"), author()).await), InvalidFact::Overlap);
    let until = dates(&world, "– 812").await;
    assert_eq!(refusal(facts.set_span(aldous.id, until, agent()).await), InvalidFact::NotYours);
    facts.set_span(aldous.id, until, author()).await.expect("set");
    let bera = set(&world, "Bera", "813 –").await.fact.fact;
    assert_eq!(refusal(facts.set_span(aldous.id, Span::ALWAYS, author()).await), InvalidFact::Overlap);
    let history = facts.history(aldous.id).await.expect("read");
    assert_eq!(history.iter().map(|value| value.span).collect::<Vec<_>>(), [until, Span::ALWAYS]);
    // A removed fact leaves its time to others, and comes back only while nobody has it.
    facts.remove(bera.id, author()).await.expect("removed");
    assert_eq!(refusal(facts.set_span(bera.id, until, author()).await), InvalidFact::Removed);
    let cord = set(&world, "Cord", "850 –").await.fact.fact;
    assert_eq!(refusal(facts.change(bera.id, "Bera", None, author()).await), InvalidFact::Overlap);
    facts.remove(cord.id, author()).await.expect("removed");
    let back = facts.change(bera.id, "Bera", None, author()).await.expect("it is free").fact.fact;
    assert_eq!((back.id, back.version), (bera.id, 3));
}

#[tokio::test]
async fn what_an_agent_says_of_the_authors_time_is_a_claim_and_accepting_it_keeps_the_time() {
    let world = world().await;
    let facts = world.session.facts();
    set(&world, "Aldous", "– 812").await;
    let claimed = try_set(&world, "Cord", Some("800 – 805"), agent()).await.expect("kept beside it");
    assert!(claimed.claimed && claimed.fact.fact.value == "Aldous");
    let other = try_set(&world, "Bera", Some("813 –"), agent()).await.expect("a time of its own");
    assert!(!other.claimed);
    facts.set_span(other.fact.fact.id, dates(&world, "814 –").await, agent()).await.expect("its own fact");
    let claim = claimed.fact.claims[0].id;
    let accepted = facts.settle_claim(claim, true, author()).await.expect("accepted").fact;
    assert_eq!((accepted.value.as_str(), accepted.span), ("Cord", dates(&world, "– 812").await));
    // A claim on a fact that was removed cannot be accepted once another one took its time.
    try_set(&world, "Dunne", Some("800"), agent()).await.expect("kept beside it");
    let claim = facts.by_id(accepted.id).await.expect("there").claims[0].id;
    facts.remove(accepted.id, author()).await.expect("removed");
    set(&world, "Egan", "800 – 812").await;
    assert_eq!(refusal(facts.settle_claim(claim, true, author()).await), InvalidFact::Overlap);
    facts.settle_claim(claim, false, author()).await.expect("rejected");
}

#[tokio::test]
async fn an_orientation_tells_when_a_fact_holds() {
    let world = world().await;
    set(&world, "Aldous", "– 812").await;
    world.session.facts().set("Ambry", "river", "Ley", None, author()).await.expect("set");
    let request = OrientRequest {
        query: ConversationQuery::Next("Who rules Ambry?".into()),
        ..OrientRequest::default()
    };
    let text = world.session.orientations().orient(request).await.expect("oriented").markdown;
    let line = |value: &str| text.lines().find(|line| line.contains(value)).expect("it is shown").to_owned();
    assert!(line("Aldous").contains("holds: – 812"), "{text}");
    assert!(!line("Ley").contains("holds:"), "{text}");
}

#[tokio::test]
async fn the_world_agent_sets_and_reads_facts_by_dates() {
    let world = world().await;
    let conversation = world.conversation().await;
    set(&world, "Aldous", "– 812").await;
    let ask = async |arguments: Value| -> Value {
        let call = ToolCall { id: "1".into(), name: "fact".into(), arguments: arguments.to_string() };
        let (answer, _) = world.session.turns().run_tool(&conversation, &call, &[], agent()).await;
        serde_json::from_str(&answer).expect("JSON")
    };
    let fact = |action: &str, more: Value| {
        let mut arguments = json!({ "action": action, "category": "Ambry", "key": "ruler" });
        arguments.as_object_mut().expect("one").extend(more.as_object().expect("one").clone());
        arguments
    };
    let set = ask(fact("set", json!({ "value": "Bera", "holds": "813 –" }))).await;
    assert_eq!(set, json!({ "set": true }));
    let claimed = ask(fact("set", json!({ "value": "Cord", "holds": "May, 800" }))).await;
    assert_eq!((&claimed["claimed"], &claimed["holds"]), (&json!(true), &json!("– 812 Anno Domini")));
    let unclear = ask(fact("set", json!({ "value": "Cord" }))).await;
    assert!(unclear["error"].as_str().is_some_and(|error| error.contains("say at which time")), "{unclear}");
    let then = ask(fact("get", json!({ "holds": "3 May, 900" }))).await;
    assert_eq!(then["facts"].as_array().map(Vec::len), Some(1), "{then}");
    let known = (&then["facts"][0]["value"], &then["facts"][0]["holds"]);
    assert_eq!(known, (&json!("Bera"), &json!("813 Anno Domini –")));
    assert_eq!(ask(fact("get", json!({}))).await["facts"].as_array().map(Vec::len), Some(2));
    let unread = ask(fact("get", json!({ "holds": "3 Ymber" }))).await;
    assert!(!unread.to_string().contains("Ymber") && unread["error"].is_string(), "{unread}");
}

/// The moments of a span are compared to the part of a day.
#[tokio::test]
async fn two_values_of_one_day_are_apart_by_its_parts() {
    let world = World::new().await;
    let noon = Moment::at_part(5, 4_320).expect("in range");
    let before = Moment::at_part(5, 4_319).expect("in range");
    for (value, span) in [
        ("Aldous", Span::new(None, Some(before)).expect("in order")),
        ("Bera", Span::new(Some(noon), None).expect("in order")),
    ] {
        let assertion = Assertion::new("Ambry", "ruler", value, None).expect("valid").holding(Some(span));
        world.session.facts().assert(assertion, author()).await.expect("set");
    }
    let day = Span::at(noon.whole_day());
    let both = world.session.facts().of_key(&key(), day, None).await.expect("read");
    assert_eq!(both.len(), 2);
    let one = world.session.facts().get(&key(), Span::at(noon)).await.expect("one");
    assert_eq!(one.fact.value, "Bera");
}

#[tokio::test]
async fn whoever_sets_the_claimed_value_has_accepted_the_claim() {
    let world = world().await;
    let facts = world.session.facts();
    let by_id = facts.set("Ambry", "ruler", "Xan", None, author()).await.expect("set").fact.fact.id;
    for (value, is_changed_by_id) in [("Yara", false), ("Zeno", true)] {
        for claimed in [value, "Nobody"] {
            assert!(facts.set("Ambry", "ruler", claimed, None, agent()).await.expect("kept").claimed);
        }
        let set = if is_changed_by_id {
            facts.change(by_id, value, None, author()).await
        } else {
            facts.set("Ambry", "ruler", value, None, author()).await
        };
        let claims = set.expect("set").fact.claims;
        assert_eq!(claims.iter().map(|claim| claim.value.as_str()).collect::<Vec<_>>(), ["Nobody"]);
        assert_eq!(world.session.drifts().claimed_facts().await.expect("read")[0].claims, claims);
    }
}

#[tokio::test]
async fn a_page_as_of_a_day_tells_where_the_next_one_starts() {
    let world = world().await;
    for key in ["a", "b", "c", "d", "e"] {
        world.session.facts().set("Ambry", key, "salt", None, author()).await.expect("set");
    }
    let (at, mut after, mut keys) = (world.clock.now(), None, Vec::new());
    for left in [3, 1, 0] {
        let query = FactQuery::every(2);
        let page = world.session.facts().list_as_of(at, query, after.as_ref()).await.expect("read");
        keys.extend(page.rows.iter().map(|fact| fact.key.key().to_owned()));
        assert_eq!(page.next.is_some(), left > 0);
        after = page.next;
    }
    assert_eq!(keys, ["a", "b", "c", "d", "e"]);
}

#[tokio::test]
async fn an_answer_to_the_world_agent_says_that_a_category_has_more_facts() {
    let world = world().await;
    let conversation = world.conversation().await;
    let arguments = json!({ "action": "get", "category": "Ambry" }).to_string();
    let call = ToolCall { id: "1".into(), name: "fact".into(), arguments };
    for (most, more) in [(100, false), (101, true)] {
        for n in 0..most {
            let set = world.session.facts().set("Ambry", &format!("k{n}"), "salt", None, author()).await;
            assert!(set.is_ok() || most == 101);
        }
        let (answer, _) = world.session.turns().run_tool(&conversation, &call, &[], agent()).await;
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["facts"].as_array().map(Vec::len), Some(100));
        assert_eq!(answer["more"], json!(more));
    }
}
