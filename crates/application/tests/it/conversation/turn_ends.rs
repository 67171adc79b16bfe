//! How a turn ends, and what is stored of its answer.

use std::sync::Arc;

use chrono::TimeDelta;
use inklings_application::turn::{TurnEnd, stopper};
use inklings_domain::{
    conversation::{Conversation, message::Role},
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
};
use inklings_ports::{
    conversation::transcript_store::Streaming,
    model::chat::{ChatError, ChatModel},
    testing::chat::{Play, ScriptedModel},
};

use super::{StreamedText, World, play, window};

/// A conversation with a message to answer.
async fn with_question() -> (World, Conversation) {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Tell me of the siege.").await;
    (world, conversation)
}

/// Does something while a stalled answer streams; answers with the end of the turn.
async fn while_streaming(
    world: &World,
    conversation: &Conversation,
    act: impl AsyncFnOnce(&dyn Fn()),
) -> TurnEnd {
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([Play::Stalls(vec!["It began"])]));
    let (stopper, stop) = stopper();
    let received = StreamedText::default();
    let turns = world.session.turns();
    let turn = turns.answer(conversation, &model, &stop, &received, window());
    let acting = async {
        while received.0.lock().expect("not poisoned").is_empty() {
            tokio::task::yield_now().await;
        }
        act(&|| stopper.stop()).await;
    };
    let (end, ()) = tokio::join!(turn, acting);
    end.expect("the store works")
}

/// Waits until the answer was written at the current time.
async fn written(world: &World, conversation: &Conversation) {
    let now = inklings_ports::clock::Clock::now(&*world.clock);
    for _ in 0..20_000 {
        let all = world.session.transcripts().newest(conversation.id).await.expect("read");
        if all.last().is_some_and(|answer| answer.updated_at == now) {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the answer was not written");
}

#[tokio::test]
async fn an_answer_without_text_for_minutes_is_not_taken_for_a_lost_one() {
    let (world, conversation) = with_question().await;
    let end = while_streaming(&world, &conversation, async |stop| {
        for _ in 0..8 {
            world.clock.advance(TimeDelta::seconds(31));
            written(&world, &conversation).await;
            // As another process sees it.
            let lost = world.session.transcripts().settle_lost_answers(&[]).await;
            assert_eq!(lost.expect("settled"), 0);
        }
        stop();
    });
    assert_eq!(end.await, TurnEnd::Cancelled);
    assert_eq!(world.transcript(&conversation).await[1], (Role::Assistant, "It began".into(), "cancelled"));
}

#[tokio::test]
async fn the_own_answer_of_a_process_is_not_lost_after_the_machine_slept() {
    let (world, conversation) = with_question().await;
    let end = while_streaming(&world, &conversation, async |stop| {
        // The transcript is read at the old time, before the turn gets to write again.
        let transcript = &world.session.workspace.transcript;
        let now = world.clock.advance(TimeDelta::hours(8));
        let running = [conversation.id];
        let lost = transcript.abandon(Streaming::AllBut(&running), now, now).await;
        assert_eq!(lost.expect("settled"), 0);
        stop();
    });
    assert_eq!(end.await, TurnEnd::Cancelled);
    assert_eq!(world.transcript(&conversation).await[1].2, "cancelled");
}

#[tokio::test]
async fn a_turn_whose_answer_was_taken_away_ends_and_runs_no_tool() {
    let (world, conversation) = with_question().await;
    let end = while_streaming(&world, &conversation, async |_| {
        world.session.transcripts().settle_broken_answer(conversation.id).await.expect("settled");
        world.clock.advance(TimeDelta::seconds(31));
    });
    assert_eq!(end.await, TurnEnd::Failed(ChatError::BrokenOff));
}

#[tokio::test]
async fn an_answer_that_reached_its_limit_is_marked_and_runs_no_tool() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Write the first chapter.").await;
    let (end, ..) = play(&world, &conversation, vec![Play::CutOff(vec!["It was a dark and"])]).await;
    assert_eq!(end, TurnEnd::Failed(ChatError::CutOff));
    let stored = &world.transcript(&conversation).await[1];
    assert_eq!(*stored, (Role::Assistant, "It was a dark and".into(), "failed"));
}

#[tokio::test]
async fn the_last_answer_of_a_turn_may_call_no_tool_and_its_failure_is_stored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Go on.").await;
    let put = r#"{"tier": "workspace", "content": "The gate is iron."}"#;
    let mut plays = vec![Play::Calls("scratchpad", r#"{"action": "read"}"#.into()); 7];
    plays.push(Play::Calls("memory_put", put.into()));
    let (end, model, _) = play(&world, &conversation, plays).await;
    assert!(matches!(end, TurnEnd::Failed(ChatError::Endpoint(_))), "{end:?}");
    let may_call: Vec<bool> = model.requests().iter().map(|request| !request.answer_only).collect();
    assert_eq!(may_call, [true, true, true, true, true, true, true, false]);
    assert!(model.requests().iter().all(|request| !request.tools.is_empty()), "earlier turns call them");
    let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let listed = world.session.memories().list(&filter, Sort::CreatedDesc, None, 10).await.expect("listed");
    assert!(listed.entries.is_empty());
    let last = world.transcript(&conversation).await.pop();
    assert_eq!(last, Some((Role::Assistant, String::new(), "failed")));
}

#[tokio::test]
async fn a_turn_that_is_stopped_before_the_model_is_asked_asks_none() {
    let (world, conversation) = with_question().await;
    let scripted = Arc::new(ScriptedModel::new([Play::Says(vec!["No."])]));
    let model: Arc<dyn ChatModel> = Arc::<ScriptedModel>::clone(&scripted);
    let (stopper, stop) = stopper();
    stopper.stop();
    let received = StreamedText::default();
    let end = world.session.turns().answer(&conversation, &model, &stop, &received, window()).await;
    assert_eq!(end.expect("the store works"), TurnEnd::Cancelled);
    assert!(scripted.requests().is_empty());
    assert_eq!(world.transcript(&conversation).await.len(), 1);
}
