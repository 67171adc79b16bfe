//! What MCP clients write besides memory: carried out with the row that tells of it, and taken back.

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::{
    client::write::{ClientWrite, NoteMark, WriteKind, Wrote},
    conversation::message::Role,
    fact::{Fact, FactSource},
    ids::ClientId,
    scratchpad::WorkingNote,
};
use inklings_ports::{
    client::write_store::{ClientAct, ClientWriteStore, Reversal},
    clock::Clock,
    store_error::StoreError,
    testing::builders::author,
    workspace::settings::Topic,
};
use uuid::Uuid;

use super::{CheckedStage, Stage, refused};

const KEY: &str = "memory.enabled";

fn client() -> ClientId {
    ClientId::from_uuid(Uuid::from_u128(5))
}

fn store(stage: &Stage) -> &dyn ClientWriteStore {
    stage.workspace.client_writes.as_ref()
}

async fn write(stage: &Stage, act: ClientAct<'_>) -> usize {
    let at = stage.scribe.clock.tick();
    store(stage).write(client(), act, at).await.expect("it is written")
}

async fn stored_writes(stage: &Stage) -> Vec<ClientWrite> {
    store(stage).writes_of(client()).await.expect("writes are read")
}

async fn last(stage: &Stage) -> ClientWrite {
    stored_writes(stage).await.pop().expect("a write")
}

async fn back(stage: &Stage, write: &ClientWrite, reversal: &Reversal) -> Result<(), StoreError> {
    store(stage).take_back(write.sequence, reversal, stage.scribe.clock.tick()).await
}

fn note(stage: &Stage, value: &str, ttl: Option<u32>) -> WorkingNote {
    let now = stage.scribe.clock.tick();
    WorkingNote::write(stage.conversation.id, "plan", value.into(), ttl, now).expect("a valid note")
}

async fn notes(stage: &Stage) -> Vec<WorkingNote> {
    let now = stage.scribe.clock.now();
    stage.workspace.scratchpads.notes(stage.conversation.id, now).await.expect("notes are read")
}

async fn fact(stage: &Stage, fact: &Fact) -> Fact {
    let known = stage.workspace.facts.fact_by_id(fact.id).await.expect("facts are read");
    known.expect("it is there").fact
}

/// One of each kind, as the client whose rows they are kept for.
#[tokio::test]
async fn every_kind_of_client_write_is_applied_and_recorded() {
    let stage = CheckedStage::new().await;
    let new = stage.scribe.fact("Gate", "metal", "iron", FactSource::Agent);
    assert_eq!(write(&stage, ClientAct::Fact(&new)).await, 1);
    assert_eq!(fact(&stage, &new).await, new);
    let claim = stage.scribe.claim(&new, "bronze");
    assert_eq!(write(&stage, ClientAct::Claim(&claim)).await, 1);
    let open = stage.workspace.facts.claim(claim.id).await.expect("claims are read");
    assert_eq!(open.map(|(open, _)| open), Some(claim.clone()));
    let added = stage.scribe.message_of_role(Role::Assistant, "The gate is shut.");
    assert_eq!(write(&stage, ClientAct::Say(stage.conversation.id, &added)).await, 1);
    assert_eq!(stage.transcript(&stage.conversation).await[0].body, added);
    let first = note(&stage, "1", None);
    stage.workspace.scratchpads.write_note(&first).await.expect("a note of somebody else");
    let second = note(&stage, "2", Some(900));
    assert_eq!(write(&stage, ClientAct::Note(&second)).await, 1);
    let stands = WorkingNote { created_at: first.created_at, ..second.clone() };
    assert_eq!(notes(&stage).await, std::slice::from_ref(&stands));
    assert_eq!(write(&stage, ClientAct::ClearNotes(stage.conversation.id, None)).await, 1);
    assert_eq!(notes(&stage).await, []);
    assert_eq!(write(&stage, ClientAct::Setting(KEY, "false")).await, 1);
    assert_eq!(
        stage.workspace.settings.setting(KEY).await.expect("settings are read").as_deref(),
        Some("false")
    );

    let (conversation, key) = (stage.conversation.id, "plan".to_owned());
    let wrote: Vec<Wrote> = stored_writes(&stage).await.into_iter().map(|write| write.wrote).collect();
    assert_eq!(
        wrote,
        [
            Wrote::Fact { fact: new.id, made: 1 },
            Wrote::Claim { claim: claim.id, fact: new.id },
            Wrote::Message { message: added.id, conversation },
            Wrote::Note { conversation, key: key.clone(), made: Some(NoteMark::of(&second)) },
            Wrote::Note { conversation, key, made: None },
            Wrote::Setting { key: KEY.into(), before: None, made: "false".into() },
        ]
    );
    let rows = stored_writes(&stage).await;
    assert!(rows.windows(2).all(|pair| pair[0].sequence < pair[1].sequence && pair[0].at < pair[1].at));
    assert!(rows.iter().all(|write| write.client == client() && write.undone_at.is_none()));
    let before = |n: usize| store(&stage).note_before(rows[n].sequence);
    assert_eq!(before(3).await.expect("read"), Some(first));
    assert_eq!(before(4).await.expect("read"), Some(stands));
    assert_eq!(before(0).await.expect("read"), None);
    let nobody = ClientId::from_uuid(Uuid::from_u128(6));
    assert_eq!(store(&stage).writes_of(nobody).await.expect("read"), []);
}

/// Neither the write nor its row.
#[tokio::test]
async fn a_refused_write_of_a_client_leaves_nothing_behind() {
    let stage = CheckedStage::new().await;
    let own = stage.scribe.fact("Gate", "metal", "iron", FactSource::User);
    stage.workspace.facts.put_fact(&own, FactSource::User, None).await.expect("the author's word");
    let over = stage.scribe.next_value(&own, "bronze", FactSource::Agent);
    let at = stage.scribe.clock.now();
    refused!(store(&stage).write(client(), ClientAct::Fact(&over), at).await, StoreError::Locked(_));
    let skipped = stage.scribe.next_value(&over, "tin", FactSource::User);
    refused!(store(&stage).write(client(), ClientAct::Fact(&skipped), at).await, StoreError::Moved(_));
    let lost = stage.scribe.conversation(stage.general.id);
    let added = stage.scribe.message("Hello?");
    refused!(
        store(&stage).write(client(), ClientAct::Say(lost.id, &added), at).await,
        StoreError::NotFound(_)
    );
    assert_eq!(stored_writes(&stage).await, []);
    assert_eq!(fact(&stage, &own).await, own);
}

/// The same claim, the same setting, no note to remove.
#[tokio::test]
async fn a_client_write_that_changes_nothing_is_not_recorded() {
    let stage = CheckedStage::new().await;
    let own = stage.scribe.fact("Gate", "metal", "iron", FactSource::User);
    stage.workspace.facts.put_fact(&own, FactSource::User, None).await.expect("the author's word");
    let claim = stage.scribe.claim(&own, "bronze");
    stage.workspace.facts.add_claim(&claim).await.expect("a claim of somebody else");
    let again = stage.scribe.claim(&own, "bronze");
    assert_eq!(write(&stage, ClientAct::Claim(&again)).await, 0);
    assert_eq!(write(&stage, ClientAct::ClearNotes(stage.conversation.id, Some("plan"))).await, 0);
    stage.workspace.settings.set_setting(KEY, "false").await.expect("set");
    assert_eq!(write(&stage, ClientAct::Setting(KEY, "false")).await, 0);
    assert_eq!(stored_writes(&stage).await, []);
}

/// What was there before is there again, and the row says when; a second time there is nothing to take back.
#[tokio::test]
async fn every_kind_of_client_write_is_undone_once() {
    let stage = CheckedStage::new().await;
    let active = stage.conversation.active_at;
    let new = stage.scribe.fact("Gate", "metal", "iron", FactSource::Agent);
    write(&stage, ClientAct::Fact(&new)).await;
    let of_fact = last(&stage).await;
    let gone = Fact {
        value: String::new(),
        version: 2,
        updated_at: stage.scribe.clock.tick(),
        removed_at: Some(stage.scribe.clock.now()),
        ..new.clone()
    };
    back(&stage, &of_fact, &Reversal::Fact(gone.clone())).await.expect("taken back");
    assert_eq!(fact(&stage, &new).await, gone);
    let claim = stage.scribe.claim(&new, "bronze");
    write(&stage, ClientAct::Claim(&claim)).await;
    assert!(!store(&stage).was_accepted(claim.id).await.expect("read"));
    back(&stage, &last(&stage).await, &Reversal::Reject(claim.id)).await.expect("taken back");
    assert_eq!(stage.workspace.facts.claim(claim.id).await.expect("read"), None);
    assert!(!store(&stage).was_accepted(claim.id).await.expect("read"));

    let message = stage.scribe.message_of_role(Role::Assistant, "The basilisk sleeps.");
    write(&stage, ClientAct::Say(stage.conversation.id, &message)).await;
    let tick = stage.workspace.transcript.parts(stage.conversation.id).await.expect("read");
    back(&stage, &last(&stage).await, &Reversal::Withdraw(message.id)).await.expect("taken back");
    assert_eq!(stage.transcript(&stage.conversation).await, []);
    assert_ne!(
        stage.workspace.transcript.parts(stage.conversation.id).await.expect("read"),
        tick,
        "copies notice"
    );
    let words = inklings_domain::search::query::parse("basilisk").query;
    let scope_filter = inklings_ports::search::transcript_store::TranscriptFilter::default();
    let found =
        stage.workspace.transcript_search.search_text(&words, &scope_filter, 5).await.expect("searched");
    assert_eq!(found, []);
    let chosen =
        stage.workspace.conversations.conversations(&[stage.conversation.id]).await.expect("read").remove(0);
    assert_eq!(chosen.active_at, active, "its place in the list");
    let next = stage.add_texts(&stage.conversation, &["Go on."]).await;
    assert_eq!(next[0].position, 2, "positions are never used twice");

    let first = note(&stage, "1", Some(900));
    stage.workspace.scratchpads.write_note(&first).await.expect("a note of somebody else");
    write(&stage, ClientAct::Note(&note(&stage, "2", None))).await;
    let of_note = last(&stage).await;
    let Wrote::Note { conversation, key, made } = of_note.wrote.clone() else { panic!("a note") };
    let becomes = Some(first.clone());
    let reversal = Reversal::Note { conversation, key: key.clone(), stands: made, becomes };
    back(&stage, &of_note, &reversal).await.expect("taken back");
    assert_eq!(notes(&stage).await, std::slice::from_ref(&first));
    assert_eq!(store(&stage).note_before(of_note.sequence).await.expect("read"), None, "it is let go of");
    let stands = Some(NoteMark::of(&first));
    write(&stage, ClientAct::Setting(KEY, "false")).await;
    let reversal = Reversal::Setting { key: KEY.into(), stands: "false".into(), becomes: "true".into() };
    back(&stage, &last(&stage).await, &reversal).await.expect("taken back");
    let setting = stage.workspace.settings.setting(KEY).await.expect("read");
    assert_eq!(setting.as_deref(), Some("true"));

    assert!(stored_writes(&stage).await.iter().all(|write| write.undone_at.is_some_and(|at| at > write.at)));
    refused!(
        back(&stage, &of_note, &Reversal::Note { conversation, key, stands, becomes: None }).await,
        StoreError::Moved(_)
    );
    assert_eq!(notes(&stage).await, [first]);
}

/// Each reversal says what it expects; if that is no longer so, nothing is changed or marked.
#[tokio::test]
async fn a_client_write_that_was_changed_later_is_not_undone() {
    let stage = CheckedStage::new().await;
    let new = stage.scribe.fact("Gate", "metal", "iron", FactSource::Agent);
    write(&stage, ClientAct::Fact(&new)).await;
    let of_fact = last(&stage).await;
    let theirs = stage.scribe.next_value(&new, "bronze", FactSource::User);
    stage.workspace.facts.put_fact(&theirs, FactSource::User, None).await.expect("the author's word");
    let outdated = stage.scribe.next_value(&new, "tin", FactSource::Agent);
    refused!(back(&stage, &of_fact, &Reversal::Fact(outdated)).await, StoreError::Moved(_));
    assert_eq!(fact(&stage, &new).await, theirs);

    let claim = stage.scribe.claim(&theirs, "gold");
    write(&stage, ClientAct::Claim(&claim)).await;
    let of_claim = last(&stage).await;
    let accepted = stage.scribe.next_value(&theirs, "gold", FactSource::User);
    stage.workspace.facts.put_fact(&accepted, FactSource::User, Some(claim.id)).await.expect("accepted");
    refused!(back(&stage, &of_claim, &Reversal::Reject(claim.id)).await, StoreError::Moved(_));
    assert!(store(&stage).was_accepted(claim.id).await.expect("read"));

    let mine = note(&stage, "1", None);
    write(&stage, ClientAct::Note(&mine)).await;
    let of_note = last(&stage).await;
    let theirs = WorkingNote { created_at: mine.created_at, ..note(&stage, "2", None) };
    stage.workspace.scratchpads.write_note(&theirs).await.expect("written");
    let Wrote::Note { conversation, key, made } = of_note.wrote.clone() else { panic!("a note") };
    let reversal = Reversal::Note { conversation, key, stands: made, becomes: None };
    refused!(back(&stage, &of_note, &reversal).await, StoreError::Moved(_));
    assert_eq!(notes(&stage).await, [theirs]);

    write(&stage, ClientAct::Setting(KEY, "false")).await;
    let of_setting = last(&stage).await;
    stage.workspace.settings.set_setting(KEY, "true").await.expect("set");
    let reversal = Reversal::Setting { key: KEY.into(), stands: "false".into(), becomes: "null".into() };
    refused!(back(&stage, &of_setting, &reversal).await, StoreError::Moved(_));
    assert!(stored_writes(&stage).await.iter().all(|write| write.undone_at.is_none()));
}

/// Neither behind an archive nor when an episode took it up.
#[tokio::test]
async fn a_summarised_message_is_not_withdrawn() {
    let stage = CheckedStage::new().await;
    let added = ["One.", "Two.", "Three."].map(|text| stage.scribe.message_of_role(Role::Assistant, text));
    for message in &added {
        write(&stage, ClientAct::Say(stage.conversation.id, message)).await;
    }
    let transcript = stage.transcript(&stage.conversation).await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 1);
    stage
        .workspace
        .transcript
        .compact(stage.conversation.id, &archive, &marker, None)
        .await
        .expect("compacted");
    let episode = stage.scribe.episode(stage.conversation.id, &transcript[1..2]);
    stage.workspace.transcript.fold(&episode, false).await.expect("folded");
    let rows = stored_writes(&stage).await;
    for (n, is_summarised) in [(0, true), (1, false), (2, false)] {
        let found = store(&stage).is_summarised(added[n].id).await.expect("read");
        assert_eq!(found, is_summarised, "by an archive: {n}");
    }
    for n in [0, 1] {
        refused!(back(&stage, &rows[n], &Reversal::Withdraw(added[n].id)).await, StoreError::Moved(_));
    }
    back(&stage, &rows[2], &Reversal::Withdraw(added[2].id)).await.expect("taken back");
    let left = stage.transcript(&stage.conversation).await;
    assert_eq!(left.iter().map(|message| message.position).collect::<Vec<_>>(), [1, 2, 4]);
    // A forgotten archive stands for nothing.
    stage.apply(stage.scribe.forget(author(), archive.writes[0].entry())).await;
    assert!(!store(&stage).is_summarised(added[0].id).await.expect("read"));
    back(&stage, &rows[0], &Reversal::Withdraw(added[0].id)).await.expect("taken back");
    assert_eq!(rows.iter().filter(|write| write.wrote.kind() == WriteKind::Message).count(), 3);
}

/// A note that was to vanish does not outlive its time among what it was replaced by.
#[tokio::test]
async fn a_replaced_note_is_retained_until_it_expires() {
    let stage = CheckedStage::new().await;
    stage.workspace.scratchpads.write_note(&note(&stage, "1", Some(60))).await.expect("written");
    write(&stage, ClientAct::Note(&note(&stage, "2", None))).await;
    let row = last(&stage).await;
    let before = || store(&stage).note_before(row.sequence);
    assert!(before().await.expect("read").is_some());
    let later: DateTime<Utc> = stage.scribe.clock.now() + TimeDelta::seconds(120);
    let other = WorkingNote::write(stage.side_conversation.id, "x", "1".into(), None, later).expect("a note");
    stage.workspace.scratchpads.write_note(&other).await.expect("written");
    assert!(before().await.expect("read").is_none_or(|note| !note.is_alive(later)));
}

/// What was replaced goes with what replaced it.
#[tokio::test]
async fn writes_of_clients_go_with_their_conversation() {
    let stage = CheckedStage::new().await;
    let message = stage.scribe.message_of_role(Role::Assistant, "One.");
    write(&stage, ClientAct::Say(stage.conversation.id, &message)).await;
    write(&stage, ClientAct::Note(&note(&stage, "2", None))).await;
    write(&stage, ClientAct::Setting(KEY, "false")).await;
    let at = stage.scribe.clock.tick();
    assert!(
        stage.workspace.conversations.delete_conversation(stage.conversation.id, at).await.expect("deleted")
    );
    let kinds: Vec<WriteKind> = stored_writes(&stage).await.iter().map(|write| write.wrote.kind()).collect();
    assert_eq!(kinds, [WriteKind::Setting]);
}

/// Of the transcript; and read anew they are the same.
#[tokio::test]
async fn writes_of_clients_notify_subscribers_and_are_durable() {
    let stage = CheckedStage::new().await;
    stage.memory().feed.poll().await.expect("polled");
    write(&stage, ClientAct::Setting(KEY, "false")).await;
    let changes = stage.memory().feed.poll().await.expect("polled").topics;
    assert!(changes.contains(&Topic::Transcript), "{changes:?}");
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens");
    assert_eq!(other.client_writes.writes_of(client()).await.expect("read"), stored_writes(&stage).await);
}

/// Each message with the client that wrote it; what the worldbuilder said and what was withdrawn is not among them.
#[tokio::test]
async fn messages_written_by_clients_are_identified() {
    let stage = CheckedStage::new().await;
    let by_clients =
        async || store(&stage).messages_of_clients(stage.conversation.id).await.expect("they are read");
    assert_eq!(by_clients().await, []);
    let own = stage.scribe.message_of_role(Role::User, "Hello.");
    stage.workspace.transcript.append(stage.conversation.id, std::slice::from_ref(&own)).await.expect("said");
    let theirs = stage.scribe.message_of_role(Role::Assistant, "I have looked.");
    write(&stage, ClientAct::Say(stage.conversation.id, &theirs)).await;
    assert_eq!(by_clients().await, [(theirs.id, client())]);
    back(&stage, &last(&stage).await, &Reversal::Withdraw(theirs.id)).await.expect("withdrawn");
    assert_eq!(by_clients().await, []);
}
