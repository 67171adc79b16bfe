//! Moves of entries: nothing is lost on the way, and every move can be undone.

use std::collections::{BTreeMap, BTreeSet};

use inklings_application::error::AppError;
use inklings_domain::{
    forget_reason::ForgetReason,
    ids::{ChangeId, MemoryId},
    memory::{
        InvalidMemory, MemoryEntry,
        change_set::{Action, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
        link::LinkRole,
    },
    provenance::ActorKind,
    scope::{MemoryLifetime, Place},
};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{agent, author, draft, every_actor, new_text},
};
use proptest::prelude::*;

use super::{World, everything, searching::search};

/// One place of each tier, and a second channel and conversation.
async fn places(world: &World) -> Vec<Place> {
    let (channels, conversations) = (world.session.channels(), world.session.conversations());
    let mut all = vec![Place::Account, Place::Workspace];
    for name in ["one", "two"] {
        let channel = channels.create(name, "").await.expect("a channel").id;
        let begun = conversations.start(channel, "", None).await.expect("a conversation");
        all.extend([Place::Channel(channel), Place::Conversation(channel, begun.id)]);
    }
    all
}

async fn found_at(world: &World, place: Place) -> Vec<MemoryId> {
    let mut search = search("who guards the iron gate");
    search.filter = MemoryFilter::active(ScopeFilter::of(place));
    let found = world.session.search().memories(search).await.expect("an answer");
    found.hits.into_iter().map(|hit| hit.stored.entry.id).collect()
}

async fn move_one(world: &World, id: MemoryId, place: Place) -> (ChangeId, MemoryId) {
    let done = world.session.memories().move_to(&[id], place, author()).await.expect("it moves");
    assert_eq!(done.action, Action::Move);
    (done.change, done.ids[0])
}

#[tokio::test]
async fn a_moved_memory_is_found_at_its_new_place_alone_and_the_undo_takes_it_back() {
    let world = World::new().await;
    let places = places(&world).await;
    for from in &places {
        for to in places.iter().filter(|to| *to != from) {
            let id = world.write(*from, "Odile guards the iron gate").await;
            world.embed().await;
            let before = world.entry(id).await;
            let (change, moved) = move_one(&world, id, *to).await;
            world.embed().await;
            let now = world.entry(moved).await;
            let crosses = (*from == Place::Account) != (*to == Place::Account);
            assert_eq!((now.place, moved == id), (*to, !crosses), "{from:?} to {to:?}");
            assert_eq!((found_at(&world, *to).await, found_at(&world, *from).await), (vec![moved], vec![]));
            assert_eq!(
                (&now.content, now.created_at, now.curator),
                (&before.content, before.created_at, before.curator)
            );
            if crosses {
                let left = world.entry(id).await;
                assert!(
                    left.is_forgotten_for(&ForgetReason::Moved(None))
                        && left.consolidated_into == Some(moved)
                );
            }
            world.session.memories().undo_change(change, author()).await.expect("the undo");
            world.embed().await;
            assert!(world.entry(id).await.same_body(&before), "{from:?} to {to:?}");
            assert_eq!((found_at(&world, *from).await, found_at(&world, *to).await), (vec![id], vec![]));
            world.session.memories().undo_last(author()).await.expect("the creation is undone");
        }
    }
}

#[tokio::test]
async fn only_the_worldbuilder_moves_a_memory() {
    let world = World::new().await;
    let own = world.remember(draft(Place::Workspace, "An observation."), agent()).await;
    let places = places(&world).await;
    let others: Vec<_> =
        every_actor().into_iter().filter(|actor| actor.kind() != ActorKind::Author).collect();
    let kinds: BTreeSet<_> = others.iter().map(|actor| actor.kind().as_str()).collect();
    assert_eq!(kinds.len(), ActorKind::ALL.len() - 1, "a kind of actor is not tried");
    for actor in others {
        for to in &places {
            let refused = world.session.memories().move_to(&[own], *to, actor).await;
            assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))), "{refused:?}");
        }
    }
    // The guard of the database refuses it, too, whatever the change is called.
    let stored = world.session.entry(own).await.expect("read");
    for action in [Action::Move, Action::Edit] {
        let stamp = world.session.stamp(agent());
        let channel = world.session.channels().named("one").await.expect("a channel").id;
        let entry = MemoryEntry {
            place: Place::Channel(channel),
            version: 2,
            change: stamp.change,
            ..stored.entry.clone()
        };
        let set = inklings_ports::testing::builders::change(stamp, action, [MemoryWrite::Move(entry)]);
        let refused = world.session.workspace.memory.store.commit(&set).await;
        assert!(matches!(refused, Err(StoreError::Locked(_))), "{refused:?}");
    }
    assert_eq!(world.entry(own).await.place, Place::Workspace);
}

#[tokio::test]
async fn names_archives_and_forgotten_memories_stay_and_nothing_else_of_the_change_happens() {
    let world = World::new().await;
    let memories = world.session.memories();
    let channel = Place::Channel(world.session.channels().create("maps", "").await.expect("a channel").id);
    let plain = world.write(Place::Workspace, "The gate is iron.").await;
    let voice =
        world.session.named_entries().add(Place::Workspace.scope(), "Almanac", "Dry.", author()).await;
    let gone = world.write(Place::Workspace, "The gate was oak.").await;
    memories.forget(&[gone], "old", author()).await.expect("forgotten");
    let both = [(voice.expect("named").id(), InvalidMemory::StaysInTier), (gone, InvalidMemory::Forgotten)];
    for (id, expected) in both {
        for to in [channel, Place::Account] {
            let refused = memories.move_to(&[plain, id], to, author()).await;
            assert!(matches!(&refused, Err(AppError::Memory(error)) if *error == expected), "{refused:?}");
        }
    }
    assert_eq!(world.entry(plain).await.place, Place::Workspace);
    let again = memories.move_to(&[plain], Place::Workspace, author()).await;
    assert!(matches!(again, Err(AppError::Memory(InvalidMemory::NoChange))), "{again:?}");
}

#[tokio::test]
async fn a_secret_keeps_who_knows_of_it_and_does_not_leave_its_world() {
    let world = World::new().await;
    let memories = world.session.memories();
    let odile =
        world.session.subjects().add("Odile", "character", "", author()).await.expect("a subject").id();
    let secret = world.write(Place::Workspace, "The key is under the stone.").await;
    let version = world.entry(secret).await.version;
    world.session.lenses().set_known_by(secret, version, &[(odile, None)], author()).await.expect("a secret");
    let refused = memories.move_to(&[secret], Place::Account, author()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::BoundToWorkspace))), "{refused:?}");
    let channel = Place::Channel(world.session.channels().create("plot", "").await.expect("a channel").id);
    move_one(&world, secret, channel).await;
    let now = world.entry(secret).await;
    assert_eq!((now.place, now.linked(LinkRole::KnownBy).collect::<Vec<_>>()), (channel, vec![odile]));
}

#[tokio::test]
async fn a_memory_of_a_conversation_that_moves_out_outlives_the_conversation() {
    let world = World::new().await;
    let place = places(&world).await[3];
    let id = world.write(place, "Odile guards the iron gate").await;
    let properties = inklings_application::memory::write::BulkProperties {
        lifetime: Some(MemoryLifetime::Conversation),
        ..Default::default()
    };
    world.session.memories().set_properties(&[id], properties, author()).await.expect("set");
    let (change, _) = move_one(&world, id, Place::Workspace).await;
    assert_eq!(world.entry(id).await.lifetime, MemoryLifetime::LongTerm);
    // The conversation is in another channel by then.
    let general = world.session.channels().named("general").await.expect("a channel").id;
    let conversation = place.conversation().expect("a conversation");
    world.session.conversations().move_to(conversation, general).await.expect("moved");
    world.session.memories().undo_change(change, author()).await.expect("the undo");
    let back = world.entry(id).await;
    assert_eq!(back.place, Place::Conversation(general, conversation));
    assert_eq!(back.lifetime, MemoryLifetime::Conversation);
}

#[tokio::test]
async fn nothing_moves_into_what_is_archived() {
    let world = World::new().await;
    let places = places(&world).await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    world.session.channels().archive(places[2].channel().expect("a channel")).await.expect("archived");
    let (channel, conversation) = (places[2], places[5]);
    world.session.conversations().archive(conversation.conversation().expect("one")).await.expect("archived");
    for (place, at) in [(channel, "channel"), (conversation, "conversation")] {
        let refused = world.session.memories().move_to(&[id], place, author()).await;
        assert!(matches!(&refused, Err(AppError::Input { field, .. }) if *field == at), "{refused:?}");
    }
}

#[derive(Debug, Clone)]
enum Act {
    Move(u8, u8),
    Edit(u8),
    UndoLast,
    MoveConversation(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u8..8, 0u8..8).prop_map(|(entry, place)| Act::Move(entry, place)),
        2 => (0u8..8).prop_map(Act::Edit),
        3 => Just(Act::UndoLast),
        1 => (0u8..8).prop_map(Act::MoveConversation),
    ]
}

/// The texts in use with the places where they are; a conversation counts without its channel.
async fn standing(world: &World) -> BTreeMap<String, Vec<String>> {
    let all =
        world.session.memories().list(&everything(), Sort::UpdatedDesc, None, 99).await.expect("a list");
    let mut standing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in all.entries.into_iter().map(|stored| stored.entry) {
        let place = match entry.place {
            Place::Conversation(_, id) => format!("conversation {id}"),
            place => format!("{place:?}"),
        };
        let at = standing.entry(entry.content).or_default();
        at.push(place);
        at.sort();
    }
    standing
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_sequence_of_moves_and_edits_is_undone_step_by_step(acts in prop::collection::vec(act(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let world = World::new().await;
            let places = places(&world).await;
            let mut all = Vec::new();
            for n in 0..3 {
                all.push(world.write(places[n + 1], &format!("Text {n}")).await);
            }
            let mut before = Vec::new();
            for (step, act) in acts.into_iter().enumerate() {
                let now = standing(&world).await;
                match act {
                    Act::Move(entry, place) => {
                        let slot = usize::from(entry) % all.len();
                        let to = world.session.conversations().place_now(places[usize::from(place) % places.len()]).await;
                        if let Ok(done) = world.session.memories().move_to(&[all[slot]], to.expect("there"), author()).await {
                            before.push((now, all.clone()));
                            all[slot] = done.ids[0];
                        }
                    }
                    Act::Edit(entry) => {
                        let id = all[usize::from(entry) % all.len()];
                        let version = world.entry(id).await.version;
                        let text = new_text(&format!("Step {step}"));
                        world.session.memories().edit(id, version, text, author()).await.expect("an edit");
                        before.push((now, all.clone()));
                    }
                    Act::UndoLast => {
                        if let Some((expected, ids)) = before.pop() {
                            world.session.memories().undo_last(author()).await.expect("an undo");
                            prop_assert_eq!(standing(&world).await, expected);
                            all = ids;
                        }
                    }
                    Act::MoveConversation(n) => {
                        let conversations: Vec<_> = places.iter().filter_map(|place| place.conversation()).collect();
                        let channels: Vec<_> = places.iter().filter_map(|place| place.channel()).collect();
                        let id = conversations[usize::from(n) % conversations.len()];
                        let to = channels[usize::from(n / 2) % channels.len()];
                        let _ = world.session.conversations().move_to(id, to).await;
                    }
                }
            }
            Ok(())
        })?;
    }
}
