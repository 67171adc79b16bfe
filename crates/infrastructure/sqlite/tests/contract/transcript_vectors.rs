//! Vectors of messages: what waits for one, and how far embedding has come.

use inklings_domain::{
    conversation::message::{Delivery, Message, NewMessage, Role},
    ids::MessageId,
    memory::embedding::EmbeddingModel,
};
use inklings_ports::{
    clock::IdGenerator,
    conversation::transcript_store::TranscriptStore,
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};

use super::{CheckedStage, Stage, model, refused};

fn store(stage: &Stage) -> &dyn TranscriptStore {
    stage.workspace.transcript.as_ref()
}

async fn waiting(stage: &Stage, model: &EmbeddingModel, limit: usize) -> Vec<MessageId> {
    let waiting = store(stage).pending_vectors(model, limit).await.expect("the queue is read");
    waiting.into_iter().map(|m| m.id).collect()
}

async fn put(stage: &Stage, model: &EmbeddingModel, ids: &[MessageId]) -> usize {
    let vectors: Vec<(MessageId, TextVectors)> = ids.iter().map(|id| (*id, vec![1.0, 0.0].into())).collect();
    store(stage).put_vectors(model, &vectors).await.expect("vectors are stored")
}

async fn counts(stage: &Stage, model: &EmbeddingModel) -> (u64, u64) {
    let EmbeddingCounts { embedded, pending } =
        store(stage).vector_counts(model).await.expect("messages are counted");
    (embedded, pending)
}

/// With their texts, until their vector is there; each model has its own queue.
#[tokio::test]
async fn new_messages_wait_for_a_vector_newest_first() {
    let stage = CheckedStage::new().await;
    let (first, second) = (model("first", 2), model("second", 2));
    let messages = stage.add_texts(&stage.conversation, &["1", "2", "3", "4"]).await;
    let ids: Vec<MessageId> = messages.iter().rev().map(Message::id).collect();
    assert_eq!(waiting(&stage, &first, 9).await, ids);
    assert_eq!(waiting(&stage, &first, 2).await, ids[..2]);
    assert_eq!(waiting(&stage, &first, 2).await, ids[..2], "they wait until they are done");
    assert_eq!(put(&stage, &first, &ids[..2]).await, 2);
    assert_eq!(waiting(&stage, &first, 1).await, ids[2..3]);
    let newer = stage.add_texts(&stage.side_conversation, &["5"]).await;
    assert_eq!(waiting(&stage, &first, 9).await, [newer[0].id(), ids[2], ids[3]]);
    assert_eq!(put(&stage, &first, &[newer[0].id(), ids[2], ids[3]]).await, 3);
    assert_eq!(waiting(&stage, &first, 9).await, []);
    assert_eq!(waiting(&stage, &second, 9).await.len(), 5);
    let texts = store(&stage).pending_vectors(&second, 1).await.expect("the queue is read");
    assert_eq!(texts[0].text, "5");
}

/// Not those still arriving, nor empty ones, markers, or the application's own.
#[tokio::test]
async fn only_finished_speech_waits_for_a_vector() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 2);
    let arriving = stage.scribe.arriving();
    let empty =
        NewMessage { delivery: Delivery::Complete, calls: Some("[]".into()), ..stage.scribe.arriving() };
    let own = stage.scribe.message_of_role(Role::System, "A notice.");
    let answer = stage.scribe.message_of_role(Role::Tool, "An answer.");
    stage.say(&stage.conversation, &[arriving.clone(), empty, own, answer.clone()]).await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 2);
    store(&stage).compact(stage.conversation.id, &archive, &marker, None).await.expect("compacted");
    assert_eq!(waiting(&stage, &model, 9).await, [answer.id]);
    assert_eq!(put(&stage, &model, &[answer.id, arriving.id, marker.id]).await, 1);
    assert_eq!(counts(&stage, &model).await, (1, 0));
    let at = stage.scribe.clock.tick();
    store(&stage).deliver(arriving.id, "Here.", None, Delivery::Complete, at).await.expect("delivered");
    assert_eq!(waiting(&stage, &model, 9).await, [arriving.id]);
    assert_eq!(counts(&stage, &model).await, (1, 1));
}

/// It does not count as pending, so that embedding comes to an end.
#[tokio::test]
async fn a_message_that_failed_is_not_tried_again() {
    let stage = CheckedStage::new().await;
    let (first, second) = (model("first", 2), model("second", 2));
    let messages = stage.add_texts(&stage.conversation, &["1", "2"]).await;
    store(&stage).vector_failed(&first, messages[1].id(), "too odd").await.expect("it is kept");
    assert_eq!(waiting(&stage, &first, 9).await, [messages[0].id()]);
    assert_eq!(waiting(&stage, &second, 9).await.len(), 2);
    assert_eq!((counts(&stage, &first).await, counts(&stage, &second).await), ((0, 1), (0, 2)));
    assert_eq!(put(&stage, &first, &[messages[0].id(), messages[1].id()]).await, 2);
    assert_eq!(counts(&stage, &first).await, (2, 0));
    let unknown = MessageId::from_uuid(stage.scribe.ids.uuid());
    store(&stage).vector_failed(&first, unknown, "gone").await.expect("nothing to keep");
}

/// Its old vector is gone.
#[tokio::test]
async fn a_text_imported_again_is_pending_again() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 2);
    let first = stage.scribe.message_with_external_id("D1", "One.");
    let imported = stage.scribe.conversation(stage.side.id);
    stage.take_in("talk", &imported, std::slice::from_ref(&first)).await;
    assert_eq!(put(&stage, &model, &[first.id]).await, 1);
    assert_eq!(waiting(&stage, &model, 9).await, []);
    stage.take_in("talk", &imported, &[stage.scribe.message_with_external_id("D1", "One.")]).await;
    assert_eq!(waiting(&stage, &model, 9).await, [], "the same text keeps its vector");
    let better = stage.scribe.message_with_external_id("D1", "One, better.");
    stage.take_in("talk", &imported, &[better]).await;
    assert_eq!(waiting(&stage, &model, 9).await, [first.id]);
    assert_eq!(counts(&stage, &model).await, (0, 1));
}

/// Unknown messages are passed over; a vector of the wrong shape holds all back.
#[tokio::test]
async fn vectors_of_missing_messages_are_skipped() {
    let stage = CheckedStage::new().await;
    let model = model("contract", 2);
    let messages = stage.add_texts(&stage.conversation, &["1", "2"]).await;
    let unknown = MessageId::from_uuid(stage.scribe.ids.uuid());
    assert_eq!(put(&stage, &model, &[unknown, messages[0].id()]).await, 1);
    assert_eq!(put(&stage, &model, &[messages[0].id()]).await, 1, "a vector may be stored again");
    let odd = [(messages[1].id(), vec![1.0, 0.0].into()), (messages[1].id(), vec![1.0].into())];
    refused!(store(&stage).put_vectors(&model, &odd).await, StoreError::Refused(_));
    assert_eq!(counts(&stage, &model).await, (1, 1));
}
