//! How fast messages are. Run by hand: `cargo test -p inklings-sqlite --test it -- transcript::rates --ignored --nocapture`,
//! with `MESSAGES` for their number.

#![allow(clippy::print_stdout, reason = "a measurement is for reading")]

use std::time::{Duration, Instant};

use crate::support::{
    self,
    stage::{Stage, model},
};
use inklings_domain::{
    conversation::{
        Conversation,
        message::{Delivery, NewMessage},
    },
    ids::MessageId,
    search::query,
};
use inklings_ports::{
    conversation::{store::ConversationFilter, transcript_store::MessageRange},
    memory::vector_store::TextVectors,
    search::transcript_store::TranscriptFilter,
    testing::random::Dice,
};

const WORDS: &[&str] = &[
    "gate", "iron", "river", "queen", "oath", "winter", "harbour", "lantern", "salt", "tower", "raven",
    "mill", "border", "feast", "letter", "map", "bridge", "storm", "orchard", "bell", "king", "treaty",
    "forge", "ash",
];
const DIMENSION: usize = 384;
const CONVERSATIONS: usize = 100;

/// The median and the slowest of some runs.
async fn measure<T>(what: &str, mut run: impl AsyncFnMut() -> T) -> T {
    let mut times = Vec::new();
    let mut last = run().await;
    for _ in 0..20 {
        let begun = Instant::now();
        last = run().await;
        times.push(begun.elapsed());
    }
    times.sort();
    println!("{what}: median {:?}, slowest {:?}", times[10], times[19]);
    last
}

async fn fill(stage: &Stage, total: usize) -> Vec<Conversation> {
    let mut dice = Dice::new(7);
    let mut store = Vec::new();
    for n in 0..CONVERSATIONS {
        let channel = if n % 2 == 0 { stage.general.id } else { stage.side.id };
        let room = stage.scribe.conversation(channel);
        stage.workspace.conversations.add_conversation(&room).await.expect("a conversation is added");
        store.push(room);
    }
    let (mut writing, mut embedding) = (Duration::ZERO, Duration::ZERO);
    for room in &store {
        let line = |n: usize, dice: &mut Dice| {
            let words: Vec<&str> = (0..40).map(|_| *dice.pick(WORDS)).collect();
            format!("{} line{n}", words.join(" "))
        };
        let messages: Vec<NewMessage> =
            (0..total / CONVERSATIONS).map(|n| stage.scribe.message(&line(n, &mut dice))).collect();
        let begun = Instant::now();
        stage.say(room, &messages).await;
        writing += begun.elapsed();
        let vectors: Vec<(MessageId, TextVectors)> =
            messages.iter().map(|m| (m.id, dice.direction(DIMENSION).into())).collect();
        let begun = Instant::now();
        let model = model("rates", DIMENSION);
        stage.workspace.transcript.put_vectors(&model, &vectors).await.expect("vectors are stored");
        embedding += begun.elapsed();
    }
    println!("{total} messages written in {writing:?}, their vectors in {embedding:?}");
    store
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, not a check"]
async fn rates() {
    let total: usize = std::env::var("MESSAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let (_folder, stage) = support::stage().await;
    let store = fill(&stage, total).await;
    let (search, transcript) = (&stage.workspace.transcript_search, &stage.workspace.transcript);
    let model = model("rates", DIMENSION);
    let vector = Dice::new(9).direction(DIMENSION);
    let everywhere = TranscriptFilter::default();
    let one = TranscriptFilter { conversation: Some(store[3].id), ..everywhere.clone() };
    let channel = TranscriptFilter { channel: Some(stage.side.id), ..everywhere.clone() };
    let begun = Instant::now();
    search.search_meaning(&vector, &model.id, &everywhere, 50).await.expect("search answers");
    println!("meaning, the first time: {:?}", begun.elapsed());
    for (name, scope_filter) in
        [("everywhere", everywhere), ("one conversation", one), ("one channel", channel)]
    {
        measure(&format!("meaning, {name}"), async || {
            search.search_meaning(&vector, &model.id, &scope_filter, 50).await.expect("search answers")
        })
        .await;
        for typed in ["lantern harbour", "line7", "\"iron gate\" winter"] {
            let query = query::parse(typed).query;
            measure(&format!("words, {name}, {typed}"), async || {
                search.search_text(&query, &scope_filter, 50).await.expect("search answers")
            })
            .await;
        }
    }
    measure("newest page", async || transcript.page(store[3].id, MessageRange::Newest, 50).await)
        .await
        .expect("read");
    let filter = ConversationFilter::default();
    measure("list of conversations", async || {
        stage.workspace.conversations.list_conversations(&filter, None, 50).await
    })
    .await
    .expect("read");
    measure("channels", async || stage.workspace.conversations.channels().await).await.expect("read");
    measure("nothing pending", async || transcript.pending_vectors(&model, 32).await).await.expect("read");
    measure("counts", async || transcript.vector_counts(&model).await).await.expect("read");
    let arriving = stage.say(&store[3], &[stage.scribe.arriving()]).await.remove(0);
    let mut text = String::new();
    measure("a piece of an answer", async || {
        text.push_str("and the lantern by the harbour burned on and on through the winter storm ");
        let (now, so_far) = (stage.scribe.clock.tick(), Delivery::Streaming);
        transcript.deliver(arriving.id(), &text, None, so_far, now).await
    })
    .await
    .expect("written");
    let begun = Instant::now();
    let now = stage.scribe.clock.tick();
    stage.workspace.conversations.delete_conversation(store[5].id, now).await.expect("it is deleted");
    println!("a conversation of {} deleted in {:?}", total / CONVERSATIONS, begun.elapsed());
    measure("append", async || stage.add_texts(&store[3], &["One more."]).await).await;
}
