//! The promises of orientation, kept on SQLite.

use std::sync::Arc;

use inklings_application::orientation::{OrientRequest, OrientationSettings};
use inklings_domain::{
    conversation::message::Role,
    memory::decay::DecayConfig,
    orientation::{ItemId, Layer, LeftOut},
    scope::{MemoryScope, Place},
    search::{conversation_query::ConversationQuery, query::QueryText},
};
use inklings_ports::{
    model::chat::{ChatError, ChatModel},
    testing::{
        builders::{agent, author, draft},
        chat::{Play, ScriptedModel},
    },
};

use crate::support::{World, faults::Faults};

pub const QUERY: &str = "What do we know about the iron gate of Veyra?";

/// A world with something in every layer.
pub async fn furnished() -> (World, inklings_domain::conversation::Conversation) {
    let world = World::new().await;
    let session = &world.session;
    session.named_entries().begin(author()).await.expect("made");
    let voice = session.named_entries().get("VOICE", None).await.expect("there");
    session
        .named_entries()
        .write(voice.id, voice.version, "Spare prose.\nNo adverbs.", author())
        .await
        .expect("written");
    let conversation = world.conversation().await;
    session.facts().set("Veyra", "gate", "iron", Some(conversation.id), author()).await.expect("set");
    world.write(Place::Account, "Prefers short answers about any gate.").await;
    world.write(Place::Workspace, "The iron gate of Veyra was forged in 1432.").await;
    world.write(Place::Channel(conversation.channel_id), "The gate of Veyra is opened at dawn.").await;
    world
        .write(Place::Conversation(conversation.channel_id, conversation.id), "We are looking at the gate.")
        .await;
    world.say(&conversation, Role::User, QUERY).await;
    (world, conversation)
}

pub fn request(conversation: &inklings_domain::conversation::Conversation) -> OrientRequest<'_> {
    OrientRequest { conversation: Some(conversation), ..OrientRequest::default() }
}

#[tokio::test]
async fn named_entries_come_first_and_whole_and_every_layer_follows_in_order() {
    let (world, conversation) = furnished().await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    insta::assert_snapshot!(oriented.markdown);
    let layers: Vec<Layer> = oriented.document.sections.iter().map(|section| section.layer).collect();
    assert_eq!(
        layers,
        [Layer::Named, Layer::Facts, Layer::Conversation, Layer::Channel, Layer::Workspace, Layer::Account]
    );
}

#[tokio::test]
async fn equal_inputs_give_equal_documents() {
    let (world, conversation) = furnished().await;
    let one = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    let two = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    assert_eq!(one.markdown, two.markdown);
    assert_eq!(one.document, two.document);
}

#[tokio::test]
async fn orienting_does_not_count_as_use_and_a_turn_does() {
    let (world, conversation) = furnished().await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    let used: Vec<_> = oriented.memories().collect();
    assert!(used.len() >= 4, "{used:?}");
    assert_eq!(world.entry(used[0].0).await.access_count, 0);
    world.session.orientations().note_uses(used.clone()).await;
    assert_eq!(world.entry(used[0].0).await.access_count, 1);
}

#[tokio::test]
async fn omitted_items_are_in_the_ledger_with_the_rule_that_omitted_them() {
    let (world, conversation) = furnished().await;
    for n in 0..40 {
        world.write(Place::Workspace, &format!("The gate of Veyra has hinge number {n} of forty.")).await;
    }
    let small = OrientRequest { budget: Some(300), ..request(&conversation) };
    let oriented = world.session.orientations().orient(small).await.expect("a document");
    assert!(oriented.orientation.tokens <= 300);
    let left: Vec<_> = oriented.orientation.items.iter().filter_map(|item| item.left_out).collect();
    assert!(left.contains(&LeftOut::Budget) && left.contains(&LeftOut::Limit), "{left:?}");
    world.session.orientations().record(&oriented, None).await;
    let kept = world.session.orientations().get(oriented.orientation.id).await.expect("kept");
    assert!(kept == oriented.orientation, "the ledger gives back what it was given");
    let (rows, next) = world.session.orientations().list(conversation.id, None, 10).await.expect("a page");
    assert_eq!((rows.len(), next), (1, None));
}

#[tokio::test]
async fn a_message_that_goes_on_is_answered_with_what_the_one_before_it_is_about() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.write(Place::Workspace, "Toma is the ferryman of the lower landing and sixty-three.").await;
    for n in 0..40 {
        world
            .write(Place::Workspace, &format!("House {n} of the quarter is old, older than the wall."))
            .await;
    }
    world.say(&conversation, Role::User, "Who is the ferryman of the lower landing?").await;
    world.say(&conversation, Role::Assistant, "Toma ferries people there.").await;
    world.say(&conversation, Role::User, "How old is he?").await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    assert!(oriented.markdown.contains("sixty-three"), "{}", oriented.markdown);
    // The ledger has what was searched, so that its explanation searches the same.
    let query = "How old is he?\nWho is the ferryman of the lower landing?\nToma ferries people there.";
    assert_eq!(oriented.orientation.query, query);
    // What would be shown for a message is what is shown for it, and a recorded query is not searched with more.
    for (asked, searched) in [
        (ConversationQuery::Next("Why?".to_owned()), format!("Why?\n{query}")),
        (ConversationQuery::Exactly("Why?".to_owned()), "Why?".to_owned()),
    ] {
        let request = OrientRequest { query: asked, ..request(&conversation) };
        let again = world.session.orientations().orient(request).await.expect("a document");
        let expected = searched.replace("\nToma ferries people there.", "");
        assert_eq!(again.orientation.query, expected);
    }
}

#[tokio::test]
async fn a_question_at_the_end_of_a_long_message_is_searched() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.write(Place::Workspace, "Toma is the ferryman of the lower landing.").await;
    for n in 0..40 {
        world.write(Place::Workspace, &format!("House {n} of the quarter stands by the wall.")).await;
    }
    let draft = "The quarter and its houses lie in the rain, and the wall is wet. ".repeat(60);
    world.say(&conversation, Role::User, &format!("{draft}\n\nWho is the ferryman there?")).await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    assert!(oriented.markdown.contains("Toma"), "{}", oriented.markdown);
}

#[tokio::test]
async fn an_entry_of_another_channel_is_not_shown() {
    let (world, conversation) = furnished().await;
    let other = world.session.channels().create("elsewhere", "").await.expect("made");
    world.write(Place::Channel(other.id), "The iron gate of Veyra is cursed.").await;
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    assert!(!oriented.markdown.contains("cursed"));
}

#[tokio::test]
async fn a_failing_layer_is_omitted_and_marked_as_failed() {
    let (mut world, conversation) = furnished().await;
    Faults::of_account(&mut world.session).fail("search_text");
    let oriented =
        world.session.orientations().orient(request(&conversation)).await.expect("the turn goes on");
    assert!(oriented.document.layers.get(Layer::Account).failed);
    assert!(oriented.markdown.contains("forged in 1432"), "{}", oriented.markdown);
}

#[tokio::test]
async fn refinement_can_only_remove_items() {
    let (world, conversation) = furnished().await;
    let settings = OrientationSettings { refine: true, ..OrientationSettings::default() };
    world.session.orientations().set_settings(settings).await.expect("set");
    let plain = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    let model = ScriptedModel::new([Play::Says(vec!["1, ", "2"])]);
    let refined = world
        .session
        .orientations()
        .orient_for_turn(request(&conversation), &model)
        .await
        .expect("a document");
    let dropped: Vec<ItemId> = refined
        .orientation
        .items
        .iter()
        .filter(|item| item.left_out == Some(LeftOut::Refined))
        .map(|item| item.id)
        .collect();
    assert_eq!(dropped.len(), 2);
    assert!(dropped.iter().all(|id| plain.took(*id) && !refined.took(*id)));
    assert!(refined.markdown.contains("Spare prose."), "named entries are not up for it");
}

#[tokio::test]
async fn a_failing_refinement_changes_nothing() {
    let (world, conversation) = furnished().await;
    let settings = OrientationSettings { refine: true, ..OrientationSettings::default() };
    world.session.orientations().set_settings(settings).await.expect("set");
    let plain = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    for play in
        [Play::Refuses(ChatError::Timeout), Play::Says(vec!["Drop everything!"]), Play::BreaksOff(vec!["1"])]
    {
        let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([play]));
        let oriented = world
            .session
            .orientations()
            .orient_for_turn(request(&conversation), &*model)
            .await
            .expect("a document");
        assert_eq!(oriented.markdown, plain.markdown);
    }
}

#[tokio::test]
async fn without_a_question_the_most_important_is_shown() {
    let world = World::new().await;
    world.remember(draft(Place::Workspace, "The salt tax pays for the quay."), agent()).await;
    let oriented = world.session.orientations().orient(OrientRequest::default()).await.expect("a document");
    assert!(oriented.markdown.contains("salt tax"));
    assert!(oriented.memories().all(|(_, scope)| scope == MemoryScope::Workspace));
}

#[tokio::test]
async fn a_fact_that_is_asked_for_is_shown_however_many_come_before_it() {
    let world = World::new().await;
    for n in 0..100 {
        let set = world.session.facts().set("Ambry", &format!("bell {n}"), "bronze", None, author()).await;
        set.expect("set");
    }
    world.session.facts().set("Zephyr", "captain", "Odile", None, author()).await.expect("set");
    let request = OrientRequest {
        query: ConversationQuery::Next("Who is the captain of the Zephyr?".into()),
        ..OrientRequest::default()
    };
    let oriented = world.session.orientations().orient(request).await.expect("a document");
    assert!(oriented.markdown.contains("Odile"), "{}", oriented.markdown);
    assert_eq!(oriented.shown.facts.len(), 100);
}

/// Messages about the iron gate of Veyra, with signs that a typed query reads as syntax.
const WITH_SIGNS: &[&str] = &[
    r#"She asks: "Is the iron gate of Veyra still shut?""#,
    r#""The iron gate of Veyra," he says, "was never shut.""#,
    r#"What was the "iron gate" of Veyra made of"#,
    r#"An inch of rope: 12" of it hangs at the iron gate of Veyra"#,
    "*looks at the iron gate of Veyra and nods* So it is shut.",
    "The iron gate of Veyra is shut -as it was before- and stays shut.",
    "Is the iron gate of Veyra OPEN OR SHUT? I do NOT know, AND nobody asks.",
];

#[tokio::test]
async fn signs_in_a_message_leave_nothing_out_of_what_is_shown() {
    let (world, conversation) = furnished().await;
    for message in WITH_SIGNS {
        for query in [ConversationQuery::Newest, ConversationQuery::Next((*message).to_owned())] {
            if query == ConversationQuery::Newest {
                world.say(&conversation, Role::User, message).await;
            }
            let request = OrientRequest { query, ..request(&conversation) };
            let oriented = world.session.orientations().orient(request).await.expect("a document");
            for memory in ["was forged in 1432", "opened at dawn", "Prefers short answers about any gate"] {
                assert!(oriented.markdown.contains(memory), "{message}: {memory}");
            }
        }
    }
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused_by_field() {
    let world = World::new().await;
    let tiny = OrientationSettings { budget: 10, ..OrientationSettings::default() };
    let refused = world.session.orientations().set_settings(tiny).await;
    assert!(
        matches!(refused, Err(inklings_application::error::AppError::Input { field: "budget", .. })),
        "{refused:?}"
    );
    assert_eq!(world.session.orientations().settings().await.expect("read"), OrientationSettings::default());
}

#[tokio::test]
async fn every_reader_computes_the_same_relevance() {
    let (world, conversation) = furnished().await;
    let id = world.write(Place::Workspace, "The gate of Veyra creaks at night.").await;
    for day in 0..10 {
        // On the last day what the worldbuilder wrote does not fade any more.
        let authors_fade = day < 9;
        let config = DecayConfig::BRISK.with_authors_fade(authors_fade);
        world.clock.advance(chrono::Duration::days(1));
        world.session.reload_decay(config, true).await.expect("decay loads");
        let curve = world.session.memories().decay_curve(id).await.expect("a curve").now.relevance();
        assert_eq!(curve < 0.5, authors_fade, "{curve} on day {day}");
        if day < 8 {
            continue;
        }
        let search = inklings_application::search::Search::new(
            QueryText::Typed("gate creaks".into()),
            inklings_application::testing::world::everything(),
            5,
        );
        let found = world.session.search().memories(search).await.expect("an answer");
        let hit = found.hits.iter().find(|hit| hit.stored.entry.id == id).expect("found");
        assert!((hit.decay.relevance() - curve).abs() < 1e-12);
        let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
        let item =
            oriented.orientation.items.iter().find(|item| item.id == ItemId::Memory(id)).expect("looked at");
        assert!((item.framing.relevance.expect("told") - curve).abs() < 1e-12);
    }
    // And the run that would forget it reads the same: just above the line it stays, below it goes.
    let preview = world.session.consolidation().preview().await.expect("a preview");
    assert_eq!(preview.counts.faded, 0);
}

/// What work comes to that waits for a call that hangs: time passes as soon as nothing else goes on.
async fn in_time<T>(world: &World, faults: &Faults, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(std::time::Duration::from_millis(10)) => {}
        }
        if faults.is_stuck() {
            world.clock.advance(chrono::TimeDelta::minutes(1));
        }
    }
}

#[tokio::test]
async fn a_layer_that_never_answers_is_marked_as_failed_without_delaying_the_others() {
    for (call, failed) in [
        ("named", vec![Layer::Named]),
        ("facts", vec![Layer::Facts]),
        ("episodes", vec![Layer::Episodes]),
        ("latest_marker", vec![Layer::Earlier]),
        ("page", vec![Layer::Earlier]),
        ("list", vec![Layer::Conversation]),
        ("search_text", vec![Layer::Channel, Layer::Workspace]),
        // Times are then told in numbers of days.
        ("calendars", vec![]),
    ] {
        let (mut world, conversation) = furnished().await;
        let faults = Faults::of_workspace(&mut world.session);
        faults.hang(call);
        let request =
            OrientRequest { query: ConversationQuery::Next(QUERY.to_owned()), ..request(&conversation) };
        let oriented =
            in_time(&world, &faults, world.session.orientations().orient(request)).await.expect("a document");
        let marked: Vec<Layer> =
            Layer::ALL.iter().copied().filter(|layer| oriented.document.layers.get(*layer).failed).collect();
        assert_eq!(marked, failed, "{call}");
    }
}

#[tokio::test]
async fn a_turn_continues_without_an_unresponsive_layer_but_fails_without_its_messages() {
    for call in ["named", "facts", "episodes", "list", "search_text", "page"] {
        let (mut world, conversation) = furnished().await;
        let faults = Faults::of_workspace(&mut world.session);
        faults.hang(call);
        let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([Play::Says(vec!["Iron."])]));
        let (_stopper, stop) = inklings_application::turn::stopper();
        let turns = world.session.turns();
        let turn = turns.answer(&conversation, &model, &stop, &Unheard, author());
        let end = Box::pin(in_time(&world, &faults, turn)).await;
        match call {
            "page" => assert!(matches!(end, Err(inklings_application::error::AppError::TimedOut)), "{end:?}"),
            _ => assert_eq!(end.expect(call), inklings_application::turn::TurnEnd::Done),
        }
    }
}

#[tokio::test]
async fn the_ledger_of_a_turn_lists_replayed_messages_and_messages_over_the_budget() {
    let (world, conversation) = furnished().await;
    let long = world.say(&conversation, Role::User, &"a very long remark ".repeat(3_000)).await;
    let last = world.say(&conversation, Role::User, QUERY).await;
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([Play::Says(vec!["Iron."])]));
    let (_stopper, stop) = inklings_application::turn::stopper();
    world.session.turns().answer(&conversation, &model, &stop, &Unheard, author()).await.expect("answered");
    let (rows, _) = world.session.orientations().list(conversation.id, None, 5).await.expect("read");
    let of = |id| rows[0].items.iter().find(|item| item.id == ItemId::Message(id)).expect("in the ledger");
    assert_eq!(of(last.id()).left_out, None);
    assert_eq!(of(long.id()).left_out, Some(LeftOut::Budget));
}

#[tokio::test]
async fn many_named_entries_leave_memories_their_share_and_omitted_ones_are_in_the_ledger() {
    let (world, conversation) = furnished().await;
    let add = async |n: usize, text: String| {
        let named = world.session.named_entries();
        let name = format!("Lore {n}");
        named.add(MemoryScope::Workspace, &name, &text, author()).await.expect("added");
        named.get(&name, None).await.expect("there").id
    };
    for n in 0..40 {
        add(n, format!("Chapter {n}. {}", "Much is told of salt. ".repeat(20))).await;
    }
    // It comes last and is spoken of.
    let spoken = add(99, format!("The iron gate of Veyra. {}", "Rust. ".repeat(20))).await;
    for query in ["Tell me of Lore 99 and the iron gate of Veyra", ""] {
        let request =
            OrientRequest { query: ConversationQuery::Next(query.to_owned()), ..request(&conversation) };
        let oriented = world.session.orientations().orient(request).await.expect("a document");
        let (budget, layers) = (oriented.orientation.budget, oriented.document.layers);
        assert!(layers.get(Layer::Named).used <= budget / 2 && oriented.document.tokens <= budget);
        for memory in ["was forged in 1432", "opened at dawn", "Prefers short answers", "Spare prose."] {
            assert!(oriented.markdown.contains(memory), "{memory}: {}", oriented.markdown);
        }
        let items = &oriented.orientation.items;
        let left = items.iter().filter(|item| item.layer == Layer::Named && item.left_out.is_some()).count();
        assert!(left >= 25, "{left}");
        if !query.is_empty() {
            assert!(oriented.took(ItemId::Memory(spoken)));
        }
    }
    let none = OrientationSettings { named: 0, ..OrientationSettings::default() };
    world.session.orientations().set_settings(none).await.expect("set");
    let oriented = world.session.orientations().orient(request(&conversation)).await.expect("a document");
    assert!(oriented.markdown.contains("Spare prose.") && !oriented.markdown.contains("### Lore"));
    let wrong = OrientationSettings { named: 91, ..OrientationSettings::default() };
    assert!(world.session.orientations().set_settings(wrong).await.is_err());
}

/// Hears nothing.
struct Unheard;

impl inklings_application::turn::TurnSink for Unheard {
    fn text(&self, _message: inklings_domain::ids::MessageId, _piece: &str, _length: usize) {}

    fn tool(&self, _message: inklings_domain::ids::MessageId, _name: &str) {}
}
