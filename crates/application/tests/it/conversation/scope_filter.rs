//! Every tool of the World Agent, from a conversation in `#general`, at entries of every place: what is out of its scope is
//! as unknown as what does not exist, and stays as it is.

use std::sync::Arc;

use inklings_application::{
    testing::places::{Places, Planted},
    tools::{Action, Effect, TOOLS, Tool, argument::Field},
    turn::{TurnEnd, specs, stopper},
};
use inklings_domain::{
    conversation::message::Role,
    ids::MemoryId,
    memory::{MemoryEntry, filter::ScopeFilter},
    orientation::shown::{Reader, Seen},
    proposal::ProposalState,
    scope::Place,
};
use inklings_ports::{
    model::chat::ChatModel,
    orientation::ReadFilter,
    testing::{
        builders::author,
        chat::{Play, ScriptedModel},
    },
};
use serde_json::{Map, Value};

use super::{StreamedText, window};
use crate::support::World;

/// A tool of the World Agent with one of its actions.
struct Case {
    tool: &'static Tool,
    action: &'static Action,
}

impl Case {
    /// Every action of every tool that the World Agent is offered.
    fn all() -> Vec<Self> {
        let offered: Vec<&str> = specs().iter().map(|spec| spec.name).collect();
        let tools = TOOLS.iter().filter(|tool| offered.contains(&tool.name));
        let of = |tool: &'static Tool| tool.actions.iter().filter(|action| action.world_agent);
        tools.flat_map(|tool| of(tool).map(move |action| Self { tool, action })).collect()
    }

    fn fields(&self) -> impl Iterator<Item = &'static Field> {
        let word = self.action.word;
        // The place is the conversation's, and a tier would narrow a search.
        let left_out = |name: &str| {
            matches!(name, "channel" | "conversation" | "version" | "ttl_seconds" | "before")
                // Links name subjects, and dates need a calendar; tests/it/subject.rs and calendar.rs hold what an agent may name.
                || matches!(name, "about" | "relation" | "from" | "to" | "holds")
                // A page is read by an id of its own; tests/it/agent_pages.rs holds which.
                || matches!(name, "page" | "heading" | "next" | "name" | "history")
                // What it may name as a source is in tests/it/derivation.rs, and in the matrix of reads.
                || name == "sources"
                || (name == "tier" && self.action.effect == Effect::Reads)
        };
        let fields: Vec<&Field> = self
            .tool
            .fields
            .iter()
            .filter(|field| field.actions.is_empty() || field.actions.contains(&word))
            .filter(|field| !left_out(field.name))
            .collect();
        fields.into_iter()
    }

    fn has_id(&self) -> bool {
        self.fields().any(|field| field.name == "id")
    }

    fn name(&self) -> String {
        format!("{} {}", self.tool.name, self.action.word)
    }
}

/// Arguments of a tool, made from its fields. An argument that is not known here must be added.
fn arguments(case: &Case, id: MemoryId, query: &str) -> String {
    let value = |name: &str| match name {
        "id" => Value::from(id.to_string()),
        "query" => Value::from(query),
        // Fit for every tier: the account takes nothing of a world, and nothing is noted twice.
        "content" => Value::from(format!("I like short chapters, and to be asked before I change {id}.")),
        "reason" => Value::from("It was seen to be so."),
        "category" => Value::from("railing"),
        "key" => Value::from("colour"),
        "value" => Value::from("white"),
        "tier" => Value::from("workspace"),
        "limit" => Value::from(20),
        "importance" => Value::from(0.6),
        "action" => Value::from(case.action.word),
        "tags" => Value::Array(Vec::new()),
        _ => panic!("{}: say here what '{name}' is filled with", case.name()),
    };
    let filled: Map<String, Value> =
        case.fields().map(|field| (field.name.to_owned(), value(field.name))).collect();
    Value::Object(filled).to_string()
}

/// What the World Agent is told when it calls a tool in the open conversation.
async fn tool_answer(world: &World, places: &Places, case: &Case, id: MemoryId) -> String {
    let conversation = &places.open;
    world.say(conversation, Role::User, "Go on.").await;
    let calls = Play::Calls(case.tool.name, arguments(case, id, &places.all_names()));
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([calls, Play::Says(vec!["Done."])]));
    let (_stopper, stop) = stopper();
    let end =
        world.session.turns().answer(conversation, &model, &stop, &StreamedText::default(), window()).await;
    assert_eq!(end.expect("the store works"), TurnEnd::Done);
    let page = world
        .session
        .transcripts()
        .page(conversation.id, inklings_ports::conversation::transcript_store::MessageRange::Newest, 9)
        .await;
    let messages = page.expect("read").messages;
    let answer = messages.into_iter().rev().find(|message| message.body.role == Role::Tool);
    answer.expect("the tool answered").body.content
}

async fn entries(world: &World, planted: &Planted) -> Vec<MemoryEntry> {
    let ids = [planted.named, planted.authors, planted.agents];
    let found = world.session.entries(&ids).await.expect("read");
    found.into_iter().map(|stored| stored.entry).collect()
}

#[tokio::test]
async fn no_tool_of_the_world_agent_reads_or_writes_outside_its_scope() {
    let unknown = MemoryId::from_uuid(uuid::Uuid::from_u128(77));
    for case in Case::all() {
        let world = World::new().await;
        let places = Places::plant(&world.session).await;
        world.embed().await;
        let conversation = &places.open;
        let scope_filter =
            ScopeFilter::seen_from(Place::Conversation(conversation.channel_id, conversation.id));
        let nothing = tool_answer(&world, &places, &case, unknown).await;
        for planted in places.planted.iter().filter(|planted| !scope_filter.holds(planted.place)) {
            let before = entries(&world, planted).await;
            for id in [planted.named, planted.authors, planted.agents] {
                let answer = tool_answer(&world, &places, &case, id).await;
                assert!(
                    !answer.contains(planted.marker),
                    "{} shows {}: {answer}",
                    case.name(),
                    planted.marker
                );
                if case.has_id() {
                    let expected = nothing.replace(&unknown.to_string(), &id.to_string());
                    assert_eq!(answer, expected, "{} of {:?}", case.name(), planted.place);
                }
            }
            let after = entries(&world, planted).await;
            let same = before.iter().zip(&after).all(|(before, after)| before.version == after.version);
            assert!(same, "{} changed {:?}", case.name(), planted.place);
        }
        let open = world.session.proposals().list(Some(ProposalState::Open), None, 50).await.expect("read");
        assert_eq!(open.rows.len(), 0, "{}", case.name());
    }
}

#[tokio::test]
async fn within_its_scope_the_world_agent_edits_its_own_entries_and_proposes_changes_to_others() {
    for case in Case::all().into_iter().filter(|case| case.has_id() && case.action.effect != Effect::Reads) {
        let world = World::new().await;
        let places = Places::plant(&world.session).await;
        world.embed().await;
        let conversation = &places.open;
        let scope_filter =
            ScopeFilter::seen_from(Place::Conversation(conversation.channel_id, conversation.id));
        for planted in places.planted.iter().filter(|planted| scope_filter.holds(planted.place)) {
            for id in [planted.named, planted.authors] {
                let answer = tool_answer(&world, &places, &case, id).await;
                assert!(answer.contains("\"proposed\""), "{} of {:?}: {answer}", case.name(), planted.place);
            }
            if planted.place != Place::Account {
                let answer = tool_answer(&world, &places, &case, planted.agents).await;
                assert!(!answer.contains("\"error\""), "{} of {:?}: {answer}", case.name(), planted.place);
                assert_eq!(world.entry(planted.agents).await.version, 2);
            }
        }
    }
}

/// True if a tool shows memory: it must be in the ledger then. What only reads does.
fn shows_memory(case: &Case) -> bool {
    case.action.effect == Effect::Reads
}

#[tokio::test]
async fn items_shown_by_tools_are_in_the_ledger_whether_memory_is_on_or_off() {
    for memory in [true, false] {
        for case in Case::all() {
            let world = World::new().await;
            let places = Places::plant(&world.session).await;
            world.embed().await;
            world.session.facts().set("railing", "colour", "black", None, author()).await.expect("set");
            world.session.switch().set_enabled(memory).await.expect("switched");
            let conversation = &places.open;
            let answer = tool_answer(&world, &places, &case, places.planted[0].agents).await;
            let filter = ReadFilter { conversation: Some(conversation.id), client: None };
            let (rows, _) =
                world.session.orientations().shown_reads(filter, None, 9).await.expect("the ledger is read");
            // A claim is told what stands against it.
            let shows = shows_memory(&case) || answer.contains("\"claimed\":true");
            assert_eq!(rows.len(), usize::from(shows), "{}: {answer}", case.name());
            let Some(read) = rows.first() else { continue };
            assert_eq!(read.reader, Reader::Agent);
            let message = read.message.expect("the tool's answer");
            let found = world.session.workspace.transcript.messages(&[message]).await.expect("read");
            assert_eq!(found[0].body.content, answer);
            for planted in &places.planted {
                for id in [planted.named, planted.authors, planted.agents] {
                    let kept = read.showing.items.iter().any(|seen| seen.id == *id.as_uuid());
                    assert_eq!(kept, answer.contains(&id.to_string()), "{} of {id}", case.name());
                }
            }
        }
    }
}

#[tokio::test]
async fn the_fact_that_a_claim_contradicts_is_recorded_in_the_ledger() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let case = Case::all().into_iter().find(|case| case.name() == "fact set").expect("there is one");
    let fact =
        world.session.facts().set("railing", "colour", "black", None, author()).await.expect("set").fact;
    let answer = tool_answer(&world, &places, &case, places.planted[0].agents).await;
    assert!(answer.contains("black"), "{answer}");
    let (rows, _) =
        world.session.orientations().shown_reads(ReadFilter::default(), None, 9).await.expect("read");
    assert_eq!(rows[0].showing.items, [Seen::fact(fact.fact.id, fact.fact.version)]);
}
