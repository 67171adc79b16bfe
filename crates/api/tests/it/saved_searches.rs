//! Saved searches over the commands of the window.

use inklings_api::{
    App,
    error::ErrorCode,
    memory::filter::{FacetTerm, MemoryFilter},
    search::view::{SavedSearch, SavedView},
    vocabulary::{Facet, Scope, Sort},
};

use crate::support::World;

fn view(query: &str) -> SavedView {
    SavedView {
        query: Some(query.to_owned()),
        filter: MemoryFilter {
            scope: Some(Scope::Workspace),
            terms: vec![FacetTerm { facet: Facet::Tag, value: "plot".to_owned(), negated: true }],
            ..MemoryFilter::default()
        },
        sort: Some(Sort::CreatedAsc),
    }
}

fn names(searches: &[SavedSearch]) -> Vec<&str> {
    searches.iter().map(|search| search.name.as_str()).collect()
}

async fn save(app: &App, name: &str) -> SavedSearch {
    app.search().save_search(name, &view(name), None).await.expect("saved").pop().expect("the new one")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_is_saved_with_what_it_looks_for_and_each_change_answers_with_the_list() {
    let world = World::new().await;
    let salt = save(&world.app, "Salt").await;
    assert_eq!(salt.view, view("Salt"));
    let oaths = save(&world.app, "Oaths").await;
    let search = world.app.search();
    let moved = search.move_saved_search(&oaths.id, 0).await.expect("moved");
    assert_eq!(names(&moved), ["Oaths", "Salt"]);
    let renamed = search.rename_saved_search(&salt.id, "Salt roads").await.expect("renamed");
    assert_eq!(names(&renamed), ["Oaths", "Salt roads"]);
    assert_eq!(search.list_saved_searches().await.expect("read"), renamed);
    assert_eq!(search.saved_search("SALT ROADS").await.expect("found").id, salt.id);
    let left = search.remove_saved_search(&oaths.id).await.expect("removed");
    assert_eq!(names(&left), ["Salt roads"]);
    let back = search.save_search("Oaths", &view("Oaths"), Some(0)).await.expect("saved");
    assert_eq!(names(&back), ["Oaths", "Salt roads"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_has_a_code_and_changes_nothing() {
    let world = World::new().await;
    let salt = save(&world.app, "Salt").await;
    let oaths = save(&world.app, "Oaths").await;
    let search = world.app.search();
    let stands = search.list_saved_searches().await.expect("read");
    let gone = search.remove_saved_search(&oaths.id).await.expect("removed");
    assert_eq!(names(&gone), ["Salt"]);
    let refused = [
        (search.save_search("salt", &view("other"), None).await, ErrorCode::AlreadyExists, Some("name")),
        (search.save_search("  ", &view("other"), None).await, ErrorCode::Invalid, Some("name")),
        (search.save_search("Long", &view(&"x".repeat(70_000)), None).await, ErrorCode::Invalid, None),
        (search.rename_saved_search(&oaths.id, "Other").await, ErrorCode::NotFound, None),
        (search.move_saved_search(&oaths.id, 0).await, ErrorCode::NotFound, None),
        (search.remove_saved_search(&oaths.id).await, ErrorCode::NotFound, None),
        (search.remove_saved_search("nonsense").await, ErrorCode::Invalid, Some("id")),
    ];
    for (n, (done, code, field)) in refused.into_iter().enumerate() {
        let error = done.expect_err("refused");
        assert_eq!(error.code, code, "{n}: {error}");
        assert_eq!(error.details.and_then(|details| details.field).as_deref(), field, "{n}");
    }
    let unknown = search.saved_search("Gates").await.expect_err("there is none");
    assert_eq!(unknown.code, ErrorCode::NotFound);
    assert_eq!(search.list_saved_searches().await.expect("read"), stands[..1]);
    assert_eq!(salt.id, stands[0].id);
}

/// A saved search is no memory, so the switch leaves it alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_are_saved_while_memory_is_off() {
    let world = World::new().await;
    world.app.client().set_memory_enabled(false).await.expect("switched off");
    assert_eq!(save(&world.app, "Salt").await.name, "Salt");
}
