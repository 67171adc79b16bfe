//! What happens to channels and conversations that hold something: renamed, moved, dissolved, emptied.

use chrono::TimeDelta;
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus},
    ids::{ChannelId, ConversationId},
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter},
    },
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    conversation::{
        store::{ConversationCursor, ConversationFilter, ConversationSummary},
        transcript_store::MessageRange,
    },
    store_error::StoreError,
    testing::builders::{author, draft, imported},
};

use super::{CheckedStage, Stage, refused};

async fn channel(stage: &Stage, id: ChannelId) -> Option<Channel> {
    stage.workspace.conversations.channel_by_id(id).await.expect("channels are read")
}

async fn conversation(stage: &Stage, id: ConversationId) -> Option<Conversation> {
    stage.workspace.conversations.conversations(&[id]).await.expect("conversations are read").pop()
}

async fn list(stage: &Stage, filter: &ConversationFilter) -> Vec<ConversationSummary> {
    stage
        .workspace
        .conversations
        .list_conversations(filter, None, 100)
        .await
        .expect("conversations are listed")
}

fn listed(found: &[ConversationSummary]) -> Vec<ConversationId> {
    found.iter().map(|summary| summary.conversation.id).collect()
}

/// What a search within one channel finds.
async fn found_in(stage: &Stage, channel: ChannelId, word: &str) -> usize {
    let scope_filter = ScopeFilter::new(&[], Some(channel), None);
    let filter =
        MemoryFilter { scope_filter: ScopeFilter { workspace: false, ..scope_filter }, terms: Vec::new() };
    let query = inklings_domain::search::query::parse(word).query;
    stage.memory().search.search_text(&query, &filter, 10).await.expect("search answers").len()
}

/// An archived one keeps its time.
#[tokio::test]
async fn every_changed_field_of_a_channel_is_read_back() {
    let stage = CheckedStage::new().await;
    let changed = Channel {
        name: ChannelName::new("Aside").expect("a valid name"),
        description: "What else — 門".into(),
        archived_at: Some(stage.scribe.clock.now() + TimeDelta::milliseconds(5)),
        ..stage.side.clone()
    };
    stage.workspace.conversations.update_channel(&changed).await.expect("the channel is changed");
    assert_eq!(channel(&stage, changed.id).await, Some(changed.clone()));
    stage.workspace.conversations.update_channel(&stage.side).await.expect("the channel is changed back");
    assert_eq!(channel(&stage, changed.id).await, Some(stage.side.clone()));
}

/// Neither to a taken name, nor of a channel that is not there.
#[tokio::test]
async fn a_channel_is_not_renamed_over_another() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let other = stage.scribe.channel(stage.workspace.workspace.id, "Other");
    refused!(store.update_channel(&other).await, StoreError::NotFound(_));
    store.add_channel(&other).await.expect("a channel is added");
    let twin = Channel { name: ChannelName::new("SIDE").expect("a valid name"), ..other.clone() };
    refused!(store.update_channel(&twin).await, StoreError::AlreadyExists(_));
    assert_eq!(channel(&stage, other.id).await, Some(other));
}

/// Archived ones apart, deleted ones not at all.
#[tokio::test]
async fn channels_count_their_conversations() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let now = stage.scribe.clock.now();
    for status in [ConversationStatus::Archived, ConversationStatus::Archived, ConversationStatus::Idle] {
        let fresh = stage.scribe.conversation(stage.side.id);
        let ended = Conversation { status, ended_at: Some(now), ..fresh };
        store.add_conversation(&ended).await.expect("a conversation is added");
    }
    let gone = stage.scribe.conversation(stage.side.id);
    store.add_conversation(&gone).await.expect("a conversation is added");
    assert!(store.delete_conversation(gone.id, now).await.expect("it is deleted"));
    let side = store.channels().await.expect("channels are read").remove(1);
    assert_eq!((side.conversations, side.archived_conversations), (2, 2));
}

/// Its conversations and entries live on in the channel to move to, and are found there.
#[tokio::test]
async fn deleting_a_channel_moves_its_content_to_the_target_channel() {
    let stage = CheckedStage::new().await;
    let own = stage.write_one(author(), draft(Place::Channel(stage.side.id), "The lantern room.")).await;
    let place = Place::Conversation(stage.side.id, stage.side_conversation.id);
    let inner = stage.write_one(author(), draft(place, "The lantern talk.")).await;
    stage.add_texts(&stage.side_conversation, &["Words."]).await;
    stage
        .workspace
        .conversations
        .delete_channel(stage.side.id, Some(stage.general.id))
        .await
        .expect("the channel is dissolved");
    assert_eq!(channel(&stage, stage.side.id).await, None);
    assert_eq!(stage.read(own.id).await.entry.place, Place::Channel(stage.general.id));
    let moved = Place::Conversation(stage.general.id, stage.side_conversation.id);
    assert_eq!(stage.read(inner.id).await.entry.place, moved);
    assert_eq!(
        conversation(&stage, stage.side_conversation.id).await.map(|c| c.channel_id),
        Some(stage.general.id)
    );
    assert_eq!(found_in(&stage, stage.general.id, "lantern").await, 2);
    assert_eq!(stage.transcript(&stage.side_conversation).await.len(), 1);
}

/// Forgotten entries and deleted conversations count too; an empty one goes.
#[tokio::test]
async fn a_channel_with_content_needs_a_target_channel() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    refused!(store.delete_channel(stage.side.id, None).await, StoreError::Refused(_));
    let room = stage.scribe.channel(stage.workspace.workspace.id, "Room");
    store.add_channel(&room).await.expect("a channel is added");
    let entry = stage.write_one(author(), draft(Place::Channel(room.id), "Something.")).await;
    stage.apply(stage.scribe.forget(author(), &entry)).await;
    refused!(store.delete_channel(room.id, None).await, StoreError::Refused(_));
    let empty = stage.scribe.channel(stage.workspace.workspace.id, "Empty");
    store.add_channel(&empty).await.expect("a channel is added");
    store.delete_channel(empty.id, None).await.expect("an empty channel goes");
    assert_eq!(channel(&stage, empty.id).await, None);
    refused!(store.delete_channel(empty.id, None).await, StoreError::NotFound(_));
}

/// With or without an channel to move to; and nobody inherits from themselves.
#[tokio::test]
async fn the_default_channel_stays() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    refused!(store.delete_channel(stage.general.id, None).await, StoreError::Refused(_));
    refused!(store.delete_channel(stage.general.id, Some(stage.side.id)).await, StoreError::Refused(_));
    refused!(store.delete_channel(stage.side.id, Some(stage.side.id)).await, StoreError::Refused(_));
    let nobody = stage.scribe.ids.channel_id();
    refused!(store.delete_channel(stage.side.id, Some(nobody)).await, StoreError::NotFound(_));
    assert!(channel(&stage, stage.side.id).await.is_some());
}

/// And nothing moves.
#[tokio::test]
async fn channels_with_an_equal_former_id_cannot_be_merged() {
    let stage = CheckedStage::new().await;
    let places = [Place::Channel(stage.general.id), Place::Channel(stage.side.id)];
    let entries = stage.write(author(), places.map(|place| imported(place, "D1", "Twice."))).await;
    let dissolved = stage.workspace.conversations.delete_channel(stage.side.id, Some(stage.general.id)).await;
    refused!(dissolved, StoreError::AlreadyExists(_));
    assert_eq!(stage.read(entries[1].id).await.entry, entries[1]);
    assert!(channel(&stage, stage.side.id).await.is_some());
}

/// Title, channel, status and end; what it is stays.
#[tokio::test]
async fn every_changed_field_of_a_conversation_is_read_back() {
    let stage = CheckedStage::new().await;
    let changed = Conversation {
        title: "Fröst".into(),
        channel_id: stage.side.id,
        ..stage.conversation.idle(stage.scribe.clock.tick()).expect("active ones become idle")
    };
    let update =
        stage.workspace.conversations.update_conversation(&changed, ConversationStatus::Active).await;
    update.expect("the conversation is changed");
    assert_eq!(conversation(&stage, changed.id).await, Some(changed));
}

/// Neither is a deleted or an unknown one.
#[tokio::test]
async fn a_conversation_changed_meanwhile_is_not_overwritten() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let now = stage.scribe.clock.tick();
    let idle = stage.conversation.idle(now).expect("active ones become idle");
    store.update_conversation(&idle, ConversationStatus::Active).await.expect("the conversation is changed");
    let archived = stage.conversation.archive(now).expect("active ones are archived");
    refused!(store.update_conversation(&archived, ConversationStatus::Active).await, StoreError::Moved(_));
    assert_eq!(conversation(&stage, stage.conversation.id).await, Some(idle));
    let unknown = stage.scribe.conversation(stage.general.id);
    refused!(store.update_conversation(&unknown, ConversationStatus::Active).await, StoreError::NotFound(_));
    store.delete_conversation(stage.side_conversation.id, now).await.expect("it is deleted");
    let late = store.update_conversation(&stage.side_conversation, ConversationStatus::Active).await;
    refused!(late, StoreError::NotFound(_));
}

/// Found in the new channel and no more in the old one; history and taking back go on.
#[tokio::test]
async fn entries_move_with_their_conversation() {
    let stage = CheckedStage::new().await;
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let entry = stage.write_one(author(), draft(place, "The lantern burns.")).await;
    assert_eq!(found_in(&stage, stage.general.id, "lantern").await, 1);
    let moved = Conversation { channel_id: stage.side.id, ..stage.conversation.clone() };
    let update = stage.workspace.conversations.update_conversation(&moved, ConversationStatus::Active).await;
    update.expect("the conversation is moved");
    let after = stage.read(entry.id).await.entry;
    let place = Place::Conversation(stage.side.id, stage.conversation.id);
    assert_eq!(after, MemoryEntry { place, ..entry.clone() });
    assert_eq!(found_in(&stage, stage.general.id, "lantern").await, 0);
    assert_eq!(found_in(&stage, stage.side.id, "lantern").await, 1);
    let gone = stage.apply(stage.scribe.forget(author(), &after)).await;
    let history = stage.store().history(entry.id).await.expect("history is read");
    let back = stage.apply(stage.scribe.undo(author(), gone.change, &gone, &history[1].entry)).await;
    assert_eq!((stage.read(entry.id).await.entry, back.place), (back.clone(), place));
}

/// The one that goes on is refused, or the one that ends has moved on: neither is written.
#[tokio::test]
async fn ending_a_conversation_and_starting_the_next_are_atomic() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let was = stage.conversation.status;
    let idle = stage.conversation.idle(stage.scribe.clock.tick()).expect("it may end");
    let next = Conversation { continues: Some(idle.id), ..stage.scribe.conversation(stage.general.id) };
    let standing =
        async || store.conversations(&[stage.conversation.id, next.id]).await.expect("they are read");
    let twin = Conversation { ref_code: stage.side_conversation.ref_code, ..next.clone() };
    refused!(store.end_and_continue(&idle, was, &twin).await, StoreError::AlreadyExists(_));
    refused!(store.end_and_continue(&idle, ConversationStatus::Archived, &next).await, StoreError::Moved(_));
    assert_eq!(standing().await, std::slice::from_ref(&stage.conversation));
    store.end_and_continue(&idle, was, &next).await.expect("both are written");
    let mut found = standing().await;
    found.sort_by_key(|found| found.id != idle.id);
    assert_eq!(found, [idle, next]);
}

/// Pages hold every one once; ties go by falling id.
#[tokio::test]
async fn conversations_are_listed_by_latest_activity() {
    let stage = CheckedStage::new().await;
    for n in 0..7 {
        if n % 3 == 0 {
            stage.scribe.clock.tick();
        }
        let fresh = stage.scribe.conversation(stage.general.id);
        stage.workspace.conversations.add_conversation(&fresh).await.expect("a conversation is added");
    }
    stage.add_texts(&stage.conversation, &["Something new."]).await;
    let filter = ConversationFilter::default();
    let all = list(&stage, &filter).await;
    assert_eq!((all.len(), all[0].conversation.id), (9, stage.conversation.id));
    assert!(all.is_sorted_by_key(|s| std::cmp::Reverse((s.conversation.active_at, s.conversation.id))));
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let page = stage.workspace.conversations.list_conversations(&filter, after, 2).await.expect("a page");
        let Some(last) = page.last().map(|s| &s.conversation) else { break };
        after = Some(ConversationCursor { active_at: last.active_at, id: last.id });
        paged.extend(page);
    }
    assert_eq!(paged, all);
}

/// Archived ones are left out unless they are asked for.
#[tokio::test]
async fn conversations_are_listed_by_channel_and_status() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let archived =
        stage.side_conversation.archive(stage.scribe.clock.tick()).expect("active ones are archived");
    store.update_conversation(&archived, ConversationStatus::Active).await.expect("it is archived");
    let only = |channel, statuses: &[ConversationStatus]| ConversationFilter {
        channel,
        statuses: statuses.to_vec(),
        ..ConversationFilter::default()
    };
    let put_away = [ConversationStatus::Archived];
    assert_eq!(listed(&list(&stage, &only(None, &[])).await), [stage.conversation.id]);
    assert_eq!(listed(&list(&stage, &only(Some(stage.side.id), &[])).await), []);
    assert_eq!(listed(&list(&stage, &only(Some(stage.side.id), &put_away)).await), [archived.id]);
    assert_eq!(listed(&list(&stage, &only(Some(stage.general.id), &put_away)).await), []);
    assert_eq!(list(&stage, &only(None, ConversationStatus::ALL)).await.len(), 2);
    let these =
        |ids: &[ConversationId]| ConversationFilter { only: Some(ids.to_vec()), ..Default::default() };
    assert_eq!(list(&stage, &these(&[])).await, []);
    assert_eq!(
        listed(&list(&stage, &these(&[stage.conversation.id, archived.id])).await),
        [stage.conversation.id]
    );
}

/// Pages of a search by title are pages of the whole list.
#[tokio::test]
async fn conversations_are_found_by_words_of_their_title() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let mut added = Vec::new();
    for title in ["Tide tables", "The TIDE turns", "The moat", "", "Ärger am Tidetor"] {
        let conversation = stage.scribe.conversation(stage.general.id).renamed(title).expect("a title");
        store.add_conversation(&conversation).await.expect("it is added");
        added.push(conversation.id);
    }
    let titled = |words: &str| ConversationFilter { title: Some(words.to_owned()), ..Default::default() };
    let newest_first = |chosen: &[usize]| chosen.iter().map(|at| added[*at]).collect::<Vec<_>>();
    assert_eq!(listed(&list(&stage, &titled("tide")).await), newest_first(&[4, 1, 0]));
    assert_eq!(listed(&list(&stage, &titled("turns tide")).await), newest_first(&[1]));
    assert_eq!(listed(&list(&stage, &titled("ÄRGER")).await), newest_first(&[4]));
    assert_eq!(listed(&list(&stage, &titled("gate")).await), []);
    let elsewhere = ConversationFilter { channel: Some(stage.side.id), ..titled("tide") };
    assert_eq!(listed(&list(&stage, &elsewhere).await), []);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = store.list_conversations(&titled("tide"), after, 1).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(ConversationCursor { active_at: last.conversation.active_at, id: last.conversation.id });
        paged.extend(listed(&page));
    }
    assert_eq!(paged, newest_first(&[4, 1, 0]));
}

/// Without markers and without what was forgotten.
#[tokio::test]
async fn a_listed_conversation_has_its_counts_of_messages_and_memories() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 2);
    stage
        .workspace
        .transcript
        .compact(stage.conversation.id, &archive, &marker, None)
        .await
        .expect("compacted");
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let entry = stage.write_one(author(), draft(place, "A secret.")).await;
    stage.apply(stage.scribe.forget(author(), &entry)).await;
    let found = list(&stage, &ConversationFilter::default()).await;
    assert_eq!((found[0].messages, found[0].memories), (2, 1), "the archive is an entry of its tier");
    assert_eq!((found[1].messages, found[1].memories), (0, 0));
}

/// Found by no way, and nothing of what was said in it is left; what was remembered from it stays.
#[tokio::test]
async fn deleting_a_conversation_removes_its_messages_and_keeps_its_memories() {
    let stage = CheckedStage::new().await;
    let store = &stage.workspace.conversations;
    let added = stage.add_texts(&stage.conversation, &["The lantern burns.", "It does."]).await;
    let episode = stage.scribe.episode(stage.conversation.id, &added);
    stage.workspace.transcript.fold(&episode, false).await.expect("an episode is stored");
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let entry = stage.write_one(author(), draft(place, "Remembered.")).await;
    let at = stage.scribe.clock.tick();
    assert!(store.delete_conversation(stage.conversation.id, at).await.expect("it is deleted"));
    assert!(!store.delete_conversation(stage.conversation.id, at).await.expect("it was deleted already"));
    assert_eq!(conversation(&stage, stage.conversation.id).await, None);
    let by_ref =
        store.conversation_by_ref(stage.conversation.ref_code).await.expect("conversations are read");
    assert_eq!(by_ref, None);
    let latest = store.latest_active_conversation(stage.general.id).await.expect("conversations are read");
    assert_eq!(latest, None);
    assert_eq!(listed(&list(&stage, &ConversationFilter::default()).await), [stage.side_conversation.id]);
    let transcript = &stage.workspace.transcript;
    assert_eq!(transcript.page(stage.conversation.id, MessageRange::Newest, 9).await.expect("read"), []);
    assert_eq!(transcript.messages(&[added[0].id()]).await.expect("messages are read"), []);
    assert_eq!(transcript.episodes(stage.conversation.id, 9).await.expect("episodes are read"), []);
    assert_eq!(transcript.parts(stage.conversation.id).await.expect("the parts are read"), []);
    refused!(
        transcript.append(stage.conversation.id, &[stage.scribe.message("Late.")]).await,
        StoreError::NotFound(_)
    );
    assert_eq!(stage.read(entry.id).await.entry, entry);
    let findings = stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
}
