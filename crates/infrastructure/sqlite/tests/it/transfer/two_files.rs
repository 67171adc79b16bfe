//! An import that writes into the account and a workspace: what others do meanwhile, and what a kill leaves.

use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::support::{
    self, TempFolder,
    carried::{EVERYTHING, Text, World, parsed, timeless, wanted},
    stage::Stage,
};
use inklings_application::transfer::Conflicts;
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    consolidation::run::{Run, RunState, RunTrigger},
    derivation::Derivation,
    ids::RunId,
    memory::{MemoryEntry, Stamp},
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
    scrub::{ScrubMode, ScrubTarget},
};
use inklings_ports::{
    progress::NoProgress,
    scrub::ScrubOrder,
    store_error::StoreError,
    testing::{
        builders::{author, draft, new_text},
        clock::start_of_tests,
    },
    transfer::{
        file::{FileRows, FileSource, TransferError},
        shape::Section,
        store::{Fields, ImportStamp, TransferWriter, Within},
    },
    workspace::catalogue::Catalogue,
};
use serde_json::json;

const AT: &str = "2026-01-02T03:04:05.000000Z";

fn habit(n: u8) -> Fields {
    let row = json!({
        "id": format!("0190bbbb-0000-7000-8000-00000000000{n}"), "scope": "account", "lifetime": "long_term",
        "curator": "author", "kind": "note", "importance": 0.5, "source": "author", "version": 1,
        "written_by": "author", "created_at": AT, "accessed_at": AT, "updated_at": AT, "content": format!("Habit {n}."),
        "external_id": format!("habit {n}"),
    });
    row.as_object().expect("a row").clone()
}

fn run(stage: &Stage, id: RunId) -> Run {
    let at = stage.scribe.stamp(author()).at;
    Run::begun(id, "import", RunTrigger::Asked, at).ended(RunState::Done, None, at)
}

fn stamp(stage: &Stage, run: RunId) -> ImportStamp {
    let Stamp { change, at, .. } = stage.scribe.stamp(author());
    ImportStamp { change, run, interface: Interface::Cli, at, follows: Some(stage.workspace.workspace.id) }
}

async fn decided(stage: &Stage, id: RunId) {
    stage.workspace.runs.put(&run(stage, id)).await.expect("the run stands");
}

async fn habits(catalogue: &dyn Catalogue) -> Vec<String> {
    let account = catalogue.account().await.expect("opens");
    let mut snapshot = account.transfer.snapshot(start_of_tests()).await.expect("a snapshot");
    let rows = snapshot.page(Section::Memories, Within::All, None, 100, false).await.expect("rows");
    rows.iter().map(|row| row.fields["content"].as_str().unwrap_or_default().to_owned()).collect()
}

fn waiting(folder: &TempFolder) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join(".import")).expect("the folder of intents");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

async fn prepared(stage: &Stage, id: RunId) -> Box<dyn TransferWriter> {
    let mut writer = stage.account.transfer.begin_transfer(stamp(stage, id)).await.expect("it begins");
    for n in 1..=2 {
        writer.add(Section::Memories, &habit(n)).await.expect("is added");
    }
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    writer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opening_the_folder_does_not_affect_a_running_import() {
    let (folder, stage) = support::stage().await;
    let id = stage.scribe.run("import").id;
    let mut writer = stage.account.transfer.begin_transfer(stamp(&stage, id)).await.expect("it begins");
    writer.add(Section::Memories, &habit(1)).await.expect("is added");
    assert_eq!(habits(&folder.open()).await, Vec::<String>::new());
    assert_eq!(waiting(&folder), [format!("{id}.new")]);
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    assert_eq!(habits(&folder.open()).await, Vec::<String>::new());
    decided(&stage, id).await;
    assert_eq!(habits(&folder.open()).await, Vec::<String>::new());
    assert_eq!(waiting(&folder), [format!("{id}.jsonl")]);
    writer.commit(None).await.expect("is committed");
    assert_eq!(habits(&folder.open()).await, ["Habit 1."]);
    assert_eq!(waiting(&folder), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_import_finishes_one_that_was_cut_off() {
    let (folder, stage) = support::stage().await;
    let id = stage.scribe.run("import").id;
    drop(prepared(&stage, id).await);
    decided(&stage, id).await;
    // The folder stays open: nobody opens it anew.
    assert_eq!(waiting(&folder), [format!("{id}.jsonl")]);
    let next = stamp(&stage, stage.scribe.run("import").id);
    let mut writer = stage.account.transfer.begin_transfer(next).await.expect("it begins");
    assert!(writer.entry(&habit(2)).await.expect("reads").is_some());
    drop(writer);
    assert_eq!(waiting(&folder), Vec::<String>::new());
    assert_eq!(habits(&folder.open()).await, ["Habit 1.", "Habit 2."]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finishing_a_killed_import_keeps_later_changes() {
    let (folder, stage) = support::stage().await;
    let store = &stage.account.memory.store;
    let (change, entries) = stage.scribe.create(author(), [draft(Place::Account, "From before.")]);
    store.commit(&change).await.expect("written");
    let id = stage.scribe.run("import").id;
    let stamp = stamp(&stage, id);
    let mut writer = stage.account.transfer.begin_transfer(stamp).await.expect("it begins");
    for n in 1..=2 {
        writer.add(Section::Memories, &habit(n)).await.expect("is added");
    }
    let after = MemoryEntry {
        content: "From the file.".into(),
        version: 2,
        written_by: ActorKind::Import,
        change: stamp.change,
        ..entries[0].clone()
    };
    writer.update(&after).await.expect("is changed");
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    drop(writer);
    decided(&stage, id).await;
    let (change, _) = stage.scribe.edit(author(), &entries[0], new_text("Mine, since."));
    store.commit(&change).await.expect("written");
    let (change, _) = stage.scribe.create(
        Actor::new(ActorKind::Import, Interface::Cli, None).expect("an actor"),
        [inklings_ports::testing::builders::imported(Place::Account, "habit 2", "Brought since.")],
    );
    store.commit(&change).await.expect("written");
    let mut found = habits(&folder.open()).await;
    found.sort();
    assert_eq!(found, ["Brought since.", "Habit 1.", "Mine, since."]);
    assert_eq!(waiting(&folder), Vec::<String>::new());
    let findings = folder.catalogue().check().await.expect("checked");
    assert!(findings.iter().all(|finding| finding.ok), "{findings:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_imports_that_were_never_prepared_are_removed() {
    let (folder, stage) = support::stage().await;
    drop(prepared(&stage, stage.scribe.run("import").id).await);
    fs::write(folder.path().join(".import").join("half.new"), "{").expect("writes");
    assert_eq!(habits(&folder.open()).await, Vec::<String>::new());
    assert_eq!(waiting(&folder), Vec::<String>::new());
}

/// A file that counts how often it is read.
struct Counted(Text, AtomicU32);

impl FileSource for Counted {
    fn format(&self) -> &'static str {
        self.0.format()
    }

    fn derivation(&self) -> Option<Derivation> {
        self.0.derivation()
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.rows()
    }
}

#[tokio::test]
async fn an_import_into_an_empty_world_reads_its_file_once_and_leaves_no_temporary_files() {
    let out = World::rich(1).await.export(EVERYTHING).await;
    let fresh = World::begun(2).await;
    let file = Counted(parsed(&out), AtomicU32::new(0));
    let wanted = wanted(Conflicts::Newer);
    let hash =
        fresh.session.transfers().preview(&file, wanted.clone(), &NoProgress).await.expect("a plan").hash;
    assert_eq!(file.1.swap(0, Ordering::SeqCst), 1);
    fresh.session.transfers().import(&file, wanted, &hash, &NoProgress).await.expect("imports");
    assert_eq!(file.1.load(Ordering::SeqCst), 1);
    assert_eq!(waiting(&fresh.folder), Vec::<String>::new());
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scrub_of_the_account_with_a_pending_import_is_refused() {
    let (folder, stage) = support::stage().await;
    let (change, _) = stage.scribe.create(author(), [draft(Place::Account, "From before.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    let id = stage.scribe.run("import").id;
    drop(prepared(&stage, id).await);
    decided(&stage, id).await;
    let scrub = &stage.account.memory.scrub;
    let order = async || {
        let manifest = scrub.manifest(&ScrubTarget::Account, ScrubMode::Full).await.expect("a manifest");
        let entry = AuditEntry {
            act: AuditAct::Scrub,
            scope: ScrubTarget::Account.scope(),
            mode: Some(ScrubMode::Full),
            manifest: String::new(),
            operator: "author".into(),
            interface: Interface::Cli,
            at: stage.scribe.stamp(author()).at,
        };
        let order =
            ScrubOrder { target: ScrubTarget::Account, mode: ScrubMode::Full, hash: manifest.hash, entry };
        scrub.scrub(&order).await
    };
    let moved = order().await;
    assert!(matches!(moved, Err(StoreError::Moved(_))), "{moved:?}");
    order().await.expect("looked at again it is carried out");
    assert_eq!(habits(&folder.open()).await, Vec::<String>::new());
}
