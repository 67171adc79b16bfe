//! What entries were made of, read by their sources.

use inklings_domain::{
    derivation::{Derivation, SourceKind},
    memory::MemoryDraft,
    scope::Place,
};
use inklings_ports::{
    clock::IdGenerator,
    derivation::MadeOf,
    testing::builders::{author, draft},
};

use super::CheckedStage;

/// The id under which the source of a derivation is looked up, and the mark of the derivation.
fn source_and_mark(derivation: &Derivation) -> (String, String) {
    match derivation {
        Derivation::Message(id) => (id.to_string(), String::new()),
        Derivation::Memory { id, version } => (id.to_string(), version.to_string()),
        Derivation::Fact { id, version } => (id.to_string(), version.to_string()),
        Derivation::File { hash, .. } => (hash.clone(), String::new()),
        Derivation::Page { id, hash } => (id.to_string(), hash.clone()),
    }
}

/// An entry of an import has one source, others have several, and a file may have had two names.
#[tokio::test]
async fn an_entry_is_found_by_each_of_its_sources_however_many_it_has() {
    let stage = CheckedStage::new().await;
    let ids = &stage.scribe.ids;
    let file = |name: &str| Derivation::File { name: name.to_owned(), hash: "5e".repeat(32) };
    let each = [
        Derivation::Message(ids.message_id()),
        Derivation::Memory { id: ids.memory_id(), version: 3 },
        Derivation::Fact { id: ids.fact_id(), version: 2 },
        file("aldmoor.json"),
        Derivation::Page { id: ids.page_id(), hash: "0f".repeat(16) },
    ];
    let alone = each.iter().map(|derivation| vec![derivation.clone()]);
    let together = [Vec::new(), vec![file("a.json"), file("},{")], each.to_vec()];
    for derivations in alone.chain(together) {
        let made = MemoryDraft { derivations: derivations.clone(), ..draft(Place::Workspace, "The gate.") };
        let entry = stage.write_one(author(), made).await;
        for kind in SourceKind::ALL {
            let own = || derivations.iter().filter(|derivation| derivation.kind() == *kind);
            let mut expected: Vec<MadeOf> = own()
                .map(source_and_mark)
                .map(|(source, mark)| MadeOf { entry: entry.id, source, mark })
                .collect();
            expected.dedup();
            let sources: Vec<String> = each.iter().map(|derivation| source_and_mark(derivation).0).collect();
            let found = stage.memory().derivations.made_of(*kind, &sources).await.expect("read");
            let found: Vec<MadeOf> = found.into_iter().filter(|made| made.entry == entry.id).collect();
            assert_eq!(found, expected, "{derivations:?}");
        }
    }
}
