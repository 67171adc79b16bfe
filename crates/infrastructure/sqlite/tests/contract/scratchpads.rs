//! The agent's working notes.

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::{
    conversation::Conversation,
    scratchpad::{MAX_KEYS, WorkingNote},
};
use inklings_ports::{
    clock::Clock,
    scratchpad::ScratchpadStore,
    store_error::StoreError,
    transfer::{
        shape::Section,
        store::{TransferRow, Within},
    },
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn ScratchpadStore {
    stage.workspace.scratchpads.as_ref()
}

fn note(stage: &Stage, conversation: &Conversation, key: &str, ttl: Option<u32>) -> WorkingNote {
    let now = stage.scribe.clock.tick();
    WorkingNote::write(conversation.id, key, "{\"so\": [1, \"門\"]}".into(), ttl, now).expect("a valid note")
}

async fn written(stage: &Stage, key: &str, ttl: Option<u32>) -> WorkingNote {
    let note = note(stage, &stage.conversation, key, ttl);
    store(stage).write_note(&note).await.expect("the note is kept");
    note
}

async fn read(stage: &Stage, key: &str, now: DateTime<Utc>) -> Option<WorkingNote> {
    store(stage).read_note(stage.conversation.id, key, now).await.expect("notes are read")
}

async fn keys(stage: &Stage, conversation: &Conversation) -> Vec<String> {
    let now = stage.scribe.clock.now();
    let notes = store(stage).notes(conversation.id, now).await.expect("notes are read");
    notes.into_iter().map(|note| note.key).collect()
}

/// Each conversation has its own; one that is written again keeps its time of creation.
#[tokio::test]
async fn every_field_of_a_note_is_read_back() {
    let stage = CheckedStage::new().await;
    let first = written(&stage, "plan", None).await;
    assert_eq!(read(&stage, "plan", first.updated_at).await, Some(first.clone()));
    let second = WorkingNote { value: "2".into(), ..note(&stage, &stage.conversation, "plan", Some(60)) };
    store(&stage).write_note(&second).await.expect("the note is kept");
    let expected = WorkingNote { created_at: first.created_at, ..second.clone() };
    assert_eq!(read(&stage, "plan", second.updated_at).await, Some(expected));
    assert_eq!(read(&stage, "Plan", second.updated_at).await, None);
    assert_eq!(keys(&stage, &stage.side_conversation).await, [""; 0]);
    let lost = stage.scribe.conversation(stage.general.id);
    let lost = note(&stage, &lost, "plan", None);
    refused!(store(&stage).write_note(&lost).await, StoreError::NotFound(_));
}

/// Reading starts its time anew, listing does not.
#[tokio::test]
async fn a_note_with_a_time_to_live_expires() {
    let stage = CheckedStage::new().await;
    let first = written(&stage, "working", Some(60)).await;
    written(&stage, "kept", None).await;
    let after = |seconds| first.updated_at + TimeDelta::seconds(seconds);
    let listed = store(&stage).notes(stage.conversation.id, after(50)).await.expect("notes are read");
    assert_eq!(listed.len(), 2);
    let found = read(&stage, "working", after(50)).await.expect("it still lives");
    assert_eq!((found.expires_at, found.updated_at), (Some(after(110)), first.updated_at));
    assert!(read(&stage, "working", after(100)).await.is_some(), "reading started its time anew");
    assert!(store(&stage).notes(stage.conversation.id, after(159)).await.expect("notes are read").len() == 2);
    assert_eq!(read(&stage, "working", after(160)).await, None);
    let listed = store(&stage).notes(stage.conversation.id, after(160)).await.expect("notes are read");
    assert_eq!(listed.len(), 1);
    stage.scribe.clock.set(after(200));
    let anew = written(&stage, "working", Some(60)).await;
    assert_eq!(read(&stage, "working", anew.updated_at).await, Some(anew), "a new note, not the old one");
}

/// Notes are listed by key.
#[tokio::test]
async fn notes_are_listed_by_key() {
    let stage = CheckedStage::new().await;
    for key in ["b", "a", "c"] {
        written(&stage, key, None).await;
    }
    assert_eq!(keys(&stage, &stage.conversation).await, ["a", "b", "c"]);
}

/// A key that is there already may always be written; what has vanished makes room.
#[tokio::test]
async fn a_full_scratchpad_refuses_new_keys() {
    let stage = CheckedStage::new().await;
    for n in 1..MAX_KEYS {
        written(&stage, &format!("key {n}"), None).await;
    }
    let last = written(&stage, "last", Some(600)).await;
    let more = note(&stage, &stage.conversation, "more", None);
    refused!(store(&stage).write_note(&more).await, StoreError::Refused(_));
    written(&stage, "key 1", None).await;
    let elsewhere = note(&stage, &stage.side_conversation, "more", None);
    store(&stage).write_note(&elsewhere).await.expect("each conversation has its own room");
    stage.scribe.clock.set(last.updated_at + TimeDelta::seconds(600));
    written(&stage, "more", None).await;
}

/// One, all of a conversation, or the working ones alone.
#[tokio::test]
async fn notes_are_cleared() {
    let stage = CheckedStage::new().await;
    for (key, ttl) in [("a", None), ("b", Some(600)), ("c", Some(600)), ("d", None)] {
        written(&stage, key, ttl).await;
    }
    let other = note(&stage, &stage.side_conversation, "a", None);
    store(&stage).write_note(&other).await.expect("the note is kept");
    let clear = |key, working| store(&stage).clear_notes(stage.conversation.id, key, working);
    assert_eq!(clear(Some("a"), true).await.expect("notes are cleared"), 0);
    assert_eq!(clear(Some("a"), false).await.expect("notes are cleared"), 1);
    assert_eq!(clear(None, true).await.expect("notes are cleared"), 2);
    assert_eq!(keys(&stage, &stage.conversation).await, ["d"]);
    assert_eq!(clear(None, false).await.expect("notes are cleared"), 1);
    assert_eq!(keys(&stage, &stage.side_conversation).await, ["a"]);
}

/// And nothing of them is left.
#[tokio::test]
async fn notes_go_with_their_conversation() {
    let stage = CheckedStage::new().await;
    written(&stage, "plan", None).await;
    let at = stage.scribe.clock.tick();
    stage
        .workspace
        .conversations
        .delete_conversation(stage.conversation.id, at)
        .await
        .expect("it is deleted");
    assert_eq!(keys(&stage, &stage.conversation).await, [""; 0]);
    let late = note(&stage, &stage.conversation, "plan", None);
    refused!(store(&stage).write_note(&late).await, StoreError::NotFound(_));
}

/// Idle or put away; notes without an end stay, and so do those of other conversations.
#[tokio::test]
async fn notes_with_a_time_to_live_end_with_their_conversation() {
    let stage = CheckedStage::new().await;
    for conversation in [&stage.conversation, &stage.side_conversation] {
        for (key, ttl) in [("working", Some(3_600)), ("kept", None)] {
            store(&stage).write_note(&note(&stage, conversation, key, ttl)).await.expect("the note is kept");
        }
    }
    let places = &stage.workspace.conversations;
    let idle = stage.conversation.idle(stage.scribe.clock.tick()).expect("it may end");
    places.update_conversation(&idle, stage.conversation.status).await.expect("it ends");
    assert_eq!(keys(&stage, &stage.conversation).await, ["kept"]);
    assert_eq!(keys(&stage, &stage.side_conversation).await, ["kept", "working"]);
    let put_away = stage.side_conversation.archive(stage.scribe.clock.tick()).expect("it may end");
    places.update_conversation(&put_away, stage.side_conversation.status).await.expect("it ends");
    assert_eq!(keys(&stage, &stage.side_conversation).await, ["kept"]);
}

/// One key, a conversation's list, the newest of all, and an export.
#[tokio::test]
async fn no_read_returns_an_expired_note() {
    let stage = CheckedStage::new().await;
    let living = written(&stage, "working", Some(60)).await;
    written(&stage, "kept", None).await;
    for (seconds, expected) in [(0, vec!["kept", "working"]), (61, vec!["kept"])] {
        let now = living.updated_at + TimeDelta::seconds(seconds);
        let mut readers: Vec<Vec<String>> = Vec::new();
        let listed = store(&stage).notes(stage.conversation.id, now).await.expect("notes are read");
        readers.push(listed.into_iter().map(|note| note.key).collect());
        let newest = store(&stage).newest_notes(now, 9).await.expect("notes are read");
        readers.push(newest.into_iter().map(|note| note.key).collect());
        let mut export = stage.workspace.transfer.snapshot(now).await.expect("a snapshot");
        let count = export.count(Section::Scratchpads, Within::All).await.expect("counted");
        assert_eq!(count, expected.len() as u64);
        for within in
            [Within::All, Within::Channel(stage.general.id), Within::Conversation(stage.conversation.id)]
        {
            let rows = export.page(Section::Scratchpads, within, None, 9, false).await.expect("rows");
            let key = |row: &TransferRow| row.fields["key"].as_str().unwrap_or_default().to_owned();
            readers.push(rows.iter().map(key).collect());
        }
        drop(export);
        // Asked last: reading starts the time anew.
        let mut read_one = Vec::new();
        for key in ["kept", "working"] {
            read_one.extend(read(&stage, key, now).await.map(|note| note.key));
        }
        readers.push(read_one);
        for mut reader in readers {
            reader.sort();
            assert_eq!(reader, expected, "after {seconds} seconds");
        }
    }
}
