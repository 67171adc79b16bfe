//! The chosen fusion strategy, through each way into a search.

use std::collections::HashSet;

use inklings_application::{
    orientation::OrientRequest,
    search::{Search, messages::MessageSearch},
    testing::world::everything,
    turn::{TurnSink, stopper},
};
use inklings_domain::{
    conversation::message::Role,
    ids::MessageId,
    memory::MemoryDraft,
    orientation::{ItemId, Layer},
    search::{
        conversation_query::ConversationQuery,
        query::QueryText,
        ranking::{Contribution, STRATEGIES},
    },
};
use inklings_ports::{
    model::chat::{ChatModel, ChatTurn},
    testing::chat::{Play, ScriptedModel},
};
use serde_json::Value;

use super::*;

const QUERY: &str = "the iron gate of Veyra";

/// Hears nothing.
struct Unheard;

impl TurnSink for Unheard {
    fn text(&self, _message: MessageId, _piece: &str, _length: usize) {}

    fn tool(&self, _message: MessageId, _name: &str) {}
}

/// Words favour the first entry and freshness the second: by score the first leads, by rank the second.
async fn two_orders(world: &World) {
    world.session.embedder.set(None);
    let mut texts = vec![
        ("Iron gate of Veyra, the iron gate.".to_owned(), 0.1),
        ("Somebody saw a gate once, in Veyra or in a town that nobody names.".to_owned(), 0.9),
    ];
    let carts = ["salt", "timber", "wool", "tin"].into_iter().zip([0.2, 0.3, 0.4, 0.5]);
    texts.extend(carts.map(|(load, importance)| {
        (format!("A cart of {load} passed some gate on its way to the market and back home."), importance)
    }));
    for (text, importance) in texts {
        let draft = MemoryDraft { importance, ..draft(Place::Workspace, &text) };
        world.remember(draft, author()).await;
    }
}

fn search_of(strategy: Option<&str>) -> Search {
    Search {
        strategy: strategy.map(str::to_owned),
        ..Search::new(QueryText::Typed(QUERY.into()), everything(), 10)
    }
}

async fn found(world: &World, strategy: Option<&str>) -> Vec<MemoryId> {
    let found = world.session.search().memories(search_of(strategy)).await.expect("an answer");
    found.hits.into_iter().map(|hit| hit.stored.entry.id).collect()
}

/// The messages for the query, with what explains their order.
async fn message_hits(world: &World, strategy: Option<&str>) -> Vec<(MessageId, Vec<Contribution>)> {
    let strategy = strategy.map(str::to_owned);
    let search = MessageSearch {
        query: QueryText::Typed(QUERY.into()),
        limit: 10,
        strategy,
        ..MessageSearch::default()
    };
    let found = world.session.search().messages(search).await.expect("an answer");
    found.hits.into_iter().map(|hit| (hit.message.id(), hit.contributions)).collect()
}

async fn found_by_the_world_agent(world: &World) -> Vec<MemoryId> {
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, "Look it up.").await;
    let call = format!(r#"{{"query": "{QUERY}", "limit": 10}}"#);
    let scripted =
        Arc::new(ScriptedModel::new([Play::Calls("memory_search", call), Play::Says(vec!["Found."])]));
    let model: Arc<dyn ChatModel> = scripted.clone();
    let (_stopper, stop) = stopper();
    world.session.turns().answer(&conversation, &model, &stop, &Unheard, author()).await.expect("answered");
    let last = scripted.requests().pop().expect("asked");
    let mut answers = last.turns.iter().filter_map(|turn| match turn {
        ChatTurn::Tool { text, .. } => serde_json::from_str::<Value>(text).ok(),
        ChatTurn::User(_) | ChatTurn::Assistant { .. } => None,
    });
    let answer = answers.next_back().expect("an answer of the tool");
    let candidates = answer["candidates"].as_array().expect("candidates");
    candidates.iter().map(|it| it["id"].as_str().and_then(|id| id.parse().ok()).expect("an id")).collect()
}

async fn shown_in_an_orientation(world: &World) -> Vec<MemoryId> {
    let request = OrientRequest { query: ConversationQuery::Next(QUERY.into()), ..OrientRequest::default() };
    let oriented = world.session.orientations().orient(request).await.expect("a document");
    let items = oriented.orientation.items.into_iter().filter(|item| item.layer == Layer::Workspace);
    items
        .map(|item| match item.id {
            ItemId::Memory(id) => id,
            other => panic!("no memory: {other:?}"),
        })
        .collect()
}

#[tokio::test]
async fn every_search_follows_the_chosen_strategy_unless_it_names_one() {
    let (setup, client_session, _) = setup().await;
    let world = &*setup.world;
    two_orders(world).await;
    assert_eq!(world.session.search().chosen_strategy().await.expect("read"), STRATEGIES[0]);
    let chosen = world.conversation().await;
    world.say(&chosen, Role::User, "The iron gate of Veyra creaks.").await;
    let mut orders = HashSet::new();
    let mut explained = Vec::new();
    for strategy in STRATEGIES {
        let order = found(world, Some(strategy)).await;
        assert_eq!(order.len(), 6, "{strategy}");
        world.session.search().choose_strategy(strategy).await.expect("chosen");
        assert_eq!(found(world, None).await, order, "{strategy}: the window and the command line");
        let client = client_session.search(within(MemoryScope::Workspace), QUERY, 10).await.expect("read");
        let client: Vec<MemoryId> =
            client.iter().filter_map(FoundNote::memory).map(|noted| noted.entry.id).collect();
        assert_eq!(client, order, "{strategy}: a client");
        assert_eq!(found_by_the_world_agent(world).await, order, "{strategy}: the World Agent");
        assert_eq!(shown_in_an_orientation(world).await, order, "{strategy}: an orientation");
        for other in STRATEGIES {
            let named = world.session.search().memories(search_of(Some(other))).await.expect("an answer");
            assert_eq!(named.strategy, *other, "a search that names a strategy has it");
        }
        orders.insert(order);
        let messages = message_hits(world, Some(strategy)).await;
        assert_eq!(message_hits(world, None).await, messages, "{strategy}: what was said");
        assert!(!messages.is_empty() && !explained.contains(&messages), "{strategy}");
        explained.push(messages);
    }
    assert!(orders.len() > 1, "the strategies order these entries differently");
}

#[tokio::test]
async fn another_process_uses_a_newly_chosen_strategy_at_once() {
    let world = World::new().await;
    two_orders(&world).await;
    let other = world.another_process().await;
    other.search().choose_strategy("rrf").await.expect("chosen");
    let found = world.session.search().memories(search_of(None)).await.expect("an answer");
    assert_eq!(found.strategy, "rrf");
}

#[tokio::test]
async fn an_unknown_choice_is_refused_and_one_of_a_later_release_is_ignored() {
    let world = World::new().await;
    let refused = world.session.search().choose_strategy("luck").await;
    assert!(matches!(refused, Err(AppError::Input { field: "strategy", .. })), "{refused:?}");
    for stored in ["\"of_a_later_release\"", "7", "null"] {
        world.session.account.settings.set_setting("search.strategy", stored).await.expect("set");
        assert_eq!(world.session.search().chosen_strategy().await.expect("read"), STRATEGIES[0], "{stored}");
        let found = world.session.search().memories(search_of(None)).await.expect("an answer");
        assert_eq!(found.strategy, STRATEGIES[0], "{stored}");
    }
}
