//! The models on offer: what people are told about each, and how it has to be run.

use fastembed::Pooling;
use inklings_application::ports::embedding::CatalogueEntry;
use inklings_domain::embedding::ModelId;

use crate::files::{Prefixes, Recipe};

/// The id of the model that ships with the app.
pub const BUNDLED: &str = "all-MiniLM-L6-v2";

/// The tokenizer's files, which every hub repository of these models has.
const TOKENIZER_FILES: [&str; 4] =
    ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];

/// One model of the catalogue.
pub(crate) struct Offer {
    /// Its id, also the name of its folder.
    pub id: &'static str,
    /// Components per vector.
    pub dimension: usize,
    /// True if it ships with the app.
    pub bundled: bool,
    /// The hub repository it comes from.
    pub repository: &'static str,
    /// The files of the model itself, within the repository; the graph first.
    model_files: &'static [&'static str],
    name: &'static str,
    size_mb: u32,
    license: &'static str,
    languages: &'static str,
    description: &'static str,
    text_tokens: usize,
    dynamically_quantised: bool,
    query_prefix: &'static str,
    document_prefix: &'static str,
}

static OFFERS: [Offer; 3] = [
    Offer {
        id: BUNDLED,
        dimension: 384,
        bundled: true,
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        model_files: &["onnx/model.onnx"],
        name: "all-MiniLM-L6-v2",
        size_mb: 91,
        license: "Apache-2.0",
        languages: "English",
        description: "Small and fast. Ships with the app, so search by meaning works with nothing to download.",
        text_tokens: 256, // what it was trained on; its config allows more, to no good
        dynamically_quantised: false,
        query_prefix: "",
        document_prefix: "",
    },
    Offer {
        id: "NomicEmbedTextV15Q",
        dimension: 768,
        bundled: false,
        repository: "nomic-ai/nomic-embed-text-v1.5",
        model_files: &["onnx/model_quantized.onnx"],
        name: "Nomic Embed Text v1.5",
        size_mb: 138,
        license: "Apache-2.0",
        languages: "English",
        description: "Finds more and reads longer entries whole; slower to prepare. Recommended for big worlds.",
        text_tokens: 512,
        dynamically_quantised: true,
        query_prefix: "search_query: ",
        document_prefix: "search_document: ",
    },
    Offer {
        id: "EmbeddingGemma300MQ4",
        dimension: 768,
        bundled: false,
        repository: "onnx-community/embeddinggemma-300m-ONNX",
        model_files: &["onnx/model_q4.onnx", "onnx/model_q4.onnx_data"],
        name: "EmbeddingGemma 300M",
        size_mb: 220,
        license: "LicenseRef-Gemma",
        languages: "More than 100 languages",
        description: "For worlds written in other languages than English, or in several. Google's Gemma terms apply.",
        text_tokens: 512,
        dynamically_quantised: false,
        query_prefix: "task: search result | query: ",
        document_prefix: "title: none | text: ",
    },
];

/// Every model on offer, the bundled one first.
pub(crate) fn offers() -> &'static [Offer] {
    &OFFERS
}

/// The offer with this id, in any case of letters.
pub(crate) fn offer(id: &ModelId) -> Option<&'static Offer> {
    OFFERS.iter().find(|offer| offer.id.eq_ignore_ascii_case(id.as_str()))
}

impl Offer {
    /// The id as the domain's type.
    pub(crate) fn model_id(&self) -> ModelId {
        ModelId::new(self.id)
    }

    /// What people are told about it.
    pub(crate) fn entry(&self) -> CatalogueEntry {
        CatalogueEntry {
            id: self.model_id(),
            name: self.name.into(),
            dimension: self.dimension,
            size_mb: self.size_mb,
            license: self.license.into(),
            languages: self.languages.into(),
            description: self.description.into(),
            bundled: self.bundled,
        }
    }

    /// The files to download, the small ones first.
    pub(crate) fn downloads(&self) -> Vec<&'static str> {
        TOKENIZER_FILES.iter().chain(self.model_files).copied().collect()
    }

    /// How its files are to be run.
    pub(crate) fn recipe(&self) -> Recipe {
        Recipe {
            pooling: Pooling::Mean,
            dynamically_quantised: self.dynamically_quantised,
            text_tokens: self.text_tokens,
            prefixes: Prefixes { query: self.query_prefix.into(), document: self.document_prefix.into() },
        }
    }

    /// The graph's place in a folder that was downloaded.
    pub(crate) fn graph(&self) -> &'static str {
        self.model_files[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found_in_any_case() {
        for offer in offers() {
            let same = |other: &&Offer| other.id.eq_ignore_ascii_case(offer.id);
            assert_eq!(offers().iter().filter(same).count(), 1);
        }
        assert_eq!(
            offer(&ModelId::new("nomicembedtextv15q")).map(|offer| offer.id),
            Some("NomicEmbedTextV15Q")
        );
        assert!(offer(&ModelId::new("unknown")).is_none());
    }

    #[test]
    fn exactly_one_model_is_bundled() {
        let bundled: Vec<_> = offers().iter().filter(|offer| offer.bundled).map(|offer| offer.id).collect();
        assert_eq!(bundled, [BUNDLED]);
    }
}
