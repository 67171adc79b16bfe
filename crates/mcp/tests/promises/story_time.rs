//! What the worldbuilder does to calendars and to times in the story.

use std::{num::NonZeroU32, sync::Arc};

use inklings_api::{
    calendar::view::{CalendarDefinition, NewStoryTime},
    fact::view::FactView,
};
use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span},
    memory::MemoryKind,
    provenance::{ActorKind, Curator},
};

use super::{
    author::narrow,
    model::{By, Checked, EntryState, Expected, Seat},
    play::{Must, Play},
};

/// The Gregorian calendar with another number of days in January, as the domain and as the commands have it.
fn definition(days: u32) -> (Calendar, CalendarDefinition) {
    let mut own = gregorian();
    own.months[0].days = days;
    let own = Calendar::new(own).expect("valid");
    let json = inklings_ports::calendar::json::calendar_value(&own);
    (own, serde_json::from_value(json).expect("the form of files"))
}

pub async fn change_calendar(play: &mut Play, a: u8, b: u8) -> Checked {
    let here = Seat::Workspace(play.here());
    let found =
        play.pick(a, |known| known.seat == here && known.state.active() && known.state.calendar.is_some());
    let (calendar, given) = definition(28 + u32::from(b % 3));
    let app = Arc::clone(&play.stage.app);
    let Some(id) = found.filter(|_| !b.is_multiple_of(4)) else {
        let name = format!("Reckoning {}", a % 4);
        let goes_by = |entry: &EntryState| {
            entry.active() && (entry.name.as_deref() == Some(&*name) || entry.aliases.contains(&name))
        };
        let free = !play.model.entries.values().any(|known| known.seat == here && goes_by(&known.state));
        play.log(format!("  the author adds the calendar {name:?}"));
        let answer = app.calendar().add_calendar(&name, &given).await;
        let done = play.judge("add_calendar", Must::do_if(free), answer)?;
        return play.settle_if(done, &By::Author, Expected::fresh(here, Curator::Author, "")).await;
    };
    let (entry, version) = (play.expected_entry(id), narrow(play.model.entries[&id].version));
    let after = EntryState { calendar: Some(Arc::new(calendar)), ..entry.clone() };
    play.log(format!("  the author defines the calendar {:?} anew", entry.name));
    let answer = app.calendar().define_calendar(&id.to_string(), version, &given).await;
    let done = play.judge("define_calendar", Must::do_if(after != entry), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

fn has_calendar(play: &Play) -> bool {
    let here = Seat::Workspace(play.here());
    let is_one = |entry: &EntryState| entry.active() && entry.calendar.is_some();
    play.model.entries.values().any(|known| known.seat == here && is_one(&known.state))
}

/// 1 January of the year 1 is day 1 in every calendar that a step defines.
fn dates(b: u8) -> (&'static str, Span) {
    match b % 3 {
        0 => ("", Span::ALWAYS),
        1 => ("1 January, 1 AD", Span::at(Moment::on_day(1).expect("in range"))),
        _ => ("1 January, 1 AD –", Span::new(Moment::on_day(1).ok(), None).expect("in order")),
    }
}

/// The time of a fact. Whoever sets it makes the fact their own.
pub async fn set_fact_time(play: &mut Play, fact: &FactView, b: u8) -> Checked {
    let (text, span) = dates(b);
    let ends = |span: Span| (span.from().map(Moment::value), span.until().map(Moment::value));
    let is_new = fact.story_time.as_ref().map_or((None, None), |time| (time.from, time.until)) != ends(span);
    let can_be = is_new && (text.is_empty() || has_calendar(play));
    play.log(format!("  the author sets the time of the fact {} to {text:?}", fact.key));
    let app = Arc::clone(&play.stage.app);
    let answer = app.fact().set_fact_time(&fact.id, text, None, ActorKind::Author).await;
    if play.judge("set_fact_time", Must::do_if(can_be), answer)?.is_some() {
        let key = (play.here(), format!("{}/{}", fact.category, fact.key));
        let slot = play.model.facts.entry(key).or_default();
        slot.set(By::Author, slot.value.clone(), true);
    }
    Ok(())
}

pub async fn set(play: &mut Play, a: u8, b: u8) -> Checked {
    let has_calendar = has_calendar(play);
    let Some(id) = play.near(a) else { return Ok(()) };
    let (entry, known) = (play.expected_entry(id), &play.model.entries[&id]);
    let (seat, version) = (known.seat, narrow(known.version));
    let is_subject = entry.subject.is_some();
    let (text, span) = dates(b);
    let reading_number = NonZeroU32::new(u32::from(b / 3 % 3)).filter(|_| is_subject || b > 250);
    let after = EntryState { span, reading_number, ..entry.clone() };
    let can_be = entry.active()
        && (text.is_empty() || has_calendar)
        && (span == Span::ALWAYS || (entry.kind == MemoryKind::Note && seat != Seat::Account))
        && (reading_number.is_none() || is_subject);
    play.log(format!("  the author sets the time of {id} to {text:?}, number {reading_number:?}"));
    let new = NewStoryTime {
        text: Some(text.to_owned()),
        calendar: None,
        reading_number: reading_number.map(NonZeroU32::get),
    };
    let app = Arc::clone(&play.stage.app);
    let answer = app.calendar().set_story_time(&id.to_string(), version, &new).await;
    let done = play.judge("set_story_time", Must::do_if(can_be && after != entry), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}
