//! A world in which a conversation was purged goes out and in as any other.

use crate::support::carried::{EVERYTHING, Text, World, parsed, timeless};
use inklings_application::{
    scrub::{Operator, ScrubRequest},
    transfer::{Conflicts, Outcome},
};
use inklings_domain::scrub::{ScrubMode, ScrubTarget};
use inklings_ports::testing::builders::author;
use serde_json::Value;

/// A world of which a conversation with the middle value of a fact was purged.
async fn purged(seed: u64) -> World {
    let world = World::rich(seed).await;
    let file: Value = serde_json::from_str(&world.export(EVERYTHING).await).expect("JSON");
    let source = emptied(&file, "Thaw")["conversation_id"].as_str().expect("a conversation").to_owned();
    let target = ScrubTarget::Purge(source.parse().expect("an id"));
    let scrubs = world.session.scrubs();
    let manifest = scrubs.preview(&target, ScrubMode::Full).await.expect("a manifest");
    let phrase = target.phrase().to_owned();
    let request = ScrubRequest { target, mode: ScrubMode::Full, hash: manifest.hash, phrase };
    scrubs.execute(&request, &Operator::author(author())).await.expect("purged");
    world
}

/// The second of the earlier values of the first month, which has this text.
fn emptied<'f>(file: &'f Value, text: &str) -> &'f Value {
    let facts = file["facts"].as_array().expect("facts");
    let fact = facts.iter().find(|fact| fact["key"] == "first month").expect("the fact stays");
    let value = &fact["values"][1];
    assert_eq!(value["value"], text);
    value
}

#[tokio::test]
async fn a_purged_world_is_exported_and_imported_with_the_same_bytes() {
    let world = purged(1).await;
    let out = world.export(EVERYTHING).await;
    assert_eq!(emptied(&parsed(&out).0, "")["removed"], true);
    let fresh = World::begun(2).await;
    let done = fresh.import(&parsed(&out), Conflicts::Newer).await;
    assert_eq!(done.plan.total(Outcome::Refuse), 0, "{:#?}", done.plan.items);
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
    for world in [world, fresh] {
        world.healthy().await;
    }
}

/// Earlier releases did not mark what a purge emptied.
#[tokio::test]
async fn an_export_with_an_emptied_value_that_is_not_marked_as_removed_is_imported() {
    let out = purged(1).await.export(EVERYTHING).await;
    let mut old: Value = serde_json::from_str(&out).expect("JSON");
    let facts = old["facts"].as_array_mut().expect("facts");
    let fact = facts.iter_mut().find(|fact| fact["key"] == "first month").expect("the fact stays");
    fact["values"][1]["removed"] = false.into();
    let fresh = World::begun(2).await;
    fresh.import(&Text(old), Conflicts::Newer).await;
    assert_eq!(timeless(&fresh.export(EVERYTHING).await), timeless(&out));
    fresh.healthy().await;
}
