//! What the database itself refuses about the audit log and the fingerprints of scrubbed texts, and what the check finds of
//! what it cannot refuse: each test plays a program that ignores our code and speaks SQL to the file.

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    provenance::Interface,
};
use inklings_ports::testing::builders::author;
use sqlx::{AssertSqlSafe, SqliteConnection};

/// A data folder whose two databases have three audit rows each, and a raw connection to either.
async fn logged() -> (TempFolder, Stage, [SqliteConnection; 2]) {
    let (folder, stage) = support::stage().await;
    for memory in [&stage.account.memory, &stage.workspace.memory] {
        for number in 0..3 {
            let entry = AuditEntry {
                act: AuditAct::Restore,
                scope: format!("backup {number}"),
                mode: None,
                manifest: "{}".into(),
                operator: "author".into(),
                interface: Interface::Cli,
                at: stage.scribe.stamp(author()).at,
            };
            memory.audit.append(&entry).await.expect("recorded");
        }
    }
    let account = raw(&folder.account_file()).await;
    let workspace = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
    (folder, stage, [account, workspace])
}

async fn refused(conn: &mut SqliteConnection, statement: &str) -> bool {
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(conn).await.is_err()
}

#[tokio::test]
async fn no_statement_changes_deletes_or_inserts_audit_rows_out_of_order() {
    let (_folder, stage, conns) = logged().await;
    for mut conn in conns {
        for statement in [
            "UPDATE audit SET operator = 'somebody'",
            "UPDATE audit SET sequence = 9 WHERE sequence = 3",
            "UPDATE audit SET rowid = 9 WHERE rowid = 3",
            "DELETE FROM audit",
            "DELETE FROM audit WHERE sequence = 3",
            "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 2",
            "REPLACE INTO audit SELECT 4, workspace_id, act, scope, mode, manifest, operator, door, at, previous, \
             hash FROM audit WHERE sequence = 1",
            "INSERT INTO audit SELECT 5, workspace_id, act, scope, mode, manifest, operator, door, at, hash, hash \
             FROM audit WHERE sequence = 3",
            "DELETE FROM audit_head",
            "UPDATE audit_head SET sequence = 2",
            "UPDATE audit_head SET (sequence, hash) = (SELECT sequence, hash FROM audit WHERE sequence = 2)",
            "INSERT OR REPLACE INTO audit_head SELECT 1, sequence, hash FROM audit WHERE sequence = 2",
        ] {
            assert!(refused(&mut conn, statement).await, "{statement}");
        }
    }
    for memory in [&stage.account.memory, &stage.workspace.memory] {
        let chain = memory.audit.verify().await.expect("a state");
        assert_eq!((chain.rows, chain.broken_at), (3, None));
    }
}

#[tokio::test]
async fn scrub_fingerprints_cannot_be_changed_or_deleted() {
    let (_folder, _stage, conns) = logged().await;
    for mut conn in conns {
        let known = "INSERT INTO scrubbed SELECT workspace_id, hash, 0 FROM audit WHERE sequence = 1";
        assert!(!refused(&mut conn, known).await);
        for statement in
            ["DELETE FROM scrubbed", "UPDATE scrubbed SET fingerprint = lower(hex(zeroblob(32)))"]
        {
            assert!(refused(&mut conn, statement).await, "{statement}");
        }
    }
}

#[tokio::test]
async fn the_check_detects_an_audit_log_that_was_changed_without_its_triggers() {
    for (tampering, row) in [
        ("UPDATE audit SET operator = 'x' WHERE sequence = 2", 2),
        ("DELETE FROM audit WHERE sequence = 1", 1),
        ("DELETE FROM audit WHERE sequence = 3", 3),
        ("DELETE FROM audit", 1),
        ("DELETE FROM audit_head", 4),
    ] {
        let (_folder, stage, conns) = logged().await;
        for mut conn in conns {
            let guards: Vec<String> = sqlx::query_scalar(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'audit%'",
            )
            .fetch_all(&mut conn)
            .await
            .expect("triggers");
            for guard in guards {
                let drop = format!("DROP TRIGGER {guard}");
                sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut conn).await.expect("dropped");
            }
            sqlx::raw_sql(tampering).execute(&mut conn).await.expect("nothing guards it now");
        }
        let findings = stage.catalogue.check().await.expect("findings");
        let found = findings.iter().filter(|finding| finding.check == "audit_chain");
        let reported: Vec<(bool, bool)> =
            found.map(|f| (f.ok, f.result.ends_with(&format!("row {row}")))).collect();
        assert_eq!(reported, [(false, true); 2], "{tampering}");
    }
}
