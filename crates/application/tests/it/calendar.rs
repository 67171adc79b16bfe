//! The promises of calendars and of times in the story, kept on SQLite.

use inklings_application::{error::AppError, orientation::OrientRequest, subject::NamedLinks};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian, span::Span},
    ids::MemoryId,
    memory::{InvalidMemory, filter::ScopeFilter},
    scope::Place,
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{
    calendar::TimelineQuery,
    testing::builders::{agent, author, draft},
};

use crate::support::World;

const ALL: ScopeFilter = ScopeFilter::EVERYTHING;

/// A world with two calendars: one of twelve months, and one in which January has ten days fewer.
async fn with_calendars() -> World {
    let world = World::new().await;
    let calendars = world.session.calendars();
    calendars.add("Common", Calendar::new(gregorian()).expect("valid"), "", author()).await.expect("added");
    calendars.add("Court", shortened(), "", author()).await.expect("added");
    world
}

fn shortened() -> Calendar {
    let mut definition = gregorian();
    definition.months[0].days = 21;
    Calendar::new(definition).expect("valid")
}

async fn subject(world: &World, name: &str, kind: &str) -> MemoryId {
    world.session.subjects().add(name, kind, "", author()).await.expect("added").id()
}

async fn set(world: &World, id: MemoryId, dates: &str) -> Span {
    let calendars = world.session.calendars();
    let span = calendars.read(dates, None, &ALL).await.expect("dates");
    let version = world.entry(id).await.version;
    calendars.set_story_time(id, version, Some(span), None, author()).await.expect("set");
    span
}

#[tokio::test]
async fn the_first_calendar_reads_dates_unless_another_is_named() {
    let world = with_calendars().await;
    let calendars = world.session.calendars();
    let common = calendars.read("1 February, 2", None, &ALL).await.expect("a date");
    assert_eq!(common, calendars.read("1 February, 2", Some("common"), &ALL).await.expect("a date"));
    assert_ne!(common, calendars.read("1 February, 2", Some("Court"), &ALL).await.expect("a date"));
    let unknown = calendars.read("1 February, 2", Some("Elvish"), &ALL).await;
    assert!(matches!(unknown, Err(AppError::NotFound { what: "calendar", .. })));
    let without = World::new().await;
    let none = without.session.calendars().read("1 February, 2", None, &ALL).await;
    assert!(matches!(none, Err(AppError::Input { field: "calendar", .. })));
}

#[tokio::test]
async fn the_refusal_of_a_date_names_the_place_and_not_the_words() {
    let world = with_calendars().await;
    let calendars = world.session.calendars();
    for (dates, tells) in [
        ("3 Ymber, 12", "characters 3 to 7 of the date are not understood"),
        ("Öl 3 Ymber, 12", "characters 1 to 2 of the date are not understood"),
        ("3 May, 12 – 2 May, 12", "ends before it starts"),
        ("", "the date is empty"),
    ] {
        let refused = calendars.read(dates, None, &ALL).await;
        let Err(AppError::Input { field: "span", message }) = refused else { panic!("{dates}: {refused:?}") };
        assert!(message.contains(tells) && !message.contains("Ymber"), "{message}");
    }
}

#[tokio::test]
async fn a_calendar_that_changes_moves_no_moment_and_undo_brings_it_back() {
    let world = with_calendars().await;
    let calendars = world.session.calendars();
    let mira = subject(&world, "Mira", "character").await;
    let span = set(&world, mira, "30 January, 5").await;
    let common = calendars.find(Some("Common"), &ALL).await.expect("there").entry;
    let defined = calendars.define(common.id, common.version, shortened(), author()).await.expect("defined");
    assert_eq!(world.entry(mira).await.span, span);
    let calendar = calendars.of_workspace(&ALL).await.expect("read").expect("a calendar");
    assert_eq!(calendar.parse_span("9 February, 5").expect("a date").from().map(|it| it.day() - 1), {
        // Four years with ten days fewer each.
        span.from().map(|from| from.day() - 1 - 40)
    });
    world.session.memories().undo_change(defined.change, author()).await.expect("undone");
    assert_eq!(world.entry(common.id).await.calendar, common.calendar);
}

#[tokio::test]
async fn agents_time_their_own_memories_and_define_no_calendar() {
    let world = with_calendars().await;
    let calendars = world.session.calendars();
    let span = calendars.read("5", None, &ALL).await.expect("a year");
    let noted = world.remember(draft(Place::Workspace, "The bridge stands."), agent()).await;
    calendars.set_story_time(noted, 1, Some(span), None, agent()).await.expect("set");
    let mira = subject(&world, "Mira", "character").await;
    let refused = calendars.set_story_time(mira, 1, Some(span), None, agent()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    let common = calendars.find(None, &ALL).await.expect("there").entry;
    let refused = calendars.define(common.id, common.version, shortened(), agent()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::Locked))));
    assert!(calendars.add("Own", shortened(), "", agent()).await.is_err());
}

#[tokio::test]
async fn the_age_of_a_subject_is_counted_in_the_years_of_a_calendar() {
    let world = with_calendars().await;
    let calendars = world.session.calendars();
    let mira = subject(&world, "Mira", "character").await;
    subject(&world, "Toma", "character").await;
    set(&world, mira, "1 March, 2 –").await;
    for (at, years) in [("28 February, 12", 9), ("1 March, 12", 10), ("1 March, 2", 0)] {
        assert_eq!(calendars.age("mira", at, None, &ALL).await.expect("an age").years, years, "{at}");
    }
    for (name, at, wrong) in [("Mira", "1 March, 1", "span"), ("Toma", "1 March, 12", "subject")] {
        let refused = calendars.age(name, at, None, &ALL).await;
        assert!(matches!(refused, Err(AppError::Input { field, .. }) if field == wrong), "{name} at {at}");
    }
}

#[tokio::test]
async fn an_orientation_tells_when_a_memory_and_a_subject_hold() {
    let world = with_calendars().await;
    let note = world.remember(draft(Place::Workspace, "The bridge stands at the weir."), author()).await;
    set(&world, note, "1 March, 2 –").await;
    let subjects = world.session.subjects();
    let mira = subjects.add("Mira", "character", "She keeps the weir.", author()).await.expect("added").id();
    set(&world, mira, "May, 788").await;
    let request = OrientRequest {
        query: ConversationQuery::Next("What does Mira do at the weir?".to_owned()),
        ..OrientRequest::default()
    };
    let document = world.session.orientations().orient(request).await.expect("oriented");
    assert!(
        document.markdown.contains("holds: March, 2 Anno Domini –]: The bridge"),
        "{}",
        document.markdown
    );
    assert!(document.markdown.contains("holds: May, 788 Anno Domini]"), "{}", document.markdown);
}

#[tokio::test]
async fn an_agent_dates_a_new_memory_by_a_calendar_that_it_may_read() {
    let world = with_calendars().await;
    let subjects = world.session.subjects();
    let dated = NamedLinks { holds: Some("May, 788"), ..NamedLinks::default() };
    let links = subjects.links_named(&dated, Place::Workspace, &ALL).await.expect("a date");
    assert_eq!(links.span, world.session.calendars().read("May, 788", None, &ALL).await.expect("a date"));
    let outside = ScopeFilter { workspace: false, ..ALL };
    let refused = subjects.links_named(&dated, Place::Workspace, &outside).await;
    assert!(matches!(refused, Err(AppError::Input { field: "calendar", .. })));
    let unread = NamedLinks { holds: Some("Ymber"), ..NamedLinks::default() };
    let refused = subjects.links_named(&unread, Place::Workspace, &ALL).await;
    assert!(matches!(refused, Err(AppError::Input { field: "span", .. })));
}

#[tokio::test]
async fn the_timeline_of_a_kind_is_listed_in_any_case() {
    let world = with_calendars().await;
    let flood = subject(&world, "The Flood", "event").await;
    let mira = subject(&world, "Mira", "character").await;
    for id in [flood, mira] {
        set(&world, id, "812").await;
    }
    for kind in ["event", "Event", "EVENT"] {
        let query =
            TimelineQuery { within: Span::ALWAYS, kind: Some(kind), filter: &ALL, after: None, limit: 9 };
        let rows = world.session.calendars().timeline(query).await.expect("a page").rows;
        assert_eq!(rows.iter().map(|stored| stored.entry.id).collect::<Vec<_>>(), [flood], "{kind}");
    }
}
