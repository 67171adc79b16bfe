//! What the database itself refuses about clients: a program that speaks SQL to the file plays at being somebody else.

use crate::support::{raw, stage};
use inklings_domain::{
    client::{Client, Grants},
    ids::{ClientId, WorkspaceId},
    scratchpad::WorkingNote,
};
use inklings_ports::{
    client::write_store::{ClientAct, Reversal},
    testing::clock::start_of_tests,
};
use sqlx::AssertSqlSafe;

#[tokio::test]
async fn identity_and_revocation_of_a_client_are_fixed() {
    let (folder, stage) = stage().await;
    let client = Client {
        id: ClientId::from_uuid(uuid::Uuid::from_u128(1)),
        name: "Editor".to_owned(),
        workspace: WorkspaceId::from_uuid(uuid::Uuid::from_u128(2)),
        grants: Grants::default(),
        token_hash: Some("a".repeat(64)),
        created_at: start_of_tests(),
        seen_at: None,
        revoked_at: Some(start_of_tests()),
    };
    stage.account.clients.add(&client).await.expect("a client is added");
    let mut conn = raw(&folder.account_file()).await;
    let other = "00000000-0000-0000-0000-000000000009";
    for change in [
        format!("id = '{other}'"),
        format!("bound_to = '{other}'"),
        "created_at = 1".to_owned(),
        "revoked_at = NULL".to_owned(),
        "token_hash = 'short'".to_owned(),
        "grants = 'everything'".to_owned(),
        "name = ''".to_owned(),
    ] {
        let statement = AssertSqlSafe(format!("UPDATE clients SET {change}"));
        assert!(sqlx::query(statement).execute(&mut conn).await.is_err(), "{change}");
    }
    let kept = stage.account.clients.client(client.id).await.expect("read");
    assert_eq!(kept, Some(client));
}

#[tokio::test]
async fn records_of_client_writes_are_fixed_and_client_messages_cannot_be_deleted() {
    let (folder, stage) = stage().await;
    let client = ClientId::from_uuid(uuid::Uuid::from_u128(1));
    let added = stage.scribe.message("It is of tin.");
    let note = WorkingNote::write(stage.conversation.id, "plan", "1".into(), None, added.at).expect("a note");
    for act in [ClientAct::Say(stage.conversation.id, &added), ClientAct::Note(&note), ClientAct::Note(&note)]
    {
        stage.workspace.client_writes.write(client, act, added.at).await.expect("written");
    }
    let kept = stage.workspace.client_writes.writes_of(client).await.expect("read");
    let taken_back = stage.workspace.client_writes.take_back(kept[2].sequence, &Reversal::Nothing, added.at);
    taken_back.await.expect("marked");
    let kept = stage.workspace.client_writes.writes_of(client).await.expect("read");
    let mut conn = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
    for statement in [
        "DELETE FROM client_writes",
        "UPDATE client_writes SET client_id = '00000000-0000-0000-0000-000000000009'",
        "UPDATE client_writes SET row_id = 'other'",
        "UPDATE client_writes SET made = 'other'",
        "UPDATE client_writes SET at = 1",
        "UPDATE client_writes SET undone_at = NULL WHERE undone_at IS NOT NULL",
        "UPDATE client_writes SET before = '2'",
        "INSERT INTO client_writes (workspace_id, client_id, at, kind, row_id) \
         SELECT workspace_id, client_id, at, 'message', row_id FROM client_writes LIMIT 1",
        "DELETE FROM messages",
    ] {
        assert!(sqlx::query(statement).execute(&mut conn).await.is_err(), "{statement}");
    }
    assert_eq!(stage.workspace.client_writes.writes_of(client).await.expect("read"), kept);
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 1);
}
