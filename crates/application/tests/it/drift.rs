//! The promises of canon drift, kept on SQLite.

use inklings_application::{
    conversation::summarise::Extractive,
    drift::Settlement,
    error::AppError,
    scrub::{Operator, ScrubRequest},
};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian, span::Span},
    consolidation::run::RunTrigger,
    drift::{Drift, DriftDecision, DriftState, InvalidDrift, Item},
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::{InvalidMemory, filter::ScopeFilter},
    provenance::{Actor, Interface},
    scope::Place,
    scrub::{ScrubMode, ScrubTarget},
};
use inklings_ports::{
    progress::NoProgress,
    testing::builders::{agent, author, draft, new_tags, new_text},
};

use crate::support::World;

const CANON: &str = "Mira is 34 years old.";
const STATEMENT: &str = "Mira is 36 years old.";

async fn open(world: &World) -> Vec<Drift> {
    world.session.drifts().look().await.expect("a look");
    world.session.drifts().page(Some(DriftState::Open), None, 50).await.expect("read").rows
}

async fn state(world: &World, drift: Drift) -> DriftState {
    world.session.drifts().get(drift.id).await.expect("there").state
}

/// The author's text in the workspace and an agent's in another tier, with their drift.
async fn drifted(world: &World) -> (MemoryId, MemoryId, Drift) {
    let canon = world.remember(draft(Place::Workspace, CANON), author()).await;
    let channel = world.conversation().await.channel_id;
    let statement = world.remember(draft(Place::Channel(channel), STATEMENT), agent()).await;
    let found = open(world).await;
    let [drift] = found[..] else { panic!("{found:?}") };
    assert_eq!((drift.canon.item, drift.statement.item), (Item::Memory(canon), Item::Memory(statement)));
    (canon, statement, drift)
}

async fn settle(world: &World, drift: Drift, settlement: Settlement) -> Result<(), AppError> {
    world.session.drifts().settle(drift.id, settlement, author()).await.map(|_| ())
}

async fn set_fact(world: &World, value: &str, actor: Actor) {
    world.session.facts().set("Mira", "age", value, None, actor).await.expect("set");
}

#[tokio::test]
async fn a_contradiction_across_tiers_is_filed_once_and_changes_nothing() {
    let world = World::new().await;
    let (canon, statement, _) = drifted(&world).await;
    assert_eq!(world.session.drifts().look().await.expect("a look"), 0);
    assert_eq!(open(&world).await.len(), 1);
    assert_eq!((world.entry(canon).await.version, world.entry(statement).await.version), (1, 1));
}

#[tokio::test]
async fn two_texts_of_agents_have_no_canon_and_of_two_authored_ones_the_older_is_it() {
    let world = World::new().await;
    let channel = world.conversation().await.channel_id;
    world.remember(draft(Place::Workspace, "Toma is a smith."), agent()).await;
    world.remember(draft(Place::Channel(channel), "Toma is a baker."), agent()).await;
    assert_eq!(open(&world).await, []);
    let older = world.remember(draft(Place::Workspace, CANON), author()).await;
    world.remember(draft(Place::Channel(channel), STATEMENT), author()).await;
    let found = open(&world).await;
    assert_eq!(found.iter().map(|drift| drift.canon.item).collect::<Vec<_>>(), [Item::Memory(older)]);
}

#[tokio::test]
async fn a_fact_is_compared_with_texts_and_parallel_sentences_are_not() {
    let world = World::new().await;
    set_fact(&world, "34", author()).await;
    let statement = world.remember(draft(Place::Workspace, STATEMENT), agent()).await;
    world.remember(draft(Place::Workspace, "Ilse is 29 years old."), agent()).await;
    world.remember(draft(Place::Workspace, "Anselm likes cyan."), author()).await;
    world.remember(draft(Place::Workspace, "Knut likes purple."), agent()).await;
    let found = open(&world).await;
    let [drift] = found[..] else { panic!("{found:?}") };
    assert!(matches!(drift.canon.item, Item::Fact(_)) && drift.statement.item == Item::Memory(statement));
}

#[tokio::test]
async fn if_the_canon_stands_the_statement_is_forgotten_and_undo_brings_it_back() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    let change = world.session.drifts().settle(drift.id, Settlement::CanonStands, author()).await;
    let change = change.expect("settled").expect("a change");
    assert!(!world.entry(statement).await.is_active());
    let settled = world.session.drifts().get(drift.id).await.expect("there");
    assert_eq!((settled.state, settled.change), (DriftState::Settled, Some(change)));
    assert_eq!(open(&world).await, []);
    world.session.memories().undo_change(change, author()).await.expect("undone");
    assert!(world.entry(statement).await.is_active());
}

#[tokio::test]
async fn a_decision_that_was_cut_off_before_its_mark_is_completed_when_it_is_made_again() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    let reason = ForgetReason::Contradicted;
    let cut = world.session.memories().forget_for(&[statement], &reason, author()).await.expect("forgotten");
    let change = world.session.drifts().settle(drift.id, Settlement::CanonStands, author()).await;
    assert_eq!(change.expect("settled"), Some(cut.change));
    let settled = world.session.drifts().get(drift.id).await.expect("there");
    assert_eq!((settled.state, settled.change), (DriftState::Settled, Some(cut.change)));
}

#[tokio::test]
async fn if_the_canon_changes_it_gets_the_text_of_the_statement() {
    let world = World::new().await;
    let (canon, _, drift) = drifted(&world).await;
    settle(&world, drift, Settlement::CanonChanges { text: None }).await.expect("settled");
    assert_eq!(world.entry(canon).await.content, STATEMENT);
    assert_eq!(open(&world).await, []);
}

#[tokio::test]
async fn a_canon_that_says_more_than_one_thing_needs_its_new_text() {
    let world = World::new().await;
    let canon = world.remember(draft(Place::Workspace, "Mira is 34. She keeps geese."), author()).await;
    world.remember(draft(Place::Workspace, STATEMENT), agent()).await;
    let drift = open(&world).await[0];
    let refused = settle(&world, drift, Settlement::CanonChanges { text: None }).await;
    assert!(matches!(refused, Err(AppError::Drift(InvalidDrift::Text))), "{refused:?}");
    assert_eq!(state(&world, drift).await, DriftState::Open);
    let text = Some("Mira is 36. She keeps geese.".to_owned());
    settle(&world, drift, Settlement::CanonChanges { text: text.clone() }).await.expect("settled");
    assert_eq!(Some(world.entry(canon).await.content), text);
}

#[tokio::test]
async fn both_hold_at_different_times_and_one_undo_takes_both_back() {
    let world = World::new().await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let dates = async |text: &str| -> Option<Span> {
        Some(world.session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("dates"))
    };
    let (canon, statement, drift) = drifted(&world).await;
    let none = settle(&world, drift, Settlement::Both { canon: None, statement: None }).await;
    assert!(matches!(none, Err(AppError::Drift(InvalidDrift::Times))), "{none:?}");
    let overlap =
        settle(&world, drift, Settlement::Both { canon: None, statement: dates("814").await }).await;
    assert!(matches!(overlap, Err(AppError::Drift(InvalidDrift::Overlap))), "{overlap:?}");
    let times = Settlement::Both { canon: dates("812").await, statement: dates("814").await };
    let change = world.session.drifts().settle(drift.id, times, author()).await.expect("settled");
    assert_eq!(Some(world.entry(canon).await.span), dates("812").await);
    assert_eq!(Some(world.entry(statement).await.span), dates("814").await);
    assert_eq!(open(&world).await, [], "disjoint times are no contradiction");
    world.session.memories().undo_change(change.expect("one change"), author()).await.expect("undone");
    assert_eq!(world.entry(canon).await.span, world.entry(statement).await.span);
}

#[tokio::test]
async fn the_life_of_a_subject_is_not_set_by_a_decision_about_a_sentence_of_its_page() {
    let world = World::new().await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let dates = async |text: &str| -> Option<Span> {
        Some(world.session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("dates"))
    };
    let mira = world.session.subjects().add("Mira", "character", "She has grey hair.", author()).await;
    let mira = mira.expect("added").id();
    let life = dates("780 – 840").await;
    world.session.calendars().set_story_time(mira, 1, life, None, author()).await.expect("set");
    let statement = world.remember(draft(Place::Workspace, "Mira has red hair."), agent()).await;
    let [drift] = open(&world).await[..] else { panic!("one") };
    let of_page =
        settle(&world, drift, Settlement::Both { canon: dates("810 –").await, statement: None }).await;
    assert!(matches!(of_page, Err(AppError::Drift(InvalidDrift::TimeOfSubject))), "{of_page:?}");
    assert_eq!(Some(world.entry(mira).await.span), life);
    let young = Settlement::Both { canon: None, statement: dates("– 809").await };
    settle(&world, drift, young).await.expect("settled");
    assert_eq!(Some(world.entry(statement).await.span), dates("– 809").await);
    assert_eq!(Some(world.entry(mira).await.span), life);
    assert_eq!(open(&world).await, [], "it is not asked again");
}

#[tokio::test]
async fn a_belief_is_known_by_those_who_hold_it_and_is_no_drift_any_more() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    let nobody = settle(&world, drift, Settlement::Belief { knowers: Vec::new() }).await;
    assert!(matches!(nobody, Err(AppError::Drift(InvalidDrift::Nobody))), "{nobody:?}");
    let mira = world.session.subjects().add("Toma", "character", "", author()).await.expect("added").id();
    // A channel's entry is known like one of the workspace.
    settle(&world, drift, Settlement::Belief { knowers: vec![(mira, None)] }).await.expect("settled");
    assert_eq!(world.entry(statement).await.links.len(), 1);
    assert_eq!(open(&world).await, [], "what others know is not compared");
}

#[tokio::test]
async fn what_was_dismissed_is_asked_again_only_when_a_text_changes() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    settle(&world, drift, Settlement::Dismiss).await.expect("settled");
    let settled = world.session.drifts().get(drift.id).await.expect("there");
    assert_eq!(settled.decision, Some(DriftDecision::Dismiss));
    assert_eq!(open(&world).await, []);
    world.session.memories().edit(statement, 1, new_tags(&["age"]), agent()).await.expect("tagged");
    assert_eq!(open(&world).await, [], "the texts are the same");
    let edit = new_text("Mira is 37 years old.");
    world.session.memories().edit(statement, 2, edit, agent()).await.expect("edited");
    assert_eq!(open(&world).await.len(), 1);
}

#[tokio::test]
async fn a_side_that_changed_supersedes_the_drift() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    world
        .session
        .memories()
        .edit(statement, 1, new_text("Mira keeps geese."), agent())
        .await
        .expect("edited");
    let late = settle(&world, drift, Settlement::CanonStands).await;
    assert!(matches!(late, Err(AppError::Drift(InvalidDrift::Superseded))), "{late:?}");
    assert_eq!(state(&world, drift).await, DriftState::Superseded);
    assert_eq!(open(&world).await, []);
    let again = settle(&world, drift, Settlement::Dismiss).await;
    assert!(matches!(again, Err(AppError::Drift(InvalidDrift::Settled))), "{again:?}");
}

#[tokio::test]
async fn only_the_worldbuilder_settles() {
    let world = World::new().await;
    let (_, statement, drift) = drifted(&world).await;
    let refused = world.session.drifts().settle(drift.id, Settlement::CanonStands, agent()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))), "{refused:?}");
    assert!(world.entry(statement).await.is_active());
}

#[tokio::test]
async fn an_event_after_the_end_of_a_life_drifts() {
    let world = World::new().await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let dates = async |text: &str| -> Option<Span> {
        Some(world.session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("dates"))
    };
    let mira = world.session.subjects().add("Mira", "character", "The smith.", author()).await;
    let mira = mira.expect("added").id();
    let calendars = world.session.calendars();
    calendars.set_story_time(mira, 1, dates("780 – 812").await, None, author()).await.expect("set");
    for (text, holds) in [
        ("Mira forges the bell.", "811"),
        ("Mira opens the gate.", "815"),
        ("Mira was buried under the oak.", "813"),
        ("Toma visits Mira's grave.", "816"),
    ] {
        let id = world.remember(draft(Place::Workspace, text), agent()).await;
        calendars.set_story_time(id, 1, dates(holds).await, None, author()).await.expect("set");
    }
    let found = open(&world).await;
    let [drift] = found[..] else { panic!("{found:?}") };
    let Item::Memory(id) = drift.statement.item else { panic!("{drift:?}") };
    assert_eq!(world.entry(id).await.content, "Mira opens the gate.");
}

#[tokio::test]
async fn a_scrub_takes_contradictions_along_and_the_next_look_those_about_the_account() {
    for (target, place, phrase) in [
        (ScrubTarget::Workspace, Place::Workspace, "scrub workspace"),
        (ScrubTarget::Account, Place::Account, "scrub account"),
    ] {
        let world = World::new().await;
        world.remember(draft(place, CANON), author()).await;
        let channel = world.conversation().await.channel_id;
        world.remember(draft(Place::Channel(channel), STATEMENT), agent()).await;
        assert_eq!(open(&world).await.len(), 1);
        let mode = ScrubMode::Full;
        let hash = world.session.scrubs().preview(&target, mode).await.expect("a manifest").hash;
        let request = ScrubRequest { target, mode, hash, phrase: phrase.to_owned() };
        world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
        if place == Place::Account {
            world.session.drifts().look().await.expect("a look");
        }
        let left = world.session.drifts().page(None, None, 50).await.expect("read").rows;
        assert_eq!(left, [], "{phrase}");
    }
}

#[tokio::test]
async fn consolidation_looks_too_and_neither_asks_about_what_the_other_asks() {
    let world = World::new().await;
    world.remember(draft(Place::Workspace, CANON), author()).await;
    world.remember(draft(Place::Workspace, STATEMENT), agent()).await;
    let channel = world.conversation().await.channel_id;
    world.remember(draft(Place::Workspace, "Toma is a smith."), author()).await;
    world.remember(draft(Place::Channel(channel), "Toma is a baker."), agent()).await;
    let run = async || {
        let consolidation = world.session.consolidation();
        let done = consolidation.consolidate(RunTrigger::Asked, Interface::Cli, &Extractive, &NoProgress);
        done.await.expect("consolidated").counts.proposed
    };
    assert_eq!(run().await, 1, "the pair of one place is a proposal");
    let filed = world.session.drifts().page(None, None, 50).await.expect("read").rows;
    assert_eq!(filed.len(), 1, "the pair of two tiers is a drift");
    assert_eq!(open(&world).await, filed);
}
