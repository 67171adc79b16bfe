//! The bundled model: what its vectors are, and how it behaves under load.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue};
use inklings_ports::model::embedding::{EmbedError, ModelCatalogue};

use crate::support::{bundled, cosine, resources};

/// The first eight components of unit vectors, computed in double precision straight from the published weights
/// by an implementation that shares nothing with this one.
const REFERENCE: [(&str, [f32; 8]); 5] = [
    (
        "The lighthouse keeper hid the silver key beneath the chapel floor.",
        [-0.008_554, 0.065_918, -0.004_668, 0.095_692, 0.033_999, 0.053_645, 0.060_028, 0.014_036],
    ),
    (
        "A dragon sleeps under the northern mountain.",
        [-0.059_865, 0.100_112, 0.013_186, 0.092_181, -0.011_513, -0.034_615, -0.021_117, -0.029_321],
    ),
    (
        "Où est la bibliothèque? ☃ 雪",
        [0.004_028, -0.070_418, -0.011_643, 0.007_843, 0.022_852, 0.060_508, 0.030_905, 0.025_488],
    ),
    ("", [-0.118_838, 0.048_299, -0.002_548, -0.011_011, 0.051_951, 0.010_292, 0.115_433, 0.000_701]),
    // More than the model reads: 600 words, of which it takes 254 tokens.
    ("LONG", [-0.029_745, 0.035_371, 0.065_759, -0.047_234, -0.008_437, 0.017_696, -0.055_774, -0.091_712]),
];

fn text(name: &str) -> String {
    if name == "LONG" {
        vec!["the tide took the harbour wall and nobody rebuilt it"; 60].join(" ")
    } else {
        name.into()
    }
}

fn assert_reference(vector: &[f32], name: &str, wanted: &[f32; 8]) {
    assert_eq!(vector.len(), 384);
    let length = cosine(vector, vector).sqrt();
    assert!((length - 1.0).abs() < 1e-5, "{name:?} has length {length}");
    for (at, (got, wanted)) in vector.iter().zip(wanted).enumerate() {
        assert!((got - wanted).abs() < 1e-4, "{name:?}, component {at}: {got} instead of {wanted}");
    }
}

#[tokio::test]
async fn vectors_equal_the_reference() {
    let model = bundled().await;
    assert_eq!(model.model().id.as_str(), BUNDLED);
    assert_eq!(model.model().dimension, 384);
    for (name, wanted) in &REFERENCE {
        let vector = model.embed_query(&text(name)).await.expect("embeds");
        assert_reference(&vector.vector, name, wanted);
    }
}

#[tokio::test]
async fn a_batch_gives_the_same_vectors_in_the_order_asked() {
    let model = bundled().await;
    // Sorted by length inside, so the order must be restored; and padded, which must not show.
    let texts: Vec<String> = (0..4).flat_map(|_| REFERENCE.iter().map(|(name, _)| text(name))).collect();
    let vectors = model.embed_documents(&texts).await.expect("embeds");
    assert_eq!(vectors.len(), texts.len());
    for (at, vector) in vectors.iter().enumerate() {
        let (name, wanted) = &REFERENCE[at % REFERENCE.len()];
        assert_reference(&vector.vector, name, wanted);
    }
    assert!(model.embed_documents(&[]).await.expect("nothing to do").is_empty());
}

#[tokio::test]
async fn meaning_is_nearer_than_words() {
    let model = bundled().await;
    let memories = [
        "Captain Ilse Varn lost her left hand to frostbite in the pass.",
        "The bakery on Chandler Street opens before dawn.",
        "Queen Odile outlawed the worship of the river gods.",
        "The northern mine collapsed and forty workers died.",
    ];
    let vectors = model.embed_documents(&memories.map(str::to_owned)).await.expect("embeds");
    for (query, wanted) in [
        ("which officer was maimed by the cold", 0),
        ("where can I buy bread early in the morning", 1),
        ("a monarch bans a religion", 2),
        ("an accident underground with many victims", 3),
    ] {
        let query_vector = model.embed_query(query).await.expect("embeds");
        let scores: Vec<f32> =
            vectors.iter().map(|vector| cosine(&query_vector.vector, &vector.vector)).collect();
        let best = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        assert_eq!(best, Some(wanted), "{query:?}: {scores:?}");
    }
}

#[tokio::test]
async fn each_word_piece_of_a_short_text_has_a_code_by_its_meaning() {
    let model = bundled().await;
    let texts = ["boat", "ship", "bakery", "The boat has sunk near the bakery."].map(str::to_owned);
    let made = model.embed_documents(&texts).await.expect("embeds");
    let lengths: Vec<usize> = made.iter().map(|one| one.words.len()).collect();
    assert_eq!(lengths, [1, 1, 1, 8], "seven words and a full stop");
    let equal = |a: &[u64], b: &[u64]| 384 - a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
    let code = |at: usize| made[at].words.each().next().expect("a code");
    assert!(equal(code(0), code(1)) > equal(code(0), code(2)) + 20);
    let nearest = (0..8).max_by_key(|at| equal(code(0), made[3].words.each().nth(*at).expect("a code")));
    assert_eq!(nearest, Some(1), "the boat in the sentence");
    // Those of a query alone, and of texts that were padded, differ in what rounding does to numbers near 0.
    for (text, one) in texts.iter().zip(&made) {
        let alone = model.embed_query(text).await.expect("embeds").words;
        assert_eq!(alone.len(), one.words.len());
        assert!(alone.each().zip(one.words.each()).all(|(a, b)| equal(a, b) > 380), "{text}");
    }
    let long = model.embed_query(&"word ".repeat(129)).await.expect("embeds");
    assert!(long.words.is_empty(), "a long text is compared by its passages");
    assert_eq!(model.embed_query(&"word ".repeat(128)).await.expect("embeds").words.len(), 128);
}

#[tokio::test]
async fn any_text_has_a_vector() {
    let model = bundled().await;
    let texts: Vec<String> = [
        "\0",
        "a\0b",
        "\u{202e}txet desrever\u{202c}",
        "👩‍👩‍👧‍👦🏴‍☠️",
        "%_*\"()^:-",
        " \t\r\n",
        "\u{fffd}",
        "[CLS] [SEP] [PAD] [MASK]",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(["x".repeat(64 * 1024), "word ".repeat(13_000), "雪".repeat(20_000), " ".repeat(64 * 1024)])
    .collect();
    for vector in model.embed_documents(&texts).await.expect("embeds") {
        assert!((cosine(&vector.vector, &vector.vector) - 1.0).abs() < 1e-4);
    }
    let long = model.embed_query(&"?".repeat(10_000)).await.expect("embeds");
    assert!(long.vector.iter().all(|component| component.is_finite()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_does_not_wait_for_the_documents_before_it() {
    let model = bundled().await;
    let texts: Vec<String> = (0..3_000).map(|at| format!("{at} {}", text("LONG"))).collect();
    let documents = tokio::spawn({
        let model = Arc::clone(&model);
        async move { model.embed_documents(&texts).await.map(|vectors| vectors.len()) }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    for at in 0..5 {
        model.embed_query(&format!("who broke the wall {at}")).await.expect("embeds");
    }
    assert!(!documents.is_finished(), "the queries waited for the documents");
    documents.abort(); // and the engine stops working on them
    let started = Instant::now();
    model.embed_documents(&["short".into()]).await.expect("embeds");
    // The rest of the documents takes minutes.
    assert!(started.elapsed() < Duration::from_secs(30), "an abandoned job still ran");
}

#[tokio::test]
async fn a_query_asked_again_costs_nothing() {
    let model = bundled().await;
    let text = "the seventh bell of the drowned abbey";
    let first = model.embed_query(text).await.expect("embeds");
    let started = Instant::now();
    for at in 0..50 {
        model.embed_query(&format!("{text} {at}")).await.expect("embeds");
    }
    let different = started.elapsed();
    let started = Instant::now();
    for _ in 0..1_000 {
        assert_eq!(model.embed_query(text).await.expect("embeds"), first);
    }
    let same = started.elapsed();
    assert!(same < different * 10, "1,000 times the same: {same:?}; 50 different: {different:?}");
}

#[tokio::test]
async fn the_catalogue_offers_the_bundled_model_and_two_more() {
    let catalogue = FastEmbedCatalogue::new(resources(), PathBuf::from("/nonexistent"));
    let entries = catalogue.entries();
    let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, [BUNDLED, "NomicEmbedTextV15Q", "EmbeddingGemma300MQ4"]);
    assert!(entries[0].bundled && entries[0].dimension == 384 && entries[0].license == "Apache-2.0");
    let installed: Vec<bool> = entries.iter().map(|entry| catalogue.is_installed(&entry.id)).collect();
    assert_eq!(installed, [true, false, false]);
    let unknown = catalogue.load(&ModelId::new("no-such-model")).await.err();
    assert!(matches!(unknown, Some(EmbedError::Unavailable(_))));
    // The bundled model is there already: nothing to download, no request.
    let offline = catalogue.with_endpoint("http://127.0.0.1:1");
    offline.fetch(&ModelId::new(BUNDLED), crate::support::Watcher::new()).await.expect("nothing to do");
}

#[tokio::test]
async fn two_threads_give_the_same_vectors() {
    let catalogue = FastEmbedCatalogue::new(resources(), PathBuf::from("/nonexistent")).with_threads(2);
    let model = catalogue.load(&ModelId::new(BUNDLED)).await.expect("loads");
    let (name, wanted) = &REFERENCE[0];
    assert_reference(&model.embed_query(name).await.expect("embeds").vector, name, wanted);
}
