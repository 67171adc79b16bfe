//! Files of one name: what they hold tells whether they are the same.

use inklings_api::transfer::view::{ConflictChoice, ImportOutcomeKind, ImportRequest};
use inklings_formats::testing::entries as samples;
use serde_json::{Value, json};

use crate::support::{World, total};

/// A lorebook of so many entries about somebody.
fn lorebook(of: &str, entries: u64) -> Value {
    let one = |n: u64| {
        let text = format!("What is told of {of} in chapter {n}.");
        (n.to_string(), samples::world_entry(n, &format!("{of} {n}"), &[], &text, false))
    };
    json!({ "entries": (0..entries).map(one).collect::<serde_json::Map<_, _>>() })
}

async fn texts(world: &World) -> Vec<String> {
    world.all().await.into_iter().map(|entry| entry.content).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn lorebooks_of_the_same_name_from_two_folders_stay_separate() {
    let world = World::new().await;
    let first = world.file("one/lorebook.json", lorebook("Ama", 107).to_string());
    let second = world.file("two/lorebook.json", lorebook("Sel", 107).to_string());
    world.import(&first, ConflictChoice::Newer).await.expect("comes in");
    let before = texts(&world).await;
    let done = world.import(&second, ConflictChoice::Newer).await.expect("comes in");
    assert_eq!(total(&done.plan, ImportOutcomeKind::Add), 107, "{:?}", done.plan.items.first());
    let after = texts(&world).await;
    assert_eq!(after.len(), 214);
    assert!(before.iter().all(|text| after.contains(text)), "nothing of the first was rewritten");
    for path in [&first, &second] {
        let again = world.import(path, ConflictChoice::Newer).await.expect("looked at");
        assert_eq!(total(&again.plan, ImportOutcomeKind::Skip), 107, "each is known again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edited_file_is_recognised_under_its_own_and_another_name() {
    let world = World::new().await;
    let path = world.file("lorebook.json", lorebook("Ama", 9).to_string());
    world.import(&path, ConflictChoice::Newer).await.expect("comes in");
    let mut edited = lorebook("Ama", 10);
    edited["entries"]["3"]["content"] = json!("Another chapter three.");
    for name in ["lorebook.json", "renamed.json"] {
        let path = world.file(name, edited.to_string());
        let done = world.import(&path, ConflictChoice::Both).await.expect("comes in");
        assert_eq!(total(&done.plan, ImportOutcomeKind::Skip), if name == "lorebook.json" { 8 } else { 10 });
        assert_eq!(
            world.all().await.len(),
            11,
            "{name}: the edited text beside the old one, and the new one"
        );
        edited["entries"]["3"]["content"] = json!("What is told of Ama in chapter 3.");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_card_with_the_same_instructions_changes_nothing_of_the_first() {
    let world = World::new().await;
    let card = |name: &str, about: &str| {
        json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {
            "name": name, "description": about, "personality": "Dry.", "scenario": "At the ford.",
            "first_mes": "Well?", "mes_example": "", "system_prompt": "Write tersely.",
            "post_history_instructions": "Stay in character.",
        }})
    };
    let first = world.file("one/card.json", card("Ysolde", "She runs the ferry.").to_string());
    let second = world.file("two/card.json", card("Kaito", "A broker with one glass eye.").to_string());
    world.import(&first, ConflictChoice::Newer).await.expect("comes in");
    let before = texts(&world).await;
    let error = world.import(&second, ConflictChoice::Newer).await.expect_err("it is in doubt");
    assert_eq!(error.details.and_then(|details| details.field).as_deref(), Some("book"));
    assert_eq!(texts(&world).await, before);
    let request = ImportRequest { new_book: true, ..World::request(&second, ConflictChoice::Newer) };
    let done = world.import_as(request).await.expect("comes in");
    assert_eq!(total(&done.plan, ImportOutcomeKind::Add), 6, "{:?}", done.plan.counts);
    let titles: Vec<String> = world.all().await.into_iter().filter_map(|entry| entry.row.title).collect();
    for title in ["Ysolde", "Ysolde: scenario", "Kaito", "Kaito: scenario"] {
        assert_eq!(titles.iter().filter(|known| *known == title).count(), 1, "{title} of {titles:?}");
    }
}

/// For every format: two files of one name with other contents, and the first edited, each as its program writes it.
#[tokio::test(flavor = "multi_thread")]
async fn in_every_format_a_second_file_of_the_same_name_adds_its_entries() {
    type Make = fn(&str) -> (String, Vec<u8>);
    let formats: [(&str, Make); 8] = [
        ("sillytavern", |of| ("book.json".into(), swap(&samples::world().to_string(), of))),
        ("card", |of| ("card.json".into(), swap(&samples::card().to_string(), of))),
        ("card in a picture", |of| {
            let card: Value = serde_json::from_slice(&swap(&samples::card().to_string(), of)).expect("JSON");
            let json_rows = samples::json_rows(&card);
            ("card.png".into(), samples::picture(&[samples::text_chunk("chara", &json_rows)]))
        }),
        ("lorebook", |of| ("lorebook.json".into(), swap(&samples::lorebook().to_string(), of))),
        ("novelai", |of| ("book.lorebook".into(), swap(&samples::novelai().to_string(), of))),
        ("mem0", |of| ("mem0.json".into(), swap(&samples::mem0().to_string(), of))),
        ("graph", |of| ("memory.jsonl".into(), swap(samples::GRAPH, of))),
        ("markdown", |of| ("notes/Ama.md".into(), swap(samples::NOTE, of))),
    ];
    for (format, make) in formats {
        let world = World::new().await;
        let mut held = 0;
        for (folder, of) in [("one", "Ama"), ("two", "Sel")] {
            let (name, bytes) = make(of);
            let file = world.file(&format!("{folder}/{name}"), bytes);
            let path = if name.contains('/') { world.path(&format!("{folder}/notes")) } else { file };
            let done = world.import(&path, ConflictChoice::Newer).await.expect(format);
            let changed = total(&done.plan, ImportOutcomeKind::Change);
            assert_eq!(changed, 0, "{format}, {folder}: {:?}", done.plan.items);
            assert!(total(&done.plan, ImportOutcomeKind::Add) > 0, "{format}, {folder}");
            let now = world.all().await.len();
            assert!(now > held, "{format}, {folder}");
            held = now;
            let again = world.import(&path, ConflictChoice::Newer).await.expect(format);
            assert_eq!(total(&again.plan, ImportOutcomeKind::Add), 0, "{format}, {folder}: known again");
            assert_eq!(world.all().await.len(), held, "{format}, {folder}");
        }
    }
}

/// The same file about somebody else, in other words.
fn swap(text: &str, of: &str) -> Vec<u8> {
    if of == "Ama" {
        return text.as_bytes().to_vec();
    }
    let words = [
        ("Ama", of),
        ("rules", "sails"),
        ("Rules", "Sails"),
        ("queen", "pilot"),
        ("Queen", "Pilot"),
        ("Ambry", "Tarn"),
        ("ambry", "tarn"),
        ("town", "reef"),
        ("salt", "kelp"),
        ("Salt", "Kelp"),
        ("silver", "coral"),
        ("gate", "door"),
        ("shut at night", "open by day"),
        ("Stern", "Merry"),
        ("hall", "deck"),
        ("Speak", "Ahoy"),
        ("You again", "Welcome"),
        ("Why", "Where"),
        ("north", "south"),
    ];
    words.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)).into_bytes()
}
