//! Compaction and episodes.

use std::sync::Arc;

use chrono::Duration;
use inklings_application::{
    conversation::{
        episodes::EpisodeRule,
        settings::ConversationSettings,
        summarise::{ByModel, Extractive},
    },
    error::AppError,
};
use inklings_domain::{
    conversation::{episode::SummaryMaker, message::Role, summary::Turn},
    memory::MemoryKind,
    provenance::Curator,
};
use inklings_ports::{
    conversation::summariser::{Material, Summariser},
    model::chat::{ChatError, ChatModel},
    store_error::StoreError,
    testing::chat::{Play, ScriptedModel},
};

use super::{World, window};

async fn long_conversation(world: &World, turns: usize) -> inklings_domain::conversation::Conversation {
    let conversation = world.conversation().await;
    for n in 0..turns {
        let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
        world
            .say(
                &conversation,
                role,
                &format!("In the year {} the captain Oskar Lind counted ships.", 1_400 + n),
            )
            .await;
    }
    conversation
}

#[tokio::test]
async fn compaction_writes_an_archive_and_the_next_run_replays_from_its_marker() {
    let world = World::new().await;
    let conversation = long_conversation(&world, 40).await;
    let preview =
        world.session.compaction().preview(&conversation, Some(10), &Extractive).await.expect("a preview");
    let preview = preview.expect("enough was said");
    assert_eq!((preview.messages, preview.through), (30, 30));
    assert!(preview.tokens_after < preview.tokens_before);
    let marker =
        world.session.compaction().compact(&conversation, Some(10), None, &Extractive, window()).await;
    let marker = marker.expect("compacted").expect("enough was said");
    let marker = marker.body.marker.expect("a marker");
    assert_eq!(marker.archive_name, preview.name);
    let archive = world.session.entry(marker.archive).await.expect("written").entry;
    assert_eq!((archive.kind, archive.curator), (MemoryKind::Archive, Curator::Agent));
    assert!(archive.content.contains("Oskar Lind"));
    assert_eq!(world.session.contexts().replayed(conversation.id).await.expect("replayed").len(), 10);
    assert_eq!(world.transcript(&conversation).await.len(), 41, "the originals stay");
    let view = world.session.turns().agent_view(&conversation, None, None).await.expect("a view");
    assert!(view.oriented.shown.archive.is_some() && view.prompt.contains(&preview.name));
}

#[tokio::test]
async fn every_compaction_of_a_conversation_has_a_unique_archive_name() {
    let world = World::new().await;
    let conversation = long_conversation(&world, 12).await;
    let mut names = std::collections::BTreeSet::new();
    for round in 0..4 {
        let marker =
            world.session.compaction().compact(&conversation, Some(2), None, &Extractive, window()).await;
        let marker = marker.expect("compacted").expect("enough was said").body.marker.expect("a marker");
        assert!(names.insert(marker.archive_name), "names are unique");
        for n in 0..8 {
            world.say(&conversation, Role::User, &format!("round {round}, line {n} about Veyra")).await;
        }
    }
    let again =
        world.session.compaction().compact(&conversation, Some(500), None, &Extractive, window()).await;
    assert!(again.expect("no fault").is_none(), "nothing to compact");
    let taken = names.first().expect("one").clone();
    let refused =
        world.session.compaction().compact(&conversation, Some(2), Some(&taken), &Extractive, window()).await;
    assert!(matches!(refused, Err(AppError::Store(StoreError::AlreadyExists(_)))));
}

/// How the covered turns come back, and how the compaction is made again.
#[tokio::test]
async fn turns_of_an_undone_or_forgotten_compaction_are_replayed_and_can_be_compacted_again() {
    for undo in [true, false] {
        let world = World::new().await;
        let session = &world.session;
        let conversation = long_conversation(&world, 30).await;
        let compact = async || {
            let marker =
                session.compaction().compact(&conversation, Some(5), None, &Extractive, window()).await;
            marker.expect("compacted").expect("enough was said").body.marker.expect("a marker")
        };
        let take_back = async |archive| {
            if undo {
                session.memories().undo_last(window()).await.expect("undone");
            } else {
                session.memories().forget(&[archive], "not true", window()).await.expect("forgotten");
            }
        };
        let replayed = async || session.contexts().replayed(conversation.id).await.expect("replayed").len();
        let first = compact().await;
        assert_eq!(replayed().await, 5);
        take_back(first.archive).await;
        assert_eq!(replayed().await, 30, "undo: {undo}");
        let again = compact().await;
        assert_eq!((again.through, again.archive == first.archive), (first.through, false));
        assert_eq!(replayed().await, 5);
        let view = session.turns().agent_view(&conversation, None, None).await.expect("a view");
        assert_eq!(view.oriented.shown.archive.map(|shown| shown.id), Some(again.archive));
        // Taken back, a later compaction leaves the earlier one in place.
        for n in 0..10 {
            world.say(&conversation, Role::User, &format!("Line {n} about Veyra")).await;
        }
        let later = compact().await;
        assert_eq!(replayed().await, 5);
        take_back(later.archive).await;
        assert_eq!(replayed().await, 15);
        let view = session.turns().agent_view(&conversation, None, None).await.expect("a view");
        assert_eq!(view.oriented.shown.archive.map(|shown| shown.id), Some(again.archive));
    }
}

#[tokio::test]
async fn a_conversation_is_compacted_automatically_only_beyond_its_budget() {
    let world = World::new().await;
    let settings = ConversationSettings { compact_at_tokens: 1_000, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("set");
    let conversation = long_conversation(&world, 30).await;
    let made = world
        .session
        .compaction()
        .compact_if_long(&conversation, &Extractive, window())
        .await
        .expect("no fault");
    assert!(made.is_none(), "within the budget");
    let conversation = long_conversation(&world, 90).await;
    let made = world
        .session
        .compaction()
        .compact_if_long(&conversation, &Extractive, window())
        .await
        .expect("no fault");
    assert!(made.is_some(), "beyond the budget");

    world.session.memories().undo_last(window()).await.expect("undone");
    for n in 0..4 {
        let made = world
            .session
            .compaction()
            .compact_if_long(&conversation, &Extractive, window())
            .await
            .expect("no fault");
        assert!(made.is_none(), "what a person took back is not repeated by the next turn");
        world.say(&conversation, Role::User, &format!("Line {n} about Veyra")).await;
    }
    for n in 0..80 {
        world
            .say(&conversation, Role::User, &format!("In the year {n} the captain Oskar Lind counted ships."))
            .await;
    }
    let made = world
        .session
        .compaction()
        .compact_if_long(&conversation, &Extractive, window())
        .await
        .expect("no fault");
    assert!(made.is_some(), "the conversation outgrew its budget again");
}

#[tokio::test]
async fn old_turns_become_an_episode_once_and_their_sources_stay_unless_asked_otherwise() {
    let world = World::new().await;
    let conversation = long_conversation(&world, 30).await;
    world.clock.advance(Duration::days(40));
    let rule = EpisodeRule::default();
    let made =
        world.session.episodes().summarise_old_turns(conversation.id, rule, &Extractive).await.expect("made");
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].sources.len(), 10);
    let again = world
        .session
        .episodes()
        .summarise_old_turns(conversation.id, rule, &Extractive)
        .await
        .expect("no fault");
    assert!(again.is_empty(), "run twice is run once");
    assert_eq!(world.transcript(&conversation).await.len(), 30);
    let view = world.session.turns().agent_view(&conversation, None, None).await.expect("a view");
    assert!(view.prompt.contains("(10 turns)"));

    let settings = ConversationSettings { keep_only_summaries: true, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("set");
    let conversation = long_conversation(&world, 30).await;
    world.clock.advance(Duration::days(40));
    world.session.episodes().summarise_old_turns(conversation.id, rule, &Extractive).await.expect("made");
    assert_eq!(world.transcript(&conversation).await.len(), 20, "only summaries are kept");
}

fn turn(text: &str) -> Turn {
    Turn { speaker: "Worldbuilder".into(), text: text.into() }
}

#[tokio::test]
async fn a_summary_by_the_model_keeps_the_names_that_it_lost() {
    let model: Arc<dyn ChatModel> =
        Arc::new(ScriptedModel::new([Play::Says(vec!["They spoke ", "of ships."])]));
    let turns = [turn("In 1432 the captain Oskar Lind sold ships.")];
    let made = ByModel(vec![model]).summarise(Material::Conversation, &turns, 40).await;
    assert_eq!(made.maker, SummaryMaker::Model);
    assert!(made.text.starts_with("They spoke of ships."));
    assert!(made.text.contains("1432") && made.text.contains("Oskar Lind"), "{}", made.text);
}

#[tokio::test]
async fn if_the_model_fails_the_summary_is_extracted_and_marked_as_such() {
    for play in [Play::Refuses(ChatError::Timeout), Play::BreaksOff(vec!["They"]), Play::Says(vec![" "])] {
        let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([play]));
        let made = ByModel(vec![model])
            .summarise(Material::Conversation, &[turn("The captain Oskar Lind sold ships.")], 40)
            .await;
        assert_eq!(made.maker, SummaryMaker::Extract);
        assert!(made.text.contains("Oskar Lind"));
    }
}

#[tokio::test]
async fn the_second_model_summarises_only_if_the_first_does_not_answer() {
    let turns = [turn("The captain Oskar Lind sold ships.")];
    for (first, expected) in [
        (Play::Says(vec!["By the fast one."]), "By the fast one."),
        (Play::Refuses(ChatError::Timeout), "By the other one."),
        (Play::Says(vec![""]), "By the other one."),
    ] {
        let fast = Arc::new(ScriptedModel::new([first]));
        let other = Arc::new(ScriptedModel::new([Play::Says(vec!["By the other one."])]));
        let models: Vec<Arc<dyn ChatModel>> = vec![fast, Arc::clone(&other) as Arc<dyn ChatModel>];
        let made = ByModel(models).summarise(Material::Conversation, &turns, 40).await;
        assert!(made.text.starts_with(expected), "{}", made.text);
        assert_eq!(other.requests().is_empty(), expected.contains("fast"));
    }
}
