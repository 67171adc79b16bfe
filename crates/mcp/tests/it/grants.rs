//! What a client is shown and what it changes, under every set of grants: each tool, resource and prompt that the server
//! lists is tried at every place. What is out of scope is as unknown as what does not exist.
//!
//! The calls are made from the schemas that the server lists. A tool with an argument that is not known here, a new
//! resource template or a new prompt fails the test until its place is decided.

use std::{collections::BTreeSet, sync::Arc};

use inklings_api::{
    client::view::{ClientCapability, ClientGrants, TierGrant},
    view::lens::LensSpec,
    vocabulary::Scope,
};
use inklings_application::{
    session::Session,
    testing::places::{Places, Planted},
    tools::{Effect, TOOLS, argument::Field},
};
use inklings_domain::{
    ids::MemoryId,
    orientation::shown::{Reader, SeenKind, ShownRead},
    scope::Place,
};
use inklings_ports::{
    conversation::transcript_store::MessageRange, orientation::ReadFilter, testing::builders::author,
};
use rmcp::{
    model::{GetPromptRequestParams, ReadResourceRequestParams, Tool},
    service::ClientLifecycleMode,
};
use serde_json::{Map, Value, json};

use crate::support::{Connected, Stage, call};

/// Stands for what does not exist.
const UNKNOWN_ID: &str = "00000000-0000-7000-8000-00000000002a";
const UNKNOWN_CODE: &str = "zzzzzzzzzz";
const UNKNOWN_CHANNEL: &str = "#nowhere";
const UNKNOWN_NAME: &str = "Vesper 99";

struct World {
    stage: Stage,
    session: Arc<Session>,
    places: Places,
    client: Connected,
    /// Every tool as a client with all grants sees it.
    tools: Vec<Tool>,
}

/// A tool with the actions that only read, or with those that do not.
struct Offered {
    name: &'static str,
    tool: Tool,
    /// Each action with the fields that it uses.
    actions: Vec<(&'static str, Vec<&'static Field>)>,
}

/// Grants of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Trial {
    /// Account, workspace, channel, conversation.
    tiers: [(bool, bool); 4],
    /// Takes part in the open channel, in the secret one.
    channels: (bool, bool),
    /// Takes part in the open conversation, in the secret one.
    conversations: (bool, bool),
}

const SCOPES: [Scope; 4] = [Scope::Account, Scope::Workspace, Scope::Channel, Scope::Conversation];

impl Trial {
    /// Every set of tiers, all of them with the given verbs; where channels and conversations matter, with several ways of taking part.
    fn all(verbs: (bool, bool)) -> Vec<Self> {
        let (none, open, secret, both) = ((false, false), (true, false), (false, true), (true, true));
        let somewhere =
            [(open, open), (open, none), (open, secret), (secret, open), (none, open), (none, none)];
        let mut trials = Vec::new();
        for bits in 0..16_u8 {
            let tiers = [0, 1, 2, 3].map(|n| if bits & (1 << n) == 0 { (false, false) } else { verbs });
            let channels: &[_] = if bits & 0b1100 == 0 { &[(both, both)] } else { &somewhere };
            trials.extend(channels.iter().map(|(channels, conversations)| Self {
                tiers,
                channels: *channels,
                conversations: *conversations,
            }));
        }
        trials.push(Self { tiers: [verbs; 4], channels: both, conversations: both });
        trials
    }

    /// Each tier alone, and all together.
    fn few(verbs: (bool, bool)) -> Vec<Self> {
        let granted = |trial: &Self| trial.tiers.iter().filter(|tier| **tier == verbs).count();
        Self::all(verbs).into_iter().filter(|trial| matches!(granted(trial), 1 | 4)).collect()
    }

    fn grants(self, places: &Places) -> ClientGrants {
        let tiers = SCOPES.iter().zip(self.tiers);
        let mut channels = Vec::new();
        channels.extend(self.channels.0.then(|| places.open.channel_id.to_string()));
        channels.extend(self.channels.1.then(|| places.secret.channel_id.to_string()));
        let mut conversations = Vec::new();
        conversations.extend(self.conversations.0.then(|| places.open.id.to_string()));
        conversations.extend(self.conversations.1.then(|| places.secret.id.to_string()));
        ClientGrants {
            tiers: tiers.map(|(scope, (read, write))| TierGrant { scope: *scope, read, write }).collect(),
            channels,
            conversations,
            capabilities: vec![
                ClientCapability::Propose,
                ClientCapability::ScrubPreview,
                ClientCapability::ScrubExecute,
                ClientCapability::MemorySwitch,
                ClientCapability::AgentTelemetry,
                ClientCapability::ReadPages,
            ],
            lens: None,
        }
    }

    fn takes_part(self, places: &Places, place: Place) -> bool {
        match place {
            Place::Account | Place::Workspace => true,
            Place::Channel(channel) if channel == places.open.channel_id => self.channels.0,
            Place::Channel(_) => self.channels.1,
            Place::Conversation(_, conversation) if conversation == places.open.id => self.conversations.0,
            Place::Conversation(..) => self.conversations.1,
        }
    }

    fn of(self, place: Place) -> (bool, bool) {
        self.tiers[SCOPES.iter().position(|scope| *scope == Scope::from(place.scope())).expect("one of four")]
    }

    fn reads(self, places: &Places, place: Place) -> bool {
        self.of(place).0 && self.takes_part(places, place)
    }

    fn writes(self, places: &Places, place: Place) -> bool {
        self.reads(places, place) && self.of(place).1
    }
}

impl World {
    async fn new() -> Self {
        let stage = Stage::set().await;
        let session = stage.app.session().expect("a workspace is open");
        let places = Places::plant(&session).await;
        let client = stage.connect(ClientLifecycleMode::Initialize).await;
        let everything = Trial::all((true, true)).pop().expect("everything granted");
        stage.grant(&everything.grants(&places)).await;
        let tools = client.list_all_tools().await.expect("listed");
        assert_eq!(tools.len(), TOOLS.len());
        Self { stage, session, places, client, tools }
    }

    /// What an argument may name, each with its twin that does not exist, and the place that decides about it.
    fn named(&self, planted: &[(Place, MemoryId)]) -> Vec<(String, &'static str, Place)> {
        let places = &self.places;
        let mut all: Vec<(String, &'static str, Place)> =
            planted.iter().map(|(place, id)| (id.to_string(), UNKNOWN_ID, *place)).collect();
        for (n, planted) in places.planted.iter().enumerate() {
            all.push((format!("Vesper {n}"), UNKNOWN_NAME, planted.place));
        }
        for (conversation, name) in [(&places.open, "#general"), (&places.secret, "#secret")] {
            let place = Place::Conversation(conversation.channel_id, conversation.id);
            all.push((conversation.ref_code.to_string(), UNKNOWN_CODE, place));
            all.push((name.to_owned(), UNKNOWN_CHANNEL, Place::Channel(conversation.channel_id)));
        }
        all
    }

    /// Every value that an argument is tried with.
    fn candidates(&self, tool: &Offered, name: &str, ids: &[MemoryId]) -> Vec<Value> {
        let codes =
            [&self.places.open, &self.places.secret].map(|conversation| conversation.ref_code.to_string());
        let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<Value>>();
        match name {
            "tier" => texts(&["account", "workspace", "channel", "conversation"]),
            "conversation" => texts(&[&codes[0], &codes[1]]),
            "channel" => texts(&["#general", "#secret"]),
            "query" => texts(&["", "what is the lantern by the gate made of", &self.places.all_names()]),
            "id" => ids.iter().map(|id| json!(id.to_string())).collect(),
            "ids" => ids.iter().map(|id| json!([id.to_string()])).collect(),
            "sources" => ids.iter().map(|id| json!([format!("memory:{id}")])).collect(),
            "name" => {
                let named = (0..self.places.planted.len()).map(|n| json!(format!("Vesper {n}")));
                named.chain([json!("Vesper quay"), json!("Vesper gate")]).collect()
            }
            "category" => texts(&["gate"]),
            "key" => texts(&["metal", "plan"]),
            "kind" => texts(&["retire"]),
            "measure" => texts(&["count"]),
            "mode" => texts(&["full"]),
            "history" => vec![json!(true)],
            // In this order memory is on again afterwards.
            "purge" | "enabled" => vec![json!(false), json!(true)],
            "content" | "text" | "value" => texts(&["The railing was repainted twice over."]),
            "reason" => texts(&["It was seen to be so."]),
            "hash" => texts(&["0"]),
            "phrase" => texts(&["scrub workspace"]),
            // What is left out stands at its default.
            "limit" | "importance" | "tags" | "version" | "ttl_seconds" | "budget" | "before"
            // Which subjects may be named is held in the matrix of reads and scope filters.
            | "about" | "relation" | "from" | "to" | "holds"
            // Which pages may be read is held in crates/application/tests/it/agent_pages.rs.
            | "page" | "heading" | "next"
            // What telemetry holds is of no tier and no text.
            | "annotation" | "suppress" | "of" | "target" | "outcome" | "error" | "metric" | "days" => Vec::new(),
            _ => panic!("{}: say here what '{name}' is tried with", tool.name),
        }
    }

    /// Every combination of arguments of a tool.
    fn calls(&self, tool: &Offered, ids: &[MemoryId]) -> Vec<Map<String, Value>> {
        let listed = tool.tool.input_schema["properties"].as_object().expect("an object");
        let mut all = Vec::new();
        for (action, fields) in &tool.actions {
            let mut calls = vec![Map::new()];
            for field in fields.iter().filter(|field| listed.contains_key(field.name)) {
                if field.name == "action" {
                    for call in &mut calls {
                        call.insert("action".into(), json!(action));
                    }
                    continue;
                }
                let mut next = Vec::new();
                for call in calls {
                    for value in self.candidates(tool, field.name, ids) {
                        let mut call = call.clone();
                        call.insert(field.name.to_owned(), value);
                        next.push(call);
                    }
                    let always = ["content", "query", "purge", "text", "value", "hash", "phrase"];
                    if !field.required && !always.contains(&field.name) {
                        next.push(call);
                    }
                }
                calls = next;
            }
            all.extend(calls);
        }
        // A tier refuses what belongs to another, and an entry is named in one way.
        let of_use = |call: &Map<String, Value>| {
            let tier = call.get("tier").and_then(Value::as_str);
            let purge = call.get("purge") == Some(&json!(true));
            let channel =
                !call.contains_key("channel") || (tier.is_none_or(|tier| tier == "channel") && !purge);
            let conversation =
                !call.contains_key("conversation") || tier.is_none_or(|tier| tier == "conversation") || purge;
            channel && conversation && !(call.contains_key("id") && call.contains_key("name"))
        };
        all.retain(of_use);
        all
    }

    /// The tools with the actions that only read, or with the others.
    fn offered(&self, reads: bool) -> Vec<Offered> {
        let of = |known: &'static inklings_application::tools::Tool| {
            let tool = self.tools.iter().find(|tool| tool.name == known.name).expect("listed").clone();
            let mut actions: Vec<_> = known
                .actions
                .iter()
                .filter(|action| (action.effect == Effect::Reads) == reads)
                .map(|action| {
                    let used =
                        |field: &&Field| field.actions.is_empty() || field.actions.contains(&action.word);
                    (action.word, known.fields.iter().filter(used).collect())
                })
                .collect();
            // The parts of a tool with one purpose have the same arguments.
            actions.dedup_by_key(|(word, _): &mut (&str, Vec<&Field>)| *word);
            (!actions.is_empty()).then_some(Offered { name: known.name, tool, actions })
        };
        TOOLS.iter().filter_map(of).collect()
    }

    async fn answer(&self, tool: &Offered, arguments: Map<String, Value>) -> String {
        let result = call(&self.client, tool.name, Value::Object(arguments)).await;
        serde_json::to_string(&result).expect("it is JSON")
    }

    /// What a resource says, or why not.
    async fn resource(&self, uri: &str) -> String {
        match self.client.read_resource(ReadResourceRequestParams::new(uri)).await {
            Ok(result) => serde_json::to_string(&result).expect("it is JSON"),
            Err(error) => format!("{error:?}"),
        }
    }

    /// Every address under a template.
    fn addresses(&self, template: &str) -> Vec<String> {
        let fill = |hole: &str, values: Vec<String>| {
            values.iter().map(|value| template.replace(hole, value)).collect::<Vec<_>>()
        };
        match template {
            "inklings://workspace/named/{name}" => {
                fill("{name}", (0..self.places.planted.len()).map(|n| format!("Vesper%20{n}")).collect())
            }
            "inklings://memory/{id}" => {
                fill("{id}", self.ids().iter().map(|(_, id)| id.to_string()).collect())
            }
            "inklings://conversation/{ref}" => {
                let conversations = [&self.places.open, &self.places.secret];
                fill("{ref}", conversations.map(|conversation| conversation.ref_code.to_string()).to_vec())
            }
            // Which pages may be read is held in crates/application/tests/it/agent_pages.rs.
            "inklings://page/{id}" => Vec::new(),
            _ => panic!("say here which addresses {template} has"),
        }
    }

    /// Every planted entry with its place.
    fn ids(&self) -> Vec<(Place, MemoryId)> {
        let of = |planted: &Planted| {
            let ids = [planted.named, planted.authors, planted.agents].into_iter().chain(planted.relation);
            ids.map(|id| (planted.place, id)).collect::<Vec<_>>()
        };
        self.places.planted.iter().flat_map(of).collect()
    }

    /// Nothing of a place that may not be read stands in an answer, but what was asked with.
    fn shows_only(&self, trial: Trial, asked: &str, answer: &str) {
        for planted in &self.places.planted {
            if trial.reads(&self.places, planted.place) {
                continue;
            }
            let ids = [planted.named, planted.authors, planted.agents].into_iter().chain(planted.relation);
            let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
            for reported in ids.iter().map(String::as_str).chain([planted.marker]) {
                assert!(
                    asked.contains(reported) || !answer.contains(reported),
                    "{trial:?}\n{asked}\n{answer}"
                );
            }
        }
    }

    /// The same call with what is out of scope replaced by what does not exist; `None` if all of it is within scope.
    fn twin(&self, trial: Trial, asked: &str, ids: &[(Place, MemoryId)]) -> Option<String> {
        // The name of a channel is open to who takes part there, whatever it may do.
        let opens = |name: &str, place: Place| {
            let channel = name.starts_with('#');
            if channel { trial.takes_part(&self.places, place) } else { trial.reads(&self.places, place) }
        };
        let out = self.named(ids).into_iter().filter(|(name, _, place)| !opens(name, *place));
        let twin = out.fold(asked.to_owned(), |text, (name, unknown, _)| text.replace(&name, unknown));
        (twin != asked).then_some(twin)
    }

    /// An answer with the names of what does not exist in the place of what is out of scope.
    fn as_unknown(&self, trial: Trial, answer: &str, ids: &[(Place, MemoryId)]) -> String {
        self.twin(trial, answer, ids).unwrap_or_else(|| answer.to_owned())
    }
}

/// Two calls are refused in the same words, or neither is refused.
fn refused_alike(one: &str, other: &str, what: &str) {
    let refused = |answer: &str| answer.contains("\"isError\":true");
    assert_eq!(refused(one), refused(other), "{what}\n{one}\n{other}");
    if refused(one) {
        assert_eq!(one, other, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_returns_exactly_the_granted_entries() {
    let world = World::new().await;
    let tools = world.offered(true);
    let templates = world.client.list_all_resource_templates().await.expect("listed");
    let prompts = world.client.list_all_prompts().await.expect("listed");
    assert_eq!(prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>(), ["orient"]);
    let ids = world.ids();
    let all: Vec<MemoryId> = ids.iter().map(|(_, id)| *id).collect();
    for trial in Trial::all((true, false)) {
        world.stage.grant(&trial.grants(&world.places)).await;
        let mut reported = String::new();
        for tool in &tools {
            for arguments in world.calls(tool, &all) {
                let asked = Value::Object(arguments.clone()).to_string();
                let answer = world.answer(tool, arguments).await;
                world.shows_only(trial, &asked, &answer);
                if let Some(twin) = world.twin(trial, &asked, &ids) {
                    let Ok(Value::Object(twin)) = serde_json::from_str(&twin) else { panic!("an object") };
                    let nothing = world.answer(tool, twin).await;
                    let answer = world.as_unknown(trial, &answer, &ids);
                    refused_alike(&answer, &nothing, &format!("{trial:?} {} {asked}", tool.name));
                }
                reported.push_str(&answer);
            }
        }
        let listed = world.client.list_all_resources().await.expect("listed");
        let listed = serde_json::to_string(&listed).expect("it is JSON");
        world.shows_only(trial, "", &listed);
        for template in &templates {
            for uri in world.addresses(&template.uri_template) {
                let answer = world.resource(&uri).await;
                world.shows_only(trial, &uri, &answer);
                reported.push_str(&answer);
            }
        }
        for query in ["what is the lantern by the gate made of".to_owned(), world.places.all_names()] {
            let mut arguments = Map::new();
            arguments.insert("query".into(), query.as_str().into());
            let request = GetPromptRequestParams::new("orient").with_arguments(arguments);
            let answer = format!("{:?}", world.client.get_prompt(request).await);
            world.shows_only(trial, &query, &answer);
        }
        let seen: BTreeSet<&str> = world.places.markers_in(&reported).into_iter().collect();
        let readable =
            world.places.planted.iter().filter(|planted| trial.reads(&world.places, planted.place));
        let readable: BTreeSet<&str> = readable.map(|planted| planted.marker).collect();
        assert_eq!(seen, readable, "{trial:?}");
    }
}

/// What a client could change, place by place.
async fn state(world: &World, ids: &[(Place, MemoryId)], place: Place) -> String {
    let session = &world.session;
    let own: Vec<MemoryId> = ids.iter().filter(|(at, _)| *at == place).map(|(_, id)| *id).collect();
    let entries = session.entries(&own).await.expect("read");
    let versions: Vec<u64> = entries.iter().map(|stored| stored.entry.version).collect();
    let mut state = format!("{versions:?}");
    match place {
        Place::Conversation(_, conversation) => {
            let page =
                session.transcripts().page(conversation, MessageRange::Newest, 200).await.expect("read");
            let notes = session.scratchpad().list(conversation).await.expect("read");
            state.extend([format!(" {} {notes:?}", page.messages.len())]);
        }
        Place::Workspace => {
            let facts = session.facts().list(None, None, 100).await.expect("read");
            state.extend([format!(" {:?}", facts.rows)]);
        }
        Place::Account | Place::Channel(_) => {}
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_write_needs_a_grant_of_its_place() {
    let world = World::new().await;
    let tools = world.offered(false);
    let trials = [(true, true), (false, true), (true, false)].into_iter().flat_map(Trial::few);
    for (serial, trial) in trials.enumerate() {
        world.stage.grant(&trial.grants(&world.places)).await;
        world.session.switch().set_enabled(true).await.expect("switched on");
        let mut ids = Vec::new();
        for planted in &world.places.planted {
            let id = Places::agents_entry(&world.session, planted.place, serial).await;
            ids.push((planted.place, id));
        }
        let fresh: Vec<MemoryId> = ids.iter().map(|(_, id)| *id).collect();
        ids.extend(world.places.planted.iter().map(|planted| (planted.place, planted.authors)));
        let mut before = Vec::new();
        for planted in &world.places.planted {
            before.push(state(&world, &ids, planted.place).await);
        }
        for tool in &tools {
            for arguments in world.calls(tool, &fresh) {
                let asked = Value::Object(arguments.clone()).to_string();
                let answer = world.answer(tool, arguments).await;
                world.shows_only(trial, &asked, &answer);
                if let Some(twin) = world.twin(trial, &asked, &ids) {
                    let Ok(Value::Object(twin)) = serde_json::from_str(&twin) else { panic!("an object") };
                    let nothing = world.answer(tool, twin).await;
                    let answer = world.as_unknown(trial, &answer, &ids);
                    refused_alike(&answer, &nothing, &format!("{trial:?} {} {asked}", tool.name));
                }
            }
        }
        for (planted, before) in world.places.planted.iter().zip(before) {
            let after = state(&world, &ids, planted.place).await;
            let may = trial.writes(&world.places, planted.place);
            assert_eq!(after != before, may, "{trial:?} {:?}\n{before}\n{after}", planted.place);
        }
    }
}

/// Rows of the ledger besides orientations.
async fn reads(world: &World) -> Vec<ShownRead> {
    let ledger = &world.session.workspace.ledger;
    ledger.reads(ReadFilter::default(), None, usize::MAX).await.expect("the ledger is read")
}

/// What came of a call stands in the ledger: so many rows, in the client's name, with every entry that the answer names.
async fn is_recorded(world: &World, before: &mut usize, rows: usize, asked: &str, answer: &str) {
    let all = reads(world).await;
    let fresh = &all[..all.len() - *before];
    *before = all.len();
    assert_eq!(fresh.len(), rows, "{asked}\n{answer}");
    let client = world.stage.client.parse().expect("a client's id");
    assert!(fresh.iter().all(|read| read.reader == Reader::Client(client)), "{asked}");
    for (_, id) in world.ids() {
        let reported = answer.contains(&id.to_string()) && !asked.contains(&id.to_string());
        let kept = fresh.iter().flat_map(|read| &read.showing.items);
        let mut kept = kept.filter(|seen| seen.kind == SeenKind::Memory).map(|seen| seen.id);
        assert!(!reported || kept.any(|seen| seen == *id.as_uuid()), "{asked} shows {id}\n{fresh:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_leaves_its_row_in_the_ledger_whether_memory_is_on_or_off() {
    let world = World::new().await;
    let trial = Trial::all((true, true)).pop().expect("everything granted");
    world.stage.grant(&trial.grants(&world.places)).await;
    let all: Vec<MemoryId> = world.ids().iter().map(|(_, id)| *id).collect();
    let tools = world.offered(true);
    let templates = world.client.list_all_resource_templates().await.expect("listed");
    for memory in [true, false] {
        world.session.switch().set_enabled(memory).await.expect("switched");
        let mut before = reads(&world).await.len();
        let mut silent: BTreeSet<&str> = tools.iter().map(|tool| tool.name).collect();
        for tool in &tools {
            for arguments in world.calls(tool, &all) {
                let asked = format!("{} {}", tool.name, Value::Object(arguments.clone()));
                let answer = world.answer(tool, arguments).await;
                let rows = usize::from(!answer.contains("\"isError\":true"));
                // A preview names some ids of what it counts, and shows none of it.
                let reported = if tool.name == "scrub" { "" } else { &*answer };
                is_recorded(&world, &mut before, rows, &asked, reported).await;
                if rows == 1 {
                    silent.remove(tool.name);
                }
            }
        }
        assert!(silent.is_empty(), "these tools showed nothing in this test: {silent:?}");
        for template in &templates {
            for uri in world.addresses(&template.uri_template) {
                let answer = world.resource(&uri).await;
                is_recorded(&world, &mut before, 1, &uri, &answer).await;
            }
        }
        let listed = world.client.list_all_resources().await.expect("listed");
        assert!(!listed.is_empty());
        // Named entries and conversations.
        is_recorded(&world, &mut before, 2, "the list of resources", "").await;
        let mut arguments = Map::new();
        arguments.insert("query".into(), world.places.all_names().into());
        let request = GetPromptRequestParams::new("orient").with_arguments(arguments);
        let answer = format!("{:?}", world.client.get_prompt(request).await);
        is_recorded(&world, &mut before, 1, "the prompt", &answer).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_whose_lens_is_gone_is_shown_nothing_and_changes_nothing() {
    let world = World::new().await;
    let everything = Trial::all((true, true)).pop().expect("everything granted");
    let subjects = world.session.subjects();
    let knower = subjects.add("Mira", "character", "", author()).await.expect("a subject").id();
    let lens = Some(LensSpec { knower: Some(knower.to_string()), at: None });
    world.stage.grant(&ClientGrants { lens, ..everything.grants(&world.places) }).await;
    let version = world.session.entry(knower).await.expect("read").entry.version;
    subjects.set_kind(knower, version, None, author()).await.expect("unset");
    assert!(world.client.list_all_tools().await.expect("listed").is_empty());
    let ids = world.ids();
    let all: Vec<MemoryId> = ids.iter().map(|(_, id)| *id).collect();
    let mut before = Vec::new();
    for planted in &world.places.planted {
        before.push(state(&world, &ids, planted.place).await);
    }
    let nothing = Trial { tiers: [(false, false); 4], ..everything };
    let codes =
        [&world.places.open, &world.places.secret].map(|conversation| conversation.ref_code.to_string());
    for reads in [true, false] {
        for tool in &world.offered(reads) {
            for arguments in world.calls(tool, &all) {
                let asked = Value::Object(arguments.clone()).to_string();
                let answer = world.answer(tool, arguments).await;
                world.shows_only(nothing, &asked, &answer);
                let reported = |code: &String| !asked.contains(code) && answer.contains(code);
                assert!(!codes.iter().any(reported), "{} {asked}\n{answer}", tool.name);
                let of_conversation = ["conversation", "memory_switch"].contains(&tool.name);
                assert!(!of_conversation || answer.contains("\"isError\":true"), "{} {answer}", tool.name);
            }
        }
    }
    assert!(world.client.list_all_resources().await.expect("listed").is_empty());
    for template in &world.client.list_all_resource_templates().await.expect("listed") {
        for uri in world.addresses(&template.uri_template) {
            world.shows_only(nothing, &uri, &world.resource(&uri).await);
        }
    }
    for (planted, before) in world.places.planted.iter().zip(before) {
        assert_eq!(state(&world, &ids, planted.place).await, before, "{:?}", planted.place);
    }
}
