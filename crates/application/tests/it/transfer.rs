//! What an import may do without a person, and what a pick lets in.

use std::{collections::BTreeSet, sync::Arc};

use inklings_application::{
    testing::{
        import_attack::{FORGED, Forging, ImportAttack, attack_every_kind_of_row},
        laundering::File,
    },
    transfer::{CLAIMS, Conflicts, Need, Outcome, Picks},
};
use inklings_ports::{
    testing::builders::author,
    transfer::{
        file::{RowLinks, TransferError},
        shape::Section,
        store::Fields,
    },
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::World;

/// The folder holds its files and goes away with it.
async fn new_attack() -> (ImportAttack, TempDir) {
    let (world, folder) = World::new().await.into_parts();
    (ImportAttack::begin(Arc::new(world.session), world.clock).await, folder)
}

fn picks(lines: &[&str]) -> Picks {
    Picks { all: false, lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

fn forged(attack: &ImportAttack, section: Section, forging: Forging) -> File {
    attack.forged(&attack.of(section).into_iter().map(|n| (n, forging)).collect())
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
    let rows = rows.iter().enumerate().map(|(n, fields)| inklings_ports::transfer::file::FileRow {
        section: if fields.contains_key("name") { Section::NamedEntries } else { Section::Memories },
        line: n as u64 + 1,
        place: None,
        fields: fields.clone(),
        links: RowLinks::default(),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row.section);
    File(inklings_ports::transfer::shape::OWN, rows)
}

#[tokio::test]
async fn no_kind_of_row_replaces_content_or_raises_its_status_without_a_pick() {
    let (attack, _folder) = new_attack().await;
    attack_every_kind_of_row(&attack).await;
}

#[tokio::test]
async fn a_pick_admits_only_its_own_line() {
    for section in [Section::Memories, Section::NamedEntries] {
        let count = {
            let (attack, _folder) = new_attack().await;
            let file = forged(&attack, section, Forging::Replace);
            let plan = attack.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
            assert_eq!(plan.lines.len(), attack.of(section).len(), "{section:?}: each is a line");
            plan.lines.len()
        };
        for n in 0..count {
            let (attack, _folder) = new_attack().await;
            let before = attack.standing().await;
            let file = forged(&attack, section, Forging::Replace);
            let plan = attack.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
            let line = &plan.lines[n];
            assert!(line.file.text.starts_with(FORGED) && line.here.is_some(), "{line:?}");
            let done = attack.bring(&file, Conflicts::Newer, picks(&[&line.id])).await;
            assert_eq!(attack.changed(&before).await.len(), 1, "{line:?}");
            assert_eq!(done.plan.total(Outcome::Unpicked), count as u64 - 1);
            assert_eq!(done.plan.total(Outcome::Change), 1);
        }
    }
}

#[tokio::test]
async fn replacing_voice_soul_or_account_entries_needs_a_pick_and_the_plan_shows_both_texts() {
    let (attack, _folder) = new_attack().await;
    let file = forged(&attack, Section::NamedEntries, Forging::Twin);
    let plan = attack.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
    let reported: Vec<_> = plan
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
        assert!(reported.contains(&expected), "{expected:?}: {reported:?}");
    }
    assert_eq!(reported.len(), 4);
}

#[tokio::test]
async fn picks_change_the_hash_of_the_plan_and_unknown_picks_are_refused() {
    let (attack, _folder) = new_attack().await;
    let file = forged(&attack, Section::NamedEntries, Forging::Replace);
    let none = attack.look(&file, Conflicts::Newer, Picks::NONE).await.expect("a plan");
    let first = none.lines[0].id.clone();
    let one = attack.look(&file, Conflicts::Newer, picks(&[&first])).await.expect("a plan");
    assert_ne!(none.hash, one.hash);
    let stale = attack.import(&file, picks(&[&first]), &none.hash).await;
    assert!(matches!(stale, Err(TransferError::Stale)), "{stale:?}");
    // What stands here is part of it too: who picked a line saw another text.
    attack.edit("Spare and dry.", "Lush and slow.", author()).await;
    let stale = attack.import(&file, picks(&[&first]), &one.hash).await;
    assert!(matches!(stale, Err(TransferError::Stale)), "{stale:?}");
    for unknown in ["named_entries/99", "channels/1", "", "claims"] {
        let refused = attack.look(&file, Conflicts::Mine, picks(&[unknown])).await;
        assert!(
            matches!(&refused, Err(TransferError::UnknownPick { line }) if line == unknown),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn imported_entries_that_nobody_changed_are_updated_by_a_later_import() {
    let (attack, _folder) = new_attack().await;
    let later = |text: &str| row(1, &json!({ "content": text, "updated_at": "2099-01-01T00:00:00.000000Z" }));
    let done = attack.bring(&file(&[row(1, &json!({}))]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!(done.plan.total(Outcome::Add), 1);
    let done = attack.bring(&file(&[later("The mill is new.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!((done.plan.total(Outcome::Change), done.plan.total(Outcome::Unpicked)), (1, 0));
    let again = attack.bring(&file(&[later("The mill is new.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!(again.plan.total(Outcome::Skip), 1, "{:?}", again.plan.items);
    attack.edit("The mill is new.", "The mill is mine.", author()).await;
    let done = attack.bring(&file(&[later("The mill is theirs.")]), Conflicts::Newer, Picks::NONE).await;
    assert_eq!((done.plan.total(Outcome::Change), done.plan.total(Outcome::Unpicked)), (0, 1));
    attack.find("The mill is mine.").await;
}

#[tokio::test]
async fn a_text_that_was_written_elsewhere_before_the_last_import_is_still_newer_than_the_one_here() {
    let (attack, _folder) = new_attack().await;
    let version = |text: &str, hour: u32| {
        file(&[row(
            1,
            &json!({ "content": text, "updated_at": format!("2026-01-02T{hour:02}:00:00.000000Z") }),
        )])
    };
    let (first, second) = (version("The mill is old.", 4), version("The mill is new.", 5));
    let third = version("The mill burnt.", 6);
    for (file, changes) in [(&first, 0), (&second, 1), (&third, 1), (&second, 0)] {
        let done = attack.bring(file, Conflicts::Newer, Picks::ALL).await;
        assert_eq!(done.plan.total(Outcome::Change), changes, "{:?}", done.plan.items);
    }
    let (_, entry) = attack.find("The mill burnt.").await;
    assert_eq!(entry["updated_at"], json!("2026-01-02T06:00:00.000000Z"));
}

#[tokio::test]
async fn a_file_of_one_format_does_not_update_entries_of_another_format() {
    let (attack, _folder) = new_attack().await;
    let lines = |format, text: &str, year: u32| {
        let at = format!("{year}-01-01T00:00:00.000000Z");
        let fields = json!({ "content": text, "external_id": "7", "updated_at": at });
        let fields = fields.as_object().cloned().expect("fields");
        File(
            format,
            vec![inklings_ports::transfer::file::FileRow {
                section: Section::Memories,
                line: 1,
                place: None,
                fields,
                links: RowLinks::default(),
            }],
        )
    };
    attack.bring(&lines("jsonl", "The mill is old.", 2026), Conflicts::Newer, Picks::NONE).await;
    for (format, changes) in [("markdown", 0), (inklings_ports::transfer::shape::OWN, 0), ("jsonl", 1)] {
        let mut given = lines(format, "The mill is new.", 2099);
        if format == inklings_ports::transfer::shape::OWN {
            given = file(&[row(9, &Value::Object(given.1[0].fields.clone()))]);
        }
        let done = attack.bring(&given, Conflicts::Newer, Picks::NONE).await;
        assert_eq!(done.plan.total(Outcome::Change), changes, "{format}");
        assert_eq!(done.plan.total(Outcome::Unpicked), 1 - changes, "{format}");
    }
}

#[tokio::test]
async fn status_claims_of_a_file_are_applied_only_with_a_pick() {
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
        let (attack, _folder) = new_attack().await;
        let done = attack.bring(&file(&claimed()), Conflicts::Newer, picks).await;
        let reported: Vec<_> =
            done.plan.lines.iter().map(|line| (line.id.clone(), line.file.text.clone())).collect();
        assert_eq!(
            reported,
            [(
                CLAIMS.to_owned(),
                "1 as your own words, 1 pinned, 1 of higher importance, 1 with uses that count".into()
            )]
        );
        let agents = attack.find("An agent said so.").await.1;
        assert_eq!((&agents["curator"], &agents["written_by"]), (&json!("agent"), &json!("agent")));
        attack.find("The mill is old.").await.1
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
async fn a_copy_of_an_entry_that_was_changed_here_is_added_once() {
    let (attack, _folder) = new_attack().await;
    let export = file(&[row(1, &json!({})), row(2, &json!({ "name": "Mill", "content": "A mill." }))]);
    attack.bring(&export, Conflicts::Newer, Picks::ALL).await;
    attack.edit("The mill is old.", "The mill is mine.", author()).await;
    attack.edit("A mill.", "My mill.", author()).await;
    for added in [2, 0, 0] {
        let done = attack.bring(&export, Conflicts::Both, Picks::ALL).await;
        assert_eq!(done.plan.total(Outcome::Add), added, "{:?}", done.plan.items);
    }
}

#[tokio::test]
async fn a_text_that_takes_a_name_keeps_the_curator_of_the_file() {
    let (attack, _folder) = new_attack().await;
    let theirs = row(
        5,
        &json!({ "name": "Mara", "content": "An agent wrote this.", "curator": "agent",
        "written_by": "agent", "updated_at": "2099-01-01T00:00:00.000000Z" }),
    );
    let done = attack.bring(&file(&[theirs]), Conflicts::Newer, Picks::ALL).await;
    assert_eq!(done.plan.total(Outcome::Change), 1, "{:?}", done.plan.items);
    assert_eq!(attack.find("An agent wrote this.").await.1["curator"], json!("agent"));
}

#[tokio::test]
async fn empty_entries_do_not_conflict_but_voice_and_soul_need_a_pick_anyway() {
    let (world, _folder) = World::new().await.into_parts();
    let (copy, _copied) = new_attack().await;
    let whole = copy.forged(&BTreeSet::new());
    world.session.named_entries().begin(author()).await.expect("the entries that are always there");
    let fresh = ImportAttack::unfilled(Arc::new(world.session), world.clock);
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
        fn any_import_without_picks_leaves_content_and_account_unchanged(
            chosen in prop::collection::vec((any::<prop::sample::Index>(), 0..Forging::ALL.len()), 1..12),
            conflicts in prop::sample::select(vec![Conflicts::Newer, Conflicts::Mine, Conflicts::Both]),
            twice: bool,
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let (attack, _folder) = new_attack().await;
                let before = attack.standing().await;
                let forgings: BTreeSet<_> =
                    chosen.iter().map(|(row, forging)| (row.index(attack.len()), Forging::ALL[*forging])).collect();
                let file = attack.forged(&forgings);
                for _ in 0..=usize::from(twice) {
                    attack.bring(&file, conflicts, Picks::NONE).await;
                    prop_assert_eq!(attack.changed(&before).await, Vec::<String>::new());
                    prop_assert_eq!(attack.raised(&before).await, Vec::<String>::new());
                }
                Ok(())
            })?;
        }
    }
}
