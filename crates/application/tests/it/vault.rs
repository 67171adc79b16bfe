//! Linked vaults on real files and SQLite.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use inklings_application::{
    error::{AppError, VaultError},
    search::{DocumentHit, DocumentSearch},
    subject::pages::NodeId,
    vault::{SyncReport, VaultState},
};
use inklings_domain::{
    drift::DriftState,
    ids::VaultId,
    lens::Lens,
    memory::{InvalidMemory, MemoryDraft, filter::ScopeFilter},
    scope::Place,
    search::{query::QueryText, ranking::ListName},
    vault::{SkipReason, is_page},
};
use inklings_ports::{
    progress::{NoProgress, Progress},
    testing::builders::{agent, author, draft},
    vault::{files::VaultFilesError, filter::PageFilter},
};
use inklings_vault::DiskFiles;
use proptest::{prelude::*, test_runner::TestRunner};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::support::World;

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("makes folders");
    fs::write(path, text).expect("writes");
}

/// Digest of every path and file of a folder.
fn tree(root: &Path) -> String {
    let mut digest = Sha256::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one")).collect();
        entries.sort_by_key(fs::DirEntry::path);
        for entry in entries {
            digest.update(entry.path().to_string_lossy().as_bytes());
            if entry.file_type().expect("a kind").is_dir() {
                folders.push(entry.path());
            } else {
                digest.update(fs::read(entry.path()).expect("reads"));
            }
        }
    }
    inklings_domain::digest::hex(&digest.finalize())
}

struct Linked {
    world: World,
    vault: TempDir,
    id: VaultId,
    data: TempDir,
}

impl Linked {
    async fn new(files: &[(&str, &str)]) -> Self {
        let (world, vault) = (World::new().await, tempfile::tempdir().expect("a folder"));
        let data = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            write(vault.path(), path, text);
        }
        let linked = link(&world, data.path(), vault.path()).await.expect("links");
        Self { world, vault, id: linked.vault.id, data }
    }

    async fn sync(&self) -> SyncReport {
        self.world.session.vaults().sync(&DiskFiles, self.id, &NoProgress).await.expect("indexes")
    }

    /// Path and text of each page.
    async fn pages(&self) -> BTreeMap<String, String> {
        let vaults = self.world.session.vaults();
        let mut pages = BTreeMap::new();
        for row in vaults.pages(&PageFilter::through(None), None, 500).await.expect("a list") {
            let page = vaults.page(&PageFilter::through(None), row.id).await.expect("a page");
            pages.insert(row.path, format!("{}{}", page.stored.head, page.stored.content));
        }
        pages
    }

    async fn id_of(&self, path: &str) -> String {
        let found = self.world.session.vaults().page_named(&PageFilter::through(None), path).await;
        found.expect("a page").to_string()
    }
}

async fn link(world: &World, data: &Path, folder: &Path) -> Result<VaultState, AppError> {
    world.session.vaults().link(author(), &DiskFiles, data, folder).await
}

#[tokio::test]
async fn a_scan_indexes_what_changed_and_writes_no_byte_of_the_vault() {
    let linked = Linked::new(&[
        ("Saltmere.md", "---\ntype: place\naliases: [Mere]\n---\n# History\nFounded by [[Mira]]."),
        ("people/Mira.md", "Keeper of [[mere]]. ![[map.png]]"),
        ("img/map.png", "x"),
        (".obsidian/app.json", "{}"),
    ])
    .await;
    let root = linked.vault.path();
    let before = tree(root);
    let first = linked.sync().await;
    assert_eq!((first.added, first.skipped, first.complete), (2, 1, true));
    assert_eq!(tree(root), before);
    let vaults = linked.world.session.vaults();
    let state = vaults.vault(linked.id).await.expect("a vault");
    assert_eq!((state.counts.pages, state.counts.attachments, state.counts.skipped), (2, 1, 1));
    let filter = PageFilter::through(None);
    let mere = vaults.page_named(&filter, "MERE").await.expect("by alias");
    let page = vaults.page(&filter, mere).await.expect("a page");
    assert_eq!(
        (page.stored.row.title.as_str(), page.stored.row.kind.as_deref()),
        ("Saltmere", Some("place"))
    );
    assert_eq!(page.links[0].page.as_ref().map(|(_, title)| title.as_str()), Some("Mira"));
    assert_eq!(page.backlinks.iter().map(|row| row.title.as_str()).collect::<Vec<_>>(), ["Mira"]);
    let mira = vaults.page_named(&filter, "people/Mira.md").await.expect("by path");
    let mira = vaults.page(&filter, mira).await.expect("a page");
    assert_eq!(mira.links[1].attachment.as_deref(), Some("img/map.png"));

    let again = linked.sync().await;
    assert_eq!((again.unchanged, again.changes_pages()), (2, false));
    let id = linked.id_of("Saltmere").await;
    fs::rename(root.join("Saltmere.md"), root.join("people/Salt Town.md")).expect("moves");
    write(root, "people/Mira.md", "She left the town.");
    write(root, "Weir.md", "A weir.");
    let next = linked.sync().await;
    assert_eq!((next.added, next.changed, next.moved, next.removed), (1, 1, 1, 0));
    assert_eq!(linked.id_of("people/Salt Town").await, id);
    fs::remove_file(root.join("Weir.md")).expect("removes");
    assert_eq!(linked.sync().await.removed, 1);
    assert_eq!(linked.pages().await.len(), 2);
}

#[tokio::test]
async fn files_that_are_not_whole_keep_their_pages_and_are_named() {
    let linked = Linked::new(&[("a.md", "One"), ("b.md", "Two"), ("c.md", "Three")]).await;
    let root = linked.vault.path();
    linked.sync().await;
    fs::rename(root.join("a.md"), root.join(".a.md.icloud")).expect("moves");
    write(root, "b.md", "");
    write(root, "c.md", [0; 100]);
    write(root, "c (conflicted copy 2026-01-02).md", "Other");
    let report = linked.sync().await;
    assert_eq!((report.removed, report.changed, report.skipped), (0, 0, 4));
    assert_eq!(linked.pages().await["c.md"], "Three");
    let skips = linked.world.session.vaults().skips(linked.id, None, 10).await.expect("a list");
    let reasons: Vec<SkipReason> = skips.iter().map(|skip| skip.reason).collect();
    let empty = SkipReason::Empty;
    assert_eq!(reasons, [SkipReason::NotDownloaded, empty, SkipReason::Conflict, empty]);
    fs::remove_file(root.join("b.md")).expect("removes");
    assert_eq!(linked.sync().await.removed, 1);
}

#[tokio::test]
async fn a_folder_is_linked_once_and_never_around_or_in_another() {
    let linked = Linked::new(&[("in/a.md", "One")]).await;
    let (root, data) = (linked.vault.path(), linked.data.path());
    let refusal = |found: Result<VaultState, AppError>| match found {
        Err(AppError::Vault(error)) => Some(error),
        _ => None,
    };
    let try_link = async |folder: &Path| refusal(link(&linked.world, data, folder).await);
    assert_eq!(try_link(root).await, Some(VaultError::Linked));
    assert_eq!(try_link(&root.join("in")).await, Some(VaultError::InVault));
    assert_eq!(try_link(root.parent().expect("one")).await, Some(VaultError::HoldsDataFolder));
    assert_eq!(try_link(data).await, Some(VaultError::InDataFolder));
    let missing = VaultError::Files(VaultFilesError::Missing);
    assert_eq!(try_link(&root.join("gone")).await, Some(missing));
    let not_folder = VaultError::Files(VaultFilesError::NotFolder);
    assert_eq!(try_link(&root.join("in/a.md")).await, Some(not_folder));
}

#[tokio::test]
async fn only_the_author_links_and_unlinks() {
    let linked = Linked::new(&[("a.md", "One")]).await;
    linked.sync().await;
    let vaults = linked.world.session.vaults();
    let refused = vaults.unlink(agent(), linked.id).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    let other = tempfile::tempdir().expect("a folder");
    let refused = vaults.link(agent(), &DiskFiles, linked.data.path(), other.path()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    let before = tree(linked.vault.path());
    vaults.unlink(author(), linked.id).await.expect("unlinks");
    assert!(linked.pages().await.is_empty() && vaults.list().await.expect("a list").is_empty());
    assert_eq!(tree(linked.vault.path()), before);
}

#[tokio::test]
async fn a_vault_that_is_gone_or_empty_loses_no_page() {
    let linked = Linked::new(&[("a.md", "One")]).await;
    linked.sync().await;
    fs::remove_file(linked.vault.path().join("a.md")).expect("removes");
    let sync = async || linked.world.session.vaults().sync(&DiskFiles, linked.id, &NoProgress).await;
    assert!(matches!(sync().await, Err(AppError::Vault(VaultError::Emptied))));
    write(linked.vault.path(), ".DS_Store", "x");
    fs::create_dir(linked.vault.path().join(".stfolder")).expect("makes a folder");
    assert!(matches!(sync().await, Err(AppError::Vault(VaultError::Emptied))), "hidden files stay behind");
    assert_eq!(linked.pages().await.len(), 1);
    fs::remove_dir_all(linked.vault.path()).expect("removes");
    let missing = VaultError::Files(VaultFilesError::Missing);
    assert!(matches!(sync().await, Err(AppError::Vault(error)) if error == missing));
    assert_eq!(linked.pages().await.len(), 1);
    fs::create_dir(linked.vault.path()).expect("makes it again");
}

/// Stops after a number of reports.
struct StopAfter(std::sync::atomic::AtomicUsize);

impl Progress for StopAfter {
    fn report(&self, _: u64, _: u64) {
        let left = &self.0;
        let less = left.load(std::sync::atomic::Ordering::Relaxed).saturating_sub(1);
        left.store(less, std::sync::atomic::Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) == 0
    }
}

#[tokio::test]
async fn two_scans_of_one_process_index_no_page_twice() {
    let files: Vec<(String, String)> = (0..250).map(|n| (format!("{n}.md"), format!("Page {n}"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let linked = Linked::new(&files).await;
    let vaults = linked.world.session.vaults();
    let scan = || vaults.sync(&DiskFiles, linked.id, &NoProgress);
    let scans = futures::future::join(scan(), scan()).await;
    let outcomes = [scans.0, scans.1].map(|outcome| match outcome {
        Ok(report) => report.complete,
        Err(AppError::UnderWay) => false,
        Err(error) => panic!("{error}"),
    });
    assert!(outcomes.contains(&true));
    assert_eq!(vaults.vault(linked.id).await.expect("a vault").counts.pages, 250);
}

#[tokio::test]
async fn a_stopped_scan_goes_on_and_one_process_scans_at_a_time() {
    let files: Vec<(String, String)> = (0..250).map(|n| (format!("{n}.md"), format!("Page {n}"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let linked = Linked::new(&files).await;
    let vaults = linked.world.session.vaults();
    let stop = StopAfter(4.into());
    let report = vaults.sync(&DiskFiles, linked.id, &stop).await.expect("stops");
    assert_eq!((report.added, report.complete), (100, false));
    assert!(vaults.vault(linked.id).await.expect("a vault").vault.scanned_at.is_none());
    let now = linked.world.session.clock.now();
    let until = now + chrono::Duration::seconds(30);
    let store = &linked.world.session.workspace.pages;
    assert!(store.lease(linked.id, "another process", now, until).await.expect("asks"));
    let refused = vaults.sync(&DiskFiles, linked.id, &NoProgress).await;
    assert!(matches!(refused, Err(AppError::UnderWay)));
    assert!(store.lease(linked.id, "another process", now, now).await.expect("gives it up"));
    let report = linked.sync().await;
    assert_eq!((report.added, report.unchanged, report.complete), (150, 100, true));
}

#[tokio::test]
async fn a_scan_that_is_stopped_files_the_drifts_of_the_pages_that_it_stored() {
    let texts = |founder: &str| -> Vec<(String, String)> {
        (100..250).map(|n| (format!("{n}.md"), format!("City {n} was founded by {founder}."))).collect()
    };
    let files = texts("Mira Vance");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let linked = Linked::new(&files).await;
    linked.sync().await;
    let session = &linked.world.session;
    let text = "It was Mira Vance who founded the city with the number 100.";
    let page = format!("page:{}", linked.id_of("100.md").await);
    let derivations = session.derivations().named(text, &[page]).await.expect("held");
    let draft = MemoryDraft { derivations, ..draft(Place::Workspace, text) };
    linked.world.remember(draft, agent()).await;
    for (path, text) in texts("Odile") {
        write(linked.vault.path(), &path, text);
    }
    let report = session.vaults().sync(&DiskFiles, linked.id, &StopAfter(3.into())).await.expect("stops");
    assert_eq!((report.changed, report.complete), (100, false));
    let report = linked.sync().await;
    assert_eq!((report.changed, report.complete), (50, true));
    let drifts = session.drifts().page(Some(DriftState::Open), None, 9).await.expect("a list").rows;
    assert_eq!(drifts.len(), 1, "{drifts:?}");
}

#[tokio::test]
async fn an_appended_memory_is_indexed_so_that_the_next_can_be_appended() {
    let linked = Linked::new(&[("Inbox.md", "# Inbox\n"), ("Other.md", "Text\n")]).await;
    linked.sync().await;
    let session = &linked.world.session;
    let page = linked.id_of("Inbox").await.parse().expect("an id");
    session.vaults().set_promotion_page(author(), Some(page)).await.expect("chosen");
    for text in ["The drowned bell rang at dawn.", "Odile keeps the weir."] {
        let memory = linked.world.write(Place::Workspace, text).await;
        session.vaults().append(author(), &DiskFiles, memory).await.expect("appended");
    }
    let whole = "# Inbox\n\nThe drowned bell rang at dawn.\n\nOdile keeps the weir.\n";
    assert_eq!(fs::read_to_string(linked.vault.path().join("Inbox.md")).expect("reads"), whole);
    assert_eq!(linked.pages().await["Inbox.md"], whole);
    let search = DocumentSearch {
        query: QueryText::Typed("\"keeps the weir\"".to_owned()),
        pages: Some(PageFilter::through(None)),
        limit: 9,
        ..DocumentSearch::default()
    };
    let found = session.search().documents(search).await.expect("an answer");
    assert_eq!(found.hits.len(), 1);
}

#[tokio::test]
async fn through_any_lens_no_page_is_shown() {
    let linked = Linked::new(&[("a.md", "One [[a]]"), ("b.md", "Two [[a]]")]).await;
    linked.sync().await;
    let session = &linked.world.session;
    let at = inklings_domain::calendar::story_point::StoryPoint::Moment(
        inklings_domain::calendar::moment::Moment::MAX,
    );
    let lens = session.lenses().resolve(Lens { knower: None, at: Some(at) }).await.expect("a lens");
    let everything = PageFilter::through(None);
    let id = session.vaults().page_named(&everything, "a").await.expect("a page");
    let seen = ScopeFilter::EVERYTHING.through(lens.clone());
    for filter in [PageFilter::through(lens.as_deref()), PageFilter::within(&seen)] {
        let store = &session.workspace.pages;
        assert!(store.list(&filter, None, 9).await.expect("a list").is_empty());
        assert!(store.pages(&filter, &[id]).await.expect("a list").is_empty());
        assert!(store.links(&filter, id).await.expect("a list").is_empty());
        assert!(store.backlinks(&filter, id, 9).await.expect("a list").is_empty());
        assert_eq!(store.named(&filter, "a").await.expect("an answer"), None);
    }
}

#[tokio::test]
async fn pages_are_found_by_words_meaning_and_name_and_never_through_a_lens() {
    let linked = Linked::new(&[
        (
            "Saltmere.md",
            "---\naliases: [The Salt City]\n---\nIntro.\n# History\nThe drowned bell rang at dawn.",
        ),
        ("Weir.md", "# Keeper\nOdile keeps the weir and its lantern."),
    ])
    .await;
    linked.sync().await;
    let session = &linked.world.session;
    linked.world.embed().await;
    let search = |query: &str, filter: PageFilter| DocumentSearch {
        query: QueryText::Typed(query.to_owned()),
        pages: Some(filter),
        limit: 10,
        marked: true,
        ..DocumentSearch::default()
    };
    let found = async |query: &str, filter: PageFilter| {
        let found = session.search().documents(search(query, filter)).await.expect("an answer");
        let page = |hit| if let DocumentHit::Page(page) = hit { Some(*page) } else { None };
        found.hits.into_iter().filter_map(page).collect::<Vec<_>>()
    };
    let all = || PageFilter::through(None);
    let hit = found("drowned bell", all()).await.remove(0);
    assert_eq!((hit.page.row.title.as_str(), hit.heading().as_str()), ("Saltmere", "History"));
    assert_eq!(&hit.page.content[hit.spans[0].clone()], "drowned");
    let hit = found("who keeps the lantern of the weir", all()).await.remove(0);
    assert_eq!(hit.page.row.title, "Weir");
    assert!(hit.contributions.iter().any(|part| part.list == ListName::Meaning));
    let hit = found("the salt city", all()).await.remove(0);
    assert!(
        hit.page.row.title == "Saltmere" && hit.contributions.iter().any(|part| part.list == ListName::Name)
    );
    let other = all().of_vault(session.ids.vault_id());
    assert!(found("who keeps the lantern of the weir", other).await.is_empty());
    let at = inklings_domain::calendar::story_point::StoryPoint::Moment(
        inklings_domain::calendar::moment::Moment::MAX,
    );
    let lens = session.lenses().resolve(Lens { knower: None, at: Some(at) }).await.expect("a lens");
    for query in ["drowned bell", "who keeps the lantern of the weir", "the salt city", "\"weir\"", "##"] {
        assert!(found(query, PageFilter::through(lens.as_deref())).await.is_empty());
    }
    let model = session.embedder.get().expect("a model").model();
    let counts = async || session.workspace.pages.vector_counts(&model).await.expect("counts");
    assert_eq!((counts().await.embedded, counts().await.pending), (2, 0));
    write(linked.vault.path(), "Weir.md", "Another text about ropes.");
    linked.sync().await;
    assert_eq!((counts().await.embedded, counts().await.pending), (1, 1));
    assert!(found("lantern", all()).await.is_empty());
}

/// What happens to a vault between two scans.
#[derive(Debug, Clone)]
enum Act {
    Write(usize, String),
    Remove(usize),
    Move(usize, usize),
    Copy(usize, usize),
}

const PATHS: [&str; 5] = ["a.md", "b.md", "x/a.md", "x/c.md", "x/y/d.md"];

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let path = || 0..PATHS.len();
    prop::collection::vec(
        prop_oneof![
            (path(), "[ab]{1,3}|# H\n\\[\\[a\\]\\]").prop_map(|(path, text)| Act::Write(path, text)),
            path().prop_map(Act::Remove),
            (path(), path()).prop_map(|(from, to)| Act::Move(from, to)),
            (path(), path()).prop_map(|(from, to)| Act::Copy(from, to)),
        ],
        1..8,
    )
}

#[test]
fn after_every_scan_the_index_is_what_is_on_the_disk() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let linked = runtime.block_on(Linked::new(&[("stays.md", "It stays.")]));
    let root = linked.vault.path().to_owned();
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() });
    let on_disk = || {
        let mut pages = BTreeMap::new();
        for path in PATHS.iter().chain(&["stays.md"]).filter(|path| is_page(path)) {
            if let Ok(text) = fs::read_to_string(root.join(path)) {
                pages.insert((*path).to_owned(), text);
            }
        }
        pages
    };
    let checked = runner.run(&acts(), |acts| {
        for act in acts {
            let path = |n: usize| root.join(PATHS[n]);
            match act {
                Act::Write(to, text) => write(&root, PATHS[to], text),
                Act::Remove(at) => drop(fs::remove_file(path(at))),
                Act::Move(from, to) if path(from).exists() => {
                    fs::create_dir_all(path(to).parent().expect("one")).expect("makes folders");
                    fs::rename(path(from), path(to)).expect("moves");
                }
                Act::Copy(from, to) if from != to && path(from).exists() => {
                    let text = fs::read(path(from)).expect("reads");
                    write(&root, PATHS[to], text);
                }
                Act::Move(..) | Act::Copy(..) => {}
            }
        }
        let (report, pages) = runtime.block_on(async { (linked.sync().await, linked.pages().await) });
        prop_assert!(report.complete);
        prop_assert_eq!(pages, on_disk());
        let again = runtime.block_on(linked.sync());
        prop_assert!(!again.changes_pages());
        Ok(())
    });
    checked.expect("the index is what is on the disk");
}

#[tokio::test]
async fn a_page_with_a_type_stands_among_the_subjects_and_one_with_the_name_of_a_subject_is_its_page() {
    let linked = Linked::new(&[
        ("Saltmere.md", "---\ntype: place\n---\nFounded by [[Mira]], see [the weir](notes/Weir.md)."),
        ("people/M.md", "---\naliases: [Mira]\n---\nKeeper of [[Saltmere]]."),
        ("notes/Weir.md", "---\ntype: place\n---\nBack to [Saltmere](../Saltmere.md)."),
        ("Loose.md", "No type, no name."),
    ])
    .await;
    linked.sync().await;
    let session = &linked.world.session;
    let mira = session.subjects().add("Mira", "character", "", author()).await.expect("added").id();
    let all = ScopeFilter::EVERYTHING;
    let rows = session.subjects().list(None, &all).await.expect("a list");
    assert_eq!(rows.len(), 1, "a page is no entry");
    let pages = session.subjects().pages(&rows, &all).await.expect("a list");
    let seen: Vec<_> = pages.iter().map(|page| (page.row.title.as_str(), page.subject)).collect();
    assert_eq!(seen, [("M", Some(mira)), ("Saltmere", None), ("Weir", None)]);
    let node = |title: &str| pages.iter().find(|page| page.row.title == title).expect("a page").node();
    let edges = session.subjects().page_links(&pages, &all).await.expect("links");
    let (town, weir, keeper) = (node("Saltmere"), node("Weir"), NodeId::Subject(mira));
    let expected = BTreeSet::from([(town, keeper), (keeper, town), (town, weir), (weir, town)]);
    assert_eq!(edges.into_iter().collect::<BTreeSet<_>>(), expected);
    let of_mira = session.subjects().pages_of(&rows[0], &all).await.expect("a list");
    assert_eq!(of_mira.iter().map(|row| row.path.as_str()).collect::<Vec<_>>(), ["people/M.md"]);
    let lens = Lens { knower: Some(mira), at: None };
    let lens = all.through(session.lenses().resolve(lens).await.expect("resolved"));
    assert!(session.subjects().pages(&rows, &lens).await.expect("a list").is_empty());
    assert!(session.subjects().page_links(&pages, &lens).await.expect("links").is_empty());
}

#[tokio::test]
async fn a_page_tells_which_memories_name_it_or_are_linked_to_its_subject() {
    let linked = Linked::new(&[("Saltmere.md", "---\ntype: place\naliases: [The Mere]\n---\nA town.")]).await;
    linked.sync().await;
    let (world, session) = (&linked.world, &linked.world.session);
    let town = session.subjects().add("Saltmere", "place", "", author()).await.expect("added").id();
    let named = world.write(Place::Workspace, "Salt is sold in Saltmere.").await;
    let by_alias = world.write(Place::Workspace, "The Mere floods in spring.").await;
    world.write(Place::Workspace, "Ropes are sold by the yard.").await;
    let about = world.write(Place::Workspace, "It has four gates.").await;
    let version = world.entry(about).await.version;
    session.subjects().set_about(about, version, &[town], author()).await.expect("linked");
    let filter = PageFilter::through(None);
    let id = session.vaults().page_named(&filter, "Saltmere").await.expect("a page");
    let page = session.vaults().page(&filter, id).await.expect("a page");
    let found: BTreeSet<_> = page.memories.iter().map(|stored| stored.entry.id).collect();
    assert_eq!(found, BTreeSet::from([town, named, by_alias, about]));
}
