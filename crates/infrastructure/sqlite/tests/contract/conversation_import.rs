//! Imports of conversations: whole or not at all, and updated when they come again.

use chrono::TimeDelta;
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{
        Conversation, ConversationStatus,
        message::{NewMessage, Role},
        ref_code::RefCode,
    },
    ids::ConversationId,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    conversation::{
        import_store::{ImportTransaction, TakenIn},
        store::ConversationFilter,
        transcript_store::MessageRange,
    },
    store_error::StoreError,
};

use super::{
    CheckedStage, Stage, refused,
    transcript_search::{EVERYWHERE, hits},
};

const NEW: TakenIn = TakenIn { new: true, added: 0, replaced: 0 };

async fn begin(stage: &Stage) -> Box<dyn ImportTransaction> {
    stage.workspace.import.begin_import().await.expect("an import begins")
}

/// A conversation as an import makes it: ended, of another year.
fn old(stage: &Stage, title: &str) -> Conversation {
    let began = stage.scribe.conversation(stage.side.id);
    let ended = stage.scribe.clock.now() - TimeDelta::days(400);
    Conversation {
        title: title.into(),
        started_at: ended - TimeDelta::hours(1),
        ended_at: Some(ended),
        status: ConversationStatus::Idle,
        active_at: ended,
        ..began
    }
}

/// Messages by their former ids, of another year too, one minute apart.
fn old_messages(stage: &Stage, messages: &[(&str, &str)]) -> Vec<NewMessage> {
    let end = stage.scribe.clock.now() - TimeDelta::days(400);
    let at = |i: usize| end - TimeDelta::minutes((messages.len() - 1 - i) as i64);
    messages
        .iter()
        .enumerate()
        .map(|(i, (id, text))| NewMessage { at: at(i), ..stage.scribe.message_with_external_id(id, text) })
        .collect()
}

async fn find_conversation(stage: &Stage, id: ConversationId) -> Option<Conversation> {
    stage.workspace.conversations.conversations(&[id]).await.expect("conversations are read").pop()
}

async fn messages_of(stage: &Stage, id: ConversationId) -> Vec<NewMessage> {
    let page =
        stage.workspace.transcript.page(id, MessageRange::After(0), 1000).await.expect("messages are read");
    page.into_iter().map(|message| message.body).collect()
}

async fn texts(stage: &Stage, id: ConversationId) -> Vec<String> {
    messages_of(stage, id).await.into_iter().map(|message| message.content).collect()
}

/// How many conversations there are, whatever their state.
async fn count(stage: &Stage) -> usize {
    let filter = ConversationFilter { statuses: ConversationStatus::ALL.to_vec(), ..Default::default() };
    stage.workspace.conversations.list_conversations(&filter, None, 1000).await.expect("a list").len()
}

/// Every field of every conversation and message, in their order; for another process too.
#[tokio::test]
async fn an_import_writes_every_field_of_every_conversation() {
    let stage = CheckedStage::new().await;
    let mut import = begin(&stage).await;
    let mut expected = Vec::new();
    for n in 0..5 {
        let conversation = old(&stage, &format!("Talk {n}"));
        let mut messages = old_messages(&stage, &[("a", "Ask."), ("b", "Answer."), ("c", "And?")]);
        messages[1].role = Role::Assistant;
        let taken =
            import.take_in(&format!("talk {n}"), &conversation, &messages).await.expect("is taken in");
        assert_eq!(taken, TakenIn { added: 3, ..NEW });
        expected.push((conversation, messages));
    }
    import.commit().await.expect("is committed");
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens");
    for (conversation, messages) in expected {
        assert_eq!(find_conversation(&stage, conversation.id).await.as_ref(), Some(&conversation));
        assert_eq!(messages_of(&stage, conversation.id).await, messages);
        let there =
            other.conversations.conversations(&[conversation.id]).await.expect("conversations are read");
        assert_eq!(there, [conversation]);
    }
}

/// A preview is an import that is dropped; and the next one finds the interface open.
#[tokio::test]
async fn an_import_that_is_dropped_leaves_nothing() {
    let stage = CheckedStage::new().await;
    let before = count(&stage).await;
    let conversation = old(&stage, "Talk");
    let messages = old_messages(&stage, &[("a", "Ask.")]);
    let mut import = begin(&stage).await;
    import.take_in("talk", &conversation, &messages).await.expect("is taken in");
    drop(import);
    assert_eq!((count(&stage).await, find_conversation(&stage, conversation.id).await), (before, None));
    assert_eq!(texts(&stage, conversation.id).await, Vec::<String>::new());

    assert_eq!(stage.take_in("talk", &conversation, &messages).await, TakenIn { added: 1, ..NEW });
    let changed = old_messages(&stage, &[("a", "Asked anew."), ("b", "More.")]);
    let mut import = begin(&stage).await;
    import.take_in("talk", &conversation, &changed).await.expect("is taken in");
    drop(import);
    assert_eq!(texts(&stage, conversation.id).await, ["Ask."]);
}

/// Readers go on reading what was there.
#[tokio::test]
async fn an_import_is_invisible_until_it_is_committed() {
    let stage = CheckedStage::new().await;
    let before = count(&stage).await;
    let conversation = old(&stage, "Talk");
    let mut import = begin(&stage).await;
    import
        .take_in("talk", &conversation, &old_messages(&stage, &[("a", "Ask.")]))
        .await
        .expect("is taken in");
    assert_eq!((count(&stage).await, find_conversation(&stage, conversation.id).await), (before, None));
    import.commit().await.expect("is committed");
    assert_eq!(count(&stage).await, before + 1);
}

/// Changed texts are replaced where they stand, new messages go to the end, what the file no longer has stays.
#[tokio::test]
async fn importing_again_updates_instead_of_doubling() {
    let stage = CheckedStage::new().await;
    let conversation = old(&stage, "Talk");
    let messages = old_messages(&stage, &[("a", "One."), ("b", "Two."), ("c", "Three.")]);
    stage.take_in("talk", &conversation, &messages).await;
    let before = count(&stage).await;

    let same = old_messages(&stage, &[("a", "One."), ("b", "Two."), ("c", "Three.")]);
    let nothing = TakenIn { new: false, ..NEW };
    assert_eq!(stage.take_in("talk", &old(&stage, "Talk"), &same).await, nothing);

    let later = old_messages(&stage, &[("a", "One."), ("d", "Four."), ("b", "Two!")]);
    let taken = stage.take_in("talk", &old(&stage, "Talk"), &later).await;
    assert_eq!(taken, TakenIn { new: false, added: 1, replaced: 1 });
    assert_eq!(texts(&stage, conversation.id).await, ["One.", "Two!", "Three.", "Four."]);
    let ids = |messages: &[NewMessage]| messages.iter().map(|m| m.id).collect::<Vec<_>>();
    assert_eq!(ids(&messages_of(&stage, conversation.id).await)[..3], ids(&messages));
    assert_eq!(count(&stage).await, before);
}

/// Title, channel and state.
#[tokio::test]
async fn changes_of_the_worldbuilder_are_kept_by_a_repeated_import() {
    let stage = CheckedStage::new().await;
    let conversation = old(&stage, "Talk");
    stage.take_in("talk", &conversation, &old_messages(&stage, &[("a", "One.")])).await;
    let changed = Conversation {
        title: "My title".into(),
        channel_id: stage.general.id,
        status: ConversationStatus::Archived,
        ..conversation.clone()
    };
    let store = &stage.workspace.conversations;
    store.update_conversation(&changed, ConversationStatus::Idle).await.expect("is changed");
    let more = old_messages(&stage, &[("a", "One."), ("b", "Two.")]);
    let taken = stage.take_in("talk", &old(&stage, "Another title"), &more).await;
    assert_eq!(taken, TakenIn { new: false, added: 1, replaced: 0 });
    let found = find_conversation(&stage, conversation.id).await.expect("is still there");
    assert_eq!(
        (found.title, found.channel_id, found.status, found.ref_code),
        (changed.title, changed.channel_id, changed.status, changed.ref_code)
    );
}

/// Parts of an export overlap. So may messages of one conversation: the last text counts.
#[tokio::test]
async fn a_conversation_may_occur_twice_in_one_import() {
    let stage = CheckedStage::new().await;
    let conversation = old(&stage, "Talk");
    let mut import = begin(&stage).await;
    let first = old_messages(&stage, &[("a", "One.")]);
    let second = old_messages(&stage, &[("a", "One!"), ("b", "Two.")]);
    let third = old_messages(&stage, &[("a", "One?"), ("c", "Three"), ("a", "One."), ("c", "Three.")]);
    let taken = [
        import.take_in("talk", &conversation, &first).await.expect("is taken in"),
        import.take_in("talk", &old(&stage, "Talk"), &second).await.expect("is taken in"),
        import.take_in("talk", &old(&stage, "Talk"), &third).await.expect("is taken in"),
    ];
    import.commit().await.expect("is committed");
    let again = |added, replaced| TakenIn { new: false, added, replaced };
    assert_eq!(taken, [TakenIn { added: 1, ..NEW }, again(1, 1), again(1, 3)]);
    assert_eq!(texts(&stage, conversation.id).await, ["One.", "Two.", "Three."]);

    let twice = old_messages(&stage, &[("a", "One"), ("a", "One.")]);
    let other = old(&stage, "Another");
    assert_eq!(stage.take_in("other", &other, &twice).await, TakenIn { new: true, added: 1, replaced: 1 });
    assert_eq!(texts(&stage, other.id).await, ["One."]);
}

/// There is no other way to get one back.
#[tokio::test]
async fn a_deleted_conversation_is_imported_as_a_new_one() {
    let stage = CheckedStage::new().await;
    let gone = old(&stage, "Talk");
    stage.take_in("talk", &gone, &old_messages(&stage, &[("a", "One.")])).await;
    let now = stage.scribe.clock.now();
    assert!(stage.workspace.conversations.delete_conversation(gone.id, now).await.expect("is deleted"));
    let anew = old(&stage, "Talk");
    let taken = stage.take_in("talk", &anew, &old_messages(&stage, &[("a", "One.")])).await;
    assert_eq!(taken, TakenIn { added: 1, ..NEW });
    assert_eq!(find_conversation(&stage, gone.id).await, None);
    assert_eq!(texts(&stage, anew.id).await, ["One."]);
}

/// Another code is drawn, and what came before is still there.
#[tokio::test]
async fn a_reference_code_in_use_does_not_abort_an_import() {
    let stage = CheckedStage::new().await;
    let mut import = begin(&stage).await;
    let first = old(&stage, "First");
    let messages = || old_messages(&stage, &[("a", "One.")]);
    import.take_in("first", &first, &messages()).await.expect("is taken in");
    for ref_code in [stage.conversation.ref_code, first.ref_code] {
        let twin = Conversation { ref_code, ..old(&stage, "Second") };
        refused!(
            import.take_in("second", &twin, &messages()).await,
            StoreError::AlreadyExists("conversation")
        );
    }
    let second = Conversation { ref_code: RefCode::from_bits(7), ..old(&stage, "Second") };
    import.take_in("second", &second, &messages()).await.expect("is taken in");
    import.commit().await.expect("is committed");
    for conversation in [first, second] {
        assert_eq!(texts(&stage, conversation.id).await, ["One."]);
    }
}

/// As every conversation does.
#[tokio::test]
async fn an_import_needs_a_channel_that_exists() {
    let stage = CheckedStage::new().await;
    let nowhere = Channel {
        name: ChannelName::new("Nowhere").expect("a name"),
        id: stage.scribe.ids.channel_id(),
        ..stage.side.clone()
    };
    let conversation = Conversation { channel_id: nowhere.id, ..old(&stage, "Talk") };
    let mut import = begin(&stage).await;
    let result = import.take_in("talk", &conversation, &old_messages(&stage, &[("a", "One.")])).await;
    refused!(result, StoreError::Refused(_));
    drop(import);
    assert_eq!(find_conversation(&stage, conversation.id).await, None);
}

/// Into a conversation of any status; one that is there already changes its text and keeps its place.
#[tokio::test]
async fn imported_messages_are_added_once_and_then_replaced() {
    let stage = CheckedStage::new().await;
    let imported = Conversation { status: ConversationStatus::Archived, ..old(&stage, "Talk") };
    let long_ago = imported.started_at - TimeDelta::days(500);
    let dated = |id: &str, text: &str, days| NewMessage {
        at: long_ago + TimeDelta::days(days),
        ..stage.scribe.message_with_external_id(id, text)
    };
    let first = [dated("D1", "One.", 1), dated("D2", "Two.", 3), dated("D3", "Three.", 2)];
    assert_eq!(stage.take_in("talk", &imported, &first).await, TakenIn { added: 3, ..NEW });
    let found = find_conversation(&stage, imported.id).await.expect("it is here");
    assert_eq!(found.active_at, first[1].at);
    let again = [dated("D2", "Two, better.", 3), dated("D4", "Four.", 4), dated("D4", "Four, at last.", 5)];
    let taken = TakenIn { new: false, added: 1, replaced: 2 };
    assert_eq!(stage.take_in("talk", &imported, &again).await, taken);
    let all = stage.transcript(&imported).await;
    let texts: Vec<(u64, &str)> = all.iter().map(|m| (m.position, m.body.content.as_str())).collect();
    assert_eq!(texts, [(1, "One."), (2, "Two, better."), (3, "Three."), (4, "Four, at last.")]);
    assert_eq!(all[1].id(), first[1].id);
}

/// More messages than one statement writes, some of them twice.
#[tokio::test]
async fn messages_of_several_statements_keep_their_order_and_are_found() {
    let stage = CheckedStage::new().await;
    let name = |n: usize| format!("m{n}");
    let message =
        |n: usize| stage.scribe.message_with_external_id(&name(n), &format!("Stone number{n} of the wall."));
    let mut messages: Vec<NewMessage> = (0..1_100).map(message).collect();
    messages.insert(600, stage.scribe.message_with_external_id(&name(3), "The gate."));
    let imported = old(&stage, "Talk");
    let taken = TakenIn { new: true, added: 1_100, replaced: 1 };
    assert_eq!(stage.take_in("talk", &imported, &messages).await, taken);
    let expected =
        |n: usize| if n == 3 { "The gate.".to_owned() } else { format!("Stone number{n} of the wall.") };
    let page = |after| stage.workspace.transcript.page(imported.id, MessageRange::After(after), 1_000);
    let mut all = page(0).await.expect("messages are read");
    all.extend(page(1_000).await.expect("messages are read"));
    let found: Vec<(u64, String)> =
        all.into_iter().map(|message| (message.position, message.body.content)).collect();
    assert_eq!(found, (0..1_100).map(|n| (n as u64 + 1, expected(n))).collect::<Vec<_>>());
    for n in [0, 511, 512, 1_099] {
        let hits = hits(&stage, &format!("number{n}"), &EVERYWHERE, 9).await;
        let positions: Vec<u64> = hits.iter().map(|hit| hit.position).collect();
        assert_eq!(positions, [n as u64 + 1]);
    }
}
