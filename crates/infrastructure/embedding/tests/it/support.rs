//! What the tests share: the real resources, a loaded model, and a progress that can cancel.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue, Pin, PinnedFile, library_path, resources_dir};
use inklings_ports::{
    model::embedding::{Embedder, ModelCatalogue},
    progress::Progress,
};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

/// The files of the bundled model.
pub const MODEL_FILES: [&str; 6] = [
    "model.onnx",
    "model.onnx_data",
    "tokenizer.json",
    "config.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
];

/// The real resources.
pub fn resources() -> PathBuf {
    let resources = resources_dir();
    let model = resources.join("models").join(BUNDLED).join("model.onnx");
    assert!(
        library_path(&resources).is_file() && model.is_file(),
        "the embedding resources are not in {}: run scripts/setup-model.sh",
        resources.display()
    );
    resources
}

/// The bundled model's folder.
pub fn bundled_folder() -> PathBuf {
    resources().join("models").join(BUNDLED)
}

/// The bundled model, loaded once for all tests.
pub async fn bundled() -> Arc<dyn Embedder> {
    static MODEL: OnceCell<Arc<dyn Embedder>> = OnceCell::const_new();
    let load = || async {
        let catalogue = FastEmbedCatalogue::new(resources(), PathBuf::from("/nonexistent"));
        catalogue.load(&ModelId::new(BUNDLED)).await.expect("the bundled model loads")
    };
    MODEL.get_or_init(load).await.clone()
}

/// Resources with the real library and no model.
pub fn resources_without_model(folder: &Path) -> PathBuf {
    let library = library_path(&resources());
    let copy = library_path(folder);
    std::fs::create_dir_all(copy.parent().expect("has a parent")).expect("a folder");
    std::fs::hard_link(&library, &copy)
        .or_else(|_| std::fs::copy(&library, &copy).map(drop))
        .expect("the library");
    folder.to_owned()
}

/// The cosine of two unit vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Pins files to what they are. Leaked: a pin is static, and a test is short.
pub fn pin(revision: &'static str, files: &[(&str, Vec<u8>)]) -> Pin {
    let pinned = |(path, content): &(&str, Vec<u8>)| PinnedFile {
        path: path.to_string().leak(),
        size: content.len() as u64,
        sha256: format!("{:x}", Sha256::digest(content)).leak(),
    };
    Pin { revision, files: files.iter().map(pinned).collect::<Vec<_>>().leak() }
}

/// Remembers what it was told, and cancels after a number of bytes.
pub struct Watcher {
    cancel_after: u64,
    pub downloaded: AtomicU64,
    pub total: AtomicU64,
    pub reports: AtomicU64,
    pub went_back: AtomicBool,
}

impl Watcher {
    pub fn new() -> Arc<Self> {
        Self::cancelling_after(u64::MAX)
    }

    pub fn cancelling_after(bytes: u64) -> Arc<Self> {
        let (downloaded, total, reports, went_back) = Default::default();
        Arc::new(Self { cancel_after: bytes, downloaded, total, reports, went_back })
    }
}

impl Progress for Watcher {
    fn report(&self, downloaded: u64, total: u64) {
        let before = self.downloaded.swap(downloaded, Ordering::SeqCst);
        assert!(downloaded <= total, "{downloaded} of {total}");
        self.went_back.fetch_or(downloaded < before, Ordering::SeqCst);
        self.total.store(total, Ordering::SeqCst);
        self.reports.fetch_add(1, Ordering::SeqCst);
    }

    fn cancelled(&self) -> bool {
        self.downloaded.load(Ordering::SeqCst) >= self.cancel_after
    }
}
