//! What the databases themselves refuse while memory is off: each attack speaks SQL to the file.

use crate::support::{
    self,
    carried::{EVERYTHING, World, parsed, timeless},
    raw,
    stage::Stage,
};
use inklings_application::transfer::{Conflicts, Outcome};
use inklings_domain::{ids::WorkspaceId, scope::Place};
use inklings_ports::{
    clock::IdGenerator,
    testing::builders::{agent, draft},
    workspace::settings::MEMORY_ENABLED,
};
use sqlx::{AssertSqlSafe, SqliteConnection};

async fn refused(conn: &mut SqliteConnection, sql: String, reason: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(format!("BEGIN IMMEDIATE; {sql}"))).execute(&mut *conn).await;
    sqlx::raw_sql("ROLLBACK").execute(&mut *conn).await.expect("taken back");
    let error = done.expect_err(&sql).to_string();
    assert!(error.contains(reason), "{error}, not '{reason}': {sql}");
}

fn journal(stage: &Stage, workspace: WorkspaceId, action: &str) -> (String, String) {
    let change = stage.scribe.ids.uuid().to_string();
    let sql = format!(
        "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
         VALUES ('{workspace}', '{change}', '{action}', 'agent', 'mcp', 1, 1);"
    );
    (sql, change)
}

#[tokio::test]
async fn a_change_declared_as_forgetting_cannot_write_text() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let here = stage.write_one(agent(), draft(Place::Workspace, "The gate is iron.")).await;
    let (set, there) = stage.scribe.create(agent(), [draft(Place::Account, "Prefers short answers.")]);
    stage.account.memory.store.commit(&set).await.expect("committed");
    stage.configure(MEMORY_ENABLED, "false").await;
    let mut workspace = raw(&folder.workspace_file(id)).await;
    let mut account = raw(&folder.account_file()).await;
    sqlx::raw_sql("UPDATE memory_switch SET enabled = 0")
        .execute(&mut account)
        .await
        .expect("as a store says");
    for (conn, owner, entry) in [(&mut workspace, id, &here), (&mut account, WorkspaceId::ACCOUNT, &there[0])]
    {
        let off = "off: memory is switched off";
        refused(conn, journal(&stage, owner, "create").0, off).await;
        let (declared, change) = journal(&stage, owner, "forget");
        let rewrite = format!(
            "{declared} UPDATE memories SET content = 'Another.', version = 2, checksum = NULL, change_id = '{change}', \
             change_seq = (SELECT tick FROM change_clock) WHERE id = '{}'",
            entry.id
        );
        refused(conn, rewrite, off).await;
        let columns = "workspace_id, id, scope, lifetime, curator, source, kind, importance, change_seq, version, \
                       written_by, change_id, created_at, accessed_at, updated_at, content";
        let new = stage.scribe.ids.uuid();
        let insert = format!(
            "{declared} INSERT INTO memories ({columns}) SELECT workspace_id, '{new}', scope, lifetime, curator, \
             source, kind, importance, (SELECT tick FROM change_clock), 1, written_by, '{change}', 1, 1, 1, 'New.' \
             FROM memories WHERE id = '{}'",
            entry.id
        );
        refused(conn, insert, off).await;
    }
}

#[tokio::test]
async fn messages_sent_off_the_record_stay_off_the_record() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.configure(MEMORY_ENABLED, "false").await;
    stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    let mut conn = raw(&folder.workspace_file(id)).await;
    let kept = "refused: what was said off the record stays so";
    refused(&mut conn, "DELETE FROM off_record".into(), kept).await;
    refused(&mut conn, "UPDATE off_record SET message_id = 'x'".into(), kept).await;
    let at = stage.scribe.clock.tick();
    assert!(
        stage.workspace.conversations.delete_conversation(stage.conversation.id, at).await.expect("deleted")
    );
    let left: i64 =
        sqlx::query_scalar("SELECT count(*) FROM off_record").fetch_one(&mut conn).await.expect("counted");
    assert_eq!(left, 0, "it goes with what was said");
}

/// The worldbuilder's own file comes in whole while memory is off, with what agents wrote in it; nothing stays open behind it.
#[tokio::test]
async fn while_memory_is_off_an_import_includes_entries_of_agents() {
    let out = World::rich(1).await.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    fresh.session.switch().set_enabled(false).await.expect("switched off");
    let done = fresh.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(done.plan.total(Outcome::Refuse), 0, "{:#?}", done.plan.items);
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
    let file = fresh.folder.workspace_file(fresh.session.workspace.workspace.id);
    let open: i64 =
        sqlx::query_scalar("SELECT (SELECT count(*) FROM open_import) + (SELECT count(*) FROM off_record)")
            .fetch_one(&mut raw(&file).await)
            .await
            .expect("counted");
    assert_eq!(open, 0);
    fresh.session.facts().set("gate", "metal", "iron", None, agent()).await.expect_err("agents stay out");
}
