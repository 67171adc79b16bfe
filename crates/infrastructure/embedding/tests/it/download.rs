//! Downloads, over real sockets.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue};
use inklings_ports::model::embedding::{EmbedError, ModelCatalogue};
use tempfile::TempDir;

use crate::hub::{FakeHub, Fault, REVISION};
use crate::support::{MODEL_FILES, Watcher, bundled, bundled_folder, cosine, pin, resources_without_model};

const NOMIC: &str = "NomicEmbedTextV15Q";
const NOMIC_REPOSITORY: &str = "nomic-ai/nomic-embed-text-v1.5";
const NOMIC_GRAPH: &str = "onnx/model_quantized.onnx";
const LARGE: usize = 3_000_000;

/// Small stand-ins for a model's files: a download does not care what they hold.
fn small_files() -> Vec<(&'static str, Vec<u8>)> {
    let large: Vec<u8> = (0..LARGE).map(|at| (at * 31 % 251) as u8).collect();
    let tokenizer = ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];
    tokenizer.map(|name| (name, br#"{"a": 1}"#.to_vec())).into_iter().chain([(NOMIC_GRAPH, large)]).collect()
}

struct Setup {
    hub: FakeHub,
    folder: TempDir,
    catalogue: FastEmbedCatalogue,
    id: ModelId,
}

fn setup(faults: &[Fault]) -> Setup {
    let hub = FakeHub::start(NOMIC_REPOSITORY, &small_files(), faults);
    let folder = tempfile::tempdir().expect("a folder");
    let models = folder.path().join("models");
    let id = ModelId::new(NOMIC);
    let catalogue = FastEmbedCatalogue::new(folder.path().join("none"), models)
        .with_endpoint(hub.endpoint())
        .with_pin(id.clone(), pin(REVISION, &small_files()));
    Setup { hub, folder, catalogue, id }
}

impl Setup {
    async fn fetch(&self, progress: &Arc<Watcher>) -> Result<(), EmbedError> {
        self.catalogue.fetch(&self.id, Arc::clone(progress) as _).await
    }

    fn target(&self) -> std::path::PathBuf {
        self.folder.path().join("models").join(NOMIC)
    }

    fn staging(&self) -> std::path::PathBuf {
        self.folder.path().join("models/.downloads").join(NOMIC)
    }

    fn assert_whole(&self) {
        for (name, content) in small_files() {
            assert!(fs::read(self.target().join(name)).expect(name) == content, "{name} differs");
        }
        assert!(self.catalogue.is_installed(&self.id));
        assert!(!self.staging().exists());
    }
}

#[tokio::test]
async fn a_downloaded_model_gives_the_same_vectors_as_the_bundled_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let served: Vec<(String, Vec<u8>)> = MODEL_FILES
        .iter()
        .map(|name| {
            (
                name.replace("model.onnx", "onnx/model.onnx"),
                fs::read(bundled_folder().join(name)).expect(name),
            )
        })
        .collect();
    let served: Vec<(&str, Vec<u8>)> =
        served.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let bytes: u64 = served.iter().map(|(_, content)| content.len() as u64).sum();
    let hub = FakeHub::start("sentence-transformers/all-MiniLM-L6-v2", &served, &[]);
    let resources = resources_without_model(&folder.path().join("resources"));
    let id = ModelId::new(BUNDLED);
    let catalogue = FastEmbedCatalogue::new(resources, folder.path().join("models"))
        .with_endpoint(hub.endpoint())
        .with_pin(id.clone(), pin(REVISION, &served));

    assert!(!catalogue.is_installed(&id));
    assert!(matches!(catalogue.load(&id).await.err(), Some(EmbedError::Unavailable(_))));
    let progress = Watcher::new();
    catalogue.fetch(&id, Arc::clone(&progress) as _).await.expect("downloaded");
    assert!(catalogue.is_installed(&id));
    assert_eq!(progress.downloaded.load(Ordering::SeqCst), bytes);
    assert_eq!(progress.total.load(Ordering::SeqCst), bytes);
    assert!(progress.reports.load(Ordering::SeqCst) > 50 && !progress.went_back.load(Ordering::SeqCst));

    let text = "The ferry sank in the winter of the long rain.";
    let downloaded = catalogue.load(&id).await.expect("loads").embed_query(text).await.expect("embeds");
    let shipped = bundled().await.embed_query(text).await.expect("embeds");
    assert!(cosine(&downloaded.vector, &shipped.vector) > 0.999_999);
}

#[tokio::test]
async fn every_file_is_downloaded_once_from_the_pinned_revision() {
    let setup = setup(&[]);
    setup.fetch(&Watcher::new()).await.expect("downloaded");
    setup.assert_whole();
    let requests = setup.hub.requests();
    assert_eq!(requests[0], format!("GET /{NOMIC_REPOSITORY}/resolve/{REVISION}/tokenizer.json"));
    assert!(requests.iter().all(|request| request.contains(REVISION)), "{requests:?}");

    setup.fetch(&Watcher::new()).await.expect("there already");
    assert_eq!(setup.hub.requests().len(), requests.len(), "an installed model needs no request");
}

#[tokio::test]
async fn nothing_is_asked_of_the_network_before_a_download() {
    let setup = setup(&[]);
    assert!(!setup.catalogue.entries().is_empty());
    assert!(!setup.catalogue.is_installed(&setup.id));
    assert!(matches!(setup.catalogue.load(&setup.id).await.err(), Some(EmbedError::Unavailable(_))));
    assert!(setup.hub.requests().is_empty());
}

#[tokio::test]
async fn a_broken_connection_is_resumed_where_it_broke() {
    let setup = setup(&[Fault::BreakOnce(1_000_000)]);
    let progress = Watcher::new();
    setup.fetch(&progress).await.expect("resumed");
    setup.assert_whole();
    assert!(!progress.went_back.load(Ordering::SeqCst));
    let resumed = setup
        .hub
        .requests()
        .iter()
        .any(|request| request.starts_with("GET /storage") && request.ends_with(" 1000000"));
    assert!(resumed, "{:?}", setup.hub.requests());
}

#[tokio::test]
async fn a_server_that_cannot_resume_is_asked_for_the_whole() {
    let setup = setup(&[Fault::BreakOnce(1_000_000), Fault::NoRanges]);
    setup.fetch(&Watcher::new()).await.expect("downloaded again");
    setup.assert_whole();
}

#[tokio::test]
async fn a_failed_download_leaves_no_model_and_the_next_attempt_resumes() {
    let setup = setup(&[Fault::BreakAlways(400_000)]);
    let error = setup.fetch(&Watcher::new()).await.expect_err("never arrives");
    assert!(matches!(&error, EmbedError::Download(reason) if reason.contains(NOMIC_GRAPH)), "{error}");
    assert!(!setup.target().exists() && !setup.catalogue.is_installed(&setup.id));

    setup.hub.behave();
    let before = setup.hub.requests().len();
    setup.fetch(&Watcher::new()).await.expect("goes on");
    setup.assert_whole();
    let again: Vec<_> =
        setup.hub.requests().split_off(before).into_iter().filter(|r| r.starts_with("GET")).collect();
    assert!(
        again.iter().all(|request| request.ends_with(" 1200000")),
        "only the rest was asked for: {again:?}"
    );
}

#[tokio::test]
async fn damaged_content_is_refused() {
    for fault in [Fault::Damage, Fault::OtherSmall] {
        let setup = setup(&[fault]);
        let error = setup.fetch(&Watcher::new()).await.expect_err("refused");
        assert!(error.to_string().contains("damaged"), "{error}");
        assert!(!setup.target().exists());
        setup.hub.behave();
        setup.fetch(&Watcher::new()).await.expect("the damaged part was not kept");
        setup.assert_whole();
    }
}

#[tokio::test]
async fn a_model_whose_files_changed_at_the_hub_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let hub = FakeHub::start(NOMIC_REPOSITORY, &small_files(), &[]);
    let catalogue = FastEmbedCatalogue::new(folder.path().join("none"), folder.path().join("models"))
        .with_endpoint(hub.endpoint());
    let id = ModelId::new(NOMIC);
    let error = catalogue.fetch(&id, Watcher::new()).await.expect_err("not the pinned files");
    assert!(matches!(error, EmbedError::Download(_)), "{error}");
    assert!(!catalogue.is_installed(&id));
}

#[tokio::test]
async fn a_cancel_in_the_middle_leaves_nothing() {
    let setup = setup(&[Fault::Slow(20)]);
    let error = setup.fetch(&Watcher::cancelling_after(500_000)).await.expect_err("cancelled");
    assert!(matches!(error, EmbedError::Cancelled));
    assert!(!setup.target().exists() && !setup.staging().exists());
    assert!(!setup.catalogue.is_installed(&setup.id));

    setup.hub.behave();
    setup.fetch(&Watcher::new()).await.expect("can be started again");
    setup.assert_whole();
}

#[tokio::test]
async fn a_cancel_does_not_wait_for_a_silent_server() {
    let setup = setup(&[Fault::Silent]);
    let started = Instant::now();
    let error = setup.fetch(&Watcher::cancelling_after(0)).await.expect_err("cancelled");
    assert!(matches!(error, EmbedError::Cancelled));
    // The server is silent for a minute.
    assert!(started.elapsed() < Duration::from_secs(45));
}

#[tokio::test]
async fn failed_downloads_have_readable_errors() {
    for (fault, words) in [(Fault::Status(404), "does not have it"), (Fault::Status(503), "status 503")] {
        let setup = setup(&[fault]);
        let error = setup.fetch(&Watcher::new()).await.expect_err("refused");
        assert!(matches!(error, EmbedError::Download(_)) && error.to_string().contains(words), "{error}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nobody = FastEmbedCatalogue::new(folder.path().into(), folder.path().join("models"));
    let nobody = nobody.with_endpoint("http://127.0.0.1:1");
    let error = nobody.fetch(&ModelId::new(NOMIC), Watcher::new()).await.expect_err("nobody there");
    assert!(matches!(error, EmbedError::Download(_)), "{error}");
    let error = nobody.fetch(&ModelId::new("no-such-model"), Watcher::new()).await.expect_err("unknown");
    assert!(matches!(error, EmbedError::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn a_second_download_of_the_same_model_is_refused_while_the_first_runs() {
    let setup = setup(&[Fault::Slow(20)]);
    let (one, two) = (Watcher::new(), Watcher::new());
    let (one, two) = tokio::join!(setup.fetch(&one), setup.fetch(&two));
    let refused = [one, two].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(refused.len() == 1 && refused[0].to_string().contains("already"), "{refused:?}");
    setup.assert_whole();
}

#[tokio::test]
async fn a_model_folder_that_cannot_be_created_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a-file");
    fs::write(&file, "in the way").expect("written");
    let hub = FakeHub::start(NOMIC_REPOSITORY, &small_files(), &[]);
    let catalogue = FastEmbedCatalogue::new(Path::new("none").into(), file).with_endpoint(hub.endpoint());
    let error = catalogue.fetch(&ModelId::new(NOMIC), Watcher::new()).await.expect_err("refused");
    assert!(matches!(error, EmbedError::Download(_)), "{error}");
    assert!(hub.requests().is_empty());
}
