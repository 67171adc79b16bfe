//! Facts: one value under a key at each time, with every earlier one, and claims beside the author's word.

use FactSource::{Agent, User};
use chrono::TimeDelta;
use std::collections::BTreeSet;

use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, FactId, MemoryId},
    lens::{Lens, World},
    memory::link::{Link, sorted},
};
use inklings_ports::{
    clock::IdGenerator,
    fact::{FactCursor, FactQuery, FactStore, FactWithClaims},
    store_error::StoreError,
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn FactStore {
    stage.workspace.facts.as_ref()
}

async fn put(stage: &Stage, fact: &Fact) {
    store(stage).put_fact(fact, fact.source, None).await.expect("the fact is written");
}

async fn stated(stage: &Stage, category: &str, key: &str, value: &str, source: FactSource) -> Fact {
    let fact = stage.scribe.fact(category, key, value, source);
    put(stage, &fact).await;
    fact
}

async fn read(stage: &Stage, id: FactId) -> Option<FactWithClaims> {
    store(stage).fact_by_id(id).await.expect("facts are read")
}

async fn values(stage: &Stage, id: FactId) -> Vec<FactValue> {
    store(stage).fact_history(id).await.expect("history is read")
}

fn days(from: Option<i64>, until: Option<i64>) -> Span {
    let day = |day| Moment::on_day(day).expect("in range");
    Span::new(from.map(day), until.map(day)).expect("not inverted")
}

fn of(category: Option<&str>, limit: usize) -> FactQuery<'_> {
    FactQuery { category, within: Span::ALWAYS, lens: None, limit, claimed: false }
}

async fn of_key(stage: &Stage, category: &str, key: &str) -> Vec<FactWithClaims> {
    let key = FactKey::new(category, key).expect("a valid key");
    store(stage).facts_of_key(&key).await.expect("facts are read")
}

/// Three subjects, who always knew, since a day, and since a chapter.
fn knowers(stage: &Stage) -> Vec<Link> {
    let id = || MemoryId::from_uuid(stage.scribe.ids.uuid());
    let day = StoryPoint::Moment(Moment::on_day(-3).expect("in range"));
    [None, Some(day), Some(StoryPoint::Chapter(id()))].map(|since| Link::known_by(id(), since)).into()
}

fn gone(stage: &Stage, fact: &Fact) -> Fact {
    let next = stage.scribe.next_value(fact, "", fact.source);
    Fact { removed_at: Some(next.updated_at), ..next }
}

/// By id and by any spelling of its key; unknown ones are none.
#[tokio::test]
async fn every_field_of_a_fact_is_read_back() {
    let stage = CheckedStage::new().await;
    let fact = stage.scribe.fact("Pläces", "Salt Gate", "Ünder the 門 — 🐉", User);
    let span = days(Some(-7), None);
    let known_by = sorted(knowers(&stage)).expect("a few");
    let fact = Fact { conversation: Some(stage.conversation.id), span, known_by, ..fact };
    put(&stage, &fact).await;
    let expected = FactWithClaims { fact: fact.clone(), claims: Vec::new() };
    assert_eq!(read(&stage, fact.id).await, Some(expected.clone()));
    assert_eq!(of_key(&stage, "PLÄCES", "salt gate").await, [expected]);
    assert_eq!(of_key(&stage, "Pläces", "other").await, []);
    assert_eq!(read(&stage, FactId::from_uuid(stage.scribe.ids.uuid())).await, None);
}

/// Newest first; a removed fact keeps its own, and is found, but not listed.
#[tokio::test]
async fn every_value_of_a_fact_is_retained() {
    let stage = CheckedStage::new().await;
    let first = stated(&stage, "People", "Mira", "a smith", Agent).await;
    let known_by = sorted(knowers(&stage)).expect("a few");
    let second =
        Fact { span: days(None, Some(3)), known_by, ..stage.scribe.next_value(&first, "a thief", User) };
    put(&stage, &second).await;
    let third = gone(&stage, &second);
    put(&stage, &third).await;
    let value = |fact: &Fact, until| FactValue {
        version: fact.version,
        value: fact.value.clone(),
        span: fact.span,
        known_by: fact.known_by.clone(),
        source: fact.source,
        conversation: None,
        from: fact.updated_at,
        until,
        removed: fact.removed_at.is_some(),
    };
    let expected =
        [value(&third, None), value(&second, Some(third.updated_at)), value(&first, Some(second.updated_at))];
    assert_eq!(values(&stage, first.id).await, expected);
    assert_eq!(read(&stage, first.id).await.map(|f| f.fact), Some(third.clone()));
    assert_eq!(store(&stage).facts(of(None, 9), None).await.expect("facts are listed"), []);
    let fourth = stage.scribe.next_value(&third, "a queen", User);
    put(&stage, &fourth).await;
    assert_eq!(store(&stage).facts(of(None, 9), None).await.expect("facts are listed").len(), 1);
}

/// In their order, page by page, of one category or of all.
#[tokio::test]
async fn facts_are_listed_by_category_and_key() {
    let stage = CheckedStage::new().await;
    for (category, key) in [("b", "Two"), ("A", "zoo"), ("a", "Ant"), ("B", "one"), ("c", "x")] {
        stated(&stage, category, key, "so", Agent).await;
    }
    // By their start in the story, an open one first.
    for span in [days(Some(9), None), days(None, Some(2)), days(Some(3), Some(8))] {
        put(&stage, &Fact { span, ..stage.scribe.fact("c", "y", "so", Agent) }).await;
    }
    let keys = |facts: &[FactWithClaims]| -> Vec<String> {
        facts.iter().map(|f| format!("{}/{}", f.fact.key.category(), f.fact.key.key())).collect()
    };
    let all = store(&stage).facts(of(None, 99), None).await.expect("facts are listed");
    assert_eq!(keys(&all), ["a/Ant", "A/zoo", "B/one", "b/Two", "c/x", "c/y", "c/y", "c/y"]);
    let starts: Vec<_> = all[5..].iter().map(|f| f.fact.span.from().map(Moment::day)).collect();
    assert_eq!(starts, [None, Some(3), Some(9)]);
    let (mut paged, mut after) = (Vec::new(), None::<FactCursor>);
    loop {
        let page = store(&stage).facts(of(None, 2), after.as_ref()).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(FactCursor::of(&last.fact));
        paged.extend(page);
    }
    assert_eq!(paged, all);
    let only = store(&stage).facts(of(Some("B"), 99), None).await.expect("facts are listed");
    assert_eq!(keys(&only), ["B/one", "b/Two"]);
}

/// From its first moment on, and no more from the moment of the next one on.
#[tokio::test]
async fn facts_as_of_a_moment_have_the_values_of_that_moment() {
    let stage = CheckedStage::new().await;
    let first = stated(&stage, "People", "Mira", "a smith", Agent).await;
    let other = stated(&stage, "Places", "Gate", "of iron", User).await;
    let second = stage.scribe.next_value(&first, "a thief", Agent);
    put(&stage, &second).await;
    let third = gone(&stage, &second);
    put(&stage, &third).await;
    let then = async |at, category| -> Vec<String> {
        let facts = store(&stage).facts_as_of(at, of(category, 9), None).await.expect("facts are read");
        facts.into_iter().map(|f| f.value.value).collect()
    };
    let moment = TimeDelta::microseconds(1);
    assert_eq!(then(first.updated_at - moment, None).await, [""; 0]);
    assert_eq!(then(first.updated_at, None).await, ["a smith"]);
    assert_eq!(then(other.updated_at, None).await, ["a smith", "of iron"]);
    assert_eq!(then(second.updated_at - moment, Some("people")).await, ["a smith"]);
    assert_eq!(then(second.updated_at, Some("PEOPLE")).await, ["a thief"]);
    assert_eq!(then(third.updated_at, None).await, ["of iron"]);
}

#[tokio::test]
async fn facts_as_of_a_moment_come_in_pages_each_once() {
    let stage = CheckedStage::new().await;
    let mut last = stated(&stage, "Ambry", "ruler", "Aldous", User).await;
    for key in ["bell", "gate", "quay"] {
        stated(&stage, "Ambry", key, "iron", User).await;
    }
    let shorter = Fact { span: days(None, Some(812)), ..stage.scribe.next_value(&last, "Aldous", User) };
    put(&stage, &shorter).await;
    for (from, until) in [(813, Some(820)), (821, None)] {
        last = stage.scribe.fact("Ambry", "ruler", "Bera", User);
        last.span = days(Some(from), until);
        put(&stage, &last).await;
    }
    // Where each starts in the story counts as it was then.
    let later = Fact { span: days(Some(900), None), ..stage.scribe.next_value(&last, "Cord", User) };
    put(&stage, &later).await;
    let at = last.updated_at;
    let all = store(&stage).facts_as_of(at, of(None, 99), None).await.expect("facts are read");
    let starts = all.iter().map(|fact| fact.value.span.from().map(Moment::day));
    assert_eq!(starts.collect::<Vec<_>>(), [None, None, None, None, Some(813), Some(821)]);
    let (mut paged, mut after) = (Vec::new(), None::<FactCursor>);
    loop {
        let page = store(&stage).facts_as_of(at, of(None, 2), after.as_ref()).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(FactCursor::of_then(last));
        paged.extend(page);
    }
    assert_eq!(paged, all);
}

/// Of two who write the same version the second is told; so is who states anew what stands.
#[tokio::test]
async fn a_fact_that_changed_meanwhile_is_not_overwritten() {
    let stage = CheckedStage::new().await;
    let first = stated(&stage, "People", "Mira", "a smith", Agent).await;
    let twin = stage.scribe.fact("PEOPLE", "mira", "a twin", Agent);
    refused!(store(&stage).put_fact(&twin, Agent, None).await, StoreError::Moved(_));
    let second = stage.scribe.next_value(&first, "a thief", Agent);
    let late = stage.scribe.next_value(&first, "late", Agent);
    put(&stage, &second).await;
    refused!(store(&stage).put_fact(&late, Agent, None).await, StoreError::Moved(_));
    let skips = Fact { version: 9, ..late };
    refused!(store(&stage).put_fact(&skips, Agent, None).await, StoreError::Moved(_));
    assert_eq!(read(&stage, first.id).await.map(|f| f.fact), Some(second));
    assert_eq!(values(&stage, first.id).await.len(), 2);
}

/// By the store's own guard: it neither changes nor removes it, and does not speak in the author's name.
#[tokio::test]
async fn no_agent_changes_the_authors_fact() {
    let stage = CheckedStage::new().await;
    let fact = stated(&stage, "People", "Mira", "a smith", User).await;
    for source in [Agent, User] {
        let theft = stage.scribe.next_value(&fact, "a thief", source);
        refused!(store(&stage).put_fact(&theft, Agent, None).await, StoreError::Locked(_));
    }
    refused!(store(&stage).put_fact(&gone(&stage, &fact), Agent, None).await, StoreError::Locked(_));
    let forged = stage.scribe.fact("People", "Toma", "a smith", User);
    refused!(store(&stage).put_fact(&forged, Agent, None).await, StoreError::Locked(_));
    assert_eq!(read(&stage, fact.id).await.map(|f| f.fact), Some(fact));
    assert_eq!(read(&stage, forged.id).await, None);
}

/// Oldest first, the same one once; with the fact it contradicts.
#[tokio::test]
async fn open_claims_are_stored_with_their_fact() {
    let stage = CheckedStage::new().await;
    let fact = stated(&stage, "People", "Mira", "a smith", User).await;
    let first = Claim { conversation: Some(stage.conversation.id), ..stage.scribe.claim(&fact, "a thief") };
    let second = stage.scribe.claim(&fact, "a queen");
    let again = stage.scribe.claim(&fact, "a thief");
    for claim in [&first, &second, &again] {
        store(&stage).add_claim(claim).await.expect("the claim is kept");
    }
    let found = read(&stage, fact.id).await.expect("it is there");
    assert_eq!(found.claims, [first.clone(), second]);
    let claim = store(&stage).claim(first.id).await.expect("claims are read");
    assert_eq!(claim, Some((first, fact.clone())));
    assert_eq!(store(&stage).claim(again.id).await.expect("claims are read"), None);
    let lost = Claim { fact: FactId::from_uuid(stage.scribe.ids.uuid()), ..again };
    refused!(store(&stage).add_claim(&lost).await, StoreError::NotFound(_));
}

/// Accepted together with the value, or rejected; the same may be claimed again then.
#[tokio::test]
async fn a_claim_is_settled_once() {
    let stage = CheckedStage::new().await;
    let fact = stated(&stage, "People", "Mira", "a smith", User).await;
    let (yes, no) = (stage.scribe.claim(&fact, "a thief"), stage.scribe.claim(&fact, "a queen"));
    for claim in [&yes, &no] {
        store(&stage).add_claim(claim).await.expect("the claim is kept");
    }
    let accepted = stage.scribe.next_value(&fact, "a thief", User);
    store(&stage).put_fact(&accepted, User, Some(yes.id)).await.expect("the claim is accepted");
    let at = stage.scribe.clock.tick();
    store(&stage).reject_claim(no.id, at).await.expect("the claim is rejected");
    for id in [yes.id, no.id, ClaimId::from_uuid(stage.scribe.ids.uuid())] {
        refused!(store(&stage).reject_claim(id, at).await, StoreError::Moved(_));
        assert_eq!(store(&stage).claim(id).await.expect("claims are read"), None);
        let next = stage.scribe.next_value(&accepted, "twice", User);
        refused!(store(&stage).put_fact(&next, User, Some(id)).await, StoreError::Moved(_));
    }
    let found = read(&stage, fact.id).await.expect("it is there");
    assert_eq!((found.fact, found.claims), (accepted.clone(), vec![]));
    let again = stage.scribe.claim(&accepted, "a queen");
    store(&stage).add_claim(&again).await.expect("the claim is kept");
    assert_eq!(read(&stage, fact.id).await.expect("it is there").claims, [again]);
}

/// The fact and its history stay, with the conversation by which a purge finds them.
#[tokio::test]
async fn facts_stay_when_their_conversation_is_deleted() {
    let stage = CheckedStage::new().await;
    let from = |fact: Fact| Fact { conversation: Some(stage.conversation.id), ..fact };
    let first = from(stage.scribe.fact("People", "Mira", "a smith", Agent));
    put(&stage, &first).await;
    let second = from(stage.scribe.next_value(&first, "a thief", Agent));
    put(&stage, &second).await;
    let claim = Claim { conversation: Some(stage.conversation.id), ..stage.scribe.claim(&second, "a queen") };
    store(&stage).add_claim(&claim).await.expect("the claim is kept");
    let at = stage.scribe.clock.tick();
    stage
        .workspace
        .conversations
        .delete_conversation(stage.conversation.id, at)
        .await
        .expect("it is deleted");
    let found = read(&stage, first.id).await.expect("it is there");
    assert_eq!(found.fact, second);
    assert_eq!(found.claims, [claim]);
    let history = values(&stage, first.id).await;
    assert_eq!(history.len(), 2);
    assert!(history.iter().all(|value| value.conversation == Some(stage.conversation.id)));
    // The conversation itself is not found any more, so no link leads to it.
    let conversations = stage.workspace.conversations.conversations(&[stage.conversation.id]).await;
    assert_eq!(conversations.expect("conversations are read"), []);
}

/// Each at a time of its own: a time that another one has, even of one part of a day, is taken. A removed one has none.
#[tokio::test]
async fn no_two_facts_of_a_key_hold_at_one_time() {
    let stage = CheckedStage::new().await;
    let fact = |value: &str, span| Fact { span, ..stage.scribe.fact("Ambry", "ruler", value, User) };
    let (early, late) = (fact("Aldous", days(None, Some(812))), fact("Bera", days(Some(813), None)));
    for fact in [&early, &late] {
        put(&stage, fact).await;
    }
    let noon = Moment::at_part(812, 4_320).expect("in range");
    for span in [Span::ALWAYS, days(Some(812), Some(813)), days(Some(900), Some(901)), Span::at(noon)] {
        let second = Fact { key: FactKey::new("AMBRY", "Ruler").expect("a key"), ..fact("Cord", span) };
        refused!(store(&stage).put_fact(&second, User, None).await, StoreError::Moved(_));
    }
    for span in [Span::ALWAYS, days(Some(812), Some(813)), days(Some(900), Some(901))] {
        let later = Fact { span, ..stage.scribe.next_value(&early, "Aldous", User) };
        refused!(store(&stage).put_fact(&later, User, None).await, StoreError::Moved(_));
    }
    put(&stage, &Fact { span: Span::ALWAYS, ..stage.scribe.fact("Ambry", "river", "Ley", User) }).await;
    let shorter = Fact { span: days(None, Some(800)), ..stage.scribe.next_value(&early, "Aldous", User) };
    put(&stage, &shorter).await;
    let between = fact("Cord", days(Some(801), Some(812)));
    put(&stage, &between).await;
    let removed = gone(&stage, &between);
    put(&stage, &removed).await;
    let again = fact("Dunne", days(Some(805), Some(812)));
    put(&stage, &again).await;
    let back = stage.scribe.next_value(&removed, "Cord", User);
    refused!(store(&stage).put_fact(&back, User, None).await, StoreError::Moved(_));
    let values: Vec<String> =
        of_key(&stage, "ambry", "ruler").await.into_iter().map(|known| known.fact.value).collect();
    assert_eq!(values, ["Aldous", "", "Dunne", "Bera"]);
}

/// By the times of the story, and with a real time by those that were set then.
#[tokio::test]
async fn facts_are_listed_by_the_time_at_which_they_hold() {
    let stage = CheckedStage::new().await;
    let fact = |value: &str, span| Fact { span, ..stage.scribe.fact("Ambry", "ruler", value, User) };
    let first = fact("Aldous", Span::ALWAYS);
    put(&stage, &first).await;
    let shorter = Fact { span: days(None, Some(812)), ..stage.scribe.next_value(&first, "Aldous", User) };
    put(&stage, &shorter).await;
    let bera = fact("Bera", days(Some(813), None));
    put(&stage, &bera).await;
    let river = stage.scribe.fact("Ambry", "river", "Ley", User);
    put(&stage, &river).await;
    let at = |day| FactQuery { within: days(Some(day), Some(day)), ..of(None, 9) };
    let listed = async |query| -> Vec<String> {
        let facts = store(&stage).facts(query, None).await.expect("facts are listed");
        facts.into_iter().map(|known| known.fact.value).collect()
    };
    assert_eq!(listed(at(812)).await, ["Ley", "Aldous"]);
    assert_eq!(listed(at(813)).await, ["Ley", "Bera"]);
    assert_eq!(listed(FactQuery { within: days(Some(812), Some(813)), ..of(None, 9) }).await.len(), 3);
    let then = async |real, query| -> Vec<String> {
        let facts = store(&stage).facts_as_of(real, query, None).await.expect("facts are read");
        facts.into_iter().map(|fact| fact.value.value).collect()
    };
    assert_eq!(then(first.updated_at, at(900)).await, ["Aldous"], "it was said to hold always");
    assert_eq!(then(shorter.updated_at, at(900)).await, [""; 0]);
    assert_eq!(then(bera.updated_at, at(900)).await, ["Bera"]);
}

/// Before the limit, so that a page is full, and with a real time by who knew of them then.
#[tokio::test]
async fn facts_are_listed_through_a_lens() {
    let stage = CheckedStage::new().await;
    let (mira, toma) =
        (MemoryId::from_uuid(stage.scribe.ids.uuid()), MemoryId::from_uuid(stage.scribe.ids.uuid()));
    let day = |n| Moment::on_day(n).expect("in range");
    let mut first = Vec::new();
    for (n, known_by, source) in [
        (1, vec![Link::known_by(toma, None)], User),
        (2, vec![Link::known_by(mira, Some(StoryPoint::Moment(day(5))))], User),
        (3, vec![], Agent),
        (4, vec![Link::known_by(mira, None), Link::known_by(toma, None)], Agent),
        (5, vec![], User),
    ] {
        let fact = stage.scribe.fact("Ambry", &format!("k{n}"), &n.to_string(), source);
        let fact = Fact { known_by: sorted(known_by).expect("a few"), ..fact };
        store(&stage).put_fact(&fact, User, None).await.expect("the fact is written");
        first.push(fact);
    }
    let world = World { kind_of_knower: Some("character".to_owned()), ..World::default() };
    let lens = |knower, at: Option<i64>| {
        let lens = Lens { knower: Some(knower), at: at.map(|n| StoryPoint::Moment(day(n))) };
        world.resolve(lens).expect("resolved").withholding(BTreeSet::new())
    };
    let listed = async |knower, at, limit| -> Vec<String> {
        let lens = lens(knower, at);
        let query = FactQuery { lens: Some(&lens), ..of(None, limit) };
        let facts = store(&stage).facts(query, None).await.expect("facts are listed");
        assert!(facts.iter().all(|known| lens.withholds_fact(&known.fact).is_none()));
        facts.into_iter().map(|known| known.fact.value).collect()
    };
    assert_eq!(listed(mira, None, 9).await, ["2", "4", "5"]);
    assert_eq!(listed(mira, Some(4), 9).await, ["4", "5"]);
    assert_eq!(listed(mira, Some(4), 1).await, ["4"]);
    assert_eq!(listed(toma, None, 9).await, ["1", "4", "5"]);
    let known = stage.scribe.next_value(&first[0], "1", User);
    let known = Fact { known_by: Vec::new(), ..known };
    put(&stage, &known).await;
    assert_eq!(listed(mira, Some(4), 1).await, ["1"]);
    let lens = lens(mira, None);
    let then = async |at| {
        let query = FactQuery { lens: Some(&lens), ..of(None, 9) };
        store(&stage).facts_as_of(at, query, None).await.expect("facts are read").len()
    };
    assert_eq!((then(first[4].updated_at).await, then(known.updated_at).await), (3, 4));
}
