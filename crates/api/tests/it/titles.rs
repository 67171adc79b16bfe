//! Titles and keys take part in what a text takes part in.

use inklings_api::{
    orientation::view::OrientRequest,
    scrub::view::{ScrubKind, ScrubMode, ScrubRequest, ScrubTarget},
    transfer::view::{ConflictChoice, ImportOutcomeKind, ImportRequest, TransferFormat},
    view::memory::NewMemory,
    vocabulary::{Lifetime, Scope},
};
use inklings_domain::memory::PLAIN_TEXTS;
use inklings_formats::testing::entries as samples;
use serde_json::{Map, Value, json};

use crate::support::{World, total};

async fn remembered(world: &World, title: Option<&str>, keys: &[&str], content: &str) {
    let new = NewMemory {
        scope: Scope::Workspace,
        channel_id: None,
        conversation_id: None,
        lifetime: Lifetime::LongTerm,
        title: title.map(str::to_owned),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        content: content.to_owned(),
        importance: 0.5,
        tags: Vec::new(),
        made_of: Vec::new(),
    };
    world.app.memory().create_memory(new).await.expect("written");
}

/// The name in a view of a field of the database.
fn camel(name: &str) -> String {
    let mut words = name.split('_').map(str::to_owned);
    let first = words.next().unwrap_or_default();
    first + &words.map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_writes_and_reads_every_plain_text_of_a_memory_and_of_its_versions() {
    let world = World::new().await;
    remembered(&world, None, &[], "She rules the paper court.").await;
    let written = world.all().await.remove(0);
    let text = |name: &str, n: u32| format!("The {name} of version {n}");
    let mut version = written.row.version;
    for n in [1, 2] {
        let patch = PLAIN_TEXTS.iter().map(|plain| (camel(plain.name), json!(text(plain.name, n))));
        let patch = serde_json::from_value(Value::Object(patch.collect())).expect("a patch");
        let memories = world.app.memory();
        version = memories
            .update_memory(&written.row.id, version, patch)
            .await
            .expect("changed")
            .detail
            .row
            .version;
    }
    let detail = world.app.memory().get_memory(&written.row.id).await.expect("read");
    let detail = serde_json::to_value(detail).expect("JSON");
    let history = world.app.memory().memory_history(&written.row.id).await.expect("read");
    let history = serde_json::to_value(history).expect("JSON");
    for plain in PLAIN_TEXTS {
        let shown = [&detail, &detail["row"]].map(|view| &view[camel(plain.name)]);
        assert!(shown.contains(&&json!(text(plain.name, 2))), "{} is shown", plain.name);
        let versions = history.as_array().into_iter().flatten().map(|item| &item[camel(plain.name)]);
        let versions: Vec<&Value> = versions.collect();
        assert_eq!(versions, [&json!(text(plain.name, 2)), &json!(text(plain.name, 1)), &Value::Null]);
    }
}

async fn oriented(world: &World, query: &str) -> String {
    let request = OrientRequest {
        conversation: None,
        channel_id: None,
        query: query.to_owned(),
        budget: None,
        lens: None,
    };
    let view = world.app.orientation().orient(request).await.expect("oriented");
    view.markdown.expect("a preview has the document")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrub_of_a_subject_includes_entries_that_only_name_it_in_title_or_keys() {
    let world = World::new().await;
    remembered(&world, Some("Oskar"), &[], "He owes the harbour three crowns.").await;
    remembered(&world, Some("The ferryman"), &["oskar the Younger"], "He rows at night.").await;
    remembered(&world, Some("Nelly"), &["the smith"], "She forges the keys.").await;
    let target = ScrubTarget { kind: ScrubKind::Subject, id: Some("Oskar".to_owned()), account: Some(false) };
    let scrubs = world.app.scrub();
    let manifest = scrubs.preview_scrub(target.clone(), ScrubMode::Full).await.expect("a manifest");
    assert_eq!(manifest.total, 2, "{:?}", manifest.counts);
    let (hash, phrase) = (manifest.hash, manifest.phrase);
    let request = ScrubRequest { target, mode: ScrubMode::Full, hash, phrase, backup: false };
    let done = scrubs.execute_scrub(request).await.expect("scrubbed");
    assert!(done.proof.ok, "{:?}", done.proof);
    let left: Vec<Option<String>> = world.all().await.into_iter().map(|entry| entry.row.title).collect();
    assert_eq!(left, [Some("Nelly".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_reads_the_title_before_the_text() {
    let world = World::new().await;
    remembered(&world, Some("Origami Tobiichi"), &["the folder"], "She rules the paper court.").await;
    for query in ["Origami Tobiichi", "Who is the folder?", "paper court"] {
        let document = oriented(&world, query).await;
        let (title, text) = (document.find("Origami Tobiichi"), document.find("She rules the paper court."));
        assert!(title.is_some() && text.is_some() && title < text, "{query}: {document}");
    }
}

/// A book of constant entries that would fill the orientation.
fn constants() -> Value {
    let entry = |n: u64| {
        let text = format!("Place {n} has walls. {}", "Nobody has counted its stones. ".repeat(40));
        (n.to_string(), samples::world_entry(n, &format!("Place {n}"), &[&format!("place {n}")], &text, true))
    };
    json!({"entries": (0..40).map(entry).collect::<Map<_, _>>()})
}

#[tokio::test(flavor = "multi_thread")]
async fn constant_entries_over_the_limit_are_shown_only_when_mentioned_and_exported_as_constant() {
    let world = World::new().await;
    remembered(&world, None, &[], "The ferry leaves at dawn.").await;
    let path = world.file("book.json", constants().to_string());
    let as_they_are = World::request(&path, ConflictChoice::Newer);
    let asked = ImportRequest { only_when_named: true, ..as_they_are.clone() };
    let done = world.import_as(asked).await.expect("comes in");
    let shown = done.plan.always_shown.expect("the plan warns");
    assert!(shown.entries == 40 && shown.tokens > shown.budget, "{shown:?}");
    let all = world.all().await;
    assert!(all.iter().all(|entry| entry.row.name.is_none()), "none is always shown");
    let titled = all.iter().filter(|entry| entry.row.title.as_deref() == Some("Place 7")).count();
    assert_eq!(titled, 1);
    assert!(oriented(&world, "When does the ferry leave?").await.contains("The ferry leaves at dawn."));
    assert!(oriented(&world, "What about Place 7?").await.contains("Place 7 has walls."));
    let again = world.import_as(as_they_are).await.expect("known again");
    assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 40, "{:?}", again.plan.counts);
    assert!(world.all().await.iter().all(|entry| entry.row.name.is_none()), "the choice is remembered");
    let back = world.export("back.json", TransferFormat::Sillytavern).await;
    let back: Value = serde_json::from_slice(&std::fs::read(back).expect("there")).expect("JSON");
    for (key, entry) in constants()["entries"].as_object().expect("entries") {
        assert_eq!(&back["entries"][key], entry, "{key}");
    }
}
