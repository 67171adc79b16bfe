//! The author's recall tests: what turns them, what they tell, and that they change nothing.

use std::sync::Arc;

use chrono::Duration;
use inklings_application::{
    error::AppError,
    memory::import::{ImportItem, Lines},
};
use inklings_domain::{
    ids::{MemoryId, RecallTestId},
    lens::Lens,
    memory::Origin,
    orientation::{ItemId, Rule},
    recall_test::{Cause, Expectation, InvalidRecallTest, MAX_TESTS, Must, RecallTest, RecallTestDraft},
    scope::Place,
    text::TextError,
};
use inklings_ports::{
    orientation::ReadFilter,
    testing::{
        builders::{agent, author},
        embedder::FixedEmbedder,
    },
};

use crate::{
    consolidation::{note, run, use_for_days},
    support::World,
};

fn expectation(id: MemoryId, must: Must) -> Expectation {
    Expectation { item: ItemId::Memory(id), must }
}

fn asked(question: &str, expects: Vec<Expectation>, lens: Lens) -> RecallTestDraft {
    RecallTestDraft::new(question, expects, (lens, None, None)).expect("it is valid")
}

async fn add(world: &World, question: &str, expects: Vec<Expectation>) -> RecallTest {
    let test = world.session.recall_tests().add(asked(question, expects, Lens::NONE)).await;
    test.expect("it is added")
}

async fn stored(world: &World, id: RecallTestId) -> RecallTest {
    let tests = world.session.recall_tests().list().await.expect("they are read");
    tests.into_iter().find(|test| test.id == id).expect("it is there")
}

fn rules(test: &RecallTest) -> Vec<Rule> {
    test.last.as_ref().expect("it was run").failures.iter().map(|failure| failure.rule).collect()
}

fn turned_by(test: &RecallTest) -> Option<Cause> {
    test.last.as_ref().and_then(|last| last.turned).map(|turned| turned.by)
}

#[tokio::test]
async fn a_test_passes_if_all_comes_up_that_must_and_nothing_that_must_not() {
    let world = World::new().await;
    let lamp = world.write(Place::Workspace, "The lamp of the crane is green.").await;
    let weir = world.write(Place::Workspace, "Odile drowned in the weir of Veyra.").await;
    world.embed().await;
    let question = "What colour is the lamp of the crane?";
    let passes = add(&world, question, vec![expectation(lamp, Must::Come)]).await;
    assert_eq!(rules(&passes), [], "it was run when it was added");
    let leaks = add(&world, question, vec![expectation(lamp, Must::StayAway)]).await;
    assert_eq!(rules(&leaks), [Rule::Taken]);
    let both = vec![expectation(lamp, Must::StayAway), expectation(weir, Must::Come)];
    let both = add(&world, "Where did Odile of Veyra drown?", both).await;
    let failed = both.last.expect("it was run").failures;
    assert!(failed.iter().all(|failure| failure.expectation.item == ItemId::Memory(lamp)), "{failed:?}");
}

#[tokio::test]
async fn a_failed_test_tells_the_rule_and_the_rank() {
    let world = World::new().await;
    for n in 0..40 {
        world.write(Place::Workspace, &format!("The iron gate of Veyra, hinge number {n}.")).await;
    }
    let weak =
        world.write(Place::Workspace, "Somebody once leant on some gate and thought of the sea.").await;
    let salt = world.write(Place::Workspace, "Salt is dear this year.").await;
    world.session.memories().forget(&[salt], "old", author()).await.expect("forgotten");
    world.embed().await;
    let expects = vec![expectation(weak, Must::Come), expectation(salt, Must::Come)];
    let test = add(&world, "What is the iron gate of Veyra?", expects).await;
    assert_eq!(rules(&test), [Rule::BehindTheCut, Rule::Forgotten]);
    let (rank, of) = test.last.expect("it was run").failures[0].rank.expect("a rank");
    assert!(rank > 24 && of == Some(41), "{rank} of {of:?}");
}

#[tokio::test]
async fn a_test_asks_through_its_lens() {
    let world = World::new().await;
    let secret = world.write(Place::Workspace, "The abbess of Calin is a smuggler.").await;
    let mut subjects = Vec::new();
    for name in ["Mira", "Toma"] {
        let id = world.session.subjects().add(name, "character", "", author()).await.expect("a subject").id();
        subjects.push(id);
    }
    let version = world.entry(secret).await.version;
    let knows = [(subjects[0], None)];
    world.session.lenses().set_known_by(secret, version, &knows, author()).await.expect("known by Mira");
    world.embed().await;
    for (knower, must) in [(subjects[0], Must::Come), (subjects[1], Must::StayAway)] {
        let lens = Lens { knower: Some(knower), at: None };
        let question = "Who is the smuggler of Calin?";
        let test = asked(question, vec![expectation(secret, must)], lens);
        let test = world.session.recall_tests().add(test).await.expect("it is added");
        assert_eq!(rules(&test), [], "{must}");
        let other = if must == Must::Come { Must::StayAway } else { Must::Come };
        let test = asked(question, vec![expectation(secret, other)], lens);
        let test = world.session.recall_tests().add(test).await.expect("it is added");
        let rule = if must == Must::Come { Rule::Taken } else { Rule::Unknown };
        assert_eq!(rules(&test), [rule], "{other}");
    }
    // Its lens fails closed: a test for leaks does not pass because nothing was asked.
    let toma = world.entry(subjects[1]).await;
    world.session.subjects().set_kind(toma.id, toma.version, None, author()).await.expect("no subject");
    let tests = world.session.recall_tests().run(&[]).await.expect("they run");
    let gone = tests.iter().filter(|test| rules(test) == [Rule::LensGone]).count();
    assert_eq!(gone, 2);
}

#[tokio::test]
async fn a_consolidation_that_turns_a_test_is_named_and_its_revert_mends_it() {
    let world = World::new().await;
    let cough = note(&world, "The innkeeper of Calin coughs.", 0.3, agent()).await;
    let lamp = world.write(Place::Workspace, "The lamp of the crane is green.").await;
    world.embed().await;
    let turns = add(&world, "Who coughs in Calin?", vec![expectation(cough, Must::Come)]).await;
    let stays = add(&world, "What colour is the lamp?", vec![expectation(lamp, Must::Come)]).await;
    assert_eq!((rules(&turns), rules(&stays)), (Vec::new(), Vec::new()));
    use_for_days(&world, 60).await;
    let run = run(&world).await;
    let test = stored(&world, turns.id).await;
    assert_eq!((rules(&test), turned_by(&test)), (vec![Rule::Forgotten], Some(Cause::Consolidation(run.id))));
    let test = stored(&world, stays.id).await;
    assert_eq!((rules(&test), turned_by(&test)), (Vec::new(), None));
    // Asking again does not hide what turned it.
    world.session.recall_tests().run(&[turns.id]).await.expect("it runs");
    assert_eq!(turned_by(&stored(&world, turns.id).await), Some(Cause::Consolidation(run.id)));
    world.session.consolidation().revert_run(run.id, author()).await.expect("reverted");
    let test = stored(&world, turns.id).await;
    assert_eq!((rules(&test), turned_by(&test)), (Vec::new(), None), "the revert ran it again");
}

#[tokio::test]
async fn every_act_that_can_turn_a_test_runs_it() {
    let world = World::new().await;
    let lamp = world.write(Place::Workspace, "The lamp of the crane is green.").await;
    world.embed().await;
    let test = add(&world, "What colour is the lamp?", vec![expectation(lamp, Must::Come)]).await;
    let ran_at = async || stored(&world, test.id).await.last.expect("it was run").at;
    let mut before = ran_at().await;
    let item = ImportItem {
        line: 1,
        title: None,
        keys: Vec::new(),
        content: "The weir is deep.".to_owned(),
        origin: Origin::default(),
        tags: Vec::new(),
        importance: None,
    };
    world.clock.advance(Duration::minutes(1));
    let lines = Lines { source: "notes", file: None, pick_all: false };
    world
        .session
        .memory_imports()
        .import(Place::Workspace, lines, vec![item], author())
        .await
        .expect("imported");
    assert!(ran_at().await > before, "an import");
    before = ran_at().await;
    world.clock.advance(Duration::minutes(1));
    run(&world).await;
    assert!(ran_at().await > before, "a consolidation");
    // Vectors of the same model are no reason, those of another one are.
    before = ran_at().await;
    world.clock.advance(Duration::minutes(1));
    world.embed().await;
    assert_eq!(ran_at().await, before, "the same model");
    world.session.embedder.set(Some(Arc::new(FixedEmbedder::named("another", 64))));
    // The run waits for the vectors to load, by the clock.
    let ticks = async {
        loop {
            world.clock.advance(Duration::milliseconds(20));
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::select! { () = world.embed() => {}, () = ticks => {} }
    let test = stored(&world, test.id).await.last.expect("it was run");
    assert!(test.at > before, "another model");
    assert_eq!(test.model.as_deref(), Some("another"));
}

#[tokio::test]
async fn a_run_counts_no_use_and_records_nothing() {
    let world = World::new().await;
    let lamp = world.write(Place::Workspace, "The lamp of the crane is green.").await;
    world.embed().await;
    let conversation = world.conversation().await;
    let before = world.entry(lamp).await;
    for _ in 0..3 {
        world.clock.tick();
        add(&world, "What colour is the lamp?", vec![expectation(lamp, Must::Come)]).await;
        world.session.recall_tests().run(&[]).await.expect("they run");
    }
    assert_eq!(world.entry(lamp).await, before);
    let reads =
        world.session.orientations().shown_reads(ReadFilter::default(), None, 9).await.expect("read").0;
    assert!(reads.is_empty());
    let ledger = world.session.orientations().list(conversation.id, None, 9).await.expect("read").0;
    assert!(ledger.is_empty());
}

#[tokio::test]
async fn what_is_not_there_and_too_many_tests_are_refused() {
    let world = World::new().await;
    let lamp = world.write(Place::Workspace, "The lamp is green.").await;
    let tests = world.session.recall_tests();
    let unknown = world.session.ids.memory_id();
    let refused = tests.add(asked("Who?", vec![expectation(unknown, Must::Come)], Lens::NONE)).await;
    assert!(matches!(refused, Err(AppError::NoMemory(id)) if id == unknown));
    assert!(matches!(tests.item("lamp").await, Err(AppError::NotFound { .. })));
    assert!(matches!(tests.item(&unknown.to_string()).await, Err(AppError::NotFound { .. })));
    let lens = Lens { knower: Some(unknown), at: None };
    let refused = tests.add(asked("Who?", vec![expectation(lamp, Must::Come)], lens)).await;
    assert!(matches!(refused, Err(AppError::NotFound { .. })));
    let blank = RecallTestDraft::new("  ", vec![expectation(lamp, Must::Come)], (Lens::NONE, None, None));
    assert!(matches!(blank, Err(InvalidRecallTest::Question(TextError::Empty { .. }))));
    for n in 0..MAX_TESTS {
        let test = RecallTest {
            id: world.session.ids.recall_test_id(),
            draft: asked(&format!("Who {n}?"), vec![expectation(lamp, Must::Come)], Lens::NONE),
            created_at: world.clock.tick(),
            last: None,
        };
        world.session.workspace.recall_tests.put(&test).await.expect("it is kept");
    }
    let refused = tests.add(asked("Who?", vec![expectation(lamp, Must::Come)], Lens::NONE)).await;
    assert!(matches!(refused, Err(AppError::RecallTest(InvalidRecallTest::Full))));
}
