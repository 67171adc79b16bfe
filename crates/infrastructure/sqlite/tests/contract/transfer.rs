//! Export and import: rows come out as they went in, all of an import or nothing, and over two files too.

mod prepared;

use std::collections::BTreeMap;

use inklings_domain::{
    consolidation::run::{Run, RunState, RunTrigger},
    ids::{ChannelId, MemoryId, RunId},
    provenance::{ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    store_error::StoreError,
    testing::{
        builders::{agent, author, draft, new_text},
        clock::start_of_tests,
    },
    transfer::{
        fields::written_moment,
        shape::{DEFAULT_CHANNEL, OWN, Section, UNKNOWN_FIELDS},
        store::{Fields, ImportStamp, TransferRow, TransferStore, TransferWriter, Within},
    },
};
use serde_json::{Value, json};

use super::{CheckedStage, Stage, refused};

const AT: &str = "2026-01-02T03:04:05.000006Z";
const LATER: &str = "2026-01-02T03:04:06.000000Z";

type Rows = Vec<(Section, Fields)>;

fn id(n: u64) -> String {
    format!("0190bbbb-0000-7000-8000-{n:012x}")
}

fn row(value: Value) -> Fields {
    let Value::Object(fields) = value else { panic!("a row is an object") };
    fields
}

/// An entry of another installation.
fn entry(n: u64, scope: &str, content: &str) -> Fields {
    row(json!({
        "id": id(n), "scope": scope, "lifetime": "long_term", "curator": "author", "kind": "note",
        "importance": 0.1 + 0.2, "source": "author", "version": 1, "written_by": "author",
        "created_at": AT, "accessed_at": AT, "updated_at": AT, "content": content,
    }))
}

fn with(mut row: Fields, more: Value) -> Fields {
    let Value::Object(more) = more else { panic!("fields are an object") };
    row.extend(more);
    row
}

/// Entries of the account: plain, named, and one with a past and fields of other programs.
fn of_account() -> Rows {
    let version = |n: u64, text: &str| {
        let mut version = entry(2, "account", text);
        version.retain(|name, _| !["id", "scope", "created_at"].contains(&&**name));
        with(version, json!({ "version": n, "pinned": true, "tags": ["old"] }))
    };
    let past = [version(1, "First words."), version(2, "Second words.")];
    vec![
        (Section::Memories, with(entry(1, "account", "Short chapters."), json!({ "access_count": 3 }))),
        (
            Section::Memories,
            with(entry(2, "account", "Last words."), json!({ "version": 3, "history": past })),
        ),
        (
            Section::NamedEntries,
            with(
                entry(3, "account", "Spare."),
                json!({ "name": "Voice of mine", "aliases": ["Tone"],
                        "foreign_fields": { "sillytavern": { "uid": 7 } } }),
            ),
        ),
    ]
}

/// One of everything that a workspace has.
fn of_workspace() -> Rows {
    let (channel, conversation) = (id(100), id(101));
    let message = |n: u64, role: &str, text: &str| {
        row(json!({
            "id": id(200 + n), "conversation_id": conversation, "position": n, "role": role, "delivery": "complete",
            "importance": 0.5, "at": AT, "updated_at": LATER, "content": text,
        }))
    };
    let archive = json!({
        "scope": "conversation", "channel_id": channel, "conversation_id": conversation, "kind": "archive",
        "curator": "agent", "written_by": "agent", "name": "gate-1", "lifetime": "conversation",
    });
    let marker =
        json!({ "archive_id": id(12), "archive_name": "gate-1", "archived_at": LATER, "through": 2 });
    let tool = json!({ "tool_call_id": "c1", "tool_name": "search", "external_id": "m3", "speaker": "Tool" });
    let gone = json!({
        "scope": "channel", "channel_id": DEFAULT_CHANNEL, "forgotten_at": LATER, "forgotten_reason": "wrong",
        "external_id": "x1", "session": "s", "said_at": "long ago", "tags": ["a", "\u{e4}"],
    });
    let fact = json!({
        "id": id(300), "category": "calendar", "key": "first month", "source": "user", "written_by": "user",
        "version": 2, "created_at": AT, "updated_at": LATER, "value": "Thaw",
        "values": [{ "version": 1, "source": "agent", "conversation_id": conversation, "from_at": AT, "until_at": LATER,
                     "removed": false, "value": "Frost" }],
        "claims": [{ "id": id(301), "at": LATER, "state": "open", "value": "Mud" },
                   { "id": id(302), "at": LATER, "state": "rejected", "settled_at": LATER, "value": "Ice" }],
    });
    // Its first value held at a time at which the other one holds.
    let early = json!({
        "id": id(303), "category": "Ambry", "key": "ruler", "source": "user", "written_by": "user", "version": 2,
        "created_at": AT, "updated_at": LATER, "holds_until": 8_120_000, "value": "Aldous",
        "known_by": [{ "role": "known_by", "id": id(11), "since": 8_110_000 }],
        "values": [{ "version": 1, "source": "user", "from_at": AT, "until_at": LATER, "removed": false, "value": "Aldous",
                     "known_by": [{ "role": "known_by", "id": id(10) }] }],
    });
    let late = json!({
        "id": id(304), "category": "Ambry", "key": "ruler", "source": "agent", "written_by": "agent", "version": 1,
        "created_at": AT, "updated_at": LATER, "holds_from": 8_130_000, "value": "Bera",
    });
    vec![
        (
            Section::Channels,
            row(json!({ "id": channel, "name": "Plot", "description": "What happens.", "created_at": AT })),
        ),
        (
            Section::Conversations,
            row(json!({
                "id": conversation, "channel_id": channel, "ref_code": "0123456789a", "title": "The gate",
                "status": "idle", "started_at": AT, "ended_at": LATER, "active_at": LATER, "last_position": 4,
                "external_id": "claude/7",
            })),
        ),
        (Section::Memories, entry(10, "workspace", "The gate is of iron.\nAnd \u{1f409}.")),
        (Section::Memories, with(entry(11, "channel", "The ford floods."), gone)),
        (Section::Memories, with(entry(12, "conversation", "They met."), archive)),
        (Section::NamedEntries, with(entry(13, "workspace", ""), json!({ "name": "Mara" }))),
        (Section::Messages, message(1, "user", "Who built it?")),
        (Section::Messages, with(message(2, "assistant", ""), json!({ "tool_calls": "[{\"id\":\"c1\"}]" }))),
        (Section::Messages, with(message(3, "tool", "Nothing."), tool)),
        (Section::Messages, with(message(4, "system", "An archive."), marker)),
        (
            Section::Episodes,
            row(json!({
                "id": id(400), "conversation_id": conversation, "maker": "model", "turn_count": 2,
                "source_ids": [id(201), id(202)], "from_at": AT, "until_at": LATER, "created_at": LATER,
                "summary": "They talked.",
            })),
        ),
        (Section::Facts, row(fact)),
        (Section::Facts, row(early)),
        (Section::Facts, row(late)),
        (
            Section::Scratchpads,
            row(
                json!({ "conversation_id": conversation, "key": "plan", "created_at": AT, "updated_at": LATER,
                        "value": "{\"b\": 1}" }),
            ),
        ),
    ]
}

fn stamp(stage: &Stage, run: RunId) -> ImportStamp {
    let (change, at) = (stage.scribe.ids.change_id(), stage.scribe.clock.now());
    ImportStamp { change, run, interface: Interface::Cli, at, follows: None }
}

fn a_run(stage: &Stage) -> Run {
    let run = Run::begun(stage.scribe.ids.run_id(), "import", RunTrigger::Asked, stage.scribe.clock.now());
    run.ended(RunState::Done, None, stage.scribe.clock.now())
}

async fn begin(store: &dyn TransferStore, stamp: ImportStamp) -> Box<dyn TransferWriter> {
    store.begin_transfer(stamp).await.expect("an import begins")
}

async fn put(writer: &mut dyn TransferWriter, rows: &Rows) {
    for (section, fields) in rows {
        writer.add(*section, fields).await.unwrap_or_else(|error| panic!("{fields:?}: {error}"));
    }
}

async fn prepared(stage: &Stage, store: &dyn TransferStore, rows: &Rows) -> Box<dyn TransferWriter> {
    let mut writer = begin(store, stamp(stage, stage.scribe.ids.run_id())).await;
    put(&mut *writer, rows).await;
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    writer
}

async fn bring_in(stage: &Stage, store: &dyn TransferStore, rows: &Rows) {
    prepared(stage, store, rows).await.commit(None).await.expect("is committed");
}

async fn page(store: &dyn TransferStore, section: Section, within: Within) -> Vec<TransferRow> {
    let mut snapshot = store.snapshot(start_of_tests()).await.expect("a snapshot");
    let rows = snapshot.page(section, within, None, 1_000, true).await.expect("rows are read");
    assert_eq!(snapshot.count(section, within).await.expect("counts"), rows.len() as u64);
    rows
}

/// Every row but those of the stage, by section.
async fn found(store: &dyn TransferStore, of_account: bool) -> BTreeMap<Section, Vec<Fields>> {
    let mut found = BTreeMap::new();
    for section in Section::ALL.into_iter().filter(|section| section.of_account() || !of_account) {
        let ours = |row: &TransferRow| {
            let name = if section == Section::Scratchpads { "conversation_id" } else { "id" };
            row.fields[name].as_str().is_some_and(|id| id.starts_with("0190bbbb"))
        };
        let rows = page(store, section, Within::All).await;
        found.insert(section, rows.into_iter().filter(ours).map(|row| row.fields).collect::<Vec<_>>());
    }
    found.retain(|_, rows| !rows.is_empty());
    found
}

fn by_section(rows: &Rows) -> BTreeMap<Section, Vec<Fields>> {
    let mut sorted: BTreeMap<Section, Vec<Fields>> = BTreeMap::new();
    for (section, fields) in rows {
        sorted.entry(*section).or_default().push(fields.clone());
    }
    sorted
}

/// Every field, of the account and of a workspace; for another process too.
#[tokio::test]
async fn rows_of_every_section_are_exported_as_imported() {
    let stage = CheckedStage::new().await;
    let (account, workspace) = (of_account(), of_workspace());
    bring_in(&stage, &*stage.account.transfer, &account).await;
    bring_in(&stage, &*stage.workspace.transfer, &workspace).await;
    let other = stage.folder.catalogue();
    assert_eq!(found(&*other.account().await.expect("opens").transfer, true).await, by_section(&account));
    let there = other.open(stage.workspace.workspace.id).await.expect("opens");
    assert_eq!(found(&*there.transfer, false).await, by_section(&workspace));
}

/// What is written day by day is what an export holds, with its past.
#[tokio::test]
async fn an_export_contains_entries_with_their_history() {
    let stage = CheckedStage::new().await;
    let first = stage.write_one(agent(), draft(Place::Channel(stage.side.id), "The ford.")).await;
    let after = stage.apply(stage.scribe.edit(author(), &first, new_text("The ford floods."))).await;
    stage.add_texts(&stage.side_conversation, &["Who crosses it?"]).await;
    let reported = page(&*stage.workspace.transfer, Section::Memories, Within::All).await;
    let [reported] = &reported[..] else { panic!("one entry: {reported:?}") };
    let fields = &reported.fields;
    assert_eq!((&fields["content"], &fields["version"]), (&json!("The ford floods."), &json!(2)));
    assert_eq!(fields["channel_id"], json!(stage.side.id.to_string()));
    assert_eq!(fields["written_by"], json!("author"));
    assert_eq!(fields["updated_at"], json!(written_moment(after.updated_at)));
    let [earlier] = &fields["history"].as_array().expect("a history")[..] else { panic!("one version") };
    assert_eq!((&earlier["content"], &earlier["written_by"]), (&json!("The ford."), &json!("agent")));
    let messages = page(&*stage.workspace.transfer, Section::Messages, Within::All).await;
    assert_eq!(messages[0].fields["content"], json!("Who crosses it?"));
    let channels = page(&*stage.workspace.transfer, Section::Channels, Within::All).await;
    let ids: Vec<_> = channels.iter().map(|row| row.fields["id"].clone()).collect();
    assert_eq!(ids, [json!(DEFAULT_CHANNEL), json!(stage.side.id.to_string())]);
}

/// Before and after it was prepared.
#[tokio::test]
async fn a_transfer_that_is_dropped_leaves_nothing() {
    let stage = CheckedStage::new().await;
    let store = &*stage.workspace.transfer;
    let before = found(store, false).await;
    let mut writer = begin(store, stamp(&stage, stage.scribe.ids.run_id())).await;
    put(&mut *writer, &of_workspace()).await;
    writer.put_member("maps", &json!(1)).await.expect("is kept");
    drop(writer);
    drop(prepared(&stage, store, &of_workspace()).await);
    assert_eq!(found(store, false).await, before);
    assert_eq!(
        store.snapshot(start_of_tests()).await.expect("opens").members().await.expect("reads"),
        Fields::new()
    );
    bring_in(&stage, store, &of_workspace()).await;
}

/// One after the other by their keys, none twice and none left out.
#[tokio::test]
async fn pages_follow_one_another() {
    let stage = CheckedStage::new().await;
    let message: Vec<String> = (1..=12).map(|n| format!("Word {n}.")).collect();
    stage.add_texts(&stage.conversation, &message.iter().map(|text| &**text).collect::<Vec<_>>()).await;
    stage.add_texts(&stage.side_conversation, &["One.", "Two."]).await;
    let drafts = (0..9).map(|n| draft(Place::Workspace, &format!("Remark {n}.")));
    stage.write(author(), drafts).await;
    let store = &*stage.workspace.transfer;
    for section in [Section::Messages, Section::Memories, Section::Channels] {
        let whole = page(store, section, Within::All).await;
        let mut snapshot = store.snapshot(start_of_tests()).await.expect("a snapshot");
        let (mut paged, mut after): (Vec<TransferRow>, Option<Vec<String>>) = (Vec::new(), None);
        loop {
            let rows = snapshot.page(section, Within::All, after.as_deref(), 2, true).await.expect("rows");
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            paged.extend(rows);
        }
        assert_eq!(paged, whole, "{section:?}");
    }
    let positions: Vec<_> = page(store, Section::Messages, Within::Conversation(stage.conversation.id)).await;
    let positions: Vec<u64> = positions.iter().filter_map(|row| row.fields["position"].as_u64()).collect();
    assert_eq!(positions, (1..=12).collect::<Vec<_>>());
}

/// A channel with its conversations; a conversation with its channel, and the archives that stand for it.
#[tokio::test]
async fn an_export_of_a_channel_or_conversation_contains_only_that() {
    let stage = CheckedStage::new().await;
    let store = &*stage.workspace.transfer;
    let places = [
        Place::Workspace,
        Place::Channel(stage.side.id),
        Place::Conversation(stage.side.id, stage.side_conversation.id),
        Place::Conversation(stage.general.id, stage.conversation.id),
    ];
    stage.write(author(), places.map(|place| draft(place, &format!("{place:?}")))).await;
    let messages = stage.add_texts(&stage.side_conversation, &["Aside."]).await;
    stage.add_texts(&stage.conversation, &["Openly."]).await;
    stage
        .workspace
        .transcript
        .fold(&stage.scribe.episode(stage.side_conversation.id, &messages), false)
        .await
        .expect("one");
    let counts = async |within| {
        let mut counts = Vec::new();
        for section in Section::ALL.into_iter().filter(|section| *section != Section::Journal) {
            counts.push(page(store, section, within).await.len());
        }
        counts
    };
    // Channels, conversations, memories, named entries, messages, episodes, facts, working notes.
    assert_eq!(counts(Within::All).await, [2, 2, 4, 0, 2, 1, 0, 0]);
    assert_eq!(counts(Within::Channel(stage.side.id)).await, [1, 1, 2, 0, 1, 1, 0, 0]);
    assert_eq!(counts(Within::Conversation(stage.side_conversation.id)).await, [1, 1, 1, 0, 1, 1, 0, 0]);
    assert_eq!(counts(Within::Conversation(stage.conversation.id)).await, [1, 1, 1, 0, 1, 0, 0, 0]);
    let (archive, marker) = stage.scribe.archive(&stage.side_conversation, "aside-1", 1);
    stage
        .workspace
        .transcript
        .compact(stage.side_conversation.id, &archive, &marker, None)
        .await
        .expect("compacted");
    assert_eq!(counts(Within::Conversation(stage.side_conversation.id)).await, [1, 1, 2, 0, 2, 1, 0, 0]);
}

/// Whatever is written meanwhile.
#[tokio::test]
async fn a_snapshot_is_not_affected_by_later_writes() {
    let stage = CheckedStage::new().await;
    let mut snapshot = stage.workspace.transfer.snapshot(start_of_tests()).await.expect("a snapshot");
    stage.write_one(author(), draft(Place::Workspace, "Written since.")).await;
    assert_eq!(snapshot.count(Section::Memories, Within::All).await.expect("counts"), 0);
    let rows = snapshot.page(Section::Memories, Within::All, None, 10, false).await.expect("rows");
    assert_eq!(rows, []);
    assert_eq!(page(&*stage.workspace.transfer, Section::Memories, Within::All).await.len(), 1);
}

/// What cannot come in is said, and is not half there; the rest comes in.
#[tokio::test]
async fn a_refused_row_does_not_affect_the_others() {
    let stage = CheckedStage::new().await;
    let store = &*stage.workspace.transfer;
    let mut writer = begin(store, stamp(&stage, stage.scribe.ids.run_id())).await;
    writer.add(Section::Memories, &entry(1, "workspace", "It stays.")).await.expect("is added");
    let nowhere =
        with(entry(2, "channel", "Nowhere."), json!({ "channel_id": id(999), UNKNOWN_FIELDS: { "x": 1 } }));
    refused!(writer.add(Section::Memories, &nowhere).await, StoreError::Refused(_));
    refused!(
        writer.add(Section::Memories, &entry(1, "workspace", "Twice.")).await,
        StoreError::AlreadyExists("memory")
    );
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    writer.commit(None).await.expect("is committed");
    let rows = page(store, Section::Memories, Within::All).await;
    assert_eq!(
        rows.iter().map(|row| row.fields["content"].clone()).collect::<Vec<_>>(),
        [json!("It stays.")]
    );
}

/// Who wrote, in which run, and how many, though that is known at the end alone.
#[tokio::test]
async fn the_journal_records_an_import() {
    let stage = CheckedStage::new().await;
    let run = a_run(&stage);
    let stamp = stamp(&stage, run.id);
    let mut writer = begin(&*stage.account.transfer, stamp).await;
    put(&mut *writer, &of_account()).await;
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    writer.commit(None).await.expect("is committed");
    let store = &stage.account.memory.store;
    let changes = store.changes_of_run(run.id).await.expect("changes");
    assert_eq!(
        (changes.len(), changes[0].change),
        (3, stamp.change),
        "one for each version of the oldest entry"
    );
    let first = store.change(stamp.change).await.expect("reads").expect("is told").journal;
    assert_eq!((first.entries, first.actor_kind, first.interface), (3, ActorKind::Import, Interface::Cli));
    assert_eq!((first.run, first.at), (Some(run.id), stamp.at));
}

/// The run stands in the workspace's file as soon as its rows do.
#[tokio::test]
async fn the_run_of_an_import_is_committed_with_its_rows() {
    let stage = CheckedStage::new().await;
    let run = a_run(&stage);
    let writer = prepared(&stage, &*stage.workspace.transfer, &of_workspace()).await;
    assert_eq!(stage.workspace.runs.get(run.id).await.expect("reads"), None);
    writer.commit(Some(&run)).await.expect("is committed");
    assert_eq!(stage.workspace.runs.get(run.id).await.expect("reads"), Some(run));
}

/// By id, by the id elsewhere, by name; and what a channel is called here.
#[tokio::test]
async fn an_import_finds_existing_rows_by_id_external_id_and_name() {
    let stage = CheckedStage::new().await;
    let mut writer = begin(&*stage.workspace.transfer, stamp(&stage, stage.scribe.ids.run_id())).await;
    put(&mut *writer, &of_workspace()).await;
    let known = writer.entry(&entry(10, "workspace", "Other.")).await.expect("reads").expect("is here");
    assert_eq!(known.id.to_string(), id(10));
    let elsewhere = json!({ "channel_id": DEFAULT_CHANNEL, "external_id": "x1" });
    let elsewhere = with(entry(77, "channel", ""), elsewhere);
    assert_eq!(writer.entry(&elsewhere).await.expect("reads").map(|e| e.id.to_string()), Some(id(11)));
    assert_eq!(writer.entry(&entry(77, "workspace", "")).await.expect("reads"), None);
    let mara = writer.named("workspace", "mara").await.expect("reads");
    assert_eq!(mara.map(|entry| entry.id.to_string()), Some(id(13)));
    assert_eq!(writer.named("channel", "mara").await.expect("reads"), None);
    assert_eq!(writer.channel_named("plot").await.expect("reads"), Some(id(100)));
    assert_eq!(writer.channel_named("nothing").await.expect("reads"), None);
    let conversation =
        writer.get(Section::Conversations, &[&id(101)]).await.expect("reads").expect("is here");
    assert_eq!(conversation["title"], json!("The gate"));
    let note = writer.get(Section::Scratchpads, &[&id(101), "plan"]).await.expect("reads");
    assert!(note.is_some());
    assert_eq!(writer.get(Section::Scratchpads, &[&id(101), "other"]).await.expect("reads"), None);
    assert!(writer.get(Section::Channels, &[DEFAULT_CHANNEL]).await.expect("reads").is_some());
}

/// Two channels of one name are one to the worldbuilder.
#[tokio::test]
async fn rows_are_imported_into_the_mapped_channel() {
    let stage = CheckedStage::new().await;
    let store = &*stage.workspace.transfer;
    let mut writer = begin(store, stamp(&stage, stage.scribe.ids.run_id())).await;
    writer.map_channel(&id(100), &stage.side.id.to_string());
    let there = with(entry(1, "channel", "The ford."), json!({ "channel_id": id(100) }));
    writer.add(Section::Memories, &there).await.expect("is added");
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    writer.commit(None).await.expect("is committed");
    let entry: MemoryId = id(1).parse().expect("an id");
    assert_eq!(stage.read(entry).await.entry.place, Place::Channel(stage.side.id));
}

/// What a later release says of rows, of items of their lists and of the file stands where it stood.
#[tokio::test]
async fn unknown_fields_are_retained_with_their_rows() {
    let stage = CheckedStage::new().await;
    let unknown = |n: usize| json!({ "mood": n, "odd \u{1f409}": [1.5, null, { "": "deep" }] });
    let (mut given, mut expected) = (of_workspace(), of_workspace());
    for (n, ((section, row), (_, wanted))) in given.iter_mut().zip(&mut expected).enumerate() {
        let own = if section.holds_entries() { "foreign_fields" } else { UNKNOWN_FIELDS };
        let kept = if section.holds_entries() { json!({ OWN: unknown(n) }) } else { unknown(n) };
        row.insert(own.to_owned(), kept);
        *wanted = with(std::mem::take(wanted), unknown(n));
        for (list, _) in section.lists() {
            let items = |row: &mut Fields, with: &dyn Fn(&mut Fields)| {
                let items = row.get_mut(*list).and_then(Value::as_array_mut).into_iter().flatten();
                items.filter_map(Value::as_object_mut).for_each(with);
            };
            items(row, &|item| drop(item.insert(UNKNOWN_FIELDS.to_owned(), unknown(100 + n))));
            items(wanted, &|item| item.extend(unknown(100 + n).as_object().cloned().unwrap_or_default()));
        }
    }
    let store = &*stage.workspace.transfer;
    let mut writer = prepared(&stage, store, &given).await;
    let general = row(json!({ "id": DEFAULT_CHANNEL, "name": "general", UNKNOWN_FIELDS: unknown(7) }));
    writer.add(Section::Channels, &general).await.expect("is added");
    let known = writer.get(Section::Channels, &[DEFAULT_CHANNEL]).await.expect("reads").expect("is here");
    assert_eq!(known[UNKNOWN_FIELDS], unknown(7));
    writer.commit(None).await.expect("is committed");
    assert_eq!(found(store, false).await, by_section(&expected));
    let channels = page(store, Section::Channels, Within::All).await;
    assert_eq!(channels[0].fields["mood"], json!(7));

    // With the row they go.
    let conversation = id(101).parse().expect("an id");
    stage.workspace.scratchpads.clear_notes(conversation, None, false).await.expect("cleared");
    let note = of_workspace().pop().expect("a working note");
    bring_in(&stage, store, &vec![note.clone()]).await;
    assert_eq!(found(store, false).await[&Section::Scratchpads], [note.1]);
}

/// Under its name, the last word standing.
#[tokio::test]
async fn unknown_members_of_a_file_are_stored() {
    let stage = CheckedStage::new().await;
    for store in [&*stage.account.transfer, &*stage.workspace.transfer] {
        let mut writer = begin(store, stamp(&stage, stage.scribe.ids.run_id())).await;
        assert_eq!(writer.member("maps").await.expect("reads"), None);
        for value in [json!({ "of": ["later"] }), json!(null), json!([1, 2.5])] {
            writer.put_member("maps", &value).await.expect("is kept");
            assert_eq!(writer.member("maps").await.expect("reads"), Some(value));
        }
        writer.put_member("", &json!("nameless")).await.expect("is kept");
        writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
        writer.commit(None).await.expect("is committed");
        let members = store.snapshot(start_of_tests()).await.expect("opens").members().await.expect("reads");
        assert_eq!(Value::Object(members), json!({ "": "nameless", "maps": [1, 2.5] }));
    }
}

/// A room that is in no workspace takes nothing.
#[tokio::test]
async fn an_export_of_an_unknown_channel_or_conversation_is_empty() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["Openly."]).await;
    let nowhere = ChannelId::from_uuid(stage.scribe.ids.uuid());
    for section in Section::ALL {
        assert_eq!(page(&*stage.workspace.transfer, section, Within::Channel(nowhere)).await, []);
    }
}

/// Neither one that holds at a part of its time, nor one of its time that was removed here. What the file itself removed is
/// none.
#[tokio::test]
async fn a_fact_is_not_imported_if_one_of_its_time_exists() {
    let stage = CheckedStage::new().await;
    let store = stage.workspace.transfer.as_ref();
    let fact = |n: u64, holds: Value| {
        let own = json!({
            "id": id(n), "category": "Ambry", "key": "ruler", "source": "agent", "written_by": "agent", "version": 1,
            "created_at": AT, "updated_at": LATER, "value": "Aldous",
        });
        with(row(own), holds)
    };
    let removed = json!({ "removed_at": LATER, "value": "", "version": 2, "written_by": "user", "values": [
        { "version": 1, "source": "agent", "from_at": AT, "until_at": LATER, "removed": false, "value": "Aldous" }] });
    bring_in(&stage, store, &vec![(Section::Facts, fact(310, removed.clone()))]).await;
    let mut writer = begin(store, stamp(&stage, RunId::from_uuid(stage.scribe.ids.uuid()))).await;
    let mut outcome = async |row: &Fields| writer.add(Section::Facts, row).await;
    refused!(outcome(&fact(311, json!({}))).await, StoreError::AlreadyExists("fact"));
    outcome(&fact(312, json!({ "holds_until": 8_120_000 }))).await.expect("its time is free");
    refused!(
        outcome(&fact(313, json!({ "holds_from": 8_120_000 }))).await,
        StoreError::AlreadyExists("fact")
    );
    outcome(&fact(314, with(row(removed), json!({ "holds_from": 8_130_000 })).into()))
        .await
        .expect("removed");
    outcome(&fact(315, json!({ "holds_from": 8_130_000 }))).await.expect("the file removed the other one");
}

/// A file may say that an agent said who knows of a fact. The guards here accept that of no agent.
#[tokio::test]
async fn who_knows_of_an_imported_fact_is_not_written_by_an_agent() {
    let stage = CheckedStage::new().await;
    let store = stage.workspace.transfer.as_ref();
    let known_by = json!([{ "role": "known_by", "id": id(10), "since_chapter": id(11) }]);
    let own = json!({
        "id": id(320), "category": "Ambry", "key": "hoard", "source": "agent", "written_by": "agent", "version": 1,
        "created_at": AT, "updated_at": LATER, "value": "silver", "known_by": known_by,
    });
    let later = json!({ "id": id(321), "key": "heir", "version": 2, "values": [
        { "version": 1, "source": "agent", "from_at": AT, "until_at": LATER, "removed": false, "value": "Bera" }] });
    let rows: Rows = [row(own.clone()), with(row(own), later)].map(|fields| (Section::Facts, fields)).into();
    bring_in(&stage, store, &rows).await;
    let facts = found(store, false).await.remove(&Section::Facts).expect("facts");
    let written: Vec<&Value> = facts.iter().map(|fact| &fact["written_by"]).collect();
    assert_eq!(written, ["user", "user"]);
}
