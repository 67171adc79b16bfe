//! Calendars for the tests of this folder.

use proptest::{collection::vec, prelude::*};

use super::{
    Calendar, CalendarDefinition,
    definition::{Era, EraCounting, Interval, LeapRule, Month, Moon, Week, WeekRestart, Weekday},
    moment::{MAX_DAY, Moment, PARTS_PER_DAY},
    preset,
};

pub(super) fn month(name: &str, short: Option<&str>, days: u32) -> Month {
    Month { name: name.to_owned(), short: short.map(str::to_owned), days, intercalary: false, in_week: true }
}

pub(super) fn era(name: &str, short: &str, anchor: i64, counting: EraCounting) -> Era {
    Era { name: name.to_owned(), short: Some(short.to_owned()), anchor, first_number: 1, counting }
}

/// 13 months of 28 days and a festival between the sixth and the seventh, a week of six days that skips it, two eras, two moons,
/// 20 hours of 50 minutes.
pub(super) fn dry() -> CalendarDefinition {
    let names = [
        ("Thaw", "Tw"),
        ("Seed", "Sd"),
        ("Rain", "Rn"),
        ("Bloom", "Bl"),
        ("Hay", "Hy"),
        ("Sun", "Sn"),
        ("Ember", "Em"),
        ("Grain", "Gr"),
        ("Wine", "Wi"),
        ("Leaf", "Lf"),
        ("Fog", "Fg"),
        ("Frost", "Fr"),
        ("Élan", "El"),
    ];
    let mut months: Vec<Month> = names.iter().map(|(name, short)| month(name, Some(short), 28)).collect();
    months.insert(6, Month { intercalary: true, in_week: false, ..month("Midsummer", None, 1) });
    let weekday = |name: &str| Weekday { name: name.to_owned(), short: None };
    let days =
        ["Firstday", "Secondday", "Thirdday", "Fourthday", "Fifthday", "Restday"].map(weekday).to_vec();
    let moon = |name: &str, cycle, shift| Moon { name: name.to_owned(), cycle, shift };
    CalendarDefinition {
        months,
        leap_rules: Vec::new(),
        week: Some(Week { days, first: 0, restart: WeekRestart::Never }),
        eras: vec![
            era("before the Dry", "BD", 0, EraCounting::Backward),
            era("after the Dry", "AD", 1, EraCounting::Forward),
        ],
        moons: vec![moon("Great Moon", 28_000_000, 0), moon("Small Moon", 9_500_000, 2_000_000)],
        hours_per_day: 20,
        minutes_per_hour: 50,
        epoch_day: 0,
    }
}

/// As [`dry`], with a festival that only every fourth year has, after "Midsummer".
pub(super) fn dry_with_leap_festival() -> CalendarDefinition {
    let mut definition = dry();
    definition.months.insert(7, Month { intercalary: true, ..month("Shieldday", None, 0) });
    let interval = Interval { every: 4, offset: 0, leap: true };
    definition.leap_rules.push(LeapRule { month: 7, days: 1, intervals: vec![interval] });
    definition
}

pub(super) fn valid(definition: CalendarDefinition) -> Calendar {
    Calendar::new(definition).expect("a valid definition")
}

pub(super) fn gregorian() -> Calendar {
    valid(preset::gregorian())
}

/// Moments near to and far from the epoch, whole days and parts.
pub(super) fn moments() -> impl Strategy<Value = Moment> {
    let day = prop_oneof![-2_000_i64..2_000, -400_000_000_i64..400_000_000, -MAX_DAY..=MAX_DAY];
    (day, prop::option::of(0..PARTS_PER_DAY)).prop_map(|(day, part)| {
        part.map_or(Moment::on_day(day), |part| Moment::at_part(day, part)).expect("in range")
    })
}

const NAMES: [&str; 12] = [
    "Month",
    "Month 3",
    "Month 3 of Ash",
    "Ünder Frost",
    "the Long Night",
    "St. Ælf's",
    "三月",
    "Θέρος",
    "of",
    "a - b",
    "Year",
    "चैत्र",
];

fn months_of_a_year() -> impl Strategy<Value = Vec<Month>> {
    let lengths = prop_oneof![3 => 1_u32..40, 1 => Just(0), 1 => Just(1)];
    vec((lengths, any::<bool>(), any::<bool>(), any::<bool>()), 1..=NAMES.len()).prop_map(|all| {
        let months = all.into_iter().zip(NAMES).enumerate();
        months
            .map(|(at, ((days, intercalary, in_week, abbreviated), name))| Month {
                name: name.to_owned(),
                short: abbreviated.then(|| format!("m{at}")),
                days,
                intercalary,
                in_week,
            })
            .collect()
    })
}

fn leap_rule() -> impl Strategy<Value = LeapRule> {
    let every = prop::sample::select(vec![1, 2, 3, 4, 5, 6, 8, 10, 12, 19, 25, 100, 400]);
    let interval = (every, -500_i64..500, any::<bool>()).prop_map(|(every, offset, leap)| Interval {
        every,
        offset,
        leap,
    });
    (0..NAMES.len(), 1_u32..4, vec(interval, 1..5)).prop_map(|(month, days, intervals)| LeapRule {
        month,
        days,
        intervals,
    })
}

fn week() -> impl Strategy<Value = Week> {
    let restart = prop::sample::select(WeekRestart::ALL.to_vec());
    (1_usize..9, 0_usize..9, restart).prop_map(|(length, first, restart)| {
        let days = (0..length).map(|at| Weekday { name: format!("Day {at}"), short: None }).collect();
        Week { days, first: first % length, restart }
    })
}

fn eras() -> impl Strategy<Value = Vec<Era>> {
    (vec(1_i64..3_000, 0..5), any::<bool>(), -2_000_i64..2_000, vec(0_i64..3, 6)).prop_map(
        |(lengths, backward, mut anchor, first_numbers)| {
            let mut eras: Vec<Era> = Vec::new();
            for (at, length) in lengths.into_iter().enumerate() {
                if at == 0 && backward {
                    eras.push(era("before all", "b.a.", anchor - 1, EraCounting::Backward));
                }
                eras.push(era(&format!("Age of Ash {at}"), &format!("A{at}"), anchor, EraCounting::Forward));
                anchor += length;
            }
            for (era, first_number) in eras.iter_mut().zip(first_numbers) {
                era.first_number = first_number;
            }
            eras
        },
    )
}

/// Calendars with leap rules, intercalary days, weeks that restart, eras, and days of unusual length.
pub(super) fn calendars() -> impl Strategy<Value = Calendar> {
    let clock = (1_u32..60, 1_u32..120);
    let parts = (
        months_of_a_year(),
        vec(leap_rule(), 0..4),
        prop::option::of(week()),
        eras(),
        clock,
        -1_000_000_i64..1_000_000,
    );
    parts.prop_filter_map(
        "no valid calendar",
        |(mut months, mut leap_rules, week, eras, (hours_per_day, minutes_per_hour), epoch_day)| {
            for rule in &mut leap_rules {
                rule.month %= months.len();
            }
            months[0].intercalary = false;
            months[0].days = months[0].days.max(1);
            let moons = Vec::new();
            let definition = CalendarDefinition {
                months,
                leap_rules,
                week,
                eras,
                moons,
                hours_per_day,
                minutes_per_hour,
                epoch_day,
            };
            Calendar::new(definition).ok()
        },
    )
}
