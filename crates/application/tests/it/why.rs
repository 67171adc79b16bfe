//! Why an orientation holds an entry, or does not: for any entry, with its rank, its parts and the rule.

use inklings_application::{
    error::AppError,
    orientation::{
        OrientRequest, OrientationSettings,
        why::{Ruling, Why},
    },
};
use inklings_domain::{
    client::Grants,
    conversation::{Conversation, message::Role},
    ids::MemoryId,
    memory::{MemoryDraft, filter::Sort},
    orientation::{ItemId, Layer, LeftOut},
    scope::{MemoryScope, Place},
    search::{
        conversation_query::ConversationQuery,
        query::QueryText,
        ranking::{ListName, STRATEGIES},
    },
};
use inklings_ports::{
    orientation::ReadFilter,
    testing::builders::{author, draft},
};

use crate::{
    orientation::{QUERY, furnished, request},
    support::{World, faults::Faults},
};

async fn why(world: &World, conversation: &Conversation, id: MemoryId) -> Why {
    world.session.orientations().why(request(conversation), id).await.expect("an answer")
}

fn adds_up(why: &Why) {
    let sum: f64 = why.parts.iter().map(|part| part.score).sum();
    assert!((sum - why.score.expect("a score")).abs() < 1e-9, "{why:?}");
}

/// Entries that match the query better than a passing mention of a gate does.
async fn better_ones(world: &World, count: usize) {
    for n in 0..count {
        world.write(Place::Workspace, &format!("The iron gate of Veyra, hinge number {n}.")).await;
    }
}

#[tokio::test]
async fn shown_items_have_the_rank_and_the_score_parts_of_the_ledger() {
    let (world, conversation) = furnished().await;
    world.embed().await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    let mut asked = 0;
    for item in &oriented.orientation.items {
        let ItemId::Memory(id) = item.id else { continue };
        let why = why(&world, &conversation, id).await;
        assert_eq!((why.layer, why.ruling), (item.layer, Ruling::Taken(false)));
        assert_eq!((why.tokens, why.score), (Some(item.tokens), item.score), "{:?}", item.layer);
        assert_eq!(why.parts, item.parts);
        assert!(why.rank.is_some_and(|rank| rank.rank == 1), "{why:?}");
        asked += 1;
    }
    assert_eq!(asked, 5, "VOICE, and a memory of each tier");
}

#[tokio::test]
async fn an_entry_below_the_limit_has_its_rank_in_the_search_order() {
    let (world, conversation) = furnished().await;
    better_ones(&world, 40).await;
    let weak =
        world.write(Place::Workspace, "Somebody once leant on some gate and thought of the sea.").await;
    world.embed().await;
    for strategy in STRATEGIES {
        world.session.search().choose_strategy(strategy).await.expect("chosen");
        let why = why(&world, &conversation, weak).await;
        assert_eq!((why.layer, why.ruling), (Layer::Workspace, Ruling::BehindTheCut), "{strategy}");
        let rank = why.rank.expect("a rank");
        // With it stand the forty, the entry of the furnished world, and VOICE.
        assert_eq!(rank.of, Some(43), "{strategy}");
        assert!(rank.rank > 24 && rank.rank <= 43, "{strategy}: {rank:?}");
        assert!(why.parts.iter().any(|part| part.list == ListName::Text), "{strategy}");
        adds_up(&why);
        assert_eq!(why.tokens, None, "it was no candidate");
    }
}

#[tokio::test]
async fn an_entry_outside_all_candidate_lists_is_ranked_by_its_own_scores() {
    let (world, conversation) = furnished().await;
    better_ones(&world, 260).await;
    let text = "Somebody once leant on some gate and thought of the sea.";
    let weak = world.write(Place::Workspace, text).await;
    world.embed().await;
    let answer = why(&world, &conversation, weak).await;
    assert_eq!(answer.ruling, Ruling::BeyondTheLists);
    let rank = answer.rank.expect("a rank");
    assert_eq!(Some(rank.rank), rank.of, "it is the weakest of those that are compared: {rank:?}");
    assert!(rank.rank > 200, "{rank:?}");
    adds_up(&answer);
    let raw = |list| answer.parts.iter().find(|part| part.list == list).expect("its own figure").raw;
    let cosine = world.embedder.vector(text).into_iter().zip(world.embedder.vector(QUERY));
    let cosine: f64 = cosine.map(|(a, b)| f64::from(a * b)).sum();
    assert!((raw(ListName::Meaning) - cosine).abs() < 1e-5, "{answer:?}");
    assert!(raw(ListName::Text) > 0.0);
    // Its words alone are enough, and without them it does not match at all.
    world.session.embedder.set(None);
    assert_eq!(why(&world, &conversation, weak).await.ruling, Ruling::BeyondTheLists);
    let silent = world.write(Place::Workspace, "Salt is dear this year.").await;
    let answer = why(&world, &conversation, silent).await;
    assert_eq!((answer.ruling, answer.rank, answer.score), (Ruling::NoMatch, None, None));
}

#[tokio::test]
async fn each_rule_that_excludes_an_entry_is_named() {
    let (world, conversation) = furnished().await;
    let forgotten = world.write(Place::Workspace, "The iron gate of Veyra squeaks.").await;
    world.session.memories().forget(&[forgotten], "wrong", author()).await.expect("forgotten");
    let elsewhere = world.session.channels().create("elsewhere", "").await.expect("made");
    let other_channel = world.write(Place::Channel(elsewhere.id), "The iron gate of Veyra is cursed.").await;
    let chosen = world.conversation().await;
    let other_talk = world
        .write(Place::Conversation(chosen.channel_id, chosen.id), "The iron gate of Veyra is a rumour.")
        .await;
    let twin = world.write(Place::Workspace, "The iron gate of Veyra was forged in 1432").await;
    let repeated = world.write(Place::Account, "The iron gate of Veyra was forged in 1432.").await;
    let soul = world.session.named_entries().get("SOUL", None).await.expect("there").id;
    let ruling = async |id| why(&world, &conversation, id).await.ruling;
    assert_eq!(ruling(forgotten).await, Ruling::Forgotten);
    assert_eq!(ruling(other_channel).await, Ruling::OutOfReach);
    assert_eq!(ruling(other_talk).await, Ruling::OutOfReach);
    assert_eq!(ruling(soul).await, Ruling::Blank);
    // The newer of two that say the same is on top.
    let folded = world
        .session
        .search()
        .memories(inklings_application::search::Search::new(
            QueryText::Typed(QUERY.into()),
            inklings_application::testing::world::everything(),
            50,
        ))
        .await
        .expect("an answer")
        .hits
        .into_iter()
        .find(|hit| hit.stored.entry.id == twin)
        .expect("found")
        .folded;
    assert_eq!(folded.len(), 1);
    assert_eq!(ruling(folded[0]).await, Ruling::Folded(twin));
    assert_eq!(ruling(repeated).await, Ruling::LeftOut(LeftOut::Repeats(ItemId::Memory(twin))));
}

#[tokio::test]
async fn an_omitted_entry_is_explained_with_the_budget_of_its_layer() {
    let (world, conversation) = furnished().await;
    better_ones(&world, 40).await;
    let small = OrientRequest { budget: Some(300), ..request(&conversation) };
    let oriented = world.session.orientations().orient(small.clone()).await.expect("a document");
    let mut rules = Vec::new();
    for item in oriented.orientation.items.iter().filter(|item| item.layer == Layer::Workspace) {
        let ItemId::Memory(id) = item.id else { continue };
        let why = world.session.orientations().why(small.clone(), id).await.expect("an answer");
        assert_eq!(why.ruling, item.left_out.map_or(Ruling::Taken(item.shortened), Ruling::LeftOut));
        assert_eq!((why.tokens, why.usage), (Some(item.tokens), *oriented.document.layers.get(item.layer)));
        adds_up(&why);
        rules.push(why.ruling);
    }
    assert!(rules.contains(&Ruling::LeftOut(LeftOut::Budget)), "{rules:?}");
    assert!(rules.contains(&Ruling::LeftOut(LeftOut::Limit)), "{rules:?}");
}

#[tokio::test]
async fn a_named_entry_over_the_budget_is_ranked_as_a_memory_of_its_tier() {
    let (world, conversation) = furnished().await;
    let none = OrientationSettings { named: 0, ..OrientationSettings::default() };
    world.session.orientations().set_settings(none).await.expect("set");
    let named = world.session.named_entries();
    let add = async |name: &str, text: &str| {
        named.add(MemoryScope::Workspace, name, text, author()).await.expect("added");
        named.get(name, None).await.expect("there").id
    };
    let matching = add("Veyra", "The iron gate of Veyra is guarded by night.").await;
    let other = add("Calendar", "Thirteen months.").await;
    world.session.embedder.set(None);
    let answer = why(&world, &conversation, matching).await;
    assert_eq!((answer.layer, answer.ruling), (Layer::Workspace, Ruling::Taken(false)));
    assert!(answer.named_without_room);
    let answer = why(&world, &conversation, other).await;
    assert_eq!((answer.layer, answer.ruling), (Layer::Workspace, Ruling::NoMatch));
    assert!(answer.named_without_room);
}

#[tokio::test]
async fn without_a_query_the_rank_is_that_of_the_list() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    let place = Place::Conversation(conversation.channel_id, conversation.id);
    let (mut noted, mut kept) = (Vec::new(), Vec::new());
    for n in 0..30 {
        noted.push(world.write(place, &format!("Note {n} about berth {}.", n * 31)).await);
        let importance = 0.9 - f64::from(n) / 100.0;
        let text = format!("Fact {n} about quay {}.", n * 17);
        let draft = MemoryDraft { importance, ..draft(Place::Workspace, &text) };
        kept.push(world.remember(draft, author()).await);
    }
    // Notes come newest first, the others by importance.
    for (id, layer, rank) in [
        (noted[0], Layer::Conversation, 30),
        (kept[29], Layer::Workspace, 30),
        (kept[26], Layer::Workspace, 27),
    ] {
        let why = why(&world, &conversation, id).await;
        assert_eq!((why.layer, why.ruling), (layer, Ruling::BehindTheCut));
        assert_eq!(why.rank.map(|rank| (rank.rank, rank.of)), Some((rank, Some(30))));
    }
    let why = why(&world, &conversation, kept[1]).await;
    assert_eq!((why.ruling, why.rank.map(|rank| rank.rank)), (Ruling::Taken(false), Some(2)));
}

#[tokio::test]
async fn a_layer_that_fails_is_the_reason() {
    let (mut world, conversation) = furnished().await;
    let id = world.write(Place::Account, "Likes iron gates of Veyra.").await;
    Faults::of_account(&mut world.session).fail("search_text");
    let why = why(&world, &conversation, id).await;
    assert_eq!((why.layer, why.ruling), (Layer::Account, Ruling::LayerFailed));
}

#[tokio::test]
async fn explaining_an_entry_records_nothing_and_counts_no_use() {
    let (world, conversation) = furnished().await;
    better_ones(&world, 40).await;
    let weak =
        world.write(Place::Workspace, "Somebody once leant on some gate and thought of the sea.").await;
    let before = world.entry(weak).await;
    for _ in 0..3 {
        why(&world, &conversation, weak).await;
    }
    assert_eq!(world.entry(weak).await, before);
    let taken = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    for (id, _) in taken.memories() {
        why(&world, &conversation, id).await;
        assert_eq!(world.entry(id).await.access_count, 0);
    }
    let (rows, _) = world.session.orientations().list(conversation.id, None, 10).await.expect("a page");
    assert!(rows.is_empty(), "the ledger has no row");
    let (reads, _) =
        world.session.orientations().shown_reads(ReadFilter::default(), None, 10).await.expect("a page");
    assert!(reads.is_empty(), "nor a read");
}

#[tokio::test]
async fn explaining_an_unreadable_entry_gives_the_error_of_a_missing_one() {
    let (world, conversation) = furnished().await;
    let secret = world.write(Place::Account, "The iron gate of Veyra is mine.").await;
    let open = world.write(Place::Workspace, "The iron gate of Veyra is tall.").await;
    let unknown = MemoryId::from_uuid(uuid::Uuid::from_u128(4));
    let mut grants = Grants::NOTHING;
    grants.tiers.workspace.read = true;
    let request = || OrientRequest {
        query: ConversationQuery::Next(QUERY.into()),
        within: Some(&grants),
        ..request(&conversation)
    };
    let refused = async |id| world.session.orientations().why(request(), id).await.map(|why| why.ruling);
    for id in [secret, unknown] {
        assert!(matches!(refused(id).await, Err(AppError::NoMemory(given)) if given == id));
    }
    assert_eq!(refused(open).await.expect("its own tier"), Ruling::Taken(false));
}

#[tokio::test]
async fn a_recorded_turn_is_explained_from_its_record_and_missing_parts_are_computed() {
    let (world, conversation) = furnished().await;
    let gate = world.write(Place::Workspace, "The iron gate of Veyra is tall.").await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    world.session.orientations().record(&oriented, None).await;
    let recorded = oriented.orientation.id;
    let item =
        oriented.orientation.items.iter().find(|item| item.id == ItemId::Memory(gate)).expect("looked at");
    // What happened since changes nothing in what was recorded.
    world.session.memories().forget(&[gate], "wrong", author()).await.expect("forgotten");
    world.say(&conversation, Role::User, "And what of the sea?").await;
    let orientations = world.session.orientations();
    let why = orientations.why_recorded(recorded, gate).await.expect("an answer");
    assert!(why.recorded);
    assert_eq!((why.ruling, why.score, &why.parts), (Ruling::Taken(false), item.score, &item.parts));
    let later = world.write(Place::Workspace, "The sea has no gate.").await;
    let elsewhere = world.session.channels().create("elsewhere", "").await.expect("made");
    let away = world.write(Place::Channel(elsewhere.id), "The iron gate of Veyra is cursed.").await;
    let why = orientations.why_recorded(recorded, away).await.expect("an answer");
    assert_eq!((why.ruling, why.recorded), (Ruling::OutOfReach, false));
    let why = orientations.why_recorded(recorded, later).await.expect("an answer");
    assert!(!why.recorded && why.score.is_some(), "by the query of that turn: {why:?}");
}

/// One rule for all: an entry is taken by its answer exactly if the document holds it.
#[tokio::test]
async fn the_answer_agrees_with_the_document_for_every_entry() {
    let (world, conversation) = furnished().await;
    better_ones(&world, 30).await;
    for n in 0..30 {
        world.write(Place::Account, &format!("Habit {n}: walks by gate {} at noon.", n * 3)).await;
    }
    world.embed().await;
    for query in [QUERY, "", "gate", "\"iron gate\""].map(|text| ConversationQuery::Next(text.to_owned())) {
        let request = || OrientRequest { query: query.clone(), budget: Some(900), ..request(&conversation) };
        let oriented = world.session.orientations().orient(request()).await.expect("a document");
        let filter = inklings_application::testing::world::everything();
        let all = world.session.memories().list(&filter, Sort::default(), None, 200).await.expect("a page");
        assert!(all.entries.len() > 60);
        for stored in all.entries {
            let id = stored.entry.id;
            let why = world.session.orientations().why(request(), id).await.expect("an answer");
            let taken = matches!(why.ruling, Ruling::Taken(_));
            assert_eq!(taken, oriented.took(ItemId::Memory(id)), "{query:?}: {why:?}");
            if let Some(score) = why.score {
                let sum: f64 = why.parts.iter().map(|part| part.score).sum();
                assert!((sum - score).abs() < 1e-9);
            }
        }
    }
}
