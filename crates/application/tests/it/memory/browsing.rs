use std::collections::HashSet;

use inklings_domain::{
    memory::{
        decay::{DecayConfig, Exemption},
        filter::{Facet, FacetTerm, ScopeFilter, Sort},
    },
    scope::{MemoryScope, Place},
    search::query::QueryText,
};
use inklings_ports::testing::builders::{author, everywhere, only};

use super::{World, everything};

#[tokio::test]
async fn pages_over_both_databases_have_no_gap_and_no_double() {
    let world = World::new().await;
    for n in 0..23 {
        let place = if n % 3 == 0 { Place::Account } else { Place::Workspace };
        world.write(place, &format!("entry {n}")).await;
    }
    for sort in Sort::ALL {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page =
                world.session.memories().list(&everything(), *sort, after.as_ref(), 5).await.expect("a page");
            assert!(page.entries.len() <= 5);
            seen.extend(page.entries.into_iter().map(|stored| stored.entry.id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), 23, "{sort}");
        assert_eq!(seen.iter().collect::<HashSet<_>>().len(), 23, "{sort}");
    }
}

#[tokio::test]
async fn counts_cover_every_tier_whatever_tier_is_in_view() {
    let world = World::new().await;
    world.write(Place::Account, "a").await;
    world.write(Place::Workspace, "b").await;
    world.write(Place::Workspace, "c").await;
    let mut filter = everything();
    filter.scope_filter = ScopeFilter::new(&[MemoryScope::Account], None, None);
    let counts = world.session.memories().count(&filter).await.expect("counts");
    assert_eq!((counts.account, counts.workspace), (1, 2));
}

#[tokio::test]
async fn facets_of_both_databases_add_up() {
    let world = World::new().await;
    world.write(Place::Account, "a").await;
    world.write(Place::Workspace, "b").await;
    let facets =
        world.session.memories().facets(&everywhere(vec![only(Facet::Curator, "author")]), None).await;
    let facets = facets.expect("facets");
    let curator = facets.iter().find(|f| f.facet == Facet::Curator).expect("always there");
    assert_eq!(curator.values, [("author".to_owned(), 2)]);
}

/// The others stay to be chosen as well.
#[tokio::test]
async fn the_values_of_a_facet_with_a_term_are_counted_as_without_it_also_while_a_query_is_typed() {
    let world = World::new().await;
    for (text, tag) in [("a lantern of brass", "plot"), ("a lantern of tin", "lore"), ("a boat", "plot")] {
        let id = world.write(Place::Workspace, text).await;
        world.session.memories().tag(&[id], &[tag.to_owned()], &[], author()).await.expect("tagged");
    }
    world.write(Place::Workspace, "A lantern of brass.").await;
    let tags = async |term: FacetTerm, query: Option<&str>| {
        let query = query.map(|query| QueryText::Typed(query.to_owned()));
        let facets = world.session.memories().facets(&everywhere(vec![term]), query).await.expect("facets");
        let of =
            |facet: Facet| facets.iter().find(|f| f.facet == facet).expect("always there").values.clone();
        (of(Facet::Tag), of(Facet::Curator))
    };
    let count = |value: &str, count: u64| (value.to_owned(), count);
    let both = vec![count("lore", 1), count("plot", 1)];
    let excluding = FacetTerm { negated: true, ..only(Facet::Tag, "plot") };
    assert_eq!(
        tags(only(Facet::Tag, "plot"), Some("lantern")).await,
        (both.clone(), vec![count("author", 1)])
    );
    assert_eq!(tags(excluding, Some("lantern")).await, (both, vec![count("author", 2)]));
    let all = vec![count("plot", 2), count("lore", 1)];
    assert_eq!(tags(only(Facet::Tag, "plot"), None).await, (all, vec![count("author", 2)]));
}

#[tokio::test]
async fn the_decay_curve_falls_from_the_last_use_and_states_when_the_entry_fades() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "soon forgotten").await;
    let kept = world.session.memories().decay_curve(id).await.expect("a curve");
    assert_eq!((kept.fades_at, kept.exempt), (None, Some(Exemption::OfAuthor)));
    let fading = DecayConfig::STEADY.with_authors_fade(true);
    world.session.reload_decay(fading, true).await.expect("decay loads");
    let curve = world.session.memories().decay_curve(id).await.expect("a curve");
    assert_eq!(curve.exempt, None);
    assert!(curve.points.windows(2).all(|w| w[0].0 <= w[1].0 && w[0].1 + 1e-9 >= w[1].1));
    // .5 * .998^h < .01 after 1,954 hours of use.
    let fades = curve.fades_at.expect("it fades within a year of daily use");
    let hours = (fades - curve.points[48].0).num_hours();
    assert!((1900..2000).contains(&hours), "{hours}");
}
