//! The promises of clients, kept on SQLite.

mod laundering;

use std::sync::Arc;

use inklings_application::{
    client::*,
    error::AppError,
    proposal::Proposed,
    remember::{GuardRefusal, Remembered},
    testing::{
        builders::{agent, author, draft},
        clock::CountingMint,
    },
};
use inklings_domain::{
    client::{Capability, Client, Grants, TierGrant, Verb},
    client_write::{Stays, WriteKind},
    ids::{MemoryId, WorkspaceId},
    memory::{InvalidMemory, MemoryPatch},
    proposal::{Decision, ProposalKind},
    provenance::Curator,
    scope::{MemoryScope, PerTier, Place},
};

use crate::support::World;

const ALL: TierGrant = TierGrant { read: true, write: true };

struct Door {
    world: Arc<World>,
    clients: Clients,
}

/// A session that is shared, on the same stores as its world.
async fn door() -> (Door, Guest, Client) {
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
        mint: Arc::new(CountingMint::default()),
        clock: world.clock.clone(),
        ids: Arc::clone(&session.ids),
    };
    let (client, _) = clients.add("Editor", session.workspace.workspace.id).await.expect("added");
    let guest = Guest::new(session, clients.clone(), client.id);
    (Door { world, clients }, guest, client)
}

async fn grant(door: &Door, guest: &Guest, change: impl FnOnce(&mut Grants)) {
    let mut grants = Grants::NOTHING;
    change(&mut grants);
    door.clients.grant(guest.id(), &grants).await.expect("granted");
}

fn at(tier: MemoryScope) -> Where<'static> {
    Where { tier, room: None }
}

fn note(text: &str) -> NewNote {
    NewNote { content: text.to_owned(), importance: None, tags: Vec::new() }
}

fn patch(text: &str) -> MemoryPatch {
    MemoryPatch { content: Some(text.to_owned()), ..MemoryPatch::default() }
}

#[tokio::test]
async fn a_new_client_reads_the_workspace_and_is_refused_everything_else() {
    let (door, guest, _) = door().await;
    let id = door.world.write(Place::Workspace, "The gate is iron.").await;
    assert_eq!(guest.read(at(MemoryScope::Workspace), "gate", 5).await.expect("read").len(), 1);
    for tier in [MemoryScope::Account, MemoryScope::Channel, MemoryScope::Conversation] {
        let refused = guest.read(at(tier), "gate", 5).await;
        assert!(matches!(refused, Err(AppError::Denied(Denied::Tier { verb: Verb::Read, .. }))), "{tier}");
    }
    let refused = guest.put(at(MemoryScope::Workspace), note("A new thing is here.")).await;
    assert!(matches!(refused, Err(AppError::Denied(Denied::Tier { verb: Verb::Write, .. }))));
    assert!(matches!(guest.forget(id, "x").await, Err(AppError::Denied(_))));
    assert!(matches!(guest.set_fact("a", "b", "c").await, Err(AppError::Denied(_))));
    assert!(matches!(guest.switch_memory(false).await, Err(AppError::Denied(Denied::Capability(_)))));
    let refused = guest.propose(ProposalKind::Retire, &[id], None, "old").await;
    assert!(matches!(refused, Err(AppError::Denied(Denied::Capability(Capability::Propose)))));
}

#[tokio::test]
async fn what_a_client_may_not_read_is_as_unknown_as_what_is_not_there() {
    let (door, guest, _) = door().await;
    let secret = door.world.write(Place::Account, "Prefers short answers.").await;
    let nothing = MemoryId::from_uuid(uuid::Uuid::from_u128(4));
    for id in [secret, nothing] {
        assert!(matches!(guest.entry(id).await, Err(AppError::NoMemory(given)) if given == id));
        assert!(matches!(guest.history(id).await, Err(AppError::NoMemory(given)) if given == id));
    }
    let talk = door.world.conversation().await;
    grant(&door, &guest, |grants| grants.tiers = PerTier::from_fn(|_| ALL)).await;
    let hidden = guest.transcript(&talk.ref_code.to_string(), None, 5).await;
    let unknown = guest.transcript("AAAAAAAAAA", None, 5).await;
    let (Err(hidden), Err(unknown)) = (hidden, unknown) else { panic!("both are refused") };
    assert_eq!(hidden.to_string(), unknown.to_string());
}

#[tokio::test]
async fn rooms_open_where_the_client_takes_part() {
    let (door, guest, _) = door().await;
    let talk = door.world.conversation().await;
    grant(&door, &guest, |grants| {
        grants.tiers.conversation = ALL;
        grants.tiers.channel = ALL;
        grants.channels.insert(talk.channel_id);
        grants.conversations.insert(talk.id);
    })
    .await;
    let code = talk.ref_code.to_string();
    guest.say(&code, "I have looked at the gate.").await.expect("said");
    let (_, page) = guest.transcript(&code, None, 5).await.expect("read");
    assert_eq!(page.messages.len(), 1);
    assert_eq!(page.messages[0].body.role, inklings_domain::message::Role::Assistant);
    guest.write_note(&code, "plan", "{\"a\":1}", None).await.expect("written");
    assert_eq!(guest.notes(&code).await.expect("listed").len(), 1);
    assert_eq!(guest.talks(None, 5).await.expect("listed").len(), 1);
    let put = guest.put(at(MemoryScope::Channel), note("The channel is about the gate.")).await.expect("put");
    let put = put.written().expect("a write");
    assert_eq!(guest.read(at(MemoryScope::Channel), "gate", 5).await.expect("read")[0].entry.id, put.ids[0]);
    assert!(matches!(guest.read(at(MemoryScope::Workspace), "gate", 5).await, Err(AppError::Denied(_))));
}

#[tokio::test]
async fn guards_compare_with_what_the_client_may_read_and_tell_of_nothing_else() {
    let (door, guest, _) = door().await;
    door.world.write(Place::Account, "Prefers short answers.").await;
    grant(&door, &guest, |grants| grants.tiers.workspace = ALL).await;
    let place = at(MemoryScope::Workspace);
    guest.put(place, note("Prefers short answers.")).await.expect("the account is not compared with");
    let again = guest.put(place, note("Prefers short answers.")).await;
    assert!(matches!(again, Err(AppError::Guard(GuardRefusal::Noted(_)))));
}

#[tokio::test]
async fn what_belongs_to_the_worldbuilder_can_be_proposed_but_not_changed() {
    let (door, guest, _) = door().await;
    let id = door.world.write(Place::Workspace, "The gate is iron.").await;
    grant(&door, &guest, |grants| {
        grants.tiers.workspace = ALL;
        grants.capabilities.insert(Capability::Propose);
    })
    .await;
    let refused = guest.update(id, None, patch("The gate is oak.")).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    let content = Some("The gate is oak.".to_owned());
    let filed = guest.propose(ProposalKind::Edit, &[id], content.clone(), "seen").await.expect("filed");
    assert!(matches!(filed, Proposed::Filed(_)));
    let again = guest.propose(ProposalKind::Edit, &[id], content, "seen").await.expect("known");
    assert_eq!(again, Proposed::Before);
}

#[tokio::test]
async fn everything_a_client_wrote_is_taken_back_in_one_action() {
    let (door, guest, client) = door().await;
    let shared = door.world.remember(draft(Place::Workspace, "The moat is dry."), agent()).await;
    let other = door.world.remember(draft(Place::Workspace, "The tower leans."), agent()).await;
    grant(&door, &guest, |grants| {
        grants.tiers.workspace = ALL;
        grants.capabilities.insert(Capability::Propose);
    })
    .await;
    let made = guest
        .put(at(MemoryScope::Workspace), note("The bridge is new."))
        .await
        .expect("put")
        .written()
        .expect("a write")
        .ids[0];
    guest.update(shared, None, patch("The moat is full.")).await.expect("updated");
    guest.forget(other, "gone").await.expect("forgotten");
    let second = guest
        .put(at(MemoryScope::Workspace), note("A well is in the yard."))
        .await
        .expect("put")
        .written()
        .expect("a write")
        .ids[0];
    let change = MemoryPatch { content: Some("The well is deep.".into()), ..MemoryPatch::default() };
    door.world.session.edit_memory(second, 1, change, author()).await.expect("the worldbuilder edits");
    guest.propose(ProposalKind::Retire, &[shared], None, "stale").await.expect("filed");
    assert_eq!(door.world.session.changes_of_client(client.id).await.expect("listed").len(), 4);

    let undone = door.world.session.undo_client(client.id, author()).await.expect("undone");
    assert_eq!((undone.restored, undone.proposals), (3, 1));
    assert_eq!(undone.conflicts.iter().map(|entry| entry.id).collect::<Vec<_>>(), [second]);
    assert!(!door.world.entry(made).await.is_active());
    assert_eq!(door.world.entry(shared).await.content, "The moat is dry.");
    assert!(door.world.entry(other).await.is_active());
    assert!(matches!(
        door.world.session.undo_client(client.id, agent()).await,
        Err(AppError::Memory(InvalidMemory::Locked))
    ));
}

/// The world as far as a client may write in it, apart from memory.
async fn beside_memory(door: &Door, code: &str) -> impl PartialEq + std::fmt::Debug + use<> {
    let session = &door.world.session;
    let talk = session.conversation(code).await.expect("it is there");
    let facts = session.facts(None, None, 99).await.expect("read").rows;
    let facts: Vec<_> = facts
        .into_iter()
        .map(|known| (known.fact.id, known.fact.value, known.fact.source, known.claims))
        .collect();
    let said =
        session.messages(talk.id, inklings_application::ports::transcript_store::Stretch::Newest, 99).await;
    let notes = session.list_scratchpad(talk.id).await.expect("read");
    let enabled = session.memory_enabled().await.expect("read");
    (talk.active_at, facts, said.expect("read").messages, notes, enabled)
}

/// A client that may write everything in a conversation, in which somebody else wrote before.
async fn wide_door() -> (Door, Guest, Client, String) {
    let (door, guest, client) = door().await;
    let talk = door.world.conversation().await;
    let session = &door.world.session;
    door.world.say(&talk, inklings_domain::message::Role::User, "What is the gate made of?").await;
    session.set_fact("gate", "metal", "iron", None, agent()).await.expect("set");
    session.set_fact("gate", "height", "two men", None, author()).await.expect("set");
    session.write_scratchpad(talk.id, "plan", "[1]", None).await.expect("written");
    session.write_scratchpad(talk.id, "old", "true", None).await.expect("written");
    grant(&door, &guest, |grants| {
        grants.tiers = PerTier::from_fn(|_| ALL);
        grants.channels.insert(talk.channel_id);
        grants.conversations.insert(talk.id);
        grants.capabilities.insert(Capability::MemorySwitch);
    })
    .await;
    (door, guest, client, talk.ref_code.to_string())
}

async fn writes_everything(door: &Door, guest: &Guest, code: &str) {
    for value in ["bronze", "tin"] {
        guest.set_fact("gate", "metal", value).await.expect("set");
    }
    guest.set_fact("moat", "depth", "a spear").await.expect("set");
    assert!(guest.set_fact("gate", "height", "three men").await.expect("set").claimed);
    door.world.clock.tick();
    guest.say(code, "It is of tin.").await.expect("said");
    guest.write_note(code, "plan", "[1,2]", None).await.expect("written");
    guest.write_note(code, "plan", "[1,2,3]", Some(900)).await.expect("written");
    guest.write_note(code, "mine", "{}", None).await.expect("written");
    assert_eq!(guest.clear_notes(code, Some("old")).await.expect("cleared"), 1);
    guest.switch_memory(false).await.expect("switched");
    guest.switch_memory(false).await.expect("switched off already");
}

#[tokio::test]
async fn facts_messages_notes_and_the_switch_are_listed_and_taken_back_too() {
    let (door, guest, client, code) = wide_door().await;
    let before = beside_memory(&door, &code).await;
    writes_everything(&door, &guest, &code).await;
    let session = &door.world.session;
    let listed = session.changes_of_client(client.id).await.expect("listed");
    assert_eq!(listed.len(), 10);
    assert!(listed.iter().all(ClientChange::stands));
    assert!(matches!(session.undo_client(client.id, agent()).await, Err(AppError::Memory(_))));

    let undone = session.undo_client(client.id, author()).await.expect("undone").writes;
    assert_eq!(undone.kept, []);
    assert_eq!((undone.facts, undone.messages, undone.notes, undone.settings), (4, 1, 4, 1));
    assert_eq!(beside_memory(&door, &code).await, before);
    let listed = session.changes_of_client(client.id).await.expect("listed");
    assert!(listed.len() == 10 && !listed.iter().any(ClientChange::stands));
    let again = session.undo_client(client.id, author()).await.expect("nothing is left");
    assert_eq!(again.writes, WritesUndone::default());
    // It is free to write again.
    assert!(!guest.set_fact("moat", "depth", "an oar").await.expect("set").claimed);
}

#[tokio::test]
async fn an_undo_that_was_cut_off_is_finished_by_another() {
    let (door, guest, client, code) = wide_door().await;
    let before = beside_memory(&door, &code).await;
    writes_everything(&door, &guest, &code).await;
    let session = &door.world.session;
    // The newest write is taken back, as if the process had been killed behind it.
    let writes = session.workspace.client_writes.writes_of(client.id).await.expect("read");
    let last = writes.last().expect("a write").sequence;
    let reversal = inklings_application::ports::client_write_store::Reversal::Setting {
        key: "memory.enabled".into(),
        stands: "false".into(),
        becomes: "true".into(),
    };
    let taken_back =
        session.workspace.client_writes.take_back(last, &reversal, door.world.clock.tick()).await;
    taken_back.expect("taken back");
    let undone = session.undo_client(client.id, author()).await.expect("undone").writes;
    assert_eq!((undone.facts, undone.messages, undone.notes, undone.settings), (4, 1, 4, 0));
    assert_eq!(beside_memory(&door, &code).await, before);
}

#[tokio::test]
async fn what_somebody_else_made_of_a_clients_writes_stays_and_is_shown() {
    let (door, guest, client, code) = wide_door().await;
    writes_everything(&door, &guest, &code).await;
    let session = &door.world.session;
    let talk = session.conversation(&code).await.expect("it is there");
    door.world.say(&talk, inklings_domain::message::Role::User, "Are you sure?").await;
    let loud = guest.say(&code, "I am.").await.expect("said");
    session.set_message_importance(loud.id(), 0.9).await.expect("raised");
    session.set_fact("gate", "metal", "gold", None, author()).await.expect("set");
    let claims = session.facts(Some("gate"), None, 9).await.expect("read").rows.remove(0).claims;
    session.settle_claim(claims[0].id, true, author()).await.expect("accepted");
    session.write_scratchpad(talk.id, "mine", "[\"theirs\"]", None).await.expect("written");

    let undone = session.undo_client(client.id, author()).await.expect("undone").writes;
    let mut kept: Vec<(WriteKind, Stays)> =
        undone.kept.iter().map(|kept| (kept.write.wrote.kind(), kept.why)).collect();
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
    let facts = session.facts(Some("gate"), None, 9).await.expect("read").rows;
    let values: Vec<&str> = facts.iter().map(|known| known.fact.value.as_str()).collect();
    assert_eq!(values, ["three men", "gold"]);
}

#[tokio::test]
async fn a_message_that_was_summed_up_stays_and_says_so() {
    let (door, guest, client, code) = wide_door().await;
    let said = guest.say(&code, "It is of tin.").await.expect("said");
    let session = &door.world.session;
    let scribe = inklings_application::testing::builders::Scribe::new(
        Arc::default(),
        Arc::new(inklings_application::testing::clock::SequentialIds::seeded(99)),
    );
    let episode = scribe.episode(said.conversation, std::slice::from_ref(&said));
    session.workspace.transcript.fold(&episode, false).await.expect("folded");
    let undone = session.undo_client(client.id, author()).await.expect("undone").writes;
    let why: Vec<_> = undone.kept.iter().map(|kept| kept.why).collect();
    assert_eq!(why, [Stays::Summarised]);
    assert!(session.message(said.id()).await.is_ok());
}

#[tokio::test]
async fn a_token_opens_the_door_until_it_is_renewed_or_revoked() {
    let (door, guest, client) = door().await;
    let clients = &door.clients;
    let (_, minted) = clients.renew_token(client.id).await.expect("renewed");
    let found = clients.of_token(&minted.token).await.expect("read").expect("known");
    assert_eq!(found.id, client.id);
    for wrong in ["", "x", &minted.token[1..], &minted.token.to_uppercase(), &"f".repeat(64)] {
        let known = wrong == minted.token;
        assert_eq!(clients.of_token(wrong).await.expect("read").is_some(), known, "{wrong}");
    }
    clients.revoke(client.id).await.expect("revoked");
    assert_eq!(clients.of_token(&minted.token).await.expect("read"), None);
    assert!(matches!(guest.named_entries().await, Err(AppError::Denied(Denied::Revoked))));
    let (_, again) = clients.renew_token(client.id).await.expect("renewed");
    assert!(clients.of_token(&minted.token).await.expect("read").is_none());
    assert!(clients.of_token(&again.token).await.expect("read").is_some());
}

#[tokio::test]
async fn a_client_of_standard_input_is_made_once_and_stays_with_its_workspace() {
    let (door, _, _) = door().await;
    let workspace = door.world.session.workspace.workspace.id;
    let one = door.clients.at_the_door("stdio", workspace).await.expect("made");
    assert_eq!(door.clients.at_the_door("STDIO", workspace).await.expect("known").id, one.id);
    assert_eq!(one.grants, Grants::default());
    let elsewhere = WorkspaceId::from_uuid(uuid::Uuid::from_u128(1));
    assert!(matches!(door.clients.at_the_door("stdio", elsewhere).await, Err(AppError::Input { .. })));
    door.clients.revoke(one.id).await.expect("revoked");
    assert!(matches!(
        door.clients.at_the_door("stdio", workspace).await,
        Err(AppError::Denied(Denied::Revoked))
    ));
}

#[tokio::test]
async fn orientation_shows_a_client_only_what_it_may_read() {
    let (door, guest, _) = door().await;
    door.world.write(Place::Workspace, "The gate is iron.").await;
    door.world.write(Place::Account, "Prefers short answers about a gate.").await;
    let shown = guest.orient("gate", None, None).await.expect("oriented");
    assert!(shown.markdown.contains("iron") && !shown.markdown.contains("Prefers"));
    grant(&door, &guest, |grants| grants.tiers.account.read = true).await;
    let shown = guest.orient("gate", None, None).await.expect("oriented");
    assert!(!shown.markdown.contains("iron") && shown.markdown.contains("Prefers"));
    grant(&door, &guest, |_| {}).await;
    assert!(matches!(guest.orient("gate", None, None).await, Err(AppError::Denied(_))));
}

#[tokio::test]
async fn no_way_of_a_client_puts_into_memory_what_it_can_read_elsewhere() {
    let (door, guest, _) = door().await;
    grant(&door, &guest, |grants| {
        grants.tiers = PerTier::from_fn(|_| ALL);
        grants.capabilities = [Capability::Propose].into();
    })
    .await;
    let session = &door.world.session;
    let known = door.world.write(Place::Workspace, "The gate of Veyra is made of iron.").await;
    let own = door.world.write(Place::Workspace, "Edda keeps the keys.").await;
    session.set_fact("Mira", "age", "34", None, author()).await.expect("a fact");
    let mine = guest
        .put(at(MemoryScope::Workspace), note("The lamp burns at night."))
        .await
        .expect("noted")
        .written()
        .expect("a write")
        .ids[0];
    for (text, refusal) in [
        ("The gate of Veyra is made of iron", GuardRefusal::Noted(known)),
        ("Mira's age is 34.", GuardRefusal::Fact),
    ] {
        let put = guest.put(at(MemoryScope::Workspace), note(text)).await.map(|_| ());
        let updated = guest.update(mine, None, patch(text)).await.map(|_| ());
        let content = Some(text.to_owned());
        let proposed = guest.propose(ProposalKind::Edit, &[own], content, "better").await.map(|_| ());
        for way in [put, updated, proposed] {
            assert!(matches!(&way, Err(AppError::Guard(why)) if *why == refusal), "'{text}': {way:?}");
        }
    }
    assert!(guest.update(mine, None, patch("The lamp burns all night.")).await.is_ok());
}

/// A sentence for the account that may be about a world as well as about the worldbuilder.
const DOUBTFUL: &str = "Wants every chapter of a war to open with a letter from a soldier.";

#[tokio::test]
async fn a_doubtful_sentence_for_the_account_is_proposed_and_undone_with_the_client() {
    let (door, guest, client) = door().await;
    grant(&door, &guest, |grants| grants.tiers = PerTier::from_fn(|_| ALL)).await;
    let session = &door.world.session;
    let place = at(MemoryScope::Account);
    let mut filed = Vec::new();
    for more in ["", " Never with a map.", " Prefers the siege first."] {
        let put = guest.put(place, note(&format!("{DOUBTFUL}{more}"))).await.expect("proposed");
        let Remembered::Proposed(Proposed::Filed(id)) = put else { panic!("{put:?}") };
        filed.push(id);
    }
    let again = guest.put(place, note(DOUBTFUL)).await.expect("known");
    assert_eq!(again, Remembered::Proposed(Proposed::Before));
    assert!(guest.read(place, "", 9).await.expect("read").is_empty(), "nothing is written");
    let own = guest.put(place, note("Prefers short answers.")).await.expect("written");
    let own = own.written().expect("what is plainly about the worldbuilder").ids[0];

    session.decide(filed[0], Decision::Accept, author()).await.expect("accepted");
    let text = Decision::AcceptEdited("Likes letters at the start of a chapter.".into());
    session.decide(filed[1], text, author()).await.expect("accepted");
    let made = |n: usize| session.proposal(filed[n]);
    let (taken, reworded) = (made(0).await.expect("there"), made(1).await.expect("there"));
    let id_of =
        |proposal: &inklings_domain::proposal::Proposal| proposal.makes.as_ref().expect("an entry").id;
    let taken = door.world.entry(id_of(&taken)).await;
    assert_eq!((taken.place, taken.curator), (Place::Account, Curator::Agent));
    assert!(taken.holds_words_of(client.id) && taken.source == client.name);
    let reworded = door.world.entry(id_of(&reworded)).await;
    assert_eq!(reworded.curator, Curator::Author, "who writes another text makes it theirs");
    assert!(reworded.holds_words_of(client.id));

    let doubtful = patch(&format!("{DOUBTFUL} Keep it short."));
    let updated = guest.update(own, None, doubtful).await.expect("proposed");
    let Remembered::Proposed(Proposed::Filed(edit)) = updated else { panic!("{updated:?}") };
    assert_eq!(session.proposal(edit).await.expect("there").kind, ProposalKind::Edit);
    assert_eq!(door.world.entry(own).await.content, "Prefers short answers.");

    let undone = session.undo_client(client.id, author()).await.expect("undone");
    assert_eq!(undone.proposals, 2, "one of a new memory and one of a change wait no longer");
    for entry in [taken.id, reworded.id, own] {
        assert!(!door.world.entry(entry).await.is_active(), "{entry}");
    }
    assert_eq!(session.count_open_proposals().await.expect("counted"), 0);
}

/// Two entries of the client and one of the World Agent, told in one text.
async fn told_in_one(door: &Door, guest: &Guest) -> ([MemoryId; 3], MemoryId) {
    use inklings_domain::provenance::{Actor, Door as Way, Hand};
    let client = Actor::new(Hand::Agent, Way::Mcp, Some(guest.id().run())).expect("a client");
    let gate =
        "At night the old harbour gate of Veyra under the northern tower is shut with a heavy iron bar";
    let mut ids = Vec::new();
    for (more, actor) in
        [("", client), (" since the smugglers came", client), (" and lanterns burn there", agent())]
    {
        let lifetime = inklings_domain::scope::MemoryLifetime::ShortTerm;
        let draft = inklings_domain::memory::MemoryDraft {
            lifetime,
            ..draft(Place::Workspace, &format!("{gate}{more}."))
        };
        ids.push(door.world.remember(draft, actor).await);
    }
    door.world.embed().await;
    door.world.clock.tick();
    let (trigger, by) = (inklings_domain::run::RunTrigger::Asked, inklings_domain::provenance::Door::Cli);
    let session = &door.world.session;
    let run = session.consolidate(
        trigger,
        by,
        &inklings_application::testing::laundering::Joined,
        &inklings_application::testing::laundering::Silent,
    );
    assert_eq!(run.await.expect("a run").counts.created, 1);
    let made = door.world.entry(ids[0]).await.consolidated_into.expect("told by another");
    (ids.try_into().expect("three"), made)
}

#[tokio::test]
async fn undoing_a_client_reaches_what_was_made_of_its_words_and_brings_back_what_others_said() {
    let (door, guest, _) = door().await;
    let ([one, two, others], made) = told_in_one(&door, &guest).await;
    let before = door.world.entry(made).await;
    assert!(before.holds_words_of(guest.id()), "a merged text says whose words it holds");
    let undone = door.world.session.undo_client(guest.id(), author()).await.expect("undone");
    assert!(undone.conflicts.is_empty(), "{:?}", undone.conflicts.len());
    for gone in [one, two, made] {
        assert!(!door.world.entry(gone).await.is_active());
    }
    let back = door.world.entry(others).await;
    assert!(back.is_active() && back.consolidated_into.is_none());
    assert_eq!(undone.restored, 4, "the merged text, its two sources, and what the World Agent had noted");
}

#[tokio::test]
async fn undoing_a_client_marks_what_it_took_back_and_is_no_change_for_undo_to_take_back() {
    let (door, guest, _) = door().await;
    let (_, made) = told_in_one(&door, &guest).await;
    let session = &door.world.session;
    let last = session.last_undoable().await.expect("read");
    session.undo_client(guest.id(), author()).await.expect("undone");
    assert_eq!(session.last_undoable().await.expect("read"), last);
    let history = session.workspace.memory.store.history(made).await.expect("read");
    let (undo, merge) = (&history[0].journal, &history[1].journal);
    assert_eq!((undo.undoes, merge.undone_by), (Some(merge.change), Some(undo.change)));
    let reverted = session.revert_run(merge.run.expect("a run"), author()).await.expect("reverted");
    assert_eq!((reverted.restored, reverted.conflicts.len()), (0, 0), "nothing of the merge is left");
}

#[tokio::test]
async fn a_merged_text_that_a_person_changed_since_is_left_and_shown() {
    let (door, guest, _) = door().await;
    let ([_, _, others], made) = told_in_one(&door, &guest).await;
    let session = &door.world.session;
    let pin = MemoryPatch { pinned: Some(true), ..MemoryPatch::default() };
    session.edit_memory(made, 1, pin, author()).await.expect("pinned");
    let undone = session.undo_client(guest.id(), author()).await.expect("undone");
    assert_eq!(undone.conflicts.iter().map(|entry| entry.id).collect::<Vec<_>>(), [made]);
    assert!(door.world.entry(made).await.is_active());
    assert!(!door.world.entry(others).await.is_active());
}

#[tokio::test]
async fn what_consolidation_promoted_is_taken_back_with_its_client() {
    let (door, guest, _) = door().await;
    grant(&door, &guest, |grants| grants.tiers.workspace = ALL).await;
    let new = NewNote { importance: Some(1.0), ..note("The quay keeper is bribed.") };
    let id =
        guest.put(at(MemoryScope::Workspace), new).await.expect("put").written().expect("a write").ids[0];
    for _ in 0..6 {
        guest.read(at(MemoryScope::Workspace), "quay keeper", 5).await.expect("read");
    }
    assert_eq!(door.world.entry(id).await.access_count, 0, "its own reading counts for nothing");
    for _ in 0..6 {
        door.world.session.note_uses([(id, MemoryScope::Workspace)]).await;
    }
    let (trigger, by) = (inklings_domain::run::RunTrigger::Asked, inklings_domain::provenance::Door::Cli);
    let session = &door.world.session;
    let run = session.consolidate(
        trigger,
        by,
        &inklings_application::testing::laundering::Joined,
        &inklings_application::testing::laundering::Silent,
    );
    assert_eq!(run.await.expect("a run").counts.promoted, 1, "others' reading counts");
    let undone = session.undo_client(guest.id(), author()).await.expect("undone");
    assert_eq!((undone.restored, undone.conflicts.len()), (1, 0));
    assert!(!door.world.entry(id).await.is_active());
}
