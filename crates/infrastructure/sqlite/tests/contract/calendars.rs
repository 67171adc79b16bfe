//! Calendars and the timeline: read within a filter, by time, kept with the entries that have them.

use std::sync::Arc;

use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span},
    ids::MemoryId,
    memory::{MemoryEntry, filter::ScopeFilter},
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    calendar::{TimelineCursor, TimelineQuery},
    testing::builders::{author, draft},
};
use proptest::prelude::*;

use super::{CheckedStage, Stage, ids};

const ALL: ScopeFilter = ScopeFilter::EVERYTHING;

fn moment(value: i64) -> Moment {
    Moment::from_value(value).expect("a moment")
}

fn span(from: Option<i64>, until: Option<i64>) -> Span {
    Span::new(from.map(moment), until.map(moment)).expect("in order")
}

async fn note(stage: &Stage, place: Place, text: &str, when: Span) -> MemoryEntry {
    let (created, mut entries) = stage.scribe.create(author(), [draft(place, text)]);
    let note = stage.apply((created, entries.remove(0))).await;
    stage.apply(stage.scribe.forced(author(), &note, |entry| entry.span = when)).await
}

async fn timeline(stage: &Stage, within: Span, filter: &ScopeFilter) -> Vec<MemoryId> {
    let query = TimelineQuery { within, kind: None, filter, after: None, limit: 100 };
    let found = stage.workspace.calendars.timeline(query).await.expect("the timeline is read");
    found.iter().map(|stored| stored.entry.id).collect()
}

#[tokio::test]
async fn the_timeline_is_in_the_order_of_the_story_within_a_filter() {
    let stage = CheckedStage::new().await;
    let late = note(&stage, Place::Workspace, "The fair.", span(Some(50_000), Some(70_000))).await;
    let open = note(&stage, Place::Workspace, "The bridge stands.", span(None, Some(-30_000))).await;
    let secret = note(&stage, Place::Channel(stage.side.id), "The plot.", span(Some(-20_000), None)).await;
    note(&stage, Place::Workspace, "Salt is dear.", Span::ALWAYS).await;
    assert_eq!(timeline(&stage, Span::ALWAYS, &ALL).await, [open.id, secret.id, late.id]);
    let workspace = ScopeFilter::new(&[MemoryScope::Workspace], None, None);
    assert_eq!(timeline(&stage, Span::ALWAYS, &workspace).await, [open.id, late.id]);
    assert_eq!(timeline(&stage, Span::at(moment(60_000)), &ALL).await, [secret.id, late.id]);
    stage.apply(stage.scribe.forget(author(), &late)).await;
    assert_eq!(timeline(&stage, Span::at(moment(60_000)), &ALL).await, [secret.id]);
}

#[tokio::test]
async fn pages_of_the_timeline_have_each_entry_once() {
    let stage = CheckedStage::new().await;
    let mut all = Vec::new();
    for day in [3, 1, 1, 1, 2] {
        all.push(
            note(&stage, Place::Workspace, &format!("Note {}.", all.len()), span(Some(day * 10_000), None))
                .await,
        );
    }
    all.push(note(&stage, Place::Workspace, "Of old.", span(None, Some(0))).await);
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let query = TimelineQuery { within: Span::ALWAYS, kind: None, filter: &ALL, after, limit: 2 };
        let page = stage.workspace.calendars.timeline(query).await.expect("the timeline is read");
        let Some(last) = page.last() else { break };
        after = Some(TimelineCursor::of(last));
        found.extend(page.into_iter().map(|stored| stored.entry));
    }
    assert_eq!(ids(&found), ids(&all));
    assert!(found.windows(2).all(|pair| pair[0].span.first() <= pair[1].span.first()));
}

#[tokio::test]
async fn calendars_and_chapters_are_listed_also_without_a_text_and_every_version_keeps_its_own() {
    let stage = CheckedStage::new().await;
    let named = stage.apply(stage.scribe.named(Place::Workspace, "Reckoning", "")).await;
    let calendar = Arc::new(Calendar::new(gregorian()).expect("valid"));
    let made = stage
        .apply(stage.scribe.forced(author(), &named, |entry| {
            entry.subject = Some("calendar".to_owned());
            entry.calendar = Some(calendar.clone());
        }))
        .await;
    let found = stage.workspace.calendars.calendars(&ALL).await.expect("read");
    assert_eq!(found.iter().map(|stored| &stored.entry).collect::<Vec<_>>(), [&made]);
    let mut chapters = Vec::new();
    for (name, number) in [("The Flood", 2), ("The Weir", 1)] {
        let named = stage.apply(stage.scribe.named(Place::Workspace, name, "")).await;
        let chapter = stage.scribe.forced(author(), &named, |entry| {
            entry.subject = Some("chapter".to_owned());
            entry.reading_number = std::num::NonZeroU32::new(number);
        });
        chapters.push(stage.apply(chapter).await.id);
    }
    chapters.reverse();
    let read = stage.workspace.calendars.chapters(&ALL).await.expect("read");
    assert_eq!(read.iter().map(|stored| stored.entry.id).collect::<Vec<_>>(), chapters);
    let history = stage.store().history(made.id).await.expect("history is read");
    assert_eq!(
        history.iter().map(|version| version.entry.clone()).collect::<Vec<_>>(),
        [made.clone(), named]
    );
    let channel = ScopeFilter::new(&[MemoryScope::Channel], Some(stage.side.id), None);
    assert!(stage.workspace.calendars.calendars(&channel).await.expect("read").is_empty());
    assert!(stage.workspace.calendars.chapters(&channel).await.expect("read").is_empty());
}

/// A moment near day 0: whole days, and parts at both ends of a day.
fn moments() -> impl Strategy<Value = Moment> {
    (-3_i64..3, prop::sample::select(vec![0_i64, 1, 4_321, 8_640]))
        .prop_map(|(day, slot)| moment(day * 10_000 + slot))
}

fn spans() -> impl Strategy<Value = Span> {
    (prop::option::of(moments()), prop::option::of(moments()))
        .prop_filter_map("in order", |(from, until)| Span::new(from, until).ok())
}

#[tokio::test]
async fn the_timeline_holds_exactly_what_overlaps_the_span_asked_for() {
    use proptest::{strategy::ValueTree as _, test_runner::TestRunner};
    let stage = CheckedStage::new().await;
    let mut runner = TestRunner::deterministic();
    let mut draw = || spans().new_tree(&mut runner).expect("a span").current();
    let mut all = Vec::new();
    for n in 0..40 {
        all.push(note(&stage, Place::Workspace, &format!("Note {n}."), draw()).await);
    }
    for _ in 0..60 {
        let within = draw();
        let mut found = timeline(&stage, within, &ALL).await;
        found.sort_unstable();
        let mut expected: Vec<MemoryId> = all
            .iter()
            .filter(|entry| entry.span != Span::ALWAYS && entry.span.overlaps(within))
            .map(|entry| entry.id)
            .collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{within:?}");
    }
}
