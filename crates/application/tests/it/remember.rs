//! The guards of what an agent may remember, kept on SQLite.

use inklings_application::{
    agent_write::remember::{Observed, Remembered},
    error::{AppError, GuardRefusal},
    memory::browse::MAX_PAGE,
    proposal::Proposed,
    testing::pages::link_pages,
};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian},
    conversation::{Conversation, message::Role},
    proposal::{Decision, ProposalKind},
    provenance::Curator,
    scope::Place,
};
use inklings_ports::testing::builders::{agent, author, draft, task};

use crate::support::World;

async fn extract(
    world: &World,
    place: Place,
    text: &str,
    conversation: Option<&Conversation>,
    shown: &[&str],
) -> Result<Remembered, AppError> {
    let shown: Vec<String> = shown.iter().map(|text| (*text).to_owned()).collect();
    let observed = Observed {
        draft: draft(place, text),
        conversation,
        shown: &shown,
        within: None,
        links: inklings_domain::subject::NewLinks::default(),
    };
    world.session.agent_writes().remember(observed, agent()).await
}

fn refusal<T>(result: Result<T, AppError>) -> Option<GuardRefusal> {
    match result {
        Err(AppError::Guard(refusal)) => Some(refusal),
        Ok(_) => None,
        Err(other) => panic!("another error: {other}"),
    }
}

#[tokio::test]
async fn a_duplicate_of_an_entry_is_refused_with_the_id_of_that_entry() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate of Veyra is made of iron.").await;
    let conversation = world.conversation().await;
    for place in [
        Place::Workspace,
        Place::Channel(conversation.channel_id),
        Place::Conversation(conversation.channel_id, conversation.id),
    ] {
        let again =
            extract(&world, place, "the gate of Veyra is made of iron", Some(&conversation), &[]).await;
        assert!(matches!(refusal(again), Some(GuardRefusal::Noted(found, _)) if found == id), "{place:?}");
    }
    let other =
        extract(&world, Place::Workspace, "The gate of Veyra is made of bronze.", Some(&conversation), &[])
            .await;
    assert_eq!(refusal(other), None, "what contradicts is new, and becomes a conflict");
}

#[tokio::test]
async fn texts_that_repeat_a_fact_or_a_message_are_not_stored() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.session.facts().set("Mira", "age", "34", None, author()).await.expect("set");
    let fact = extract(&world, Place::Workspace, "Mira's age is 34.", Some(&conversation), &[]).await;
    assert!(matches!(refusal(fact), Some(GuardRefusal::Fact(_))));
    world.say(&conversation, Role::User, "The harbour freezes every third winter.").await;
    let messages =
        extract(&world, Place::Workspace, "The harbour freezes every third winter", Some(&conversation), &[])
            .await;
    assert_eq!(refusal(messages), Some(GuardRefusal::Said));
}

#[tokio::test]
async fn a_text_that_repeats_a_fact_is_not_stored_however_many_facts_come_before_it() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    for n in 0..MAX_PAGE {
        let set = world.session.facts().set("Bells", &format!("bell {n}"), "bronze", None, author()).await;
        set.expect("set");
    }
    world.session.facts().set("Mira", "age", "34", None, author()).await.expect("set");
    let fact = extract(&world, Place::Workspace, "Mira's age is 34.", Some(&conversation), &[]).await;
    assert!(matches!(refusal(fact), Some(GuardRefusal::Fact(_))));
}

#[tokio::test]
async fn texts_recalled_in_the_turn_are_not_stored_again() {
    let world = World::new().await;
    let shown = ["Captain Lind lost three ships at Veyra."];
    let echo =
        extract(&world, Place::Workspace, "Captain Lind lost three ships at Veyra.", None, &shown).await;
    assert!(matches!(refusal(echo), Some(GuardRefusal::Echo(_))));
}

#[tokio::test]
async fn the_account_accepts_preferences_and_refuses_statements_about_a_world() {
    let world = World::new().await;
    world.write(Place::Workspace, "The smith Mira guards the gate.").await;
    world.session.facts().set("Veyra", "ruler", "Oskar Lind", None, author()).await.expect("set");
    for text in ["Loves scenes with Mira.", "Wants to hear of veyra first.", "Asks often about Lind's ships."]
    {
        let refused = extract(&world, Place::Account, text, None, &[]).await;
        assert_eq!(refusal(refused), Some(GuardRefusal::World), "{text}");
    }
    let text = "The Vesper tower fell in the salt war and Toma inherited the crown.";
    let refused = extract(&world, Place::Account, text, None, &[]).await;
    assert_eq!(refusal(refused), Some(GuardRefusal::OfWorld), "{text}");
    for text in [text, DOUBTFUL] {
        let added = world.session.memories().create(draft(Place::Account, text), agent()).await;
        assert!(refusal(added).is_some(), "{text}");
    }
    let noted = world.session.agent_writes().note_memory(draft(Place::Account, text), agent()).await;
    assert_eq!(refusal(noted), Some(GuardRefusal::OfWorld), "{text}");
    let noted = world
        .session
        .agent_writes()
        .note_memory(draft(Place::Account, DOUBTFUL), agent())
        .await
        .expect("noted");
    assert!(matches!(noted, Remembered::Proposed(Proposed::Filed(_))), "{noted:?}");
    let noted = world
        .session
        .agent_writes()
        .note_memory(draft(Place::Account, DOUBTFUL), author())
        .await
        .expect("noted");
    assert!(matches!(noted, Remembered::Written(_)), "{noted:?}");
    for text in
        ["Prefers short answers.", "Wants options before a draft, never the gate-keeping kind of advice."]
    {
        assert_eq!(refusal(extract(&world, Place::Account, text, None, &[]).await), None, "{text}");
    }
}

/// May be about a world as well as about the worldbuilder.
const DOUBTFUL: &str = "The user decided that the king dies.";

#[tokio::test]
async fn a_doubtful_text_for_the_account_is_compared_with_nothing_that_the_lens_withholds() {
    let world = World::new().await;
    link_pages(&world.session, "Notes", &[("Plans.md", DOUBTFUL)]).await;
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let begun = world.conversation().await;
    let refused = extract(&world, Place::Account, DOUBTFUL, Some(&begun), &[]).await;
    assert!(matches!(refusal(refused), Some(GuardRefusal::Content(_))), "without a lens the page is shown");
    let lens = world.session.lenses().named(None, Some("812")).await.expect("a lens");
    let bound = world.session.conversations().set_lens(begun.id, lens).await.expect("bound");
    let remembered = extract(&world, Place::Account, DOUBTFUL, Some(&bound), &[]).await.expect("proposed");
    assert!(matches!(remembered, Remembered::Proposed(Proposed::Filed(_))), "{remembered:?}");
}

#[tokio::test]
async fn a_doubtful_text_for_the_account_becomes_a_proposal_that_the_worldbuilder_decides() {
    let world = World::new().await;
    let session = &world.session;
    let observed = extract(&world, Place::Account, DOUBTFUL, None, &[]).await.expect("proposed");
    let Remembered::Proposed(Proposed::Filed(id)) = observed else { panic!("{observed:?}") };
    let filed = session.proposals().get(id).await.expect("there");
    assert_eq!((filed.kind, filed.content.as_deref()), (ProposalKind::New, Some(DOUBTFUL)));
    let entry = filed.makes.as_ref().expect("an entry").id;
    assert!(session.entry(entry).await.is_err(), "a proposal writes nothing");
    assert_eq!(
        session.proposals().close_superseded().await.expect("looked at"),
        0,
        "it is about no entry that could go"
    );
    for actor in [agent(), task()] {
        assert!(session.proposals().decide(id, Decision::Accept, actor).await.is_err());
    }

    let change = session
        .proposals()
        .decide(id, Decision::Accept, author())
        .await
        .expect("accepted")
        .expect("a change");
    let made = world.entry(entry).await;
    assert_eq!((made.place, made.curator, &*made.content), (Place::Account, Curator::Agent, DOUBTFUL));
    session.memories().undo_change(change, author()).await.expect("taken back");
    assert!(!world.entry(entry).await.is_active());

    let again = extract(&world, Place::Account, DOUBTFUL, None, &[]).await.expect("known");
    assert_eq!(again, Remembered::Proposed(Proposed::Before), "what was decided is not asked again");
    let other = extract(&world, Place::Account, "Wants the king and the queen to die.", None, &[]).await;
    let Ok(Remembered::Proposed(Proposed::Filed(id))) = other else { panic!("{other:?}") };
    session.proposals().decide(id, Decision::Reject, author()).await.expect("declined");
    assert_eq!(session.proposals().count_open().await.expect("counted"), 0);
}

#[tokio::test]
async fn writes_by_the_worldbuilder_skip_the_guards() {
    let world = World::new().await;
    world.write(Place::Workspace, "The gate is iron.").await;
    let shown = ["The gate is iron.".to_owned()];
    let observed = Observed {
        draft: draft(Place::Workspace, "The gate is iron."),
        conversation: None,
        shown: &shown,
        within: None,
        links: inklings_domain::subject::NewLinks::default(),
    };
    world.session.agent_writes().remember(observed, author()).await.expect("their word is theirs");
}
