//! Decay of relevance: `relevance = importance * rate^hours * (1 + ln(1 + access_count))`. The hours come from a
//! clock that pauses while the workspace is not in use.

use chrono::{DateTime, Duration, NaiveDate, Utc};

use crate::{
    memory::Importance,
    scope::{MemoryScope, PerTier},
};

/// Relevance below which an entry has faded (consolidation step "prune").
pub const FADED: f64 = 0.01;
/// Maximum hours that one closed range counts, so that a holiday counts as at most a week.
pub const MAX_GAP_HOURS: f64 = 7.0 * 24.0;

/// An hourly rate is outside (0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a decay rate must be above 0 and at most 1")]
pub struct InvalidRate;

/// Whether an entry decays at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exemption {
    /// It decays.
    None,
    /// The worldbuilder wrote it: it decays only if [`DecayConfig::authors_fade`].
    OfAuthor,
    /// It is pinned or has a name: it does not decay.
    Fixed,
}

/// Hourly retention rate of each tier; `None` means no decay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayConfig {
    rates: PerTier<Option<f64>>,
    authors_fade: bool,
}

impl DecayConfig {
    /// The default rates: .999 / .998 / .995 / .99.
    pub const STEADY: Self = Self {
        rates: PerTier {
            account: Some(0.999),
            workspace: Some(0.998),
            channel: Some(0.995),
            conversation: Some(0.99),
        },
        authors_fade: false,
    };
    /// Faster rates: .998 / .995 / .990, and no decay in conversations.
    pub const BRISK: Self = Self {
        rates: PerTier {
            account: Some(0.998),
            workspace: Some(0.995),
            channel: Some(0.990),
            conversation: None,
        },
        authors_fade: false,
    };

    /// Checks the four rates.
    ///
    /// # Errors
    /// [`InvalidRate`] if a rate is not a finite number in (0, 1].
    pub fn new(rates: PerTier<Option<f64>>) -> Result<Self, InvalidRate> {
        let valid = MemoryScope::ALL
            .iter()
            .filter_map(|scope| *rates.get(*scope))
            .all(|rate| rate.is_finite() && rate > 0.0 && rate <= 1.0);
        if valid { Ok(Self { rates, authors_fade: false }) } else { Err(InvalidRate) }
    }

    /// Returns the rates with another rule for what the worldbuilder wrote. By default it does not decay.
    #[must_use]
    pub const fn with_authors_fade(self, authors_fade: bool) -> Self {
        Self { authors_fade, ..self }
    }

    /// True if entries that the worldbuilder wrote decay like those of agents and imports.
    pub const fn authors_fade(&self) -> bool {
        self.authors_fade
    }

    /// True if an entry with this exemption does not decay.
    pub const fn exempts(&self, exemption: Exemption) -> bool {
        match exemption {
            Exemption::None => false,
            Exemption::OfAuthor => !self.authors_fade,
            Exemption::Fixed => true,
        }
    }

    /// The hourly rate of a tier; `None` if it does not decay.
    pub const fn rate(&self, scope: MemoryScope) -> Option<f64> {
        *self.rates.get(scope)
    }

    /// The rates of all tiers.
    pub const fn rates(&self) -> &PerTier<Option<f64>> {
        &self.rates
    }
}

impl Default for DecayConfig {
    fn default() -> Self {
        Self::STEADY
    }
}

/// The properties of an entry that decay depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayInputs {
    /// The tier, which selects the rate.
    pub scope: MemoryScope,
    /// Importance in [0, 1].
    pub importance: Importance,
    /// Number of retrievals for an agent.
    pub access_count: u64,
    /// Time of the last retrieval for an agent, or of the write.
    pub accessed_at: DateTime<Utc>,
    /// Whether it decays at all.
    pub exemption: Exemption,
}

/// The factors of an entry's relevance, as shown to the worldbuilder. Their product is [`Self::relevance`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayTerms {
    /// Importance in [0, 1].
    pub importance: f64,
    /// Counted hours since the last access.
    pub hours: f64,
    /// `rate^hours` in [0, 1].
    pub retention: f64,
    /// `1 + ln(1 + access_count)`, at least 1.
    pub frequency_boost: f64,
}

impl DecayTerms {
    /// The relevance: the product of the factors.
    pub fn relevance(&self) -> f64 {
        self.importance * self.retention * self.frequency_boost
    }
}

/// Computes decay with a [`DecayConfig`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DecayCalculator {
    config: DecayConfig,
}

impl DecayCalculator {
    /// Creates a calculator with these rates.
    pub const fn new(config: DecayConfig) -> Self {
        Self { config }
    }

    /// The rates in use.
    pub const fn config(&self) -> &DecayConfig {
        &self.config
    }

    /// The share of relevance left after some hours without access: `rate^hours`, or 1 without decay.
    pub fn retention(&self, scope: MemoryScope, hours: f64) -> f64 {
        self.config.rate(scope).map_or(1.0, |rate| rate.powf(hours.max(0.0)))
    }

    /// The factors of an entry after this number of counted hours since its last access.
    pub fn terms(&self, entry: &DecayInputs, hours: f64) -> DecayTerms {
        DecayTerms {
            importance: entry.importance.get(),
            hours: hours.max(0.0),
            retention: if self.config.exempts(entry.exemption) {
                1.0
            } else {
                self.retention(entry.scope, hours)
            },
            frequency_boost: 1.0 + (entry.access_count as f64).ln_1p(),
        }
    }

    /// Counted hours from the last access until the entry falls below [`FADED`]; `None` if it never does.
    pub fn fades_after(&self, entry: &DecayInputs) -> Option<f64> {
        let start = self.terms(entry, 0.0).relevance();
        if start < FADED {
            return Some(0.0);
        }
        if self.config.exempts(entry.exemption) {
            return None;
        }
        let rate = self.config.rate(entry.scope).filter(|rate| *rate < 1.0)?;
        Some((FADED / start).ln() / rate.ln())
    }
}

/// Counts the hours between two moments for decay. With `pause`, only days (UTC) count on which the workspace was
/// open. Without `pause`, all time counts, but one range of closed days counts at most [`MAX_GAP_HOURS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecayClock {
    pause: bool,
    days: Vec<NaiveDate>,
}

impl DecayClock {
    /// Creates a clock from the days on which the workspace was open, in any order.
    pub fn new(mut open_days: Vec<NaiveDate>, pause: bool) -> Self {
        open_days.sort_unstable();
        open_days.dedup();
        Self { pause, days: open_days }
    }

    /// Counted hours from `from` to `to`; 0 if `to` is before `from`.
    pub fn hours(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
        if to <= from {
            return 0.0;
        }
        let first = self.days.partition_point(|day| *day < from.date_naive());
        let last = self.days.partition_point(|day| *day <= to.date_naive());
        let open = &self.days[first..last];
        if self.pause { open_hours(open, from, to) } else { capped_hours(open, from, to) }
    }
}

fn day_start(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(chrono::NaiveTime::MIN).and_utc()
}

fn between(from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
    (to - from).num_seconds().max(0) as f64 / 3600.0
}

/// The hours of [from, to] on the given days. Whole days in between count 24 hours each.
fn open_hours(days: &[NaiveDate], from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
    let part = |day: NaiveDate| {
        let start = day_start(day);
        between(start.max(from), (start + Duration::days(1)).min(to))
    };
    match days {
        [] => 0.0,
        [only] => part(*only),
        [first, middle @ .., last] => part(*first) + middle.len() as f64 * 24.0 + part(*last),
    }
}

/// All hours of [from, to], with each closed range between open days limited to [`MAX_GAP_HOURS`].
fn capped_hours(days: &[NaiveDate], from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
    let mut hours = open_hours(days, from, to);
    let mut closed_since = from;
    for day in days {
        hours += between(closed_since, day_start(*day)).min(MAX_GAP_HOURS);
        closed_since = closed_since.max(day_start(*day) + Duration::days(1));
    }
    hours + between(closed_since, to).min(MAX_GAP_HOURS)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole hours and rounded percentages are exact in f64")]
mod tests {
    use chrono::TimeZone;

    use super::*;

    fn at(day: u32, hour: u32) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 3, day, hour, 0, 0).single().expect("a valid time")
    }

    fn days(days: impl IntoIterator<Item = u32>) -> Vec<NaiveDate> {
        days.into_iter().map(|d| at(d, 0).date_naive()).collect()
    }

    /// The specified table of hourly rates and retention after 7 days.
    #[test]
    fn the_brisk_preset_has_the_specified_retention() {
        let brisk = DecayCalculator::new(DecayConfig::BRISK);
        let week = |scope| (brisk.retention(scope, 168.0) * 100.0).round();
        assert_eq!(week(MemoryScope::Conversation), 100.0);
        // The table's figures are approximate ("~17 %"): .990^168 is 18.5 %.
        assert!((week(MemoryScope::Channel) - 17.0).abs() <= 2.0);
        assert_eq!(week(MemoryScope::Workspace), 43.0);
        assert_eq!(week(MemoryScope::Account), 71.0);
    }

    #[test]
    fn steady_is_the_default_and_has_the_specified_rates() {
        let rates = MemoryScope::ALL.iter().map(|s| DecayConfig::default().rate(*s)).collect::<Vec<_>>();
        assert_eq!(rates, [Some(0.999), Some(0.998), Some(0.995), Some(0.99)]);
    }

    #[test]
    fn what_the_worldbuilder_wrote_fades_only_if_they_say_so() {
        let entry = |exemption| DecayInputs {
            scope: MemoryScope::Workspace,
            importance: Importance::DEFAULT,
            access_count: 0,
            accessed_at: at(1, 0),
            exemption,
        };
        let config = DecayConfig::default();
        for (config, fading) in [
            (config, [true, false, false]),
            (config.with_authors_fade(true), [true, true, false]),
            (DecayConfig::BRISK, [true, false, false]),
        ] {
            let calculator = DecayCalculator::new(config);
            for (exemption, fades) in
                [Exemption::None, Exemption::OfAuthor, Exemption::Fixed].into_iter().zip(fading)
            {
                let entry = entry(exemption);
                assert_eq!(calculator.fades_after(&entry).is_some(), fades, "{exemption:?}");
                assert_eq!(calculator.terms(&entry, 1_000.0).retention < 1.0, fades, "{exemption:?}");
            }
        }
    }

    #[test]
    fn rates_outside_the_unit_interval_are_refused() {
        for bad in [0.0, -0.1, 1.01, f64::NAN, f64::INFINITY] {
            assert_eq!(
                DecayConfig::new(PerTier { account: Some(bad), ..PerTier::default() }),
                Err(InvalidRate)
            );
        }
    }

    #[test]
    fn days_without_use_do_not_count_while_the_clock_is_paused() {
        let clock = DecayClock::new(days([1, 20]), true);
        assert_eq!(clock.hours(at(1, 12), at(20, 6)), 12.0 + 6.0);
        assert_eq!(DecayClock::new(vec![], true).hours(at(1, 0), at(30, 0)), 0.0);
    }

    #[test]
    fn one_absence_never_counts_more_than_a_week() {
        let clock = DecayClock::new(days([1, 20]), false);
        assert_eq!(clock.hours(at(1, 12), at(20, 6)), 12.0 + MAX_GAP_HOURS + 6.0);
        let short = DecayClock::new(days([1, 3]), false);
        assert_eq!(short.hours(at(1, 12), at(3, 6)), 12.0 + 24.0 + 6.0);
    }

    proptest::proptest! {
        #[test]
        fn counted_hours_never_exceed_real_ones_and_never_run_backwards(
            open in proptest::collection::vec(1u32..=31, 0..31), a in 0u32..744, b in 0u32..744, pause: bool
        ) {
            let clock = DecayClock::new(days(open), pause);
            let time = |h: u32| at(1, 0) + Duration::hours(i64::from(h));
            let hours = clock.hours(time(a), time(b));
            proptest::prop_assert!(hours >= 0.0 && hours <= f64::from(b.saturating_sub(a)) + 1e-9);
            proptest::prop_assert!(clock.hours(time(a), time(b.max(a) + 1)) + 1e-9 >= hours);
        }

        #[test]
        fn retention_falls_with_time_and_rises_with_the_rate(h in 0.0..2000.0f64, more in 0.0..500.0f64) {
            let calc = DecayCalculator::default();
            for scope in MemoryScope::ALL {
                proptest::prop_assert!(calc.retention(*scope, h + more) <= calc.retention(*scope, h));
            }
            proptest::prop_assert!(
                calc.retention(MemoryScope::Account, h) >= calc.retention(MemoryScope::Conversation, h)
            );
        }
    }
}
