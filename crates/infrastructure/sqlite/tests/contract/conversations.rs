//! Channels and conversations.

use chrono::TimeDelta;
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus, ModelChoice, ref_code::RefCode, title::TitleSource},
    ids::{ChannelId, ConversationId},
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    conversation::{
        store::{ChannelSummary, ConversationStore},
        transcript_store::ALL_POSITIONS,
    },
    store_error::StoreError,
    testing::builders::{Scribe, author, draft},
};

use super::{CheckedFolder, CheckedStage, Stage, refused};

/// All channels, each of which is also read by itself.
async fn channels(store: &dyn ConversationStore) -> Vec<ChannelSummary> {
    let all = store.channels().await.expect("channels are read");
    for one in &all {
        let found = store.channel_summary(one.channel.id).await.expect("a channel is read");
        assert_eq!(found.as_ref(), Some(one));
    }
    all
}

async fn conversations(stage: &Stage, ids: &[ConversationId]) -> Vec<Conversation> {
    let mut found = stage.workspace.conversations.conversations(ids).await.expect("conversations are read");
    found.sort_by_key(|c| c.id);
    found
}

/// It is the default channel, and empty.
#[tokio::test]
async fn a_new_workspace_has_only_the_default_channel() {
    let folder = CheckedFolder::new();
    let catalogue = folder.catalogue();
    let workspace = Scribe::default().workspace("Fresh");
    catalogue.create(&workspace).await.expect("a workspace is made");
    let ports = catalogue.open(workspace.id).await.expect("the workspace opens");
    let found = channels(ports.conversations.as_ref()).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].memories, 0);
    let channel = &found[0].channel;
    assert!(channel.is_default);
    assert_eq!((channel.name.as_str(), channel.workspace_id), ("general", workspace.id));
    let unknown = ChannelId::from_uuid(*workspace.id.as_uuid());
    assert_eq!(ports.conversations.channel_summary(unknown).await.expect("a channel is looked for"), None);
}

/// Then by name, regardless of case.
#[tokio::test]
async fn channels_are_listed_with_general_first() {
    let stage = CheckedStage::new().await;
    for name in ["Zebra", "alpha", "Beta", "10 things"] {
        let channel = stage.scribe.channel(stage.workspace.workspace.id, name);
        stage.workspace.conversations.add_channel(&channel).await.expect("a channel is added");
    }
    let found = channels(stage.workspace.conversations.as_ref()).await;
    let names: Vec<&str> = found.iter().map(|c| c.channel.name.as_str()).collect();
    assert_eq!(names, ["general", "10 things", "alpha", "Beta", "Side", "Zebra"]);
}

/// Add and read are a round trip.
#[tokio::test]
async fn every_field_of_a_channel_is_read_back() {
    let stage = CheckedStage::new().await;
    let channel = Channel {
        description: "What \"happens\" next — 門".into(),
        created_at: stage.scribe.clock.now() + TimeDelta::milliseconds(321),
        ..stage.scribe.channel(stage.workspace.workspace.id, "Plot thréads")
    };
    stage.workspace.conversations.add_channel(&channel).await.expect("a channel is added");
    let found = stage.workspace.conversations.channel_named(&channel.name).await.expect("channels are read");
    assert_eq!(found, Some(channel));
}

/// By any spelling of their name; an unknown name is no error.
#[tokio::test]
async fn channels_are_found_regardless_of_case() {
    let stage = CheckedStage::new().await;
    for (typed, expected) in
        [("SIDE", Some(stage.side.id)), ("#general", Some(stage.general.id)), ("nowhere", None)]
    {
        let name = ChannelName::new(typed).expect("a valid name");
        let found = stage.workspace.conversations.channel_named(&name).await.expect("channels are read");
        assert_eq!(found.map(|c| c.id), expected, "{typed}");
    }
}

/// Names that differ in case alone are one.
#[tokio::test]
async fn channel_names_are_unique_ignoring_case() {
    let stage = CheckedStage::new().await;
    for name in ["Side", "side", "SIDE", "General"] {
        let twin = stage.scribe.channel(stage.workspace.workspace.id, name);
        refused!(stage.workspace.conversations.add_channel(&twin).await, StoreError::AlreadyExists(_));
    }
    assert_eq!(channels(stage.workspace.conversations.as_ref()).await.len(), 2);
}

/// Their own and those of their conversations, without the forgotten ones.
#[tokio::test]
async fn channels_count_their_active_entries() {
    let stage = CheckedStage::new().await;
    stage.write(author(), stage.places().map(|place| draft(place, "Somewhere."))).await;
    let more = stage.write_one(author(), draft(Place::Channel(stage.side.id), "One more.")).await;
    let count = || async {
        let found = channels(stage.workspace.conversations.as_ref()).await;
        found.into_iter().map(|c| c.memories).collect::<Vec<u64>>()
    };
    assert_eq!(count().await, [2, 3]);
    stage.apply(stage.scribe.forget(author(), &more)).await;
    assert_eq!(count().await, [2, 2]);
}

/// Add and read are a round trip, whatever the status; unknown ids are left out.
#[tokio::test]
async fn every_field_of_a_conversation_is_read_back() {
    let stage = CheckedStage::new().await;
    let mut expected = Vec::new();
    for status in ConversationStatus::ALL {
        let began = stage.scribe.conversation(stage.side.id);
        let ended =
            (*status != ConversationStatus::Active).then(|| began.started_at + TimeDelta::milliseconds(99));
        let conversation =
            Conversation { title: format!("Öf {status}"), ended_at: ended, status: *status, ..began };
        stage.workspace.conversations.add_conversation(&conversation).await.expect("a conversation is added");
        expected.push(conversation);
    }
    let mut ids: Vec<ConversationId> = expected.iter().map(|c| c.id).collect();
    ids.push(stage.scribe.ids.conversation_id());
    assert_eq!(conversations(&stage, &ids).await, expected);
    assert_eq!(conversations(&stage, &[]).await, []);
}

/// Exactly as written: codes that differ in case are different codes.
#[tokio::test]
async fn conversations_are_found_by_reference_code() {
    let stage = CheckedStage::new().await;
    let code = |text: &str| text.parse::<RefCode>().expect("a valid code");
    let mut made = Vec::new();
    for text in ["abcdefghijk", "ABCDEFGHIJK"] {
        let conversation =
            Conversation { ref_code: code(text), ..stage.scribe.conversation(stage.general.id) };
        stage.workspace.conversations.add_conversation(&conversation).await.expect("a conversation is added");
        made.push(conversation);
    }
    let by_ref = |text: &'static str| {
        let store = stage.workspace.conversations.clone();
        async move { store.conversation_by_ref(code(text)).await.expect("conversations are read") }
    };
    assert_eq!(by_ref("abcdefghijk").await, Some(made[0].clone()));
    assert_eq!(by_ref("ABCDEFGHIJK").await, Some(made[1].clone()));
    assert_eq!(by_ref("00000000000").await, None);
}

/// A code names one conversation in the whole workspace.
#[tokio::test]
async fn reference_codes_are_unique_in_a_workspace() {
    let stage = CheckedStage::new().await;
    let twin =
        Conversation { ref_code: stage.conversation.ref_code, ..stage.scribe.conversation(stage.side.id) };
    refused!(stage.workspace.conversations.add_conversation(&twin).await, StoreError::AlreadyExists(_));
    assert_eq!(conversations(&stage, &[twin.id]).await, []);
}

/// In its channel; ended ones do not count.
#[tokio::test]
async fn the_latest_active_conversation_began_last() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let latest = |channel| async move {
        store.latest_active_conversation(channel).await.expect("conversations are read").map(|c| c.id)
    };
    assert_eq!(latest(stage.general.id).await, Some(stage.conversation.id));
    stage.scribe.clock.tick();
    let newer = stage.scribe.conversation(stage.general.id);
    stage.scribe.clock.tick();
    let ended = Conversation {
        status: ConversationStatus::Idle,
        ended_at: Some(stage.scribe.clock.now()),
        ..stage.scribe.conversation(stage.general.id)
    };
    let older = Conversation {
        started_at: newer.started_at - TimeDelta::days(3),
        ..stage.scribe.conversation(stage.general.id)
    };
    for conversation in [&newer, &ended, &older] {
        store.add_conversation(conversation).await.expect("a conversation is added");
    }
    assert_eq!(latest(stage.general.id).await, Some(newer.id));
    assert_eq!(latest(stage.side.id).await, Some(stage.side_conversation.id));
    let empty = stage.scribe.channel(stage.workspace.workspace.id, "Empty");
    store.add_channel(&empty).await.expect("a channel is added");
    assert_eq!(latest(empty.id).await, None);
}

/// Also with its model, and with what a branch shares.
#[tokio::test]
async fn a_branch_and_its_model_are_read_back() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    let choice = ModelChoice::new("small", "http://127.0.0.1:9/v1").expect("a choice");
    let branch = Conversation {
        continues: Some(stage.conversation.id),
        shares_through: Some(2),
        model: Some(choice.clone()),
        ..stage.scribe.conversation(stage.general.id)
    };
    store.add_conversation(&branch).await.expect("added");
    assert_eq!(conversations(&stage, &[branch.id]).await, std::slice::from_ref(&branch));
    let branches = store.branches(stage.conversation.id).await.expect("read");
    assert_eq!(branches, std::slice::from_ref(&branch));
    let parts = stage.workspace.transcript.parts(branch.id).await.expect("read");
    let parts: Vec<_> = parts.iter().map(|part| (part.conversation, part.through)).collect();
    assert_eq!(parts, [(branch.id, ALL_POSITIONS), (stage.conversation.id, 2)]);
    let first = stage.add_texts(&branch, &["Three, but otherwise."]).await;
    assert_eq!(first[0].position, 3, "positions go on behind what is shared");
    for model in [None, Some(&choice)] {
        assert!(store.set_model(stage.conversation.id, model).await.expect("set"));
        let read = conversations(&stage, &[stage.conversation.id]).await;
        assert_eq!(read[0].model.as_ref(), model);
    }
    let unknown = stage.scribe.ids.conversation_id();
    assert!(!store.set_model(unknown, None).await.expect("nothing is set"));
}

/// The words of a message, then those of a model; a person's title stays.
#[tokio::test]
async fn a_title_that_nobody_typed_takes_no_persons_place() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let untitled = Conversation::begin(
        stage.scribe.ids.conversation_id(),
        RefCode::from_bits(77),
        stage.general.id,
        String::new(),
        None,
        stage.scribe.clock.now(),
    );
    store.add_conversation(&untitled).await.expect("added");
    let message = stage.add_texts(&untitled, &["Who rules Veyra?"]).await.remove(0).id();
    let other = stage.add_texts(&stage.conversation, &["Elsewhere."]).await.remove(0).id();
    let set = async |title: &str, source| {
        store.set_own_title(untitled.id, title, source).await.expect("the store works")
    };
    assert!(!set("Elsewhere", TitleSource::Message(other)).await, "the message is of another conversation");
    assert!(set("Who rules Veyra?", TitleSource::Message(message)).await);
    assert!(!set("Again", TitleSource::Message(message)).await);
    assert!(set("The rule of Veyra", TitleSource::Model(message)).await);
    assert!(!set("Again", TitleSource::Model(message)).await);
    let read = conversations(&stage, &[untitled.id]).await.remove(0);
    assert_eq!((read.title.as_str(), read.titled), ("The rule of Veyra", Some(TitleSource::Model(message))));
    let renamed = read.renamed("Mine").expect("a title");
    store.update_conversation(&renamed, renamed.status).await.expect("renamed");
    assert!(!set("Again", TitleSource::Model(message)).await);
    assert_eq!(conversations(&stage, &[untitled.id]).await[0].titled, Some(TitleSource::Person));
}
