//! Recall tests over the commands of the window.

use inklings_api::{
    error::ErrorCode,
    orientation::view::WhyRule,
    recall_test::view::{RecallMust, RecallTestRequest},
    settings::view::{DecayPreset, DecaySettings, Settings},
    vocabulary::Scope,
};

use crate::{memory_off::new, support::World};

fn request(question: &str, come: &str) -> RecallTestRequest {
    RecallTestRequest {
        question: question.to_owned(),
        come: vec![come.to_owned()],
        stay_away: Vec::new(),
        lens: None,
        channel_id: None,
        budget: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_is_added_run_and_removed() {
    let world = World::new().await;
    let lamp = new(Scope::Workspace, "The lamp of the crane is green.");
    let id = world.app.memory().create_memory(lamp).await.expect("written").detail.row.id;
    let tests = world.app.recall_test();
    let added = tests.add_recall_test(request("What colour is the lamp?", &id)).await.expect("added");
    assert_eq!((added.passed, added.expects[0].must), (Some(true), RecallMust::Come));
    assert_eq!(added.expects[0].label, "The lamp of the crane is green.");
    world.app.memory().forget_memories(std::slice::from_ref(&id), "old").await.expect("forgotten");
    let run = tests.run_recall_tests(&[]).await.expect("they run");
    let failure = run[0].expects[0].failure.as_ref().expect("it failed");
    assert_eq!((run[0].passed, failure.rule), (Some(false), WhyRule::Forgotten));
    assert_eq!(tests.list_recall_tests().await.expect("read"), run);
    tests.remove_recall_test(&added.id).await.expect("removed");
    assert_eq!(tests.list_recall_tests().await.expect("read"), []);
    let gone = tests.remove_recall_test(&added.id).await.expect_err("it is gone");
    assert_eq!(gone.code, ErrorCode::NotFound);
    let unknown = tests.run_recall_tests(&[added.id]).await.expect_err("it is gone");
    assert_eq!(unknown.code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_person_types_wrong_is_refused_by_field() {
    let world = World::new().await;
    let lamp = new(Scope::Workspace, "The lamp is green.");
    let id = world.app.memory().create_memory(lamp).await.expect("written").detail.row.id;
    let tests = world.app.recall_test();
    let nothing = RecallTestRequest { come: Vec::new(), ..request("Who?", &id) };
    let twice = RecallTestRequest { stay_away: vec![id.clone()], ..request("Who?", &id) };
    let cases = [
        (request(" ", &id), ErrorCode::Invalid),
        (nothing, ErrorCode::Invalid),
        (twice, ErrorCode::Invalid),
        (request("Who?", "the lamp"), ErrorCode::NotFound),
    ];
    for (request, code) in cases {
        let error = tests.add_recall_test(request.clone()).await.expect_err("it is refused");
        assert_eq!(error.code, code, "{request:?}");
    }
    assert_eq!(tests.list_recall_tests().await.expect("read"), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_rates_of_decay_run_the_tests_and_other_settings_do_not() {
    let world = World::new().await;
    let lamp = new(Scope::Workspace, "The lamp is green.");
    let id = world.app.memory().create_memory(lamp).await.expect("written").detail.row.id;
    let tests = world.app.recall_test();
    tests.add_recall_test(request("What colour is the lamp?", &id)).await.expect("added");
    let ran_at = async || tests.list_recall_tests().await.expect("read")[0].run_at.clone();
    let before = ran_at().await;
    let settings: Settings = world.app.settings().get_settings().await.expect("read");
    world.app.settings().update_settings(settings.clone()).await.expect("set");
    assert_eq!(ran_at().await, before);
    let decay = DecaySettings { preset: DecayPreset::Brisk, ..settings.decay.clone() };
    world.app.settings().update_settings(Settings { decay, ..settings }).await.expect("set");
    assert_ne!(ran_at().await, before);
}
