//! Saved searches: kept in their order, changed by one writer at a time, and destroyed with what they are about.

use inklings_domain::{
    ids::SavedSearchId,
    scrub::{ScrubFile, ScrubMode, ScrubRows, ScrubTarget, SubjectName},
    search::saved::{SavedSearch, SavedSearches},
};
use inklings_ports::{
    clock::IdGenerator as _, search::saved_store::SavedSearchStore, workspace::settings::Topic,
};
use serde_json::{Value, json};

use super::{CheckedFolder, CheckedStage, Stage, scrubs};

fn store(stage: &Stage) -> &dyn SavedSearchStore {
    stage.workspace.saved_searches.as_ref()
}

async fn read(stage: &Stage) -> SavedSearches {
    store(stage).saved_searches().await.expect("they are read")
}

fn view(query: &str, channel: Option<&str>, conversation: Option<&str>) -> Value {
    json!({"query": query, "filter": {"channelId": channel, "conversationId": conversation, "terms": []}})
}

/// Saves a search at the end.
async fn save(stage: &Stage, name: &str, view: &Value) -> SavedSearchId {
    let id = stage.scribe.ids.saved_search_id();
    let before = read(stage).await;
    let mut changed = before.clone();
    let search = SavedSearch::new(id, name, view.to_string()).expect("it is valid");
    changed.add(search, None).expect("there is room");
    assert!(store(stage).replace_saved_searches(&before, &changed).await.expect("it is stored"));
    id
}

#[tokio::test]
async fn searches_read_back_in_the_order_in_which_they_were_put() {
    let stage = CheckedStage::new().await;
    assert_eq!(read(&stage).await, SavedSearches::default());
    let mut ids = Vec::new();
    for name in ["Salt", "Öl und Eid", "Gates"] {
        ids.push(save(&stage, name, &view("salt \"and\" öl", None, None)).await);
    }
    let before = read(&stage).await;
    let mut changed = before.clone();
    assert!(changed.move_to(ids[2], 0) && changed.remove(ids[0]));
    assert!(store(&stage).replace_saved_searches(&before, &changed).await.expect("it is stored"));
    assert_eq!(read(&stage).await, changed);
}

#[tokio::test]
async fn a_change_of_what_another_writer_changed_meanwhile_writes_nothing() {
    let stage = CheckedStage::new().await;
    let old = read(&stage).await;
    save(&stage, "Salt", &view("salt", None, None)).await;
    let kept = read(&stage).await;
    let stored = store(&stage).replace_saved_searches(&old, &SavedSearches::default()).await;
    assert!(!stored.expect("it is looked at"));
    assert_eq!(read(&stage).await, kept);
}

#[tokio::test]
async fn a_change_of_saved_searches_notifies_subscribers() {
    let stage = CheckedStage::new().await;
    let feed = stage.memory().feed.as_ref();
    feed.poll().await.expect("the feed is read");
    save(&stage, "Salt", &view("salt", None, None)).await;
    assert!(feed.poll().await.expect("the feed is read").topics.contains(&Topic::Settings));
}

#[tokio::test]
async fn a_scrub_destroys_the_searches_for_what_it_destroys() {
    type Target = fn(&Stage) -> ScrubTarget;
    let names = ["by its name", "by its words", "by a condition", "in the channel", "in the conversation"];
    let cases: [(&str, Target, &[usize]); 5] = [
        (
            "subject",
            |_| ScrubTarget::Subject(SubjectName::new("Ansélm").expect("a name"), ScrubFile::Workspace),
            &[0, 1, 2],
        ),
        ("channel", |stage| ScrubTarget::Channel(stage.side.id), &[3]),
        ("conversation", |stage| ScrubTarget::Conversation(stage.conversation.id), &[4]),
        ("purge", |stage| ScrubTarget::Purge(stage.conversation.id), &[4]),
        ("workspace", |_| ScrubTarget::Workspace, &[0, 1, 2, 5]),
    ];
    for (name, target, gone) in cases {
        let folder = CheckedFolder::new();
        let stage = Stage::set(&folder).await;
        let mut by_condition = view("keys", None, None);
        by_condition["filter"]["terms"] = json!([{"facet": "speaker", "value": "Ansélm", "negated": false}]);
        let (channel, conversation) = (stage.side.id.to_string(), stage.conversation.id.to_string());
        let ids = [
            save(&stage, "All of Ansélm", &view("keys", None, None)).await,
            save(&stage, "Keys", &view("what \"Ansélm\"\nhides", None, None)).await,
            save(&stage, "Weirs", &by_condition).await,
            save(&stage, "Lamps", &view("lamp", Some(&channel), None)).await,
            save(&stage, "Ropes", &view("rope", None, Some(&conversation))).await,
            save(&stage, "Gates", &view("gate", None, None)).await,
        ];
        let done = scrubs::scrub(&stage, stage.memory(), &target(&stage), ScrubMode::Full).await;
        assert_eq!(scrubs::rows(&done.manifest, ScrubRows::SavedSearches), gone.len() as u64, "{name}");
        let left: Vec<_> = read(&stage).await.all().iter().map(|search| search.id).collect();
        let expected: Vec<_> = (0..ids.len()).filter(|n| !gone.contains(n)).map(|n| ids[n]).collect();
        assert_eq!(left, expected, "{name}: {names:?}");
    }
}
