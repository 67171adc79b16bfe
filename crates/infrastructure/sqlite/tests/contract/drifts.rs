//! Contradictions: recorded in one look, filed once, settled once.

use inklings_domain::{
    conversation::message::{Delivery, Message, Role},
    drift::{Contradiction, Drift, DriftDecision, DriftState, Item, Side},
    ids::{FactId, MemoryId, MessageId},
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    drift::{DriftCursor, DriftStore, Look},
    store_error::StoreError,
};

use super::{CheckedStage, Stage};

fn store(stage: &Stage) -> &dyn DriftStore {
    stage.workspace.drifts.as_ref()
}

fn memory(stage: &Stage) -> Side {
    Side { item: Item::Memory(MemoryId::from_uuid(stage.scribe.ids.uuid())), version: 3 }
}

fn fact(stage: &Stage) -> Side {
    Side { item: Item::Fact(FactId::from_uuid(stage.scribe.ids.uuid())), version: 1 }
}

fn drift(stage: &Stage, canon: Side, statement: Side) -> Drift {
    let found = Contradiction { canon, statement };
    Drift::open(stage.scribe.ids.drift_id(), found, stage.scribe.clock.tick())
}

async fn record(stage: &Stage, look: &Look) -> usize {
    store(stage).record_look(look, stage.scribe.clock.now()).await.expect("recorded")
}

async fn filed(stage: &Stage) -> Drift {
    let drift = drift(stage, memory(stage), fact(stage));
    assert_eq!(record(stage, &Look { found: vec![drift], ..Look::default() }).await, 1);
    drift
}

async fn read(stage: &Stage, drift: Drift) -> Option<Drift> {
    store(stage).drift(drift.id).await.expect("read")
}

#[tokio::test]
async fn a_contradiction_is_read_back_and_filed_once_whichever_side_is_the_canon() {
    let stage = CheckedStage::new().await;
    let first = filed(&stage).await;
    assert_eq!(read(&stage, first).await, Some(first));
    let again = drift(&stage, first.statement, first.canon);
    assert_eq!(record(&stage, &Look { found: vec![again], ..Look::default() }).await, 0);
    let newer = Side { version: 4, ..first.canon };
    let next = drift(&stage, newer, first.statement);
    assert_eq!(record(&stage, &Look { found: vec![next], ..Look::default() }).await, 1);
    let mut between =
        store(&stage).drifts_between((first.statement.item, first.canon.item)).await.expect("read");
    between.sort_by_key(|drift| drift.created_at);
    assert_eq!(between, [first, next]);
    assert_eq!(store(&stage).count_open_drifts().await.expect("counted"), 2);
}

#[tokio::test]
async fn contradictions_are_paged_newest_first_and_by_state() {
    let stage = CheckedStage::new().await;
    let mut all = [filed(&stage).await, filed(&stage).await, filed(&stage).await];
    all.reverse();
    let page = store(&stage).drifts(None, None, 2).await.expect("read");
    assert_eq!(page, all[..2]);
    let rest = store(&stage).drifts(None, Some(DriftCursor::of(&all[1])), 2).await.expect("read");
    assert_eq!(rest, all[2..]);
    let now = stage.scribe.clock.now();
    store(&stage).settle_drift(all[1].id, DriftDecision::Dismiss, None, now).await.expect("settled");
    let open = store(&stage).drifts(Some(DriftState::Open), None, 9).await.expect("read");
    assert_eq!(open, [all[0], all[2]]);
}

#[tokio::test]
async fn a_contradiction_is_settled_once_and_a_superseded_one_never() {
    let stage = CheckedStage::new().await;
    let (one, two) = (filed(&stage).await, filed(&stage).await);
    let (now, change) = (stage.scribe.clock.now(), Some(stage.scribe.ids.change_id()));
    store(&stage).settle_drift(one.id, DriftDecision::Both, change, now).await.expect("settled");
    let settled = read(&stage, one).await.expect("there");
    assert_eq!(
        (settled.state, settled.decision, settled.change, settled.settled_at),
        (DriftState::Settled, Some(DriftDecision::Both), change, Some(now))
    );
    record(&stage, &Look { superseded: vec![one.id, two.id], ..Look::default() }).await;
    assert_eq!(read(&stage, one).await, Some(settled), "what is settled stays so");
    assert_eq!(read(&stage, two).await.expect("there").state, DriftState::Superseded);
    for drift in [one, two] {
        let again = store(&stage).settle_drift(drift.id, DriftDecision::Dismiss, None, now).await;
        assert!(matches!(again, Err(StoreError::Moved(_))), "{again:?}");
    }
}

#[tokio::test]
async fn a_look_replaces_versions_and_drops_everything_about_what_is_gone() {
    let stage = CheckedStage::new().await;
    let drift = filed(&stage).await;
    let looked = vec![drift.canon, drift.statement];
    record(&stage, &Look { looked, ..Look::default() }).await;
    let newer = Side { version: 9, ..drift.canon };
    record(&stage, &Look { looked: vec![newer], ..Look::default() }).await;
    let mut known = store(&stage).looked().await.expect("read");
    known.sort_unstable();
    assert_eq!(known, [newer, drift.statement]);
    record(&stage, &Look { gone: vec![drift.canon.item], ..Look::default() }).await;
    assert_eq!(store(&stage).looked().await.expect("read"), [drift.statement]);
    assert_eq!(read(&stage, drift).await, None);
}

#[tokio::test]
async fn messages_wait_until_they_are_compared_and_what_was_found_in_one_goes_with_it() {
    let stage = CheckedStage::new().await;
    let queued = async |limit| store(&stage).queued_messages(limit).await.expect("read");
    let written = stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    let arriving = stage.scribe.arriving();
    let others = [arriving.clone(), stage.scribe.message_of_role(Role::Tool, "Three.")];
    stage.say(&stage.conversation, &others).await;
    let mut ids: Vec<MessageId> = written.iter().map(Message::id).collect();
    ids.sort();
    assert_eq!(queued(9).await, ids, "an answer that arrives states nothing yet");
    let (transcript, now) = (&stage.workspace.transcript, stage.scribe.clock.now());
    transcript.deliver(arriving.id, "Four.", None, Delivery::Complete, now).await.expect("delivered");
    ids.push(arriving.id);
    ids.sort();
    assert_eq!(queued(9).await, ids);
    assert_eq!(queued(2).await, ids[..2]);
    let statement = Side { item: Item::Message(ids[0]), version: 1 };
    let found = drift(&stage, memory(&stage), statement);
    let look = Look { found: vec![found], messages_looked: ids.clone(), ..Look::default() };
    assert_eq!(record(&stage, &look).await, 1);
    assert_eq!(queued(9).await, []);
    assert_eq!(read(&stage, found).await, Some(found));
    let again = Look { messages_again: vec![ids[0], ids[0]], ..Look::default() };
    record(&stage, &again).await;
    assert_eq!(queued(9).await, ids[..1]);
}
