//! The promises of the audit log.

use inklings_domain::{
    audit::{AuditAct, AuditEntry, BEGINNING, ChainState},
    provenance::Interface,
    scrub::ScrubMode,
};
use inklings_ports::{audit::AuditStore, testing::builders::author};

use super::{CheckedStage, Stage};

fn entry(stage: &Stage, act: AuditAct, mode: Option<ScrubMode>) -> AuditEntry {
    AuditEntry {
        act,
        scope: "channel 0190".into(),
        mode,
        manifest: "{\"total\":3}".into(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    }
}

/// Every field of a row comes back, and the row is sealed.
#[tokio::test]
async fn every_field_of_an_audit_row_is_read_back() {
    let stage = CheckedStage::new().await;
    let audit = &stage.memory().audit;
    for (act, mode) in [
        (AuditAct::Scrub, Some(ScrubMode::Full)),
        (AuditAct::Scrub, Some(ScrubMode::KeepNamed)),
        (AuditAct::Purge, Some(ScrubMode::Full)),
        (AuditAct::Restore, None),
        (AuditAct::PurgeBackup, None),
    ] {
        let reported = entry(&stage, act, mode);
        let row = audit.append(&reported).await.expect("it is recorded");
        assert_eq!(row.entry, reported);
        assert_eq!(audit.rows(None, 1).await.expect("rows"), [row]);
    }
    assert_eq!(audit.verify().await.expect("a state"), ChainState { rows: 5, broken_at: None });
}

/// Rows count up from one, each behind the hash of the one before; they are read from the newest.
#[tokio::test]
async fn audit_rows_follow_one_another_newest_first() {
    let stage = CheckedStage::new().await;
    let audit: &dyn AuditStore = &*stage.memory().audit;
    for _ in 0..4 {
        audit.append(&entry(&stage, AuditAct::Restore, None)).await.expect("recorded");
    }
    let rows = audit.rows(None, 10).await.expect("rows");
    assert_eq!(rows.iter().map(|row| row.sequence).collect::<Vec<_>>(), [4, 3, 2, 1]);
    assert_eq!(rows[3].previous, BEGINNING);
    assert!(rows.windows(2).all(|pair| pair[0].previous == pair[1].hash));
    let older = audit.rows(Some(3), 1).await.expect("rows");
    assert_eq!(older.iter().map(|row| row.sequence).collect::<Vec<_>>(), [2]);
}

/// The account's log and the workspace's know nothing of each other.
#[tokio::test]
async fn each_database_has_a_chain_of_its_own() {
    let stage = CheckedStage::new().await;
    let (mine, accounts) = (&stage.memory().audit, &stage.account.memory.audit);
    let reported = entry(&stage, AuditAct::Restore, None);
    let here = mine.append(&reported).await.expect("recorded");
    assert!(accounts.rows(None, 5).await.expect("rows").is_empty());
    let there = accounts.append(&reported).await.expect("recorded");
    assert_ne!(here.hash, there.hash, "the seal names the database");
    for audit in [mine, accounts] {
        assert_eq!(audit.verify().await.expect("a state"), ChainState { rows: 1, broken_at: None });
    }
}

/// Another process reads it and goes on where it ended.
#[tokio::test]
async fn an_audit_log_is_continued_by_the_next_process() {
    let stage = CheckedStage::new().await;
    let reported = entry(&stage, AuditAct::Restore, None);
    let first = stage.memory().audit.append(&reported).await.expect("recorded");
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens");
    let second = other.memory.audit.append(&reported).await.expect("recorded");
    assert_eq!((second.sequence, &second.previous), (2, &first.hash));
    assert_eq!(stage.memory().audit.verify().await.expect("a state").rows, 2);
}
