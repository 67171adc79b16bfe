//! Attacks on text provenance: a client's texts take every path on which memory is written. None may end up
//! attributed to someone else.

mod drifts;

use std::{collections::BTreeSet, sync::Arc};

use chrono::Duration;
use inklings_domain::{
    client::{Grants, TierGrant},
    consolidation::run::RunTrigger,
    conversation::{Conversation, summary::Turn},
    derivation::Derivation,
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry, MemoryKind, MemoryPatch, Origin,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    proposal::{Decision, ProposalKind},
    provenance::{Actor, ActorKind, Curator, Interface},
    scope::{MemoryLifetime, MemoryScope, PerTier, Place},
};
use inklings_ports::{
    conversation::summariser::{Material, Summariser, Summary},
    progress::NoProgress,
    testing::{
        builders::{agent, author, draft, import},
        clock::{CountingTokens, ManualClock},
    },
    transfer::{
        file::{FileError, FileRow, FileRows, FileSource, RowLinks, TransferError},
        shape::{OWN, Section},
        store::Fields,
    },
};
use serde_json::{Value, json};

use super::world::embed;
use crate::{
    agent_write::remember::Remembered,
    client::{ClientSession, Clients, NewNote, Where, Within},
    extraction::Helpers,
    memory::import::{ImportItem, Lines},
    proposal::Proposed,
    session::Session,
    subject::NamedLinks,
    transfer::{Conflicts, ExportOptions, ExportScope, Picks, Wanted},
};

/// Word that marks a client's text wherever it ends up.
const MARK: &str = "Zorvath";
/// Reads after which an entry may be promoted.
const READS: usize = 6;

/// All paths on which memory is written. Add new paths here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// The client creates an entry.
    Put,
    /// The client changes an entry of the World Agent.
    Update,
    /// Consolidation merges two equal texts.
    Merge,
    /// Consolidation merges several entries into one text.
    Rewrite,
    /// Consolidation makes an entry long-term.
    Promote,
    /// A conversation is persisted.
    Persist,
    /// A conversation is compacted.
    Compact,
    /// The worldbuilder accepts a new text for one of their entries.
    AcceptEdit,
    /// The worldbuilder accepts one text that merges several entries.
    AcceptMerge,
    /// The worldbuilder accepts a new entry for the account that may describe a world.
    AcceptNew,
    /// An Inklings export with forged sources and curators is imported as new entries.
    OwnFile,
    /// Another program's file is imported.
    OtherFile,
    /// A file of text lines is imported.
    Lines,
    /// A change is undone and redone.
    UndoRedo,
    /// The worldbuilder decides that a text of theirs becomes what a client's entry says against it.
    SettleMemory,
    /// As above, with a text that they type, which holds the words of the client.
    SettleTyped,
    /// As above, for a message of a client.
    SettleMessage,
    /// The worldbuilder decides that somebody believes what a client's message says.
    SettleBelief,
}

impl Path {
    /// All paths.
    pub const ALL: [Self; 18] = [
        Self::Put,
        Self::Update,
        Self::Merge,
        Self::Rewrite,
        Self::Promote,
        Self::Persist,
        Self::Compact,
        Self::AcceptEdit,
        Self::AcceptMerge,
        Self::AcceptNew,
        Self::OwnFile,
        Self::OtherFile,
        Self::Lines,
        Self::UndoRedo,
        Self::SettleMemory,
        Self::SettleTyped,
        Self::SettleMessage,
        Self::SettleBelief,
    ];
}

/// The result of attacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Number of paths taken.
    pub paths: usize,
    /// Number of poisoned texts checked.
    pub texts: usize,
    /// Poisoned texts that were attributed to someone else, with the path.
    pub laundered: Vec<String>,
    /// Poisoned texts still active after the client was reverted.
    pub left: usize,
}

impl Figures {
    /// Adds the results of other attacks.
    pub fn add(&mut self, other: Self) {
        self.paths += other.paths;
        self.texts += other.texts;
        self.laundered.extend(other.laundered);
        self.left += other.left;
    }
}

/// Summariser that joins the texts of the turns.
pub struct Joined;

#[async_trait::async_trait]
impl Summariser for Joined {
    async fn summarise(&self, _: Material<'_>, turns: &[Turn], _max_words: usize) -> Summary {
        let text = turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join(" ");
        Summary { text, maker: inklings_domain::conversation::episode::SummaryMaker::Model }
    }
}

/// An in-memory import file: format and rows.
pub struct File(pub &'static str, pub Vec<FileRow>);

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

impl FileSource for File {
    fn format(&self) -> &'static str {
        self.0
    }

    fn derivation(&self) -> Option<Derivation> {
        Derivation::file("attack.json", "0".repeat(64))
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        Ok(Box::new(Rows(self.1.clone().into_iter())))
    }
}

/// A client that attacks a workspace.
pub struct Attack {
    session: Arc<Session>,
    clock: Arc<ManualClock>,
    client_session: ClientSession,
    counter: usize,
    figures: Figures,
    clients: Clients,
    grants: Grants,
}

fn at(tier: MemoryScope) -> Where<'static> {
    Where { tier, channel: None, conversation: None }
}

fn within(tier: MemoryScope) -> Within<'static> {
    Within { tier: Some(tier), ..Within::default() }
}

impl Attack {
    /// Starts with a client that has all grants.
    ///
    /// # Panics
    /// If a store fails.
    pub async fn begin(session: Arc<Session>, clock: Arc<ManualClock>) -> Self {
        let clients = Clients {
            store: Arc::clone(&session.account.clients),
            token_generator: Arc::new(CountingTokens::default()),
            clock: clock.clone(),
            ids: Arc::clone(&session.ids),
        };
        let (client, _) = clients.add("Editor", session.workspace.workspace.id).await.expect("added");
        let mut grants = Grants::NOTHING;
        grants.tiers = PerTier::from_fn(|_| TierGrant { read: true, write: true });
        for channel in session.channels().list().await.expect("channels") {
            grants.channels.insert(channel.channel.id);
        }
        grants.capabilities.extend(inklings_domain::client::Capability::ALL.iter().copied());
        clients.grant(client.id, &grants).await.expect("granted");
        let client_session = ClientSession::new(Arc::clone(&session), clients.clone(), client.id);
        Self { session, clock, client_session, counter: 0, figures: Figures::default(), clients, grants }
    }

    fn actor(&self) -> Actor {
        Actor::new(ActorKind::Agent, Interface::Mcp, Some(self.client_session.id().run())).expect("a client")
    }

    /// New texts that are similar to each other and do not contradict each other.
    fn poison(&mut self) -> [String; 3] {
        self.counter += 1;
        let words = ["copper", "walnut", "lantern", "barley", "saddle", "thistle", "pewter", "willow"];
        let (a, b) = (words[self.counter % 8], words[self.counter / 8 % 8]);
        let base =
            format!("At night the {a} {b} gate of {MARK} under the northern tower is shut with a heavy bar");
        ["", " since the smugglers came", " and lanterns burn there"].map(|more| format!("{base}{more}."))
    }

    async fn remember(&self, place: Place, text: &str, actor: Actor) -> MemoryId {
        self.clock.tick();
        let lifetime = MemoryLifetime::ShortTerm;
        let draft = MemoryDraft { lifetime, importance: 1.0, ..draft(place, text) };
        self.session.memories().create(draft, actor).await.expect("remembered").id()
    }

    /// A conversation in which the client takes part.
    async fn conversation(&mut self) -> Conversation {
        self.clock.tick();
        let conversation = self.session.conversations().begin(None, "").await.expect("begins");
        self.grants.conversations.insert(conversation.id);
        self.clients.grant(self.client_session.id(), &self.grants).await.expect("granted");
        conversation
    }

    async fn consolidate(&self) {
        self.clock.tick();
        embed(&self.session).await;
        let run = self
            .session
            .consolidation()
            .consolidate(RunTrigger::Asked, Interface::Cli, &Joined, &NoProgress)
            .await;
        run.expect("a run");
    }

    async fn import(&self, file: &File) {
        self.clock.tick();
        let wanted = Wanted {
            conflicts: Conflicts::Both,
            interface: Interface::Cli,
            place: Place::Workspace,
            picks: Picks::ALL,
            whole: BTreeSet::new(),
        };
        let plan = self.session.transfers().preview(file, wanted.clone(), &NoProgress).await.expect("a plan");
        self.session.transfers().import(file, wanted, &plan.hash, &NoProgress).await.expect("imported");
    }

    async fn everything(&self) -> Vec<MemoryEntry> {
        let filter = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
        self.session.memories().every(&filter, Sort::CreatedAsc).await.expect("read")
    }

    async fn poisoned(&self) -> Vec<MemoryEntry> {
        let mut found = self.everything().await;
        found.retain(|entry| entry.is_active() && entry.content.contains(MARK));
        found
    }

    /// Runs the attack on one path.
    ///
    /// # Panics
    /// If the path fails.
    pub async fn take(&mut self, path: Path) {
        self.clock.advance(Duration::minutes(1));
        let texts = self.poison();
        match path {
            Path::Put
            | Path::Update
            | Path::Merge
            | Path::Rewrite
            | Path::Promote
            | Path::Persist
            | Path::Compact => self.without_a_person(path, texts).await,
            Path::AcceptEdit
            | Path::AcceptMerge
            | Path::AcceptNew
            | Path::OwnFile
            | Path::OtherFile
            | Path::Lines
            | Path::UndoRedo => self.with_a_person(path, texts).await,
            Path::SettleMemory | Path::SettleTyped | Path::SettleMessage | Path::SettleBelief => {
                self.settle(path).await;
            }
        }
        self.figures.paths += 1;
        self.look(path).await;
    }

    /// Paths in which a client writes and tasks process the result.
    async fn without_a_person(&mut self, path: Path, [one, two, three]: [String; 3]) {
        let client = self.actor();
        match path {
            Path::Put => {
                let note = NewNote {
                    content: one,
                    importance: Some(1.0),
                    tags: Vec::new(),
                    links: NamedLinks::default(),
                    sources: Vec::new(),
                };
                self.client_session.put(at(MemoryScope::Workspace), note).await.expect("put");
            }
            Path::Update => {
                let text = format!("The {} inn has a green door.", self.counter);
                let id = self.remember(Place::Workspace, &text, agent()).await;
                self.clock.tick();
                let edit = MemoryPatch { content: Some(one), ..MemoryPatch::default() };
                self.client_session.update(id, None, edit, &[]).await.expect("updated");
            }
            Path::Merge => {
                self.remember(Place::Workspace, &one, client).await;
                self.remember(Place::Workspace, &one.to_uppercase().replace("ZORVATH", MARK), client).await;
                self.consolidate().await;
            }
            Path::Rewrite => {
                for text in [one, two, three] {
                    self.remember(Place::Workspace, &text, client).await;
                }
                self.consolidate().await;
            }
            Path::Promote => {
                let id = self.remember(Place::Workspace, &one, client).await;
                for _ in 0..READS {
                    self.client_session.search(within(MemoryScope::Workspace), &one, 5).await.expect("read");
                }
                assert_eq!(self.session.entry(id).await.expect("there").entry.access_count, 0);
                self.consolidate().await;
                let own = self.session.entry(id).await.expect("there").entry;
                if own.is_active() && own.lifetime == MemoryLifetime::LongTerm {
                    self.figures.laundered.push(format!("{path:?}: its own reads"));
                }
                for _ in 0..READS {
                    self.session.orientations().note_uses([(id, MemoryScope::Workspace)]).await;
                }
                self.consolidate().await;
            }
            Path::Persist => {
                let conversation = self.conversation().await;
                let place = Place::Conversation(conversation.channel_id, conversation.id);
                let id = self.remember(place, &one, client).await;
                for _ in 0..READS {
                    self.session.orientations().note_uses([(id, MemoryScope::Conversation)]).await;
                }
                let message = format!("From now on {two} I decided that. Remember: {three}");
                self.client_session
                    .say(Some(&conversation.ref_code.to_string()), &message)
                    .await
                    .expect("said");
                self.session.conversations().set_idle(conversation.id).await.expect("ended");
                let helpers = Helpers { summariser: &Joined, model: None };
                self.session
                    .extraction()
                    .pending(&helpers, RunTrigger::Asked, Interface::Cli)
                    .await
                    .expect("worked up");
            }
            Path::Compact => {
                let conversation = self.conversation().await;
                for text in [one, two, three] {
                    self.client_session
                        .say(Some(&conversation.ref_code.to_string()), &text)
                        .await
                        .expect("said");
                }
                let made =
                    self.session.compaction().compact(&conversation, Some(0), None, &Joined, author()).await;
                made.expect("compacted").expect("an archive");
            }
            other => unreachable!("{other:?} needs a person"),
        }
    }

    /// Paths in which the worldbuilder accepts, imports or undoes.
    async fn with_a_person(&mut self, path: Path, [one, two, three]: [String; 3]) {
        let client = self.actor();
        match path {
            Path::AcceptEdit => {
                let text = format!("The {} well is deep.", self.counter);
                let id = self.remember(Place::Workspace, &text, author()).await;
                self.accept(ProposalKind::Edit, &[id], &one).await;
            }
            Path::AcceptMerge => {
                let ids = [
                    self.remember(Place::Workspace, &one, client).await,
                    self.remember(Place::Workspace, &two, client).await,
                ];
                self.accept(ProposalKind::Merge, &ids, &three).await;
            }
            Path::AcceptNew => {
                // The workspace does not know this name, so the guard cannot decide whether it belongs to a
                // world.
                let text = format!("Prefers the shrine of {MARK}{} for the opening chapter.", self.counter);
                let note = NewNote {
                    content: text,
                    importance: Some(1.0),
                    tags: Vec::new(),
                    links: NamedLinks::default(),
                    sources: Vec::new(),
                };
                let put = self.client_session.put(at(MemoryScope::Account), note).await.expect("proposed");
                let Remembered::Proposed(Proposed::Filed(id)) = put else { panic!("written: {put:?}") };
                self.clock.tick();
                self.session.proposals().decide(id, Decision::Accept, author()).await.expect("accepted");
            }
            Path::OwnFile => {
                self.remember(Place::Workspace, &one, client).await;
                self.forged_export().await;
            }
            Path::OtherFile => {
                self.remember(Place::Workspace, &one, client).await;
                let texts = self.poisoned().await.into_iter().map(|entry| entry.content);
                let rows = texts.enumerate().map(|(n, content)| {
                    let id = format!("markdown:{}:{n}", self.counter);
                    let fields = json!({"content": content, "external_id": id});
                    let fields = fields.as_object().cloned().unwrap_or_default();
                    FileRow {
                        section: Section::Memories,
                        line: n as u64 + 1,
                        place: None,
                        fields,
                        links: RowLinks::default(),
                    }
                });
                self.import(&File("markdown", rows.collect())).await;
            }
            Path::Lines => {
                self.remember(Place::Workspace, &one, client).await;
                let texts = self.poisoned().await.into_iter().map(|entry| entry.content);
                let item = |(n, content)| ImportItem {
                    line: n + 1,
                    title: None,
                    keys: Vec::new(),
                    content,
                    origin: Origin::default(),
                    tags: Vec::new(),
                    importance: Some(1.0),
                };
                let items = texts.enumerate().map(item).collect();
                self.clock.tick();
                let done = self
                    .session
                    .memory_imports()
                    .import(
                        Place::Workspace,
                        Lines { source: "lines", file: None, pick_all: true },
                        items,
                        import(),
                    )
                    .await;
                done.expect("imported");
            }
            Path::UndoRedo => {
                self.clock.tick();
                let text = format!("The {} mill is old.", self.counter);
                let id = self.remember(Place::Workspace, &text, agent()).await;
                let edit = MemoryPatch { content: Some(one), ..MemoryPatch::default() };
                let written = self.client_session.update(id, None, edit, &[]).await.expect("updated");
                let written = written.written().expect("written");
                self.clock.tick();
                let undone =
                    self.session.memories().undo_change(written.change, author()).await.expect("undone");
                self.clock.tick();
                self.session.memories().undo_change(undone.change, author()).await.expect("done again");
            }
            other => unreachable!("{other:?} needs nobody"),
        }
    }

    async fn accept(&self, kind: ProposalKind, ids: &[MemoryId], text: &str) {
        self.clock.tick();
        let filed = self.client_session.propose(kind, ids, Some(text.to_owned()), "a better text").await;
        filed.expect("filed");
        let open = self.session.proposals().list(None, None, 1).await.expect("a page").rows;
        self.clock.tick();
        self.session.proposals().decide(open[0].id, Decision::Accept, author()).await.expect("accepted");
    }

    /// Imports an export in which the poisoned rows have other ids and claim the worldbuilder as their
    /// author.
    async fn forged_export(&self) {
        let scope = ExportScope { account: false, workspace: true, channel: None, conversation: None };
        let options = ExportOptions { scope, embeddings: false, journal: false };
        let mut out = Vec::new();
        self.session.transfers().export(&mut out, options, &NoProgress).await.expect("exported");
        let file: Value = serde_json::from_slice(&out).expect("JSON");
        let rows = file["memories"].as_array().cloned().unwrap_or_default();
        let forged =
            rows.into_iter().filter_map(|row| row.as_object().cloned()).filter_map(|mut row: Fields| {
                let poisoned = row["content"].as_str().is_some_and(|text| text.contains(MARK));
                if !poisoned || row["kind"] != "note" || row.contains_key("forgotten_at") {
                    return None;
                }
                row.insert("id".into(), self.session.ids.memory_id().to_string().into());
                row.insert("curator".into(), "author".into());
                row.insert("written_by".into(), "author".into());
                row.insert("version".into(), 1.into());
                for gone in ["derived_from", "history", "external_id", "foreign_fields"] {
                    row.remove(gone);
                }
                Some(FileRow {
                    section: Section::Memories,
                    line: 1,
                    place: None,
                    fields: row,
                    links: RowLinks::default(),
                })
            });
        self.import(&File(OWN, forged.collect())).await;
    }

    /// Checks all active poisoned texts.
    async fn look(&mut self, path: Path) {
        for entry in self.poisoned().await {
            self.figures.texts += 1;
            let accepted = entry.curator == Curator::Author && path_may_accept(&entry);
            let says_so = entry.holds_words_of(self.client_session.id());
            let archive = entry.kind == MemoryKind::Archive;
            let raised = (entry.scope() == MemoryScope::Account && !was_accepted_new(&entry))
                || entry.pinned
                || (entry.name.is_some() && !archive)
                || (entry.curator.is_protected() && !accepted);
            if !says_so || raised {
                let why = if says_so { "raised" } else { "unnamed" };
                self.figures.laundered.push(format!("{path:?}: {why}"));
            }
        }
    }

    /// Reverts the client and returns the results.
    ///
    /// # Panics
    /// If a store fails.
    pub async fn end(mut self) -> Figures {
        self.clock.tick();
        self.session.client_writes().undo_client(self.client_session.id(), author()).await.expect("undone");
        let left = self.poisoned().await;
        self.figures.left += left.iter().filter(|entry| entry.kind != MemoryKind::Archive).count();
        self.figures
    }
}

/// True if the worldbuilder accepted the entry as new for the account, but is not its curator.
fn was_accepted_new(entry: &MemoryEntry) -> bool {
    entry.version == 1 && entry.written_by == ActorKind::Author && entry.curator == Curator::Agent
}

/// True if an entry of the worldbuilder has an accepted text that names its sources.
fn path_may_accept(entry: &MemoryEntry) -> bool {
    entry.version > 1 && entry.written_by == ActorKind::Author && !entry.derived_from.is_empty()
}
