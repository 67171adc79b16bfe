//! Updates, with a source of releases that the test holds. The real one is driven in `e2e/window/update.test.mjs`.

use std::sync::{Arc, Mutex, PoisonError};

use inklings_application::{backup::Backups, error::AppError, update::Updates};
use inklings_domain::{
    backup::BackupReason,
    provenance::{Actor, Interface},
};
use inklings_ports::{
    progress::{NoProgress, Progress},
    testing::builders::{agent, author, task},
    update::{UpdateError, UpdateSource, VerifiedRelease},
};
use semver::Version;

use crate::support::World;

type Log = Arc<Mutex<Vec<String>>>;

/// Announces one version and records what it is asked for.
struct Releases {
    address: Option<String>,
    announced: Option<Version>,
    trusted: bool,
    log: Log,
}

struct Release(Version, Log);

fn record(log: &Log, what: String) {
    log.lock().unwrap_or_else(PoisonError::into_inner).push(what);
}

#[async_trait::async_trait]
impl VerifiedRelease for Release {
    async fn install(self: Box<Self>) -> Result<(), UpdateError> {
        record(&self.1, format!("install {}", self.0));
        Ok(())
    }
}

#[async_trait::async_trait]
impl UpdateSource for Releases {
    fn address(&self) -> Option<String> {
        self.address.clone()
    }

    async fn announced(&self) -> Result<Option<Version>, UpdateError> {
        record(&self.log, "ask".to_owned());
        Ok(self.announced.clone())
    }

    async fn download(
        &self,
        version: &Version,
        progress: &dyn Progress,
    ) -> Result<Box<dyn VerifiedRelease>, UpdateError> {
        record(&self.log, format!("download {version}"));
        progress.report(50, 100);
        if self.trusted {
            Ok(Box::new(Release(version.clone(), Arc::clone(&self.log))))
        } else {
            Err(UpdateError::Untrusted("another key".into()))
        }
    }
}

fn version(text: &str) -> Version {
    text.parse().expect("a version")
}

fn updates(world: &World, announced: &str, trusted: bool) -> (Updates, Log) {
    let log = Log::default();
    let source = Releases {
        address: Some("https://updates.example/latest.json".to_owned()),
        announced: Some(version(announced)),
        trusted,
        log: Arc::clone(&log),
    };
    (of(world, source), log)
}

fn of(world: &World, source: Releases) -> Updates {
    let backups = Backups { catalogue: Arc::clone(&world.catalogue), clock: world.clock.clone() };
    Updates { source: Arc::new(source), backups, current: version("1.2.3") }
}

fn asked(log: &Log) -> Vec<String> {
    log.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

#[tokio::test]
async fn only_a_newer_version_is_an_update() {
    let world = World::new().await;
    for (announced, newer) in
        [("1.2.4", true), ("2.0.0", true), ("1.2.3", false), ("1.2.2", false), ("1.2.3-beta.1", false)]
    {
        let (updates, _) = updates(&world, announced, true);
        let expected = newer.then(|| version(announced));
        assert_eq!(updates.newer().await.expect("it answers"), expected, "{announced}");
    }
}

#[tokio::test]
async fn an_older_or_equal_version_is_not_even_downloaded() {
    let world = World::new().await;
    for offered in ["1.2.3", "1.2.2", "0.9.0"] {
        let (updates, log) = updates(&world, offered, true);
        let refused = updates.install(&version(offered), author(), &NoProgress).await;
        assert!(matches!(refused, Err(AppError::Update(UpdateError::NotNewer { .. }))), "{offered}");
        assert_eq!(asked(&log), [""; 0]);
    }
}

#[tokio::test]
async fn a_backup_of_everything_is_made_before_a_release_is_installed() {
    let world = World::new().await;
    let (updates, log) = updates(&world, "1.3.0", true);
    let backup = updates.install(&version("1.3.0"), author(), &NoProgress).await.expect("installed");
    assert_eq!(backup.id.reason(), BackupReason::Update);
    assert_eq!(updates.backups.list().await.expect("a list"), [backup]);
    assert_eq!(asked(&log), ["download 1.3.0", "install 1.3.0"]);
}

#[tokio::test]
async fn a_release_that_is_not_trusted_is_neither_backed_up_for_nor_installed() {
    let world = World::new().await;
    let (updates, log) = updates(&world, "1.3.0", false);
    let refused = updates.install(&version("1.3.0"), author(), &NoProgress).await;
    assert!(matches!(refused, Err(AppError::Update(UpdateError::Untrusted(_)))));
    assert_eq!(updates.backups.list().await.expect("a list"), []);
    assert_eq!(asked(&log), ["download 1.3.0"]);
}

/// Cancelled as soon as something is reported.
#[derive(Default)]
struct CancelledAtOnce(Mutex<Vec<(u64, u64)>>);

impl Progress for CancelledAtOnce {
    fn report(&self, done: u64, total: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((done, total));
    }

    fn cancelled(&self) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

#[tokio::test]
async fn a_download_tells_its_progress_and_can_be_cancelled_before_anything_is_replaced() {
    let world = World::new().await;
    let (updates, log) = updates(&world, "1.3.0", true);
    let progress = CancelledAtOnce::default();
    let refused = updates.install(&version("1.3.0"), author(), &progress).await;
    assert!(matches!(refused, Err(AppError::Update(UpdateError::Cancelled))));
    assert_eq!(*progress.0.lock().expect("not poisoned"), [(50, 100)]);
    assert_eq!(updates.backups.list().await.expect("a list"), []);
    assert_eq!(asked(&log), ["download 1.3.0"]);
}

#[tokio::test]
async fn only_the_worldbuilder_installs_an_update() {
    let world = World::new().await;
    for actor in [agent(), task(), Actor::of_interface(Interface::Mcp)] {
        let (updates, log) = updates(&world, "1.3.0", true);
        let refused = updates.install(&version("1.3.0"), actor, &NoProgress).await;
        assert!(matches!(refused, Err(AppError::ActorKind(_))));
        assert_eq!(asked(&log), [""; 0]);
    }
}

#[tokio::test]
async fn where_updates_are_not_set_up_nothing_is_asked() {
    let world = World::new().await;
    let log = Log::default();
    let source = Releases { address: None, announced: None, trusted: true, log: Arc::clone(&log) };
    let updates = of(&world, source);
    assert!(matches!(updates.newer().await, Err(AppError::Update(UpdateError::NotSetUp))));
    let refused = updates.install(&version("9.0.0"), author(), &NoProgress).await;
    assert!(matches!(refused, Err(AppError::Update(UpdateError::NotSetUp))));
    assert_eq!(asked(&log), [""; 0]);
}
