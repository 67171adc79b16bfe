//! Canon drift of what is written in conversations.

use inklings_application::{drift::Settlement, error::AppError, testing::world::everything};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian, span::Span, story_point::StoryPoint},
    conversation::{Conversation, message::Role},
    drift::{Drift, DriftState, InvalidDrift, Item},
    ids::MemoryId,
    lens::Lens,
    memory::{
        MemoryEntry,
        filter::{ScopeFilter, Sort},
        text_source::TextSource,
    },
    provenance::Curator,
    scope::Place,
};
use inklings_ports::testing::builders::{agent, author, draft, new_tags, new_text};

use crate::support::World;

const CANON: &str = "Mira is 34 years old.";
const STATEMENT: &str = "Mira is 36 years old.";

async fn open(world: &World) -> Vec<Drift> {
    world.session.drifts().look().await.expect("a look");
    world.session.drifts().page(Some(DriftState::Open), None, 50).await.expect("read").rows
}

/// Canon, a conversation, and what the agent wrote there against it.
async fn drifted(world: &World) -> (MemoryId, Conversation, Drift) {
    let canon = world.remember(draft(Place::Workspace, CANON), author()).await;
    let conversation = world.conversation().await;
    let text = format!("The gate opens. {STATEMENT} Toma waits.");
    let message = world.say(&conversation, Role::Assistant, &text).await;
    let found = open(world).await;
    let [drift] = found[..] else { panic!("{found:?}") };
    assert_eq!((drift.canon.item, drift.statement.item), (Item::Memory(canon), Item::Message(message.id())));
    (canon, conversation, drift)
}

async fn settle(world: &World, drift: Drift, settlement: Settlement) -> Result<(), AppError> {
    world.session.drifts().settle(drift.id, settlement, author()).await.map(|_| ())
}

#[tokio::test]
async fn what_is_written_in_a_conversation_against_canon_is_filed_once_with_its_sentence() {
    let world = World::new().await;
    let (_, conversation, drift) = drifted(&world).await;
    assert_eq!(open(&world).await, [drift]);
    let (canon, statement) = world.session.drifts().sentences(&drift).await.expect("read");
    assert_eq!(canon, [CANON.trim_end_matches('.')]);
    assert_eq!(statement, [STATEMENT.trim_end_matches('.')]);
    // The next message says something else.
    world.say(&conversation, Role::User, "Mira keeps geese.").await;
    assert_eq!(open(&world).await, [drift]);
}

#[tokio::test]
async fn messages_are_no_canon_and_only_people_and_the_agent_are_compared() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, CANON).await;
    world.say(&conversation, Role::Assistant, STATEMENT).await;
    world.remember(draft(Place::Workspace, "Mira is 38 years old."), agent()).await;
    assert_eq!(open(&world).await, [], "there is no canon");
    world.remember(draft(Place::Workspace, "Toma is a smith."), author()).await;
    world.say(&conversation, Role::Tool, "Toma is a baker.").await;
    world.say(&conversation, Role::System, "Toma is a baker.").await;
    world.say(&conversation, Role::User, "Is Toma a baker?").await;
    assert_eq!(open(&world).await, []);
    world.say(&conversation, Role::User, "Toma is a baker.").await;
    assert_eq!(open(&world).await.len(), 1);
}

#[tokio::test]
async fn a_message_is_compared_when_it_is_new_and_again_when_the_canon_that_it_contradicts_changes() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::User, STATEMENT).await;
    assert_eq!(open(&world).await, []);
    let canon = world.remember(draft(Place::Workspace, CANON), author()).await;
    assert_eq!(open(&world).await, [], "what was written before the canon is no drift from it");
    let later = world.say(&conversation, Role::User, STATEMENT).await;
    let [first] = open(&world).await[..] else { panic!("one") };
    world.session.memories().edit(canon, 1, new_tags(&["age"]), author()).await.expect("tagged");
    let [second] = open(&world).await[..] else { panic!("one") };
    assert_eq!(second.statement.item, Item::Message(later.id()));
    assert_ne!(first.id, second.id, "it is filed against the new version");
    world.session.memories().edit(canon, 2, new_text("Mira is 36 years old."), author()).await.expect("ok");
    assert_eq!(open(&world).await, []);
}

#[tokio::test]
async fn what_is_written_while_memory_is_off_is_not_compared() {
    let world = World::new().await;
    world.remember(draft(Place::Workspace, CANON), author()).await;
    let conversation = world.conversation().await;
    world.session.switch().set_enabled(false).await.expect("off");
    world.say(&conversation, Role::User, STATEMENT).await;
    world.session.switch().set_enabled(true).await.expect("on");
    assert_eq!(open(&world).await, []);
}

#[tokio::test]
async fn each_decision_about_a_message_leaves_the_message_as_it_was_written() {
    for decision in ["canon stands", "canon changes", "both", "belief", "dismiss"] {
        let world = World::new().await;
        let (canon, conversation, drift) = drifted(&world).await;
        let before = world.transcript(&conversation).await;
        let knower =
            world.session.subjects().add("Toma", "character", "", author()).await.expect("added").id();
        let mut made = None;
        match decision {
            "canon stands" => settle(&world, drift, Settlement::CanonStands).await.expect(decision),
            "canon changes" => {
                let unclear = settle(&world, drift, Settlement::CanonChanges { text: None }).await;
                assert!(matches!(unclear, Err(AppError::Drift(InvalidDrift::Text))), "{unclear:?}");
                let text = Some(STATEMENT.to_owned());
                settle(&world, drift, Settlement::CanonChanges { text }).await.expect(decision);
                assert_eq!(world.entry(canon).await.content, STATEMENT);
            }
            "both" => {
                let calendar = Calendar::new(gregorian()).expect("valid");
                world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
                let read = world.session.calendars().read("812", None, &ScopeFilter::EVERYTHING).await;
                let time: Option<Span> = Some(read.expect("a date"));
                let refused = settle(&world, drift, Settlement::Both { canon: None, statement: time }).await;
                assert!(matches!(refused, Err(AppError::Drift(InvalidDrift::TimeOfMessage))), "{refused:?}");
                let both = Settlement::Both { canon: time, statement: None };
                settle(&world, drift, both).await.expect(decision);
                assert_eq!(Some(world.entry(canon).await.span), time);
            }
            "belief" => {
                let belief = Settlement::Belief { knowers: vec![(knower, None)] };
                let change = world.session.drifts().settle(drift.id, belief, author()).await.expect(decision);
                made = Some(change.expect("an entry was made"));
            }
            _ => settle(&world, drift, Settlement::Dismiss).await.expect(decision),
        }
        assert_eq!(world.transcript(&conversation).await, before, "{decision}");
        assert_eq!(open(&world).await, [], "{decision}");
        if let Some(change) = made {
            let written = world.session.memories().undo_change(change, author()).await.expect("undone");
            let entry = world.entry(written.ids[0]).await;
            assert_eq!(entry.content, STATEMENT, "only the sentence that contradicts");
            assert_eq!(entry.links.len(), 1);
        }
    }
}

#[tokio::test]
async fn a_decision_for_a_message_makes_nobodys_words_the_worldbuilders_own() {
    for (role, decision) in [
        (Role::User, "belief"),
        (Role::Assistant, "belief"),
        (Role::User, "canon_changes"),
        (Role::Assistant, "canon_changes"),
        (Role::Assistant, "another text"),
    ] {
        let world = World::new().await;
        let canon = world.remember(draft(Place::Workspace, CANON), author()).await;
        let knower =
            world.session.subjects().add("Toma", "character", "", author()).await.expect("a subject");
        let conversation = world.conversation().await;
        world.say(&conversation, role, STATEMENT).await;
        let found = open(&world).await;
        let [drift] = found[..] else { panic!("{found:?}") };
        let settlement = match decision {
            "belief" => Settlement::Belief { knowers: vec![(knower.id(), None)] },
            "canon_changes" => Settlement::CanonChanges { text: None },
            _ => Settlement::CanonChanges { text: Some("Mira has geese.".into()) },
        };
        settle(&world, drift, settlement).await.expect("settled");
        let page = world.session.memories().every(&everything(), Sort::CreatedAsc).await.expect("read");
        let is_made = |entry: &&MemoryEntry| match decision {
            "belief" => entry.id != canon && entry.subject.is_none(),
            _ => entry.id == canon,
        };
        let made = page.iter().find(is_made).expect("an entry");
        let expected = match (role, decision) {
            // The agent is who wrote the whole of it.
            (Role::Assistant, "belief") => (Curator::Agent, vec![]),
            (Role::Assistant, "canon_changes") => (Curator::Author, vec![TextSource::Agent]),
            _ => (Curator::Author, vec![]),
        };
        assert_eq!((made.curator, made.derived_from.clone()), expected, "{role:?}, {decision}");
    }
}

#[tokio::test]
async fn a_conversation_about_another_time_of_the_story_is_not_compared() {
    let world = World::new().await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let read = async |text: &str| {
        world.session.calendars().read(text, None, &ScopeFilter::EVERYTHING).await.expect("a date")
    };
    let canon = world.remember(draft(Place::Workspace, CANON), author()).await;
    let time = read("812").await;
    world.session.calendars().set_story_time(canon, 1, Some(time), None, author()).await.expect("set");
    for (year, found) in [("815", 0), ("812", 1)] {
        let conversation = world.conversation().await;
        let at = read(year).await.from().map(StoryPoint::Moment);
        let lens = Lens { knower: None, at };
        world.session.conversations().set_lens(conversation.id, lens).await.expect("set");
        world.say(&conversation, Role::User, STATEMENT).await;
        assert_eq!(open(&world).await.len(), found, "{year}");
    }
}

#[tokio::test]
async fn open_claims_are_in_the_same_count() {
    let world = World::new().await;
    let facts = world.session.facts();
    facts.set("Mira", "age", "34", None, author()).await.expect("set");
    facts.set("Mira", "age", "36", None, agent()).await.expect("claimed");
    let drifts = world.session.drifts();
    let [fact] = &drifts.claimed_facts().await.expect("read")[..] else { panic!("one") };
    assert_eq!(fact.claims.len(), 1);
    assert_eq!(drifts.count_open().await.expect("counted"), 1);
    facts.settle_claim(fact.claims[0].id, false, author()).await.expect("settled");
    assert_eq!(drifts.count_open().await.expect("counted"), 0);
}
