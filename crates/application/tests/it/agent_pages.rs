//! Pages of linked vaults, as the World Agent and clients are shown them.

use std::sync::Arc;

use inklings_application::{
    client::{ClientSession, Clients, FoundNote, Within},
    error::{AppError, Denied},
    orientation::{
        OrientRequest, Oriented,
        why::{Ruling, WhyItem},
    },
    session::Session,
    testing::pages::link_pages,
    tools::{Caller, list},
    vault::reading::{MAX_READ_BYTES, PagePart},
};
use inklings_domain::{
    agent_telemetry::{ActionType, TargetType},
    client::{Capability, Grants, Sight},
    conversation::Conversation,
    ids::{MemoryId, PageId},
    lens::{Lens, Withheld},
    orientation::{ItemId, Layer, LeftOut, shown::SeenKind},
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryScope, Place},
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{
    agent_telemetry::ActionFilter,
    model::chat::ToolCall,
    orientation::ReadFilter,
    testing::{builders::author, clock::CountingTokens},
};
use serde_json::{Value, json};

use crate::support::{World, faults::Faults};

const SALTMERE: &str = "---\ntype: place\naliases: [The Mere]\n---\nA town by the sea.\n\n# History\n\nThe salt tax was \
    raised by Edda in the year of the flood.\n\nNobody paid it.\n\n# Trade\n\nFish and rope.\n";
const QUERY: &str = "who raised the salt tax of Saltmere";

struct Setup {
    world: World,
    session: Arc<Session>,
    clients: Clients,
    client: ClientSession,
    page: PageId,
    memory: MemoryId,
}

/// A workspace with a memory and a page about the salt tax, and a client that reads the workspace.
async fn setup() -> Setup {
    let world = World::new().await;
    let files = [("places/hidden-folder/Saltmere.md", SALTMERE), ("Ropes.md", "Ropes are sold by the yard.")];
    let page = link_pages(&world.session, "Private Vault", &files).await[0];
    let memory = world.write(Place::Workspace, "The salt tax of Saltmere is hated.").await;
    world.embed().await;
    let session = Arc::new(Session::new(
        world.session.account.clone(),
        world.session.workspace.clone(),
        world.clock.clone(),
        Arc::clone(&world.session.ids),
        world.session.embedder.clone(),
    ));
    let clients = Clients {
        store: Arc::clone(&session.account.clients),
        token_generator: Arc::new(CountingTokens::default()),
        clock: world.clock.clone(),
        ids: Arc::clone(&session.ids),
    };
    let (client, _) = clients.add("Scribe", session.workspace.workspace.id).await.expect("added");
    let client = ClientSession::new(Arc::clone(&session), clients.clone(), client.id);
    Setup { world, session, clients, client, page, memory }
}

impl Setup {
    async fn grant(&self, change: impl FnOnce(&mut Grants)) {
        let mut grants = Grants::default();
        grants.capabilities.insert(Capability::ReadPages);
        change(&mut grants);
        self.clients.grant(self.client.id(), &grants).await.expect("granted");
    }

    async fn searched(&self) -> Vec<FoundNote> {
        self.client.search(Within::default(), QUERY, 10).await.expect("read")
    }

    async fn knower(&self) -> Lens {
        let subjects = self.world.session.subjects();
        let made = subjects.add("Toma", "character", "", author()).await.expect("a subject");
        Lens { knower: Some(made.id()), at: None }
    }

    async fn orient(&self, lens: Lens) -> Oriented {
        let lens = self.world.session.lenses().resolve(lens).await.expect("resolved");
        let request = OrientRequest {
            query: ConversationQuery::Next(QUERY.to_owned()),
            lens,
            ..OrientRequest::default()
        };
        self.world.session.orientations().orient(request).await.expect("oriented")
    }
}

async fn tool(session: &Session, conversation: &Conversation, name: &str, arguments: Value) -> String {
    let run = Actor::new(ActorKind::Agent, Interface::Window, Some(session.ids.run_id())).expect("admitted");
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.to_string() };
    session.turns().run_tool(conversation, &call, &[], run).await.0
}

fn pages(found: &[FoundNote]) -> Vec<PageId> {
    let page = |note: &FoundNote| match note {
        FoundNote::Page(page) => Some(page.id),
        FoundNote::Memory(_) => None,
    };
    found.iter().filter_map(page).collect()
}

#[tokio::test]
async fn a_client_reads_pages_only_if_the_worldbuilder_says_so() {
    let setup = setup().await;
    let offers_pages = |grants: &Grants| {
        let tools = list(Caller::Client(grants));
        tools.iter().any(|tool| tool.schema["properties"].get("page").is_some())
    };
    assert!(pages(&setup.searched().await).is_empty() && !offers_pages(&Grants::default()));
    let denied = setup.client.page(setup.page, PagePart::default()).await;
    assert!(matches!(denied, Err(AppError::Denied(Denied::Capability(Capability::ReadPages)))));
    setup.grant(|_| {}).await;
    let found = setup.searched().await;
    assert!(found.iter().any(|note| note.memory().is_some_and(|noted| noted.entry.id == setup.memory)));
    let FoundNote::Page(page) = found.iter().find(|note| note.memory().is_none()).expect("a page") else {
        panic!("no page")
    };
    assert_eq!((page.id, page.title.as_str(), page.heading.as_str()), (setup.page, "Saltmere", "History"));
    assert!(page.text.starts_with("The salt tax was raised by Edda") && page.has_more);
    let whole = setup.client.page(setup.page, PagePart::default()).await.expect("read");
    assert_eq!((whole.kind.as_deref(), whole.next), (Some("place"), None));
    assert_eq!(whole.headings, ["History", "Trade"]);
    let trade = PagePart { heading: Some("trade"), from: 0 };
    let trade = setup.client.page(setup.page, trade).await.expect("read");
    assert_eq!(trade.text, "# Trade\n\nFish and rope.");
    // No path of the vault, or in it, leaves.
    let shown = format!("{found:?} {whole:?}");
    assert!(!shown.contains("hidden-folder") && !shown.contains("Private Vault"));
    let reads = setup.session.orientations();
    let filter = ReadFilter { client: Some(setup.client.id()), ..ReadFilter::default() };
    let (reads, _) = reads.shown_reads(filter, None, 9).await.expect("read");
    let seen = |n: usize| reads[n].showing.items.iter().any(|seen| seen.kind == SeenKind::Page);
    assert!(seen(0) && seen(1) && seen(2) && !seen(3), "{reads:?}");
}

#[tokio::test]
async fn a_page_belongs_to_the_workspace_tier_and_a_lens_shows_none() {
    let setup = setup().await;
    setup
        .grant(|grants| {
            grants.tiers.workspace.read = false;
            grants.tiers.account.read = true;
        })
        .await;
    assert!(pages(&setup.searched().await).is_empty());
    let denied = setup.client.page(setup.page, PagePart::default()).await;
    assert!(matches!(denied, Err(AppError::Denied(Denied::Tier { tier: MemoryScope::Workspace, .. }))));
    let lens = setup.knower().await;
    setup.grant(|grants| grants.sight = Sight::of(lens)).await;
    assert!(pages(&setup.searched().await).is_empty());
    let denied = setup.client.page(setup.page, PagePart::default()).await;
    assert!(matches!(denied, Err(AppError::Denied(Denied::Capability(Capability::ReadPages)))));
    let oriented = setup.client.orient(QUERY, None, None).await.expect("oriented");
    assert!(oriented.orientation.items.iter().all(|item| item.layer != Layer::Pages));
}

#[tokio::test]
async fn the_world_agent_finds_and_opens_pages_unless_its_conversation_has_a_lens() {
    let setup = setup().await;
    let session = &setup.world.session;
    let open = setup.world.conversation().await;
    let found = tool(session, &open, "memory_search", json!({ "query": QUERY })).await;
    assert!(found.contains("raised by Edda") && found.contains(&setup.page.to_string()), "{found}");
    let arguments = json!({ "page": setup.page.to_string(), "heading": "History" });
    let read = tool(session, &open, "memory_get", arguments.clone()).await;
    let read: Value = serde_json::from_str(&read).expect("JSON");
    assert_eq!((&read["title"], &read["heading"]), (&json!("Saltmere"), &json!("History")));
    assert!(
        read["written_by_the_worldbuilder"].as_str().is_some_and(|text| text.ends_with("Nobody paid it."))
    );
    assert!(!format!("{found}{read}").contains("hidden-folder"));
    session.agent_telemetry().flush().await;
    let (rows, _) =
        session.agent_telemetry().actions(ActionFilter::default(), None, 9).await.expect("telemetry");
    let row = rows.iter().find(|row| row.action.action == ActionType::MemoryGet).expect("a row");
    assert_eq!(row.action.target.kind, TargetType::Page);
    assert_eq!(row.action.target.id, Some(*setup.page.as_uuid()));
    // Reads go on while memory is off.
    session.switch().set_enabled(false).await.expect("switched off");
    assert!(
        tool(session, &open, "memory_search", json!({ "query": QUERY })).await.contains("raised by Edda")
    );
    let lens = setup.knower().await;
    let bound = session.conversations().set_lens(open.id, lens).await.expect("bound");
    for (name, arguments) in [("memory_search", json!({ "query": QUERY })), ("memory_get", arguments)] {
        let answer = tool(session, &bound, name, arguments).await;
        assert!(!answer.contains("Edda"), "{name}: {answer}");
    }
}

#[tokio::test]
async fn a_long_page_is_read_in_parts_that_join_to_the_whole() {
    let world = World::new().await;
    let lines: Vec<String> = (0..4_000).map(|n| format!("Zeile {n} über das Salz.\n\n")).collect();
    let text = lines.concat();
    let page = link_pages(&world.session, "Notes", &[("Long.md", &text)]).await[0];
    let filter = inklings_ports::vault::filter::PageFilter::through(None);
    let (mut joined, mut from) = (String::new(), Some(0));
    while let Some(next) = from {
        let part = PagePart { heading: None, from: next };
        let read = world.session.vaults().read(&filter, page, part).await.expect("read");
        assert!(read.text.len() <= MAX_READ_BYTES);
        joined.push_str(&read.text);
        from = read.next;
    }
    assert_eq!(joined, text);
}

#[tokio::test]
async fn an_orientation_has_a_layer_of_pages_that_answers_why() {
    let setup = setup().await;
    let oriented = setup.orient(Lens::NONE).await;
    let line = format!(
        "- From the worldbuilder's page \"Saltmere\" > History [page {}]: The salt tax was raised by Edda",
        setup.page
    );
    assert!(oriented.markdown.contains(&line), "{}", oriented.markdown);
    assert!(oriented.took(ItemId::Page(setup.page)));
    let orientations = setup.world.session.orientations();
    orientations.record(&oriented, None).await;
    let recorded = oriented.orientation.id;
    let stored = orientations.get(recorded).await.expect("kept");
    assert!(
        stored.items.iter().any(|item| item.id == ItemId::Page(setup.page) && item.layer == Layer::Pages)
    );
    let why = orientations.why_page_recorded(recorded, setup.page).await.expect("an answer");
    assert!(why.recorded && matches!(why.ruling, Ruling::Taken(_)));
    assert!(matches!(why.item, WhyItem::Page(row) if row.id == setup.page));
    let none = setup.client.orient(QUERY, None, None).await.expect("oriented");
    assert!(none.orientation.items.iter().all(|item| item.layer != Layer::Pages));
    setup.grant(|_| {}).await;
    let some = setup.client.orient(QUERY, None, None).await.expect("oriented");
    assert!(some.took(ItemId::Page(setup.page)));
}

#[tokio::test]
async fn the_ledger_says_why_a_page_was_left_out() {
    let setup = setup().await;
    let orientations = setup.world.session.orientations();
    let lens = setup.knower().await;
    let through = setup.orient(lens).await;
    assert!(!through.markdown.contains("Edda"));
    let withheld = Some(LeftOut::Withheld(Withheld::Unknown));
    let of_page = through.orientation.items.iter().find(|item| item.id == ItemId::Page(setup.page));
    assert_eq!(of_page.map(|item| item.left_out), Some(withheld));
    let ask = async |query: &str, budget, lens: Lens| {
        let lens = setup.world.session.lenses().resolve(lens).await.expect("resolved");
        let request = OrientRequest {
            query: ConversationQuery::Next(query.to_owned()),
            budget,
            without_lens: lens.is_none(),
            lens,
            ..OrientRequest::default()
        };
        orientations.why_page(request, setup.page).await.expect("an answer")
    };
    assert_eq!(ask(QUERY, None, lens).await.ruling, Ruling::LeftOut(LeftOut::Withheld(Withheld::Unknown)));
    assert_eq!(ask(QUERY, Some(20), Lens::NONE).await.ruling, Ruling::LeftOut(LeftOut::Budget));
    setup.world.session.embedder.set(None);
    assert_eq!(ask("zzz unheard", None, Lens::NONE).await.ruling, Ruling::NoMatch);
    let unknown = orientations.why_page(OrientRequest::default(), setup.session.ids.page_id()).await;
    assert!(matches!(unknown, Err(AppError::NotFound { what: "page", .. })));
}

#[tokio::test]
async fn pages_that_cannot_be_read_are_left_out_and_delay_no_orientation() {
    let mut world = World::new().await;
    link_pages(&world.session, "Notes", &[("Saltmere.md", SALTMERE)]).await;
    let faults = Faults::of_workspace(&mut world.session);
    faults.fail("vaults");
    let request =
        OrientRequest { query: ConversationQuery::Next(QUERY.to_owned()), ..OrientRequest::default() };
    let oriented = world.session.orientations().orient(request).await.expect("oriented");
    let failed: Vec<Layer> =
        Layer::ALL.iter().copied().filter(|layer| oriented.document.layers.get(*layer).failed).collect();
    assert_eq!(failed, [Layer::Pages]);
}

#[tokio::test]
async fn an_orientation_without_vaults_asks_the_store_of_pages_once() {
    let mut world = World::new().await;
    let faults = Faults::of_workspace(&mut world.session);
    let of_pages = |calls: Vec<&'static str>| {
        calls.into_iter().filter(|call| matches!(*call, "vaults" | "pages")).count()
    };
    let request = |query: &str| OrientRequest {
        query: ConversationQuery::Next(query.to_owned()),
        ..OrientRequest::default()
    };
    world.session.orientations().orient(request(QUERY)).await.expect("oriented");
    assert_eq!(of_pages(faults.take_calls()), 1);
    // No page is read without a query, nor through a lens.
    world.session.orientations().orient(request(" ")).await.expect("oriented");
    assert_eq!(of_pages(faults.take_calls()), 0);
}
