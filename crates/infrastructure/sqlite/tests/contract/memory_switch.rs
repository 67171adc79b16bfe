//! The memory switch: what a store refuses while it is off, and what it remembers of that time.

use inklings_domain::{
    conversation::message::Delivery,
    fact::FactSource,
    ids::MessageId,
    memory::{
        MemoryEntry,
        change_set::{Action, ChangeSet, MemoryWrite},
        switch::MemorySwitch,
    },
    proposal::ProposalKind,
    provenance::Actor,
    scope::Place,
};
use inklings_ports::{
    conversation::transcript_store::KEEP_ONLY_SUMMARIES,
    memory::store::MemoryStore,
    store_error::StoreError,
    testing::builders::{agent, author, change, draft, import, new_text, task},
    workspace::settings::MEMORY_ENABLED,
};

use super::{CheckedStage, Stage, refused};

async fn switch(stage: &Stage, on: bool) {
    stage.configure(MEMORY_ENABLED, if on { "true" } else { "false" }).await;
}

fn off(set: ChangeSet) -> ChangeSet {
    ChangeSet { switch: MemorySwitch::Off, ..set }
}

/// Changes of every kind that an agent or a task could make of an entry of its own.
fn changes(stage: &Stage, actor: Actor, entry: &MemoryEntry) -> Vec<ChangeSet> {
    let scribe = &stage.scribe;
    let (created, _) = scribe.create(actor, [draft(entry.place, "A new note.")]);
    let (edited, after) = scribe.edit(actor, entry, new_text("Another text."));
    let mut sets = vec![created];
    for action in Action::ALL {
        if *action != Action::Forget {
            let stamp = scribe.stamp(actor);
            let next = MemoryEntry { change: stamp.change, updated_at: stamp.at, ..after.clone() };
            sets.push(change(stamp, *action, [MemoryWrite::Update(next)]));
        }
    }
    sets.push(edited);
    sets
}

/// Neither as the change says nor as the database knows it; forgetting goes on, and so do the worldbuilder's own hands.
#[tokio::test]
async fn while_memory_is_off_agents_and_tasks_change_nothing() {
    let stage = CheckedStage::new().await;
    for actor in [agent(), task()] {
        switch(&stage, true).await;
        let entry = stage.write_one(actor, draft(Place::Workspace, "A note of an agent.")).await;
        for set in changes(&stage, actor, &entry) {
            refused!(stage.store().commit(&off(set)).await, StoreError::MemoryOff);
        }
        switch(&stage, false).await;
        for set in changes(&stage, actor, &entry) {
            refused!(stage.store().commit(&set).await, StoreError::MemoryOff);
        }
        assert_eq!(stage.read(entry.id).await.entry, entry);
        stage.apply(stage.scribe.forget(actor, &entry)).await;
    }
    for actor in [author(), import()] {
        let (set, _) = stage.scribe.create(actor, [draft(Place::Workspace, "The worldbuilder's own.")]);
        stage.commit(&off(set)).await;
    }
    switch(&stage, true).await;
    stage.write_one(agent(), draft(Place::Workspace, "It goes on from here.")).await;
}

/// The account's file learns from the change how the switch stands where it comes from, and keeps nothing of that.
#[tokio::test]
async fn while_memory_is_off_the_account_accepts_nothing_from_agents() {
    let stage = CheckedStage::new().await;
    let account: &dyn MemoryStore = stage.account.memory.store.as_ref();
    for actor in [agent(), task()] {
        let (set, entries) = stage.scribe.create(actor, [draft(Place::Account, "Prefers short answers.")]);
        account.commit(&set).await.expect("memory is on");
        for set in changes(&stage, actor, &entries[0]) {
            refused!(account.commit(&off(set)).await, StoreError::MemoryOff);
        }
        let (forgotten, _) = stage.scribe.forget(actor, &entries[0]);
        account.commit(&off(forgotten)).await.expect("forgetting goes on");
    }
    for actor in [author(), import()] {
        let (set, _) = stage.scribe.create(actor, [draft(Place::Account, "The worldbuilder's own.")]);
        account.commit(&off(set)).await.expect("their own hand writes");
    }
    let (set, _) = stage.scribe.create(agent(), [draft(Place::Account, "Works at night.")]);
    account.commit(&set).await.expect("another workspace's memory is on");
}

/// Proposals of either database, facts and claims of agents; the author's own facts go on.
#[tokio::test]
async fn while_memory_is_off_nothing_is_proposed_or_stated() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "The gate is iron.")).await;
    let (set, own) = stage.scribe.create(author(), [draft(Place::Account, "Prefers short answers.")]);
    stage.account.memory.store.commit(&set).await.expect("committed");
    let facts = stage.workspace.facts.as_ref();
    let standing = stage.scribe.fact("gate", "metal", "iron", FactSource::User);
    facts.put_fact(&standing, FactSource::User, None).await.expect("a fact");
    let agent_fact = stage.scribe.fact("gate", "guard", "Edda", FactSource::Agent);
    facts.put_fact(&agent_fact, FactSource::Agent, None).await.expect("an agent's fact");

    switch(&stage, false).await;
    let about = |entry| stage.scribe.proposal(ProposalKind::Retire, &[entry], None);
    let here = &stage.workspace.memory.proposals;
    refused!(here.file(&about(&entry), MemorySwitch::On).await, StoreError::MemoryOff);
    refused!(here.file(&about(&entry), MemorySwitch::Off).await, StoreError::MemoryOff);
    let there = &stage.account.memory.proposals;
    refused!(there.file(&about(&own[0]), MemorySwitch::Off).await, StoreError::MemoryOff);
    assert!(there.file(&about(&own[0]), MemorySwitch::On).await.expect("another workspace's memory is on"));
    for (ports, place) in [(here, Place::Workspace), (there, Place::Account)] {
        let new = stage.scribe.proposal_of_new(draft(place, "Wants letters."));
        refused!(ports.file(&new, MemorySwitch::Off).await, StoreError::MemoryOff);
    }

    let new = stage.scribe.fact("gate", "height", "tall", FactSource::Agent);
    refused!(facts.put_fact(&new, FactSource::Agent, None).await, StoreError::MemoryOff);
    let next = stage.scribe.next_value(&agent_fact, "Knut", FactSource::Agent);
    refused!(facts.put_fact(&next, FactSource::Agent, None).await, StoreError::MemoryOff);
    let claim = stage.scribe.claim(&standing, "bronze");
    refused!(facts.add_claim(&claim).await, StoreError::MemoryOff);
    let mine = stage.scribe.next_value(&standing, "steel", FactSource::User);
    facts.put_fact(&mine, FactSource::User, None).await.expect("the author's own word");
    assert_eq!(here.count_open().await.expect("counted"), 0);
}

/// No archive and no episode, whoever asks.
#[tokio::test]
async fn while_memory_is_off_nothing_is_summarised() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    switch(&stage, false).await;
    let transcript = &stage.workspace.transcript;
    let episode = stage.scribe.episode(stage.conversation.id, &messages[..2]);
    refused!(transcript.fold(&episode, false).await, StoreError::MemoryOff);
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 2);
    refused!(transcript.compact(stage.conversation.id, &archive, &marker, None).await, StoreError::MemoryOff);
    switch(&stage, true).await;
    transcript.fold(&episode, false).await.expect("what was said while it was on");
    transcript.compact(stage.conversation.id, &archive, &marker, None).await.expect("compacted");
}

/// Nor is it deleted where summaries alone are kept: none stands for it.
#[tokio::test]
async fn messages_sent_while_memory_is_off_are_never_summarised() {
    let stage = CheckedStage::new().await;
    let transcript = &stage.workspace.transcript;
    let before = stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    let answer = stage.scribe.arriving();
    stage.say(&stage.conversation, std::slice::from_ref(&answer)).await;
    switch(&stage, false).await;
    let at = stage.scribe.clock.tick();
    let more = transcript.deliver(answer.id, "It goes on.", None, Delivery::Complete, at).await;
    assert!(more.expect("delivered"));
    let unheard = stage.add_texts(&stage.conversation, &["Three.", "Four."]).await;
    switch(&stage, true).await;
    stage.add_texts(&stage.conversation, &["Five.", "Six."]).await;

    let mut off: Vec<MessageId> = transcript.off_record(stage.conversation.id).await.expect("read");
    off.sort_unstable();
    let mut expected = vec![answer.id, unheard[0].id(), unheard[1].id()];
    expected.sort_unstable();
    assert_eq!(off, expected);
    assert_eq!(transcript.off_record(stage.side_conversation.id).await.expect("read"), []);
    for source in [&unheard[..], &[before[0].clone(), unheard[0].clone()]] {
        let episode = stage.scribe.episode(stage.conversation.id, source);
        refused!(transcript.fold(&episode, false).await, StoreError::Refused(_));
    }
    stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 6);
    transcript.compact(stage.conversation.id, &archive, &marker, Some(6)).await.expect("compacted");
    let left: Vec<u64> = stage.transcript(&stage.conversation).await.iter().map(|m| m.position).collect();
    assert_eq!(left, [3, 4, 5, 7, 8]);
}

/// It is never worked up, also when memory is on again; what ends then is.
#[tokio::test]
async fn conversations_that_end_while_memory_is_off_are_never_extracted() {
    let stage = CheckedStage::new().await;
    let (rooms, runs) = (&stage.workspace.conversations, &stage.workspace.runs);
    switch(&stage, false).await;
    let idle = stage.conversation.idle(stage.scribe.clock.tick()).expect("it may end");
    rooms.update_conversation(&idle, stage.conversation.status).await.expect("it ends");
    assert_eq!(runs.pending_persists(None, 9).await.expect("read"), []);
    switch(&stage, true).await;
    assert_eq!(runs.pending_persists(None, 9).await.expect("read"), []);
    let side = stage.side_conversation.idle(stage.scribe.clock.tick()).expect("it may end");
    rooms.update_conversation(&side, stage.side_conversation.status).await.expect("it ends");
    let waiting: Vec<_> =
        runs.pending_persists(None, 9).await.expect("read").iter().map(|p| p.conversation).collect();
    assert_eq!(waiting, [side.id]);
}
