//! Checks a definition, field by field.

use super::{
    definition::{
        CalendarDefinition, EraCounting, LeapRule, MAX_CYCLE_YEARS, MAX_ERA_YEAR, MAX_ERAS, MAX_INTERVALS,
        MAX_LEAP_RULES, MAX_MONTH_DAYS, MAX_MONTHS, MAX_MOON_CYCLE, MAX_MOONS, MAX_WEEKDAYS,
    },
    invalid::{CalendarProblem as Problem, Field, InvalidCalendar},
    moment::{MAX_DAY, PARTS_PER_DAY},
    moon::MICRODAYS,
};
use crate::text;

type Checked<T = ()> = Result<T, InvalidCalendar>;

/// Checks everything but the names' meaning in dates and the length of the leap cycle.
pub(super) fn checked(mut definition: CalendarDefinition) -> Checked<CalendarDefinition> {
    months(&mut definition)?;
    leap_rules(&definition)?;
    week(&mut definition)?;
    eras(&mut definition)?;
    moons(&mut definition)?;
    let parts = i64::from(PARTS_PER_DAY);
    let hours = i64::from(definition.hours_per_day);
    in_range(hours, 1, parts, Field::whole("hours_per_day"))?;
    in_range(
        i64::from(definition.minutes_per_hour),
        1,
        parts / hours.max(1),
        Field::whole("minutes_per_hour"),
    )?;
    in_range(definition.epoch_day, -MAX_DAY, MAX_DAY, Field::whole("epoch_day"))?;
    Ok(definition)
}

fn months(definition: &mut CalendarDefinition) -> Checked {
    let list = "months";
    length(definition.months.len(), 1, MAX_MONTHS, Field::whole(list))?;
    for (at, month) in definition.months.iter_mut().enumerate() {
        let field = Field::item(list, at);
        normalise(&mut month.name, field.part("name"))?;
        normalise_short(&mut month.short, field)?;
        in_range(month.days.into(), 0, MAX_MONTH_DAYS.into(), field.part("days"))?;
        if month.days == 0 && !definition.leap_rules.iter().any(|rule| adds_days(rule, at)) {
            return Err(field.part("days").refused(Problem::NeverHasDays));
        }
    }
    if definition.months.iter().all(|month| month.intercalary || month.days == 0) {
        return Err(Field::whole(list).refused(Problem::NoMonth));
    }
    Ok(())
}

fn adds_days(rule: &LeapRule, month: usize) -> bool {
    rule.month == month && rule.days > 0 && rule.intervals.iter().any(|interval| interval.leap)
}

fn leap_rules(definition: &CalendarDefinition) -> Checked {
    let list = "leap_rules";
    length(definition.leap_rules.len(), 0, MAX_LEAP_RULES, Field::whole(list))?;
    let last_month = definition.months.len() as i64 - 1;
    for (at, rule) in definition.leap_rules.iter().enumerate() {
        let field = Field::item(list, at);
        in_range(i64::try_from(rule.month).unwrap_or(i64::MAX), 0, last_month, field.part("month"))?;
        in_range(rule.days.into(), 1, MAX_MONTH_DAYS.into(), field.part("days"))?;
        length(rule.intervals.len(), 1, MAX_INTERVALS, field.part("intervals"))?;
        for (inner, interval) in rule.intervals.iter().enumerate() {
            let field = field.part("intervals");
            in_range(interval.every.into(), 1, MAX_CYCLE_YEARS.into(), field.inner(inner, "every"))?;
            in_range(interval.offset, -MAX_ERA_YEAR, MAX_ERA_YEAR, field.inner(inner, "offset"))?;
        }
    }
    Ok(())
}

fn week(definition: &mut CalendarDefinition) -> Checked {
    let Some(week) = &mut definition.week else { return Ok(()) };
    let field = Field::whole("week");
    length(week.days.len(), 1, MAX_WEEKDAYS, field.part("days"))?;
    for (at, day) in week.days.iter_mut().enumerate() {
        let field = field.part("days");
        normalise(&mut day.name, field.inner(at, "name"))?;
        if let Some(short) = &mut day.short {
            normalise(short, field.inner(at, "short"))?;
        }
    }
    let last = week.days.len() as i64 - 1;
    in_range(i64::try_from(week.first).unwrap_or(i64::MAX), 0, last, field.part("first"))
}

fn eras(definition: &mut CalendarDefinition) -> Checked {
    let list = "eras";
    length(definition.eras.len(), 0, MAX_ERAS, Field::whole(list))?;
    for (at, era) in definition.eras.iter_mut().enumerate() {
        let field = Field::item(list, at);
        normalise(&mut era.name, field.part("name"))?;
        normalise_short(&mut era.short, field)?;
        in_range(era.anchor, -MAX_ERA_YEAR, MAX_ERA_YEAR, field.part("anchor"))?;
        in_range(era.first_number, 0, MAX_ERA_YEAR, field.part("first_number"))?;
    }
    for (at, era) in definition.eras.iter().enumerate() {
        let next = definition.eras.get(at + 1);
        if next.is_some_and(|next| next.anchor <= era.anchor) {
            return Err(Field::item(list, at + 1).part("anchor").refused(Problem::EraOrder));
        }
        if era.counting == EraCounting::Forward {
            continue;
        }
        let field = Field::item(list, at);
        match next {
            Some(next) if at == 0 => {
                if next.anchor != era.anchor + 1 {
                    return Err(field.part("anchor").refused(Problem::BackwardAnchor));
                }
            }
            _ => return Err(field.part("counting").refused(Problem::BackwardEra)),
        }
    }
    Ok(())
}

fn moons(definition: &mut CalendarDefinition) -> Checked {
    let list = "moons";
    length(definition.moons.len(), 0, MAX_MOONS, Field::whole(list))?;
    let mut names = Vec::new();
    for (at, moon) in definition.moons.iter_mut().enumerate() {
        let field = Field::item(list, at);
        normalise(&mut moon.name, field.part("name"))?;
        let folded = text::fold(&moon.name);
        if names.contains(&folded) {
            return Err(field.part("name").refused(Problem::Duplicate));
        }
        names.push(folded);
        in_range(moon.cycle, MICRODAYS, MAX_MOON_CYCLE, field.part("cycle"))?;
        if moon.shift <= -moon.cycle || moon.shift >= moon.cycle {
            return Err(field.part("shift").refused(Problem::Shift));
        }
    }
    Ok(())
}

fn normalise(given: &mut String, field: Field) -> Checked {
    let name = field.inner_part.or(field.part).unwrap_or(field.list);
    *given = text::label(name, given).map_err(|error| field.refused(error.into()))?;
    Ok(())
}

fn normalise_short(short: &mut Option<String>, field: Field) -> Checked {
    short.as_mut().map_or(Ok(()), |short| normalise(short, field.part("short")))
}

fn length(actual: usize, min: usize, limit: usize, field: Field) -> Checked {
    if actual < min {
        return Err(field.refused(Problem::Missing));
    }
    if actual > limit { Err(field.refused(Problem::TooMany { actual, limit })) } else { Ok(()) }
}

fn in_range(actual: i64, min: i64, max: i64, field: Field) -> Checked {
    if actual < min || actual > max {
        Err(field.refused(Problem::OutOfRange { actual, min, max }))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::{
        Calendar,
        definition::{Interval, MAX_WEEKDAYS},
        preset,
        testing::{dry, era, month},
    };

    fn refused(change: impl FnOnce(&mut CalendarDefinition)) -> String {
        let mut definition = dry();
        change(&mut definition);
        Calendar::new(definition).expect_err("refused").to_string()
    }

    fn leap_rule(every: &[u32]) -> LeapRule {
        let intervals = every.iter().map(|every| Interval { every: *every, offset: 0, leap: true }).collect();
        LeapRule { month: 0, days: 1, intervals }
    }

    #[test]
    fn a_checked_definition_is_accepted_unchanged() {
        for definition in [dry(), preset::gregorian()] {
            let calendar = Calendar::new(definition.clone()).expect("valid");
            assert_eq!(*calendar.definition(), definition);
        }
        let mut spaced = dry();
        spaced.months[1].name = "  The   Rain ".to_owned();
        assert_eq!(Calendar::new(spaced).expect("valid").definition().months[1].name, "The Rain");
    }

    #[test]
    fn a_refusal_names_the_field_and_the_rule() {
        assert_eq!(refused(|it| it.months[1].name = " ".to_owned()), "months[1].name: the name is empty");
        assert_eq!(refused(|it| it.months.clear()), "months: at least one is needed");
        assert_eq!(
            refused(|it| it.months[2].days = 10_001),
            "months[2].days: 10001 is out of range: 0 to 10000"
        );
        let text = refused(|it| it.months[2].name = "Ra\u{202E}in".to_owned());
        assert!(text.starts_with("months[2].name: the name contains the invisible direction mark"), "{text}");
        let text = refused(|it| it.leap_rules = vec![leap_rule(&[4, 0])]);
        assert_eq!(text, "leap_rules[0].intervals[1].every: 0 is out of range: 1 to 10000");
        assert_eq!(refused(|it| it.hours_per_day = 0), "hours_per_day: 0 is out of range: 1 to 8640");
        assert_eq!(
            refused(|it| it.minutes_per_hour = 433),
            "minutes_per_hour: 433 is out of range: 1 to 432"
        );
        let text = refused(|it| {
            if let Some(week) = &mut it.week {
                week.days = vec![week.days[0].clone(); MAX_WEEKDAYS + 1];
            }
        });
        assert_eq!(text, "week.days: 65 are too many: at most 64");
    }

    #[test]
    fn names_that_a_date_could_not_be_read_with_are_refused() {
        let rename = |name: &'static str| refused(move |it| it.months[1].name = name.to_owned());
        assert!(rename("1st month").starts_with("months[1].name: a name in a date starts with a letter"));
        assert!(rename("Seed, early").starts_with("months[1].name: a name in a date has no comma"));
        for used in ["THAW", "elan", "after  the dry", "a.d.", "Firstday"] {
            // The later of the two is named.
            let text = rename(used);
            assert!(text.ends_with("the name is already used in this calendar"), "{used}: {text}");
        }
        let mut own_short = dry();
        own_short.months[1].short = Some("SEED".to_owned());
        assert!(Calendar::new(own_short).is_ok());
    }

    #[test]
    fn a_month_without_days_needs_a_leap_rule_and_a_year_needs_a_month() {
        let text = refused(|it| it.months[6].days = 0);
        assert_eq!(text, "months[6].days: the month has no days, and no leap rule adds any");
        let text = refused(|it| {
            it.months = vec![month("Leap", None, 0)];
            it.leap_rules = vec![leap_rule(&[1])];
        });
        assert!(text.starts_with("months: a year needs a month"), "{text}");
    }

    #[test]
    fn leap_rules_must_repeat_soon() {
        assert!(
            Calendar::new(CalendarDefinition { leap_rules: vec![leap_rule(&[16, 625])], ..dry() }).is_ok()
        );
        let text = refused(|it| it.leap_rules = vec![leap_rule(&[16]), leap_rule(&[5, 1_251])]);
        assert!(
            text.starts_with("leap_rules[1].intervals[1].every: the leap rules repeat after more"),
            "{text}"
        );
        assert!(
            refused(|it| it.leap_rules = vec![LeapRule { month: 14, ..leap_rule(&[4]) }]).contains("0 to 13")
        );
    }

    #[test]
    fn eras_cover_all_years_once() {
        let set = |eras| refused(move |it| it.eras = eras);
        let (forward, backward) = (EraCounting::Forward, EraCounting::Backward);
        let text = set(vec![era("One", "I", 5, forward), era("Two", "II", 5, forward)]);
        assert!(text.starts_with("eras[1].anchor: eras are in the order of time"), "{text}");
        let text = set(vec![era("One", "I", 5, forward), era("Two", "II", 9, backward)]);
        assert!(text.starts_with("eras[1].counting: an era that counts backward is the first"), "{text}");
        let text = set(vec![era("One", "I", 5, backward), era("Two", "II", 9, forward)]);
        assert!(text.starts_with("eras[0].anchor: an era that counts backward is anchored"), "{text}");
    }

    #[test]
    fn the_shift_of_a_moon_is_less_than_its_cycle() {
        let text = refused(|it| it.moons[1].shift = -it.moons[1].cycle);
        assert!(text.starts_with("moons[1].shift: the shift is less"), "{text}");
        assert!(
            refused(|it| it.moons[1].cycle = 999_999).starts_with("moons[1].cycle: 999999 is out of range")
        );
        assert!(refused(|it| it.moons[1].name = "great moon".to_owned()).starts_with("moons[1].name"));
    }
}
