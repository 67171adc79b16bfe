//! Past and future decay of an entry, for the curve in the detail pane and the settings page. Ranking uses
//! the same code (see [`crate::session::DecayModel`]).

use chrono::{DateTime, Duration, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::decay::{DecayCalculator, DecayConfig, DecayTerms, Exemption},
    scope::MemoryScope,
};

use crate::{error::AppError, services::Memories};

/// Points of a curve on each side of the current time.
const POINTS_PER_SIDE: i32 = 48;
/// How far a curve extends into the future if the entry does not fade sooner.
const MAX_AHEAD_DAYS: f64 = 365.0;
/// Days covered by the preview of a tier.
const PREVIEW_DAYS: u32 = 60;

/// The relevance of an entry over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Time and relevance, ascending in time. Past points use the recorded days of use; future points assume
    /// daily use.
    pub points: Vec<(DateTime<Utc>, f64)>,
    /// Relevance factors at the current time.
    pub now: DecayTerms,
    /// When relevance falls below the fading threshold, if within a year of daily use.
    pub fades_at: Option<DateTime<Utc>>,
    /// Decay rate of the tier per hour.
    pub rate: Option<f64>,
    /// Why the entry does not fade, if it does not.
    pub exempt: Option<Exemption>,
}

/// Retention of one tier, for the preview of settings.
#[derive(Debug, Clone, PartialEq)]
pub struct TierRetention {
    pub scope: MemoryScope,
    /// Decay rate per hour.
    pub rate: Option<f64>,
    /// Share of relevance left after 7 days.
    pub after_week: f64,
    /// Share of relevance left at the end of each day, from day 0.
    pub by_day: Vec<f64>,
}

impl Memories<'_> {
    /// The decay curve of one entry.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is none with this id.
    pub async fn decay_curve(&self, id: MemoryId) -> Result<Curve, AppError> {
        let entry = self.session.entry(id).await?.entry;
        let inputs = entry.decay_inputs();
        let decay = self.session.decay();
        let now = self.session.clock.now();
        let hours_now = decay.hours(&inputs, now);
        let relevance = |hours: f64| decay.calculator.terms(&inputs, hours).relevance();

        let left = decay.calculator.fades_after(&inputs).map(|after| (after - hours_now).max(0.0));
        let past = (now - inputs.accessed_at).max(Duration::zero());
        let ahead_hours = left.map_or(60.0 * 24.0, |left| (left * 1.2).clamp(48.0, MAX_AHEAD_DAYS * 24.0));

        let mut points = Vec::with_capacity(2 * POINTS_PER_SIDE as usize + 1);
        for step in (1..=POINTS_PER_SIDE).rev() {
            let at = now - past * step / POINTS_PER_SIDE;
            points.push((at, relevance(decay.hours(&inputs, at))));
        }
        for step in 0..=POINTS_PER_SIDE {
            let hours = ahead_hours * f64::from(step) / f64::from(POINTS_PER_SIDE);
            points.push((now + in_hours(hours), relevance(hours_now + hours)));
        }
        Ok(Curve {
            points,
            now: decay.terms(&inputs, now),
            fades_at: left.filter(|left| *left <= MAX_AHEAD_DAYS * 24.0).map(|left| now + in_hours(left)),
            rate: decay.calculator.config().rate(inputs.scope),
            exempt: Some(inputs.exemption).filter(|it| decay.calculator.config().exempts(*it)),
        })
    }
}

/// The retention of each tier with these rates.
pub fn preview(config: DecayConfig) -> Vec<TierRetention> {
    let calculator = DecayCalculator::new(config);
    let tier = |scope: MemoryScope| TierRetention {
        scope,
        rate: config.rate(scope),
        after_week: calculator.retention(scope, 7.0 * 24.0),
        by_day: (0..=PREVIEW_DAYS).map(|day| calculator.retention(scope, f64::from(day) * 24.0)).collect(),
    };
    MemoryScope::ALL.iter().map(|scope| tier(*scope)).collect()
}

fn in_hours(hours: f64) -> Duration {
    Duration::seconds((hours * 3600.0).round() as i64)
}
