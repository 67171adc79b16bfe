//! Out and in again: nothing is lost, nothing is half there, and all of it can be taken back.

mod support;

use std::sync::Arc;

use inklings_application::{
    ports::{catalogue::Catalogue, vector_store::NewVector},
    session::{EmbedderSlot, Session},
    testing::{
        builders::{Scribe, agent, author, draft, new_text},
        clock::{ManualClock, SequentialIds},
    },
    transfer::{
        Conflicts, ExportOptions, ExportScope, FileError, FileRow, FileRows, FileSource, Imported, Outcome,
        Plan, TransferError, TransferProgress, Wanted,
        shape::{OWN, Section},
    },
    workspace::manage::Workspaces,
};
use inklings_domain::{
    embedding::{EmbeddingModel, ModelId},
    message::{NewMessage, Role, ToolUse},
    provenance::Door,
    scope::{MemoryScope, Place},
};
use serde_json::{Value, json};
use sqlx::Executor as _;
use support::{TempFolder, raw};

struct World {
    folder: TempFolder,
    scribe: Scribe,
    session: Session,
}

struct Silent;

impl TransferProgress for Silent {
    fn report(&self, _: u64, _: u64, _: &'static str) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// An export in memory.
struct Text(Value);

struct Rows(std::vec::IntoIter<FileRow>);

impl Iterator for Rows {
    type Item = Result<FileRow, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Ok)
    }
}

impl FileRows for Rows {
    fn progress(&self) -> (u64, u64) {
        (0, 0)
    }
}

impl FileSource for Text {
    fn format(&self) -> &'static str {
        OWN
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        let mut rows = Vec::new();
        for section in Section::ALL {
            for (line, row) in self.0[section.name()].as_array().into_iter().flatten().enumerate() {
                let fields = row.as_object().expect("a row").clone();
                rows.push(FileRow { section, line: line as u64 + 1, fields });
            }
        }
        Ok(Box::new(Rows(rows.into_iter())))
    }
}

/// Breaks a file in one place.
type Wreck = fn(&mut Value);

const EVERYTHING: ExportOptions = ExportOptions {
    scope: ExportScope { account: true, workspace: true, channel: None, conversation: None },
    embeddings: true,
    journal: false,
};

const fn wanted(conflicts: Conflicts) -> Wanted {
    Wanted { conflicts, door: Door::Cli, place: Place::Workspace }
}

impl World {
    /// An installation as it begins. `seed` keeps the ids of two apart.
    async fn begun(seed: u64) -> Self {
        let folder = TempFolder::new();
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder.open());
        let (clock, ids) = (Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(seed)));
        let workspaces = Workspaces { catalogue: catalogue.clone(), clock: clock.clone(), ids: ids.clone() };
        let workspace = workspaces.create("Aldmoor").await.expect("a workspace");
        let account = catalogue.account().await.expect("opens");
        let ports = catalogue.open(workspace.id).await.expect("opens");
        let session = Session::new(account, ports, clock.clone(), ids.clone(), EmbedderSlot::default());
        session.begin_named_entries(author()).await.expect("the entries that are always there");
        Self { folder, scribe: Scribe::new(clock, ids), session }
    }

    async fn raw(&self, sql: &'static str) -> Result<u64, sqlx::Error> {
        let file = self.folder.workspace_file(self.session.workspace.workspace.id);
        Ok(raw(&file).await.execute(sql).await?.rows_affected())
    }

    /// One of everything, with a past.
    async fn rich(seed: u64) -> Self {
        let world = Self::begun(seed).await;
        let (session, scribe) = (&world.session, &world.scribe);
        let tick = || scribe.clock.tick();
        let channel = scribe.channel(session.workspace.workspace.id, "Plot");
        session.workspace.rooms.add_channel(&channel).await.expect("a channel");
        let first = session.begin_conversation(None, "The gate").await.expect("a conversation");
        tick();
        let side = session.begin_conversation(Some(channel.id), "The ford").await.expect("a conversation");
        for (place, text, actor) in [
            (Place::Account, "Short chapters, please.", author()),
            (Place::Workspace, "The gate of Aldmoor is of iron.", agent()),
            (Place::Channel(channel.id), "The ford floods in spring.", author()),
            (Place::Conversation(first.channel_id, first.id), "They met at the gate.", agent()),
        ] {
            tick();
            let written = session.create_memory(draft(place, text), actor).await.expect("a memory");
            tick();
            session
                .edit_memory(written.ids[0], 1, new_text(&format!("{text} Always.")), actor)
                .await
                .expect("edited");
        }
        let odd = inklings_domain::memory::MemoryDraft {
            importance: 0.1 + 0.2,
            tags: vec!["odd".into(), "\u{e4}ra".into()],
            ..draft(Place::Workspace, "Lines\nand \u{1f409} and \"quotes\".")
        };
        let gone = session.create_memory(odd, author()).await.expect("a memory").ids[0];
        tick();
        session.forget_memories(&[gone], "it was wrong", author()).await.expect("forgotten");
        world.named().await;
        world.said(&first, &side).await;
        session.set_fact("calendar", "first month", "Frost", None, agent()).await.expect("a fact");
        tick();
        session.set_fact("calendar", "first month", "Thaw", Some(first.id), agent()).await.expect("a fact");
        tick();
        session.set_fact("calendar", "first month", "Rain", None, author()).await.expect("a fact");
        tick();
        session.set_fact("calendar", "first month", "Mud", None, agent()).await.expect("a claim");
        tick();
        let taken = session.set_fact("king", "name", "Orm", None, author()).await.expect("a fact");
        drop(taken);
        world
            .raw("UPDATE facts SET removed_at = updated_at + 5, updated_at = updated_at + 5, value = '', version = 2 WHERE key = 'name'")
            .await
            .expect("taken out of use");
        session
            .write_scratchpad(first.id, "plan", "{\"b\": 1,  \"a\": [1e400]}", None)
            .await
            .expect("a note");
        world
            .raw(
                "INSERT INTO foreign_fields (workspace_id, memory_id, format, fields) \
                 SELECT workspace_id, id, 'sillytavern', '{\"uid\":7,\"position\":1}' FROM memories WHERE name IS NULL LIMIT 1",
            )
            .await
            .expect("fields of another program");
        world
            .raw(
                "INSERT INTO foreign_fields (workspace_id, memory_id, format, fields) \
                 SELECT workspace_id, id, 'inklings', '{\"mood\":\"grim\"}' FROM memories WHERE name IS NULL LIMIT 1",
            )
            .await
            .expect("fields of a later release");
        world.vectors().await;
        session.idle_conversation(side.id).await.expect("ended");
        world
    }

    /// Names that moved from one entry to another: their past cannot be replayed as it was.
    async fn named(&self) {
        let session = &self.session;
        let voice = session.named_entry("VOICE", None).await.expect("it is always there");
        self.scribe.clock.tick();
        session.write_named(voice.id, 1, "Spare and dry.", author()).await.expect("written");
        let mara =
            session.add_named(MemoryScope::Workspace, "Mara", "A smith.", author()).await.expect("named").ids
                [0];
        self.scribe.clock.tick();
        let oren =
            session.add_named(MemoryScope::Workspace, "Oren", "", author()).await.expect("named").ids[0];
        session.rename_named(mara, 1, "Mara Voss", author()).await.expect("renamed");
        session.alias_named(oren, 1, "Mara", true, author()).await.expect("the old name goes to another");
    }

    async fn said(
        &self,
        first: &inklings_domain::conversation::Conversation,
        side: &inklings_domain::conversation::Conversation,
    ) {
        let (scribe, transcript) = (&self.scribe, &self.session.workspace.transcript);
        let calls = NewMessage {
            calls: Some("[{\"id\":\"c1\",\"name\":\"search\",\"arguments\":\"{}\"}]".into()),
            ..scribe.said_as(Role::Assistant, "Let me look.")
        };
        let answer = NewMessage {
            tool: Some(ToolUse { call_id: "c1".into(), name: "search".into() }),
            ..scribe.said_as(Role::Tool, "Nothing found.")
        };
        let said =
            [scribe.said("Who built the gate?"), calls, answer, scribe.said_before("m1", "A smith did.")];
        let said = transcript.append(first.id, &said).await.expect("said");
        transcript.append(side.id, &[scribe.said("It floods.")]).await.expect("said");
        transcript.fold(&scribe.episode(first.id, &said[..2]), false).await.expect("an episode");
        let (archive, marker) = scribe.archive(first, "gate-1", 2);
        transcript.compact(first.id, &archive, &marker, None).await.expect("compacted");
    }

    async fn vectors(&self) {
        let model = EmbeddingModel { id: ModelId::new("test"), dimension: 3 };
        for ports in self.session.all_ports() {
            let pending = ports.vectors.pending(&model, 100).await.expect("texts");
            let vectors: Vec<NewVector> = pending
                .iter()
                .map(|text| NewVector { id: text.id, version: text.version, vector: vec![0.6, 0.8, 0.0] })
                .collect();
            ports.vectors.put(&model, &vectors).await.expect("kept");
        }
        self.raw(
            "INSERT INTO message_vectors (workspace_id, message_id, model, dimension, vector) \
             SELECT workspace_id, id, 'test', 1, x'0000803f' FROM messages WHERE position = 1",
        )
        .await
        .expect("vectors of messages");
    }

    async fn export(&self, options: ExportOptions) -> String {
        let mut out = Vec::new();
        self.session.export(&mut out, options, &Silent).await.expect("exports");
        String::from_utf8(out).expect("UTF-8")
    }

    async fn import(&self, file: &Text, conflicts: Conflicts) -> Imported {
        let plan = self.preview(file, conflicts).await;
        let done =
            self.session.import_file(file, wanted(conflicts), &plan.hash, &Silent).await.expect("imports");
        assert_eq!(done.plan, plan);
        done
    }

    async fn preview(&self, file: &Text, conflicts: Conflicts) -> Plan {
        self.session.preview_import(file, wanted(conflicts), &Silent).await.expect("a plan")
    }

    async fn healthy(&self) {
        let findings = self.folder.open().check().await.expect("checked");
        let wrong: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// The file without the moment at which it was written.
fn timeless(text: &str) -> String {
    let (head, rest) = text.split_once("\"exported_at\":\"").expect("it says when");
    format!("{head}{}", rest.split_once('"').expect("a time").1)
}

fn parsed(text: &str) -> Text {
    Text(serde_json::from_str(text).expect("JSON"))
}

#[tokio::test]
async fn out_and_in_and_out_again_is_the_same_to_the_byte() {
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
async fn a_file_that_is_here_already_changes_nothing() {
    let world = World::rich(1).await;
    let out = parsed(&world.export(EVERYTHING).await);
    for conflicts in [Conflicts::Newer, Conflicts::Mine, Conflicts::Both] {
        let plan = world.preview(&out, conflicts).await;
        assert_eq!(plan.total(Outcome::Skip), plan.counts.values().sum::<u64>(), "{:#?}", plan.items);
    }
}

#[tokio::test]
async fn a_dry_run_keeps_nothing_and_an_import_is_taken_back_whole() {
    let out = parsed(&World::rich(1).await.export(EVERYTHING).await);
    let fresh = World::begun(2).await;
    let before = fresh.export(EVERYTHING).await;
    fresh.preview(&out, Conflicts::Newer).await;
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&before));
    let done = fresh.import(&out, Conflicts::Newer).await;
    let run = fresh.session.run(done.run.id).await.expect("it is a run");
    assert_eq!((run.task.as_str(), run.state.as_str()), ("import", "done"));
    let reverted = fresh.session.revert_run(done.run.id, author()).await.expect("taken back");
    assert!(reverted.conflicts.is_empty(), "{:?}", reverted.conflicts.len());
    for section in ["memories", "named_entries"] {
        let after: Value = serde_json::from_str(&fresh.export(EVERYTHING).await).expect("JSON");
        for entry in after[section].as_array().expect("a list") {
            assert!(entry.get("forgotten_at").is_some());
        }
    }
    let voice = fresh.session.named_entry("VOICE", None).await.expect("the empty one is back");
    assert!(voice.content.is_empty());
    // Who takes an import back and imports again wants it after all.
    let again = fresh.import(&out, Conflicts::Mine).await;
    assert_eq!(again.plan.total(Outcome::Refuse), 0, "{:#?}", again.plan.items);
    assert_eq!(fresh.session.named_entry("VOICE", None).await.expect("written").content, "Spare and dry.");
    fresh.healthy().await;
}

#[tokio::test]
async fn the_worldbuilder_chooses_what_happens_where_two_differ() {
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
async fn what_changed_since_the_dry_run_is_not_imported() {
    let mut file = parsed(&World::rich(1).await.export(EVERYTHING).await);
    let fresh = World::begun(2).await;
    let hash = fresh.preview(&file, Conflicts::Newer).await.hash;
    file.0["memories"][0]["content"] = json!("Other words.");
    let outcome = fresh.session.import_file(&file, wanted(Conflicts::Newer), &hash, &Silent).await;
    assert!(matches!(outcome, Err(TransferError::Stale)), "{outcome:?}");
    fresh.healthy().await;
}

#[tokio::test]
async fn broken_rows_are_named_by_line_and_field_and_nothing_is_kept() {
    let good = World::rich(1).await.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    let before = timeless(&fresh.export(EVERYTHING).await);
    let cases: [(&str, Wreck); 18] = [
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
    ];
    for (n, (field, wreck)) in cases.into_iter().enumerate() {
        let mut file = parsed(&good);
        wreck(&mut file.0);
        let outcome = fresh.session.preview_import(&file, wanted(Conflicts::Newer), &Silent).await;
        let Err(TransferError::File(error)) = outcome else { panic!("{n}: {field}: {outcome:?}") };
        assert_eq!(error.field, Some(field), "{n}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let mut file = parsed(&good);
    let id = file.0["conversations"][0]["id"].clone();
    file.0["conversations"][0]["continues_id"] = id;
    let outcome = fresh.session.preview_import(&file, wanted(Conflicts::Newer), &Silent).await;
    assert!(matches!(outcome, Err(TransferError::File(_))), "a circle: {outcome:?}");
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), before);
}

#[tokio::test]
async fn an_agent_cannot_write_as_the_author_by_what_lets_an_import() {
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
