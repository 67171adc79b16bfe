//! Vaults and their pages: what is stored is read again, links follow the pages, and nothing is shown through a lens.

use chrono::TimeDelta;
use inklings_application::vault::page::page;
use inklings_domain::{
    ids::{PageId, VaultId},
    memory::filter::ScopeFilter,
    scope::Place,
    vault::{FileStat, Skip, SkipReason, Vault, plan::FoundFile},
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    store_error::StoreError,
    vault::{
        filter::PageFilter,
        store::{NewPageVectors, PageCursor, PageSelection, PageStore, PageWrite, Scanned},
    },
};

use super::{CheckedStage, Stage, model, refused};

const STAT: FileStat = FileStat { size: 3, modified_at: 7 };

fn store(stage: &Stage) -> &dyn PageStore {
    stage.workspace.pages.as_ref()
}

fn everything() -> PageFilter {
    PageFilter::through(None)
}

async fn vault(stage: &Stage, name: &str) -> Vault {
    let linked_at = stage.scribe.clock.tick();
    let (id, path) = (stage.scribe.ids.vault_id(), format!("/vaults/{name}"));
    let vault = Vault { id, name: name.to_owned(), path, linked_at, scanned_at: None };
    store(stage).link(&vault).await.expect("it is linked");
    vault
}

fn write(id: PageId, path: &str, text: &str) -> PageWrite {
    let hash = format!("{:064}", text.len());
    PageWrite { id, path: path.to_owned(), stat: STAT, settled: true, hash, text: Some(page(path, text)) }
}

async fn put(stage: &Stage, vault: VaultId, path: &str, text: &str) -> PageId {
    let id = stage.scribe.ids.page_id();
    store(stage).put(vault, &[write(id, path, text)], &[]).await.expect("it is stored");
    id
}

async fn titles(stage: &Stage, filter: &PageFilter) -> Vec<String> {
    let rows = store(stage).list(filter, None, 100).await.expect("a list");
    rows.into_iter().map(|row| row.title).collect()
}

#[tokio::test]
async fn a_page_reads_back_as_it_was_written_and_changes_in_its_place() {
    let stage = CheckedStage::new().await;
    let vault = vault(&stage, "Notes").await;
    assert_eq!(store(&stage).vaults().await.expect("a list"), std::slice::from_ref(&vault));
    let text = "---\ntype: place\nstatus: draft\naliases: [Mere]\ntags: [city]\n---\n# History\nText #old\n";
    let id = put(&stage, vault.id, "places/Saltmere.md", text).await;
    let read = store(&stage).pages(&everything(), &[id]).await.expect("a page").remove(0);
    assert_eq!(format!("{}{}", read.head, read.content), text);
    assert_eq!((read.row.id, read.row.vault, read.row.stat), (id, vault.id, STAT));
    assert_eq!((read.row.kind.as_deref(), read.row.lifecycle.as_deref()), (Some("place"), Some("draft")));
    assert_eq!(
        (read.row.aliases.as_slice(), read.row.tags.as_slice()),
        (&["Mere".to_owned()][..], &["city".to_owned(), "old".to_owned()][..])
    );
    let indexed = store(&stage).indexed(vault.id).await.expect("a list");
    assert_eq!((indexed[0].id, indexed[0].stat), (id, Some(STAT)));
    let mut touched = PageWrite { settled: false, text: None, ..write(id, "places/Saltmere.md", text) };
    touched.stat.size = 4;
    store(&stage).put(vault.id, &[touched], &[]).await.expect("it is stored");
    assert_eq!(store(&stage).indexed(vault.id).await.expect("a list")[0].stat, None);
    store(&stage).put(vault.id, &[write(id, "Weir.md", "Other")], &[]).await.expect("it is stored");
    assert_eq!(titles(&stage, &everything()).await, ["Weir"]);
    store(&stage).put(vault.id, &[], &[id]).await.expect("it is removed");
    assert!(titles(&stage, &everything()).await.is_empty());
}

#[tokio::test]
async fn pages_that_change_places_have_one_path_each() {
    let stage = CheckedStage::new().await;
    let vault = vault(&stage, "Notes").await;
    let (a, b) = (put(&stage, vault.id, "a.md", "A").await, put(&stage, vault.id, "b.md", "B").await);
    store(&stage).put(vault.id, &[write(a, "b.md", "A")], &[]).await.expect("it is stored");
    let of = |id| store(&stage).indexed(vault.id).map_ok_path(id);
    assert_eq!(of(a).await, "b.md");
    assert_ne!(of(b).await, "b.md");
    store(&stage).put(vault.id, &[write(b, "a.md", "B")], &[]).await.expect("it is stored");
    assert_eq!((of(a).await, of(b).await), ("b.md".to_owned(), "a.md".to_owned()));
}

/// The path of a page in an index that is read.
trait PathOf {
    async fn map_ok_path(self, id: PageId) -> String;
}

impl<F: Future<Output = Result<Vec<inklings_domain::vault::plan::IndexedPage>, StoreError>>> PathOf for F {
    async fn map_ok_path(self, id: PageId) -> String {
        let indexed = self.await.expect("a list");
        indexed.into_iter().find(|page| page.id == id).expect("a page").path
    }
}

#[tokio::test]
async fn a_link_leads_to_the_page_that_has_its_name_when_it_is_read() {
    let stage = CheckedStage::new().await;
    let (vault, other) = (vault(&stage, "Notes").await, vault(&stage, "Other").await);
    let from =
        put(&stage, vault.id, "from.md", "[[Mira]] [[people/mira.md#Youth]] ![[map.png]] [[x/map.png]]")
            .await;
    put(&stage, other.id, "Mira.md", "Of another vault.").await;
    let leads_to = async || {
        let links = store(&stage).links(&everything(), from).await.expect("a list");
        links.iter().map(|link| link.page.as_ref().map(|(id, _)| *id)).collect::<Vec<_>>()
    };
    assert_eq!(leads_to().await, [None; 4]);
    let called = put(&stage, vault.id, "captain.md", "---\naliases: [Mira]\n---\n").await;
    assert_eq!(leads_to().await[0], Some(called));
    let mira = put(&stage, vault.id, "people/Mira.md", "A person.").await;
    assert_eq!(leads_to().await[..2], [Some(mira), Some(mira)]);
    let back = async |id| {
        let rows = store(&stage).backlinks(&everything(), id, 9).await.expect("a list");
        rows.iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!((back(mira).await, back(called).await, back(from).await), (vec![from], vec![], vec![]));
    let counted = store(&stage).linked_from(&everything(), &[mira, called, from]).await.expect("counts");
    assert_eq!(counted, [(mira, 1)]);
    let attachments = [FoundFile { path: "img/Map.png".to_owned(), stat: STAT }];
    let scanned = Scanned { at: stage.scribe.clock.now(), attachments: &attachments, skips: &[] };
    store(&stage).finish(vault.id, scanned).await.expect("it is stored");
    let links = store(&stage).links(&everything(), from).await.expect("a list");
    assert!(links[2..].iter().all(|link| link.attachment.as_deref() == Some("img/Map.png")));
    assert_eq!((links[1].link.heading.as_deref(), links[2].link.embeds), (Some("Youth"), true));
    store(&stage).put(vault.id, &[], &[mira]).await.expect("it is removed");
    assert_eq!(leads_to().await[0], Some(called));
}

#[tokio::test]
async fn lists_go_on_behind_their_last_row() {
    let stage = CheckedStage::new().await;
    let vault = vault(&stage, "Notes").await;
    for (n, title) in ["b 10", "A", "b 2", "c", "B 10"].into_iter().enumerate() {
        put(&stage, vault.id, &format!("{n}/{title}.md"), "Text").await;
    }
    let (mut all, mut after) = (Vec::new(), None);
    while let Some(row) = store(&stage).list(&everything(), after.as_ref(), 1).await.expect("a list").pop() {
        after = Some(PageCursor { title: row.title.clone(), id: row.id });
        all.push(row.title);
    }
    assert_eq!(all, ["A", "b 2", "b 10", "B 10", "c"]);
    let skip = |path: &str| Skip { path: path.to_owned(), reason: SkipReason::Hidden };
    let skips = [skip("a"), skip("b"), skip("c")];
    let at = stage.scribe.clock.now();
    let scanned = Scanned { at, attachments: &[], skips: &skips };
    store(&stage).finish(vault.id, scanned).await.expect("it is stored");
    let rest = store(&stage).skips(vault.id, Some(&skips[0]), 9).await.expect("a list");
    assert_eq!(rest, skips[1..]);
    assert_eq!(store(&stage).vaults().await.expect("a list")[0].scanned_at, Some(at));
    let counts = store(&stage).counts(vault.id).await.expect("counts");
    assert_eq!((counts.pages, counts.attachments, counts.skipped), (5, 0, 3));
}

#[tokio::test]
async fn an_unlinked_vault_is_gone_with_its_index_and_takes_no_page() {
    let stage = CheckedStage::new().await;
    let (vault, other) = (vault(&stage, "Notes").await, vault(&stage, "Other").await);
    refused!(store(&stage).link(&vault).await, StoreError::AlreadyExists("vault"));
    put(&stage, vault.id, "a.md", "[[b]]").await;
    put(&stage, other.id, "b.md", "B").await;
    assert!(store(&stage).unlink(vault.id).await.expect("an answer"));
    assert!(!store(&stage).unlink(vault.id).await.expect("an answer"));
    assert_eq!(titles(&stage, &everything()).await, ["b"]);
    let late = write(stage.scribe.ids.page_id(), "late.md", "Text");
    refused!(store(&stage).put(vault.id, &[late], &[]).await, StoreError::NotFound("vault"));
    let scanned = Scanned { at: stage.scribe.clock.now(), attachments: &[], skips: &[] };
    refused!(store(&stage).finish(vault.id, scanned).await, StoreError::NotFound("vault"));
}

#[tokio::test]
async fn a_lease_is_of_one_process_until_it_ends() {
    let stage = CheckedStage::new().await;
    let vault = vault(&stage, "Notes").await;
    let now = stage.scribe.clock.now();
    let minute = TimeDelta::minutes(1);
    let lease =
        async |owner, now, until| store(&stage).lease(vault.id, owner, now, until).await.expect("an answer");
    assert!(lease("one", now, now + minute).await);
    assert!(lease("one", now, now + minute).await && !lease("two", now, now + minute).await);
    assert!(lease("two", now + minute, now + minute * 2).await);
    assert!(lease("two", now + minute, now + minute).await && lease("one", now + minute, now + minute).await);
}

#[tokio::test]
async fn changes_of_pages_are_a_topic() {
    use inklings_ports::workspace::settings::Topic;
    let stage = CheckedStage::new().await;
    let feed = &stage.workspace.page_feed;
    let topics = async || feed.poll().await.expect("an answer").topics;
    assert!(topics().await.is_empty());
    let vault = vault(&stage, "Notes").await;
    assert_eq!(topics().await, [Topic::Pages]);
    assert!(topics().await.is_empty());
    put(&stage, vault.id, "a.md", "A").await;
    assert_eq!(topics().await, [Topic::Pages]);
}

#[tokio::test]
async fn vectors_of_a_page_are_of_its_current_text() {
    let stage = CheckedStage::new().await;
    let vault = vault(&stage, "Notes").await;
    let model = model("pages", 2);
    let page = put(&stage, vault.id, "a.md", "A text").await;
    let broken = put(&stage, vault.id, "b.md", "Another text").await;
    let pending = async || {
        let mut ids: Vec<PageId> = Vec::new();
        for pending in store(&stage).pending_vectors(&model, 9).await.expect("a list") {
            ids.push(pending.id);
        }
        ids
    };
    let hash_of = async |id| {
        let pending = store(&stage).pending_vectors(&model, 9).await.expect("a list");
        pending.into_iter().find(|pending| pending.id == id).expect("it waits").hash
    };
    // The newest first.
    assert_eq!(pending().await, [broken, page]);
    let mut unit = vec![0.0; model.dimension];
    unit[0] = 1.0;
    let vectors = |id, hash| NewPageVectors { id, hash, vectors: unit.clone().into() };
    let hash = hash_of(page).await;
    assert_eq!(store(&stage).put_vectors(&model, &[vectors(page, hash.clone())]).await.expect("stored"), 1);
    store(&stage).vector_failed(&model, broken, "too strange").await.expect("noted");
    assert!(pending().await.is_empty());
    let counts = store(&stage).vector_counts(&model).await.expect("counts");
    assert_eq!((counts.embedded, counts.pending), (1, 0));
    let search = &stage.workspace.page_search;
    let near = async || search.search_meaning(&unit, &model.id, &everything(), 9).await.expect("an answer");
    assert_eq!(near().await.iter().map(|hit| hit.id).collect::<Vec<_>>(), [page]);
    // A changed text waits again, also one that a model failed on, and takes no vectors of the text before.
    store(&stage).put(vault.id, &[write(page, "a.md", "A longer text")], &[]).await.expect("stored");
    store(&stage).put(vault.id, &[write(broken, "b.md", "A text of a person")], &[]).await.expect("stored");
    assert_eq!(pending().await.len(), 2);
    assert_eq!(store(&stage).put_vectors(&model, &[vectors(page, hash)]).await.expect("an answer"), 0);
    assert!(near().await.is_empty());
    let hash = hash_of(page).await;
    assert_eq!(store(&stage).put_vectors(&model, &[vectors(page, hash)]).await.expect("stored"), 1);
    // With the page its vectors go, and through a lens none is near.
    store(&stage).put(vault.id, &[], &[broken]).await.expect("removed");
    let counts = store(&stage).vector_counts(&model).await.expect("counts");
    assert_eq!((counts.embedded, counts.pending), (1, 0));
    let nobody = PageFilter::within(&ScopeFilter::of(Place::Account));
    assert!(search.search_meaning(&unit, &model.id, &nobody, 9).await.expect("an answer").is_empty());
}

#[tokio::test]
async fn pages_among_subjects_are_those_with_a_type_or_a_name_and_their_links_lead_where_links_lead() {
    let stage = CheckedStage::new().await;
    let (vault, other) = (vault(&stage, "Notes").await, vault(&stage, "Other").await);
    let text = "---\ntype: place\n---\n[[Mira]] [[Mira]] ![[Weir]] [[none]]";
    let town = put(&stage, vault.id, "Saltmere.md", text).await;
    let text = "---\naliases: [Mira]\n---\n[[Saltmere]] [[m]]";
    let mira = put(&stage, vault.id, "people/m.md", text).await;
    put(&stage, vault.id, "Weir.md", "A weir.").await;
    put(&stage, other.id, "x/Mira/Notes.md", "Of another vault.").await;
    let selected = async |names: &[&str], with_type| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let which = PageSelection { names: &names, with_type };
        let rows = store(&stage).selected(&everything(), which, 9).await.expect("a list");
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(selected(&[], true).await, [town]);
    assert_eq!(selected(&["mira"], true).await, [mira, town]);
    assert_eq!(selected(&["mira", "nobody"], false).await, [mira]);
    let mut links = store(&stage).links_of(&everything(), &[town, mira]).await.expect("a list");
    links.sort();
    let mut expected = [(town, mira), (mira, town), (mira, mira)];
    expected.sort();
    assert_eq!(links, expected);
    let nobody = PageFilter::within(&ScopeFilter::of(Place::Account));
    assert!(store(&stage).links_of(&nobody, &[town, mira]).await.expect("a list").is_empty());
}
