//! The promises of clients, kept on SQLite.

mod branches;
mod derivable;
mod grants;
mod laundering;
mod merged;
mod pages;
mod places;
mod strategy;

use std::sync::Arc;

use inklings_application::{
    agent_write::remember::Remembered,
    client::*,
    error::{AppError, Denied, GuardRefusal, Passage},
    proposal::Proposed,
    subject::NamedLinks,
};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian},
    client::{
        Capability, Client, Grants, TierGrant, Verb,
        write::{Stays, WriteKind},
    },
    fact::Assertion,
    ids::{MemoryId, WorkspaceId},
    memory::{InvalidMemory, MemoryPatch, filter::ScopeFilter},
    proposal::{Decision, ProposalKind},
    provenance::{Actor, ActorKind, Curator, Interface},
    scope::{MemoryScope, PerTier, Place},
};
use inklings_ports::{
    client::write_store::Reversal,
    testing::{
        builders::{agent, author, draft},
        clock::CountingTokens,
    },
};

use crate::support::World;

const ALL: TierGrant = TierGrant { read: true, write: true };

struct Setup {
    world: Arc<World>,
    clients: Clients,
}

/// A session that is shared, on the same stores as its world.
async fn setup() -> (Setup, ClientSession, Client) {
    let world = Arc::new(World::new().await);
    let session = Arc::new(inklings_application::session::Session::new(
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
    let (client, _) = clients.add("Editor", session.workspace.workspace.id).await.expect("added");
    let client_session = ClientSession::new(session, clients.clone(), client.id);
    (Setup { world, clients }, client_session, client)
}

async fn grant(setup: &Setup, client_session: &ClientSession, change: impl FnOnce(&mut Grants)) {
    let mut grants = Grants::NOTHING;
    change(&mut grants);
    setup.clients.grant(client_session.id(), &grants).await.expect("granted");
}

fn at(tier: MemoryScope) -> Where<'static> {
    Where { tier, channel: None, conversation: None }
}

fn within(tier: MemoryScope) -> Within<'static> {
    Within { tier: Some(tier), ..Within::default() }
}

fn note(text: &str) -> NewNote<'static> {
    NewNote {
        content: text.to_owned(),
        importance: None,
        tags: Vec::new(),
        links: NamedLinks::default(),
        sources: Vec::new(),
    }
}

fn patch(text: &str) -> MemoryPatch {
    MemoryPatch { content: Some(text.to_owned()), ..MemoryPatch::default() }
}

#[tokio::test]
async fn a_new_client_reads_the_workspace_and_is_refused_everything_else() {
    let (setup, client_session, _) = setup().await;
    let id = setup.world.write(Place::Workspace, "The gate is iron.").await;
    assert_eq!(
        client_session.search(within(MemoryScope::Workspace), "gate", 5).await.expect("read").len(),
        1
    );
    for tier in [MemoryScope::Account, MemoryScope::Channel, MemoryScope::Conversation] {
        let refused = client_session.search(within(tier), "gate", 5).await;
        assert!(matches!(refused, Err(AppError::Denied(Denied::Tier { verb: Verb::Read, .. }))), "{tier}");
    }
    let refused = client_session.put(at(MemoryScope::Workspace), note("A new thing is here.")).await;
    assert!(matches!(refused, Err(AppError::Denied(Denied::Tier { verb: Verb::Write, .. }))));
    assert!(matches!(client_session.forget(id, "x").await, Err(AppError::Denied(_))));
    assert!(matches!(client_session.set_fact("a", "b", "c", None).await, Err(AppError::Denied(_))));
    assert!(matches!(
        client_session.switch_memory(false).await,
        Err(AppError::Denied(Denied::Capability(_)))
    ));
    let refused = client_session.propose(ProposalKind::Retire, &[id], None, "old").await;
    assert!(matches!(refused, Err(AppError::Denied(Denied::Capability(Capability::Propose)))));
}

#[tokio::test]
async fn entries_a_client_may_not_read_give_the_same_error_as_missing_entries() {
    let (setup, client_session, _) = setup().await;
    let secret = setup.world.write(Place::Account, "Prefers short answers.").await;
    let nothing = MemoryId::from_uuid(uuid::Uuid::from_u128(4));
    for id in [secret, nothing] {
        assert!(matches!(client_session.entry(id).await, Err(AppError::NoMemory(given)) if given == id));
        assert!(matches!(client_session.history(id).await, Err(AppError::NoMemory(given)) if given == id));
    }
    let conversation = setup.world.conversation().await;
    grant(&setup, &client_session, |grants| grants.tiers = PerTier::from_fn(|_| ALL)).await;
    let hidden = client_session.transcript(Some(&conversation.ref_code.to_string()), None, 5).await;
    let unknown = client_session.transcript(Some("AAAAAAAAAA"), None, 5).await;
    let (Err(hidden), Err(unknown)) = (hidden, unknown) else { panic!("both are refused") };
    assert_eq!(hidden.to_string(), unknown.to_string());
}

#[tokio::test]
async fn a_client_reaches_only_channels_and_conversations_it_takes_part_in() {
    let (setup, client_session, _) = setup().await;
    let conversation = setup.world.conversation().await;
    grant(&setup, &client_session, |grants| {
        grants.tiers.conversation = ALL;
        grants.tiers.channel = ALL;
        grants.channels.insert(conversation.channel_id);
        grants.conversations.insert(conversation.id);
    })
    .await;
    let code = conversation.ref_code.to_string();
    client_session.say(Some(&code), "I have looked at the gate.").await.expect("said");
    let (_, page) = client_session.transcript(Some(&code), None, 5).await.expect("read");
    assert_eq!(page.messages.len(), 1);
    assert_eq!(page.messages[0].body.role, inklings_domain::conversation::message::Role::Assistant);
    client_session.write_note(Some(&code), "plan", "{\"a\":1}", None).await.expect("written");
    assert_eq!(client_session.notes(Some(&code)).await.expect("listed").len(), 1);
    assert_eq!(client_session.conversations(None, 5).await.expect("listed").len(), 1);
    let put = client_session
        .put(at(MemoryScope::Channel), note("The channel is about the gate."))
        .await
        .expect("put");
    let put = put.written().expect("a write");
    assert_eq!(
        client_session.search(within(MemoryScope::Channel), "gate", 5).await.expect("read")[0]
            .memory()
            .expect("a memory")
            .entry
            .id,
        put.id()
    );
    assert!(matches!(
        client_session.search(within(MemoryScope::Workspace), "gate", 5).await,
        Err(AppError::Denied(_))
    ));
}

#[tokio::test]
async fn guards_compare_only_with_entries_the_client_may_read() {
    let (setup, client_session, _) = setup().await;
    setup.world.write(Place::Account, "Prefers short answers.").await;
    grant(&setup, &client_session, |grants| grants.tiers.workspace = ALL).await;
    let place = at(MemoryScope::Workspace);
    client_session
        .put(place, note("Prefers short answers."))
        .await
        .expect("the account is not compared with");
    let again = client_session.put(place, note("Prefers short answers.")).await;
    assert!(matches!(again, Err(AppError::Guard(GuardRefusal::Noted(..)))));
}

#[tokio::test]
async fn a_client_can_only_propose_changes_to_entries_of_the_worldbuilder() {
    let (setup, client_session, _) = setup().await;
    let id = setup.world.write(Place::Workspace, "The gate is iron.").await;
    grant(&setup, &client_session, |grants| {
        grants.tiers.workspace = ALL;
        grants.capabilities.insert(Capability::Propose);
    })
    .await;
    let refused = client_session.update(id, None, patch("The gate is oak."), &[]).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    let content = Some("The gate is oak.".to_owned());
    let filed =
        client_session.propose(ProposalKind::Edit, &[id], content.clone(), "seen").await.expect("filed");
    assert!(matches!(filed, Proposed::Filed(_)));
    let again = client_session.propose(ProposalKind::Edit, &[id], content, "seen").await.expect("known");
    assert_eq!(again, Proposed::Before);
}

#[tokio::test]
async fn undoing_a_client_undoes_all_its_entries_in_one_action() {
    let (setup, client_session, client) = setup().await;
    let shared = setup.world.remember(draft(Place::Workspace, "The moat is dry."), agent()).await;
    let other = setup.world.remember(draft(Place::Workspace, "The tower leans."), agent()).await;
    grant(&setup, &client_session, |grants| {
        grants.tiers.workspace = ALL;
        grants.capabilities.insert(Capability::Propose);
    })
    .await;
    let made = client_session
        .put(at(MemoryScope::Workspace), note("The bridge is new."))
        .await
        .expect("put")
        .written()
        .expect("a write")
        .id();
    client_session.update(shared, None, patch("The moat is full."), &[]).await.expect("updated");
    client_session.forget(other, "gone").await.expect("forgotten");
    let second = client_session
        .put(at(MemoryScope::Workspace), note("A well is in the yard."))
        .await
        .expect("put")
        .written()
        .expect("a write")
        .id();
    let change = MemoryPatch { content: Some("The well is deep.".into()), ..MemoryPatch::default() };
    setup.world.session.memories().edit(second, 1, change, author()).await.expect("the worldbuilder edits");
    client_session.propose(ProposalKind::Retire, &[shared], None, "stale").await.expect("filed");
    assert_eq!(
        setup.world.session.client_writes().changes_of_client(client.id).await.expect("listed").len(),
        4
    );

    let undone = setup.world.session.client_writes().undo_client(client.id, author()).await.expect("undone");
    assert_eq!((undone.restored, undone.proposals), (3, 1));
    assert_eq!(undone.conflicts.iter().map(|entry| entry.id).collect::<Vec<_>>(), [second]);
    assert!(!setup.world.entry(made).await.is_active());
    assert_eq!(setup.world.entry(shared).await.content, "The moat is dry.");
    assert!(setup.world.entry(other).await.is_active());
    assert!(matches!(
        setup.world.session.client_writes().undo_client(client.id, agent()).await,
        Err(AppError::Memory(InvalidMemory::Locked))
    ));
}

/// The world as far as a client may write in it, apart from memory.
async fn what_is_not_memory(setup: &Setup, code: &str) -> impl PartialEq + std::fmt::Debug + use<> {
    let session = &setup.world.session;
    let conversation = session.conversations().get(code).await.expect("it is there");
    let facts = session.facts().list(None, None, 99).await.expect("read").rows;
    let facts: Vec<_> = facts
        .into_iter()
        .map(|known| (known.fact.id, known.fact.value, known.fact.source, known.claims))
        .collect();
    let message = session
        .transcripts()
        .page(conversation.id, inklings_ports::conversation::transcript_store::MessageRange::Newest, 99)
        .await;
    let notes = session.scratchpad().list(conversation.id).await.expect("read");
    let enabled = session.switch().enabled().await.expect("read");
    (conversation.active_at, facts, message.expect("read").messages, notes, enabled)
}

/// A client that may write everything in a conversation, in which somebody else wrote before.
async fn client_with_every_grant() -> (Setup, ClientSession, Client, String) {
    let (setup, client_session, client) = setup().await;
    let conversation = setup.world.conversation().await;
    let session = &setup.world.session;
    setup
        .world
        .say(&conversation, inklings_domain::conversation::message::Role::User, "What is the gate made of?")
        .await;
    session.facts().set("gate", "metal", "iron", None, agent()).await.expect("set");
    session.facts().set("gate", "height", "two men", None, author()).await.expect("set");
    session.scratchpad().write(conversation.id, "plan", "[1]", None).await.expect("written");
    session.scratchpad().write(conversation.id, "old", "true", None).await.expect("written");
    grant(&setup, &client_session, |grants| {
        grants.tiers = PerTier::from_fn(|_| ALL);
        grants.channels.insert(conversation.channel_id);
        grants.conversations.insert(conversation.id);
        grants.capabilities.insert(Capability::MemorySwitch);
    })
    .await;
    (setup, client_session, client, conversation.ref_code.to_string())
}

async fn writes_everything(setup: &Setup, client_session: &ClientSession, code: &str) {
    for value in ["bronze", "tin"] {
        client_session.set_fact("gate", "metal", value, None).await.expect("set");
    }
    client_session.set_fact("moat", "depth", "a spear", None).await.expect("set");
    assert!(client_session.set_fact("gate", "height", "three men", None).await.expect("set").claimed);
    setup.world.clock.tick();
    client_session.say(Some(code), "It is of tin.").await.expect("said");
    client_session.write_note(Some(code), "plan", "[1,2]", None).await.expect("written");
    client_session.write_note(Some(code), "plan", "[1,2,3]", Some(900)).await.expect("written");
    client_session.write_note(Some(code), "mine", "{}", None).await.expect("written");
    assert_eq!(client_session.clear_notes(Some(code), Some("old")).await.expect("cleared"), 1);
    client_session.switch_memory(false).await.expect("switched");
    client_session.switch_memory(false).await.expect("switched off already");
}

#[tokio::test]
async fn undoing_a_client_lists_and_undoes_its_facts_messages_notes_and_switch_changes() {
    let (setup, client_session, client, code) = client_with_every_grant().await;
    let before = what_is_not_memory(&setup, &code).await;
    writes_everything(&setup, &client_session, &code).await;
    let session = &setup.world.session;
    let listed = session.client_writes().changes_of_client(client.id).await.expect("listed");
    assert_eq!(listed.len(), 10);
    assert!(listed.iter().all(ClientChange::stands));
    assert!(matches!(
        session.client_writes().undo_client(client.id, agent()).await,
        Err(AppError::Memory(_))
    ));

    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    assert_eq!(undone.not_undone, []);
    assert_eq!((undone.facts, undone.messages, undone.notes, undone.settings), (4, 1, 4, 1));
    assert_eq!(what_is_not_memory(&setup, &code).await, before);
    let listed = session.client_writes().changes_of_client(client.id).await.expect("listed");
    assert!(listed.len() == 10 && !listed.iter().any(ClientChange::stands));
    let again = session.client_writes().undo_client(client.id, author()).await.expect("nothing is left");
    assert_eq!(again.writes, WritesUndone::default());
    // It is free to write again.
    assert!(!client_session.set_fact("moat", "depth", "an oar", None).await.expect("set").claimed);
}

#[tokio::test]
async fn an_interrupted_undo_is_finished_by_the_next_one() {
    let (setup, client_session, client, code) = client_with_every_grant().await;
    let before = what_is_not_memory(&setup, &code).await;
    writes_everything(&setup, &client_session, &code).await;
    let session = &setup.world.session;
    // The newest write is taken back, as if the process had been killed behind it.
    let writes = session.workspace.client_writes.writes_of(client.id).await.expect("read");
    let last = writes.last().expect("a write").sequence;
    let reversal =
        Reversal::Setting { key: "memory.enabled".into(), stands: "false".into(), becomes: "true".into() };
    let taken_back =
        session.workspace.client_writes.take_back(last, &reversal, setup.world.clock.tick()).await;
    taken_back.expect("taken back");
    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    assert_eq!((undone.facts, undone.messages, undone.notes, undone.settings), (4, 1, 4, 0));
    assert_eq!(what_is_not_memory(&setup, &code).await, before);
}

#[tokio::test]
async fn later_changes_by_others_to_a_clients_writes_stay_and_are_reported() {
    let (setup, client_session, client, code) = client_with_every_grant().await;
    writes_everything(&setup, &client_session, &code).await;
    let session = &setup.world.session;
    let conversation = session.conversations().get(&code).await.expect("it is there");
    setup.world.say(&conversation, inklings_domain::conversation::message::Role::User, "Are you sure?").await;
    let loud = client_session.say(Some(&code), "I am.").await.expect("said");
    session.transcripts().set_importance(loud.id(), 0.9).await.expect("raised");
    session.facts().set("gate", "metal", "gold", None, author()).await.expect("set");
    let claims = session.facts().list(Some("gate"), None, 9).await.expect("read").rows.remove(0).claims;
    session.facts().settle_claim(claims[0].id, true, author()).await.expect("accepted");
    session.scratchpad().write(conversation.id, "mine", "[\"theirs\"]", None).await.expect("written");

    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    let mut kept: Vec<(WriteKind, Stays)> =
        undone.not_undone.iter().map(|kept| (kept.write.wrote.kind(), kept.why)).collect();
    kept.sort();
    assert_eq!(
        kept,
        [
            (WriteKind::Fact, Stays::Changed),
            (WriteKind::Fact, Stays::Changed),
            (WriteKind::Claim, Stays::Accepted),
            (WriteKind::Message, Stays::Changed),
            (WriteKind::Note, Stays::Changed),
        ]
    );
    assert_eq!((undone.facts, undone.messages, undone.answered, undone.notes), (1, 1, 1, 3));
    let facts = session.facts().list(Some("gate"), None, 9).await.expect("read").rows;
    let values: Vec<&str> = facts.iter().map(|known| known.fact.value.as_str()).collect();
    assert_eq!(values, ["three men", "gold"]);
}

/// The value and the time before come back, except where another fact took the time.
#[tokio::test]
async fn undoing_a_client_gives_facts_their_earlier_time_unless_it_is_taken() {
    let (setup, client_session, client, _) = client_with_every_grant().await;
    let session = &setup.world.session;
    let calendar = Calendar::new(gregorian()).expect("valid");
    session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let span = async |text: &str| {
        session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("dates")
    };
    for (key, value) in [("king", "Aldous"), ("queen", "Bera")] {
        client_session.set_fact("Ambry", key, value, None).await.expect("set");
    }
    let by_client = Actor::new(ActorKind::Agent, Interface::Mcp, Some(client.id.run())).expect("admitted");
    let facts = session.facts().list(Some("Ambry"), None, 9).await.expect("read").rows;
    for known in &facts {
        session.facts().set_span(known.fact.id, span("– 812").await, by_client).await.expect("its own");
    }
    client_session.set_fact("Ambry", "king", "Cord", Some("813 –")).await.expect("set");
    let then = async |dates: Option<&str>| -> Vec<(String, Option<String>)> {
        let facts = client_session.facts("Ambry", Some("king"), dates).await.expect("read");
        facts.facts.into_iter().map(|noted| (noted.known.fact.value, noted.holds)).collect()
    };
    assert_eq!(then(None).await.len(), 2);
    assert_eq!(then(Some("May, 900")).await, [("Cord".to_owned(), Some("813 Anno Domini –".to_owned()))]);
    assert!(matches!(client_session.facts("Ambry", None, Some("Ymber")).await, Err(AppError::Input { .. })));
    let egan = Assertion::new("Ambry", "queen", "Egan", None).expect("valid");
    session.facts().assert(egan.holding(Some(span("813 –").await)), author()).await.expect("set");
    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    let left = session.facts().list(Some("Ambry"), None, 9).await.expect("read").rows;
    let left: Vec<_> = left.iter().map(|known| (known.fact.value.as_str(), known.fact.span)).collect();
    assert_eq!(left, [("Bera", span("– 812").await), ("Egan", span("813 –").await)]);
    assert_eq!(undone.facts, 3);
    let stays: Vec<Stays> = undone.not_undone.iter().map(|kept| kept.why).collect();
    assert_eq!(stays, [Stays::Changed, Stays::Changed]);
}

#[tokio::test]
async fn a_clients_message_that_was_summarised_stays_and_is_reported() {
    let (setup, client_session, client, code) = client_with_every_grant().await;
    let messages = client_session.say(Some(&code), "It is of tin.").await.expect("said");
    let session = &setup.world.session;
    let scribe = inklings_ports::testing::builders::Scribe::new(
        Arc::default(),
        Arc::new(inklings_ports::testing::clock::SequentialIds::seeded(99)),
    );
    let episode = scribe.episode(messages.conversation, std::slice::from_ref(&messages));
    session.workspace.transcript.fold(&episode, false).await.expect("folded");
    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    let why: Vec<_> = undone.not_undone.iter().map(|kept| kept.why).collect();
    assert_eq!(why, [Stays::Summarised]);
    assert!(session.transcripts().get(messages.id()).await.is_ok());
}

#[tokio::test]
async fn a_token_authenticates_until_it_is_renewed_or_revoked() {
    let (setup, client_session, client) = setup().await;
    let clients = &setup.clients;
    let (_, generated) = clients.renew_token(client.id).await.expect("renewed");
    let found = clients.of_token(&generated.token).await.expect("read").expect("known");
    assert_eq!(found.id, client.id);
    for wrong in ["", "x", &generated.token[1..], &generated.token.to_uppercase(), &"f".repeat(64)] {
        let known = wrong == generated.token;
        assert_eq!(clients.of_token(wrong).await.expect("read").is_some(), known, "{wrong}");
    }
    clients.revoke(client.id).await.expect("revoked");
    assert_eq!(clients.of_token(&generated.token).await.expect("read"), None);
    assert!(matches!(client_session.named_entries().await, Err(AppError::Denied(Denied::Revoked))));
    let (_, again) = clients.renew_token(client.id).await.expect("renewed");
    assert!(clients.of_token(&generated.token).await.expect("read").is_none());
    assert!(clients.of_token(&again.token).await.expect("read").is_some());
}

#[tokio::test]
async fn a_stdio_client_is_created_once_and_stays_with_its_workspace() {
    let (setup, _, _) = setup().await;
    let workspace = setup.world.session.workspace.workspace.id;
    let one = setup.clients.stdio_client("stdio", workspace).await.expect("made");
    assert_eq!(setup.clients.stdio_client("STDIO", workspace).await.expect("known").id, one.id);
    assert_eq!(one.grants, Grants::default());
    let elsewhere = WorkspaceId::from_uuid(uuid::Uuid::from_u128(1));
    assert!(matches!(setup.clients.stdio_client("stdio", elsewhere).await, Err(AppError::Input { .. })));
    setup.clients.revoke(one.id).await.expect("revoked");
    assert!(matches!(
        setup.clients.stdio_client("stdio", workspace).await,
        Err(AppError::Denied(Denied::Revoked))
    ));
}

#[tokio::test]
async fn orientation_shows_a_client_only_what_it_may_read() {
    let (setup, client_session, _) = setup().await;
    setup.world.write(Place::Workspace, "The gate is iron.").await;
    setup.world.write(Place::Account, "Prefers short answers about a gate.").await;
    let shown = client_session.orient("gate", None, None).await.expect("oriented");
    assert!(shown.markdown.contains("iron") && !shown.markdown.contains("Prefers"));
    grant(&setup, &client_session, |grants| grants.tiers.account.read = true).await;
    let shown = client_session.orient("gate", None, None).await.expect("oriented");
    assert!(!shown.markdown.contains("iron") && shown.markdown.contains("Prefers"));
    grant(&setup, &client_session, |_| {}).await;
    assert!(matches!(client_session.orient("gate", None, None).await, Err(AppError::Denied(_))));
}

#[tokio::test]
async fn no_write_of_a_client_stores_a_derivable_text() {
    let (setup, client_session, _) = setup().await;
    grant(&setup, &client_session, |grants| {
        grants.tiers = PerTier::from_fn(|_| ALL);
        grants.capabilities = [Capability::Propose].into();
    })
    .await;
    let session = &setup.world.session;
    let known = setup.world.write(Place::Workspace, "The gate of Veyra is made of iron.").await;
    let own = setup.world.write(Place::Workspace, "Edda keeps the keys.").await;
    session.facts().set("Mira", "age", "34", None, author()).await.expect("a fact");
    let mine = client_session
        .put(at(MemoryScope::Workspace), note("The lamp burns at night."))
        .await
        .expect("noted")
        .written()
        .expect("a write")
        .id();
    for (text, refusal) in [
        ("The gate of Veyra is made of iron", GuardRefusal::Noted(known, Passage::default())),
        ("Mira's age is 34.", GuardRefusal::Fact(Passage::default())),
    ] {
        let put = client_session.put(at(MemoryScope::Workspace), note(text)).await.map(|_| ());
        let updated = client_session.update(mine, None, patch(text), &[]).await.map(|_| ());
        let content = Some(text.to_owned());
        let proposed =
            client_session.propose(ProposalKind::Edit, &[own], content, "better").await.map(|_| ());
        for way in [put, updated, proposed] {
            assert!(
                matches!(&way, Err(AppError::Guard(why)) if why.to_string() == refusal.to_string()),
                "'{text}': {way:?}"
            );
        }
    }
    assert!(client_session.update(mine, None, patch("The lamp burns all night."), &[]).await.is_ok());
}

/// A sentence for the account that may be about a world as well as about the worldbuilder.
const DOUBTFUL: &str = "Wants every chapter of a war to open with a letter from a soldier.";

#[tokio::test]
async fn a_doubtful_sentence_for_the_account_is_proposed_and_undone_with_the_client() {
    let (setup, client_session, client) = setup().await;
    grant(&setup, &client_session, |grants| grants.tiers = PerTier::from_fn(|_| ALL)).await;
    let session = &setup.world.session;
    let place = at(MemoryScope::Account);
    let mut filed = Vec::new();
    for more in ["", " Never with a map.", " Prefers the siege first."] {
        let put = client_session.put(place, note(&format!("{DOUBTFUL}{more}"))).await.expect("proposed");
        let Remembered::Proposed(Proposed::Filed(id)) = put else { panic!("{put:?}") };
        filed.push(id);
    }
    let again = client_session.put(place, note(DOUBTFUL)).await.expect("known");
    assert_eq!(again, Remembered::Proposed(Proposed::Before));
    assert!(
        client_session.search(within(MemoryScope::Account), "", 9).await.expect("read").is_empty(),
        "nothing is written"
    );
    let own = client_session.put(place, note("Prefers short answers.")).await.expect("written");
    let own = own.written().expect("what is plainly about the worldbuilder").id();

    session.proposals().decide(filed[0], Decision::Accept, author()).await.expect("accepted");
    let text = Decision::AcceptEdited("Likes letters at the start of a chapter.".into());
    session.proposals().decide(filed[1], text, author()).await.expect("accepted");
    let proposals = session.proposals();
    let made = |n: usize| proposals.get(filed[n]);
    let (taken, reworded) = (made(0).await.expect("there"), made(1).await.expect("there"));
    let id_of =
        |proposal: &inklings_domain::proposal::Proposal| proposal.makes.as_ref().expect("an entry").id;
    let taken = setup.world.entry(id_of(&taken)).await;
    assert_eq!((taken.place, taken.curator), (Place::Account, Curator::Agent));
    assert!(taken.holds_words_of(client.id) && taken.source == client.name);
    let reworded = setup.world.entry(id_of(&reworded)).await;
    assert_eq!(reworded.curator, Curator::Author, "who writes another text makes it theirs");
    assert!(reworded.holds_words_of(client.id));

    let doubtful = patch(&format!("{DOUBTFUL} Keep it short."));
    let updated = client_session.update(own, None, doubtful, &[]).await.expect("proposed");
    let Remembered::Proposed(Proposed::Filed(edit)) = updated else { panic!("{updated:?}") };
    assert_eq!(session.proposals().get(edit).await.expect("there").kind, ProposalKind::Edit);
    assert_eq!(setup.world.entry(own).await.content, "Prefers short answers.");

    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone");
    assert_eq!(undone.proposals, 2, "one of a new memory and one of a change wait no longer");
    for entry in [taken.id, reworded.id, own] {
        assert!(!setup.world.entry(entry).await.is_active(), "{entry}");
    }
    assert_eq!(session.proposals().count_open().await.expect("counted"), 0);
}
