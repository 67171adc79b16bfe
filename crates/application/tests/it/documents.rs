//! Searches over memories, messages and pages in one order.

use inklings_application::{
    search::{DocumentHit, DocumentSearch},
    testing::{pages::link_pages, world::everything},
};
use inklings_domain::{
    conversation::message::Role,
    memory::{MemoryDraft, Origin, embedding::dot},
    scope::Place,
    search::{
        document::{DocumentId, DocumentKind},
        query::QueryText,
        ranking::ListName,
    },
};
use inklings_ports::{
    search::transcript_store::TranscriptFilter,
    testing::builders::{author, draft},
    vault::filter::PageFilter,
};

use crate::support::World;

const QUERY: &str = "who holds the key of the iron gate";

fn search(kinds: &[DocumentKind]) -> DocumentSearch {
    DocumentSearch {
        query: QueryText::Typed(QUERY.to_owned()),
        memories: kinds.contains(&DocumentKind::Memory).then(everything),
        messages: kinds.contains(&DocumentKind::Message).then(TranscriptFilter::default),
        pages: kinds.contains(&DocumentKind::Page).then(|| PageFilter::through(None)),
        limit: 20,
        marked: true,
        ..DocumentSearch::default()
    }
}

async fn found(world: &World, search: DocumentSearch) -> Vec<(DocumentId, f64)> {
    let found = world.session.search().documents(search).await.expect("an answer");
    let hit = |hit: DocumentHit| match hit {
        DocumentHit::Memory(hit) => (DocumentId::Memory(hit.stored.entry.id), hit.score),
        DocumentHit::Message(hit) => (DocumentId::Message(hit.message.id()), hit.score),
        DocumentHit::Page(hit) => (DocumentId::Page(hit.page.row.id), hit.score),
    };
    found.hits.into_iter().map(hit).collect()
}

/// Memories, messages and pages that answer the query more or less well. Gives the best memory and the best message.
async fn world() -> (World, [DocumentId; 2]) {
    let world = World::new().await;
    let mut best = Vec::new();
    for text in [
        "Mira holds the key of the iron gate.",
        "The iron gate was forged in the year of the flood.",
        "Salt is sold by the gate.",
    ] {
        best.push(DocumentId::Memory(world.remember(draft(Place::Workspace, text), author()).await));
    }
    let conversation = world.conversation().await;
    for text in [
        "Toma told me last night that the key of the iron gate is with Mira, she holds it.",
        "The market was full of people.",
        "Nobody opens a gate of iron at night.",
    ] {
        let message = world.session.transcripts().add(&conversation, Role::User, text).await.expect("added");
        best.push(DocumentId::Message(message.id()));
    }
    let pages = [
        ("gates.md", "A gate of iron stands by the sea."),
        ("ropes.md", "Ropes are sold by the yard at the gate."),
    ];
    link_pages(&world.session, "Notes", &pages).await;
    (world, [best[0], best[3]])
}

#[tokio::test]
async fn documents_of_every_kind_stand_in_one_order() {
    let (world, best) = world().await;
    let both = found(&world, search(DocumentKind::ALL)).await;
    let first: Vec<DocumentId> = both.iter().take(2).map(|(id, _)| *id).collect();
    assert!(best.iter().all(|id| first.contains(id)), "{both:?}");
    assert!(both.is_sorted_by(|a, b| a.1 >= b.1));
    let weaker: Vec<DocumentKind> = both.iter().skip(2).map(|(id, _)| id.kind()).collect();
    assert!(DocumentKind::ALL.iter().all(|kind| weaker.contains(kind)), "{weaker:?}");
}

/// The name of a speaker says who, not what: it is left out of the query's vector.
#[tokio::test]
async fn a_query_is_compared_by_meaning_without_the_names_of_speakers() {
    let world = World::new().await;
    let text = "The lantern stands in the tower by the sea.";
    let origin = Origin { speaker: Some("Mira Vale".into()), session: Some("1".into()), ..Origin::default() };
    let statement = MemoryDraft { origin: Some(origin), ..draft(Place::Workspace, text) };
    let id = world.remember(statement, author()).await;
    world.embed().await;
    let query = "where is the lantern that Mira Vale lit in the tower";
    let search =
        DocumentSearch { query: QueryText::Typed(query.to_owned()), ..search(&[DocumentKind::Memory]) };
    let found = world.session.search().documents(search).await.expect("an answer");
    let Some(DocumentHit::Memory(hit)) = found.hits.first() else { panic!("{found:?}") };
    assert_eq!(hit.stored.entry.id, id);
    let meaning = hit.contributions.iter().find(|part| part.list == ListName::Meaning).expect("a cosine");
    let cosine = |query: &str| dot(&world.embedder.vector(text), &world.embedder.vector(query));
    let without = f64::from(cosine("where is the lantern that lit in the tower"));
    assert!((meaning.raw - without).abs() < 1e-5, "{} {without}", meaning.raw);
    assert!((without - f64::from(cosine(query))).abs() > 0.001, "with the name it would be another vector");
    assert!(hit.contributions.iter().any(|part| part.list == ListName::Speaker), "the name counts by itself");
}

#[tokio::test]
async fn a_kind_that_is_not_asked_for_is_not_found() {
    let (world, _) = world().await;
    for kind in DocumentKind::ALL {
        let only = found(&world, search(&[*kind])).await;
        assert!(!only.is_empty() && only.iter().all(|(id, _)| id.kind() == *kind));
    }
    assert!(found(&world, search(&[])).await.is_empty());
}

#[tokio::test]
async fn a_shorter_result_is_the_head_of_a_longer_one() {
    let (world, _) = world().await;
    let whole = found(&world, search(DocumentKind::ALL)).await;
    for limit in 1..=whole.len() {
        let short = found(&world, DocumentSearch { limit, ..search(DocumentKind::ALL) }).await;
        assert_eq!(short, whole[..limit]);
        let first = DocumentSearch { first: Some(limit), ..search(DocumentKind::ALL) };
        let first = world.session.search().documents(first).await.expect("an answer");
        assert_eq!((first.hits.len(), first.more), (limit, limit < whole.len()));
    }
}

#[tokio::test]
async fn each_kind_is_held_to_its_own_filter() {
    let (world, [memory, message]) = world().await;
    let id = memory.memory().expect("a memory");
    world.session.memories().forget(&[id], "no longer so", author()).await.expect("forgotten");
    let summary = world.session.workspace.transcript.messages(&[message.message().expect("a message")]).await;
    let conversation = summary.expect("read")[0].conversation;
    world.session.conversations().set_idle(conversation).await.expect("ended");
    world.session.conversations().archive(conversation).await.expect("archived");
    let kept = found(&world, search(DocumentKind::ALL)).await;
    assert!(
        !kept.is_empty() && kept.iter().all(|(id, _)| id.message().is_none() && *id != memory),
        "{kept:?}"
    );
    let archived = TranscriptFilter { archived: true, ..TranscriptFilter::default() };
    let with_archived = DocumentSearch { messages: Some(archived), ..search(DocumentKind::ALL) };
    assert!(found(&world, with_archived).await.iter().any(|(id, _)| *id == message));
}
