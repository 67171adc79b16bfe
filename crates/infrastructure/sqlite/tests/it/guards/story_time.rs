//! Programs that try to give entries a time in the story past the rules.

use super::memory::Target;

/// Day 5 and a part of it.
const DAY: i64 = 50_000;
const NOON: i64 = 54_321;

#[tokio::test]
async fn only_moments_in_order_are_a_time_in_the_story() {
    let mut target = Target::new(false).await;
    let agents = target.agents.id;
    let (journal, declaration) = target.declared("agent");
    let with = |set: &str| format!("{journal}UPDATE memories SET {set}, {declaration} WHERE id = '{agents}'");
    for set in [
        "holds_from = 58641".to_owned(),
        "holds_from = -11359".to_owned(),
        "holds_from = -1".to_owned(),
        "holds_from = 9000000000010000".to_owned(),
        format!("holds_from = {}, holds_until = {DAY}", DAY + 10_000),
        format!("holds_from = {}, holds_until = {NOON}", NOON + 1),
        "reading_number = 1".to_owned(),
        "calendar = '{}'".to_owned(),
    ] {
        target.refuses(&with(&set), "CHECK").await;
    }
    // All of day 5 is part of it, so a time of the day may be its start.
    let set = format!("holds_from = {NOON}, holds_until = {DAY}");
    target.run(&with(&set)).await.expect("a memory gets a time");
}

#[tokio::test]
async fn nothing_of_the_account_has_a_time_in_the_story() {
    let mut target = Target::new(true).await;
    let agents = target.agents.id;
    let (journal, declaration) = target.declared("author");
    for set in ["holds_from = 10000", "holds_until = 10000"] {
        let attack = format!("{journal}UPDATE memories SET {set}, {declaration} WHERE id = '{agents}'");
        target.refuses(&attack, "CHECK").await;
    }
}
