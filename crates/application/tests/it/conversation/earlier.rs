//! What the World Agent reads of earlier conversations: those of its channel, and through a lens only those that the lens shows.

use inklings_application::testing::places::Places;
use inklings_domain::{conversation::Conversation, conversation::message::Role, lens::Lens};
use inklings_ports::{
    model::chat::ToolCall,
    testing::builders::{agent, author},
};
use serde_json::{Value, json};

use crate::support::World;

async fn ask(world: &World, conversation: &Conversation, arguments: Value) -> Value {
    let call = ToolCall { id: "1".into(), name: "conversation".into(), arguments: arguments.to_string() };
    let (answer, showing) = world.session.turns().run_tool(conversation, &call, &[], agent()).await;
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(showing.is_some(), answer.get("error").is_none(), "a read is in the ledger: {answer}");
    answer
}

fn codes(answer: &Value, list: &str) -> Vec<String> {
    let rows = answer[list].as_array().expect("rows").iter();
    let mut codes: Vec<String> =
        rows.map(|row| row["conversation"].as_str().expect("a code").to_owned()).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// All three actions, asked for what lies in a conversation: what they show of it.
async fn shows(world: &World, current: &Conversation, other: &Conversation, query: &str) -> [bool; 3] {
    let code = other.ref_code.to_string();
    let listed = ask(world, current, json!({ "action": "list" })).await;
    let read = ask(world, current, json!({ "action": "read", "conversation": code })).await;
    let found = ask(world, current, json!({ "action": "search", "query": query })).await;
    let narrowed =
        ask(world, current, json!({ "action": "search", "query": query, "conversation": code })).await;
    let found = codes(&found, "messages").contains(&code);
    assert_eq!(found, narrowed.get("messages").is_some(), "{narrowed}");
    [codes(&listed, "conversations").contains(&code), read.get("messages").is_some(), found]
}

#[tokio::test]
async fn the_world_agent_lists_reads_and_searches_the_conversations_of_its_channel_alone() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let earlier = world.conversation().await;
    world.say(&earlier, Role::User, "We left off at the siege of Tarn.").await;
    let here = world.conversation().await;
    assert_eq!(shows(&world, &here, &earlier, "siege").await, [true; 3]);
    assert_eq!(shows(&world, &here, &places.secret, "flint").await, [false; 3]);
    let secret = places.secret.ref_code.to_string();
    let [refused, unknown] = [secret.as_str(), "zzzzzzzzzzz"].map(str::to_owned);
    let answers = [
        ask(&world, &here, json!({ "action": "read", "conversation": refused })).await,
        ask(&world, &here, json!({ "action": "read", "conversation": unknown })).await,
    ];
    let text = |n: usize, code: &str| answers[n]["error"].as_str().expect("refused").replace(code, "CODE");
    assert_eq!(
        text(0, &refused),
        text(1, &unknown),
        "what it may not read is as unknown as what does not exist"
    );
}

#[tokio::test]
async fn without_a_name_the_world_agent_reads_its_own_conversation() {
    let world = World::new().await;
    let here = world.conversation().await;
    for n in 1..=3 {
        world.say(&here, Role::User, &format!("Line {n}.")).await;
    }
    let answer = ask(&world, &here, json!({ "action": "read", "limit": 2 })).await;
    let texts: Vec<&str> =
        answer["messages"].as_array().expect("rows").iter().filter_map(|row| row["text"].as_str()).collect();
    assert_eq!(texts, ["Line 2.", "Line 3."]);
    assert_eq!(answer["earlier"], true);
    let refused = ask(&world, &here, json!({ "action": "append", "text": "No." })).await;
    assert!(refused.get("error").is_some(), "its words are its answer");
}

#[tokio::test]
async fn through_a_lens_the_world_agent_reads_only_conversations_that_the_lens_shows() {
    let world = World::new().await;
    let mira = world.session.subjects().add("Mira", "character", "", author()).await.expect("added").id();
    let lens = Lens { knower: Some(mira), at: None };
    let begin = async |lens: Lens| {
        let begun = world.conversation().await;
        world.session.conversations().set_lens(begun.id, lens).await.expect("set")
    };
    let (everything, hers, current) = (begin(Lens::NONE).await, begin(lens).await, begin(lens).await);
    world.say(&everything, Role::User, "The siege was staged by the crown.").await;
    world.say(&hers, Role::User, "Mira saw the siege begin.").await;
    assert_eq!(shows(&world, &current, &hers, "siege").await, [true; 3]);
    assert_eq!(shows(&world, &current, &everything, "siege").await, [false; 3]);
    let unbound = world.conversation().await;
    assert_eq!(
        shows(&world, &unbound, &hers, "siege").await,
        [true; 3],
        "the worldbuilder's own view shows all"
    );
}
