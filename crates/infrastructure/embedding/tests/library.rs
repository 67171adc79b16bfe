//! ONNX Runtime that is missing or broken. In a process of its own: a library, once loaded, stays.

use std::fs;
use std::path::{Path, PathBuf};

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue, library_path, resources_dir};
use inklings_ports::model::embedding::{EmbedError, ModelCatalogue};

async fn problem(resources: &Path) -> Option<String> {
    let catalogue = FastEmbedCatalogue::new(resources.to_owned(), PathBuf::from("/nonexistent"));
    match catalogue.load(&ModelId::new(BUNDLED)).await {
        Ok(embedder) => {
            embedder.embed_query("a lighthouse").await.expect("embeds");
            None
        }
        Err(EmbedError::Library(reason)) => Some(reason),
        Err(other) => panic!("another error: {other}"),
    }
}

#[tokio::test]
async fn a_missing_or_broken_library_is_an_error_that_can_be_repaired() {
    let real = resources_dir();
    let model = real.join("models").join(BUNDLED);
    assert!(
        library_path(&real).is_file() && model.join("model.onnx").is_file(),
        "the embedding resources are not in {}: run scripts/setup-model.sh",
        real.display()
    );
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("models").join(BUNDLED);
    fs::create_dir_all(&copy).expect("a folder");
    for entry in fs::read_dir(&model).expect("the model's folder").flatten() {
        fs::copy(entry.path(), copy.join(entry.file_name())).expect("copied");
    }
    let library = library_path(folder.path());
    fs::create_dir_all(library.parent().expect("has a parent")).expect("a folder");

    let reason = problem(folder.path()).await.expect("the library is missing");
    assert!(reason.contains("is missing"), "{reason}");
    for content in ["", "not a library at all"] {
        fs::write(&library, content).expect("written");
        assert!(problem(folder.path()).await.is_some(), "{content:?} was loaded");
    }
    fs::copy(library_path(&real), &library).expect("copied");
    assert_eq!(problem(folder.path()).await, None);
}
