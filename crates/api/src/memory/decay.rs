//! Decay, for curves and settings.

use inklings_domain::scope::PerTier;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::Scope;

/// Relevance at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurvePoint {
    /// When.
    pub at: String,
    /// How relevant.
    #[specta(type = Number)]
    pub relevance: f64,
}

/// The relevance of an entry over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecayCurve {
    /// Rising in time; past by the days of use, future as if used daily.
    pub points: Vec<CurvePoint>,
    /// Relevance now.
    #[specta(type = Number)]
    pub now: f64,
    /// When it falls below the fading line, if within a year of daily use.
    pub fades_at: Option<String>,
    /// The tier's rate per hour; `null` if the tier does not decay.
    #[specta(type = Option<Number>)]
    pub rate_per_hour: Option<f64>,
    /// Why it does not fade, for people, if it is exempt.
    pub exempt: Option<String>,
}

/// Hourly rates; `null` means that a tier does not decay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecayRates {
    /// Account tier.
    #[specta(type = Option<Number>)]
    pub account: Option<f64>,
    /// Workspace tier.
    #[specta(type = Option<Number>)]
    pub workspace: Option<f64>,
    /// Channel tier.
    #[specta(type = Option<Number>)]
    pub channel: Option<f64>,
    /// Conversation tier.
    #[specta(type = Option<Number>)]
    pub conversation: Option<f64>,
}

impl From<PerTier<Option<f64>>> for DecayRates {
    fn from(rates: PerTier<Option<f64>>) -> Self {
        let PerTier { account, workspace, channel, conversation } = rates;
        Self { account, workspace, channel, conversation }
    }
}

impl From<DecayRates> for PerTier<Option<f64>> {
    fn from(rates: DecayRates) -> Self {
        let DecayRates { account, workspace, channel, conversation } = rates;
        Self { account, workspace, channel, conversation }
    }
}

/// How one tier retains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TierCurve {
    /// Which tier.
    pub scope: Scope,
    /// Its rate per hour.
    #[specta(type = Option<Number>)]
    pub rate_per_hour: Option<f64>,
    /// Share left after 7 days.
    #[specta(type = Number)]
    pub retention7d: f64,
    /// Share left at the end of each day, from day 0 to day 60.
    #[specta(type = Vec<Number>)]
    pub points: Vec<f64>,
}
