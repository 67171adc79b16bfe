//! The offered models, with their descriptions and the settings to run them with.

use fastembed::Pooling;
use inklings_domain::memory::embedding::ModelId;
use inklings_ports::model::embedding::CatalogueEntry;

use crate::files::{Prefixes, Recipe};

/// The id of the model that ships with the app.
pub const BUNDLED: &str = "all-MiniLM-L6-v2";

/// The reviewed files of a model. A download yields exactly these bytes or fails.
#[derive(Debug, Clone, Copy)]
pub struct Pin {
    /// The commit of the hub repository.
    pub revision: &'static str,
    /// The files, small ones first.
    pub files: &'static [PinnedFile],
}

/// One file of a [`Pin`].
#[derive(Debug, Clone, Copy)]
pub struct PinnedFile {
    /// Path within the repository.
    pub path: &'static str,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the content, in lower-case hexadecimal digits.
    pub sha256: &'static str,
}

const fn pinned(path: &'static str, size: u64, sha256: &'static str) -> PinnedFile {
    PinnedFile { path, size, sha256 }
}

/// One offered model.
pub(crate) struct Offer {
    /// Id, also the name of its folder.
    pub id: &'static str,
    /// Components per vector.
    pub dimension: usize,
    /// True if it ships with the app.
    pub bundled: bool,
    /// The hub repository it comes from.
    pub repository: &'static str,
    /// The files to download.
    pub pin: Pin,
    /// Path of the graph among those files.
    graph: &'static str,
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
        pin: Pin {
            revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
            files: &[
                pinned(
                    "tokenizer.json",
                    466_247,
                    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                ),
                pinned(
                    "config.json",
                    612,
                    "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                ),
                pinned(
                    "special_tokens_map.json",
                    112,
                    "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
                ),
                pinned(
                    "tokenizer_config.json",
                    350,
                    "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                ),
                pinned(
                    "onnx/model.onnx",
                    90_405_214,
                    "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
                ),
            ],
        },
        graph: "onnx/model.onnx",
        name: "all-MiniLM-L6-v2",
        size_mb: 91,
        license: "Apache-2.0",
        languages: "English",
        description: "Small and fast. Ships with the app, so search by meaning works with nothing to download.",
        text_tokens: 256, // the training length; its config allows more, but that does not help
        dynamically_quantised: false,
        query_prefix: "",
        document_prefix: "",
    },
    Offer {
        id: "NomicEmbedTextV15Q",
        dimension: 768,
        bundled: false,
        repository: "nomic-ai/nomic-embed-text-v1.5",
        pin: Pin {
            revision: "e9b6763023c676ca8431644204f50c2b100d9aab",
            files: &[
                pinned(
                    "tokenizer.json",
                    711_396,
                    "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
                ),
                pinned(
                    "config.json",
                    2_538,
                    "9ab00bd92cee80a569f708140b7b6c1661a65891ff3765b1519e181ba2f2c92b",
                ),
                pinned(
                    "special_tokens_map.json",
                    695,
                    "5d5b662e421ea9fac075174bb0688ee0d9431699900b90662acd44b2a350503a",
                ),
                pinned(
                    "tokenizer_config.json",
                    1_191,
                    "d7e0000bcc80134debd2222220427e6bf5fa20a669f40a0d0d1409cc18e0a9bc",
                ),
                pinned(
                    "onnx/model_quantized.onnx",
                    137_296_292,
                    "b4342336debaea79de872370664b0aaeb67dea4605513d00ee236ea871a81f27",
                ),
            ],
        },
        graph: "onnx/model_quantized.onnx",
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
        pin: Pin {
            revision: "5090578d9565bb06545b4552f76e6bc2c93e4a66",
            files: &[
                pinned(
                    "config.json",
                    1_765,
                    "6e1f06404b7163e0325ed2ea3e6781cde50f4a50b31780a95ad0d30e8404d77b",
                ),
                pinned(
                    "special_tokens_map.json",
                    662,
                    "2f7b0adf4fb469770bb1490e3e35df87b1dc578246c5e7e6fc76ecf33213a397",
                ),
                pinned(
                    "tokenizer_config.json",
                    1_156_830,
                    "3ca953eea6c3c9fcda9cf3df22949ff18b216f7c74bd6459230f3f1013953f3a",
                ),
                pinned(
                    "tokenizer.json",
                    20_323_312,
                    "4dda02faaf32bc91031dc8c88457ac272b00c1016cc679757d1c441b248b9c47",
                ),
                pinned(
                    "onnx/model_q4.onnx",
                    519_322,
                    "ad1dfee81a70f7944b9b9d1cc6e48075b832881cf33fab2f2b248be78f3f0043",
                ),
                pinned(
                    "onnx/model_q4.onnx_data",
                    196_725_760,
                    "599962c3143b040de2dd05e5975be3e9091dd067cacc6a8f7186e3203bab9e02",
                ),
            ],
        },
        graph: "onnx/model_q4.onnx",
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

/// All offered models, the bundled one first.
pub(crate) fn offers() -> &'static [Offer] {
    &OFFERS
}

/// The offer with this id, regardless of case.
pub(crate) fn offer(id: &ModelId) -> Option<&'static Offer> {
    OFFERS.iter().find(|offer| offer.id.eq_ignore_ascii_case(id.as_str()))
}

impl Offer {
    pub(crate) fn model_id(&self) -> ModelId {
        ModelId::new(self.id)
    }

    /// The catalogue entry to show to people.
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

    /// The settings to run it with.
    pub(crate) fn recipe(&self) -> Recipe {
        Recipe {
            pooling: Pooling::Mean,
            dynamically_quantised: self.dynamically_quantised,
            text_tokens: self.text_tokens,
            prefixes: Prefixes { query: self.query_prefix.into(), document: self.document_prefix.into() },
        }
    }

    /// The path of the graph in a downloaded folder.
    pub(crate) fn graph(&self) -> &'static str {
        self.graph
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
    fn every_offer_is_pinned_to_a_commit_and_every_file_of_it_to_a_digest() {
        let hexadecimal = |text: &str, length| {
            text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        for offer in offers() {
            let Pin { revision, files } = offer.pin;
            assert!(hexadecimal(revision, 40), "{}", offer.id);
            assert!(files.iter().all(|file| hexadecimal(file.sha256, 64) && file.size > 0), "{}", offer.id);
            let tokenizer =
                ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];
            for path in tokenizer.into_iter().chain([offer.graph()]) {
                assert_eq!(files.iter().filter(|file| file.path == path).count(), 1, "{} {path}", offer.id);
            }
            let megabytes = files.iter().map(|file| file.size).sum::<u64>().div_ceil(1_000_000);
            assert!(offer.size_mb.abs_diff(u32::try_from(megabytes).expect("small")) <= 2, "{megabytes}");
        }
    }

    #[test]
    fn exactly_one_model_is_bundled() {
        let bundled: Vec<_> = offers().iter().filter(|offer| offer.bundled).map(|offer| offer.id).collect();
        assert_eq!(bundled, [BUNDLED]);
    }
}
