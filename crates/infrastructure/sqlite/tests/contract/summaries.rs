//! Archives with their markers, and episodes: summaries that stand for what was said.

use inklings_domain::{
    conversation::message::{Message, NewMessage},
    ids::MessageId,
};
use inklings_ports::{
    clock::IdGenerator,
    conversation::transcript_store::{ALL_POSITIONS, KEEP_ONLY_SUMMARIES, TranscriptStore},
    store_error::StoreError,
    testing::builders::{author, draft},
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn TranscriptStore {
    stage.workspace.transcript.as_ref()
}

async fn compact(stage: &Stage, name: &str, through: u64) -> Result<Message, StoreError> {
    let (archive, marker) = stage.scribe.archive(&stage.conversation, name, through);
    store(stage).compact(stage.conversation.id, &archive, &marker, None).await
}

async fn names(stage: &Stage) -> Vec<String> {
    let mut names: Vec<String> =
        stage.store().names().await.expect("names are read").into_iter().map(|(name, _)| name).collect();
    names.sort();
    names
}

fn positions(messages: &[Message]) -> Vec<u64> {
    messages.iter().map(|m| m.position).collect()
}

/// The marker takes the next position and points to the archive.
#[tokio::test]
async fn an_archive_and_its_marker_are_written_together() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    assert_eq!(
        store(&stage).latest_marker(stage.conversation.id, ALL_POSITIONS).await.expect("markers are read"),
        None
    );
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 2);
    let written =
        store(&stage).compact(stage.conversation.id, &archive, &marker, None).await.expect("compacted");
    assert_eq!((written.position, &written.body), (4, &marker));
    let entry = archive.writes[0].entry();
    assert_eq!(stage.read(entry.id).await.entry, *entry);
    let latest =
        store(&stage).latest_marker(stage.conversation.id, ALL_POSITIONS).await.expect("markers are read");
    assert_eq!(latest, Some(written.clone()));
    let later = compact(&stage, "FURTHER", 3).await.expect("compacted");
    let latest =
        store(&stage).latest_marker(stage.conversation.id, ALL_POSITIONS).await.expect("markers are read");
    assert_eq!(latest, Some(later));
    assert_eq!(positions(&stage.transcript(&stage.conversation).await), [1, 2, 3, 4, 5]);
}

/// The second of two runs writes neither archive nor marker.
#[tokio::test]
async fn a_range_of_messages_is_compacted_only_once() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    compact(&stage, "FIRST", 3).await.expect("compacted");
    refused!(compact(&stage, "SECOND", 3).await, StoreError::Moved(_));
    refused!(compact(&stage, "THIRD", 2).await, StoreError::Moved(_));
    assert_eq!(names(&stage).await, ["FIRST"]);
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 4);
}

/// The earlier archive counts then; a restored archive counts again.
#[tokio::test]
async fn a_forgotten_archive_covers_nothing_and_its_range_can_be_compacted_again() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two.", "Three.", "Four."]).await;
    let latest = async || {
        store(&stage).latest_marker(stage.conversation.id, ALL_POSITIONS).await.expect("markers are read")
    };
    let first = compact(&stage, "FIRST", 2).await.expect("compacted");
    let second = compact(&stage, "SECOND", 4).await.expect("compacted");
    let archive = async |marker: &Message| {
        let marker = marker.body.marker.as_ref().expect("a marker");
        stage.read(marker.archive).await.entry
    };
    stage.apply(stage.scribe.forget(author(), &archive(&second).await)).await;
    assert_eq!(latest().await, Some(first.clone()));
    refused!(compact(&stage, "AGAIN", 2).await, StoreError::Moved(_));
    let again = compact(&stage, "SECOND", 4).await.expect("compacted again");
    assert_eq!(latest().await, Some(again.clone()));
    for marker in [&again, &first] {
        stage.apply(stage.scribe.forget(author(), &archive(marker).await)).await;
    }
    assert_eq!(latest().await, None);
    stage.apply(stage.scribe.restore(author(), &archive(&first).await)).await;
    assert_eq!(latest().await, Some(first));
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 7, "markers and messages stay");
}

/// A taken name holds back the marker too; so does a message without an archive.
#[tokio::test]
async fn a_refused_archive_leaves_no_marker() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    compact(&stage, "SO FAR", 1).await.expect("compacted");
    refused!(compact(&stage, "so far", 2).await, StoreError::AlreadyExists(_));
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "BARE", 2);
    let bare = NewMessage { marker: None, ..marker.clone() };
    refused!(
        store(&stage).compact(stage.conversation.id, &archive, &bare, None).await,
        StoreError::Refused(_)
    );
    let unknown = stage.scribe.ids.conversation_id();
    refused!(store(&stage).compact(unknown, &archive, &marker, None).await, StoreError::NotFound(_));
    assert_eq!(names(&stage).await, ["SO FAR"]);
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 3);
}

/// Unless the workspace says otherwise; earlier markers stay, and positions go on.
#[tokio::test]
async fn compacted_messages_stay_unless_only_summaries_are_retained() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    compact(&stage, "FIRST", 1).await.expect("compacted");
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SECOND", 3);
    let drop_all = || store(&stage).compact(stage.conversation.id, &archive, &marker, Some(3));
    refused!(drop_all().await, StoreError::Refused(_));
    assert_eq!(names(&stage).await, ["FIRST"]);
    stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    let written = drop_all().await.expect("compacted");
    assert_eq!(written.position, 4);
    assert_eq!(positions(&stage.transcript(&stage.conversation).await), [3, 4]);
    assert_eq!(stage.add_texts(&stage.conversation, &["Five."]).await[0].position, 5);
}

/// Its sources are marked as taken up, and nothing of them changes.
#[tokio::test]
async fn every_field_of_an_episode_is_read_back() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    let episode = stage.scribe.episode(stage.conversation.id, &messages[..2]);
    store(&stage).fold(&episode, false).await.expect("an episode is stored");
    let found = store(&stage).episodes(stage.conversation.id, 9).await.expect("episodes are read");
    assert_eq!(found, std::slice::from_ref(&episode));
    let all = stage.transcript(&stage.conversation).await;
    let taken: Vec<bool> = all.iter().map(|m| m.consolidated_at == Some(episode.created_at)).collect();
    assert_eq!(taken, [true, true, false]);
    assert!(all.iter().zip(&messages).all(|(after, before)| after.body == before.body));
}

/// Nor are unknown sources, or those of another conversation; nothing is written then.
#[tokio::test]
async fn messages_are_summarised_only_once() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    let elsewhere = stage.add_texts(&stage.side_conversation, &["Elsewhere."]).await;
    let first = stage.scribe.episode(stage.conversation.id, &messages[..2]);
    store(&stage).fold(&first, false).await.expect("an episode is stored");
    let mut unknown = stage.scribe.episode(stage.conversation.id, &messages[2..]);
    unknown.sources.push(MessageId::from_uuid(stage.scribe.ids.uuid()));
    for late in [
        stage.scribe.episode(stage.conversation.id, &messages[1..]),
        stage.scribe.episode(stage.conversation.id, &elsewhere),
        unknown,
    ] {
        refused!(store(&stage).fold(&late, false).await, StoreError::Moved(_));
    }
    let found = store(&stage).episodes(stage.conversation.id, 9).await.expect("episodes are read");
    assert_eq!(found, [first]);
    let third = stage.transcript(&stage.conversation).await.remove(2);
    assert_eq!(third.consolidated_at, None);
}

/// The database itself checks.
#[tokio::test]
async fn sources_are_deleted_only_if_the_setting_requires_it() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two.", "Three."]).await;
    let episode = stage.scribe.episode(stage.conversation.id, &messages[1..]);
    for value in ["false", "\"true\""] {
        stage.configure(KEEP_ONLY_SUMMARIES, value).await;
        refused!(store(&stage).fold(&episode, true).await, StoreError::Refused(_));
        assert_eq!(stage.transcript(&stage.conversation).await, messages);
    }
    stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    store(&stage).fold(&episode, true).await.expect("an episode is stored");
    assert_eq!(stage.transcript(&stage.conversation).await, messages[..1]);
    assert_eq!(stage.add_texts(&stage.conversation, &["Four."]).await[0].position, 4);
}

/// The newest, oldest first.
#[tokio::test]
async fn episodes_in_use_are_listed() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["1", "2", "3", "4"]).await;
    let mut made = Vec::new();
    for part in messages.chunks(1) {
        let episode = stage.scribe.episode(stage.conversation.id, part);
        store(&stage).fold(&episode, false).await.expect("an episode is stored");
        made.push(episode);
    }
    let listed = |limit| store(&stage).episodes(stage.conversation.id, limit);
    assert_eq!(listed(2).await.expect("episodes are read"), made[2..]);
    let at = stage.scribe.clock.tick();
    assert!(store(&stage).remove_episode(made[3].id, at).await.expect("it is removed"));
    assert!(!store(&stage).remove_episode(made[3].id, at).await.expect("it was removed already"));
    assert_eq!(listed(9).await.expect("episodes are read"), made[..3]);
    assert_eq!(store(&stage).episodes(stage.side_conversation.id, 9).await.expect("episodes are read"), []);
}

/// Only a new entry, and from then on it is nobody's to change but the author's.
#[tokio::test]
async fn an_agent_may_name_archives_only() {
    let stage = CheckedStage::new().await;
    stage.add_texts(&stage.conversation, &["One."]).await;
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 1);
    store(&stage).compact(stage.conversation.id, &archive, &marker, None).await.expect("compacted");
    let entry = archive.writes[0].entry();
    let (change, _) =
        stage.scribe.forced(inklings_ports::testing::builders::task(), entry, |e| e.content = "No.".into());
    refused!(stage.store().commit(&change).await, StoreError::Locked(_));
    let place = inklings_domain::scope::Place::Workspace;
    let authors = stage.write_one(author(), draft(place, "The author's.")).await;
    let (change, _) = stage.scribe.forced(author(), &authors, |e| e.name = Some("SO FAR".into()));
    stage.commit(&change).await;
}
