//! A backup from before scrubs is put back without what they destroyed: the scrubs are repeated on the copy first.

use std::{fs, sync::Arc};

use crate::support::{self, TempFolder, stage::Stage};
use inklings_application::{
    backup::{Backups, ScrubbedData},
    error::AppError,
};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::{BackupId, BackupReason},
    fact::{Claim, Fact, FactSource::User},
    ids::MemoryId,
    memory::{
        MemoryEntry,
        change_set::{Action, MemoryWrite},
    },
    provenance::Interface,
    scope::Place,
    scratchpad::WorkingNote,
    scrub::{ScrubFile, ScrubMode, ScrubTarget, SubjectName},
};
use inklings_ports::{
    backup::{BackupScope, BackupSet},
    fact::FactStore,
    scrub::ScrubOrder,
    store_error::StoreError,
    testing::builders::{author, change, draft, new_text},
    workspace::catalogue::MemoryPorts,
};

async fn scrub(stage: &Stage, memory: &MemoryPorts, target: ScrubTarget) {
    let mode = ScrubMode::Full;
    let manifest = memory.scrub.manifest(&target, mode).await.expect("a manifest");
    assert!(manifest.total() > 0, "{target:?}");
    let purge = matches!(target, ScrubTarget::Purge(_));
    let entry = AuditEntry {
        act: if purge { AuditAct::Purge } else { AuditAct::Scrub },
        scope: target.scope(),
        mode: Some(mode),
        manifest: String::new(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    };
    memory.scrub.scrub(&ScrubOrder { target, mode, hash: manifest.hash, entry }).await.expect("carried out");
}

async fn made(stage: &Stage) -> BackupSet {
    let id = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup")
}

fn backups(folder: &TempFolder, stage: &Stage) -> Backups {
    Backups { catalogue: Arc::new(folder.open()), clock: stage.scribe.clock.clone() }
}

/// Which of these words are in a database of the folder, in any case.
fn left(folder: &TempFolder, stage: &Stage, words: &[&str]) -> Vec<String> {
    let files = [folder.account_file(), folder.workspace_file(stage.workspace.workspace.id)];
    let mut found = Vec::new();
    for file in files {
        for suffix in ["", "-wal"] {
            let mut path = file.clone().into_os_string();
            path.push(suffix);
            let bytes = fs::read(path).unwrap_or_default();
            let holds =
                |word: &str| bytes.windows(word.len()).any(|it| it.eq_ignore_ascii_case(word.as_bytes()));
            found.extend(words.iter().filter(|word| holds(word)).map(|word| (*word).to_owned()));
        }
    }
    found
}

async fn is_there(folder: &TempFolder, stage: &Stage, id: MemoryId) -> bool {
    let ports = folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens");
    !ports.memory.store.get(&[id]).await.expect("reads").is_empty()
}

/// One of everything that a kind of scrub destroys, each under a word of its own.
const GONE: &[&str] =
    &["basilisk", "gryphon", "wyvernwing", "manticore", "chimaera", "cockatrice", "leviathan", "hippocamp"];

/// Entries, messages, facts and notes; a backup of them; then every kind of scrub. Returns what no scrub touched.
async fn scrubbed(stage: &Stage) -> (BackupSet, MemoryId) {
    let kept = stage.write_one(author(), draft(Place::Workspace, "The gate of Aldmoor is of iron.")).await;
    let one = stage.write_one(author(), draft(Place::Workspace, "The basilisk sleeps below the gate.")).await;
    let (change, _) = stage.scribe.edit(author(), &one, new_text("The gryphon sleeps below the gate."));
    stage.workspace.memory.store.commit(&change).await.expect("edited");
    let chosen = Place::Conversation(stage.conversation.channel_id, stage.conversation.id);
    stage.write_one(author(), draft(chosen, "They spoke of the wyvernwing.")).await;
    stage
        .say(&stage.side_conversation, &[stage.scribe.message("Beware of the manticore in the hills!")])
        .await;
    let (change, _) =
        stage.scribe.create(author(), [draft(Place::Account, "The author fears the chimaera most.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    stage.write_one(author(), draft(Place::Workspace, "The cockatrice is the pet of Oskar.")).await;
    let fact = stage.scribe.fact("people", "Oskar", "keeps a leviathan in the moat", User);
    stage.workspace.facts.put_fact(&fact, User, None).await.expect("a fact");
    let now = stage.scribe.clock.tick();
    let note = WorkingNote::write(
        stage.side_conversation.id,
        "plan",
        "\"Oskar rides a hippocamp\"".into(),
        None,
        now,
    );
    stage.workspace.scratchpads.write_note(&note.expect("a note")).await.expect("written");
    let set = made(stage).await;
    let (workspace, account) = (&stage.workspace.memory, &stage.account.memory);
    scrub(stage, workspace, ScrubTarget::Entry(one.id, ScrubFile::Workspace)).await;
    scrub(stage, workspace, ScrubTarget::Conversation(stage.conversation.id)).await;
    let oskar = SubjectName::new("Oskar").expect("a name");
    scrub(stage, workspace, ScrubTarget::Subject(oskar, ScrubFile::Workspace)).await;
    scrub(stage, workspace, ScrubTarget::Purge(stage.side_conversation.id)).await;
    scrub(stage, account, ScrubTarget::Account).await;
    (set, kept.id)
}

#[tokio::test]
async fn a_backup_scrubbed_before_its_restore_restores_nothing_of_any_later_scrub() {
    let (folder, stage) = support::stage().await;
    let (set, kept) = scrubbed(&stage).await;
    assert_eq!(left(&folder, &stage, GONE), Vec::<String>::new());
    let copy = folder.path().join(format!("backups/sets/{}/agents.db", set.id));
    let bytes = fs::read(&copy).expect("a copy");
    stage.catalogue.close().await;
    let backups = backups(&folder, &stage);
    let (restored, _) =
        backups.restore(&set.id.to_string(), ScrubbedData::ScrubFirst, author()).await.expect("put back");
    assert_eq!(restored.scrubs_since, 0, "nothing is back that would have to be scrubbed again");
    backups.catalogue.close().await;
    assert_eq!(left(&folder, &stage, GONE), Vec::<String>::new());
    assert!(is_there(&folder, &stage, kept).await, "what no scrub touched is back");
    assert_eq!(fs::read(&copy).expect("a copy"), bytes, "the backup stays as it is");
    let findings = folder.catalogue().check().await.expect("findings");
    let trouble: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
    assert!(trouble.is_empty(), "{trouble:?}");
    // Brought back when a person says so.
    let backups = self::backups(&folder, &stage);
    let (restored, _) =
        backups.restore(&set.id.to_string(), ScrubbedData::BringBack, author()).await.expect("put back");
    assert_eq!(restored.scrubs_since, 5);
    backups.catalogue.close().await;
    let back = left(&folder, &stage, GONE);
    assert!(GONE.iter().all(|word| back.iter().any(|found| found == word)), "{back:?}");
}

#[tokio::test]
async fn without_a_record_of_the_scrubs_a_scrubbed_restore_is_refused() {
    let (folder, stage) = support::stage().await;
    let (set, kept) = scrubbed(&stage).await;
    stage.catalogue.close().await;
    fs::remove_file(folder.path().join("scrub.key")).expect("lost");
    let backups = backups(&folder, &stage);
    let refused = backups.restore(&set.id.to_string(), ScrubbedData::ScrubFirst, author()).await;
    assert!(matches!(refused, Err(AppError::Store(StoreError::Refused(_)))), "{refused:?}");
    assert!(!folder.path().join(".restore").exists(), "nothing is staged any more");
    assert_eq!(left(&folder, &stage, GONE), Vec::<String>::new());
    assert!(is_there(&folder, &stage, kept).await);
}

#[tokio::test]
async fn a_scrub_behind_a_log_that_was_begun_anew_is_not_undone_unasked() {
    let (folder, stage) = support::stage().await;
    let first = stage.write_one(author(), draft(Place::Workspace, "The basilisk sleeps.")).await;
    let second = stage.write_one(author(), draft(Place::Workspace, "The gryphon sleeps.")).await;
    let workspace = stage.workspace.workspace.id;
    let entry = |entry: &MemoryEntry| ScrubTarget::Entry(entry.id, ScrubFile::Workspace);
    let earlier = made(&stage).await;
    scrub(&stage, &stage.workspace.memory, entry(&first)).await;
    let later = made(&stage).await;
    stage.catalogue.close().await;
    let file = folder.workspace_file(workspace);
    let mut bytes = fs::read(&file).expect("reads");
    bytes[..100].fill(0);
    fs::write(&file, bytes).expect("damaged");
    let backups = backups(&folder, &stage);
    let restored = backups.restore(&earlier.id.to_string(), ScrubbedData::BringBack, author()).await;
    restored.expect("put back");
    let ports = backups.catalogue.open(workspace).await.expect("opens");
    scrub(&stage, &ports.memory, entry(&second)).await;
    // Each log has one scrub, but not the same one.
    let listed = backups.list().await.expect("a list");
    let since = listed.iter().find(|set| set.id == later.id).map(|set| set.scrubs_since);
    assert_eq!(since, Some(1));
    let id = later.id.to_string();
    let refused = backups.restore(&id, ScrubbedData::Refuse, author()).await;
    assert!(matches!(refused, Err(AppError::Input { field: "scrubbed", .. })), "{refused:?}");
    let refused = backups.restore(&id, ScrubbedData::ScrubFirst, author()).await;
    assert!(matches!(refused, Err(AppError::Store(StoreError::Refused(_)))), "{refused:?}");
    backups.catalogue.close().await;
    assert_eq!(left(&folder, &stage, &["gryphon"]), Vec::<String>::new());
}

/// Of a conversation that was deleted before it was purged, too.
#[tokio::test]
async fn a_backup_scrubbed_before_its_restore_has_the_facts_that_a_purge_left() {
    let (folder, stage) = support::stage().await;
    let conversation = Some(stage.conversation.id);
    let facts = &stage.workspace.facts;
    let of = |key: &str, value: &str| stage.scribe.fact("people", key, value, User);
    let only = Fact { conversation, ..of("Oskar", "keeps a leviathan in the moat") };
    let authors = of("Mira", "keeps a heron");
    let earlier = Fact { conversation, ..of("Toma", "keeps a cockatrice") };
    for fact in [&only, &authors, &earlier] {
        facts.put_fact(fact, User, None).await.expect("a fact");
    }
    let next = Fact { conversation, ..stage.scribe.next_value(&authors, "keeps a gryphon", User) };
    facts.put_fact(&next, User, None).await.expect("a value");
    let next = Fact { conversation: None, ..stage.scribe.next_value(&earlier, "keeps an otter", User) };
    facts.put_fact(&next, User, None).await.expect("a value");
    let claim = Claim { conversation, ..stage.scribe.claim(&authors, "keeps a basilisk") };
    facts.add_claim(&claim).await.expect("a claim");
    let set = made(&stage).await;
    let at = stage.scribe.clock.tick();
    let deleted = stage.workspace.conversations.delete_conversation(stage.conversation.id, at).await;
    assert!(deleted.expect("it is deleted"));
    scrub(&stage, stage.memory(), ScrubTarget::Purge(stage.conversation.id)).await;
    let ids = [only.id, authors.id, earlier.id];
    let values_of = async |facts: &dyn FactStore| {
        let mut all = Vec::new();
        for id in ids {
            all.push((
                facts.fact_by_id(id).await.expect("reads"),
                facts.fact_history(id).await.expect("reads"),
            ));
        }
        all
    };
    let before = values_of(&**facts).await;
    assert_eq!(before[0], (None, Vec::new()));
    assert_eq!(before[1].0.as_ref().map(|found| found.fact.value.as_str()), Some("keeps a heron"));
    stage.catalogue.close().await;
    let backups = backups(&folder, &stage);
    backups.restore(&set.id.to_string(), ScrubbedData::ScrubFirst, author()).await.expect("put back");
    backups.catalogue.close().await;
    let ports = folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens");
    assert_eq!(values_of(&*ports.facts).await, before);
    assert_eq!(left(&folder, &stage, GONE), Vec::<String>::new());
}

/// The channel in which an entry was scrubbed that had another place at the time of the backup.
#[derive(Debug, Clone, Copy)]
enum Moved {
    /// Another channel of then.
    Existing,
    /// A channel that was made since.
    New,
    /// The channel that its own one was dissolved into.
    Dissolved,
}

#[tokio::test]
async fn a_backup_scrubbed_before_its_restore_has_no_entry_that_was_moved_before_it_was_scrubbed() {
    for moved in [Moved::Existing, Moved::New, Moved::Dissolved] {
        let (folder, stage) = support::stage().await;
        let store = &stage.workspace.memory.store;
        let side = Place::Channel(stage.side.id);
        let place = if matches!(moved, Moved::Dissolved) { side } else { Place::Workspace };
        let scrubbed = stage.write_one(author(), draft(place, "The basilisk sleeps below the gate.")).await;
        let out = stage.write_one(author(), draft(side, "The heron eats eels at noon.")).await;
        let set = made(&stage).await;
        let put = async |entry: &MemoryEntry, place: Place| {
            let stamp = stage.scribe.stamp(author());
            let entry = entry.moved(place, stamp).expect("it may be moved");
            store.commit(&change(stamp, Action::Move, [MemoryWrite::Move(entry)])).await.expect("moved");
        };
        put(&out, Place::Workspace).await;
        let conversations = &stage.workspace.conversations;
        let channel = match moved {
            Moved::Existing => stage.side.id,
            Moved::New => {
                let channel = stage.scribe.channel(stage.workspace.workspace.id, "New");
                conversations.add_channel(&channel).await.expect("a channel");
                channel.id
            }
            Moved::Dissolved => {
                conversations.delete_channel(stage.side.id, Some(stage.general.id)).await.expect("dissolved");
                stage.general.id
            }
        };
        if !matches!(moved, Moved::Dissolved) {
            put(&scrubbed, Place::Channel(channel)).await;
        }
        scrub(&stage, stage.memory(), ScrubTarget::Channel(channel)).await;
        stage.catalogue.close().await;
        let backups = backups(&folder, &stage);
        backups.restore(&set.id.to_string(), ScrubbedData::ScrubFirst, author()).await.expect("put back");
        backups.catalogue.close().await;
        assert_eq!(left(&folder, &stage, GONE), Vec::<String>::new(), "{moved:?}");
        assert!(!is_there(&folder, &stage, scrubbed.id).await, "{moved:?}");
        assert!(is_there(&folder, &stage, out.id).await, "{moved:?}: it was moved away before the scrub");
    }
}
