//! A file of each program, from the dry run to the store and back out of it.

use std::{path::PathBuf, sync::Arc};

use inklings_api::{
    NoopEvents,
    transfer::view::{ConflictChoice, ImportOutcomeKind, TransferFormat},
    view::memory::MemoryDetail,
    vocabulary::{ActorKind, Curator, Scope},
};
use inklings_formats::testing::{entries as samples, zip};
use serde_json::{Value, json};

use crate::support::{World, total};

/// An entry in a line: its name with its aliases or its title with its keys, its tags, how much it matters, how it begins.
fn line(entry: &MemoryDetail) -> String {
    let begins: String = entry.content.chars().take(24).collect();
    let called = match &entry.row.name {
        Some(name) => format!("{name} {:?}", entry.aliases),
        None => format!("({}) {:?}", entry.row.title.as_deref().unwrap_or("-"), entry.keys),
    };
    format!("{called} {:?} {} {begins}", entry.row.tags, entry.row.importance)
}

struct Sample {
    name: &'static str,
    format: TransferFormat,
    path: fn(&World) -> PathBuf,
    entries: &'static [&'static str],
    remarks: u32,
}

fn json_file(world: &World, name: &str, value: &Value) -> PathBuf {
    world.file(name, value.to_string())
}

fn version_two() -> Value {
    let mut card = samples::card();
    card["spec"] = json!("chara_card_v2");
    card["spec_version"] = json!("2.0");
    card
}

const SAMPLES: &[Sample] = &[
    Sample {
        name: "SillyTavern",
        format: TransferFormat::Sillytavern,
        path: |world| json_file(world, "world.json", &samples::world()),
        entries: &[
            "(Sel) [\"Sel\"] [] 0.5 The river Sel runs past ",
            "(Ambry) [] [] 0.5 A town of salt.",
            "Ama [\"the queen\"] [] 1 Ama rules the north.",
        ],
        remarks: 0,
    },
    Sample {
        name: "character card V2",
        format: TransferFormat::CharacterCard,
        path: |world| json_file(world, "ama.json", &version_two()),
        entries: &[
            "(Ama) [\"The Queen\"] [\"north\", \"queen\"] 0.5 {{char}} rules the north",
            "(Ama: personality) [] [\"north\", \"queen\"] 0.5 Stern.",
            "(Ama: scenario) [] [\"north\", \"queen\"] 0.5 The hall of Ambry.",
            "(Ama: first message) [] [\"north\", \"queen\"] 0.5 Speak.",
            "(Ama: example messages) [] [\"north\", \"queen\"] 0.5 <START>\n{{user}}: Why?",
            "(Ama: greeting 1) [] [\"north\", \"queen\"] 0.5 You again.",
            "(salt) [\"salt\"] [] 0.5 Salt is worth more than ",
            "The gate [\"gate\", \"northern gate\"] [] 1 The gate is shut at nigh",
        ],
        remarks: 0,
    },
    Sample {
        name: "character card V3 in a picture",
        format: TransferFormat::CharacterCard,
        path: |world| world.file("ama.png", samples::picture_card()),
        entries: &[
            "(Ama) [\"The Queen\"] [\"north\", \"queen\"] 0.5 {{char}} rules the north",
            "(Ama: personality) [] [\"north\", \"queen\"] 0.5 Stern.",
            "(Ama: scenario) [] [\"north\", \"queen\"] 0.5 The hall of Ambry.",
            "(Ama: first message) [] [\"north\", \"queen\"] 0.5 Speak.",
            "(Ama: example messages) [] [\"north\", \"queen\"] 0.5 <START>\n{{user}}: Why?",
            "(Ama: greeting 1) [] [\"north\", \"queen\"] 0.5 You again.",
            "(salt) [\"salt\"] [] 0.5 Salt is worth more than ",
            "The gate [\"gate\", \"northern gate\"] [] 1 The gate is shut at nigh",
        ],
        remarks: 0,
    },
    Sample {
        name: "lorebook V3",
        format: TransferFormat::LorebookV3,
        path: |world| json_file(world, "lore.json", &samples::lorebook()),
        entries: &[
            "(salt) [\"salt\"] [] 0.5 Salt is worth more than ",
            "The gate [\"gate\", \"northern gate\"] [] 1 The gate is shut at nigh",
        ],
        remarks: 0,
    },
    Sample {
        name: "NovelAI",
        format: TransferFormat::Novelai,
        path: |world| json_file(world, "aldmoor.lorebook", &samples::novelai()),
        entries: &["(Ambry) [\"Ambry\"] [] 0.5 A town of salt.", "Ambry [] [] 1 A town of salt."],
        remarks: 0,
    },
    Sample {
        name: "Novelcrafter",
        format: TransferFormat::Novelcrafter,
        path: |world| world.file("codex.zip", samples::codex()),
        entries: &[
            "(Ama: notes) [] [\"north\"] 0.5 Named after a river?",
            "(old ambry) [] [] 0.5 A town of salt.",
            "Ama [\"the queen\"] [\"north\"] 1 Ama rules the north.",
        ],
        remarks: 1,
    },
    Sample {
        name: "Markdown folder",
        format: TransferFormat::Markdown,
        path: |world| {
            world.file("notes/Ama.md", samples::NOTE);
            world.file("notes/places/Old Ambry.md", "A town of salt.\n");
            world.file("notes/picture.png", "no note");
            world.path("notes")
        },
        entries: &[
            "(Old Ambry) [] [] 0.5 A town of salt.",
            "Ama [\"the queen\", \"Ama of the north\"] [\"north\", \"people\"] 0.75 Ama rules the north.\n\n--",
        ],
        remarks: 0,
    },
    Sample {
        name: "Claude memories",
        format: TransferFormat::ClaudeMemories,
        path: |world| {
            let memories = samples::memories().to_string();
            world.file("export.zip", zip(&[("memories.json", memories.as_bytes()), ("users.json", b"[]")]))
        },
        entries: &[
            "(Work context) [] [] 0.5 Writes novels set in Ald",
            "(Style) [] [] 0.5 Likes short chapters.\n- ",
            "(Plot) [] [] 0.5 The gate falls.",
            "(-) [] [] 0.5 No headings here.",
        ],
        remarks: 0,
    },
    Sample {
        name: "Mem0",
        format: TransferFormat::Mem0,
        path: |world| json_file(world, "all.json", &samples::mem0()),
        entries: &["(-) [] [\"people\"] 0.5 Ama rules the north.", "(-) [] [] 0.5 Salt is dear."],
        remarks: 0,
    },
    Sample {
        name: "MCP memory server",
        format: TransferFormat::McpJsonl,
        path: |world| {
            // A list shows no subject of which nothing is written yet.
            let graph = samples::GRAPH.replace("[]", "[\"A town of salt.\"]");
            world.file("memory.jsonl", format!("{graph}{{broken\n"))
        },
        entries: &[
            "Ama [] [] 0.5 Rules the north.\nHates s",
            "Ambry [] [] 0.5 A town of salt.",
            "(-) [] [] 0.5 Ama lives in Ambry",
        ],
        remarks: 1,
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn every_programs_file_is_imported_with_its_names_and_undone_as_a_whole() {
    for sample in SAMPLES {
        let (world, name) = (World::new().await, sample.name);
        let path = (sample.path)(&world);
        let plan = world.preview(&path).await.expect(name);
        let count = u32::try_from(sample.entries.len()).expect("few");
        assert_eq!(plan.format, sample.format, "{name}");
        assert_eq!(plan.remarks.iter().map(|remark| remark.count).sum::<u32>(), sample.remarks, "{name}");
        assert!(world.all().await.is_empty(), "{name}: a dry run keeps nothing");

        let done = world.import(&path, ConflictChoice::Newer).await.expect(name);
        let all = world.all().await;
        assert_eq!(all.iter().map(line).collect::<Vec<_>>(), sample.entries, "{name}");
        assert_eq!(total(&plan, ImportOutcomeKind::Add), count, "{name}: {:?}", plan.items);
        let format = json!(sample.format);
        for entry in &all {
            let row = &entry.row;
            assert_eq!(
                (row.curator, entry.written_by, row.scope),
                (Curator::Import, ActorKind::Import, Scope::Workspace)
            );
            assert_eq!(json!(row.source), format, "{name}");
            assert!(entry.locked && !row.pinned, "{name}: it is the worldbuilder's, and nothing pins it");
            let id =
                entry.origin.as_ref().and_then(|origin| origin.external_id.as_deref()).unwrap_or_default();
            assert!(id.starts_with(&row.source), "{name}: {id}");
        }

        let again = world.import(&path, ConflictChoice::Newer).await.expect(name);
        assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), count, "{name}: {:?}", again.plan.items);
        assert_eq!(world.all().await, all, "{name}: twice adds nothing");

        let reverted = world.app.consolidation().revert_run(&done.run_id).await.expect(name);
        assert_eq!(reverted.conflicts, [], "{name}");
        assert!(world.all().await.is_empty(), "{name}: taken back");
        world.import(&path, ConflictChoice::Newer).await.expect(name);
        assert_eq!(
            world.all().await.iter().map(line).collect::<Vec<_>>(),
            sample.entries,
            "{name}: wanted after all"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_entries_are_imported_as_forgotten_and_exported_as_disabled() {
    let world = World::new().await;
    let mut file = samples::world();
    file["entries"]["1"]["disable"] = json!(true);
    let path = json_file(&world, "world.json", &file);
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(world.all().await.len(), 2);
    let back = world.export("back.json", TransferFormat::Sillytavern).await;
    let back: Value = serde_json::from_slice(&std::fs::read(back).expect("there")).expect("JSON");
    assert_eq!(back, file);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_equal_to_the_name_ignoring_case_are_merged_with_it() {
    let world = World::new().await;
    let long = "x".repeat(200);
    let keys = ["ama", "AMA", "the queen", "The Queen", " ", long.as_str(), "a\u{202E}b"];
    let file = json!({"entries": {"0": samples::world_entry(0, "Ama", &keys, "Rules.", true)}});
    let path = json_file(&world, "world.json", &file);
    let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(total(&done.plan, ImportOutcomeKind::Add), 1, "{:?}", done.plan.items);
    let entry = world.one("Rules").await;
    assert_eq!((entry.row.name.as_deref(), entry.aliases), (Some("Ama"), vec!["the queen".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_entry_is_refused_with_the_reason_and_the_others_are_imported() {
    let world = World::new().await;
    let long = "x".repeat(65_537);
    let huge_name = "n".repeat(500);
    let list = [
        samples::world_entry(0, "Good", &[], "Stays.", false),
        samples::world_entry(1, "", &[], " \n", false),
        samples::world_entry(2, "Long", &[], &long, false),
        samples::world_entry(3, "Control", &[], "a\u{0}b", false),
        samples::world_entry(4, &huge_name, &[], "Always.", true),
    ];
    let entries: serde_json::Map<String, Value> =
        list.into_iter().enumerate().map(|(n, entry)| (n.to_string(), entry)).collect();
    let path = json_file(&world, "world.json", &json!({ "entries": entries }));
    let done = world.import(&path, ConflictChoice::Newer).await.expect("the rest comes in");
    assert_eq!(total(&done.plan, ImportOutcomeKind::Refuse), 4);
    let mut reasons: Vec<String> = done.plan.items.into_iter().map(|item| item.reason).collect();
    reasons.retain(|reason| !reason.is_empty());
    for field in ["content: ", "content: ", "content: ", "name: "] {
        let at = reasons.iter().position(|reason| reason.starts_with(field));
        reasons.remove(at.unwrap_or_else(|| panic!("no reason begins with {field}: {reasons:?}")));
    }
    assert_eq!(world.all().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_of_a_newer_release_is_refused_as_such_and_nothing_is_imported() {
    let world = World::new().await;
    let file = world.file("export.json", "{\"schema_version\":7,\"maps\":[]}");
    let refused = world.preview(&file).await.expect_err("refused");
    assert_eq!(refused.code, inklings_api::error::ErrorCode::NewerSchema);
    assert!(refused.message.contains("newer version of Inklings"), "{refused}");
    assert!(world.all().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_that_is_cancelled_before_its_first_row_brings_nothing_in() {
    let world = World::new().await;
    let path = json_file(&world, "world.json", &samples::world());
    let request = World::request(&path, ConflictChoice::Newer);
    let transfer = world.app.transfer();
    let plan = transfer.preview_import(request.clone(), Arc::new(NoopEvents)).await.expect("a plan");
    let import = transfer.import_memory(request, plan.hash, Arc::new(NoopEvents));
    // The import has begun, and is not further than to read the file or to make its backup.
    let (done, ()) = tokio::join!(biased; import, async { transfer.cancel_transfer() });
    assert_eq!(done.expect_err("cancelled").code, inklings_api::error::ErrorCode::Cancelled);
    assert!(world.all().await.is_empty());
    world.import(&path, ConflictChoice::Newer).await.expect("the next one is not cancelled");
}
