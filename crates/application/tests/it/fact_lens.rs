//! The lens holds at every read of facts: nothing that it withholds, and everything else.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_application::{
    client::{ClientSession, Clients},
    error::AppError,
    orientation::OrientRequest,
    session::Session,
};
use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    client::{Grants, Sight, TierGrant},
    fact::{Assertion, Fact, FactKey, FactSource, InvalidFact},
    ids::{FactId, MemoryId},
    lens::{AUDIENCE, Lens, ResolvedLens, Withheld},
    memory::link::Link,
    scope::{PerTier, Place},
};
use inklings_ports::{
    fact::{FactCursor, FactQuery, FactWithClaims},
    model::chat::ToolCall,
    testing::{
        builders::{agent, author},
        clock::CountingTokens,
    },
};
use serde_json::{Value, json};

use crate::support::World;

fn day(n: i64) -> Moment {
    Moment::on_day(n).expect("in range")
}

fn at_day(n: i64) -> StoryPoint {
    StoryPoint::Moment(day(n))
}

fn days(from: i64, until: i64) -> Span {
    Span::new(Some(day(from)), Some(day(until))).expect("in order")
}

async fn subject(world: &World, name: &str, kind: &str) -> MemoryId {
    world.session.subjects().add(name, kind, "", author()).await.expect("a subject").id()
}

async fn dated(world: &World, id: MemoryId, span: Span, reading: Option<u32>) {
    let version = world.entry(id).await.version;
    let set = world.session.calendars().set_story_time(id, version, Some(span), reading, author()).await;
    set.expect("set");
}

async fn set(world: &World, key: &str, value: &str, span: Span) -> FactId {
    let assertion = Assertion::new("secret", key, value, None).expect("valid").holding(Some(span));
    world.session.facts().assert(assertion, author()).await.expect("set").fact.fact.id
}

async fn known_by(world: &World, id: FactId, knowers: &[(MemoryId, Option<StoryPoint>)]) -> Fact {
    world.session.facts().set_known_by(id, knowers, author()).await.expect("set").fact
}

async fn resolved(world: &World, lens: Lens) -> Option<Arc<ResolvedLens>> {
    world.session.lenses().resolve(lens).await.expect("resolved")
}

fn key(key: &str) -> FactKey {
    FactKey::new("secret", key).expect("valid")
}

/// Every value has a word of its own that is part of no other.
fn values(facts: &[FactWithClaims]) -> BTreeSet<String> {
    facts.iter().map(|known| known.fact.value.clone()).collect()
}

struct Shapes {
    knowers: Vec<MemoryId>,
    times: Vec<Option<StoryPoint>>,
}

/// Facts that are known by some since some time, at times of their own, of the worldbuilder and of an agent, with claims
/// against them, and one that was removed.
async fn shapes(world: &World) -> Shapes {
    let facts = world.session.facts();
    let (mira, toma) = (subject(world, "Mira", "character").await, subject(world, "Toma", "character").await);
    let (guild, reader) =
        (subject(world, "Guild", "faction").await, subject(world, "Reader", AUDIENCE).await);
    let mut chapters = Vec::new();
    for (number, span) in [(1, days(10, 12)), (2, days(20, 22)), (3, days(5, 6)), (4, Span::ALWAYS)] {
        let id = subject(world, &format!("Chapter {number}"), "chapter").await;
        dated(world, id, span, Some(number)).await;
        chapters.push(StoryPoint::Chapter(id));
    }
    let member = inklings_application::subject::NewRelation {
        from: mira,
        relation: "member of".to_owned(),
        to: guild,
        content: None,
        place: Place::Workspace,
    };
    let member = world.session.subjects().relate(member, author()).await.expect("related").id();
    dated(world, member, days(8, 15), None).await;
    let since =
        [None, Some(at_day(4)), Some(at_day(11)), Some(at_day(18)), Some(chapters[1]), Some(chapters[2])];
    let mut n = 0;
    for knower in [mira, toma, guild, reader] {
        for since in since {
            n += 1;
            let id = set(world, &format!("key {n}"), &format!("v{n:03}"), Span::ALWAYS).await;
            known_by(world, id, &[(knower, since)]).await;
            if n % 3 == 0 {
                facts
                    .set("secret", &format!("key {n}"), &format!("claim{n:03}"), None, agent())
                    .await
                    .expect("kept");
            }
        }
    }
    // One key at several times, of which some know some.
    for (n, (span, knowers)) in [
        (days(1, 9), vec![]),
        (days(10, 11), vec![(mira, None)]),
        (days(12, 19), vec![(guild, Some(at_day(14))), (reader, None)]),
        (days(20, 30), vec![(toma, Some(at_day(25))), (mira, None)]),
    ]
    .into_iter()
    .enumerate()
    {
        let id = set(world, "ruler", &format!("ruler{n:03}"), span).await;
        if !knowers.is_empty() {
            known_by(world, id, &knowers).await;
        }
    }
    set(world, "common", "w001", Span::ALWAYS).await;
    for (n, span) in [Span::ALWAYS, days(11, 11)].into_iter().enumerate() {
        let own =
            Assertion::new("secret", &format!("rumour {n}"), &format!("rumour{n:03}"), None).expect("valid");
        facts.assert(own.holding(Some(span)), agent()).await.expect("set");
    }
    let gone = set(world, "gone", "gone001", Span::ALWAYS).await;
    facts.remove(gone, author()).await.expect("removed");
    let times = [None, Some(at_day(3)), Some(at_day(11)), Some(at_day(14)), Some(at_day(30))];
    let times = times.into_iter().chain([0, 2, 3].map(|n| Some(chapters[n]))).collect();
    Shapes { knowers: vec![mira, toma, guild, reader], times }
}

/// All facts through a lens, in pages. Only the last page may have fewer rows than asked for.
async fn paged(world: &World, lens: Option<&ResolvedLens>) -> Vec<FactWithClaims> {
    let (mut found, mut after) = (Vec::new(), None::<FactCursor>);
    loop {
        let query = FactQuery { category: None, within: Span::ALWAYS, lens, limit: 3, claimed: false };
        let page = world.session.facts().page(query, after.as_ref()).await.expect("a page");
        assert!(page.rows.len() == 3 || page.next.is_none());
        found.extend(page.rows);
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

async fn bound_client(world: &World) -> (ClientSession, Clients) {
    let session = Arc::new(Session::new(
        world.session.account.clone(),
        world.session.workspace.clone(),
        world.clock.clone(),
        Arc::clone(&world.session.ids),
        world.session.embedder.clone(),
    ));
    let clients = Clients {
        store: Arc::clone(&session.account.clients),
        token_generator: Arc::new(CountingTokens::default()),
        clock: world.clock.clone(),
        ids: Arc::clone(&session.ids),
    };
    let (client, _) = clients.add("Actor", session.workspace.workspace.id).await.expect("added");
    (ClientSession::new(session, clients.clone(), client.id), clients)
}

/// The values and claims that a text has.
fn shown_in(text: &str, of: &BTreeSet<String>) -> BTreeSet<String> {
    of.iter().filter(|value| text.contains(value.as_str())).cloned().collect()
}

#[tokio::test]
async fn every_read_of_facts_shows_what_the_knower_knows_and_what_holds_then_and_nothing_else() {
    let world = World::new().await;
    let Shapes { knowers, times } = shapes(&world).await;
    let all = paged(&world, None).await;
    let every = values(&all);
    let claims: BTreeSet<String> =
        all.iter().flat_map(|k| &k.claims).map(|claim| claim.value.clone()).collect();
    assert_eq!((all.len(), every.len(), claims.len()), (31, 31, 8));
    let keys: BTreeSet<&str> =
        all.iter().map(|known| known.fact.key.key()).chain(["gone", "never"]).collect();
    let (client, clients) = bound_client(&world).await;
    let (mut shown, mut withheld) = (0, 0);
    for knower in knowers.iter().copied().map(Some).chain([None]) {
        for at in times.iter().copied() {
            let lens = Lens { knower, at };
            let Some(resolved) = resolved(&world, lens).await else { continue };
            let through = Some(&*resolved);
            let expected: Vec<FactWithClaims> =
                all.iter()
                    .filter(|known| resolved.withholds_fact(&known.fact).is_none())
                    .cloned()
                    .map(|known| {
                        if knower.is_some() { FactWithClaims { claims: Vec::new(), ..known } } else { known }
                    })
                    .collect();
            (shown, withheld) = (shown + expected.len(), withheld + all.len() - expected.len());
            assert_eq!(paged(&world, through).await, expected, "pages through {lens:?}");
            let expected_values = values(&expected);
            // By key: what is withheld is answered as what never was.
            let mut of_keys = BTreeSet::new();
            for name in &keys {
                match world.session.facts().of_key(&key(name), Span::ALWAYS, through).await {
                    Ok(known) => of_keys.extend(values(&known)),
                    Err(AppError::NotFound { what, name: missing }) => {
                        assert_eq!((what, missing), ("fact", format!("secret/{name}")));
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            assert_eq!(of_keys, expected_values, "by key through {lens:?}");
            let check = |text: &str, read: &str| {
                assert_eq!(shown_in(text, &every), expected_values, "{read} through {lens:?}");
                if knower.is_some() {
                    assert_eq!(shown_in(text, &claims), BTreeSet::new(), "{read} through {lens:?}");
                }
            };
            let request = OrientRequest { lens: Some(Arc::clone(&resolved)), ..OrientRequest::default() };
            check(
                &world.session.orientations().orient(request).await.expect("oriented").markdown,
                "orientation",
            );
            let grants = Grants {
                tiers: PerTier::from_fn(|_| TierGrant { read: true, write: false }),
                sight: Sight::of(lens),
                ..Grants::NOTHING
            };
            clients.grant(client.id(), &grants).await.expect("granted");
            let known = client.facts("secret", None, None).await.expect("read");
            check(&format!("{known:?}"), "client");
            let ruler = client.facts("secret", Some("ruler"), None).await;
            assert_eq!(ruler.is_ok(), expected_values.iter().any(|value| value.starts_with("ruler")));
            let begun = world.conversation().await;
            let conversation = world.session.conversations().set_lens(begun.id, lens).await.expect("set");
            let call = ToolCall {
                id: "1".into(),
                name: "fact".into(),
                arguments: json!({ "action": "get", "category": "secret" }).to_string(),
            };
            let (answer, _) = world.session.turns().run_tool(&conversation, &call, &[], agent()).await;
            check(&answer, "World Agent");
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            let rows = answer["facts"].as_array().expect("facts");
            assert!(rows.iter().all(|row| knower.is_none() || row["disputed"] == json!(false)), "{lens:?}");
        }
    }
    assert!(shown > 250 && withheld > 250, "{shown} shown, {withheld} withheld");
}

#[tokio::test]
async fn only_the_worldbuilder_sets_who_knows_of_a_fact_and_only_subjects_know() {
    let world = World::new().await;
    let facts = world.session.facts();
    let mira = subject(&world, "Mira", "character").await;
    let id = set(&world, "hoard", "silver", Span::ALWAYS).await;
    let refused = |result: Result<FactWithClaims, AppError>| match result {
        Err(AppError::Fact(invalid)) => invalid,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(facts.set_known_by(id, &[(mira, None)], agent()).await), InvalidFact::NotYours);
    let note = world.write(Place::Workspace, "The hoard is old.").await;
    for knowers in [[(note, None)], [(mira, Some(StoryPoint::Chapter(mira)))]] {
        let refused = facts.set_known_by(id, &knowers, author()).await;
        assert!(matches!(refused, Err(AppError::NotFound { .. })), "{refused:?}");
    }
    let secret = known_by(&world, id, &[(mira, Some(at_day(5)))]).await;
    assert_eq!((secret.version, secret.source), (2, FactSource::User));
    assert_eq!(
        refused(facts.set_known_by(id, &[(mira, Some(at_day(5)))], author()).await),
        InvalidFact::NoChange
    );
    // A new value, a new time and an accepted claim are no less of a secret.
    facts.set("secret", "hoard", "gold", None, author()).await.expect("set");
    facts.set_span(id, days(1, 9), author()).await.expect("set");
    let claim = facts.set("secret", "hoard", "lead", None, agent()).await.expect("kept").fact.claims[0].id;
    let accepted = facts.settle_claim(claim, true, author()).await.expect("accepted").fact;
    let links = [Link::known_by(mira, Some(at_day(5)))];
    assert_eq!((accepted.value.as_str(), &*accepted.known_by), ("lead", &links[..]));
    let removed = facts.remove(id, author()).await.expect("removed");
    assert_eq!(removed.known_by, links);
    assert_eq!(refused(facts.set_known_by(id, &[], author()).await), InvalidFact::Removed);
    let back = facts.change(id, "tin", None, author()).await.expect("set").fact.fact;
    assert_eq!(back.known_by, links);
    assert_eq!(known_by(&world, id, &[]).await.known_by, []);
    let history = facts.history(id).await.expect("read");
    let known: Vec<usize> = history.iter().map(|value| value.known_by.len()).collect();
    assert_eq!(known, [0, 1, 1, 1, 1, 1, 1, 0]);
}

#[tokio::test]
async fn a_list_as_of_a_real_time_has_the_knowers_of_then() {
    let world = World::new().await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    let id = set(&world, "hoard", "silver", Span::ALWAYS).await;
    let common = world.session.facts().by_id(id).await.expect("there").fact.updated_at;
    world.clock.tick();
    let secret = known_by(&world, id, &[(mira, None)]).await.updated_at;
    let seen = async |knower, at: DateTime<Utc>| {
        let lens = resolved(&world, Lens { knower: Some(knower), at: None }).await;
        let query = FactQuery {
            category: None,
            within: Span::ALWAYS,
            lens: lens.as_deref(),
            limit: 9,
            claimed: false,
        };
        world.session.facts().list_as_of(at, query, None).await.expect("read").rows.len()
    };
    assert_eq!((seen(toma, common).await, seen(toma, secret).await, seen(mira, secret).await), (1, 0, 1));
}

/// The World Agent, which sees everything, neither changes who knows of a fact nor takes its secret away with a claim.
#[tokio::test]
async fn an_agents_value_against_a_secret_is_a_claim_that_no_knower_is_check() {
    let world = World::new().await;
    let mira = subject(&world, "Mira", "character").await;
    let id = set(&world, "hoard", "silver", Span::ALWAYS).await;
    let secret = known_by(&world, id, &[(mira, None)]).await;
    let set = world.session.facts().set("secret", "hoard", "gold", None, agent()).await.expect("kept");
    assert!(set.claimed && set.fact.fact == secret);
    let lens = resolved(&world, Lens { knower: Some(mira), at: None }).await;
    let known =
        world.session.facts().of_key(&key("hoard"), Span::ALWAYS, lens.as_deref()).await.expect("she knows");
    assert_eq!((known.len(), known[0].claims.len()), (1, 0));
    let lens = lens.expect("one");
    let of_agent = Fact { source: FactSource::Agent, known_by: Vec::new(), ..known[0].fact.clone() };
    assert_eq!(lens.withholds_fact(&of_agent), Some(Withheld::Unknown));
}
