//! Life, working memory, context, facts, working notes.

use inklings_application::{
    conversation::{context::ContextLimits, lookup::ChannelRef, settings::ConversationSettings},
    error::AppError,
    search::messages::MessageSearch,
};
use inklings_domain::{
    calendar::span::Span,
    channel::ChannelError,
    conversation::{ConversationTransitionError, message::Role},
    fact::{FactKey, InvalidFact},
    scope::{MemoryScope, Place},
    scratchpad::InvalidNote,
    search::{conversation_query::ConversationQuery, query::QueryText, transcript::ContextLeg},
};
use inklings_ports::{conversation::store::ConversationFilter, testing::builders::draft};

use super::{World, agent, window};

fn search_for(query: &str, limit: usize) -> MessageSearch {
    MessageSearch { query: QueryText::Typed(query.into()), limit, ..MessageSearch::default() }
}

#[tokio::test]
async fn a_conversation_changes_only_from_active_to_idle_to_archived() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let idle = world.session.conversations().set_idle(conversation.id).await.expect("ends");
    assert!(idle.ended_at.is_some());
    let again = world.session.conversations().set_idle(conversation.id).await;
    assert!(matches!(again, Err(AppError::Transition(ConversationTransitionError::AlreadyIdle))));
    let refused = world.session.transcripts().add(&idle, Role::User, "hello?").await;
    assert!(matches!(refused, Err(AppError::Transition(ConversationTransitionError::Ended))));
    world.session.conversations().archive(conversation.id).await.expect("archived");
    let listed =
        world.session.conversations().list(&ConversationFilter::default(), None, 10).await.expect("listed");
    assert!(listed.rows.is_empty(), "archived ones are out of default lists");
}

#[tokio::test]
async fn no_conversation_begins_in_an_archived_channel_or_moves_into_it() {
    let world = World::new().await;
    let (channels, conversations) = (world.session.channels(), world.session.conversations());
    let plot = channels.create("Plot", "").await.expect("a channel");
    let inside = conversations.begin(Some(plot.id), "The siege").await.expect("begun");
    let outside = world.conversation().await;
    conversations.set_idle(inside.id).await.expect("ended");
    channels.archive(plot.id).await.expect("archived");
    let begun = conversations.begin(Some(plot.id), "Another siege").await;
    let moved = conversations.move_to(outside.id, plot.id).await;
    let placed = conversations.place(MemoryScope::Conversation, Some(ChannelRef::Id(plot.id)), None).await;
    let placed = placed.map(|_| outside.clone());
    for refused in [begun, moved, placed] {
        assert!(matches!(refused, Err(AppError::Input { field: "channel", .. })), "{refused:?}");
    }
    assert_eq!(conversations.by_id(outside.id).await.expect("read").channel_id, outside.channel_id);
    // What is in it can go on, and leave it.
    assert_eq!(conversations.resume(inside.id).await.expect("continued").channel_id, plot.id);
    conversations.move_to(inside.id, outside.channel_id).await.expect("moved out");
}

#[tokio::test]
async fn continuing_starts_a_linked_conversation_in_the_same_channel() {
    let world = World::new().await;
    let side = world.session.channels().create("Plot", "").await.expect("a channel");
    let old = world.session.conversations().begin(Some(side.id), "The siege").await.expect("begun");
    let new = world.session.conversations().resume(old.id).await.expect("continued");
    assert_eq!((new.continues, new.channel_id), (Some(old.id), side.id));
    let old = world.session.conversations().named(old.ref_code.as_str()).await.expect("found");
    assert!(old.ended_at.is_some(), "the old one has ended");
}

#[tokio::test]
async fn deleting_a_channel_moves_its_conversations_and_memories_to_the_target_channel() {
    let world = World::new().await;
    let session = &world.session;
    let (from, to) = (
        session.channels().create("From", "").await.expect("a channel"),
        session.channels().create("To", "").await.expect("a channel"),
    );
    let conversation = session.conversations().begin(Some(from.id), "").await.expect("begun");
    let kept = session.memories().create(draft(Place::Channel(from.id), "The gate is iron."), window()).await;
    let kept = kept.expect("remembered").id();
    let refused = session.channels().delete(from.id, None).await;
    assert!(matches!(refused, Err(AppError::Channel(ChannelError::NotEmpty))));
    session.channels().delete(from.id, Some(to.id)).await.expect("deleted");
    assert_eq!(session.conversations().by_id(conversation.id).await.expect("still there").channel_id, to.id);
    assert_eq!(session.entry(kept).await.expect("still there").entry.place, Place::Channel(to.id));
    let general = session.channels().named("general").await.expect("there");
    assert!(matches!(
        session.channels().delete(general.id, None).await,
        Err(AppError::Channel(ChannelError::Fixed))
    ));
}

#[tokio::test]
async fn deleting_a_conversation_forgets_its_memories_and_they_can_be_restored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Remember the salt tax.").await;
    let place = Place::Conversation(conversation.channel_id, conversation.id);
    let id = world.session.memories().create(draft(place, "Salt is taxed."), window()).await;
    let id = id.expect("written").id();
    world.session.conversations().delete(conversation.id, window()).await.expect("deleted");
    assert!(world.session.conversations().by_id(conversation.id).await.is_err());
    let found = world.session.search().messages(search_for("salt", 10)).await.expect("searched");
    assert!(found.hits.is_empty());
    world.session.memories().restore(&[id], window()).await.expect("restored");
    assert!(world.session.entry(id).await.expect("there").entry.is_active());
}

#[tokio::test]
async fn working_memory_is_capped_and_sees_messages_of_other_processes() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let settings = ConversationSettings { working_cap: 5, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("set");
    for n in 0..9 {
        world.say(&conversation, Role::User, &format!("line {n}")).await;
    }
    assert_eq!(world.session.transcripts().newest(conversation.id).await.expect("read").len(), 5);
    assert_eq!(world.session.working.size(), (1, 5));
    let other = world.another_process().await;
    other.transcripts().add(&conversation, Role::User, "from elsewhere").await.expect("said");
    let newest = world.session.transcripts().newest(conversation.id).await.expect("read");
    assert_eq!(newest.last().map(|m| m.body.content.as_str()), Some("from elsewhere"));
}

#[tokio::test]
async fn the_context_holds_newest_important_and_similar_messages_with_their_reasons() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let similar = world.say(&conversation, Role::User, "the salt tax of Veyra").await;
    let raised = world.say(&conversation, Role::Assistant, "unrelated").await;
    world.session.transcripts().set_importance(raised.id(), 0.9).await.expect("raised");
    for n in 0..12 {
        world.say(&conversation, Role::User, &format!("filler number {n}")).await;
    }
    world.embed().await;
    let shown = world
        .session
        .contexts()
        .of_conversation(
            conversation.id,
            &ConversationQuery::Next("salt tax Veyra".to_owned()),
            ContextLimits::default(),
        )
        .await
        .expect("a context");
    assert_eq!(shown.len(), 12, "ten newest, one important, one similar");
    let legs = |id| shown.iter().find(|item| item.message.id() == id).map(|item| item.legs.clone());
    assert_eq!(legs(raised.id()), Some(vec![ContextLeg::Salience]));
    assert_eq!(legs(similar.id()), Some(vec![ContextLeg::Relevance]));
}

#[tokio::test]
async fn an_answer_is_found_by_the_words_of_its_question() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Who sold the tide ledger?").await;
    let answer = world.say(&conversation, Role::Assistant, "It was Mirel.").await;
    for n in 0..20 {
        world.say(&conversation, Role::User, &format!("something else {n}")).await;
    }
    let found = world.session.search().messages(search_for("tide ledger", 5)).await;
    let found = found.expect("searched");
    assert!(found.hits.iter().any(|hit| hit.message.id() == answer.id()));
}

#[tokio::test]
async fn an_agents_contradiction_becomes_a_claim_that_only_the_author_settles() {
    let world = World::new().await;
    let session = &world.session;
    session.facts().set("Mira", "eyes", "grey", None, window()).await.expect("set");
    let set = session.facts().set("mira", "EYES", "brown", None, agent()).await.expect("kept");
    assert!(set.claimed && set.fact.fact.value == "grey");
    let claim = set.fact.claims[0].clone();
    let refused = session.facts().settle_claim(claim.id, true, agent()).await;
    assert!(matches!(refused, Err(AppError::Fact(InvalidFact::NotYours))));
    let settled = session.facts().settle_claim(claim.id, true, window()).await.expect("accepted");
    assert_eq!((settled.fact.value.as_str(), settled.claims.len()), ("brown", 0));
    let history = session.facts().history(settled.fact.id).await.expect("kept");
    assert_eq!(history.iter().map(|v| v.value.as_str()).collect::<Vec<_>>(), ["brown", "grey"]);
    assert!(history[1].until.is_some());
    let key = FactKey::new("Mira", "eyes").expect("valid");
    assert_eq!(session.facts().get(&key, Span::ALWAYS).await.expect("there").fact.version, 2);
}

#[tokio::test]
async fn working_notes_are_json_within_bounds_and_end_with_their_time() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let session = &world.session;
    let refused = session.scratchpad().write(conversation.id, "plan", "{not json", None).await;
    assert!(matches!(refused, Err(AppError::Note(InvalidNote::NotJson))));
    session.scratchpad().write(conversation.id, "plan", r#"{"step": 1}"#, None).await.expect("written");
    session.scratchpad().write(conversation.id, "found", "[1, 2]", Some(3_600)).await.expect("written");
    world.clock.advance(chrono::Duration::minutes(50));
    assert!(session.scratchpad().read(conversation.id, "found").await.expect("read").is_some());
    world.clock.advance(chrono::Duration::minutes(50));
    assert!(
        session.scratchpad().read(conversation.id, "found").await.expect("read").is_some(),
        "each read starts it anew"
    );
    world.clock.advance(chrono::Duration::minutes(61));
    assert!(session.scratchpad().read(conversation.id, "found").await.expect("read").is_none());
    session.conversations().archive(conversation.id).await.expect("archived");
    assert_eq!(
        session.scratchpad().list(conversation.id).await.expect("listed").len(),
        1,
        "it survives the archive"
    );
    assert_eq!(session.scratchpad().clear(conversation.id, None, false).await.expect("cleared"), 1);
}

#[tokio::test]
async fn a_place_is_the_one_that_is_named_or_it_is_refused() {
    let world = World::new().await;
    let (channels, conversations) = (world.session.channels(), world.session.conversations());
    let plot = channels.create("Plot", "").await.expect("a channel");
    let conversation = conversations.begin(Some(plot.id), "The siege").await.expect("begun");
    let code = conversation.ref_code.to_string();
    let is_named = Place::Conversation(plot.id, conversation.id);
    let find = async |scope, channel: Option<ChannelRef<'static>>, name: Option<&str>| {
        conversations.place(scope, channel, name).await
    };
    let plot_ref = Some(ChannelRef::Name("Plot"));
    let id = conversation.id.to_string();
    for (channel, name) in [(None, &code), (plot_ref, &code), (None, &id)] {
        let found = find(MemoryScope::Conversation, channel, Some(name)).await;
        assert_eq!(found.expect("found"), is_named);
    }
    for scope in [MemoryScope::Account, MemoryScope::Workspace, MemoryScope::Channel] {
        let refused = find(scope, None, Some("zzz")).await;
        assert!(matches!(refused, Err(AppError::Input { field: "conversation", .. })), "{refused:?}");
        if scope != MemoryScope::Channel {
            let refused = find(scope, Some(ChannelRef::NameOrNew("Nope")), None).await;
            assert!(matches!(refused, Err(AppError::Input { field: "channel", .. })), "{refused:?}");
        }
    }
    let elsewhere = find(MemoryScope::Conversation, Some(ChannelRef::Name("general")), Some(&code)).await;
    assert!(matches!(elsewhere, Err(AppError::Input { field: "channel", .. })), "{elsewhere:?}");
    let unknown = find(MemoryScope::Conversation, Some(ChannelRef::NameOrNew("Nope")), Some(&code)).await;
    assert!(matches!(unknown, Err(AppError::NotFound { what: "channel", .. })), "{unknown:?}");
    assert!(channels.named("Nope").await.is_err(), "no channel is made for a refused place");
}
