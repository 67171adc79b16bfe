//! Out and in again: nothing is lost, nothing is half there, and all of it can be taken back.

use std::{collections::BTreeSet, sync::Arc};

use crate::support::{
    carried::{EVERYTHING, World, parsed, timeless, wanted},
    raw,
};
use inklings_application::{
    testing::import_attack::{ImportAttack, attack_every_kind_of_row},
    transfer::{Conflicts, ExportOptions, ExportScope, Outcome, Picks},
};
use inklings_domain::{conversation::message::Role, forget_reason::ForgetReason, scope::Place};
use inklings_ports::{
    conversation::transcript_store::MessageRange,
    progress::NoProgress,
    testing::builders::{author, draft},
    transfer::{file::TransferError, shape::Section},
    workspace::catalogue::Catalogue as _,
};
use serde_json::{Value, json};
use sqlx::Executor as _;

/// Breaks a file in one place.
type Wreck = fn(&mut Value);

#[tokio::test]
async fn exporting_importing_and_exporting_again_gives_the_same_bytes() {
    let world = World::rich(1).await;
    let out = world.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    let done = fresh.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(done.plan.total(Outcome::Refuse), 0, "{:#?}", done.plan.items);
    let again = fresh.export(EVERYTHING).await;
    for (a, b) in timeless(&out).lines().zip(timeless(&again).lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(timeless(&out), timeless(&again));
    let file: Value = serde_json::from_str(&out).expect("JSON");
    for section in Section::ALL.into_iter().filter(|section| *section != Section::Journal) {
        assert!(file[section.name()].as_array().is_some_and(|rows| !rows.is_empty()), "{}", section.name());
    }
    fresh.healthy().await;
}

#[tokio::test]
async fn a_branch_shares_the_same_messages_in_the_other_folder() {
    let world = World::begun(1).await;
    let session = &world.session;
    let original = session.conversations().begin(None, "The gate").await.expect("begun");
    for text in ["Who keeps it?", "And since when?", "Who else?"] {
        session.transcripts().add(&original, Role::User, text).await.expect("added");
    }
    let branch = session.conversations().branch(original.id, 3).await.expect("a branch");
    session.transcripts().add(&branch, Role::User, "Who paid?").await.expect("added");
    let texts = async |world: &World| {
        let page = world.session.transcripts().whole_page(branch.id, MessageRange::Newest, 50).await;
        page.expect("read").messages.into_iter().map(|message| message.body.content).collect::<Vec<_>>()
    };
    let before = texts(&world).await;
    assert_eq!(before, ["Who keeps it?", "And since when?", "Who paid?"]);
    let out = world.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    fresh.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(texts(&fresh).await, before);
    let found = fresh.session.conversations().by_id(branch.id).await.expect("there");
    assert_eq!((found.continues, found.shares_through), (Some(original.id), Some(2)));
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
    fresh.healthy().await;
    // Alone, it is a conversation of its own.
    let alone = ExportScope { conversation: Some(branch.id), ..EVERYTHING.scope };
    let out = world.export(ExportOptions { scope: alone, ..EVERYTHING }).await;
    let lone = World::begun(3).await;
    lone.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(texts(&lone).await, ["Who paid?"]);
    let found = lone.session.conversations().by_id(branch.id).await.expect("there");
    assert_eq!((found.continues, found.shares_through), (None, None));
    lone.healthy().await;
}

#[tokio::test]
async fn a_note_equal_to_a_reason_of_the_program_stays_a_note_in_transfers() {
    let world = World::begun(1).await;
    let session = &world.session;
    let texts = ["It rains.", "It snows."].map(|text| draft(Place::Workspace, text));
    let mut ids = Vec::new();
    for text in texts {
        ids.push(session.memories().create(text, author()).await.expect("made").id());
    }
    let words = ForgetReason::CreationUndone.to_string();
    session.memories().forget(&ids[..1], &words, author()).await.expect("forgotten");
    session
        .memories()
        .forget_for(&ids[1..], &ForgetReason::CreationUndone, author())
        .await
        .expect("forgotten");
    let out = world.export(EVERYTHING).await;
    assert_eq!(out.matches("\"forgotten_code\":\"asked\"").count(), 1, "{out}");
    assert_eq!(out.matches("\"forgotten_reason\":\"its creation was undone\"").count(), 2, "{out}");

    let fresh = World::begun(2).await;
    fresh.import(&parsed(&out), Conflicts::Newer).await;
    let found = fresh.session.workspace.memory.store.get(&ids).await.expect("reads");
    for (id, reason) in ids.iter().zip([ForgetReason::Asked(Some(words)), ForgetReason::CreationUndone]) {
        let stored = found.iter().find(|stored| stored.entry.id == *id).expect("it came along");
        assert!(stored.entry.is_forgotten_for(&reason), "{:?}", stored.entry.forgotten);
    }
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
}

#[tokio::test]
async fn importing_the_present_content_changes_nothing() {
    let world = World::rich(1).await;
    let out = parsed(&world.export(EVERYTHING).await);
    for conflicts in [Conflicts::Newer, Conflicts::Mine, Conflicts::Both] {
        let plan = world.preview(&out, conflicts).await;
        assert_eq!(plan.total(Outcome::Skip), plan.counts.values().sum::<u64>(), "{:#?}", plan.items);
    }
}

#[tokio::test]
async fn a_dry_run_writes_nothing_and_an_import_is_reverted_completely() {
    let out = parsed(&World::rich(1).await.export(EVERYTHING).await);
    let fresh = World::begun(2).await;
    let before = fresh.export(EVERYTHING).await;
    fresh.preview(&out, Conflicts::Newer).await;
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&before));
    let done = fresh.import(&out, Conflicts::Newer).await;
    let run = fresh.session.consolidation().run(done.run.id).await.expect("it is a run");
    assert_eq!((run.task.as_str(), run.state.as_str()), ("import", "done"));
    let reverted = fresh.session.consolidation().revert_run(done.run.id, author()).await.expect("taken back");
    assert!(reverted.conflicts.is_empty(), "{:?}", reverted.conflicts.len());
    for section in ["memories", "named_entries"] {
        let after: Value = serde_json::from_str(&fresh.export(EVERYTHING).await).expect("JSON");
        for entry in after[section].as_array().expect("a list") {
            assert!(entry.get("forgotten_at").is_some());
        }
    }
    let voice = fresh.session.named_entries().get("VOICE", None).await.expect("the empty one is back");
    assert!(voice.content.is_empty());
    // Who takes an import back and imports again wants it after all.
    let again = fresh.import(&out, Conflicts::Mine).await;
    assert_eq!(again.plan.total(Outcome::Refuse), 0, "{:#?}", again.plan.items);
    assert_eq!(
        fresh.session.named_entries().get("VOICE", None).await.expect("written").content,
        "Spare and dry."
    );
    fresh.healthy().await;
}

#[tokio::test]
async fn conflicts_are_resolved_by_the_choice_of_the_worldbuilder() {
    let world = World::rich(1).await;
    let mut file = parsed(&world.export(EVERYTHING).await);
    let entry = &mut file.0["memories"][1];
    entry["content"] = json!("The gate is of bronze.");
    entry["updated_at"] = json!("2099-01-01T00:00:00.000000Z");
    let totals = async |conflicts| {
        let plan = world.preview(&file, conflicts).await;
        [Outcome::Add, Outcome::Change, Outcome::Refuse].map(|outcome| plan.total(outcome))
    };
    assert_eq!(totals(Conflicts::Newer).await, [0, 1, 0]);
    assert_eq!(totals(Conflicts::Mine).await, [0, 0, 0]);
    assert_eq!(totals(Conflicts::Both).await, [1, 0, 0]);
    file.0["memories"][1]["updated_at"] = json!("1999-01-01T00:00:00.000000Z");
    let plan = world.preview(&file, Conflicts::Newer).await;
    assert_eq!(plan.total(Outcome::Change), 0);
}

#[tokio::test]
async fn no_kind_of_row_replaces_content_or_raises_its_status_without_a_pick() {
    let World { folder, scribe, session } = World::begun(1).await;
    let attack = ImportAttack::begin(Arc::new(session), scribe.clock).await;
    attack_every_kind_of_row(&attack).await;
    let findings = folder.open().check().await.expect("checked");
    assert!(findings.iter().all(|finding| finding.ok), "{findings:?}");
}

#[tokio::test]
async fn a_full_export_is_imported_into_an_empty_folder_by_picking_all_lines() {
    let World { folder: _from, scribe, session } = World::begun(1).await;
    let attack = ImportAttack::begin(Arc::new(session), scribe.clock).await;
    let whole = attack.forged(&BTreeSet::new());
    let World { folder, scribe, session } = World::begun(2).await;
    let fresh = ImportAttack::unfilled(Arc::new(session), scribe.clock);
    let left = fresh.bring(&whole, Conflicts::Newer, Picks::NONE).await.plan;
    assert!(left.total(Outcome::Unpicked) > 0, "{:?}", left.counts);
    assert!(left.lines.iter().all(|line| line.here.as_ref().is_none_or(|here| here.text.is_empty())));
    let done = fresh.bring(&whole, Conflicts::Newer, Picks::ALL).await.plan;
    assert_eq!((done.total(Outcome::Refuse), done.total(Outcome::Unpicked)), (0, 0), "{:?}", done.items);
    assert_eq!(fresh.find("Ask before you rewrite.").await.1["scope"], "account");
    let findings = folder.open().check().await.expect("checked");
    assert!(findings.iter().all(|finding| finding.ok), "{findings:?}");
}

#[tokio::test]
async fn an_import_after_a_change_since_its_dry_run_is_refused() {
    let mut file = parsed(&World::rich(1).await.export(EVERYTHING).await);
    let fresh = World::begun(2).await;
    let hash = fresh.preview(&file, Conflicts::Newer).await.hash;
    file.0["memories"][0]["content"] = json!("Other words.");
    let outcome = fresh.session.transfers().import(&file, wanted(Conflicts::Newer), &hash, &NoProgress).await;
    assert!(matches!(outcome, Err(TransferError::Stale)), "{outcome:?}");
    fresh.healthy().await;
}

#[tokio::test]
async fn broken_rows_are_reported_by_line_and_field_and_nothing_is_imported() {
    let good = World::rich(1).await.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    let before = timeless(&fresh.export(EVERYTHING).await);
    let cases: [(&str, Wreck); 22] = [
        ("id", |f| f["memories"][0]["id"] = json!("secret")),
        ("id", |f| f["memories"][1]["id"] = f["memories"][0]["id"].clone()),
        ("content", |f| f["memories"][0]["content"] = json!("secret\u{0}")),
        ("content", |f| f["memories"][0]["content"] = json!("s".repeat(65_537))),
        ("content", |f| f["memories"][0]["content"] = json!(7)),
        ("importance", |f| f["memories"][0]["importance"] = json!(1.5)),
        ("importance", |f| f["memories"][0]["importance"] = json!("secret")),
        ("created_at", |f| f["memories"][0]["created_at"] = json!("secret")),
        ("scope", |f| f["memories"][0]["scope"] = json!("secret")),
        ("scope", |f| f["memories"][0]["channel_id"] = json!("default")),
        ("curator", |f| drop(f["memories"][0].as_object_mut().expect("a row").remove("curator"))),
        ("version", |f| f["memories"][0]["version"] = json!(9)),
        ("version", |f| f["memories"][0]["version"] = json!(-1)),
        ("embeddings", |f| f["memories"][0]["embeddings"][0]["dimension"] = json!(4)),
        ("embeddings", |f| f["memories"][0]["embeddings"][0]["vector"] = json!("AADAfwAAwH8AAMB/")),
        ("value", |f| f["scratchpads"][0]["value"] = json!("{secret")),
        ("foreign_fields", |f| f["memories"][0]["foreign_fields"] = json!({"x": "y".repeat(1 << 21)})),
        ("aliases", |f| f["named_entries"][0]["aliases"] = json!(["x", "X"])),
        ("known_by", |f| f["facts"][0]["known_by"] = json!("secret")),
        ("known_by", |f| f["facts"][0]["known_by"] = json!([{ "role": "known_by", "id": "secret" }])),
        ("known_by", |f| f["facts"][0]["known_by"] = json!([{ "role": "about", "id": f["facts"][0]["id"] }])),
        ("known_by", |f| f["facts"][0]["values"][0]["known_by"] = json!(7)),
    ];
    for (n, (field, wreck)) in cases.into_iter().enumerate() {
        let mut file = parsed(&good);
        wreck(&mut file.0);
        let outcome = fresh.session.transfers().preview(&file, wanted(Conflicts::Newer), &NoProgress).await;
        let Err(TransferError::File(error)) = outcome else { panic!("{n}: {field}: {outcome:?}") };
        assert_eq!(error.field, Some(field), "{n}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let mut file = parsed(&good);
    let id = file.0["conversations"][0]["id"].clone();
    file.0["conversations"][0]["continues_id"] = id;
    let outcome = fresh.session.transfers().preview(&file, wanted(Conflicts::Newer), &NoProgress).await;
    assert!(matches!(outcome, Err(TransferError::File(_))), "a circle: {outcome:?}");
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), before);
}

#[tokio::test]
async fn an_agent_cannot_use_the_permissions_of_an_import_to_write_as_the_author() {
    let world = World::begun(1).await;
    let journal = "INSERT INTO journal (workspace_id, id, action, hand, door, run_id, at, entries) \
                   SELECT workspace_id, '00000000-0000-7000-8000-00000000000";
    let entry = "INSERT INTO memories (workspace_id, id, scope, lifetime, curator, kind, importance, source, change_seq, \
                 version, written_by, change_id, created_at, accessed_at, updated_at, content) \
                 SELECT workspace_id, '00000000-0000-7000-8000-0000000000aa', 'workspace', 'long_term', 'author', 'note', \
                 0.5, 'x', (SELECT tick FROM change_clock), 1, 'author', '00000000-0000-7000-8000-00000000000";
    for (n, declared) in [
        "1', 'import', 'agent', 'mcp', '00000000-0000-7000-8000-0000000000bb', 1, 1 FROM meta",
        "2', 'create', 'import', 'mcp', '00000000-0000-7000-8000-0000000000bb', 1, 1 FROM meta",
        "3', 'import', 'import', 'mcp', NULL, 1, 1 FROM meta",
    ]
    .into_iter()
    .enumerate()
    {
        let file = world.folder.workspace_file(world.session.workspace.workspace.id);
        let mut conn = raw(&file).await;
        conn.execute(sqlx::AssertSqlSafe(format!("{journal}{declared}"))).await.expect("anybody may declare");
        let sql = format!("{entry}{}', 1, 1, 1, 'Forged.' FROM meta", n + 1);
        let refused = conn.execute(sqlx::AssertSqlSafe(sql)).await.expect_err("refused");
        assert!(refused.to_string().contains("undeclared write"), "{refused}");
    }
}

#[tokio::test]
async fn the_entry_count_of_an_import_is_set_once_and_only_in_the_last_row() {
    let world = World::begun(1).await;
    let file = world.folder.workspace_file(world.session.workspace.workspace.id);
    let mut conn = raw(&file).await;
    let mut declare = async |n: u8, action: &str| {
        let sql = format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, run_id, at, entries) \
             SELECT workspace_id, '00000000-0000-7000-8000-00000000000{n}', '{action}', 'import', 'cli', \
             '00000000-0000-7000-8000-0000000000bb', 1, 0 FROM meta"
        );
        conn.execute(sqlx::AssertSqlSafe(sql)).await.expect("declared");
    };
    declare(1, "import").await;
    declare(2, "import").await;
    let mut set_row = async |n: u8, set: &str| {
        let sql = format!("UPDATE journal SET {set} WHERE id = '00000000-0000-7000-8000-00000000000{n}'");
        conn.execute(sqlx::AssertSqlSafe(sql)).await.map(|_| ())
    };
    let refused = |outcome: Result<(), sqlx::Error>| {
        assert!(outcome.expect_err("refused").to_string().contains("append-only"));
    };
    refused(set_row(1, "entries = 5").await);
    refused(set_row(2, "entries = 5, at = 2").await);
    refused(set_row(2, "entries = 5, run_id = NULL").await);
    set_row(2, "entries = 5").await.expect("it is the last");
    refused(set_row(2, "entries = 6").await);
    let mut declare = async |sql: &'static str| conn.execute(sql).await.expect("declared");
    declare(
        "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
         SELECT workspace_id, '00000000-0000-7000-8000-000000000003', 'edit', 'author', 'cli', 1, 0 FROM meta",
    )
    .await;
    let edit = "UPDATE journal SET entries = 5 WHERE action = 'edit' AND entries = 0";
    assert!(conn.execute(edit).await.expect_err("refused").to_string().contains("append-only"));
}
