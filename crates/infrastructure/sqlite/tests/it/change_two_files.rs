//! Changes of the account and a workspace in one: what a kill between the two commits leaves, and what others do meanwhile.

use std::{fs, sync::Arc};

use crate::support::TempFolder;
use inklings_application::{
    error::AppError,
    session::{EmbedderSlot, Session},
    workspace::Workspaces,
};
use inklings_domain::{
    ids::{ChangeId, MemoryId, WorkspaceId},
    memory::change_set::ChangeSet,
    scope::Place,
};
use inklings_ports::{
    memory::split_store::{PreparedPart, SplitStore},
    store_error::StoreError,
    testing::{
        builders::{author, draft, new_text},
        clock::{ManualClock, SequentialIds},
    },
    workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;
use proptest::prelude::*;
use tokio::sync::Notify;

/// Where the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Nowhere,
    /// Once the account's part is kept.
    BeforeTheWorkspace,
    /// Once the workspace committed its part.
    BeforeTheAccount,
}

/// Stands still where the process is to end.
struct Cutting {
    store: Arc<dyn SplitStore>,
    cut: Cut,
    reached: Arc<Notify>,
}

struct CutPart(
    Arc<Notify>,
    #[expect(dead_code, reason = "goes with it, as with a process")] Box<dyn PreparedPart>,
);

async fn for_ever(reached: &Notify) {
    reached.notify_one();
    std::future::pending::<()>().await;
}

#[async_trait::async_trait]
impl SplitStore for Cutting {
    async fn prepare(
        &self,
        part: &ChangeSet,
        follows: WorkspaceId,
    ) -> Result<Box<dyn PreparedPart>, StoreError> {
        let prepared = self.store.prepare(part, follows).await?;
        match self.cut {
            Cut::Nowhere => return Ok(prepared),
            Cut::BeforeTheWorkspace => for_ever(&self.reached).await,
            Cut::BeforeTheAccount => {}
        }
        Ok(Box::new(CutPart(Arc::clone(&self.reached), prepared)))
    }

    async fn settle(&self) -> Result<(), StoreError> {
        self.store.settle().await
    }

    async fn refused(&self, workspace: WorkspaceId) -> Result<Vec<ChangeId>, StoreError> {
        self.store.refused(workspace).await
    }

    async fn taken_back(&self, change: ChangeId, workspace: WorkspaceId) -> Result<(), StoreError> {
        self.store.taken_back(change, workspace).await
    }
}

#[async_trait::async_trait]
impl PreparedPart for CutPart {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        for_ever(&self.0).await;
        Ok(())
    }

    async fn abandon(self: Box<Self>) {}
}

struct Folder {
    dir: TempFolder,
    clock: Arc<ManualClock>,
    ids: Arc<SequentialIds>,
    workspace: WorkspaceId,
}

impl Folder {
    async fn new() -> Self {
        let folder = TempFolder::new();
        let (clock, ids) = (Arc::new(ManualClock::default()), Arc::new(SequentialIds::default()));
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder.open());
        let workspaces = Workspaces { catalogue, clock: clock.clone(), ids: ids.clone() };
        let workspace = workspaces.create("Aldmoor").await.expect("a workspace").id;
        Self { dir: folder, clock, ids, workspace }
    }

    /// A session as another process would open it.
    async fn open(&self) -> Session {
        let catalogue: SqliteCatalogue = self.dir.open();
        let account = catalogue.account().await.expect("opens");
        let ports = catalogue.open(self.workspace).await.expect("opens");
        self.clock.tick();
        Session::new(account, ports, self.clock.clone(), self.ids.clone(), EmbedderSlot::default())
    }

    /// The same, settled, as the app opens it. Gives also what was taken back.
    async fn open_settled(&self) -> (Session, Vec<ChangeId>) {
        let session = self.open().await;
        let taken_back = session.memories().settle_changes().await.expect("settled");
        (session, taken_back)
    }

    /// Does something in a process that ends where it is told to.
    async fn cut<T>(&self, cut: Cut, act: impl AsyncFnOnce(&Session) -> Result<T, AppError>) -> Option<T> {
        let mut session = self.open_settled().await.0;
        let reached = Arc::new(Notify::new());
        let store = Arc::clone(&session.account.split);
        session.account.split = Arc::new(Cutting { store, cut, reached: Arc::clone(&reached) });
        tokio::select! {
            done = act(&session) => {
                assert_eq!(cut, Cut::Nowhere, "it went on past the cut");
                Some(done.expect("done"))
            }
            () = reached.notified() => None,
        }
    }

    fn intent_files(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.dir.path().join(".changes")) else { return Vec::new() };
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

/// So many entries of each database.
async fn entries(session: &Session, account: usize, workspace: usize) -> Vec<MemoryId> {
    let mut ids = Vec::new();
    for (place, count) in [(Place::Account, account), (Place::Workspace, workspace)] {
        for n in 0..count {
            let text = format!("{} number {n}.", if place == Place::Account { "Habit" } else { "Gate" });
            ids.push(session.memories().create(draft(place, &text), author()).await.expect("written").id());
        }
    }
    ids
}

/// Which of the entries are in use.
async fn in_use(session: &Session, ids: &[MemoryId]) -> Vec<bool> {
    session.entries(ids).await.expect("read").iter().map(|stored| stored.entry.is_active()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_change_of_two_databases_is_complete_or_absent() {
    for (cut, after) in
        [(Cut::Nowhere, false), (Cut::BeforeTheWorkspace, true), (Cut::BeforeTheAccount, false)]
    {
        let folder = Folder::new().await;
        let ids = entries(&folder.open().await, 2, 2).await;
        folder.cut(cut, async |session| session.memories().forget(&ids, "old", author()).await).await;
        #[cfg(unix)]
        for name in folder.intent_files() {
            use std::os::unix::fs::PermissionsExt as _;
            let data = fs::metadata(folder.dir.path().join(".changes").join(name)).expect("a file");
            assert_eq!(data.permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(folder.intent_files().len(), usize::from(cut != Cut::Nowhere));
        let (session, taken_back) = folder.open_settled().await;
        assert_eq!(in_use(&session, &ids).await, [after; 4], "{cut:?}");
        assert_eq!((folder.intent_files(), taken_back), (Vec::new(), Vec::new()), "{cut:?}");
        let findings = folder.dir.open().check().await.expect("checked");
        assert!(findings.iter().all(|finding| finding.ok), "{findings:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_the_account_refuses_is_undone_in_the_workspace_and_reported() {
    let folder = Folder::new().await;
    // Open all along.
    let other = folder.open().await;
    let ids = entries(&other, 1, 2).await;
    folder
        .cut(Cut::BeforeTheAccount, async |session| session.memories().forget(&ids, "old", author()).await)
        .await;
    let mine = new_text("Mine, since.");
    other.memories().edit(ids[0], 1, mine, author()).await.expect("somebody writes on");
    let (session, taken_back) = folder.open_settled().await;
    assert_eq!(taken_back.len(), 1);
    assert_eq!(in_use(&session, &ids).await, [true; 3]);
    assert_eq!(session.entry(ids[0]).await.expect("there").entry.content, "Mine, since.");
    assert_eq!(folder.intent_files(), Vec::<String>::new());
    let undone = session.memories().undo_change(taken_back[0], author()).await;
    assert!(matches!(undone, Err(AppError::AlreadyUndone)), "{undone:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_undo_does_not_count_as_done() {
    for refused in [false, true] {
        let folder = Folder::new().await;
        let other = folder.open().await;
        let ids = entries(&other, 1, 1).await;
        let forgotten = other.memories().forget(&ids, "old", author()).await.expect("forgotten").change;
        folder
            .cut(Cut::BeforeTheAccount, async |session| {
                session.memories().undo_change(forgotten, author()).await
            })
            .await;
        let mut since = None;
        if refused {
            // The account's entry moves on before anybody settles.
            since = Some(other.memories().restore(&ids[..1], author()).await.expect("restored").change);
        }
        let again = other.memories().undo_change(forgotten, author()).await;
        if let Some(since) = since {
            assert!(matches!(again, Err(AppError::Stale { .. })), "{again:?}");
            assert_eq!(in_use(&other, &ids).await, [true, false], "the workspace's part is taken back");
            other.memories().undo_change(since, author()).await.expect("what came since is taken back");
            other.memories().undo_change(forgotten, author()).await.expect("it was not done");
        } else {
            assert!(matches!(again, Err(AppError::AlreadyUndone)), "finished, then: {again:?}");
        }
        assert_eq!(in_use(&other, &ids).await, [true, true], "{refused}");
        let again = other.memories().undo_change(forgotten, author()).await;
        assert!(matches!(again, Err(AppError::AlreadyUndone)), "{again:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_intent_of_a_change_is_not_applied() {
    let folder = Folder::new().await;
    let ids = entries(&folder.open().await, 1, 1).await;
    folder
        .cut(Cut::BeforeTheAccount, async |session| session.memories().forget(&ids, "old", author()).await)
        .await;
    let path = folder.dir.path().join(".changes").join(&folder.intent_files()[0]);
    let text = fs::read_to_string(&path).expect("reads");
    fs::write(&path, text.replace("Habit", "Hobby")).expect("writes");
    let (session, taken_back) = folder.open_settled().await;
    assert_eq!((in_use(&session, &ids).await, taken_back.len()), (vec![true; 2], 1));
    assert_eq!(session.entry(ids[0]).await.expect("there").entry.content, "Habit number 0.");
}

#[derive(Debug, Clone, Copy)]
enum Act {
    Forget,
    Restore,
    Undo,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is done to entries of both databases, and wherever it is cut off, they agree once somebody opened the folder.
    #[test]
    fn both_databases_agree_after_any_interruption(
        (account, workspace) in (1..3usize, 1..3usize),
        steps in prop::collection::vec(
            (
                prop_oneof![Just(Act::Forget), Just(Act::Restore), Just(Act::Undo)],
                prop_oneof![Just(Cut::Nowhere), Just(Cut::BeforeTheWorkspace), Just(Cut::BeforeTheAccount)],
            ),
            1..5,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let folder = Folder::new().await;
            let ids = entries(&folder.open().await, account, workspace).await;
            let (mut active, mut last): (bool, Option<ChangeId>) = (true, None);
            for (act, cut) in steps {
                let before = active;
                let change = match act {
                    Act::Forget if active => {
                        active = false;
                        folder.cut(cut, async |s| s.memories().forget(&ids, "old", author()).await).await
                    }
                    Act::Restore if !active => {
                        active = true;
                        folder.cut(cut, async |s| s.memories().restore(&ids, author()).await).await
                    }
                    Act::Undo if last.is_some() => {
                        active = !active;
                        let change = last.expect("looked at");
                        folder.cut(cut, async |s| s.memories().undo_change(change, author()).await).await
                    }
                    _ => continue,
                };
                if cut == Cut::BeforeTheWorkspace {
                    active = before;
                } else {
                    last = change.filter(|_| !matches!(act, Act::Undo)).map(|written| written.change);
                }
                let (session, taken_back) = folder.open_settled().await;
                assert_eq!(in_use(&session, &ids).await, vec![active; account + workspace], "{act:?} {cut:?}");
                assert!(taken_back.is_empty() && folder.intent_files().is_empty());
            }
        });
    }
}
