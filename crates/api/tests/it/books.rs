//! Identity of imports: for every reader, what comes of the same file, a renamed or changed copy, another book of the
//! same name, a part of the book, and the book with more in it.

use std::path::PathBuf;

use inklings_api::{
    error::ErrorCode,
    transfer::view::{ConflictChoice, ImportBookKind, ImportOutcomeKind, ImportPlan, ImportRequest},
};
use inklings_formats::{entries::Format, testing::entries as samples};
use serde_json::{Map, Value, json};

use crate::support::{World, total};

/// An entry of a book: number, title, text.
type Row = (usize, String, String);
/// Makes the files of a book: paths beside one another, and their bytes.
type Make = fn(&[Row]) -> Vec<(String, String)>;

fn text(of: &str, n: usize) -> String {
    let words: Vec<String> = (0..8).map(|word| format!("{of}{n}word{word}")).collect();
    format!("{}.", words.join(" "))
}

fn book(of: &str, entries: usize) -> Vec<Row> {
    (0..entries).map(|n| (n, format!("{of} {n}"), text(of, n))).collect()
}

fn one(name: &str, value: &Value) -> Vec<(String, String)> {
    vec![(name.to_owned(), value.to_string())]
}

fn list(rows: &[Row], entry: impl Fn(&Row) -> Value) -> Value {
    rows.iter().map(entry).collect()
}

fn sillytavern(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(n, title, text): &Row| {
        (n.to_string(), samples::world_entry(*n as u64, title, &[title], text, false))
    };
    one("book.json", &json!({"entries": rows.iter().map(entry).collect::<Map<_, _>>()}))
}

fn book_entries(rows: &[Row]) -> Value {
    list(rows, |(n, title, text)| samples::book_entry(*n as u64 + 10, title, &[title], text))
}

fn lorebook(rows: &[Row]) -> Vec<(String, String)> {
    one("book.json", &json!({"spec": "lorebook_v3", "data": {"entries": book_entries(rows)}}))
}

fn card(rows: &[Row]) -> Vec<(String, String)> {
    let data = json!({"name": "Ama", "description": "", "first_mes": "", "character_book": {"entries": book_entries(rows)}});
    one("book.json", &json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}))
}

fn novelai(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(n, title, text): &Row| json!({"id": format!("a-{n}"), "displayName": title, "text": text, "keys": [title], "enabled": true, "forceActivation": false});
    one("book.lorebook", &json!({"lorebookVersion": 5, "entries": list(rows, entry)}))
}

fn novelcrafter(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(n, title, text): &Row| {
        let metadata = json!({"id": format!("entry-{n}"), "attributes": {"type": "lore", "name": title}});
        [
            (format!("codex/lore/entry-{n}/metadata.json"), metadata.to_string()),
            (format!("codex/lore/entry-{n}/entry.md"), text.clone()),
        ]
    };
    rows.iter().flat_map(entry).collect()
}

fn ai_dungeon(rows: &[Row]) -> Vec<(String, String)> {
    one(
        "book.json",
        &list(
            rows,
            |(_, title, text)| json!({"keys": title, "value": text, "type": "lore", "title": title, "description": "", "useForCharacterCreation": false}),
        ),
    )
}

fn janitor(rows: &[Row]) -> Vec<(String, String)> {
    one(
        "book.json",
        &list(
            rows,
            |(n, title, text)| json!({"id": format!("000{n}"), "name": title, "content": text, "key": [title], "keysRaw": title, "constant": false, "enabled": true, "insertion_order": 100}),
        ),
    )
}

fn risu(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(_, title, text): &Row| json!({"key": title, "secondkey": "", "insertorder": 100, "comment": title, "content": text, "mode": "normal", "alwaysActive": false, "selective": false});
    one("book.json", &json!({"type": "risu", "ver": 1, "data": list(rows, entry)}))
}

fn kobold(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(_, title, text): &Row| json!({"key": title, "keysecondary": "", "content": text, "comment": title, "folder": null, "selective": false, "constant": false});
    one(
        "book.json",
        &json!({"gamestarted": true, "prompt": "", "memory": "", "authorsnote": "", "actions": [], "worldinfo": list(rows, entry)}),
    )
}

fn agnai(rows: &[Row]) -> Vec<(String, String)> {
    let entry = |(_, title, text): &Row| json!({"name": title, "entry": text, "keywords": [title], "priority": 0, "weight": 1, "enabled": true});
    one(
        "book.json",
        &json!({"kind": "memory", "name": "Book", "description": "", "entries": list(rows, entry)}),
    )
}

fn letta(rows: &[Row]) -> Vec<(String, String)> {
    let id = |n: &usize| format!("block-{n}");
    let block = |(n, title, text): &Row| json!({"id": id(n), "label": title, "value": text, "limit": 5000, "metadata": {}});
    let agent = json!({"id": "agent-0", "name": "Ama", "agent_type": "letta_v1_agent", "system": "", "block_ids": list(rows, |(n, ..)| id(n).into()), "messages": []});
    one("book.af", &json!({"agents": [agent], "blocks": list(rows, block), "tools": []}))
}

fn claude(rows: &[Row]) -> Vec<(String, String)> {
    let projects: Map<_, _> = rows
        .iter()
        .map(|(n, title, text)| (format!("p-{n}"), format!("# {title}\n\n{text}\n").into()))
        .collect();
    one(
        "memories.json",
        &json!([{"conversations_memory": "", "project_memories": projects, "account_uuid": "a"}]),
    )
}

fn mem0(rows: &[Row]) -> Vec<(String, String)> {
    one(
        "book.json",
        &json!({"results": list(rows, |(n, _, text)| json!({"id": format!("m-{n}"), "memory": text, "hash": "a", "user_id": "u"}))}),
    )
}

fn graph(rows: &[Row]) -> Vec<(String, String)> {
    let line = |(_, title, text): &Row| {
        format!(
            "{}\n",
            json!({"type": "entity", "name": title, "entityType": "lore", "observations": [text]})
        )
    };
    vec![("memory.jsonl".to_owned(), rows.iter().map(line).collect())]
}

fn markdown(rows: &[Row]) -> Vec<(String, String)> {
    let note =
        |(n, title, text): &Row| (format!("notes/{n}.md"), format!("---\nname: {title}\n---\n\n{text}\n"));
    rows.iter().map(note).collect()
}

fn lines(rows: &[Row]) -> Vec<(String, String)> {
    let line = |(n, _, text): &Row| format!("{}\n", json!({"id": n.to_string(), "text": text}));
    vec![("book.jsonl".to_owned(), rows.iter().map(line).collect())]
}

/// Every reader, and plain lines.
fn readers() -> Vec<(&'static str, Make)> {
    let make = |format: Format| -> Make {
        match format {
            Format::SillyTavern => sillytavern,
            Format::CharacterCard => card,
            Format::LorebookV3 => lorebook,
            Format::NovelAi => novelai,
            Format::Novelcrafter => novelcrafter,
            Format::AiDungeon => ai_dungeon,
            Format::JanitorAi => janitor,
            Format::Risu => risu,
            Format::KoboldAi => kobold,
            Format::Agnai => agnai,
            Format::Letta => letta,
            Format::ClaudeMemories => claude,
            Format::Mem0 => mem0,
            Format::McpJsonl => graph,
            Format::Markdown => markdown,
            Format::GraphMl => unreachable!("it is only written"),
        }
    };
    let mut all: Vec<(&'static str, Make)> = Format::ALL
        .into_iter()
        .filter(|format| format.is_read())
        .map(|format| (format.name(), make(format)))
        .collect();
    all.push(("jsonl", lines));
    all
}

/// Writes the files of a book into a folder. Gives the file or folder to import; `name` renames it.
fn written(world: &World, folder: &str, files: &[(String, String)], name: Option<&str>) -> PathBuf {
    let mut found = None;
    for (path, bytes) in files {
        let (first, rest) =
            path.split_once('/').map_or((path.as_str(), None), |(first, rest)| (first, Some(rest)));
        let ending = first.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"));
        let first = name.map_or_else(|| first.to_owned(), |name| format!("{name}{ending}"));
        let inside = rest.map_or(String::new(), |rest| format!("/{rest}"));
        world.file(&format!("{folder}/{first}{inside}"), bytes);
        found = Some(world.path(&format!("{folder}/{first}")));
    }
    found.expect("a file")
}

async fn texts(world: &World) -> Vec<String> {
    let mut texts: Vec<String> = world.all().await.into_iter().map(|entry| entry.content).collect();
    texts.sort();
    texts
}

/// Added and changed items.
fn did(plan: &ImportPlan) -> (u32, u32) {
    (total(plan, ImportOutcomeKind::Add), total(plan, ImportOutcomeKind::Change))
}

fn kind(plan: &ImportPlan) -> ImportBookKind {
    plan.book.as_ref().expect("a book").kind
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reader_recognises_an_imported_book_by_its_content() {
    for (format, make) in readers() {
        let world = World::new().await;
        let first = make(&book("Ama", 6));
        let path = written(&world, "one", &first, None);
        let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
        assert_eq!((did(&done.plan), kind(&done.plan)), ((6, 0), ImportBookKind::New), "{format}");
        let before = texts(&world).await;
        // A renamed part of the book is the book too.
        let part: Vec<Row> = book("Ama", 6).into_iter().skip(3).collect();
        for (what, rows, name) in [
            ("same", book("Ama", 6), None),
            ("renamed", book("Ama", 6), Some("renamed")),
            ("subset", part.clone(), None),
            ("renamed subset", part, Some("part")),
        ] {
            let path = written(&world, what, &make(&rows), name);
            let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
            assert_eq!(
                (did(&done.plan), kind(&done.plan)),
                ((0, 0), ImportBookKind::Same),
                "{format}, {what}"
            );
            assert_eq!(texts(&world).await, before, "{format}, {what}");
        }

        let mut more = book("Ama", 6);
        more.insert(2, (20, "New".to_owned(), text("New", 1)));
        let path = written(&world, "superset", &make(&more), Some("more"));
        let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
        assert_eq!((did(&done.plan), kind(&done.plan)), ((1, 0), ImportBookKind::Same), "{format}, superset");
        let before = texts(&world).await;
        assert_eq!(before.len(), 7, "{format}");

        let mut changed = book("Ama", 6);
        changed[2].2 = changed[2].2.replace("word7", "north");
        let path = written(&world, "changed", &make(&changed), Some("changed"));
        let plan = world.preview(&path).await.expect(format);
        let of_book = plan.book.clone().expect("a book");
        assert_eq!((of_book.kind, of_book.alike), (ImportBookKind::Same, 5), "{format}");
        let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
        let (added, now) = (did(&done.plan).0, texts(&world).await);
        // An observation of a graph and a text without an id are what they say, so an edited one is another one.
        assert!(matches!(did(&done.plan), (0, 1) | (1, 0)), "{format}: {:?}", did(&done.plan));
        assert_eq!(now.len(), 7 + added as usize, "{format}");
        assert!(now.contains(&changed[2].2), "{format}");
        assert_eq!(before.iter().filter(|text| now.contains(text)).count(), 6 + added as usize, "{format}");

        let before = now;
        let path = written(&world, "two", &make(&book("Sel", 6)), None);
        let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
        assert_eq!(
            (did(&done.plan), kind(&done.plan)),
            ((6, 0), ImportBookKind::New),
            "{format}, another book"
        );
        let now = texts(&world).await;
        assert!(before.iter().all(|text| now.contains(text)), "{format}: nothing of the first was rewritten");
        for (rows, book_id) in [(book("Sel", 6), &done.plan.book), (book("Ama", 6), &Some(of_book))] {
            let path = written(&world, "again", &make(&rows), None);
            let plan = world.preview(&path).await.expect(format);
            assert_eq!(
                plan.book.clone().map(|book| book.id),
                book_id.as_ref().map(|book| book.id.clone()),
                "{format}"
            );
            assert_eq!(total(&plan, ImportOutcomeKind::Add), 0, "{format}: each is known again");
        }
    }
}

/// The same numbers and titles with other texts.
fn template(of: &str) -> Vec<Row> {
    (0..4).map(|n| (n, format!("Chapter {n}"), text(of, n))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doubtful_book_is_not_imported_before_the_worldbuilder_chooses() {
    let world = World::new().await;
    let first = written(&world, "one", &sillytavern(&template("Ama")), None);
    world.import(&first, ConflictChoice::Newer).await.expect("comes in");
    let before = texts(&world).await;
    let second = written(&world, "two", &sillytavern(&template("Sel")), None);
    let plan = world.preview(&second).await.expect("a plan");
    let of_book = plan.book.clone().expect("a book");
    assert_eq!((of_book.kind, of_book.chosen, did(&plan)), (ImportBookKind::Doubtful, false, (4, 0)));
    assert_eq!((of_book.known[0].id.as_str(), of_book.known[0].changed), ("book", 4));
    let error = world.import(&second, ConflictChoice::Newer).await.expect_err("in doubt");
    assert_eq!(
        (error.code, error.details.and_then(|it| it.field).as_deref()),
        (ErrorCode::Invalid, Some("book"))
    );
    assert_eq!(texts(&world).await, before);

    let asked = World::request(&second, ConflictChoice::Newer);
    let wrong = ImportRequest { same_book: Some("no such book".to_owned()), ..asked.clone() };
    assert_eq!(world.import_as(wrong).await.expect_err("unknown").code, ErrorCode::Invalid);
    let both = ImportRequest { same_book: Some("book".to_owned()), new_book: true, ..asked.clone() };
    assert_eq!(world.import_as(both).await.expect_err("both").code, ErrorCode::Invalid);
    let new = ImportRequest { new_book: true, ..asked };
    let done = world.import_as(new).await.expect("comes in");
    assert_eq!((did(&done.plan), done.plan.book.map(|book| book.id).as_deref()), ((4, 0), Some("book (2)")));
    assert!(before.iter().all(|text| !done.plan.items.iter().any(|item| item.label == *text)));

    let third = written(&world, "three", &sillytavern(&template("Wen")), None);
    let same =
        ImportRequest { same_book: Some("book".to_owned()), ..World::request(&third, ConflictChoice::Newer) };
    let done = world.import_as(same).await.expect("comes in");
    assert_eq!(did(&done.plan), (0, 4));
    let now = texts(&world).await;
    assert_eq!((now.len(), now.iter().filter(|text| text.starts_with("Sel")).count()), (8, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn constant_entries_of_one_name_in_two_books_stay_apart() {
    let world = World::new().await;
    for (folder, of) in [("one", "Ama"), ("two", "Sel")] {
        let mut value: Value = serde_json::from_str(&sillytavern(&book(of, 5))[0].1).expect("JSON");
        value["entries"]["0"]["constant"] = json!(true);
        value["entries"]["0"]["comment"] = json!("The rules");
        let path = world.file(&format!("{folder}/book.json"), value.to_string());
        let done = world.import(&path, ConflictChoice::Newer).await.expect("comes in");
        assert_eq!(did(&done.plan), (5, 0), "{:?}", done.plan.items);
        let again = world.import(&path, ConflictChoice::Newer).await.expect("known");
        assert_eq!(did(&again.plan), (0, 0), "{:?}", again.plan.items);
    }
    let names: Vec<_> = world.all().await.into_iter().filter_map(|entry| entry.row.name).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}
