//! Every read of memory by a filter, in every reach: nothing from beyond it, and everything within it.
//!
//! A structure test compares [`READS`] with the use cases: a read that is missing here fails it.

use std::collections::BTreeSet;

use inklings_application::{
    search::{DocumentSearch, Search},
    subject::NamedLinks,
    testing::{pages::link_pages, places::Places},
    vault::reading::PagePart,
};
use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span},
    ids::{MemoryId, PageId},
    memory::MemoryEntry,
    memory::filter::{Facet, MemoryFilter, ScopeFilter, Selection, Sort},
    scope::Place,
    search::query::QueryText,
};
use inklings_ports::{
    calendar::TimelineQuery,
    subject::SubjectRow,
    testing::builders::{author, draft},
    vault::filter::PageFilter,
};

use super::World;

/// The reads of memory that take a filter.
pub(super) const READS: [&str; 8] = [
    "search.memories",
    "search.place_of",
    "memories.list",
    "memories.every",
    "memories.facets",
    "memories.count",
    "derivations.claimed",
    "agent_writes.in_content",
];

/// The reads of subjects and relations that take a filter.
pub(super) const READS_OF_SUBJECTS: [&str; 7] = [
    "subjects.graph",
    "subjects.list",
    "subjects.find",
    "subjects.get",
    "subjects.mentioned_in",
    "subjects.neighbourhood",
    "subjects.links_named",
];

/// The reads of names that recur in texts.
pub(super) const READS_OF_NAMES: [&str; 1] = ["subjects.suggestions"];

/// The reads of calendars and of times in the story that take a filter.
pub(super) const READS_OF_STORY_TIME: [&str; 10] = [
    "calendars.list",
    "calendars.find",
    "calendars.of_workspace",
    "calendars.for_times_of",
    "calendars.for_spans",
    "calendars.read",
    "calendars.timeline",
    "calendars.ticks",
    "calendars.chapters",
    "calendars.age",
];

/// The reads of pages of linked vaults that take a filter.
pub(super) const READS_OF_PAGES: [&str; 10] = [
    "vaults.pages",
    "vaults.page",
    "vaults.page_named",
    "vaults.rows",
    "vaults.row",
    "vaults.read",
    "vaults.searched",
    "subjects.pages",
    "subjects.pages_of",
    "subjects.page_links",
];

/// Whether a read tells of the one page there is, whose title is `Vesper page`.
pub(super) async fn seen_of_pages(
    world: &World,
    page: PageId,
    read: &str,
    scope_filter: &ScopeFilter,
) -> bool {
    let (vaults, filter) = (world.session.vaults(), PageFilter::within(scope_filter));
    let subjects = world.session.subjects();
    match read {
        "vaults.pages" => !vaults.pages(&filter, None, 9).await.expect("a list").is_empty(),
        "vaults.page" => vaults.page(&filter, page).await.is_ok(),
        "vaults.page_named" => vaults.page_named(&filter, "Vesper page").await.is_ok(),
        "vaults.rows" => !vaults.rows(&filter, &[page]).await.expect("a list").is_empty(),
        "vaults.row" => vaults.row(&filter, page).await.is_ok(),
        "vaults.read" => vaults.read(&filter, page, PagePart::default()).await.is_ok(),
        // Whether anything is searched, and what the search then finds.
        "vaults.searched" => {
            let search = DocumentSearch {
                query: QueryText::Typed("what is said on the Vesper page".to_owned()),
                pages: Some(filter),
                limit: 9,
                ..DocumentSearch::default()
            };
            !world.session.search().documents(search).await.expect("an answer").hits.is_empty()
        }
        "subjects.pages" => !subjects.pages(&[], scope_filter).await.expect("a list").is_empty(),
        "subjects.pages_of" => {
            let row = SubjectRow {
                id: world.session.ids.memory_id(),
                kind: "place".to_owned(),
                name: "Vesper page".to_owned(),
                aliases: Vec::new(),
                has_text: false,
                links: 0,
                updated_at: world.session.clock.now(),
            };
            !subjects.pages_of(&row, scope_filter).await.expect("a list").is_empty()
        }
        "subjects.page_links" => {
            let all = subjects.pages(&[], &ScopeFilter::EVERYTHING).await.expect("a list");
            !subjects.page_links(&all, scope_filter).await.expect("a list").is_empty()
        }
        _ => panic!("how {read} is called is not known here"),
    }
}

pub(super) async fn one_page(world: &World) -> PageId {
    let text = "---\ntitle: Vesper page\ntype: place\n---\nThe [[lamp]] by the gate is made of salt.";
    let files = [("lantern.md", text), ("lamp.md", "---\ntype: item\n---\n")];
    let page = link_pages(&world.session, "Notes", &files).await[0];
    world.embed().await;
    page
}

#[tokio::test]
async fn every_read_of_pages_shows_them_only_within_the_workspace_tier() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let page = one_page(&world).await;
    for filter in reaches(&places) {
        for read in READS_OF_PAGES {
            let seen = seen_of_pages(&world, page, read, &filter).await;
            assert_eq!(seen, filter.workspace, "{read} in {filter:?}");
        }
    }
}

fn search_for(query: String, filter: &MemoryFilter) -> Search {
    let (query, filter) = (QueryText::Typed(query), filter.clone());
    Search { marked: true, ..Search::new(query, filter, 100) }
}

/// The markers of the places of which a read tells; `None` for a read that tells of no place.
pub(super) async fn seen(
    world: &World,
    places: &Places,
    read: &str,
    filter: &MemoryFilter,
) -> Option<BTreeSet<&'static str>> {
    let session = &world.session;
    let texts: Vec<String> = match read {
        "search.memories" => {
            let mut texts = Vec::new();
            // By words and meaning, by names alone, and by the day on which they were written.
            let queries =
                ["what is the lantern by the gate made of", "what did we do today?"].map(str::to_owned);
            for query in queries.into_iter().chain([places.all_names()]) {
                let found = session.search().memories(search_for(query, filter)).await.expect("an answer");
                texts.extend(found.hits.into_iter().map(|hit| hit.stored.entry.content));
            }
            texts
        }
        "search.place_of" => {
            let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
            let mut texts = Vec::new();
            for entry in session.memories().every(&everything, Sort::CreatedAsc).await.expect("read") {
                let query = "what is the lantern by the gate made of".to_owned();
                let place = session.search().place_of(search_for(query, filter), &entry).await;
                texts.extend(place.expect("an answer").map(|_| entry.content));
            }
            texts
        }
        "memories.list" => {
            let page = session.memories().list(filter, Sort::CreatedDesc, None, 100).await.expect("a page");
            page.entries.into_iter().map(|stored| stored.entry.content).collect()
        }
        "memories.every" => {
            let all = session.memories().every(filter, Sort::CreatedAsc).await.expect("read");
            all.into_iter().map(|entry| entry.content).collect()
        }
        "memories.facets" => {
            let facets = session.memories().facets(filter, None).await.expect("counted");
            let tags = facets.into_iter().filter(|facet| facet.facet == Facet::Tag);
            tags.flat_map(|facet| facet.values).map(|(tag, _)| tag).collect()
        }
        // The worldbuilder's own tabs count each tier whatever the scope filter; the other reads the pages of vaults alone.
        "memories.count" | "agent_writes.in_content" => return None,
        "derivations.claimed" => {
            let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
            let mut texts = Vec::new();
            for entry in session.memories().every(&everything, Sort::CreatedAsc).await.expect("read") {
                let source = [format!("memory:{}", entry.id)];
                let claimed =
                    session.derivations().claimed(&entry.content, &source, &filter.scope_filter).await;
                texts.extend(claimed.ok().map(|_| entry.content));
            }
            texts
        }
        _ => panic!("how {read} is called is not known here"),
    };
    Some(places.markers_in(&texts.join(" ")).into_iter().collect())
}

/// Whether a read tells of a subject, and the markers of the places whose relations it tells of.
pub(super) async fn seen_of_subjects(
    world: &World,
    places: &Places,
    read: &str,
    filter: &ScopeFilter,
) -> (bool, BTreeSet<&'static str>) {
    const NAME: &str = "Vesper quay";
    let subjects = world.session.subjects();
    let quay = subjects.find(NAME, &ScopeFilter::EVERYTHING).await.expect("there is one").id;
    let mut texts = Vec::new();
    let found = match read {
        "subjects.list" => {
            subjects.list(None, filter).await.expect("a list").iter().any(|row| row.id == quay)
        }
        "subjects.graph" => {
            let graph = subjects.graph(filter).await.expect("a graph");
            texts.extend(graph.edges.into_iter().map(|edge| edge.relation));
            graph.nodes.iter().any(|row| row.id == quay)
        }
        "subjects.find" => subjects.find(NAME, filter).await.is_ok(),
        "subjects.get" => {
            let found = subjects.get(quay, filter).await.ok();
            let relations = found.iter().flat_map(|found| &found.relations);
            texts.extend(relations.map(|seen| seen.stored.entry.content.clone()));
            found.is_some()
        }
        "subjects.mentioned_in" => {
            let found = subjects.mentioned_in("Where is the Vesper quay?", filter).await.expect("read");
            found.iter().any(|row| row.id == quay)
        }
        "subjects.neighbourhood" => {
            let around = subjects.neighbourhood(&[quay], filter, 100).await.expect("read");
            texts.extend(around.into_iter().map(|near| near.text));
            !texts.is_empty()
        }
        "subjects.links_named" => {
            let links = NamedLinks { about: &[NAME.to_owned()], ..NamedLinks::default() };
            subjects.links_named(&links, Place::Workspace, filter).await.is_ok()
        }
        _ => panic!("how {read} is called is not known here"),
    };
    (found, places.markers_in(&texts.join(" ")).into_iter().collect())
}

fn reaches(places: &Places) -> Vec<ScopeFilter> {
    fn selections<T: Copy>(open: T, secret: T) -> [Selection<T>; 4] {
        [Selection::None, Selection::All, Selection::Only(vec![open]), Selection::Only(vec![secret])]
    }
    let (open, secret) = (&places.open, &places.secret);
    let mut all = Vec::new();
    for (account, workspace) in [(false, false), (false, true), (true, false), (true, true)] {
        for channels in selections(open.channel_id, secret.channel_id) {
            for conversations in selections(open.id, secret.id) {
                for conversations_in in [None, Some(open.channel_id)] {
                    all.push(ScopeFilter {
                        account,
                        workspace,
                        channels: channels.clone(),
                        conversations: conversations.clone(),
                        conversations_in,
                        pages: true,
                        lens: None,
                    });
                }
            }
        }
    }
    all
}

#[tokio::test]
async fn every_read_returns_exactly_the_entries_within_its_scope_filter() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    world.embed().await;
    for scope_filter in reaches(&places) {
        let filter = MemoryFilter::active(scope_filter.clone());
        let within = places.planted.iter().filter(|planted| scope_filter.holds(planted.place));
        let within: BTreeSet<&str> = within.map(|planted| planted.marker).collect();
        for read in READS {
            if let Some(seen) = seen(&world, &places, read, &filter).await {
                assert_eq!(seen, within, "{read} in {scope_filter:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_read_of_subjects_returns_exactly_those_within_its_scope_filter() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    for filter in reaches(&places) {
        // Without the tier of the subjects, a relation tells nothing either.
        let related = places.planted.iter().filter(|planted| planted.relation.is_some() && filter.workspace);
        let within = related.filter(|planted| filter.holds(planted.place));
        let within: BTreeSet<&str> = within.map(|planted| planted.marker).collect();
        for read in READS_OF_SUBJECTS {
            let (found, markers) = seen_of_subjects(&world, &places, read, &filter).await;
            assert_eq!(found, filter.workspace, "{read} in {filter:?}");
            if matches!(read, "subjects.get" | "subjects.graph" | "subjects.neighbourhood") {
                assert_eq!(markers, within, "{read} in {filter:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_read_of_names_tells_of_the_texts_within_its_scope_filter() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let names = ["Ysolde", "Brannoch", "Teodric", "Orsolya", "Kestrin"];
    let mut noted: Vec<(Place, &str)> = Vec::new();
    let planted = places.planted.iter().map(|planted| planted.place).filter(|place| *place != Place::Account);
    for (place, name) in planted.zip(names) {
        for n in 0..3 {
            world
                .remember(draft(place, &format!("On day {n} of the storm we met {name} there.")), author())
                .await;
        }
        noted.push((place, name));
    }
    assert_eq!(noted.len(), names.len(), "a name for every place");
    for filter in reaches(&places) {
        let within = noted.iter().filter(|(place, _)| filter.holds(*place)).map(|(_, name)| *name);
        let within: BTreeSet<&str> = within.collect();
        for read in READS_OF_NAMES {
            assert_eq!(read, "subjects.suggestions");
            let found = world.session.subjects().suggestions(&filter).await.expect("an answer");
            let found: BTreeSet<&str> =
                found.iter().map(|found| found.name.as_str()).filter(|found| names.contains(found)).collect();
            assert_eq!(found, within, "{read} in {filter:?}");
        }
    }
}

/// Whether a read tells of the calendar or of a subject with a time, and the markers of the places whose times it tells of.
pub(super) async fn seen_of_story_time(
    world: &World,
    places: &Places,
    read: &str,
    filter: &ScopeFilter,
) -> (bool, Option<BTreeSet<&'static str>>) {
    const DATE: &str = "3 May, 812";
    let calendars = world.session.calendars();
    let found = match read {
        "calendars.list" => !calendars.list(filter).await.expect("a list").is_empty(),
        "calendars.find" => calendars.find(Some("Reckoning"), filter).await.is_ok(),
        "calendars.of_workspace" => calendars.of_workspace(filter).await.expect("an answer").is_some(),
        "calendars.for_times_of" => {
            let timed = world.entry(places.planted[1].authors).await;
            let without = MemoryEntry { span: Span::ALWAYS, ..timed.clone() };
            let found =
                async |entry| calendars.for_times_of([entry].into_iter(), filter).await.expect("read");
            assert!(found(&without).await.is_none(), "no entry has a time");
            found(&timed).await.is_some()
        }
        "calendars.for_spans" => {
            let found = async |span| calendars.for_spans([span].into_iter(), filter).await.expect("read");
            assert!(found(Span::ALWAYS).await.is_none(), "none is a time");
            found(Span::at(Moment::MIN)).await.is_some()
        }
        "calendars.read" => calendars.read(DATE, None, filter).await.is_ok(),
        "calendars.ticks" => calendars.ticks(0, 900, 9, None, filter).await.is_ok(),
        "calendars.age" => calendars.age("The Flood", DATE, None, filter).await.is_ok(),
        "calendars.chapters" => !calendars.chapters(filter).await.expect("a list").is_empty(),
        "calendars.timeline" => {
            let query = TimelineQuery { within: Span::ALWAYS, kind: None, filter, after: None, limit: 100 };
            let rows = calendars.timeline(query).await.expect("a page").rows;
            let texts: Vec<&str> = rows.iter().map(|stored| stored.entry.content.as_str()).collect();
            let markers = places.markers_in(&texts.join(" ")).into_iter().collect();
            return (
                rows.iter().any(|stored| stored.entry.name.as_deref() == Some("The Flood")),
                Some(markers),
            );
        }
        _ => panic!("how {read} is called is not known here"),
    };
    (found, None)
}

#[tokio::test]
async fn every_read_of_story_time_returns_exactly_what_is_within_its_scope_filter() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let calendars = world.session.calendars();
    let gregorian = Calendar::new(gregorian()).expect("valid");
    calendars.add("Reckoning", gregorian, "", author()).await.expect("added");
    let span = Span::at(Moment::on_day(200).expect("in range"));
    let chapter =
        world.session.subjects().add("The Flood", "chapter", "", author()).await.expect("added").id();
    calendars.set_story_time(chapter, 1, Some(span), Some(1), author()).await.expect("set");
    for planted in places.planted.iter().filter(|planted| planted.place != Place::Account) {
        let version = world.entry(planted.authors).await.version;
        calendars.set_story_time(planted.authors, version, Some(span), None, author()).await.expect("set");
    }
    for filter in reaches(&places) {
        let within = places.planted.iter().filter(|planted| planted.place != Place::Account);
        let within = within.filter(|planted| filter.holds(planted.place));
        let within: BTreeSet<&str> = within.map(|planted| planted.marker).collect();
        for read in READS_OF_STORY_TIME {
            let (found, markers) = seen_of_story_time(&world, &places, read, &filter).await;
            // Calendars and subjects are of the workspace tier.
            assert_eq!(found, filter.workspace, "{read} in {filter:?}");
            assert!(markers.is_none_or(|markers| markers == within), "{read} in {filter:?}");
        }
    }
}

#[tokio::test]
async fn a_name_is_found_first_within_the_scope_filter_and_never_outside_it() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    world.embed().await;
    let session = &world.session;
    for (n, planted) in places.planted.iter().enumerate() {
        let search = |filter| Search::new(QueryText::Typed(format!("Tell me about Vesper {n}")), filter, 100);
        let own = search(MemoryFilter::active(ScopeFilter::of(planted.place)));
        let hits = session.search().memories(own).await.expect("an answer").hits;
        assert_eq!(hits[0].stored.entry.id, planted.named);
        // It has no tag: a condition on tags does not let it through.
        let mut tagged = MemoryFilter::active(ScopeFilter::EVERYTHING);
        tagged.terms.push(inklings_ports::testing::builders::only(Facet::Tag, planted.marker));
        let hits = session.search().memories(search(tagged)).await.expect("an answer").hits;
        let ids: Vec<MemoryId> = hits.iter().map(|hit| hit.stored.entry.id).collect();
        assert_eq!(ids, [planted.authors]);
    }
}
