//! A disk without room: reading takes none, a scrub asks for its channel or conversation first, and everything goes on once there is room again.

use std::path::Path;

use crate::support::{self, small_disk::SmallDisk, stage::Stage};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    memory::filter::Sort,
    provenance::Interface,
    scope::Place,
    scrub::{ScrubMode, ScrubTarget},
};
use inklings_ports::{
    scrub::ScrubOrder,
    store_error::StoreError,
    testing::builders::{author, draft, everywhere},
    workspace::catalogue::Catalogue,
};

/// A disk with a workspace of so many entries, everything closed.
async fn settled(megabytes: u32, entries: usize) -> Option<(SmallDisk, Stage)> {
    let disk = SmallDisk::mount(megabytes)?;
    let stage = Stage::set(&disk.folder).await;
    let texts =
        (0..entries).map(|n| draft(Place::Workspace, &format!("Entry {n}. {}", "More of it. ".repeat(40))));
    stage.write(author(), texts).await;
    let (change, _) = stage.scribe.create(author(), [draft(Place::Account, "Tea without milk.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    stage.catalogue.close().await;
    Some((disk, stage))
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |data| data.len())
}

#[tokio::test]
async fn reading_needs_no_disk_space_and_writing_resumes_when_there_is_space() {
    let Some((disk, stage)) = settled(8, 20).await else { return };
    let id = stage.workspace.workspace.id;
    disk.fill(0);
    let catalogue = disk.folder.open();
    assert_eq!(catalogue.workspaces().await.expect("the list is read").len(), 1);
    assert_eq!(catalogue.damaged_workspaces().await.expect("a list"), []);
    let ports = catalogue.open(id).await.expect("it opens for reading");
    let page =
        ports.memory.store.list(&everywhere(Vec::new()), Sort::default(), None, 100).await.expect("a page");
    assert_eq!(page.len(), 20);
    let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Too much.")]);
    let refused = ports.memory.store.commit(&change).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly | StoreError::DiskFull)), "{refused:?}");
    let findings = disk.folder.open().check().await.expect("a check");
    let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
    assert!(trouble.is_empty(), "a full disk is no damage: {trouble:?}");

    disk.empty();
    let ports = catalogue.open(id).await.expect("it opens again");
    ports.memory.store.commit(&change).await.expect("writes work again");
    catalogue.close().await;
}

/// Leaves the databases as a power cut does: what was committed last stands in the logs alone, and there is no shared memory.
async fn cut_off(disk: &SmallDisk, stage: &Stage) {
    let id = stage.workspace.workspace.id;
    let catalogue = disk.folder.open();
    let (account, workspace) =
        (catalogue.account().await.expect("opens").memory, catalogue.open(id).await.expect("opens").memory);
    for (memory, place) in [(account, Place::Account), (workspace, Place::Workspace)] {
        let (change, _) = stage.scribe.create(author(), [draft(place, "The last words.")]);
        memory.store.commit(&change).await.expect("written");
    }
    let logged = [disk.folder.account_file(), disk.folder.workspace_file(id)].map(|file| {
        let log = format!("{}-wal", file.display());
        assert!(size(Path::new(&log)) > 0, "nothing is in the log");
        [file.display().to_string(), log].map(|path| (std::fs::read(&path).expect("read"), path))
    });
    catalogue.close().await;
    for (bytes, path) in logged.into_iter().flatten() {
        std::fs::write(&path, bytes).expect("written");
        let _ = std::fs::remove_file(format!("{path}-shm"));
    }
}

#[tokio::test]
async fn a_log_left_by_a_power_failure_is_read_on_a_full_disk_and_continued_with_space() {
    let Some((disk, stage)) = settled(8, 20).await else { return };
    let id = stage.workspace.workspace.id;
    cut_off(&disk, &stage).await;
    disk.fill(0);
    // Two that stand for processes, each with the connections of its own.
    let catalogues = [disk.folder.open(), disk.folder.open()];
    let mut opened = Vec::new();
    for catalogue in &catalogues {
        assert_eq!(catalogue.workspaces().await.expect("the list is read").len(), 1);
        assert_eq!(catalogue.damaged_workspaces().await.expect("a list"), []);
        let account = catalogue.account().await.expect("it opens for reading").memory;
        let workspace = catalogue.open(id).await.expect("it opens for reading").memory;
        for (memory, count) in [(&account, 2), (&workspace, 21)] {
            let page = memory.store.list(&everywhere(Vec::new()), Sort::default(), None, 100).await;
            assert_eq!(page.expect("a page").len(), count);
        }
        opened.push(workspace);
    }
    let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Too much.")]);
    let refused = opened[0].store.commit(&change).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly | StoreError::DiskFull)), "{refused:?}");
    let findings = catalogues[0].check().await.expect("a check");
    let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
    assert!(trouble.is_empty(), "a full disk is no damage: {trouble:?}");
    catalogues[1].close().await;

    disk.empty();
    let ports = catalogues[0].open(id).await.expect("it opens again");
    ports.memory.store.commit(&change).await.expect("writes work again");
    // Whoever held on to what was open goes on reading, and sees what was written since.
    for memory in [&opened[0], &ports.memory] {
        let page = memory.store.list(&everywhere(Vec::new()), Sort::default(), None, 100).await;
        assert_eq!(page.expect("a page").len(), 22);
    }
    catalogues[0].close().await;
    let findings = disk.folder.open().check().await.expect("a check");
    assert!(findings.iter().all(|found| found.ok), "{findings:?}");
}

fn order(stage: &Stage, hash: String) -> ScrubOrder {
    let entry = AuditEntry {
        act: AuditAct::Scrub,
        scope: "workspace".into(),
        mode: Some(ScrubMode::Full),
        manifest: String::new(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    };
    ScrubOrder { target: ScrubTarget::Workspace, mode: ScrubMode::Full, hash, entry }
}

#[tokio::test]
async fn a_scrub_without_disk_space_states_the_needed_space_and_deletes_nothing() {
    let Some((disk, stage)) = settled(16, 300).await else { return };
    let id = stage.workspace.workspace.id;
    let file = disk.folder.workspace_file(id);
    let catalogue = disk.folder.open();
    let memory = catalogue.open(id).await.expect("opens").memory;
    let manifest = memory.scrub.manifest(&ScrubTarget::Workspace, ScrubMode::Full).await.expect("a manifest");
    disk.fill(usize::try_from(size(&file)).expect("a size"));
    let before = disk.free();
    let refused = memory.scrub.scrub(&order(&stage, manifest.hash.clone())).await;
    let Err(StoreError::NoRoom { needed, free }) = refused else { panic!("{refused:?}") };
    assert!(needed > free && free <= before && needed >= size(&file), "{needed} of {free}");
    assert_eq!(disk.free(), before, "it took room");
    let left = memory.store.list(&everywhere(Vec::new()), Sort::default(), None, 1).await.expect("a page");
    assert_eq!(left.len(), 1, "nothing was destroyed");

    disk.empty();
    let done = memory.scrub.scrub(&order(&stage, manifest.hash)).await.expect("with room it is carried out");
    assert_eq!(done.proof.residues, 0);
    catalogue.close().await;
}

/// A process that was killed between the rows and the cleaning leaves it to the next one, which may find no room.
#[tokio::test]
async fn a_database_with_pending_cleaning_opens_on_a_full_disk_and_is_cleaned_with_space() {
    let Some((disk, stage)) = settled(16, 300).await else { return };
    let id = stage.workspace.workspace.id;
    let file = disk.folder.workspace_file(id);
    let mut conn = support::raw(&file).await;
    let waiting = "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) \
                   VALUES (?, 'cleaning', 'a hash', 0)";
    sqlx::query(waiting).bind(id.to_string()).execute(&mut conn).await.expect("a note");
    sqlx::Connection::close(conn).await.expect("closes");
    let waits = async || -> i64 {
        let mut conn = support::raw(&file).await;
        let count = sqlx::query_scalar("SELECT count(*) FROM deletion_permits").fetch_one(&mut conn).await;
        sqlx::Connection::close(conn).await.expect("closes");
        count.expect("a count")
    };
    disk.fill(200_000);
    let catalogue = disk.folder.open();
    catalogue.open(id).await.expect("it opens without room");
    catalogue.close().await;
    assert_eq!(waits().await, 1);
    disk.empty();
    let catalogue = disk.folder.open();
    catalogue.open(id).await.expect("it opens");
    catalogue.close().await;
    assert_eq!(waits().await, 0);
}
