//! Recall tests: kept with their last runs, changed by a run alone, and destroyed with what they are about.

use chrono::TimeDelta;
use inklings_domain::{
    calendar::{moment::Moment, story_point::StoryPoint},
    ids::{ChannelId, FactId, MemoryId},
    lens::Lens,
    orientation::{ItemId, Rule},
    recall_test::{Cause, Expectation, Failure, Must, RecallTest, RecallTestDraft},
    scope::Place,
    scrub::{ScrubFile, ScrubMode, ScrubRows, ScrubTarget, SubjectName},
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    recall_test::RecallTestStore,
    testing::builders::{author, draft},
};

use super::{CheckedFolder, CheckedStage, Stage, scrubs};

fn store(stage: &Stage) -> &dyn RecallTestStore {
    stage.workspace.recall_tests.as_ref()
}

fn come(id: MemoryId) -> Expectation {
    Expectation { item: ItemId::Memory(id), must: Must::Come }
}

fn test(stage: &Stage, question: &str, expects: Vec<Expectation>, channel: Option<ChannelId>) -> RecallTest {
    let id = stage.scribe.ids.recall_test_id();
    let draft = RecallTestDraft::new(question, expects, (Lens::NONE, channel, None)).expect("it is valid");
    RecallTest { id, draft, created_at: stage.scribe.clock.tick(), last: None }
}

async fn put(stage: &Stage, test: RecallTest) -> RecallTest {
    store(stage).put(&test).await.expect("it is kept");
    test
}

async fn list(stage: &Stage) -> Vec<RecallTest> {
    store(stage).list().await.expect("they are read")
}

#[tokio::test]
async fn a_test_reads_back_as_it_was_written() {
    let stage = CheckedStage::new().await;
    let ids = &stage.scribe.ids;
    let expects = vec![
        come(ids.memory_id()),
        Expectation { item: ItemId::Fact(FactId::from_uuid(ids.uuid())), must: Must::StayAway },
    ];
    let lenses = [
        Lens::NONE,
        Lens { knower: Some(ids.memory_id()), at: Some(StoryPoint::Moment(Moment::MAX)) },
        Lens { knower: None, at: Some(StoryPoint::Chapter(ids.memory_id())) },
    ];
    let mut kept = Vec::new();
    for (n, lens) in lenses.into_iter().enumerate() {
        let about = (lens, Some(stage.side.id), (n > 0).then_some(n as u64 * 900));
        let draft =
            RecallTestDraft::new("Wer hütet die Lampe?", expects.clone(), about).expect("it is valid");
        let created_at = stage.scribe.clock.tick();
        kept.push(put(&stage, RecallTest { id: ids.recall_test_id(), draft, created_at, last: None }).await);
    }
    assert_eq!(list(&stage).await, kept);
}

#[tokio::test]
async fn a_run_is_kept_with_its_failures_and_with_what_turned_it() {
    let stage = CheckedStage::new().await;
    let expected = come(stage.scribe.ids.memory_id());
    let made = put(&stage, test(&stage, "Who keeps the lamp?", vec![expected], None)).await;
    let at = stage.scribe.clock.now();
    let run = stage.scribe.ids.run_id();
    let failures =
        vec![Failure { expectation: expected, rule: Rule::BehindTheCut, rank: Some((41, Some(60))) }];
    let mut now = made;
    for (by, failures) in [
        (Cause::Asked, Vec::new()),
        (Cause::Consolidation(run), failures.clone()),
        (Cause::Asked, failures.clone()),
        (Cause::Revert, Vec::new()),
        (Cause::Import(Some(run)), failures.clone()),
        (Cause::Model, Vec::new()),
        (Cause::Decay, failures),
    ] {
        now = now.after(by, at + TimeDelta::hours(1), Some("mini".to_owned()), failures);
        store(&stage).put_runs(std::slice::from_ref(&now)).await.expect("it is kept");
        assert_eq!(list(&stage).await, [now.clone()]);
    }
}

/// Also if it is removed while it runs.
#[tokio::test]
async fn a_removed_test_stays_removed() {
    let stage = CheckedStage::new().await;
    let expects = || vec![come(stage.scribe.ids.memory_id())];
    let first = put(&stage, test(&stage, "Who keeps the lamp?", expects(), None)).await;
    let second = put(&stage, test(&stage, "Who lit it?", expects(), None)).await;
    assert!(store(&stage).remove(first.id).await.expect("it is removed"));
    assert!(!store(&stage).remove(first.id).await.expect("it is gone"));
    let run = first.after(Cause::Asked, stage.scribe.clock.now(), None, Vec::new());
    store(&stage).put_runs(&[run]).await.expect("it is passed over");
    assert_eq!(list(&stage).await, [second]);
}

/// As the memories of the channel do.
#[tokio::test]
async fn tests_of_a_dissolved_channel_move_with_its_memories() {
    let stage = CheckedStage::new().await;
    let expects = vec![come(stage.scribe.ids.memory_id())];
    put(&stage, test(&stage, "Who keeps the lamp?", expects, Some(stage.side.id))).await;
    let conversations = &stage.workspace.conversations;
    conversations.delete_channel(stage.side.id, Some(stage.general.id)).await.expect("it is dissolved");
    let channels: Vec<_> = list(&stage).await.into_iter().map(|test| test.draft.channel).collect();
    assert_eq!(channels, [Some(stage.general.id)]);
}

/// The target of a scrub, for a stage and an entry.
type Target = fn(&Stage, MemoryId) -> ScrubTarget;

#[tokio::test]
async fn a_scrub_destroys_the_tests_of_what_it_destroys() {
    let names = ["expects it", "asks in the channel", "asks of the subject", "is of something else"];
    let cases: [(&str, Target, &[usize]); 4] = [
        ("entry", |_, id| ScrubTarget::Entry(id, ScrubFile::Workspace), &[0]),
        ("channel", |stage, _| ScrubTarget::Channel(stage.side.id), &[1]),
        (
            "subject",
            |_, _| ScrubTarget::Subject(SubjectName::new("Anselm").expect("a name"), ScrubFile::Workspace),
            &[2],
        ),
        ("workspace", |_, _| ScrubTarget::Workspace, &[0, 2, 3]),
    ];
    for (name, target, gone) in cases {
        let folder = CheckedFolder::new();
        let stage = Stage::set(&folder).await;
        let lamp = stage.write_one(author(), draft(Place::Workspace, "The lamp is green.")).await;
        let other = || vec![come(stage.scribe.ids.memory_id())];
        let tests = [
            put(&stage, test(&stage, "What colour has it?", vec![come(lamp.id)], None)).await,
            put(&stage, test(&stage, "Who keeps the keys?", other(), Some(stage.side.id))).await,
            put(&stage, test(&stage, "What does Anselm hide?", other(), None)).await,
            put(&stage, test(&stage, "How deep is the weir?", other(), None)).await,
        ];
        let done = scrubs::scrub(&stage, stage.memory(), &target(&stage, lamp.id), ScrubMode::Full).await;
        assert_eq!(scrubs::rows(&done.manifest, ScrubRows::RecallTests), gone.len() as u64, "{name}");
        let left: Vec<_> = list(&stage).await.into_iter().map(|test| test.id).collect();
        let expected: Vec<_> =
            (0..tests.len()).filter(|n| !gone.contains(n)).map(|n| (names[n], tests[n].id)).collect();
        assert_eq!(left, expected.iter().map(|(_, id)| *id).collect::<Vec<_>>(), "{name}: {expected:?} stay");
    }
}
