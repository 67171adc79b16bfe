//! Titles that conversations get by themselves.

use inklings_application::{
    conversation::settings::ConversationSettings,
    scrub::{Operator, ScrubRequest},
};
use inklings_domain::{
    conversation::{
        Conversation,
        message::Role,
        title::{TitleMaker, TitleSource},
    },
    scope::Place,
    scrub::{ScrubMode, ScrubTarget},
};
use inklings_ports::{
    model::chat::ChatError,
    testing::{
        builders::author,
        chat::{Play, ScriptedModel},
    },
};

use super::{World, window};

async fn untitled(world: &World) -> Conversation {
    world.session.conversations().begin(None, "").await.expect("begun")
}

async fn titled(world: &World, conversation: &Conversation) -> (String, Option<TitleMaker>) {
    let now = world.session.conversations().by_id(conversation.id).await.expect("there");
    (now.title, now.titled.map(TitleSource::maker))
}

/// Lets a model give the title, with this answer.
async fn ask(world: &World, conversation: &Conversation, play: Play) -> (bool, usize) {
    let model = ScriptedModel::new([play]);
    let given = world.session.conversations().title_by_model(conversation.id, &model).await;
    (given.unwrap_or(false), model.requests().len())
}

const WORDS: &str =
    "## What do the *Salt Wardens* owe the harbour of Veyra after the siege of the northern gate?";
const TITLE: &str = "What do the Salt Wardens owe the harbour of Veyra after the";

#[tokio::test]
async fn an_untitled_conversation_takes_the_first_words_of_the_worldbuilder() {
    let world = World::new().await;
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::Assistant, "Welcome back.").await;
    assert_eq!(titled(&world, &conversation).await, (String::new(), None));
    world.say(&conversation, Role::User, WORDS).await;
    assert_eq!(titled(&world, &conversation).await, (TITLE.to_owned(), Some(TitleMaker::Message)));
    // Later words are not the first ones, also for a caller that still holds the conversation as it began.
    world.say(&conversation, Role::User, "And who pays?").await;
    assert_eq!(titled(&world, &conversation).await.0, TITLE);
}

#[tokio::test]
async fn a_title_that_a_person_gave_or_removed_is_never_replaced() {
    let world = World::new().await;
    for title in ["The salt tax", ""] {
        let conversation = untitled(&world).await;
        world.session.conversations().rename(conversation.id, title).await.expect("renamed");
        world.say(&conversation, Role::User, WORDS).await;
        world.say(&conversation, Role::Assistant, "A tenth.").await;
        assert_eq!(ask(&world, &conversation, Play::Says(vec!["Debts"])).await, (false, 0));
        assert_eq!(titled(&world, &conversation).await, (title.to_owned(), Some(TitleMaker::Person)));
    }
}

#[tokio::test]
async fn a_model_gives_a_better_title_after_the_first_answer_and_only_once() {
    let world = World::new().await;
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::User, WORDS).await;
    assert_eq!(
        ask(&world, &conversation, Play::Says(vec!["Early"])).await,
        (false, 0),
        "nothing was answered yet"
    );
    world.say(&conversation, Role::Assistant, "A tenth of the salt.").await;
    let refused = Play::Refuses(ChatError::Unreachable("off".into()));
    for (play, asked) in [(refused, 1), (Play::Says(vec!["\n***\n"]), 1)] {
        assert_eq!(ask(&world, &conversation, play).await, (false, asked));
        assert_eq!(titled(&world, &conversation).await.0, TITLE, "a model that fails leaves the title");
    }
    assert_eq!(
        ask(&world, &conversation, Play::Says(vec!["Title: \"Salt ", "and debts\"."])).await,
        (true, 1)
    );
    let given = ("Salt and debts".to_owned(), Some(TitleMaker::Model));
    assert_eq!(titled(&world, &conversation).await, given);
    assert_eq!(ask(&world, &conversation, Play::Says(vec!["Another"])).await, (false, 0));
    assert_eq!(titled(&world, &conversation).await, given);
}

#[tokio::test]
async fn a_person_can_switch_the_titles_of_models_off() {
    let world = World::new().await;
    let settings = ConversationSettings { model_titles: false, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("stored");
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::User, WORDS).await;
    world.say(&conversation, Role::Assistant, "A tenth.").await;
    assert_eq!(ask(&world, &conversation, Play::Says(vec!["Debts"])).await, (false, 0));
    assert_eq!(titled(&world, &conversation).await.0, TITLE);
}

#[tokio::test]
async fn no_message_from_while_memory_is_off_becomes_a_title() {
    let world = World::new().await;
    let conversation = untitled(&world).await;
    let session = &world.session;
    session.switch().set_enabled(false).await.expect("off");
    world.say(&conversation, Role::User, "The queen is dead.").await;
    world.say(&conversation, Role::Assistant, "I see.").await;
    assert_eq!(titled(&world, &conversation).await, (String::new(), None));
    assert_eq!(ask(&world, &conversation, Play::Says(vec!["The dead queen"])).await, (false, 0));
    session.switch().set_enabled(true).await.expect("on");
    assert_eq!(ask(&world, &conversation, Play::Says(vec!["The dead queen"])).await, (false, 0));
    // The first words on the record are later ones.
    world.say(&conversation, Role::User, "Who rules now?").await;
    assert_eq!(titled(&world, &conversation).await.0, "Who rules now?");
    session.switch().set_enabled(false).await.expect("off");
    assert_eq!(ask(&world, &conversation, Play::Says(vec!["Succession"])).await, (false, 0));
}

#[tokio::test]
async fn a_title_goes_with_the_message_that_it_was_made_of_also_where_it_was_taken_over() {
    let world = World::new().await;
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::User, WORDS).await;
    let named = world.session.conversations().by_id(conversation.id).await.expect("there");
    assert_eq!(named.title, TITLE);
    let later = world.session.conversations().resume(named.id).await.expect("continued");
    assert_eq!(later.title, TITLE);
    let own = world.session.conversations().resume(named.id).await.expect("continued");
    let own = world.session.conversations().rename(own.id, "Salt").await.expect("renamed");
    world.session.conversations().delete(named.id, window()).await.expect("deleted");
    assert_eq!(titled(&world, &later).await, (String::new(), None));
    assert_eq!(titled(&world, &own).await.0, "Salt");
}

#[tokio::test]
async fn a_scrubbed_text_becomes_no_title() {
    let world = World::new().await;
    let scrubbed = "Mira hid the ledger under the quay.";
    world.write(Place::Workspace, scrubbed).await;
    let (target, mode) = (ScrubTarget::Workspace, ScrubMode::Full);
    let hash = world.session.scrubs().preview(&target, mode).await.expect("a manifest").hash;
    let request = ScrubRequest { target, mode, hash, phrase: "scrub workspace".to_owned() };
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::User, scrubbed).await;
    assert_eq!(titled(&world, &conversation).await, (String::new(), None));
    let conversation = untitled(&world).await;
    world.say(&conversation, Role::User, "Where is the ledger?").await;
    world.say(&conversation, Role::Assistant, "I do not know.").await;
    assert_eq!(ask(&world, &conversation, Play::Says(vec![scrubbed])).await, (false, 1));
    assert_eq!(titled(&world, &conversation).await.0, "Where is the ledger?");
}
