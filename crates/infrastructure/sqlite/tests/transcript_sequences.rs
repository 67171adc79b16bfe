//! Whatever is said, delivered, given up, compacted and folded in whatever order: positions only rise, the full-text
//! index keeps step, and the file holds what the store in memory holds.

mod support;

use std::sync::Arc;

use inklings_application::{
    ports::{
        catalogue::{Catalogue, CheckFinding},
        error::StoreError,
        transcript_store::KEEP_ONLY_SUMMARIES,
    },
    testing::{
        catalogue::InMemoryCatalogue,
        contract::{Stage, StoreFactory},
    },
};
use inklings_domain::{
    ids::MessageId,
    message::{Delivery, Message},
};
use proptest::prelude::*;
use support::TempFolder;

/// One step; what its number means depends on the step.
#[derive(Debug, Clone, Copy)]
enum Step {
    Say(u8),
    Begin,
    Deliver(Delivery),
    Abandon,
    Compact(u8, bool),
    Fold(u8, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (1..4_u8).prop_map(Step::Say),
        2 => Just(Step::Begin),
        3 => prop::sample::select(Delivery::ALL).prop_map(Step::Deliver),
        1 => Just(Step::Abandon),
        2 => (0..12_u8, any::<bool>()).prop_map(|(through, delete)| Step::Compact(through, delete)),
        2 => (1..5_u8, any::<bool>()).prop_map(|(count, delete)| Step::Fold(count, delete)),
    ]
}

/// Runs one step; a refusal is an answer like any other.
async fn run(stage: &Stage, n: usize, step: Step, arriving: &mut Vec<MessageId>) -> String {
    let (transcript, scribe, talk) = (&stage.workspace.transcript, &stage.scribe, &stage.talk);
    let said = |result: Result<(), StoreError>| result.map_or_else(|e| e.to_string(), |()| "done".into());
    match step {
        Step::Say(count) => {
            let messages: Vec<_> =
                (0..count).map(|m| scribe.said(&format!("lantern line {n} {m}"))).collect();
            said(transcript.append(talk.id, &messages).await.map(|_| ()))
        }
        Step::Begin => {
            let message = scribe.arriving();
            arriving.push(message.id);
            said(transcript.append(talk.id, &[message]).await.map(|_| ()))
        }
        Step::Deliver(delivery) => {
            let Some(id) = arriving.get(n % arriving.len().max(1)) else { return "nothing".into() };
            let text = format!("lantern piece {n}");
            let written = transcript.deliver(*id, &text, None, delivery, scribe.clock.tick()).await;
            format!("{:?}", written.expect("a delivery is never an error"))
        }
        Step::Abandon => {
            let (before, now) = (scribe.clock.tick(), scribe.clock.tick());
            format!("{:?}", transcript.abandon(None, before, now).await.expect("never an error"))
        }
        Step::Compact(through, delete) => {
            let (archive, marker) = scribe.archive(talk, &format!("ARCHIVE {n}"), through.into());
            let delete = delete.then_some(u64::from(through));
            said(transcript.compact(talk.id, &archive, &marker, delete).await.map(|_| ()))
        }
        Step::Fold(count, delete) => {
            let all = stage.transcript(talk).await;
            let free = all.into_iter().filter(|m| m.is_speech() && m.consolidated_at.is_none());
            let sources: Vec<Message> = free.take(count.into()).collect();
            if sources.is_empty() {
                return "nothing".into();
            }
            said(transcript.fold(&scribe.episode(talk.id, &sources), delete).await)
        }
    }
}

/// What a conversation looks like, but for ids.
fn shape(messages: &[Message]) -> Vec<(u64, String, Delivery, bool, bool)> {
    let of = |m: &Message| {
        let taken = m.consolidated_at.is_some();
        (m.position, m.body.content.clone(), m.body.delivery, m.is_marker(), taken)
    };
    messages.iter().map(of).collect()
}

/// A folder of stores in memory.
#[derive(Default)]
struct Memory(InMemoryCatalogue);

#[async_trait::async_trait]
impl StoreFactory for Memory {
    async fn catalogue(&self) -> Arc<dyn Catalogue> {
        Arc::new(self.0.another_process())
    }
}

type Story = (Vec<String>, Vec<(u64, String, Delivery, bool, bool)>);

async fn play(factory: &dyn StoreFactory, steps: &[Step], keep_only_summaries: bool) -> Story {
    let stage = Stage::set(factory).await;
    stage.configure(KEEP_ONLY_SUMMARIES, if keep_only_summaries { "true" } else { "false" }).await;
    let (mut answers, mut arriving, mut highest) = (Vec::new(), Vec::new(), 0);
    let mut known: Vec<MessageId> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        answers.push(run(&stage, n, *step, &mut arriving).await);
        let all = stage.transcript(&stage.talk).await;
        assert!(all.is_sorted_by(|a, b| a.position < b.position), "{step:?}: positions only rise");
        let new: Vec<&Message> = all.iter().filter(|m| !known.contains(&m.id())).collect();
        assert!(new.iter().all(|m| m.position > highest), "{step:?}: a position was used again");
        highest = new.iter().map(|m| m.position).max().unwrap_or(highest);
        known.extend(new.iter().map(|m| m.id()));
    }
    let findings = stage.catalogue.check().await.expect("the folder is checked");
    let wrong: Vec<&CheckFinding> = findings.iter().filter(|f| !f.ok).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    (answers, shape(&stage.transcript(&stage.talk).await))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_writes_keeps_order_and_index(
        steps in prop::collection::vec(step(), 1..24), keep_only_summaries in any::<bool>()
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let (on_disk, in_memory) = runtime.expect("a runtime").block_on(async {
            let on_disk = play(&TempFolder::new(), &steps, keep_only_summaries).await;
            (on_disk, play(&Memory::default(), &steps, keep_only_summaries).await)
        });
        prop_assert_eq!(on_disk, in_memory);
    }
}
