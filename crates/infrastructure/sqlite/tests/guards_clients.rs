//! What the database itself refuses about clients: a program that speaks SQL to the file plays at being somebody else.

mod support;

use inklings_application::testing::clock::start_of_tests;
use inklings_domain::{
    client::{Client, Grants},
    ids::{ClientId, WorkspaceId},
};
use sqlx::AssertSqlSafe;
use support::{raw, stage};

#[tokio::test]
async fn a_client_stays_who_it_is_and_out_once_it_is_out() {
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
