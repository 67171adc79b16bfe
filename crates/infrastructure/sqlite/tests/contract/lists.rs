//! Lists, counts and facets, compared with a naive evaluation of the filter.

use std::collections::{BTreeMap, BTreeSet};

use inklings_domain::{
    ids::MemoryId,
    memory::{
        Importance, MemoryEntry,
        filter::{Facet, MemoryFilter, ScopeFilter, Selection, Sort},
    },
    scope::{MemoryScope, PerTier, Place},
};
use inklings_ports::{
    memory::store::{Cursor, FacetCount, MemoryStore, SortKey, StoredEntry},
    testing::{
        builders::{author, draft, everywhere, except, only},
        oracle,
        random::Dice,
    },
};

use super::{
    CheckedStage,
    population::{facet_choices, populate, random_filter},
};

async fn page(
    store: &dyn MemoryStore,
    filter: &MemoryFilter,
    sort: Sort,
    after: Option<&Cursor>,
    limit: usize,
) -> Vec<StoredEntry> {
    let rows = store.list(filter, sort, after, limit).await.expect("entries are listed");
    assert!(rows.len() <= limit, "a page of {} where {limit} were asked for", rows.len());
    rows
}

fn cursor(row: &StoredEntry, sort: Sort) -> Cursor {
    Cursor { key: SortKey::of(&row.entry, sort), id: row.entry.id }
}

async fn walk(store: &dyn MemoryStore, filter: &MemoryFilter, sort: Sort, size: usize) -> Vec<StoredEntry> {
    let mut all: Vec<StoredEntry> = Vec::new();
    loop {
        let after = all.last().map(|row| cursor(row, sort));
        let rows = page(store, filter, sort, after.as_ref(), size).await;
        assert!(all.len() <= 10_000, "paging does not end");
        let last = rows.len() < size;
        all.extend(rows);
        if last {
            return all;
        }
    }
}

fn in_order(mut rows: Vec<StoredEntry>, sort: Sort) -> Vec<StoredEntry> {
    rows.sort_by(|a, b| {
        let (a, b) = (&a.entry, &b.entry);
        match sort {
            Sort::UpdatedDesc => (b.updated_at, b.id).cmp(&(a.updated_at, a.id)),
            Sort::CreatedDesc => (b.created_at, b.id).cmp(&(a.created_at, a.id)),
            Sort::CreatedAsc => (a.created_at, a.id).cmp(&(b.created_at, b.id)),
            Sort::ImportanceDesc => b.importance.get().total_cmp(&a.importance.get()).then(b.id.cmp(&a.id)),
        }
    });
    rows
}

fn let_through(all: &[StoredEntry], filter: &MemoryFilter) -> Vec<StoredEntry> {
    all.iter().filter(|row| oracle::lets_through(filter, row)).cloned().collect()
}

fn row_ids(rows: &[StoredEntry]) -> Vec<MemoryId> {
    rows.iter().map(|row| row.entry.id).collect()
}

/// Every sort, every page size, under ties: no gap, no double, and the rows whole.
#[tokio::test]
async fn pages_contain_every_entry_once_in_order() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 1, 90).await;
    let everything = everywhere(vec![only(Facet::Forgotten, "any")]);
    for sort in Sort::ALL {
        assert_eq!(page(stage.store(), &everything, *sort, None, 0).await, []);
        for size in [1, 7, 89, 90, 91, 500] {
            let walked = walk(stage.store(), &everything, *sort, size).await;
            assert_eq!(walked, in_order(all.clone(), *sort), "{sort} in pages of {size}");
        }
    }
    let mut dice = Dice::new(2);
    for _ in 0..60 {
        let filter = random_filter(&mut dice, &stage);
        let (sort, size) = (*dice.pick(Sort::ALL), 1 + dice.below(12));
        let walked = walk(stage.store(), &filter, sort, size).await;
        let expected = in_order(let_through(&all, &filter), sort);
        assert_eq!(row_ids(&walked), row_ids(&expected), "{sort} in pages of {size} with {filter:?}");
    }
}

/// Entries written between two pages neither shift nor repeat what follows.
#[tokio::test]
async fn new_entries_neither_shift_nor_repeat_later_pages() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 3, 30).await;
    let active = everywhere(Vec::new());
    let expected = in_order(let_through(&all, &active), Sort::UpdatedDesc);
    let first = page(stage.store(), &active, Sort::UpdatedDesc, None, 10).await;
    stage.write(author(), (0..5).map(|n| draft(Place::Workspace, &format!("Newer {n}.")))).await;
    let place = cursor(&first[9], Sort::UpdatedDesc);
    let second = page(stage.store(), &active, Sort::UpdatedDesc, Some(&place), 100).await;
    assert_eq!(row_ids(&second), row_ids(&expected[10..]));
}

/// One entry per case, so that the meaning of each facet does not rest on the oracle alone.
#[tokio::test]
async fn each_facet_narrows_to_its_value() {
    let stage = CheckedStage::new().await;
    let importance = |value: f64| draft(Place::Workspace, &format!("Importance {value}."));
    let at = |value: f64| inklings_domain::memory::MemoryDraft { importance: value, ..importance(value) };
    let entries = stage.write(author(), [0.0, 0.29, 0.3, 0.69, 0.7, 1.0].map(at)).await;
    let mut tagged = at(0.5);
    (tagged.tags, tagged.source) = (vec!["old gods".into()], "orchestrator".into());
    let tagged = stage.write_one(author(), tagged).await;
    let gone = stage.write_one(author(), at(0.5)).await;
    let gone = stage.apply(stage.scribe.forget(author(), &gone)).await;
    for (terms, expected) in [
        (vec![only(Facet::Importance, "low")], vec![&entries[0], &entries[1]]),
        (vec![only(Facet::Importance, "medium")], vec![&entries[2], &entries[3], &tagged]),
        (vec![only(Facet::Importance, "high")], vec![&entries[4], &entries[5]]),
        (vec![only(Facet::Tag, "old gods")], vec![&tagged]),
        (vec![only(Facet::Tag, "old")], vec![]),
        (vec![only(Facet::Source, "orchestrator")], vec![&tagged]),
        (vec![except(Facet::Source, "user")], vec![&tagged]),
        (vec![only(Facet::Forgotten, "yes")], vec![&gone]),
        (
            vec![
                only(Facet::Forgotten, "any"),
                except(Facet::Importance, "low"),
                except(Facet::Importance, "high"),
            ],
            vec![&entries[2], &entries[3], &tagged, &gone],
        ),
        (vec![only(Facet::Curator, "agent")], vec![]),
        (vec![only(Facet::Embedding, "yes")], vec![]),
        (vec![only(Facet::Speaker, "Mira")], vec![]),
    ] {
        let rows = page(stage.store(), &everywhere(terms.clone()), Sort::CreatedAsc, None, 50).await;
        let mut found = row_ids(&rows);
        found.sort_unstable();
        assert_eq!(found, super::ids(expected), "{terms:?}");
    }
}

/// Values of one facet are alternatives, facets add up, exclusions win.
#[tokio::test]
async fn values_of_a_facet_are_alternatives_and_exclusions_win() {
    let stage = CheckedStage::new().await;
    let tagged = |tags: &[&str]| inklings_domain::memory::MemoryDraft {
        tags: tags.iter().map(|t| (*t).to_owned()).collect(),
        ..draft(Place::Workspace, "Tagged.")
    };
    let made = stage
        .write(author(), [tagged(&["lore"]), tagged(&["plot"]), tagged(&["lore", "plot"]), tagged(&[])])
        .await;
    let (lore, plot) = (|| only(Facet::Tag, "lore"), || only(Facet::Tag, "plot"));
    for (terms, expected) in [
        (vec![lore(), plot()], vec![0, 1, 2]),
        (vec![lore(), except(Facet::Tag, "plot")], vec![0]),
        (vec![except(Facet::Tag, "lore")], vec![1, 3]),
        (vec![except(Facet::Tag, "lore"), except(Facet::Tag, "plot")], vec![3]),
        (vec![lore(), only(Facet::Curator, "agent")], vec![]),
        (vec![except(Facet::Speaker, "Mira")], vec![0, 1, 2, 3]),
    ] {
        let rows = page(stage.store(), &everywhere(terms.clone()), Sort::CreatedAsc, None, 50).await;
        let expected: Vec<&MemoryEntry> = expected.into_iter().map(|n| &made[n]).collect();
        let mut found = row_ids(&rows);
        found.sort_unstable();
        assert_eq!(found, super::ids(expected), "{terms:?}");
    }
}

/// Each single value of each facet, both ways, against the oracle.
#[tokio::test]
async fn lists_contain_exactly_the_entries_that_match_the_filter() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 4, 80).await;
    for facet in Facet::ALL {
        for value in facet_choices(*facet) {
            let mut terms = vec![only(*facet, value)];
            if *facet != Facet::Forgotten {
                terms.push(only(Facet::Forgotten, "any"));
            }
            let filter = everywhere(terms);
            let rows = walk(stage.store(), &filter, Sort::UpdatedDesc, 100).await;
            let expected = in_order(let_through(&all, &filter), Sort::UpdatedDesc);
            assert_eq!(row_ids(&rows), row_ids(&expected), "{facet}: {value}");
            let excluded = everywhere(vec![except(*facet, value)]);
            let rows = walk(stage.store(), &excluded, Sort::UpdatedDesc, 100).await;
            let expected = in_order(let_through(&all, &excluded), Sort::UpdatedDesc);
            assert_eq!(row_ids(&rows), row_ids(&expected), "not {facet}: {value}");
        }
    }
}

/// Tiers, channels and conversations, one by one.
#[tokio::test]
async fn a_scope_filter_limits_lists_to_its_tiers_channels_and_conversations() {
    let stage = CheckedStage::new().await;
    let made = stage.write(author(), stage.places().map(|p| draft(p, "Somewhere."))).await;
    let nothing = ScopeFilter {
        account: true,
        workspace: false,
        channels: Selection::None,
        conversations: Selection::None,
        conversations_in: None,
        pages: false,
        lens: None,
    };
    let only_channels = |selection| ScopeFilter { channels: selection, ..nothing.clone() };
    let only_conversations = |selection| ScopeFilter { conversations: selection, ..nothing.clone() };
    let both = || vec![stage.conversation.id, stage.side_conversation.id];
    for (scope_filter, expected) in [
        (ScopeFilter::EVERYTHING, vec![0, 1, 2, 3, 4]),
        (nothing.clone(), vec![]),
        (ScopeFilter { workspace: true, ..nothing.clone() }, vec![0]),
        (only_channels(Selection::All), vec![1, 2]),
        (only_channels(Selection::Only(vec![stage.side.id])), vec![2]),
        (only_channels(Selection::Only(vec![])), vec![]),
        (only_conversations(Selection::All), vec![3, 4]),
        (only_conversations(Selection::Only(vec![stage.conversation.id])), vec![3]),
        (only_conversations(Selection::Only(both())), vec![3, 4]),
        (
            ScopeFilter {
                conversations_in: Some(stage.side.id),
                ..only_conversations(Selection::Only(both()))
            },
            vec![4],
        ),
        (
            ScopeFilter { conversations_in: Some(stage.side.id), ..only_conversations(Selection::All) },
            vec![4],
        ),
        (ScopeFilter::new(&[], Some(stage.side.id), None), vec![0, 2, 4]),
        (ScopeFilter::new(&[MemoryScope::Conversation], None, Some(stage.conversation.id)), vec![3]),
    ] {
        let filter = MemoryFilter::active(scope_filter);
        let rows = page(stage.store(), &filter, Sort::CreatedAsc, None, 50).await;
        let expected: Vec<&MemoryEntry> = expected.into_iter().map(|n| &made[n]).collect();
        let mut found = row_ids(&rows);
        found.sort_unstable();
        assert_eq!(found, super::ids(expected), "{filter:?}");
    }
}

fn recount(all: &[StoredEntry], filter: &MemoryFilter) -> PerTier<u64> {
    let meets = |row: &&StoredEntry| oracle::meets_conditions(filter, row, None);
    PerTier::from_fn(|scope| all.iter().filter(meets).filter(|r| r.entry.scope() == scope).count() as u64)
}

/// Random filters, every tier.
#[tokio::test]
async fn counts_agree_with_the_listed_entries() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 5, 80).await;
    let mut dice = Dice::new(6);
    for _ in 0..80 {
        let filter = random_filter(&mut dice, &stage);
        let counts = stage.store().count(&filter).await.expect("entries are counted");
        assert_eq!(counts, recount(&all, &filter), "{filter:?}");
    }
}

/// Each tab of the window shows its count whichever tab is open.
#[tokio::test]
async fn counts_include_tiers_outside_the_scope_filter() {
    let stage = CheckedStage::new().await;
    stage.write(author(), stage.places().map(|p| draft(p, "Somewhere."))).await;
    let expected = PerTier { account: 0, workspace: 1, channel: 2, conversation: 2 };
    for scopes in [&[][..], &[MemoryScope::Account], &[MemoryScope::Channel]] {
        let filter = MemoryFilter::active(ScopeFilter::new(scopes, None, None));
        assert_eq!(stage.store().count(&filter).await.expect("entries are counted"), expected);
    }
}

fn by_facet(counts: Vec<FacetCount>) -> BTreeMap<Facet, Vec<(String, u64)>> {
    let mut map = BTreeMap::new();
    for FacetCount { facet, values } in counts {
        let mut values: Vec<(String, u64)> = values.into_iter().filter(|(_, count)| *count > 0).collect();
        if facet == Facet::Forgotten {
            // What a store says of the other values is its own affair.
            values.retain(|(value, _)| value == "yes");
        }
        if !values.is_empty() {
            assert!(map.insert(facet, values).is_none(), "{facet} is counted twice");
        }
    }
    map
}

/// Random filters, every facet, with the conditions of the others; by falling count, then by name.
#[tokio::test]
async fn facet_counts_agree_with_the_listed_entries() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 7, 80).await;
    let mut dice = Dice::new(8);
    for _ in 0..60 {
        let filter = random_filter(&mut dice, &stage);
        let counted = stage.store().facets(&filter, None).await.expect("facets are counted");
        assert_eq!(by_facet(counted), by_facet(oracle::count_facets(&all, &filter)), "{filter:?}");
    }
}

/// The facets of a search result.
#[tokio::test]
async fn facets_can_be_counted_among_chosen_entries() {
    let stage = CheckedStage::new().await;
    let all = populate(&stage, 9, 60).await;
    let mut dice = Dice::new(10);
    for _ in 0..20 {
        let filter = random_filter(&mut dice, &stage);
        let among: BTreeSet<MemoryId> =
            all.iter().filter(|_| dice.chance(40)).map(|row| row.entry.id).collect();
        let chosen: Vec<StoredEntry> =
            all.iter().filter(|row| among.contains(&row.entry.id)).cloned().collect();
        let among: Vec<MemoryId> = among.into_iter().collect();
        let counted = stage.store().facets(&filter, Some(&among)).await.expect("facets are counted");
        assert_eq!(by_facet(counted), by_facet(oracle::count_facets(&chosen, &filter)), "{filter:?}");
    }
    let none = stage.store().facets(&everywhere(Vec::new()), Some(&[])).await.expect("facets are counted");
    assert_eq!(by_facet(none), BTreeMap::new());
}

/// Nothing there is no error.
#[tokio::test]
async fn an_empty_store_lists_and_counts_nothing() {
    let stage = CheckedStage::new().await;
    for store in [stage.store(), stage.account.memory.store.as_ref()] {
        let active = everywhere(Vec::new());
        assert_eq!(page(store, &active, Sort::UpdatedDesc, None, 10).await, []);
        assert_eq!(store.count(&active).await.expect("entries are counted"), PerTier::default());
        assert_eq!(by_facet(store.facets(&active, None).await.expect("facets are counted")), BTreeMap::new());
    }
}

/// The account's database answers for its tier, and only if that tier is within scope.
#[tokio::test]
async fn the_account_lists_its_own_tier() {
    let stage = CheckedStage::new().await;
    let store = stage.account.memory.store.as_ref();
    let (change, entries) = stage.scribe.create(
        author(),
        (0..3).map(|n| {
            let mut draft = draft(Place::Account, &format!("Habit {n}."));
            draft.importance = f64::from(n) / 4.0;
            draft
        }),
    );
    store.commit(&change).await.expect("the change is committed");
    assert_eq!(entries[2].importance, Importance::new(0.5).expect("within bounds"));
    let listed = walk(store, &everywhere(Vec::new()), Sort::ImportanceDesc, 2).await;
    let expected: Vec<MemoryId> = entries.iter().rev().map(|e| e.id).collect();
    assert_eq!(row_ids(&listed), expected);
    let counts = store.count(&everywhere(Vec::new())).await.expect("entries are counted");
    assert_eq!(counts, PerTier { account: 3, ..PerTier::default() });
    let elsewhere = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Workspace], None, None));
    assert_eq!(page(store, &elsewhere, Sort::UpdatedDesc, None, 10).await, []);
}
