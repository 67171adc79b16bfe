//! How often a use case asks the store. Each test names the calls of one walk through the layers; ARCHITECTURE tells the same.

use inklings_application::{
    agent_write::access::{AgentAccess, Bounds},
    conversation::lookup::ChannelRef,
    error::AppError,
    search::Search,
    testing::world::everything,
};
use inklings_domain::{
    memory::{MemoryPatch, filter::ScopeFilter},
    scope::{MemoryScope, Place},
    search::query::QueryText,
};
use inklings_ports::testing::builders::{agent, author, draft, new_text};

use crate::support::{World, faults::Faults};

/// The entry is read once, where a rule needs it.
#[tokio::test]
async fn a_write_returns_the_entry_that_is_stored() {
    let mut world = World::new().await;
    let calls = Faults::of_workspace(&mut world.session);
    let memories = world.session.memories();

    let made = memories.create(draft(Place::Workspace, "The gate is iron."), author()).await.expect("made");
    assert_eq!(calls.take_calls(), ["commit"]);
    let stored = async |id| world.session.entry(id).await.expect("it is there");
    assert_eq!(made.stored, stored(made.id()).await);
    world.embed().await;
    calls.take_calls();

    let pin = MemoryPatch { pinned: Some(true), ..MemoryPatch::default() };
    let pinned = memories.edit(made.id(), 1, pin, author()).await.expect("pinned");
    assert_eq!(calls.take_calls(), ["get", "commit"]);
    assert_eq!(pinned.stored, stored(made.id()).await);
    assert!(pinned.stored.embedded_by.is_some(), "the text is as it was, and so is its vector");
    calls.take_calls();

    let edited = memories.edit(made.id(), 2, new_text("The gate is oak."), author()).await.expect("edited");
    assert_eq!(calls.take_calls(), ["get", "commit"]);
    assert_eq!(edited.stored, stored(made.id()).await);
    assert_eq!(edited.stored.embedded_by, None, "a new text has no vector yet");
    calls.take_calls();

    let back = memories.restore_version(made.id(), 1, 3, author()).await.expect("restored");
    assert_eq!(calls.take_calls(), ["get", "history", "commit"]);
    assert_eq!(back.stored, stored(made.id()).await);
    calls.take_calls();

    let names = world.session.named_entries();
    let voice = names.add(MemoryScope::Workspace, "Tone", "Spare.", author()).await.expect("added");
    let style = names.add(MemoryScope::Workspace, "Style", "", author()).await.expect("added");
    let tone = names.rename(voice.id(), 1, "Manner", author()).await.expect("renamed");
    assert_eq!(calls.take_calls(), ["commit", "commit", "get", "commit"]);
    // "Tone" stays with the renamed entry as an alias, and moves to the other one.
    let moved = names.set_aliases(style.id(), 1, "Tone", true, author()).await.expect("rebound");
    assert_eq!(calls.take_calls(), ["get", "names", "get", "commit"]);
    assert_eq!(moved.stored, stored(style.id()).await);
    assert_ne!(tone.stored, stored(voice.id()).await, "it lost its alias since");
}

/// Whether it may be read, and what it says, come from one read.
#[tokio::test]
async fn an_agents_change_reads_the_entry_once() {
    let mut world = World::new().await;
    let own = world.remember(draft(Place::Workspace, "Mira likes salt."), agent()).await;
    let calls = Faults::of_workspace(&mut world.session);
    let access = AgentAccess::new(&world.session, Bounds::Seen(ScopeFilter::EVERYTHING), agent());
    let patch = MemoryPatch { tags: Some(vec!["mira".into()]), ..MemoryPatch::default() };
    access.update(own, None, patch).await.expect("updated");
    assert_eq!(calls.take_calls(), ["get", "commit"]);
    access.forget(own, "no longer so").await.expect("forgotten");
    assert_eq!(calls.take_calls(), ["get", "commit"]);
    assert_eq!(access.history(own).await.expect("read").len(), 3);
    assert_eq!(calls.take_calls(), ["get", "history"]);
}

#[tokio::test]
async fn a_search_asks_for_two_lists_compares_the_candidates_and_reads_the_entries_it_shows() {
    let mut world = World::new().await;
    for text in ["The ferry runs at dawn.", "The gate is iron."] {
        world.write(Place::Workspace, text).await;
    }
    world.embed().await;
    let calls = Faults::of_workspace(&mut world.session);
    let search = Search {
        marked: true,
        ..Search::new(QueryText::Typed("when does the ferry run".into()), everything(), 10)
    };
    world.session.search().memories(search).await.expect("found");
    let mut asked = calls.take_calls();
    asked.sort_unstable();
    let lists = [
        "called",
        "compare_words",
        "complete",
        "get",
        "highlights",
        "mentioned_in",
        "search_meaning",
        "search_text",
    ];
    assert_eq!(asked, lists);
}

/// The channel is looked up once by what the caller has of it.
#[tokio::test]
async fn a_place_is_found_by_id_and_by_name() {
    let world = World::new().await;
    let harbour = world.session.channels().create("Harbour", "").await.expect("made").id;
    let conversations = world.session.conversations();
    for scope in [MemoryScope::Channel, MemoryScope::Conversation] {
        let place = async |channel| conversations.place(scope, Some(channel), None).await.expect("found");
        let by_id = place(ChannelRef::Id(harbour)).await;
        assert_eq!(by_id, place(ChannelRef::Name("harbour")).await);
        assert_eq!(by_id, place(ChannelRef::NameOrNew("Harbour")).await);
    }
    let unknown = ChannelRef::Id(world.session.ids.channel_id());
    let refused = conversations.place(MemoryScope::Channel, Some(unknown), None).await;
    assert!(matches!(refused, Err(AppError::NotFound { what: "channel", .. })), "{refused:?}");
}
