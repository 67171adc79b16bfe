//! Recall tests over the commands of the window.

use std::sync::Arc;

use inklings_api::{
    NoopEvents,
    error::ErrorCode,
    orientation::view::WhyRule,
    recall_test::view::{RecallMust, RecallTestRequest},
    settings::view::{DecayPreset, DecaySettings, Settings},
    transfer::view::TransferFormat,
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
        (request(" ", &id), ErrorCode::Invalid, Some("question")),
        (nothing, ErrorCode::Invalid, Some("come")),
        (twice, ErrorCode::Invalid, Some("come")),
        (request("Who?", "the lamp"), ErrorCode::NotFound, None),
    ];
    for (request, code, field) in cases {
        let error = tests.add_recall_test(request.clone()).await.expect_err("it is refused");
        let named = error.details.as_ref().and_then(|details| details.field.as_deref());
        assert_eq!((error.code, named), (code, field), "{request:?}");
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
    world.app.settings().update_settings(settings).await.expect("set");
    assert_eq!(ran_at().await, before);
    let decay = DecaySettings { preset: DecayPreset::Brisk, ..settings.decay };
    world.app.settings().update_settings(Settings { decay, ..settings }).await.expect("set");
    assert_ne!(ran_at().await, before);
}

/// The author's own tests are no part of a file yet, and the report tells that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_tells_that_it_leaves_the_tests_out() {
    let world = World::new().await;
    world.app.workspace().load_sample_world().await.expect("loaded");
    let request = world.export_request("world.json", TransferFormat::Inklings);
    let report = world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    let lost: Vec<_> = report.losses.iter().map(|lost| (lost.what.as_str(), lost.rows)).collect();
    assert_eq!(lost, [("recall tests", 3)]);
}
