//! Backups: copies of whole databases, and the thinning rule that decides which are kept.
//!
//! For the last day, the newest backup of each database in each hour is kept, and every backup made for a specific reason.
//! For the last thirty days, the newest backup of each database on each day is kept. Older backups are deleted. Then the oldest are deleted
//! until the rest fits the allowed size. Only one generation is deleted at a time: today's backups only when no
//! earlier ones are left. Four kinds are never deleted: the newest, the newest of each database that is not known to be
//! damaged, those the worldbuilder asked for, and those made before a restore less than a day ago.
//!
//! Backups are ordered by sequence number. The clock gives only the time between two neighbouring backups. That time
//! counts as at most a day, so that no backup ages by more than one generation at once. It counts as zero if the
//! clock was set back or jumped.

use std::{collections::HashSet, fmt, str::FromStr};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

use crate::scope::words;

/// Formats a number of scrubs for people.
pub fn scrubs(count: u64) -> String {
    if count == 1 { "a scrub".to_owned() } else { format!("{count} scrubs") }
}

/// Why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackupReason {
    /// Made some time after a write.
    Activity,
    /// Made at the worldbuilder's request.
    Asked,
    /// Made before a migration.
    Migration,
    /// Made before an import.
    Import,
    /// Made before a scrub.
    Scrub,
    /// Made before a large run.
    Run,
    /// Made before a restore.
    Restore,
    /// Made before an update of the program.
    Update,
}

words!(BackupReason, "reason", {
    Activity => "activity", Asked => "asked", Migration => "migration", Import => "import", Scrub => "scrub",
    Run => "run", Restore => "restore", Update => "update",
});

/// Identifies a backup by its time and reason. Safe as a folder name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BackupId {
    at: DateTime<Utc>,
    reason: BackupReason,
}

/// The text is not a valid backup id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not the name of a backup")]
pub struct InvalidBackupId;

const FORMAT: &str = "%Y%m%dT%H%M%S";

impl BackupId {
    /// The id of a backup made at a moment. The time is truncated to milliseconds.
    pub fn new(at: DateTime<Utc>, reason: BackupReason) -> Self {
        let millis = at.timestamp_millis();
        Self { at: DateTime::from_timestamp_millis(millis).unwrap_or(at), reason }
    }

    /// The time the backup was made, with millisecond precision.
    pub const fn at(&self) -> DateTime<Utc> {
        self.at
    }

    /// The reason the backup was made.
    pub const fn reason(&self) -> BackupReason {
        self.reason
    }

    /// The same id one millisecond later, for use when this id is taken.
    #[must_use]
    pub fn later(&self) -> Self {
        Self { at: self.at + TimeDelta::milliseconds(1), ..*self }
    }
}

impl fmt::Display for BackupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.at.timestamp_subsec_millis();
        write!(f, "{}{millis:03}Z-{}", self.at.format(FORMAT), self.reason)
    }
}

impl FromStr for BackupId {
    type Err = InvalidBackupId;

    fn from_str(text: &str) -> Result<Self, InvalidBackupId> {
        let (time, reason) = text.split_once("Z-").ok_or(InvalidBackupId)?;
        // "20261121T123456" and three digits of milliseconds.
        let (seconds, millis) = time.split_at_checked(15).ok_or(InvalidBackupId)?;
        let at = NaiveDateTime::parse_from_str(seconds, FORMAT).map_err(|_| InvalidBackupId)?;
        let millis: i64 = millis.parse().map_err(|_| InvalidBackupId)?;
        let reason = reason.parse().map_err(|_| InvalidBackupId)?;
        let id = Self { at: at.and_utc() + TimeDelta::milliseconds(millis), reason };
        // Only the canonical form is accepted.
        if id.to_string() == text { Ok(id) } else { Err(InvalidBackupId) }
    }
}

/// The properties of a backup that thinning uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFacts {
    pub id: BackupId,
    /// Sequence number. Later backups have higher numbers regardless of the clock. 0 for backups from before
    /// numbering.
    pub sequence: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// The paths of the databases in it.
    pub files: Vec<String>,
    /// True if a check found it damaged.
    pub damaged: bool,
}

impl BackupFacts {
    /// The sort key of a backup.
    pub fn order(&self) -> (u64, DateTime<Utc>, &'static str) {
        order(self.sequence, self.id)
    }
}

/// The sort key of a backup: its sequence number, then its time and reason.
pub fn order(sequence: u64, id: BackupId) -> (u64, DateTime<Utc>, &'static str) {
    (sequence, id.at, id.reason.as_str())
}

/// The longest time that may count between two neighbouring backups.
const STEP: TimeDelta = TimeDelta::days(1);
/// A longer gap counts as a clock jump.
const JUMP: TimeDelta = TimeDelta::days(366);

/// The time between two moments, at most [`STEP`]; `None` if the clock was set back or jumped.
fn gap(from: DateTime<Utc>, to: DateTime<Utc>) -> Option<TimeDelta> {
    let gap = to - from;
    (gap >= TimeDelta::zero() && gap <= JUMP).then(|| gap.min(STEP))
}

/// A backup with the age derived from its neighbours.
#[derive(Debug, Clone, Copy)]
struct WithAge<'a> {
    backup: &'a BackupFacts,
    /// True for the newest of all, and for one with the newest copy of a database that may be intact.
    is_newest: bool,
    age: TimeDelta,
    /// Number of clock jumps since the backup. Hours and days are comparable only within one era.
    era: u32,
}

impl WithAge<'_> {
    fn is_of_today(&self) -> bool {
        self.age < TimeDelta::days(1)
    }

    fn is_guarded(&self) -> bool {
        match self.backup.id.reason {
            BackupReason::Asked => true,
            BackupReason::Restore if self.is_of_today() => true,
            _ => self.is_newest,
        }
    }
}

/// Computes the age of each backup, newest first.
fn aged(backups: &[BackupFacts], now: DateTime<Utc>) -> Vec<WithAge<'_>> {
    let mut newest_first: Vec<&BackupFacts> = backups.iter().collect();
    newest_first.sort_by_key(|backup| std::cmp::Reverse(backup.order()));
    let (mut later, mut age, mut era) = (now, TimeDelta::zero(), 0);
    let (mut all, mut files) = (Vec::with_capacity(newest_first.len()), HashSet::new());
    for backup in newest_first {
        match gap(backup.id.at, later) {
            Some(gap) => age += gap,
            None => era += 1,
        }
        later = backup.id.at;
        // Counts and does not search: each file of the backup has to be noted.
        let newest_of = backup.files.iter().filter(|file| !backup.damaged && files.insert(*file)).count();
        all.push(WithAge { backup, is_newest: all.is_empty() || newest_of > 0, age, era });
    }
    all
}

/// The backups to delete, oldest first. `most` is the allowed total size in bytes.
pub fn thin(backups: &[BackupFacts], now: DateTime<Utc>, most: u64) -> Vec<BackupId> {
    let (mut hours, mut days) = (HashSet::new(), HashSet::new());
    let (mut stay, mut gone): (Vec<WithAge<'_>>, Vec<WithAge<'_>>) = (Vec::new(), Vec::new());
    for it in aged(backups, now) {
        let seconds = it.backup.id.at.timestamp();
        // Of any database: another backup of the same hour may not have it.
        let (mut first_of_hour, mut first_of_day) = (false, false);
        for file in &it.backup.files {
            first_of_hour |= hours.insert((file, it.era, seconds.div_euclid(3_600)));
            first_of_day |= days.insert((file, it.era, seconds.div_euclid(86_400)));
        }
        let keeps = if it.is_of_today() {
            first_of_hour || it.backup.id.reason != BackupReason::Activity
        } else {
            it.age < TimeDelta::days(30) && first_of_day
        };
        if keeps || it.is_guarded() { stay.push(it) } else { gone.push(it) }
    }
    let mut size: u64 = stay.iter().map(|it| it.backup.bytes).fold(0, u64::saturating_add);
    let free = |it: &&WithAge| !it.is_guarded();
    let oldest_first = || stay.iter().rev().filter(free);
    // The oldest generation that has a deletable backup.
    let of_today = oldest_first().next().is_some_and(WithAge::is_of_today);
    for it in oldest_first().filter(|it| it.is_of_today() == of_today) {
        if size <= most {
            break;
        }
        size = size.saturating_sub(it.backup.bytes);
        gone.push(*it);
    }
    gone.sort_by_key(|it| it.backup.order());
    gone.into_iter().map(|it| it.backup.id).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap_or_default()
    }

    /// A backup made under a steady clock: the sequence number rises with time.
    fn backup(minutes_ago: i64, reason: BackupReason, bytes: u64) -> BackupFacts {
        let sequence = (10_000_000 - minutes_ago).unsigned_abs();
        let id = BackupId::new(now() - TimeDelta::minutes(minutes_ago), reason);
        BackupFacts { id, sequence, bytes, files: vec!["agents.db".into()], damaged: false }
    }

    #[test]
    fn backup_ids_parse_back_and_other_texts_are_refused() {
        let id = BackupId::new(now() + TimeDelta::milliseconds(7), BackupReason::Asked);
        assert_eq!(id.to_string(), "20270115T080000007Z-asked");
        assert_eq!(id.to_string().parse(), Ok(id));
        for text in [
            "",
            "..",
            "../x",
            "20270115T080000007Z-",
            "20270115T08000000Z-asked",
            "x/20270115T080000007Z-asked",
        ] {
            assert_eq!(text.parse::<BackupId>(), Err(InvalidBackupId), "{text}");
        }
    }

    #[test]
    fn thinning_leaves_one_backup_an_hour_for_a_day_and_one_a_day_for_a_month() {
        let every = |step: i64, until: i64| (0..until).step_by(step as usize);
        let all: Vec<BackupFacts> =
            every(15, 40 * 24 * 60).map(|ago| backup(ago, BackupReason::Activity, 1)).collect();
        let gone = thin(&all, now(), u64::MAX);
        let left = all.len() - gone.len();
        assert!((24 + 28..=25 + 31).contains(&left), "{left}");
    }

    #[test]
    fn a_clock_ten_years_ahead_removes_no_backup() {
        let every = |step: i64, until: i64| (0..until).step_by(step as usize);
        let all: Vec<BackupFacts> =
            every(15, 40 * 24 * 60).map(|ago| backup(ago, BackupReason::Activity, 1)).collect();
        let mut all = left(&all, now(), u64::MAX);
        let ahead = now() + TimeDelta::days(3_652);
        for n in 0..3 {
            let at = ahead + TimeDelta::seconds(n);
            let made = BackupFacts {
                id: BackupId::new(at, BackupReason::Asked),
                sequence: 20_000_000 + n.unsigned_abs(),
                ..backup(0, BackupReason::Asked, 1)
            };
            all.push(made);
            assert_eq!(thin(&all, at, u64::MAX), [], "backup {n} under the wrong clock");
        }
        // The clock is right again.
        let id = BackupId::new(now() + TimeDelta::minutes(15), BackupReason::Activity);
        all.push(BackupFacts { id, sequence: 30_000_000, ..backup(0, BackupReason::Activity, 1) });
        assert_eq!(thin(&all, id.at, u64::MAX), []);
    }

    #[test]
    fn the_newest_backup_of_a_database_that_may_be_intact_is_never_removed() {
        let mut all: Vec<BackupFacts> =
            (0..4).map(|n| backup(400 - n * 100, BackupReason::Activity, 9)).collect();
        let mut ids = |change: &dyn Fn(&mut Vec<BackupFacts>)| {
            change(&mut all);
            let mut left_over = all.clone();
            for _ in 0..4 {
                left_over = left(&left_over, now(), 0);
            }
            all.iter().map(|backup| u8::from(left_over.contains(backup))).collect::<Vec<_>>()
        };
        assert_eq!(ids(&|_| ()), [0, 0, 0, 1], "the newest alone");
        let other = "workspaces/a/inklings.db".to_owned();
        assert_eq!(ids(&|all| all[1].files.push(other.clone())), [0, 1, 0, 1], "the only one of a database");
        assert_eq!(ids(&|all| all[3].damaged = true), [0, 1, 1, 1], "the newest that may be intact");
        assert_eq!(
            ids(&|all| all.iter_mut().for_each(|it| it.damaged = true)),
            [0, 0, 0, 1],
            "none is intact"
        );
    }

    fn left(all: &[BackupFacts], now: DateTime<Utc>, most: u64) -> Vec<BackupFacts> {
        let gone = thin(all, now, most);
        all.iter().filter(|backup| !gone.contains(&backup.id)).cloned().collect()
    }

    /// Backups of some of three worlds each, with the account; some were found damaged.
    fn any_backups_of_worlds() -> impl Strategy<Value = Vec<BackupFacts>> {
        let of = prop::collection::vec((prop::collection::vec(any::<bool>(), 3), 0u8..8), 120);
        (any_backups(), of).prop_map(|(mut all, of)| {
            for (backup, (worlds, chance)) in all.iter_mut().zip(of) {
                backup.damaged = chance == 0;
                let worlds = worlds.iter().enumerate().filter(|(_, holds)| **holds);
                backup.files.extend(worlds.map(|(n, _)| format!("workspaces/{n}/agents.db")));
            }
            all
        })
    }

    fn any_backups() -> impl Strategy<Value = Vec<BackupFacts>> {
        let one = (0i64..60 * 24 * 60, 0usize..7, 0u64..1_000)
            .prop_map(|(ago, reason, bytes)| backup(ago, BackupReason::ALL[reason], bytes));
        prop::collection::vec(one, 0..120).prop_map(|mut all| {
            all.sort_by_key(|backup| backup.id.at);
            all.dedup_by_key(|backup| backup.id.at);
            all
        })
    }

    /// Backups with arbitrary clock readings, in creation order, and the current time.
    fn any_clock() -> impl Strategy<Value = (Vec<BackupFacts>, DateTime<Utc>)> {
        let moment = || {
            prop_oneof![
                3 => (0i64..60 * 24 * 60).prop_map(|minutes| now() - TimeDelta::minutes(minutes)),
                1 => (0i64..8_000_000_000).prop_filter_map("a moment", |s| DateTime::from_timestamp(s, 0)),
            ]
        };
        let one = (moment(), 0usize..7, 0u64..1_000);
        (prop::collection::vec(one, 0..60), moment()).prop_map(|(all, now)| {
            let all = all.into_iter().zip(1..).map(|((at, reason, bytes), sequence)| {
                // Milliseconds keep the ids unique.
                let at = at + TimeDelta::milliseconds(sequence);
                let sequence = sequence.unsigned_abs();
                let id = BackupId::new(at, BackupReason::ALL[reason]);
                BackupFacts { id, sequence, ..backup(0, BackupReason::Asked, bytes) }
            });
            (all.collect(), now)
        })
    }

    fn age_of(all: &[BackupFacts], now: DateTime<Utc>, id: BackupId) -> Option<TimeDelta> {
        aged(all, now).into_iter().find(|it| it.backup.id == id).map(|it| it.age)
    }

    proptest! {
        #[test]
        fn under_any_clock_the_newest_and_requested_backups_are_never_removed(
            (all, now) in any_clock(), most in 0u64..20_000,
        ) {
            let gone = thin(&all, now, most);
            if let Some(newest) = all.last() {
                prop_assert!(!gone.contains(&newest.id));
            }
            prop_assert!(gone.iter().all(|id| id.reason() != BackupReason::Asked), "{gone:?}");
        }

        /// After thinning, one more backup under any clock ages no other backup by more than a day.
        #[test]
        fn no_clock_ages_a_backup_by_more_than_a_day_at_once(
            (all, before) in any_clock(), after in 0i64..8_000_000_000,
        ) {
            let after = DateTime::from_timestamp(after, 999_000_000).unwrap_or_default();
            let made = BackupFacts {
                id: BackupId::new(after, BackupReason::Activity), sequence: 1_000, ..backup(0, BackupReason::Activity, 1)
            };
            let with: Vec<BackupFacts> = all.iter().cloned().chain([made]).collect();
            for backup in &all {
                let (was, is) = (age_of(&all, before, backup.id), age_of(&with, after, backup.id));
                prop_assert!(is <= was.map(|was| was + TimeDelta::days(1)));
            }
        }

        #[test]
        fn a_clock_that_jumped_by_more_than_a_year_or_backwards_removes_nothing(
            (all, before) in any_clock(), years in prop_oneof![-40i64..0, 2i64..200],
        ) {
            let mut left_over = all;
            // Thin until nothing more is deleted.
            loop {
                let gone = thin(&left_over, before, u64::MAX);
                if gone.is_empty() { break; }
                left_over.retain(|backup| !gone.contains(&backup.id));
            }
            let last = left_over.last().map_or(before, |backup| backup.id.at());
            let after = last + TimeDelta::days(366 * years);
            let made = BackupFacts {
                id: BackupId::new(after, BackupReason::Asked), sequence: 1_000, ..backup(0, BackupReason::Asked, 1)
            };
            left_over.push(made);
            prop_assert_eq!(thin(&left_over, after, u64::MAX), Vec::new());
        }

        /// Backups of today and of earlier days are not deleted for size in the same pass.
        #[test]
        fn one_pass_removes_backups_of_one_generation_only((all, now) in any_clock(), most in 0u64..20_000) {
            let left_over = left(&all, now, u64::MAX);
            let by_age = thin(&left_over, now, u64::MAX);
            let mut gone = thin(&left_over, now, most);
            gone.retain(|id| !by_age.contains(id));
            let today = |id: &BackupId| age_of(&left_over, now, *id).is_some_and(|age| age < TimeDelta::days(1));
            let young = gone.iter().filter(|id| today(id)).count();
            prop_assert!(young == 0 || young == gone.len(), "{gone:?}");
        }

        #[test]
        fn backups_from_before_a_recent_restore_are_never_removed(all in any_backups(), most in 0u64..20_000) {
            let gone = thin(&all, now(), most);
            for backup in &all {
                let young = now() - backup.id.at() < TimeDelta::days(1);
                if young && backup.id.reason() == BackupReason::Restore {
                    prop_assert!(!gone.contains(&backup.id));
                }
            }
        }

        #[test]
        fn after_repeated_thinning_the_rest_fits_the_limit_or_is_protected(all in any_backups(), most in 0u64..20_000) {
            let mut left_over = all.clone();
            for _ in 0..4 {
                left_over = left(&left_over, now(), most);
            }
            let size: u64 = left_over.iter().map(|backup| backup.bytes).sum();
            let newest = all.last().map(|backup| backup.id);
            let free = |backup: &&BackupFacts| {
                Some(backup.id) != newest
                    && backup.id.reason() != BackupReason::Asked
                    && !(backup.id.reason() == BackupReason::Restore
                        && age_of(&left_over, now(), backup.id).is_some_and(|age| age < TimeDelta::days(1)))
            };
            prop_assert!(size <= most || left_over.iter().filter(free).count() == 0);
            prop_assert_eq!(thin(&left_over, now(), most), Vec::new());
        }

        #[test]
        fn the_newest_intact_backup_of_each_database_is_never_removed(
            all in any_backups_of_worlds(), most in 0u64..20_000,
        ) {
            let gone = thin(&all, now(), most);
            for file in all.iter().flat_map(|backup| &backup.files) {
                let newest = all.iter().rfind(|backup| !backup.damaged && backup.files.contains(file));
                prop_assert!(newest.is_none_or(|newest| !gone.contains(&newest.id)), "{file}");
            }
        }

        #[test]
        fn within_the_size_limit_the_newest_backup_of_each_database_in_each_hour_and_day_is_kept(
            all in any_backups_of_worlds(),
        ) {
            let gone = thin(&all, now(), u64::MAX);
            for backup in &all {
                let age = now() - backup.id.at();
                let span = if age < TimeDelta::days(1) { 3_600 } else { 86_400 };
                let place = |other: &BackupFacts| other.id.at().timestamp().div_euclid(span);
                let is_newest = |file: &String| {
                    let same = |other: &&BackupFacts| place(other) == place(backup) && other.files.contains(file);
                    all.iter().rfind(same) == Some(backup)
                };
                if age < TimeDelta::days(30) && backup.files.iter().any(is_newest) {
                    prop_assert!(!gone.contains(&backup.id));
                }
            }
        }
    }
}
