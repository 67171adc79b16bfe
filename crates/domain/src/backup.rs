//! Backups: copies of whole databases, and which of them are kept.
//!
//! Of the last day each hour keeps its newest, and whatever was made on purpose stays; of the last thirty days each day keeps
//! its newest; older ones go. Then the oldest go until the rest fits the size that is allowed. Never goes the newest, nor
//! one that was made before a restore and is younger than a day.

use std::{collections::HashSet, fmt, str::FromStr};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

use crate::scope::words;

/// Why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackupReason {
    /// Something had been written for a while.
    Activity,
    /// The worldbuilder asked.
    Asked,
    /// Before a migration.
    Migration,
    /// Before an import.
    Import,
    /// Before a scrub.
    Scrub,
    /// Before a big run.
    Run,
    /// Before a restore.
    Restore,
}

words!(BackupReason, "reason", {
    Activity => "activity", Asked => "asked", Migration => "migration", Import => "import", Scrub => "scrub",
    Run => "run", Restore => "restore",
});

/// Names a backup: when it was made and why. Safe as the name of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BackupId {
    at: DateTime<Utc>,
    reason: BackupReason,
}

/// A text that names no backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not the name of a backup")]
pub struct InvalidBackupId;

const FORMAT: &str = "%Y%m%dT%H%M%S";

impl BackupId {
    /// The name of a backup made at a moment; what is finer than a millisecond is dropped.
    pub fn new(at: DateTime<Utc>, reason: BackupReason) -> Self {
        let millis = at.timestamp_millis();
        Self { at: DateTime::from_timestamp_millis(millis).unwrap_or(at), reason }
    }

    /// When it was made.
    pub const fn at(&self) -> DateTime<Utc> {
        self.at
    }

    /// Why it was made.
    pub const fn reason(&self) -> BackupReason {
        self.reason
    }

    /// The same a millisecond later, for when the name is taken.
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
        // Written one way only: what reads back differently is no name of ours.
        if id.to_string() == text { Ok(id) } else { Err(InvalidBackupId) }
    }
}

/// A backup as thinning sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Which.
    pub id: BackupId,
    /// Its size.
    pub bytes: u64,
}

/// Those that go, the oldest first. `most` is the size that all of them may have together, in bytes.
pub fn thin(backups: &[Kept], now: DateTime<Utc>, most: u64) -> Vec<BackupId> {
    let mut newest_first = backups.to_vec();
    newest_first.sort_by_key(|backup| std::cmp::Reverse((backup.id.at, backup.id.reason.as_str())));
    let (mut hours, mut days) = (HashSet::new(), HashSet::new());
    let (mut stay, mut gone): (Vec<Kept>, Vec<Kept>) = (Vec::new(), Vec::new());
    for (place, backup) in newest_first.into_iter().enumerate() {
        let age = now - backup.id.at;
        let seconds = backup.id.at.timestamp();
        let first_of_hour = hours.insert(seconds.div_euclid(3_600));
        let first_of_day = days.insert(seconds.div_euclid(86_400));
        let keeps = if age < TimeDelta::days(1) {
            first_of_hour || backup.id.reason != BackupReason::Activity
        } else {
            age < TimeDelta::days(30) && first_of_day
        };
        if keeps || place == 0 { stay.push(backup) } else { gone.push(backup) }
    }
    let mut size: u64 = stay.iter().map(|backup| backup.bytes).fold(0, u64::saturating_add);
    for place in (1..stay.len()).rev() {
        let backup = stay[place];
        let guarded = backup.id.reason == BackupReason::Restore && now - backup.id.at < TimeDelta::days(1);
        if size > most && !guarded {
            size = size.saturating_sub(backup.bytes);
            gone.push(backup);
        }
    }
    gone.sort_by_key(|backup| backup.id.at);
    gone.into_iter().map(|backup| backup.id).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap_or_default()
    }

    fn kept(minutes_ago: i64, reason: BackupReason, bytes: u64) -> Kept {
        Kept { id: BackupId::new(now() - TimeDelta::minutes(minutes_ago), reason), bytes }
    }

    #[test]
    fn a_name_reads_back_and_leads_nowhere_else() {
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
    fn a_busy_day_leaves_one_an_hour_and_a_busy_month_one_a_day() {
        let every = |step: i64, until: i64| (0..until).step_by(step as usize);
        let all: Vec<Kept> =
            every(15, 40 * 24 * 60).map(|ago| kept(ago, BackupReason::Activity, 1)).collect();
        let gone = thin(&all, now(), u64::MAX);
        let left = all.len() - gone.len();
        assert!((24 + 28..=25 + 31).contains(&left), "{left}");
    }

    fn any_backups() -> impl Strategy<Value = Vec<Kept>> {
        let one = (-60i64..60 * 24 * 60, 0usize..7, 0u64..1_000)
            .prop_map(|(ago, reason, bytes)| kept(ago, BackupReason::ALL[reason], bytes));
        prop::collection::vec(one, 0..120).prop_map(|mut all| {
            all.sort_by_key(|backup| backup.id.at);
            all.dedup_by_key(|backup| backup.id.at);
            all
        })
    }

    proptest! {
        #[test]
        fn the_newest_and_what_was_before_a_young_restore_never_go(all in any_backups(), most in 0u64..20_000) {
            let gone = thin(&all, now(), most);
            if let Some(newest) = all.last() {
                prop_assert!(!gone.contains(&newest.id));
            }
            for backup in &all {
                let young = now() - backup.id.at() < TimeDelta::days(1);
                if young && backup.id.reason() == BackupReason::Restore {
                    prop_assert!(!gone.contains(&backup.id));
                }
            }
        }

        #[test]
        fn what_stays_fits_or_is_guarded(all in any_backups(), most in 0u64..20_000) {
            let gone = thin(&all, now(), most);
            let left: Vec<&Kept> = all.iter().filter(|backup| !gone.contains(&backup.id)).collect();
            let size: u64 = left.iter().map(|backup| backup.bytes).sum();
            let newest = all.last().map(|backup| backup.id);
            let free = |backup: &&&Kept| {
                Some(backup.id) != newest
                    && !(backup.id.reason() == BackupReason::Restore
                        && now() - backup.id.at() < TimeDelta::days(1))
            };
            prop_assert!(size <= most || left.iter().filter(free).count() == 0);
        }

        #[test]
        fn with_room_every_hour_of_a_day_and_every_day_of_a_month_keeps_its_newest(all in any_backups()) {
            let gone = thin(&all, now(), u64::MAX);
            for backup in &all {
                let age = now() - backup.id.at();
                let span = if age < TimeDelta::days(1) { 3_600 } else { 86_400 };
                let same = |other: &&Kept| {
                    other.id.at().timestamp().div_euclid(span) == backup.id.at().timestamp().div_euclid(span)
                };
                let newest = all.iter().filter(same).max_by_key(|other| other.id.at());
                if age < TimeDelta::days(30) && newest == Some(backup) {
                    prop_assert!(!gone.contains(&backup.id));
                }
            }
        }

        #[test]
        fn thinning_twice_takes_nothing_more(all in any_backups(), most in 0u64..20_000) {
            let gone = thin(&all, now(), most);
            let left: Vec<Kept> = all.iter().filter(|backup| !gone.contains(&backup.id)).copied().collect();
            prop_assert_eq!(thin(&left, now(), most), Vec::new());
        }
    }
}
