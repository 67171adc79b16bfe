//! What an import may do without a person, and what a pick lets in.

use std::{collections::BTreeSet, sync::Arc};

use inklings_application::{
    testing::{
        builders::author,
        laundering::File,
        stranger::{FORGED, Forging, Stranger, attack_every_kind_of_row},
    },
    transfer::{CLAIMS, Conflicts, Need, Outcome, Picks, TransferError, shape::Section, store::Fields},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::World;

/// The folder holds its files and goes away with it.
async fn stranger() -> (Stranger, TempDir) {
    let (world, folder) = World::new().await.into_parts();
    (Stranger::begin(Arc::new(world.session), world.clock).await, folder)
}

fn picks(lines: &[&str]) -> Picks {
    Picks { all: false, lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

fn forged(stranger: &Stranger, section: Section, forging: Forging) -> File {
    stranger.forged(&stranger.of(section).into_iter().map(|n| (n, forging)).collect())
}

fn row(id: u64, more: &Value) -> Fields {
    let at = "2026-01-02T03:04:05.000000Z";
    let mut row = json!({
        "id": format!("0190bbbb-0000-7000-8000-{id:012x}"), "scope": "workspace", "lifetime": "long_term",
        "curator": "author", "kind": "note", "importance": 0.5, "source": "user", "version": 1,
        "written_by": "author", "created_at": at, "accessed_at": at, "updated_at": at, "content": "The mill is old.",
    });
    let fields = row.as_object_mut().expect("a row");
    fields.extend(more.as_object().cloned().expect("fields"));
    fields.clone()
}

fn file(rows: &[Fields]) -> File {
    let rows = rows.iter().enumerate().map(|(n, fields)| inklings_application::transfer::FileRow {
        section: if fields.contains_key("name") { Section::NamedEntries } else { Section::Memories },
        line: n as u64 + 1,
        place: None,
        fields: fields.clone(),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row.section);
    File(inklings_application::transfer::shape::OWN, rows)
}

#[tokio::test]
async fn no_kind_of_row_replaces_what_stands_here_or_is_raised_without_a_pick() {
    let (stranger, _folder) = stranger().await;
    attack_every_kind_of_row(&stranger).await;
}

#[tokio::test]
async fn a_pick_lets_in_that_line_and_no_other() {
    for section in [Section::Memories, Section::NamedEntries] {
        let count = {
            let (stranger, _folder) = stranger().await;
            let file = forged(&stranger, section, Forging::Replace);
            let plan = stranger.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
            assert_eq!(plan.lines.len(), stranger.of(section).len(), "{section:?}: each is a line");
            plan.lines.len()
        };
        for n in 0..count {
            let (stranger, _folder) = stranger().await;
            let before = stranger.standing().await;
            let file = forged(&stranger, section, Forging::Replace);
            let plan = stranger.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
            let line = &plan.lines[n];
            assert!(line.file.text.starts_with(FORGED) && line.here.is_some(), "{line:?}");
            let done = stranger.bring(&file, Conflicts::Newer, picks(&[&line.id])).await;
            assert_eq!(stranger.changed(&before).await.len(), 1, "{line:?}");
            assert_eq!(done.plan.total(Outcome::Unpicked), count as u64 - 1);
            assert_eq!(done.plan.total(Outcome::Change), 1);
        }
    }
}

#[tokio::test]
async fn voice_soul_and_the_account_need_the_pick_and_the_plan_shows_both_texts() {
    let (stranger, _folder) = stranger().await;
    let file = forged(&stranger, Section::NamedEntries, Forging::Twin);
    let plan = stranger.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
    let told: Vec<_> = plan
        .lines
        .iter()
        .map(|line| {
            let here = line.here.as_ref().map_or("", |here| here.text.as_str());
            (line.label.as_str(), line.need, line.tier.as_deref().unwrap_or_default(), here)
        })
        .collect();
    for expected in [
        ("VOICE", Need::Voice, "workspace", "Spare and dry."),
        ("SOUL", Need::Account, "account", "Ask before you rewrite."),
        ("Habits", Need::Account, "account", "As I wrote it."),
        ("Mara", Need::Replaces, "workspace", "As I wrote it."),
    ] {
        assert!(told.contains(&expected), "{expected:?}: {told:?}");
    }
    assert_eq!(told.len(), 4);
}

#[tokio::test]
async fn a_pick_is_part_of_the_plan_that_was_looked_at() {
    let (stranger, _folder) = stranger().await;
    let file = forged(&stranger, Section::NamedEntries, Forging::Replace);
    let none = stranger.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
    let first = none.lines[0].id.clone();
    let one = stranger.look(&file, Conflicts::Newer, picks(&[&first])).await.expect("a plan");
    assert_ne!(none.hash, one.hash);
    let stale = stranger.import(&file, picks(&[&first]), &none.hash).await;
    assert!(matches!(stale, Err(TransferError::Stale)), "{stale:?}");
    // What stands here is part of it too: who picked a line saw another text.
    stranger.edit("Spare and dry.", "Lush and slow.", author()).await;
    let stale = stranger.import(&file, picks(&[&first]), &one.hash).await;
    assert!(matches!(stale, Err(TransferError::Stale)), "{stale:?}");
    for unknown in ["named_entries/99", "channels/1", "", "claims"] {
        let refused = stranger.look(&file, Conflicts::Mine, picks(&[unknown])).await;
        assert!(
            matches!(&refused, Err(TransferError::UnknownPick { line }) if line == unknown),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn what_an_import_brought_and_nobody_changed_is_brought_up_to_date() {
    let (stranger, _folder) = stranger().await;
    let later = |text: &str| row(1, &json!({ "content": text, "updated_at": "2099-01-01T00:00:00.000000Z" }));
    let done = stranger.bring(&file(&[row(1, &json!({}))]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!(done.plan.total(Outcome::Add), 1);
    let done = stranger.bring(&file(&[later("The mill is new.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!((done.plan.total(Outcome::Change), done.plan.total(Outcome::Unpicked)), (1, 0));
    let again = stranger.bring(&file(&[later("The mill is new.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!(again.plan.total(Outcome::Skip), 1, "{:?}", again.plan.items);
    stranger.edit("The mill is new.", "The mill is mine.", author()).await;
    let done = stranger.bring(&file(&[later("The mill is theirs.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!((done.plan.total(Outcome::Change), done.plan.total(Outcome::Unpicked)), (0, 1));
    stranger.find("The mill is mine.").await;
}

#[tokio::test]
async fn a_file_of_one_program_does_not_bring_another_ones_up_to_date() {
    let (stranger, _folder) = stranger().await;
    let lines = |format, text: &str, year: u32| {
        let at = format!("{year}-01-01T00:00:00.000000Z");
        let fields = json!({ "content": text, "external_id": "7", "updated_at": at });
        let fields = fields.as_object().cloned().expect("fields");
        File(
            format,
            vec![inklings_application::transfer::FileRow {
                section: Section::Memories,
                line: 1,
                place: None,
                fields,
            }],
        )
    };
    stranger.bring(&lines("jsonl", "The mill is old.", 2026), Conflicts::Newer, Picks::NONE).await;
    for (format, changes) in [("markdown", 0), (inklings_application::transfer::shape::OWN, 0), ("jsonl", 1)]
    {
        let mut given = lines(format, "The mill is new.", 2099);
        if format == inklings_application::transfer::shape::OWN {
            given = file(&[row(9, &Value::Object(given.1[0].fields.clone()))]);
        }
        let done = stranger.bring(&given, Conflicts::Newer, Picks::NONE).await;
        assert_eq!(done.plan.total(Outcome::Change), changes, "{format}");
        assert_eq!(done.plan.total(Outcome::Unpicked), 1 - changes, "{format}");
    }
}

#[tokio::test]
async fn what_a_file_claims_of_its_rows_counts_only_with_a_pick() {
    let claimed = || {
        let past = json!([{ "version": 1, "lifetime": "long_term", "curator": "author", "kind": "note",
            "importance": 1.0, "pinned": true, "source": "user", "written_by": "author",
            "accessed_at": "2026-01-02T03:04:05.000000Z", "updated_at": "2026-01-02T03:04:05.000000Z",
            "content": "The mill was new." }]);
        [
            row(
                1,
                &json!({ "pinned": true, "importance": 0.9, "access_count": 7, "version": 2, "history": past }),
            ),
            row(2, &json!({ "curator": "agent", "written_by": "agent", "content": "An agent said so." })),
        ]
    };
    let brought = async |picks: Picks| {
        let (stranger, _folder) = stranger().await;
        let done = stranger.bring(&file(&claimed()), Conflicts::Newer, picks).await;
        let told: Vec<_> =
            done.plan.lines.iter().map(|line| (line.id.clone(), line.file.text.clone())).collect();
        assert_eq!(
            told,
            [(
                CLAIMS.to_owned(),
                "1 as your own words, 1 pinned, 1 of higher importance, 1 with uses that count".into()
            )]
        );
        let agents = stranger.find("An agent said so.").await.1;
        assert_eq!((&agents["curator"], &agents["written_by"]), (&json!("agent"), &json!("agent")));
        stranger.find("The mill is old.").await.1
    };
    let modest = brought(Picks::NONE).await;
    assert_eq!((&modest["curator"], &modest["importance"]), (&json!("import"), &json!(0.5)));
    assert!(!modest.get("pinned").and_then(Value::as_bool).unwrap_or_default());
    let past = &modest["history"][0];
    assert_eq!((&past["curator"], &past["importance"]), (&json!("import"), &json!(0.5)));
    let vouched = brought(picks(&[CLAIMS])).await;
    assert_eq!((&vouched["curator"], &vouched["importance"]), (&json!("author"), &json!(0.9)));
    assert_eq!(vouched["pinned"], json!(true));
}

#[tokio::test]
async fn a_text_that_takes_a_name_is_whose_the_file_says() {
    let (stranger, _folder) = stranger().await;
    let theirs = row(
        5,
        &json!({ "name": "Mara", "content": "An agent wrote this.", "curator": "agent",
        "written_by": "agent", "updated_at": "2099-01-01T00:00:00.000000Z" }),
    );
    let done = stranger.bring(&file(&[theirs]), Conflicts::Newer, Picks::ALL).await;
    assert_eq!(done.plan.total(Outcome::Change), 1, "{:?}", done.plan.items);
    assert_eq!(stranger.find("An agent wrote this.").await.1["curator"], json!("agent"));
}

#[tokio::test]
async fn what_nobody_wrote_into_does_not_stand_but_voice_is_picked_all_the_same() {
    let (world, _folder) = World::new().await.into_parts();
    let (copy, _copied) = stranger().await;
    let whole = copy.forged(&BTreeSet::new());
    world.session.named_entries().begin(author()).await.expect("the entries that are always there");
    let fresh = Stranger::unfilled(Arc::new(world.session), world.clock);
    let done = fresh.bring(&whole, Conflicts::Newer, Picks::NONE).await;
    let left: Vec<&str> = done.plan.lines.iter().map(|line| line.label.as_str()).collect();
    assert!(left.contains(&"VOICE") && left.contains(&"SOUL") && !left.contains(&"Mara"), "{left:?}");
    assert!(done.plan.lines.iter().all(|line| line.here.as_ref().is_none_or(|here| here.text.is_empty())));
    let empty = file(&[row(6, &json!({ "name": "VOICE", "content": "" }))]);
    let done = fresh.bring(&empty, Conflicts::Newer, Picks::NONE).await;
    assert_eq!((done.plan.total(Outcome::Skip), done.plan.lines.len()), (1, 0));
    let done = fresh.bring(&whole, Conflicts::Newer, Picks::ALL).await;
    assert_eq!((done.plan.total(Outcome::Refuse), done.plan.total(Outcome::Unpicked)), (0, 0));
    assert_eq!(fresh.find("Spare and dry.").await.1["curator"], json!("author"));
}

mod any_file {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// For any file, without picks: no text that stands here changes, and the account does not change at all.
        #[test]
        fn leaves_what_stands_here_and_the_account_as_they_are(
            chosen in prop::collection::vec((any::<prop::sample::Index>(), 0..Forging::ALL.len()), 1..12),
            conflicts in prop::sample::select(vec![Conflicts::Newer, Conflicts::Mine, Conflicts::Both]),
            twice: bool,
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let (stranger, _folder) = stranger().await;
                let before = stranger.standing().await;
                let forgings: BTreeSet<_> =
                    chosen.iter().map(|(row, forging)| (row.index(stranger.len()), Forging::ALL[*forging])).collect();
                let file = stranger.forged(&forgings);
                for _ in 0..=usize::from(twice) {
                    stranger.bring(&file, conflicts, Picks::NONE).await;
                    prop_assert_eq!(stranger.changed(&before).await, Vec::<String>::new());
                    prop_assert_eq!(stranger.raised(&before).await, Vec::<String>::new());
                }
                Ok(())
            })?;
        }
    }
}
