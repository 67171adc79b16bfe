//! Imports of conversations against other writers, against raw SQL, and killed on the way.

use std::{sync::Arc, time::Duration};

use crate::support::{self, killed, raw};
use inklings_domain::{
    channel::ChannelName,
    conversation::{Conversation, ConversationStatus, message::NewMessage},
    ids::ChannelId,
    scope::Place,
};
use inklings_ports::{
    conversation::{
        import_store::TakenIn,
        store::{ConversationCursor, ConversationFilter},
        transcript_store::MessageRange,
    },
    testing::{
        builders::{Scribe, author, draft},
        clock::{ManualClock, SequentialIds},
    },
    workspace::catalogue::{Catalogue, WorkspacePorts},
};
use inklings_sqlite::SqliteCatalogue;
use sqlx::{AssertSqlSafe, Connection, Row};

/// Conversations of one import, and messages of one conversation.
const CONVERSATIONS: usize = 60;
const MESSAGES: usize = 7;

fn conversation(scribe: &Scribe, channel: ChannelId) -> (Conversation, Vec<NewMessage>) {
    let began = scribe.conversation(channel);
    let messages: Vec<_> = (0..MESSAGES)
        .map(|n| scribe.message_with_external_id(&format!("m{n}"), &format!("Line {n}.")))
        .collect();
    let ended = messages.last().map(|message| message.at);
    let status = ConversationStatus::Idle;
    (
        Conversation { status, ended_at: ended, active_at: ended.unwrap_or(began.started_at), ..began },
        messages,
    )
}

async fn import(ports: &WorkspacePorts, scribe: &Scribe, channel: ChannelId, name: &str) {
    let mut import = ports.import.begin_import().await.expect("an import begins");
    for n in 0..CONVERSATIONS {
        let (conversation, said) = conversation(scribe, channel);
        import.take_in(&format!("test:{name} {n}"), &conversation, &said).await.expect("is taken in");
    }
    import.commit().await.expect("is committed");
}

async fn ended(ports: &WorkspacePorts) -> Vec<Conversation> {
    let filter = ConversationFilter { statuses: vec![ConversationStatus::Idle], ..Default::default() };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = ports.conversations.list_conversations(&filter, after, 500).await.expect("a list");
        let Some(last) = page.last() else { return found };
        after = Some(ConversationCursor { active_at: last.conversation.active_at, id: last.conversation.id });
        found.extend(page.into_iter().map(|row| row.conversation));
    }
}

/// What the child of the next test does, and nothing where no one asks for it.
#[tokio::test]
async fn import_until_killed() {
    let Some((path, id, marks)) = killed::of_parent() else { return };
    let process = std::process::id();
    let scribe =
        Scribe::new(Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(process.into())));
    let ports = SqliteCatalogue::new(path).open(id).await.expect("opens");
    let general =
        ports.conversations.channel_named(&ChannelName::general()).await.expect("is read").expect("is there");
    for round in 0.. {
        import(&ports, &scribe, general.id, &format!("{process} {round}")).await;
        killed::mark(&marks);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_import_leaves_only_complete_imports_and_an_intact_folder() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.close().await;
    let mut most = 0;
    for round in 0..12_u64 {
        let delay = Duration::from_millis(round * 53 % 400);
        killed::kill_after(round % 3, delay, &["imports::import_until_killed", "--exact"], folder.path(), id)
            .await;
        let catalogue = folder.open();
        let ports = catalogue.open(id).await.expect("opens after a kill");
        let found = ended(&ports).await;
        assert_eq!(found.len() % CONVERSATIONS, 0, "round {round}: half an import is there");
        for conversation in found.iter().rev().take(5).chain(found.iter().take(CONVERSATIONS)) {
            let messages =
                ports.transcript.page(conversation.id, MessageRange::After(0), 100).await.expect("is read");
            assert_eq!(messages.len(), MESSAGES, "round {round}");
        }
        let findings = catalogue.check().await.expect("a check");
        let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
        assert!(trouble.is_empty(), "round {round}: {trouble:?}");
        most = most.max(found.len());
    }
    assert!(most > 0, "no child got as far as a commit; the test proves nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_blocks_other_writers_and_not_readers() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let other = folder.open().open(id).await.expect("opens");
    let mut import = stage.workspace.import.begin_import().await.expect("an import begins");
    let (conversation, said) = conversation(&stage.scribe, stage.side.id);
    import.take_in("test:talk", &conversation, &said).await.expect("is taken in");

    let (change, entries) = stage.scribe.create(author(), [draft(Place::Workspace, "Meanwhile.")]);
    let store = other.memory.store.clone();
    let writer = tokio::spawn(async move { store.commit(&change).await });
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!writer.is_finished(), "the import holds the door");
    assert!(ended(&other).await.is_empty(), "readers go on");

    drop(import);
    writer.await.expect("no panic").expect("is written once the import is gone");
    assert_eq!(stage.read(entries[0].id).await.entry, entries[0]);
    assert!(ended(&stage.workspace).await.is_empty());
}

#[tokio::test]
async fn imported_messages_are_found_by_search_and_pending_for_vectors() {
    let (folder, stage) = support::stage().await;
    let taken = {
        let mut import = stage.workspace.import.begin_import().await.expect("an import begins");
        let (conversation, said) = conversation(&stage.scribe, stage.side.id);
        let taken = import.take_in("test:talk", &conversation, &said).await.expect("is taken in");
        import.commit().await.expect("is committed");
        taken
    };
    assert_eq!(taken, TakenIn { new: true, added: MESSAGES, replaced: 0 });
    let mut conn = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
    let found = sqlx::query("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'content: line'");
    let found: i64 = found.fetch_one(&mut conn).await.expect("a search").get(0);
    assert_eq!(found, MESSAGES as i64);
    conn.close().await.expect("closes");
}

/// A former id is given once and belongs to one conversation; only a deleted one leaves it free.
#[tokio::test]
async fn former_ids_of_conversations_are_guarded_by_the_database() {
    let (folder, stage) = support::stage().await;
    import(&stage.workspace, &stage.scribe, stage.side.id, "x").await;
    let mut conn = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
    for sql in [
        "UPDATE conversations SET external_id = 'test:other' WHERE external_id = 'test:x 1'",
        "UPDATE conversations SET external_id = NULL WHERE external_id = 'test:x 1'",
        "UPDATE conversations SET external_id = 'mine' WHERE external_id IS NULL",
        "INSERT INTO conversations (workspace_id, id, channel_id, ref_code, status, started_at, active_at, external_id) \
         SELECT workspace_id, '00000000-0000-7000-8000-000000000000', channel_id, '00000000000', status, started_at, \
         active_at, external_id FROM conversations WHERE external_id = 'test:x 1'",
    ] {
        let result = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut conn).await;
        assert!(result.is_err(), "{sql}");
    }
    conn.close().await.expect("closes");
}
