//! The orientation ledger: what was shown and what was left out, kept, paged, thinned.

use chrono::TimeDelta;
use inklings_domain::{
    ids::{AgentPatternId, ClientId, EpisodeId, FactId, MessageId},
    memory::MemoryEntry,
    orientation::{
        Framing, ItemId, Layer, LayerUse, LedgerItem, LeftOut, Orientation, PerLayer,
        shown::{MOST_ITEMS, Reader, Seen, SeenKind, Showing, ShownRead, Through},
    },
    provenance::Curator,
    scope::Place,
    search::ranking::{Contribution, ListName},
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    conversation::transcript_store::KEEP_ONLY_SUMMARIES,
    orientation::{LedgerCursor, LedgerStore, ReadCursor, ReadFilter},
    store_error::StoreError,
    testing::builders::{author, draft},
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn LedgerStore {
    stage.workspace.ledger.as_ref()
}

async fn put(stage: &Stage, orientation: Orientation) -> Orientation {
    store(stage).put(&orientation).await.expect("the orientation is kept");
    orientation
}

async fn notes(stage: &Stage) -> Vec<MemoryEntry> {
    let texts = ["The gate is iron.", "The gate is brass.", "The river is wide."];
    stage.write(author(), texts.map(|text| draft(Place::Workspace, text))).await
}

/// Figures that a careless writer of numbers rounds.
const FIGURES: [f64; 6] = [0.1 + 0.2, -12.345_678_901_234_567, 1.0 / 3.0, 5e-324, f64::MAX, 0.0];

fn unusual(stage: &Stage) -> Orientation {
    let uuid = || stage.scribe.ids.uuid();
    let kinds = [
        ItemId::Memory(stage.scribe.ids.memory_id()),
        ItemId::Fact(FactId::from_uuid(uuid())),
        ItemId::Episode(EpisodeId::from_uuid(uuid())),
        ItemId::Message(MessageId::from_uuid(uuid())),
        ItemId::Pattern(AgentPatternId::from_uuid(uuid())),
        ItemId::Page(stage.scribe.ids.page_id()),
    ];
    let rules = [
        None,
        Some(LeftOut::Budget),
        Some(LeftOut::Limit),
        Some(LeftOut::Repeats(kinds[1])),
        Some(LeftOut::Refined),
    ];
    let item = |n: usize| LedgerItem {
        layer: Layer::ALL[n % Layer::ALL.len()],
        id: kinds[n % kinds.len()],
        version: n as u64 % 3,
        framing: Framing {
            curator: n.is_multiple_of(2).then(|| Curator::ALL[n % 3]),
            importance: n.is_multiple_of(3).then(|| FIGURES[n % 6]),
            relevance: n.is_multiple_of(4).then(|| FIGURES[(n + 1) % 6]),
            age_days: n.is_multiple_of(5).then_some(n as u64),
            note: None,
        },
        score: (n % 2 == 1).then(|| FIGURES[n % 6]),
        parts: ListName::ALL
            .iter()
            .take(n % 6)
            .enumerate()
            .map(|(k, list)| Contribution {
                list: *list,
                rank: k + 1,
                raw: FIGURES[(n + k) % 6],
                weight: FIGURES[(n + k + 1) % 6],
                score: FIGURES[(n + k + 2) % 6],
            })
            .collect(),
        tokens: 10 * n as u64,
        shortened: n.is_multiple_of(7),
        left_out: rules[n % rules.len()],
    };
    Orientation {
        message: Some(MessageId::from_uuid(uuid())),
        query: "Who \"guards\" the gate — 門?\nAnd why?".into(),
        at: stage.scribe.clock.tick() + TimeDelta::microseconds(7),
        layers: PerLayer::from_fn(|layer| LayerUse {
            budget: 100 + layer as u64,
            used: layer as u64,
            failed: layer == Layer::Facts,
        }),
        items: (0..150).map(item).collect(),
        ..stage.scribe.orientation(&stage.conversation, &[])
    }
}

/// Every figure with all its digits, every item in its order, for every kind and rule; unknown ids give none.
#[tokio::test]
async fn every_field_of_an_orientation_is_read_back() {
    let stage = CheckedStage::new().await;
    let bare = Orientation {
        conversation: None,
        channel: None,
        query: String::new(),
        thinned: true,
        ..stage.scribe.orientation(&stage.conversation, &[])
    };
    for orientation in [unusual(&stage), bare] {
        let kept = put(&stage, orientation).await;
        assert_eq!(store(&stage).get(kept.id).await.expect("the ledger is read"), Some(kept.clone()));
        refused!(store(&stage).put(&kept).await, StoreError::AlreadyExists("orientation"));
    }
    let unknown = stage.scribe.ids.orientation_id();
    assert_eq!(store(&stage).get(unknown).await.expect("the ledger is read"), None);
}

/// It may be somebody's words, and the ledger holds no text but the query.
#[tokio::test]
async fn notes_of_the_framing_are_not_stored() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let mut orientation = stage.scribe.orientation(&stage.conversation, &[&made[0]]);
    orientation.items[0].framing.note = Some("12 turns".into());
    put(&stage, orientation.clone()).await;
    orientation.items[0].framing.note = None;
    assert_eq!(store(&stage).get(orientation.id).await.expect("the ledger is read"), Some(orientation));
}

/// Newest first; of equal times by falling id; every one once; other conversations left out.
#[tokio::test]
async fn the_ledger_is_paged_newest_first() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let at = stage.scribe.clock.now();
    put(&stage, stage.scribe.orientation(&stage.side_conversation, &[&made[0]])).await;
    let mut all = Vec::new();
    for n in 0..9 {
        let at = at + TimeDelta::milliseconds(n / 4);
        let shown: Vec<&MemoryEntry> = made.iter().take(n as usize % 4).collect();
        all.push(
            put(&stage, Orientation { at, ..stage.scribe.orientation(&stage.conversation, &shown) }).await,
        );
    }
    all.sort_by_key(|o| std::cmp::Reverse((o.at, o.id)));
    for limit in [1, 2, 4, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page =
                store(&stage).list(stage.conversation.id, after, limit).await.expect("the ledger is read");
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            after = Some(LedgerCursor { at: last.at, id: last.id });
            found.extend(page);
        }
        assert_eq!(found, all, "by {limit}");
    }
    let nobody = stage.scribe.ids.conversation_id();
    assert_eq!(store(&stage).list(nobody, None, 9).await.expect("the ledger is read"), []);
}

/// Of older ones what was taken stays, the oldest go whole, and what is as old as the bound is not older than it.
#[tokio::test]
async fn the_ledger_is_thinned_by_age() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let shown: Vec<&MemoryEntry> = made.iter().collect();
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(put(&stage, stage.scribe.orientation(&stage.conversation, &shown)).await);
    }
    let all: [Orientation; 4] = all.try_into().expect("four of them");
    let thin = |n: usize, m: usize| store(&stage).thin(all[n].at, all[m].at);
    assert_eq!(thin(0, 0).await.expect("nothing is that old"), 0);
    assert_eq!(thin(2, 1).await.expect("the ledger is thinned"), 2);
    let mut thinned = all[1].clone();
    thinned.items.truncate(1);
    thinned.thinned = true;
    let expected = [all[3].clone(), all[2].clone(), thinned];
    let list =
        || async { store(&stage).list(stage.conversation.id, None, 9).await.expect("the ledger is read") };
    assert_eq!(list().await, expected);
    assert_eq!(thin(2, 1).await.expect("once is enough"), 0);
    assert_eq!(list().await, expected);
    assert_eq!(store(&stage).get(all[0].id).await.expect("the ledger is read"), None);
    assert_eq!(thin(3, 3).await.expect("the ledger is thinned"), 2);
    assert_eq!(list().await, expected[..1]);
}

/// Its query may be what was said: where summaries alone are kept, it goes with the answer that it was made for.
#[tokio::test]
async fn the_ledger_retains_no_text_of_deleted_messages() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    let mut shown = Vec::new();
    for message in &messages {
        let orientation = stage.scribe.orientation(&stage.conversation, &[&made[0], &made[1]]);
        shown.push(put(&stage, Orientation { message: Some(message.id()), ..orientation }).await);
    }
    stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 1);
    let transcript = &stage.workspace.transcript;
    transcript.compact(stage.conversation.id, &archive, &marker, Some(1)).await.expect("compacted");
    let list =
        || async { store(&stage).list(stage.conversation.id, None, 9).await.expect("the ledger is read") };
    assert_eq!(list().await, [shown[2].clone(), shown[1].clone()]);
    let episode = stage.scribe.episode(stage.conversation.id, &messages[1..2]);
    transcript.fold(&episode, true).await.expect("an episode is stored");
    assert_eq!(list().await, shown[2..]);
}

/// What was shown in a conversation goes with it, and nothing is noted of one that is gone.
#[tokio::test]
async fn a_deleted_conversation_leaves_no_ledger() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let gone = put(&stage, stage.scribe.orientation(&stage.conversation, &[&made[0], &made[1]])).await;
    let kept = put(&stage, stage.scribe.orientation(&stage.side_conversation, &[&made[0]])).await;
    let at = stage.scribe.clock.tick();
    assert!(
        stage
            .workspace
            .conversations
            .delete_conversation(stage.conversation.id, at)
            .await
            .expect("it is deleted")
    );
    assert_eq!(store(&stage).get(gone.id).await.expect("the ledger is read"), None);
    assert_eq!(store(&stage).list(stage.conversation.id, None, 9).await.expect("the ledger is read"), []);
    assert_eq!(store(&stage).get(kept.id).await.expect("the ledger is read"), Some(kept));
    let late = stage.scribe.orientation(&stage.conversation, &[&made[0]]);
    refused!(store(&stage).put(&late).await, StoreError::NotFound("conversation"));
    let lost = Orientation { conversation: Some(stage.scribe.ids.conversation_id()), ..late };
    refused!(store(&stage).put(&lost).await, StoreError::NotFound("conversation"));
}

/// Everything that one read can hold, one second after the last.
fn read(stage: &Stage, reader: Reader, showing: Showing) -> ShownRead {
    let message = (reader == Reader::Agent).then(|| stage.scribe.ids.message_id());
    ShownRead::new(stage.scribe.ids.read_id(), stage.scribe.clock.tick(), reader, message, showing)
}

async fn put_read(stage: &Stage, read: ShownRead) -> ShownRead {
    store(stage).put_read(&read).await.expect("the read is kept");
    read
}

fn client(stage: &Stage) -> ClientId {
    ClientId::from_uuid(stage.scribe.ids.uuid())
}

async fn reads(stage: &Stage, filter: ReadFilter) -> Vec<ShownRead> {
    store(stage).reads(filter, None, 99).await.expect("the ledger is read")
}

/// Whoever read, through whatever, and however much: beyond the bound it is only counted.
#[tokio::test]
async fn every_field_of_a_read_is_read_back() {
    let stage = CheckedStage::new().await;
    let seen = |n: usize| Seen {
        kind: SeenKind::ALL[n % SeenKind::ALL.len()],
        id: stage.scribe.ids.uuid(),
        version: n as u64 % 4,
    };
    let place = Place::Conversation(stage.conversation.channel_id, stage.conversation.id);
    let mut all = Vec::new();
    for through in Through::ALL {
        for reader in [Reader::Agent, Reader::Client(client(&stage))] {
            for place in [Place::Workspace, Place::Channel(stage.side.id), place] {
                let showing = Showing::of(*through, (0..all.len() % 7).map(seen).collect()).at(place);
                all.push(put_read(&stage, read(&stage, reader, showing)).await);
            }
        }
    }
    let many = Showing::of(Through::Search, (0..MOST_ITEMS + 9).map(seen).collect());
    let many = put_read(&stage, read(&stage, Reader::Agent, many)).await;
    assert_eq!((many.showing.items.len(), many.showing.count), (MOST_ITEMS, MOST_ITEMS as u64 + 9));
    all.push(many.clone());
    all.reverse();
    assert_eq!(reads(&stage, ReadFilter::default()).await, all);
    refused!(store(&stage).put_read(&many).await, StoreError::AlreadyExists("read"));
}

/// By conversation, by client, by both, page after page.
#[tokio::test]
async fn reads_are_found_by_conversation_and_client() {
    let stage = CheckedStage::new().await;
    let (one, other) = (client(&stage), client(&stage));
    let mut all = Vec::new();
    for n in 0..12 {
        let reader = [Reader::Agent, Reader::Client(one), Reader::Client(other)][n % 3];
        let showing = Showing::counted(Through::Notes, n);
        let showing = if n % 2 == 0 { showing.of_conversation(&stage.conversation) } else { showing };
        all.push(put_read(&stage, read(&stage, reader, showing)).await);
    }
    all.reverse();
    let chosen = Some(stage.conversation.id);
    for (conversation, client) in [(None, None), (chosen, None), (None, Some(one)), (chosen, Some(other))] {
        let expected: Vec<ShownRead> = all
            .iter()
            .filter(|read| conversation.is_none_or(|id| read.showing.conversation == Some(id)))
            .filter(|read| client.is_none_or(|id| read.reader == Reader::Client(id)))
            .cloned()
            .collect();
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let filter = ReadFilter { conversation, client };
            let page = store(&stage).reads(filter, after, 2).await.expect("the ledger is read");
            let Some(last) = page.last() else { break };
            after = Some(ReadCursor { at: last.at, id: last.id });
            found.extend(page);
        }
        assert!(!expected.is_empty());
        assert_eq!(found, expected);
    }
}

/// The rules of orientations: with the conversation, with the answer of the tool, for its age, and never in one that is
/// gone.
#[tokio::test]
async fn reads_are_deleted_by_the_rules_of_orientations() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.side_conversation, &["One.", "Two."]).await;
    let of_conversation = |conversation| Showing::counted(Through::Notes, 1).of_conversation(conversation);
    let agents = read(&stage, Reader::Agent, of_conversation(&stage.side_conversation));
    put_read(&stage, ShownRead { message: Some(messages[0].id()), ..agents }).await;
    let reader = Reader::Client(client(&stage));
    put_read(&stage, read(&stage, reader, of_conversation(&stage.conversation))).await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(put_read(&stage, read(&stage, reader, Showing::counted(Through::Facts, 2))).await);
    }
    stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    let episode = stage.scribe.episode(stage.side_conversation.id, &messages[..1]);
    stage.workspace.transcript.fold(&episode, true).await.expect("an episode is stored");
    let at = stage.scribe.clock.tick();
    assert!(
        stage
            .workspace
            .conversations
            .delete_conversation(stage.conversation.id, at)
            .await
            .expect("it is deleted")
    );
    kept.reverse();
    assert_eq!(reads(&stage, ReadFilter::default()).await, kept);
    let late = read(&stage, reader, of_conversation(&stage.conversation));
    refused!(store(&stage).put_read(&late).await, StoreError::NotFound("conversation"));
    assert_eq!(store(&stage).thin(kept[1].at, kept[1].at).await.expect("the ledger is thinned"), 1);
    assert_eq!(reads(&stage, ReadFilter::default()).await, kept[..2]);
}
