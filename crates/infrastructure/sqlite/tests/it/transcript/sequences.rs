//! Whatever is said, delivered, given up, compacted and folded in whatever order: positions only rise, the full-text index keeps
//! step, and the file holds what follows from the steps.

use crate::support::{TempFolder, stage::Stage};
use inklings_domain::{
    conversation::message::{Delivery, Message, NewMessage},
    ids::MessageId,
};
use inklings_ports::{
    conversation::transcript_store::{KEEP_ONLY_SUMMARIES, Streaming},
    store_error::StoreError,
    workspace::catalogue::CheckFinding,
};
use proptest::prelude::*;

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

/// A message as a step leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    id: MessageId,
    position: u64,
    text: String,
    delivery: Delivery,
    /// The last position that the archive behind a marker stands for.
    through: Option<u64>,
    taken: bool,
}

impl Line {
    fn of(message: &Message) -> Self {
        Self {
            id: message.id(),
            position: message.position,
            text: message.body.content.clone(),
            delivery: message.body.delivery,
            through: message.body.marker.as_ref().map(|marker| marker.through),
            taken: message.consolidated_at.is_some(),
        }
    }
}

/// What a conversation holds if each step does what it says.
struct Expected {
    lines: Vec<Line>,
    /// The highest position so far. It is not used again when its message is gone.
    last: u64,
    keep_only_summaries: bool,
}

impl Expected {
    fn add(&mut self, id: MessageId, text: &str, delivery: Delivery, through: Option<u64>) {
        self.last += 1;
        self.lines.push(Line { id, position: self.last, text: text.into(), delivery, through, taken: false });
    }

    /// True if a delivery finds its message still on its way.
    fn deliver(&mut self, id: MessageId, text: &str, delivery: Delivery) -> bool {
        let open = |line: &&mut Line| line.id == id && line.delivery == Delivery::Streaming;
        let Some(line) = self.lines.iter_mut().find(open) else { return false };
        (line.text, line.delivery) = (text.into(), delivery);
        true
    }

    fn abandon(&mut self) -> usize {
        let open = self.lines.iter_mut().filter(|line| line.delivery == Delivery::Streaming);
        open.map(|line| line.delivery = Delivery::Failed).count()
    }

    /// True if no archive stands for that much already and what is to be deleted may be.
    fn compact(&mut self, marker: &NewMessage, through: u64, delete: bool) -> bool {
        let covered = self.lines.iter().any(|line| line.through.is_some_and(|other| other >= through));
        let goes = |line: &Line| delete && line.through.is_none() && line.position <= through;
        if covered || (!self.keep_only_summaries && self.lines.iter().any(goes)) {
            return false;
        }
        self.lines.retain(|line| !goes(line));
        self.add(marker.id, &marker.content, Delivery::Complete, Some(through));
        true
    }

    /// True if the sources have arrived, and may be deleted where they shall be.
    fn fold(&mut self, sources: &[Message], delete: bool) -> bool {
        let source = |line: &Line| sources.iter().any(|message| message.id() == line.id);
        let is_arriving = self.lines.iter().any(|line| source(line) && line.delivery == Delivery::Streaming);
        if is_arriving || (delete && !self.keep_only_summaries) {
            return false;
        }
        self.lines.retain(|line| !(delete && source(line)));
        self.lines.iter_mut().filter(|line| source(line)).for_each(|line| line.taken = true);
        true
    }
}

/// True if the store did it; a refusal is an answer like any other.
fn done<T>(result: Result<T, StoreError>) -> bool {
    match result {
        Ok(_) => true,
        Err(StoreError::Moved(_) | StoreError::Refused(_)) => false,
        Err(other) => panic!("another error: {other}"),
    }
}

/// Runs one step in the file and on what is expected; both say the same of it.
async fn run(stage: &Stage, n: usize, step: Step, arriving: &mut Vec<MessageId>, expected: &mut Expected) {
    let (transcript, scribe, conversation) =
        (&stage.workspace.transcript, &stage.scribe, &stage.conversation);
    match step {
        Step::Say(count) => {
            let texts: Vec<String> = (0..count).map(|m| format!("lantern line {n} {m}")).collect();
            let messages: Vec<_> = texts.iter().map(|text| scribe.message(text)).collect();
            transcript.append(conversation.id, &messages).await.expect("the conversation takes messages");
            for message in &messages {
                expected.add(message.id, &message.content, Delivery::Complete, None);
            }
        }
        Step::Begin => {
            let message = scribe.arriving();
            arriving.push(message.id);
            let id = message.id;
            transcript.append(conversation.id, &[message]).await.expect("the conversation takes messages");
            expected.add(id, "", Delivery::Streaming, None);
        }
        Step::Deliver(delivery) => {
            let Some(id) = arriving.get(n % arriving.len().max(1)) else { return };
            let text = format!("lantern piece {n}");
            let written = transcript.deliver(*id, &text, None, delivery, scribe.clock.tick()).await;
            let written = written.expect("a delivery is never an error");
            assert_eq!(written, expected.deliver(*id, &text, delivery), "{step:?}");
        }
        Step::Abandon => {
            let (before, now) = (scribe.clock.tick(), scribe.clock.tick());
            let abandoned =
                transcript.abandon(Streaming::AllBut(&[]), before, now).await.expect("never an error");
            assert_eq!(abandoned, expected.abandon(), "{step:?}");
        }
        Step::Compact(through, delete) => {
            let through = u64::from(through);
            let (archive, marker) = scribe.archive(conversation, &format!("ARCHIVE {n}"), through);
            let compacted =
                transcript.compact(conversation.id, &archive, &marker, delete.then_some(through)).await;
            assert_eq!(done(compacted), expected.compact(&marker, through, delete), "{step:?}");
        }
        Step::Fold(count, delete) => {
            let all = stage.transcript(conversation).await;
            let free = all.into_iter().filter(|m| m.is_speech() && m.consolidated_at.is_none());
            let sources: Vec<Message> = free.take(count.into()).collect();
            if sources.is_empty() {
                return;
            }
            let folded = transcript.fold(&scribe.episode(conversation.id, &sources), delete).await;
            assert_eq!(done(folded), expected.fold(&sources, delete), "{step:?}");
        }
    }
}

async fn play(steps: &[Step], keep_only_summaries: bool) {
    let folder = TempFolder::new();
    let stage = Stage::set(&folder).await;
    stage.configure(KEEP_ONLY_SUMMARIES, if keep_only_summaries { "true" } else { "false" }).await;
    let mut expected = Expected { lines: Vec::new(), last: 0, keep_only_summaries };
    let (mut arriving, mut highest) = (Vec::new(), 0);
    let mut known: Vec<MessageId> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        run(&stage, n, *step, &mut arriving, &mut expected).await;
        let all = stage.transcript(&stage.conversation).await;
        let lines: Vec<Line> = all.iter().map(Line::of).collect();
        assert_eq!(lines, expected.lines, "{step:?}");
        assert!(all.is_sorted_by(|a, b| a.position < b.position), "{step:?}: positions only rise");
        let new: Vec<&Message> = all.iter().filter(|m| !known.contains(&m.id())).collect();
        assert!(new.iter().all(|m| m.position > highest), "{step:?}: a position was used again");
        highest = new.iter().map(|m| m.position).max().unwrap_or(highest);
        known.extend(new.iter().map(|m| m.id()));
    }
    let findings = stage.catalogue.check().await.expect("the folder is checked");
    let wrong: Vec<&CheckFinding> = findings.iter().filter(|f| !f.ok).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_writes_keeps_order_and_index(
        steps in prop::collection::vec(step(), 1..24), keep_only_summaries in any::<bool>()
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(play(&steps, keep_only_summaries));
    }
}
