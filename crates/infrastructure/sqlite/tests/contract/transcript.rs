//! Messages: added at the end, read in ranges, never rewritten.

use chrono::TimeDelta;
use inklings_domain::{
    conversation::{
        attachment::Attachment,
        message::{Delivery, Message, MessageOrigin, NewMessage, Role, ToolUse},
    },
    ids::MessageId,
    memory::Importance,
};
use inklings_ports::{
    clock::IdGenerator,
    conversation::transcript_store::{ALL_POSITIONS, MessageRange, Streaming, TranscriptStore},
    store_error::StoreError,
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn TranscriptStore {
    stage.workspace.transcript.as_ref()
}

async fn read(stage: &Stage, id: MessageId) -> Option<Message> {
    store(stage).messages(&[id]).await.expect("messages are read").pop()
}

fn positions(messages: &[Message]) -> Vec<u64> {
    messages.iter().map(|m| m.position).collect()
}

async fn tick(stage: &Stage) -> Option<u64> {
    store(stage).parts(stage.conversation.id).await.expect("the parts are read").first().map(|part| part.tick)
}

/// Add and read are a round trip; unknown ids are left out.
#[tokio::test]
async fn every_field_of_a_message_is_read_back() {
    let stage = CheckedStage::new().await;
    let unusual = NewMessage {
        content: "Ünusual: 門 🐉\n\tsecond line".into(),
        importance: Importance::new(0.123_456_789).expect("within bounds"),
        tool: Some(ToolUse { call_id: "call_1".into(), name: "remember".into() }),
        calls: Some("[{\"id\": \"a\", \"name\": \"recall\", \"arguments\": {}}]".into()),
        delivery: Delivery::Cancelled,
        origin: Some(MessageOrigin {
            external_id: Some("D1:7".into()),
            session: Some("session_1".into()),
            speaker: Some("Mira".into()),
            said_at: Some("about noon".into()),
        }),
        ..stage.scribe.message_of_role(Role::Tool, "x")
    };
    let attached = NewMessage {
        attachment: Some(Attachment::of_file("Tür & Tor.md").expect("a name")),
        ..stage.scribe.message("The gate is iron.")
    };
    let all = [unusual.clone(), stage.scribe.arriving(), attached.clone()];
    let written = stage.say(&stage.conversation, &all).await;
    assert_eq!((&written[0].body, &written[2].body), (&unusual, &attached));
    assert_eq!((written[0].conversation, written[0].updated_at), (stage.conversation.id, unusual.at));
    let unknown = MessageId::from_uuid(stage.scribe.ids.uuid());
    let ids = [written[0].id(), unknown, written[1].id(), written[2].id()];
    let mut found = store(&stage).messages(&ids).await.expect("messages are read");
    found.sort_by_key(|m| m.position);
    assert_eq!(found, written);
}

/// Whatever other conversations do; the conversation counts as active since.
#[tokio::test]
async fn positions_rise_from_one() {
    let stage = CheckedStage::new().await;
    let first = stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    stage.add_texts(&stage.side_conversation, &["Elsewhere."]).await;
    let third = stage.add_texts(&stage.conversation, &["Three."]).await;
    assert_eq!((positions(&first), positions(&third)), (vec![1, 2], vec![3]));
    let found = stage
        .workspace
        .conversations
        .conversations(&[stage.conversation.id])
        .await
        .expect("conversations are read");
    assert_eq!(found[0].active_at, third[0].body.at);
    assert_eq!(stage.say(&stage.conversation, &[]).await, []);
}

/// An unknown conversation is not found; one that has ended says so.
#[tokio::test]
async fn only_an_active_conversation_accepts_messages() {
    let stage = CheckedStage::new().await;
    let message = [stage.scribe.message("Late.")];
    let unknown = stage.scribe.ids.conversation_id();
    refused!(store(&stage).append(unknown, &message).await, StoreError::NotFound(_));
    let idle = stage.conversation.idle(stage.scribe.clock.tick()).expect("active ones become idle");
    stage
        .workspace
        .conversations
        .update_conversation(&idle, stage.conversation.status)
        .await
        .expect("it ends");
    refused!(store(&stage).append(stage.conversation.id, &message).await, StoreError::Moved(_));
    assert_eq!(stage.transcript(&stage.conversation).await, []);
}

/// An id in the whole workspace, a former id within its conversation; nothing is written then.
#[tokio::test]
async fn message_ids_in_use_are_refused() {
    let stage = CheckedStage::new().await;
    let first = stage.scribe.message_with_external_id("D1", "One.");
    stage.say(&stage.conversation, std::slice::from_ref(&first)).await;
    let same_id = NewMessage { id: first.id, ..stage.scribe.message("Two.") };
    let same_former = stage.scribe.message_with_external_id("D1", "Two.");
    for (conversation, twin) in [
        (stage.conversation.id, &same_id),
        (stage.side_conversation.id, &same_id),
        (stage.conversation.id, &same_former),
    ] {
        let batch = [stage.scribe.message("Before."), twin.clone()];
        refused!(store(&stage).append(conversation, &batch).await, StoreError::AlreadyExists(_));
    }
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 1);
    assert_eq!(
        stage.say(&stage.side_conversation, &[stage.scribe.message_with_external_id("D1", "One.")]).await[0]
            .position,
        1
    );
}

/// In rising order, whichever end they are read from.
#[tokio::test]
async fn message_ranges_are_read_in_order() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["1", "2", "3", "4", "5", "6", "7"]).await;
    for (range, limit, expected) in [
        (MessageRange::Newest, 3, vec![5, 6, 7]),
        (MessageRange::Newest, 99, vec![1, 2, 3, 4, 5, 6, 7]),
        (MessageRange::Before(5), 2, vec![3, 4]),
        (MessageRange::Before(1), 2, vec![]),
        (MessageRange::After(5), 9, vec![6, 7]),
        (MessageRange::After(0), 2, vec![1, 2]),
        (MessageRange::After(7), 2, vec![]),
        (MessageRange::Newest, 0, vec![]),
    ] {
        let page = store(&stage).page(stage.conversation.id, range, limit).await.expect("messages are read");
        assert_eq!(positions(&page), expected, "{range:?} {limit}");
    }
}

/// The newest of them, in rising order.
#[tokio::test]
async fn salient_messages_have_at_least_the_given_importance() {
    let stage = CheckedStage::new().await;
    let weigh = |text: &str, number: f64| NewMessage {
        importance: Importance::new(number).expect("within bounds"),
        ..stage.scribe.message(text)
    };
    let messages = [weigh("a", 0.9), weigh("b", 0.2), weigh("c", 0.7), weigh("d", 0.8), weigh("e", 0.699)];
    stage.say(&stage.conversation, &messages).await;
    let bar = Importance::new(0.7).expect("within bounds");
    let found =
        store(&stage).salient(stage.conversation.id, ALL_POSITIONS, bar, 2).await.expect("messages are read");
    assert_eq!(positions(&found), [3, 4]);
    let found =
        store(&stage).salient(stage.conversation.id, ALL_POSITIONS, bar, 9).await.expect("messages are read");
    assert_eq!(positions(&found), [1, 3, 4]);
}

/// Piece by piece; once it is whole it stays as it is.
#[tokio::test]
async fn a_streaming_message_is_written_until_it_is_whole() {
    let stage = CheckedStage::new().await;
    let arriving = stage.say(&stage.conversation, &[stage.scribe.arriving()]).await.remove(0);
    let at = |seconds| arriving.body.at + TimeDelta::seconds(seconds);
    let deliver = |text: &'static str, delivery, seconds| {
        store(&stage).deliver(arriving.id(), text, Some("[]"), delivery, at(seconds))
    };
    assert!(deliver("The lan", Delivery::Streaming, 1).await.expect("it is written"));
    let partly = read(&stage, arriving.id()).await.expect("it is there");
    assert_eq!((partly.body.content.as_str(), partly.updated_at), ("The lan", at(1)));
    assert!(deliver("The lantern.", Delivery::Complete, 2).await.expect("it is written"));
    let whole = read(&stage, arriving.id()).await.expect("it is there");
    assert_eq!((whole.body.delivery, whole.body.calls.as_deref()), (Delivery::Complete, Some("[]")));
    assert!(!deliver("Rewritten.", Delivery::Complete, 3).await.expect("it is left as it is"));
    assert_eq!(read(&stage, arriving.id()).await, Some(whole));
    let unknown = MessageId::from_uuid(stage.scribe.ids.uuid());
    let nothing = store(&stage).deliver(unknown, "x", None, Delivery::Complete, at(4)).await;
    assert!(!nothing.expect("there is nothing to write"));
}

/// Only those that stood still, and only where it was asked for.
#[tokio::test]
async fn abandoned_messages_count_as_failed() {
    let stage = CheckedStage::new().await;
    let old = stage.say(&stage.conversation, &[stage.scribe.arriving()]).await.remove(0);
    let other = stage.say(&stage.side_conversation, &[stage.scribe.arriving()]).await.remove(0);
    stage.scribe.clock.tick();
    let before = stage.scribe.clock.tick();
    let young = stage.say(&stage.conversation, &[stage.scribe.arriving()]).await.remove(0);
    let now = stage.scribe.clock.tick();
    let abandon = |streaming| store(&stage).abandon(streaming, before, now);
    assert_eq!(abandon(Streaming::Of(stage.conversation.id)).await.expect("they are marked"), 1);
    let failed = read(&stage, old.id()).await.expect("it is there");
    assert_eq!((failed.body.delivery, failed.updated_at), (Delivery::Failed, now));
    assert_eq!(read(&stage, young.id()).await, Some(young));
    let running = [stage.side_conversation.id];
    assert_eq!(abandon(Streaming::AllBut(&running)).await.expect("nothing is lost"), 0);
    assert_eq!(abandon(Streaming::AllBut(&[])).await.expect("they are marked"), 1);
    assert_eq!(read(&stage, other.id()).await.map(|m| m.body.delivery), Some(Delivery::Failed));
    assert_eq!(abandon(Streaming::AllBut(&[])).await.expect("nothing is left to mark"), 0);
}

/// And nothing else of it changes.
#[tokio::test]
async fn the_importance_of_a_message_can_be_set() {
    let stage = CheckedStage::new().await;
    let message = stage.add_texts(&stage.conversation, &["One."]).await.remove(0);
    let importance = Importance::new(1.0).expect("within bounds");
    let at = stage.scribe.clock.tick();
    store(&stage).set_importance(message.id(), importance, at).await.expect("it is set");
    let body = NewMessage { importance, ..message.body.clone() };
    assert_eq!(read(&stage, message.id()).await, Some(Message { body, updated_at: at, ..message }));
    let unknown = MessageId::from_uuid(stage.scribe.ids.uuid());
    refused!(store(&stage).set_importance(unknown, importance, at).await, StoreError::NotFound(_));
}

/// An unknown conversation has none.
#[tokio::test]
async fn every_change_increases_the_tick_of_a_conversation() {
    let stage = CheckedStage::new().await;
    let mut last = tick(&stage).await;
    assert!(last.is_some());
    let mut changed = async |what: &str| {
        let now = tick(&stage).await;
        assert!(now > last, "{what}: {now:?} after {last:?}");
        last = now;
    };
    let message = stage.add_texts(&stage.conversation, &["One."]).await.remove(0);
    changed("said").await;
    let arriving = stage.say(&stage.conversation, &[stage.scribe.arriving()]).await.remove(0);
    changed("begun").await;
    let at = stage.scribe.clock.tick();
    let deliver = store(&stage).deliver(arriving.id(), "Two.", None, Delivery::Complete, at).await;
    assert!(deliver.expect("it is written"));
    changed("delivered").await;
    store(&stage).set_importance(message.id(), Importance::DEFAULT, at).await.expect("it is set");
    changed("weighed").await;
    store(&stage)
        .fold(&stage.scribe.episode(stage.conversation.id, &[message]), false)
        .await
        .expect("folded");
    changed("folded").await;
    stage.add_texts(&stage.side_conversation, &["Elsewhere."]).await;
    assert_eq!(tick(&stage).await, last);
    let unknown = stage.scribe.ids.conversation_id();
    assert_eq!(store(&stage).parts(unknown).await.expect("the parts are read"), []);
}

/// Nothing is lost, and no position is given out twice.
#[tokio::test]
async fn two_processes_share_a_conversation() {
    let stage = CheckedStage::new().await;
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let stores = [store(&stage), other.transcript.as_ref()];
    let messages: Vec<[NewMessage; 1]> =
        (0..60).map(|n| [stage.scribe.message(&format!("Line {n}."))]).collect();
    let writes = messages.iter().enumerate().map(|(n, new)| stores[n % 2].append(stage.conversation.id, new));
    let failed: Vec<_> =
        futures::future::join_all(writes).await.into_iter().filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{} of 60 were turned away: {failed:?}", failed.len());
    let all = stage.transcript(&stage.conversation).await;
    assert_eq!(positions(&all), (1..=60).collect::<Vec<u64>>());
}
