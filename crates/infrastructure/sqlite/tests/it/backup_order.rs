//! What a backup says of scrubs since, and what a clock or a kill leaves of backups.

use std::fs;

use crate::support::{self, stage::Stage};
use inklings_application::{
    backup::{Backups, ScrubbedData},
    error::AppError,
};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::{BackupId, BackupReason},
    provenance::Interface,
    scope::Place,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet, BackupStore},
    testing::{
        builders::{author, draft},
        clock::ManualClock,
    },
    workspace::catalogue::Catalogue,
};
use std::sync::Arc;

fn entry(stage: &Stage, act: AuditAct) -> AuditEntry {
    AuditEntry {
        act,
        scope: "workspace".into(),
        mode: None,
        manifest: "{}".into(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    }
}

async fn made(stage: &Stage) -> BackupSet {
    let id = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup")
}

#[tokio::test]
async fn a_backup_counts_later_scrubs_and_is_restored_only_with_confirmation() {
    let (folder, stage) = support::stage().await;
    stage.write_one(author(), draft(Place::Workspace, "A word.")).await;
    let first = made(&stage).await;
    stage.workspace.memory.audit.append(&entry(&stage, AuditAct::Scrub)).await.expect("on record");
    let second = made(&stage).await;
    stage.workspace.memory.audit.append(&entry(&stage, AuditAct::Purge)).await.expect("on record");
    stage.account.memory.audit.append(&entry(&stage, AuditAct::Scrub)).await.expect("on record");
    // Acts that destroy no memory do not count.
    stage.account.memory.audit.append(&entry(&stage, AuditAct::PurgeBackup)).await.expect("on record");
    let third = made(&stage).await;
    let since = async || -> Vec<(BackupId, u64)> {
        let sets = folder.open().backups().await.expect("a list");
        sets.iter().map(|set| (set.id, set.scrubs_since)).collect()
    };
    assert_eq!(since().await, [(third.id, 0), (second.id, 2), (first.id, 3)]);
    // The manifest of an earlier release does not say: the copies do.
    for set in [&first, &second] {
        let path = folder.path().join(format!("backups/sets/{}/manifest.json", set.id));
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).expect("a manifest")).expect("JSON");
        for file in manifest["files"].as_array_mut().expect("files") {
            file.as_object_mut().expect("a file").remove("scrubs");
        }
        fs::write(&path, manifest.to_string()).expect("written");
    }
    assert_eq!(since().await, [(third.id, 0), (second.id, 2), (first.id, 3)]);

    let clock = Arc::new(ManualClock::default());
    let backups = Backups { catalogue: Arc::new(folder.open()), clock };
    let id = first.id.to_string();
    let refused = backups.restore(&id, ScrubbedData::Refuse, author()).await;
    assert!(matches!(refused, Err(AppError::Input { field: "scrubbed", .. })), "{refused:?}");
    backups.restore(&id, ScrubbedData::BringBack, author()).await.expect("put back when told");
    // The log goes on through the restore, so that what it says of the others stays.
    let left = backups.list().await.expect("a list");
    assert_eq!(left.iter().find(|set| set.id == first.id).map(|set| set.scrubs_since), Some(3));
    assert_eq!(left.iter().find(|set| set.id == third.id).map(|set| set.scrubs_since), Some(0));
    stage.catalogue.close().await;
    // Where the account is lost, its newest backup tells how many there were.
    fs::remove_file(folder.account_file()).expect("removed");
    assert_eq!(since().await.last(), Some(&(first.id, 3)));
}

#[tokio::test]
async fn backups_are_listed_in_creation_order_under_any_clock() {
    let (folder, stage) = support::stage().await;
    let now = stage.scribe.stamp(author()).at;
    let mut expected = Vec::new();
    for days in [0, 3_652, -400, 1] {
        let id = BackupId::new(now + chrono::TimeDelta::days(days), BackupReason::Activity);
        expected
            .insert(0, stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup").id);
    }
    let listed = folder.open().backups().await.expect("a list");
    assert_eq!(listed.iter().map(|set| set.id).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_leftover_of_a_killed_backup_is_removed_at_startup_and_a_running_one_is_listed() {
    let (folder, stage) = support::stage().await;
    made(&stage).await;
    stage.catalogue.close().await;
    let left = folder.path().join("backups/sets/.new-20260101T000000000Z-asked");
    fs::create_dir_all(&left).expect("a folder");
    fs::write(left.join("agents.db.part"), b"memory").expect("a copy");
    let lock = fs::File::options().write(true).open(folder.path().join("backups/.lock")).expect("a lock");
    lock.lock().expect("held by whoever makes it");
    let catalogue = folder.open();
    catalogue.account().await.expect("opens");
    assert_eq!(
        catalogue.leftovers(stage.workspace.workspace.id).await.expect("a list"),
        [left.display().to_string()]
    );
    drop(lock);
    catalogue.close().await;
    let catalogue = folder.open();
    catalogue.account().await.expect("opens");
    assert!(!left.exists(), "its owner is dead");
    assert_eq!(
        catalogue.leftovers(stage.workspace.workspace.id).await.expect("a list"),
        Vec::<String>::new()
    );
    catalogue.close().await;
}

/// What a killed purge leaves, step by step.
#[tokio::test]
async fn an_interrupted_purge_is_finished_at_the_next_opening_and_recorded_once() {
    for steps in 0..3 {
        let (folder, stage) = support::stage().await;
        let (gone, other) = (made(&stage).await, made(&stage).await);
        let scope = format!("backup {}", gone.id);
        let entry = AuditEntry { scope: scope.clone(), ..entry(&stage, AuditAct::PurgeBackup) };
        if steps > 0 {
            stage.account.memory.audit.append(&entry).await.expect("on record");
        }
        stage.catalogue.close().await;
        let sets = folder.path().join("backups/sets");
        if steps > 1 {
            let half = sets.join(format!(".new-{}", gone.id));
            fs::rename(sets.join(gone.id.to_string()), half).expect("renamed");
        }
        let notes = folder.path().join(".purging");
        fs::create_dir(&notes).expect("a folder");
        let at = entry.at.timestamp_micros();
        let note = format!(r#"{{"manifest":"{{}}","operator":"author","interface":"cli","at":{at}}}"#);
        fs::write(notes.join(gone.id.to_string()), note).expect("a note");
        let catalogue = folder.open();
        let account = catalogue.account().await.expect("opens");
        let rows = account.memory.audit.rows(None, 9).await.expect("rows");
        assert_eq!(rows.len(), 1, "after {steps} steps: {rows:?}");
        assert_eq!(rows[0].entry, entry, "after {steps} steps");
        let listed: Vec<BackupId> =
            catalogue.backups().await.expect("a list").iter().map(|set| set.id).collect();
        assert_eq!(listed, [other.id], "after {steps} steps");
        assert!(!notes.exists(), "after {steps} steps");
    }
}
