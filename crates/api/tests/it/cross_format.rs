//! From one program to another: titles, keys, and where an entry is put go along wherever the other format has a place.

use std::{fs, path::Path, sync::Arc};

use inklings_api::{
    NoopEvents,
    search::view::SearchRequest,
    transfer::view::{ConflictChoice, ExportReport, ExportRequest, TransferFormat},
    view::memory::MemoryPatch,
};
use inklings_domain::text;
use inklings_formats::{
    entries::{
        Collection, Format, Placement, ThirdPartyEntry, beginning, file_has_more_fields, has_more_fields,
        losses, open_entries,
    },
    testing::entries as samples,
};
use serde_json::{Value, json};

use crate::support::World;

/// Every format that is written and read, so that a new one is tried too.
fn written() -> impl Iterator<Item = (TransferFormat, Format)> {
    let named = |format: Format| serde_json::from_value(format.name().into()).expect("a format of an export");
    Format::ALL
        .into_iter()
        .filter(|format| format.is_written() && format.is_read())
        .map(move |format| (named(format), format))
}

/// A file of the sample; a Markdown file is in a folder.
fn file_of(world: &World, format: Format, bytes: &[u8]) -> std::path::PathBuf {
    if format == Format::Markdown {
        world.file("source/Ama the queen.md", bytes);
        return world.path("source");
    }
    world.file("source.bin", bytes)
}

fn read(path: &Path, format: Option<Format>) -> Collection {
    open_entries(path, format).expect("a file that can be read")
}

fn stated(report: &ExportReport) -> Vec<(&str, u64)> {
    report.losses.iter().map(|lost| (lost.what.as_str(), lost.rows.into())).collect()
}

/// What an entry says, with its placement made of what its format retains.
#[derive(Debug, Clone, PartialEq)]
struct Says {
    content: String,
    title: Option<String>,
    keys: Vec<String>,
    tags: Vec<String>,
    standing: bool,
    enabled: bool,
    placement: Placement,
}

impl Says {
    fn of(entry: &ThirdPartyEntry) -> Self {
        let title = entry.title().map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        let content = entry.content.trim().replace("\r\n", "\n");
        Self {
            // An entry without a text says its title.
            content: if content.is_empty() { title.clone().unwrap_or_default() } else { content },
            title,
            keys: entry.aliases.clone(),
            tags: text::tags(&entry.tags).expect("valid tags"),
            standing: entry.standing,
            enabled: entry.enabled,
            placement: Placement::of(&entry.extra),
        }
    }

    /// What is left of it in a format: the stated losses are gone.
    fn in_format(mut self, format: Format) -> Self {
        let none = Placement::default();
        let never_shown = self.keys.is_empty() && self.placement.patterns.is_empty() && !self.standing;
        if never_shown && format.needs_keys() {
            self.keys.extend(self.title.clone());
        }
        if format == Format::Novelcrafter {
            // Every entry of a codex has a name, which is that of its folder.
            let named = || beginning(&self.content).trim_end_matches('.').to_owned();
            self.title.get_or_insert_with(named);
        }
        self.placement = match format {
            Format::NovelAi => {
                Placement { patterns: self.placement.patterns, order: self.placement.order, ..none }
            }
            Format::Novelcrafter | Format::Markdown | Format::McpJsonl => none,
            // These always write an order and a position of their own.
            _ => self.placement,
        };
        self
    }
}

/// The values that a writer of books gives an entry without a placement.
fn with_defaults(mut says: Says, format: Format) -> Says {
    let placement = &mut says.placement;
    if matches!(format, Format::SillyTavern | Format::CharacterCard | Format::LorebookV3) {
        placement.order.get_or_insert(100);
        placement.position.get_or_insert(0);
    }
    if format == Format::SillyTavern {
        placement.depth.get_or_insert(4);
    }
    if placement.secondary_keys.is_empty() {
        placement.logic = None;
    } else {
        placement.logic.get_or_insert(0);
        placement.selective.get_or_insert(true);
    }
    says
}

fn sorted(mut all: Vec<Says>) -> Vec<Says> {
    all.sort_by_key(|says| format!("{says:?}"));
    all
}

async fn export(world: &World, request: ExportRequest) -> ExportReport {
    world.app.transfer().export_memory(request, Arc::new(NoopEvents)).await.expect("an export")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_conversion_between_formats_loses_exactly_what_it_states() {
    for (name, format, bytes) in samples::all() {
        let world = World::new().await;
        let path = file_of(&world, format, &bytes);
        let source = read(&path, None);
        world.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
        let placed: Vec<ThirdPartyEntry> = source
            .entries
            .iter()
            .map(|entry| ThirdPartyEntry { placement: Placement::of(&entry.extra), ..entry.clone() })
            .collect();
        for (n, (transfer, target)) in written().enumerate() {
            if target == format {
                continue;
            }
            let out = format!("out{n}");
            let request = world.export_request(&out, transfer);
            let look = export(&world, ExportRequest { dry_run: true, ..request.clone() }).await;
            assert!(!world.path(&out).exists(), "a dry run writes nothing");
            let more =
                source.entries.iter().filter(|entry| has_more_fields(&entry.extra, format)).count() as u64;
            let more_of_file = u64::from(file_has_more_fields(&source.extra));
            let mut wanted = losses(&placed, target);
            wanted.extend([
                ("other fields of their program", more),
                ("settings of a whole file", more_of_file),
            ]);
            wanted.retain(|(_, count)| *count > 0);
            assert_eq!(stated(&look), wanted, "{name} -> {target:?}");
            let done = export(&world, request).await;
            assert_eq!((&done.losses, &done.counts), (&look.losses, &look.counts), "{name} -> {target:?}");
            let back = sorted(
                read(&world.path(&out), Some(target))
                    .entries
                    .iter()
                    .map(|entry| with_defaults(Says::of(entry), target))
                    .collect(),
            );
            let wanted = source.entries.iter().map(|entry| Says::of(entry).in_format(target));
            let wanted = sorted(wanted.map(|says| with_defaults(says, target)).collect());
            assert_eq!(back, wanted, "{name} -> {target:?}");
        }
    }
}

/// Two entries of World Info with everything that World Info has a place for.
fn book() -> Value {
    let mut book = samples::world();
    let keys: Vec<String> = (0..40).map(|n| format!("name {n}")).collect();
    book["entries"] = json!({
        "0": samples::world_entry(0, "Origami Tobiichi", &["Tobiichi", "/ori(gami)?/i"], "Tall, white hair.", false),
        "1": samples::world_entry(1, "", &keys.iter().map(String::as_str).collect::<Vec<_>>(), "Many names.", false),
    });
    let first = &mut book["entries"]["0"];
    for (field, value) in [
        ("keysecondary", json!(["spirit", "angel"])),
        ("selectiveLogic", json!(3)),
        ("order", json!(17)),
        ("position", json!(4)),
        ("depth", json!(2)),
        ("probability", json!(40)),
        ("group", json!("spirits")),
        ("sticky", json!(3)),
        ("caseSensitive", json!(false)),
        ("characterFilter", json!({"isExclude": false, "names": ["Shido"], "tags": []})),
    ] {
        first[field] = value;
    }
    book
}

async fn world_with_book() -> World {
    let world = World::new().await;
    let path = world.file("aldmoor.json", book().to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    world
}

async fn found(world: &World, query: &str) -> Vec<String> {
    let request: SearchRequest = serde_json::from_value(json!({
        "query": query, "filter": {"scope": null, "channelId": null, "conversationId": null, "terms": []},
        "limit": 20, "first": null, "strategy": null,
    }))
    .expect("a request");
    let answer = world.app.memory().search_memories(request).await.expect("an answer");
    answer.hits.into_iter().map(|hit| hit.row.preview).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_entry_is_found_by_its_title_and_by_each_of_its_keys() {
    let world = world_with_book().await;
    for n in 0..20 {
        let note =
            world.file("note.jsonl", format!("{{\"text\":\"Origami Tobiichi does thing {n}. Tobiichi!\"}}"));
        world.import(&note, ConflictChoice::Newer).await.expect("comes in");
    }
    for query in ["Origami Tobiichi", "origami tobiichi?", "Tobiichi", "who is Origami Tobiichi"] {
        let first = found(&world, query).await.into_iter().next();
        assert_eq!(first.as_deref(), Some("Tall, white hair."), "{query}");
    }
    let many = world.one("Many names.").await;
    assert_eq!((many.row.title.as_deref(), many.keys.len(), many.row.tags.len()), (Some("name 0"), 40, 0));
    for n in [0, 31, 32, 39] {
        assert_eq!(
            found(&world, &format!("name {n}")).await.first().map(String::as_str),
            Some("Many names.")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_title_and_new_keys_are_exported_together_with_the_imported_fields() {
    let world = world_with_book().await;
    let entry = world.one("Tall, white hair.").await;
    let patch = MemoryPatch {
        title: Some("Mana Takamiya".into()),
        keys: Some(vec!["Mana".into(), "Tobiichi".into()]),
        ..MemoryPatch::default()
    };
    world.app.memory().update_memory(&entry.row.id, entry.row.version, patch).await.expect("edited");
    let file = world.export("back.json", TransferFormat::Sillytavern).await;
    let back: Value = serde_json::from_slice(&fs::read(file).expect("there")).expect("JSON");
    let mut wanted = book();
    wanted["entries"]["0"]["comment"] = json!("Mana Takamiya");
    wanted["entries"]["0"]["key"] = json!(["Tobiichi", "Mana", "/ori(gami)?/i"]);
    let mut back = back;
    let ours = back["entries"]["0"].as_object_mut().expect("an entry").remove("inklings").expect("our field");
    assert_eq!(ours.as_object().expect("an object").keys().collect::<Vec<_>>(), ["updated"]);
    assert_eq!(back, wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_title_becomes_the_file_name_and_entity_name_and_keys_become_world_info_keys() {
    let world = world_with_book().await;
    let note = world.file("note.jsonl", "{\"text\":\"# A text that nobody\\ngave a title\"}");
    world.import(&note, ConflictChoice::Newer).await.expect("comes in");
    let folder = world.export("vault", TransferFormat::Markdown).await;
    for note in ["Origami Tobiichi.md", "name 0.md", "A text that nobody gave a title.md"] {
        assert!(folder.join(note).is_file(), "{note}");
    }
    let graph =
        fs::read_to_string(world.export("memory.jsonl", TransferFormat::McpJsonl).await).expect("there");
    let names: Vec<Value> = graph
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["name"].clone())
        .collect();
    assert_eq!(names, ["Origami Tobiichi", "name 0", "A text that nobody gave a title", "Shido"]);

    let cards = World::new().await;
    let path = cards.file("card.json", samples::card().to_string());
    cards.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let path = cards.export("world.json", TransferFormat::Sillytavern).await;
    let info: Value = serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON");
    let entries: Vec<&Value> = info["entries"].as_object().expect("entries").values().collect();
    let salt =
        entries.iter().find(|entry| entry["content"].as_str().is_some_and(|text| text.starts_with("Salt")));
    let salt = salt.expect("the entry of the card's book");
    assert_eq!(
        (&salt["key"], &salt["order"], &salt["constant"]),
        (&json!(["salt"]), &json!(10), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn placement_fields_of_world_info_are_exported_to_cards_in_the_fields_of_sillytavern() {
    let world = world_with_book().await;
    let path = world.export("card.json", TransferFormat::CharacterCard).await;
    let card: Value = serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON");
    let entry = &card["data"]["character_book"]["entries"][0];
    assert_eq!(entry["name"], json!("Origami Tobiichi"));
    assert_eq!(entry["keys"], json!(["Tobiichi", "/ori(gami)?/i"]));
    assert_eq!(entry["secondary_keys"], json!(["spirit", "angel"]));
    assert_eq!((&entry["selective"], &entry["insertion_order"]), (&json!(true), &json!(17)));
    assert_eq!(
        entry["extensions"],
        json!({
            "position": 4, "depth": 2, "selectiveLogic": 3, "probability": 40.0, "useProbability": true,
            "group": "spirits", "sticky": 3, "case_sensitive": false,
        })
    );
    assert_eq!(entry["case_sensitive"], json!(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn losses_of_a_format_are_stated_before_anything_is_written() {
    let world = world_with_book().await;
    let look = |transfer| ExportRequest { dry_run: true, ..world.export_request("out", transfer) };
    let card = export(&world, look(TransferFormat::CharacterCard)).await;
    let markdown = export(&world, look(TransferFormat::Markdown)).await;
    let settings = ("settings of a whole file", 1);
    // A card has the filter too, but nobody says that programs read it there.
    assert_eq!(stated(&card), [settings, ("who knows of them, so that everybody may read them", 1)]);
    let placed = [
        ("key patterns", 1),
        ("secondary keys", 2),
        ("orders", 2),
        ("positions", 2),
        ("depths", 2),
        ("probabilities", 1),
        ("further settings", 1),
    ];
    assert_eq!(stated(&markdown), [&placed[..], &[settings]].concat());
    let same = export(&world, look(TransferFormat::Sillytavern)).await;
    assert_eq!(stated(&same), [], "its own format takes all of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn inactive_secondary_keys_stay_inactive_in_another_format() {
    let world = World::new().await;
    let path = world.file("book.json", samples::risu().to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let path = world.export("world.json", TransferFormat::Sillytavern).await;
    let info: Value = serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON");
    let entry = &info["entries"]["0"];
    assert_eq!((&entry["keysecondary"], &entry["selective"]), (&json!(["court"]), &json!(false)));
    let path = world.export("lore.json", TransferFormat::LorebookV3).await;
    let lore: Value = serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON");
    let entry = &lore["data"]["entries"][0];
    assert_eq!((&entry["secondary_keys"], &entry["selective"]), (&json!(["court"]), &json!(false)));
}

/// An earlier release made tags of titles and keys. Such an entry keeps its tags, and its file comes back as it was.
#[tokio::test(flavor = "multi_thread")]
async fn entries_of_an_earlier_release_without_titles_are_exported_unchanged() {
    let world = world_with_book().await;
    let path = world.export("own.json", TransferFormat::Inklings).await;
    let mut changed = 0;
    let mut as_before = |line: &str| {
        let Ok(Value::Object(mut row)) = serde_json::from_str(line.trim_end_matches(',')) else {
            return line.to_owned();
        };
        let Some(kept) = row.get_mut("foreign_fields").and_then(|formats| formats.get_mut("sillytavern"))
        else {
            return line.to_owned();
        };
        if kept.get("only_knows").is_some() {
            return line.to_owned();
        }
        kept.as_object_mut().expect("kept fields").remove("titled").expect("a mark");
        let (title, keys) = (row.remove("title"), row.remove("keys"));
        let words =
            title.into_iter().chain(keys.and_then(|keys| keys.as_array().cloned()).into_iter().flatten());
        let mut tags: Vec<String> = words.map(|word| word.as_str().expect("a text").to_lowercase()).collect();
        tags.sort();
        tags.dedup();
        tags.truncate(32);
        row.insert("tags".into(), json!(tags));
        changed += 1;
        format!("{}{}", Value::Object(row), if line.ends_with(',') { "," } else { "" })
    };
    let own = fs::read_to_string(path).expect("there");
    let own = own.lines().map(&mut as_before).collect::<Vec<_>>().join("\n");
    assert_eq!(changed, 2);
    let later = World::new().await;
    let path = later.file("own.json", own);
    later.import_picked(&path, ConflictChoice::Newer).await.expect("comes in");
    let old = later.one("Tall, white hair.").await;
    assert_eq!((old.row.title.as_deref(), old.keys.len(), old.row.tags.len()), (None, 0, 2));
    let back = later.export("back.json", TransferFormat::Sillytavern).await;
    let back: Value = serde_json::from_slice(&fs::read(back).expect("there")).expect("JSON");
    assert_eq!(back, book());
    let folder = later.export("vault", TransferFormat::Markdown).await;
    assert!(folder.join("Origami Tobiichi.md").is_file());
}
