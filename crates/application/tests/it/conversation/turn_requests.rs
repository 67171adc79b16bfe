//! What the model is sent in a turn: always something to answer, and no more than it can read.

use inklings_application::{conversation::settings::ConversationSettings, turn::TurnEnd};
use inklings_domain::{
    conversation::message::{Role, estimated_tokens},
    scope::Place,
};
use inklings_ports::{
    model::chat::{ChatError, ChatRequest, ChatTurn},
    testing::{builders::draft, chat::Play},
};

use super::{World, play, window};

/// Estimated tokens of all that a request holds, and of the answer.
fn tokens(request: &ChatRequest) -> u64 {
    let of_turn = |turn: &ChatTurn| match turn {
        ChatTurn::User(text) | ChatTurn::Tool { text, .. } => estimated_tokens(text),
        ChatTurn::Assistant { text, calls } => {
            estimated_tokens(text) + calls.iter().map(|call| estimated_tokens(&call.arguments)).sum::<u64>()
        }
    };
    let of_tools = request.tools.iter().map(|tool| {
        estimated_tokens(tool.name)
            + estimated_tokens(&tool.description)
            + estimated_tokens(&tool.schema.to_string())
    });
    estimated_tokens(&request.system)
        + request.turns.iter().map(of_turn).sum::<u64>()
        + of_tools.sum::<u64>()
        + u64::from(request.max_tokens.unwrap_or_default())
}

fn is_user(turn: Option<&ChatTurn>, text: &str) -> bool {
    matches!(turn, Some(ChatTurn::User(user)) if user == text)
}

#[tokio::test]
async fn the_question_stays_in_a_request_with_a_long_answer_of_a_tool() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let long = draft(Place::Workspace, &"salt and iron ".repeat(4_000));
    let id = world.session.memories().create(long, window()).await.expect("written").id();
    for _ in 0..5 {
        world.say(&conversation, Role::User, &"many words about nothing ".repeat(20)).await;
    }
    world.say(&conversation, Role::User, "What does it hold?").await;
    let get = format!(r#"{{"id": "{id}"}}"#);
    let plays = vec![Play::Calls("memory_get", get), Play::Says(vec!["Salt."])];
    let (end, model, _) = play(&world, &conversation, plays).await;
    assert_eq!(end, TurnEnd::Done);
    let requests = model.requests();
    let last = &requests[1];
    assert!(is_user(last.turns.first(), "What does it hold?"), "{:?}", last.turns.first());
    assert!(matches!(last.turns.last(), Some(ChatTurn::Tool { text, .. }) if text.contains("[cut: ")));
    assert!(tokens(last) <= 8_192, "{}", tokens(last));
}

#[tokio::test]
async fn the_question_stays_in_a_request_after_more_calls_than_the_workspace_caches() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let settings = ConversationSettings { working_cap: 2, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("set");
    world.say(&conversation, Role::User, "Something else.").await;
    world.say(&conversation, Role::User, "What is noted?").await;
    let read = r#"{"action": "read"}"#;
    let plays = vec![Play::CallsOften(5, "scratchpad", read.into()), Play::Says(vec!["Nothing."])];
    let (end, model, _) = play(&world, &conversation, plays).await;
    assert_eq!(end, TurnEnd::Done);
    let turns = &model.requests()[1].turns;
    assert!(is_user(turns.first(), "What is noted?"), "{turns:?}");
    assert_eq!(turns.len(), 7, "the question, the calls and five answers");
}

#[tokio::test]
async fn an_interrupted_answer_is_given_anew_and_not_continued() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Tell me of the siege.").await;
    for _ in 0..2 {
        play(&world, &conversation, vec![Play::BreaksOff(vec!["It began"])]).await;
    }
    let (_, model, _) = play(&world, &conversation, vec![Play::Says(vec!["It began at dawn."])]).await;
    assert_eq!(model.requests()[0].turns, [ChatTurn::User("Tell me of the siege.".into())]);
    // Later the model sees the answer that came in the end.
    world.say(&conversation, Role::User, "And then?").await;
    let (_, model, _) = play(&world, &conversation, vec![Play::Says(vec!["It ended."])]).await;
    let answer = ChatTurn::Assistant { text: "It began at dawn.".into(), calls: Vec::new() };
    let asked = |text: &str| ChatTurn::User(text.into());
    assert_eq!(model.requests()[0].turns, [asked("Tell me of the siege."), answer, asked("And then?")]);
}

#[tokio::test]
async fn a_message_behind_calls_that_were_not_answered_in_words_is_sent_in_an_order_that_endpoints_accept() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "What is noted?").await;
    let calls = Play::Calls("scratchpad", r#"{"action": "read"}"#.into());
    play(&world, &conversation, vec![calls, Play::Refuses(ChatError::Timeout)]).await;
    world.say(&conversation, Role::User, "Never mind.").await;
    let (_, model, _) = play(&world, &conversation, vec![Play::Says(vec!["Well."])]).await;
    let turns = &model.requests()[0].turns;
    let text = |turn: &ChatTurn| matches!(turn, ChatTurn::Assistant { calls, .. } if calls.is_empty());
    assert!(matches!(&turns[2], ChatTurn::Tool { .. }) && text(&turns[3]), "{turns:?}");
    assert!(is_user(turns.last(), "Never mind."));
}

#[tokio::test]
async fn a_conversation_without_a_message_to_answer_asks_no_model() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::Assistant, "Welcome.").await;
    let (end, model, _) = play(&world, &conversation, vec![Play::Says(vec!["Hello."])]).await;
    assert_eq!(end, TurnEnd::Failed(ChatError::NothingToAnswer));
    assert!(model.requests().is_empty());
}
