//! Who knows of the entries of other programs' files: in, seen through a lens, and out. An import widens nobody's knowledge.

use std::{fs, path::PathBuf, sync::Arc};

use inklings_api::{
    NoopEvents,
    calendar::view::NewStoryTime,
    named_entry::view::NewNamedEntry,
    transfer::view::{
        ConflictChoice, ExportRequest, ExportScope, ImportItemView, ImportNeed, ImportOutcomeKind,
        ImportPlan, ImportRequest, TransferFormat,
    },
    view::lens::KnowerSpec,
    vocabulary::Scope,
};
use inklings_domain::provenance::ActorKind;
use inklings_formats::testing::entries as samples;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{
    round_trips::{is_refused, some},
    support::{World, total},
};

const SECRET: &str = "The key lies under the third stair.";

fn entry(n: u64, name: &str, text: &str, filter: &Value) -> Value {
    let mut entry = samples::world_entry(n, name, &[name], text, false);
    if !filter.is_null() {
        entry["characterFilter"] = filter.clone();
    }
    entry
}

fn filter(names: &[&str]) -> Value {
    json!({"isExclude": false, "names": names, "tags": []})
}

fn book(entries: &[Value]) -> Value {
    let entries: Map<String, Value> =
        entries.iter().map(|entry| (entry["uid"].to_string(), entry.clone())).collect();
    json!({ "entries": entries })
}

/// A book of a character, and of one secret with this filter.
fn secret(filter: &Value) -> Value {
    book(&[entry(0, "Ama", "She keeps the gate.", &Value::Null), entry(1, "The key", SECRET, filter)])
}

fn value(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON")
}

async fn out(world: &World, format: TransferFormat) -> Value {
    value(world.export("back.json", format).await)
}

/// What a plan shows of an item: its outcome, label, kind and knowers.
fn shown(item: &ImportItemView) -> String {
    let kind = item.subject.as_ref().map(|kind| format!(" <{kind}>")).unwrap_or_default();
    let knowers = item.links.iter().map(|link| {
        let since = link.since.as_ref().map(|since| format!(" since {since}")).unwrap_or_default();
        format!(" {:?} {}{since}", link.role, link.name)
    });
    format!("{:?} {}{kind}{}", item.kind, item.label, knowers.collect::<String>())
}

fn all_shown(plan: &ImportPlan) -> Vec<String> {
    let mut all: Vec<String> = plan.items.iter().map(shown).collect();
    all.sort();
    all
}

async fn subjects(world: &World) -> Vec<String> {
    let rows = world.app.subject().list_subjects(None).await.expect("a list").rows;
    rows.into_iter().map(|row| format!("{} <{}>", row.name, row.kind)).collect()
}

async fn add(world: &World, name: &str, kind: &str) -> String {
    world.app.subject().add_subject(name, kind, "").await.expect("added").detail.row.id
}

/// Who knows of the entry with this text.
async fn known_by(world: &World, text: &str) -> Vec<(String, Option<String>)> {
    let knowers = world.one(text).await.known_by.into_iter();
    knowers.map(|knower| (knower.name, knower.since)).collect()
}

fn always(name: &str) -> (String, Option<String>) {
    (name.to_owned(), None)
}

/// True if a subject finds the entry with this text.
async fn finds(world: &World, knower: &str, text: &str) -> bool {
    let request = serde_json::from_value(json!({
        "query": text, "limit": 20, "first": null, "strategy": null,
        "filter": {"scope": null, "channelId": null, "conversationId": null, "terms": [],
                   "lens": {"knower": knower, "at": null}},
    }));
    let found = world.app.memory().search_memories(request.expect("a request")).await.expect("an answer");
    found.hits.iter().any(|hit| hit.row.preview == text)
}

/// True if an entry has this text, whoever knows of it.
async fn is_here(world: &World, text: &str) -> bool {
    world.all().await.iter().any(|entry| entry.content == text)
}

fn losses(report: &[inklings_api::transfer::view::TransferCount]) -> Vec<(&str, u32)> {
    report.iter().map(|lost| (lost.what.as_str(), lost.rows)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_of_characters_says_who_knows_and_the_plan_shows_whom_it_adds() {
    let world = World::new().await;
    add(&world, "Sel", "character").await;
    let file = secret(&filter(&["Ama", "Toma"]));
    let path = world.file("book.json", file.to_string());
    let plan = world.preview(&path).await.expect("a plan");
    assert_eq!(
        all_shown(&plan),
        ["Add Ama <character>", "Add The key KnownBy Ama KnownBy Toma", "Add Toma <character>"]
    );
    assert_eq!(subjects(&world).await, ["Sel <character>"], "nothing is added by looking");
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&world).await, ["Ama <character>", "Sel <character>", "Toma <character>"]);
    assert_eq!(known_by(&world, SECRET).await, [always("Ama"), always("Toma")]);
    assert!(finds(&world, "Ama", SECRET).await && finds(&world, "Toma", SECRET).await);
    assert!(!finds(&world, "Sel", SECRET).await);
    assert!(world.one("She keeps").await.row.name.is_some(), "the entry of this name is the character");

    // Toma is known by name alone, so the book has no entry of him.
    let mut back = out(&world, TransferFormat::Sillytavern).await;
    back["entries"].as_object_mut().expect("entries").retain(|_, entry| entry["comment"] != "Sel");
    assert_eq!(back, file);
    let again = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 2, "{:?}", again.plan.items);
    world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    assert_eq!(subjects(&world).await, ["Sel <character>"]);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in again");
    assert_eq!(known_by(&world, SECRET).await, [always("Ama"), always("Toma")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_knower_is_found_by_name_or_alias_and_nothing_is_added_then() {
    let world = World::new().await;
    let mira = add(&world, "Mira Voss", "spy").await;
    world.app.named_entry().alias_named_entry(&mira, 1, "Mira", false).await.expect("an alias");
    let path = world.file("book.json", book(&[entry(0, "", SECRET, &filter(&["mira"]))]).to_string());
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(all_shown(&done.plan), [format!("Add {SECRET} KnownBy Mira Voss")]);
    assert_eq!(subjects(&world).await, ["Mira Voss <spy>"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_filter_says_besides_names_is_reported_and_left_out_until_a_person_picks_it() {
    for (given, knowers) in [
        (json!({"isExclude": true, "names": ["Sel"], "tags": []}), vec![]),
        (json!({"isExclude": false, "names": [], "tags": ["guard"]}), vec![]),
        (json!({"isExclude": false, "names": ["Ama"], "tags": ["guard"]}), vec![always("Ama")]),
        (json!("Ama"), vec![]),
    ] {
        let world = World::new().await;
        add(&world, "Sel", "character").await;
        let file = secret(&given);
        let path = world.file("book.json", file.to_string());
        let done = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
        let lines: Vec<_> = done.plan.lines.iter().map(|line| (line.label.as_str(), line.need)).collect();
        assert_eq!(lines, [("The key", ImportNeed::Knowers)], "{given}");
        assert_eq!(done.plan.remarks.len(), 1, "{given}: {:?}", done.plan.remarks);
        assert!(!is_here(&world, SECRET).await, "{given}: it is not common knowledge");
        world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
        assert_eq!(known_by(&world, SECRET).await, knowers, "{given}");
        let mut back = out(&world, TransferFormat::Sillytavern).await;
        back["entries"].as_object_mut().expect("entries").retain(|_, entry| entry["comment"] != "Sel");
        assert_eq!(back, file, "{given}");
        let report = world.export_request("out.lorebook", TransferFormat::Novelai);
        let report = ExportRequest { dry_run: true, ..report };
        let report = world.app.transfer().export_memory(report, Arc::new(NoopEvents)).await.expect("a look");
        let lost = losses(&report.losses);
        assert!(lost.contains(&("other fields of their program", 1)), "{given}: {lost:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_whose_knowers_cannot_be_found_is_not_common_knowledge() {
    let named = async |world: &World| {
        let new = NewNamedEntry {
            scope: Scope::Workspace,
            name: "Ama".to_owned(),
            content: "My own note.".to_owned(),
        };
        world.app.named_entry().add_named_entry(new).await.expect("added");
    };
    let long = "n".repeat(500);
    // A name that another entry has, the name of a standard entry, no possible name, and the account.
    for (name, scope) in [
        ("Ama", Scope::Workspace),
        ("VOICE", Scope::Workspace),
        (long.as_str(), Scope::Workspace),
        ("Toma", Scope::Account),
    ] {
        let world = World::new().await;
        named(&world).await;
        add(&world, "Sel", "character").await;
        let path = world.file("book.json", secret(&filter(&[name])).to_string());
        let request = ImportRequest { scope, ..World::request(&path, ConflictChoice::Newer) };
        let done = world.import_as(request).await.expect("looked at");
        let line = done.plan.lines.iter().find(|line| line.label == "The key").expect("a line");
        assert_eq!(line.need, ImportNeed::Knowers, "{name}");
        assert!(!is_here(&world, SECRET).await && !finds(&world, "Sel", SECRET).await, "{name}");
        assert_eq!(subjects(&world).await, ["Sel <character>"], "{name}");
    }
    // With one who is found, it is known by that one alone, and the plan tells it.
    let world = World::new().await;
    named(&world).await;
    add(&world, "Sel", "character").await;
    let path = world.file("book.json", secret(&filter(&["Ama", "Sel"])).to_string());
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(known_by(&world, SECRET).await, [always("Sel")]);
    let item = done.plan.items.iter().find(|item| item.label == "The key").expect("an item");
    assert!(item.reason.starts_with("without some who know"), "{}", item.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn outside_of_the_workspace_a_knower_must_be_here_already() {
    let world = World::new().await;
    let channel = world.app.channel().create_channel("Drafts", "").await.expect("made").id;
    let path = world.file("book.json", secret(&filter(&["Toma"])).to_string());
    let request = || ImportRequest {
        scope: Scope::Channel,
        channel_id: Some(channel.clone()),
        ..World::request(&path, ConflictChoice::Newer)
    };
    world.import_as(request()).await.expect("looked at");
    assert!(!is_here(&world, SECRET).await);
    add(&world, "Toma", "character").await;
    world.import_as(request()).await.expect("comes in");
    assert_eq!(known_by(&world, SECRET).await, [always("Toma")]);
    // The export of the channel alone names him too: without his name everybody could read it.
    let scope =
        ExportScope { account: false, workspace: false, channel_id: Some(channel), conversation_id: None };
    let request = ExportRequest { scope, ..world.export_request("drafts.md", TransferFormat::Markdown) };
    world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    let note = fs::read_to_string(world.path("drafts.md").join("The key.md")).expect("a note");
    assert!(note.contains("known_by:\n  - \"[[Toma]]\"\n"), "{note}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_text_becomes_no_character_because_a_filter_names_it() {
    let world = World::new().await;
    let note = serde_json::from_value(json!({
        "scope": "workspace", "channelId": null, "conversationId": null, "content": "She keeps the gate.",
        "tags": [], "importance": 0.5, "lifetime": "long_term",
    }));
    let note = note.expect("a memory");
    world.app.memory().create_memory_as(note, None, None, None, ActorKind::Agent).await.expect("noted");
    let path = world.file("book.json", secret(&filter(&["Ama"])).to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&world).await, ["Ama <character>"]);
    let ama = world.app.subject().subject_at("Ama").await.expect("a subject").id;
    assert_eq!(world.app.memory().get_memory(&ama).await.expect("there").content, "", "a name and no text");
    assert_eq!(known_by(&world, SECRET).await, [always("Ama")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_file_that_lets_more_know_changes_nothing_until_a_person_picks_it() {
    let world = World::new().await;
    let path = world.file("book.json", secret(&filter(&["Ama"])).to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    for wider in [json!(null), filter(&[]), filter(&["Ama", "Toma"]), filter(&["Toma"])] {
        let path = world.file("book.json", secret(&wider).to_string());
        let done = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
        let needs: Vec<_> = done.plan.lines.iter().map(|line| (line.label.as_str(), line.need)).collect();
        assert_eq!(needs, [("The key", ImportNeed::Knowers)], "{wider}");
        assert_eq!(known_by(&world, SECRET).await, [always("Ama")], "{wider}");
        assert_eq!(subjects(&world).await, ["Ama <character>"], "{wider}: nobody is added for nothing");
    }
    let path = world.file("book.json", secret(&filter(&["Toma"])).to_string());
    world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(known_by(&world, SECRET).await, [always("Toma")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn knowers_that_were_changed_renamed_or_removed_here_go_out_as_they_are_now() {
    let world = World::new().await;
    let path = world.file("book.json", secret(&filter(&["Ama", "Toma"])).to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let names = async || {
        let back = out(&world, TransferFormat::Sillytavern).await;
        let filter = back["entries"]["1"]["characterFilter"].clone();
        (filter["isExclude"].clone(), filter["names"].clone())
    };
    let set = async |names: &[&str]| {
        let found = world.one(SECRET).await;
        let spec = |name: &&str| KnowerSpec { subject: (*name).to_owned(), since: None };
        let knowers: Vec<KnowerSpec> = names.iter().map(spec).collect();
        let version = found.row.version;
        world.app.lens().set_known_by(&found.row.id, version, &knowers).await.expect("set");
    };
    add(&world, "Guild", "faction").await;
    set(&["Toma", "Guild"]).await;
    assert_eq!(names().await, (json!(false), json!(["Toma", "Guild"])));
    set(&[]).await;
    assert_eq!(names().await, (json!(false), json!([])), "everybody knows now");
    set(&["Toma"]).await;
    assert_eq!(names().await.1, json!(["Toma"]));
    let toma = world.app.subject().subject_at("Toma").await.expect("a subject").id;
    let version = world.app.memory().get_memory(&toma).await.expect("there").row.version;
    world.app.named_entry().rename_named_entry(&toma, version, "Tomas").await.expect("renamed");
    let version = world.app.memory().get_memory(&toma).await.expect("there").row.version;
    assert_ne!(names().await.1, json!([]));
    world.app.named_entry().remove_named_entry(&toma, version).await.expect("removed");
    let (_, left) = names().await;
    assert_eq!(left.as_array().map(Vec::len), Some(1), "who is gone still keeps others out: {left}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vault_says_who_knows_and_since_when_and_comes_back_byte_for_byte() {
    let world = World::new().await;
    let gregorian = world.app.calendar().list_calendars().await.expect("presets").presets.remove(0);
    world.app.calendar().add_calendar("Reckoning", &gregorian.definition).await.expect("a calendar");
    let trial = add(&world, "The Trial", "chapter").await;
    let time = NewStoryTime {
        text: Some("May, 812".to_owned()),
        reading_number: Some(2),
        ..NewStoryTime::default()
    };
    world.app.calendar().set_story_time(&trial, 1, &time).await.expect("a time");
    add(&world, "Reader", "audience").await;
    let secret = format!(
        "---\ntitle: The key\nknown_by: [\"[[Mira]]\", \"[[people/Toma|Tom]] since The Trial\", \"[[Reader]] since 3 May, 812\", Sel]\n---\n\n{SECRET}\n"
    );
    let late = "---\nknown_by:\n  - \"[[Mira]] since the end of days\"\n---\nThe heir is a miller.\n";
    let odd = "---\nknown_by: {Mira: true}\n---\nThe vault is empty.\n";
    let open = "---\nknown_by: []\n---\nThe gate is old.\n";
    let files = [
        ("vault/people/Mira.md", "---\ntype: spy\n---\nShe rows.\n"),
        ("vault/The key.md", secret.as_str()),
        ("vault/heir.md", late),
        ("vault/vault.md", odd),
        ("vault/gate.md", open),
    ];
    for (path, text) in files {
        world.file(path, text);
    }
    let path = world.path("vault");
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let needs: Vec<_> = done.plan.lines.iter().map(|line| (line.label.as_str(), line.need)).collect();
    assert_eq!(needs, [("heir", ImportNeed::Knowers), ("vault", ImportNeed::Knowers)]);
    let knowers = known_by(&world, SECRET).await;
    let since =
        |name: &str| knowers.iter().find(|(known, _)| known == name).map(|(_, since)| since.as_deref());
    assert_eq!(since("Mira"), Some(None));
    assert_eq!(since("Toma"), Some(Some("The Trial")));
    assert!(since("Reader").flatten().is_some_and(|since| since.starts_with("3 May, 812")), "{knowers:?}");
    assert_eq!(since("Sel"), Some(None));
    let kinds = subjects(&world).await;
    assert!(kinds.contains(&"Mira <spy>".to_owned()) && kinds.contains(&"Toma <character>".to_owned()));
    assert!(
        finds(&world, "Sel", "The gate is old.").await && !finds(&world, "Sel", "She rows by night.").await
    );

    world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
    let out = world.export("out", TransferFormat::Markdown).await;
    for (path, text) in files {
        let path = path.strip_prefix("vault/").expect("in the vault");
        assert_eq!(fs::read_to_string(out.join(path)).expect("there"), text, "{path}");
    }
    assert!(!out.join("Toma.md").exists(), "who is only named gets no note");

    // World Info names them and tells that it has no place for the times.
    let request = world.export_request("world.json", TransferFormat::Sillytavern);
    let report = world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    let lost = losses(&report.losses);
    assert!(lost.contains(&("since when somebody knows of them", 1)), "{lost:?}");
    assert!(!lost.iter().any(|(what, _)| what.starts_with("who knows of them")), "{lost:?}");
    let other = World::new().await;
    let file = world.path("world.json");
    let plan = other.preview(&file).await.expect("a plan");
    let key = plan.items.iter().find(|item| item.label == "The key").expect("an item");
    assert_eq!(key.links.len(), 2, "those since an unknown time are left out: {:?}", key.links);
}

/// A book whose entries have filters of every kind.
fn filtered() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(&["Ama", "Sel", "Toma", "the queen", "VOICE", "A/B", "/a/i", " "][..]);
    let names = prop::collection::vec(name(), 0..4);
    let filter = (names, prop::collection::vec(name(), 0..2), any::<bool>())
        .prop_map(|(names, tags, out)| json!({"isExclude": out, "names": names, "tags": tags}));
    let filter = prop::option::of(filter).prop_map(|filter| filter.unwrap_or(Value::Null));
    prop::collection::vec((name(), filter, any::<bool>()), 1..6).prop_map(|entries| {
        let entry = |(n, (name, filter, constant)): (usize, (&str, Value, bool))| {
            let mut entry = entry(n as u64, name.trim(), &format!("Text {n}."), &filter);
            entry["constant"] = constant.into();
            entry
        };
        book(&entries.into_iter().enumerate().map(entry).collect::<Vec<_>>())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn any_book_with_filters_comes_back_unchanged_and_nobody_else_knows_of_its_entries() {
    let world = World::new().await;
    add(&world, "Nobody", "character").await;
    let mut whole = 0;
    for file in some(40, &filtered()) {
        let path = world.file("book.json", file.to_string());
        let request = ImportRequest { new_book: true, ..World::request(&path, ConflictChoice::Newer) };
        let done = world.import_as(request).await.expect("looked at");
        for (n, entry) in file["entries"].as_object().expect("entries") {
            let says = |key: &str| {
                let list = entry["characterFilter"][key].as_array().into_iter().flatten();
                list.filter_map(Value::as_str).any(|text| !text.trim().is_empty())
            };
            if says("names") || says("tags") {
                let text = format!("Text {n}.");
                assert!(!finds(&world, "Nobody", &text).await, "{entry}");
            }
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
        let request =
            ImportRequest { new_book: true, pick_all: true, ..World::request(&path, ConflictChoice::Newer) };
        let done = world.import_as(request).await.expect("comes in");
        if is_refused(&done.plan) == 0 {
            let mut back = out(&world, TransferFormat::Sillytavern).await;
            back["entries"].as_object_mut().expect("entries").retain(|_, entry| entry["comment"] != "Nobody");
            assert_eq!(back, file, "{:?}", done.plan.items);
            whole += 1;
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    }
    assert!(whole > 15, "{whole} of 40 came in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_in_a_file_learns_what_the_group_knows_only_with_a_pick() {
    let line = json!({"type": "relation", "from": "Mira", "to": "Council", "relationType": "member_of"});
    let note = "---\nrelation: member of\nfrom: Mira\nto: Council\n---\nShe sits at the table.\n";
    for (name, text) in [("graph.jsonl", line.to_string()), ("Mira in the Council.md", note.to_owned())] {
        let world = World::new().await;
        add(&world, "Mira", "character").await;
        add(&world, "Council", "faction").await;
        let file = world.file("secret.json", secret(&Value::Null).to_string());
        world.import(&file, ConflictChoice::Newer).await.expect("comes in");
        let row = world.one(SECRET).await.row;
        let knower = KnowerSpec { subject: "Council".to_owned(), since: None };
        world.app.lens().set_known_by(&row.id, row.version, &[knower]).await.expect("set");
        let path = world.file(name, text);
        let done = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
        let needs: Vec<ImportNeed> = done.plan.lines.iter().map(|line| line.need).collect();
        assert_eq!(needs, [ImportNeed::Knowers], "{name}");
        assert!(!finds(&world, "Mira", SECRET).await, "{name}");
        world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
        assert!(finds(&world, "Mira", SECRET).await, "{name}");
    }
}
