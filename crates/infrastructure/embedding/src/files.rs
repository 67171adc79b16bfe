//! Finds and reads the files of a model folder, including the settings to run it with.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use fastembed::{Pooling, TokenizerFiles, UserDefinedEmbeddingModel};
use inklings_ports::model::embedding::EmbedError;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Maximum tokens per text for a model with unknown limit.
const DEFAULT_TEXT_TOKENS: usize = 512;

/// Prefixes that a model expects before a text. Some models are trained to distinguish queries from documents by
/// them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prefixes {
    pub query: String,
    pub document: String,
}

/// The settings to run a model with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// How token vectors are combined into one vector.
    pub pooling: Pooling,
    /// True if quantisation scales depend on the whole call, so that texts of one call affect one another.
    pub dynamically_quantised: bool,
    /// Maximum tokens of a text; the model ignores the rest.
    pub text_tokens: usize,
    pub prefixes: Prefixes,
}

/// The existing files of one model.
#[derive(Debug, Clone)]
pub(crate) struct ModelFiles {
    folder: PathBuf,
    graph: PathBuf,
    weights: Vec<PathBuf>,
    mapped: bool,
}

impl ModelFiles {
    /// Finds the files of the model in `folder`. The graph is `graph` if given, else `model.onnx`, `onnx/model.onnx`,
    /// or the first other `model*.onnx` in either place.
    ///
    /// # Errors
    /// [`EmbedError::Unavailable`], naming the missing file.
    pub(crate) fn find(folder: &Path, graph: Option<&str>) -> Result<Self, EmbedError> {
        if !folder.is_dir() {
            return Err(unavailable(folder, "is not a folder"));
        }
        let graph = match graph {
            Some(name) => Some(folder.join(name)).filter(|path| path.is_file()),
            None => find_graph(folder),
        };
        let missing: Vec<&str> = [("model.onnx", graph.is_some())]
            .into_iter()
            .chain(
                ["tokenizer.json", "config.json", "tokenizer_config.json"]
                    .map(|name| (name, folder.join(name).is_file())),
            )
            .filter_map(|(name, there)| (!there).then_some(name))
            .collect();
        match graph {
            Some(graph) if missing.is_empty() => {
                let weights = find_weights(&graph);
                Ok(Self { folder: folder.to_owned(), graph, weights, mapped: false })
            }
            _ => Err(unavailable(folder, &format!("has no {}", missing.join(", ")))),
        }
    }

    /// Has weight files mapped into memory instead of read: loading is four times as fast and needs a third of the
    /// memory. Only for files that nobody writes into while they are in use, because that would end the process. Links
    /// are still read: ONNX Runtime refuses those that leave the folder.
    #[must_use]
    pub(crate) fn mapped(self) -> Self {
        let mapped = !self.weights.iter().any(|path| path.is_symlink());
        Self { mapped, ..self }
    }

    /// The folder in which ONNX Runtime finds the weight files by itself, if they are mapped.
    pub(crate) fn mapped_folder(&self) -> Option<&str> {
        let folder = self.graph.parent().and_then(Path::to_str);
        folder.filter(|_| self.mapped && !self.weights.is_empty())
    }

    /// The settings from the files beside the graph, with defaults for missing ones.
    pub(crate) fn recipe(&self) -> Recipe {
        let pooling = self.json("1_Pooling/config.json");
        let name =
            self.graph.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let prompts = self.json("config_sentence_transformers.json");
        let prompt = |names: &[&str]| {
            let found = names.iter().find_map(|name| prompts["prompts"][name].as_str());
            found.unwrap_or_default().to_owned()
        };
        let limit = self.json("sentence_bert_config.json")["max_seq_length"].as_u64();
        let limit = limit.and_then(|tokens| usize::try_from(tokens).ok()).filter(|tokens| *tokens >= 8);
        Recipe {
            pooling: if pooling["pooling_mode_cls_token"] == true { Pooling::Cls } else { Pooling::Mean },
            dynamically_quantised: ["quantized", "int8", "uint8"].iter().any(|mark| name.contains(mark)),
            text_tokens: limit.unwrap_or(DEFAULT_TEXT_TOKENS).min(DEFAULT_TEXT_TOKENS),
            prefixes: Prefixes {
                query: prompt(&["query", "search_query"]),
                document: prompt(&["document", "passage", "search_document"]),
            },
        }
    }

    /// Reads all files into memory for the library, except mapped weights.
    ///
    /// # Errors
    /// [`EmbedError::Unavailable`], naming the file that cannot be read.
    pub(crate) fn read(&self, recipe: &Recipe) -> Result<UserDefinedEmbeddingModel, EmbedError> {
        let special_tokens = self.folder.join("special_tokens_map.json");
        let tokenizer = TokenizerFiles {
            tokenizer_file: read(&self.folder.join("tokenizer.json"))?,
            config_file: read(&self.folder.join("config.json"))?,
            // Newer tokenizers keep everything in tokenizer.json and have no such file.
            special_tokens_map_file: if special_tokens.is_file() {
                read(&special_tokens)?
            } else {
                b"{}".to_vec()
            },
            tokenizer_config_file: read(&self.folder.join("tokenizer_config.json"))?,
        };
        let mut model = UserDefinedEmbeddingModel::new(read(&self.graph)?, tokenizer)
            .with_pooling(recipe.pooling.clone());
        let read_weights = if self.mapped_folder().is_some() { &[] } else { self.weights.as_slice() };
        for path in read_weights {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            model = model.with_external_initializer(name, read(path)?);
        }
        Ok(model)
    }

    /// The first 8 hexadecimal digits of the digest of graph and weights, to distinguish models of the same name.
    ///
    /// # Errors
    /// [`EmbedError::Unavailable`] if they cannot be read.
    pub(crate) fn fingerprint(&self) -> Result<String, EmbedError> {
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        for path in [&self.graph].into_iter().chain(&self.weights) {
            let mut file = inklings_files::open_linked(path).map_err(|error| unreadable(path, &error))?;
            loop {
                let count = file.read(&mut buffer).map_err(|error| unreadable(path, &error))?;
                if count == 0 {
                    break;
                }
                digest.update(&buffer[..count]);
            }
        }
        Ok(hex(digest)[..8].to_owned())
    }

    fn json(&self, name: &str) -> Value {
        inklings_files::read_linked(&self.folder.join(name))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }
}

pub(crate) fn hex(digest: Sha256) -> String {
    format!("{:x}", digest.finalize())
}

/// An error about a model folder.
pub(crate) fn unavailable(folder: &Path, problem: &str) -> EmbedError {
    EmbedError::Unavailable(format!("{} {problem}", folder.display()))
}

fn find_graph(folder: &Path) -> Option<PathBuf> {
    let places = [folder.to_owned(), folder.join("onnx")];
    let plain = places.iter().map(|place| place.join("model.onnx")).find(|path| path.is_file());
    plain.or_else(|| places.iter().find_map(|place| first_variant(place)))
}

/// The alphabetically first `model*.onnx`: any variant works, but the choice must be stable.
fn first_variant(place: &Path) -> Option<PathBuf> {
    files_in(place).into_iter().find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("model") && path.extension().is_some_and(|extension| extension == "onnx")
    })
}

/// Weight files beside a graph, by the customary names: `model.onnx_data`, `model.onnx.data`, `model.onnx_data_1`.
fn find_weights(graph: &Path) -> Vec<PathBuf> {
    let stem = graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let belongs = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_prefix(&stem).is_some_and(|rest| rest.starts_with("_data") || rest.starts_with(".data"))
    };
    graph.parent().map(files_in).unwrap_or_default().into_iter().filter(belongs).collect()
}

fn files_in(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Result<Vec<u8>, EmbedError> {
    inklings_files::read_linked(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> EmbedError {
    unavailable(path, &format!("cannot be read ({error})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("a folder");
            fs::write(path, content).expect("written");
        }
        folder
    }

    const TOKENIZER: [(&str, &str); 3] =
        [("tokenizer.json", "{}"), ("config.json", "{}"), ("tokenizer_config.json", "{}")];

    fn problem(folder: &Path) -> String {
        ModelFiles::find(folder, None).expect_err("refused").to_string()
    }

    #[test]
    fn each_missing_file_is_named() {
        let empty = folder(&[]);
        let message = problem(empty.path());
        for name in ["model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json"] {
            assert!(message.contains(name), "{message}");
        }
        assert!(problem(&empty.path().join("nowhere")).contains("is not a folder"));
        let tokenizer = folder(&TOKENIZER);
        assert!(problem(tokenizer.path()).ends_with("has no model.onnx"));
    }

    #[test]
    fn the_graph_is_found_in_both_locations() {
        for (files, wanted) in [
            (vec!["model.onnx", "onnx/model.onnx"], "model.onnx"),
            (vec!["onnx/model_q4.onnx", "onnx/model.onnx"], "onnx/model.onnx"),
            (vec!["onnx/model_q4.onnx", "onnx/model_fp16.onnx", "onnx/other.onnx"], "onnx/model_fp16.onnx"),
        ] {
            let content: Vec<_> = files.iter().map(|name| (*name, "")).chain(TOKENIZER).collect();
            let folder = folder(&content);
            let found = ModelFiles::find(folder.path(), None).expect("found");
            assert_eq!(found.graph, folder.path().join(wanted));
        }
    }

    #[test]
    fn weights_next_to_the_graph_belong_to_it() {
        let names =
            ["onnx/model.onnx", "onnx/model.onnx_data", "onnx/model.onnx_data_1", "onnx/model_q4.onnx_data"];
        let content: Vec<_> = names.iter().map(|name| (*name, "")).chain(TOKENIZER).collect();
        let folder = folder(&content);
        let found = ModelFiles::find(folder.path(), None).expect("found");
        assert_eq!(
            found.weights,
            ["onnx/model.onnx_data", "onnx/model.onnx_data_1"].map(|name| folder.path().join(name))
        );
    }

    #[test]
    fn the_recipe_follows_the_files() {
        let prompts = r#"{"prompts": {"query": "Q: ", "passage": "P: "}}"#;
        let content: Vec<_> = TOKENIZER
            .into_iter()
            .chain([
                ("model_quantized.onnx", ""),
                ("1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#),
                ("config_sentence_transformers.json", prompts),
                ("sentence_bert_config.json", r#"{"max_seq_length": 128}"#),
            ])
            .collect();
        let folder = folder(&content);
        let recipe = ModelFiles::find(folder.path(), None).expect("found").recipe();
        let prefixes = Prefixes { query: "Q: ".into(), document: "P: ".into() };
        assert_eq!(
            recipe,
            Recipe { pooling: Pooling::Cls, dynamically_quantised: true, text_tokens: 128, prefixes }
        );
    }

    #[test]
    fn the_recipe_of_bare_files_is_the_usual_one() {
        let content: Vec<_> = TOKENIZER.into_iter().chain([("model.onnx", "")]).collect();
        let folder = folder(&content);
        let recipe = ModelFiles::find(folder.path(), None).expect("found").recipe();
        let usual = Recipe {
            pooling: Pooling::Mean,
            dynamically_quantised: false,
            text_tokens: 512,
            prefixes: Prefixes::default(),
        };
        assert_eq!(recipe, usual);
    }

    #[test]
    fn models_of_the_same_name_have_different_fingerprints() {
        let print = |model: &str| {
            let content: Vec<_> = TOKENIZER.into_iter().chain([("model.onnx", model)]).collect();
            let folder = folder(&content);
            ModelFiles::find(folder.path(), None).expect("found").fingerprint().expect("read")
        };
        assert_eq!(print("a"), print("a"));
        assert_ne!(print("a"), print("b"));
        assert_eq!(print("a").len(), 8);
    }
}
