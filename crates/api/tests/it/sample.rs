//! The sample world over the commands of the window: every page has something to show.

use inklings_api::{
    conversation::view::ConversationList,
    derivation::view::SourceKind,
    drift::view::DriftRequest,
    fact::view::FactList,
    memory::filter::{ListRequest, MemoryFilter},
    orientation::view::WhyRule,
    vocabulary::{Curator, Scope, Sort},
};

use crate::support::World;

/// One for what must come up, one for a spoiler, and one that fails: an import says something else than the worldbuilder.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_world_has_three_tests_of_which_one_fails() {
    let world = World::new().await;
    world.app.workspace().load_sample_world().await.expect("loaded");
    let run = world.app.recall_test().run_recall_tests(&[]).await.expect("they run");
    let passed: Vec<_> = run.iter().map(|test| test.passed).collect();
    assert_eq!(passed, [Some(true), Some(true), Some(false)], "{run:#?}");
    let failed: Vec<_> = run[2].expects.iter().filter_map(|it| it.failure.as_ref()).collect();
    assert_eq!(failed.iter().map(|failure| failure.rule).collect::<Vec<_>>(), [WhyRule::Taken]);
    let lens = run[1].lens.as_ref().expect("it has a lens");
    let lens = (lens.knower.as_deref(), lens.at.as_deref());
    assert_eq!(lens, (Some("The Reader"), Some("The wet stone")));
}

/// So that the inbox of contradictions has something to show.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_world_has_one_contradiction_with_canon() {
    let World { app, .. } = &World::new().await;
    app.workspace().load_sample_world().await.expect("loaded");
    let request = DriftRequest { state: None, after: None, limit: 50 };
    let page = app.drift().list_drifts(request).await.expect("listed");
    let sides: Vec<_> = page.rows.iter().map(|row| (&row.canon.text, &row.statement.text)).collect();
    let [(canon, statement)] = sides[..] else { panic!("{sides:#?}") };
    assert!(canon.contains("grey eyes") && statement.contains("brown eyes"), "{canon} {statement}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_world_has_messages_facts_an_episode_and_filled_standing_notes() {
    let World { app, .. } = &World::new().await;
    app.workspace().load_sample_world().await.expect("loaded");
    let all = ConversationList { channel_id: None, limit: 50, ..ConversationList::default() };
    let conversations = app.conversation().list_conversations(all).await.expect("listed").rows;
    assert_eq!(conversations.len(), 3);
    let mut episodes = 0;
    for conversation in &conversations {
        assert!(conversation.messages >= 10, "{}", conversation.title);
        episodes += app.conversation().list_episodes(&conversation.id).await.expect("listed").len();
    }
    assert_eq!(episodes, 1);
    let notes = app.named_entry().list_named_entries().await.expect("listed");
    for name in ["VOICE", "SOUL"] {
        let note = notes.iter().find(|note| note.name == name).expect("it is there");
        assert!(!note.content.trim().is_empty(), "{name}");
    }
    let facts = FactList { limit: 50, ..FactList::default() };
    assert_eq!(app.fact().list_facts(facts).await.expect("listed").rows.len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_conversations_of_the_sample_world_are_as_old_as_their_messages() {
    let World { app, .. } = &World::new().await;
    app.workspace().load_sample_world().await.expect("loaded");
    let now = app.conversation().start_conversation(None, "").await.expect("begun").started_at;
    let all = ConversationList { channel_id: None, limit: 50, ..ConversationList::default() };
    let conversations = app.conversation().list_conversations(all).await.expect("listed").rows;
    let day = |time: &str| time[..10].to_owned();
    let of_sample = &conversations[1..];
    for conversation in of_sample {
        assert!(conversation.started_at < conversation.active_at, "{}", conversation.title);
        assert!(day(&conversation.active_at) < day(&now), "{}", conversation.title);
    }
    let titles: Vec<_> = of_sample.iter().map(|conversation| conversation.title.as_str()).collect();
    let newest_first = [
        "A better argument for Hepzibah",
        "When does Abelard let go of the letter?",
        "Across the Vey, span by span",
    ];
    assert_eq!(titles, newest_first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notes_of_the_sample_world_say_which_messages_they_were_made_of() {
    let World { app, .. } = &World::new().await;
    app.workspace().load_sample_world().await.expect("loaded");
    let filter = MemoryFilter { scope: Some(Scope::Conversation), ..MemoryFilter::default() };
    let request = ListRequest { filter, sort: Sort::UpdatedDesc, after: None, limit: 100 };
    let rows = app.memory().list_memories(request).await.expect("listed").rows;
    let (mut of_agent, mut of_author) = (0, 0);
    for row in &rows {
        let sources = app.memory().get_memory(&row.id).await.expect("there").derivations;
        if row.curator == Curator::Author {
            of_author += 1;
            assert!(sources.is_empty(), "what the worldbuilder typed was made of nothing");
        } else {
            of_agent += 1;
            assert!(
                !sources.is_empty() && sources.iter().all(|it| it.kind == SourceKind::Message),
                "{row:?}"
            );
        }
    }
    assert_eq!((of_agent, of_author), (19, 6));
}
