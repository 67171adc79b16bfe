//! Questions about days relative to the one on which they are asked.

use chrono::{NaiveTime, TimeDelta};
use inklings_application::{
    orientation::OrientRequest,
    search::{DocumentHit, DocumentSearch, TimeWords},
    testing::world::everything,
};
use inklings_domain::{
    conversation::{Conversation, message::Role},
    ids::MemoryId,
    scope::Place,
    search::{
        conversation_query::ConversationQuery, document::DocumentId, query::QueryText, ranking::ListName,
    },
};
use inklings_ports::search::transcript_store::TranscriptFilter;

use crate::support::World;

const QUESTION: &str = "What did we decide yesterday?";

async fn found(world: &World, query: &str, time_words: TimeWords) -> Vec<DocumentId> {
    found_for(world, QueryText::Typed(query.to_owned()), time_words).await
}

async fn found_for(world: &World, query: QueryText, time_words: TimeWords) -> Vec<DocumentId> {
    let search = DocumentSearch {
        query,
        memories: Some(everything()),
        messages: Some(TranscriptFilter::default()),
        limit: 200,
        time_words,
        ..DocumentSearch::default()
    };
    let hit = |hit: DocumentHit| match hit {
        DocumentHit::Memory(hit) => DocumentId::Memory(hit.stored.entry.id),
        DocumentHit::Message(hit) => DocumentId::Message(hit.message.id()),
        DocumentHit::Page(hit) => DocumentId::Page(hit.page.row.id),
    };
    world.session.search().documents(search).await.expect("an answer").hits.into_iter().map(hit).collect()
}

/// More than a search compares, each nearer to the question than what was decided.
async fn older(world: &World) -> Conversation {
    let conversation = world.conversation().await;
    for n in 0..230 {
        world.write(Place::Workspace, &format!("What we did not decide is gate {n}, by the old wall.")).await;
        world
            .say(&conversation, Role::User, &format!("Did we say who keeps gate {n} by the old wall?"))
            .await;
    }
    world.clock.advance(TimeDelta::days(9));
    conversation
}

async fn decided(world: &World) -> MemoryId {
    world.write(Place::Workspace, "Salt is dear in the harbour.").await
}

#[tokio::test]
async fn memories_and_messages_of_the_days_of_a_question_come_first() {
    let world = World::new().await;
    let conversation = older(&world).await;
    let written = DocumentId::Memory(decided(&world).await);
    let text = "Mira sails at dawn, and she takes the long way round the northern cape, since nobody looks for her ship there.";
    let message = DocumentId::Message(world.say(&conversation, Role::User, text).await.id());
    world.embed().await;
    world.clock.advance(TimeDelta::days(1));
    let mut first = found(&world, QUESTION, TimeWords::FromNow).await[..2].to_vec();
    first.sort_unstable();
    let mut wanted = vec![written, message];
    wanted.sort_unstable();
    assert_eq!(first, wanted);
    let embedder = world.session.embedder.get();
    world.session.embedder.set(None);
    assert!(found(&world, QUESTION, TimeWords::FromNow).await[..2].contains(&written), "without a model");
    world.session.embedder.set(embedder);
    // Days later, yesterday is another day.
    world.clock.advance(TimeDelta::days(5));
    let later = found(&world, QUESTION, TimeWords::FromNow).await;
    assert!(!later.contains(&written) && !later.contains(&message));
    let ago = found(&world, "What did we decide six days ago?", TimeWords::FromNow).await;
    assert!(ago[..2].contains(&written) && ago[..2].contains(&message));
}

#[tokio::test]
async fn what_a_story_tells_of_a_day_changes_no_order() {
    let world = World::new().await;
    older(&world).await;
    decided(&world).await;
    world.embed().await;
    world.clock.advance(TimeDelta::days(1));
    let changes = async |query: QueryText| {
        let ignored = found_for(&world, query.clone(), TimeWords::Ignored).await;
        found_for(&world, query, TimeWords::FromNow).await != ignored
    };
    let story = "Yesterday the siege of the gate began.".to_owned();
    assert!(!changes(QueryText::Plain(story.clone())).await);
    assert!(changes(QueryText::Plain(QUESTION.to_owned())).await);
    assert!(!changes(QueryText::Typed(story)).await);
    let where_he_lived = "Where did Toma live before the siege eight days ago?".to_owned();
    assert!(!changes(QueryText::Typed(where_he_lived)).await, "it is no question of when it was told");
}

/// The World Agent is shown what was decided, and "Why this?" answers from the day on which it was asked.
#[tokio::test]
async fn an_orientation_reads_days_from_the_day_on_which_it_was_made() {
    let world = World::new().await;
    let conversation = older(&world).await;
    let all = [decided(&world).await];
    let mut behind = all[0];
    for n in 0..30 {
        behind = world.write(Place::Workspace, &format!("Note {n}: a decision on salt was put off.")).await;
    }
    world.embed().await;
    world.clock.advance(TimeDelta::days(1));
    let request = OrientRequest {
        conversation: Some(&conversation),
        query: ConversationQuery::Next(QUESTION.to_owned()),
        ..OrientRequest::default()
    };
    let oriented = world.session.orientations().orient(request).await.expect("oriented");
    let shown: Vec<MemoryId> = oriented.memories().map(|(id, _)| id).collect();
    let yesterday = world.session.clock.now() - TimeDelta::days(2);
    for id in &shown {
        let entry = world.entry(*id).await;
        assert!(entry.name.is_some() || entry.created_at > yesterday, "{}", entry.content);
    }
    assert!(shown.len() > 5, "{shown:?}");
    let id = oriented.orientation.id;
    world.session.orientations().record(&oriented, None).await;
    world.clock.advance(TimeDelta::days(30));
    for entry in all.into_iter().chain([behind]) {
        let why = world.session.orientations().why_recorded(id, entry).await.expect("told");
        let date = why.parts.iter().find(|part| part.list == ListName::Days).expect("its day counted");
        assert!((date.raw - 1.0).abs() < f64::EPSILON);
    }
}

/// The World Agent and clients are told the age of a memory in days of the calendar, so that "yesterday" is the same day for all.
#[tokio::test]
async fn the_age_of_a_memory_counts_days_of_the_calendar() {
    let world = World::new().await;
    let midnight =
        (world.session.clock.now() + TimeDelta::days(1)).date_naive().and_time(NaiveTime::MIN).and_utc();
    world.clock.advance(midnight - world.session.clock.now() - TimeDelta::hours(1));
    decided(&world).await;
    let conversation = world.conversation().await;
    let age = async || {
        let request = OrientRequest {
            conversation: Some(&conversation),
            query: ConversationQuery::Next("How dear is salt?".to_owned()),
            ..OrientRequest::default()
        };
        let text = world.session.orientations().orient(request).await.expect("oriented").markdown;
        let line = text.lines().find(|line| line.contains("Salt is dear")).expect("shown").to_owned();
        ["today", "yesterday", "2 days ago"].into_iter().find(|text| line.contains(text))
    };
    assert_eq!(age().await, Some("today"));
    world.clock.advance(TimeDelta::hours(2));
    assert_eq!(age().await, Some("yesterday"));
    world.clock.advance(TimeDelta::hours(24));
    assert_eq!(age().await, Some("2 days ago"));
}
