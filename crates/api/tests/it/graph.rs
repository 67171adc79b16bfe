//! Subjects, relations and links of other programs' files, in and out.

use std::{fs, path::PathBuf, sync::Arc};

use inklings_api::{
    NoopEvents,
    calendar::view::NewStoryTime,
    subject::view::NewRelation,
    transfer::view::{
        ConflictChoice, ExportScope, ImportItemView, ImportOutcomeKind, ImportRequest, TransferFormat,
    },
    view::lens::{KnowerSpec, LensSpec},
    vocabulary::Scope,
};
use inklings_application::testing::pages::link_pages;
use inklings_formats::testing::entries as samples;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    round_trips::{is_refused, some},
    support::{World, total},
};

/// What a plan shows of an item: its label, kind or relation, and links.
fn shown(item: &ImportItemView) -> String {
    let says = item.subject.iter().chain(&item.relation).map(|word| format!("<{word}>"));
    let links = item.links.iter().map(|link| format!("{:?} {}", link.role, link.name));
    std::iter::once(item.label.clone()).chain(says).chain(links).collect::<Vec<_>>().join(" ")
}

/// The subjects with their kinds and aliases, by name.
async fn subjects(world: &World) -> Vec<String> {
    let rows = world.app.subject().list_subjects(None).await.expect("a list").rows;
    rows.into_iter().map(|row| format!("{} <{}> {:?}", row.name, row.kind, row.aliases)).collect()
}

/// The relations that start at a subject, with their texts.
async fn relations(world: &World, name: &str) -> Vec<String> {
    let id = world.app.subject().subject_at(name).await.expect("a subject").id;
    let found = world.app.subject().get_subject(&id).await.expect("a subject");
    let outgoing = found.relations.into_iter().filter(|relation| relation.outgoing);
    outgoing.map(|found| format!("{} {}: {}", found.relation, found.other.name, found.content)).collect()
}

/// The texts that are about a subject.
async fn about(world: &World, name: &str) -> Vec<String> {
    let id = world.app.subject().subject_at(name).await.expect("a subject").id;
    let found = world.app.subject().get_subject(&id).await.expect("a subject");
    let mut about: Vec<String> = found.about.into_iter().map(|row| row.name.unwrap_or(row.preview)).collect();
    about.sort();
    about
}

async fn add(world: &World, name: &str, kind: &str, text: &str) -> String {
    world.app.subject().add_subject(name, kind, text).await.expect("added").detail.row.id
}

async fn relate(world: &World, from: &str, relation: &str, to: &str, content: Option<&str>) {
    let id = async |name: &str| world.app.subject().subject_at(name).await.expect("a subject").id;
    let (from, to) = (id(from).await, id(to).await);
    let content = content.map(str::to_owned);
    let new = NewRelation { from, relation: relation.to_owned(), to, content, channel_id: None };
    world.app.subject().add_relation(new).await.expect("related");
}

fn lines(path: PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("there");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn relation_line(from: &str, relation: &str, to: &str) -> Value {
    json!({"type": "relation", "from": from, "to": to, "relationType": relation})
}

fn entity_line(name: &str, kind: &str, text: &str) -> Value {
    json!({"type": "entity", "name": name, "entityType": kind, "observations": [text]})
}

fn graph_file(world: &World, name: &str, lines: &[Value]) -> PathBuf {
    world.file(name, lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_memory_graph_becomes_subjects_and_relations_that_the_plan_shows() {
    let world = World::new().await;
    let path = world.file("memory.jsonl", samples::GRAPH);
    let plan = world.preview(&path).await.expect("a plan");
    assert_eq!(
        plan.items.iter().map(shown).collect::<Vec<_>>(),
        ["Ama lives in Ambry <lives in> From Ama To Ambry", "Ama <person>", "Ambry <town>"]
    );
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&world).await, ["Ama <person> []", "Ambry <town> []"]);
    assert_eq!(relations(&world, "Ama").await, ["lives in Ambry: Ama lives in Ambry"]);
    assert_eq!(world.one("Rules").await.row.tags, Vec::<String>::new(), "the kind is no tag");
    let again = world.import(&path, ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 3, "{:?}", again.plan.items);
    let request = world.export_request("world.graphml", TransferFormat::Graphml);
    let report = world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    assert_eq!(report.losses, [], "a graph has a place for all of it");
    world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    assert_eq!(subjects(&world).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn outside_of_the_workspace_the_kind_of_an_entity_stays_a_tag_and_a_relation_a_text() {
    let world = World::new().await;
    let channel = world.app.channel().create_channel("Drafts", "").await.expect("made").id;
    let path = world.file("memory.jsonl", samples::GRAPH);
    let request = ImportRequest {
        scope: Scope::Channel,
        channel_id: Some(channel),
        ..World::request(&path, ConflictChoice::Newer)
    };
    let done = world.import_as(request).await.expect("comes in");
    assert!(done.plan.items.iter().all(|item| item.links.is_empty() && item.subject.is_none()));
    assert_eq!(subjects(&world).await, Vec::<String>::new());
    let ama = world.one("Rules").await;
    assert_eq!(
        (ama.row.title.as_deref(), ama.row.tags.as_slice()),
        (Some("Ama"), &["person".to_owned()][..])
    );
    assert_eq!(world.one("Ama lives").await.relation, None);
    let back = lines(world.export("back.jsonl", TransferFormat::McpJsonl).await);
    assert_eq!(back, lines(path), "and nothing of it is lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entity_that_may_be_no_subject_comes_in_as_a_memory_with_its_kind_as_tag() {
    let world = World::new().await;
    let long = "k".repeat(61);
    let graph = [
        entity_line("Ama", &long, "Too long a kind."),
        entity_line("VOICE", "person", "Shout."),
        entity_line("Ambry", "town", "The first."),
        entity_line("ambry", "river", "The second."),
        relation_line("Ama", "lives_in", "Ambry"),
        relation_line("Ambry", "is", "Ambry"),
    ];
    let path = graph_file(&world, "memory.jsonl", &graph);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&world).await, ["Ambry <town> []"]);
    for (text, tag) in [("Too long", long.as_str()), ("Shout", "person"), ("The second", "river")] {
        let entry = world.one(text).await;
        assert_eq!((entry.row.name, entry.row.tags), (None, vec![tag.to_owned()]), "{text}");
    }
    assert!(relations(&world, "Ambry").await.is_empty(), "and nothing is related to itself");
    assert_eq!(lines(world.export("back.jsonl", TransferFormat::McpJsonl).await), graph);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relation_leads_to_subjects_that_are_here_and_stays_a_text_without_them() {
    let world = World::new().await;
    add(&world, "Mira", "character", "A ferrywoman.").await;
    let graph = [entity_line("Toma", "person", "Keeps the toll."), relation_line("Toma", "knows", "Mira")];
    let missing = relation_line("Toma", "fears", "Sel");
    let path = graph_file(&world, "memory.jsonl", &[&graph[..], &[missing]].concat());
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(relations(&world, "Toma").await, ["knows Mira: Toma knows Mira"]);
    let fears = done.plan.items.iter().find(|item| item.label.starts_with("Toma fears")).expect("an item");
    assert_eq!((&fears.relation, fears.links.len()), (&None, 0));
    assert!(fears.reason.starts_with("as a text"), "{}", fears.reason);
    assert_eq!(world.one("Toma fears").await.relation, None);

    // Who knows somebody already does not know them twice.
    let twice = graph_file(&world, "twice.jsonl", &[relation_line("Toma", "knows", "Mira")]);
    let request = ImportRequest { new_book: true, ..World::request(&twice, ConflictChoice::Newer) };
    world.import_as(request).await.expect("comes in");
    assert_eq!(relations(&world, "Toma").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_whose_relation_would_lead_elsewhere_now_is_not_executed() {
    let world = World::new().await;
    let mira = add(&world, "Mira", "character", "A ferrywoman.").await;
    add(&world, "Toma", "character", "").await;
    let path = graph_file(&world, "memory.jsonl", &[relation_line("Toma", "knows", "Mira")]);
    let plan = world.preview(&path).await.expect("a plan");
    let version = world.app.memory().get_memory(&mira).await.expect("there").row.version;
    world.app.named_entry().remove_named_entry(&mira, version).await.expect("removed");
    add(&world, "Mira", "character", "Another one.").await;
    let request = World::request(&path, ConflictChoice::Newer);
    let refused = world.app.transfer().import_memory(request, plan.hash, Arc::new(NoopEvents)).await;
    assert!(refused.is_err(), "it would lead to another Mira");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_subject_that_gets_another_name_is_what_its_relations_lead_to() {
    let world = World::new().await;
    add(&world, "Ama", "ship", "My own ship.").await;
    let path = graph_file(
        &world,
        "memory.jsonl",
        &[
            relation_line("Ama", "lives_in", "Ambry"),
            entity_line("Ama", "person", "Rules."),
            entity_line("Ambry", "town", "Salt."),
        ],
    );
    let done = world.import(&path, ConflictChoice::Both).await.expect("comes in");
    assert_eq!(
        relations(&world, "Ama (2)").await,
        ["lives in Ambry: Ama lives in Ambry"],
        "{:?}",
        done.plan.items
    );
    let relation = done.plan.items.iter().find(|item| item.relation.is_some()).expect("a relation");
    assert_eq!(shown(relation), "Ama lives in Ambry <lives in> From Ama (2) To Ambry");
    assert!(relations(&world, "Ama").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn subjects_and_relations_made_here_go_out_as_a_graph_and_come_in_again_elsewhere() {
    let world = World::new().await;
    add(&world, "Mira", "character", "A ferrywoman.\nShe hums.").await;
    add(&world, "Toma", "character", "").await;
    relate(&world, "Mira", "sister of", "Toma", None).await;
    relate(&world, "Toma", "fears", "Mira", Some("He has never said why.")).await;
    let file = world.export("memory.jsonl", TransferFormat::McpJsonl).await;
    let graph = lines(file.clone());
    let plain = |line: &Value| match line["type"].as_str() {
        Some("entity") => format!("{} <{}>", line["name"], line["entityType"]),
        _ => format!("{} {} {}", line["from"], line["relationType"], line["to"]),
    };
    let mut lines: Vec<String> = graph.iter().map(plain).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            "\"Mira\" \"sister of\" \"Toma\"",
            "\"Mira\" <\"character\">",
            "\"Toma\" \"fears\" \"Mira\"",
            "\"Toma\" <\"character\">",
        ]
    );
    let other = World::new().await;
    other.import_picked(&file, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&other).await, subjects(&world).await);
    for name in ["Mira", "Toma"] {
        assert_eq!(relations(&other, name).await, relations(&world, name).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_an_imported_graph_are_exported_into_it() {
    let world = World::new().await;
    let path = world.file("memory.jsonl", samples::GRAPH);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let ama = world.one("Rules").await;
    world
        .app
        .named_entry()
        .rename_named_entry(&ama.row.id, ama.row.version, "Amabel")
        .await
        .expect("renamed");
    let ama = world.one("Rules").await;
    world.app.subject().set_subject(&ama.row.id, ama.row.version, Some("queen")).await.expect("crowned");
    let back = lines(world.export("back.jsonl", TransferFormat::McpJsonl).await);
    let line =
        |key: &str, value: &str| back.iter().find(|line| line[key] == json!(value)).expect("a line").clone();
    let queen = line("name", "Amabel");
    assert_eq!((&queen["entityType"], &queen["inklings"]["tags"]), (&json!("queen"), &Value::Null));
    assert_eq!(line("type", "relation")["from"], json!("Amabel"));
    assert_eq!(line("name", "Ambry")["entityType"], json!("town"), "the other is as it was");
}

/// A vault of three notes that link to one another.
fn vault(world: &World) -> [(&'static str, &'static str); 4] {
    let notes = [
        (
            "people/Mira.md",
            "---\ntype: character\naliases: [the ferrywoman]\nmood: calm\n---\n\nRows to [[Calin|the town]]. Sees [[people/Toma]].\n",
        ),
        ("people/Toma.md", "---\ntype: character\n---\nBrother of [[the ferrywoman]]. `[[Calin]]`\n"),
        ("places/Calin.md", "---\ntitle: Old Calin\ntype: place\n---\nSee [[Nowhere]] and [[Calin]].\n"),
        ("diary.md", "We met [[Mira]] in [[Calin#Harbour]].\n"),
    ];
    for (path, text) in notes {
        world.file(&format!("vault/{path}"), text);
    }
    notes
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_with_a_type_become_subjects_and_wiki_links_lead_to_them() {
    let world = World::new().await;
    let notes = vault(&world);
    let done = world.import(&world.path("vault"), ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(
        subjects(&world).await,
        ["Mira <character> [\"the ferrywoman\"]", "Old Calin <place> []", "Toma <character> []"]
    );
    assert_eq!(about(&world, "Mira").await, ["Toma", "We met [[Mira]] in [[Calin#Harbour]]."]);
    assert_eq!(about(&world, "Toma").await, ["Mira"]);
    assert_eq!(about(&world, "Old Calin").await, ["Mira", "We met [[Mira]] in [[Calin#Harbour]]."]);
    let mut items: Vec<String> = done.plan.items.iter().map(shown).collect();
    items.sort();
    assert_eq!(
        items,
        [
            "Mira <character> About Old Calin About Toma",
            "Old Calin <place>",
            "Toma <character> About Mira",
            "diary About Mira About Old Calin",
        ]
    );
    let out = world.export("out", TransferFormat::Markdown).await;
    for (path, text) in notes {
        assert_eq!(fs::read_to_string(out.join(path)).expect("there"), text, "{path}");
    }
    let again = world.import(&world.path("vault"), ConflictChoice::Newer).await.expect("looked at");
    assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 4, "{:?}", again.plan.items);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_links_to_a_subject_that_is_here_already() {
    let world = World::new().await;
    add(&world, "Mira", "character", "A ferrywoman.").await;
    world.file("notes/diary.md", "We met [[people/Mira]].\n");
    world.import(&world.path("notes"), ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(about(&world, "Mira").await, ["We met [[people/Mira]]."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alias_of_a_subject_takes_no_name_of_another_entry() {
    let world = World::new().await;
    let mira = "---\ntype: character\naliases: [Calin, VOICE, the ferrywoman]\n---\nRows.\n";
    world.file("vault/Mira.md", mira);
    world.file("vault/Calin.md", "---\ntype: place\n---\nA ford of [[Mira]].\n");
    world.import(&world.path("vault"), ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&world).await, ["Calin <place> []", "Mira <character> [\"the ferrywoman\"]"]);
    let out = world.export("out", TransferFormat::Markdown).await;
    assert_eq!(fs::read_to_string(out.join("Mira.md")).expect("there"), mira);
}

#[tokio::test(flavor = "multi_thread")]
async fn links_made_here_go_into_the_front_matter_and_never_into_the_text() {
    let world = World::new().await;
    vault(&world);
    world.import(&world.path("vault"), ConflictChoice::Newer).await.expect("comes in");
    let toma = world.app.subject().subject_at("Toma").await.expect("a subject");
    let diary = world.one("We met").await;
    let linked: Vec<String> = diary.links.iter().cloned().chain([toma.id]).collect();
    world.app.subject().set_about(&diary.row.id, diary.row.version, &linked).await.expect("linked");
    let mira = world.one("Rows to").await;
    world.app.subject().set_subject(&mira.row.id, mira.row.version, Some("faction")).await.expect("changed");
    relate(&world, "Mira", "sister of", "Toma", None).await;
    let out = world.export("out", TransferFormat::Markdown).await;
    let text = |path: &str| fs::read_to_string(out.join(path)).expect("there");
    let diary = text("diary.md");
    assert!(diary.contains("about:\n  - \"[[Toma]]\"\n"), "{diary}");
    assert!(diary.ends_with("---\nWe met [[Mira]] in [[Calin#Harbour]].\n"), "{diary}");
    let mira = text("people/Mira.md");
    assert!(mira.starts_with("---\ntype: faction\naliases: [the ferrywoman]\nmood: calm\n"), "{mira}");
    let sister = fs::read_to_string(out.join("Mira sister of Toma.md")).expect("a note of the relation");
    assert!(sister.contains("relation: sister of\nfrom: \"[[Mira]]\"\nto: \"[[Toma]]\"\n"), "{sister}");

    let other = World::new().await;
    other.import_picked(&out, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(subjects(&other).await, subjects(&world).await);
    assert_eq!(relations(&other, "Mira").await, ["sister of Toma: Mira sister of Toma."]);
    for name in ["Mira", "Toma", "Old Calin"] {
        assert_eq!(about(&other, name).await, about(&world, name).await, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graph_is_exported_as_graphml_within_the_scope_of_the_export() {
    let world = World::new().await;
    let mira = add(&world, "Mira & <\"Toma\">", "character", "A ferrywoman.").await;
    add(&world, "Calin", "place", "").await;
    relate(&world, "Mira & <\"Toma\">", "lives in", "Calin", None).await;
    let note = world.file("note.jsonl", "{\"text\":\"Salt is dear.\"}");
    world.import(&note, ConflictChoice::Newer).await.expect("comes in");
    let request = world.export_request("world.graphml", TransferFormat::Graphml);
    let report =
        world.app.transfer().export_memory(request.clone(), Arc::new(NoopEvents)).await.expect("exported");
    assert_eq!(report.losses.len(), 1, "{:?}", report.losses);
    assert_eq!(report.losses[0].rows, 1, "the note about salt");
    let text = fs::read_to_string(world.path("world.graphml")).expect("there");
    assert!(
        text.contains("Mira &amp; &lt;\"Toma\"&gt;") && text.contains("<edge id=\"e0\" source=\"n"),
        "{text}"
    );
    assert!(!text.contains("Salt is dear") && !text.contains(&mira));

    let mut request = request;
    request.path = world.path("none.graphml").to_str().expect("a plain path").to_owned();
    let channel = world.app.channel().create_channel("Drafts", "").await.expect("made").id;
    request.scope =
        ExportScope { account: false, workspace: false, channel_id: Some(channel), conversation_id: None };
    world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    let text = fs::read_to_string(world.path("none.graphml")).expect("there");
    assert!(!text.contains("Mira") && !text.contains("<edge"), "{text}");
    let refused = world.preview(&world.path("world.graphml")).await;
    assert!(refused.is_err(), "it is only written");
}

/// Few names, so that many of them meet.
fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["Ama", "ama", "Ambry", " Ambry ", "Sel/Ro", "Ro", "VOICE", "the queen", "A|B"][..])
}

#[tokio::test(flavor = "multi_thread")]
async fn any_memory_graph_of_related_subjects_is_exported_unchanged() {
    let kind = prop::sample::select(&["person", " Person", "", "k\nk"][..]);
    let entity = (name(), kind, prop::collection::vec("[a-z]{1,8}", 0..3)).prop_map(|(name, kind, texts)| {
        json!({"type": "entity", "name": name, "entityType": kind, "observations": texts})
    });
    let states = prop::sample::select(&["lives_in", "knows", "", "is  of"][..]);
    let related = (name(), states, name()).prop_map(|(from, states, to)| relation_line(from, states, to));
    let world = World::new().await;
    let (mut whole, mut linked) = (0, 0);
    for more in some(40, &prop::collection::vec(prop_oneof![entity, related], 1..9)) {
        let sure = [entity_line("Ama", "person", "Rules."), entity_line("Sel/Ro", "ferry", "Crosses.")];
        let graph: Vec<Value> = sure.into_iter().chain(more).collect();
        let path = graph_file(&world, "memory.jsonl", &graph);
        let request = ImportRequest { new_book: true, ..World::request(&path, ConflictChoice::Newer) };
        let done = world.import_as(request).await.expect("comes in");
        linked += done.plan.items.iter().filter(|item| !item.links.is_empty()).count();
        if is_refused(&done.plan) == 0 {
            assert_eq!(lines(world.export("back.jsonl", TransferFormat::McpJsonl).await), graph);
            whole += 1;
        }
        world.app.consolidation().revert_run(&done.run_id).await.expect("taken back");
    }
    assert!(whole > 30 && linked > 10, "{whole} of 40 came in, with {linked} relations");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_vault_of_linked_subjects_is_exported_byte_for_byte() {
    let head = (
        "(type: (person|Place|\"x y\")\n)?",
        "(aliases: \\[(the queen|Ro)\\]\n)?",
        "(about:\n  - \"\\[\\[Ro\\]\\]\"\n)?",
    )
        .prop_map(|(kind, aliases, about)| format!("---\n{kind}{aliases}{about}---\n"));
    let text = prop::collection::vec(
        prop_oneof![
            name().prop_map(|name| format!("[[{name}]]")),
            Just("`[[Ro]]`".to_owned()),
            Just("met ".to_owned())
        ],
        1..5,
    );
    let note = (head, text).prop_map(|(head, text)| format!("{head}{}\n", text.concat()));
    let paths = ["Ama.md", "places/Ambry.md", "Sel/Ro.md", "Ro.md"];
    let (mut whole, mut linked) = (0, 0);
    for (n, notes) in some(30, &prop::collection::vec(note, paths.len())).into_iter().enumerate() {
        let world = World::new().await;
        for (path, text) in paths.iter().zip(&notes) {
            world.file(&format!("vault{n}/{path}"), text);
        }
        let done =
            world.import(&world.path(&format!("vault{n}")), ConflictChoice::Newer).await.expect("comes in");
        linked += done.plan.items.iter().filter(|item| !item.links.is_empty()).count();
        if is_refused(&done.plan) == 0 {
            let out = world.export("out", TransferFormat::Markdown).await;
            for (path, text) in paths.iter().zip(&notes) {
                assert_eq!(&fs::read_to_string(out.join(path)).expect("there"), text, "{path}");
            }
            whole += 1;
        }
    }
    assert!(whole > 15 && linked > 15, "{whole} of 30 came in, with {linked} linked notes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_tells_of_times_and_calendars_that_another_program_has_no_place_for() {
    let world = World::new().await;
    let calendars = world.app.calendar();
    let gregorian = calendars.list_calendars().await.expect("presets").presets.remove(0);
    calendars.add_calendar("Reckoning", &gregorian.definition).await.expect("a calendar");
    let flood = add(&world, "The Flood", "event", "The weir broke.").await;
    let time = NewStoryTime { text: Some("May, 812".to_owned()), ..NewStoryTime::default() };
    calendars.set_story_time(&flood, 1, &time).await.expect("a time");
    let knower = KnowerSpec { subject: "The Flood".to_owned(), since: None };
    let secret = add(&world, "The Breach", "event", "Who opened the weir.").await;
    world.app.lens().set_known_by(&secret, 1, &[knower]).await.expect("a knower");
    for (file, format) in
        [("world.graphml", TransferFormat::Graphml), ("world.jsonl", TransferFormat::McpJsonl)]
    {
        let request = world.export_request(file, format);
        let report =
            world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
        let secrets = "who knows of them, so that everybody may read them";
        for what in ["times in the story", "what a calendar defines", secrets] {
            let lost = report.losses.iter().find(|lost| lost.what == what);
            assert_eq!(lost.map(|lost| lost.rows), Some(1), "{format:?}: {:?}", report.losses);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_with_a_type_are_nodes_of_the_graph_and_of_its_export() {
    let world = World::new().await;
    let mira = add(&world, "Mira", "character", "").await;
    let session = world.app.session().expect("a workspace is open");
    let files = [
        ("secret folder/Saltmere.md", "---\ntype: place\n---\nFounded by [[Mira]] in a private year."),
        ("people/M.md", "---\naliases: [Mira]\n---\n"),
    ];
    let ids = link_pages(&session, "Notes", &files).await;
    let list = world.app.subject().list_subjects(None).await.expect("a list");
    let pages: Vec<_> = list.pages.iter().map(|it| (&*it.page.title, it.subject_id.as_deref())).collect();
    assert_eq!(pages, [("M", Some(mira.as_str())), ("Saltmere", None)]);
    assert_eq!(list.rows.len(), 1, "a page is no entry");
    let graph = world.app.subject().world_graph(None).await.expect("a graph");
    assert_eq!((graph.nodes.len(), graph.edges.len()), (1, 0));
    let edges: Vec<_> = graph.page_edges.iter().map(|edge| (edge.from.clone(), edge.to.clone())).collect();
    assert_eq!(edges, [(ids[0].to_string(), mira.clone())]);
    let shown = world.app.subject().get_subject(&mira).await.expect("a subject");
    assert_eq!(shown.pages.iter().map(|page| page.title.as_str()).collect::<Vec<_>>(), ["M"]);
    let lens = LensSpec { knower: Some(mira), at: None };
    let through = world.app.subject().world_graph(Some(&lens)).await.expect("a graph");
    assert!(through.pages.is_empty() && through.page_edges.is_empty());

    let request = world.export_request("world.graphml", TransferFormat::Graphml);
    world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("exported");
    let text = fs::read_to_string(world.path("world.graphml")).expect("there");
    assert!(text.contains("Saltmere") && text.contains("<data key=\"node-page\">true</data>"), "{text}");
    assert!(text.contains("<data key=\"edge-role\">link</data>"), "{text}");
    assert!(!text.contains("secret folder") && !text.contains("private year"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn subjects_and_pages_of_a_kind_are_listed_in_any_case() {
    let world = World::new().await;
    add(&world, "Mira", "character", "").await;
    add(&world, "Calin", "place", "").await;
    let session = world.app.session().expect("a workspace is open");
    let files = [("Saltmere.md", "---\ntype: Place\n---\nA town in the reeds.")];
    link_pages(&session, "Notes", &files).await;
    for kind in ["place", "Place"] {
        let list = world.app.subject().list_subjects(Some(kind)).await.expect("a list");
        assert_eq!(list.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["Calin"], "{kind}");
        assert_eq!(list.pages.len(), 1, "{kind}");
    }
}
