//! "Use a model folder".

use std::fs;
use std::path::Path;

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue};
use inklings_ports::model::embedding::{EmbedError, ModelCatalogue};
use tempfile::TempDir;

use crate::support::{MODEL_FILES, bundled, bundled_folder, cosine, resources, resources_without_model};

fn catalogue() -> FastEmbedCatalogue {
    FastEmbedCatalogue::new(resources(), "/nonexistent".into())
}

/// A copy of the bundled model's folder called `name`, with the graph at `graph`.
fn copy(name: &str, graph: &str) -> (TempDir, std::path::PathBuf) {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join(name);
    for file in MODEL_FILES {
        let target = folder.join(file.replace("model.onnx", graph));
        fs::create_dir_all(target.parent().expect("has a parent")).expect("a folder");
        fs::copy(bundled_folder().join(file), target).expect("copied");
    }
    (parent, folder)
}

async fn refusal(folder: &Path) -> String {
    match catalogue().load_folder(folder).await {
        Err(EmbedError::Unavailable(reason)) => reason,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("{} was loaded", folder.display()),
    }
}

#[tokio::test]
async fn a_folder_in_the_hubs_layout_works() {
    let (_parent, folder) = copy("my model", "onnx/model.onnx");
    fs::remove_file(folder.join("special_tokens_map.json")).expect("removed"); // not everybody has one
    let embedder = catalogue().load_folder(&folder).await.expect("loads");
    let id = embedder.model().id;
    assert!(id.as_str().starts_with("folder:my model@"), "{id}");
    assert_eq!(embedder.model().dimension, 384);
    let text = "The smith forged three rings.";
    let here = embedder.embed_query(text).await.expect("embeds");
    assert!(
        cosine(&here.vector, &bundled().await.embed_query(text).await.expect("embeds").vector) > 0.999_999
    );
}

#[tokio::test]
async fn the_files_prompts_are_used() {
    let (_parent, folder) = copy("prompted", "model.onnx");
    fs::write(folder.join("config_sentence_transformers.json"), r#"{"prompts": {"query": "dragon "}}"#)
        .expect("written");
    let embedder = catalogue().load_folder(&folder).await.expect("loads");
    let query = embedder.embed_query("cave").await.expect("embeds");
    let documents = embedder.embed_documents(&["dragon cave".into(), "cave".into()]).await.expect("embeds");
    assert!(cosine(&query.vector, &documents[0].vector) > 0.999_99);
    assert!(cosine(&query.vector, &documents[1].vector) < 0.99);
}

#[tokio::test]
async fn missing_files_are_named() {
    let (_parent, folder) = copy("incomplete", "model.onnx");
    fs::remove_file(folder.join("tokenizer.json")).expect("removed");
    assert!(refusal(&folder).await.ends_with("has no tokenizer.json"));
    assert!(refusal(&folder.join("nowhere")).await.contains("is not a folder"));
    assert!(refusal(&folder.join("model.onnx")).await.contains("is not a folder"));
}

#[tokio::test]
async fn a_file_that_is_no_graph_is_refused() {
    let (_parent, folder) = copy("broken", "model.onnx");
    for content in [&b""[..], b"not a graph at all", b"\x08\x08"] {
        fs::write(folder.join("model.onnx"), content).expect("written");
        assert!(refusal(&folder).await.contains("not a text embedding model"));
    }
}

/// Its files are read where the worldbuilder chose the folder, and mapped where it came with the app.
#[tokio::test]
async fn files_cut_off_in_the_middle_are_refused() {
    for (file, size) in [("model.onnx", 40_000), ("model.onnx_data", 40_000_000)] {
        let (parent, folder) = copy("cut", "model.onnx");
        let opened = fs::OpenOptions::new().write(true).open(folder.join(file)).expect("opens");
        opened.set_len(size).expect("cut");
        assert!(refusal(&folder).await.contains("not a text embedding model"), "{file}, chosen");

        let resources = resources_without_model(&parent.path().join("resources"));
        let shipped = resources.join("models").join(BUNDLED);
        fs::create_dir_all(resources.join("models")).expect("a folder");
        fs::rename(&folder, &shipped).expect("moved");
        let catalogue = FastEmbedCatalogue::new(resources, parent.path().join("none"));
        let error = catalogue.load(&ModelId::new(BUNDLED)).await.err().map(|error| error.to_string());
        assert!(error.is_some_and(|it| it.contains("not a text embedding model")), "{file}, shipped");
    }
}

#[tokio::test]
async fn a_graph_of_another_shape_is_refused() {
    let (_parent, folder) = copy("shape", "model.onnx");
    // The smallest valid graph: one float goes in and comes out. It has none of the inputs of a language model.
    let graph = b"\x08\x08:7\n\x10\n\x01x\x12\x01y\"\x08Identity\x12\x01g\
        Z\x0f\n\x01x\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01b\x0f\n\x01y\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01B\x04\n\x00\x10\x11";
    fs::write(folder.join("model.onnx"), graph).expect("written");
    let reason = refusal(&folder).await;
    assert!(reason.contains("not a text embedding model"), "{reason}");
    assert!(
        reason.to_lowercase().contains("input"),
        "the library saw a graph and missed its inputs: {reason}"
    );
}

#[tokio::test]
async fn a_file_that_is_no_tokenizer_is_refused() {
    let (_parent, folder) = copy("words", "model.onnx");
    fs::write(folder.join("tokenizer.json"), "{}").expect("written");
    assert!(refusal(&folder).await.contains("tokenizer.json"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_shipped_model_may_consist_of_links() {
    let parent = tempfile::tempdir().expect("a folder");
    let shipped = parent.path().join("models").join(BUNDLED);
    fs::create_dir_all(&shipped).expect("a folder");
    for file in MODEL_FILES {
        std::os::unix::fs::symlink(bundled_folder().join(file), shipped.join(file)).expect("linked");
    }
    let catalogue = FastEmbedCatalogue::new(resources_without_model(parent.path()), "/nonexistent".into());
    catalogue.load(&ModelId::new(BUNDLED)).await.expect("loads");
}
