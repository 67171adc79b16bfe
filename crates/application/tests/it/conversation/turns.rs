//! Turns of the World Agent.

use std::sync::Arc;

use inklings_application::turn::{TurnEnd, stopper};
use inklings_domain::{
    conversation::message::Role,
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
    provenance::Curator,
    scope::Place,
};
use inklings_ports::{
    model::chat::{ChatError, ChatModel, ChatTurn},
    testing::{
        builders::draft,
        chat::{Play, ScriptedModel},
    },
};

use super::{StreamedText, World, play, window};

#[tokio::test]
async fn an_answer_is_streamed_and_stored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Who rules Veyra?").await;
    let (end, _, heard) = play(&world, &conversation, vec![Play::Says(vec!["The ", "council."])]).await;
    assert_eq!((end, heard.as_str()), (TurnEnd::Done, "The council."));
    let messages = world.transcript(&conversation).await;
    assert_eq!(messages[1], (Role::Assistant, "The council.".into(), "complete"));
}

#[tokio::test]
async fn with_an_unreachable_endpoint_the_message_is_stored_and_the_answer_marked_as_failed() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Anybody there?").await;
    let dead = ChatError::Unreachable("refused".into());
    let (end, ..) = play(&world, &conversation, vec![Play::Refuses(dead.clone())]).await;
    assert_eq!(end, TurnEnd::Failed(dead));
    let messages = world.transcript(&conversation).await;
    assert_eq!(messages[0].1, "Anybody there?");
    assert_eq!(messages[1], (Role::Assistant, String::new(), "failed"));
    // Asked again, the failed answer is not shown to the model.
    let (end, model, _) = play(&world, &conversation, vec![Play::Says(vec!["Here."])]).await;
    assert_eq!(end, TurnEnd::Done);
    assert_eq!(model.requests()[0].turns, [ChatTurn::User("Anybody there?".into())]);
}

#[tokio::test]
async fn the_received_part_of_a_broken_answer_is_stored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Tell me of the siege.").await;
    let (end, ..) = play(&world, &conversation, vec![Play::BreaksOff(vec!["It began ", "at dawn"])]).await;
    assert_eq!(end, TurnEnd::Failed(ChatError::BrokenOff));
    assert_eq!(
        world.transcript(&conversation).await[1],
        (Role::Assistant, "It began at dawn".into(), "failed")
    );
}

#[tokio::test]
async fn stopping_an_answer_stores_the_received_part() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Tell me of the siege.").await;
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([Play::Stalls(vec!["It began"])]));
    let (stopper, stop) = stopper();
    let received = StreamedText::default();
    let turns = world.session.turns();
    let turn = turns.answer(&conversation, &model, &stop, &received, window());
    let halt = async {
        while received.0.lock().expect("not poisoned").is_empty() {
            tokio::task::yield_now().await;
        }
        stopper.stop();
    };
    let (end, ()) = tokio::join!(turn, halt);
    assert_eq!(end.expect("the store works"), TurnEnd::Cancelled);
    assert_eq!(world.transcript(&conversation).await[1], (Role::Assistant, "It began".into(), "cancelled"));
}

#[tokio::test]
async fn tools_write_as_the_agent_and_each_call_is_stored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Remember that the gate is iron.").await;
    let put = r#"{"tier": "workspace", "content": "The gate is iron.", "importance": 0.7}"#;
    let (end, model, heard) = play(
        &world,
        &conversation,
        vec![
            Play::Calls("memory_put", put.into()),
            Play::Calls(
                "fact",
                r#"{"action": "set", "category": "gate", "key": "metal", "value": "iron"}"#.into(),
            ),
            Play::Calls(
                "scratchpad",
                r#"{"action": "write", "key": "todo", "value": ["walls"], "ttl_seconds": "3600"}"#.into(),
            ),
            Play::Says(vec!["Noted."]),
        ],
    )
    .await;
    assert_eq!(end, TurnEnd::Done);
    assert_eq!(heard, "<memory_put><fact><scratchpad>Noted.");
    let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let entries =
        world.session.memories().list(&filter, Sort::CreatedDesc, None, 10).await.expect("listed").entries;
    let entry = &entries[0].entry;
    assert_eq!((entry.curator, entry.content.as_str()), (Curator::Agent, "The gate is iron."));
    assert_eq!(entry.origin.as_ref().and_then(|o| o.conversation), Some(conversation.id));
    assert_eq!(world.session.scratchpad().list(conversation.id).await.expect("listed").len(), 1);
    let roles: Vec<Role> = world.transcript(&conversation).await.into_iter().map(|m| m.0).collect();
    let (a, t) = (Role::Assistant, Role::Tool);
    assert_eq!(roles, [Role::User, a, t, a, t, a, t, a]);
    // The model sees its calls with their answers.
    let last = model.requests().pop().expect("asked");
    assert!(matches!(&last.turns[1], ChatTurn::Assistant { calls, .. } if calls.len() == 1));
    assert!(matches!(&last.turns[2], ChatTurn::Tool { name, .. } if name == "memory_put"));
}

#[tokio::test]
async fn the_agent_clears_one_working_note_or_all_of_its_conversation() {
    let world = World::new().await;
    let chosen = world.conversation().await;
    let other = world.conversation().await;
    for (conversation, key) in [(chosen.id, "a"), (chosen.id, "b"), (chosen.id, "c"), (other.id, "a")] {
        world.session.scratchpad().write(conversation, key, "1", None).await.expect("written");
    }
    world.say(&chosen, Role::User, "Start afresh.").await;
    let calls = vec![
        Play::Calls("scratchpad", r#"{"action": "clear", "key": "b"}"#.into()),
        Play::Calls("scratchpad", r#"{"action": "clear", "key": 7}"#.into()),
        Play::Calls("scratchpad", r#"{"action": "clear"}"#.into()),
        Play::Says(vec!["Done."]),
    ];
    play(&world, &chosen, calls).await;
    let answers: Vec<String> =
        world.transcript(&chosen).await.into_iter().filter(|m| m.0 == Role::Tool).map(|m| m.1).collect();
    let refused = r#"{"error":"'key' is 7; give a text"}"#;
    assert_eq!(answers, [r#"{"cleared":1}"#, refused, r#"{"cleared":2}"#]);
    assert_eq!(world.session.scratchpad().list(chosen.id).await.expect("listed"), []);
    assert_eq!(world.session.scratchpad().list(other.id).await.expect("listed").len(), 1);
}

#[tokio::test]
async fn every_tool_offered_to_the_agent_exists() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Try everything.").await;
    let (_, model, _) = play(&world, &conversation, vec![Play::Says(vec!["Ready."])]).await;
    let tools: Vec<&'static str> = model.requests()[0].tools.iter().map(|tool| tool.name).collect();
    assert!(tools.contains(&"scratchpad"), "{tools:?}");
    world.say(&conversation, Role::User, "Go on.").await;
    for tool in &tools {
        play(&world, &conversation, vec![Play::Calls(tool, "{}".into()), Play::Says(vec!["Tried."])]).await;
    }
    let transcript = world.transcript(&conversation).await;
    let answers: Vec<_> = transcript.into_iter().filter(|m| m.0 == Role::Tool).map(|m| m.1).collect();
    assert_eq!(answers.len(), tools.len());
    assert!(answers.iter().all(|answer| !answer.contains("no such tool")), "{answers:?}");
}

#[tokio::test]
async fn the_agents_tools_report_an_error_for_entries_of_the_author() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let mine = world.session.memories().create(draft(Place::Workspace, "The gate is iron."), window()).await;
    let mine = mine.expect("written").id();
    world.say(&conversation, Role::User, "Forget the gate.").await;
    let forget = format!(r#"{{"id": "{mine}", "reason": "asked"}}"#);
    let bad = vec![
        Play::Calls("memory_forget", forget),
        Play::Calls("memory_put", "not json".into()),
        Play::Calls("no_such_tool", "{}".into()),
        Play::Calls("memory_put", r#"{"tier": "somewhere", "content": "x"}"#.into()),
        Play::Says(vec!["I may not."]),
    ];
    let (end, ..) = play(&world, &conversation, bad).await;
    assert_eq!(end, TurnEnd::Done);
    assert!(world.session.entry(mine).await.expect("there").entry.is_active());
    let answers: Vec<String> = world
        .transcript(&conversation)
        .await
        .into_iter()
        .filter(|m| m.0 == Role::Tool)
        .map(|m| m.1)
        .collect();
    assert_eq!(answers.len(), 4);
    assert!(
        answers[0].contains("belongs to the worldbuilder") && answers[0].contains("proposed"),
        "{answers:?}"
    );
    assert!(answers[1..].iter().all(|answer| answer.contains("\"error\"")), "{answers:?}");
    assert_eq!(world.session.proposals().count_open().await.expect("counted"), 1);
}

#[tokio::test]
async fn recalled_entries_are_framed_as_candidates_and_counted_as_used() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let id = world
        .session
        .memories()
        .create(draft(Place::Workspace, "The salt tax pays for the quay."), window())
        .await;
    let id = id.expect("written").id();
    world.say(&conversation, Role::User, "what does the salt tax pay").await;
    let before = world.session.turns().agent_view(&conversation, None, None).await.expect("a view");
    assert!(before.prompt.contains("noted before") && before.prompt.contains("by author"));
    assert_eq!(world.session.entry(id).await.expect("there").entry.access_count, 0, "looking is no use");
    play(&world, &conversation, vec![Play::Says(vec!["The quay."])]).await;
    assert_eq!(world.session.entry(id).await.expect("there").entry.access_count, 1);
}

#[tokio::test]
async fn a_long_conversation_is_cut_to_the_budget_and_keeps_the_last_message() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    for _ in 0..30 {
        world.say(&conversation, Role::User, &"many words about nothing ".repeat(40)).await;
    }
    world.say(&conversation, Role::User, "the last word").await;
    let view = world.session.turns().agent_view(&conversation, None, Some(4_096)).await.expect("a view");
    assert!(view.tokens <= view.budget, "{} of {}", view.tokens, view.budget);
    let turns = view.turns();
    assert!(matches!(turns.last(), Some(ChatTurn::User(text)) if text.ends_with("\n\nthe last word")));
}
