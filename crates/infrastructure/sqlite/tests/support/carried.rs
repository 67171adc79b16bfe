//! Installations with one of everything, to carry out and in.

use std::{collections::BTreeSet, sync::Arc};

use inklings_application::{
    session::{EmbedderSlot, Session},
    transfer::{Conflicts, ExportOptions, ExportScope, Imported, Picks, Plan, Wanted},
    workspace::Workspaces,
};
use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    conversation::{
        attachment::Attachment,
        message::{NewMessage, Role, ToolUse},
    },
    derivation::Derivation,
    fact::Assertion,
    memory::embedding::{EmbeddingModel, ModelId},
    provenance::Interface,
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    memory::vector_store::NewVectors,
    progress::NoProgress,
    testing::{
        builders::{Scribe, agent, author, draft, new_text},
        clock::{ManualClock, SequentialIds},
    },
    transfer::{
        file::{Aside, FileError, FileRow, FileRows, FileSource, RowLinks, TransferError},
        shape::{OWN, Section},
    },
    workspace::catalogue::Catalogue,
};
use serde_json::Value;
use sqlx::Executor as _;

use super::{TempFolder, raw};

/// An installation with one workspace.
pub struct World {
    pub folder: TempFolder,
    pub scribe: Scribe,
    pub session: Session,
}

/// An export in memory.
pub struct Text(pub Value);

struct Rows(std::vec::IntoIter<FileRow>, Aside);

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

    fn aside(&mut self) -> Aside {
        self.1.clone()
    }
}

impl FileSource for Text {
    fn format(&self) -> &'static str {
        OWN
    }

    fn derivation(&self) -> Option<Derivation> {
        None
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        let mut rows = Vec::new();
        for section in Section::ALL {
            for (line, row) in self.0[section.name()].as_array().into_iter().flatten().enumerate() {
                let fields = row.as_object().expect("a row").clone();
                rows.push(FileRow {
                    section,
                    line: line as u64 + 1,
                    place: None,
                    fields,
                    links: RowLinks::default(),
                });
            }
        }
        let known = ["schema_version", "exported_at", "scope"];
        let mut members = self.0.as_object().expect("a file").clone();
        members.retain(|name, _| !known.contains(&&**name) && Section::from_name(name).is_none());
        let of_account = self.0["scope"]["workspace"] == false;
        Ok(Box::new(Rows(rows.into_iter(), Aside { of_account, members })))
    }
}

pub const EVERYTHING: ExportOptions = ExportOptions {
    scope: ExportScope { account: true, workspace: true, channel: None, conversation: None },
    embeddings: true,
    journal: false,
};

/// As a person brings back what they exported: every line is picked.
pub fn wanted(conflicts: Conflicts) -> Wanted {
    let (picks, whole) = (Picks::ALL, BTreeSet::new());
    Wanted { conflicts, interface: Interface::Cli, place: Place::Workspace, picks, whole }
}

impl World {
    /// An installation as it begins. `seed` keeps the ids of two apart.
    pub async fn begun(seed: u64) -> Self {
        let folder = TempFolder::new();
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder.open());
        let (clock, ids) = (Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(seed)));
        let workspaces = Workspaces { catalogue: catalogue.clone(), clock: clock.clone(), ids: ids.clone() };
        let workspace = workspaces.create("Aldmoor").await.expect("a workspace");
        let account = catalogue.account().await.expect("opens");
        let ports = catalogue.open(workspace.id).await.expect("opens");
        let session = Session::new(account, ports, clock.clone(), ids.clone(), EmbedderSlot::default());
        session.named_entries().begin(author()).await.expect("the entries that are always there");
        Self { folder, scribe: Scribe::new(clock, ids), session }
    }

    pub async fn raw(&self, sql: &'static str) -> Result<u64, sqlx::Error> {
        let file = self.folder.workspace_file(self.session.workspace.workspace.id);
        Ok(raw(&file).await.execute(sql).await?.rows_affected())
    }

    /// One of everything, with a past.
    pub async fn rich(seed: u64) -> Self {
        let world = Self::begun(seed).await;
        let (session, scribe) = (&world.session, &world.scribe);
        let tick = || scribe.clock.tick();
        let channel = scribe.channel(session.workspace.workspace.id, "Plot");
        session.workspace.conversations.add_channel(&channel).await.expect("a channel");
        let first = session.conversations().begin(None, "The gate").await.expect("a conversation");
        tick();
        let side = session.conversations().begin(Some(channel.id), "The ford").await.expect("a conversation");
        for (place, text, actor) in [
            (Place::Account, "Short chapters, please.", author()),
            (Place::Workspace, "The gate of Aldmoor is of iron.", agent()),
            (Place::Channel(channel.id), "The ford floods in spring.", author()),
            (Place::Conversation(first.channel_id, first.id), "They met at the gate.", agent()),
        ] {
            tick();
            let written = session.memories().create(draft(place, text), actor).await.expect("a memory");
            tick();
            session
                .memories()
                .edit(written.id(), 1, new_text(&format!("{text} Always.")), actor)
                .await
                .expect("edited");
        }
        let odd = inklings_domain::memory::MemoryDraft {
            title: Some("The odd one, \"Älteste\"".into()),
            keys: vec!["Odd".into(), "odd".into(), "a \"quoted\" key".into(), "\u{1f409}".into()],
            importance: 0.1 + 0.2,
            tags: vec!["odd".into(), "\u{e4}ra".into()],
            ..draft(Place::Workspace, "Lines\nand \u{1f409} and \"quotes\".")
        };
        let gone = session.memories().create(odd, author()).await.expect("a memory").id();
        tick();
        session.memories().forget(&[gone], "it was wrong", author()).await.expect("forgotten");
        world.named().await;
        world.add_messages(&first, &side).await;
        session.facts().set("calendar", "first month", "Frost", None, agent()).await.expect("a fact");
        tick();
        session
            .facts()
            .set("calendar", "first month", "Thaw", Some(first.id), agent())
            .await
            .expect("a fact");
        tick();
        session.facts().set("calendar", "first month", "Rain", None, author()).await.expect("a fact");
        tick();
        session.facts().set("calendar", "first month", "Mud", None, agent()).await.expect("a claim");
        tick();
        let taken = session.facts().set("king", "name", "Orm", None, author()).await.expect("a fact");
        tick();
        session.facts().remove(taken.fact.fact.id, author()).await.expect("taken out of use");
        let until = Span::new(None, Moment::on_day(812).ok()).expect("not inverted");
        let from = Span::new(Moment::on_day(813).ok(), None).expect("not inverted");
        let aldous = session.facts().set("Ambry", "ruler", "Aldous", None, author()).await.expect("a fact");
        tick();
        session.facts().set_span(aldous.fact.fact.id, until, author()).await.expect("a time");
        let bera = Assertion::new("Ambry", "ruler", "Bera", None).expect("valid").holding(Some(from));
        let bera = session.facts().assert(bera, author()).await.expect("a fact").fact.fact.id;
        let mira = session.subjects().add("Mira", "character", "", author()).await.expect("a subject").id();
        for since in [None, Some(StoryPoint::Moment(Moment::on_day(820).expect("in range")))] {
            tick();
            session.facts().set_known_by(bera, &[(mira, since)], author()).await.expect("who knows");
        }
        session
            .scratchpad()
            .write(first.id, "plan", "{\"b\": 1,  \"a\": [1e400]}", None)
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
        session.conversations().set_idle(side.id).await.expect("ended");
        world
    }

    /// Names that moved from one entry to another: their past cannot be replayed as it was.
    async fn named(&self) {
        let session = &self.session;
        let voice = session.named_entries().get("VOICE", None).await.expect("it is always there");
        self.scribe.clock.tick();
        session.named_entries().write(voice.id, 1, "Spare and dry.", author()).await.expect("written");
        let mara = session
            .named_entries()
            .add(MemoryScope::Workspace, "Mara", "A smith.", author())
            .await
            .expect("named")
            .id();
        self.scribe.clock.tick();
        let oren = session
            .named_entries()
            .add(MemoryScope::Workspace, "Oren", "", author())
            .await
            .expect("named")
            .id();
        session.named_entries().rename(mara, 1, "Mara Voss", author()).await.expect("renamed");
        session
            .named_entries()
            .set_aliases(oren, 1, "Mara", true, author())
            .await
            .expect("the old name goes to another");
    }

    async fn add_messages(
        &self,
        first: &inklings_domain::conversation::Conversation,
        side: &inklings_domain::conversation::Conversation,
    ) {
        let (scribe, transcript) = (&self.scribe, &self.session.workspace.transcript);
        let calls = NewMessage {
            calls: Some("[{\"id\":\"c1\",\"name\":\"search\",\"arguments\":\"{}\"}]".into()),
            ..scribe.message_of_role(Role::Assistant, "Let me look.")
        };
        let answer = NewMessage {
            tool: Some(ToolUse { call_id: "c1".into(), name: "search".into() }),
            ..scribe.message_of_role(Role::Tool, "Nothing found.")
        };
        let messages = [
            scribe.message("Who built the gate?"),
            calls,
            answer,
            scribe.message_with_external_id("m1", "A smith did."),
        ];
        let messages = transcript.append(first.id, &messages).await.expect("said");
        let attached = NewMessage {
            attachment: Some(Attachment::of_file("gate.md").expect("a name")),
            ..scribe.message("The gate is iron.")
        };
        transcript.append(side.id, &[attached, scribe.message("It floods.")]).await.expect("said");
        transcript.fold(&scribe.episode(first.id, &messages[..2]), false).await.expect("an episode");
        let (archive, marker) = scribe.archive(first, "gate-1", 2);
        transcript.compact(first.id, &archive, &marker, None).await.expect("compacted");
    }

    async fn vectors(&self) {
        let model = EmbeddingModel { id: ModelId::new("test"), dimension: 3 };
        for ports in self.session.all_ports() {
            let pending = ports.vectors.pending(&model, 100).await.expect("texts");
            let vectors: Vec<NewVectors> = pending
                .iter()
                .map(|text| NewVectors {
                    id: text.id,
                    version: text.version,
                    vectors: vec![0.6, 0.8, 0.0].into(),
                })
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

    pub async fn export(&self, options: ExportOptions) -> String {
        let mut out = Vec::new();
        self.session.transfers().export(&mut out, options, &NoProgress).await.expect("exports");
        String::from_utf8(out).expect("UTF-8")
    }

    pub async fn import(&self, file: &Text, conflicts: Conflicts) -> Imported {
        let plan = self.preview(file, conflicts).await;
        let done = self
            .session
            .transfers()
            .import(file, wanted(conflicts), &plan.hash, &NoProgress)
            .await
            .expect("imports");
        assert_eq!(done.plan, plan);
        done
    }

    pub async fn preview(&self, file: &Text, conflicts: Conflicts) -> Plan {
        self.session.transfers().preview(file, wanted(conflicts), &NoProgress).await.expect("a plan")
    }

    pub async fn healthy(&self) {
        let findings = self.folder.open().check().await.expect("checked");
        let wrong: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// The file without the moment at which it was written.
pub fn timeless(text: &str) -> String {
    let (head, rest) = text.split_once("\"exported_at\":\"").expect("it says when");
    format!("{head}{}", rest.split_once('"').expect("a time").1)
}

pub fn parsed(text: &str) -> Text {
    Text(serde_json::from_str(text).expect("JSON"))
}
