//! The real program: a data folder with two workspaces, the window on it, a second process beside it, clients of both.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use inklings_api::{
    App, Config, Interface,
    client::view::{ClientCapability, ClientGrants, TierGrant},
    vocabulary::Scope,
};
use inklings_application::session::Session;
use inklings_domain::{
    ids::{ChannelId, ConversationId, MemoryId, WorkspaceId},
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
    scope::MemoryScope,
};
use inklings_mcp::{ChangeNotifier, McpServer};
use inklings_ports::conversation::{store::ConversationFilter, transcript_store::MessageRange};
use rmcp::{
    RoleClient,
    model::{CallToolRequestParams, CallToolResult},
    serve_server,
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
};
use serde_json::Value;
use tempfile::TempDir;

use super::model::{Client, Granted, Model, ModelConversation, SCOPES, Snapshot, take};

type Connected = RunningService<RoleClient, ()>;

/// The program on a folder of its own.
pub struct Stage {
    /// The window.
    pub app: Arc<App>,
    /// Another process on the same folder; clients of the second workspace come in there.
    other_app: Arc<App>,
    pub worlds: [WorkspaceId; 2],
    connected: BTreeMap<usize, Connected>,
    folder: TempDir,
}

/// What every sequence begins with. Made once, and copied.
struct Template {
    files: Files,
    worlds: [WorkspaceId; 2],
    model: Model,
}

async fn open(data_dir: &Path) -> Arc<App> {
    let config = Config {
        data_dir: data_dir.join("data"),
        resources: Some(data_dir.join("none")),
        interface: Interface::Window,
    };
    Arc::new(App::open(config).await.expect("the folder opens"))
}

/// Files, each with its place below a folder.
type Files = Vec<(PathBuf, Vec<u8>)>;

fn files(folder: &Path, below: &Path, found: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, below, found)?;
        } else {
            found.push((path.strip_prefix(below).expect("below").to_owned(), fs::read(&path)?));
        }
    }
    Ok(())
}

/// Every file of a folder that nobody writes to, though connections to its databases may be closing still: read until two
/// readings are the same.
fn at_rest(folder: &Path) -> Files {
    let read = || {
        let mut found = Files::new();
        files(folder, folder, &mut found).map(|()| found)
    };
    let mut last = None;
    loop {
        match read() {
            Ok(found) if last.as_ref() == Some(&found) => return found,
            // A log that was there a moment ago is gone.
            other => last = other.ok(),
        }
    }
}

impl Template {
    async fn make() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let app = open(folder.path()).await;
        let mut model = Model { on: [true; 2], ..Model::default() };
        let mut worlds = Vec::new();
        for (world, name) in ["Aldmoor", "Bellhaven"].into_iter().enumerate() {
            let made = app.workspace().create_workspace(name).await.expect("a workspace");
            app.workspace().switch_workspace(&made.id).await.expect("it opens");
            let secret = app.channel().create_channel("secret", "").await.expect("a channel").id;
            for channel in [None, Some(secret.as_str())] {
                app.conversation().start_conversation(channel, "").await.expect("a conversation");
            }
            for n in 0..2 {
                let client =
                    app.client().add_client(&format!("{name} {n}"), &made.id).await.expect("a client").client;
                let grants = Granted::default();
                model.clients.push(Client { id: client.id, world, grants, revoked: false });
            }
            worlds.push(made.id.parse().expect("an id"));
        }
        let worlds: [WorkspaceId; 2] = worlds.try_into().expect("two of them");
        for (world, id) in worlds.iter().enumerate() {
            let session = app.client().session_on(*id).await.expect("it opens");
            conversations(&session, world, &mut model).await;
        }
        // The first client of each workspace may do much, the second one little.
        for n in 0..model.clients.len() {
            let world = model.clients[n].world;
            let channel = model.channels.iter().find(|(_, (of, name))| *of == world && name == "general");
            let channel = *channel.expect("there is one").0;
            let conversation =
                model.conversations.iter().find(|(_, conversation)| conversation.channel == channel);
            let conversation = *conversation.expect("there is one").0;
            let much = Granted {
                tiers: [(true, true); 4],
                channels: [channel].into(),
                conversations: [conversation].into(),
                propose: true,
                scrub: false,
                switch: true,
            };
            let little = Granted {
                tiers: [(false, false), (true, true), (false, false), (false, false)],
                ..Granted::default()
            };
            let granted = if n.is_multiple_of(2) { much } else { little };
            app.client().set_grants(&model.clients[n].id, &grants(&granted)).await.expect("granted");
            model.clients[n].grants = granted;
        }
        model.here = 1;
        drop(app);
        Self { files: at_rest(folder.path()), worlds, model }
    }
}

async fn conversations(session: &Session, world: usize, model: &mut Model) {
    for summary in session.channels().list().await.expect("read") {
        let channel = summary.channel;
        model.channels.insert(channel.id, (world, channel.name.as_str().to_owned()));
    }
    let all =
        session.conversations().list(&ConversationFilter::default(), None, 100).await.expect("read").rows;
    for conversation in all.into_iter().map(|row| row.conversation) {
        let (channel, code) = (conversation.channel_id, conversation.ref_code.to_string());
        let known = ModelConversation {
            world,
            channel,
            code,
            open: true,
            summed_up: false,
            asked: BTreeSet::new(),
            texts: Vec::new(),
        };
        model.conversations.insert(conversation.id, known);
    }
}

static TEMPLATE: OnceLock<Template> = OnceLock::new();

impl Stage {
    /// A fresh folder, and what has to be true of it.
    pub async fn set(runtime: &tokio::runtime::Handle) -> (Self, Model) {
        let template = TEMPLATE.get_or_init(|| {
            let made = std::thread::spawn({
                let runtime = runtime.clone();
                move || runtime.block_on(Template::make())
            });
            made.join().expect("the template is made")
        });
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (place, bytes) in &template.files {
            let path = folder.path().join(place);
            fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
            fs::write(path, bytes).expect("written");
        }
        let (app, other_app) = Self::shells(folder.path(), &template.worlds).await;
        let stage = Self { app, other_app, worlds: template.worlds, connected: BTreeMap::new(), folder };
        let mut model = template.model.clone();
        model.learn(&stage.snapshot(&[]).await);
        stage.switch(model.here).await;
        (stage, model)
    }

    async fn shells(folder: &Path, worlds: &[WorkspaceId; 2]) -> (Arc<App>, Arc<App>) {
        let (app, other_app) = (open(folder).await, open(folder).await);
        other_app.workspace().switch_workspace(&worlds[0].to_string()).await.expect("it opens");
        (app, other_app)
    }

    /// Ends both processes and starts them again.
    pub async fn reopen(&mut self, here: usize) {
        for (_, client) in std::mem::take(&mut self.connected) {
            let _ = client.cancel().await;
        }
        (self.app, self.other_app) = Self::shells(self.folder.path(), &self.worlds).await;
        self.switch(here).await;
    }

    pub async fn switch(&self, world: usize) {
        self.app.workspace().switch_workspace(&self.worlds[world].to_string()).await.expect("it opens");
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub async fn session(&self, world: usize) -> Arc<Session> {
        self.app.client().session_on(self.worlds[world]).await.expect("it opens")
    }

    /// Every entry of the account and of both workspaces, and whatever is there of those that are known.
    pub async fn snapshot(&self, known: &[MemoryId]) -> Snapshot {
        let mut all = Snapshot::new();
        for world in 0..2 {
            let session = self.session(world).await;
            let (filter, mut after) = (MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING), None);
            loop {
                let page = session.memories().list(&filter, Sort::CreatedAsc, after.as_ref(), 500).await;
                let page = page.expect("read");
                take(&mut all, world, page.entries);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            // Named entries without a text are in no list.
            let blank: Vec<MemoryId> =
                session.named_entries().list().await.expect("read").iter().map(|entry| entry.id).collect();
            for ids in [&blank[..], known] {
                take(&mut all, world, session.entries(ids).await.expect("read"));
            }
        }
        all
    }

    /// What was said in a conversation, in order.
    pub async fn messages(&self, world: usize, conversation: ConversationId) -> Vec<String> {
        let session = self.session(world).await;
        let page = session.transcripts().page(conversation, MessageRange::Newest, 500).await.expect("read");
        page.messages.into_iter().map(|message| message.body.content).collect()
    }

    /// A client's connection; made when it is first used.
    async fn connected(&mut self, n: usize, client: &Client) -> &Connected {
        if !self.connected.contains_key(&n) {
            let app = if client.world == 0 { &self.app } else { &self.other_app };
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            let id = client.id.parse().expect("a client's id");
            let server = McpServer::new(Arc::clone(app), Some(id), ChangeNotifier::default());
            tokio::spawn(async move {
                if let Ok(running) = serve_server(server, ours).await {
                    let _ = running.waiting().await;
                }
            });
            let made = serve_client_with_lifecycle((), theirs, ClientLifecycleMode::Initialize).await;
            self.connected.insert(n, made.expect("connected"));
        }
        &self.connected[&n]
    }

    /// Calls a tool as a client.
    pub async fn call(&mut self, n: usize, client: &Client, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.connected(n, client).await.call_tool(request).await.expect("the tool answers")
    }

    /// Reads a resource as a client; a refusal says nothing.
    pub async fn resource(&mut self, n: usize, client: &Client, uri: &str) -> String {
        let request = rmcp::model::ReadResourceRequestParams::new(uri);
        match self.connected(n, client).await.read_resource(request).await {
            Ok(result) => serde_json::to_string(&result).expect("it is JSON"),
            Err(_) => String::new(),
        }
    }
}

/// Grants as they are given.
pub fn grants(granted: &Granted) -> ClientGrants {
    let scopes = [Scope::Account, Scope::Workspace, Scope::Channel, Scope::Conversation];
    debug_assert_eq!(scopes.map(MemoryScope::from), SCOPES);
    let tiers = scopes.iter().zip(granted.tiers);
    let mut capabilities = Vec::new();
    capabilities.extend(granted.propose.then_some(ClientCapability::Propose));
    capabilities.extend(granted.scrub.then_some(ClientCapability::ScrubPreview));
    capabilities.extend(granted.scrub.then_some(ClientCapability::ScrubExecute));
    capabilities.extend(granted.switch.then_some(ClientCapability::MemorySwitch));
    ClientGrants {
        tiers: tiers.map(|(scope, (read, write))| TierGrant { scope: *scope, read, write }).collect(),
        channels: granted.channels.iter().map(ChannelId::to_string).collect(),
        conversations: granted.conversations.iter().map(ConversationId::to_string).collect(),
        capabilities,
        lens: None,
    }
}
