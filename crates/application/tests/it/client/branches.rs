//! Messages of clients that branches share.

use inklings_application::conversation::summarise::Extractive;
use inklings_domain::{conversation::message::Role, ids::MessageId, memory::text_source::TextSource};
use inklings_ports::store_error::StoreError;

use super::*;

/// A conversation of which a client wrote the second message, and a branch behind it that is compacted.
async fn compacted_branch() -> (Setup, Client, MessageId, MemoryId) {
    let (setup, client_session, client, code) = client_with_every_grant().await;
    let written = client_session.say(Some(&code), "It is of tin, and Toma cast it.").await.expect("said");
    let world = &setup.world;
    let conversations = world.session.conversations();
    let original = conversations.by_id(written.conversation).await.expect("there");
    world.say(&original, Role::User, "Who guards it?").await;
    let branch = conversations.branch(original.id, 3).await.expect("a branch");
    world.say(&branch, Role::User, "Who cast the bell of the gate?").await;
    world.say(&branch, Role::Assistant, "Mira cast the bell.").await;
    let compaction = world.session.compaction();
    let marker = compaction.compact(&branch, Some(0), None, &Extractive, author()).await.expect("compacted");
    let archive = marker.and_then(|marker| marker.body.marker).expect("enough to compact").archive;
    (setup, client, written.id(), archive)
}

#[tokio::test]
async fn the_archive_of_a_branch_names_the_client_that_wrote_what_it_shares() {
    let (setup, client, _, archive) = compacted_branch().await;
    let entry = setup.world.entry(archive).await;
    assert_eq!(entry.derived_from, [TextSource::Client(client.id)]);
}

#[tokio::test]
async fn a_clients_message_that_the_archive_of_a_branch_covers_stays_and_is_reported() {
    let (setup, client, message, archive) = compacted_branch().await;
    let session = &setup.world.session;
    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    let why: Vec<_> = undone.not_undone.iter().map(|kept| kept.why).collect();
    assert_eq!(why, [Stays::Summarised]);
    assert!(session.transcripts().get(message).await.is_ok());

    // The store decides in its own transaction too.
    let write = session.workspace.client_writes.writes_of(client.id).await.expect("read").remove(0);
    let now = session.clock.now();
    let refused =
        session.workspace.client_writes.take_back(write.sequence, &Reversal::Withdraw(message), now).await;
    assert!(matches!(refused, Err(StoreError::Moved(_))), "{refused:?}");

    // A forgotten archive stands for nothing.
    session.memories().forget(&[archive], "It tells of the client.", author()).await.expect("forgotten");
    let undone = session.client_writes().undo_client(client.id, author()).await.expect("undone").writes;
    assert_eq!((undone.messages, undone.not_undone), (1, Vec::new()));
    assert!(session.transcripts().get(message).await.is_err());
}
