//! What stands at the end of a long text is found by meaning, with the model that ships with the program.

use std::{sync::Arc, time::Duration};

use inklings_api::{
    NoopEvents,
    memory::filter::MemoryFilter,
    search::{
        parts::SearchMode,
        view::{MessageSearchRequest, SearchRequest, SearchResponse},
    },
    vocabulary::Scope,
};
use inklings_formats::testing::conversations::chatgpt;
use inklings_ports::progress::NoProgress;
use serde_json::json;

use crate::{memory_off::new, support::World};

const PEOPLE: [&str; 7] =
    ["The mayor", "Her brother", "An old scribe", "The innkeeper", "A captain", "The abbess", "The judge"];
const DEEDS: [&str; 9] = [
    "counted the silver of the treasury",
    "wrote a letter about the harvest",
    "repaired the roof of the granary",
    "argued over the price of wool",
    "taught the children to read",
    "hung new curtains in the hall",
    "buried a chest of coins in the garden",
    "painted the shutters green",
    "sang in the choir of the abbey",
];
const WHEN: [&str; 5] =
    ["in the first winter", "during Lent", "after the feast", "one grey morning", "at dusk"];
/// Shares no word with the query below but such as say nothing.
const END: &str = "Whoever wants to reach the far bank boards the raft that Odo pulls along a rope.";
const QUERY: &str = "how do travellers cross a river";

/// About two thousand words, the last of which speak of something else than all others.
fn two_thousand_words() -> String {
    let sentence = |n: usize| format!("{} {} {}.", PEOPLE[n % 7], DEEDS[n % 9], WHEN[n % 5]);
    let text = format!("{} {END}", (0..190).map(sentence).collect::<Vec<_>>().join(" "));
    assert!((1_900..2_300).contains(&text.split_whitespace().count()));
    text
}

async fn found(world: &World) -> SearchResponse {
    let request = || SearchRequest {
        query: QUERY.to_owned(),
        filter: MemoryFilter::default(),
        limit: 5,
        first: None,
        strategy: None,
    };
    for _ in 0..2_000 {
        let found = world.app.memory().search_memories(request()).await.expect("an answer");
        if found.mode == SearchMode::Hybrid {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the vectors were not loaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_long_memory_is_found_by_meaning_and_shown() {
    let world = World::with_model().await;
    let (memories, text) = (world.app.memory(), two_thousand_words());
    for text in
        ["The tower has nine bells.", "Salt is dear this year.", "The queen rides a grey horse.", &text]
    {
        memories.create_memory(new(Scope::Workspace, text)).await.expect("written");
    }
    assert_eq!(world.app.model().embed_pending(&NoProgress).await.expect("embedded"), 4);
    let hit = found(&world).await.hits.remove(0);
    assert!(text.starts_with(&hit.row.preview), "{}", hit.row.preview);
    assert!(hit.shows_passage && hit.spans.is_empty(), "{}", hit.snippet);
    let passage = hit.passage.expect("the nearest passage");
    assert!(passage.start > 0 && text[passage.start as usize..passage.end as usize].ends_with(END));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_long_message_is_found_by_meaning_and_shown() {
    let world = World::with_model().await;
    let text = two_thousand_words();
    let file = json!([chatgpt("a", &["Tell me of the town.", &text, "Thank you, that is plenty."])]);
    let path = world.file("conversations.json", file.to_string());
    let events = Arc::new(NoopEvents);
    world.app.conversation().import_conversations(&path, None, false, events).await.expect("comes in");
    assert_eq!(world.app.model().embed_pending(&NoProgress).await.expect("embedded"), 3);
    let request = MessageSearchRequest {
        query: QUERY.to_owned(),
        conversation: None,
        channel_id: None,
        archived: false,
        limit: 5,
        strategy: None,
    };
    let hits = world.app.conversation().search_messages(request).await.expect("an answer").hits;
    // The question that it answers may come before it, because a person asked it.
    let mut best = hits.into_iter().take(2);
    let hit = best.find(|hit| hit.message.content.ends_with(END)).expect("it is one of the best");
    assert!(hit.shows_passage, "{}", hit.snippet);
    let passage = hit.passage.expect("the nearest passage");
    assert!(text[passage.start as usize..passage.end as usize].ends_with(END));
}
